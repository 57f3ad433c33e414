"""Menus with round corners."""

from __future__ import annotations

from contextlib import suppress
from functools import cache
from typing import Final

from PySide6.QtCore import QEvent, Qt, Slot
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import QAbstractButton, QMenu, QStyleOptionMenuItem, QWidget

from console.keymap import COMMANDS, WindowCommand, keymap, sequences
from console.theme import directed


@cache
def has_compositor() -> bool:
    """Return whether something mixes windows on this screen; without it, what shines through is black.

    Only X11 may do without: there a compositor owns the selection that is named after its screen.

    Source: Extended Window Manager Hints 1.5, "Compositing Managers".
    """
    if QGuiApplication.platformName() != "xcb":
        return True
    from console.widgets.x11 import owner_of_compositing  # noqa: PLC0415 -- other screens need no C library

    with suppress(OSError, AttributeError):
        return owner_of_compositing() != 0
    return False


def let_through(widget: QWidget) -> bool:
    """Let what is behind a window's corners shine through where that can be done; tell whether they may be round."""
    if has_compositor():
        widget.setAttribute(Qt.WidgetAttribute.WA_TranslucentBackground)
    return has_compositor()


class Menu(QMenu):
    """A menu of the design: its corners are round where its window can let through what is behind it.

    Args:
        title: Its accessible name, and its text as a submenu.
    """

    def __init__(self, title: str = "", parent: QWidget | None = None) -> None:
        super().__init__(title, parent)
        self.setAccessibleName(title)
        self.setWindowFlags(
            self.windowFlags() | Qt.WindowType.FramelessWindowHint | Qt.WindowType.NoDropShadowWindowHint
        )
        self.setProperty("rounded", "true" if let_through(self) else "false")
        self.setToolTipsVisible(True)

    def initStyleOption(self, option: QStyleOptionMenuItem, action: QAction) -> None:
        """Keep signs at the ends of words and keys where they are, from right to left as well."""
        super().initStyleOption(option, action)
        if self.isRightToLeft():
            option.text = "\t".join(map(directed, option.text.split("\t")))

    def changeEvent(self, event: QEvent) -> None:
        """Close with the button that the menu belongs to: a disabled menu takes no click and lets none through."""
        super().changeEvent(event)
        if event.type() is QEvent.Type.EnabledChange and not self.isEnabled():
            self.close()

    def add_entry(self, key: object, text: str) -> QAction:
        """Add an action that carries a key as its data, which tells it from others in `triggered`."""
        action = QAction(text, self)
        action.setData(key)
        self.addAction(action)
        return action


_WINDOW: Final = Qt.ShortcutContext.WindowShortcut


class CommandAction(QAction):
    """An action that the command palette offers as long as a widget that has it is on show.

    Args:
        command: What it does; of one of `COMMANDS` the key is enough, and its shortcut is the one that counts.
        button: What it presses; it is offered as long as that can be pressed.
    """

    def __init__(
        self,
        command: WindowCommand | str,
        owner: QWidget,
        *,
        context: Qt.ShortcutContext = _WINDOW,
        button: QAbstractButton | None = None,
    ) -> None:
        self.command = COMMANDS[command] if isinstance(command, str) else command
        super().__init__(self.command.text, owner)
        if self.command.key:
            keymap().changed.connect(self._follow_keys)
            self._follow_keys()
        self.setShortcutContext(context)
        owner.addAction(self)
        self._button = button
        if button is not None:
            self.triggered.connect(button.click)

    @property
    def keys(self) -> str:
        """The shortcut as people read it: `Ctrl+Enter`; empty for none."""
        return keymap().shown(self.command.key)

    @Slot()
    def _follow_keys(self) -> None:
        self.setShortcuts(sequences(keymap().keys(self.command.key)))

    @property
    def is_on_offer(self) -> bool:
        if not self.isEnabled() or (self._button is not None and not self._button.isEnabled()):
            return False
        owners = (owner for owner in self.associatedObjects() if not isinstance(owner, QMenu))
        return any(isinstance(owner, QWidget) and owner.isVisible() for owner in owners)
