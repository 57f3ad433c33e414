"""The table of a plan's steps, and its head."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from types import MappingProxyType
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import (
    QGuiApplication,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QWidget

from console.batch.document_problems import CellProblems
from console.batch.model import RIGHT, PlanModel
from console.batch.rows import Group, PlanColumn
from console.batch.table_delegate import PlanDelegate
from console.batch.table_painting import CELL_LEFT, GLYPH, RowPainter
from console.theme import Theme
from console.ui_throttle import ui_throttle
from console.widgets import PaintedTable, SeenRow, Stripe, TableHead, set_surface, spinner_clock

_WIDTHS: Final = MappingProxyType(
    {
        PlanColumn.NUMBER: 40,
        PlanColumn.STEP: 120,
        PlanColumn.TOOL: 136,
        PlanColumn.ARGUMENTS: 108,
        PlanColumn.AFTER: 64,
        PlanColumn.STATUS: 118,
        PlanColumn.PROGRESS: 64,
        PlanColumn.DURATION: 68,
    }
)
_LEAST_RESULT: Final = 96
_LEAST: Final = 32
_GIVING_WAY: Final = (PlanColumn.ARGUMENTS, PlanColumn.TOOL, PlanColumn.AFTER, PlanColumn.DURATION)
"""What is left out where there is too little room, first to last."""
_OPENING: Final = frozenset(
    {PlanColumn.NUMBER, PlanColumn.STATUS, PlanColumn.PROGRESS, PlanColumn.DURATION, PlanColumn.RESULT}
)
"""The columns that nobody writes in: a double click on them tells more."""


class PlanTableView(PaintedTable):
    """Show the steps of a plan, one 28 px row each.

    Args:
        model: The steps.
        parent: Its owner.

    Signals:
        chosen(str): This step is selected now.
        opened(str): More about this step is wanted.
    """

    chosen = Signal(str)
    opened = Signal(str)

    def __init__(self, model: PlanModel, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self._steps = model
        self._chosen = ""
        self._is_showing = False
        self._cells = PlanDelegate(self)
        self._throttle = ui_throttle()
        self.setModel(model)
        self.setItemDelegate(self._cells)
        self.setHorizontalHeader(TableHead(self, numbers=RIGHT, first=CELL_LEFT, cell=CELL_LEFT))
        self.horizontalHeader().setMinimumSectionSize(_LEAST)
        self.horizontalHeader().setHighlightSections(False)
        self.setObjectName("planTable")
        self.setAccessibleName("Steps of the plan")
        set_surface(self, "surface")
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self._size_sections()
        self.selectionModel().currentRowChanged.connect(self._on_current_row_changed)
        model.modelReset.connect(self._on_model_reset)

    def _size_sections(self) -> None:
        for column, width in _WIDTHS.items():
            self.setColumnWidth(column, width)
        self.horizontalHeader().setSectionResizeMode(PlanColumn.RESULT, QHeaderView.ResizeMode.Stretch)

    @property
    def current_step(self) -> str:
        """Give the step that the keys are at; empty for none."""
        index = self.currentIndex()
        return self._steps.row_at(index).planned.step if index.isValid() else ""

    @property
    def widths(self) -> tuple[int, ...]:
        """Give the widths of the columns but the last in logical pixels; those that are left out keep theirs."""
        return tuple(max(_LEAST, self.columnWidth(column) or width) for column, width in _WIDTHS.items())

    def set_widths(self, widths: tuple[int, ...]) -> None:
        """Make the columns as wide as they were; a number of them that is not ours changes nothing."""
        if len(widths) == len(_WIDTHS):
            for column, width in zip(_WIDTHS, widths, strict=True):
                self.setColumnWidth(column, max(_LEAST, width))

    def choose(self, step: str) -> None:
        """Select a step, if it is listed; tells nobody."""
        self._chosen = step
        if self.current_step == step and self.selectionModel().hasSelection():
            return
        place = self._steps.place_of(step)
        self._is_showing = True
        if place >= 0:
            self.setCurrentIndex(self._steps.index(place, PlanColumn.STEP))
        else:
            self.clearSelection()
        self._is_showing = False

    def follow_running(self) -> None:
        """Turn the rings of what runs, as long as something does."""
        turning = self.isVisible() and bool(self._steps.counts.get(Group.RUNNING))
        spinner_clock().set_turning(self.viewport(), turning=turning, repaint=self._repaint_rings)

    @property
    def problems(self) -> CellProblems:
        """Give what is wrong with cells."""
        return self._cells.problems

    def show_problems(self, problems: CellProblems) -> None:
        """Put an outline around the cells that something is wrong with, and say under the pointer what."""
        if problems != self._cells.problems:
            self._cells.problems = problems
            self.viewport().update()

    def copy(self) -> None:
        """Put the selected rows on the clipboard."""
        places = sorted(index.row() for index in self.selectionModel().selectedRows())
        if places:
            QGuiApplication.clipboard().setText(self._steps.text_of(places))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint what is to be seen anew, and let everything else have a turn after that."""
        super().paintEvent(event)
        self._throttle.note()

    def paint_rows(self, painter: QPainter, theme: Theme, stripes: Sequence[Stripe], rows: Iterable[SeenRow]) -> None:
        """Paint steps."""
        paint, problems = RowPainter(painter, theme, stripes, self._steps.now_s).paint, self._cells.problems
        for seen in rows:
            row = self._steps.row_at(self._steps.index(seen.place, PlanColumn.STEP))
            paint(seen, row, problems.get(row.planned.number - 1, {}) if problems else {})

    def _repaint_rings(self) -> None:
        """Have the rings in sight painted anew, and nothing else."""
        self.repaint_cells(self._steps.running, PlanColumn.STATUS, CELL_LEFT, GLYPH)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leave out columns where there is too little room for all."""
        widths = dict(zip(_WIDTHS, self.widths, strict=True))
        self.leave_out(_GIVING_WAY, widths, _LEAST_RESULT)
        super().resizeEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter} and self.current_step:
            self.opened.emit(self.current_step)
        else:
            super().keyPressEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Open a step, unless its cell can be written in."""
        super().mouseDoubleClickEvent(event)
        index = self.indexAt(event.position().toPoint())
        if index.isValid() and index.column() in _OPENING:
            self.opened.emit(self.current_step)

    def _on_current_row_changed(self) -> None:
        step = self.current_step
        if step and not self._is_showing:
            self._chosen = step
            self.chosen.emit(step)

    def _on_model_reset(self) -> None:
        self.choose(self._chosen)
