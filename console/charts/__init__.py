"""Charts of how the tools did.

pyqtgraph takes most of a second to import. A sparkline, a histogram and the head of a card do without it; whoever shows
a plot calls `load_numbers` in another thread, then `load_plots` on the window's.

Axes, limits, names and the marked moment are painted by `TimePlot`; pyqtgraph maps numbers to pixels and draws curves
and bars. Never call `close` of a plot: WORKAROUND pyqtgraph 0.14.0, whose `close` ends the program.
"""

from importlib import import_module

from console.charts.histogram import Histogram, paint_sparkline

__all__ = ["Histogram", "load_numbers", "load_plots", "paint_sparkline"]


def load_numbers() -> None:
    """Import what plots count with, the larger part that no class of Qt's is in; in any thread."""
    import_module("numpy")


def load_plots() -> None:
    """Import the plots.

    On the window's thread, for half a second: elsewhere it would change tables of types that Qt reads meanwhile.
    """
    import_module("console.charts.tool_plots")
    import_module("console.charts.turns_plot")
