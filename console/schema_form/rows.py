"""The right editor for each field, and the row it stands in: label, field, message."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path as FilePath
from typing import Final

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QFontMetrics, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from console.assets import paint_icon
from console.schema_form.choice_editors import BooleanEditor, BooleanWords, ChoiceEditor, SelectionEditor
from console.schema_form.date_editor import DateEditor
from console.schema_form.document import Document
from console.schema_form.editor import FieldEditor
from console.schema_form.fields import Field, FieldKind, field_at
from console.schema_form.json_editor import JsonPartEditor
from console.schema_form.list_editor import ListEditor
from console.schema_form.number_editor import NumberEditor
from console.schema_form.object_editor import ObjectEditor
from console.schema_form.path_editor import PathEditor
from console.schema_form.paths import Path
from console.schema_form.resolving import Schema
from console.schema_form.text_editors import LinesEditor, TextEditor
from console.theme import theme_of
from console.widgets import TextLabel, paint_text

__all__ = ["FieldMessage", "FieldRow", "RowMaker", "make_editor"]

LABEL_WIDTH: Final = 112
LABEL_GAP: Final = 12
_WIDE_KINDS: Final = frozenset({FieldKind.LINES, FieldKind.JSON, FieldKind.OBJECT})

_SIMPLE: Final[Mapping[FieldKind, type[FieldEditor]]] = {
    FieldKind.TEXT: TextEditor,
    FieldKind.LINES: LinesEditor,
    FieldKind.CHOICE: ChoiceEditor,
    FieldKind.SELECTION: SelectionEditor,
    FieldKind.LIST: ListEditor,
    FieldKind.DATE: DateEditor,
    FieldKind.TIME: DateEditor,
    FieldKind.DATE_TIME: DateEditor,
    FieldKind.JSON: JsonPartEditor,
}


class FieldMessage(QWidget):
    """What is wrong with a field: an icon and a sentence below it.

    Args:
        parent: Its owner.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._words = TextLabel("", "small", "error", wrap=True, parent=self)
        row = QHBoxLayout(self)
        row.setContentsMargins(20, 4, 0, 0)
        row.addWidget(self._words)
        self.hide()

    @property
    def text(self) -> str:
        """Return the sentence; "" for none."""
        return self._words.text()

    def show_text(self, text: str) -> None:
        """Say something else; "" hides the line."""
        self._words.setText(text)
        self.setVisible(bool(text))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the icon before the first line."""
        theme = theme_of(self)
        paint_icon(QPainter(self), QRect(0, 5, 14, 14), "circle-alert", theme.status.error.text, theme)


class _FieldLabel(QWidget):
    """The argument's name in the code face, with a red asterisk if it is required; a click enters the field."""

    def __init__(self, field: Field, width: int, parent: QWidget) -> None:
        super().__init__(parent)
        self._field = field
        self._editor: FieldEditor | None = None
        title = field.title if field.title != field.name else ""
        about = "\n".join(part for part in (title, field.description) if part)
        self.setToolTip(f"{field.name}\n{about}" if about else field.name)
        self.setFixedSize(width, theme_of(self).size.control)

    def set_editor(self, editor: FieldEditor) -> None:
        self._editor = editor

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self._editor is not None and event.button() is Qt.MouseButton.LeftButton:
            self._editor.target.setFocus(Qt.FocusReason.MouseFocusReason)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = theme_of(self)
        painter = QPainter(self)
        font = theme.font("code")
        ink = theme.color.text2 if self.isEnabled() else theme.color.text_disabled
        room = self.width() - (12 if self._field.required else 0)
        paint_text(painter, QRect(0, 0, room, self.height()), self._field.name, font, ink)
        if self._field.required:
            end = min(room, QFontMetrics(font).horizontalAdvance(self._field.name) + 3)
            paint_text(painter, QRect(end, 0, 12, self.height()), "*", font, theme.status.error.text)


