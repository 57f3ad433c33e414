"""Shortcuts where they are shown beside what they call: in tooltips and menus."""

from __future__ import annotations

from PySide6.QtCore import QObject, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget

from console.keymap import keymap


class KeyTip(QObject):
    """Keep the tooltip of a widget true when shortcuts change.

    Args:
        widget: It; it owns this.
        commands: Their keys stand behind it in brackets.
    """

    def __init__(self, widget: QWidget, text: str, *commands: str) -> None:
        super().__init__(widget)
        self._widget = widget
        self._text = text
        self._commands = commands
        keymap().changed.connect(self._show)
        self._show()

    @Slot()
    def _show(self) -> None:
        keys = ", ".join(filter(None, map(keymap().shown, self._commands)))
        self._widget.setToolTip(f"{self._text} ({keys})" if keys else self._text)


class MenuKeys(QObject):
    """Keep the shortcut true that a menu shows beside an entry, whose command stands elsewhere.

    Args:
        entry: The entry; it owns this.
    """

    def __init__(self, entry: QAction, command: str) -> None:
        super().__init__(entry)
        self._entry = entry
        self._text = entry.text()
        self._command = command
        keymap().changed.connect(self._show)
        self._show()

    @Slot()
    def _show(self) -> None:
        # Not as a shortcut: a button with such a menu would answer to it when it has the focus, and of two answers
        # Qt takes none.
        keys = keymap().shown(self._command)
        self._entry.setText(f"{self._text}\t{keys}" if keys else self._text)
