"""`Notices`: tell the person something while they look at another program, never taking the focus from it."""

from __future__ import annotations

import sys
import unicodedata
from collections.abc import Callable
from typing import Final, Protocol

from PySide6.QtCore import QObject, Qt, Signal, SignalInstance, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from console.notices.desktop import DEFAULT_ACTION, Chosen, DesktopNotice, DesktopNotices, NoticeEvent, Refused
from console.notices.tray_view import TrayIcon
from console.preferences import Preferences

_QUIET: Final = "do_not_disturb"
_SOUNDS: Final = "notices_sound"
_ALLOW: Final = "notices_allow"


def _is_active() -> bool:
    return QGuiApplication.applicationState() is Qt.ApplicationState.ApplicationActive


class DesktopPresence(QObject):
    """Own the notices and the icon beside the desktop's clock, and bring the window to the front.

    Args:
        preferences: Remember whether nothing shall disturb, whether notices sound, and whether they can allow calls.
        is_active: Whether the person works with this program now.

    Attributes:
        may_allow: Whether a call can be allowed from its notice.

    Signals:
        quiet_changed(bool): Whether nothing shall disturb.
        pause_requested(): The calls of all agents are to be held, or to go on when they are.
    """

    quiet_changed = Signal(bool)
    pause_requested = Signal()

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
        self.may_allow = preferences.flag(_ALLOW, default=True)
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
            tray.pause_requested.connect(self.pause_requested)
            tray.quit_requested.connect(self._window.close)
            self.notices.set_tray(tray)
            tray.show()

    def close(self) -> None:
        self.notices.close()
        if self._tray is not None:
            self._tray.close()

    @property
    def has_tray(self) -> bool:
        """Whether there is an icon beside the desktop's clock."""
        return self._tray is not None

    def is_in_front(self) -> bool:
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

    @Slot(str)
    def show_gateway(self, address: str) -> None:
        """Offer beside the desktop's clock to hold the calls of agents, where they are served; "" for nowhere."""
        if self._tray is not None:
            self._tray.show_gateway(on=bool(address))

    @Slot(bool)
    def show_pause(self, paused: bool) -> None:
        """Say beside the desktop's clock whether the calls of agents are held."""
        if self._tray is not None:
            self._tray.show_pause(paused=paused)

    @Slot(bool)
    def set_quiet(self, quiet: bool) -> None:
        self._preferences.set_flag(_QUIET, value=quiet)
        self.notices.set_quiet(quiet=quiet)
        self.quiet_changed.emit(quiet)
        if self._tray is not None:
            self._tray.show_quiet(quiet=quiet)

    @Slot(bool)
    def set_sounds(self, sounds: bool) -> None:
        self._preferences.set_flag(_SOUNDS, value=sounds)
        self.notices.sounds = sounds

    @Slot(bool)
    def set_may_allow(self, may_allow: bool) -> None:
        self._preferences.set_flag(_ALLOW, value=may_allow)
        self.may_allow = may_allow

    def come_to_front(self) -> None:
        """Show the window: the person asked for it."""
        window = self._window
        window.setWindowState(window.windowState() & ~Qt.WindowState.WindowMinimized)
        window.show()
        window.raise_()
        window.activateWindow()


_UNSEEN: Final = frozenset({"Cc", "Cf", "Zl", "Zp"})
"""Letters that nobody sees, or that turn the direction of writing: a foreign text must not disguise our own."""


class DesktopPort(Protocol):
    """Shows notices."""

    def show(self, notice: DesktopNotice) -> None:
        """Show a notice, in the place of the one that has its key."""

    def withdraw(self, key: str) -> None:
        """Take a notice away."""

    def close(self) -> None:
        """Show nothing more."""


class TrayPort(Protocol):
    """The icon beside the desktop's clock, which can show a plain message."""

    @property
    def message_clicked(self) -> SignalInstance:
        """(): the message that was shown last."""

    def show_message(self, title: str, text: str) -> None:
        """Show a message for a moment."""


class Notices(QObject):
    """Post notices to the desktop; where it has no service for them, to the tray icon.

    Signals:
        chosen(str, str): The person chose an action of the notice with this key; `default` is a click on it.
        told(object): Something happened to a notice; internal, crosses the threads.
    """

    chosen = Signal(str, str)
    told = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._desktop: DesktopPort | None = None
        self._tray: TrayPort | None = None
        self._is_quiet = False
        self._shown: dict[str, DesktopNotice] = {}
        self._in_tray = ""
        self.sounds = False
        self.told.connect(self._on_self_told, Qt.ConnectionType.QueuedConnection)

    def set_desktop(self, desktop: DesktopPort | None) -> None:
        """Show notices there from now on; it tells `receive` what becomes of them."""
        self._desktop = desktop

    def set_tray(self, tray: TrayPort) -> None:
        self._tray = tray
        tray.message_clicked.connect(self._on_tray_message_clicked)

    @property
    def is_quiet(self) -> bool:
        """Whether the person does not want to be disturbed."""
        return self._is_quiet

    def set_quiet(self, *, quiet: bool) -> None:
        """Disturb no more, or again; what is shown leaves."""
        self._is_quiet = quiet
        if quiet:
            for key in tuple(self._shown):
                self.withdraw(key)

    def post(
        self, key: str, title: str, text: str, actions: tuple[tuple[str, str], ...] = (), *, urgent: bool = False
    ) -> None:
        """Tell something, unless nobody wants to be disturbed.

        Args:
            key: What tells it apart; a later notice of the same key takes its place.
            title: What happened, in a few words.
            actions: What can be done at once: a key and words for each.
            urgent: Whether it stays until somebody has seen it.
        """
        if self._is_quiet:
            return
        lines = "\n".join(map(_plain, text.split("\n")))
        notice = DesktopNotice(key, _plain(title), lines, actions, urgent, self.sounds)
        self._shown[key] = notice
        if self._desktop is not None:
            self._desktop.show(notice)
        else:
            self._show_in_tray(notice)

    def withdraw(self, key: str) -> None:
        """Take a notice away that says nothing new any more."""
        if self._shown.pop(key, None) is not None and self._desktop is not None:
            self._desktop.withdraw(key)

    def receive(self, event: NoticeEvent) -> None:
        """Take in what became of a notice; safe from any thread."""
        self.told.emit(event)

    def close(self) -> None:
        """Take everything away and show nothing more."""
        self.set_quiet(quiet=True)
        if self._desktop is not None:
            self._desktop.close()

    def _show_in_tray(self, notice: DesktopNotice) -> None:
        if self._tray is not None:
            self._in_tray = notice.key
            self._tray.show_message(notice.title, notice.text)

    @Slot(object)
    def _on_self_told(self, event: NoticeEvent) -> None:
        match event:
            case Chosen(key, action):
                if key in self._shown:
                    self.chosen.emit(key, action)
            case Refused(notice):
                if self._shown.get(notice.key) is notice:
                    self._show_in_tray(notice)
            case _:
                self._shown.pop(event.key, None)

    @Slot()
    def _on_tray_message_clicked(self) -> None:
        if self._in_tray in self._shown:
            self.chosen.emit(self._in_tray, DEFAULT_ACTION)


def _plain(text: str) -> str:
    return "".join(" " if unicodedata.category(letter) in _UNSEEN else letter for letter in text)
