"""End the parts of the program one after the other."""

from __future__ import annotations

import asyncio
import inspect
import logging
from collections.abc import Awaitable, Callable, Iterable
from typing import Final, NamedTuple

_log = logging.getLogger(__name__)

PATIENCE_S: Final = 5.0
"""How long most parts may take: whoever closes a window does not wait for a provider that is slow to hang up."""

SLOW_PATIENCE_S: Final = 15.0
"""How long those may take that write to the disk or start another program."""


class Part(NamedTuple):
    """A part of the program that has to end.

    Attributes:
        name: What it is, as the log says it.
        end: Ends it; may be a coroutine function.
        patience_s: How long it may take, in seconds.
    """

    name: str
    end: Callable[[], Awaitable[object] | object]
    patience_s: float = PATIENCE_S


async def end_in_turn(parts: Iterable[Part]) -> bool:
    """End parts in this order; one that fails or does not end keeps no other from ending.

    Returns:
        Whether all ended. What went wrong is in the log.
    """
    return all([await _ended(part) for part in parts])


async def _ended(part: Part) -> bool:
    try:
        ending = part.end()
        if inspect.isawaitable(ending):
            task = asyncio.ensure_future(ending)
            # Not `wait_for`, which waits for the end of what it cancels.
            await asyncio.wait([task], timeout=part.patience_s)
            if not task.done():
                task.cancel()
                _log.warning("%s did not end within %g s of closing the window", part.name, part.patience_s)
                return False
            task.result()
    except Exception:  # noqa: BLE001 -- whatever a part raises, the others are to end
        _log.exception("%s could not be ended", part.name)
        return False
    return True
