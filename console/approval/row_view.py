"""One row of the arguments: name, field, what is wrong with it, and what an edit changed."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from PySide6.QtCore import QPointF, QRect, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from console.approval.model import ArgumentRow
from console.approval.parts_view import grow_with_width
from console.approval.spans_view import FullText, LinkButton, SpanLabel
from console.approval.words import SentencePart
from console.comparison.diff_view import DiffView
from console.comparison.lines import difference, written
from console.schema_form import ABSENT, Document, FieldEditor, FieldKind, FieldMessage
from console.schema_form.path_editors import PathEditor
from console.schema_form.rows import RowMaker
from console.theme import theme_of
from console.widgets import Badge, IconButton, IconLabel, TextLabel, format_size

NAME_WIDTH: Final = 140
TRAILING_WIDTH: Final = 128
MARGIN: Final = 12
_LINE_LETTERS: Final = 52
_MOST_EDITED: Final = 20_000
_AREA_LINES: Final = (3, 12)
_WHOLE_KINDS: Final = frozenset(
    {FieldKind.BOOLEAN, FieldKind.INTEGER, FieldKind.NUMBER, FieldKind.DATE, FieldKind.TIME, FieldKind.DATE_TIME}
)
"""What is always in sight as a whole."""


class _NameLabel(SpanLabel):
    """The argument's name in the code face, with a red asterisk if it is required."""

    def __init__(self, row: ArgumentRow, parent: QWidget) -> None:
        super().__init__((SentencePart(row.name),), "code", "text", parent=parent)
        self._required = row.required
        self.setFixedWidth(NAME_WIDTH - MARGIN)
        self.setToolTip("required" if row.required else "")

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self._required:
            return
        theme = theme_of(self)
        painter = QPainter(self)
        painter.setFont(theme.font("code"))
        painter.setPen(theme.status.error.text)
        end, base = self.end_of_text()
        painter.drawText(QPointF(min(end + 2, self.width() - 8), base), "*")


