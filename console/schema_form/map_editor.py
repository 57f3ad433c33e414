"""The field of an object whose names people choose: known parts first, then a row for each name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QVBoxLayout, QWidget

from console.schema_form.document import Document
from console.schema_form.fields import Field
from console.schema_form.free_names import FreeNames
from console.schema_form.item_keys import ItemKey, bounds_rule, item_key, items_count
from console.schema_form.structure_editor import BODY_MARGINS, EditorMaker, StructureEditor
from console.widgets import Button, IconButton


class MapEditor(StructureEditor):
    """An object with free names, with the keys of `FreeNames`."""

    def __init__(self, field: Field, document: Document, maker: EditorMaker, parent: QWidget | None = None) -> None:
        self._free: FreeNames | None = None
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
        return isinstance(value, Mapping)

    def first_value(self) -> Any:
        return self.document.initial_value(self.field.path)

    def words_for(self, value: Any) -> str:
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
        body = QWidget(self.frame)
        column = QVBoxLayout(body)
        column.setContentsMargins(BODY_MARGINS)
        column.setSpacing(8)
        if self.document.fields(self.field.path):
            column.addWidget(self.make_rows(self._known_fields, body))
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

    def _known_fields(self) -> Sequence[Field]:
        return self.document.fields(self.field.path)

    def _on_add_button_clicked(self) -> None:
        if not self.fits(self.document.get(self.field.path)):
            self.write(self.first_value())
        self.open()
        if self._free is not None:
            self._free.ask_for_name()

    def _on_paste_button_clicked(self) -> None:
        self.open()
        if self._free is not None and not self._free.paste():
            self.words.setText("nothing to paste: expected JSON, or lines such as name: value")
