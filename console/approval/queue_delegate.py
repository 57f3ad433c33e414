"""How one open question is painted in the list: tool, time left, what will happen, who asks and why."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter, QPen
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from console.approval.model import URGENT_S
from console.approval.queue_model import PICKED_ROLE, ROW_ROLE, QueueModel
from console.approval.queue_rows import PendingRow
from console.assets import paint_icon
from console.theme import Theme, theme_of
from console.widgets import format_countdown, paint_box, paint_row, paint_text

ROW_HEIGHT: Final = 76
"""Height of a row in logical pixels."""

_SIDE: Final = 12
_LINE: Final = 20
_TOP: Final = 8
_RING: Final = 14
_ICON: Final = 14
_GAP: Final = 6
_RIGHT: Final = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class QueueDelegate(QStyledItemDelegate):
    """Paint open questions.

    Args:
        model: The questions, for the time.
        parent: Its owner.
    """

    def __init__(self, model: QueueModel, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._model = model

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        """Return the height of a row."""
        return QSize(120, ROW_HEIGHT)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        row: PendingRow = index.data(ROW_ROLE)
        theme = theme_of()
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        painter.save()
        # What is current here is what the page shows beside it, wherever the keys go.
        shown = QStyleOptionViewItem(option)
        shown.state |= QStyle.StateFlag.State_Active
        paint_row(painter, shown, theme)
        area: QRect = option.rect
        painter.fillRect(area.x(), area.bottom(), area.width(), 1, theme.color.border)
        lines = [
            QRect(area.x() + _SIDE, area.y() + _TOP + _LINE * number, area.width() - 2 * _SIDE, _LINE)
            for number in range(3)
        ]
        name = lines[0].adjusted(0, 0, -self._paint_clock(painter, lines[0], row, theme), 0)
        if index.data(PICKED_ROLE):
            name.setLeft(name.left() + _paint_pick(painter, name, theme))
        paint_text(
            painter, name, row.tool, _name_font(theme), theme.color.selected_text if selected else theme.color.text
        )
        font = theme.font("code") if row.is_code else theme.font("small")
        font.setPixelSize(theme.type_scale["small"].size)
        paint_text(painter, lines[1], row.summary, font, theme.color.text2)
        _paint_foot(painter, lines[2], row, theme)
        painter.restore()

    def _paint_clock(self, painter: QPainter, line: QRect, row: PendingRow, theme: Theme) -> int:
        """Paint ring and clock at the right end, and return how much room they take."""
        left_s = row.left_s(self._model.now)
        if left_s is None:
            return 0
        urgent = left_s <= URGENT_S
        soon = left_s <= 2 * URGENT_S
        font = theme.font("small", tabular=True)
        font.setWeight(QFont.Weight.Bold if urgent else QFont.Weight.DemiBold)
        tone = theme.status.error if urgent else theme.status.warn
        text = format_countdown(left_s)
        width = QFontMetrics(font).horizontalAdvance(text)
        paint_text(painter, line, text, font, tone.text if soon else theme.color.text2, align=_RIGHT)
        box = QRectF(
            line.right() - width - _GAP - _RING + 2.5, line.y() + (_LINE - _RING) / 2 + 1.5, _RING - 3, _RING - 3
        )
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(tone.border, 2))
        painter.drawEllipse(box)
        painter.setPen(QPen(tone.fill, 2, Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap))
        total_s = row.request.timeout_s
        painter.drawArc(box, 90 * 16, round(min(1.0, left_s / total_s) * 360 * 16) if total_s else 0)
        return width + 2 * _GAP + _RING


def _name_font(theme: Theme) -> QFont:
    font = theme.font("code")
    font.setPixelSize(theme.type_scale["small"].size)
    font.setWeight(QFont.Weight.DemiBold)
    return font


def _paint_pick(painter: QPainter, line: QRect, theme: Theme) -> int:
    """Paint the mark of a picked question, and return how much room it takes."""
    box = QRect(line.x(), line.y() + (_LINE - _ICON) // 2, _ICON, _ICON)
    paint_box(painter, box, theme.radius.small, fill=theme.color.accent)
    paint_icon(painter, box.adjusted(1, 1, -1, -1), "check", theme.color.on_accent, theme, stroke_width=2.6)
    return _ICON + _GAP


def _paint_foot(painter: QPainter, line: QRect, row: PendingRow, theme: Theme) -> None:
    """Paint who asks and why; the reason is never left out."""
    font = theme.font("caption")
    metrics = QFontMetrics(font)
    tag_width = _ICON + _GAP + metrics.horizontalAdvance(row.tag) + 1
    room = max(60, line.width() - tag_width - 2 * _GAP)
    caller_width = min(_ICON + _GAP + metrics.horizontalAdvance(row.caller) + 1, room)
    left = line.x()
    for icon, words, width, ink in (
        (row.caller_icon, row.caller, caller_width, theme.color.text2),
        (row.tag_icon, row.tag, line.width() - caller_width - 2 * _GAP, theme.status.warn.text),
    ):
        glyph = QRect(left, line.y() + (_LINE - 12) // 2, 12, 12)
        paint_icon(painter, glyph, icon, ink, theme)
        box = QRect(left + 12 + _GAP, line.y(), width - 12 - _GAP, _LINE)
        paint_text(painter, box, words, font, ink)
        left += width + 2 * _GAP
