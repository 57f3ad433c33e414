"""The servers that other programs know: choose what to take over."""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter
from typing import Final

from PySide6.QtCore import QObject, QSize, Qt, Signal
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from console.servers.rows import ImportRow
from console.widgets import (
    Button,
    Cell,
    Column,
    EmptyState,
    Index,
    TableModel,
    TableView,
    TextLabel,
    WindowDialog,
)

_SIZE: Final = QSize(920, 560)
_MARGIN: Final = 64
_COLUMNS: Final = (
    Column("Server", 180, is_checkable=True),
    Column("From", 150),
    Column("Transport", 84),
    Column("Command or address"),
    Column("Note", 200),
)
_FILES: Final = "Server settings (*.json *.jsonc *.properties);;All files (*)"


class ImportModel(TableModel[ImportRow]):
    """List servers with a mark before those that are taken.

    Args:
        parent: Its owner.

    Signals:
        chosen_changed: Others are taken now.
    """

    chosen_changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(_COLUMNS, self._cells_of, attrgetter("key"), parent)
        self._chosen: set[str] = set()
        self.checked.connect(self._on_checked)

    @property
    def chosen(self) -> tuple[str, ...]:
        """Give the keys of those that are taken."""
        return tuple(row.key for row in self.rows if row.key in self._chosen)

    def add_rows(self, rows: Sequence[ImportRow]) -> int:
        """List further servers; those that are new here are marked. Return how many came."""
        known = {row.key for row in self.rows}
        new = [row for row in rows if row.key not in known]
        self._chosen |= {row.key for row in new if not row.is_known and not row.problem}
        self.append(new)
        self.chosen_changed.emit()
        return len(new)

    def flags(self, index: Index) -> Qt.ItemFlag:
        flags = super().flags(index)
        is_broken = index.isValid() and bool(self.rows[index.row()].problem)
        return flags & ~Qt.ItemFlag.ItemIsEnabled if is_broken else flags

    def _cells_of(self, row: ImportRow) -> tuple[Cell, ...]:
        if row.problem:
            # It has the whole row for itself.
            return (Cell(": ".join(filter(None, (row.origin, row.name, row.problem))), "disabled", "body"),)
        return (
            Cell(row.name, "text", "body", is_checked=row.key in self._chosen),
            Cell(row.origin, "text", "body"),
            Cell(row.transport, "text", "body"),
            Cell(row.address, "text", is_code=True),
            Cell(row.note, "text", "body"),
        )

    def _on_checked(self, key: str, is_chosen: bool) -> None:
        if is_chosen:
            self._chosen.add(key)
        else:
            self._chosen.discard(key)
        self.tell_changed([self.place_of(key)])
        self.chosen_changed.emit()


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
        self.table = TableView(self.model, "Servers of other programs", edge=8, left=8)
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

    def show_found(self, rows: Sequence[ImportRow], *, origin: str = "") -> None:
        """List what was found.

        Args:
            rows: The servers.
            origin: The file that was read; empty for all programs that are known.
        """
        came = self.model.add_rows(rows)
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
