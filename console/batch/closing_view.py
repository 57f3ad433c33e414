"""The question what becomes of a run when the window is closed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from console.widgets import Button, TextLabel, WindowDialog

_WIDTH: Final = 460


class ClosingBox(WindowDialog):
    """Ask what becomes of a run; Esc keeps the window open.

    Args:
        text: How far the run is.
        background: What happens when it goes on without the window.
        further: What else becomes of what is open, one paragraph each.

    Signals:
        background_chosen(): Let it finish without the window.
        stop_chosen(): Stop it, and end the program.
    """

    background_chosen = Signal()
    stop_chosen = Signal()

    def __init__(self, text: str, background: str, parent: QWidget, further: Sequence[str] = ()) -> None:
        super().__init__("A plan is running", parent)
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 20, 20, 16)
        column.setSpacing(8)
        column.addWidget(TextLabel("A plan is running", "title"))
        self._text = TextLabel(text, "body", "text", wrap=True)
        self._text.setMinimumWidth(_WIDTH)
        column.addWidget(self._text)
        column.addWidget(TextLabel(background, "body", "text2", wrap=True))
        column.addWidget(
            TextLabel(
                "Stopped, it can go on where it was when the program is started again.", "body", "text2", wrap=True
            )
        )
        for words in further:
            column.addWidget(TextLabel(words, "body", "text2", wrap=True))
        column.addSpacing(12)
        row = QHBoxLayout()
        self.stop = Button("Stop and quit", kind="danger", large=True)
        self.stop.clicked.connect(self._on_stop_clicked)
        self.keep = Button("Cancel", large=True, shortcut_hint="Esc")
        self.keep.clicked.connect(self.reject)
        self.background = Button("Finish in the background", kind="primary", large=True)
        self.background.clicked.connect(self._on_background_clicked)
        self.background.setDefault(True)
        row.addWidget(self.stop)
        row.addStretch(1)
        row.addWidget(self.keep)
        row.addWidget(self.background)
        column.addLayout(row)
        self.background.setFocus()

    def show_text(self, text: str) -> None:
        self._text.setText(text)

    @Slot()
    def _on_stop_clicked(self) -> None:
        self.accept()
        self.stop_chosen.emit()

    @Slot()
    def _on_background_clicked(self) -> None:
        self.accept()
        self.background_chosen.emit()
