"""The right column below the head: why the call needs a person, and how much harm it can do."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from console.approval.effects_view import IconRow
from console.approval.model import ApprovalModel
from console.approval.parts_view import grow_with_width, small_heading
from console.approval.reasons import Reason
from console.approval.spans_view import LongText, SpanLabel
from console.approval.words import SentencePart
from console.widgets import Badge


class ReasonsView(QWidget):
    """Say why a person is asked.

    Args:
        model: The question.
        parent: Its owner.
    """

    def __init__(self, model: ApprovalModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        grow_with_width(self)
        self.texts: list[LongText] = []
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.setAlignment(Qt.AlignmentFlag.AlignTop)
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(small_heading("Why you are asked"))
        if model.risk is not None:
            badge = Badge(model.risk.title, icon=model.risk.icon, tone=model.risk.tone)
            badge.setToolTip(model.risk.detail)
            badge.setAccessibleName(f"{model.risk.title}. {model.risk.detail}")
            head.addWidget(badge)
        head.addStretch(1)
        column.addLayout(head)
        column.addSpacing(5)
        if model.risk is not None and not _is_told(model.risk.detail, model.reasons):
            why = LongText("the risk", "small", "text2")
            why.show_text(model.risk.detail, model.words)
            column.addWidget(why)
            column.addSpacing(8)
            self.texts.append(why)
        for index, reason in enumerate(model.reasons):
            if index:
                column.addSpacing(8)
            column.addWidget(self._line(reason, model))
        column.addStretch(1)

    def _line(self, reason: Reason, model: ApprovalModel) -> IconRow:
        line = IconRow(reason.icon, 16, 8, "warn" if reason.is_warning else "text3")
        line.column.addWidget(SpanLabel((SentencePart(reason.title),), "heading"))
        if reason.details and not reason.is_effect:
            text = LongText(reason.title.lower(), "small", "text2")
            text.show_text("\n".join(reason.details), model.words)
            line.column.addWidget(text)
            self.texts.append(text)
        return line


def _is_told(detail: str, reasons: tuple[Reason, ...]) -> bool:
    """Return whether one of the reasons says what makes the risk already."""
    told = [said for reason in reasons for said in reason.details]
    return not detail or any(said in detail for said in told)
