"""The arguments of a call, a row each or as JSON, to be read and edited before they are allowed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from PySide6.QtCore import QRect, Qt, Signal
from PySide6.QtGui import QPainterPath, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

from console.approval.model import ApprovalModel, ArgumentRow, SentencePart, changed_names
from console.approval.parts_view import small_heading
from console.approval.spans_view import FullText, LinkButton, SpanLabel
from console.comparison.diff_view import DiffView
from console.comparison.lines import difference, written
from console.language import tr
from console.schema_form import ABSENT, Document, FieldEditor, FieldKind, FieldMessage, JsonEditor, write_json
from console.schema_form.path_editors import PathEditor
from console.schema_form.rows import RowMaker
from console.theme import draw_words, painter_of, theme_of
from console.widgets import (
    Badge,
    ElidedLabel,
    IconButton,
    IconLabel,
    KeyCap,
    SegmentedControl,
    TextLabel,
    format_size,
    grow_with_width,
    hbox,
    paint_box,
    paint_text,
    set_margins,
    vbox,
)

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
        self.setToolTip(tr("required") if row.required else "")

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self._required:
            return
        theme = theme_of(self)
        painter = painter_of(self)
        painter.setFont(theme.font("code"))
        painter.setPen(theme.status.error.text)
        end, base = self.end_of_text()
        draw_words(painter, round(min(end + 2, self.width() - 8)), round(base), "*", 8)


class ArgumentRowView(QWidget):
    """One argument with its editor.

    Args:
        base: The folder that relative paths start from; None for the home folder.
        last: Whether no line closes the row.

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
        self.link = LinkButton(tr("Show all"), tr("Show all of {name}", name=row.name), self)
        self._full: FullText | None = None
        self._was_opened = False
        self._badge = Badge(tr("Edited"), icon="pencil", tone="warn", parent=self)
        self.undo_button = IconButton("undo-2", tr("Undo the edit of {name}", name=row.name), parent=self)
        self._column = self._lay_out()
        self.link.clicked.connect(self._on_link_clicked)
        self.undo_button.clicked.connect(self._on_undo_button_clicked)
        if self.editor is not None:
            self.editor.problem_changed.connect(self._on_editor_problem_changed)
        self.show_now(row.value, edited=False)

    @property
    def is_edited(self) -> bool:
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
        if not self._last:
            line = QRect(0, self.height() - 1, self.width(), 1)
            painter_of(self).fillRect(line, theme_of(self).color.divider)

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
        line = hbox(self, margins=(MARGIN, 4, MARGIN, 3 if self._last else 4))
        name = QVBoxLayout()
        set_margins(name, 0, 4, MARGIN, 4)
        name.addWidget(_NameLabel(self.row, self))
        name.addStretch(1)
        line.addLayout(name)
        column = vbox()
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
        trailing = hbox(spacing=4)
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
        column = vbox(holder, margins=(0, 4, 0, 4), spacing=4)
        if self.row.hidden:
            secret = IconLabel("lock", str(self.row.value), "code", "text2", icon_tone="text3")
            secret.setAccessibleName(tr("argument {name}, hidden", name=self.row.name))
            column.addWidget(secret)
            column.addWidget(TextLabel(tr("A secret. It stays as it is"), "small", "text3"))
            return holder
        text = written(self.row.value)
        self.whole = full = FullText(tr("argument {name}", name=self.row.name))
        full.show_text(text)
        full.read.connect(self.opened)
        size = format_size(len(text.encode("utf-8", "replace")))
        column.addWidget(full)
        column.addWidget(TextLabel(tr("{size}: too long to edit here", size=size), "small", "text3"))
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
        return tr("As asked:\n{value}\n\nEdited:\n{now}", value=written(self.row.value), now=written(self._now))

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
            self._full = FullText(tr("all of {name}", name=self.row.name), self)
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
            (tr("Show less"), tr("Show less of {name}", name=self.row.name))
            if opened
            else (tr("Show all"), tr("Show all of {name}", name=self.row.name))
        )
        self.link.show_text(*words)


