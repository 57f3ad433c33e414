"""Which step is next: pure bookkeeping that knows no tool, no clock and no task."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from heapq import heappop, heappush

from tools.batch.graph import ToolDependencyGraph
from tools.batch.states import StepState


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
        # A step's rank says who goes first, and is all that its bookkeeping knows of it: small numbers in lists are
        # found sooner than names in many tables.
        self._ranked = sorted(order, key=lambda name: -self.way_s[name])
        self._rank = {name: rank for rank, name in enumerate(self._ranked)}
        self._waiting = [[self._rank[other] for other in waiting[name]] for name in self._ranked]
        self._needs = [[self._rank[other] for other in needs[name]] for name in self._ranked]
        self._missing = [len(ranks) for ranks in self._needs]
        self._place = {name: index for index, name in enumerate(order)}
        self._borne = frozenset(goes_on_without)
        self._passed: set[str] = set()
        self.held_by: dict[str, str] = {}
        self._shared: set[str] = set()
        self._ready = [rank for rank, missing in enumerate(self._missing) if not missing]

    def take(self, admits: Callable[[str], bool] | None = None) -> str | None:
        """Return the next step that may start, and count it as running; None when none may.

        Args:
            admits: Says whether a step may start as far as others are concerned that run; one that is not admitted is
                passed over, and `share` calls it back. None admits all.
        """
        ready = self._ready
        while ready:
            rank = heappop(ready)
            name = self._ranked[rank]
            # A step that was put back may still be queued from before.
            if name not in self._shared and (self.states[name] is not StepState.QUEUED or self._missing[rank]):
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
        return state is StepState.RUNNING or (state is StepState.QUEUED and not self._missing[self._rank[name]])

    def share(self, name: str) -> None:
        """Let a step be taken once more: it has further calls to make, or was not admitted before."""
        if self.states[name] is StepState.RUNNING:
            self._shared.add(name)
        heappush(self._ready, self._rank[name])

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

        Args:
            name: The step.
            state: How.
            reason: Why it did not run, if it did not.

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

        Args:
            name: A step that neither runs nor succeeded.
            reason: Why.

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
        stack = [self._rank[name] for name in names]
        found: set[int] = set()
        while stack:
            fresh = [other for other in self._waiting[stack.pop()] if other not in found]
            found.update(fresh)
            stack += fresh
        return {self._ranked[rank] for rank in found}

    def _requeue(self, names: Iterable[str]) -> list[str]:
        """Queue those again whose dependencies have ended well, or are still to come."""
        queued: list[str] = []
        for name in sorted(names, key=self._place.__getitem__):
            needs = [self._ranked[rank] for rank in self._needs[self._rank[name]]]
            # Those of them that are queued again as well are queued already: they come before in this order.
            if all(self._is_past(other) or not self.states[other].ended for other in needs):
                self._set(name, StepState.QUEUED)
                self.reasons.pop(name, None)
                self._passed.discard(name)
                self.held_by.pop(name, None)
                queued.append(name)
        ranks = [self._rank[name] for name in queued]
        # What waits for them and has not begun may have been about to begin without them.
        waiting = [other for rank in ranks for other in self._waiting[rank]]
        for rank in dict.fromkeys([*ranks, *waiting]):
            if self.states[self._ranked[rank]] is StepState.QUEUED:
                self._missing[rank] = sum(not self._is_past(self._ranked[other]) for other in self._needs[rank])
                if not self._missing[rank]:
                    heappush(self._ready, rank)
        return queued

    def _is_past(self, name: str) -> bool:
        state = self.states[name]
        return state.succeeded or name in self._passed or (state.ended and name in self._borne)

    def _release(self, name: str) -> None:
        missing = self._missing
        for other in self._waiting[self._rank[name]]:
            missing[other] -= 1
            if not missing[other] and self.states[self._ranked[other]] is StepState.QUEUED:
                heappush(self._ready, other)

    def _skip_behind(self, name: str) -> list[str]:
        skipped: list[str] = []
        queue = [name]
        for failed in queue:
            for rank in self._waiting[self._rank[failed]]:
                other = self._ranked[rank]
                if self.states[other] is not StepState.QUEUED:
                    continue
                self._set(other, StepState.SKIPPED)
                self.held_by[other] = failed
                self.reasons[other] = f"it waits for {failed!r}, which {_ended(self.states[failed])}"
                skipped.append(other)
                if other in self._borne:
                    self._release(other)
                else:
                    queue.append(other)
        return skipped

    def _set(self, name: str, state: StepState) -> None:
        self.ended += state.ended - self.states[name].ended
        self.states[name] = state


def _ended(state: StepState) -> str:
    words = {
        StepState.FAILED: "failed",
        StepState.DENIED: "was denied",
        StepState.TIMED_OUT: "timed out",
        StepState.CANCELLED: "was cancelled",
        StepState.MAY_HAVE_RUN: "may have run before the program ended",
    }
    return words.get(state, "was skipped")
