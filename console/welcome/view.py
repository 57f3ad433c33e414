"""What to do first, while no tool is open."""

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Final

from PySide6.QtCore import QEvent, QObject, QRect, Qt, Signal
from PySide6.QtGui import QPaintEvent, QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QScrollArea,
    QSizePolicy,
    QSpacerItem,
    QVBoxLayout,
    QWidget,
)

from console.assets import paint_icon
from console.keymap import keymap
from console.language import tr, tr_count
from console.preferences import RecentProject
from console.theme import painter_of, theme_of
from console.welcome.recent_view import RecentProjects
from console.widgets import (
    Button,
    Divider,
    ElidedLabel,
    IconLabel,
    KeyCaps,
    TextLabel,
    hbox,
    paint_box,
    set_surface,
    vbox,
)

FIRST_TOOL: Final = "search_files"
"""The tool that a first run opens."""

_SHORTCUTS: Final = (
    (tr("Filter the tools tree"), "filter_tools"),
    (tr("Run"), "tool.run"),
    (tr("Stop"), ""),
    (tr("Next tool tab"), "next_tab"),
    (tr("Add a plugin file"), "add_plugin"),
    (tr("All shortcuts"), "help"),
)
"""What is listed, and the commands that do it; Esc is no command."""

_WIDTH: Final = 640
_TOP: Final = 100
_LEAST_TOP: Final = 20
_ROW: Final = 64
_BUTTON: Final = 120


