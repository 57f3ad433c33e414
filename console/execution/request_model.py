"""The requests that were saved of a tool, as a table."""

from __future__ import annotations

from operator import attrgetter
from typing import Final

from PySide6.QtCore import QObject

from console.execution.copies import summary_of
from console.execution.request_files import SavedRequest
from console.widgets import Cell, Column, TableModel

_REQUEST_COLUMNS: Final = (Column("Name", 240, is_editable=True), Column("Arguments"))


class RequestModel(TableModel[SavedRequest]):
    """The saved requests of a tool; `edited` asks for another name.

    Args:
        parent: Its owner.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(_REQUEST_COLUMNS, _request_cells, attrgetter("place"), parent)


def _request_cells(row: SavedRequest) -> tuple[Cell, ...]:
    arguments = row.problem or summary_of(row.arguments)
    name = Cell(row.place, "text", "body", tip=arguments, spoken=f"{row.place}, {arguments}")
    return name, Cell(arguments, "text", "body")
