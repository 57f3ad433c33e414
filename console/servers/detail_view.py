"""The chosen server: its state, and behind tabs its changed definitions, offers, log and settings."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QFrame, QSizePolicy, QStackedWidget, QVBoxLayout, QWidget

from console.comparison.lines import TextDifference
from console.comparison.text_view import DifferenceText
from console.language import number, tr, tr_count
from console.prompts.model import PromptModel
from console.prompts.view import PromptsView
from console.servers.config_form import ConfigForm
from console.servers.log_view import LogCard, LogModel
from console.servers.model import ResourceModel, ToolModel
from console.servers.offers_view import ResourcesView, ToolsView
from console.servers.rows import (
    DefinitionChangeRow,
    ServerDetail,
    ServerHeader,
    ServerProblem,
    ServerRemedyKey,
    remedy_words,
)
from console.widgets import (
    Badge,
    BarFrame,
    Button,
    Divider,
    ElidedLabel,
    EmptyState,
    IconButton,
    IconLabel,
    InnerTabBar,
    Menu,
    SegmentedControl,
    TextLabel,
    ThinSplitter,
    ToneFrame,
    ask_save_path,
    hbox,
    set_surface,
    vbox,
)

_ALL_UP_TO: Final = 2


class _Warning(ToneFrame):
    """Say how many definitions changed, and offer to decide about all of them."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__("warn", parent)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.fact = ElidedLabel("", "heading")
        self.consequence = ElidedLabel("", "small", "text2")
        self.keep = Button(tr("Keep paused"))
        self.approve = Button(tr("Approve"), kind="primary", icon="check")
        row = hbox(self, margins=(14, 8, 12, 8), spacing=8)
        row.addWidget(IconLabel("file-diff", "", tone="warn", size=16))
        row.addSpacing(6)
        words = vbox()
        words.addWidget(self.fact)
        words.addWidget(self.consequence)
        row.addLayout(words, 1)
        row.addWidget(self.keep)
        row.addWidget(self.approve)