class _Tile(QWidget):
    """An icon on a soft square."""

    def __init__(self, icon: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._icon_name = icon
        self.setFixedSize(36, 36)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = theme_of(self)
        painter = painter_of(self)
        paint_box(painter, self.rect(), theme.radius.large, fill=theme.color.accent_soft)
        size = theme.size.icon_large
        box = QRect((self.width() - size) // 2, (self.height() - size) // 2, size, size)
        paint_icon(painter, box, self._icon_name, theme.color.accent_text, theme)


class _Row(QWidget):
    """One line of the card: what it is about, and what can be done."""

    def __init__(self, icon: str, title: str, sentence: str) -> None:
        super().__init__()
        self.setFixedHeight(_ROW)
        self.title = TextLabel(title, "heading")
        self.title.setFixedHeight(20)
        self.sentence = ElidedLabel(sentence, "small", "text2")
        words = vbox()
        words.addStretch(1)
        words.addWidget(self.title)
        words.addWidget(self.sentence)
        words.addStretch(1)
        self.line = hbox(self, margins=(16, 0, 16, 0), spacing=16)
        self.line.addWidget(_Tile(icon))
        self.line.addLayout(words, 1)

    def add_button(self, text: str, *, width: int = _BUTTON) -> Button:
        """Put a button at the end, as wide as those of the other rows."""
        button = Button(text)
        button.setMinimumWidth(max(width, button.sizeHint().width()))
        self.line.addWidget(button)
        return button


def _listed(names: Sequence[str]) -> str:
    """Write names as one sentence: Files, data and git."""
    if not names:
        return ""
    words = [names[0], *(name[:1].lower() + name[1:] for name in names[1:])]
    head = ", ".join(words[:-1])
    return tr("{head} and {last}.", head=head, last=words[-1]) if head else f"{words[0]}."


class WelcomeView(QWidget):
    """Greet the person: what is there, how to bring more, what to try, and the keys.

    Signals:
        plugin_requested: The person wants to choose a plugin file.
        new_tool_requested: The person wants to begin a tool of their own.
        connection_requested: The person wants to connect an MCP server.
        agent_requested: The person wants to connect an agent.
        tool_opened(str): The tool of this name shall be shown, with an example filled in if it has one.
        folder_requested: The person wants to choose a project folder.
        sample_requested: The person wants to try the sample project.
        project_chosen(Path): A project folder used before shall be opened.
        project_removed(Path): A project folder used before shall be forgotten.
    """

    plugin_requested = Signal()
    new_tool_requested = Signal()
    connection_requested = Signal()
    agent_requested = Signal()
    tool_opened = Signal(str)
    folder_requested = Signal()
    sample_requested = Signal()
    project_chosen = Signal(object)
    project_removed = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("welcome")
        set_surface(self, "surface")
        self._first_tool = ""
        self._groups: tuple[str, ...] = ()
        self._count = 0
        self._ran = 0
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        self._scroll = scroll = QScrollArea()
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setWidgetResizable(True)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        column.addWidget(scroll)
        content = QWidget()
        set_surface(content, "surface")
        page = QHBoxLayout(content)
        page.setContentsMargins(20, 0, 20, 20)
        middle = self._middle = QWidget()
        middle.setMaximumWidth(_WIDTH)
        self._column = self._make_column()
        middle.setLayout(self._column)
        page.addWidget(middle)
        self._content = content
        content.installEventFilter(self)
        scroll.setWidget(content)
        self.set_built_in(0, ())
        self.set_first_tool("")
        keymap().changed.connect(self._show_shortcuts)
        self._show_shortcuts()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Take the room above the title away before anything has to be scrolled to."""
        super().resizeEvent(event)
        self._fit_hint()
        self._fit_top()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Do the same when a part needs more or less room: what it needs is known only once it is shown."""
        if event.type() is QEvent.Type.LayoutRequest:
            self._fit_top()
        return super().eventFilter(watched, event)

    def _fit_hint(self) -> None:
        self._hint.setVisible(bool(self._first_tool) and self.width() > _WIDTH)

    def _fit_top(self) -> None:
        layout = self._content.layout()
        if layout is None:
            return
        rest = layout.totalHeightForWidth(self._scroll.viewport().width()) - self._top.sizeHint().height()
        top = max(_LEAST_TOP, min(_TOP, self.height() - rest))
        if top != self._top.sizeHint().height():
            self._top.changeSize(0, top, QSizePolicy.Policy.Minimum, QSizePolicy.Policy.Fixed)
            # What both remember of their heights.
            self._column.invalidate()
            self._middle.updateGeometry()

    def set_built_in(self, count: int, groups: Sequence[str]) -> None:
        """Say how many built-in tools there are, and of which groups, in the order they are listed."""
        self._count, self._groups = count, tuple(groups)
        self._describe_built_in()

    def set_ran(self, count: int) -> None:
        """Say how many calls were made so far."""
        self._ran = count
        self._describe_built_in()

    def set_first_tool(self, name: str, *, has_example: bool = False) -> None:
        """Say which tool to try first; an empty name offers none."""
        self._first_tool = name
        self._first.setVisible(bool(name))
        self._fit_hint()
        self._hint_name.setText(name)
        self._hint_end.setText(tr("with its example") if has_example else tr("to be filled in"))

    def show_projects(self, folder: Path | None, recent: Sequence[RecentProject], now: datetime) -> None:
        """Offer other projects.

        Args:
            folder: The project that is open; None for none.
            recent: The folders used last, latest first.
            now: The moment that counts as now.
        """
        self._project.title.setText(
            tr("No project is open") if folder is None else tr("Project {name}", name=folder.name or folder)
        )
        self._project.sentence.set_text(
            tr("Tools that work on files find them from a project folder.") if folder is None else str(folder)
        )
        self._sample.setVisible(folder is None)
        self._recent.show_projects([item for item in recent if item.folder != folder], now)
        self._fit_top()

    def _show_shortcuts(self) -> None:
        """List what keys do, two in a row."""
        shown = [(text, keymap().shown(command) if command else tr("Esc")) for text, command in _SHORTCUTS]
        while (item := self._keys.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.deleteLater()
        for place, (text, keys) in enumerate((text, keys) for text, keys in shown if keys):
            row, side = divmod(place, 2)
            self._keys.addWidget(TextLabel(text, "small", "text2"), row, side * 3)
            self._keys.addWidget(KeyCaps(keys), row, side * 3 + 1, Qt.AlignmentFlag.AlignRight)
            self._keys.setRowMinimumHeight(row, 32)

    def _describe_built_in(self) -> None:
        count = self._count
        self._built_in.title.setText(
            tr_count(count, "1 built-in tool", "{count:,} built-in tools") if count else tr("No built-in tools")
        )
        ran = tr_count(self._ran, "1 call so far.", "{count:,} calls so far.") if self._ran else tr("None has run yet.")
        sentence = f"{_listed(self._groups)} {ran}" if count else tr("They could not be loaded; the log says why.")
        self._built_in.sentence.set_text(sentence)
        if count:
            self._ready.show_state("circle-check", tr("Ready"), "ok")
        else:
            self._ready.show_state("triangle-alert", tr("Missing"), "warn")

    def _make_column(self) -> QVBoxLayout:
        column = vbox()
        self._top = QSpacerItem(0, _TOP, QSizePolicy.Policy.Minimum, QSizePolicy.Policy.Fixed)
        column.addSpacerItem(self._top)
        title = TextLabel(tr("Welcome to Tool Console"), "display")
        title.setFixedHeight(28)
        column.addWidget(title)
        column.addSpacing(4)
        lead = TextLabel(
            tr("Run, test and watch over the tools your agents use. Start with the built-in tools, or bring your own."),
            "body",
            "text2",
            wrap=True,
        )
        lead.setMinimumHeight(20)
        lead.setContentsMargins(0, 0, 0, 2)
        column.addWidget(lead)
        column.addSpacing(24)
        column.addWidget(self._make_card())
        column.addSpacing(20)
        column.addLayout(self._make_actions())
        column.addSpacing(20)
        self._recent = RecentProjects()
        self._recent.chosen.connect(self.project_chosen)
        self._recent.removed.connect(self.project_removed)
        column.addWidget(self._recent)
        column.addSpacing(12)
        column.addWidget(Divider())
        column.addSpacing(12)
        column.addLayout(self._make_keys())
        column.addStretch(1)
        return column

    def _make_card(self) -> QFrame:
        card = QFrame()
        card.setProperty("card", "true")
        rows = vbox(card)
        self._built_in = _Row("box", "", "")
        self._ready = IconLabel("circle-check", tr("Ready"), "small", "ok")
        self._built_in.line.addWidget(self._ready)
        rows.addWidget(self._built_in)
        self._project = _Row("folder-open", "", "")
        self._project.add_button(tr("Open folder…")).clicked.connect(self.folder_requested)
        own = _Row("puzzle", tr("Add your own tools"), tr("A Python file with type hints is enough."))
        own.add_button(tr("New tool…"), width=0).clicked.connect(self.new_tool_requested)
        own.add_button(tr("Choose a file…")).clicked.connect(self.plugin_requested)
        server = _Row(
            "server",
            tr("Connect an MCP server"),
            tr("By command or by address. You review its tools before they can run."),
        )
        server.add_button(tr("Connect…")).clicked.connect(self.connection_requested)
        agent = _Row(
            "radio-tower",
            tr("Let an agent in"),
            tr("The gateway serves this computer only and asks before risky calls."),
        )
        agent.add_button(tr("Connect an agent…"), width=0).clicked.connect(self.agent_requested)
        for row in (self._project, own, server, agent):
            row.setFixedHeight(_ROW - 1)
            rows.addWidget(Divider())
            rows.addWidget(row)
        return card

    def _make_actions(self) -> QHBoxLayout:
        line = hbox(spacing=8)
        self._first = Button(tr("Run your first tool"), kind="primary", icon="play", large=True)
        self._first.clicked.connect(self._on_first_clicked)
        line.addWidget(self._first)
        self._sample = Button(tr("Open the sample project"), large=True)
        self._sample.clicked.connect(self.sample_requested)
        line.addWidget(self._sample)
        line.addStretch(1)
        self._hint = QWidget()
        words = hbox(self._hint, spacing=3)
        self._hint_name = TextLabel("", "code", "text2")
        font = self._hint_name.font()
        font.setPixelSize(theme_of(self).type_scale["caption"].size)
        self._hint_name.setFont(font)
        self._hint_end = TextLabel("", "small", "text3")
        for label in (TextLabel(tr("Opens"), "small", "text3"), self._hint_name, self._hint_end):
            words.addWidget(label)
        line.addWidget(self._hint)
        return line

    def _make_keys(self) -> QGridLayout:
        self._keys = QGridLayout()
        self._keys.setContentsMargins(0, 0, 0, 0)
        self._keys.setSpacing(0)
        self._keys.setColumnMinimumWidth(2, 48)
        for column in (0, 3):
            self._keys.setColumnStretch(column, 1)
        return self._keys

    def _on_first_clicked(self) -> None:
        self.tool_opened.emit(self._first_tool)
