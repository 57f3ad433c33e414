"""The arguments of the call, as a table of fields or as JSON, to be read and edited before they are allowed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from PySide6.QtCore import QRect, Qt, Signal
from PySide6.QtGui import QPainter, QPainterPath, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from console.approval.model import ApprovalModel, ArgumentRow, changed_names
from console.approval.parts_view import grow_with_width, small_heading
from console.approval.row_view import MARGIN, NAME_WIDTH, ArgumentRowView
from console.approval.spans_view import FullText, LinkButton
from console.comparison.lines import written
from console.schema_form import ABSENT, Document, FieldMessage, JsonEditor, write_json
from console.theme import theme_of
from console.widgets import (
    Badge,
    ElidedLabel,
    IconButton,
    KeyCap,
    SegmentedControl,
    TextLabel,
    format_size,
    paint_box,
    paint_text,
)

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
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(1, 26, 1, 1)
        self.column.setSpacing(0)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = theme_of(self)
        painter = QPainter(self)
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
        paint_text(painter, QRect(1 + MARGIN, 1, NAME_WIDTH, 24), "Name", font, theme.color.text3)
        paint_text(painter, QRect(1 + MARGIN + NAME_WIDTH, 1, 200, 24), "Value", font, theme.color.text3)


class ArgumentsView(QWidget):
    """Show what the call is given, and take edits.

    Args:
        model: The question.
        base: The folder that relative paths start from; None for the home folder.
        in_page: Whether it stands in a page, where room is scarce and the switch stands in the table's head.
        parent: Its owner.

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
        self.mode_switch = SegmentedControl(("Form", "JSON"), "Show arguments as", height=_SWITCH)
        self._hint = TextLabel("Edit a value before you allow the call", "small", "text3", parent=self)
        self._badge = Badge("Edited", icon="pencil", tone="warn")
        self.undo_button = IconButton("undo-2", "Undo all edits", size=24)
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
        """The arguments at their defaults that are folded away."""
        return tuple(row.row.name for row in self._folded)

    def unfold(self) -> None:
        """Show the arguments at their defaults as well."""
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
        """Keep what stands in the corner there."""
        super().resizeEvent(event)
        self._place_corner()

    def _place_corner(self) -> None:
        if self._in_page:
            self._corner.adjustSize()
            self._corner.move(self.width() - self._corner.width() - 1, 1)
            self._corner.raise_()

    def _lay_out(self) -> None:
        grow_with_width(self)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        corner = QHBoxLayout(self._corner)
        corner.setContentsMargins(0, 0, 0, 0)
        corner.setSpacing(8)
        for widget in (self._badge, self.undo_button, self.mode_switch):
            corner.addWidget(widget)
        if self._in_page:
            self._json_holder.setContentsMargins(0, _SWITCH + 4, 0, 0)
        else:
            head = QHBoxLayout()
            head.setSpacing(8)
            head.addWidget(small_heading("Arguments"))
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
        column = QVBoxLayout(self._json_holder)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        text = write_json(self._document.value())
        if len(text) > _MOST_JSON:
            full = FullText("Arguments as JSON")
            full.show_text(text)
            column.addWidget(full)
            QWidget.setTabOrder(self.undo_button, full)
            column.addWidget(TextLabel(f"{format_size(len(text))}: too long to edit here", "small", "text3"))
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
        self._extra.setText(f"Also set, and shown as JSON: {', '.join(extra)}")
        self._extra.setVisible(bool(extra) and not in_json)
        self.changed.emit()


class _FoldLine(QWidget):
    """The line that stands for the arguments at their defaults, and unfolds them."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        line = QHBoxLayout(self)
        line.setContentsMargins(MARGIN, 4, MARGIN, 4)
        line.setSpacing(8)
        self.link = LinkButton("", "", self)
        self._names = ElidedLabel("", "small", "text3")
        line.addWidget(self.link)
        line.addWidget(self._names, 1)
        line.addWidget(KeyCap("M", self))
        self.hide()

    def show_rows(self, rows: Sequence[ArgumentRow], total: int) -> None:
        """Say how many arguments are folded, and which."""
        count = len(rows)
        words = f"All {count} at their defaults" if count == total else f"{count} more at their defaults"
        names = ", ".join(row.name for row in rows)
        self.link.show_text(words, f"Show {words[:1].lower()}{words[1:]}: {names}")
        self.link.setToolTip("\n".join(f"{row.name}: {_default_words(row)}" for row in rows))
        self._names.set_text(names)
        self.setVisible(bool(rows))


def _default_words(row: ArgumentRow) -> str:
    return "left out" if row.value is ABSENT else written(row.value)


def _no_arguments() -> QWidget:
    label = TextLabel("No arguments", "small", "text3")
    label.setContentsMargins(MARGIN, 8, MARGIN, 8)
    return label
