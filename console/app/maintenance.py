"""What helps when something is wrong: the data folder, the log, the window as it was first, and safe mode."""

from __future__ import annotations

import logging
import os
from pathlib import Path
from typing import Final

from PySide6.QtCore import QObject, QUrl, Signal, Slot
from PySide6.QtGui import QDesktopServices, QGuiApplication

from console.engine import Engine
from console.language import tr
from console.preferences import Preferences
from console.tasks import TaskScope
from console.widgets import format_size
from console.window import MainWindow

LOG_LEVELS: Final = (("info", tr("As usual")), ("warning", tr("Warnings")), ("debug", tr("Everything")))
"""How much is logged, the usual first."""

SAFE_COMMAND: Final = "tool-console --safe-mode"
_LOG_LEVEL: Final = "log_level"


class Maintenance(QObject):
    """Carry out what the section Advanced of the settings offers.

    Args:
        window: The window.
        preferences: Remember what was chosen.
        data: The data folder.
        engine: Has the thread that counts how large it is.
        scope: Owns the tasks.
        parent: Its owner.

    Attributes:
        data: The data folder.

    Signals:
        measured(): It is known how large the data folder is.
    """

    measured = Signal()

    def __init__(
        self,
        window: MainWindow,
        preferences: Preferences,
        data: Path,
        *,
        engine: Engine,
        scope: TaskScope,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._window = window
        self._preferences = preferences
        self.data = data
        self._engine = engine
        self._scope = scope
        self._size: int | None = None
        if self.log_level != LOG_LEVELS[0][0]:
            self._log_from(self.log_level)

    @property
    def data_words(self) -> str:
        """Where the data folder is and, once that is known, how large."""
        return str(self.data) if self._size is None else f"{self.data}, {format_size(self._size)}"

    @Slot()
    def measure(self) -> None:
        """Find out how large the data folder is."""
        self._scope.start(self._measure(), "measure the data folder")  # type: ignore[unused-awaitable]

    async def _measure(self) -> None:
        size = await self._engine.compute(_size_of, self.data)
        if size != self._size:
            self._size = size
            self.measured.emit()

    @staticmethod
    def open_folder(folder: Path) -> None:
        """Show a folder in the desktop's file manager; one that is not there yet is made.

        Raises:
            ValueError: When nothing on this desktop shows folders.
            OSError: When it cannot be made.
        """
        folder.mkdir(parents=True, exist_ok=True)
        if not QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder))):
            raise ValueError(tr("no program of this desktop shows folders; open {folder} yourself", folder=folder))

    @property
    def log_level(self) -> str:
        """How much is logged, as `LOG_LEVELS` calls it."""
        return self._preferences.choice(_LOG_LEVEL, [key for key, _ in LOG_LEVELS], LOG_LEVELS[0][0])

    def set_log_level(self, level: str) -> None:
        """Log more or less from now on."""
        self._preferences.set_choice(_LOG_LEVEL, level)
        self._log_from(level)

    @staticmethod
    def _log_from(level: str) -> None:
        logging.getLogger().setLevel(level.upper())

    def reset_window(self) -> None:
        """Let the window be as on a first start."""
        self._preferences.forget_layout()
        self._window.reset()

    def copy_safe_command(self) -> None:
        """Put the command that starts in safe mode on the clipboard."""
        QGuiApplication.clipboard().setText(SAFE_COMMAND)


def _size_of(folder: Path) -> int:
    """Return how many bytes the files below a folder take; those that vanish meanwhile take none."""
    total = 0
    for at, _, names in os.walk(folder):
        for name in names:
            try:
                total += (Path(at) / name).lstat().st_size
            except OSError:
                continue
    return total
