"""The plots of one tool: latency, success rate and calls."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PySide6.QtCore import QLineF, QMargins, QObject, QPointF, QRect, QRectF, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPen, QPolygonF
from PySide6.QtWidgets import QApplication, QStyleOptionGraphicsItem, QWidget

from console.charts.lines import (
    CALLERS,
    Caller,
    LineName,
    Points,
    Tick,
    caller_color,
    count_ticks,
    crossed_at,
    duration_ticks,
    line_pen,
    lone_points,
    moment_of,
    points_of,
    share_ticks,
    spread,
)
from console.charts.time_plot import PlotFrame, TimePlot
from console.language import number, tr
from console.theme import Theme, theme_of
from console.widgets import format_duration_ms, paint_text
from tools.health.time_slots import Slot as TimeSlot

_Numbers = NDArray[np.float64]
_DOT: Final = 4.0


class Curves(pg.PlotCurveItem):
    """Draw curves with one pen, as one item: many items cost several times as much.

    A point without neighbours is a dot. Of more points than a screen can tell apart, the least and the greatest of
    each column of pixels are drawn.
    """

    def __init__(self) -> None:
        super().__init__(antialias=True, connect="finite")
        self._pen = QPen()
        self._curves: list[_Numbers] = []
        self._dots = QPolygonF()
        self._fitted = (0.0, 0.0, 0)

    def show_curves(self, curves: Sequence[Points]) -> None:
        """Show curves, each from the left to the right; `fit` is called afterwards."""
        self._curves = [np.array(curve, dtype=np.float64) for curve in curves if curve]
        self._dots = QPolygonF([QPointF(*dot) for curve in curves for dot in lone_points(curve)])
        self._fitted = (0.0, 0.0, 0)

    def fit(self, begins: float, ends: float, width: int) -> None:
        """Draw no more than can be seen.

        Args:
            begins: Left end of what is in sight.
            width: How many pixels that is.
        """
        if self._fitted == (begins, ends, width):
            return
        self._fitted = (begins, ends, width)
        gap = np.full((1, 2), np.nan)
        parts = [part for curve in self._curves for part in (in_sight(curve, begins, ends, width), gap)]
        joined = np.concatenate(parts) if parts else np.empty((0, 2))
        self.setData(joined[:, 0], joined[:, 1])

    def set_pen(self, pen: QPen) -> None:
        """Draw with another pen, whose width is in logical pixels whatever the scale of the plot."""
        self._pen = pen
        self.setPen(pen)

    @property
    def color(self) -> QColor:
        return self._pen.color()

    def pixelPadding(self) -> float:
        """Return how far what is painted reaches beyond the points, in logical pixels."""
        return max(_DOT, float(super().pixelPadding()))

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        """Paint the lines, and a dot where no line leads."""
        scale = self.sceneTransform().m11()
        if not scale:
            return  # There is no room for anything.
        # A pen that no scale changes counts the pixels of the screen.
        ratio = painter.deviceTransform().m11() / scale
        pen = QPen(self._pen)
        pen.setCosmetic(True)
        pen.setWidthF(self._pen.widthF() * ratio)
        self.opts["pen"] = pen
        super().paint(painter, option, widget)
        if not self._dots.isEmpty():
            pen = QPen(self.color, _DOT * ratio, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap)
            pen.setCosmetic(True)
            painter.setPen(pen)
            painter.drawPoints(self._dots)


def in_sight(points: _Numbers, begins: float, ends: float, width: int) -> _Numbers:
    """Return what has to be drawn of a curve: all of it as long as that is little.

    Otherwise what is in sight with a neighbour at either side, of each column of pixels the least and the greatest.

    Args:
        points: Rows of place and number, by place; a number that is NaN is a gap.
        begins: Left end of what is in sight.
        width: How many pixels that is.
    """
    if len(points) <= 2 * width or width < 1:
        return points
    first, last = np.searchsorted(points[:, 0], (begins, ends))
    points = points[max(0, first - 1) : last + 1]
    if len(points) <= 2 * width:
        return points
    places, numbers = points.T
    starts = np.unique(np.searchsorted(places, np.linspace(places[0], places[-1], width, endpoint=False)))
    thinned = np.repeat(points[starts], 2, axis=0)
    thinned[0::2, 1] = np.fmin.reduceat(numbers, starts)
    thinned[1::2, 1] = np.fmax.reduceat(numbers, starts)
    return thinned


_STEPS: Final = 5
_NAME_HEIGHT: Final = 14
_BAND_ALPHA: Final = 0.09
_NEAR: Final = 0.4
"""From which share of the limit on the axis reaches up to it."""


def _p50(slot: TimeSlot) -> float | None:
    return slot.p50_ms


def _p95(slot: TimeSlot) -> float | None:
    return slot.p95_ms


def _p99(slot: TimeSlot) -> float | None:
    return slot.p99_ms


_NUMBERS: Final[dict[LineName, Callable[[TimeSlot], float | None]]] = {"p50": _p50, "p95": _p95, "p99": _p99}


class LatencyPlot(TimePlot):
    """Show percentiles of a tool's latency, the limit of one of them, and since when it has been crossed."""

    def __init__(self, parent: QWidget | None = None) -> None:
        self._curves = {name: Curves() for name in _NUMBERS}
        self._points: dict[LineName, Points] = {name: [] for name in _NUMBERS}
        self._slots: dict[float, TimeSlot] = {}
        self._limit_ms = math.inf
        super().__init__(tr("Latency"), QMargins(48, 8, 52, 24), parent)
        # The most telling curve lies on top.
        for name in ("p50", "p99", "p95"):
            self.box.addItem(self._curves[name], ignoreBounds=True)

    def show_slots(self, frame: PlotFrame, slots: Sequence[TimeSlot], limit_ms: float) -> None:
        """Show slots.

        Args:
            frame: The stretch of time to show.
            slots: The tool's, oldest first.
            limit_ms: What P95 may reach, in milliseconds.
        """
        self._slots = {moment_of(slot): slot for slot in slots}
        self._limit_ms = limit_ms
        for name, number_of in _NUMBERS.items():
            self._points[name] = points_of(slots, number_of, frame.ends_s)
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
        limit = tr("P95 limit {limit}", limit=_short(self._limit_ms))
        top = round(y) - 17 if y - 17 >= area.top() else round(y) + 2
        words = QRect(round(area.left()) + 4, top if in_sight else round(area.top()) + 2, round(area.width()) - 8, 16)
        font = theme.font("caption")
        font.setWeight(font.Weight.Normal)
        text = limit if in_sight else tr("{limit} is above this", limit=limit)
        paint_text(painter, words, text, font, color, align=Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)


