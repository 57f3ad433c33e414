"""The tools whose health is watched, each with its limits."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from tools.health.indicator import Health, HealthStatus, ToolHealthIndicator, worst
from tools.health.limits import HealthLimits
from tools.metrics import ToolMetrics, ToolStats
from tools.tool import PROGRAM, Tool, ToolSource

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
        self._default = self._checked(limits or HealthLimits(window_calls=metrics.most_calls))
        self._source_by_name: dict[str, ToolSource] = {}
        self._own: dict[str, HealthLimits] = {}
        self._of_source: dict[ToolSource, HealthLimits] = {}

    @property
    def default_limits(self) -> HealthLimits:
        """Return what holds where nothing else is said."""
        return self._default

    @property
    def names(self) -> tuple[str, ...]:
        """Return the registered tools in the order of their registration."""
        return tuple(self._source_by_name)

    def register(self, tool: Tool | str, limits: HealthLimits | None = None) -> Unregister:
        """Watch a tool; one that is watched already keeps its place.

        Args:
            tool: The tool, or its name.
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
            self._own[name] = self._checked(limits)

    def set_source_limits(self, source: ToolSource, limits: HealthLimits | None) -> None:
        """Give all tools of a source their limits, or with None the default again."""
        if limits is None:
            self._of_source.pop(source, None)
        else:
            self._of_source[source] = self._checked(limits)

    def set_default_limits(self, limits: HealthLimits) -> None:
        """Say what holds where nothing else is said."""
        self._default = self._checked(limits)

    def limits(self, name: str) -> HealthLimits:
        """Return what holds for a tool."""
        of_source = self._of_source.get(self._source_by_name.get(name, PROGRAM))
        return self._own.get(name) or of_source or self._default

    def check(self, name: str) -> Health:
        """Say how a tool does; of one that is not registered nothing is known, and the reason says so.

        Args:
            name: The tool.
        """
        if name not in self._source_by_name:
            return Health(HealthStatus.UNKNOWN, name, ToolStats(), f"no tool called {name!r} is watched")
        limits = self.limits(name)
        since_s = self._metrics.clock() - limits.window_s
        return ToolHealthIndicator(name, limits).judge(self._metrics.stats(name, since_s, limits.window_calls))

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

    def _checked(self, limits: HealthLimits) -> HealthLimits:
        most = self._metrics.most_calls
        if limits.window_calls > most:
            msg = f"expected limits that look at up to {most:,} runs, which are kept; got {limits.window_calls:,}"
            raise ValueError(msg)
        return limits
