"""The two columns below the head: what the call will do, and why that needs a person."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from console.approval.model import ApprovalModel, Reason
from console.approval.spans_view import LongText, SpanLabel
from console.approval.words import Piece
from console.assets import paint_icon
from console.theme import theme_of
from console.widgets import TextLabel, TextTone, tone_color

__all__ = ["ReasonsView", "small_heading"]

_AS_ASKED = "This describes the call as asked. If your edit gives a new reason, you are asked again."


def small_heading(text: str, parent: QWidget | None = None) -> TextLabel:
    """Return the heading of one part of the dialog."""
    label = TextLabel(text, "small", parent=parent)
    font = label.font()
    font.setWeight(font.Weight.DemiBold)
    label.setFont(font)
    label.setFixedHeight(theme_of(label).line_height("small"))
    return label


class _IconRow(QWidget):
    """An icon before a text that may break into lines."""

    def __init__(self, icon: str, size: int, gap: int, tone: TextTone, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._icon_name = icon
        self._size = size
        self._tone: TextTone = tone
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(size + gap, 0, 0, 0)
        self.column.setSpacing(0)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = theme_of(self)
        rect = QRect(0, (16 - self._size) // 2 + (3 if self._size == theme.size.icon else 0), self._size, self._size)
        paint_icon(QPainter(self), rect, self._icon_name, tone_color(theme, self._tone), theme)


class ReasonsView(QWidget):
    """Say what the call will do and why a person is asked.

    Args:
        model: The question.
        parent: Its owner.
    """

    def __init__(self, model: ApprovalModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(24)
        self._has_details = any(reason.details for reason in model.reasons)
        self._as_asked = TextLabel(_AS_ASKED, "small", "text3", wrap=True)
        self._as_asked.hide()
        row.addLayout(self._effects(model), 1)
        if model.reasons:
            row.addLayout(self._reasons(model), 1)

    def show_edited(self, *, edited: bool) -> None:
        """Say that the particulars belong to the call as asked, once it is edited."""
        self._as_asked.setVisible(edited and self._has_details)

    def _effects(self, model: ApprovalModel) -> QVBoxLayout:
        column = _column("What it will do")
        description = LongText("what it will do")
        description.show_text(model.description)
        column.addWidget(description)
        for effect in model.effects:
            column.addSpacing(6)
            line = _IconRow(effect.icon, 14, 6, "text2")
            line.column.addWidget(_details(effect, model.words))
            column.addWidget(line)
        column.addSpacing(6)
        column.addWidget(self._as_asked)
        column.addStretch(1)
        return column

    @staticmethod
    def _reasons(model: ApprovalModel) -> QVBoxLayout:
        column = _column("Why you are asked")
        column.addSpacing(1)
        for index, reason in enumerate(model.reasons):
            if index:
                column.addSpacing(8)
            line = _IconRow(reason.icon, 16, 8, "warn")
            line.column.addWidget(SpanLabel((Piece(reason.title),), "heading"))
            if reason.details and not reason.is_effect:
                line.column.addWidget(_details(reason, model.words))
            column.addWidget(line)
        column.addStretch(1)
        return column


def _column(title: str) -> QVBoxLayout:
    column = QVBoxLayout()
    column.setSpacing(0)
    column.setAlignment(Qt.AlignmentFlag.AlignTop)
    heading = small_heading(title)
    column.addWidget(heading)
    column.addSpacing(4)
    return column


def _details(reason: Reason, words: Iterable[str]) -> LongText:
    text = LongText(reason.title.lower(), "small", "text2")
    text.show_text("\n".join(reason.details), words)
    return text
