"""The bars of a tool's page: boxes that tell something first, the last action, a past call, the tool's file."""

from __future__ import annotations

from typing import Final, NamedTuple

from PySide6.QtCore import QRect, Qt, Signal
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QGridLayout, QSizePolicy, QWidget

from console.assets import paint_icon
from console.call_result.rows import GuardNotice
from console.language import tr
from console.theme import Tone, painter_of, theme_of
from console.widgets import Button, ElidedLabel, IconButton, TextLabel, hbox, order_focus, paint_box, vbox

_MARGIN: Final = 20
_ICON_ROOM: Final = 44
_LABEL_WIDTH: Final = 88


class TintedBox(QWidget):
    """Show an icon, words and buttons in a box of a tone; hidden and empty until there is something to say.

    Most pages never say anything in most of their boxes, so a kind of box makes its words and buttons in `_make`.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._icon = ""
        self._tone: Tone = "idle"
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.hide()

    def _make(self) -> None:
        """Make the words and buttons, in `_words` and with `_add_buttons`."""
        raise NotImplementedError

    def _need(self) -> None:
        """Make what is inside if it is not made yet."""
        if self.layout() is None:
            self._row = hbox(self, margins=(_MARGIN + _ICON_ROOM, 16, _MARGIN + 12, 16), spacing=8)
            self._words = vbox(spacing=2)
            self._row.addLayout(self._words, 1)
            self._make()
            order_focus(self, self)

    def _add_buttons(self, *buttons: Button) -> None:
        for button in buttons:
            self._row.addWidget(button, 0, Qt.AlignmentFlag.AlignTop)

    def _show_as(self, icon: str, tone: Tone, name: str) -> None:
        self._icon, self._tone = icon, tone
        self.setAccessibleName(name)
        self.show()
        self.updateGeometry()
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = theme_of(self)
        tone = theme.tone(self._tone)
        painter = painter_of(self)
        box = self.rect().adjusted(_MARGIN, 8, -_MARGIN, -8)
        paint_box(painter, box, theme.radius.medium, fill=tone.soft, border=tone.border)
        size = theme.size.icon
        paint_icon(painter, QRect(box.x() + 14, box.y() + 10, size, size), self._icon, tone.text, theme)


class BannerView(TintedBox):
    """Say what a person must know of a tool or a call before anything else.

    Args:
        name: What it is about, for those who do not see it.

    Signals:
        action_requested: Its button was pressed.
        other_requested: Its second button was pressed.
    """

    action_requested = Signal()
    other_requested = Signal()

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._name = name
        self.notice: GuardNotice | None = None
        self.setObjectName(name.casefold())

    def _make(self) -> None:
        self._fact = TextLabel("", "heading", wrap=True)
        self._consequence = TextLabel("", "small", "text2", wrap=True, selectable=True)
        self._details = QWidget(self)
        self._grid = QGridLayout(self._details)
        self._grid.setContentsMargins(0, 6, 0, 0)
        self._grid.setHorizontalSpacing(0)
        self._grid.setVerticalSpacing(2)
        self._grid.setColumnMinimumWidth(0, _LABEL_WIDTH)
        self._grid.setColumnStretch(1, 1)
        for widget in (self._fact, self._consequence, self._details):
            self._words.addWidget(widget)
        self.more = Button(tr("Details"), kind="ghost")
        self.more.setCheckable(True)
        self.more.toggled.connect(self._on_more_toggled)
        self.action = Button("")
        self.action.setObjectName("banner action")
        self.action.clicked.connect(self.action_requested)
        self.other = Button("")
        self.other.setObjectName("banner other")
        self.other.clicked.connect(self.other_requested)
        self._add_buttons(self.more, self.action, self.other)
        self._details.hide()

    def show_notice(self, notice: GuardNotice | None) -> None:
        """Say something; None takes the banner away."""
        if notice == self.notice:
            return
        self.notice = notice
        if notice is None:
            self.more.setChecked(False)
            self.hide()
            return
        self._need()
        self._fact.setText(notice.fact)
        self._consequence.setText(notice.consequence)
        self._consequence.setVisible(bool(notice.consequence))
        self.action.setText(notice.action)
        self.action.setVisible(bool(notice.action))
        self.other.setText(notice.other)
        self.other.setVisible(bool(notice.other))
        self.more.setVisible(bool(notice.details))
        self._fill_details(notice.details)
        words = f"{self._name}: {notice.fact} {notice.consequence}".strip()
        self._show_as(notice.icon, notice.tone, words)  # type: ignore[arg-type]

    def _fill_details(self, details: tuple[tuple[str, str], ...]) -> None:
        while (item := self._grid.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        for number, (label, value) in enumerate(details):
            self._grid.addWidget(TextLabel(label, "small", "text3"), number, 0, Qt.AlignmentFlag.AlignTop)
            self._grid.addWidget(TextLabel(value, "small", wrap=True, selectable=True), number, 1)

    def _on_more_toggled(self, checked: bool) -> None:
        self.more.setText(tr("Less") if checked else tr("Details"))
        self._details.setVisible(checked)


class NoticeBar(QWidget):
    """Say something about the last action until the next one.

    Signals:
        undo_requested: The action is to be taken back.
    """

    undo_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("notice")
        self.setFixedHeight(32)
        row = hbox(self, margins=(20, 4, 16, 0), spacing=8)
        self._text = ElidedLabel("", "small", "text2")
        self._undo = Button(tr("Undo"), kind="ghost", icon="undo-2")
        self._undo.clicked.connect(self.undo_requested)
        close = IconButton("x", tr("Close this message"))
        close.clicked.connect(self.hide)
        row.addWidget(self._text)
        row.addWidget(self._undo)
        row.addStretch(1)
        row.addWidget(close)
        self.hide()

    @property
    def text(self) -> str:
        return self._text.text

    def show_text(self, text: str, *, undo: bool = False) -> None:
        """Say something; "" takes the line away."""
        self._text.set_text(text)
        self._undo.setVisible(undo)
        self.setVisible(bool(text))


_HEIGHT = 40
_GAP = 8
_ICON_LEFT = 20


class PastBar(QWidget):
    """Say which past call is shown."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("past")
        self.setFixedHeight(_HEIGHT + _GAP)
        row = hbox(self, margins=(_ICON_LEFT + 24, _GAP, 16, 0), spacing=8)
        self._words = ElidedLabel("", "body", "text")
        self.run = Button(tr("Run again"), kind="soft", icon="rotate-ccw")
        self.back = Button(tr("Back"), kind="ghost", icon="arrow-left")
        self.back.setToolTip(tr("Show again what this page showed before (Esc)"))
        row.addWidget(self._words, 1)
        row.addWidget(self.run)
        row.addWidget(self.back)
        self.hide()

    @property
    def text(self) -> str:
        return self._words.text

    def show_text(self, text: str) -> None:
        """Say which call is shown; "" takes the bar away."""
        self._words.set_text(text)
        self.setVisible(bool(text))

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = theme_of(self)
        painter = painter_of(self)
        bar = self.rect().adjusted(0, _GAP, 0, 0)
        painter.fillRect(bar, theme.color.accent_soft)
        painter.fillRect(0, bar.top(), self.width(), 1, theme.color.accent_border)
        painter.fillRect(0, bar.bottom(), self.width(), 1, theme.color.accent_border)
        size = theme.size.icon
        box = QRect(_ICON_LEFT, bar.top() + (bar.height() - size) // 2, size, size)
        paint_icon(painter, box, "history", theme.color.accent_text, theme)


_MOST_CHARS: Final = 400


class SourceNotice(NamedTuple):
    """What is said of a tool's file.

    Attributes:
        error: Why it could not be loaded, in one line; empty when it was only saved.
        place: Where, as `notes.py:12:5`; empty when no line is known.
        text: That line; empty when it is not known.
        column: Where in it, from 1; 0 when that is not known.
    """

    name: str
    error: str = ""
    place: str = ""
    text: str = ""
    column: int = 0

    @property
    def is_broken(self) -> bool:
        """Whether the file could not be loaded, so that the version before it runs."""
        return bool(self.error)

    @property
    def code(self) -> str:
        """The line with a caret below the place; empty when the line is not known."""
        text = self.text.expandtabs(4)
        if not text.strip():
            return ""
        before = self.text[: max(0, self.column - 1)].expandtabs(4)
        indent = len(text) - len(text.lstrip())
        line = text.strip()[:_MOST_CHARS]
        caret = len(before) - indent
        return f"{line}\n{' ' * caret}^" if self.column and 0 <= caret <= len(line) else line


class SourceBar(TintedBox):
    """Say that the file of a tool was saved, or why it cannot be loaded.

    Signals:
        reload_requested: Load the file.
        editor_requested: Open the file where it failed.
        copy_requested(str): Copy the place.
    """

    reload_requested = Signal()
    editor_requested = Signal()
    copy_requested = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.notice: SourceNotice | None = None
        self.setObjectName("source")

    def _make(self) -> None:
        self._fact = TextLabel("", "heading", wrap=True)
        self._place = ElidedLabel("", "small", "text3", elide=Qt.TextElideMode.ElideMiddle)
        self._code = TextLabel("", "code", selectable=True)
        self._code.setTextFormat(Qt.TextFormat.PlainText)
        self._code.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._consequence = TextLabel("", "small", "text2", wrap=True)
        self._consequence.setContentsMargins(0, 0, 0, 4)
        for label in (self._fact, self._place, self._code, self._consequence):
            self._words.addWidget(label)
        self.reload = Button(tr("Reload"), icon="refresh-cw", command="reload_plugins")
        self.reload.clicked.connect(self.reload_requested)
        self.copy = Button(tr("Copy place"), kind="ghost", icon="copy")
        self.copy.clicked.connect(self._on_copy_clicked)
        self.editor = Button(tr("Open in editor"), icon="external-link")
        self.editor.clicked.connect(self.editor_requested)
        self._add_buttons(self.copy, self.editor, self.reload)

    @property
    def code(self) -> str:
        """Give the line that is shown, with its caret."""
        return self._code.text()

    def show_notice(self, notice: SourceNotice | None) -> None:
        """Say something; None takes the bar away."""
        if notice == self.notice:
            return
        self.notice = notice
        if notice is None:
            self.hide()
            return
        self._need()
        broken = notice.is_broken
        fact = (
            tr("{name} could not be loaded: {error}", name=notice.name, error=notice.error)
            if broken
            else tr("{name} was saved", name=notice.name)
        )
        follows = (
            tr("Run uses the version before, which still works. Save the file again and the page follows.")
            if broken
            else tr("This page shows the version that is loaded; Reload takes the new one and keeps what you typed.")
        )
        self._fact.setText(fact)
        self._place.set_text(notice.place)
        self._place.setVisible(bool(notice.place))
        self._code.setText(notice.code)
        self._code.setVisible(bool(notice.code))
        self._consequence.setText(follows)
        self.copy.setVisible(bool(notice.place))
        self.reload.setVisible(not broken)
        words = " ".join(part for part in (f"{fact}.", notice.place, follows) if part)
        self._show_as("circle-x" if broken else "refresh-cw", "error" if broken else "run", words)

    def _on_copy_clicked(self) -> None:
        if self.notice is not None:
            self.copy_requested.emit(self.notice.place)
