"""How the tools do: judged and kept away from the window's thread, shown in the tree and the status bar."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from console.call_events import CallEnded, WindowEvent
from console.call_storage import CallStorage
from console.engine import Engine
from console.language import in_sentence, tr, translated
from console.tasks import TaskScope
from console.tool_list import ToolList
from console.widgets.status import STATUS
from tools.calls import CallRecord, GuardChanged, GuardKind, GuardState
from tools.execution.executor import Executor
from tools.health import HealthStatus

if TYPE_CHECKING:
    from console.health.watch import HealthLook, HealthWatch
    from console.notices import Notices
    from tools.health import HealthChange

_KEY: Final = "health "
_TOGETHER: Final = "health of several"
_EACH: Final = 3
"""More changes than these at a time are told as one: a server that ends takes all its tools along."""


class HealthNotices(QObject):
    """Tell changes of health that somebody wants to know of; nothing to whoever sees the window anyway.

    Signals:
        page_requested(): The person wants to see what happened.
    """

    page_requested = Signal()

    def __init__(self, notices: Notices, is_looked_at: Callable[[], bool], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._notices = notices
        self._is_looked_at = is_looked_at
        self._changes: list[HealthChange] = []
        # One look at the tools tells its changes one after the other.
        self._timer = QTimer(self, singleShot=True, interval=0)
        self._timer.timeout.connect(self._on_timer_timeout)
        notices.chosen.connect(self._on_notices_chosen)

    @Slot(object)
    def take(self, change: HealthChange) -> None:
        self._changes.append(change)
        self._timer.start()

    @Slot()
    def _on_timer_timeout(self) -> None:
        changes, self._changes = self._changes, []
        if self._is_looked_at():
            return
        if len(changes) > _EACH:
            down = sum(change.after is HealthStatus.DOWN for change in changes)
            title = tr("The health of {count} tools changed", count=len(changes))
            self._notices.post(
                _TOGETHER, title, tr("{count} of them are down.", count=down) if down else tr("None of them is down.")
            )
            return
        for change in changes:
            self._notices.post(f"{_KEY}{change.tool_name}", change_words(change), translated(change.reason or ""))

    @Slot(str, str)
    def _on_notices_chosen(self, key: str, _action: str) -> None:
        if key == _TOGETHER or key.startswith(_KEY):
            self.page_requested.emit()


def change_words(change: HealthChange) -> str:
    """Say how a tool does now; one that does better again has no reason."""
    status = in_sentence(STATUS[change.after.value].word)
    if change.reason:
        return tr("{tool} is {status}", tool=change.tool_name, status=status)
    return tr("{tool} is {status} again", tool=change.tool_name, status=status)


SEEN_MS: Final = 250
"""The shortest time from one look to the next while somebody sees what comes of it; the pause between is never shorter
than the look was."""
UNSEEN_MS: Final = 500
"""The same while there are only the tree and the status bar to see it."""
RECHECK_MS: Final = 5000
"""How soon the next look is when no tool ran: old runs count no more after a while."""
CHECK_EVERY_S: Final = 30.0
"""How long after a round of probes the next one begins."""
_UNKNOWN: Final = ("unknown", "")


class HealthController(QObject):
    """Watch the health of all tools.

    Nothing is imported and nothing judged before the first call, before the history tells of one that is fresh enough
    to count, before a tool comes that can be probed, or before somebody wants to see it.

    Args:
        records: Know the calls of earlier starts, and have threads of their own.
        settings: The folder where limits are kept.

    Attributes:
        every_ms: The shortest time from one look to the next.

    Signals:
        changed(dict): Status and reason of the tools where either changed, by name; no reason when it is up.
        counted(int, int, int): How many tools are up, degraded and down.
        looked: All tools were judged once more.
        news(HealthChange): The health of a tool changed, and somebody wants to be told.
    """

    changed = Signal(dict)
    counted = Signal(int, int, int)
    looked = Signal()
    news = Signal(object)

    def __init__(
        self,
        executor: Executor,
        engine: Engine,
        tools: ToolList,
        records: CallStorage,
        *,
        settings: Path,
        scope: TaskScope,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._executor = executor
        self._engine = engine
        self._tools = tools
        self._records = records
        self._settings = settings
        self._scope = scope
        self._watch: HealthWatch | None = None
        self._making: asyncio.Task[HealthWatch] | None = None
        self._checking: asyncio.Task[Any] | None = None
        self._ended: list[CallRecord] = []
        self._held: dict[tuple[str, GuardKind], GuardState] = {}
        self._shown: dict[str, tuple[str, str]] = {}
        self._looked: HealthLook | None = None
        self._looking = False
        self._at_all = False
        self.every_ms = UNSEEN_MS
        self._stopped = False
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(self._on_timer_timeout)

    @property
    def latest(self) -> HealthLook | None:
        """What the last look came to; None before the first one."""
        return self._looked

    @property
    def held(self) -> Mapping[str, GuardState]:
        """The guards that hold calls back, by tool; of several that which refuses them."""
        states = sorted(self._held.items(), key=lambda item: item[1].refuses)
        return {name: state for (name, _), state in states}

    @property
    def next_check_at(self) -> datetime | None:
        """When the next round of probes begins; None when none is planned."""
        return self._watch.checks.next_at if self._watch is not None else None

    async def recall(self) -> None:
        """Take up what the history knows of the last minutes; before the first call."""
        if await self._records.recall_health(self._executor.metrics, self._settings):
            self._plan(0)

    def take(self, events: Sequence[WindowEvent]) -> None:
        """Look again soon if a call ended."""
        guards = [event for event in events if isinstance(event, GuardChanged)]
        for event in guards:
            self._take_guard(event)
        ended = [event.record for event in events if isinstance(event, CallEnded)]
        if ended or guards:
            self._ended += ended
            self._plan(self.every_ms)

    def _take_guard(self, event: GuardChanged) -> None:
        guard, key = event.guard, (event.tool_name, event.guard.kind)
        if guard.refuses or guard.state == "half_open":
            self._held[key] = guard
        else:
            self._held.pop(key, None)

    def look_again(self, *, at_all: bool = False) -> None:
        """Look at all tools that came, once any tool has run, and begin to probe those that can be.

        Args:
            at_all: Whether tools are judged that nothing happened to.
        """
        self._at_all = self._at_all or at_all
        if self._watch is not None:
            self._plan(self.every_ms)
        if (
            self._checking is None
            and not self._stopped
            and any(tool.has_probe and not tool.probes_on_request for tool in self._tools)
        ):
            self._checking = self._scope.start(self._keep_checking(), "probe tools every so often")

    def set_seen(self, *, seen: bool) -> None:
        """Say whether somebody sees the page of all that looks come to."""
        self.every_ms = SEEN_MS if seen else UNSEEN_MS

    async def _keep_checking(self) -> None:
        watch = await self.watch()
        await self._engine.call(watch.checks.keep_checking, CHECK_EVERY_S)

    async def watch(self) -> HealthWatch:
        """Return what judges the tools; made on first use."""
        if self._making is None:
            self._making = self._scope.start(self._make_watch(), "make what judges the tools")
        return await asyncio.shield(self._making)

    async def _make_watch(self) -> HealthWatch:
        watch = await self._records.compute(self._made_watch)
        await self._records.recall_checks(watch.checks)
        self._watch = watch
        return watch

    def _made_watch(self) -> HealthWatch:
        from console.health.watch import HealthWatch  # noqa: PLC0415 -- see the class

        return HealthWatch(self._executor, self._records.folder, self._settings, self._engine.heartbeat.yield_to_ui)

    def stop(self) -> None:
        self._timer.stop()
        self._stopped = True

    async def close(self) -> None:
        """Keep what is not kept yet; after the last look."""
        if self._watch is None and self._ended:
            self._watch = await self._records.compute(self._made_watch)
        if self._watch is not None:
            await self._records.compute(self._watch.keep, self._taken())

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
        began_s = monotonic()
        try:
            watch = await self.watch()
            at_all, self._at_all = self._at_all, False
            looked = await self._records.compute(watch.look, self._taken(), at_all=at_all)
        finally:
            # Whatever became of this look, the next call is worth another one.
            self._looking = False
        self._show(looked)
        if self._ended or self._at_all:
            took_ms = math.ceil((monotonic() - began_s) * 1000)
            self._plan(max(self.every_ms - took_ms, took_ms))
        elif any(health.stats.count or health.checked for health in looked.healths.values()):
            self._plan(RECHECK_MS)

    def _taken(self) -> list[CallRecord]:
        ended, self._ended = self._ended, []
        return ended

    def _show(self, looked: HealthLook) -> None:
        self._looked = looked
        now = {
            # Of a tool that did not run there is nothing to tell.
            name: _UNKNOWN
            if status == _UNKNOWN[0] and not health.stats.count
            else (status, translated(health.reason or ""))
            for name, health in looked.healths.items()
            for status in (health.status.value,)
        }
        changed = {name: shown for name, shown in now.items() if self._shown.get(name, _UNKNOWN) != shown}
        self._shown = now
        if changed:
            self.changed.emit(changed)
        # A tool whose calls are held back does not do well, whatever its last runs came to.
        held = self.held
        statuses = ["degraded" if name in held and status != "down" else status for name, (status, _) in now.items()]
        self.counted.emit(*(statuses.count(status) for status in ("up", "degraded", "down")))
        for change in looked.news:
            self.news.emit(change)
        self.looked.emit()
