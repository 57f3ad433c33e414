"""The History page and the History tabs of open tools: made when somebody looks, kept in step, wired to the rest."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from console.call_result.recent import RecentCall
from console.call_storage import CallStorage
from console.language import tr
from console.lazy_page import LazyPage
from console.tasks import TaskScope
from console.tool_list import ToolList
from console.widgets import ConfirmLoss

if TYPE_CHECKING:
    from console.call_result.presenter import CallPresenter
    from console.history.actions import CallActions
    from console.history.presenter import HistoryPresenter, ToolHistoryPresenter
    from console.history.tool_view import ToolHistoryView
    from console.history.view import HistoryView
    from tools.calls import CallRecord
    from tools.history import HistoryChange


class _ShownCall:
    """Show what came of a past call beside the list."""

    def __init__(self, records: CallStorage, tools: ToolList, presenter: CallPresenter) -> None:
        self._records = records
        self._tools = tools
        self._presenter = presenter

    async def show(self, record: CallRecord) -> None:
        shown = await self._records.whole(record)
        self._presenter.begin()
        self._presenter.show_final(shown, self._tools.find(record.tool.name))

    def clear(self) -> None:
        self._presenter.clear()


class HistoryPane(QObject):
    """Own everything that lists past calls.

    Args:
        recent: The last calls of a tool, oldest first.

    Signals:
        opened(CallRecord): A call is to be shown on its tool's page.
        rerun(CallRecord): A tool is to run again with a call's arguments.
        batched(list): These calls are to be steps of a plan, the oldest first.
        piped(list): These calls are to be steps of a pipeline, the oldest first.
        noticed(str): A sentence for the person.
        page_requested: The History page is to come to the front.
        retry_requested: The history is to be opened once more.
    """

    opened = Signal(object)
    rerun = Signal(object)
    batched = Signal(list)
    piped = Signal(list)
    noticed = Signal(str)
    page_requested = Signal()
    retry_requested = Signal()

    def __init__(
        self,
        records: CallStorage,
        tools: ToolList,
        *,
        scope: TaskScope,
        recent: Callable[[str], Sequence[RecentCall]],
        ask: ConfirmLoss,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._records = records
        self._tools = tools
        self._scope = scope
        self._recent = recent
        self._ask = ask
        self._asking: tuple[CallActions, list[str]] | None = None
        self._page: HistoryPresenter | None = None
        self._view: HistoryView | None = None
        self._call: CallPresenter | None = None
        self._tabs: dict[str, ToolHistoryPresenter] = {}
        self.widget = LazyPage(tr("History"))
        self.widget.wanted.connect(self._on_widget_wanted)
        records.opened.connect(self._on_records_opened)
        records.changed.connect(self._on_records_changed)
        records.problem_changed.connect(self._on_records_problem_changed)
        self._front = ""

    @Slot()
    def _on_widget_wanted(self) -> None:
        from console.call_result.presenter import CallPresenter  # noqa: PLC0415 -- no window is shown later for it
        from console.call_result.view import CallView  # noqa: PLC0415 -- as above
        from console.history.model import HistoryModel  # noqa: PLC0415 -- as above
        from console.history.presenter import HistoryPresenter  # noqa: PLC0415 -- as above
        from console.history.view import HistoryView  # noqa: PLC0415 -- as above

        model = HistoryModel(parent=self)
        call = CallView()
        call.result_header.maximise.hide()
        self._call = CallPresenter(
            call,
            scope=self._scope,
            compute=self._records.compute,
            recent=self._recent,
            notify=self.noticed.emit,
            parent=self,
        )
        call.result_header.facts.begins_left = True
        self._view = HistoryView(model, call, call.result_header.facts)
        actions = self._make_actions()
        self._page = HistoryPresenter(
            model,
            self._view,
            self._records,
            _ShownCall(self._records, self._tools, self._call),
            actions,
            scope=self._scope,
            knows=self._knows,
            parent=self,
        )
        self._view.banner.action_requested.connect(self.retry_requested)
        self.widget.fill(self._view)

    def _knows(self, tool: str) -> bool:
        return self._tools.find(tool) is not None

    def show_call(self, record_id: str) -> None:
        """Bring the History page to the front with one call chosen."""
        self.page_requested.emit()
        if self._page is not None:
            self._page.show_call(record_id)

    def show_tool(self, tool: str) -> None:
        """Bring the History page to the front with the calls of one tool."""
        self.page_requested.emit()
        if self._page is not None:
            self._page.show_tool(tool)

    def show_caller(self, caller: str) -> None:
        self.page_requested.emit()
        if self._page is not None:
            self._page.show_caller(caller)

    def make_tab(self, tool: str) -> ToolHistoryView:
        from console.history.model import HistoryModel  # noqa: PLC0415 -- see above
        from console.history.presenter import ToolHistoryPresenter  # noqa: PLC0415 -- see above
        from console.history.tool_view import ToolHistoryView  # noqa: PLC0415 -- see above

        model, actions = HistoryModel(), self._make_actions()
        view = ToolHistoryView(tool, model)
        presenter = ToolHistoryPresenter(model, view, self._records, actions, scope=self._scope, parent=self)
        # With this pane as their parent they would outlive the tab.
        model.setParent(view)
        actions.setParent(presenter)
        presenter.all_requested.connect(self.show_tool)
        self._tabs[tool] = presenter
        return view

    def tab(self, tool: str) -> ToolHistoryPresenter | None:
        """Return what stands behind a tool's tab; None when it is not open."""
        return self._tabs.get(tool)

    def drop_tab(self, tool: str) -> None:
        """Let a tool's tab go."""
        presenter = self._tabs.pop(tool, None)
        if presenter is not None:
            presenter.close()
            presenter.deleteLater()

    def bring_to_front(self, tool: str) -> None:
        """Take note whose page is in front; only that one follows what changes at once."""
        self._front = tool
        presenter = self._tabs.get(tool)
        if presenter is not None:
            presenter.catch_up()

    def close(self) -> None:
        for tool in tuple(self._tabs):
            self.drop_tab(tool)
        if self._page is not None:
            self._page.close()
        if self._call is not None:
            self._call.close()

    def _make_actions(self) -> CallActions:
        from console.history.actions import CallActions  # noqa: PLC0415 -- see above

        actions = CallActions(self._records, self._scope, self)
        actions.opened.connect(self.opened)
        actions.rerun.connect(self.rerun)
        actions.batched.connect(self.batched)
        actions.piped.connect(self.piped)
        actions.noticed.connect(self.noticed)
        actions.compared.connect(self.compare)
        actions.deletion_asked.connect(self._on_actions_deletion_asked)
        return actions

    @Slot(object, object)
    def compare(self, left: CallRecord, right: CallRecord) -> None:
        """Show two calls beside each other, the older one at the left."""
        from console.call_result.compared_calls import side_of_call  # noqa: PLC0415 -- few people compare
        from console.comparison import open_comparison  # noqa: PLC0415 -- as above
        from console.history.rows import subtitle_of  # noqa: PLC0415 -- as above

        now = datetime.now(UTC)
        sides = [side_of_call(record, subtitle_of(record, now)) for record in (left, right)]
        open_comparison(self.widget.window(), *sides, compute=self._records.compute, scope=self._scope)

    @Slot(list, str)
    def _on_actions_deletion_asked(self, ids: list[str], text: str) -> None:
        from console.history.actions import CallActions  # noqa: PLC0415 -- see above

        actions = self.sender()
        if not isinstance(actions, CallActions):
            return
        self._asking = (actions, ids)
        title = tr("Delete the call?") if len(ids) == 1 else tr("Delete the calls?")
        self._ask(title, text, tr("Delete"), self._delete_asked)

    def _delete_asked(self) -> None:
        if self._asking is not None:
            actions, ids = self._asking
            self._asking = None
            actions.delete(ids)

    @Slot()
    def _on_records_opened(self) -> None:
        if self._page is not None:
            self._page.begin()

    @Slot(object)
    def _on_records_changed(self, change: HistoryChange) -> None:
        if self._page is not None:
            self._page.follow(change.written, forgotten=change.forgotten)
        for tool, presenter in self._tabs.items():
            presenter.follow(change.written, at_once=tool == self._front)

    @Slot()
    def _on_records_problem_changed(self) -> None:
        if self._page is not None:
            self._page.show_problem()