_MOST_JSON: Final = 200_000
_FEWEST_LINES: Final = 6
_MOST_LINES: Final = 16
_SWITCH: Final = 24
_FORM, _JSON = 0, 1


class _Table(QWidget):
    """The frame and head of the table."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        grow_with_width(self)
        self.column = vbox(self, margins=(1, 26, 1, 1))

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = theme_of(self)
        painter = painter_of(self)
        rect = self.rect()
        outline = QPainterPath()
        outline.addRoundedRect(rect, theme.radius.medium, theme.radius.medium)
        painter.setClipPath(outline)
        painter.fillRect(rect, theme.color.surface)
        painter.fillRect(QRect(0, 0, rect.width(), 24), theme.color.inset)
        painter.fillRect(QRect(0, 24, rect.width(), 1), theme.color.border)
        painter.fillRect(QRect(0, 25, rect.width(), 1), theme.color.divider)
        painter.setClipping(False)
        paint_box(painter, rect, theme.radius.medium, border=theme.color.border)
        font = theme.font("caption")
        paint_text(painter, QRect(1 + MARGIN, 1, NAME_WIDTH, 24), tr("Name"), font, theme.color.text3)
        paint_text(painter, QRect(1 + MARGIN + NAME_WIDTH, 1, 200, 24), tr("Value"), font, theme.color.text3)


class ArgumentsView(QWidget):
    """Show what the call is given, and take edits.

    Args:
        base: The folder that relative paths start from; None for the home folder.
        in_page: Whether it stands in a page, where room is scarce and the switch stands in the table's head.

    Signals:
        changed(): The arguments changed, or stopped being such.
        opened(): All of a long value is on show.
    """

    changed = Signal()
    opened = Signal()

    def __init__(
        self, model: ApprovalModel, base: Path | None = None, *, in_page: bool = False, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._model = model
        self._document = Document(model.schema, model.values)
        self._objections: Mapping[str, str] = {}
        self._json: JsonEditor | None = None
        self.mode_switch = SegmentedControl((tr("Form"), "JSON"), tr("Show arguments as"), height=_SWITCH)
        self._hint = TextLabel(tr("Edit a value before you allow the call"), "small", "text3", parent=self)
        self._badge = Badge(tr("Edited"), icon="pencil", tone="warn")
        self.undo_button = IconButton("undo-2", tr("Undo all edits"), size=24)
        self._table = _Table(self)
        self._json_holder = QWidget(self)
        self._rest = FieldMessage(self)
        self._extra = TextLabel("", "small", "text3", wrap=True)
        self.rows: list[ArgumentRowView] = []
        self._in_page = in_page
        self._corner = QWidget(self)
        self._folded: list[ArgumentRowView] = []
        self._lay_out()
        folds = any(row.folds for row in model.arguments)
        for index, row in enumerate(model.arguments):
            last = index == len(model.arguments) - 1 and not folds
            view = ArgumentRowView(row, self._document, base, last=last, parent=self._table)
            view.undo_requested.connect(self._on_row_undo_requested)
            view.opened.connect(self.opened)
            self._table.column.addWidget(view)
            self.rows.append(view)
        if not self.rows:
            self._table.column.addWidget(_no_arguments())
        self._fold = _FoldLine(self._table)
        self._fold.link.clicked.connect(self.unfold)
        self._table.column.addWidget(self._fold)
        self._fold_defaults()
        self.mode_switch.selected.connect(self._on_mode_switch_selected)
        self.undo_button.clicked.connect(self._on_undo_button_clicked)
        self._document.subscribe(self._on_document_changed)
        self._on_document_changed()

    @property
    def is_edited(self) -> bool:
        """Return whether anything is not as asked, text that is no JSON and letters that are no value included."""
        return self._document.text_problem is not None or bool(self._edited_names())

    @property
    def is_valid(self) -> bool:
        """Return whether the arguments fit, as far as it is known."""
        self._flush()
        return not self._document.errors() and not self._objections

    def values(self) -> dict[str, Any]:
        """Return the arguments as last understood; a copy."""
        self._flush()
        return self._document.value()

    def show_objections(self, objections: Mapping[str, str]) -> None:
        """Show what the tool itself finds wrong.

        Args:
            objections: Sentences by argument; "" stands for all of them together.
        """
        self._objections = dict(objections)
        if self._objections.keys() & set(self.folded):
            self.unfold()
        names = {row.row.name for row in self.rows}
        for row in self.rows:
            row.show_objection(self._objections.get(row.row.name, ""))
        in_form = self.mode_switch.index == _FORM
        rest = [text for name, text in self._objections.items() if not in_form or name not in names]
        self._rest.show_text("; ".join(rest))

    @property
    def folded(self) -> tuple[str, ...]:
        return tuple(row.row.name for row in self._folded)

    def unfold(self) -> None:
        if not self._folded:
            return
        first = self._folded[0]
        had_focus = self._fold.link.hasFocus()
        for row in self._folded:
            row.show()
        self._folded = []
        self._fold.hide()
        self.rows[-1].close_with_line(closed=False)
        if had_focus and first.editor is not None:
            first.editor.target.setFocus(Qt.FocusReason.TabFocusReason)
        self.opened.emit()

    def _fold_defaults(self) -> None:
        self._folded = [row for row in self.rows if row.row.folds]
        for row in self._folded:
            row.hide()
        self._fold.show_rows([row.row for row in self._folded], len(self.rows))

    def toggle_mode(self) -> None:
        """Show the form in place of the JSON, or the other way round."""
        self.mode_switch.select(_JSON if self.mode_switch.index == _FORM else _FORM)

    def focus_first(self) -> None:
        """Move to the first argument that can be edited, or to the JSON."""
        if self.mode_switch.index == _JSON and self._json is not None:
            self._json.edit.setFocus(Qt.FocusReason.ShortcutFocusReason)
            return
        shown = (row for row in self.rows if row not in self._folded)
        editors = (row.editor for row in shown if row.editor is not None)
        first = next(editors, None)
        if first is not None:
            first.target.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_corner()

    def _place_corner(self) -> None:
        if self._in_page:
            self._corner.adjustSize()
            self._corner.move(self.width() - self._corner.width() - 1, 1)
            self._corner.raise_()

    def _lay_out(self) -> None:
        grow_with_width(self)
        column = vbox(self)
        corner = hbox(self._corner, spacing=8)
        for widget in (self._badge, self.undo_button, self.mode_switch):
            corner.addWidget(widget)
        if self._in_page:
            self._json_holder.setContentsMargins(0, _SWITCH + 4, 0, 0)
        else:
            head = hbox(spacing=8)
            head.addWidget(small_heading(tr("Arguments")))
            head.addWidget(self._hint)
            head.addStretch(1)
            head.addWidget(self._corner)
            column.addLayout(head)
            column.addSpacing(8)
        self._hint.setVisible(not self._in_page)
        column.addWidget(self._table)
        column.addWidget(self._json_holder)
        column.addWidget(self._rest)
        column.addWidget(self._extra)
        self._json_holder.hide()

    def _open_json(self) -> None:
        """Make the text editor when it is first wanted; a text too long to edit is only shown."""
        if self._json_holder.layout() is not None:
            return
        column = vbox(self._json_holder, spacing=4)
        text = write_json(self._document.value())
        if len(text) > _MOST_JSON:
            full = FullText(tr("Arguments as JSON"))
            full.show_text(text)
            column.addWidget(full)
            QWidget.setTabOrder(self.undo_button, full)
            column.addWidget(
                TextLabel(tr("{size}: too long to edit here", size=format_size(len(text))), "small", "text3")
            )
            return
        self._json = JsonEditor(self._document)
        self._json.edit.blockCountChanged.connect(self._fit_json)
        column.addWidget(self._json)
        QWidget.setTabOrder(self.undo_button, self._json.edit)
        self._fit_json()

    def _fit_json(self) -> None:
        if self._json is not None:
            lines = min(_MOST_LINES, max(_FEWEST_LINES, self._json.edit.blockCount() + 1))
            self._json.edit.setFixedHeight(lines * theme_of(self).line_height("code"))

    def _flush(self) -> None:
        if self._json is not None:
            self._json.flush()

    def _edited_names(self) -> tuple[str, ...]:
        changed = changed_names(self._model.values, self._document.value())
        drafts = tuple(
            row.row.name
            for row in self.rows
            if row.row.name not in changed and self._document.draft((row.row.name,)) is not None
        )
        return changed + drafts

    def _on_mode_switch_selected(self, index: int) -> None:
        self._flush()
        problem = self._document.text_problem
        if index == _FORM and problem is not None and self._json is not None:
            self.mode_switch.select(_JSON)
            self._json.edit.go_to(problem)
            return
        if index == _JSON:
            self._open_json()
        self._table.setVisible(index == _FORM)
        self._json_holder.setVisible(index == _JSON)
        self._on_document_changed()

    def _on_row_undo_requested(self, name: str) -> None:
        asked = self._model.values.get(name, ABSENT)
        if asked is ABSENT:
            self._document.unset((name,))
        else:
            self._document.set((name,), asked)

    def _on_undo_button_clicked(self) -> None:
        self.mode_switch.setFocus(Qt.FocusReason.OtherFocusReason)
        self._document.replace(self._model.values)

    def _on_document_changed(self) -> None:
        self._objections = {}
        names = self._edited_names()
        if set(names) & set(self.folded):
            self.unfold()
        for row in self.rows:
            path = (row.row.name,)
            draft = self._document.draft(path)
            value = self._document.get(path) if draft is None else draft.text
            row.show_now(value, edited=row.row.name in names)
        self.show_objections({})
        in_json = self.mode_switch.index == _JSON
        for widget in (self._badge, self.undo_button):
            widget.setVisible(in_json and self.is_edited)
        self._place_corner()
        known = {row.row.name for row in self.rows}
        extra = [name for name in names if name not in known]
        self._extra.setText(tr("Also set, and shown as JSON: {extra}", extra=", ".join(extra)))
        self._extra.setVisible(bool(extra) and not in_json)
        self.changed.emit()


class _FoldLine(QWidget):
    """The line that stands for the arguments at their defaults, and unfolds them."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        line = hbox(self, margins=(MARGIN, 4, MARGIN, 4), spacing=8)
        self.link = LinkButton("", "", self)
        self._names = ElidedLabel("", "small", "text3")
        line.addWidget(self.link)
        line.addWidget(self._names, 1)
        line.addWidget(KeyCap("M", self))
        self.hide()

    def show_rows(self, rows: Sequence[ArgumentRow], total: int) -> None:
        count = len(rows)
        names = ", ".join(row.name for row in rows)
        if count == total:
            words = tr("All {count} at their defaults", count=count)
            spoken = tr("Show all {count} at their defaults: {names}", count=count, names=names)
        else:
            words = tr("{count} more at their defaults", count=count)
            spoken = tr("Show {count} more at their defaults: {names}", count=count, names=names)
        self.link.show_text(words, spoken)
        self.link.setToolTip("\n".join(f"{row.name}: {_default_words(row)}" for row in rows))
        self._names.set_text(names)
        self.setVisible(bool(rows))


def _default_words(row: ArgumentRow) -> str:
    return tr("left out") if row.value is ABSENT else written(row.value)


def _no_arguments() -> QWidget:
    label = TextLabel(tr("No arguments"), "small", "text3")
    label.setContentsMargins(MARGIN, 8, MARGIN, 8)
    return label
