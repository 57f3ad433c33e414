"""What is known of a file that is not shown here, and the way to open it elsewhere."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QVBoxLayout, QWidget

from console.widgets import Button, TextLabel


class DetailsView(QWidget):
    """Show facts about a file.

    Args:
        parent: Its owner.

    Signals:
        open_requested: The file is to be opened with the program that the system has for it.
    """

    open_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Details")
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 16, 20, 16)
        column.setSpacing(12)
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(16)
        self._grid.setVerticalSpacing(6)
        self._grid.setColumnStretch(1, 1)
        self.open_button = Button("Open with another program", icon="external-link")
        column.addLayout(self._grid)
        column.addWidget(self.open_button, 0, Qt.AlignmentFlag.AlignLeft)
        column.addStretch(1)
        self.open_button.clicked.connect(self.open_requested)

    def show_details(self, facts: Sequence[tuple[str, str]], *, can_open: bool) -> None:
        """Show other facts.

        Args:
            facts: Words and their values.
            can_open: Whether the file is of a kind that only shows or plays something.
        """
        while (item := self._grid.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.deleteLater()
        for row, (word, value) in enumerate(facts):
            self._grid.addWidget(TextLabel(word, "small", "text3"), row, 0)
            label = TextLabel(value, "small", wrap=True, selectable=True)
            self._grid.addWidget(label, row, 1)
        self.setAccessibleDescription("; ".join(f"{word}: {value}" for word, value in facts))
        self.open_button.setVisible(can_open)
