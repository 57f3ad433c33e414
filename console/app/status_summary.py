"""What the window says of the whole: counts and troubles in the status bar, the welcome page, which tools ever ran."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QObject, QTimer, Slot

from console.approval.approval_queue import ApprovalQueue
from console.browser.presenter import BrowserPresenter
from console.call_events import CallBegun, CallEnded, CallerMissing, WindowEvent
from console.call_storage import CallStorage
from console.language import tr
from console.preferences import Preferences
from console.tool_list import ToolList, toolkit_words
from console.welcome.view import FIRST_TOOL, WelcomeView
from console.window import MainWindow
from tools.card import SourceKind
from tools.sentences import begin_sentence

_PAUSE_MS: Final = 250
"""How long counts stay as they are after they changed: each change lays out and paints much of the window anew."""


class StatusSummary(QObject):
    """Keep the status bar, the welcome page and the marks of the tools tree in step with the program.

    Args:
        window: Has the status bar.
        welcome: The welcome page.
        browser: Marks the tools that ran, and knows which plugins did not load.
        tools: The tools.
        desk: The questions that wait.
        records: Tell what cannot be kept.
        preferences: Remember which tools ran.
        parent: Its owner.
    """

    def __init__(
        self,
        window: MainWindow,
        welcome: WelcomeView,
        browser: BrowserPresenter,
        *,
        tools: ToolList,
        desk: ApprovalQueue,
        records: CallStorage,
        preferences: Preferences,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._status_bar = window.status_bar
        self._welcome = welcome
        self._browser = browser
        self._tools = tools
        self._desk = desk
        self._records = records
        self._preferences = preferences
        self._are_tools_known = False
        self._ran: set[str] = set()
        self._running: set[str] = set()
        self._without_caller: set[str] = set()
        self._count = 0
        self._pause = QTimer(self, singleShot=True, interval=_PAUSE_MS)
        self._pause.timeout.connect(self._on_pause_timeout)
        self._is_behind = False
        records.opened.connect(self._on_records_opened)
        records.problem_changed.connect(self._on_records_problem_changed)

    def note_loaded(self) -> None:
        """Hear that the tools of this computer are loaded, and mark those that ran at an earlier start."""
        self._are_tools_known = True
        self._ran = {tool.name for tool in self._tools if self._preferences.last_arguments(tool.name) is not None}
        self._browser.set_ran(self._ran)

    @property
    def running(self) -> int:
        """How many calls run or wait, as far as the window was told."""
        return len(self._running)

    def take(self, events: Sequence[WindowEvent]) -> None:
        """Follow what became of calls."""
        for event in events:
            if isinstance(event, CallBegun):
                self._running.add(event.call_id)
            elif isinstance(event, CallerMissing) and event.until is not None:
                self._without_caller.add(event.call_id)
            elif isinstance(event, CallerMissing):
                self._without_caller.discard(event.call_id)
            elif isinstance(event, CallEnded):
                self._running.discard(event.record.id)
                self._without_caller.discard(event.record.id)
        records = [event.record for event in events if isinstance(event, CallEnded)]
        ended = [record.tool.name for record in records if record.tool.known and not record.is_probe]
        if ended:
            self._count += len(ended)
            if not self._ran.issuperset(ended):
                self._ran.update(ended)
                self._browser.set_ran(self._ran)
        self._is_behind = True
        if not self._pause.isActive():
            self._catch_up()

    def _catch_up(self) -> None:
        self._is_behind = False
        self._pause.start()
        self._welcome.set_ran(self._count)
        self._records.look_for_problems()
        self.show_counts()

    @Slot()
    def _on_pause_timeout(self) -> None:
        if self._is_behind:
            self._catch_up()

    def show_tools(self) -> None:
        """Follow that tools came or went; before the first come, what the early window said of them stands."""
        if not self._are_tools_known and not len(self._tools):
            return
        built_in = [tool for tool in self._tools if tool.source.kind is SourceKind.BUILT_IN]
        groups = dict.fromkeys(map(toolkit_words, built_in))
        self._welcome.set_built_in(len(built_in), tuple(groups))
        first = self._tools.find(FIRST_TOOL)
        if first is None:
            self._welcome.set_first_tool("")
        else:
            self._welcome.set_first_tool(first.name, has_example=bool(first.spec.examples))
        self.show_counts()

    @Slot()
    def show_counts(self) -> None:
        """Say how many tools there are, how many calls run, and how many wait for an answer."""
        if not self._are_tools_known and not len(self._tools):
            return
        self._status_bar.show_counts(
            tools=len(self._tools),
            broken=self._browser.broken,
            running=len(self._running - self._without_caller),
            waiting=len(self._desk.open_requests),
        )

    @Slot()
    def _on_records_opened(self) -> None:
        self._status_bar.show_audit(is_on=True, problem=self._records.audit_problem)

    @Slot()
    def _on_records_problem_changed(self) -> None:
        bar, records = self._status_bar, self._records
        bar.show_audit(is_on=records.audit_folder is not None, problem=records.audit_problem)
        if records.problem:
            bar.show_notice(tr("Calls are not recorded: {problem}", problem=records.problem))
        else:
            problem = records.audit_problem
            bar.show_notice(begin_sentence(problem) if problem else tr("Calls are recorded again"))
