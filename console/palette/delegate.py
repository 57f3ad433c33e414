"""How a row of the palette is painted."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize
from PySide6.QtGui import QColor, QFont, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from console.assets import paint_icon
from console.keymap import caps_of
from console.language import tr
from console.palette.model import PALETTE_ROLE
from console.palette.rows import PaletteRow, RowKind
from console.theme import Theme, mirror, theme_of
from console.widgets import (
    key_cap_width,
    paint_box,
    paint_key_cap,
    paint_latency_bars,
    paint_marked,
    paint_status,
    paint_text,
    text_face,
)

ROW_HEIGHT: Final = 32
HEADING_HEIGHT: Final = 26
_INSET: Final = 4
_LEFT: Final = 16
_GAP: Final = 10
_CAP_GAP: Final = 3
_BARS: Final = 14
_LEAST_TEXT: Final = 120
_HEADINGS: Final = {RowKind.HEADING, RowKind.FACT}


def row_height(row: PaletteRow) -> int:
    """Return the height of a row in logical pixels."""
    return HEADING_HEIGHT if row.kind in _HEADINGS else ROW_HEIGHT


class PaletteDelegate(QStyledItemDelegate):
    """Paint icon, text with its matches, place and arguments, and at the right what Enter or a shortcut does."""

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(0, row_height(index.data(PALETTE_ROLE)))

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        row: PaletteRow = index.data(PALETTE_ROLE)
        box: QRect = option.rect
        state: QStyle.StateFlag = option.state
        theme = theme_of()
        painter.save()
        mirror(painter, option.rect)
        if row.kind in _HEADINGS:
            _paint_heading(painter, box, row, theme)
        else:
            chosen = bool(state & QStyle.StateFlag.State_Selected)
            inner = box.adjusted(_INSET, 0, -_INSET, 0)
            if chosen or state & QStyle.StateFlag.State_MouseOver:
                paint_box(
                    painter, inner, theme.radius.medium, fill=theme.color.selected if chosen else theme.color.hover
                )
            _paint_choice(painter, box, row, theme, chosen=chosen)
        painter.restore()


def _paint_heading(painter: QPainter, box: QRect, row: PaletteRow, theme: Theme) -> None:
    font = theme.font("caption") if row.kind is RowKind.HEADING else theme.font("body")
    ink = theme.color.text3 if row.kind is RowKind.HEADING or row.key == "try" else theme.color.text
    words = box.adjusted(_LEFT, 2, -_LEFT, 0)
    paint_text(painter, words, row.text, font, ink)


def _paint_choice(painter: QPainter, box: QRect, row: PaletteRow, theme: Theme, *, chosen: bool) -> None:
    color = theme.color
    quiet = color.text2 if chosen else color.text3
    size = theme.size.icon
    paint_icon(
        painter, QRect(box.x() + _LEFT, box.y() + (box.height() - size) // 2, size, size), row.icon, color.text2, theme
    )
    left = box.x() + _LEFT + size + _GAP
    right = _paint_end(painter, box, row, theme, chosen=chosen)
    face = text_face(theme.font("body"))
    words = QRect(left, box.y(), max(0, right - left), box.height())
    left += paint_marked(painter, words, row.text, row.spans, face, color.text, theme) + _GAP
    # When it was is read before the last of many arguments.
    last = text_face(theme.font("small", tabular=True)).advance(row.note) + 1 + _GAP if row.note else 0
    for text, font, ink, end in (
        (row.detail, theme.font("small"), quiet, right - last),
        (row.code, _small_code(theme), color.text2, right - last),
        (row.note, theme.font("small", tabular=True), quiet, right),
    ):
        if text and end - left > _GAP:
            left += _paint_part(painter, QRect(left, box.y(), end - left, box.height()), text, font, ink) + _GAP


def _paint_part(painter: QPainter, box: QRect, text: str, font: QFont, ink: QColor) -> int:
    face = text_face(font)
    _, taken = face.shortened(text, box.width())
    face.paint(painter, ink, text, box.x(), box.y(), box.width(), box.height())
    return taken


def _small_code(theme: Theme) -> QFont:
    font = theme.font("code")
    font.setPixelSize(theme.type_scale["small"].size)
    return font


def _paint_end(painter: QPainter, box: QRect, row: PaletteRow, theme: Theme, *, chosen: bool) -> int:
    """Paint what stands at the right, and give where the words have to end."""
    right = box.right() + 1 - _LEFT
    keys = list(caps_of(row.keys))
    if not keys and chosen:
        keys = [tr("Enter")]
    for key in reversed(keys):
        width = key_cap_width(key, theme)
        paint_key_cap(painter, QRect(right - width, box.y(), width, box.height()), key, theme)
        right -= width + _CAP_GAP
    right -= (_GAP - _CAP_GAP) if keys else 0
    if row.is_on is not None:
        words = tr("On") if row.is_on else tr("Off")
        font = theme.font("small")
        width = text_face(font).advance(words) + 1
        ink = theme.color.accent_text if row.is_on else theme.color.text3
        paint_text(painter, QRect(right - width, box.y(), width, box.height()), words, font, ink)
        right -= width + _GAP
    if row.latency is not None:
        paint_latency_bars(painter, QRect(right - _BARS, box.y(), _BARS, box.height()), row.latency, theme)
        right -= _BARS + _GAP
    if row.asks_first:
        right = _paint_glyph(painter, box, right, "needs_approval", 14, theme, color=theme.status.warn.text)
    if row.status is not None:
        glyph = theme.size.status_glyph if row.kind is RowKind.TOOL else 14
        right = _paint_glyph(painter, box, right, row.status, glyph, theme)
    return max(right, box.x() + _LEAST_TEXT)


def _paint_glyph(  # noqa: PLR0917 -- as the painting functions it stands beside
    painter: QPainter, box: QRect, right: int, status: str, size: int, theme: Theme, *, color: QColor | None = None
) -> int:
    place = QRect(right - size, box.y() + (box.height() - size) // 2, size, size)
    paint_status(painter, place, status, theme, color=color)
    return place.x() - _GAP
