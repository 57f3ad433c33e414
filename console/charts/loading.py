"""Load what plots are drawn with, which takes longer than a frame."""

from __future__ import annotations

from importlib import import_module


def load_numbers() -> None:
    """Import what plots count with, the larger part that no class of Qt's is in; in any thread."""
    import_module("numpy")


def load_plots() -> None:
    """Import the plots.

    On the window's thread, for half a second: elsewhere it would change tables of types that Qt reads meanwhile.
    """
    import_module("console.charts.tool_plots")
