"""The head of a table, which names its columns."""

from __future__ import annotations

from collections.abc import Container
from typing import Final, Literal

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QHeaderView, QWidget

from console.theme import theme_of
from console.widgets.painting import paint_text

_RIGHT: Final = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class TableHead(QHeaderView):
    """Name the columns, aligned with their cells.

    Args:
        parent: The table.
        numbers: The columns that are aligned at the right.
        first: Where the words of the first column begin, in logical pixels.
        cell: Where those of the others begin, and where numbers end.
        fill: What is behind the words.
    """

    def __init__(
        self,
        parent: QWidget,
        *,
        numbers: Container[int] = (),
        first: int = 12,
        cell: int = 12,
        fill: Literal["inset", "panel"] = "inset",
    ) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._numbers = numbers
        self._first = first
        self._cell = cell
        self._fill: Literal["inset", "panel"] = fill

    def sizeHint(self) -> QSize:
        """Return the height of all heads."""
        return QSize(super().sizeHint().width(), theme_of(self).size.table_header)

    def paintSection(self, painter: QPainter, rect: QRect, logicalIndex: int) -> None:  # noqa: N803 -- Qt's name
        """Paint what is behind the name of a column, and the name."""
        color = theme_of(self).color
        painter.fillRect(rect, color.inset if self._fill == "inset" else color.panel)
        painter.fillRect(rect.x(), rect.bottom(), rect.width(), 1, color.border)
        self.paint_name(painter, rect, logicalIndex)

    def paint_name(self, painter: QPainter, rect: QRect, column: int) -> None:
        """Paint the name of a column; a subclass may paint more."""
        theme, text = theme_of(self), str(self.model().headerData(column, Qt.Orientation.Horizontal))
        font, ink = theme.font("caption"), theme.color.text3
        if column in self._numbers:
            paint_text(painter, rect.adjusted(4, 0, -self._cell, -1), text, font, ink, align=_RIGHT)
        else:
            left = self._cell if column else self._first
            paint_text(painter, rect.adjusted(left, 0, -4, -1), text, font, ink)
