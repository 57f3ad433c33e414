"""Lanes: how many calls of one kind run at a time."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tools.batch.plan import Limits
    from tools.tool import Tool


class _Lane:
    def __init__(self, width: int) -> None:
        self.free = width
        self.waiting: deque[str] = deque()


class Lanes:
    """Admit so many calls of a tool, of a source, and one at a time of all that run alone.

    Args:
        limits: How many.
        tools: The tool of each step; None when there is none.
    """

    def __init__(self, limits: Limits, tools: Mapping[str, Tool | None]) -> None:
        by_key: dict[tuple[str, str], _Lane] = {}
        self._lanes: dict[str, tuple[_Lane, ...]] = {}
        for name, tool in tools.items():
            widths: dict[tuple[str, str], int] = {}
            if tool is not None:
                if not tool.spec.parallelizable:
                    widths["alone", ""] = 1
                if tool.name in limits.tools:
                    widths["tool", tool.name] = limits.tools[tool.name]
                if tool.source.name in limits.sources:
                    widths["source", tool.source.name] = limits.sources[tool.source.name]
            for key, width in widths.items():
                by_key.setdefault(key, _Lane(width))
            if widths:
                self._lanes[name] = tuple(by_key[key] for key in widths)

    def enter(self, name: str) -> bool:
        """Take a place for a step; without one, it queues up in the first lane that has none free."""
        lanes = self._lanes.get(name, ())
        for lane in lanes:
            if not lane.free:
                lane.waiting.append(name)
                return False
        for lane in lanes:
            lane.free -= 1
        return True

    def leave(self, name: str) -> list[str]:
        """Give a step's place back; return those that waited longest for it, one a lane."""
        called: list[str] = []
        for lane in self._lanes.get(name, ()):
            lane.free += 1
            if lane.waiting:
                called.append(lane.waiting.popleft())
        return called
