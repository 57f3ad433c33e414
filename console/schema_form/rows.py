"""The right editor for each field, alone or in its row."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path as FilePath
from typing import Final

from PySide6.QtWidgets import QWidget

from console.schema_form.choice_editors import BooleanEditor, BooleanWords, ChoiceEditor, selection_editor
from console.schema_form.document import Document
from console.schema_form.editor import FieldEditor
from console.schema_form.field_row import LABEL_WIDTH, STRUCTURES, FieldRow
from console.schema_form.field_rows import RowSlices
from console.schema_form.fields import Field, FieldKind
from console.schema_form.json_editor import JsonPartEditor
from console.schema_form.list_editor import ListEditor
from console.schema_form.map_editor import MapEditor
from console.schema_form.number_editor import NumberEditor
from console.schema_form.path_editors import FileEditor, PathEditor
from console.schema_form.rows_editor import RowsEditor, TupleEditor
from console.schema_form.structure_editor import ObjectEditor, StructureEditor
from console.schema_form.table_editor import TableEditor
from console.schema_form.text_editors import DateEditor, DurationEditor, LinesEditor, SecretEditor, TextEditor
from console.schema_form.variant_editor import VariantEditor

MakeEditor = Callable[[Field, Document, QWidget | None], FieldEditor]

_SIMPLE: Final[Mapping[FieldKind, MakeEditor]] = {
    FieldKind.TEXT: TextEditor,
    FieldKind.LINES: LinesEditor,
    FieldKind.SECRET: SecretEditor,
    FieldKind.DURATION: DurationEditor,
    FieldKind.CHOICE: ChoiceEditor,
    FieldKind.SELECTION: selection_editor,
    FieldKind.LIST: ListEditor,
    FieldKind.DATE: DateEditor,
    FieldKind.TIME: DateEditor,
    FieldKind.DATE_TIME: DateEditor,
    FieldKind.JSON: JsonPartEditor,
}


_STRUCTURES: Final[Mapping[FieldKind, type[StructureEditor]]] = {
    FieldKind.OBJECT: ObjectEditor,
    FieldKind.MAP: MapEditor,
    FieldKind.TABLE: TableEditor,
    FieldKind.ROWS: RowsEditor,
    FieldKind.TUPLE: TupleEditor,
    FieldKind.VARIANT: VariantEditor,
}


class RowMaker:
    """Make the editors and rows of one form.

    Args:
        base: The folder that relative paths start from; None for the home folder.
        words: What stands beside check boxes.
        slices: The form's time for making rows.

    Attributes:
        base: The folder for the next fields.
        label_width: Of the next rows, in logical pixels.
    """

    def __init__(
        self,
        base: FilePath | None = None,
        words: BooleanWords = "description",
        slices: RowSlices | None = None,
    ) -> None:
        self.base = base
        self.slices = RowSlices() if slices is None else slices
        self._words: BooleanWords = words
        self.label_width = LABEL_WIDTH

    def editor(self, field: Field, document: Document, parent: QWidget | None = None) -> FieldEditor:
        match field.kind:
            case FieldKind.INTEGER | FieldKind.NUMBER:
                return NumberEditor(field, document, parent=parent)
            case FieldKind.BOOLEAN:
                return BooleanEditor(field, document, words=self._words, parent=parent)
            case FieldKind.PATH:
                return PathEditor(field, document, base=self.base, parent=parent)
            case FieldKind.FILE:
                return FileEditor(field, document, base=self.base, parent=parent)
            case kind if kind in _STRUCTURES:
                return _STRUCTURES[kind](field, document, self, parent)
            case _:
                return _SIMPLE[field.kind](field, document, parent)

    def row(self, field: Field, document: Document, parent: QWidget | None = None) -> FieldRow:
        width = 0 if field.kind in STRUCTURES else self.label_width
        return FieldRow(field, partial(self.editor, field, document), width, parent)
