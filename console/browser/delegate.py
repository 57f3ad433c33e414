"""How a row of the tools tree is painted, and where in it one clicks."""

from functools import lru_cache
from typing import Final

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from console.assets import paint_icon, paint_picture
from console.browser.model import ITEM_ROLE, ItemKind, TreeItem
from console.theme import Theme, ThemeName, load_theme, theme_of
from console.widgets import (
    TextFace,
    paint_latency_bars,
    paint_marked,
    paint_row,
    paint_status,
    paint_text,
    spinner_clock,
    text_face,
)

_LEFT: Final = 8
_RIGHT: Final = 12
_GAP: Final = 6
_CHEVRON: Final = 14
_SHIELD: Final = 14
_BARS_WIDTH: Final = 14
_LINE_PITCH: Final = 18
_FIRST_LINE: Final = 22
_NOTICE_LEFT: Final = 46
_DIMMED: Final = 0.4
_ALIGN_RIGHT: Final = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


def chevron_box(kind: ItemKind, row: QRect, theme: Theme) -> QRect:
    """Give where the chevron of a family or group stands in its row."""
    left = _LEFT + (theme.size.indent if kind is ItemKind.GROUP else 0)
    return QRect(row.x() + left, row.y() + (row.height() - _CHEVRON) // 2, _CHEVRON, _CHEVRON)


class ToolTreeDelegate(QStyledItemDelegate):
    """Paint chevron, glyph, name with its matches, and at the right the shield and latency bars, or the count."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._loading = False

    def set_loading(self, *, loading: bool) -> None:
        """Show rings in place of the families' counts, or the counts again."""
        self._loading = loading

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        """Return the height of a row; the width follows the view."""
        return QSize(0, theme_of().size.row_tree)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        item: TreeItem = index.data(ITEM_ROLE)
        theme = theme_of()
        painter.save()
        if item.kind is not ItemKind.FACT:
            paint_row(painter, option, theme)
        if item.notice:
            _paint_notice(painter, option, item, theme)
        elif item.tool is not None:
            _paint_tool(painter, option, item, theme)
        else:
            self._paint_branch(painter, option, item, theme)
        painter.restore()

    def _paint_branch(self, painter: QPainter, option: QStyleOptionViewItem, item: TreeItem, theme: Theme) -> None:
        row, state = _row(option), _state(option)
        color = theme.color
        selected = bool(state & QStyle.StateFlag.State_Selected)
        quiet = color.text2 if selected else color.text3
        ink = quiet if item.dimmed else color.text
        box = chevron_box(item.kind, row, theme)
        if item.failure is None or item.count:
            opened = bool(state & QStyle.StateFlag.State_Open) and not item.dimmed
            paint_icon(painter, box, "chevron-down" if opened else "chevron-right", color.text2, theme)
        left = box.right() + 1 + _GAP
        if item.icon:
            icon_box = QRect(left, row.y() + (row.height() - theme.size.icon) // 2, theme.size.icon, theme.size.icon)
            _paint_icon(painter, icon_box, item, quiet if item.dimmed else color.text2, theme)
            left += theme.size.icon + _GAP
        right = self._paint_end(painter, row, item, quiet, theme)
        font = theme.font("heading" if item.kind is ItemKind.FAMILY else "body")
        paint_text(painter, QRect(left, row.y(), right - left, row.height()), item.text, font, ink)

    def _paint_end(self, painter: QPainter, row: QRect, item: TreeItem, ink: QColor, theme: Theme) -> int:
        """Paint the count, or what stands in its place, and give where the name has to end."""
        right = row.right() + 1 - _RIGHT
        size = theme.size.icon_small
        glyph = QRect(right - size, row.y() + (row.height() - size) // 2, size, size)
        if self._loading and item.kind is ItemKind.FAMILY:
            paint_status(painter, glyph, "running", theme, turn=spinner_clock().turn)
            return glyph.x() - _GAP
        if item.failure is not None:
            paint_status(painter, glyph, "failed", theme)
            right = glyph.x() - _GAP
        if not item.count:
            return right
        font = theme.font("caption", tabular=True)
        font.setWeight(QFont.Weight.Normal)
        width = QFontMetrics(font).horizontalAdvance(item.count) + 1
        paint_text(
            painter, QRect(right - width, row.y(), width, row.height()), item.count, font, ink, align=_ALIGN_RIGHT
        )
        return right - width - _GAP


def _row(option: QStyleOptionViewItem) -> QRect:
    rect: QRect = option.rect
    return rect


def _state(option: QStyleOptionViewItem) -> QStyle.StateFlag:
    state: QStyle.StateFlag = option.state
    return state


def _paint_icon(painter: QPainter, box: QRect, item: TreeItem, ink: QColor, theme: Theme) -> None:
    if item.picture is None:
        paint_icon(painter, box, item.icon, ink, theme)
        return
    painter.setOpacity(_DIMMED if item.dimmed else 1.0)
    paint_picture(painter, box, item.picture, theme)
    painter.setOpacity(1.0)


def _paint_tool(painter: QPainter, option: QStyleOptionViewItem, item: TreeItem, theme: Theme) -> None:
    tool = item.tool
    if tool is None:
        return
    row = _row(option)
    left = row.x() + _LEFT + 2 * theme.size.indent + _GAP
    glyph = theme.size.status_glyph
    paint_status(painter, QRect(left, row.y() + (row.height() - glyph) // 2, glyph, glyph), tool.health, theme)
    left += glyph + _GAP + 1
    if item.icon:
        size = theme.size.icon_small
        ink = theme.color.text_disabled if item.dimmed else theme.color.text2
        _paint_icon(painter, QRect(left, row.y() + (row.height() - size) // 2, size, size), item, ink, theme)
        left += size + _GAP
    right = row.right() + 1 - _RIGHT - _BARS_WIDTH
    if tool.latency is not None:
        paint_latency_bars(painter, QRect(right, row.y(), _BARS_WIDTH - 1, row.height()), tool.latency, theme)
    if tool.asks_first:
        right -= _GAP + _SHIELD
        box = QRect(right, row.y() + (row.height() - _SHIELD) // 2, _SHIELD, _SHIELD)
        paint_status(painter, box, "needs_approval", theme, color=theme.status.warn.text)
    elif tool.latency is None:
        right += _BARS_WIDTH
    if tool.findings:
        right -= _GAP + _SHIELD
        box = QRect(right, row.y() + (row.height() - _SHIELD) // 2, _SHIELD, _SHIELD)
        ink = theme.status.error.text if tool.is_misdescribed else theme.color.text3
        paint_icon(painter, box, "message-square-text", ink, theme)
    words = QRect(left, row.y(), right - _GAP - left, row.height())
    ink = theme.color.text_disabled if item.dimmed else theme.color.text
    paint_marked(painter, words, item.text, item.spans, _face(theme.name), ink, theme)


@lru_cache(maxsize=2)
def _face(name: ThemeName) -> TextFace:
    return text_face(load_theme(name).font("body"))


def _paint_notice(painter: QPainter, option: QStyleOptionViewItem, item: TreeItem, theme: Theme) -> None:
    """Paint this row's share of a notice whose lines stand closer than rows do."""
    row = _row(option)
    at = item.notice.index(item.text)
    painter.setClipRect(row)
    block_top = row.y() - at * row.height() - theme.size.row_tree // 2 + _FIRST_LINE - _LINE_PITCH // 2
    for line, text in enumerate(item.notice):
        words = QRect(
            row.x() + _NOTICE_LEFT,
            block_top + line * _LINE_PITCH,
            row.width() - _NOTICE_LEFT - _RIGHT,
            _LINE_PITCH,
        )
        ink = theme.color.accent_text if line else theme.color.text3
        font = theme.font("small")
        if line:
            font.setWeight(QFont.Weight.Medium)
        paint_text(painter, words, text, font, ink)