def _short(ms: float) -> str:
    """Write a limit as people set it: 2.5 s rather than 2.50 s."""
    return f"{number(ms / 1000, 'g')} s" if ms >= 1000 else format_duration_ms(ms) if ms % 1 else f"{ms:.0f} ms"


def _success(slot: TimeSlot) -> float | None:
    return slot.success_rate


class SuccessPlot(TimePlot):
    """Show the share of runs that succeeded, and the limits below which a tool is degraded or down."""

    def __init__(self, parent: QWidget | None = None) -> None:
        self._curve = Curves()
        self._points: Points = []
        self._slots: dict[float, TimeSlot] = {}
        self._up = self._down = 0.0
        super().__init__(tr("Success rate"), QMargins(48, 6, 18, 21), parent)
        self.box.addItem(self._curve, ignoreBounds=True)

    def show_slots(self, frame: PlotFrame, slots: Sequence[TimeSlot], *, up: float, down: float) -> None:
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
            # The line of the other limit may pass there.
            painter.fillRect(box, theme.color.surface)
            paint_text(painter, box, text, font, theme.plot_line["threshold"].color)

    def limit_names(self) -> list[tuple[str, QRect]]:
        """Return the names of limits in sight that have room, and where: below their lines, the second at the right."""
        area, metrics = self.area, QFontMetrics(theme_of(self).font("caption"))
        found: list[tuple[str, QRect]] = []
        for share in self._limits():
            percent = share * 100
            text = (
                tr("limit {percent:g}%", percent=percent)
                if share == self._up
                else tr("down below {percent:g}%", percent=percent)
            )
            y, width = round(self.y_of(share)), metrics.horizontalAdvance(text) + 1
            top = y + 2 if y + 18 <= area.bottom() else y - 17
            box = QRect(round(area.left()) + 4, top, width, 16)
            if any(box.intersects(other) for _, other in found):
                # Two lines that are close have no room for both names one below the other.
                box.moveRight(round(area.right()) - 4)
            if box.top() >= 0:  # a low plot has no room for it
                found.append((text, box))
        return found

    def _limits(self) -> list[float]:
        return [share for share in dict.fromkeys((self._up, self._down)) if self.ticks[0].at < share < 1]


