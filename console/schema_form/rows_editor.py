"""The field of a list whose items stand in rows, each with an editor of its own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from PySide6.QtCore import QMargins, Qt
from PySide6.QtWidgets import QWidget

from console.schema_form.document import Document
from console.schema_form.editor import FieldEditor
from console.schema_form.field_row import FieldRow
from console.schema_form.field_rows import FieldRows
from console.schema_form.fields import Field
from console.schema_form.focus_order import bring_into_view
from console.schema_form.item_row import ItemRow
from console.schema_form.items_editor import ItemsEditor
from console.schema_form.kinds import FieldKind
from console.schema_form.part_fields import PartFields
from console.schema_form.pasted_items import pasted_values
from console.schema_form.paths import Path
from console.schema_form.structure_editor import INDENT, EditorMaker

_LABEL_WIDTH: Final = 40


class RowsEditor(ItemsEditor):
    """A list with a row for each item.

    Args:
        field: What is edited.
        document: Where it stands.
        maker: Makes the editors of the items.
        parent: Its owner.
    """

    def __init__(self, field: Field, document: Document, maker: EditorMaker, parent: QWidget | None = None) -> None:
        self._rows: FieldRows | None = None
        self._parts = PartFields(document, field.path)
        super().__init__(field, document, maker, parent)
        self.begin()

    def make_body(self) -> QWidget:
        self._rows = FieldRows(
            self.document,
            self.wanted,
            self.make_row,
            margins=QMargins(INDENT, 0, 0, 5),
            single=True,
            parent=self.frame,
        )
        self._rows.rows_changed.connect(self.refresh)
        return self._rows

    def wanted(self) -> Sequence[Field]:
        """Return the fields of the items, and of places that have schemas of their own."""
        return self._parts.of(self._places)

    def make_row(self, field: Field, parent: QWidget) -> FieldRow:
        """Make the row of an item."""

        def make_editor(owner: QWidget) -> FieldEditor:
            return self.maker.editor(field, self.document, owner)

        place = field.path[-1]
        is_fixed = isinstance(place, int) and place < self.fixed
        row = ItemRow(field, make_editor, self.label_width(), fixed=is_fixed, parent=parent)
        row.asked.connect(self.do)
        return row

    def label_width(self) -> int:
        """Return how wide the names of the items may be, in logical pixels."""
        return _LABEL_WIDTH

    def inner_rows(self) -> list[FieldRow]:
        """Return the rows that are made so far."""
        return [] if self._rows is None else list(self._rows.rows())

    def reach(self, path: Path) -> FieldRow | None:
        """Return the row of the item that a place is in."""
        return None if self._rows is None else self._rows.row(path[: len(self.field.path) + 1])

    def says_inside(self, path: Path) -> bool:
        """Tell whether the row of an item says an error."""
        depth = len(self.field.path) + 1
        return any(row.field.path == path[:depth] for row in self.inner_rows())

    def reveal_missing(self) -> None:
        """Show what is missing here and in the items."""
        if self._rows is not None:
            self._rows.reveal_missing()
        super().reveal_missing()

    def detach(self) -> None:
        """Follow the document no more, nor do the items."""
        if self._rows is not None:
            self._rows.detach()
        super().detach()

    def current(self) -> int | None:
        """Return the place of the item that has the focus."""
        row = next((row for row in self.inner_rows() if row.holds_focus()), None)
        place = None if row is None else row.field.path[-1]
        return place if isinstance(place, int) else None

    def go_to_item(self, place: int) -> None:
        """Put the focus into an item."""
        row = self.reach((*self.field.path, place))
        if row is not None:
            bring_into_view(row)
            row.editor.target.setFocus(Qt.FocusReason.OtherFocusReason)

    def read_items(self, text: str) -> list[Any]:
        """Return the items that a pasted text means."""
        place = len(self.items)
        return pasted_values(text, self.document.branch((*self.field.path, place)).kind if text else FieldKind.TEXT)

    def _places(self) -> range:
        return range(max(self.fixed, len(self.items)))
