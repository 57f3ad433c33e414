"""The tools whose health is watched, each with its limits."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable

from tools.card import PROGRAM, ToolSource
from tools.health.indicator import Health, HealthStatus, ToolHealthIndicator, worst
from tools.health.limits import HealthLimits, LimitsScope
from tools.health.probe_outcome import Check, CheckOutcome, ProbeSummary
from tools.metrics import ToolMetrics, ToolStats
from tools.tool import Tool

Unregister = Callable[[], None]


class ToolHealthRegistry:
    """Judge registered tools by the numbers of their calls. Read from any thread.

    Own limits of a tool win over those of its source, and these over the default.

    Args:
        metrics: The numbers, usually `Executor.metrics`.
        limits: What holds where nothing else is said; None for the default limits.

    Raises:
        ValueError: The limits, here or later, look at more runs than the metrics keep.
    """

    def __init__(self, metrics: ToolMetrics, limits: HealthLimits | None = None) -> None:
        self._metrics = metrics
        self._default = self._accepted(limits or HealthLimits(window_calls=metrics.most_calls))
        self._source_by_name: dict[str, ToolSource] = {}
        self._own: dict[str, HealthLimits] = {}
        self._of_source: dict[ToolSource, HealthLimits] = {}
        self._probed: dict[str, tuple[float, ProbeSummary]] = {}
        self._newly_probed: set[str] = set()

    @property
    def default_limits(self) -> HealthLimits:
        """Return what holds where nothing else is said."""
        return self._default

    @property
    def names(self) -> tuple[str, ...]:
        """Return the registered tools in the order of their registration."""
        return tuple(self._source_by_name)

    @property
    def ran(self) -> frozenset[str]:
        """Return the tools that the metrics know calls of."""
        return frozenset(self._metrics.names())

    def register(self, tool: Tool | str, limits: HealthLimits | None = None) -> Unregister:
        """Watch a tool; one that is watched already keeps its place.

        Args:
            limits: Its own limits; None for those of its source, or the default.

        Returns:
            The undo.
        """
        name, source = (tool, PROGRAM) if isinstance(tool, str) else (tool.name, tool.source)
        self.set_limits(name, limits)
        self._source_by_name[name] = source

        def unregister() -> None:
            self._source_by_name.pop(name, None)
            self._own.pop(name, None)

        return unregister

    def register_all(self, tools: Iterable[Tool | str], limits: HealthLimits | None = None) -> Unregister:
        """Watch several tools; see `register`."""
        undos = [self.register(tool, limits) for tool in tools]

        def unregister() -> None:
            for undo in undos:
                undo()

        return unregister

    def watch_only(self, tools: Iterable[Tool]) -> None:
        """Watch these tools and no others; those that stay keep their own limits."""
        wanted = {tool.name: tool.source for tool in tools}
        for gone in self._source_by_name.keys() - wanted.keys():
            self._own.pop(gone, None)
        self._source_by_name = wanted

    def set_limits(self, name: str, limits: HealthLimits | None) -> None:
        """Give a tool limits of its own, or with None those of its source again."""
        if limits is None:
            self._own.pop(name, None)
        else:
            self._own[name] = self._accepted(limits)

    def set_source_limits(self, source: ToolSource, limits: HealthLimits | None) -> None:
        """Give all tools of a source their limits, or with None the default again."""
        if limits is None:
            self._of_source.pop(source, None)
        else:
            self._of_source[source] = self._accepted(limits)

    def set_own_limits(self, scope: LimitsScope, limits: HealthLimits | None) -> None:
        """Say what holds for a scope; None takes it back."""
        if scope.tool:
            self.set_limits(scope.tool, limits)
        elif scope.source is not None:
            self.set_source_limits(scope.source, limits)
        else:
            self.set_default_limits(limits or HealthLimits(window_calls=self._metrics.most_calls))

    def set_default_limits(self, limits: HealthLimits) -> None:
        """Say what holds where nothing else is said."""
        self._default = self._accepted(limits)

    @property
    def sources(self) -> tuple[ToolSource, ...]:
        """Return the sources of the registered tools, in the order of their registration."""
        return tuple(dict.fromkeys(self._source_by_name.values()))

    @property
    def most_calls(self) -> int:
        """Return how many runs limits can look at."""
        return self._metrics.most_calls

    def own_limits(self, scope: LimitsScope) -> HealthLimits | None:
        """Return what is said of exactly this scope; None when something wider holds."""
        if scope.tool:
            return self._own.get(scope.tool)
        return self._default if scope.source is None else self._of_source.get(scope.source)

    def covered(self, scope: LimitsScope) -> tuple[str, ...]:
        """Return the registered tools for which limits of a scope hold, or would."""
        if scope.tool:
            return (scope.tool,) if scope.tool in self._source_by_name else ()
        sources = self._source_by_name.items()
        if scope.source is not None:
            return tuple(name for name, source in sources if source == scope.source and name not in self._own)
        return tuple(name for name, source in sources if name not in self._own and source not in self._of_source)

    def source(self, name: str) -> ToolSource | None:
        """Return the source of a registered tool; None when it is not registered."""
        return self._source_by_name.get(name)

    def limits(self, name: str) -> HealthLimits:
        of_source = self._of_source.get(self._source_by_name.get(name, PROGRAM))
        return self._own.get(name) or of_source or self._default

    def check(self, name: str) -> Health:
        """Say how a tool does; of one that is not registered nothing is known, and the reason says so."""
        if name not in self._source_by_name:
            return Health(HealthStatus.UNKNOWN, name, ToolStats(), f"no tool called {name!r} is watched")
        self._newly_probed.discard(name)
        return self._judged(name, self.limits(name))

    def judged_by(self, name: str, limits: HealthLimits) -> Health:
        return self._judged(name, self._accepted(limits))

    def _judged(self, name: str, limits: HealthLimits) -> Health:
        since_s = self._metrics.clock() - limits.window_s
        checked_s, checked = self._probed.get(name, (-math.inf, None))
        stats = self._metrics.stats(name, since_s, limits.window_calls)
        return ToolHealthIndicator(name, limits).judge(stats, checked if checked_s >= since_s else None)

    def take_check(self, check: Check) -> None:
        """Take what a probe came to, oldest first; one that was refused says nothing."""
        if check.outcome is CheckOutcome.REFUSED:
            return
        _, before = self._probed.get(check.tool_name, (0.0, ProbeSummary(check, 0)))
        if check.outcome is CheckOutcome.PASSED:
            checked = ProbeSummary(check, 0, check)
        else:
            checked = ProbeSummary(check, before.failed_in_a_row + 1, before.passed)
        ago_s = max(0.0, (self._metrics.wall() - check.at).total_seconds())
        self._probed[check.tool_name] = self._metrics.clock() - ago_s, checked
        self._newly_probed.add(check.tool_name)

    def take_checks_of(self, other: ToolHealthRegistry) -> None:
        """Take what probes came to from another registry whose metrics have the same clock."""
        self._probed.update(other._probed)

    def has_new_check(self, name: str) -> bool:
        """Return whether a tool was probed since somebody last judged it."""
        return name in self._newly_probed

    def checked(self, name: str) -> ProbeSummary | None:
        """Return what the newest probes of a tool said, however long ago; None when none did."""
        return self._probed.get(name, (0.0, None))[1]

    def check_all(self) -> dict[str, Health]:
        """Say how each registered tool does, by name."""
        return {name: self.check(name) for name in self.names}

    def get_by_status(self, status: HealthStatus) -> dict[str, Health]:
        """Return the tools with a status, by name."""
        return {name: health for name, health in self.check_all().items() if health.status is status}

    @property
    def overall(self) -> HealthStatus:
        """Return the worst status of the tools that ran lately; unknown when none did."""
        return worst([health.status for health in self.check_all().values()])

    def _accepted(self, limits: HealthLimits) -> HealthLimits:
        most = self._metrics.most_calls
        if limits.window_calls > most:
            msg = f"expected limits that look at up to {most:,} runs, which are kept; got {limits.window_calls:,}"
            raise ValueError(msg)
        return limits
