"""One question inside another page, such as a conversation with a model: the same view, the same words."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from console.approval.review_view import ReviewView
from console.call_result.question_view import InlineQuestion


class InlineReview(InlineQuestion):
    """Show a question of the desk in the midst of a page."""

    def __init__(self, view: ReviewView, parent: QWidget) -> None:
        super().__init__(view, parent)
        self.view = view
        view.height_changed.connect(self.fit)

    def wanted_height(self, width: int) -> int:
        return self.view.height_for(width)
