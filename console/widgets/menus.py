"""Menus with round corners."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMenu, QWidget

from console.widgets.compositing import let_through


class Menu(QMenu):
    """A menu of the design: its corners are round where its window can let through what is behind it.

    Args:
        title: Its accessible name, and its text as a submenu.
        parent: Its owner.
    """

    def __init__(self, title: str = "", parent: QWidget | None = None) -> None:
        super().__init__(title, parent)
        self.setAccessibleName(title)
        self.setWindowFlags(
            self.windowFlags() | Qt.WindowType.FramelessWindowHint | Qt.WindowType.NoDropShadowWindowHint
        )
        self.setProperty("rounded", "true" if let_through(self) else "false")
        self.setToolTipsVisible(True)
