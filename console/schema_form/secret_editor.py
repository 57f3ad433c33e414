"""The field of a secret: what is typed is hidden until it is asked for."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QLineEdit, QWidget

from console.schema_form.document import Document
from console.schema_form.fields import Field
from console.schema_form.text_editors import TextEditor
from console.widgets import IconButton


class SecretEditor(TextEditor):
    """One line whose letters are dots; a button shows them, until the focus goes elsewhere.

    Args:
        field: What is edited.
        document: Where it stands.
        parent: Its owner.
    """

    def __init__(self, field: Field, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(field, document, parent)
        self.line.setEchoMode(QLineEdit.EchoMode.Password)
        self.reveal = IconButton("eye", f"Show {field.name}", outlined=True, parent=self)
        self.reveal.setCheckable(True)
        self.reveal.toggled.connect(self._on_reveal_toggled)
        self.reveal.installEventFilter(self)
        self.row.addWidget(self.reveal)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Hide the letters again when the focus leaves the line and its button."""
        if event.type() is QEvent.Type.FocusOut and not self._is_mine_now():
            self.reveal.setChecked(False)
        return super().eventFilter(watched, event)

    def _is_mine_now(self) -> bool:
        return self.line.hasFocus() or self.reveal.hasFocus() or self.reveal.underMouse()

    def _on_reveal_toggled(self, is_shown: bool) -> None:
        self.line.setEchoMode(QLineEdit.EchoMode.Normal if is_shown else QLineEdit.EchoMode.Password)
        self.reveal.set_name(f"{'Hide' if is_shown else 'Show'} {self.field.name}")
