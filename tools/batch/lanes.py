"""Lanes: how many calls of one kind run at a time, whoever makes them."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING

from tools.spec import Isolation

if TYPE_CHECKING:
    from tools.batch.plan import Limits
    from tools.tool import Tool


LaneKey = tuple[str, str]
"""What the calls of a lane have in common: that they run alone or in worker processes, their tool, their source."""


def places_in_lanes(tool: Tool, limits: Limits, workers: int) -> dict[LaneKey, int]:
    """Return the lanes that a call of a tool needs a place in, and how many places each of them has.

    Args:
        tool: The tool.
        limits: What the plan says.
        workers: How many worker processes there are; 0 where tools run elsewhere.
    """
    places: dict[LaneKey, int] = {}
    if not tool.spec.parallelizable:
        places["alone", ""] = 1
    if workers and tool.isolation is Isolation.PROCESS:
        places["workers", ""] = workers
    if tool.name in limits.tools:
        places["tool", tool.name] = limits.tools[tool.name]
    if tool.source.name in limits.sources:
        places["source", tool.source.name] = limits.sources[tool.source.name]
    return places


class _Lane:
    def __init__(self, width: int) -> None:
        self.free = width
        self.waiting: dict[str, None] = {}


class Lanes:
    """Admit so many calls of a tool, of a source, in worker processes, and one at a time of all that run alone.

    A call that there is no worker process for would count as one that runs, and its time would pass while it waits.

    Args:
        limits: How many.
        tools: The tool of each step; None when there is none.
        is_due: Whether a step still wants a place that it waits for.
        call: Told which step may try again.
        workers: How many worker processes there are; 0 where tools run elsewhere.
    """

    def __init__(
        self,
        limits: Limits,
        tools: Mapping[str, Tool | None],
        is_due: Callable[[str], bool],
        call: Callable[[str], None],
        *,
        workers: int = 0,
    ) -> None:
        self._limits = limits
        self._workers = workers
        self._by_key: dict[LaneKey, _Lane] = {}
        self._lanes: dict[str, tuple[_Lane, ...]] = {}
        self._taken: dict[str, deque[tuple[_Lane, ...]]] = {}
        self._is_due = is_due
        self._call = call
        for name, tool in tools.items():
            self.assign(name, tool)

    def assign(self, name: str, tool: Tool | None) -> None:
        """Say which tool a step has from now on; if it waits for a place, it tries again."""
        widths = {} if tool is None else places_in_lanes(tool, self._limits, self._workers)
        before = self._lanes.pop(name, ())
        if widths:
            self._lanes[name] = tuple(self._by_key.setdefault(key, _Lane(width)) for key, width in widths.items())
        waited = [lane for lane in before if name in lane.waiting]
        for lane in waited:
            del lane.waiting[name]
        if waited:
            self._call(name)

    def has(self, name: str) -> bool:
        """Return whether a step needs a place in any lane."""
        return name in self._lanes

    def enter(self, name: str) -> bool:
        """Take a place for a step; without one, it queues up in the first lane that has none free."""
        lanes = self._lanes.get(name)
        if lanes is None:
            return True
        for lane in lanes:
            if not lane.free:
                lane.waiting[name] = None
                # It was called for a place that it cannot use yet; others can.
                self._call_next(other for other in lanes if other is not lane)
                return False
        for lane in lanes:
            lane.free -= 1
            lane.waiting.pop(name, None)
        self._taken.setdefault(name, deque()).append(lanes)
        return True

    def leave(self, name: str) -> None:
        """Give a step's place back, and call who waited longest for it, one a lane."""
        taken = self._taken.get(name)
        if taken:
            lanes = taken.popleft()
            for lane in lanes:
                lane.free += 1
            self._call_next(lanes)

    def _call_next(self, lanes: Iterable[_Lane]) -> None:
        for lane in lanes:
            while lane.free and lane.waiting:
                name = next(iter(lane.waiting))
                del lane.waiting[name]
                if self._is_due(name):
                    self._call(name)
                    break
