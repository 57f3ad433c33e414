"""Bring calls of the past back: into the activity list, onto their tools' pages, into another run."""

from __future__ import annotations

from collections.abc import Coroutine, Sequence
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QObject, Signal, Slot

from console.activity.kept_calls import KeptCalls
from console.activity.presenter import ActivityPresenter
from console.app.open_tools import OpenTools
from console.call_events import WindowEvent
from console.call_storage import CallStorage
from console.history.page import HistoryPane
from console.language import tr, translated
from console.tasks import TaskScope
from tools.errors import HistoryError

if TYPE_CHECKING:
    from tools.calls import CallRecord
    from tools.history import OpenReport


RESTORED: Final = 200
"""How many of the newest calls of the history the activity list begins with."""


class PastCallActions(QObject):
    """Show and repeat what was called before, in this run or an earlier one.

    Args:
        records: Where calls are kept.
        histories: Lists past calls, and says which ones are wanted.
        open_tools: The pages that show them.
        activity: The activity list.
        scope: Owns the tasks of the window.
        parent: Its owner.

    Signals:
        noticed(str): A sentence for the person.
        page_requested(str): This page is to come to the front.
        piped(list): These calls are to be steps of a pipeline, the oldest first.
    """

    noticed = Signal(str)
    page_requested = Signal(str)
    piped = Signal(list)

    def __init__(
        self,
        records: CallStorage,
        histories: HistoryPane,
        *,
        open_tools: OpenTools,
        activity: ActivityPresenter,
        scope: TaskScope,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._records = records
        self._histories = histories
        self._open_tools = open_tools
        self._activity = activity
        self._scope = scope
        self._kept = KeptCalls()
        records.opened.connect(self._on_records_opened)
        histories.opened.connect(self._on_histories_opened)
        histories.rerun.connect(self._on_histories_rerun)
        histories.page_requested.connect(self._on_histories_page_requested)
        histories.retry_requested.connect(self._on_histories_retry_requested)

    def take(self, events: Sequence[WindowEvent]) -> None:
        """Keep the newest calls of a batch of events at hand."""
        self._kept.take(events)

    @Slot(str)
    def open_call(self, call_id: str) -> None:
        """Show a call of the activity list on its tool's page."""
        call = self._kept.find(call_id)
        if call is None:
            self._start(self._open(call_id), "open a call of the activity list")
        else:
            self._open_tools.show_call(call)
            self.page_requested.emit("tools")

    @Slot(str)
    def run_again(self, record_id: str) -> None:
        """Run a tool with the arguments of a call of the history."""
        self._start(self._run_again(record_id), "run a past call again")

    async def _run_again(self, record_id: str) -> None:
        try:
            record = await self._records.record_of(record_id)
        except HistoryError as error:
            self.noticed.emit(tr("The call cannot run again: {error}", error=error))
            return
        if record is None:
            self.noticed.emit(tr("This call is no longer in the history"))
        else:
            self._on_histories_rerun(record)

    @Slot(str, str)
    def compare_calls(self, older: str, newer: str) -> None:
        """Show two calls of the activity list beside each other."""
        self._start(self._compare(older, newer), "compare calls of the activity list")

    async def _compare(self, older: str, newer: str) -> None:
        try:
            found = [await self._records.record_of(call_id) for call_id in (older, newer)]
        except HistoryError as error:
            self.noticed.emit(tr("The calls cannot be compared: {error}", error=error))
            return
        left, right = found
        if left is None or right is None:
            self.noticed.emit(tr("One of the calls is not in the history any more"))
        else:
            self._histories.compare(left, right)

    @Slot(list)
    def make_pipeline(self, ids: Sequence[str]) -> None:
        """Have calls of the activity list made steps of a pipeline, the oldest first."""
        self._start(self._make_pipeline(tuple(ids)), "make a pipeline of the activity list")

    async def _make_pipeline(self, ids: Sequence[str]) -> None:
        try:
            found = [await self._records.record_of(call_id) for call_id in ids]
        except HistoryError as error:
            self.noticed.emit(tr("No pipeline can be made of the calls: {error}", error=error))
            return
        records = [record for record in found if record is not None]
        if len(records) < len(ids):
            self.noticed.emit(
                tr("Some of the calls are not in the history any more, so no pipeline can be made of them")
            )
        else:
            self.piped.emit(records)

    def _start(self, work: Coroutine[Any, Any, None], name: str) -> None:
        self._scope.start(work, name)  # type: ignore[unused-awaitable]

    async def _open(self, call_id: str) -> None:
        try:
            record = await self._records.record_of(call_id)
        except HistoryError as error:
            self.noticed.emit(tr("Only the newest calls can be shown again: {error}", error=error))
            return
        if record is None:
            self.noticed.emit(tr("This call is no longer in the history; run the tool anew to see its result"))
        else:
            await self._show(record)

    async def _show(self, record: CallRecord) -> None:
        from console.history.repeat_arguments import given_again  # noqa: PLC0415 -- no window is shown later for it

        if self._open_tools.show_past(await self._records.whole(record), given_again(record)):
            self.page_requested.emit("tools")
        else:
            self.noticed.emit(
                tr("The tool {name} is gone; what came of its calls is shown here", name=record.tool.name)
            )
            self._histories.show_call(record.id)

    async def _restore(self) -> None:
        from console.activity.restored import restored_rows  # noqa: PLC0415 -- as above

        try:
            rows, in_last_hour = await restored_rows(self._records, RESTORED)
        except HistoryError as error:
            self.noticed.emit(translated(error))
        else:
            self._activity.restore(rows, in_last_hour)

    @Slot(object)
    def _on_records_opened(self, report: OpenReport) -> None:
        self._start(self._restore(), "bring the activity list back")
        if report.message:
            self.noticed.emit(report.message)

    @Slot(object)
    def _on_histories_opened(self, record: CallRecord) -> None:
        self._start(self._show(record), "show a past call on its page")

    @Slot(object)
    def _on_histories_rerun(self, record: CallRecord) -> None:
        from console.history.repeat_arguments import given_again  # noqa: PLC0415 -- as above

        if self._open_tools.run_with(record.tool.name, given_again(record)):
            self.page_requested.emit("tools")
        else:
            self.noticed.emit(tr("The tool {name} is gone and cannot run again", name=record.tool.name))

    @Slot()
    def _on_histories_retry_requested(self) -> None:
        self._start(self._records.open_history(), "open the history once more")

    @Slot()
    def _on_histories_page_requested(self) -> None:
        self.page_requested.emit("history")
