"""A small file of the program's own that holds one frozen document, shared with other programs of ours."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Final, Generic, TypeVar

from pydantic import BaseModel

from tools.atomic_write import write_whole
from tools.errors import ServerConfigError, ToolError
from tools.file_lock import held
from tools.watched_file import stamp_of

_D = TypeVar("_D", bound=BaseModel)

LARGEST_BYTES: Final = 50_000_000
"""The size of the largest file that is read."""


class SharedFile(Generic[_D]):
    """Read a document when its file changed, and change it under a lock.

    Args:
        path: The file, which need not exist.
        kind: What it holds; an empty one stands for a file that is not there.
        error: What is raised when it cannot be read or written.
    """

    def __init__(self, path: Path, kind: type[_D], error: type[ToolError] = ServerConfigError) -> None:
        self.path = path
        self._kind = kind
        self._error = error
        # Both at once, as threads read side by side: the document of one may not go with the stamp of another.
        self._known: tuple[object, _D] | None = None

    def read(self) -> _D:
        """Return what the file holds; not to be changed.

        Raises:
            ToolError: When it cannot be read, of the kind that was given.
        """
        stamp = stamp_of(self.path)
        # Another thread may change the file meanwhile, and forget what is known of it.
        known = self._known
        if known is None or known[0] != stamp:
            known = self._known = stamp, self._fresh()
        return known[1]

    @contextlib.contextmanager
    def change(self) -> Iterator[_D]:
        """Give out what the file holds to be changed in place, and write it when nothing was raised.

        Other programs and other threads wait meanwhile.

        Raises:
            ToolError: When it cannot be read or written, of the kind that was given; it is as it was.
        """
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with held(self.path.with_name(f".{self.path.name}.lock")):
                document = self._fresh()
                yield document
                # Texts of servers may hold halves of letters, which only the standard library writes and reads.
                write_whole(self.path, json.dumps(document.model_dump(mode="json", exclude_defaults=True), indent=1))
        except OSError as error:
            raise self._error(f"{self.path} cannot be written ({error}); see to its folder") from error
        finally:
            self._known = None

    def _fresh(self) -> _D:
        try:
            if self.path.stat().st_size > LARGEST_BYTES:
                raise self._error(f"{self.path}: expected at most {LARGEST_BYTES:,} bytes; move it away")
            return self._kind.model_validate(json.loads(self.path.read_bytes()))
        except FileNotFoundError:
            return self._kind()
        except (OSError, ValueError, RecursionError) as error:
            why = str(error).splitlines()[0]
            raise self._error(f"{self.path} cannot be read ({why}); mend it, or move it away") from error
