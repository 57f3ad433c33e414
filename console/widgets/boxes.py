"""Boxes of widgets below or beside each other, without the margins and gaps that the style would leave."""

from __future__ import annotations

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QLayout, QSizePolicy, QVBoxLayout, QWidget


def vbox(
    parent: QWidget | None = None, *, margins: tuple[int, int, int, int] = (0, 0, 0, 0), spacing: int = 0
) -> QVBoxLayout:
    """Return a layout that puts widgets below each other.

    Args:
        parent: The widget it fills; None for a part of another layout.
        margins: Left, top, right and bottom, in logical pixels; left and right change places from right to left.
        spacing: Between two widgets, in logical pixels.
    """
    box = QVBoxLayout() if parent is None else QVBoxLayout(parent)
    set_margins(box, *margins)
    box.setSpacing(spacing)
    return box


def hbox(
    parent: QWidget | None = None, *, margins: tuple[int, int, int, int] = (0, 0, 0, 0), spacing: int = 0
) -> QHBoxLayout:
    """Return a layout that puts widgets beside each other, as `vbox` does below each other."""
    box = QHBoxLayout() if parent is None else QHBoxLayout(parent)
    set_margins(box, *margins)
    box.setSpacing(spacing)
    return box


def grow_with_width(widget: QWidget) -> None:
    """Let a widget's height follow its width, as texts need it that break into lines."""
    policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
    policy.setHeightForWidth(True)
    widget.setSizePolicy(policy)


def set_margins(target: QWidget | QLayout, left: int, top: int, right: int, bottom: int) -> None:
    """Set the margins of a layout or a widget, in logical pixels; left and right change places from right to left.

    Qt mirrors what a layout holds, and not its margins. The direction of a window is that of the program when the
    window is made.
    """
    is_reversed = QGuiApplication.isRightToLeft()
    target.setContentsMargins(right if is_reversed else left, top, left if is_reversed else right, bottom)
