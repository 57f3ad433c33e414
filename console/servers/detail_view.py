"""The chosen server: what it is and how it stands, and behind tabs all that it offers and says."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from typing import Any, Final

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QAction, QPainter, QPaintEvent
from PySide6.QtWidgets import QFileDialog, QFrame, QHBoxLayout, QSizePolicy, QStackedWidget, QVBoxLayout, QWidget

from console.prompts.model import PromptModel
from console.prompts.view import PromptsView
from console.servers.changes_view import DefinitionChangesView
from console.servers.config_form import ConfigForm
from console.servers.log_view import LogCard, LogModel
from console.servers.model import ResourceModel, ToolModel
from console.servers.offers_view import ResourcesView, ToolsView
from console.servers.rows import ServerDetail, ServerHeader, ServerProblem, ServerRemedyKey, remedy_words
from console.theme import theme_of
from console.widgets import (
    BarFrame,
    Button,
    Divider,
    ElidedLabel,
    EmptyState,
    IconButton,
    IconLabel,
    InnerTabBar,
    Menu,
    TextLabel,
    paint_box,
    set_surface,
)


class SettingsView(QWidget):
    """Edit a server where it stands.

    Args:
        parent: Its owner.

    Signals:
        start_wanted(dict): What runs with these settings is to be shown.
        trial_requested(dict): The server shall be tried with these settings.
        save_requested(dict): These settings shall hold.
        remove_requested: The server shall be forgotten.
        export_requested: Its entry shall be put on the clipboard, as other programs read it.
    """

    start_wanted = Signal(dict)
    trial_requested = Signal(dict)
    save_requested = Signal(dict)
    remove_requested = Signal()
    export_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        body = QWidget(self)
        self.form = ConfigForm(body)
        self.remove = Button("Remove…", kind="danger", icon="trash-2")
        self.export = Button("Copy for other programs", icon="copy")
        self.trial = Button("Test connection", icon="activity")
        self.save = Button("Save", kind="primary", icon="check")
        self._note = ElidedLabel("", "small", "text3")
        inside = QVBoxLayout(body)
        inside.setContentsMargins(20, 12, 20, 12)
        inside.addWidget(self.form)
        foot = BarFrame(48, surface="surface", edge="top", margins=(20, 20))
        foot.row.addWidget(self.remove)
        foot.row.addWidget(self.export)
        foot.row.addWidget(self._note, 1)
        foot.row.addWidget(self.trial)
        foot.row.addWidget(self.save)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(body, 1)
        column.addWidget(foot)
        self.form.start_wanted.connect(self.start_wanted)
        self.form.changed.connect(self._follow)
        self.remove.clicked.connect(self.remove_requested)
        self.export.clicked.connect(self.export_requested)
        self.trial.clicked.connect(self._on_trial_clicked)
        self.save.clicked.connect(self._on_save_clicked)

    def show_value(self, value: Mapping[str, Any], note: str) -> None:
        """Show the settings of a server.

        Args:
            value: As `ConfigForm` takes them.
            note: Which file they stand in.
        """
        self.form.show_value(value)
        self._note.set_text(note)
        self._follow()

    def _follow(self) -> None:
        can_save = self.form.can_save
        self.trial.setEnabled(can_save)
        self.save.setEnabled(can_save and self.form.is_changed)

    def _on_trial_clicked(self) -> None:
        self.trial_requested.emit(self.form.value())

    def _on_save_clicked(self) -> None:
        self.save_requested.emit(self.form.value())


class TroubleView(QFrame):
    """Tell what went wrong, and offer what helps.

    Args:
        parent: Its owner.

    Signals:
        remedy_requested: What helps shall be done.
    """

    remedy_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("What went wrong")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Maximum)
        self.fact = TextLabel("", "heading", "error", wrap=True, selectable=True)
        self.details = TextLabel("", "code", "text2", wrap=True, selectable=True)
        self.details.setAccessibleName("Details")
        self.advice = TextLabel("", "small", "text", wrap=True, selectable=True)
        self.remedy = Button("")
        row = QHBoxLayout(self)
        row.setContentsMargins(14, 10, 12, 10)
        row.setSpacing(10)
        row.addWidget(IconLabel("octagon-x", "", tone="error", size=16), 0, Qt.AlignmentFlag.AlignTop)
        words = QVBoxLayout()
        words.setSpacing(4)
        for label in (self.fact, self.details, self.advice):
            words.addWidget(label)
        row.addLayout(words, 1)
        row.addWidget(self.remedy, 0, Qt.AlignmentFlag.AlignTop)
        self.remedy.clicked.connect(self.remedy_requested)
        self.hide()

    def show_trouble(self, trouble: ServerProblem | None, remedy: ServerRemedyKey) -> None:
        """Show what went wrong; None takes it away."""
        self.setVisible(trouble is not None)
        if trouble is None:
            return
        self.fact.setText(trouble.fact)
        self.details.setText("\n".join(trouble.details))
        self.details.setVisible(bool(trouble.details))
        self.advice.setText(trouble.advice)
        self.advice.setVisible(bool(trouble.advice))
        self.remedy.setText(remedy_words(remedy))
        self.remedy.setVisible(bool(remedy))
        self.remedy.updateGeometry()

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = theme_of(self)
        tone = theme.status.error
        paint_box(QPainter(self), self.rect(), theme.radius.medium, fill=tone.soft, border=tone.border)


TABS: Final = ("Changes", "Tools", "Resources", "Prompts", "Log", "Settings")
"""The tabs, left to right."""

CHANGES, TOOLS, _, _, LOG, SETTINGS = range(len(TABS))
_HEAD: Final = 44
_PICTURE: Final = 20
_MENU: Final = (
    ("log", "Save the log…"),
    ("export", "Copy for other programs"),
    ("consent", "What runs when it starts…"),
    ("folders", "Ask again for its folders"),
    ("switch", "Switch off"),
    ("remove", "Remove…"),
)


class ServerModels:
    """The lists that belong to the chosen server.

    Attributes:
        tools: What it offers.
        resources: What it lets one read.
        prompts: The texts it makes.
        log: What it says, and what is said to it.
    """

    def __init__(self) -> None:
        self.tools = ToolModel()
        self.resources = ResourceModel()
        self.prompts = PromptModel(with_source=False)
        self.log = LogModel()


class ServerDetailView(QWidget):
    """Show one server.

    Args:
        models: Its lists.
        in_pieces: Whether whoever makes it goes through `pieces`, and lets the window paint between two of them: all at
            once take longer than a frame.
        parent: Its owner.

    Signals:
        ping_requested: It shall be asked whether it is there.
        restart_requested: It shall be ended and started again.
        connect_requested: It shall be started.
        disconnect_requested: It shall be ended.
        remedy_requested: What helps shall be done.
        remove_requested: It shall be forgotten.
        export_requested: Its entry shall be put on the clipboard.
        consent_requested: What runs when it starts shall be shown.
        folders_forgotten: It shall be asked again which folders it may know of.
        switched(bool): It shall be started, now and with the program, or not.
        log_save_chosen(str): The log shall be written to this file.
    """

    ping_requested = Signal()
    restart_requested = Signal()
    connect_requested = Signal()
    disconnect_requested = Signal()
    remedy_requested = Signal()
    remove_requested = Signal()
    export_requested = Signal()
    consent_requested = Signal()
    folders_forgotten = Signal()
    switched = Signal(bool)
    log_save_chosen = Signal(str)

    def __init__(self, models: ServerModels, *, in_pieces: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_surface(self, "surface")
        self._models = models
        self._shown = ServerHeader("")
        self.tabs = InnerTabBar("Parts of the server")
        self.pieces: Final = self._make()
        if not in_pieces:
            deque(self.pieces, 0)

    def _make(self) -> Iterator[None]:
        models = self._models
        # Each part begins where it will stand: a widget with much in it that is moved is styled anew.
        self._pages = QStackedWidget(self)
        self.changes = DefinitionChangesView(models.log, self._pages)
        yield
        self.tools = ToolsView(models.tools, self._pages)
        yield
        self.resources = ResourcesView(models.resources, self._pages)
        yield
        none = EmptyState("message-square-text", "No prompts", "The texts that the server makes stand here.")
        self.prompts = PromptsView(models.prompts, none, self._pages)
        yield
        self._log_page = QWidget(self._pages)
        self.log = LogCard(models.log, parent=self._log_page)
        yield
        self.settings = SettingsView(self._pages)
        yield
        self.trouble = TroubleView()
        self._picture = IconLabel("server", size=_PICTURE)
        self._name = TextLabel("", "title")
        self._facts = ElidedLabel("", "small", "text3")
        self.ping = Button("Ping", icon="activity")
        self.restart = Button("Restart", icon="refresh-cw")
        self.disconnect_button = Button("Disconnect", icon="unplug")
        self.connect_button = Button("Connect", kind="soft", icon="play")
        self.more = IconButton("ellipsis", "More about this server")
        self._actions: dict[str, QAction] = {}
        self._build()
        self._connect()

    def _build(self) -> None:
        head = BarFrame(_HEAD, edge="none", margins=(20, 12))
        head.row.addWidget(self._picture)
        head.row.addWidget(self._name)
        head.row.addWidget(self._facts, 1)
        for button in (self.ping, self.restart, self.disconnect_button, self.connect_button, self.more):
            head.row.addWidget(button)
        menu = Menu("More about this server", self.more)
        for key, words in _MENU:
            action = QAction(words, menu)
            action.setData(key)
            menu.addAction(action)
            self._actions[key] = action
        menu.triggered.connect(self._on_menu_triggered)
        self.more.setMenu(menu)
        inside = QVBoxLayout(self._log_page)
        inside.setContentsMargins(20, 12, 20, 16)
        inside.addWidget(self.log)
        for page in (self.changes, self.tools, self.resources, self.prompts, self._log_page, self.settings):
            self._pages.addWidget(page)
        for words in TABS:
            self.tabs.add_tab(words)
        self._around = QWidget()
        around = QVBoxLayout(self._around)
        around.setContentsMargins(20, 4, 20, 8)
        around.addWidget(self.trouble)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(head)
        column.addWidget(self._around)
        column.addWidget(self.tabs)
        column.addWidget(Divider())
        column.addWidget(self._pages, 1)

    def _connect(self) -> None:
        self.tabs.currentChanged.connect(self._pages.setCurrentIndex)
        self.ping.clicked.connect(self.ping_requested)
        self.restart.clicked.connect(self.restart_requested)
        self.connect_button.clicked.connect(self.connect_requested)
        self.disconnect_button.clicked.connect(self.disconnect_requested)
        self.trouble.remedy_requested.connect(self.remedy_requested)
        self.settings.remove_requested.connect(self.remove_requested)
        self.settings.export_requested.connect(self.export_requested)
        self.changes.log_save_requested.connect(self._on_log_save_requested)
        self.log.save_requested.connect(self._on_log_save_requested)
        self.tools.changes_requested.connect(self._on_tools_changes_requested)

    def minimumSizeHint(self) -> QSize:
        """Return what it can do with: its parts scroll."""
        return QSize(480, 200)

    @property
    def tab(self) -> int:
        """Give the tab in sight, a place of `TABS`."""
        return self.tabs.currentIndex()

    def show_tab(self, tab: int) -> None:
        """Bring a tab to the front, a place of `TABS`."""
        self.tabs.setCurrentIndex(tab)

    def show_detail(self, detail: ServerDetail) -> None:
        """Show all of a server but its log and its settings."""
        is_other = detail.head.name != self._shown.name
        self._show_head(detail.head)
        self._models.tools.show_rows(detail.tools)
        self._models.resources.show_rows(detail.resources)
        self._models.prompts.show_rows(detail.prompts)
        self.changes.show_changes(detail.changes)
        self.tools.show_connected(connected=detail.head.can_ping)
        self.resources.show_following(possible=detail.can_follow)
        self.resources.completions.set_on(is_on=detail.can_complete)
        counts = (len(detail.changes), len(detail.tools), len(detail.resources), len(detail.prompts))
        for tab, count in enumerate(counts):
            self.tabs.set_count(tab, f"{count:,}" if count else "")
        if is_other and self.tab in {CHANGES, TOOLS}:
            self.show_tab(CHANGES if detail.changes else TOOLS)

    def _show_head(self, head: ServerHeader) -> None:
        self._shown = head
        self._picture.show_picture(head.picture)
        self._picture.setVisible(head.picture is not None)
        self._name.setText(head.name)
        self._facts.set_text(head.facts)
        self.ping.setVisible(head.can_ping)
        self.restart.setVisible(head.is_running)
        self.disconnect_button.setVisible(head.is_running)
        self.connect_button.setVisible(not head.is_running and head.is_on)
        self._actions["switch"].setText("Switch off" if head.is_on else "Switch on")
        self._around.setVisible(head.trouble is not None)
        self.trouble.show_trouble(
            head.trouble, head.remedy if head.remedy is not ServerRemedyKey.REVIEW else ServerRemedyKey.LOG
        )

    def _on_tools_changes_requested(self) -> None:
        self.show_tab(CHANGES)

    def _on_log_save_requested(self) -> None:
        name = f"{self._shown.name}.log"
        path, _ = QFileDialog.getSaveFileName(self, "Save the log", name, "Log (*.log)")
        if path:
            self.log_save_chosen.emit(path)

    def _on_menu_triggered(self, action: QAction) -> None:
        key = action.data()
        if key == "log":
            self._on_log_save_requested()
        elif key == "export":
            self.export_requested.emit()
        elif key == "consent":
            self.consent_requested.emit()
        elif key == "folders":
            self.folders_forgotten.emit()
        elif key == "switch":
            self.switched.emit(not self._shown.is_on)
        else:
            self.remove_requested.emit()