class ArgumentRowView(QWidget):
    """One argument with its editor.

    Args:
        row: The argument.
        document: What is edited.
        base: The folder that relative paths start from; None for the home folder.
        last: Whether no line closes the row.
        parent: Its owner.

    Signals:
        undo_requested(str): The argument of this name shall be again what was asked for.
        opened(): All of a long value is on show.
    """

    undo_requested = Signal(str)
    opened = Signal()

    def __init__(
        self, row: ArgumentRow, document: Document, base: Path | None, *, last: bool, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.row = row
        self._document = document
        self._last = last
        self._now: Any = row.value
        self.editor = self._make_editor(base)
        self.whole: FullText | None = None
        self.message = FieldMessage(self)
        self._objection = ""
        self.diff = DiffView(self)
        self.link = LinkButton("Show all", f"Show all of {row.name}", self)
        self._full: FullText | None = None
        self._was_opened = False
        self._badge = Badge("Edited", icon="pencil", tone="warn", parent=self)
        self.undo_button = IconButton("undo-2", f"Undo the edit of {row.name}", parent=self)
        self._column = self._lay_out()
        self.link.clicked.connect(self._on_link_clicked)
        self.undo_button.clicked.connect(self._on_undo_button_clicked)
        if self.editor is not None:
            self.editor.problem_changed.connect(self._on_editor_problem_changed)
        self.show_now(row.value, edited=False)

    @property
    def is_edited(self) -> bool:
        """Return whether it is shown as edited."""
        return not self._badge.isHidden()

    @property
    def hides(self) -> bool:
        """Return whether a part of the value as asked has not been on show yet."""
        if self.whole is not None:
            return not self.whole.was_read
        return not self._was_opened and self._is_cut_off(self.row.value)

    def open(self) -> None:
        """Show all of the value, or the rest of one that is too long for the screen."""
        if self.whole is not None:
            self.whole.setFocus(Qt.FocusReason.OtherFocusReason)
            self.whole.read_on()
        elif self._full is None or self._full.isHidden():
            self.link.click()

    def show_now(self, value: Any, *, edited: bool) -> None:
        """Show whether the value is still the one asked for.

        Args:
            value: What stands in the document; `ABSENT` for nothing.
            edited: Whether that is another value, or letters that are none yet.
        """
        self._now = value
        for widget in (self._badge, self.undo_button):
            widget.setVisible(edited)
        shown = difference(self.row.value, value) if edited else None
        self._below.setVisible(shown is not None)
        if shown is not None:
            self.diff.show_difference(shown)
        self._mark(edited=edited)
        is_cut = shown is not None and shown.shortened
        self.link.setVisible(is_cut or self._is_cut_off(value))
        if self._full is not None and not self._full.isHidden():
            self._full.show_text(self._full_text())
        self._show_message()

    def close_with_line(self, *, closed: bool) -> None:
        """Close the row with a line, or leave it open as the last one."""
        self._last = not closed
        self.update()

    def show_objection(self, text: str) -> None:
        """Say what the tool itself finds wrong with the value; "" for nothing."""
        self._objection = text
        self._show_message()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the line that closes the row."""
        if not self._last:
            line = QRect(0, self.height() - 1, self.width(), 1)
            QPainter(self).fillRect(line, theme_of(self).color.divider)

    def _make_editor(self, base: Path | None) -> FieldEditor | None:
        value = self.row.value
        if self.row.hidden or (value is not ABSENT and len(written(value)) > _MOST_EDITED):
            return None
        field = self._document.field((self.row.name,))
        long_text = isinstance(value, str) and (len(value) > _LINE_LETTERS or "\n" in value)
        if field.kind is FieldKind.TEXT and long_text:
            field = field._replace(kind=FieldKind.LINES)
        self._kind = field.kind
        editor = RowMaker(base, words="value").editor(field, self._document, self)
        if isinstance(editor, PathEditor):
            editor.button.hide()
        return editor

    def _lay_out(self) -> QVBoxLayout:
        grow_with_width(self)
        line = QHBoxLayout(self)
        line.setContentsMargins(MARGIN, 4, MARGIN, 3 if self._last else 4)
        line.setSpacing(0)
        name = QVBoxLayout()
        name.setContentsMargins(0, 4, MARGIN, 4)
        name.addWidget(_NameLabel(self.row, self))
        name.addStretch(1)
        line.addLayout(name)
        column = QVBoxLayout()
        column.setSpacing(0)
        column.addWidget(self._field())
        column.addWidget(self.message)
        self._below = QWidget(self)
        below = QVBoxLayout(self._below)
        below.setContentsMargins(0, 3, 0, 5)
        below.addWidget(self.diff)
        column.addWidget(self._below)
        # Aligned, for a layout lets nothing in it get wider than its narrowest fixed part otherwise.
        column.addWidget(self.link, 0, Qt.AlignmentFlag.AlignLeft)
        line.addLayout(column, 1)
        trailing = QHBoxLayout()
        trailing.setSpacing(4)
        trailing.addStretch(1)
        trailing.addWidget(self._badge)
        trailing.addWidget(self.undo_button)
        holder = QWidget(self)
        holder.setFixedSize(TRAILING_WIDTH, theme_of(self).size.control)
        holder.setLayout(trailing)
        trailing.setContentsMargins(0, 0, 0, 0)
        line.addWidget(holder, 0, Qt.AlignmentFlag.AlignTop)
        return column

    def _field(self) -> QWidget:
        if self.editor is not None:
            return self.editor
        holder = QWidget(self)
        column = QVBoxLayout(holder)
        column.setContentsMargins(0, 4, 0, 4)
        column.setSpacing(4)
        if self.row.hidden:
            secret = IconLabel("lock", str(self.row.value), "code", "text2", icon_tone="text3")
            secret.setAccessibleName(f"argument {self.row.name}, hidden")
            column.addWidget(secret)
            column.addWidget(TextLabel("A secret. It stays as it is", "small", "text3"))
            return holder
        text = written(self.row.value)
        self.whole = full = FullText(f"argument {self.row.name}")
        full.show_text(text)
        full.read.connect(self.opened)
        size = format_size(len(text.encode("utf-8", "replace")))
        column.addWidget(full)
        column.addWidget(TextLabel(f"{size}: too long to edit here", "small", "text3"))
        return holder

    def _is_cut_off(self, value: Any) -> bool:
        if self.editor is None or value is ABSENT or self._kind in _WHOLE_KINDS:
            return False
        text = written(value)
        if self._kind is not FieldKind.LINES:
            return len(text) > _LINE_LETTERS
        lines = text.split("\n")
        fewest, most = _AREA_LINES
        return sum(1 + len(line) // _LINE_LETTERS for line in lines) > min(most, max(fewest, len(lines)))

    def _full_text(self) -> str:
        if not self.is_edited:
            return written(self._now)
        return f"As asked:\n{written(self.row.value)}\n\nEdited:\n{written(self._now)}"

    def _mark(self, *, edited: bool) -> None:
        if self.editor is None:
            return
        target = self.editor.target
        frame = target.parentWidget()
        outlined = frame if isinstance(frame, QFrame) and frame.property("field") else target
        mark = "true" if edited and not self.editor.problem else "false"
        if outlined.property("edited") != mark:
            outlined.setProperty("edited", mark)
            outlined.style().unpolish(outlined)
            outlined.style().polish(outlined)

    def _show_message(self) -> None:
        problem = self.editor.problem if self.editor is not None else ""
        self.message.show_text(problem or self._objection)

    def _on_editor_problem_changed(self, problem: str) -> None:
        self._show_message()
        self._mark(edited=self.is_edited)

    def _on_undo_button_clicked(self) -> None:
        if self.editor is not None:
            self.editor.target.setFocus(Qt.FocusReason.OtherFocusReason)
        self.undo_requested.emit(self.row.name)

    def _on_link_clicked(self) -> None:
        if self._full is None:
            self._full = FullText(f"all of {self.row.name}", self)
            self._full.hide()
            self._column.addWidget(self._full)
            QWidget.setTabOrder(self.link, self._full)
        opened = self._full.isHidden()
        if opened:
            self._full.show_text(self._full_text())
        self._full.setVisible(opened)
        if opened:
            self._was_opened = True
            self.opened.emit()
        words = (
            ("Show less", f"Show less of {self.row.name}") if opened else ("Show all", f"Show all of {self.row.name}")
        )
        self.link.show_text(*words)
