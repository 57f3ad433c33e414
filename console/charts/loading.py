"""Load what plots are drawn with, which takes longer than a frame."""

from __future__ import annotations

from importlib import import_module

__all__ = ["load_plots"]


def load_plots() -> None:
    """Import the plots and what they need; in any thread, for it makes no object of Qt's that belongs to one."""
    import_module("console.charts.plots")