class DefinitionChangesView(QWidget):
    """Show each change beside what was approved, and take the decision.

    Args:
        log: The lines of the server's log, shown below.

    Signals:
        change_shown(str): The change of this tool came into sight; `show_difference` takes how both definitions differ.
        approve_requested(tuple): These tools may run as they are defined now.
        block_requested(str): This tool shall not run, whatever it becomes.
    """

    change_shown = Signal(str)
    approve_requested = Signal(tuple)
    block_requested = Signal(str)

    def __init__(self, log: LogModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rows: tuple[DefinitionChangeRow, ...] = ()
        self._place = 0
        self.warning = _Warning(self)
        self._pages = QStackedWidget(self)
        self._shown = QWidget(self._pages)
        self._split = ThinSplitter(Qt.Orientation.Vertical, self._shown)
        self._places = [QWidget(self._split) for _ in range(2)]
        self._card = QFrame(self._places[0])
        self.text = DifferenceText(self._card)
        self.text.setAccessibleName(tr("Changes of the definition"))
        self.shape = SegmentedControl(
            (tr("Unified"), tr("Side by side")), tr("How the definitions are compared"), height=24
        )
        self.block = Button(tr("Block this tool"), kind="danger", icon="ban")
        self.approve = Button(tr("Approve"), icon="check")
        self.log = LogCard(log, brief=True, parent=self._places[1])
        self._build()
        self.warning.approve.clicked.connect(self._on_warning_approve_clicked)
        self.shape.selected.connect(self._on_shape_selected)
        self.approve.clicked.connect(self._on_approve_clicked)
        self.block.clicked.connect(self._on_block_clicked)
        self.show_changes(())

    def _build(self) -> None:
        column = vbox(self._shown, margins=(20, 12, 20, 16), spacing=12)
        column.addWidget(self.warning)
        split = self._split
        parts = ((self._make_card(), (0, 0, 0, 6)), (self.log, (0, 6, 0, 0)))
        for place, (part, margins) in zip(self._places, parts, strict=True):
            around = QVBoxLayout(place)
            around.setContentsMargins(*margins)
            around.addWidget(part)
            split.addWidget(place)
        split.setStretchFactor(0, 3)
        split.setStretchFactor(1, 2)
        self.log.setMinimumHeight(100)
        column.addWidget(split, 1)
        none = EmptyState(
            "shield-check",
            tr("No definition changed"),
            tr(
                "What each tool says of itself is compared with what you approved, whenever the server lists its tools."
            ),
        )
        self._pages.addWidget(self._shown)
        self._pages.addWidget(none)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(self._pages)

    def _make_card(self) -> QFrame:
        foot = BarFrame(44, surface="surface", edge="top", margins=(12, 8))
        self._consequence = ElidedLabel("", "small", "text2")
        foot.row.addWidget(self._consequence, 1)
        foot.row.addWidget(self.block)
        foot.row.addWidget(self.approve)
        card = self._card
        card.setProperty("card", "true")
        card.setMinimumHeight(160)
        inside = vbox(card, margins=(1, 1, 1, 1))
        inside.addWidget(self._make_head())
        inside.addWidget(self.text, 1)
        inside.addWidget(foot)
        return card

    def _make_head(self) -> BarFrame:
        self._picture = IconLabel("wrench", "")
        self._tool = TextLabel("", "heading")
        self._parts = TextLabel("", "small", "text2")
        self._danger = Badge("", icon="triangle-alert", tone="warn")
        self._position = TextLabel("", "small", "text2")
        self._before = IconButton("chevron-left", tr("Previous change"))
        self._after = IconButton("chevron-right", tr("Next change"))
        self._before.clicked.connect(self._on_before_clicked)
        self._after.clicked.connect(self._on_after_clicked)
        head = BarFrame(36, surface="inset", margins=(12, 8))
        for part in (self._picture, self._tool, self._parts, self._danger):
            head.row.addWidget(part)
        head.row.addStretch(1)
        for control in (self._position, self._before, self._after, self.shape):
            head.row.addWidget(control)
        return head

    @property
    def rows(self) -> tuple[DefinitionChangeRow, ...]:
        return self._rows

    @property
    def current(self) -> DefinitionChangeRow | None:
        """Give the change in sight; None for none."""
        return self._rows[self._place] if self._rows else None

    def show_changes(self, rows: Sequence[DefinitionChangeRow]) -> None:
        """Show what changed; the tool in sight stays if it is still there."""
        before = self.current
        if tuple(rows) == self._rows and before is not None:
            return
        self._rows = tuple(rows)
        places = {row.tool: place for place, row in enumerate(self._rows)}
        self._place = places.get(before.tool, 0) if before is not None else 0
        self._pages.setCurrentIndex(0 if self._rows else 1)
        if self._rows:
            self._show_warning()
            self._show_current()

    def show_difference(self, tool: str, difference: TextDifference) -> None:
        """Show how both definitions of a tool differ, if it is still in sight."""
        if self.current is not None and self.current.tool == tool:
            self.text.show_difference(difference)

    def _show_warning(self) -> None:
        rows = self._rows
        count = len(rows)
        since = {row.approved_on for row in rows}
        if len(since) == 1 and rows[0].approved_on:
            fact = tr_count(
                count,
                "1 definition changed since you approved it on {since}.",
                "{count:,} definitions changed since you approved them on {since}.",
                since=since.pop(),
            )
        else:
            fact = tr_count(
                count,
                "1 definition changed since you approved it.",
                "{count:,} definitions changed since you approved them.",
            )
        self.warning.fact.set_text(fact)
        first, last, others = rows[0].tool, rows[-1].tool, count - 1
        if count == 1:
            consequence = tr("{tool} is paused until you review it.", tool=first)
        elif count == _ALL_UP_TO:
            consequence = tr("{first} and {last} are paused until you review them.", first=first, last=last)
        else:
            consequence = tr("{tool} and {others} others are paused until you review them.", tool=first, others=others)
        self.warning.consequence.set_text(consequence)
        self.warning.keep.setVisible(any(not row.is_blocked for row in rows))
        every = tr("Approve both") if count == _ALL_UP_TO else tr("Approve all")
        self.warning.approve.setText(tr("Approve") if count == 1 else every)
        self.warning.approve.updateGeometry()

    def _show_current(self) -> None:
        row = self._rows[self._place]
        self._picture.show_picture(row.picture)
        self._tool.setText(row.tool)
        self._parts.setText(row.parts)
        self._danger.set_text(row.danger)
        self._danger.setVisible(bool(row.danger))
        several = len(self._rows) > 1
        self._position.setText(tr("{place} of {rows}", place=self._place + 1, rows=len(self._rows)))
        for part in (self._position, self._before, self._after):
            part.setVisible(several)
        self._before.setEnabled(self._place > 0)
        self._after.setEnabled(self._place < len(self._rows) - 1)
        self._consequence.set_text(row.consequence)
        self.block.setVisible(not row.is_blocked)
        self.approve.setText(tr("Approve {tool}", tool=row.tool) if len(row.tool) <= 32 else tr("Approve this tool"))
        self.approve.updateGeometry()
        self.text.show_difference(None)
        self.change_shown.emit(row.tool)

    def _step(self, step: int) -> None:
        self._place = min(max(0, self._place + step), len(self._rows) - 1)
        self._show_current()

    def _on_before_clicked(self) -> None:
        self._step(-1)

    def _on_after_clicked(self) -> None:
        self._step(1)

    def _on_shape_selected(self, index: int) -> None:
        self.text.set_side_by_side(side_by_side=index == 1)

    def _on_warning_approve_clicked(self) -> None:
        self.approve_requested.emit(tuple(row.tool for row in self._rows))

    def _on_approve_clicked(self) -> None:
        if self.current is not None:
            self.approve_requested.emit((self.current.tool,))

    def _on_block_clicked(self) -> None:
        if self.current is not None:
            self.block_requested.emit(self.current.tool)


class SettingsView(QWidget):
    """Edit a server where it stands.

    Signals:
        trial_requested(dict): The server shall be tried with these settings.
        save_requested(dict): These settings shall hold.
    """

    trial_requested = Signal(dict)
    save_requested = Signal(dict)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        body = QWidget(self)
        self.form = ConfigForm(body)
        self.remove = Button(tr("Remove…"), kind="danger", icon="trash-2")
        self.export = Button(tr("Copy for other programs"), icon="copy")
        self.trial = Button(tr("Test connection"), icon="activity")
        self.save = Button(tr("Save"), kind="primary", icon="check")
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
        column = vbox(self)
        column.addWidget(body, 1)
        column.addWidget(foot)
        self.form.changed.connect(self._follow)
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


class TroubleView(ToneFrame):
    """Tell what went wrong, and offer what helps."""

    def __init__(self) -> None:
        super().__init__("error")
        self.setAccessibleName(tr("What went wrong"))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Maximum)
        self.fact = TextLabel("", "heading", "error", wrap=True, selectable=True)
        self.details = TextLabel("", "code", "text2", wrap=True, selectable=True)
        self.details.setAccessibleName(tr("Details"))
        self.advice = TextLabel("", "small", "text", wrap=True, selectable=True)
        self.remedy = Button("")
        row = hbox(self, margins=(14, 10, 12, 10), spacing=10)
        row.addWidget(IconLabel("octagon-x", "", tone="error", size=16), 0, Qt.AlignmentFlag.AlignTop)
        words = vbox(spacing=4)
        for label in (self.fact, self.details, self.advice):
            words.addWidget(label)
        row.addLayout(words, 1)
        row.addWidget(self.remedy, 0, Qt.AlignmentFlag.AlignTop)
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


