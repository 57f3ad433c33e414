"""The bar that says that only a part of a result is shown, and leads back."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from console.json_view import is_container, size_words
from console.widgets import BarFrame, Button, ElidedLabel


class PickedBar(BarFrame):
    """Say what was picked out of a result.

    Args:
        parent: Its owner.

    Signals:
        whole_requested: The whole result is to be shown again.
    """

    whole_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(32, surface="panel", margins=(12, 6), parent=parent)
        self.setAccessibleName("Picked")
        self._words = ElidedLabel("", "small", "text2", elide=Qt.TextElideMode.ElideMiddle)
        self.whole = Button("Show the whole result", kind="ghost", icon="undo-2")
        self.row.addWidget(self._words, 1)
        self.row.addWidget(self.whole)
        self.whole.clicked.connect(self.whole_requested)
        self.hide()

    def show_picked(self, expression: str, value: Any) -> None:
        """Say what is shown.

        Args:
            expression: What picked it.
            value: What was picked.
        """
        amount = size_words(value) if is_container(value) else "nothing" if value is None else "1 value"
        words = f"{expression} picks {amount}"
        self._words.set_text(words)
        self.setAccessibleDescription(words)
        self.show()
