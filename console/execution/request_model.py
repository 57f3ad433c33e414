"""The saved requests of a tool as a table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal

from console.execution.copies import summary_of
from console.execution.request_files import SavedRequest

_Index = QModelIndex | QPersistentModelIndex
_NOWHERE: Final = QModelIndex()
_COLUMNS: Final = ("Name", "Arguments")


class RequestModel(QAbstractTableModel):
    """Show requests; a new name is asked for, not set."""

    rename_requested = Signal(str, str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._requests: tuple[SavedRequest, ...] = ()

    def show(self, requests: Sequence[SavedRequest]) -> None:
        if tuple(requests) == self._requests:
            return
        self.beginResetModel()
        self._requests = tuple(requests)
        self.endResetModel()

    def request(self, row: int) -> SavedRequest | None:
        """Return the request of a row; None where there is none."""
        return self._requests[row] if 0 <= row < len(self._requests) else None

    def row_of(self, place: str) -> int:
        """Return the row of a place; -1 when it has none."""
        return next((row for row, request in enumerate(self._requests) if request.place == place), -1)

    def rowCount(self, parent: _Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._requests)

    def columnCount(self, parent: _Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(_COLUMNS)

    def flags(self, index: _Index) -> Qt.ItemFlag:
        flags = super().flags(index)
        return flags | Qt.ItemFlag.ItemIsEditable if index.isValid() and index.column() == 0 else flags

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        request = self.request(index.row()) if index.isValid() else None
        if request is None:
            return None
        arguments = request.problem or summary_of(request.arguments)
        if role == Qt.ItemDataRole.DisplayRole:
            return (request.place, arguments)[index.column()]
        if role == Qt.ItemDataRole.EditRole:
            return request.place
        if role == Qt.ItemDataRole.ToolTipRole:
            return arguments
        if role == Qt.ItemDataRole.AccessibleTextRole and index.column() == 0:
            return f"{request.place}, {arguments}"
        return None

    def setData(self, index: _Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        """Ask for another name; the list changes when the file was moved."""
        request = self.request(index.row())
        if request is None or role != Qt.ItemDataRole.EditRole or value == request.place:
            return False
        self.rename_requested.emit(request.place, str(value))
        return False

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation is Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return _COLUMNS[section]
        return None
