"""What stands in the journal of a run: read as often as somebody asks, and written never."""

from __future__ import annotations

import contextlib
import json
from base64 import b64decode
from collections.abc import Iterator
from pathlib import Path
from threading import Lock
from typing import Any, Final, Self
from zlib import crc32

from tools.errors import HistoryError
from tools.file_lock import claim
from tools.vault import KeyringVault, Vault

_BEGIN: Final = b'{"journal":'
"""How the first line of every journal begins."""
_SUM: Final = b',"sum":'
"""What stands last in each line: the checksum of this line and all before it."""
_LONGEST_SUM: Final = 32


def summed(text: bytes, before: int) -> tuple[bytes, int]:
    """Return the line of an object, and its checksum."""
    found = crc32(text, before)
    return b"%b%b%d}\n" % (text[:-1], _SUM, found), found


def sum_at(end: bytes) -> int:
    """Return the checksum of a line, given at least its last bytes; -1 when it has none."""
    digits = end[-_LONGEST_SUM:].rpartition(_SUM)[2].removesuffix(b"}\n")
    return int(digits) if digits.isdigit() else -1


def is_journal(path: Path) -> bool:
    """Return whether a file is a journal, or was to be one when its program ended.

    Raises:
        OSError: When it cannot be read.
    """
    with path.open("rb") as file:
        return _BEGIN.startswith(file.read(len(_BEGIN)))


def has_begun(journal: Path) -> bool:
    """Return whether at least the plan of a run was written down.

    Raises:
        OSError: When it cannot be read.
    """
    with journal.open("rb") as file:
        return file.readline().endswith(b"\n")


def gone(path: Path) -> HistoryError:
    """Return the error of a journal that is not there."""
    return HistoryError(f"there is no run in {path}; it was deleted, or lies elsewhere")


class WrittenJournal:
    """Read a journal, wherever that is possible: nothing of it is changed, and nothing is made where there is none.

    Args:
        path: The file.
        vault: Opens what is sealed; None asks the keyring for the key once something is.

    Attributes:
        path: The file.
        is_sealed: Whether what may hold a secret is sealed there.

    Raises:
        HistoryError: When there is no such file, or it cannot be read.
    """

    def __init__(self, path: Path, vault: Vault | None = None) -> None:
        self.path = path
        self.is_sealed = False
        self._vault = vault or KeyringVault()
        self._id = ""
        # People look at results from another thread than the one that the run has.
        self._reading = Lock()
        try:
            self._reader = path.open("rb")
        except FileNotFoundError as error:
            raise gone(path) from error
        except OSError as error:
            msg = f"the run in {path} cannot be read: {error.strerror or error}; look who may read the file"
            raise HistoryError(msg) from error

    @property
    def is_held(self) -> bool:
        """Whether another program is about the run, or somebody else in this one."""
        with contextlib.suppress(OSError):
            return not claim(self._reader.fileno())
        # Some disks let only those lock who may write.
        with contextlib.suppress(OSError), self.path.open("r+b") as file:
            return not claim(file.fileno())
        # Or nobody, so that nobody can be told to be there.
        return False

    def value_at(self, place: int, *, shown: bool = False) -> Any:
        """Return a result, as it is or as people may see it; from a journal that is closed as well."""
        with self._reading:
            if not self._reader.closed:
                self._reader.seek(place)
                line = self._reader.readline()
            else:
                with self.path.open("rb") as file:
                    file.seek(place)
                    line = file.readline()
        facts = self._opened(json.loads(line), place)
        value = facts.get("value")
        return facts.get("shown", value) if shown else value

    def lines(self) -> Iterator[tuple[int, dict[str, Any]]]:
        """Go through what is written, each with its place; what the end of the program cut off is left out.

        Raises:
            OSError: When it cannot be read.
            ValueError: When it is damaged.
            VaultError: When it is sealed, and cannot be opened.
        """
        place = last = 0
        with self.path.open("rb") as file:
            for line in file:
                if line.endswith(b"\n"):
                    facts = json.loads(line)
                    last = crc32(line.rpartition(_SUM)[0] + b"}", last)
                    if last != sum_at(line):
                        msg = f"the line at byte {place} does not follow the one before it: one is missing or changed"
                        raise ValueError(msg)
                    if not isinstance(facts, dict):
                        msg = f"expected an object at byte {place}, got {line[:40]!r}"
                        raise ValueError(msg)
                    yield place, self._opened(facts, place)
                place += len(line)

    def close(self) -> None:
        """Let go of the file; results can still be read."""
        with self._reading:
            self._reader.close()

    def __enter__(self) -> Self:
        """Return itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close."""
        self.close()

    def _opened(self, facts: dict[str, Any], place: int) -> dict[str, Any]:
        """Return a line with what was sealed of it."""
        if "journal" in facts:
            self._id = facts.get("id", "")
            self.is_sealed = "sealed" in facts
        sealed = facts.pop("sealed", None)
        if sealed is not None:
            facts.update(json.loads(self._vault.open(b64decode(sealed), self._bound_to(place))))
        return facts

    def _bound_to(self, place: int) -> bytes:
        """Return what a sealed line belongs to: no other line, and none of another journal, opens in its place."""
        return f"{self._id}:{place}".encode()
