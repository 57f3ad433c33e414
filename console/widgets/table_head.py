"""The head of a table, which names its columns."""

from __future__ import annotations

from collections.abc import Container
from typing import Final, Literal

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QHeaderView, QWidget

from console.assets import paint_icon
from console.language import tr
from console.theme import mirrored, theme_of
from console.widgets.painting import paint_text, text_face

_ARROW: Final = 12
_ARROW_GAP: Final = 3
_TIGHT: Final = 4
_RIGHT: Final = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class TableHead(QHeaderView):
    """Name the columns, aligned with their cells.

    Args:
        numbers: The columns that are aligned at the right.
        first: Where the words of the first column begin, in logical pixels.
        cell: Where those of the others begin, and where numbers end.
        last: Where numbers of the last column end; None for where others do.
        fill: What is behind the words.
    """

    def __init__(
        self,
        parent: QWidget | None,
        *,
        numbers: Container[int] = (),
        first: int = 12,
        cell: int = 12,
        last: int | None = None,
        fill: Literal["inset", "panel"] = "inset",
    ) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.setAccessibleName(tr("Columns"))
        self._numbers = numbers
        self._first = first
        self._cell = cell
        self._last = cell if last is None else last
        self._fill: Literal["inset", "panel"] = fill

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), theme_of(self).size.table_header)

    def width_of_name(self, column: int) -> int:
        """Return what the name of a column needs with the arrow of an order, in logical pixels."""
        text = str(self.model().headerData(column, Qt.Orientation.Horizontal))
        arrow = _ARROW + _ARROW_GAP if self.sectionsClickable() else 0
        begins, ends = self._edges(column)
        # Text that has exactly its width is shortened.
        return begins + text_face(theme_of(self).font("caption")).advance(text) + 1 + arrow + ends if text else 0

    def _edges(self, column: int) -> tuple[int, int]:
        """Return the space before and behind the name of a column."""
        if column in self._numbers:
            return _TIGHT, self._last if column == self.count() - 1 else self._cell
        return self._cell if column else self._first, _TIGHT

    def paintSection(self, painter: QPainter, rect: QRect, logicalIndex: int) -> None:  # noqa: N803 -- Qt's name
        """Paint what is behind the name of a column, and the name."""
        color = theme_of(self).color
        painter.fillRect(rect, color.inset if self._fill == "inset" else color.panel)
        painter.fillRect(rect.x(), rect.bottom(), rect.width(), 1, color.border)
        with mirrored(painter, rect):
            self.paint_name(painter, rect, logicalIndex)

    def paint_name(self, painter: QPainter, rect: QRect, column: int) -> None:
        """Paint the name of a column, and the arrow behind it if rows are sorted by it; a subclass may paint more."""
        theme, text = theme_of(self), str(self.model().headerData(column, Qt.Orientation.Horizontal))
        is_sorting = self.isSortIndicatorShown() and self.sortIndicatorSection() == column
        font, ink = theme.font("caption"), theme.color.text if is_sorting else theme.color.text3
        width = text_face(font).advance(text)
        begins, ends = self._edges(column)
        words = rect.adjusted(begins, 0, -ends, -1)
        if column in self._numbers:
            paint_text(painter, words, text, font, ink, align=_RIGHT)
            arrow = words.right() + 1 - width - _ARROW - _ARROW_GAP
        else:
            paint_text(painter, words, text, font, ink)
            arrow = words.left() + width + _ARROW_GAP
        if is_sorting:
            place = QRect(arrow, rect.y() + (rect.height() - _ARROW) // 2, _ARROW, _ARROW)
            icon = "arrow-down" if self.sortIndicatorOrder() is Qt.SortOrder.DescendingOrder else "arrow-up"
            paint_icon(painter, place, icon, theme.color.text2, theme)
