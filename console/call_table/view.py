"""The table of calls and its head."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from PySide6.QtCore import QEvent, QModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QContextMenuEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView, QWidget

from console.call_table.model import CallTableModel, Column
from console.call_table.painting import CELL_LEFT, CELL_RIGHT, GLYPH, CallPainter, Stripe
from console.theme import Theme, theme_of
from console.widgets import paint_text

__all__ = ["CallTableView", "TableShape"]

_ALIGN_RIGHT: Final = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class TableShape(NamedTuple):
    """Where a table of calls has its room.

    Attributes:
        widths: What each column takes in logical pixels; those that are not named are not shown.
        least_arguments: What the arguments need at least; they take what the others leave.
        giving_way: What is left out where there is too little room, first to last. When the arguments are, the status
            takes what is left.
        dense: Whether rows are low and without lines between them.
    """

    widths: Mapping[Column, int]
    least_arguments: int
    giving_way: tuple[Column, ...]
    dense: bool


class _Head(QHeaderView):
    """Name the columns, aligned with their cells."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.setSectionsMovable(False)
        self.setMinimumSectionSize(56)

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), theme_of(self).size.table_header)

    def paintSection(self, painter: QPainter, rect: QRect, logicalIndex: int) -> None:  # noqa: N803 -- Qt's name
        theme = theme_of(self)
        painter.fillRect(rect, theme.color.inset)
        painter.fillRect(rect.x(), rect.bottom(), rect.width(), 1, theme.color.border)
        font = theme.font("caption")
        text = str(self.model().headerData(logicalIndex, Qt.Orientation.Horizontal))
        if logicalIndex == Column.DURATION:
            words = rect.adjusted(4, 0, -CELL_RIGHT, -1)
            paint_text(painter, words, text, font, theme.color.text3, align=_ALIGN_RIGHT)
        else:
            paint_text(painter, rect.adjusted(CELL_LEFT, 0, -4, -1), text, font, theme.color.text3)


