"""The value as asked and the value now, one below the other, with what changed marked."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import (
    QColor,
    QFontMetricsF,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QTextLayout,
    QTextLine,
    QTextOption,
)
from PySide6.QtWidgets import QWidget

from console.comparison.lines import LineDifference, LinePart
from console.language import tr
from console.theme import Theme, painter_of, theme_of
from console.widgets import grow_with_width, paint_box

_LEFT: Final = 25
_SIGN: Final = 9
_RIGHT: Final = 8


class _Side(NamedTuple):
    sign: str
    parts: Sequence[LinePart]
    ink: QColor
    soft: QColor
    strong: QColor


class DiffView(QWidget):
    """Two lines, removed and added, each on its colour and with its sign; long ones break."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        # Code is read from left to right by everybody.
        self.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        self.difference = LineDifference((), (), shortened=False)
        grow_with_width(self)

    def show_difference(self, difference: LineDifference) -> None:
        self.difference = difference
        old, new = ("".join(part.text for part in side) for side in (difference.old, difference.new))
        self.setAccessibleName(tr("was {old}, is now {new}", old=old or tr("empty text"), new=new or tr("empty text")))
        self.updateGeometry()
        self.update()

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        line = theme_of(self).line_height("code")
        return 2 + sum(
            line * self._laid_out(side, width).lineCount() for side in (self.difference.old, self.difference.new)
        )

    def sizeHint(self) -> QSize:
        width = max(self.width(), 200)
        return QSize(width, self.heightForWidth(width))

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = theme_of(self)
        painter = painter_of(self)
        outline = QPainterPath()
        outline.addRoundedRect(QRectF(self.rect()), theme.radius.small, theme.radius.small)
        painter.setClipPath(outline)
        syntax = theme.syntax
        removed = _Side("-", self.difference.old, syntax.removed, syntax.removed_bg, syntax.removed_strong)
        added = _Side("+", self.difference.new, syntax.added, syntax.added_bg, syntax.added_strong)
        top = self._paint_side(painter, theme, 1, removed)
        self._paint_side(painter, theme, top, added)
        painter.setClipping(False)
        paint_box(painter, self.rect(), theme.radius.small, border=theme.color.border)

    def _laid_out(self, side: Sequence[LinePart], width: int) -> QTextLayout:
        layout = QTextLayout("".join(part.text for part in side), theme_of(self).font("code"))
        option = QTextOption()
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        layout.setTextOption(option)
        layout.beginLayout()
        while (line := layout.createLine()).isValid():
            line.setLineWidth(max(1, width - _LEFT - _RIGHT))
        layout.endLayout()
        return layout

    def _paint_side(self, painter: QPainter, theme: Theme, top: int, side: _Side) -> int:
        layout = self._laid_out(side.parts, self.width())
        exact = QFontMetricsF(theme.font("code"))
        line_height = theme.line_height("code")
        base = math.floor((line_height - exact.ascent() - exact.descent()) / 2 + exact.ascent())
        height = line_height * layout.lineCount()
        painter.fillRect(QRect(0, top, self.width(), height), side.soft)
        for index in range(layout.lineCount()):
            line = layout.lineAt(index)
            y = index * line_height
            for left, right in _changed_spans(line, side.parts):
                painter.fillRect(QRectF(_LEFT + left, top + y, right - left, line_height), side.strong)
            line.setPosition(QPointF(0, y + base - line.ascent()))
        painter.setPen(side.ink)
        painter.setFont(theme.font("code"))
        painter.drawText(QPointF(_SIGN, top + base), side.sign)
        layout.draw(painter, QPointF(_LEFT, top))
        return top + height


def _changed_spans(line: QTextLine, parts: Sequence[LinePart]) -> Iterator[tuple[float, float]]:
    """Return where the changed parts stand on a line, in logical pixels."""
    first, last = line.textStart(), line.textStart() + line.textLength()
    start = 0
    for part in parts:
        end = start + len(part.text.encode("utf-16-le")) // 2
        low, high = max(start, first), min(end, last)
        start = end
        if part.changed and low < high:
            yield _x_of(line, low), _x_of(line, high)


def _x_of(line: QTextLine, position: int) -> float:
    # PySide6 returns the cursor position beside the coordinate, its type information says nothing of it.
    found: Any = line.cursorToX(position)
    return float(found[0] if isinstance(found, tuple) else found)
