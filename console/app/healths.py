"""How the tools do, seen all over the window: judged away from its thread, shown in the tree and the status bar."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from console.app.records import Records
from console.tasks import TaskScope
from tools.calls import CallFinished, Event
from tools.execution import Executor
from tools.registry import ToolRegistry

if TYPE_CHECKING:
    from tools.health import Health, HealthMonitor, ToolHealthRegistry

__all__ = ["Healths"]

PAUSE_MS: Final = 500
"""The shortest time between two looks."""
RECHECK_MS: Final = 5000
"""How soon the next look is when no tool ran: old runs count no more after a while."""
_UNKNOWN: Final = ("unknown", "")

Compute = Callable[..., Awaitable[Any]]


class Healths(QObject):
    """Watch the health of all tools.

    Nothing is imported and nothing judged before the first call, or before the history tells of one that is fresh
    enough to count.

    Args:
        executor: Has the numbers.
        registry: The tools.
        records: Know the calls of earlier starts.
        scope: Owns the tasks.
        compute: Runs what takes more than a frame.
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
        compute: Compute,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._executor = executor
        self._registry = registry
        self._records = records
        self._scope = scope
        self._compute = compute
        self._watched: ToolHealthRegistry
        self._monitor: HealthMonitor | None = None
        self._shown: dict[str, tuple[str, str]] = {}
        self._looking = False
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
        if any(isinstance(event, CallFinished) for event in events):
            self._plan(PAUSE_MS)

    def look_again(self) -> None:
        """Look at all tools that came, once any tool has run."""
        if self._monitor is not None:
            self._plan(PAUSE_MS)

    def close(self) -> None:
        """Look no more."""
        self._timer.stop()
        self._looking = True

    def _plan(self, wait_ms: int) -> None:
        if not self._looking and (not self._timer.isActive() or self._timer.remainingTime() > wait_ms):
            self._timer.start(wait_ms)

    @Slot()
    def _on_timer_timeout(self) -> None:
        self._looking = True
        self._scope.start(self._look(), "judge the health of the tools")  # type: ignore[unused-awaitable]

    async def _look(self) -> None:
        healths = await self._compute(self._judge)
        self._looking = False
        self._show(healths)
        if any(health.stats.count for health in healths.values()):
            self._plan(RECHECK_MS)

    def _judge(self) -> dict[str, Health]:
        """Judge the tools; in a thread of its own, one look after the other."""
        from tools.health import HealthMonitor, ToolHealthRegistry  # noqa: PLC0415 -- see the class

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
