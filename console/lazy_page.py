"""Pages of the window that are loaded and made when the person first wants to see them.

Whatever makes classes of Qt's is imported on the window's thread, a module at a time: in another thread it changes
tables of types that Qt reads meanwhile, which ended the program once in a hundred starts or so. Other libraries load in
a thread.
"""

from __future__ import annotations

import asyncio
import pkgutil
import sys
from collections.abc import Iterable
from importlib import import_module

from PySide6.QtCore import Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from console.widgets import lead_focus, set_surface


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

    @property
    def is_filled(self) -> bool:
        return self._column.count() > 0

    def fill(self, page: QWidget) -> None:
        self._column.addWidget(page)
        page.show()
        lead_focus(self, page)

    def showEvent(self, event: QShowEvent) -> None:
        if not self.is_filled:
            self.wanted.emit()
        super().showEvent(event)


def load_next(package: str) -> bool:
    """Load the next module of a package that is not loaded yet; return whether there was one."""
    for module in pkgutil.iter_modules(import_module(package).__path__):
        name = f"{package}.{module.name}"
        if name not in sys.modules:
            import_module(name)
            return True
    return False


async def load_in_pieces(*packages: str) -> None:
    """Load all modules of some packages, and let the window paint after each that was not loaded already."""
    for package in packages:
        while load_next(package):  # noqa: ASYNC110 -- nothing is waited for
            await asyncio.sleep(0)


def load_libraries(names: Iterable[str]) -> None:
    """Load modules that make no classes of Qt's; in any thread."""
    for name in names:
        import_module(name)
