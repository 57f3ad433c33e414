"""What went wrong with a server: what happened, in which request, after how long, its last words, what to do."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from console.servers.rows import ServerProblem, ServerRemedyKey, remedy_words
from console.theme import theme_of
from console.widgets import Button, IconLabel, TextLabel, paint_box


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
