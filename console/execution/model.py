"""Item models of the page: the steps of a call and its attachments, over frozen rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt

from console.execution.waterfall import WaterfallRow
from console.widgets.formats import format_size
from tools.calls import Attachment

_Index = QModelIndex | QPersistentModelIndex
_NOWHERE: Final = QModelIndex()
_RIGHT: Final = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)

row_role: Final = int(Qt.ItemDataRole.UserRole)
"""The role under which a row's own value is found."""

STEP_COLUMNS: Final = ("Step", "Time line", "Duration", "Usual P50")
ATTACHMENT_COLUMNS: Final = ("Name", "Type", "Size")


class StepColumn:
    """The columns of the waterfall."""

    NAME: Final = 0
    LANE: Final = 1
    DURATION: Final = 2
    USUAL: Final = 3


class StepModel(QAbstractTableModel):
    """The steps of one call."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: tuple[WaterfallRow, ...] = ()

    def show(self, rows: Sequence[WaterfallRow]) -> None:
        self.beginResetModel()
        self.rows = tuple(rows)
        self.endResetModel()

    def rowCount(self, parent: _Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: _Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(STEP_COLUMNS)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return what a cell shows, or the row itself under `row_role`."""
        if not index.isValid() or not 0 <= index.row() < len(self.rows):
            return None
        row = self.rows[index.row()]
        texts = (row.name, row.label, row.duration, row.usual)
        if role == Qt.ItemDataRole.DisplayRole:
            return texts[index.column()]
        if role == row_role:
            return row
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{row.name}, {row.details.lines[0].value}, {row.duration}" if index.column() == 0 else None
        if role == Qt.ItemDataRole.TextAlignmentRole and index.column() >= StepColumn.DURATION:
            return _RIGHT
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation is not Qt.Orientation.Horizontal or not 0 <= section < len(STEP_COLUMNS):
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return STEP_COLUMNS[section]
        if role == Qt.ItemDataRole.TextAlignmentRole and section >= StepColumn.DURATION:
            return _RIGHT
        return None


class AttachmentModel(QAbstractTableModel):
    """What came with a result."""

    def __init__(self) -> None:
        super().__init__()
        self.attachments: tuple[Attachment, ...] = ()

    def show(self, attachments: Sequence[Attachment]) -> None:
        """Show other attachments; what is only added is inserted, so that the selection stays."""
        shown = len(self.attachments)
        new = tuple(attachments)
        if shown and len(new) > shown and new[:shown] == self.attachments:
            self.beginInsertRows(QModelIndex(), shown, len(new) - 1)
            self.attachments = new
            self.endInsertRows()
            return
        self.beginResetModel()
        self.attachments = new
        self.endResetModel()

    def rowCount(self, parent: _Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self.attachments)

    def columnCount(self, parent: _Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(ATTACHMENT_COLUMNS)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return what a cell shows, or the attachment itself under `row_role`."""
        if not index.isValid() or not 0 <= index.row() < len(self.attachments):
            return None
        attachment = self.attachments[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return (attachment.name, attachment.mime_type, format_size(len(attachment.data)))[index.column()]
        if role == row_role:
            return attachment
        if role == Qt.ItemDataRole.ToolTipRole and index.column() == 2:
            return f"{len(attachment.data):,} bytes"
        if role == Qt.ItemDataRole.TextAlignmentRole and index.column() == 2:
            return _RIGHT
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation is not Qt.Orientation.Horizontal or not 0 <= section < len(ATTACHMENT_COLUMNS):
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return ATTACHMENT_COLUMNS[section]
        if role == Qt.ItemDataRole.TextAlignmentRole and section == 2:
            return _RIGHT
        return None
