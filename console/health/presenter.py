"""What stands behind the Health page: looks at the tools while somebody sees it, does what the person asks for."""

from __future__ import annotations

import asyncio
import csv
import io
import logging
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from time import monotonic
from typing import Final, NamedTuple

from PySide6.QtCore import QBuffer, QByteArray, QObject, QTimer, Signal, Slot
from PySide6.QtGui import QImage, QImageWriter

from console.call_table import now_utc
from console.charts import load_numbers, load_plots
from console.health.limits_view import LimitsView
from console.health.model import HealthChangeRow, HealthChangesModel, HealthModel, PlotData
from console.health.ports import HealthPort, HealthSignals, LimitsPort
from console.health.rows import STATUS_CHOICES, HealthColumn, HealthRemedyKey, HealthRow, Status, choice_of, statuses_of
from console.health.snapshot import (
    HealthRequest,
    HealthSnapshot,
    ScopeRow,
    checked_words,
    form_of,
    limits_of,
    sheet_of,
)
from console.health.view import HealthView
from console.language import sentence_of, tr
from console.preferences import Preferences
from console.tasks import Compute, OwnTasks, Repeated, TaskScope
from console.widgets import RowOrder
from console.widgets.formats import format_time
from tools.card import SourceKind
from tools.errors import HistoryError
from tools.health import SPANS, HealthChange, HealthLimits, LimitsScope
from tools.history.exporting import harmless

_ICONS = {
    SourceKind.API: "globe",
    SourceKind.BUILT_IN: "package",
    SourceKind.PLUGIN: "file-code",
    SourceKind.PROGRAM: "box",
    SourceKind.SERVER: "server",
}


class _Saved(NamedTuple):
    """A change that can be taken back: for which tools, and what was kept before."""

    scope: LimitsScope
    before: HealthLimits | None


