"""`Notices`: tell the person something while they look at another program, never taking the focus from it."""

from __future__ import annotations

import unicodedata
from typing import Final, Protocol

from PySide6.QtCore import QObject, Qt, Signal, SignalInstance, Slot

from console.notices.desktop import DEFAULT_ACTION, Chosen, DesktopNotice, NoticeEvent, Refused

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
        """Show there what the desktop cannot show."""
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
            text: What it means.
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
