"""The form of a schema: a field for each argument, over one document."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from pathlib import Path as FilePath
from typing import Any, Final

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QFontMetrics, QKeyEvent
from PySide6.QtWidgets import QLayout, QSizePolicy, QVBoxLayout, QWidget

from console.schema_form.document import Document, Validity
from console.schema_form.editor import FieldEditor
from console.schema_form.fields import Field, FieldKind, fields_of
from console.schema_form.layouts import ColumnsLayout
from console.schema_form.object_editor import ObjectEditor
from console.schema_form.paths import Path
from console.schema_form.resolving import Schema
from console.schema_form.rows import LABEL_WIDTH, FieldMessage, FieldRow, RowMaker
from console.schema_form.validation import FieldError
from console.theme import theme_of
from console.widgets import TextLabel

__all__ = ["SchemaForm"]

_WIDEST_LABEL: Final = 176
_MOST_FIELDS: Final = 250
_ROWS_AT_FIRST: Final = 16
_ROWS_AT_ONCE: Final = 6
_RETURN_KEYS: Final = {Qt.Key.Key_Return, Qt.Key.Key_Enter}


class SchemaForm(QWidget):
    """A field for each argument of a schema, in two columns, or one where there is less than 700 px.

    Its height depends on its width: put it into a scroll area, or use `ArgumentsEditor`, which has one.

    Args:
        document: What is edited; None for one of its own.
        base: The folder that relative paths start from; None for the home folder.
        parent: Its owner.

    Signals:
        changed: The document changed, from here or from elsewhere.
        validity_changed(bool, int, int): Whether all is well, how many arguments are, and how many there are.
        submit_requested: Ctrl+Enter was pressed in a field and nothing else took it.
    """

    changed = Signal()
    validity_changed = Signal(bool, int, int)
    submit_requested = Signal()

    def __init__(
        self, document: Document | None = None, *, base: FilePath | None = None, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.document = Document() if document is None else document
        self._base = base
        self._rows: list[FieldRow] = []
        self._due: deque[Field] = deque()
        self._examples: Sequence[Mapping[str, Any]] = ()
        self._making = QTimer(self)
        self._making.timeout.connect(self._on_making_timeout)
        self._validity: Validity | None = None
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.setSizeConstraint(QLayout.SizeConstraint.SetNoConstraint)
        self._note = TextLabel("", "body", "text3", wrap=True, parent=self)
        self._fields = QWidget(self)
        self._columns = ColumnsLayout(self._fields)
        self._rest = FieldMessage(self)
        column.addWidget(self._note)
        column.addWidget(self._fields)
        column.addWidget(self._rest)
        self._unsubscribe = self.document.subscribe(self._on_document_changed)
        self.destroyed.connect(self._unsubscribe)
        self._build(())

    def set_base(self, base: FilePath) -> None:
        """Say from which folder relative paths start; it holds for the next `set_schema`."""
        self._base = base

    def set_schema(
        self,
        schema: Schema,
        *,
        value: Mapping[str, Any] | None = None,
        examples: Sequence[Mapping[str, Any]] = (),
        is_checked: bool = False,
    ) -> None:
        """Show the fields of another schema.

        Args:
            schema: JSON Schema of an object.
            value: The arguments at first; None takes the schema's defaults.
            examples: Whole sets of arguments; the first one's values show in empty fields.
            is_checked: Whether the schema is known to be one, as that of a declared tool is; looking takes long.
        """
        self._clear()
        self.document.reset(schema, value, is_checked=is_checked)
        self._build(examples)
        self._validity = None
        self._on_document_changed()

    def set_value(self, value: Mapping[str, Any]) -> None:
        """Show other arguments; undo brings the old ones back."""
        self.document.replace(value)

    def value(self) -> dict[str, Any]:
        """Return the arguments as they stand; a copy."""
        return self.document.value()

    def errors(self) -> list[FieldError]:
        """Name all that is wrong."""
        return list(self.document.errors())

    def validity(self) -> Validity:
        """Count the arguments that are in order."""
        return self.document.validity()

    def fields(self) -> tuple[Field, ...]:
        """Return the fields that are shown, without those inside others."""
        self._make_rows()
        return tuple(row.field for row in self._rows)

    def reveal_missing(self) -> None:
        """Say below each field what is missing; before that, untouched fields are left in peace."""
        self._make_rows()
        for row in self._rows:
            row.reveal_missing()

    def editor(self, path: Path) -> FieldEditor | None:
        """Return the editor of an argument, or of the nearest one around it; None when there is none."""
        self._make_rows()
        rows: list[Any] = list(self._rows)
        found: FieldEditor | None = None
        for depth in range(1, len(path) + 1):
            # A part in the line of its object is its own row.
            editors = [getattr(row, "editor", row) for row in rows]
            match = next((editor for editor in editors if editor.field.path == path[:depth]), None)
            if match is None:
                break
            found = match
            rows = list(match.rows) if isinstance(match, ObjectEditor) else []
        return found

    def focus_field(self, path: Path) -> bool:
        """Put the focus into the field of an argument, or of the nearest one around it; tell whether there is one."""
        editor = self.editor(path)
        if editor is None:
            return False
        editor.target.setFocus(Qt.FocusReason.OtherFocusReason)
        return True

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Ask to run with Ctrl+Enter."""
        if event.key() in _RETURN_KEYS and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.submit_requested.emit()
            return
        super().keyPressEvent(event)

    def _clear(self) -> None:
        for row in self._rows:
            row.detach()
            self._columns.removeWidget(row)
            row.hide()
            row.deleteLater()
        self._rows.clear()
        self._due.clear()
        self._making.stop()

    def _build(self, examples: Sequence[Mapping[str, Any]]) -> None:
        every = fields_of(self.document.schema)
        fields = every[:_MOST_FIELDS]
        self._examples = examples
        self._maker = RowMaker(self._base, label_width=self._label_width(fields))
        self._due.extend(fields)
        # Rows that appear one by one would be laid out anew each time.
        self._fields.hide()
        self._make_rows(_ROWS_AT_FIRST)
        self._fields.setVisible(bool(fields))
        if self._due:
            self._making.start()
        self._note.setText(self._note_for(len(every)))
        self._note.setVisible(bool(self._note.text()))

    def _make_rows(self, count: int = _MOST_FIELDS) -> None:
        """Make the next rows of those that are due."""
        for _ in range(min(count, len(self._due))):
            row = self._maker.row(self._prepared(self._due.popleft(), self._examples), self.document, self._fields)
            self._rows.append(row)
            self._columns.addWidget(row)
        if not self._due:
            self._making.stop()

    def _on_making_timeout(self) -> None:
        first = len(self._rows)
        # Laid out once for all of them, not whenever one is shown.
        self._columns.setEnabled(False)
        self._make_rows(_ROWS_AT_ONCE)
        for row in self._rows[first:]:
            row.show()
        self._columns.setEnabled(True)
        self._columns.invalidate()

    def _note_for(self, count: int) -> str:
        """Say what the form cannot show; "" when it shows everything."""
        if count > _MOST_FIELDS:
            return f"{count - _MOST_FIELDS:,} more arguments have no field here: edit them as JSON"
        if count:
            return ""
        is_closed = self.document.schema.get("additionalProperties") is False or not self.document.schema
        return "No arguments" if is_closed else "The names of these arguments are free: edit them as JSON"

    def _prepared(self, field: Field, examples: Sequence[Mapping[str, Any]]) -> Field:
        """Give a field its example, and many lines if that is what it holds."""
        given = next((example[field.name] for example in examples if field.name in example), None)
        if given is not None and "examples" not in field.schema:
            field = field._replace(schema={**field.schema, "examples": [given]})
        held = self.document.get(field.path)
        if field.kind is FieldKind.TEXT and isinstance(held, str) and "\n" in held:
            return field._replace(kind=FieldKind.LINES)
        return field

    def _label_width(self, fields: Sequence[Field]) -> int:
        metrics = QFontMetrics(theme_of(self).font("code"))
        shown = [field for field in fields if field.kind is not FieldKind.OBJECT]
        widths = (metrics.horizontalAdvance(field.name) + (14 if field.required else 1) for field in shown)
        widest = max(widths, default=0)
        return max(LABEL_WIDTH, min(_WIDEST_LABEL, widest))

    def _on_document_changed(self) -> None:
        self._grow_rows()
        self._show_rest()
        validity = self.document.validity()
        self.changed.emit()
        if validity != self._validity:
            self._validity = validity
            self.validity_changed.emit(*validity)

    def _grow_rows(self) -> None:
        """Give a field of one line more lines as soon as its text has some."""
        for index, row in enumerate(self._rows):
            held = self.document.get(row.field.path) if row.field.kind is FieldKind.TEXT else None
            if not isinstance(held, str) or "\n" not in held:
                continue
            had_focus = row.editor.target.hasFocus()
            taller = self._maker.row(row.field._replace(kind=FieldKind.LINES), self.document, self._fields)
            self._rows[index] = taller
            self._columns.put_widget(index, taller)
            QWidget.setTabOrder(row.editor.target, taller.editor.target)
            taller.show()
            if had_focus:
                taller.editor.target.setFocus(Qt.FocusReason.OtherFocusReason)
                taller.editor.move_to_end()
            row.detach()
            row.hide()
            row.deleteLater()

    def _show_rest(self) -> None:
        """Say what is wrong with arguments that have no field here."""
        names = {row.field.name for row in self._rows} | {field.name for field in self._due}
        rest = [error.message for error in self.document.errors() if not error.path or error.path[0] not in names]
        more = f", and {len(rest) - 1} more" if len(rest) > 1 else ""
        self._rest.show_text(f"{rest[0]}{more}" if rest else "")
