"""Which share of a tool's runs succeeded."""

from __future__ import annotations

import math
from collections.abc import Sequence

from PySide6.QtCore import QLineF, QMargins, QRect
from PySide6.QtGui import QColor, QFontMetrics, QPainter
from PySide6.QtWidgets import QWidget

from console.charts.curves import Curves
from console.charts.lines import Points, moment_of, points_of
from console.charts.marks import line_pen
from console.charts.ticks import Tick, share_ticks
from console.charts.time_plot import PlotFrame, TimePlot
from console.theme import Theme, theme_of
from console.widgets import paint_text
from tools.health.slots import Slot


def _success(slot: Slot) -> float | None:
    return slot.success_rate


class SuccessPlot(TimePlot):
    """Show the share of runs that succeeded, and the limits below which a tool is degraded or down.

    Args:
        parent: Its owner.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        self._curve = Curves()
        self._points: Points = []
        self._slots: dict[float, Slot] = {}
        self._up = self._down = 0.0
        super().__init__("Success rate", QMargins(48, 6, 18, 21), parent)
        self.box.addItem(self._curve, ignoreBounds=True)

    def show_slots(self, frame: PlotFrame, slots: Sequence[Slot], *, up: float, down: float) -> None:
        """Show slots.

        Args:
            frame: The stretch of time to show.
            slots: The tool's, oldest first.
            up: The share from which on a tool is up.
            down: The share below which it is down.
        """
        self._slots = {moment_of(slot): slot for slot in slots}
        self._up, self._down = up, down
        self._points = points_of(slots, _success, frame.ends_s)
        self._curve.show_curves([self._points])
        self.show_frame(frame)

    def reading_at(self, moment: float) -> float | None:
        """Return the share at a moment; None when nothing ran."""
        slot = self._slots.get(moment)
        return None if slot is None else slot.success_rate

    def fit(self) -> tuple[Tick, ...]:
        """Reach from 80%, 50% or 0% to 100%."""
        frame = self.frame
        seen = [
            share for at_s, share in self._points if frame.begins_s <= at_s <= frame.ends_s and not math.isnan(share)
        ]
        return share_ticks(min([self._up, *seen]) if seen else 0.8)

    def refit(self) -> None:
        """Draw of the curve what can be seen, and fill down to wherever the axis begins."""
        super().refit()
        self._curve.fit(self.frame.begins_s, self.frame.ends_s, round(self.area.width()))
        self._curve.setFillLevel(self.ticks[0].at)

    def style_items(self, theme: Theme) -> None:
        """Give the curve its pen and the area below it its tint."""
        self._curve.set_pen(line_pen(theme, "p50"))
        self._curve.setBrush(theme.plot.band)

    def dots_at(self, moment: float) -> list[tuple[float, QColor]]:
        """Return the share at a moment."""
        share = self.reading_at(moment)
        return [] if share is None else [(share, self._curve.color)]

    def paint_before(self, painter: QPainter, theme: Theme) -> None:
        """Paint the limits that stand between the ends of the axis."""
        font = theme.font("caption")
        font.setWeight(font.Weight.Normal)
        painter.setPen(line_pen(theme, "threshold"))
        for share in self._limits():
            y = round(self.y_of(share))
            painter.drawLine(QLineF(self.area.left(), y, self.area.right(), y))
        for text, box in self.limit_names():
            paint_text(painter, box, text, font, theme.plot_line["threshold"].color)

    def limit_names(self) -> list[tuple[str, QRect]]:
        """Return the names of the limits in sight and where they stand: below their lines, the second at the right."""
        area, metrics = self.area, QFontMetrics(theme_of(self).font("caption"))
        found: list[tuple[str, QRect]] = []
        for share in self._limits():
            text = f"{'limit' if share == self._up else 'down below'} {share * 100:g}%"
            y, width = round(self.y_of(share)), metrics.horizontalAdvance(text) + 1
            top = y + 2 if y + 18 <= area.bottom() else y - 17
            box = QRect(round(area.left()) + 4, top, width, 16)
            if any(box.intersects(other) for _, other in found):
                # Two lines that are close have no room for both names one below the other.
                box.moveRight(round(area.right()) - 4)
            found.append((text, box))
        return found

    def _limits(self) -> list[float]:
        return [share for share in dict.fromkeys((self._up, self._down)) if self.ticks[0].at < share < 1]
