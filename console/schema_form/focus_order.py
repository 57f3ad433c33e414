"""Keep Tab in reading order, and what has the focus in view, where widgets are made late."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QApplication, QScrollArea, QWidget

_MARGIN: Final = 12


class Anchor(QWidget):
    """A widget that never has the focus and yet keeps its place in the order, for what is made inside it later."""


def order_focus(first: QWidget, inside: QWidget) -> None:
    """Let Tab go from a widget through all that stands inside another one, in the order in which that was made.

    Qt puts a new widget behind everything else in the window.

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


def bring_into_view(widget: QWidget) -> None:
    """Scroll what is around a widget so that it shows, also when it was made just now and has no place yet."""
    area = widget.parentWidget()
    while area is not None and not isinstance(area, QScrollArea):
        area = area.parentWidget()
    # Each level lays out the next one.
    for _ in range(4):
        QApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest.value)
    if area is not None:
        area.ensureWidgetVisible(widget, 0, _MARGIN)
