"""What all dialogs of the program have in common."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QDialog, QWidget

from console.widgets.labels import set_surface
from console.widgets.overlays import Scrim


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

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        window = self._window_behind()
        if window is not None and not event.spontaneous():
            Scrim.lay(window, self)

    def hideEvent(self, event: QHideEvent) -> None:
        """Let the window be bright again."""
        super().hideEvent(event)
        window = self._window_behind()
        if window is not None and not event.spontaneous():
            Scrim.lift(window, self)

    def _window_behind(self) -> QWidget | None:
        # Asked for each time: a dialog that keeps the last name for its window takes the window along when it is
        # deleted, and the window deletes its children, the dialog among them, for a second time.
        parent = self.parentWidget()
        return None if parent is None else parent.window()
