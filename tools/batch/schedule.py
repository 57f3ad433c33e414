"""Which step is next: pure bookkeeping that knows no tool, no clock and no task."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from heapq import heappop, heappush
from typing import Final

from tools.batch.graph import ToolDependencyGraph
from tools.batch.result import StepState

_PAST: Final = {
    StepState.FAILED: "failed",
    StepState.DENIED: "was denied",
    StepState.TIMED_OUT: "timed out",
    StepState.CANCELLED: "was cancelled",
    StepState.MAY_HAVE_RUN: "may have run before the program ended",
    StepState.SKIPPED: "was skipped",
}


class Schedule:
    """Hand out steps whose dependencies have ended, the one with the longest way behind it first.

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
        self._ready = [(rank, name) for name, rank in self._rank.items() if not self._missing[name]]

    def take(self, admits: Callable[[str], bool] | None = None) -> str | None:
        """Return the next step that may start, and count it as running; None when none may.

        Args:
            admits: Says whether a step may start as far as others are concerned that run; one that is not admitted is
                passed over, and `share` calls it back. None admits all.
        """
        ready = self._ready
        while ready:
            _, name = heappop(ready)
            # A step that was put back may still be queued from before.
            if name not in self._shared and (self.states[name] is not StepState.QUEUED or self._missing[name]):
                continue
            if admits is None or admits(name):
                self._shared.discard(name)
                self.states[name] = StepState.RUNNING
                return name
            self._shared.discard(name)
        return None

    def is_due(self, name: str) -> bool:
        """Return whether a step runs, or could as far as other steps are concerned."""
        state = self.states[name]
        return state is StepState.RUNNING or (state is StepState.QUEUED and not self._missing[name])

    def share(self, name: str) -> None:
        """Let a step be taken once more: it has further calls to make, or was not admitted before."""
        if self.states[name] is StepState.RUNNING:
            self._shared.add(name)
        self._push(name)

    @property
    def ready(self) -> int:
        """How many steps may start, at most."""
        return len(self._ready)

    @property
    def is_over(self) -> bool:
        """Whether every step has ended."""
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