class FieldRow(QWidget):
    """One field of a form: label, field, and below it what is wrong.

    Args:
        field: What is edited.
        make_editor: Makes its editor inside the row; one that moves there has its style looked up twice.
        label_width: Logical pixels; 0 for a field that carries its own label.
        parent: Its owner.
    """

    def __init__(
        self,
        field: Field,
        make_editor: Callable[[QWidget], FieldEditor],
        label_width: int,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.field = field
        self.editor = editor = make_editor(self)
        wide = field.kind in _WIDE_KINDS
        across = QSizePolicy.Policy.MinimumExpanding if wide else QSizePolicy.Policy.Preferred
        policy = QSizePolicy(across, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(LABEL_GAP)
        if label_width:
            label = _FieldLabel(field, label_width, self)
            label.set_editor(editor)
            line.addWidget(label, 0, Qt.AlignmentFlag.AlignTop)
        column = QVBoxLayout()
        column.setSpacing(0)
        column.addWidget(editor)
        self.message = FieldMessage(self)
        column.addWidget(self.message)
        line.addLayout(column, 1)
        self.message.show_text(editor.problem)
        editor.problem_changed.connect(self.message.show_text)

    def reveal_missing(self) -> None:
        """Show that a required value is missing."""
        self.editor.reveal_missing()

    def detach(self) -> None:
        """Follow the document no more."""
        self.editor.detach()


class RowMaker:
    """Make the editors and rows of one form.

    Args:
        base: The folder that relative paths start from; None for the home folder.
        words: What stands beside check boxes.
        label_width: Of the rows, in logical pixels.
    """

    def __init__(
        self, base: FilePath | None = None, words: BooleanWords = "description", label_width: int = LABEL_WIDTH
    ) -> None:
        self._base = base
        self._words: BooleanWords = words
        self._label_width = label_width

    def editor(self, field: Field, document: Document, parent: QWidget | None = None) -> FieldEditor:
        """Make the editor of a field.

        Args:
            field: What is edited.
            document: Where it stands.
            parent: Its owner.
        """
        match field.kind:
            case FieldKind.INTEGER | FieldKind.NUMBER:
                return NumberEditor(field, document, parent=parent)
            case FieldKind.BOOLEAN:
                return BooleanEditor(field, document, words=self._words, parent=parent)
            case FieldKind.PATH:
                return PathEditor(field, document, base=self._base, parent=parent)
            case FieldKind.OBJECT:
                return ObjectEditor(field, document, self._inline_editor, self.row, parent)
            case _:
                return _SIMPLE[field.kind](field, document, parent)

    def row(self, field: Field, document: Document, parent: QWidget | None = None) -> FieldRow:
        """Make the editor of a field in its row.

        Args:
            field: What is edited.
            document: Where it stands.
            parent: Its owner.
        """
        width = 0 if field.kind is FieldKind.OBJECT else self._label_width

        def make_editor(owner: QWidget) -> FieldEditor:
            return self.editor(field, document, owner)

        return FieldRow(field, make_editor, width, parent)

    @staticmethod
    def _inline_editor(field: Field, document: Document, parent: QWidget) -> FieldEditor:
        if field.kind is FieldKind.BOOLEAN:
            return BooleanEditor(field, document, words="name", parent=parent)
        return NumberEditor(field, document, narrow=True, parent=parent)


def make_editor(
    schema: Schema, path: Path, document: Document, *, base: FilePath | None = None, parent: QWidget | None = None
) -> FieldEditor:
    """Make the editor of one argument without its row, as a table of arguments shows it.

    Args:
        schema: The schema of the whole document.
        path: Which argument.
        document: What it edits; it follows changes from elsewhere.
        base: The folder that relative paths start from; None for the home folder.
        parent: Its owner.

    Returns:
        The widget; `target` has the focus and the accessible name, `problem` and `problem_changed` say what is wrong.
    """
    return RowMaker(base, words="value").editor(field_at(schema, path), document, parent)