_COUNT_STEPS: Final = 2
_SHARE: Final = 0.86
"""How much of its slot a bar fills."""


def counts_of(slot: TimeSlot) -> dict[Caller, int]:
    """Return how many calls of a slot each part of its bar stands for, in the order of `CALLERS`; parts of 0 too.

    What failed is told apart from what did not, so that all parts together are all calls.
    """
    counts: dict[Caller, int] = dict.fromkeys(CALLERS, 0)
    for kind, calls in slot.calls.items():
        caller: Caller = kind if kind in {"agent", "batch", "you"} else "other"  # type: ignore[assignment]
        counts[caller] += calls - slot.failed.get(kind, 0)
    counts["failed"] = slot.failures
    return counts


class CallsPlot(TimePlot):
    """Show a bar for each slot, stacked by who called, with what failed on top."""

    def __init__(self, parent: QWidget | None = None) -> None:
        # One item holds the bars of one colour.
        self._bars = {caller: pg.BarGraphItem(x0=[], width=0, y0=[], height=[]) for caller in CALLERS}
        self._counts: dict[float, dict[Caller, int]] = {}
        super().__init__(tr("Calls"), QMargins(48, 6, 18, 21), parent)
        for bars in self._bars.values():
            self.box.addItem(bars, ignoreBounds=True)

    @property
    def callers(self) -> list[Caller]:
        """Who called within the stretch of time that is known."""
        return [caller for caller in CALLERS if any(counts[caller] for counts in self._counts.values())]

    def show_slots(self, frame: PlotFrame, slots: Sequence[TimeSlot]) -> None:
        """Show slots.

        Args:
            frame: The stretch of time to show.
            slots: Oldest first.
        """
        self._counts = {moment_of(slot): counts_of(slot) for slot in slots}
        width = frame.slot_s * _SHARE
        before = dict.fromkeys(self._counts, 0)
        for caller, bars in self._bars.items():
            heights = {moment: counts[caller] for moment, counts in self._counts.items() if counts[caller]}
            bars.setOpts(
                x0=[moment + (frame.slot_s - width) / 2 for moment in heights],
                width=width,
                y0=[before[moment] for moment in heights],
                height=list(heights.values()),
            )
            for moment, count in heights.items():
                before[moment] += count
        self.show_frame(frame)

    def reading_at(self, moment: float) -> Mapping[Caller, int]:
        """Return how many calls of each kind there were at a moment; nothing without calls."""
        return self._counts.get(moment, {})

    def fit(self) -> tuple[Tick, ...]:
        """Reach from 0 to above the highest bar in sight."""
        frame = self.frame
        seen = [
            sum(counts.values())
            for moment, counts in self._counts.items()
            if frame.begins_s - frame.slot_s < moment <= frame.ends_s
        ]
        return count_ticks(max(seen, default=0), _COUNT_STEPS)

    def style_items(self, theme: Theme) -> None:
        for caller, bars in self._bars.items():
            bars.setOpts(brush=caller_color(theme, caller), pen=QPen(Qt.PenStyle.NoPen))


