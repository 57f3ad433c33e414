"""Two past calls beside each other, and the way back to the list."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from console.comparison import ComparisonView, Side
from console.widgets import BarFrame, Button, ElidedLabel, set_surface

__all__ = ["ComparisonPage"]


class ComparisonPage(QWidget):
    """Show two calls, the older one at the left.

    Args:
        parent: Its owner.

    Signals:
        closed: The list is wanted again.
    """

    closed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_surface(self, "surface")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        bar = BarFrame(40, surface="surface", edge="bottom", margins=(12, 20), spacing=8)
        self.back = Button("Back to the list", kind="ghost", icon="arrow-left", shortcut_hint="Esc")
        self.back.clicked.connect(self.closed)
        self._title = ElidedLabel("", "heading")
        bar.row.addWidget(self.back)
        bar.row.addWidget(self._title, 1)
        column.addWidget(bar)
        self.comparison = ComparisonView(self)
        column.addWidget(self.comparison, 1)

    def show_sides(self, title: str, left: Side, right: Side) -> None:
        """Show two calls.

        Args:
            title: What is compared.
            left: The older call.
            right: The newer call.
        """
        self._title.set_text(title)
        self.comparison.set_sides(left, right)
        self.back.setFocus(Qt.FocusReason.OtherFocusReason)
