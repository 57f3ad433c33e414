"""Editors of text, among them secrets."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final
from uuid import uuid4

from PySide6.QtCore import QEvent, QObject, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QFontMetrics, QKeyEvent, QTextCursor
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QPlainTextEdit, QSizePolicy, QVBoxLayout, QWidget

from console.schema_form.document import Document
from console.schema_form.editor import FieldEditor
from console.schema_form.fields import Field
from console.schema_form.flat_schema import Schema
from console.schema_form.paths import ABSENT
from console.theme import theme_of
from console.widgets import IconButton

_RETURN_KEYS: Final = {Qt.Key.Key_Return, Qt.Key.Key_Enter}
_MOST_LINES: Final = 12
_FEWEST_LINES: Final = 3
_SHORT: Final = 200
_NEARLY: Final = 0.9
_EXAMPLES: Final[Mapping[str, str]] = {
    "email": "name@example.org",
    "hostname": "www.example.org",
    "ipv4": "192.0.2.1",
    "ipv6": "2001:db8::1",
    "regex": "^[a-z]+$",
    "uri": "https://example.org/page",
    "url": "https://example.org/page",
    "uuid": "123e4567-e89b-12d3-a456-426614174000",
}


class TextEditor(FieldEditor):
    """One line of text in the code face."""

    def __init__(self, field: Field, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(field, document, parent)
        self.line = QLineEdit(self)
        self.line.setFont(theme_of(self).font("code"))
        self.row = QHBoxLayout(self)
        self.row.setContentsMargins(0, 0, 0, 0)
        self.row.setSpacing(8)
        self.row.addWidget(self.line, 1)
        self.adopt(self.line)
        if field.format == "uuid" and not field.read_only:
            self.button = IconButton("refresh-cw", f"New UUID for {field.name}", outlined=True, parent=self)
            self.button.clicked.connect(self._on_button_clicked)
            self.row.addWidget(self.button)
        self.line.textEdited.connect(self._on_line_text_edited)
        self.refresh()

    def show_value(self, value: Any) -> None:
        text = self._text_of(value)
        if self.line.text() != text:
            self.line.setText(text)
            if not self.line.hasFocus():
                self.line.home(False)
        self.line.setPlaceholderText(self.placeholder(value))
        self.show_hint(length_words(self.field.schema, text))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Begin to type behind the text, which is shown from its beginning until then."""
        if watched is self.line and isinstance(event, QFocusEvent) and event.gotFocus():
            is_placed = event.reason() is Qt.FocusReason.MouseFocusReason or self.line.hasSelectedText()
            if not is_placed:
                self.line.end(False)
        return super().eventFilter(watched, event)

    def placeholder(self, value: Any) -> str:
        return super().placeholder(value) or _EXAMPLES.get(self.field.format, "")

    def _text_of(self, value: Any) -> str:
        draft = self.document.draft(self.field.path)
        if draft is not None:
            return draft.text
        if value is ABSENT or value is None:
            return ""
        return value if isinstance(value, str) else str(value)

    def _on_line_text_edited(self, text: str) -> None:
        if text:
            self.write(text)
        else:
            self.clear()

    def _on_button_clicked(self) -> None:
        self.write(str(uuid4()))


class TextArea(QPlainTextEdit):
    """Lines of text that grow with what is in them; Tab leaves the field.

    Signals:
        text_edited(str): A person changed the text.
    """

    text_edited = Signal(str)

    def __init__(self, fewest: int = _FEWEST_LINES, most: int = _MOST_LINES, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._fewest, self._most = fewest, most
        self._is_showing = False
        self._shown_lines = 0
        self.setFont(theme_of(self).font("code"))
        self.setTabChangesFocus(True)
        # Not flat: its focus line has round corners.
        self.setProperty("flat", "false")
        self.document().setDocumentMargin(2)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.textChanged.connect(self._on_text_changed)
        self._follow_lines()

    def show_text(self, text: str) -> None:
        """Show a text without telling that it was edited; the caret stays if the text is the same."""
        if self.toPlainText() == text:
            return
        self._is_showing = True
        self.setPlainText(text)
        self._is_showing = False

    def sizeHint(self) -> QSize:
        line = QFontMetrics(self.font()).lineSpacing()
        return QSize(200, self._shown_lines * line + 14)

    def minimumSizeHint(self) -> QSize:
        return QSize(80, self.sizeHint().height())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Pass Ctrl+Enter on: it runs the tool."""
        if event.key() in _RETURN_KEYS and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            event.ignore()
            return
        super().keyPressEvent(event)

    def _on_text_changed(self) -> None:
        self._follow_lines()
        if not self._is_showing:
            self.text_edited.emit(self.toPlainText())

    def _follow_lines(self) -> None:
        lines = min(self._most, max(self._fewest, self.document().blockCount()))
        if lines != self._shown_lines:
            self._shown_lines = lines
            self.updateGeometry()


class LinesEditor(FieldEditor):
    """Several lines of text in the code face."""

    def __init__(self, field: Field, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(field, document, parent)
        self.area = TextArea(parent=self)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.area)
        self.adopt(self.area)
        self.area.text_edited.connect(self._on_area_text_edited)
        self.refresh()

    def show_value(self, value: Any) -> None:
        text = "" if value is ABSENT or value is None else str(value)
        self.area.show_text(text)
        self.area.setPlaceholderText(self.placeholder(value))
        self.show_hint(length_words(self.field.schema, text))

    def move_to_end(self) -> None:
        self.area.moveCursor(QTextCursor.MoveOperation.End)

    def _on_area_text_edited(self, text: str) -> None:
        if text:
            self.write(text)
        else:
            self.clear()


def length_words(schema: Schema, text: str) -> str:
    """Say how long a text is while that matters: `12 of 120 characters`, `3 of at least 8 characters`; "" otherwise."""
    length, least, most = len(text), schema.get("minLength", 0), schema.get("maxLength")
    if not text:
        return ""
    if length < least:
        return f"{length:,} of at least {least:,} characters"
    matters = most is not None and (most <= _SHORT or length >= most * _NEARLY)
    return f"{length:,} of {most:,} characters" if matters else ""


class SecretEditor(TextEditor):
    """One line whose letters are dots; a button shows them, until the focus goes elsewhere."""

    def __init__(self, field: Field, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(field, document, parent)
        self.line.setEchoMode(QLineEdit.EchoMode.Password)
        self.reveal = IconButton("eye", f"Show {field.name}", outlined=True, parent=self)
        self.reveal.setCheckable(True)
        self.reveal.toggled.connect(self._on_reveal_toggled)
        self.reveal.installEventFilter(self)
        self.row.addWidget(self.reveal)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.FocusOut and not self._is_mine_now():
            self.reveal.setChecked(False)
        return super().eventFilter(watched, event)

    def _is_mine_now(self) -> bool:
        return self.line.hasFocus() or self.reveal.hasFocus() or self.reveal.underMouse()

    def _on_reveal_toggled(self, is_shown: bool) -> None:
        self.line.setEchoMode(QLineEdit.EchoMode.Normal if is_shown else QLineEdit.EchoMode.Password)
        self.reveal.set_name(f"{'Hide' if is_shown else 'Show'} {self.field.name}")
