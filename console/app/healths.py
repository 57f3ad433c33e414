"""How the tools do: judged and kept away from the window's thread, shown in the tree and the status bar."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from console.app.records import Records
from console.tasks import TaskScope
from tools.calls import CallFinished, Event
from tools.execution import Executor
from tools.registry import ToolRegistry

if TYPE_CHECKING:
    from tools.health import Health, HealthMonitor, HealthSeries, ToolHealthRegistry

__all__ = ["Healths"]

PAUSE_MS: Final = 500
"""The shortest time between two looks."""
RECHECK_MS: Final = 5000
"""How soon the next look is when no tool ran: old runs count no more after a while."""
_UNKNOWN: Final = ("unknown", "")
_log = logging.getLogger(__name__)


class Healths(QObject):
    """Watch the health of all tools.

    Nothing is imported and nothing judged before the first call, or before the history tells of one that is fresh
    enough to count.

    Args:
        executor: Has the numbers.
        registry: The tools.
        records: Know the calls of earlier starts, and have threads of their own.
        scope: Owns the tasks.
        parent: Its owner.

    Signals:
        changed(dict): Status and reason of the tools where either changed, by name; no reason when it is up.
        counted(int, int, int): How many tools are up, degraded and down.
    """

    changed = Signal(dict)
    counted = Signal(int, int, int)

    def __init__(
        self,
        executor: Executor,
        registry: ToolRegistry,
        records: Records,
        *,
        scope: TaskScope,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._executor = executor
        self._registry = registry
        self._records = records
        self._scope = scope
        self._watched: ToolHealthRegistry
        self._monitor: HealthMonitor | None = None
        self._series: HealthSeries | None = None
        self._ended: list[Event] = []
        self._problem = ""
        self._shown: dict[str, tuple[str, str]] = {}
        self._looking = False
        self._stopped = False
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._on_timer_timeout)

    @property
    def is_watching(self) -> bool:
        """Whether any tool ran lately, so that there is something to judge."""
        return self._monitor is not None

    async def recall(self) -> None:
        """Take up what the history knows of the last minutes; before the first call."""
        if await self._records.recall_health(self._executor.metrics):
            self._plan(0)

    def take(self, events: Sequence[Event]) -> None:
        """Look again soon if a call ended."""
        ended = [event for event in events if isinstance(event, CallFinished)]
        if ended:
            self._ended += ended
            self._plan(PAUSE_MS)

    def look_again(self) -> None:
        """Look at all tools that came, once any tool has run."""
        if self._monitor is not None:
            self._plan(PAUSE_MS)

    def stop(self) -> None:
        """Look no more."""
        self._timer.stop()
        self._stopped = True

    async def close(self) -> None:
        """Keep what is not kept yet; after the last look."""
        if self._ended or self._series is not None:
            await self._records.compute(self._keep, self._taken())

    def _plan(self, wait_ms: int) -> None:
        if self._looking or self._stopped:
            return
        if not self._timer.isActive() or self._timer.remainingTime() > wait_ms:
            self._timer.start(wait_ms)

    @Slot()
    def _on_timer_timeout(self) -> None:
        self._looking = True
        self._scope.start(self._look(), "judge the health of the tools")  # type: ignore[unused-awaitable]

    async def _look(self) -> None:
        try:
            healths = await self._records.compute(self._judge, self._taken())
        finally:
            # Whatever became of this look, the next call is worth another one.
            self._looking = False
        self._show(healths)
        if self._ended:
            self._plan(PAUSE_MS)
        elif any(health.stats.count for health in healths.values()):
            self._plan(RECHECK_MS)

    def _taken(self) -> list[Event]:
        ended, self._ended = self._ended, []
        return ended

    def _keep(self, ended: Sequence[Event]) -> None:
        """Add ended calls to the series; what cannot be written now is tried again with the next."""
        from tools.health import HealthSeries  # noqa: PLC0415 -- see the class

        if self._series is None:
            self._series = HealthSeries(self._records.folder)
        for event in ended:
            self._series(event)
        try:
            self._series.flush(datetime.now(UTC))
        except (OSError, sqlite3.Error) as error:
            if str(error) != self._problem:
                _log.warning("how the tools did cannot be kept in %s: %s", self._series.path, error)
            self._problem = str(error)
        else:
            self._problem = ""

    def _judge(self, ended: Sequence[Event]) -> dict[str, Health]:
        """Judge the tools; in a thread of its own, one look after the other."""
        from tools.health import HealthMonitor, ToolHealthRegistry  # noqa: PLC0415 -- see the class

        self._keep(ended)
        if self._monitor is None:
            self._watched = ToolHealthRegistry(self._executor.metrics)
            self._monitor = HealthMonitor(self._watched, self._executor.metrics)
        self._watched.watch_only(self._registry)
        self._monitor.look()
        return {name: self._monitor.health(name) for name in self._watched.names}

    def _show(self, healths: dict[str, Health]) -> None:
        now = {
            name: _UNKNOWN if (status := health.status.value) == _UNKNOWN[0] else (status, health.reason or "")
            for name, health in healths.items()
        }
        changed = {name: shown for name, shown in now.items() if self._shown.get(name, _UNKNOWN) != shown}
        self._shown = now
        if changed:
            self.changed.emit(changed)
        statuses = [status for status, _ in now.values()]
        self.counted.emit(*(statuses.count(status) for status in ("up", "degraded", "down")))
