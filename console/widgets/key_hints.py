"""Shortcuts where they are shown beside what they call: in tooltips and menus."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget

from console.keymap import keymap, sequences


class KeyTip(QObject):
    """Keep the tooltip of a widget true when shortcuts change.

    Args:
        widget: It; it owns this.
        text: What the tooltip says.
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
        command: Whose keys are shown.
    """

    def __init__(self, entry: QAction, command: str) -> None:
        super().__init__(entry)
        self._entry = entry
        self._command = command
        # Only shown: the menu itself never has the focus outside.
        entry.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        keymap().changed.connect(self._show)
        self._show()

    @Slot()
    def _show(self) -> None:
        self._entry.setShortcuts(sequences(keymap().keys(self._command)))
