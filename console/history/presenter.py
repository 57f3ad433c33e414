"""What stands behind the History page: asks the history, follows what changes, shows the chosen call."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from console.call_table import now_utc
from console.history.actions import CallActions
from console.history.detail_view import CallSheet
from console.history.history_feed import CallDetailPort, HistoryFeed, HistoryPort
from console.history.model import HistoryModel
from console.history.rows import count_words, decision_lines, not_kept, problem_words, subtitle_of
from console.history.tool_view import ToolHistoryView
from console.history.view import HistoryView
from console.language import tr
from console.tasks import TaskScope
from console.widgets.formats import format_count, format_when
from tools.errors import HistoryError

if TYPE_CHECKING:
    from tools.calls import CallRecord


class ToolHistoryPresenter(QObject):
    """Fill the History tab of one tool.

    Signals:
        count_changed(str): So many calls there are, for the tab; empty for none.
        all_requested(str): The calls of this tool are to be shown on the History page.
    """

    count_changed = Signal(str)
    all_requested = Signal(str)

    def __init__(
        self,
        model: HistoryModel,
        view: ToolHistoryView,
        history: HistoryPort,
        actions: CallActions,
        *,
        scope: TaskScope,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._model = model
        self._view = view
        self._history = history
        self._actions = actions
        self._is_stale = True
        self._listing = HistoryFeed(model, history, scope, parent=self)
        self._listing.counted.connect(self._on_listing_counted)
        self._listing.failed.connect(self._on_listing_failed)
        view.filters_changed.connect(self._on_view_filters_changed)
        view.all_requested.connect(self._on_view_all_requested)
        view.shown.connect(self.catch_up)
        view.open_requested.connect(actions.open)
        view.run_requested.connect(actions.run_again)
        view.action_requested.connect(actions.do)
        view.export_chosen.connect(self._on_view_export_chosen)
        actions.deleted.connect(self._on_actions_deleted)

    def follow(self, written: Collection[str], *, at_once: bool) -> None:
        """Take in that the history changed.

        Args:
            written: The ids of new and changed calls.
            at_once: Whether somebody looks; else the list waits until somebody does.
        """
        if at_once and not self._is_stale:
            self._listing.refresh_soon(set(written))
        else:
            self._is_stale = True

    def catch_up(self) -> None:
        """List anew what changed while nobody looked."""
        self._view.show_problem(problem_words(self._history.problem)[0])
        if self._is_stale:
            self._is_stale = False
            self._listing.show(self._view.filters)

    def close(self) -> None:
        self._listing.close()
        self._actions.close()

    def _on_view_filters_changed(self) -> None:
        self._listing.show(self._view.filters)

    def _on_listing_failed(self, message: str) -> None:
        self._view.show_problem(problem_words(message, reads=True)[0])

    def _on_listing_counted(self, total: int, exact: bool) -> None:
        self._view.show_count(count_words(total, exact=exact))
        if not self._view.filters.text.strip():
            self.count_changed.emit(format_count(total) + ("" if exact else "+") if total else "")

    def _on_view_all_requested(self) -> None:
        self.all_requested.emit(self._view.filters.tool)

    def _on_view_export_chosen(self, ids: Sequence[str], path: str) -> None:
        self._actions.export(self._view.filters, ids, path)

    def _on_actions_deleted(self, ids: Sequence[str]) -> None:
        self._model.remove(set(ids))


def sheet_of(record: CallRecord, now: datetime, *, can_open: bool) -> CallSheet:
    """Return what stands in the head of a past call and above its result.

    Args:
        can_open: Whether its tool still exists.
    """
    arguments = record.final_arguments
    proposed = record.arguments if record.edited else None
    return CallSheet(
        title=record.tool.name,
        subtitle=subtitle_of(record, now),
        arguments=arguments if isinstance(arguments, dict) else None,
        proposed=proposed if isinstance(proposed, dict) else None,
        not_kept=not_kept(record),
        decisions=decision_lines(record),
        can_open=can_open,
        edits=tuple(edit.words() for edit in record.edits),
    )


class HistoryPresenter(QObject):
    """Fill the History page.

    Args:
        call: Shows what came of the chosen call.
        knows: Says whether a tool exists.
    """

    def __init__(
        self,
        model: HistoryModel,
        view: HistoryView,
        history: HistoryPort,
        call: CallDetailPort,
        actions: CallActions,
        *,
        scope: TaskScope,
        knows: Callable[[str], bool],
        clock: Callable[[], datetime] = now_utc,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._model = model
        self._view = view
        self._history = history
        self._call = call
        self._actions = actions
        self._scope = scope
        self._knows = knows
        self._clock = clock
        self._stale = True
        self._shown = ""
        self._wanted = ""
        self._sought = ""
        self._task: asyncio.Task[Any] | None = None
        self._names_task: asyncio.Task[Any] | None = None
        self._listing = HistoryFeed(model, history, scope, clock, self)
        self._listing.counted.connect(self._on_listing_counted)
        self._listing.listed.connect(self._on_listing_listed)
        self._listing.failed.connect(self._on_listing_failed)
        self._listing.busy_changed.connect(self._on_listing_busy_changed)
        view.filters_changed.connect(self._on_view_filters_changed)
        view.shown.connect(self._on_view_shown)
        view.chosen.connect(self._on_view_chosen)
        view.open_requested.connect(actions.open)
        view.run_requested.connect(actions.run_again)
        view.action_requested.connect(self._on_view_action_requested)
        view.export_chosen.connect(self._on_view_export_chosen)
        actions.deleted.connect(self._on_actions_deleted)
        actions.compared.connect(view.stop_picking)

    def follow(self, written: Collection[str], *, forgotten: bool) -> None:
        """Take in that the history changed; a page that nobody sees waits until somebody does.

        Args:
            written: The ids of new and changed calls.
            forgotten: Whether calls left.
        """
        if not self._view.isVisible():
            self._stale = True
            return
        self._listing.refresh_soon(set(written))
        if (forgotten and self._shown and self._model.place_of(self._shown) < 0) or self._shown in written:
            self._ask_for(self._shown)

    def show_problem(self) -> None:
        self._view.show_problem(*problem_words(self._history.problem), can_retry=not self._history.is_open)

    def begin(self) -> None:
        """List anew, after the history could be opened at last."""
        self._stale = True
        if self._view.isVisible():
            self._on_view_shown()

    def show_tool(self, name: str) -> None:
        self._view.show_tool(name)

    def show_caller(self, name: str) -> None:
        self._view.show_caller(name)

    def show_call(self, record_id: str) -> None:
        self._sought = record_id
        if not self._view.choose(record_id):
            self._ask_for(record_id)

    def close(self) -> None:
        self._listing.close()
        self._actions.close()
        for task in (self._task, self._names_task):
            if task is not None:
                task.cancel()

    def _on_view_shown(self) -> None:
        self.show_problem()
        if self._stale:
            self._stale = False
            self._listing.show(self._view.filters)
        self._names_task = self._scope.start(self._ask_for_names(), "names of the history")

    def _on_view_filters_changed(self) -> None:
        self._sought = ""
        self._listing.show(self._view.filters)

    def _on_listing_counted(self, total: int, exact: bool) -> None:
        self._view.show_count(count_words(total, exact=exact))

    def _on_listing_listed(self) -> None:
        # A call that somebody asked for stays, wherever the list begins.
        call = self._sought or self._shown
        if not (call and self._view.choose(call)) and not self._sought:
            self._view.show_first()
        if not self._model.rowCount():
            self._show_none()

    def _on_listing_failed(self, message: str) -> None:
        self._view.show_problem(*problem_words(message, reads=True), can_retry=not self._history.is_open)

    def _on_listing_busy_changed(self, busy: bool) -> None:
        self._view.show_busy(busy=busy)

    async def _ask_for_names(self) -> None:
        try:
            tools, callers = await self._history.names()
        except HistoryError as error:
            self._on_listing_failed(error.why)
        else:
            self._view.show_names(tools, callers)

    def _on_view_chosen(self, ids: Sequence[str]) -> None:
        if len(ids) == 1:
            if ids[0] != self._sought:
                self._sought = ""
            if ids[0] != self._shown:
                self._ask_for(ids[0])
        elif not ids and not self._model.rowCount():
            self._show_none()

    def _show_none(self) -> None:
        self._shown = self._wanted = self._sought = ""
        self._call.clear()
        self._view.show_no_call()

    def _ask_for(self, record_id: str) -> None:
        self._wanted = record_id
        if self._task is None or self._task.done():
            self._task = self._scope.start(self._show_wanted(), "show a past call")

    async def _show_wanted(self) -> None:
        """Show the call that was chosen last, and none that was chosen before it."""
        while record_id := self._wanted:
            self._wanted = ""
            try:
                record = await self._history.get(record_id)
            except HistoryError as error:
                self._view.show_no_call(tr("The call cannot be read"), str(error))
                continue
            if self._wanted:
                continue
            if record is None:
                self._show_none()
                self._view.show_no_call(
                    tr("This call is gone"), tr("It was deleted, or it was older than what is kept.")
                )
                continue
            self._shown = record_id
            self._view.show_sheet(sheet_of(record, self._clock(), can_open=self._knows(record.tool.name)))
            await self._call.show(record)

    def _on_view_action_requested(self, key: str, ids: Sequence[str]) -> None:
        if key == "compare" and len(ids) == 1:
            row = next((row for row in self._model.rows if row.id == ids[0]), None)
            if row is not None:
                self._view.pick_other(f"{row.tool}, {format_when(row.proposed_at, self._clock())}")
        else:
            self._actions.do(key, ids)

    def _on_view_export_chosen(self, ids: Sequence[str], path: str) -> None:
        self._actions.export(self._view.filters, ids, path)

    def _on_actions_deleted(self, ids: Sequence[str]) -> None:
        self._model.remove(set(ids))
        if self._shown in ids:
            self._show_none()
        self._view.show_first()
