"""How the cells of tools and their permissions are painted."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QPoint, QRect, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem

from console.permissions.model import WISH_WORDS, PermissionModel
from console.permissions.rows import ToolColumn, Wish
from console.theme import Theme, theme_of
from console.widgets import paint_box, paint_row, paint_text

_LEFT: Final = 12
_SEGMENT_PADDING: Final = 10
_SEGMENT_HEIGHT: Final = 20
_CENTER: Final = Qt.AlignmentFlag.AlignCenter
Index = QModelIndex | QPersistentModelIndex


class PermissionDelegate(QStyledItemDelegate):
    """Paint a source or a tool, and the choice of its permission."""

    def __init__(self, model: PermissionModel, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._model = model

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(80, theme_of().size.row_table)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        theme, column = theme_of(), ToolColumn(index.column())
        painter.save()
        paint_row(painter, option, theme, divider=True)
        cell: QRect = option.rect.adjusted(4 if column is ToolColumn.NAME else _LEFT, 0, -4, -1)
        if column is ToolColumn.WISH:
            self._paint_wish(painter, option.rect, theme, index)
        else:
            font = theme.font("small")
            if column is ToolColumn.NAME and self._model.tool_at(index) is None:
                font.setWeight(QFont.Weight.DemiBold)
            ink = theme.color.text if column is ToolColumn.NAME else theme.color.text2
            paint_text(painter, cell, index.data(Qt.ItemDataRole.DisplayRole), font, ink)
        painter.restore()

    def _paint_wish(self, painter: QPainter, rect: QRect, theme: Theme, index: Index) -> None:
        chosen, color = self._model.wish_at(index), theme.color
        places = _segments(rect, theme)
        trough = next(iter(places.values())).united(list(places.values())[-1])
        paint_box(painter, trough, theme.radius.small, fill=color.pressed)
        tones = {Wish.ASK: theme.status.warn, Wish.ALWAYS: theme.status.ok, Wish.NEVER: theme.status.error}
        for wish, place in places.items():
            ink = color.text3
            if wish is chosen:
                paint_box(painter, place, theme.radius.small, fill=color.surface, border=color.border_strong)
                ink = tones[wish].text if wish in tones else color.text
            paint_text(painter, place, WISH_WORDS[wish], theme.font("caption"), ink, align=_CENTER)


def wish_at(rect: QRect, theme: Theme, place: QPoint) -> Wish | None:
    """Return the permission whose words stand at a place of a cell; None when none does."""
    return next((wish for wish, segment in _segments(rect, theme).items() if segment.contains(place)), None)


def _segments(rect: QRect, theme: Theme) -> dict[Wish, QRect]:
    metrics = QFontMetrics(theme.font("caption"))
    top = rect.y() + (rect.height() - 1 - _SEGMENT_HEIGHT) // 2
    left, places = rect.x() + _LEFT, {}
    for wish, words in WISH_WORDS.items():
        width = metrics.horizontalAdvance(words) + 2 * _SEGMENT_PADDING
        places[wish] = QRect(left, top, width, _SEGMENT_HEIGHT)
        left += width
    return places
