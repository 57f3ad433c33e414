"""Marks on the disk of agents' calls that were started, so that after a crash none of them runs twice unnoticed."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Collection
from hashlib import sha256
from pathlib import Path
from time import time
from typing import Any, Final

from tools.errors import UnavailableError
from tools.schema import canonical_json

LEFT_FOR_S: Final = 24 * 3_600.0
"""How long it is remembered that a program was killed while a call ran, in seconds."""

_LINGER_S: Final = 2.0
_PRIVATE: Final = 0o600


def left_answer() -> dict[str, Any]:
    """Return the result of `tools/call` for a call whose program was killed after it was started."""
    text = (
        "The program that ran this call ended before its result was taken: it may have run, in whole or in part, and"
        " its result is lost. Nothing was run now. See what it changed, or ask the person; the same call again is"
        " another call, which runs."
    )
    return {"content": [{"type": "text", "text": text}], "isError": True}


def mark_of(agent: str, tool: str, arguments: str) -> str:
    """Return the mark of a call: a hash, which tells nobody what it was."""
    return sha256(canonical_json([agent, tool, arguments]).encode("utf-8", "surrogatepass")).hexdigest()


class StartedCalls:
    """Mark calls from their start until a request took their outcome; on one event loop, for the program that serves.

    A program that is killed leaves its marks behind, and the next one tells whoever repeats such a call. A mark stays
    for a moment after the outcome was taken, which may still be on its way to the agent.

    Args:
        folder: Where the marks are; made when it is missing.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._left: set[str] = set()
        self._on_disk: set[str] = set()
        self._ending: dict[str, asyncio.TimerHandle] = {}

    def look(self, known: Collection[str] = ()) -> None:
        """See which calls a program left that was killed.

        Args:
            known: The marks of calls that go on.

        Raises:
            OSError: The folder cannot be read or made.
        """
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        latest = time() - LEFT_FOR_S
        for file in self._folder.iterdir():
            if file.name not in known:
                if file.stat().st_mtime < latest:
                    file.unlink()
                    continue
                self._left.add(file.name)
            self._on_disk.add(file.name)

    @property
    def has_left(self) -> bool:
        """Whether there are calls that a program was killed after it started, and nobody was told yet."""
        return bool(self._left)

    @property
    def has_marks(self) -> bool:
        """Whether any call is marked."""
        return bool(self._on_disk or self._left)

    def was_left(self, mark: str) -> bool:
        return mark in self._left

    def begin(self, mark: str) -> None:
        """Mark a call that starts now.

        Raises:
            UnavailableError: It cannot be written down.
        """
        if (ending := self._ending.pop(mark, None)) is not None:
            ending.cancel()
        self._on_disk.add(mark)
        try:
            (self._folder / mark).touch(_PRIVATE)
        except OSError as error:
            message = f"the start of the call cannot be written down ({error.strerror}), so nothing was run"
            raise UnavailableError(message, remedy=f"See to the folder {self._folder}.") from error

    def tell(self, mark: str) -> None:
        """Note that an agent is told of a call that was left: the same call again is another one."""
        self._left.discard(mark)

    def end(self, mark: str) -> None:
        """Take a mark away: an agent has the outcome, or was told that there is none."""
        self.tell(mark)
        if mark in self._on_disk and mark not in self._ending:
            self._ending[mark] = asyncio.get_running_loop().call_later(_LINGER_S, self._remove, mark)

    def close(self) -> None:
        """Take the marks away whose outcomes were taken."""
        for mark, ending in list(self._ending.items()):
            ending.cancel()
            self._remove(mark)

    def _remove(self, mark: str) -> None:
        self._ending.pop(mark, None)
        self._on_disk.discard(mark)
        # What cannot be removed is told of once more than needed.
        with contextlib.suppress(OSError):
            (self._folder / mark).unlink(missing_ok=True)
