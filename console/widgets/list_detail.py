"""A list beside the detail of its chosen row."""

from __future__ import annotations

from typing import Generic, TypeVar

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from console.widgets.labels import set_surface
from console.widgets.sections import EmptyState, ThinSplitter
from console.widgets.table_model import TableModel
from console.widgets.table_view import TableView

Row = TypeVar("Row")


class ListDetailView(QWidget, Generic[Row]):
    """List rows, and show the chosen one beside them; one is chosen as soon as there is any.

    A subclass fills `_column`, shows the chosen row in `_show_current`, and calls `_follow_rows` when it is built.

    Args:
        empty: What stands there while there is no row.
        spacing: Between the parts of the detail, in logical pixels.

    Attributes:
        table: The list.
        splitter: Has the list and the detail.
    """

    def __init__(
        self, model: TableModel[Row], name: str, empty: EmptyState, *, spacing: int = 8, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._model = model
        self._empty = empty
        self._pages = QStackedWidget(self)
        split = self.splitter = ThinSplitter(Qt.Orientation.Horizontal, self._pages)
        self.table = TableView(model, name, split, edge=20, glyph=10)
        self.table.setMinimumWidth(280)
        self._detail = QWidget(split)
        self._detail.setMinimumWidth(320)
        set_surface(self._detail, "surface")
        self._column = QVBoxLayout(self._detail)
        self._column.setContentsMargins(20, 8, 20, 12)
        self._column.setSpacing(spacing)
        split.addWidget(self.table)
        split.addWidget(self._detail)
        split.setStretchFactor(0, 1)
        split.setStretchFactor(1, 1)
        split.setSizes([1, 1])
        self._pages.addWidget(split)
        self._pages.addWidget(empty)
        self._whole = QVBoxLayout(self)
        self._whole.setContentsMargins(0, 0, 0, 0)
        self._whole.setSpacing(0)
        self._whole.addWidget(self._pages)
        self.table.chosen.connect(self._show_current)
        model.rows_changed.connect(self._follow_rows)

    @property
    def current(self) -> Row | None:
        """Give the chosen row; None for none."""
        place = self._model.place_of(self.table.chosen_key)
        return self._model.rows[place] if place >= 0 else None

    def _follow_rows(self) -> None:
        self._pages.setCurrentIndex(0 if self._model.rows else 1)
        if self._model.rows and self.current is None:
            self.table.choose(self._model.key_at(0))
        self._show_current()

    def _show_current(self) -> None:
        raise NotImplementedError
