"""The plots of one tool as one: this module imports pyqtgraph, which takes most of a second."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from PySide6.QtCore import QObject, QTimer, Signal, Slot
from PySide6.QtWidgets import QApplication, QWidget

from console.charts.time_plot import PlotFrame, TimePlot
from console.charts.tool_plots import CallsPlot, LatencyPlot, SuccessPlot


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
            ends_s: Its end.
        """
        spare = max(0.0, 2 * self._whole.slot_s - (ends_s - begins_s)) / 2
        self._zoom = (begins_s - spare, ends_s + spare)
        self._follow()
        self.zoomed.emit(*self._zoom)

    @Slot()
    def reset(self) -> None:
        """Show everything again."""
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
            ends_s: Its end.
            slot_s: Seconds of one slot.
            subject: Whose numbers follow.
        """
        wanted = (subject, ends_s - begins_s)
        self.linked.set_frame(PlotFrame(begins_s, ends_s, slot_s), anew=wanted != self._subject)
        self._subject = wanted

    def show_notices(self, *notices: str) -> None:
        """Say of each plot why there is nothing to see; "" where there is something."""
        for plot, words in zip(self.widgets, notices, strict=True):
            plot.show_notice(words)
