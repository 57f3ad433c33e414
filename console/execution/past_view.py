"""The bar that says that the page shows a call of the past, and leads back."""

from __future__ import annotations

from PySide6.QtCore import QRect, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget

from console.assets import paint_icon
from console.theme import theme_of
from console.widgets import Button, ElidedLabel

_HEIGHT = 40
_GAP = 8
_ICON_LEFT = 20


class PastBar(QWidget):
    """Say which past call is shown.

    Signals:
        back_requested: The page is to show again what it showed before.
        run_requested: The tool is to run with these arguments.
    """

    back_requested = Signal()
    run_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("past")
        self.setFixedHeight(_HEIGHT + _GAP)
        row = QHBoxLayout(self)
        row.setContentsMargins(_ICON_LEFT + 24, _GAP, 16, 0)
        row.setSpacing(8)
        self._words = ElidedLabel("", "body", "text")
        self.run = Button("Run again", kind="soft", icon="rotate-ccw")
        self.back = Button("Back", kind="ghost", icon="arrow-left")
        self.back.setToolTip("Show again what this page showed before (Esc)")
        self.run.clicked.connect(self.run_requested)
        self.back.clicked.connect(self.back_requested)
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
        painter = QPainter(self)
        bar = self.rect().adjusted(0, _GAP, 0, 0)
        painter.fillRect(bar, theme.color.accent_soft)
        painter.fillRect(0, bar.top(), self.width(), 1, theme.color.accent_border)
        painter.fillRect(0, bar.bottom(), self.width(), 1, theme.color.accent_border)
        size = theme.size.icon
        box = QRect(_ICON_LEFT, bar.top() + (bar.height() - size) // 2, size, size)
        paint_icon(painter, box, "history", theme.color.accent_text, theme)
