"""Ask for a name."""

from __future__ import annotations

from collections.abc import Collection

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from console.widgets import Button, TextLabel, WindowDialog


class NameDialog(WindowDialog):
    """Let a person name something.

    Args:
        title: What is named.
        hint: What comes of it.
        taken: Names that would be replaced.
        parent: The window it stands over.

    Signals:
        named(str): It shall be called so.
    """

    named = Signal(str)

    def __init__(self, title: str, hint: str, taken: Collection[str], parent: QWidget) -> None:
        super().__init__(title, parent)
        self._taken = frozenset(taken)
        self.setMinimumWidth(440)
        self.name = QLineEdit()
        self.name.setAccessibleName("Name")
        self.name.setMaxLength(128)
        self.save = Button("Save", kind="primary", large=True)
        self._note = TextLabel("", "small", "warn", wrap=True)
        cancel = Button("Cancel", large=True, shortcut_hint="Esc")
        row = QHBoxLayout()
        row.addStretch(1)
        row.addWidget(cancel)
        row.addWidget(self.save)
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 20, 20, 16)
        column.setSpacing(8)
        column.addWidget(TextLabel(title, "title"))
        column.addWidget(TextLabel(hint, "small", "text2", wrap=True))
        column.addWidget(self.name)
        column.addWidget(self._note)
        column.addLayout(row)
        self.name.textChanged.connect(self._on_name_text_changed)
        self.name.returnPressed.connect(self._on_save_clicked)
        self.save.clicked.connect(self._on_save_clicked)
        cancel.clicked.connect(self.reject)
        self._on_name_text_changed("")
        self.name.setFocus()

    def _on_name_text_changed(self, text: str) -> None:
        self.save.setEnabled(bool(text.strip()))
        is_taken = text.strip() in self._taken
        self._note.setText(f"Takes the place of {text.strip()}" if is_taken else "")
        self._note.setVisible(is_taken)

    def _on_save_clicked(self) -> None:
        if self.name.text().strip():
            self.named.emit(self.name.text().strip())
            self.accept()
