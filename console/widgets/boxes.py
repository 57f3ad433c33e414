"""Boxes of widgets below or beside each other, without the margins and gaps that the style would leave."""

from __future__ import annotations

from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget


def vbox(
    parent: QWidget | None = None, *, margins: tuple[int, int, int, int] = (0, 0, 0, 0), spacing: int = 0
) -> QVBoxLayout:
    """Return a layout that puts widgets below each other.

    Args:
        parent: The widget it fills; None for a part of another layout.
        margins: Left, top, right and bottom, in logical pixels.
        spacing: Between two widgets, in logical pixels.
    """
    box = QVBoxLayout() if parent is None else QVBoxLayout(parent)
    box.setContentsMargins(*margins)
    box.setSpacing(spacing)
    return box


def hbox(
    parent: QWidget | None = None, *, margins: tuple[int, int, int, int] = (0, 0, 0, 0), spacing: int = 0
) -> QHBoxLayout:
    """Return a layout that puts widgets beside each other, as `vbox` does below each other."""
    box = QHBoxLayout() if parent is None else QHBoxLayout(parent)
    box.setContentsMargins(*margins)
    box.setSpacing(spacing)
    return box
