"""Polish widgets for another style sheet of the application: those in sight at once, the others later.

Layouts are not told of a change of theme: both themes have the same sizes. A widget that keeps colours (formats of a
text document, items of a plot) makes them anew in `changeEvent` and is listed in
`tests/console/test_theme_change.py`.
"""

from __future__ import annotations

from collections import deque
from time import perf_counter
from typing import Final

import shiboken6
from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Slot
from PySide6.QtWidgets import QApplication, QWidget

_SLICE_S: Final = 0.005
_DIRECT: Final = Qt.FindChildOption.FindDirectChildrenOnly


class PolishQueue(QObject):
    """Queue of the widgets whose palette and font still come from the former style sheet.

    Hidden widgets can wait: rules are looked up as widgets are painted, and only palette and font are set by polishing.
    They are polished while the event loop is idle, and at the latest when they are shown.

    Args:
        application: Whose widgets are polished.
    """

    def __init__(self, application: QApplication, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._application = application
        self._polished: set[QWidget] = set()
        self._waiting: deque[QWidget] | None = None
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._on_timer_timeout)

    def set_style_sheet(self, sheet: str) -> None:
        """Replace the application's style sheet and polish what is in sight.

        Args:
            sheet: The style sheet. Sizes as in the former one: layouts are not told.
        """
        if not self._application.styleSheet():
            # Qt polishes each widget once for the first sheet.
            self._application.setStyleSheet(sheet)
            return
        # WORKAROUND Qt 6.11: for a further sheet Qt polishes each widget once for each of its ancestors, which takes
        # seconds when all pages were visited. It polishes those whose rules it knows: here it forgets all of them.
        self._application.style().unpolish(self._application)
        self._application.setStyleSheet(sheet)
        self._polished.clear()
        self._waiting = None
        for window in self._application.topLevelWidgets():
            if window.isVisible():
                self._polish_visible(window)
        self._application.installEventFilter(self)
        self._timer.start()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Polish a widget that comes into sight before its turn."""
        if event.type() == QEvent.Type.Show and isinstance(watched, QWidget):
            self._polish_with_parents(watched)
        return False

    def _polish(self, widget: QWidget) -> None:
        if widget in self._polished:
            return
        self._polished.add(widget)
        # Qt itself polishes those that were never shown, when they are.
        if widget.testAttribute(Qt.WidgetAttribute.WA_WState_Polished):
            widget.style().polish(widget)
            widget.update()

    def _polish_visible(self, widget: QWidget) -> None:
        self._polish(widget)
        for child in widget.findChildren(QWidget, options=_DIRECT):
            if child.isVisible():
                self._polish_visible(child)

    def _polish_with_parents(self, widget: QWidget) -> None:
        # A parent hands its palette on to its children; and of what is shown, the parents are told last.
        parent = widget.parentWidget()
        if parent is not None and not widget.isWindow():
            self._polish_with_parents(parent)
        self._polish(widget)

    @Slot()
    def _on_timer_timeout(self) -> None:
        if self._waiting is None:
            roots = [window for window in self._application.topLevelWidgets() if window.parentWidget() is None]
            self._waiting = deque(widget for root in roots for widget in (root, *root.findChildren(QWidget)))
        # A parent's new palette is an event for each widget below it; nothing is shown in the meantime.
        self._application.removeEventFilter(self)
        end = perf_counter() + _SLICE_S
        while self._waiting and perf_counter() < end:
            widget = self._waiting.popleft()
            if shiboken6.isValid(widget):
                self._polish(widget)
        if self._waiting:
            self._application.installEventFilter(self)
            return
        self._timer.stop()
        self._polished.clear()
        self._waiting = None
