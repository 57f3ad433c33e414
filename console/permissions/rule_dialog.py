"""Edit one rule as the text that stands in the file; what it means is said in words while one types."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QPlainTextEdit, QVBoxLayout, QWidget

from console.permissions.rows import Meaning
from console.theme import theme_of
from console.widgets import Button, TextLabel, WindowDialog

_WIDTH: Final = 640
_HINT: Final = (
    "effect is allow, ask or deny. tool, source and caller are names or patterns; [[where]] says what must hold of the"
    " arguments: a path, and one of equals, in, prefix, inside, matches, above, below, at_least, at_most, host_in."
)


class RuleDialog(WindowDialog):
    """Show a rule's text, and what it means."""

    saved = Signal(str)

    def __init__(self, title: str, text: str, meaning_of: Callable[[str], Meaning], parent: QWidget) -> None:
        super().__init__(title, parent)
        self._meaning_of = meaning_of
        self.setMinimumWidth(_WIDTH)
        self.text = QPlainTextEdit(text)
        self.text.setAccessibleName("Rule")
        self.text.setFont(theme_of(self).font("code"))
        self.text.setTabChangesFocus(True)
        self.text.setMinimumHeight(180)
        self.meaning = TextLabel("", "body", "text", wrap=True, selectable=True)
        self.meaning.setAccessibleName("What the rule means")
        self.save = Button("Save", kind="primary", large=True, shortcut_hint="Ctrl ↵")
        self.save.setShortcut("Ctrl+Return")
        cancel = Button("Cancel", large=True, shortcut_hint="Esc")
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 20, 20, 16)
        column.setSpacing(8)
        column.addWidget(TextLabel(title, "title"))
        column.addWidget(TextLabel(_HINT, "small", "text2", wrap=True))
        column.addWidget(self.text, 1)
        column.addWidget(self.meaning)
        row = QHBoxLayout()
        row.addStretch(1)
        row.addWidget(cancel)
        row.addWidget(self.save)
        column.addSpacing(8)
        column.addLayout(row)
        self.text.textChanged.connect(self._on_text_changed)
        self.save.clicked.connect(self._on_save_clicked)
        cancel.clicked.connect(self.reject)
        self._on_text_changed()
        self.text.setFocus()

    @Slot()
    def _on_text_changed(self) -> None:
        found = self._meaning_of(self.text.toPlainText())
        self.meaning.set_tone("error" if found.problem else "text")
        self.meaning.setText(found.problem or found.words)
        self.save.setEnabled(not found.problem)

    @Slot()
    def _on_save_clicked(self) -> None:
        self.saved.emit(self.text.toPlainText())
        self.accept()
