"""Paint one line of a JSON tree: `key: value` in the colours of code, and what is wrong with it."""

from __future__ import annotations

from typing import Any, Final

from PySide6.QtCore import QModelIndex as _Plain
from PySide6.QtCore import QObject, QPersistentModelIndex, QPointF, QRect, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem

from console.assets import paint_icon
from console.json_view.summary import line_of
from console.theme import Theme, theme_of
from console.widgets import paint_match, paint_text

__all__ = ["JsonLineDelegate"]

_Index = _Plain | QPersistentModelIndex

_PROBLEM_GAP: Final = 16
_PROBLEM_ICON: Final = 14
_LEAST_PROBLEM: Final = 60


class JsonLineDelegate(QStyledItemDelegate):
    """Paint the line of a value.

    Attributes:
        needle: What is searched, in lower case; "" for nothing.

    Args:
        parent: Its owner.
    """

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.needle = ""

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:
        """Return the height of a row."""
        return QSize(200, theme_of().size.row_tree)

    def paint_line(
        self,
        painter: QPainter,
        rect: QRect,
        key: str | int | None,
        value: Any,
        *,
        is_open: bool,
        selected: bool,
        problem: str = "",
    ) -> None:
        """Paint a line.

        Args:
            painter: Where to paint.
            rect: The room there is, in logical pixels.
            key: The value's name or position; None for the whole.
            value: The value.
            is_open: Whether what is inside is shown below.
            selected: Whether the row is chosen.
            problem: What is wrong with the value; "" for nothing.
        """
        theme = theme_of()
        font = theme.font("code")
        painter.setFont(font)
        metrics = QFontMetricsF(font)
        pieces = line_of(key, value, is_open=is_open)
        if self.needle:
            line = "".join(piece.text for piece in pieces)
            paint_match(painter, rect, line, _spans(self.needle, line), theme)
        left = float(rect.x())
        end = rect.right() + 1 - (_LEAST_PROBLEM + _PROBLEM_GAP if problem else 0)
        baseline = rect.y() + (rect.height() - metrics.height()) / 2 + metrics.ascent()
        for piece in pieces:
            room = end - left
            if room <= 0:
                break
            text = metrics.elidedText(piece.text, Qt.TextElideMode.ElideRight, room)
            painter.setPen(_ink(piece.kind, theme, selected=selected))
            painter.drawText(QPointF(left, baseline), text)
            left += metrics.horizontalAdvance(text)
        if problem:
            _paint_problem(painter, QRect(round(left) + _PROBLEM_GAP, rect.y(), 0, rect.height()), rect, problem, theme)


def _paint_problem(painter: QPainter, at: QRect, within: QRect, problem: str, theme: Theme) -> None:
    ink = theme.status.error.text
    top = at.y() + (at.height() - _PROBLEM_ICON) // 2
    paint_icon(painter, QRect(at.x(), top, _PROBLEM_ICON, _PROBLEM_ICON), "circle-alert", ink, theme)
    room = QRect(at.x() + _PROBLEM_ICON + 6, at.y(), 0, at.height())
    room.setRight(within.right())
    paint_text(painter, room, problem, theme.font("small"), ink)


def _ink(kind: str, theme: Theme, *, selected: bool) -> QColor:
    if kind == "text3":
        return theme.color.text2 if selected else theme.color.text3
    color: QColor = getattr(theme.syntax, kind)
    return color


def _spans(needle: str, line: str) -> list[tuple[int, int]]:
    """Find a text in a line that is painted; upper and lower case are the same."""
    low, spans, start = line.casefold(), [], 0
    if len(low) != len(line):
        return []
    while (start := low.find(needle, start)) >= 0:
        spans.append((start, start + len(needle)))
        start += len(needle)
    return spans
