"""The window as it is painted first: with the built-in tools, before the program behind it is loaded."""

from __future__ import annotations

import json
from collections.abc import Container, Iterable, Sequence
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QEvent, QObject, Signal, SignalInstance, Slot

from console.browser.chosen_tools import show_first_choice
from console.browser.tool_tree import ToolRow, ToolSourceRow
from console.browser.view import BrowserView
from console.keymap import SHORTCUTS_FILE, Keymap, use_keymap
from console.language import tr, translated
from console.preferences import Preferences
from console.theme.files import resource_text
from console.window import MainWindow
from console.window.project import branch_of, last_project, recent_projects

if TYPE_CHECKING:
    from PySide6.QtWidgets import QMessageBox

    from console.welcome.first_steps_view import FirstStepsBar

ROWS_FILE: Final = "tool-rows.json"
"""The rows of the built-in tools, in `resources`; `packaging/catalogue.py` writes the file."""

FIRST_STEPS_ON: Final = "first_steps"
"""The preference by which the bar of the first steps is shown."""

_PAGES: Final = (
    ("tools", tr("Tools"), "wrench"),
    ("health", tr("Health"), "activity"),
    ("batch", tr("Batch"), "workflow"),
    ("approvals", tr("Approvals"), "shield-check"),
    ("servers", tr("Servers"), "server"),
    ("assistant", tr("Assistant"), "message-square-text"),
    ("history", tr("History"), "history"),
    ("prompts", tr("Prompts"), "scroll-text"),
    ("agents", tr("Agents"), "bot"),
)


class KeptRequest(QObject):
    """Keep what one signal asks for until the program is there that does it.

    Args:
        signal: What a person asks for.
        asked: The requests of all signals with their arguments, the latest last; each counts once.
        parent: Its owner.
    """

    def __init__(self, signal: SignalInstance, asked: dict[KeptRequest, tuple[Any, ...]], parent: QObject) -> None:
        super().__init__(parent)
        self.signal = signal
        self._asked = asked
        signal.connect(self._on_signal)

    def _on_signal(self, *arguments: Any) -> None:
        self._asked.pop(self, None)
        self._asked[self] = arguments

    def stop(self) -> None:
        """Keep nothing more."""
        self.signal.disconnect(self._on_signal)


