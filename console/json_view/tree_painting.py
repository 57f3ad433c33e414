"""Paint one line of a JSON tree: `key: value` in the colours of code, and what is wrong with it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from PySide6.QtCore import QPointF, QRect, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem

from console.assets import paint_icon
from console.json_view.growing import Index
from console.json_view.summary import line_of
from console.theme import Theme, theme_of
from console.widgets import paint_match, paint_text

_PROBLEM_GAP: Final = 16
_PROBLEM_ICON: Final = 14
_LEAST_PROBLEM: Final = 60


def paint_pieces(
    painter: QPainter, rect: QRect, left: float, end: float, pieces: Iterable[tuple[str, QColor]]
) -> float:
    """Paint pieces of code one behind the other, cut off where the room ends.

    Args:
        painter: Where to paint.
        rect: The row.
        left: Where the first piece begins, in logical pixels.
        end: Where the room ends, in logical pixels.
        pieces: Each text with its colour.

    Returns:
        Where the last piece ends, in logical pixels.
    """
    font = theme_of().font("code")
    painter.setFont(font)
    metrics = QFontMetricsF(font)
    cell = metrics.horizontalAdvance("0")
    baseline = rect.y() + (rect.height() - metrics.height()) / 2 + metrics.ascent()
    for piece, ink in pieces:
        text = piece
        room = end - left
        if room <= 0:
            break
        # The letters of the code face are all as wide; to measure them takes as long as to paint them.
        width = len(text) * cell
        if width > room or not text.isascii():
            text = metrics.elidedText(text, Qt.TextElideMode.ElideRight, room)
            width = metrics.horizontalAdvance(text)
        painter.setPen(ink)
        painter.drawText(QPointF(left, baseline), text)
        left += width
    return left


class LineDelegate(QStyledItemDelegate):
    """Say how high the rows of a tree are that paints its lines itself."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """Return the height of a row."""
        return QSize(200, theme_of().size.row_tree)


class JsonLineDelegate(LineDelegate):
    """Paint the line of a value.

    Attributes:
        needle: What is searched, in lower case; "" for nothing.
    """

    def __init__(self) -> None:
        super().__init__()
        self.needle = ""

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
        pieces = line_of(key, value, is_open=is_open)
        if self.needle:
            line = "".join(piece.text for piece in pieces)
            paint_match(painter, rect, line, _spans(self.needle, line), theme)
        end = rect.right() + 1 - (_LEAST_PROBLEM + _PROBLEM_GAP if problem else 0)
        inked = [(piece.text, piece_ink(piece.kind, theme, selected=selected)) for piece in pieces]
        left = paint_pieces(painter, rect, rect.x(), end, inked)
        if problem:
            _paint_problem(painter, QRect(round(left) + _PROBLEM_GAP, rect.y(), 0, rect.height()), rect, problem, theme)


def _paint_problem(painter: QPainter, at: QRect, within: QRect, problem: str, theme: Theme) -> None:
    ink = theme.status.error.text
    top = at.y() + (at.height() - _PROBLEM_ICON) // 2
    paint_icon(painter, QRect(at.x(), top, _PROBLEM_ICON, _PROBLEM_ICON), "circle-alert", ink, theme)
    room = QRect(at.x() + _PROBLEM_ICON + 6, at.y(), 0, at.height())
    room.setRight(within.right())
    paint_text(painter, room, problem, theme.font("small"), ink)


def piece_ink(kind: str, theme: Theme, *, selected: bool) -> QColor:
    """Return the colour of a piece of a line.

    Args:
        kind: What `line_of` calls the piece.
        theme: Has the colours.
        selected: Whether the row is chosen.
    """
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
