"""Where the focus goes that a page is given."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QFocusEvent
from PySide6.QtWidgets import QWidget

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
