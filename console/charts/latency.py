"""How long runs of a tool took: the half, the slowest twentieth and the slowest hundredth of them."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Final

from PySide6.QtCore import QLineF, QMargins, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import QWidget

from console.charts.curves import Curves
from console.charts.lines import Points, crossed_at, moment_of, points_of, spread
from console.charts.marks import LineName, line_pen
from console.charts.ticks import Tick, duration_ticks
from console.charts.time_plot import PlotFrame, TimePlot
from console.theme import Theme
from console.widgets import format_duration_ms, paint_text
from tools.health.slots import Slot

_STEPS: Final = 5
_NAME_HEIGHT: Final = 14
_BAND_ALPHA: Final = 0.09
_NEAR: Final = 0.4
"""From which share of the limit on the axis reaches up to it."""


def _p50(slot: Slot) -> float | None:
    return slot.p50_ms


def _p95(slot: Slot) -> float | None:
    return slot.p95_ms


def _p99(slot: Slot) -> float | None:
    return slot.p99_ms


_NUMBERS: Final[dict[LineName, Callable[[Slot], float | None]]] = {"p50": _p50, "p95": _p95, "p99": _p99}


class LatencyPlot(TimePlot):
    """Show percentiles of a tool's latency, the limit of one of them, and since when it has been crossed.

    Args:
        parent: Its owner.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        self._curves = {name: Curves() for name in _NUMBERS}
        self._points: dict[LineName, Points] = {name: [] for name in _NUMBERS}
        self._slots: dict[float, Slot] = {}
        self._limit_ms = math.inf
        super().__init__("Latency", QMargins(48, 8, 52, 24), parent)
        # The most telling curve lies on top.
        for name in ("p50", "p99", "p95"):
            self.box.addItem(self._curves[name], ignoreBounds=True)

    def show_slots(self, frame: PlotFrame, slots: Sequence[Slot], limit_ms: float) -> None:
        """Show slots.

        Args:
            frame: The stretch of time to show.
            slots: The tool's, oldest first.
            limit_ms: What P95 may reach, in milliseconds.
        """
        self._slots = {moment_of(slot): slot for slot in slots}
        self._limit_ms = limit_ms
        for name, number in _NUMBERS.items():
            self._points[name] = points_of(slots, number, frame.ends_s)
            self._curves[name].show_curves([self._points[name]])
        self.show_frame(frame)

    def refit(self) -> None:
        """Draw of the curves what can be seen."""
        super().refit()
        for curve in self._curves.values():
            curve.fit(self.frame.begins_s, self.frame.ends_s, round(self.area.width()))

    def readings_at(self, moment: float) -> dict[LineName, float]:
        """Return the milliseconds of each curve at a moment, without those that are not known."""
        slot = self._slots.get(moment)
        return {} if slot is None else {name: ms for name, of in _NUMBERS.items() if (ms := of(slot)) is not None}

    def fit(self) -> tuple[Tick, ...]:
        """Reach from 0 to above what is in sight, and above the limit when it is near."""
        frame = self.frame
        seen = [
            ms
            for points in self._points.values()
            for at_s, ms in points
            if frame.begins_s <= at_s <= frame.ends_s and not math.isnan(ms)
        ]
        greatest_ms = max(seen, default=0.0)
        if not seen or greatest_ms >= self._limit_ms * _NEAR:
            greatest_ms = max(greatest_ms, self._limit_ms)
        greatest_ms = greatest_ms if 0 < greatest_ms < math.inf else 1000.0
        ticks = duration_ticks(greatest_ms / 1000, _STEPS, beyond=True)
        return tuple(tick._replace(at=tick.at * 1000) for tick in ticks)

    def style_items(self, theme: Theme) -> None:
        """Give each curve its pen."""
        for name, curve in self._curves.items():
            curve.set_pen(line_pen(theme, name))

    def dots_at(self, moment: float) -> list[tuple[float, QColor]]:
        """Return the numbers and colours of the curves at a moment."""
        return [(ms, self._curves[name].color) for name, ms in self.readings_at(moment).items()]

    def paint_behind(self, painter: QPainter, theme: Theme) -> None:
        """Paint the band since P95 crossed its limit."""
        since_s = crossed_at(self._points["p95"], self._limit_ms)
        if since_s is None or since_s >= self.frame.ends_s:
            return
        area = self.area
        left = max(area.left(), self.x_of(since_s))
        color = QColor(theme.status.warn.fill)
        color.setAlphaF(_BAND_ALPHA)
        painter.fillRect(QRectF(left, area.top(), area.right() - left, area.height()), color)

    def paint_before(self, painter: QPainter, theme: Theme) -> None:
        """Paint the limit and the names at the ends of the curves."""
        self._paint_limit(painter, theme)
        ends: list[tuple[float, str, QColor]] = []  # from the lowest curve to the highest
        frame, area = self.frame, self.area
        for name, points in self._points.items():
            seen = [ms for at_s, ms in points if frame.begins_s <= at_s <= frame.ends_s and not math.isnan(ms)]
            if seen:
                ends.append((self.y_of(seen[-1]), name.upper(), self._curves[name].color))
        font = theme.font("caption")
        font.setWeight(font.Weight.DemiBold)
        middles = spread([y for y, _, _ in ends], _NAME_HEIGHT, area.top(), area.bottom())
        for middle, (_, text, color) in zip(middles, ends, strict=True):
            words = QRect(round(area.right()) + 6, round(middle) - 8, 44, 16)
            paint_text(painter, words, text, font, color)

    def _paint_limit(self, painter: QPainter, theme: Theme) -> None:
        if self._limit_ms == math.inf:
            return
        area, y = self.area, self.y_of(self._limit_ms)
        in_sight = area.top() <= y <= area.bottom()
        color = theme.plot_line["threshold"].color
        if in_sight:
            painter.setPen(line_pen(theme, "threshold"))
            painter.drawLine(QLineF(area.left(), round(y), area.right(), round(y)))
        limit = f"P95 limit {_short(self._limit_ms)}"
        top = round(y) - 17 if y - 17 >= area.top() else round(y) + 2
        words = QRect(round(area.left()) + 4, top if in_sight else round(area.top()) + 2, round(area.width()) - 8, 16)
        font = theme.font("caption")
        font.setWeight(font.Weight.Normal)
        text = limit if in_sight else f"{limit} is above this"
        paint_text(painter, words, text, font, color, align=Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)


def _short(ms: float) -> str:
    """Write a limit as people set it: 2.5 s rather than 2.50 s."""
    return f"{ms / 1000:g} s" if ms >= 1000 else format_duration_ms(ms) if ms % 1 else f"{ms:.0f} ms"
