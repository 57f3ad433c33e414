"""The operations of an API as a table, with a mark before those that are tools."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from operator import attrgetter
from typing import Final

from PySide6.QtCore import QObject, Signal

from console.apis.rows import LOOK_BY_EFFECT, OperationRow
from console.widgets import Cell, Column, TableModel

_COLUMNS: Final = (
    Column("Path", 0, is_checkable=True),
    Column("Method", 84),
    Column("Effect", 92),
    Column("What it is for", 260),
)


class OperationsModel(TableModel[OperationRow]):
    """List operations.

    Args:
        parent: Its owner.

    Signals:
        chosen_changed: Others are chosen now.
    """

    chosen_changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(_COLUMNS, self._cells_of, attrgetter("key"), parent)
        self._chosen: set[str] = set()
        self.checked.connect(self._on_checked)

    @property
    def chosen(self) -> tuple[str, ...]:
        """Give the keys of those that are chosen."""
        return tuple(row.key for row in self.rows if row.key in self._chosen)

    def show_operations(self, rows: Sequence[OperationRow]) -> None:
        """Show other operations."""
        self._chosen = {row.key for row in rows if row.is_chosen}
        self.show_rows(rows)
        self.chosen_changed.emit()

    def choose(self, keys: Iterable[str]) -> None:
        """Choose those with these keys, and no others."""
        self._chosen = set(keys)
        self.tell_changed(range(len(self.rows)))
        self.chosen_changed.emit()

    def _cells_of(self, row: OperationRow) -> tuple[Cell, ...]:
        icon, tone = LOOK_BY_EFFECT[row.effect]
        return (
            Cell(row.path, "text", is_code=True, is_checked=row.key in self._chosen),
            Cell(row.method, "text2", is_code=True),
            Cell(row.effect, tone, icon=icon),
            Cell(row.summary, "text2", tip=f"{row.summary}\n{row.tool}".strip()),
        )

    def _on_checked(self, key: str, is_chosen: bool) -> None:
        if is_chosen:
            self._chosen.add(key)
        else:
            self._chosen.discard(key)
        self.tell_changed([self.place_of(key)])
        self.chosen_changed.emit()
