"""The table of calls and its head."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QResizeEvent
from PySide6.QtWidgets import QHeaderView, QWidget

from console.call_table.model import CallColumn, CallTableModel
from console.call_table.painting import CELL_LEFT, GLYPH, CallPainter
from console.theme import Theme, theme_of
from console.widgets import PaintedTable, SeenRow, Stripe, TableHead


class TableShape(NamedTuple):
    """Where a table of calls has its room.

    Attributes:
        widths: What each column takes in logical pixels; those that are not named are not shown.
        least_arguments: What the arguments need at least; they take what the others leave.
        yielding: What is left out where there is too little room, first to last. When the arguments are, the status
            takes what is left.
        dense: Whether rows are low and without lines between them.
    """

    widths: Mapping[CallColumn, int]
    least_arguments: int
    yielding: tuple[CallColumn, ...]
    dense: bool


class CallTableView(PaintedTable):
    """Show calls, one row each.

    Args:
        model: The calls.
        shape: Where there is room for what.
        parent: Its owner.

    Signals:
        opened(str): Enter or a double click on the call with this id.
    """

    opened = Signal(str)

    def __init__(self, model: CallTableModel, shape: TableShape, parent: QWidget | None = None) -> None:
        super().__init__(lines=not shape.dense, parent=parent)
        self._calls = model
        self._shape = shape
        self.setModel(model)
        self.setHorizontalHeader(TableHead(self, numbers={CallColumn.DURATION}))
        self._size_sections()
        self.doubleClicked.connect(self._on_self_double_clicked)

    def _size_sections(self) -> None:
        sizes = theme_of(self).size
        self.set_row_height(sizes.row_table_dense if self._shape.dense else sizes.row_table)
        head = self.horizontalHeader()
        head.setMinimumSectionSize(56)
        for column in CallColumn:
            self.setColumnHidden(column, column not in self._shape.widths)
        for column, width in self._shape.widths.items():
            self.setColumnWidth(column, width)
        head.setSectionResizeMode(CallColumn.ARGUMENTS, QHeaderView.ResizeMode.Stretch)
        head.setHighlightSections(False)

    def repaint_rings(self) -> None:
        """Have the rings of running calls in sight painted anew, and nothing else."""
        calls = self._calls
        seen = self.places_between(0, self.viewport().height() - 1)
        running = (place for place in seen if calls.status_at(calls.index(place, CallColumn.STATUS)) == "running")
        self.repaint_cells(running, CallColumn.STATUS, CELL_LEFT, GLYPH)

    def paint_rows(self, painter: QPainter, theme: Theme, stripes: Sequence[Stripe], rows: Iterable[SeenRow]) -> None:
        paint = CallPainter(painter, theme, stripes, self._calls).paint
        for row in rows:
            paint(row)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leave out columns where there is too little room for all."""
        widths = {**self._shape.widths, CallColumn.ARGUMENTS: self._shape.least_arguments}
        self.leave_out(self._shape.yielding, widths)
        stretched = CallColumn.STATUS if self.isColumnHidden(CallColumn.ARGUMENTS) else CallColumn.ARGUMENTS
        head = self.horizontalHeader()
        for column in (CallColumn.STATUS, CallColumn.ARGUMENTS):
            mode = QHeaderView.ResizeMode.Stretch if column is stretched else QHeaderView.ResizeMode.Interactive
            if head.sectionResizeMode(column) is not mode:
                head.setSectionResizeMode(column, mode)
                self.setColumnWidth(column, self._shape.widths[column])
        super().resizeEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        index = self.currentIndex()
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter} and index.isValid():
            self.opened.emit(self._calls.id_at(index))
        else:
            super().keyPressEvent(event)

    def _on_self_double_clicked(self, index: QModelIndex) -> None:
        self.opened.emit(self._calls.id_at(index))