class EarlyWindow(QObject):
    """Make the window and what a person sees of it first; nothing here needs a tool, a call or an engine.

    The person can look through the tools, filter them and choose one, choose a page and ask for what the menus and the
    keys offer. What cannot be done yet is kept and done when the program is there. Closing the window ends the program.

    Args:
        preferences: What is remembered between starts.
        project: The project folder; None takes the one used last.
        parent: Its owner.

    Attributes:
        is_closed: Whether it was closed before the program was there.

    Signals:
        painted(): The window was painted for the first time.
        closed(): The window was closed before the program was there.
        tool_opened(str): The tool of this name, which is there, shall be shown.
        first_tool_opened(str): The same of the tool that the first page proposes, with an example filled in.
        step_requested(str): The person wants to be led to this one of the first steps, and the tools are there.
    """

    painted = Signal()
    closed = Signal()
    tool_opened = Signal(str)
    first_tool_opened = Signal(str)
    step_requested = Signal(str)

    def __init__(self, preferences: Preferences, project: Path | None = None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        # The keys count from before the first command is made.
        use_keymap(Keymap(preferences.path.with_name(SHORTCUTS_FILE)))
        self._preferences = preferences
        window = self.window = MainWindow()
        self.browser_view = BrowserView()
        # Until the program says what there is.
        self.browser_view.set_loading(True)
        self.is_closed = False
        self._is_filled = False
        self._project = project or last_project(preferences)
        # Tools that are shown although nobody has looked for them yet, the one of them that was chosen and for what.
        self._awaited: frozenset[str] = frozenset()
        self._chosen = ""
        self._chosen_for = self.tool_opened
        self._step = ""
        self._shows_first_steps = preferences.flag(FIRST_STEPS_ON, default=False)
        self._rows: Sequence[ToolRow] = ()
        window.left_dock.setWidget(self.browser_view)
        for key, text, icon in _PAGES:
            window.rail.add_page(key, text, icon)
        window.rail.add_last("settings", tr("Settings"), "settings")
        self.browser_view.opened.connect(self._on_browser_view_opened)
        window.closing.connect(self.close)
        window.filter_requested.connect(self.browser_view.focus_filter)
        self._asked: dict[KeptRequest, tuple[Any, ...]] = {}
        self._requests: list[KeptRequest] = []
        view, bar = self.browser_view, window.top_bar
        self._keep(
            window.theme_chosen,
            window.plugin_requested,
            window.api_requested,
            window.export_requested,
            window.settings_requested,
            window.new_tool_requested,
            window.first_steps_requested,
            window.about_requested,
            window.installation_requested,
            window.crash_reports_requested,
            window.pause_requested,
            bar.search_requested,
            bar.help_requested,
            bar.folder_requested,
            bar.sample_requested,
            bar.project_chosen,
            bar.project_removed,
            bar.quiet_toggled,
            bar.sounds_toggled,
            bar.allowing_toggled,
            view.all_requested,
            view.star_requested,
            view.copy_requested,
            view.plugin_requested,
            view.new_tool_requested,
            view.connection_requested,
        )

    def _keep(self, *signals: SignalInstance) -> None:
        self._requests += [KeptRequest(signal, self._asked, self) for signal in signals]

    def fill(self) -> None:
        """Add what a person does not use first, if it is not there: the page of tools, the welcome, the calls."""
        if self._is_filled:
            return
        self._is_filled = True
        # After the window was painted.
        from console.activity.model import ActivityModel  # noqa: PLC0415
        from console.activity.view import ActivityView  # noqa: PLC0415
        from console.welcome.view import FIRST_TOOL, WelcomeView  # noqa: PLC0415
        from console.window.documents import Documents  # noqa: PLC0415

        welcome = self.welcome = WelcomeView()
        self.documents = Documents(welcome)
        self.calls = ActivityModel()
        self.activity_view = ActivityView(self.calls)
        self.documents.new_requested.connect(self.window.show_tools)
        welcome.set_built_in(len(self._rows), tuple(dict.fromkeys(row.group for row in self._rows)))
        welcome.show_projects(self._project, recent_projects(self._preferences), datetime.now(UTC))
        if FIRST_TOOL in self._awaited:
            welcome.set_first_tool(FIRST_TOOL, has_example=True)
        welcome.tool_opened.connect(self._on_welcome_tool_opened)
        self.window.add_page("tools", self.documents)
        self.window.bottom_dock.setWidget(self.activity_view)
        self._keep(
            welcome.plugin_requested,
            welcome.new_tool_requested,
            welcome.connection_requested,
            welcome.agent_requested,
            welcome.folder_requested,
            welcome.sample_requested,
            welcome.project_chosen,
            welcome.project_removed,
        )

    @cached_property
    def first_steps_bar(self) -> FirstStepsBar:
        """The bar of the first steps; most people have been through them, and the first page is without."""
        from console.welcome.first_steps_view import FirstStepsBar, done_steps  # noqa: PLC0415 -- as above

        bar = FirstStepsBar()
        bar.show_done(done_steps(self._preferences))
        bar.step_requested.connect(self._on_first_steps_bar_step_requested)
        self._keep(bar.own_requested, bar.skipped)
        self.window.add_bottom_bar(bar)
        bar.setVisible(self._shows_first_steps)
        return bar

    def show_what_is_known(self) -> None:
        """Show the built-in tools and the project, as long as the program cannot tell."""
        rows = self._rows = read_rows(resource_text(ROWS_FILE))
        self._await(frozenset(row.name for row in rows))
        show_first_choice(self.browser_view, self._preferences, self._project)
        self.browser_view.set_rows(rows)
        self.window.status_bar.show_counts(tools=len(rows), broken=0, running=0, waiting=0)
        self.window.top_bar.show_project(self._project, branch_of(self._project), recent_projects(self._preferences))

    def _await(self, names: frozenset[str]) -> None:
        self._awaited = names
        self.browser_view.set_awaited(names)

    def show(self) -> None:
        """Show the window as large as it was the last time."""
        preferences, window = self._preferences, self.window
        if self._shows_first_steps:
            self.first_steps_bar.show()
        window.restore(preferences.window_geometry or b"", preferences.window_state or b"")
        window.installEventFilter(self)
        window.show()

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        """Notice the first time that the window is painted, with all that it holds before the next event."""
        if event.type() is QEvent.Type.Paint:
            self.window.removeEventFilter(self)
            self.painted.emit()
        return False

    def carry_out(self) -> None:
        """Do what was asked for before somebody could do it, in that order, except for the tool that was chosen."""
        self.window.closing.disconnect(self.close)
        for request in self._requests:
            request.stop()
        for request, arguments in self._asked.items():
            request.signal.emit(*arguments)
        self._asked.clear()

    @Slot()
    def close(self) -> None:
        """End the program before it is there: remember how large the window was, and close it."""
        preferences, window = self._preferences, self.window
        preferences.window_geometry = bytes(window.saveGeometry().data())
        preferences.window_state = bytes(window.saveState(window.state_version).data())
        preferences.save()
        # It may be asked for by the close event of the window, inside of which Qt closes nothing.
        window.hide()
        self.is_closed = True
        self.closed.emit()

    def take_tools(self, tools: Container[str], *, are_all: bool = False) -> None:
        """Open the tool that was chosen, if it is there now; go to the step that was chosen, when all are.

        Args:
            tools: The names of the tools there are.
            are_all: Whether none of the shipped ones is still to come; those that are not there are shown no more.
        """
        missing = frozenset(name for name in self._awaited if name not in tools)
        if are_all and missing:
            self.browser_view.apply((), missing)
        self._await(frozenset() if are_all else missing)
        if self._chosen and self._chosen not in self._awaited:
            chosen, self._chosen = self._chosen, ""
            self._chosen_for.emit(chosen)
        self._lead()

    @Slot(str)
    def _on_browser_view_opened(self, name: str) -> None:
        self._open(name, self.tool_opened)

    @Slot(str)
    def _on_welcome_tool_opened(self, name: str) -> None:
        self._open(name, self.first_tool_opened)

    def _open(self, name: str, opened: SignalInstance) -> None:
        if name not in self._awaited:
            opened.emit(name)
            return
        self._chosen, self._chosen_for = name, opened
        self.window.status_bar.show_notice(tr("{name} opens in a moment.", name=name))

    @Slot(str)
    def _on_first_steps_bar_step_requested(self, key: str) -> None:
        self._step = key
        self._lead()

    def _lead(self) -> None:
        if self._step and not self._awaited:
            step, self._step = self._step, ""
            self.step_requested.emit(step)

    def tell_failure(self, error: BaseException) -> QMessageBox:
        """Say that the program behind the window cannot be loaded.

        Returns:
            The question box, already open, which has one button.
        """
        from PySide6.QtWidgets import QMessageBox  # noqa: PLC0415 -- most starts need none

        box = QMessageBox(
            QMessageBox.Icon.Critical,
            tr("Tool Console cannot start"),
            tr("A part of the program cannot be loaded: {error}. Install it again; the log has more.", error=error),
            QMessageBox.StandardButton.Close,
            self.window,
        )
        box.open()
        return box


def rows_text(rows: Iterable[ToolRow]) -> str:
    """Return a text with what a tree shows of built-in tools on any computer, in any language."""
    kept = ("name", "group", "title", "description", "keywords", "asks_first", "latency")
    plain = ({key: value for key in kept if (value := getattr(row, key))} for row in rows)
    return "[\n" + ",\n".join(json.dumps(row, ensure_ascii=False) for row in plain) + "\n]\n"


def read_rows(text: str) -> list[ToolRow]:
    """Return the rows that a text of `rows_text` holds, below toolkits in the language of the window."""
    source = ToolSourceRow("built-in", "Built-in")
    return [
        ToolRow(
            source=source,
            **{**row, "group": translated(row["group"]), "keywords": tuple(row.get("keywords", ()))},
        )
        for row in json.loads(text)
    ]
