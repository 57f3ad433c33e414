"""Proposals below a field that go away when the person goes on."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QCompleter

_RETURN: Final = {Qt.Key.Key_Return, Qt.Key.Key_Enter}


class Completer(QCompleter):
    """Complete a text. Ctrl+Enter closes the proposals, takes none of them, and does what it does in the field.

    Qt hands keys to the field behind the back of its event filters, keeps shortcuts from a window below a list, and
    takes the chosen proposal with any Enter: what was typed would be replaced, and the run asked for would not begin.
    """

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Close the list with Ctrl+Enter, and give the key to the field."""
        popup = self.popup()
        is_key = isinstance(event, QKeyEvent) and event.type() in {QEvent.Type.KeyPress, QEvent.Type.ShortcutOverride}
        if not is_key or watched is not popup or not isinstance(event, QKeyEvent) or popup is None:
            return super().eventFilter(watched, event)
        by_chord = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        if event.key() not in _RETURN or not by_chord:
            return super().eventFilter(watched, event)
        if event.type() is QEvent.Type.KeyPress:
            field = self.widget()
            popup.hide()
            if field is not None:
                again = QKeyEvent(event.type(), event.key(), event.modifiers(), event.text())
                QApplication.sendEvent(field, again)
        event.accept()
        return True
