"""What all dialogs of the program have in common."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QDialog, QWidget

from console.widgets.labels import set_surface
from console.widgets.overlays import Scrim

__all__ = ["WindowDialog"]


class WindowDialog(QDialog):
    """A dialog over a window, which is dimmed and takes no input until it is closed; it is gone then.

    Args:
        title: What it is about; also its accessible name.
        parent: The window it stands over, or something in it.
    """

    def __init__(self, title: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.setAccessibleName(title)
        self.setWindowModality(Qt.WindowModality.WindowModal)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        set_surface(self, "raised")
        self._behind = parent.window()

    def showEvent(self, event: QShowEvent) -> None:
        """Dim the window."""
        super().showEvent(event)
        if not event.spontaneous():
            Scrim.lay(self._behind, self)

    def hideEvent(self, event: QHideEvent) -> None:
        """Let the window be bright again."""
        super().hideEvent(event)
        if not event.spontaneous():
            Scrim.lift(self._behind, self)
