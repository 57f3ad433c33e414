"""Keep Tab in reading order where widgets are made late: Qt puts a new one behind everything else in the window."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

__all__ = ["Anchor", "order_focus"]


class Anchor(QWidget):
    """A widget that never has the focus and yet keeps its place in the order, for what is made inside it later."""


def order_focus(first: QWidget, inside: QWidget) -> None:
    """Let Tab go from a widget through all that stands inside another one, in the order in which that was made.

    Args:
        first: Where the order starts; it has its place in it already.
        inside: What was made just now, or has grown.
    """
    before = first
    window = first.window()
    with_policy: list[QWidget] = []
    for widget in (first, *inside.findChildren(QWidget)):
        if widget.window() is not window:
            continue
        is_anchor = isinstance(widget, Anchor)
        if is_anchor and widget.focusPolicy() is Qt.FocusPolicy.NoFocus:
            # Qt moves nothing that cannot have the focus.
            widget.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            with_policy.append(widget)
        takes_focus = is_anchor or (widget.focusPolicy() & Qt.FocusPolicy.TabFocus and widget.focusProxy() is None)
        if takes_focus and widget is not before:
            QWidget.setTabOrder(before, widget)
            before = widget
    for widget in with_policy:
        widget.setFocusPolicy(Qt.FocusPolicy.NoFocus)
