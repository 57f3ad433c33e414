"""The main window: where panes are put. It knows no pane and no service."""

from console.window.main_window import MainWindow

__all__ = ["MainWindow"]
