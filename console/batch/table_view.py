"""The table of a plan's steps: the shared table with a bar for how far each step is, and marks around wrong cells."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent

from console.batch.model import PlanModel
from console.batch.rows import Group, PlanColumn, StepFacts, group_of
from console.language import tr
from console.responsiveness.ui_throttle import ui_throttle
from console.theme import Theme
from console.widgets import Cell, PaintedTable, SeenRow, TableView, paint_box

_LEFT: Final = 8
_BAR: Final = 6
_LEAST: Final = 32
_NUMBER_WIDTH: Final = 40
_OPENING: Final = frozenset(
    {PlanColumn.NUMBER, PlanColumn.STATUS, PlanColumn.PROGRESS, PlanColumn.DURATION, PlanColumn.RESULT}
)
"""The columns that nobody writes in: a double click on them tells more."""


class PlanTableView(TableView):
    """Show the steps of a plan."""

    def __init__(self, model: PlanModel) -> None:
        super().__init__(model, tr("Steps of the plan"), edge=_LEFT, left=_LEFT, many=True)
        self._steps = model
        self._throttle = ui_throttle()
        self.setObjectName("planTable")
        self.horizontalHeader().setMinimumSectionSize(_LEAST)
        self.setColumnWidth(PlanColumn.NUMBER, _NUMBER_WIDTH)

    @property
    def _first_column(self) -> int:
        # Keys begin where a cell can be written.
        return PlanColumn.STEP

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        self._throttle.note()

    def paint_cell(  # noqa: PLR0917 -- as the shared table calls it
        self, painter: QPainter, theme: Theme, rect: QRect, cell: Cell, place: int, row: SeenRow
    ) -> None:
        """Paint a bar for how far a step is; what is wrong in a cell has a mark around it."""
        if place == PlanColumn.PROGRESS:
            _paint_share(painter, theme, rect, self._steps.rows[row.place].facts)
        elif cell.text:
            super().paint_cell(painter, theme, rect, cell, place, row)
        if not self._steps.cell_problems:
            return
        number = self._steps.rows[row.place].planned.number
        if place in self._steps.cell_problems.get(number - 1, {}):
            paint_box(painter, rect.adjusted(2, 3, -3, -3), 4, border=theme.status.error.fill)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Open a step, unless its cell can be written in."""
        if self.indexAt(event.position().toPoint()).column() in _OPENING:
            super().mouseDoubleClickEvent(event)
        else:
            PaintedTable.mouseDoubleClickEvent(self, event)


def _paint_share(painter: QPainter, theme: Theme, rect: QRect, facts: StepFacts) -> None:
    group = group_of(facts)
    tone = theme.tone("ok")
    share = 1.0
    if group in {Group.FAILED, Group.UNSURE}:
        tone = theme.tone("error" if group is Group.FAILED else "warn")
    elif group in {Group.RUNNING, Group.WAITING}:
        tone, share = theme.tone("run" if group is Group.RUNNING else "warn"), facts.share or 0.0
    elif group is not Group.DONE:
        share = 0.0
    wide = rect.width() - 2 * _LEFT
    place = QRectF(rect.x() + _LEFT, rect.y() + (rect.height() - _BAR) // 2, wide, _BAR)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=True)
    painter.setPen(Qt.PenStyle.NoPen)
    if share < 1:
        painter.setBrush(theme.color.pressed)
        painter.drawRoundedRect(place, _BAR / 2, _BAR / 2)
    if share > 0:
        painter.setBrush(tone.fill)
        place.setWidth(max(_BAR, round(wide * share)))
        painter.drawRoundedRect(place, _BAR / 2, _BAR / 2)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
