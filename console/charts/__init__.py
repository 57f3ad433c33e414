"""Charts of how the tools did.

Nothing here imports pyqtgraph before a plot is made: a sparkline and a histogram are painted by themselves, and
whoever shows a plot imports its module then.
"""

from console.charts.histogram import Histogram
from console.charts.sparkline import paint_sparkline

__all__ = ["Histogram", "paint_sparkline"]
