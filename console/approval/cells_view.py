"""A table of texts: what is asked about several calls at once."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QWidget

from console.theme import theme_of
from console.widgets import Cell, Column, TableModel, TableView

_CELL: Final = 12
_WIDEST: Final = 420


class CellsTable(TableView):
    """Show rows of texts under their heads; each column has the room its words need, up to a limit.

    Args:
        heads: What stands above each column.
        cells: The texts, row by row.
        name: What a screen reader calls it.
        code: The columns that are written in the code face, as arguments are.
        parent: Its owner.
    """

    def __init__(
        self,
        heads: Sequence[str],
        cells: Sequence[Sequence[str]],
        name: str,
        *,
        code: Collection[int],
        parent: QWidget | None = None,
    ) -> None:
        def cells_of(row: tuple[int, Sequence[str]]) -> tuple[Cell, ...]:
            return tuple(
                Cell(text, "text" if place in code else "text2", is_code=place in code)
                for place, text in enumerate(row[1])
            )

        def key_of(row: tuple[int, Sequence[str]]) -> str:
            return str(row[0])

        metrics = QFontMetrics(theme_of().font("code"))
        widths = [
            min(_WIDEST, max(map(metrics.horizontalAdvance, words)) + 2 * _CELL + 4)
            for words in zip(heads, *cells, strict=True)
        ]
        columns = [Column(head, width) for head, width in zip(heads, (*widths[:-1], 0), strict=True)]
        model = TableModel(columns, cells_of, key_of)
        model.show_rows(enumerate(cells))
        super().__init__(model, name, parent, many=True, scrolls_sideways=True)
        model.setParent(self)
