"""A table that paints its rows itself.

For tables whose rows change many times a second: a delegate is called once for each cell, and each call from Qt into
Python waits for the interpreter, which all busy threads share.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from PySide6.QtCore import QEvent, QModelIndex, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QCursor, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView, QWidget

from console.theme import Theme, theme_of


class RowTable(QTableView):
    """Show whole rows, all of one height, without lines between cells and heads of their own; Tab leaves the table.

    What sets tables apart is for their owners: the model and who paints it, how wide columns are, what may be selected.

    Args:
        scrolls_sideways: Whether columns may need more room than there is.
    """

    def __init__(self, parent: QWidget | None = None, *, scrolls_sideways: bool = False) -> None:
        super().__init__(parent)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.setCornerButtonEnabled(False)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        if not scrolls_sideways:
            self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        head = self.horizontalHeader()
        head.setHighlightSections(False)
        head.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.set_row_height(theme_of(self).size.row_table)

    def set_row_height(self, height: int) -> None:
        """Make all rows so high, in logical pixels."""
        self.verticalHeader().setMinimumSectionSize(height)
        self.verticalHeader().setDefaultSectionSize(height)


class Stripe(NamedTuple):
    """Where a column stands that is painted.

    Attributes:
        left: Its left edge in logical pixels.
    """

    column: int
    left: int
    width: int


class SeenRow(NamedTuple):
    """A row that is painted.

    Attributes:
        top: Its upper edge in logical pixels.
        height: How high it is, without the line below it.
        is_hovered: Whether the pointer is over it.
    """

    place: int
    top: int
    height: int
    is_selected: bool
    is_hovered: bool


class PaintedTable(RowTable):
    """Show whole rows and paint them: the pointer and the selection are shown for the row.

    Each cell that Qt hands to a delegate costs several times as much, and lets another thread have its turn before it
    is painted. A subclass says in `paint_rows` what stands in rows; what is behind them is painted here.

    Args:
        lines: Whether a line stands below each row.
        scrolls_sideways: Whether columns may need more room than there is.

    Signals:
        menu_requested(QPoint, QModelIndex): The menu is wanted, at a place on the screen, of a row that is selected.
    """

    menu_requested = Signal(object, object)

    def __init__(self, *, lines: bool = True, parent: QWidget | None = None, scrolls_sideways: bool = False) -> None:
        super().__init__(parent, scrolls_sideways=scrolls_sideways)
        self._line = int(lines)
        self._hovered = -1
        self.setMouseTracking(True)

    def paint_rows(self, painter: QPainter, theme: Theme, stripes: Sequence[Stripe], rows: Iterable[SeenRow]) -> None:
        """Paint what stands in rows.

        Args:
            theme: Where the colours come from.
            stripes: The columns that are to be seen anew.
        """
        raise NotImplementedError

    def repaint_cells(self, places: Iterable[int], column: int, left: int, width: int) -> None:
        """Have a part of one column painted anew in rows that are in sight, and nothing else.

        Args:
            left: Where the part begins in it, in logical pixels.
            width: How wide the part is.
        """
        left += self.columnViewportPosition(column)
        seen = self.places_between(0, self.viewport().height() - 1)
        for place in places:
            if place in seen:
                self.viewport().update(left, self.rowViewportPosition(place), width, self.rowHeight(place))

    def places_between(self, top: int, bottom: int) -> range:
        """Return the rows that stand between two heights of the viewport in logical pixels."""
        first, last = self.rowAt(top), self.rowAt(bottom)
        return range(first, (last if last >= 0 else self.model().rowCount() - 1) + 1) if first >= 0 else range(0)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Ask for the menu of the row under the pointer, or of the current one; it is selected if it was not."""
        by_mouse = event.reason() is QContextMenuEvent.Reason.Mouse
        index = self.indexAt(event.pos()) if by_mouse else self.currentIndex()
        if not index.isValid():
            return
        if not self.selectionModel().isRowSelected(index.row()):
            self.setCurrentIndex(index)
        place = event.globalPos() if by_mouse else self.viewport().mapToGlobal(self.visualRect(index).center())
        self.menu_requested.emit(place, index)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the cells that are to be seen anew, and no others."""
        part, theme = event.rect(), theme_of(self)
        stripes = [at for at in self._stripes() if at.left <= part.right() and part.left() < at.left + at.width]
        if not stripes:
            return
        rows = list(self._rows_between(part.top(), part.bottom()))
        painter = QPainter(self.viewport())
        self._paint_grounds(painter, theme, stripes, rows)
        self.paint_rows(painter, theme, stripes, rows)

    def _paint_grounds(self, painter: QPainter, theme: Theme, stripes: Sequence[Stripe], rows: list[SeenRow]) -> None:
        color = theme.color
        selected = color.selected if self.isActiveWindow() else color.selected_inactive
        left = min(stripe.left for stripe in stripes)
        width = max(stripe.left + stripe.width for stripe in stripes) - left
        for row in rows:
            if row.is_selected or row.is_hovered:
                painter.fillRect(left, row.top, width, row.height, selected if row.is_selected else color.hover)
            if self._line:
                painter.fillRect(left, row.top + row.height, width, self._line, color.divider)

    def _rows_between(self, top: int, bottom: int) -> Iterator[SeenRow]:
        selection, model, root = self.selectionModel(), self.model(), QModelIndex()
        has_selection = selection.hasSelection()
        for place in self.places_between(top, bottom):
            is_selected = has_selection and selection.isSelected(model.index(place, 0, root))
            height = self.rowHeight(place) - self._line
            yield SeenRow(place, self.rowViewportPosition(place), height, is_selected, place == self._hovered)

    def _stripes(self) -> list[Stripe]:
        return [
            Stripe(column, self.columnViewportPosition(column), self.columnWidth(column))
            for column in range(self.model().columnCount())
            if not self.isColumnHidden(column)
        ]

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.MouseMove and isinstance(event, QMouseEvent):
            self._hover(self.rowAt(event.position().toPoint().y()))
        elif event.type() is QEvent.Type.Leave:
            self._hover(-1)
        return super().viewportEvent(event)

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        """Let the row stand out that comes under the pointer."""
        super().scrollContentsBy(dx, dy)
        if self._hovered >= 0:
            self._hover(self.rowAt(self.viewport().mapFromGlobal(QCursor.pos()).y()))

    def _hover(self, place: int) -> None:
        """Let another row be under the pointer."""
        for row in {self._hovered, place} - {-1} if place != self._hovered else ():
            self.viewport().update(0, self.rowViewportPosition(row), self.viewport().width(), self.rowHeight(row))
        self._hovered = place
