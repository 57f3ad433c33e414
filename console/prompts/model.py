"""The list of prompts."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QObject, Qt

from console.language import tr
from console.prompts.rows import PromptRow
from console.widgets import Cell, Column, TableModel

_NAME: Final = Column(tr("Prompt"), 180)
_PURPOSE: Final = Column(tr("What it is for"))
_SOURCE: Final = Column(tr("From"), 120, priority=1)
_ARGUMENTS: Final = Column(tr("Arguments"), 140, priority=2, elide=Qt.TextElideMode.ElideMiddle)


class PromptModel(TableModel[PromptRow]):
    """List prompts.

    Args:
        with_source: Whether it is said where each comes from.
    """

    def __init__(self, *, with_source: bool, parent: QObject | None = None) -> None:
        columns = (_NAME, _PURPOSE, _SOURCE, _ARGUMENTS) if with_source else (_NAME, _PURPOSE, _ARGUMENTS)
        super().__init__(columns, _cells_with_source if with_source else _cells, _key, parent)


def _key(row: PromptRow) -> str:
    return row.name


def _cells(row: PromptRow) -> tuple[Cell, ...]:
    tip = row.title or row.label
    icon = "message-square-text"
    return (
        Cell(row.label, "text", icon=icon, picture=row.picture, is_strong=True, tip=tip),
        Cell(" ".join(row.description.split()), tip=row.description),
        Cell(row.arguments, is_code=True),
    )


def _cells_with_source(row: PromptRow) -> tuple[Cell, ...]:
    name, purpose, arguments = _cells(row)
    return name, purpose, Cell(row.source, tip=row.origin), arguments
