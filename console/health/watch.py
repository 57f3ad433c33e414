"""What judges the tools behind the window: their numbers, limits, curves, probes and the changes of their health."""

from __future__ import annotations

import logging
import sqlite3
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, NamedTuple

from console.language import translated
from console.responsiveness.heartbeat import yielding
from tools.calls import CallRecord
from tools.execution.executor import Executor
from tools.health import (
    Health,
    HealthChange,
    HealthChecks,
    HealthLimits,
    HealthMonitor,
    HealthSeries,
    LimitsFile,
    LimitsPreview,
    LimitsScope,
    ToolHealthRegistry,
    Transitions,
    as_json,
    as_prometheus,
    preview,
    worst,
)

_log: Final = logging.getLogger("console.health.controller")


class HealthLook(NamedTuple):
    """What one look came to.

    Attributes:
        healths: What is announced of each tool, by name.
        news: The changes that somebody wants to be told of.
    """

    at: datetime
    healths: Mapping[str, Health] = {}
    since: Mapping[str, datetime] = {}
    news: Sequence[HealthChange] = ()


class HealthWatch:
    """Judge tools, in any thread but one at a time.

    Args:
        executor: Has the tools and their numbers.
        data: Where curves and changes are kept.
        settings: Where limits are kept.
        yield_to_ui: Called between pieces of work; waits for the window.
    """

    def __init__(self, executor: Executor, data: Path, settings: Path, yield_to_ui: Callable[[], object]) -> None:
        self._yield_to_ui = yield_to_ui
        self._tools = executor.registry
        self._metrics = executor.metrics
        self._turn = threading.Lock()
        self._problem = ""
        self.registry = ToolHealthRegistry(executor.metrics)
        self.series = HealthSeries(data)
        self.checks = HealthChecks(executor, self.registry)
        self.limits_file = LimitsFile(settings)
        self._transitions = Transitions(data, self._is_told)
        self._monitor: HealthMonitor | None = None
        self._limited: tuple[str, ...] = ()

    def _is_told(self, tool: str) -> bool:
        return self.registry.limits(tool).notify

    def keep(self, ended: Iterable[CallRecord]) -> None:
        """Add ended calls to the curves; what cannot be written now is tried again with the next."""
        with self._turn:
            self._keep(ended)

    def look(self, ended: Iterable[CallRecord], *, at_all: bool = False) -> HealthLook:
        """Judge the tools.

        Args:
            ended: The calls that ended since the last look.
            at_all: Whether tools are judged that nothing happened to, such as after limits were changed.
        """
        with self._turn:
            monitor = self._monitor or self._begin()
            self.registry.watch_only(self._tools)
            if self.registry.names != self._limited:
                self.limits_file.apply(self.registry)
                self._limited = self.registry.names
            changes = monitor.look(at_all=True) if at_all else monitor.look()
            now = datetime.now(UTC)
            news = self._transitions.take(changes, now)
            self._keep(ended)
            names = self.registry.names
            since = {name: since for name in names if (since := monitor.since(name)) is not None}
            return HealthLook(now, {name: monitor.health(name) for name in names}, since, news)

    def _begin(self) -> HealthMonitor:
        try:
            known = self._transitions.latest()
        except (OSError, sqlite3.Error) as error:
            self._complain(error)
            known = {}
        self._monitor = HealthMonitor(self.registry, self._metrics, known)
        return self._monitor

    def _keep(self, ended: Iterable[CallRecord]) -> None:
        for record in yielding(ended, self._yield_to_ui):
            self.series.add(record)
        now = datetime.now(UTC)
        try:
            self.series.flush(now)
            self._transitions.flush(now)
        except (OSError, sqlite3.Error) as error:
            self._complain(error)
        else:
            self._problem = ""

    def _complain(self, error: Exception) -> None:
        if str(error) != self._problem:
            _log.warning("how the tools did cannot be kept in %s: %s", self.series.path, error)
        self._problem = translated(error)

    def changes(self) -> list[HealthChange]:
        """Return the newest changes, newest first.

        Raises:
            sqlite3.Error: They cannot be read.
        """
        return self._transitions.newest()

    def scopes(self, tool: str) -> list[LimitsScope]:
        """Return the scopes that limits of a tool can have, the narrowest first."""
        source = self.registry.source(tool)
        own = [] if source is None else [LimitsScope(tool), LimitsScope(source=source)]
        return [*own, LimitsScope()]

    def inherited(self, scope: LimitsScope) -> HealthLimits:
        """Return what holds where nobody set anything for this scope."""
        wider: list[LimitsScope] = []
        if scope.tool:
            wider = self.scopes(scope.tool)[1:]
        elif scope.source is not None:
            wider = [LimitsScope()]
        kept = (self.limits_file.get(known) for known in wider)
        return next((limits for limits in kept if limits is not None), self._fresh())

    def _fresh(self) -> HealthLimits:
        return HealthLimits(window_calls=self._metrics.most_calls)

    def preview(self, limits: HealthLimits, scope: LimitsScope) -> LimitsPreview:
        with self._turn:
            return preview(self.registry, self._metrics, limits, scope)

    def save(self, scope: LimitsScope, limits: HealthLimits | None) -> HealthLimits | None:
        """Keep limits, or forget them; they hold from the next look on.

        Returns:
            What was kept before.

        Raises:
            OSError: They cannot be kept.
        """
        with self._turn:
            before = self.limits_file.set(scope, limits)
            self._limited = ()
            return before

    def exported(self, kind: str) -> str:
        """Return how the tools do for other programs.

        Args:
            kind: `json` or `prometheus`.

        Raises:
            sqlite3.Error: The changes cannot be read.
        """
        with self._turn:
            healths = [] if self._monitor is None else [self._monitor.health(name) for name in self.registry.names]
        changes = self.changes()
        if kind == "prometheus":
            return as_prometheus(healths, changes)
        return as_json(healths, worst([health.status for health in healths]), changes)
