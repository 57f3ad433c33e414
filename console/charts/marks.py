"""How curves and bars look: their pens and colours, the same in a plot and in its legend."""

from __future__ import annotations

from typing import Final, Literal

from PySide6.QtGui import QColor, QPen

from console.theme import Theme

LineName = Literal["p50", "p95", "p99", "threshold"]
Caller = Literal["agent", "batch", "you", "other", "failed"]
CALLERS: Final[dict[Caller, str]] = {
    "agent": "agents",
    "batch": "batch",
    "you": "you",
    "other": "others",
    "failed": "failed",
}
"""What calls are told apart by, from the bottom of a bar to its top, and the words for it."""


def line_pen(theme: Theme, name: LineName) -> QPen:
    """Return the pen of a kind of curve."""
    line = theme.plot_line[name]
    pen = QPen(line.color, line.width)
    if line.dashes:
        pen.setDashPattern([length / line.width for length in line.dashes])
    return pen


def caller_color(theme: Theme, caller: Caller) -> QColor:
    """Return the colour of the bars of a kind of caller."""
    colors: dict[Caller, QColor] = {
        "agent": theme.plot.s1,
        "batch": theme.plot.s6,
        "you": theme.plot.s5,
        "other": theme.plot.s4,
        "failed": theme.plot.threshold,
    }
    return colors[caller]
