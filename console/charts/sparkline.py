"""Paint a small line of numbers without axes, for tiles and cells."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

_LINE: Final = 1.5
_DOT: Final = 2.25


def paint_sparkline(painter: QPainter, rect: QRectF, numbers: Sequence[float | None], color: QColor) -> None:
    """Paint numbers as a line from the left to the right of a rectangle, with a dot at the last.

    The least number stands at the bottom, the greatest at the top; equal numbers stand at the bottom, where nothing
    happens. What is not known is a gap; a number between two gaps is a dot.

    Args:
        painter: Where to paint.
        rect: Logical pixels; line and dot stay inside.
        numbers: Oldest first, evenly spaced; None is a gap.
        color: Of line and dot.
    """
    known = [number for number in numbers if number is not None]
    if not known:
        return
    inner = rect.adjusted(_DOT, _DOT, -_DOT, -_DOT)
    least, extent = min(known), max(known) - min(known)
    step = inner.width() / max(1, len(numbers) - 1)
    runs: list[list[QPointF]] = [[]]
    for place, number in enumerate(numbers):
        if number is None:
            runs.append([])
            continue
        height = (number - least) / extent * inner.height() if extent else 0.0
        runs[-1].append(QPointF(inner.left() + place * step, inner.bottom() - height))
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(color, _LINE, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin))
    for run in runs:
        if len(run) > 1:
            painter.drawPolyline(QPolygonF(run))
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(color)
    for run in runs:
        if len(run) == 1:
            painter.drawEllipse(run[0], _LINE, _LINE)
    if runs[-1]:
        painter.drawEllipse(runs[-1][-1], _DOT, _DOT)
    painter.restore()
