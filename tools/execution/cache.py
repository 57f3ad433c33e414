"""Known results of one tool: bounded in time and number, filled once when several ask at a time."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from time import monotonic
from typing import NamedTuple

from tools.calls import ToolResponse
from tools.spec import CachePolicy


class _Entry(NamedTuple):
    expires_at: float
    response: ToolResponse


class ResultCache:
    """Keep finished responses by key.

    Args:
        policy: How long and how many.
        clock: Seconds that only grow.
    """

    def __init__(self, policy: CachePolicy, clock: Callable[[], float] = monotonic) -> None:
        self._policy = policy
        self._clock = clock
        self._entries: OrderedDict[str, _Entry] = OrderedDict()
        self._under_way: dict[str, asyncio.Future[ToolResponse | None]] = {}

    async def look_up(self, key: str) -> ToolResponse | None:
        """Return a known response; None means a miss, and that the caller now owes `settle` for this key.

        While somebody else already works on the key, wait for what comes of it.
        """
        while True:
            entry = self._entries.get(key)
            if entry is not None:
                if entry.expires_at > self._clock():
                    self._entries.move_to_end(key)
                    return entry.response
                del self._entries[key]
            other = self._under_way.get(key)
            if other is None:
                self._under_way[key] = asyncio.get_running_loop().create_future()
                return None
            known = await asyncio.shield(other)
            if known is not None:
                return known

    def settle(self, key: str, response: ToolResponse | None) -> None:
        """Say what came of a miss; None means nothing worth keeping, and lets the next one try."""
        if response is not None:
            self._entries[key] = _Entry(self._clock() + self._policy.ttl_s, response)
            self._entries.move_to_end(key)
            while len(self._entries) > self._policy.max_size:
                self._entries.popitem(last=False)
        waiting = self._under_way.pop(key, None)
        if waiting is not None and not waiting.done():
            waiting.set_result(response)

    def clear(self) -> int:
        """Forget everything.

        Returns:
            How many results were kept.
        """
        count = len(self._entries)
        self._entries.clear()
        return count