class CallTableView(QTableView):
    """Show calls, one row each.

    It paints its rows itself: each cell that Qt hands to a delegate costs several times as much, and lets another
    thread have its turn before it is painted.

    Args:
        model: The calls.
        shape: Where there is room for what.
        parent: Its owner.

    Signals:
        opened(str): Enter or a double click on the call with this id.
        menu_requested(QModelIndex, QPoint): The context menu of a row, which is selected, is wanted, at a place on the
            screen.
    """

    opened = Signal(str)
    menu_requested = Signal(object, object)

    def __init__(self, model: CallTableModel, shape: TableShape, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._calls = model
        self._shape = shape
        self._hovered = -1
        self.setModel(model)
        self.setHorizontalHeader(_Head(self))
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.setMouseTracking(True)
        self.setCornerButtonEnabled(False)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._size_sections()
        self.doubleClicked.connect(self._on_self_double_clicked)

    def _size_sections(self) -> None:
        rows = self.verticalHeader()
        sizes = theme_of(self).size
        height = sizes.row_table_dense if self._shape.dense else sizes.row_table
        rows.hide()
        rows.setMinimumSectionSize(height)
        rows.setDefaultSectionSize(height)
        rows.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        head = self.horizontalHeader()
        for column in Column:
            self.setColumnHidden(column, column not in self._shape.widths)
        for column, width in self._shape.widths.items():
            self.setColumnWidth(column, width)
        head.setSectionResizeMode(Column.ARGUMENTS, QHeaderView.ResizeMode.Stretch)
        head.setHighlightSections(False)

    def repaint_rings(self) -> None:
        """Have the rings of running calls in sight painted anew, and nothing else."""
        left = self.columnViewportPosition(Column.STATUS) + CELL_LEFT
        for place in self._places(0, self.viewport().height() - 1):
            if self._calls.status_at(self._calls.index(place, Column.STATUS)) == "running":
                self.viewport().update(left, self.rowViewportPosition(place), GLYPH, self.rowHeight(place))

    # Painting

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the cells that are to be seen anew, and no others."""
        part, theme = event.rect(), theme_of(self)
        stripes = [at for at in self._stripes() if at.left <= part.right() and part.left() < at.left + at.width]
        painter = CallPainter(QPainter(self.viewport()), theme, stripes, self._calls, dense=self._shape.dense)
        selection = self.selectionModel()
        has_selection = selection.hasSelection()
        for place in self._places(part.top(), part.bottom()):
            is_selected = has_selection and selection.isSelected(self._calls.index(place, Column.TIME))
            painter.paint(
                place,
                self.rowViewportPosition(place),
                self.rowHeight(place),
                ground=self._ground(theme, place, is_selected=is_selected),
                is_selected=is_selected,
            )

    def _ground(self, theme: Theme, place: int, *, is_selected: bool) -> QColor | None:
        if is_selected:
            return theme.color.selected if self.isActiveWindow() else theme.color.selected_inactive
        return theme.color.hover if place == self._hovered else None

    def _places(self, top: int, bottom: int) -> range:
        """Return the rows that stand between two heights of the viewport."""
        first, last = self.rowAt(top), self.rowAt(bottom)
        return range(first, (last if last >= 0 else self._calls.rowCount() - 1) + 1) if first >= 0 else range(0)

    def _stripes(self) -> list[Stripe]:
        return [
            Stripe(column, self.columnViewportPosition(column), self.columnWidth(column))
            for column in Column
            if not self.isColumnHidden(column)
        ]

    def _hover(self, place: int) -> None:
        """Let another row be under the pointer."""
        for row in {self._hovered, place} - {-1} if place != self._hovered else ():
            self.viewport().update(0, self.rowViewportPosition(row), self.viewport().width(), self.rowHeight(row))
        self._hovered = place

    # Qt

    def viewportEvent(self, event: QEvent) -> bool:
        """Follow the pointer from row to row."""
        if event.type() is QEvent.Type.MouseMove and isinstance(event, QMouseEvent):
            self._hover(self.rowAt(event.position().toPoint().y()))
        elif event.type() is QEvent.Type.Leave:
            self._hover(-1)
        return super().viewportEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leave out columns where there is too little room for all."""
        widths = {**self._shape.widths, Column.ARGUMENTS: self._shape.least_arguments}
        needed = sum(widths.values())
        for column in self._shape.giving_way:
            is_too_much = needed > self.viewport().width()
            self.setColumnHidden(column, is_too_much)
            needed -= widths[column] if is_too_much else 0
        stretched = Column.STATUS if self.isColumnHidden(Column.ARGUMENTS) else Column.ARGUMENTS
        head = self.horizontalHeader()
        for column in (Column.STATUS, Column.ARGUMENTS):
            mode = QHeaderView.ResizeMode.Stretch if column is stretched else QHeaderView.ResizeMode.Interactive
            if head.sectionResizeMode(column) is not mode:
                head.setSectionResizeMode(column, mode)
                self.setColumnWidth(column, self._shape.widths[column])
        super().resizeEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Open with Enter."""
        index = self.currentIndex()
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter} and index.isValid():
            self.opened.emit(self._calls.id_at(index))
        else:
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Ask for the menu of the row under the pointer, or of the current one; it is selected if it was not."""
        by_mouse = event.reason() is QContextMenuEvent.Reason.Mouse
        index = self.indexAt(event.pos()) if by_mouse else self.currentIndex()
        if not index.isValid():
            return
        if not self.selectionModel().isRowSelected(index.row()):
            self.setCurrentIndex(index)
        place = event.globalPos() if by_mouse else self.viewport().mapToGlobal(self.visualRect(index).center())
        self.menu_requested.emit(index, place)

    def _on_self_double_clicked(self, index: QModelIndex) -> None:
        self.opened.emit(self._calls.id_at(index))
