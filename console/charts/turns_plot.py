"""What each turn of a conversation took, as bars."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import pyqtgraph as pg
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from console.theme import theme_of

_MOST_MARKS: Final = 8
_SHARE: Final = 0.8


class TurnsPlot(pg.GraphicsView):
    """Show a bar for each turn, stacked."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        theme = theme_of(parent)
        super().__init__(parent, background=theme.color.panel)
        # Time goes from left to right for everybody.
        self.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        self.setAccessibleName(name)
        # A `PlotItem` would make menus of its own.
        layout = pg.GraphicsLayout()
        self.setCentralItem(layout)
        self._box = pg.ViewBox(enableMenu=False, enableMouse=False)
        self._below = pg.AxisItem("bottom")
        left = pg.AxisItem("left")
        left.setGrid(48)
        # The lines stand behind the bars.
        left.setZValue(-1)
        for axis in (left, self._below):
            axis.linkToView(self._box)
            axis.setPen(theme.plot.grid)
            axis.setTextPen(theme.plot.axis)
            axis.setStyle(tickFont=theme.font("caption"))
        layout.addItem(left, 0, 0)
        layout.addItem(self._box, 0, 1)
        layout.addItem(self._below, 1, 1)

    def show_bars(self, parts: Sequence[Sequence[float]]) -> None:
        """Show other bars.

        Args:
            parts: For each colour the values of all turns, the oldest first; the first colour stands below.
        """
        theme = theme_of(self)
        self._box.clear()
        turns = len(parts[0]) if parts else 0
        below = [0.0] * turns
        for values, color in zip(parts, (theme.plot.s1, theme.plot.s3), strict=False):
            bars = pg.BarGraphItem(
                x=list(range(1, turns + 1)), y0=below, height=list(values), width=_SHARE, brush=color, pen=None
            )
            self._box.addItem(bars)
            below = [lower + value for lower, value in zip(below, values, strict=True)]
        step = max(1, -(-turns // _MOST_MARKS))
        self._below.setTicks([[(at, str(at)) for at in range(1, turns + 1, step)]])
        self._box.setXRange(0.4, max(1, turns) + 0.6, padding=0)
        self._box.setYRange(0, max(below, default=0.0) or 1.0, padding=0.05)
