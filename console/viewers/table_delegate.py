"""Paint the cells of a table: a style sheet would take ten times as long."""

from __future__ import annotations

import math
from typing import Final, NamedTuple

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QFontMetricsF, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from console.json_view import is_container
from console.theme import Theme, theme_of
from console.viewers.table_model import RowsModel
from console.viewers.tabular import cell_text
from console.widgets import paint_row
from tools.spec import MISSING

_PADDING: Final = 8
_MOST_KNOWN: Final = 10_000


def cell_font(theme: Theme) -> QFont:
    """Return the font of a cell, whose digits are all as wide."""
    return theme.font("small", tabular=True)


class _Letters(NamedTuple):
    """What is the same for all cells: to find it out for each takes longer than to paint it."""

    theme: Theme
    font: QFont
    metrics: QFontMetrics
    baseline: int


class CellDelegate(QStyledItemDelegate):
    """Paint the cells of a `RowsModel`: numbers at the right, what says something about a value rather than it pale.

    Args:
        parent: Its owner.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._known: _Letters | None = None
        self._width_by_text: dict[str, int] = {}

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        """Return the height of a row."""
        return QSize(80, theme_of().size.row_table)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        letters = self._letters()
        theme = letters.theme
        model = index.model()
        paint_row(painter, option, theme, divider=True)
        value = model.value_at(index) if isinstance(model, RowsModel) else MISSING
        if value is MISSING:
            return
        ink = theme.color.text
        if option.state & QStyle.StateFlag.State_Selected:
            ink = theme.color.selected_text
        elif value is None or is_container(value):
            ink = theme.color.text3
        cell: QRect = option.rect
        room, text = cell.width() - 2 * _PADDING, cell_text(value)
        width = self._width(text, letters.metrics)
        if width > room:
            text, width = letters.metrics.elidedText(text, Qt.TextElideMode.ElideRight, room), room
        spare = room - width if isinstance(value, int | float) and not isinstance(value, bool) else 0
        painter.setFont(letters.font)
        painter.setPen(ink)
        painter.drawText(cell.x() + _PADDING + spare, cell.y() + letters.baseline, text)

    def _letters(self) -> _Letters:
        theme, known = theme_of(), self._known
        if known is None or known.theme is not theme:
            font = cell_font(theme)
            exact, height = QFontMetricsF(font), theme.size.row_table - 1
            baseline = math.floor((height - exact.ascent() - exact.descent()) / 2 + exact.ascent())
            known = self._known = _Letters(theme, font, QFontMetrics(font), baseline)
            self._width_by_text.clear()
        return known

    def _width(self, text: str, metrics: QFontMetrics) -> int:
        width = self._width_by_text.get(text)
        if width is None:
            if len(self._width_by_text) >= _MOST_KNOWN:
                self._width_by_text.clear()
            width = self._width_by_text[text] = metrics.horizontalAdvance(text)
        return width
