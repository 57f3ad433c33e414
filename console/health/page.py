"""The Health page: made when somebody looks, fed by what watches the tools, wired to the rest."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot

from console.call_storage import CallStorage
from console.engine import Engine
from console.health.controller import HealthController, change_words
from console.health.ports import CheckTimes, HealthSignals
from console.language import tr, translated
from console.lazy_page import LazyPage, load_in_pieces
from console.preferences import Preferences
from console.tasks import TaskScope
from console.tool_list import ToolList

if TYPE_CHECKING:
    from console.health.presenter import HealthPresenter
    from console.health.snapshot import HealthRequest, HealthSnapshot
    from console.health.watch import HealthWatch
    from tools.card import ToolCard
    from tools.health import Check, HealthChange, HealthLimits, LimitsPreview, LimitsScope


Reset = Callable[[str], Awaitable[int]]


class _WatchedHealth:
    """Answer the page from what watches the tools, the history and the guards."""

    def __init__(
        self, healths: HealthController, records: CallStorage, engine: Engine, tools: ToolList, reset: Reset
    ) -> None:
        self._healths = healths
        self._records = records
        self._engine = engine
        self._tools = tools
        self._reset = reset
        self.troubles: Mapping[str, str] = {}

    @property
    def times(self) -> CheckTimes:
        latest = self._healths.latest
        return CheckTimes(None if latest is None else latest.at, self._healths.next_check_at)

    async def survey(self, question: HealthRequest) -> HealthSnapshot:
        watch = await self._healths.watch()
        return await self._records.compute(self._surveyed, watch, question, tuple(self._tools))

    def _surveyed(self, watch: HealthWatch, question: HealthRequest, tools: Sequence[ToolCard]) -> HealthSnapshot:
        from console.health.snapshot import HealthInputs, survey  # noqa: PLC0415 -- no window is shown later for it

        latest = self._healths.latest
        judged = HealthInputs(
            tools=tools,
            healths={} if latest is None else latest.healths,
            since={} if latest is None else latest.since,
            held=self._healths.held,
            limits=watch.registry.limits,
            troubles=self.troubles,
        )
        return survey(question, judged, watch.series, datetime.now(UTC))

    async def changes(self) -> Sequence[HealthChange]:
        watch = await self._healths.watch()
        return await self._records.compute(watch.changes)

    async def check_now(self, names: Collection[str] | None = None) -> Sequence[Check]:
        watch = await self._healths.watch()
        checks = await self._engine.call(watch.checks.check_now, names)
        self._healths.look_again(at_all=True)
        return checks

    async def reset(self, tool: str) -> int:
        return await self._reset(tool)

    async def find_call(self, tool: str, *, before: datetime | None = None, failed: bool = False) -> str:
        from tools.calls import CallStatus  # noqa: PLC0415 -- as above
        from tools.history import HistoryQuery  # noqa: PLC0415 -- as above

        statuses = (CallStatus.FAILED, CallStatus.TIMED_OUT) if failed else ()
        page = await self._records.search(HistoryQuery(tools=(tool,), statuses=statuses, until=before, limit=1))
        return page.rows[0].id if page.rows else ""

    async def text(self, kind: str) -> str:
        watch = await self._healths.watch()
        return await self._records.compute(watch.exported, kind)


class _WatchedLimits:
    """Show and change the limits that tools are watched by. Only asked when the page exists, and so what watches."""

    def __init__(self, healths: HealthController, records: CallStorage, watch: HealthWatch) -> None:
        self._healths = healths
        self._records = records
        self._watch = watch

    @property
    def problem(self) -> str:
        return self._watch.limits_file.problem

    def scopes(self, tool: str) -> Sequence[LimitsScope]:
        return self._watch.scopes(tool)

    def own(self, scope: LimitsScope) -> HealthLimits | None:
        return self._watch.limits_file.get(scope)

    def inherited(self, scope: LimitsScope) -> HealthLimits:
        return self._watch.inherited(scope)

    async def preview(self, limits: HealthLimits, scope: LimitsScope) -> LimitsPreview:
        return await self._records.compute(self._watch.preview, limits, scope)

    async def save(self, scope: LimitsScope, limits: HealthLimits | None) -> HealthLimits | None:
        before = await self._records.compute(self._watch.save, scope, limits)
        self._healths.look_again(at_all=True)
        return before


class HealthPage(HealthSignals):
    """Own the Health page.

    Args:
        records: Has the threads and the history.
        reset: Lets a tool run again that its guards hold back, and says how many did.
    """

    def __init__(
        self,
        healths: HealthController,
        records: CallStorage,
        *,
        engine: Engine,
        tools: ToolList,
        reset: Reset,
        preferences: Preferences,
        scope: TaskScope,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._healths = healths
        self._records = records
        self._health = _WatchedHealth(healths, records, engine, tools, reset)
        self._preferences = preferences
        self._scope = scope
        self._presenter: HealthPresenter | None = None
        self._making = False
        self.widget = LazyPage(tr("Health"))
        self.widget.wanted.connect(self._on_widget_wanted)
        healths.news.connect(self._on_healths_news)

    @Slot(dict)
    def set_troubles(self, troubles: Mapping[str, str]) -> None:
        """Say which servers are not connected that should be, and why."""
        if troubles != self._health.troubles:
            self._health.troubles = dict(troubles)
            if self._presenter is not None:
                self._presenter.look_again()

    @Slot(object)
    def _on_healths_news(self, change: HealthChange) -> None:
        words = change_words(change)
        self.noticed.emit(f"{words}: {translated(change.reason)}" if change.reason else words)

    @Slot()
    def _on_widget_wanted(self) -> None:
        if not self._making:
            self._making = True
            self._scope.start(self._make(), "make the Health page")  # type: ignore[unused-awaitable]

    async def _make(self) -> None:
        watch = await self._healths.watch()
        await load_in_pieces("console.health")
        from console.health.model import HealthChangesModel, HealthModel, TileModel  # noqa: PLC0415 -- as above
        from console.health.presenter import HealthPresenter  # noqa: PLC0415 -- as above
        from console.health.view import HealthView  # noqa: PLC0415 -- as above
        from tools.health import SPANS  # noqa: PLC0415 -- as above

        model, tiles, changes = HealthModel(self), TileModel(self), HealthChangesModel(parent=self)
        view = HealthView(model, tiles, changes, tuple(SPANS), in_pieces=True, parent=self.widget)
        for _ in view.pieces:
            await asyncio.sleep(0)
        self._presenter = HealthPresenter(
            model,
            changes,
            view,
            health=self._health,
            limits=_WatchedLimits(self._healths, self._records, watch),
            memory=self._preferences,
            scope=self._scope,
            compute=self._records.compute,
            parent=self,
        )
        self.pass_on(self._presenter)
        self._healths.looked.connect(self._presenter.look_again)
        view.shown.connect(self._on_view_shown)
        view.hidden.connect(self._on_view_hidden)
        await asyncio.sleep(0)
        self.widget.fill(view)
        self._healths.look_again()

    @Slot()
    def _on_view_shown(self) -> None:
        self._healths.set_seen(seen=True)

    @Slot()
    def _on_view_hidden(self) -> None:
        self._healths.set_seen(seen=False)

    def remember(self) -> None:
        """Keep what the person chose for the next start."""
        if self._presenter is not None:
            self._presenter.remember()

    def close(self) -> None:
        if self._presenter is not None:
            self._presenter.close()
