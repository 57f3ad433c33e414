"""What Qt asks of the cells of the plan's table, which paints them itself."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEvent, QModelIndex, QPersistentModelIndex, QSize
from PySide6.QtGui import QHelpEvent
from PySide6.QtWidgets import QAbstractItemView, QStyledItemDelegate, QStyleOptionViewItem, QToolTip

from console.batch.document_problems import CellProblems
from console.batch.model import ROW_ROLE
from console.theme import theme_of

_NONE: Final[CellProblems] = {}


class PlanDelegate(QStyledItemDelegate):
    """Say how high rows are, and under the pointer what is wrong with a cell.

    Attributes:
        problems: What is wrong with cells.
    """

    problems: CellProblems = _NONE

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        """Return the height of a row."""
        return QSize(40, theme_of().size.row_table)

    def helpEvent(
        self,
        event: QHelpEvent,
        view: QAbstractItemView,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> bool:
        """Say what is wrong with the cell under the pointer, before anything else."""
        words = self._problem_at(index) if index.isValid() and event.type() is QEvent.Type.ToolTip else ""
        if words:
            QToolTip.showText(event.globalPos(), words, view)
            return True
        return super().helpEvent(event, view, option, index)

    def _problem_at(self, index: QModelIndex | QPersistentModelIndex) -> str:
        if not self.problems:
            return ""
        place = index.data(ROW_ROLE).planned.number - 1
        return self.problems.get(place, {}).get(index.column(), "")
