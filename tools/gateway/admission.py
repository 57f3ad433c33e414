"""When a request begins: at once, a moment later so that the window stays quick, or at another program."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

_LOOK_S: Final = 0.001


class Admission:
    """Let requests in while agents are served here; on one event loop.

    Of many that come at once each begins when the window has taken in the ones before. A thousand would keep the
    interpreter busy for a second, in which the window gets it late after each of its calls into Qt.

    Args:
        is_open: Tells whether agents are served here: another program may begin to.
        is_behind: Tells whether requests are to begin later, since what came already is not shown yet.
    """

    def __init__(self, is_open: Callable[[], bool], is_behind: Callable[[], bool]) -> None:
        self.is_open = is_open
        self._is_behind = is_behind
        self._turn = asyncio.Lock()
        self._inside = 0
        self._last_s = time.monotonic()

    @property
    def is_behind(self) -> bool:
        """Whether a request has to wait until it begins."""
        return self._turn.locked() or self._is_behind()

    async def caught_up(self) -> None:
        """Wait until it is the turn of a request to begin."""
        async with self._turn:
            while self._is_behind():  # noqa: ASYNC110 -- the window's thread has no event of this loop
                await asyncio.sleep(_LOOK_S)

    @property
    def idle_s(self) -> float:
        """How long nobody was inside, in seconds."""
        return 0.0 if self._inside else time.monotonic() - self._last_s

    @contextmanager
    def inside(self) -> Iterator[None]:
        """Count a request, or who is connected, as long as the block is open."""
        self._inside += 1
        try:
            yield
        finally:
            self._inside -= 1
            self._last_s = time.monotonic()
