"""Charts of how the tools did.

pyqtgraph takes most of a second to import. A sparkline, a histogram and the head of a card do without it; whoever shows
a plot calls `load_numbers` in another thread, then `load_plots` on the window's.

Axes, limits, names and the marked moment are painted by `TimePlot`; pyqtgraph maps numbers to pixels and draws curves
and bars. Never call `close` of a plot: WORKAROUND pyqtgraph 0.14.0, whose `close` ends the program.
"""

from console.charts.histogram import Histogram, paint_sparkline
from console.charts.loading import load_numbers, load_plots

__all__ = ["Histogram", "load_numbers", "load_plots", "paint_sparkline"]
