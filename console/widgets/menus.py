"""Menus with round corners."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMenu, QWidget

__all__ = ["Menu"]


class Menu(QMenu):
    """A menu of the design: round corners need a window that lets what is behind it through.

    Args:
        title: Its accessible name, and its text as a submenu.
        parent: Its owner.
    """

    def __init__(self, title: str = "", parent: QWidget | None = None) -> None:
        super().__init__(title, parent)
        self.setAccessibleName(title)
        self.setProperty("rounded", "true")
        self.setWindowFlags(
            self.windowFlags() | Qt.WindowType.FramelessWindowHint | Qt.WindowType.NoDropShadowWindowHint
        )
        self.setAttribute(Qt.WidgetAttribute.WA_TranslucentBackground)
        self.setToolTipsVisible(True)