class LinkedPlots(QObject):
    """Keep plots at one range and one moment.

    Signals:
        moment_changed: Another moment is marked, or none.
        moment_chosen(float): The slot that begins at this moment was clicked.
        zoomed(float, float): From when to when the plots show now, in seconds since the epoch.
        zoom_ended: They show everything again.
        pinned(bool): The marked moment stays, or follows the cursor again.
    """

    moment_changed = Signal()
    moment_chosen = Signal(float)
    zoomed = Signal(float, float)
    zoom_ended = Signal()
    pinned = Signal(bool)

    def __init__(self, plots: Sequence[TimePlot], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._plots = tuple(plots)
        self._whole = plots[0].frame
        self._zoom: tuple[float, float] | None = None
        self.moment: float | None = None
        self.is_pinned = False
        # While zoomed, a click may be the first half of the double click that ends the zoom.
        self._clicked = 0.0
        self._click = QTimer(self)
        self._click.setSingleShot(True)
        self._click.timeout.connect(self._on_click_timeout)
        for plot in self._plots:
            plot.moment_hovered.connect(self._on_plot_moment_hovered)
            plot.moment_chosen.connect(self._on_plot_moment_chosen)
            plot.range_chosen.connect(self.zoom)
            plot.reset_requested.connect(self.reset)
            plot.pin_requested.connect(self.toggle_pin)

    @property
    def is_zoomed(self) -> bool:
        """Whether only a part of the range is shown."""
        return self._zoom is not None

    @property
    def frame(self) -> PlotFrame:
        return self._whole if self._zoom is None else PlotFrame(*self._zoom, self._whole.slot_s)

    def set_frame(self, frame: PlotFrame, *, anew: bool) -> None:
        """Let there be another stretch of time to see; each plot takes `frame` over together with its numbers.

        Args:
            frame: Everything there is to see.
            anew: Whether zoom and pin end, because something else is shown.
        """
        self._whole = frame
        if anew:
            self._click.stop()
            self.pin(None)
            self.reset()

    @Slot(float, float)
    def zoom(self, begins_s: float, ends_s: float) -> None:
        """Show only a part, at least two slots long.

        Args:
            begins_s: Its begin in seconds since the epoch.
        """
        spare = max(0.0, 2 * self._whole.slot_s - (ends_s - begins_s)) / 2
        self._zoom = (begins_s - spare, ends_s + spare)
        self._follow()
        self.zoomed.emit(*self._zoom)

    @Slot()
    def reset(self) -> None:
        self._click.stop()
        if self._zoom is not None:
            self._zoom = None
            self._follow()
            self.zoom_ended.emit()

    @Slot()
    def toggle_pin(self) -> None:
        """Keep the marked moment, the newest one if none is, or let it follow the cursor again."""
        newest = (self.frame.ends_s - 1e-3) // self.frame.slot_s * self.frame.slot_s
        self.pin(None if self.is_pinned else newest if self.moment is None else self.moment)

    def pin(self, moment: float | None) -> None:
        """Keep a moment marked; None lets it follow the cursor again."""
        self._mark(moment)
        if self.is_pinned is (moment is None):
            self.is_pinned = moment is not None
            self.pinned.emit(self.is_pinned)

    def leave(self) -> None:
        """Mark nothing, unless it is pinned: the cursor is elsewhere."""
        if not self.is_pinned:
            self._mark(None)

    def _follow(self) -> None:
        for plot in self._plots:
            plot.show_frame(self.frame)

    def _mark(self, moment: float | None) -> None:
        if moment != self.moment:
            self.moment = moment
            for plot in self._plots:
                plot.show_moment(moment)
            self.moment_changed.emit()

    @Slot(object)
    def _on_plot_moment_hovered(self, moment: float | None) -> None:
        if not self.is_pinned:
            self._mark(moment)

    @Slot(float)
    def _on_plot_moment_chosen(self, moment: float) -> None:
        if not self.is_zoomed:
            self.moment_chosen.emit(moment)
            return
        self._clicked = moment
        self._click.start(QApplication.doubleClickInterval())

    @Slot()
    def _on_click_timeout(self) -> None:
        self.moment_chosen.emit(self._clicked)


class Plots(QObject):
    """Make the three plots and keep them together.

    Attributes:
        pieces: Makes them; whoever goes through it can let the window paint between two of them.
    """

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._subject = ("", 0.0)
        self.pieces: Final = self._make(parent)

    def _make(self, parent: QWidget) -> Iterator[None]:
        self.latency = LatencyPlot(parent)
        yield
        self.success = SuccessPlot(parent)
        yield
        self.calls = CallsPlot(parent)
        yield
        self.linked = LinkedPlots(self.widgets, self)

    @property
    def widgets(self) -> tuple[TimePlot, TimePlot, TimePlot]:
        """The plots: latency, success rate, calls."""
        return self.latency, self.success, self.calls

    def set_frame(self, begins_s: float, ends_s: float, slot_s: int, *, subject: str) -> None:
        """Let there be a stretch of time to see; a zoom and a pin end with the subject and the stretch's length.

        Args:
            begins_s: Its begin in seconds since the epoch.
            subject: Whose numbers follow.
        """
        wanted = (subject, ends_s - begins_s)
        self.linked.set_frame(PlotFrame(begins_s, ends_s, slot_s), anew=wanted != self._subject)
        self._subject = wanted

    def show_notices(self, *notices: str) -> None:
        """Say of each plot why there is nothing to see; "" where there is something."""
        for plot, words in zip(self.widgets, notices, strict=True):
            plot.show_notice(words)
