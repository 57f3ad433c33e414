"""The row a field stands in: label, editor, and below it what is wrong."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QFontMetrics, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QApplication, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from console.assets import paint_icon
from console.schema_form.editor import FieldEditor
from console.schema_form.fields import Field, FieldKind
from console.theme import theme_of
from console.widgets import TextLabel, paint_text

__all__ = ["LABEL_WIDTH", "STRUCTURES", "WIDE_KINDS", "FieldMessage", "FieldRow"]

LABEL_WIDTH: Final = 112
STRUCTURES: Final = frozenset(
    {FieldKind.OBJECT, FieldKind.TABLE, FieldKind.ROWS, FieldKind.TUPLE, FieldKind.MAP, FieldKind.VARIANT}
)
"""Kinds of field that hold others and carry their own label."""
WIDE_KINDS: Final = frozenset({FieldKind.LINES, FieldKind.JSON}) | STRUCTURES
"""Kinds of field that take the whole width of a form."""
_LABEL_GAP: Final = 12


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
        wide = field.kind in WIDE_KINDS
        across = QSizePolicy.Policy.MinimumExpanding if wide else QSizePolicy.Policy.Preferred
        policy = QSizePolicy(across, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.line = line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(_LABEL_GAP)
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

    def take_field(self, field: Field) -> None:
        """Edit the field as it is now, with the editor that is there."""
        self.field = field
        self.editor.take_field(field)

    def holds_focus(self) -> bool:
        """Tell whether the focus is somewhere inside."""
        focused = QApplication.focusWidget()
        return focused is not None and self.isAncestorOf(focused)
