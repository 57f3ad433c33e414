"""A table that paints its rows itself."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from PySide6.QtCore import QEvent, QModelIndex
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QTableView, QWidget

from console.theme import Theme, theme_of

__all__ = ["PaintedTable", "SeenRow", "Stripe"]


class Stripe(NamedTuple):
    """Where a column stands that is painted.

    Attributes:
        column: Its number.
        left: Its left edge in logical pixels.
        width: How wide it is.
    """

    column: int
    left: int
    width: int


class SeenRow(NamedTuple):
    """A row that is painted.

    Attributes:
        place: Which one.
        top: Its upper edge in logical pixels.
        height: How high it is.
        ground: What is painted behind it; None for nothing.
        is_selected: Whether it is selected.
        is_hovered: Whether the pointer is over it.
    """

    place: int
    top: int
    height: int
    ground: QColor | None
    is_selected: bool
    is_hovered: bool


class PaintedTable(QTableView):
    """Paint whole rows, where the pointer and the selection are shown for the row.

    Each cell that Qt hands to a delegate costs several times as much, and lets another thread have its turn before it
    is painted. A subclass says in `paint_rows` how rows look.

    Args:
        parent: Its owner.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._hovered = -1
        self.setMouseTracking(True)

    def paint_rows(self, painter: QPainter, theme: Theme, stripes: Sequence[Stripe], rows: Iterable[SeenRow]) -> None:
        """Paint rows.

        Args:
            painter: Where to paint.
            theme: Where the colours come from.
            stripes: The columns that are to be seen anew.
            rows: The rows that are.
        """
        raise NotImplementedError

    def places_between(self, top: int, bottom: int) -> range:
        """Return the rows that stand between two heights of the viewport in logical pixels."""
        first, last = self.rowAt(top), self.rowAt(bottom)
        return range(first, (last if last >= 0 else self.model().rowCount() - 1) + 1) if first >= 0 else range(0)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the cells that are to be seen anew, and no others."""
        part, theme = event.rect(), theme_of(self)
        stripes = [at for at in self._stripes() if at.left <= part.right() and part.left() < at.left + at.width]
        painter = QPainter(self.viewport())
        self.paint_rows(painter, theme, stripes, self._rows_between(theme, part.top(), part.bottom()))

    def _rows_between(self, theme: Theme, top: int, bottom: int) -> Iterable[SeenRow]:
        selection, model, root = self.selectionModel(), self.model(), QModelIndex()
        has_selection, color = selection.hasSelection(), theme.color
        selected = color.selected if self.isActiveWindow() else color.selected_inactive
        for place in self.places_between(top, bottom):
            is_selected = has_selection and selection.isSelected(model.index(place, 0, root))
            is_hovered = place == self._hovered
            ground = selected if is_selected else color.hover if is_hovered else None
            yield SeenRow(
                place, self.rowViewportPosition(place), self.rowHeight(place), ground, is_selected, is_hovered
            )

    def _stripes(self) -> list[Stripe]:
        return [
            Stripe(column, self.columnViewportPosition(column), self.columnWidth(column))
            for column in range(self.model().columnCount())
            if not self.isColumnHidden(column)
        ]

    def viewportEvent(self, event: QEvent) -> bool:
        """Follow the pointer from row to row."""
        if event.type() is QEvent.Type.MouseMove and isinstance(event, QMouseEvent):
            self._hover(self.rowAt(event.position().toPoint().y()))
        elif event.type() is QEvent.Type.Leave:
            self._hover(-1)
        return super().viewportEvent(event)

    def _hover(self, place: int) -> None:
        """Let another row be under the pointer."""
        for row in {self._hovered, place} - {-1} if place != self._hovered else ():
            self.viewport().update(0, self.rowViewportPosition(row), self.viewport().width(), self.rowHeight(row))
        self._hovered = place
