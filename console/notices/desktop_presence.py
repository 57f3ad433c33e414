"""The program on the desktop: its notices, its icon beside the clock, its window in front of others."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from console.notices.desktop import DesktopNotices
from console.notices.notices import Notices
from console.notices.tray_view import TrayIcon
from console.preferences import Preferences

_QUIET: Final = "do_not_disturb"
_SOUNDS: Final = "notices_sound"


def _is_active() -> bool:
    return QGuiApplication.applicationState() is Qt.ApplicationState.ApplicationActive


class DesktopPresence(QObject):
    """Own the notices and the icon beside the desktop's clock, and bring the window to the front.

    Args:
        window: The window of the program.
        preferences: Remember whether nothing shall disturb, and whether notices sound.
        is_active: Whether the person works with this program now.
        parent: Its owner.

    Signals:
        modes_changed(bool, bool): Whether nothing shall disturb, and whether notices sound.
    """

    modes_changed = Signal(bool, bool)

    def __init__(
        self,
        window: QWidget,
        preferences: Preferences,
        *,
        is_active: Callable[[], bool] = _is_active,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._window = window
        self._preferences = preferences
        self._is_active = is_active
        self._tray: TrayIcon | None = None
        self.notices = Notices(self)
        self.notices.sounds = preferences.flag(_SOUNDS, default=False)
        self.notices.set_quiet(quiet=preferences.flag(_QUIET, default=False))

    def start(self) -> None:
        """Take the place beside the desktop's clock, where there is one."""
        if sys.platform.startswith("linux"):
            self.notices.set_desktop(DesktopNotices(self.notices.receive))
        if TrayIcon.is_available():
            self._tray = tray = TrayIcon(self)
            tray.show_quiet(quiet=self.notices.is_quiet)
            tray.show_requested.connect(self.come_to_front)
            tray.quiet_toggled.connect(self.set_quiet)
            tray.quit_requested.connect(self._window.close)
            self.notices.set_tray(tray)
            tray.show()

    def close(self) -> None:
        """Leave the desktop."""
        self.notices.close()
        if self._tray is not None:
            self._tray.close()

    @property
    def has_tray(self) -> bool:
        """Whether there is an icon beside the desktop's clock."""
        return self._tray is not None

    def is_in_front(self) -> bool:
        """Whether the person looks at the window."""
        return self._is_active() and self._window.isVisible() and not self._window.isMinimized()

    def show_job(self, words: str) -> None:
        """Say beside the desktop's clock how far something is that goes on; "" when nothing does."""
        if self._tray is not None:
            self._tray.show_job(words)

    @Slot(int)
    def show_waiting(self, count: int) -> None:
        """Say beside the desktop's clock how many questions wait."""
        if self._tray is not None:
            self._tray.show_waiting(count)

    @Slot(bool)
    def set_quiet(self, quiet: bool) -> None:
        """Disturb the person no more, or again."""
        self._preferences.set_flag(_QUIET, value=quiet)
        self.notices.set_quiet(quiet=quiet)
        self.modes_changed.emit(quiet, self.notices.sounds)
        if self._tray is not None:
            self._tray.show_quiet(quiet=quiet)

    @Slot(bool)
    def set_sounds(self, sounds: bool) -> None:
        """Let notices sound, or no more."""
        self._preferences.set_flag(_SOUNDS, value=sounds)
        self.notices.sounds = sounds

    def come_to_front(self) -> None:
        """Show the window: the person asked for it."""
        window = self._window
        window.setWindowState(window.windowState() & ~Qt.WindowState.WindowMinimized)
        window.show()
        window.raise_()
        window.activateWindow()
