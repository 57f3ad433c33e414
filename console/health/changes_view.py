"""The list of the changes of the tools' health."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from console.health.changes_model import HealthChangesModel
from console.widgets import BarFrame, EmptyState, IconButton, TableView, TextLabel, format_count, set_surface

_SIDE: Final = 20


class HealthChangesView(QWidget):
    """Show the changes of the tools' health, newest first.

    Args:
        model: The changes.
        parent: Its owner.

    Signals:
        tool_chosen(str): The tool of a change was chosen.
        closed: The list is to be closed.
    """

    tool_chosen = Signal(str)
    closed = Signal()

    def __init__(self, model: HealthChangesModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        set_surface(self, "surface")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        bar = BarFrame(36, surface="inset", edge="none", margins=(_SIDE, 12))
        self._title = TextLabel("Changes of health", "heading")
        self._count = TextLabel("", "small", "text3")
        close = IconButton("x", "Close the list of changes", shortcut_hint="Esc")
        close.clicked.connect(self.closed)
        for widget in (self._title, self._count):
            bar.row.addWidget(widget)
        bar.row.addStretch(1)
        bar.row.addWidget(close)
        column.addWidget(bar)
        self._pages = QStackedWidget()
        self.table = TableView(model, "Changes of health", edge=_SIDE, left=8, glyph=10)
        self.table.setObjectName("healthChanges")
        self.table.horizontalHeader().hide()
        self.table.chosen.connect(self._on_table_chosen)
        empty = EmptyState(
            "activity", "No change yet", "When a tool begins to fail, or works again, it is listed here."
        )
        self._pages.addWidget(self.table)
        self._pages.addWidget(empty)
        column.addWidget(self._pages, 1)
        self.setFocusProxy(self.table)
        model.rows_changed.connect(self._on_model_changed)
        self._on_model_changed()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.closed.emit()
        else:
            super().keyPressEvent(event)

    def _on_model_changed(self) -> None:
        count = self._model.rowCount()
        self._count.setText(format_count(count) if count else "")
        self._pages.setCurrentIndex(0 if count else 1)

    def _on_table_chosen(self) -> None:
        self.tool_chosen.emit(self.table.chosen_row.tool)
