"""The operations of an API as a table, with a mark before those that are tools."""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter
from typing import Final

from PySide6.QtCore import QObject

from console.apis.rows import LOOK_BY_EFFECT, OperationRow
from console.language import tr
from console.widgets import Cell, CheckableTableModel, Column

_COLUMNS: Final = (
    Column(tr("Path"), 0, is_checkable=True),
    Column(tr("Method"), 84),
    Column(tr("Effect"), 92, samples=tuple(Cell(words, icon=icon) for words, icon, _ in LOOK_BY_EFFECT.values())),
    Column(tr("What it is for"), 260),
)


class OperationsModel(CheckableTableModel[OperationRow]):
    """List operations."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(_COLUMNS, self._cells_of, attrgetter("key"), parent)

    def show_operations(self, rows: Sequence[OperationRow]) -> None:
        self.show_rows(rows)
        self.choose(row.key for row in rows if row.is_chosen)

    def _cells_of(self, row: OperationRow) -> tuple[Cell, ...]:
        words, icon, tone = LOOK_BY_EFFECT[row.effect]
        return (
            Cell(row.path, "text", is_code=True, is_checked=row.key in self._chosen),
            Cell(row.method, "text2", is_code=True),
            Cell(words, tone, icon=icon),
            Cell(row.summary, "text2", tip=f"{row.summary}\n{row.tool}".strip()),
        )
