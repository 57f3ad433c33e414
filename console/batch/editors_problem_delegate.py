"""How a cell of the plan is painted when something is wrong with what it says."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEvent, QModelIndex, QPersistentModelIndex
from PySide6.QtGui import QHelpEvent, QPainter
from PySide6.QtWidgets import QAbstractItemView, QStyleOptionViewItem, QToolTip

from console.batch.document_problems import CellProblems
from console.batch.model import ROW_ROLE
from console.batch.table_delegate import PlanDelegate
from console.theme import theme_of
from console.widgets import paint_box

__all__ = ["ProblemDelegate"]

_NONE: Final[CellProblems] = {}


class ProblemDelegate(PlanDelegate):
    """Put an outline around cells with problems, and say under the pointer what they are."""

    problems: CellProblems = _NONE

    def problem_at(self, index: QModelIndex | QPersistentModelIndex) -> str:
        """Say what is wrong with a cell; empty when nothing is."""
        if not self.problems:
            return ""
        place = index.data(ROW_ROLE).planned.number - 1
        return self.problems.get(place, {}).get(index.column(), "")

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Paint one cell."""
        super().paint(painter, option, index)
        if self.problem_at(index):
            box = option.rect.adjusted(2, 3, -3, -4)
            paint_box(painter, box, 4, border=theme_of().status.error.fill)

    def helpEvent(
        self,
        event: QHelpEvent,
        view: QAbstractItemView,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> bool:
        """Say what is wrong with the cell under the pointer, before anything else."""
        words = self.problem_at(index) if index.isValid() and event.type() is QEvent.Type.ToolTip else ""
        if words:
            QToolTip.showText(event.globalPos(), words, view)
            return True
        return super().helpEvent(event, view, option, index)
