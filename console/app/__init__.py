"""The composition root: makes services and panes, and wires them to each other."""

from console.app.console import Console

__all__ = ["Console"]