TABS: Final = (tr("Changes"), tr("Tools"), tr("Resources"), tr("Prompts"), tr("Log"), tr("Settings"))
"""The tabs, left to right."""

CHANGES, TOOLS, _, _, LOG, SETTINGS = range(len(TABS))
_HEAD: Final = 44
_PICTURE: Final = 20
_MENU: Final = (
    ("log", tr("Save the log…")),
    ("export", tr("Copy for other programs")),
    ("consent", tr("What runs when it starts…")),
    ("folders", tr("Ask again for its folders")),
    ("switch", tr("Switch off")),
    ("remove", tr("Remove…")),
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
        in_pieces: Whether whoever makes it goes through `pieces`, and lets the window paint between two of them: all at
            once take longer than a frame.

    Signals:
        remove_requested: It shall be forgotten.
        export_requested: Its entry shall be put on the clipboard.
        consent_requested: What runs when it starts shall be shown.
        folders_forgotten: It shall be asked again which folders it may know of.
        switched(bool): It shall be started, now and with the program, or not.
        log_save_chosen(str): The log shall be written to this file.
    """

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
        self.tabs = InnerTabBar(tr("Parts of the server"))
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
        none = EmptyState("message-square-text", tr("No prompts"), tr("The texts that the server makes stand here."))
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
        self.ping = Button(tr("Ping"), icon="activity")
        self.restart = Button(tr("Restart"), icon="refresh-cw")
        self.disconnect_button = Button(tr("Disconnect"), icon="unplug")
        self.connect_button = Button(tr("Connect"), kind="soft", icon="play")
        self.more = IconButton("ellipsis", tr("More about this server"))
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
        menu = Menu(tr("More about this server"), self.more)
        for key, words in _MENU:
            action = menu.add_entry(key, words)
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
        column = vbox(self)
        column.addWidget(head)
        column.addWidget(self._around)
        column.addWidget(self.tabs)
        column.addWidget(Divider())
        column.addWidget(self._pages, 1)

    def _connect(self) -> None:
        self.tabs.currentChanged.connect(self._pages.setCurrentIndex)
        self.settings.remove.clicked.connect(self.remove_requested)
        self.settings.export.clicked.connect(self.export_requested)
        self.changes.log.save_requested.connect(self._on_log_save_requested)
        self.log.save_requested.connect(self._on_log_save_requested)
        self.tools.changes_requested.connect(self._on_tools_changes_requested)

    def minimumSizeHint(self) -> QSize:
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
            self.tabs.set_count(tab, number(count) if count else "")
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
        self._actions["switch"].setText(tr("Switch off") if head.is_on else tr("Switch on"))
        self._around.setVisible(head.trouble is not None)
        self.trouble.show_trouble(
            head.trouble, head.remedy if head.remedy is not ServerRemedyKey.REVIEW else ServerRemedyKey.LOG
        )

    def _on_tools_changes_requested(self) -> None:
        self.show_tab(CHANGES)

    def _on_log_save_requested(self) -> None:
        name = f"{self._shown.name}.log"
        ask_save_path(self, tr("Save the log"), name, self.log_save_chosen, [tr("Log (*.log)")])

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
