"""The servers that other programs know: choose what to take over."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, QSize, Qt, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFileDialog,
    QHBoxLayout,
    QHeaderView,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from console.servers.rows import ImportRow
from console.theme import theme_of
from console.widgets import Button, EmptyState, RowTable, TextLabel, WindowDialog

_SIZE: Final = QSize(920, 560)
_MARGIN: Final = 64
_HEADS: Final = ("Server", "From", "Transport", "Command or address", "Note")
_WIDTHS: Final = (180, 150, 84, 0, 200)
_ROOT: Final = QModelIndex()
_FILES: Final = "Server settings (*.json *.jsonc *.properties);;All files (*)"
Index = QModelIndex | QPersistentModelIndex


class ImportModel(QAbstractTableModel):
    """List servers with a mark before those that are taken.

    Args:
        parent: Its owner.

    Signals:
        chosen_changed: Others are taken now.
    """

    chosen_changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.rows: tuple[ImportRow, ...] = ()
        self._chosen: set[str] = set()

    @property
    def chosen(self) -> tuple[str, ...]:
        """Give the keys of those that are taken."""
        return tuple(row.key for row in self.rows if row.key in self._chosen)

    def add_rows(self, rows: Sequence[ImportRow]) -> int:
        """List further servers; those that are new here are marked. Return how many came."""
        known = {row.key for row in self.rows}
        new = tuple(row for row in rows if row.key not in known)
        self.beginResetModel()
        self.rows += new
        self._chosen |= {row.key for row in new if not row.is_known and not row.problem}
        self.endResetModel()
        self.chosen_changed.emit()
        return len(new)

    def rowCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = _ROOT) -> int:
        """Return how many columns there are."""
        return 0 if parent.isValid() else len(_HEADS)

    def flags(self, index: Index) -> Qt.ItemFlag:
        flags = super().flags(index)
        if not index.isValid():
            return flags
        if self.rows[index.row()].problem:
            return flags & ~Qt.ItemFlag.ItemIsEnabled
        return flags | Qt.ItemFlag.ItemIsUserCheckable if not index.column() else flags

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return what stands in a cell, or the mark."""
        if not index.isValid():
            return None
        row = self.rows[index.row()]
        texts = (row.name, row.origin, row.transport, row.address, row.note)
        if row.problem:
            # It has the whole row for itself.
            texts = (": ".join(filter(None, (row.origin, row.name, row.problem))), "", "", "", "")
        if role == Qt.ItemDataRole.DisplayRole:
            return texts[index.column()]
        if role == Qt.ItemDataRole.ToolTipRole:
            return texts[index.column()]
        if role == Qt.ItemDataRole.CheckStateRole and not index.column() and not row.problem:
            return Qt.CheckState.Checked if row.key in self._chosen else Qt.CheckState.Unchecked
        if role == Qt.ItemDataRole.FontRole and index.column() == 3:
            return theme_of().font("code")
        return None

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        if role != Qt.ItemDataRole.CheckStateRole or not index.isValid() or self.rows[index.row()].problem:
            return False
        key = self.rows[index.row()].key
        if Qt.CheckState(value) is Qt.CheckState.Checked:
            self._chosen.add(key)
        else:
            self._chosen.discard(key)
        self.dataChanged.emit(index, index)
        self.chosen_changed.emit()
        return True

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return the name of a column."""
        if role == Qt.ItemDataRole.DisplayRole and orientation is Qt.Orientation.Horizontal:
            return _HEADS[section]
        return None


class ImportDialog(WindowDialog):
    """Let a person choose which servers of other programs are taken over. None of them starts by that.

    Args:
        parent: The window it stands over.

    Signals:
        file_chosen(str): The servers that this file names shall be listed as well.
        take_requested(tuple): The servers with these keys shall be taken over.
    """

    file_chosen = Signal(str)
    take_requested = Signal(tuple)

    def __init__(self, parent: QWidget) -> None:
        super().__init__("Import servers", parent)
        self.model = ImportModel(self)
        self.table = RowTable()
        self.take = Button("Import", kind="primary", large=True)
        self.file = Button("Choose a file…", icon="folder-open", large=True)
        self._problem = TextLabel("", "small", "error", wrap=True)
        self._problem.hide()
        self._empty = EmptyState(
            "file-input", "Looking for servers", "Other programs are asked which servers they know."
        )
        self._pages = QStackedWidget()
        self._build()
        self.model.chosen_changed.connect(self._follow)
        self.take.clicked.connect(self._on_take_clicked)
        self.file.clicked.connect(self._on_file_clicked)
        self.resize(_SIZE.boundedTo(parent.window().size() - QSize(_MARGIN, _MARGIN)))
        self._follow()

    def _build(self) -> None:
        self._set_up_table()
        self._pages.addWidget(self.table)
        self._pages.addWidget(self._empty)
        cancel = Button("Cancel", large=True, shortcut_hint="Esc")
        cancel.clicked.connect(self.reject)
        row = QHBoxLayout()
        row.addWidget(self.file)
        row.addStretch(1)
        row.addWidget(cancel)
        row.addWidget(self.take)
        hint = "Their secrets move to the keyring. Nothing starts before you have seen what runs."
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 20, 20, 16)
        column.setSpacing(12)
        column.addWidget(TextLabel("Import servers", "title"))
        column.addWidget(TextLabel(hint, "small", "text2", wrap=True))
        column.addWidget(self._pages, 1)
        column.addWidget(self._problem)
        column.addLayout(row)

    def _set_up_table(self) -> None:
        table = self.table
        table.setModel(self.model)
        table.setAccessibleName("Servers of other programs")
        table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        for column, width in enumerate(_WIDTHS):
            if width:
                table.setColumnWidth(column, width)
            else:
                table.horizontalHeader().setSectionResizeMode(column, QHeaderView.ResizeMode.Stretch)

    def show_found(self, rows: Sequence[ImportRow], *, origin: str = "") -> None:
        """List what was found.

        Args:
            rows: The servers.
            origin: The file that was read; empty for all programs that are known.
        """
        came = self.model.add_rows(rows)
        self.table.clearSpans()
        for place in (place for place, row in enumerate(self.model.rows) if row.problem):
            self.table.setSpan(place, 0, 1, len(_HEADS))
        self.show_problem("" if came or not origin else f"{origin} names no further server.")
        if not self.model.rows:
            self._empty.show_text("No servers found", "No other program has any here. Choose a file that names some.")
        self._follow()

    def show_problem(self, problem: str) -> None:
        """Say what could not be read; empty when all is well."""
        self._problem.setText(problem)
        self._problem.setVisible(bool(problem))

    def _follow(self) -> None:
        count = len(self.model.chosen)
        self._pages.setCurrentIndex(0 if self.model.rows else 1)
        self.take.setEnabled(bool(count))
        self.take.setText("Import" if not count else "Import 1 server" if count == 1 else f"Import {count:,} servers")
        self.take.updateGeometry()

    def _on_take_clicked(self) -> None:
        self.take_requested.emit(self.model.chosen)

    def _on_file_clicked(self) -> None:
        path, _ = QFileDialog.getOpenFileName(self, "Choose a file that names servers", "", _FILES)
        if path:
            self.file_chosen.emit(path)
