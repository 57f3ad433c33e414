"""Which step is next: pure bookkeeping that knows no tool, no clock and no task."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
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
        self._passed: set[str] = set()
        self._shared: set[str] = set()
        self._needs = {name: graph.get_dependencies(name) for name in order}
        self._waiting = {name: graph.get_dependents(name) for name in order}
        self._missing = {name: len(needs) for name, needs in self._needs.items()}
        self._borne = frozenset(goes_on_without)
        cost = cost_s or {}
        self.way_s: dict[str, float] = {}
        for name in reversed(order):
            behind = max((self.way_s[other] for other in self._waiting[name]), default=0.0)
            self.way_s[name] = cost.get(name, 0.0) + behind
        self._place = {name: index for index, name in enumerate(order)}
        self._ready: list[tuple[float, int, str]] = []
        for name in order:
            if not self._missing[name]:
                self._push(name)

    @property
    def critical_path(self) -> list[str]:
        """The chain of steps that takes longest, first to last, by what steps usually take."""
        name = max(self.way_s, key=lambda item: (self.way_s[item], -self._place[item]), default=None)
        path: list[str] = []
        while name is not None:
            path.append(name)
            name = max(self._waiting[name], key=lambda item: (self.way_s[item], -self._place[item]), default=None)
        return path

    def take(self) -> str | None:
        """Return the next step that may start, and count it as running; None when none may."""
        while self._ready:
            name = heappop(self._ready)[2]
            if name in self._shared or self.states[name] is StepState.QUEUED:
                self._shared.discard(name)
                self.states[name] = StepState.RUNNING
                return name
        return None

    def share(self, name: str) -> None:
        """Let a step that was taken be taken once more: it has further calls to make, or had to wait."""
        self._shared.add(name)
        self._push(name)

    @property
    def ready(self) -> int:
        """How many steps may start, at most."""
        return len(self._ready)

    def end(self, name: str, state: StepState, reason: str = "") -> list[str]:
        """Say how a step ended.

        Args:
            name: The step.
            state: How.
            reason: Why it did not run, if it did not.

        Returns:
            The steps that are skipped because of it, in order.
        """
        self._shared.discard(name)
        self._set(name, state)
        if reason:
            self.reasons[name] = reason
        if state.succeeded or name in self._borne:
            self._release(name)
            return []
        return self._skip_behind(name)

    def pass_over(self, name: str, reason: str) -> None:
        """Let those go on that wait for a step, although it did not run, or not well: somebody said so."""
        self._set(name, StepState.SKIPPED)
        self.reasons[name] = reason
        self._passed.add(name)
        self._release(name)

    def again(self, names: Iterable[str]) -> list[str]:
        """Put ended steps back, with everything that waits for them and can run then.

        Returns:
            All steps that are queued again, in order.
        """
        behind = set(names)
        stack = list(behind)
        while stack:
            fresh = [other for other in self._waiting[stack.pop()] if other not in behind]
            behind.update(fresh)
            stack += fresh
        redone: dict[str, None] = {}
        for name in sorted(behind, key=self._place.__getitem__):
            # What waits for something else that failed as well stays skipped.
            if all(other in redone or self._is_past(other) for other in self._needs[name]):
                redone[name] = None
                self._missing[name] = sum(other in redone for other in self._needs[name])
        for name in redone:
            self._set(name, StepState.QUEUED)
            self.reasons.pop(name, None)
            self._passed.discard(name)
            if not self._missing[name]:
                self._push(name)
        return list(redone)

    def _is_past(self, name: str) -> bool:
        state = self.states[name]
        return state.succeeded or name in self._passed or (state.ended and name in self._borne)

    def _release(self, name: str) -> None:
        for other in self._waiting[name]:
            self._missing[other] -= 1
            if not self._missing[other] and self.states[other] is StepState.QUEUED:
                self._push(other)

    def _skip_behind(self, name: str) -> list[str]:
        skipped: list[str] = []
        queue = [name]
        for failed in queue:
            for other in self._waiting[failed]:
                if self.states[other] is not StepState.QUEUED:
                    continue
                self._set(other, StepState.SKIPPED)
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

    def _push(self, name: str) -> None:
        heappush(self._ready, (-self.way_s[name], self._place[name], name))


def _ended(state: StepState) -> str:
    words = {
        StepState.FAILED: "failed",
        StepState.DENIED: "was denied",
        StepState.TIMED_OUT: "timed out",
        StepState.CANCELLED: "was cancelled",
        StepState.MAY_HAVE_RUN: "may have run before the program ended",
    }
    return words.get(state, "was skipped")
