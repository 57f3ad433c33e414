"""The row a field stands in: label, editor, and below it what is wrong."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QApplication, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from console.assets import paint_icon
from console.schema_form.editor import FieldEditor
from console.schema_form.field_label import MARK_WIDTH, FieldLabel, FieldNote, StateMark
from console.schema_form.fields import Field
from console.schema_form.kinds import FieldKind
from console.theme import theme_of
from console.widgets import TextLabel

LABEL_WIDTH: Final = 112
STRUCTURES: Final = frozenset(
    {FieldKind.OBJECT, FieldKind.TABLE, FieldKind.ROWS, FieldKind.TUPLE, FieldKind.MAP, FieldKind.VARIANT}
)
"""Kinds of field that hold others and carry their own label."""
WIDE_KINDS: Final = frozenset({FieldKind.LINES, FieldKind.JSON}) | STRUCTURES
"""Kinds of field that take the whole width of a form."""


class FieldMessage(QWidget):
    """What is wrong with a field: an icon and a sentence below it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._words = TextLabel("", "small", "error", wrap=True, parent=self)
        row = QHBoxLayout(self)
        row.setContentsMargins(20, 4, 0, 0)
        row.addWidget(self._words)
        self.hide()

    @property
    def text(self) -> str:
        return self._words.text()

    def show_text(self, text: str) -> None:
        self._words.setText(text)
        self.setVisible(bool(text))

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = theme_of(self)
        paint_icon(QPainter(self), QRect(0, 5, 14, 14), "circle-alert", theme.status.error.text, theme)


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
        wide = field.kind in WIDE_KINDS
        across = QSizePolicy.Policy.MinimumExpanding if wide else QSizePolicy.Policy.Preferred
        # Not fixed: that would hold it at its size hint, which knows nothing of how the message wraps at this width.
        policy = QSizePolicy(across, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.line = line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(0)
        self._label: FieldLabel | None = None
        self._note: FieldNote | None = None
        column = QVBoxLayout()
        column.setSpacing(0)
        column.addWidget(editor)
        if label_width:
            self._add_words(label_width, column)
        line.addLayout(column, 1)
        self._column = column
        self._message: FieldMessage | None = None
        self.show_message(editor.problem)
        editor.problem_changed.connect(self.show_message)

    def _add_words(self, label_width: int, column: QVBoxLayout) -> None:
        """Put name and state before the editor, and what it means below."""
        self._label = FieldLabel(self.field, label_width, self)
        self._label.set_editor(self.editor)
        self.editor.setMinimumHeight(theme_of(self).size.control)
        lead = QHBoxLayout()
        lead.setSpacing(0)
        lead.addWidget(self._label, 0, Qt.AlignmentFlag.AlignTop)
        if self.editor.has_states:
            lead.addWidget(StateMark(self.editor, self), 0, Qt.AlignmentFlag.AlignTop)
        else:
            lead.addSpacing(MARK_WIDTH)
        self.line.addLayout(lead)
        # What an item of a list means is said once, above the list.
        if self.field.path and isinstance(self.field.path[-1], str):
            self._note = FieldNote(self.editor, self)
            column.addWidget(self._note)

    @property
    def message(self) -> str:
        return "" if self._message is None else self._message.text

    def show_message(self, text: str) -> None:
        """Say below the field what is wrong; "" for nothing. Most fields never need the room for it."""
        if self._message is None and text:
            self._message = FieldMessage(self)
            self._column.addWidget(self._message)
        if self._message is not None:
            self._message.show_text(text)

    def reveal_missing(self) -> None:
        self.editor.reveal_missing()

    def detach(self) -> None:
        self.editor.detach()

    def take_field(self, field: Field) -> None:
        self.field = field
        self.editor.take_field(field)
        if self._label is not None:
            self._label.show_field(field)
        if self._note is not None:
            self._note.show_field()

    def holds_focus(self) -> bool:
        focused = QApplication.focusWidget()
        return focused is not None and self.isAncestorOf(focused)
