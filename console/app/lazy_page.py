"""Where a page of the window stands before it is made."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from console.widgets import set_surface


class LazyPage(QWidget):
    """Hold a page that is made when somebody wants to see it.

    Args:
        name: The page's accessible name.

    Signals:
        wanted: It comes into sight for the first time.
    """

    wanted = Signal()

    def __init__(self, name: str) -> None:
        super().__init__()
        set_surface(self, "surface")
        self.setAccessibleName(name)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)

    def fill(self, page: QWidget) -> None:
        """Put the page here."""
        self._column.addWidget(page)
        self.setFocusProxy(page)

    def showEvent(self, event: QShowEvent) -> None:
        if not self._column.count():
            self.wanted.emit()
        super().showEvent(event)
