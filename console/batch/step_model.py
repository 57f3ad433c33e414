"""The rows of one step that did not succeed, as a Qt model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QAbstractTableModel, QObject, Qt

from console.batch.model import ROOT, Index
from console.widgets.formats import format_count

if TYPE_CHECKING:
    from console.batch.ports import FailedRow


_HEADS: Final = ("Row", "Ended", "Why")


class FailedRowsModel(QAbstractTableModel):
    """List rows that did not succeed.

    Args:
        parent: Its owner.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: Sequence[FailedRow] = ()

    def show(self, rows: Sequence[FailedRow]) -> None:
        """List other rows."""
        if list(rows) == list(self._rows):
            return
        self.beginResetModel()
        self._rows = tuple(rows)
        self.endResetModel()

    def rowCount(self, parent: Index = ROOT) -> int:
        """Count the rows that are listed."""
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else len(_HEADS)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation is Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return _HEADS[section]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Give the words of a cell."""
        if not index.isValid() or role not in {Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole}:
            return None
        row = self._rows[index.row()]
        match index.column():
            case 0:
                return format_count(row.row + 1)
            case 1:
                return row.state.value.replace("_", " ").capitalize()
            case _:
                return row.error
