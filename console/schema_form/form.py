"""The form of a schema: a field for each argument, over one document."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path as FilePath
from typing import Any, Final

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QKeyEvent
from PySide6.QtWidgets import QApplication, QHBoxLayout, QLayout, QVBoxLayout, QWidget

from console.language import tr
from console.schema_form.document import Document, FormValidity
from console.schema_form.editor import FieldEditor, is_run
from console.schema_form.field_row import LABEL_WIDTH, STRUCTURES, FieldMessage, FieldRow
from console.schema_form.field_rows import FieldRows, RowSlices
from console.schema_form.fields import Field, FieldKind
from console.schema_form.flat_schema import Schema
from console.schema_form.layouts import ROW_GAP
from console.schema_form.map_editor import FreeNames
from console.schema_form.messages import first_of
from console.schema_form.paths import Path
from console.schema_form.rows import RowMaker
from console.schema_form.structure_editor import StructureEditor
from console.schema_form.validation import FieldError
from console.schema_form.variant_editor import VariantBox
from console.theme import theme_of
from console.widgets import Anchor, TextLabel, grow_with_width, order_focus

_WIDEST_LABEL: Final = 176
_MEASURED_LABELS: Final = 250


class SchemaForm(QWidget):
    """A field for each argument of a schema, in two columns, or one where there is less than 700 px.

    Its height depends on its width: put it into a scroll area, or use `ArgumentsEditor`, which has one.

    Signals:
        changed: The document changed, from here or from elsewhere.
        validity_changed(bool, int, int): Whether all is well, how many arguments are, and how many there are.
        submit_requested: Ctrl+Enter was pressed in a field and nothing else took it.
    """

    changed = Signal()
    validity_changed = Signal(bool, int, int)
    submit_requested = Signal()

    def __init__(
        self,
        document: Document | None = None,
        *,
        base: FilePath | None = None,
        in_slices: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.document = Document() if document is None else document
        self._maker = RowMaker(base, slices=RowSlices(from_start=in_slices))
        self._examples: Sequence[Mapping[str, Any]] = ()
        self._found: Sequence[Field] = ()
        self._prepared: Sequence[Field] = ()
        self._names: frozenset[str] = frozenset()
        self._validity: FormValidity | None = None
        grow_with_width(self)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.setSizeConstraint(QLayout.SizeConstraint.SetNoConstraint)
        self._note = TextLabel("", "body", "text3", wrap=True, parent=self)
        self._kind: VariantBox | None = None
        self._free: FreeNames | None = None
        self._above = Anchor(self)
        self._rows = FieldRows(self.document, self._wanted, self._make_row, self._maker.slices, parent=self)
        self._below = Anchor(self)
        self._rest = FieldMessage(self)
        self._above_line, self._below_line = QHBoxLayout(self._above), QHBoxLayout(self._below)
        self._above_line.setContentsMargins(0, 0, 0, ROW_GAP)
        self._below_line.setContentsMargins(0, 0, 0, 0)
        for part in (self._note, self._above, self._rows, self._below, self._rest):
            column.addWidget(part)
        self._unsubscribe = self.document.subscribe(self._on_document_changed)
        self.destroyed.connect(self._unsubscribe)
        self._follow_root()

    def set_base(self, base: FilePath) -> None:
        """Say from which folder relative paths start; it holds for the next `set_schema`."""
        self._maker.base = base

    def set_schema(
        self,
        schema: Schema,
        *,
        value: Mapping[str, Any] | None = None,
        examples: Sequence[Mapping[str, Any]] = (),
    ) -> None:
        """Show the fields of another schema.

        Args:
            schema: JSON Schema of an object.
            value: The arguments at first; None takes the schema's defaults.
            examples: Whole sets of arguments; the first one's values show in empty fields.
        """
        self._rows.let_go()
        self._let_root_go()
        self._examples = examples
        self._found = ()
        self.document.reset(schema, value)
        self._validity = None
        self._on_document_changed()

    def change_schema(self, schema: Schema, examples: Sequence[Mapping[str, Any]] = ()) -> None:
        """Show the fields of another schema of the same arguments: what stands in them stays, and so does the focus."""
        self._let_root_go()
        self._examples = examples
        self._found = ()
        self.document.change_schema(schema)

    def set_value(self, value: Mapping[str, Any]) -> None:
        """Show other arguments; undo brings the old ones back."""
        self.document.replace(value)

    def value(self) -> dict[str, Any]:
        return self.document.value()

    def errors(self) -> list[FieldError]:
        return list(self.document.errors())

    def fields(self) -> tuple[Field, ...]:
        """Return the fields of the form, without those inside others, whether they were in view already or not."""
        return self._rows.fields

    def reveal_missing(self) -> None:
        """Say below each field what is missing; before that, untouched fields are left in peace."""
        for rows in self._all_rows():
            rows.reveal_missing()

    def editor(self, path: Path) -> FieldEditor | None:
        """Return the editor of an argument, or of the nearest one around it; None when there is none.

        What was not made yet is made, and what is closed is opened.
        """
        row = next((row for rows in self._all_rows() if (row := rows.row(path[:1])) is not None), None)
        if row is None:
            return None
        editor = row.editor.part(path) if isinstance(row.editor, StructureEditor) else row.editor
        # What was made just now has no place yet that one could scroll to.
        for _ in path:
            QApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest.value)
        return editor

    def focus_field(self, path: Path) -> bool:
        """Put the focus into the field of an argument, or of the nearest one around it; tell whether there is one."""
        editor = self.editor(path)
        if editor is None:
            return False
        editor.target.setFocus(Qt.FocusReason.OtherFocusReason)
        return True

    def minimumSizeHint(self) -> QSize:
        return QSize(super().minimumSizeHint().width(), 0)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if is_run(event):
            self.submit_requested.emit()
            return
        super().keyPressEvent(event)

    def _wanted(self) -> Sequence[Field]:
        """Return the fields with their examples, the same ones again as long as the document has the same fields."""
        found = self.document.fields(())
        if found is not self._found:
            self._found = found
            self._names = frozenset(field.name for field in found)
            self._prepared = tuple(map(self._with_example, found)) if self._examples else found
            self._maker.label_width = self._label_width(found)
        return self._prepared

    def _make_row(self, field: Field, parent: QWidget) -> FieldRow:
        return self._maker.row(field, self.document, parent)

    def _with_example(self, field: Field) -> Field:
        given = next((example[field.name] for example in self._examples if field.name in example), None)
        if given is None or "examples" in field.schema:
            return field
        return field._replace(schema={**field.schema, "examples": [given]})

    def _label_width(self, fields: Sequence[Field]) -> int:
        metrics = QFontMetrics(theme_of(self).font("code"))
        shown = [field for field in fields[:_MEASURED_LABELS] if field.kind not in STRUCTURES]
        widths = (metrics.horizontalAdvance(field.name) + (14 if field.required else 1) for field in shown)
        widest = max(widths, default=0)
        return max(LABEL_WIDTH, min(_WIDEST_LABEL, widest))

    def _all_rows(self) -> list[FieldRows]:
        return [self._rows] if self._free is None else [self._rows, self._free.rows]

    def _follow_root(self) -> None:
        """Offer to choose the kind of all arguments and to add names, where the schema does; say why nothing shows."""
        has_kinds = bool(self.document.field(()).variants)
        is_free = bool(self.document.schema) and self.document.branch(()).kind is FieldKind.MAP
        if has_kinds and self._kind is None:
            self._kind = VariantBox(self.document, (), self._above)
            self._above_line.addWidget(self._kind, 0, Qt.AlignmentFlag.AlignLeft)
            order_focus(self._above, self._above)
        if is_free and self._free is None:
            self._free = FreeNames((), self.document, self._maker, self._below)
            self._below_line.addWidget(self._free)
            order_focus(self._below, self._below)
        if self._kind is not None:
            self._kind.refresh()
        if self._free is not None:
            self._free.refresh()
        self._above.setVisible(has_kinds)
        self._below.setVisible(is_free)
        has_fields = bool(self._rows.fields)
        words = tr("The names of these arguments are free") if is_free else tr("No arguments")
        self._note.setText("" if has_fields else words)
        self._note.setVisible(not has_fields)
        self._rows.setVisible(has_fields)

    def _let_root_go(self) -> None:
        if self._free is not None:
            self._free.detach()
        for part in (self._kind, self._free):
            if part is not None:
                part.hide()
                part.deleteLater()
        self._kind = self._free = None

    def _on_document_changed(self) -> None:
        self._follow_root()
        self._show_rest()
        validity = self.document.validity()
        self.changed.emit()
        if validity != self._validity:
            self._validity = validity
            self.validity_changed.emit(*validity)

    def _show_rest(self) -> None:
        """Say what is wrong with arguments that have no field here."""
        self._wanted()
        names = self._names | frozenset(() if self._free is None else (field.name for field in self._free.rows.fields))
        rest = [error.message for error in self.document.errors() if not error.path or error.path[0] not in names]
        self._rest.show_text(first_of(rest))
