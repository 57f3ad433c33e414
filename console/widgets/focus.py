"""Where the focus goes that a page is given, and the order in which Tab visits what is made late."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QFocusEvent
from PySide6.QtWidgets import QAbstractSpinBox, QComboBox, QWidget

_DIRECT = Qt.FindChildOption.FindDirectChildrenOnly


class _FocusLead(QObject):
    """Hand the focus of a widget on to one inside it."""

    def __init__(self, owner: QWidget) -> None:
        super().__init__(owner)
        self.first = owner
        owner.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QFocusEvent) and event.gotFocus():
            self.first.setFocus(event.reason())
        return False


def lead_focus(owner: QWidget, first: QWidget) -> None:
    """Hand the focus that a widget is given on to one inside it, now or later another one.

    With a focus proxy, Tab would come from before the owner to the proxy at once, and never to what stands above it;
    where the proxy is hidden, Tab would come no further.
    """
    lead = owner.findChild(_FocusLead, options=_DIRECT) or _FocusLead(owner)
    lead.first = first


def focus_begin(owner: QWidget) -> QWidget:
    """Return the widget that gets the focus of another one in the end."""
    first = owner
    while True:
        lead = first.findChild(_FocusLead, options=_DIRECT)
        following = first.focusProxy() if lead is None else lead.first
        if following is None:
            return first
        first = following


class Anchor(QWidget):
    """A widget that never has the focus and yet keeps its place in the order, for what is made inside it later."""


def order_focus(first: QWidget, inside: QWidget) -> None:
    """Let Tab go from a widget through all that stands inside another one, in the order in which that was made.

    Qt puts a new widget behind everything else in the window.

    Args:
        first: A widget that is in the focus order already; it need not take the focus itself.
        inside: What holds the new widgets.
    """
    before = first
    window = first.window()
    with_policy: list[QWidget] = []
    holders = [first] if inside is first or inside.isAncestorOf(first) else [first, inside]
    for widget in (*holders, *inside.findChildren(QWidget)):
        if widget.window() is not window:
            continue
        is_anchor = widget in holders or isinstance(widget, Anchor)
        if is_anchor and widget.focusPolicy() is Qt.FocusPolicy.NoFocus:
            # Qt moves nothing that cannot have the focus.
            widget.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            with_policy.append(widget)
        takes_focus = is_anchor or (widget.focusPolicy() & Qt.FocusPolicy.TabFocus and not _has_proxy(widget))
        if takes_focus and widget is not before:
            QWidget.setTabOrder(before, widget)
            before = widget
    for widget in with_policy:
        widget.setFocusPolicy(Qt.FocusPolicy.NoFocus)


def tab_stops(inside: QWidget) -> list[QWidget]:
    """Return what Tab visits inside a widget, in the order in which it was made."""
    return [
        widget
        for widget in inside.findChildren(QWidget)
        if widget.focusPolicy() & Qt.FocusPolicy.TabFocus
        and widget.isEnabled()
        and widget.isVisibleTo(inside)
        and not _has_proxy(widget)
    ]


def _has_proxy(widget: QWidget) -> bool:
    """Whether another widget gets the focus that this one is given."""
    # WORKAROUND PySide6 6.11: to ask the field inside such a box for its proxy keeps the box for ever.
    return isinstance(widget.parentWidget(), QAbstractSpinBox | QComboBox) or widget.focusProxy() is not None
