"""How many calls there were, by who made them, and how many of them failed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import pyqtgraph as pg
from PySide6.QtCore import QMargins, Qt
from PySide6.QtGui import QPen
from PySide6.QtWidgets import QWidget

from console.charts.lines import moment_of
from console.charts.marks import CALLERS, Caller, caller_color
from console.charts.ticks import Tick, count_ticks
from console.charts.time_plot import PlotFrame, TimePlot
from console.theme import Theme
from tools.health.slots import Slot

_STEPS: Final = 2
_SHARE: Final = 0.86
"""How much of its slot a bar fills."""


def counts_of(slot: Slot) -> dict[Caller, int]:
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
    """Show a bar for each slot, stacked by who called, with what failed on top.

    Args:
        parent: Its owner.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        # One item holds the bars of one colour.
        self._bars = {caller: pg.BarGraphItem(x0=[], width=0, y0=[], height=[]) for caller in CALLERS}
        self._counts: dict[float, dict[Caller, int]] = {}
        super().__init__("Calls", QMargins(48, 6, 18, 21), parent)
        for bars in self._bars.values():
            self.box.addItem(bars, ignoreBounds=True)

    @property
    def callers(self) -> list[Caller]:
        """Who called within the stretch of time that is known."""
        return [caller for caller in CALLERS if any(counts[caller] for counts in self._counts.values())]

    def show_slots(self, frame: PlotFrame, slots: Sequence[Slot]) -> None:
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
        return count_ticks(max(seen, default=0), _STEPS)

    def style_items(self, theme: Theme) -> None:
        """Give the bars their colours."""
        for caller, bars in self._bars.items():
            bars.setOpts(brush=caller_color(theme, caller), pen=QPen(Qt.PenStyle.NoPen))
