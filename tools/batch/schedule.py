"""Which step is next: what each waits for, how far each is, and how many may run at a time under one limit."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from heapq import heappop, heappush
from typing import TYPE_CHECKING, Final

from tools.batch.graph import ToolDependencyGraph
from tools.batch.result import StepResult, StepState
from tools.spec import Isolation

if TYPE_CHECKING:
    from tools.batch.plan import Limits
    from tools.tool import Tool

_PAST: Final = {
    StepState.FAILED: "failed",
    StepState.DENIED: "was denied",
    StepState.TIMED_OUT: "timed out",
    StepState.CANCELLED: "was cancelled",
    StepState.MAY_HAVE_RUN: "may have run before the program ended",
    StepState.SKIPPED: "was skipped",
}

LimitKey = tuple[str, str]
"""What the calls under one limit share: that they run alone, or in worker processes; their tool; their source."""


class _Limit:
    def __init__(self, free: int) -> None:
        self.free = free
        self.waiting: dict[str, None] = {}


class Schedule:
    """Hand out steps whose dependencies have ended and whose limits leave a place, the longest way behind them first.

    Args:
        graph: What each step waits for.
        cost_s: What a step usually takes, by name, in seconds; what is not there counts as nothing.
        goes_on_without: The steps whose failure their dependents bear.

    Attributes:
        states: How far each step is, in the graph's order.
        reasons: Why a step was skipped or cancelled, by name.
        held_by: The step because of whose end another one was skipped, by the name of that one.
        ended: How many steps have ended.
        way_s: Seconds from a step's start to the end of the longest chain that waits for it, by name.
    """

    def __init__(
        self,
        graph: ToolDependencyGraph,
        cost_s: Mapping[str, float] | None = None,
        goes_on_without: Iterable[str] = (),
    ) -> None:
        order = graph.topological_order()
        self.states = dict.fromkeys(order, StepState.QUEUED)
        self.reasons: dict[str, str] = {}
        self.ended = 0
        needs = {name: graph.get_dependencies(name) for name in order}
        waiting = {name: graph.get_dependents(name) for name in order}
        cost = cost_s or {}
        self.way_s: dict[str, float] = {}
        for name in reversed(order):
            behind = max((self.way_s[other] for other in waiting[name]), default=0.0)
            self.way_s[name] = cost.get(name, 0.0) + behind
        longest_first = sorted(order, key=lambda name: -self.way_s[name])
        self._rank = {name: rank for rank, name in enumerate(longest_first)}
        self._place = {name: index for index, name in enumerate(order)}
        self._waiting = waiting
        self._needs = needs
        self._missing = {name: len(others) for name, others in needs.items()}
        self._borne = frozenset(goes_on_without)
        self._passed: set[str] = set()
        self.held_by: dict[str, str] = {}
        self._shared: set[str] = set()
        self._limit_by_key: dict[LimitKey, _Limit] = {}
        self._limits: dict[str, Sequence[_Limit]] = {}
        self._ready = [(rank, name) for name, rank in self._rank.items() if not self._missing[name]]

    def take(self) -> str | None:
        """Return the next step that may start, and count it as running; None when none may."""
        ready = self._ready
        while ready:
            _, name = heappop(ready)
            if name in self._shared:
                self._shared.discard(name)
            elif self.states[name] is not StepState.QUEUED or self._missing[name]:
                # A step that was put back may still be queued from before.
                continue
            if name not in self._limits or self._acquire(name):
                self.states[name] = StepState.RUNNING
                return name
        return None

    def go_on(self, name: str) -> None:
        """Count a step as running that runs already, and its places as taken."""
        self.states[name] = StepState.RUNNING
        for limit in self.current_limits(name):
            limit.free -= 1

    def is_due(self, name: str) -> bool:
        """Return whether a step runs, or could as far as other steps are concerned."""
        state = self.states[name]
        return state is StepState.RUNNING or (state is StepState.QUEUED and not self._missing[name])

    def share(self, name: str) -> None:
        """Let a step be taken once more: it has further calls to make, or was not admitted before."""
        if self.states[name] is StepState.RUNNING:
            self._shared.add(name)
        self._push(name)

    def limit(self, name: str, sizes: Mapping[LimitKey, int]) -> None:
        """Set the limits of a step, with how many calls each lets run; a step that waits for one tries again."""
        before = self._limits.pop(name, ())
        if sizes:
            self._limits[name] = [self._limit_by_key.setdefault(key, _Limit(size)) for key, size in sizes.items()]
        waited = [limit for limit in before if name in limit.waiting]
        for limit in waited:
            del limit.waiting[name]
        if waited:
            self.share(name)

    def current_limits(self, name: str) -> Sequence[_Limit]:
        """Return what `release` gives back for a call of a step that begins now: its tool may change meanwhile."""
        return self._limits.get(name, ())

    def release(self, limits: Sequence[_Limit]) -> None:
        """Give the places of a call back, and queue the step that waited longest for each."""
        for limit in limits:
            limit.free += 1
        self._call_next(limits)

    def unrun(self, name: str) -> StepResult:
        return StepResult(self.states[name], None, self.reasons.get(name), held_by=self.held_by.get(name, ""))

    @property
    def ready(self) -> int:
        """How many steps may start, at most."""
        return len(self._ready)

    @property
    def is_over(self) -> bool:
        return self.ended == len(self.states)

    def end(self, name: str, state: StepState, reason: str = "") -> list[str]:
        """Say how a step ended.

        Returns:
            The steps that are skipped because of it, in order.
        """
        if self._shared:
            self._shared.discard(name)
        if self.held_by:
            self.held_by.pop(name, None)
        self.ended += 1 - self.states[name].ended
        self.states[name] = state
        if reason:
            self.reasons[name] = reason
        if state.succeeded or name in self._borne:
            self._release(name)
            return []
        return self._skip_behind(name)

    def pass_over(self, name: str, reason: str) -> list[str]:
        """Let those go on that wait for a step, although it did not run, or not well: somebody said so.

        Returns:
            The steps that had been skipped because of it and are queued again, in order.
        """
        was_past = self._is_past(name)
        self._set(name, StepState.SKIPPED)
        self.reasons[name] = reason
        self._passed.add(name)
        self.held_by.pop(name, None)
        if not was_past:
            self._release(name)
        return self._requeue(other for other in self._behind([name]) if other in self.held_by)

    def again(self, names: Iterable[str]) -> list[str]:
        """Put ended steps back, with everything that waits for them and can run then.

        Args:
            names: Steps; neither they nor what waits for them may be running.

        Returns:
            All steps that are queued again, in order.
        """
        chosen = set(names)
        return self._requeue(chosen | self._behind(chosen))

    def running_behind(self, name: str) -> list[str]:
        """Return which of a step, and of all that wait for it, are running."""
        return [other for other in (name, *self._behind([name])) if self.states[other] is StepState.RUNNING]

    def _behind(self, names: Iterable[str]) -> set[str]:
        """Return everything that waits for some steps, over any steps between."""
        stack, found = list(names), set[str]()
        while stack:
            fresh = [other for other in self._waiting[stack.pop()] if other not in found]
            found.update(fresh)
            stack += fresh
        return found

    def _acquire(self, name: str) -> bool:
        """Take a place for a step under each of its limits; without one, it waits at the first limit that has none."""
        limits = self._limits[name]
        for limit in limits:
            if not limit.free:
                limit.waiting[name] = None
                # It may have been called for a place that it cannot use yet, and another step can.
                self._call_next([other for other in limits if other is not limit])
                return False
        for limit in limits:
            limit.free -= 1
            limit.waiting.pop(name, None)
        return True

    def _call_next(self, limits: Sequence[_Limit]) -> None:
        for limit in limits:
            while limit.free and limit.waiting:
                name = next(iter(limit.waiting))
                del limit.waiting[name]
                if self.is_due(name):
                    self.share(name)
                    break

    def _push(self, name: str) -> None:
        heappush(self._ready, (self._rank[name], name))

    def _requeue(self, names: Iterable[str]) -> list[str]:
        """Queue those again whose dependencies have ended well, or are still to come."""
        queued: list[str] = []
        for name in sorted(names, key=self._place.__getitem__):
            # Needs that are queued again as well are queued already: they come before in this order.
            if all(self._is_past(other) or not self.states[other].ended for other in self._needs[name]):
                self._set(name, StepState.QUEUED)
                self.reasons.pop(name, None)
                self._passed.discard(name)
                self.held_by.pop(name, None)
                queued.append(name)
        # Steps that wait for them and have not begun may have been about to begin without them.
        waiting = [other for name in queued for other in self._waiting[name]]
        for name in dict.fromkeys([*queued, *waiting]):
            if self.states[name] is StepState.QUEUED:
                self._missing[name] = sum(not self._is_past(other) for other in self._needs[name])
                if not self._missing[name]:
                    self._push(name)
        return queued

    def _is_past(self, name: str) -> bool:
        state = self.states[name]
        return state.succeeded or name in self._passed or (state.ended and name in self._borne)

    def _release(self, name: str) -> None:
        missing = self._missing
        for other in self._waiting[name]:
            missing[other] -= 1
            if not missing[other] and self.states[other] is StepState.QUEUED:
                self._push(other)

    def _skip_behind(self, name: str) -> list[str]:
        skipped: list[str] = []
        queue = [name]
        for failed in queue:
            for other in self._waiting[failed]:
                if self.states[other] is not StepState.QUEUED:
                    continue
                self._set(other, StepState.SKIPPED)
                self.held_by[other] = failed
                self.reasons[other] = f"it waits for {failed!r}, which {_PAST[self.states[failed]]}"
                skipped.append(other)
                if other in self._borne:
                    self._release(other)
                else:
                    queue.append(other)
        return skipped

    def _set(self, name: str, state: StepState) -> None:
        self.ended += state.ended - self.states[name].ended
        self.states[name] = state


def limits_of(tool: Tool, limits: Limits, workers: int) -> dict[LimitKey, int]:
    """Return the limits that the calls of a tool are under, and how many calls each of them lets run at a time."""
    found: dict[LimitKey, int] = {}
    if not tool.spec.parallelizable:
        found["alone", ""] = 1
    if workers and tool.isolation is Isolation.PROCESS:
        # Without a worker process a call would count as running, and its time would pass while it waits.
        found["workers", ""] = workers
    if tool.name in limits.tools:
        found["tool", tool.name] = limits.tools[tool.name]
    if tool.source.name in limits.sources:
        found["source", tool.source.name] = limits.sources[tool.source.name]
    return found
