"""Objects whose names people choose: known parts first, then a row for each name."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QLineEdit, QWidget

from console.language import tr, tr_count
from console.schema_form.document import Document
from console.schema_form.editor import (
    RETURN_KEYS,
    FieldEditor,
    ItemKey,
    first_value,
    is_run,
    is_undo_or_redo,
    item_key,
    mark,
)
from console.schema_form.field_row import FieldMessage, FieldRow
from console.schema_form.field_rows import FieldRows, PartFields
from console.schema_form.fields import Field
from console.schema_form.layouts import bring_into_view
from console.schema_form.messages import bounds_rule, given
from console.schema_form.pasting import pasted_entries
from console.schema_form.paths import NAME, Path, label
from console.schema_form.structure_editor import BODY_MARGINS, StructureEditor
from console.theme import theme_of
from console.widgets import IconButton, vbox

if TYPE_CHECKING:
    from console.schema_form.rows import RowMaker

NAME_WIDTH: Final = 168


class MapRow(FieldRow):
    """One value of an object with free names.

    Signals:
        renamed(MapRow, str): A person typed another name.
        remove_requested(MapRow): The value is to be taken away.
    """

    renamed = Signal(object, str)
    remove_requested = Signal(object)

    def __init__(
        self, field: Field, make_editor: Callable[[QWidget], FieldEditor], parent: QWidget | None = None
    ) -> None:
        def make_both(owner: QWidget) -> FieldEditor:
            # Tab comes to the name first.
            self.name_line = QLineEdit(field.name, owner)
            return make_editor(owner)

        super().__init__(field, make_both, 0, parent)
        self.editor.stays = True
        self._name_problem = ""
        self.line.setSpacing(4)
        self.name_line.setFont(theme_of(self).font("code"))
        self.name_line.setFixedWidth(NAME_WIDTH)
        self.name_line.textEdited.connect(self._on_name_line_text_edited)
        self.name_line.installEventFilter(self)
        self.line.insertWidget(0, self.name_line, 0, Qt.AlignmentFlag.AlignTop)
        self.remove_button = IconButton("x", "", parent=self)
        self.remove_button.clicked.connect(self._on_remove_button_clicked)
        self.line.addWidget(self.remove_button, 0, Qt.AlignmentFlag.AlignTop)
        self._describe()

    def take_field(self, field: Field) -> None:
        super().take_field(field)
        self._describe()

    def show_name(self, text: str, problem: str) -> None:
        """Show the name, or what was typed although it cannot be one."""
        if self.name_line.text() != text:
            self.name_line.setText(text)
        if problem == self._name_problem:
            return
        self._name_problem = problem
        mark(self.name_line, "error", "true" if problem else "false")
        self.show_message(problem or self.editor.problem)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Leave undo and the keys of items to what is around the name."""
        if watched is self.name_line and (is_undo_or_redo(event) or item_key(event) is not None):
            event.ignore()
            return True
        return super().eventFilter(watched, event)

    def _describe(self) -> None:
        name = label(self.field.path)
        self.name_line.setAccessibleName(tr("name of {name}", name=name))
        self.remove_button.set_name(tr("Remove {name}", name=name), ItemKey.REMOVE)

    def _on_name_line_text_edited(self, text: str) -> None:
        self.renamed.emit(self, text)

    def _on_remove_button_clicked(self) -> None:
        self.remove_requested.emit(self)