class LimitsPresenter(QObject):
    """Let a person set limits.

    Signals:
        changed: Other limits hold from now on.
    """

    changed = Signal()

    def __init__(
        self, view: LimitsView, limits: LimitsPort, scope: TaskScope, *, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._view = view
        self._limits = limits
        self._tool = ""
        self._scopes: Sequence[LimitsScope] = (LimitsScope(),)
        self._scope = LimitsScope()
        self._gives_up_own = False
        self._saved: _Saved | None = None
        self._previewing = Repeated(scope, self._show_preview, "preview limits")
        self._tasks = OwnTasks(scope)
        view.scope.activated.connect(self._on_view_scope_chosen)
        view.edited.connect(self._on_view_edited)
        view.save_requested.connect(self._on_view_save_requested)
        view.defaults.clicked.connect(self._on_view_defaults_requested)
        view.undo.clicked.connect(self._on_view_undo_requested)

    @property
    def is_changed(self) -> bool:
        """Whether something stands in the fields that is not saved."""
        return self._draft() != self._limits.own(self._scope)

    def show_tool(self, tool: str, *, begin: bool = False) -> None:
        """Show the limits of a tool, unless those of another one are being changed.

        Args:
            tool: Its name; empty shows what holds for all.
            begin: Whether what is being changed is given up.
        """
        if not self._view.isVisible() or (self.is_changed and not begin and self._tool):
            return
        self._tool = tool
        self._scopes = self._limits.scopes(tool)
        self._show_scope(self._scopes[0])

    def look_again(self) -> None:
        """Take in that tools ran: what limits would come to may be something else now."""
        # For all tools this takes tenths of a second, which nobody asked for.
        if self._view.isVisible() and self._scope.tool:
            self._previewing.ask()

    def close(self) -> None:
        self._previewing.cancel()
        self._tasks.cancel()

    def _show_scope(self, scope: LimitsScope) -> None:
        self._scope, self._gives_up_own = scope, False
        self._saved = None
        self._view.show_notice(self._limits.problem, undo=False)
        self._view.show_scopes([self._row(known) for known in self._scopes], list(self._scopes).index(scope))
        self._view.show_form(form_of(self._own()))
        self._follow_form()

    def _own(self) -> HealthLimits:
        return self._limits.own(self._scope) or self._limits.inherited(self._scope)

    def _row(self, scope: LimitsScope) -> ScopeRow:
        wider = next((known for known in self._wider(scope) if self._limits.own(known) is not None), LimitsScope())
        is_own = self._limits.own(scope) is not None
        whose = _words(wider)
        note = (
            tr("Overrides the limits of {scope}", scope=whose)
            if is_own
            else tr("Has the limits of {scope}", scope=whose)
        )
        if scope.tool:
            return ScopeRow(scope.tool, "wrench", note)
        if scope.source is not None:
            return ScopeRow(_title(scope), _ICONS[scope.source.kind], note)
        return ScopeRow(_title(scope), "layers", tr("Holds where nothing else is said"))

    def _wider(self, scope: LimitsScope) -> Sequence[LimitsScope]:
        return self._scopes[list(self._scopes).index(scope) + 1 :]

    def _draft(self) -> HealthLimits | str | None:
        """Return the limits that the fields say, why they are none, or None for those that would hold otherwise."""
        if self._gives_up_own:
            return None
        before = self._own()
        form = self._view.form
        if form == form_of(before):
            return self._limits.own(self._scope)
        return limits_of(form, before)

    def _follow_form(self) -> None:
        draft = self._draft()
        problem = draft if isinstance(draft, str) else ""
        self._view.show_problem(problem)
        own = self._limits.own(self._scope)
        self._view.show_state(
            can_save=not problem and draft != own, has_own=not self._gives_up_own and (own is not None or draft != own)
        )
        if problem:
            self._view.show_preview(None)
        else:
            self._previewing.ask()

    async def _show_preview(self) -> None:
        draft, scope = self._draft(), self._scope
        if isinstance(draft, str):
            return
        limits = draft or self._limits.inherited(scope)
        preview = await self._limits.preview(limits, scope)
        if not self._previewing.is_wanted:
            self._view.show_preview(sheet_of(preview, limits))

    @Slot(int)
    def _on_view_scope_chosen(self, place: int) -> None:
        self._show_scope(self._scopes[place])

    @Slot()
    def _on_view_edited(self) -> None:
        self._gives_up_own = False
        self._view.show_notice("", undo=False)
        self._follow_form()

    @Slot()
    def _on_view_defaults_requested(self) -> None:
        self._view.show_form(form_of(self._limits.inherited(self._scope)))
        self._gives_up_own = True
        self._follow_form()

    @Slot()
    def _on_view_save_requested(self) -> None:
        draft = self._draft()
        if not isinstance(draft, str):
            self._tasks.start(self._save(self._scope, draft), "save limits")

    async def _save(self, scope: LimitsScope, limits: HealthLimits | None, *, is_undo: bool = False) -> None:
        try:
            before = await self._limits.save(scope, limits)
        except OSError as error:
            self._view.show_notice(tr("Not saved: {error}", error=error.strerror or error), undo=False)
            return
        self._show_scope(scope)
        self._saved = None if is_undo else _Saved(scope, before)
        self._view.show_notice(tr("Taken back") if is_undo else tr("Saved"), undo=not is_undo)
        self.changed.emit()

    @Slot()
    def _on_view_undo_requested(self) -> None:
        if self._saved is not None:
            self._tasks.start(self._save(*self._saved, is_undo=True), "take limits back")


def _words(scope: LimitsScope) -> str:
    """Name a scope of several tools."""
    return tr("all tools of {name}", name=scope.source.name) if scope.source is not None else tr("all tools")


def _title(scope: LimitsScope) -> str:
    words = _words(scope)
    return words[0].upper() + words[1:]


_CSV_COLUMNS: Final = (
    "tool",
    "source",
    "status",
    "success_rate",
    "p50_ms",
    "p95_ms",
    "p99_ms",
    "calls",
    "note",
    "since",
)


def csv_of(rows: Iterable[HealthRow]) -> str:
    """Write rows as CSV with a line of names: plain numbers, moments in ISO 8601, nothing for what is not known.

    Args:
        rows: In the order of the table.
    """
    written = io.StringIO()
    writer = csv.writer(written, lineterminator="\n")
    writer.writerow(_CSV_COLUMNS)
    for row in rows:
        writer.writerow(
            [
                harmless(row.tool),
                harmless(row.source),
                row.status,
                row.success_rate,
                row.p50_ms,
                row.p95_ms,
                row.p99_ms,
                row.calls,
                harmless(row.note),
                row.since.isoformat() if row.since is not None else None,
            ]
        )
    return written.getvalue()


def png_of(image: QImage) -> bytes:
    """Return a picture as the content of a PNG file."""
    written = QByteArray()
    buffer = QBuffer(written)
    buffer.open(QBuffer.OpenModeFlag.WriteOnly)
    QImageWriter(buffer, QByteArray(b"png")).write(image)
    return bytes(written.data())


def write(path: Path, content: str | bytes) -> None:
    """Write a file; the lines of a text end as they do in it.

    Raises:
        OSError: It cannot be written.
    """
    path.write_bytes(content.encode() if isinstance(content, str) else content)


EVERY_S: Final = 0.25
"""The shortest time from one look to the next; the pause between is never shorter than the look was."""
_TICK_MS: Final = 1000
_SPAN: Final = "1 h"
_log = logging.getLogger(__name__)


class HealthPresenter(HealthSignals):
    """Fill the Health page.

    Nothing is looked at, and no timer runs, while nobody sees the page.

    Args:
        limits: Knows from where on they are degraded or down.
    """

    def __init__(
        self,
        model: HealthModel,
        changes: HealthChangesModel,
        view: HealthView,
        *,
        health: HealthPort,
        limits: LimitsPort,
        memory: Preferences,
        scope: TaskScope,
        compute: Compute,
        clock: Callable[[], datetime] = now_utc,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._model = model
        self._changes = changes
        self._view = view
        self._health = health
        self._memory = memory
        self._compute = compute
        self._clock = clock
        self._survey: HealthSnapshot | None = None
        self._tool = ""
        self._span = memory.choice("health/range", SPANS, _SPAN)
        self._statuses = statuses_of(memory.choice("health/status", STATUS_CHOICES, STATUS_CHOICES[0]))
        self._is_closed = False
        self._looking = Repeated(scope, self._look, "look at the tools for the Health page")
        self._tasks = OwnTasks(scope)
        self._problem = ""
        self._ticker = QTimer(self, interval=_TICK_MS)
        self._ticker.timeout.connect(self._on_ticker_timeout)
        self.limits = LimitsPresenter(view.limits, limits, scope, parent=self)
        self.limits.changed.connect(self.look_again)
        self._restore()
        self._connect()

    def _restore(self) -> None:
        view, memory = self._view, self._memory
        names = {column.name.lower(): column for column in HealthColumn}
        column = names[memory.choice("health/column", names, HealthColumn.STATUS.name.lower())]
        self._model.set_order(RowOrder(column, memory.choice("health/order", ("up", "down"), "down") == "down"))
        view.show_span(self._span)
        view.show_statuses(self._statuses)
        view.set_sizes(memory.sizes("healthSplitter"))
        view.table.set_widths(memory.sizes("healthTable"))

    def _connect(self) -> None:
        view = self._view
        view.shown.connect(self._on_view_shown)
        view.hidden.connect(self._ticker.stop)
        view.header.span_chosen.connect(self._on_view_span_chosen)
        view.statuses_chosen.connect(self._on_view_statuses_chosen)
        view.tool_chosen.connect(self._on_view_tool_chosen)
        view.action_requested.connect(self._on_view_action_requested)
        view.remedy_requested.connect(self._on_view_remedy_requested)
        view.header.check.clicked.connect(self._on_view_check_requested)
        view.export_chosen.connect(self._on_view_export_chosen)
        view.limits_shown.connect(self._on_view_limits_shown)
        view.changes_shown.connect(self._on_view_changes_shown)
        view.plots.moment_chosen.connect(self._on_view_moment_chosen)
        view.tools_requested.connect(self.tools_requested)
        view.plots.plots_needed.connect(self._on_plots_plots_needed)

    @Slot()
    def look_again(self) -> None:
        """Take in that something about the tools changed; a page that nobody sees waits until somebody does."""
        if not self._is_closed and self._view.isVisible():
            self._looking.ask()

    def remember(self) -> None:
        """Keep what the person chose for the next start."""
        view, memory = self._view, self._memory
        order = self._model.order or RowOrder(HealthColumn.STATUS, descending=True)
        memory.set_choice("health/range", self._span)
        memory.set_choice("health/status", choice_of(self._statuses))
        memory.set_choice("health/column", HealthColumn(order.column).name.lower())
        memory.set_choice("health/order", "down" if order.descending else "up")
        memory.set_sizes("healthSplitter", view.sizes())
        memory.set_sizes("healthTable", view.table.widths)

    def close(self) -> None:
        self._is_closed = True
        self._ticker.stop()
        self.limits.close()
        self._looking.cancel()
        self._tasks.cancel()

    async def _look(self) -> None:
        began_s = monotonic()
        await self._look_once()
        took_s = monotonic() - began_s
        await asyncio.sleep(max(EVERY_S - took_s, took_s))

    async def _look_once(self) -> None:
        question = HealthRequest(self._span, self._tool, self._statuses)
        try:
            survey = await self._health.survey(question)
            if self._view.is_changes_open:
                self._changes.show_rows([_change_row(change) for change in await self._health.changes()])
        except sqlite3.Error as error:
            self._complain(tr("How the tools did cannot be read: {error}", error=error))
            return
        self._problem = ""
        # Between the two the window paints: rows and plots together would hold up a key.
        for show in (self._show_rows, self._show_tool):
            if question != HealthRequest(self._span, self._tool, self._statuses):
                # Somebody chose something else meanwhile: what came answers another question.
                self._looking.is_wanted = True
                return
            show(survey)
            await asyncio.sleep(0)

    def _show_rows(self, survey: HealthSnapshot) -> None:
        self._survey = survey
        self._view.show_rows(survey.rows, survey.lines)

    def _show_tool(self, survey: HealthSnapshot) -> None:
        if survey.tool != self._tool:
            self._tool = survey.tool
            self.limits.show_tool(survey.tool)
        self._view.choose(survey.tool)
        self._view.plots.show_slots(
            PlotData(survey.slots, survey.all_slots, survey.span, survey.now, survey.limits, survey.tool)
        )
        self.limits.look_again()
        self._show_times()

    def _complain(self, problem: str) -> None:
        if problem != self._problem:
            self._problem = problem
            _log.warning("%s", problem)
            self.noticed.emit(problem)

    def _show_times(self) -> None:
        times, now = self._health.times, self._clock()
        at = format_time(times.at, now)
        left_s = 0 if times.next_at is None else max(0, round((times.next_at - now).total_seconds()))
        if times.next_at is None:
            self._view.show_checked(tr("Checked {time}", time=at) if at else "")
        elif at:
            self._view.show_checked(tr("Checked {time}, next in {left} s", time=at, left=left_s))
        else:
            self._view.show_checked(tr("Next check in {left} s", left=left_s))

    @Slot()
    def _on_view_shown(self) -> None:
        self._ticker.start()
        if self._survey is None:
            self._view.plots.set_loading()
        self.look_again()

    @Slot()
    def _on_ticker_timeout(self) -> None:
        self._show_times()
        if self._survey is not None:
            slot_s = SPANS[self._span].slot_s
            if self._clock().timestamp() // slot_s != self._survey.now.timestamp() // slot_s:
                self.look_again()  # the curves move on, whether something ran or not

    @Slot()
    def _on_plots_plots_needed(self) -> None:
        self._tasks.start(self._make_plots(), "load the plots")

    async def _make_plots(self) -> None:
        await self._compute(load_numbers)
        load_plots()
        await asyncio.sleep(0)
        for _ in self._view.plots.make_plots():
            await asyncio.sleep(0)

    @Slot(str)
    def _on_view_span_chosen(self, span: str) -> None:
        self._span = span
        self._view.show_span(span)
        self._view.plots.set_loading()
        self.look_again()

    @Slot(tuple)
    def _on_view_statuses_chosen(self, statuses: tuple[Status, ...]) -> None:
        self._statuses = statuses
        self._view.show_statuses(statuses)
        self._view.choose(self._tool)
        self.look_again()

    @Slot(str)
    def _on_view_tool_chosen(self, tool: str) -> None:
        self._tool = tool
        self._view.choose(tool)
        self._view.plots.set_loading()
        self.limits.show_tool(tool)
        self.look_again()

    @Slot(bool)
    def _on_view_changes_shown(self, is_open: bool) -> None:
        if is_open:
            self.look_again()

    @Slot(bool)
    def _on_view_limits_shown(self, is_open: bool) -> None:
        if is_open:
            self.limits.show_tool(self._tool, begin=True)

    def _row(self, tool: str) -> HealthRow | None:
        rows = self._survey.rows if self._survey is not None else ()
        return next((row for row in rows if row.tool == tool), None)

    @Slot(str)
    def _on_view_remedy_requested(self, tool: str) -> None:
        row = self._row(tool)
        remedy = row.remedy if row is not None else None
        self._on_view_action_requested(HealthRemedyKey.OPEN_TOOL if remedy is None else remedy.key, tool)

    @Slot(str, str)
    def _on_view_action_requested(self, key: str, tool: str) -> None:
        match key:
            case HealthRemedyKey.OPEN_TOOL:
                self.tool_opened.emit(tool)
            case "history":
                self.history_opened.emit(tool)
            case HealthRemedyKey.OPEN_CALL:
                self._tasks.start(self._open_failed_call(tool), f"find the failed call of {tool}")
            case HealthRemedyKey.RESTART:
                self.restart_requested.emit(tool)
            case HealthRemedyKey.RESET:
                self._tasks.start(self._reset(tool), f"reset the guards of {tool}")
            case HealthRemedyKey.CHECK:
                self._tasks.start(self._check(tool), f"check {tool}")
            case HealthRemedyKey.LIMITS:
                self._on_view_tool_chosen(tool)
                self._view.show_limits(is_open=True)
                self.limits.show_tool(tool, begin=True)
                self._view.limits.focus_first()

    async def _open_failed_call(self, tool: str) -> None:
        with self._telling_problems():
            record_id = await self._health.find_call(tool, failed=True)
            if record_id:
                self.call_opened.emit(record_id)
            else:
                self.noticed.emit(tr("No failed call of {tool} is in the history any more", tool=tool))

    @Slot(object)
    def _on_view_moment_chosen(self, moment: datetime) -> None:
        if self._tool:
            self._tasks.start(self._open_moment(self._tool, moment), f"find the call of {self._tool} at a moment")

    async def _open_moment(self, tool: str, moment: datetime) -> None:
        with self._telling_problems():
            record_id = await self._health.find_call(tool, before=moment)
            self.history_opened.emit(tool)
            if record_id:
                self.call_opened.emit(record_id)
            else:
                self.noticed.emit(
                    tr(
                        "No call of {tool} before {time} is in the history",
                        tool=tool,
                        time=format_time(moment, self._clock()),
                    )
                )

    async def _reset(self, tool: str) -> None:
        count = await self._health.reset(tool)
        self.noticed.emit(
            tr("{tool} runs again as usual", tool=tool) if count else tr("Nothing held {tool} back any more", tool=tool)
        )
        self.look_again()

    @Slot()
    def _on_view_check_requested(self) -> None:
        self._tasks.start(self._check(""), "check all tools")

    async def _check(self, tool: str) -> None:
        self._view.show_checking(checking=True)
        try:
            checks = await self._health.check_now((tool,) if tool else None)
        finally:
            self._view.show_checking(checking=False)
        self.noticed.emit(checked_words(checks, tool))
        self.look_again()

    @Slot(str, str)
    def _on_view_export_chosen(self, kind: str, path: str) -> None:
        self._tasks.start(self._export(kind, path), "export health")

    async def _export(self, kind: str, path: str) -> None:
        name = Path(path).name
        try:
            await self._compute(write, Path(path), await self._content(kind))
        except OSError as error:
            self.noticed.emit(
                tr(
                    "{name} cannot be written ({error}); choose another place",
                    name=name,
                    error=error.strerror or error,
                )
            )
        except sqlite3.Error as error:
            self._complain(tr("How the tools did cannot be read: {error}", error=error))
        else:
            self.noticed.emit(tr("{name} is written", name=name))

    async def _content(self, kind: str) -> str | bytes:
        if kind == "png":
            written: bytes = await self._compute(png_of, self._view.plots_image())
            return written
        return csv_of(self._model.rows) if kind == "csv" else await self._health.text(kind)

    @contextmanager
    def _telling_problems(self) -> Iterator[None]:
        try:
            yield
        except HistoryError as error:
            self.noticed.emit(tr("The history cannot be asked: {error}", error=error))


def _change_row(change: HealthChange) -> HealthChangeRow:
    return HealthChangeRow(
        change.at, change.tool_name, change.before.value, change.after.value, sentence_of(change.reason or "")
    )
