"""One line about the last action, with a way to take it back."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from console.widgets import Button, ElidedLabel, IconButton


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
        row = QHBoxLayout(self)
        row.setContentsMargins(20, 4, 16, 0)
        row.setSpacing(8)
        self._text = ElidedLabel("", "small", "text2")
        self._undo = Button("Undo", kind="ghost", icon="undo-2")
        self._undo.clicked.connect(self.undo_requested)
        close = IconButton("x", "Close this message")
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