class FreeNames(QWidget):
    """Rows for the names that the schema of an object does not list.

    Alt+Insert adds a name, Alt+Delete takes away the one that has the focus, Ctrl+V pastes names with their values
    wherever no field takes the text.

    Signals:
        rows_changed: Rows were made or let go.
    """

    rows_changed = Signal()

    def __init__(self, path: Path, document: Document, maker: RowMaker, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._path = path
        self._document = document
        self._maker = maker
        self._parts = PartFields(document, path)
        column = vbox(self, spacing=8)
        self.rows = FieldRows(document, self._wanted, self._make_row, maker.slices, single=True, parent=self)
        self.rows.rows_changed.connect(self.rows_changed)
        self.new_name = QLineEdit(self)
        self.new_name.setFont(theme_of(self).font("code"))
        self.new_name.setFixedWidth(NAME_WIDTH)
        self.new_name.setPlaceholderText(tr("Add a name"))
        self.new_name.setAccessibleName(tr("new name in {path}", path=label(path)))
        self.new_name.setToolTip(tr("Enter adds it. {key} comes here from the other names", key=ItemKey.ADD))
        self.new_name.installEventFilter(self)
        self.new_name.editingFinished.connect(self._on_new_name_editing_finished)
        self.new_name.textEdited.connect(self._on_new_name_text_edited)
        self._problem = FieldMessage(self)
        column.addWidget(self.rows)
        column.addWidget(self.new_name)
        column.addWidget(self._problem)

    def refresh(self) -> None:
        for row in self._map_rows():
            draft = self._document.draft((*row.field.path, NAME))
            row.show_name(row.field.name if draft is None else draft.text, "" if draft is None else draft.message)

    def ask_for_name(self) -> None:
        """Put the focus where a new name is typed."""
        bring_into_view(self.new_name)
        self.new_name.setFocus(Qt.FocusReason.OtherFocusReason)

    def paste(self) -> bool:
        """Add the names on the clipboard, over those that are there; tell whether there was one."""
        text = QGuiApplication.clipboard().text()
        new = pasted_entries(text, self._document.branch((*self._path, "")).kind)
        if new:
            self._document.set(self._path, {**self._held(), **new})
        return bool(new)

    def detach(self) -> None:
        self.rows.detach()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Add or take away a name; paste."""
        current = next((row for row in self._map_rows() if row.holds_focus()), None)
        key = item_key(event)
        if event.matches(QKeySequence.StandardKey.Paste):
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
            if event.key() in RETURN_KEYS:
                self._take_new_name(goes_there=not is_run(event))
                event.setAccepted(not is_run(event))
                return True
            if is_undo_or_redo(event) or item_key(event) is not None:
                event.ignore()
                return True
        return super().eventFilter(watched, event)

    def _held(self) -> Mapping[str, Any]:
        held = self._document.get(self._path)
        return held if isinstance(held, Mapping) else {}

    def _wanted(self) -> Sequence[Field]:
        """Return the fields of the names that the schema does not list."""
        return self._parts.of(self._names)

    def _names(self) -> list[str]:
        known = {field.name for field in self._document.fields(self._path)}
        return [name for name in self._held() if name not in known]

    def _map_rows(self) -> list[MapRow]:
        return [row for row in self.rows.rows() if isinstance(row, MapRow)]

    def _make_row(self, field: Field, parent: QWidget) -> FieldRow:
        row = MapRow(field, partial(self._maker.editor, field, self._document), parent)
        row.renamed.connect(self._on_row_renamed)
        row.remove_requested.connect(self._on_row_remove_requested)
        return row

    def _problem_of_name(self, name: str) -> str:
        is_taken = name in self._held()
        return (
            tr("{path} must have each name once; it has {name} already", path=label(self._path), name=given(name))
            if is_taken
            else ""
        )

    def _take_new_name(self, *, goes_there: bool) -> None:
        name = self.new_name.text().strip()
        if not name or self._problem_of_name(name):
            return
        self.new_name.clear()
        path = (*self._path, name)
        self._document.set(path, first_value(self._document, path))
        row = self.rows.row(path)
        if goes_there and row is not None:
            bring_into_view(row)
            row.editor.target.setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_row_renamed(self, row: MapRow, text: str) -> None:
        old = row.field.path
        if text == row.field.name:
            self._document.unset((*old, NAME))
            return
        problem = self._problem_of_name(text)
        if problem:
            self._document.reject((*old, NAME), text, problem)
            return
        self.rows.rename(row, row.field._replace(path=(*self._path, text)))
        self._document.rename(self._path, str(old[-1]), text)

    def _on_row_remove_requested(self, row: MapRow) -> None:
        self._document.unset(row.field.path)
        self.new_name.setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_new_name_editing_finished(self) -> None:
        self._take_new_name(goes_there=False)

    def _on_new_name_text_edited(self, text: str) -> None:
        self._problem.show_text(self._problem_of_name(text.strip()))


class MapEditor(StructureEditor):
    """An object with free names, with the keys of `FreeNames`."""

    def __init__(self, field: Field, document: Document, maker: RowMaker, parent: QWidget | None = None) -> None:
        self._free: FreeNames | None = None
        super().__init__(field, document, maker, parent)
        paste_words = tr("Paste names with their values: JSON, or lines such as name: value")
        self.make_add_buttons(tr("Add a name ({key})", key=ItemKey.ADD), paste_words)
        self.paste_button.clicked.connect(self._on_paste_button_clicked)
        self.add_button.clicked.connect(self._on_add_button_clicked)
        self.line.addStretch(1)
        self.line.addWidget(self.paste_button)
        self.line.addWidget(self.add_button)
        self.begin()

    def words_for(self, value: Any) -> str:
        if value is None:
            return "null"
        rule = self.rule()
        if not self.fits(value):
            return rule or (tr("object") if self.field.required else tr("optional object"))
        count = tr_count(len(value), "1 name", "{count:,} names")
        return f"{count}, {rule}" if rule else count

    def rule(self) -> str:
        """Say how many names there may be, and of what form they are; "" for no such rule."""
        schema = self.field.schema
        names = schema.get("propertyNames")
        pattern = names.get("pattern") if isinstance(names, Mapping) else None
        if pattern is None and schema.get("additionalProperties") is False:
            pattern = tr(" or ").join(schema.get("patternProperties", ()))
        bounds = bounds_rule(schema.get("minProperties"), schema.get("maxProperties"))
        return ", ".join(
            part for part in (bounds, tr("names match {pattern}", pattern=pattern) if pattern else "") if part
        )

    def make_body(self) -> QWidget:
        body = QWidget(self.frame)
        column = vbox(body, margins=BODY_MARGINS, spacing=8)
        if self.document.fields(self.field.path):
            column.addWidget(self.make_rows(self.inner_fields, body))
        self._free = FreeNames(self.field.path, self.document, self.maker, body)
        self._free.rows_changed.connect(self.refresh)
        self.inner.append(self._free.rows)
        column.addWidget(self._free)
        return body

    def show_value(self, value: Any) -> None:
        super().show_value(value)
        if self._free is not None:
            self._free.refresh()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Add a name, or paste, from the head as from the names."""
        if self.field.read_only:
            super().keyPressEvent(event)
        elif event.matches(QKeySequence.StandardKey.Paste):
            self._on_paste_button_clicked()
        elif item_key(event) is ItemKey.ADD:
            self._on_add_button_clicked()
        else:
            super().keyPressEvent(event)

    def _on_add_button_clicked(self) -> None:
        if not self.fits(self.document.get(self.field.path)):
            self.write(self.first_value())
        self.open()
        if self._free is not None:
            self._free.ask_for_name()

    def _on_paste_button_clicked(self) -> None:
        self.open()
        if self._free is not None and not self._free.paste():
            self.words.setText(tr("nothing to paste: expected JSON, or lines such as name: value"))
