"""What stands behind the Health page: looks at the tools while somebody sees it, does what the person asks for."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from time import monotonic
from typing import Any, Final

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from console.call_table import now_utc
from console.charts import load_numbers, load_plots
from console.health.changes_model import HealthChangeRow, HealthChangesModel
from console.health.exports import csv_of, png_of, write
from console.health.limits_presenter import LimitsPresenter
from console.health.model import HealthModel
from console.health.plot_data import PlotData
from console.health.ports import HealthMemoryPort, HealthPort, LimitsPort
from console.health.rows import (
    STATUS_CHOICES,
    HealthColumn,
    HealthRemedyKey,
    HealthRow,
    Status,
    choice_of,
    statuses_of,
)
from console.health.snapshot import HealthRequest, HealthSnapshot, checked_words, sentence_of
from console.health.view import HealthView
from console.tasks import Compute, TaskScope
from console.widgets import RowOrder
from console.widgets.formats import format_time
from tools.errors import HistoryError
from tools.health import SPANS, HealthChange

EVERY_S: Final = 0.25
"""The shortest time from one look to the next; the pause between is never shorter than the look was."""
_TICK_MS: Final = 1000
_SPAN: Final = "1 h"
_log = logging.getLogger(__name__)


class HealthPresenter(QObject):
    """Fill the Health page.

    Nothing is looked at, and no timer runs, while nobody sees the page.

    Args:
        model: The table.
        changes: The changes of health.
        view: The page.
        health: Tells how the tools do.
        limits: Knows from where on they are degraded or down.
        memory: Remembers what was chosen.
        scope: Owns the tasks of the window.
        compute: Runs what takes more than a frame.
        clock: Gives the time of day.
        parent: Its owner.

    Signals:
        tool_opened(str): A tool's page is wanted.
        history_opened(str): The calls of this tool are wanted.
        call_opened(str): The call with this record's id is wanted.
        restart_requested(str): The server of this tool is to be restarted.
        tools_requested: The tools are wanted.
        noticed(str): A sentence for the person.
    """

    tool_opened = Signal(str)
    history_opened = Signal(str)
    call_opened = Signal(str)
    restart_requested = Signal(str)
    tools_requested = Signal()
    noticed = Signal(str)

    def __init__(
        self,
        model: HealthModel,
        changes: HealthChangesModel,
        view: HealthView,
        *,
        health: HealthPort,
        limits: LimitsPort,
        memory: HealthMemoryPort,
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
        self._scope = scope
        self._compute = compute
        self._clock = clock
        self._survey: HealthSnapshot | None = None
        self._tool = ""
        self._span = memory.choice("health/range", SPANS, _SPAN)
        self._statuses = statuses_of(memory.choice("health/status", STATUS_CHOICES, STATUS_CHOICES[0]))
        self._is_closed = False
        self._looking: asyncio.Task[Any] | None = None
        self._again = False
        self._tasks: set[asyncio.Task[Any]] = set()
        self._problem = ""
        self._ticker = QTimer(self)
        self._ticker.setInterval(_TICK_MS)
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
        view.span_chosen.connect(self._on_view_span_chosen)
        view.statuses_chosen.connect(self._on_view_statuses_chosen)
        view.tool_chosen.connect(self._on_view_tool_chosen)
        view.action_requested.connect(self._on_view_action_requested)
        view.remedy_requested.connect(self._on_view_remedy_requested)
        view.check_requested.connect(self._on_view_check_requested)
        view.export_chosen.connect(self._on_view_export_chosen)
        view.limits_shown.connect(self._on_view_limits_shown)
        view.changes_shown.connect(self._on_view_changes_shown)
        view.moment_chosen.connect(self._on_view_moment_chosen)
        view.tools_requested.connect(self.tools_requested)
        view.plots.plots_needed.connect(self._on_plots_plots_needed)

    @Slot()
    def look_again(self) -> None:
        """Take in that something about the tools changed; a page that nobody sees waits until somebody does."""
        if self._is_closed or not self._view.isVisible():
            return
        if self._looking is not None:
            self._again = True
            return
        self._looking = self._scope.start(self._look(), "look at the tools for the Health page")

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
        """Let go of what is under way."""
        self._is_closed = True
        self._ticker.stop()
        self.limits.close()
        for task in (*self._tasks, self._looking):
            if task is not None:
                task.cancel()

    def _start(self, work: Coroutine[Any, Any, None], name: str) -> None:
        task = self._scope.start(work, name)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _look(self) -> None:
        """Look until nothing new happened meanwhile."""
        try:
            self._again = True
            while self._again:
                self._again = False
                began_s = monotonic()
                await self._look_once()
                took_s = monotonic() - began_s
                await asyncio.sleep(max(EVERY_S - took_s, took_s))
        finally:
            self._looking = None

    async def _look_once(self) -> None:
        question = HealthRequest(self._span, self._tool, self._statuses)
        try:
            survey = await self._health.survey(question)
            if self._view.is_changes_open:
                self._changes.show_rows([_change_row(change) for change in await self._health.changes()])
        except sqlite3.Error as error:
            self._complain(f"How the tools did cannot be read: {error}")
            return
        self._problem = ""
        # Between the two the window paints: rows and plots together would hold up a key.
        for show in (self._show_rows, self._show_tool):
            if question != HealthRequest(self._span, self._tool, self._statuses):
                # Somebody chose something else meanwhile: what came answers another question.
                self._again = True
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
        checked = f"Checked {format_time(times.at, now)}" if times.at is not None else ""
        if times.next_at is not None:
            left_s = max(0, round((times.next_at - now).total_seconds()))
            checked += f"{', next' if checked else 'Next check'} in {left_s} s"
        self._view.show_checked(checked)

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
        self._start(self._make_plots(), "load the plots")

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
                self._start(self._open_failed_call(tool), f"find the failed call of {tool}")
            case HealthRemedyKey.RESTART:
                self.restart_requested.emit(tool)
            case HealthRemedyKey.RESET:
                self._start(self._reset(tool), f"reset the guards of {tool}")
            case HealthRemedyKey.CHECK:
                self._start(self._check(tool), f"check {tool}")
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
                self.noticed.emit(f"No failed call of {tool} is in the history any more")

    @Slot(object)
    def _on_view_moment_chosen(self, moment: datetime) -> None:
        if self._tool:
            self._start(self._open_moment(self._tool, moment), f"find the call of {self._tool} at a moment")

    async def _open_moment(self, tool: str, moment: datetime) -> None:
        with self._telling_problems():
            record_id = await self._health.find_call(tool, before=moment)
            self.history_opened.emit(tool)
            if record_id:
                self.call_opened.emit(record_id)
            else:
                self.noticed.emit(f"No call of {tool} before {format_time(moment, self._clock())} is in the history")

    async def _reset(self, tool: str) -> None:
        count = await self._health.reset(tool)
        self.noticed.emit(f"{tool} runs again as usual" if count else f"Nothing held {tool} back any more")
        self.look_again()

    @Slot()
    def _on_view_check_requested(self) -> None:
        self._start(self._check(""), "check all tools")

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
        self._start(self._export(kind, path), "export health")

    async def _export(self, kind: str, path: str) -> None:
        name = Path(path).name
        try:
            await self._compute(write, Path(path), await self._content(kind))
        except OSError as error:
            self.noticed.emit(f"{name} cannot be written ({error.strerror or error}); choose another place")
        except sqlite3.Error as error:
            self._complain(f"How the tools did cannot be read: {error}")
        else:
            self.noticed.emit(f"{name} is written")

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
            self.noticed.emit(f"The history cannot be asked: {error}")


def _change_row(change: HealthChange) -> HealthChangeRow:
    return HealthChangeRow(
        change.at, change.tool_name, change.before.value, change.after.value, sentence_of(change.reason or "")
    )
