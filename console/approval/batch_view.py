"""Several questions about one tool with their arguments in one table, and one decision about all of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QHBoxLayout,
    QHeaderView,
    QLineEdit,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from console.approval.batch_rows import Batch
from console.approval.parts_view import LABEL_WIDTH, small_heading
from console.theme import theme_of
from console.widgets import Button, IconLabel, TextLabel, paint_row, paint_text, set_surface

__all__ = ["BatchView"]

_PADDING: Final = 20
_CELL: Final = 12
_WIDEST: Final = 420
_ROOT: Final = QModelIndex()
_RETURN_KEYS: Final = {Qt.Key.Key_Return, Qt.Key.Key_Enter}
Index = QModelIndex | QPersistentModelIndex


class _CellsModel(QAbstractTableModel):
    """One row for each call: who calls, then each argument."""

    def __init__(self, batch: Batch, parent: QWidget) -> None:
        super().__init__(parent)
        self._batch = batch

    def rowCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._batch.cells)

    def columnCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._batch.heads)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> str | None:
        if role != Qt.ItemDataRole.DisplayRole or orientation is not Qt.Orientation.Horizontal:
            return None
        return self._batch.heads[section]

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if index.isValid() and role in {Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole}:
            return self._batch.cells[index.row()][index.column()]
        return None


class _CellDelegate(QStyledItemDelegate):
    """Paint arguments in the code face, as the dialog does."""

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        theme = theme_of()
        painter.save()
        paint_row(painter, option, theme, divider=True)
        font = theme.font("code" if index.column() else "small")
        font.setPixelSize(theme.type_scale["small"].size)
        words: QRect = option.rect.adjusted(_CELL, 0, -4, -1)
        paint_text(painter, words, str(index.data()), font, theme.color.text if index.column() else theme.color.text2)
        painter.restore()


class _Head(QHeaderView):
    """Name the arguments."""

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), theme_of(self).size.table_header)

    def paintSection(self, painter: QPainter, rect: QRect, logicalIndex: int) -> None:  # noqa: N803 -- Qt's name
        theme = theme_of(self)
        painter.fillRect(rect, theme.color.inset)
        painter.fillRect(rect.x(), rect.bottom(), rect.width(), 1, theme.color.border)
        text = str(self.model().headerData(logicalIndex, Qt.Orientation.Horizontal))
        paint_text(painter, rect.adjusted(_CELL, 0, -4, -1), text, theme.font("caption"), theme.color.text3)


class BatchView(QWidget):
    """Ask about several calls of one tool at once; nothing is allowed before `set_armed`.

    Args:
        batch: The calls.
        parent: Its owner.

    Signals:
        denied(str, bool): None of the calls shall run, in the person's words; whether their runs shall stop.
        allowed(): All of them shall run as asked.
        dropped(): They shall be decided one by one after all.
    """

    denied = Signal(str, bool)
    allowed = Signal()
    dropped = Signal()

    def __init__(self, batch: Batch, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._batch = batch
        count = len(batch.cells)
        self.setAccessibleName(f"{count} calls of {batch.tool}")
        set_surface(self, "surface")
        column = QVBoxLayout(self)
        column.setContentsMargins(_PADDING, 16, _PADDING, 16)
        column.setSpacing(0)
        head = QHBoxLayout()
        title = TextLabel(f"{count} calls of {batch.tool}", "title")
        one_by_one = Button("Decide one by one", kind="ghost", shortcut_hint="Esc")
        one_by_one.clicked.connect(self.dropped)
        head.addWidget(title)
        head.addStretch(1)
        head.addWidget(one_by_one)
        column.addLayout(head)
        column.addWidget(TextLabel(batch.description, "small", "text2", wrap=True))
        column.addSpacing(12)
        self.table = self._make_table()
        column.addWidget(self.table, 1)
        column.addSpacing(16)
        self.reason = QLineEdit()
        self.reason.setAccessibleName("Reason")
        self.reason.setPlaceholderText("Optional. Sent to every caller if you deny")
        row = QHBoxLayout()
        row.setSpacing(0)
        label = small_heading("Reason")
        label.setFixedWidth(LABEL_WIDTH)
        row.addWidget(label)
        row.addWidget(self.reason, 1)
        column.addLayout(row)
        column.addSpacing(16)
        column.addLayout(self._make_answers(count))
        self.set_armed(armed=False)

    def _make_table(self) -> QTableView:
        table = QTableView()
        table.setAccessibleName("Arguments")
        table.setObjectName("batchArguments")
        set_surface(table, "surface")
        table.setModel(_CellsModel(self._batch, self))
        table.setItemDelegate(_CellDelegate(table))
        table.setHorizontalHeader(_Head(Qt.Orientation.Horizontal, table))
        table.setShowGrid(False)
        table.setWordWrap(False)
        table.setTabKeyNavigation(False)
        table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        table.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        rows = table.verticalHeader()
        rows.hide()
        rows.setDefaultSectionSize(theme_of(self).size.row_table)
        for place, width in enumerate(self._widths()):
            table.setColumnWidth(place, width)
        table.horizontalHeader().setStretchLastSection(True)
        return table

    def _widths(self) -> Sequence[int]:
        """Give each column the room its words need, up to a limit; what needs more is scrolled to."""
        theme = theme_of(self)
        metrics = QFontMetrics(theme.font("code"))
        columns = zip(self._batch.heads, *self._batch.cells, strict=True)
        return [min(_WIDEST, max(map(metrics.horizontalAdvance, words)) + 2 * _CELL + 4) for words in columns]

    def _make_answers(self, count: int) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(8)
        self.deny = Button(f"Deny all {count}", icon="x", shortcut_hint="D", large=True)
        self.stop = Button("Deny all && stop the runs", kind="danger", icon="circle-x", large=True)
        self.allow = Button(f"Allow all {count}", kind="primary", icon="check", shortcut_hint="A", large=True)
        self.deny.clicked.connect(self._on_deny_clicked)
        self.stop.clicked.connect(self._on_stop_clicked)
        self.allow.clicked.connect(self.allowed)
        row.addWidget(self.deny)
        row.addWidget(self.stop)
        row.addStretch(1)
        if self._batch.why_not:
            row.addWidget(IconLabel("info", self._batch.why_not, "small", "text2"))
        row.addWidget(self.allow)
        return row

    def set_armed(self, *, armed: bool) -> None:
        """Let the calls be allowed, or not yet."""
        self.allow.setEnabled(armed and not self._batch.why_not)
        self.allow.setToolTip(self._batch.why_not)

    def focus_deny(self) -> None:
        """Move to the answer that allows nothing; Enter then presses it."""
        self.deny.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def focus_allow(self) -> None:
        """Move to the answer that allows all; Enter then presses it."""
        if self.allow.isEnabled():
            self.allow.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Press the focused answer with Enter."""
        focused = QApplication.focusWidget()
        if event.key() in _RETURN_KEYS and focused is self.reason:
            self.focus_deny()
        elif event.key() in _RETURN_KEYS and isinstance(focused, Button) and self.isAncestorOf(focused):
            focused.click()
        else:
            super().keyPressEvent(event)

    def _on_deny_clicked(self) -> None:
        self.denied.emit(self.reason.text().strip(), False)

    def _on_stop_clicked(self) -> None:
        self.denied.emit(self.reason.text().strip(), True)
