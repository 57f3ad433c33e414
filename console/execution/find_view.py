"""The search in what a tab shows."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

from console.widgets import BarFrame, IconButton, SearchField

__all__ = ["FindBar"]


class FindBar(BarFrame):
    """Look for a text; Enter goes to the next place, Shift+Enter to the one before, Esc closes.

    Args:
        parent: Its owner.

    Signals:
        find_requested(str, bool): Look for a text; True looks backwards.
        closed: The search was closed.
    """

    find_requested = Signal(str, bool)
    closed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(36, surface="surface", edge="bottom", margins=(12, 12), spacing=4, parent=parent)
        self.field = SearchField("Find")
        self.field.setFixedWidth(320)
        self.field.installEventFilter(self)
        self._previous = IconButton("chevron-up", "Previous", shortcut_hint="Shift+Enter")
        self._next = IconButton("chevron-down", "Next", shortcut_hint="Enter")
        close = IconButton("x", "Close the search", shortcut_hint="Esc")
        self.row.addWidget(self.field)
        self.row.addWidget(self._previous)
        self.row.addWidget(self._next)
        self.row.addStretch(1)
        self.row.addWidget(close)
        self._previous.clicked.connect(self._on_previous_clicked)
        self._next.clicked.connect(self._on_next_clicked)
        close.clicked.connect(self.close_bar)
        self.field.textChanged.connect(self._on_field_text_changed)
        self.hide()

    def open(self, placeholder: str) -> None:
        """Show the search and put the caret into it.

        Args:
            placeholder: What it looks through.
        """
        self.field.setPlaceholderText(placeholder)
        self.field.setAccessibleName(placeholder)
        self.show()
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.field.selectAll()

    def close_bar(self) -> None:
        """Hide the search."""
        self.hide()
        self.closed.emit()

    def show_found(self, *, found: bool) -> None:
        """Say whether the text was found."""
        self.field.set_match_count("" if found or not self.field.text() else "not found")

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Go on with Enter, go back with Shift+Enter, close with Esc."""
        if isinstance(event, QKeyEvent) and event.type() is QEvent.Type.KeyPress:
            if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
                self._find(backwards=bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier))
                return True
            if event.key() == Qt.Key.Key_Escape:
                self.close_bar()
                return True
        return super().eventFilter(watched, event)

    def _find(self, *, backwards: bool) -> None:
        self.find_requested.emit(self.field.text(), backwards)

    def _on_previous_clicked(self) -> None:
        self._find(backwards=True)

    def _on_next_clicked(self) -> None:
        self._find(backwards=False)

    def _on_field_text_changed(self, text: str) -> None:
        if not text:
            self.show_found(found=True)
