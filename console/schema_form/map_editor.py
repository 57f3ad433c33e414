"""The field of an object whose names people choose: known parts first, then a row for each name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QLineEdit, QVBoxLayout, QWidget

from console.schema_form.document import Document
from console.schema_form.editor import FieldEditor, is_undo_or_redo
from console.schema_form.field_row import FieldMessage, FieldRow
from console.schema_form.field_rows import FieldRows
from console.schema_form.fields import Field
from console.schema_form.first_values import first_value
from console.schema_form.focus_order import bring_into_view
from console.schema_form.item_keys import ItemKey, item_key
from console.schema_form.items_words import bounds_rule, items_count
from console.schema_form.map_row import NAME_WIDTH, MapRow
from console.schema_form.messages import given
from console.schema_form.pasted_entries import pasted_entries
from console.schema_form.paths import NAME, Path, label
from console.schema_form.structure_editor import INDENT, EditorMaker, StructureEditor
from console.theme import theme_of
from console.widgets import Button, IconButton

__all__ = ["MapEditor"]

_RETURN_KEYS: Final = {Qt.Key.Key_Return, Qt.Key.Key_Enter}


class MapEditor(StructureEditor):
    """An object with free names. Alt+Insert adds a name, Alt+Delete takes away the one that has the focus.

    Args:
        field: What is edited.
        document: Where it stands.
        maker: Makes the editors of the values.
        parent: Its owner.
    """

    def __init__(self, field: Field, document: Document, maker: EditorMaker, parent: QWidget | None = None) -> None:
        self._known: FieldRows | None = None
        self._entries: FieldRows | None = None
        self._free: tuple[Field, ...] = ()
        self.new_name: QLineEdit | None = None
        self._new_problem: FieldMessage | None = None
        super().__init__(field, document, maker, parent)
        self.paste_button = IconButton("file-input", f"Paste into {self.field.name}", parent=self.frame)
        self.paste_button.setToolTip("Paste names with their values: JSON, or lines such as name: value")
        self.paste_button.clicked.connect(self._on_paste_button_clicked)
        self.add_button = Button("Add", kind="ghost", icon="plus", parent=self.frame)
        self.add_button.setAccessibleName(f"Add to {self.field.name}")
        self.add_button.setToolTip(f"Add a name ({ItemKey.ADD})")
        self.add_button.clicked.connect(self._on_add_button_clicked)
        self.line.addStretch(1)
        self.line.addWidget(self.paste_button)
        self.line.addWidget(self.add_button)
        for button in (self.paste_button, self.add_button):
            button.setEnabled(not field.read_only)
        self.begin()

    def fits(self, value: Any) -> bool:
        """Tell whether a value is an object."""
        return isinstance(value, Mapping)

    def first_value(self) -> Any:
        """Return the defaults of its known parts."""
        return self.document.initial_value(self.field.path)

    def words_for(self, value: Any) -> str:
        """Say how many names there are, and how many there may be."""
        if value is None:
            return "null"
        rule = self.rule()
        if not self.fits(value):
            return rule or ("object" if self.field.required else "optional object")
        count = items_count(len(value), "name")
        return f"{count}, {rule}" if rule else count

    def rule(self) -> str:
        """Say how many names there may be, and of what form they are; "" for no such rule."""
        schema = self.field.schema
        names = schema.get("propertyNames")
        pattern = names.get("pattern") if isinstance(names, Mapping) else None
        if pattern is None and schema.get("additionalProperties") is False:
            pattern = " or ".join(schema.get("patternProperties", ()))
        bounds = bounds_rule(schema.get("minProperties"), schema.get("maxProperties"))
        return ", ".join(part for part in (bounds, f"names match {pattern}" if pattern else "") if part)

    def make_body(self) -> QWidget:
        """Make the known parts, the named values, and room for a new name."""
        body = QWidget(self.frame)
        column = QVBoxLayout(body)
        column.setContentsMargins(INDENT, 0, 0, 5)
        column.setSpacing(8)
        if self.document.fields(self.field.path):
            self._known = FieldRows(self.document, self._known_fields, self._make_known_row, parent=body)
            self._known.rows_changed.connect(self.refresh)
            column.addWidget(self._known)
        self._entries = FieldRows(self.document, self._free_fields, self._make_entry_row, single=True, parent=body)
        self._entries.rows_changed.connect(self.refresh)
        column.addWidget(self._entries)
        self._add_new_line(body, column)
        return body

    def show_value(self, value: Any) -> None:
        """Switch on or off as the document says, and say which names cannot be."""
        super().show_value(value)
        for row in self._entry_rows():
            draft = self.document.draft((*row.field.path, NAME))
            row.show_name(row.field.name if draft is None else draft.text, "" if draft is None else draft.message)

    def inner_rows(self) -> list[FieldRow]:
        """Return the rows that are made so far."""
        return [row for rows in (self._known, self._entries) if rows is not None for row in rows.rows()]

    def reach(self, path: Path) -> FieldRow | None:
        """Return the row of the value that a place is in."""
        own = path[: len(self.field.path) + 1]
        found = (rows.row(own) for rows in (self._known, self._entries) if rows is not None)
        return next((row for row in found if row is not None), None)

    def says_inside(self, path: Path) -> bool:
        """Tell whether the row of a value says an error."""
        depth = len(self.field.path) + 1
        return any(row.field.path == path[:depth] for row in self.inner_rows())

    def reveal_missing(self) -> None:
        """Show what is missing here and in the values."""
        for rows in (self._known, self._entries):
            if rows is not None:
                rows.reveal_missing()
        super().reveal_missing()

    def detach(self) -> None:
        """Follow the document no more, nor do the values."""
        for rows in (self._known, self._entries):
            if rows is not None:
                rows.detach()
        super().detach()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Add or take away a name; paste."""
        current = next((row for row in self._entry_rows() if row.holds_focus()), None)
        key = item_key(event)
        if self.field.read_only:
            super().keyPressEvent(event)
        elif event.matches(QKeySequence.StandardKey.Paste):
            self.paste()
        elif key is ItemKey.ADD:
            self.ask_for_name()
        elif key is ItemKey.REMOVE and current is not None:
            self._on_row_remove_requested(current)
        else:
            super().keyPressEvent(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Take a new name with Enter, and before the tool runs; leave undo to the whole document."""
        if watched is self.new_name and isinstance(event, QKeyEvent) and event.type() is QEvent.Type.KeyPress:
            if event.key() in _RETURN_KEYS:
                is_run = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
                self._take_new_name(goes_there=not is_run)
                event.setAccepted(not is_run)
                return True
            if is_undo_or_redo(event) or item_key(event) is not None:
                event.ignore()
                return True
        return super().eventFilter(watched, event)

    def ask_for_name(self) -> None:
        """Put the focus where a new name is typed."""
        if not self.fits(self.document.get(self.field.path)):
            self.write(self.first_value())
        self.open()
        if self.new_name is not None:
            bring_into_view(self.new_name)
            self.new_name.setFocus(Qt.FocusReason.OtherFocusReason)

    def add_name(self, name: str) -> None:
        """Add a value under a name that is not there yet."""
        path = (*self.field.path, name)
        self.document.set(path, first_value(self.document, path))

    def paste(self) -> bool:
        """Add the names on the clipboard, over those that are there; tell whether there was one."""
        text = QGuiApplication.clipboard().text()
        new = pasted_entries(text, self.document.branch((*self.field.path, "")).kind)
        if not new:
            self.words.setText("nothing to paste: expected JSON, or lines such as name: value")
            return False
        held = self.document.get(self.field.path)
        self.write({**(held if isinstance(held, Mapping) else {}), **new})
        self.open()
        return True

    def _known_fields(self) -> Sequence[Field]:
        return self.document.fields(self.field.path)

    def _free_fields(self) -> Sequence[Field]:
        """Return the fields of the names that the schema does not list, the same ones as long as nothing changed."""
        held, known = self.document.get(self.field.path), self.document.fields(self.field.path)
        names = {field.name for field in known}
        free = tuple(
            self.document.field((*self.field.path, name))
            for name in (held if isinstance(held, Mapping) else ())
            if name not in names
        )
        if free != self._free:
            self._free = free
        return self._free

    def _entry_rows(self) -> list[MapRow]:
        rows = () if self._entries is None else self._entries.rows()
        return [row for row in rows if isinstance(row, MapRow)]

    def _make_known_row(self, field: Field, parent: QWidget) -> FieldRow:
        return self.maker.row(field, self.document, parent)

    def _make_entry_row(self, field: Field, parent: QWidget) -> FieldRow:
        def make_editor(owner: QWidget) -> FieldEditor:
            return self.maker.editor(field, self.document, owner)

        row = MapRow(field, make_editor, parent)
        row.renamed.connect(self._on_row_renamed)
        row.remove_requested.connect(self._on_row_remove_requested)
        return row

    def _add_new_line(self, body: QWidget, column: QVBoxLayout) -> None:
        self.new_name = QLineEdit(body)
        self.new_name.setFont(theme_of(self).font("code"))
        self.new_name.setFixedWidth(NAME_WIDTH)
        self.new_name.setPlaceholderText("Add a name")
        self.new_name.setAccessibleName(f"new name in {label(self.field.path)}")
        self.new_name.installEventFilter(self)
        self.new_name.editingFinished.connect(self._on_new_name_editing_finished)
        self.new_name.textEdited.connect(self._on_new_name_text_edited)
        column.addWidget(self.new_name)
        self._new_problem = FieldMessage(body)
        column.addWidget(self._new_problem)

    def _problem_of_name(self, name: str) -> str:
        held = self.document.get(self.field.path)
        is_taken = isinstance(held, Mapping) and name in held
        return f"{label(self.field.path)} must have each name once; it has {given(name)} already" if is_taken else ""

    def _take_new_name(self, *, goes_there: bool) -> None:
        name = "" if self.new_name is None else self.new_name.text().strip()
        if self.new_name is None or not name or self._problem_of_name(name):
            return
        self.new_name.clear()
        self.add_name(name)
        row = self.reach((*self.field.path, name))
        if goes_there and row is not None:
            bring_into_view(row)
            row.editor.target.setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_row_renamed(self, row: MapRow, text: str) -> None:
        old = row.field.path
        problem = "" if text == row.field.name else self._problem_of_name(text)
        if problem:
            self.document.reject((*old, NAME), text, problem)
            return
        if text == row.field.name:
            self.document.unset((*old, NAME))
            return
        if self._entries is not None:
            self._entries.rename(row, row.field._replace(path=(*self.field.path, text)))
        self.document.rename(self.field.path, str(old[-1]), text)

    def _on_row_remove_requested(self, row: MapRow) -> None:
        self.document.unset(row.field.path)
        if self.new_name is not None:
            self.new_name.setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_new_name_editing_finished(self) -> None:
        self._take_new_name(goes_there=False)

    def _on_new_name_text_edited(self, text: str) -> None:
        if self._new_problem is not None:
            self._new_problem.show_text(self._problem_of_name(text.strip()))

    def _on_add_button_clicked(self) -> None:
        self.ask_for_name()

    def _on_paste_button_clicked(self) -> None:
        self.paste()
