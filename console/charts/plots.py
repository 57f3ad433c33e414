"""The plots of one tool as one: this module imports pyqtgraph, which takes most of a second."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from console.charts.calls import CallsPlot
from console.charts.latency import LatencyPlot
from console.charts.linked import LinkedPlots
from console.charts.success import SuccessPlot
from console.charts.time_plot import PlotFrame, TimePlot


class Plots(QObject):
    """Make the three plots and keep them together.

    Args:
        parent: Their owner until they are put elsewhere.

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
