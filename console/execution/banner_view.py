"""A tinted box on a tool's page: a bold fact, what follows from it, what can be done, and more on request."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QRect, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from console.assets import paint_icon
from console.execution.guard_rows import GuardNotice
from console.theme import Tone, theme_of
from console.widgets import Button, TextLabel, paint_box

_MARGIN: Final = 20
_ICON_ROOM: Final = 44
_LABEL_WIDTH: Final = 88


class TintedBox(QWidget):
    """Show an icon, words and buttons in a box of a tone; hidden until there is something to say."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._icon = ""
        self._tone: Tone = "idle"
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(_MARGIN + _ICON_ROOM, 16, _MARGIN + 12, 16)
        self._row.setSpacing(8)
        self._words = QVBoxLayout()
        self._words.setSpacing(2)
        self._row.addLayout(self._words, 1)
        self.hide()

    def _add_buttons(self, *buttons: Button) -> None:
        for button in buttons:
            self._row.addWidget(button, 0, Qt.AlignmentFlag.AlignTop)

    def _show_as(self, icon: str, tone: Tone, name: str) -> None:
        """Show an icon and a tone, and say in one sentence what stands there."""
        self._icon, self._tone = icon, tone
        self.setAccessibleName(name)
        self.updateGeometry()
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = theme_of(self)
        tone = theme.tone(self._tone)
        painter = QPainter(self)
        box = self.rect().adjusted(_MARGIN, 8, -_MARGIN, -8)
        paint_box(painter, box, theme.radius.medium, fill=tone.soft, border=tone.border)
        size = theme.size.icon
        paint_icon(painter, QRect(box.x() + 14, box.y() + 10, size, size), self._icon, tone.text, theme)


class BannerView(TintedBox):
    """Say what a person must know of a tool or a call before anything else.

    Args:
        name: What it is about, for those who do not see it.
        parent: Its owner.

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
        self.more = Button("Details", kind="ghost")
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
        self.setVisible(notice is not None)
        if notice is None:
            self.more.setChecked(False)
            return
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
        self.more.setText("Less" if checked else "Details")
        self._details.setVisible(checked)
