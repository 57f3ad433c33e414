"""How a tile is painted: a tool's status, its success, its P95, and the curve of that."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from console.charts import paint_sparkline
from console.health.model import LINE_ROLE
from console.health.rows import HealthColumn, HealthRow, words_of
from console.theme import Theme, theme_of
from console.widgets import ROW_ROLE, paint_box, paint_status, paint_text, status_color

TILE_HEIGHT: Final = 72
TILE_GAP: Final = 8
_PADDING: Final = 12
_NUMBERS: Final = ((HealthColumn.SUCCESS, "Success", 52), (HealthColumn.P95, "P95", 68))
_LEAST_CURVE: Final = 40
_MOST_CURVE: Final = 88
_RIGHT: Final = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class TileDelegate(QStyledItemDelegate):
    """Paint a tile, with the gap to the next at its right and below it.

    Attributes:
        cell: What a tile and its gap take.

    Args:
        parent: Its owner.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.cell = QSize(208, TILE_HEIGHT + TILE_GAP)

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        """Return the size of a cell."""
        return self.cell

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        row: HealthRow = index.data(ROW_ROLE)
        theme = theme_of()
        painter.save()
        tile: QRect = option.rect.adjusted(0, 0, -TILE_GAP, -TILE_GAP)
        _paint_box(painter, tile, option, theme)
        box = tile.adjusted(_PADDING, 0, -_PADDING, 0)
        word, font = words_of(row, HealthColumn.STATUS), theme.font("small")
        painter.setFont(font)
        width = painter.fontMetrics().horizontalAdvance(word) + 1
        line = QRect(box.x(), box.y() + 8, box.width(), 20)
        paint_text(painter, line, word, font, status_color(row.status, theme), align=_RIGHT)
        paint_status(painter, QRect(line.x(), line.y() + 5, 10, 10), row.status, theme)
        name = theme.font("body")
        name.setWeight(QFont.Weight.DemiBold)
        paint_text(painter, line.adjusted(18, 0, -width - 8, 0), row.tool, name, theme.color.text)
        left = box.x()
        for column, title, room in _NUMBERS:
            place = QRect(left, box.y() + 31, room, 16)
            paint_text(painter, place, title, theme.font("caption"), theme.color.text3)
            paint_text(painter, place.translated(0, 17), words_of(row, column), _bold(theme), theme.color.text)
            left += room
        curve = min(_MOST_CURVE, box.right() + 1 - left)
        if curve >= _LEAST_CURVE:
            inside = QRectF(box.right() + 1 - curve, box.y() + 40, curve, 24)
            paint_sparkline(painter, inside, index.data(LINE_ROLE), _curve_color(row, theme))
        painter.restore()


def _paint_box(painter: QPainter, tile: QRect, option: QStyleOptionViewItem, theme: Theme) -> None:
    color = theme.color
    if option.state & QStyle.StateFlag.State_Selected:
        paint_box(painter, tile, theme.radius.medium, fill=color.surface, border=color.accent, width=2.0)
    else:
        over = option.state & QStyle.StateFlag.State_MouseOver
        fill = color.hover if over else color.surface
        paint_box(painter, tile, theme.radius.medium, fill=fill, border=color.border)


def _curve_color(row: HealthRow, theme: Theme) -> QColor:
    match row.status:
        case "down":
            return theme.status.error.fill
        case "degraded":
            return theme.status.warn.fill
        case _:
            return theme.plot.s1


def _bold(theme: Theme) -> QFont:
    font = theme.font("body", tabular=True)
    font.setWeight(QFont.Weight.DemiBold)
    return font
