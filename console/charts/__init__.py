"""Charts of how the tools did.

pyqtgraph takes most of a second to import. A sparkline, a histogram and the head of a card do without it; whoever shows
a plot calls `load_numbers` in another thread, then `load_plots` on the window's.
"""

from console.charts.histogram import Histogram
from console.charts.loading import load_numbers, load_plots
from console.charts.sparkline import paint_sparkline

__all__ = ["Histogram", "load_numbers", "load_plots", "paint_sparkline"]
