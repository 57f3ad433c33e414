"""`Console`: the program behind the window. Makes services and panes, wires them, and ends them in order."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable, Sequence
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtWidgets import QFileDialog

from console.activity.model import ActivityModel
from console.activity.presenter import ActivityPresenter
from console.activity.view import ActivityView
from console.app.dialogs import AuditBox, HelpDialog, QuestionBox
from console.app.histories import Histories
from console.app.open_tools import OpenTools, load_pages
from console.app.past_timings import PastTimings
from console.app.ports import EngineCalls, EngineGuards, EnginePlugins
from console.app.project import ProjectChooser
from console.app.recall import Recall
from console.app.records import Records
from console.approval.desk import ApprovalDesk
from console.approval.model import ApprovalModel
from console.approval.presenter import ApprovalPresenter
from console.browser.presenter import BrowserPresenter
from console.browser.view import BrowserView
from console.engine import Engine
from console.execution.ports import ExecutionPorts
from console.execution.recent import RecentCalls
from console.preferences import Preferences
from console.tasks import TaskScope
from console.theme import ThemeController, ThemeMode
from console.welcome.view import WelcomeView
from console.window import Documents, MainWindow
from tools.calls import CallFinished, Event
from tools.errors import ToolConfigurationError
from tools.execution import Executor
from tools.registry import RegistryChange
from tools.spec import FailureBlock
from tools.tool import SourceKind
from tools.workbench import Workbench, data_folder

if TYPE_CHECKING:
    from console.approval.dialog import ApprovalDialog
_log = logging.getLogger(__name__)
BLOCKS_FAILING: Final = "block_failing_tools"
"""The preference by which tools that fail three times in a row are blocked for five minutes."""

PLUGIN_PATIENCE_S: Final = 3.0
"""Seconds that the tabs of the last time wait for plugin files; whichever takes longer appears later."""

FIRST_TOOL: Final = "search_files"
"""The tool that a first run opens."""

SHORTCUTS: Final = (
    ("Filter the tools tree", "Ctrl+L"),
    ("Run", "Ctrl+Enter"),
    ("Stop", "Esc"),
    ("Next tool tab", "Ctrl+Tab"),
    ("Add a plugin file", "Ctrl+Shift+O"),
    ("All shortcuts", "Ctrl+/"),
)
"""What the welcome page lists."""


class Console(QObject):
    """Own everything between the first window and the last thread.

    Args:
        theme: The look of the application.
        preferences: What is remembered between starts.
        workbench: The tools; still empty.
        project_dir: The project folder; None takes the one used last, and on a first start none.
        plugins: Further plugin files, for this run only.
        data: Where history and audit log live; None for the user's data folder.

    Signals:
        ended(): Everything has ended; the event loop may stop.
        loaded(): The tools of this computer are on the table.
        registry_changed(): Tools came or went; internal, crosses the threads.
        crashed(str): Our own code failed; a sentence for the person, from any thread.
    """

    ended = Signal()
    loaded = Signal()
    registry_changed = Signal()
    crashed = Signal(str)

    def __init__(
        self,
        theme: ThemeController,
        preferences: Preferences,
        workbench: Workbench,
        project_dir: Path | None = None,
        plugins: Sequence[Path] = (),
        *,
        data: Path | None = None,
    ) -> None:
        super().__init__()
        self._theme = theme
        self._preferences = preferences
        self._workbench = workbench
        self._extra_plugins = tuple(plugins)
        self._ending = False
        self._name_to_drop = ""
        self._tabs_to_come: tuple[str, ...] = ()
        self._ran: set[str] = set()
        self._count = 0
        self.stopped_cleanly = True
        self._scope = TaskScope("console", self._on_task_failed)
        self.engine = Engine(self)
        self.desk = ApprovalDesk(self)
        self.executor = Executor(
            workbench.registry,
            review_handler=self.desk,
            listeners=[self.engine.receive],
            app_objects=[self],
            workers=workbench.workers,
            failure_block=FailureBlock() if preferences.flag(BLOCKS_FAILING, default=False) else None,
        )
        self.records = Records(data or data_folder(), self.executor, self)
        self.recent = RecentCalls()
        self.window = MainWindow()
        self._project = ProjectChooser(self.window, self.executor, preferences, project_dir, parent=self)
        self._make_panes()
        self._wire()
        self.window.show_theme_mode(theme.mode)
        self.window.show_failure_block(is_on=self.executor.failure_block is not None)

    def _make_panes(self) -> None:
        workbench, window = self._workbench, self.window
        self._plugins = EnginePlugins(self.engine, workbench)
        self.browser_view = BrowserView()
        self.browser = BrowserPresenter(
            self.browser_view,
            workbench.registry,
            self._plugins,
            self._scope,
            last_arguments=self._preferences.last_arguments,
            parent=self,
        )
        calls = ActivityModel(parent=self)
        self.activity_view = ActivityView(calls)
        self.activity = ActivityPresenter(calls, self.activity_view, parent=self)
        self.welcome = WelcomeView()
        self.welcome.set_shortcuts(SHORTCUTS)
        self.documents = Documents(self.welcome)
        self.approvals = ApprovalPresenter(self.desk, self._open_approval, parent=self)
        ports = ExecutionPorts(
            calls=EngineCalls(self.engine, self.executor),
            scope=self._scope,
            compute=self.engine.compute,
            drafts=self._preferences,
            recent=self.recent.of,
            clock=monotonic,
            project_dir=self._project_dir,
            guards=EngineGuards(self.engine, self.executor),
        )
        self.histories = Histories(
            self.records,
            workbench.registry,
            scope=self._scope,
            recent=self.recent.of,
            ask=self._ask,
            parent=self,
        )
        self.open_tools = OpenTools(self.documents, workbench.registry, ports, self.histories, parent=self)
        self.recall = Recall(
            self.records,
            self.histories,
            open_tools=self.open_tools,
            activity=self.activity,
            registry=workbench.registry,
            scope=self._scope,
            parent=self,
        )
        self.past_timings = PastTimings(self.records, self.recent, self.open_tools, self._scope, parent=self)
        window.left_dock.setWidget(self.browser_view)
        window.bottom_dock.setWidget(self.activity_view)
        window.add_page("tools", "Tools", "wrench", self.documents)
        window.add_page("history", "History", "history", self.histories.place, whole=True)

    def _open_approval(self, model: ApprovalModel) -> ApprovalDialog:
        from console.approval.dialog import ApprovalDialog  # noqa: PLC0415 -- no window is shown later for a question

        dialog = ApprovalDialog(model, self.window, base=self.executor.project_dir)
        dialog.open()
        return dialog

    def _project_dir(self) -> Path:
        return self.executor.project_dir

    def _wire(self) -> None:
        window, view, tools = self.window, self.browser_view, self.open_tools
        self.engine.events.connect(self._on_engine_events)
        view.opened.connect(self._on_browser_tool_opened)
        view.run_again_requested.connect(tools.run)
        view.plugin_requested.connect(self._on_plugin_requested)
        self.browser.succeeded.connect(window.status_bar.show_notice)
        self.browser.failed.connect(window.status_bar.show_notice)
        self.registry_changed.connect(self._on_registry_changed, Qt.ConnectionType.QueuedConnection)
        self.crashed.connect(window.status_bar.show_notice, Qt.ConnectionType.QueuedConnection)
        self._unwatch = self._workbench.registry.watch(self._receive_change)
        self.activity_view.tool_opened.connect(tools.open)
        self.activity_view.call_opened.connect(self.recall.open_call)
        self.activity_view.stop_requested.connect(self._on_activity_stop_requested)
        self.activity_view.collapsed.connect(window.shrink_bottom)
        self._wire_window()

    def _wire_window(self) -> None:
        window, tools = self.window, self.open_tools
        self.welcome.plugin_requested.connect(self._on_plugin_requested)
        self.welcome.tool_opened.connect(self._on_welcome_tool_opened)
        self.documents.new_requested.connect(self.browser_view.focus_filter)
        tools.changed.connect(self._on_tools_changed)
        tools.refused.connect(window.status_bar.show_notice)
        tools.close_refused.connect(self._on_tools_close_refused)
        self.approvals.waiting_changed.connect(self._on_waiting_changed)
        self.approvals.opened.connect(self._on_approvals_opened)
        self.approvals.closed.connect(self._on_approvals_closed)
        window.closing.connect(self._on_window_closing)
        window.theme_chosen.connect(self._on_theme_chosen)
        window.failure_block_chosen.connect(self._on_failure_block_chosen)
        window.plugin_requested.connect(self._on_plugin_requested)
        window.reload_requested.connect(self.browser_view.reload_requested)
        window.about_requested.connect(self._on_about_requested)
        self.records.opened.connect(self._on_records_opened)
        self.records.problem_changed.connect(self._on_records_problem_changed)
        for source in (self.histories, self.recall):
            source.noticed.connect(window.status_bar.show_notice)
        self.recall.page_requested.connect(window.rail.choose)
        window.status_bar.audit_clicked.connect(self._on_status_bar_audit_clicked)
        self._project.refused.connect(window.status_bar.show_notice)
        window.top_bar.help_requested.connect(self._on_help_requested)
        window.status_bar.waiting_clicked.connect(self.approvals.show_oldest)
        window.oldest_question_requested.connect(self.approvals.show_oldest)
        window.next_tab_requested.connect(self._on_next_tab_requested)
        window.close_tab_requested.connect(self._on_close_tab_requested)

    # Life

    def start(self) -> None:
        """Show the window and begin to load the tools; from inside the running event loop."""
        self.engine.start()
        self.window.restore(self._preferences.window_geometry or b"", self._preferences.window_state or b"")
        self.window.show()
        self._loading = self._scope.start(self._load(), "load the tools")

    async def _load(self) -> None:
        self._tabs_to_come = self._preferences.open_tabs
        self.browser_view.set_loading(True)
        opening = self._scope.start(self.records.open(), "open history and audit log")
        await self._plugins.load_installed(self._extra_plugins)
        files = self._scope.start(self._load_files(), "load the plugin files")
        # No call is made before it can be kept.
        await asyncio.wait([opening])
        await asyncio.wait([files], timeout=PLUGIN_PATIENCE_S)
        self._show_loaded()
        await self.engine.compute(load_pages)
        self._reopen_tabs()
        if not files.done():
            await asyncio.wait([files])
            self._show_loaded()
            self._reopen_tabs()
        self._tabs_to_come = ()
        self.loaded.emit()
        await self.engine.compute(_load_the_rest)

    async def _load_files(self) -> None:
        try:
            await self._plugins.load_files(self._extra_plugins)
        except ToolConfigurationError as error:
            self.window.status_bar.show_notice(str(error))
        finally:
            self.browser_view.set_loading(False)

    def _show_loaded(self) -> None:
        self.browser.set_reports(self._workbench.reports)
        registry = self._workbench.registry
        self._ran = {tool.name for tool in registry if self._preferences.last_arguments(tool.name) is not None}
        self.browser.set_ran(self._ran)
        self._on_registry_changed()

    def _reopen_tabs(self) -> None:
        """Open the tabs of the last time whose tools are there; in front stays what is, else comes what was."""
        found = [name for name in self._tabs_to_come if name in self._workbench.registry]
        self._tabs_to_come = tuple(name for name in self._tabs_to_come if name not in found)
        front = self.documents.current_key if self.open_tools.names else self._preferences.current_tab
        for name in found:
            self.open_tools.open(name)
        if found and front in self.open_tools.names:
            self.open_tools.open(front)

    async def _end(self) -> None:
        """Stop calls, then tasks, then threads, then the window."""
        self._remember()
        self.approvals.deny_all("The console was closed.", from_now_on=True)
        try:
            await asyncio.wait_for(self.engine.call(self.executor.aclose), 5.0)
        except TimeoutError:
            _log.warning("calls did not end within 5 s of closing the window")
        # Whoever starts tasks when something happens is let go first.
        self.open_tools.close_all()
        self.histories.close()
        await self._scope.close()
        await self.records.close()
        with contextlib.suppress(TimeoutError):  # a tool blocks the engine; the processes end with the program
            await asyncio.wait_for(self._plugins.close(), 1.0)
        self.browser.close()
        self.activity.close()
        self._unwatch()
        ended = self.engine.stop() and self.records.is_closed
        self.stopped_cleanly = ended and not self.executor.abandoned_threads
        self.window.close_now()
        self.ended.emit()

    def _remember(self) -> None:
        preferences, window = self._preferences, self.window
        window.show_page("tools")  # with the panels that the next start begins with
        preferences.window_geometry = bytes(window.saveGeometry().data())
        preferences.window_state = bytes(window.saveState().data())
        preferences.open_tabs = (*self.open_tools.names, *self._tabs_to_come)
        preferences.current_tab = self.documents.current_key
        preferences.save()

    def end(self) -> None:
        """End the program, whatever runs."""
        if not self._ending:
            self._ending = True
            self._ending_task = asyncio.get_running_loop().create_task(self._end(), name="end of the program")

    @Slot()
    def _on_window_closing(self) -> None:
        running = len(self.executor.open_calls)
        if not running:
            self.end()
            return
        words = "1 call still runs" if running == 1 else f"{running} calls still run"
        self._ask(
            "Quit Tool Console?",
            f"{words}. Quitting stops {'it' if running == 1 else 'them'}; what is done so far is not undone.",
            "Stop and quit",
            self.end,
        )

    @Slot(str)
    def _on_tools_close_refused(self, name: str) -> None:
        self._name_to_drop = name
        self._ask(f"Close {name}?", "It still runs. Closing its page stops it.", "Stop and close", self._drop_tool)

    def _drop_tool(self) -> None:
        self.open_tools.drop(self._name_to_drop)

    def _ask(self, title: str, text: str, yes: str, then: Callable[[], None]) -> None:
        """Ask before something is lost; the default answer loses nothing."""
        box = QuestionBox(title, text, yes, self.window)
        box.agreed.connect(then)
        box.open()

    # Events

    @Slot(list)
    def _on_engine_events(self, events: list[Event]) -> None:
        self.recent.record(events)
        self._count_ran(events)
        self.recall.take(events)
        self.activity.on_events(events)
        self.browser.on_events(events)
        self.open_tools.on_events(events)
        self.records.look_for_problems()
        self._show_counts()

    def _count_ran(self, events: list[Event]) -> None:
        ended = [event.call.name for event in events if isinstance(event, CallFinished) and event.call.tool is not None]
        if not ended:
            return
        self._count += len(ended)
        self.welcome.set_ran(self._count)
        if not self._ran.issuperset(ended):
            self._ran.update(ended)
            self.browser.set_ran(self._ran)

    def _receive_change(self, _change: RegistryChange) -> None:
        self.registry_changed.emit()

    @Slot()
    def _on_registry_changed(self) -> None:
        self.engine.post(self.executor.warm_up)
        self.open_tools.refresh()
        self._show_welcome()
        self._show_counts()

    def _show_welcome(self) -> None:
        built_in = [tool for tool in self._workbench.registry if tool.source.kind is SourceKind.BUILT_IN]
        groups = dict.fromkeys(tool.toolkit or tool.spec.category for tool in built_in)
        self.welcome.set_built_in(len(built_in), tuple(groups))
        first = self._workbench.registry.find(FIRST_TOOL)
        if first is not None:
            self.welcome.set_first_tool(first.name, has_example=bool(first.spec.examples))

    def _show_counts(self) -> None:
        self.window.status_bar.show_counts(
            tools=len(self._workbench.registry),
            broken=sum(bool(report.error) for report in self._workbench.reports),
            running=len(self.executor.open_calls),
            waiting=len(self.desk.open_requests),
        )

    @Slot(int)
    def _on_waiting_changed(self, _waiting: int) -> None:
        self._show_counts()

    @Slot()
    def _on_approvals_opened(self) -> None:
        self.window.dim(dimmed=True)

    @Slot()
    def _on_approvals_closed(self) -> None:
        self.window.dim(dimmed=False)

    @Slot(str)
    def _on_activity_stop_requested(self, call_id: str) -> None:
        for call in self.executor.open_calls:
            if call.id == call_id:
                self.engine.post(call.cancel)

    @Slot()
    def _on_records_opened(self) -> None:
        self.window.status_bar.show_audit(is_on=True, problem=self.records.audit_problem)

    @Slot()
    def _on_records_problem_changed(self) -> None:
        bar, records = self.window.status_bar, self.records
        bar.show_audit(is_on=records.audit_folder is not None, problem=records.audit_problem)
        if records.problem:
            bar.show_notice(f"Calls are not recorded: {records.problem.removeprefix('calls are not recorded: ')}")
        else:
            problem = records.audit_problem
            bar.show_notice(problem[:1].upper() + problem[1:] if problem else "Calls are recorded again")

    @Slot()
    def _on_status_bar_audit_clicked(self) -> None:
        folder = self.records.audit_folder
        if folder is not None:
            box = AuditBox(folder, self.records.audit_problem, self.window)
            box.open()

    def _on_task_failed(self, error: BaseException) -> None:
        _log.error("a task of the console failed", exc_info=error)
        self.window.status_bar.show_notice(f"Something in the console itself failed: {error}")

    # What the person asks for

    @Slot(str)
    def _on_theme_chosen(self, mode: ThemeMode) -> None:
        self._theme.set_mode(mode)
        self._preferences.theme_mode = mode

    @Slot(bool)
    def _on_failure_block_chosen(self, is_on: bool) -> None:
        self._preferences.set_flag(BLOCKS_FAILING, value=is_on)
        self.engine.post(self._block_failing_tools, is_on)

    def _block_failing_tools(self, is_on: bool) -> None:
        """Do it; on the engine's thread."""
        self.executor.failure_block = FailureBlock() if is_on else None

    @Slot()
    def _on_plugin_requested(self) -> None:
        dialog = QFileDialog(self.window, "Choose a plugin file", str(self.executor.project_dir))
        dialog.setNameFilter("Python files (*.py)")
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.fileSelected.connect(self._on_plugin_selected)
        dialog.open()

    @Slot(str)
    def _on_plugin_selected(self, path: str) -> None:
        self.browser.add_plugin(Path(path))

    @Slot(str)
    def _on_browser_tool_opened(self, name: str) -> None:
        self.open_tools.open(name)
        self.open_tools.focus_arguments(name)

    @Slot(str)
    def _on_welcome_tool_opened(self, name: str) -> None:
        self.open_tools.open(name)
        self.open_tools.fill_example(name)
        self.open_tools.focus_arguments(name)

    @Slot()
    def _on_tools_changed(self) -> None:
        self.browser_view.select(self.documents.current_key)
        self._preferences.open_tabs = self.open_tools.names
        self._preferences.current_tab = self.documents.current_key

    @Slot(int)
    def _on_next_tab_requested(self, by: int) -> None:
        self.documents.step(by)

    @Slot()
    def _on_close_tab_requested(self) -> None:
        self.open_tools.close(self.documents.current_key)

    @Slot()
    def _on_help_requested(self) -> None:
        self._show_help("shortcuts.md", "Shortcuts and help")

    @Slot()
    def _on_about_requested(self) -> None:
        self._show_help("about.md", "About Tool Console")

    def _show_help(self, page: str, title: str) -> None:
        dialog = HelpDialog(title, page, self.window)
        dialog.open()


def _load_the_rest() -> None:
    """Load what is needed sooner or later, while the person looks at the window."""
    import console.app.restoring  # noqa: PLC0415 -- see above
    import console.approval.dialog  # noqa: PLC0415 -- see above
    import console.history.presenter  # noqa: F401, PLC0415 -- see above
    from console.json_view import load_languages  # noqa: PLC0415 -- see above

    load_languages()
