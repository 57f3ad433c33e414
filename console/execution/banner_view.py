"""A tinted box on a tool's page: a bold fact, what follows from it, what can be done, and more on request."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QRect, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from console.assets import paint_icon
from console.execution.guard_rows import Notice
from console.theme import theme_of
from console.widgets import Button, TextLabel, paint_box

_MARGIN: Final = 20
_ICON_ROOM: Final = 44
_LABEL_WIDTH: Final = 88


class BannerView(QWidget):
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
        self._notice: Notice | None = None
        self.setObjectName(name.casefold())
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        row = QHBoxLayout(self)
        row.setContentsMargins(_MARGIN + _ICON_ROOM, 16, _MARGIN + 12, 16)
        row.setSpacing(8)
        words = QVBoxLayout()
        words.setSpacing(2)
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
            words.addWidget(widget)
        row.addLayout(words, 1)
        self.more = Button("Details", kind="ghost")
        self.more.setCheckable(True)
        self.more.toggled.connect(self._on_more_toggled)
        self.action = Button("")
        self.action.setObjectName("banner action")
        self.action.clicked.connect(self.action_requested)
        self.other = Button("")
        self.other.setObjectName("banner other")
        self.other.clicked.connect(self.other_requested)
        for button in (self.more, self.action, self.other):
            row.addWidget(button, 0, Qt.AlignmentFlag.AlignTop)
        self._details.hide()
        self.hide()

    @property
    def notice(self) -> Notice | None:
        """Give what is said; None when nothing is."""
        return self._notice

    def show_notice(self, notice: Notice | None) -> None:
        """Say something; None takes the banner away."""
        if notice == self._notice:
            return
        self._notice = notice
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
        self.setAccessibleName(f"{self._name}: {notice.fact} {notice.consequence}".strip())
        self.updateGeometry()
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the tinted box with its icon."""
        notice = self._notice
        if notice is None:
            return
        theme = theme_of(self)
        tone = theme.tone(notice.tone)  # type: ignore[arg-type]
        painter = QPainter(self)
        box = self.rect().adjusted(_MARGIN, 8, -_MARGIN, -8)
        paint_box(painter, box, theme.radius.medium, fill=tone.soft, border=tone.border)
        size = theme.size.icon
        paint_icon(painter, QRect(box.x() + 14, box.y() + 10, size, size), notice.icon, tone.text, theme)

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
