"""The field of an object: its parts in a frame, with a switch when it may be left out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QWidget

from console.schema_form.document import Document
from console.schema_form.editor import FieldEditor
from console.schema_form.fields import Field
from console.schema_form.kinds import FieldKind
from console.schema_form.layouts import FlowLayout
from console.schema_form.structure_editor import BODY_MARGINS, PADDING, EditorMaker, StructureEditor
from console.widgets import TextLabel

_INLINE_KINDS: Final = frozenset({FieldKind.INTEGER, FieldKind.NUMBER, FieldKind.BOOLEAN})
_MOST_INLINE: Final = 4


class ObjectEditor(StructureEditor):
    """An object: few numbers and ticks stand in its line, other parts below it in the form's columns.

    Off means that the argument is left out; what was in it comes back when it is switched on again.
    """

    def __init__(self, field: Field, document: Document, maker: EditorMaker, parent: QWidget | None = None) -> None:
        self._inline_fields = _inline(document.fields(field.path))
        super().__init__(field, document, maker, parent)
        if not self.is_inline:
            self.line.addStretch(1)
        self.begin()

    @property
    def is_inline(self) -> bool:
        return bool(self._inline_fields)

    def starts_open(self) -> bool:
        return self.is_inline or super().starts_open()

    def fits(self, value: Any) -> bool:
        return isinstance(value, Mapping)

    def first_value(self) -> Any:
        return self.document.initial_value(self.field.path)

    def words_for(self, value: Any) -> str:
        if value is None:
            return "null"
        return "object" if self.field.required else "optional object"

    def make_body(self) -> QWidget:
        if self.is_inline:
            return self._make_inline()
        return self.make_rows(self._fields, self.frame, margins=BODY_MARGINS)

    def place_body(self, body: QWidget) -> None:
        if self.is_inline:
            self.line.addSpacing(2 * PADDING)
            self.line.addWidget(body, 1)
        else:
            super().place_body(body)

    def refresh(self) -> None:
        fields = _inline(self.document.fields(self.field.path))
        if self.body is not None and self.is_inline and not _same_parts(fields, self._inline_fields):
            self._leave_line()
        super().refresh()

    def _fields(self) -> tuple[Field, ...]:
        return self.document.fields(self.field.path)

    def _make_inline(self) -> QWidget:
        body = QWidget(self.frame)
        flow = FlowLayout(20, 4, body)
        for field in self._inline_fields:
            if field.kind is FieldKind.BOOLEAN:
                editor = self.maker.inline_editor(field, self.document, body)
                flow.addWidget(editor)
            else:
                pair, editor = self._labelled(field, body)
                flow.addWidget(pair)
            self.alone.append(editor)
        return body

    def _labelled(self, field: Field, body: QWidget) -> tuple[QWidget, FieldEditor]:
        pair = QWidget(body)
        row = QHBoxLayout(pair)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(PADDING)
        name = TextLabel(field.name, "code", "text2", parent=pair)
        name.setToolTip(field.description)
        row.addWidget(name)
        if field.required:
            star = QLabel("*", pair)
            star.setProperty("tone", "error")
            row.addWidget(star)
        editor = self.maker.inline_editor(field, self.document, pair)
        row.addWidget(editor)
        pair.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        return pair, editor

    def _leave_line(self) -> None:
        """Put the parts below the head: others have joined them."""
        self._inline_fields = ()
        self.drop_body()
        self.line.addStretch(1)
        self._show_body()


def _inline(fields: tuple[Field, ...]) -> tuple[Field, ...]:
    """Return the fields if they stand in one line; none otherwise."""
    is_short = 0 < len(fields) <= _MOST_INLINE and all(field.kind in _INLINE_KINDS for field in fields)
    return fields if is_short else ()


def _same_parts(some: tuple[Field, ...], others: tuple[Field, ...]) -> bool:
    return [(field.path, field.kind) for field in some] == [(field.path, field.kind) for field in others]
