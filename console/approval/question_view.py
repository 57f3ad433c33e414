"""What a running tool asks, and the field for the answer."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from console.approval.model import ApprovalModel
from console.approval.parts_view import grow_with_width, small_heading
from console.approval.spans_view import LongText
from console.schema_form.text_editors import TextArea
from console.theme import theme_of
from console.widgets import TextLabel


class QuestionView(QWidget):
    """Show the question and take an answer.

    Args:
        model: The question.
        parent: Its owner.

    Signals:
        changed(): The answer changed.
    """

    changed = Signal()

    def __init__(self, model: ApprovalModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        grow_with_width(self)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(small_heading("Question"))
        column.addSpacing(4)
        question = LongText("the question")
        question.show_text(model.description)
        column.addWidget(question)
        column.addSpacing(16)
        column.addWidget(small_heading("Answer"))
        if model.prompt:
            column.addSpacing(4)
            column.addWidget(TextLabel(model.prompt, "small", "text2", wrap=True))
        column.addSpacing(8)
        self.area = TextArea(parent=self)
        self.area.setFont(theme_of(self).font("body"))
        self.area.setAccessibleName("Answer")
        self.area.setAccessibleDescription(model.prompt)
        self.area.setPlaceholderText("Sent to the tool. Ctrl+Enter sends it")
        column.addWidget(self.area)
        self.area.text_edited.connect(self.changed)

    @property
    def answer(self) -> str:
        """Return the answer; "" for none."""
        return self.area.toPlainText().strip()
