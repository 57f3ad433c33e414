"""The fields of one object, or the items of one list: made when they come into view, kept while they are wanted."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from PySide6.QtCore import QMargins, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from console.schema_form.document import Document
from console.schema_form.field_row import FieldRow
from console.schema_form.fields import Field
from console.schema_form.focus_order import Anchor, order_focus
from console.schema_form.kinds import FieldKind
from console.schema_form.layouts import ColumnsLayout
from console.schema_form.paths import Path
from console.schema_form.row_block import MakeRow, RowBlock, cut_into_parts

_AT_FIRST: Final = 2
_MOST_CHIPS: Final = 100
_GROWN_KINDS: Final = {FieldKind.TEXT: FieldKind.LINES, FieldKind.LIST: FieldKind.ROWS}


class FieldRows(Anchor):
    """Rows for the fields that a function names, in one or two columns.

    The function is asked after each change of the document; rows whose field stays are kept, with focus and caret. Rows
    that were never in view are not made, so that a thousand of them cost nothing.

    Args:
        document: Where the fields stand.
        wanted: Returns the fields, the same tuple again as long as they are the same.
        make_row: Makes one row.
        margins: Around the rows.
        single: Whether they stand in one column whatever the width.
        parent: Its owner.

    Signals:
        rows_changed: Rows were made or let go.
    """

    rows_changed = Signal()

    def __init__(
        self,
        document: Document,
        wanted: Callable[[], Sequence[Field]],
        make_row: MakeRow,
        *,
        margins: QMargins | None = None,
        single: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._document = document
        self._wanted = wanted
        self._make_row = make_row
        self._single = single
        self._reveals = False
        self._fields: Sequence[Field] = ()
        self._grown: set[Path] = set()
        self._blocks: list[RowBlock] = []
        self._seen = QTimer(self)
        self._seen.setSingleShot(True)
        self._seen.timeout.connect(self._on_seen_timeout)
        # Not Fixed: Qt would take the height at the smallest width for the least one.
        policy = QSizePolicy(QSizePolicy.Policy.MinimumExpanding, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self._column = ColumnsLayout(self)
        self._column.setContentsMargins(QMargins() if margins is None else margins)
        self._unsubscribe = document.subscribe(self.refresh)
        self.destroyed.connect(self._unsubscribe)
        self.refresh()

    @property
    def fields(self) -> tuple[Field, ...]:
        """Return the fields, whether their rows are made or not."""
        return tuple(field for block in self._blocks for field in block.fields)

    def rows(self) -> Iterator[FieldRow]:
        """Return the rows that are made so far."""
        for block in self._blocks:
            yield from block.rows

    def row(self, path: Path) -> FieldRow | None:
        """Return the row of a field, made now if it was not; None when there is no such field."""
        found = self._block_with(path)
        if found is None:
            return None
        if found.is_large:
            self._cut(found)
            return self.row(path)
        self._make(found)
        return next(row for row in found.rows if row.field.path == path)

    def rename(self, row: FieldRow, field: Field) -> None:
        """Let a row edit a field with another path, before the document has that.

        Args:
            row: The row.
            field: The field it gets.
        """
        for block in self._blocks:
            block.fields = [field if known.path == row.field.path else known for known in block.fields]
        row.take_field(field)

    def let_go(self) -> None:
        """Let all rows go, before other fields than these are wanted."""
        for block in self._blocks:
            self._remove(block)
        self._blocks = []
        self._fields = ()
        self._grown.clear()
        self._reveals = False

    def reveal_missing(self) -> None:
        """Show what is missing, also in rows that are made later."""
        self._reveals = True
        for row in self.rows():
            row.reveal_missing()

    def detach(self) -> None:
        """Follow the document no more, nor do the rows."""
        self._unsubscribe()
        self._seen.stop()
        for block in self._blocks:
            block.clear()

    def refresh(self) -> None:
        """Show the fields that are wanted now."""
        wanted = self._wanted()
        grown = self._newly_grown()
        if wanted == self._fields and not grown:
            return
        self._fields = wanted
        fields = [self._as_held(field) for field in wanted]
        if self._blocks:
            self._follow(fields)
        elif fields:
            self._blocks = self._blocks_of(fields)
            self._lay_out()
            for block in self._blocks[:_AT_FIRST]:
                self._make(block)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Let rows that came into view be made."""
        super().resizeEvent(event)
        self.update()

    def _follow(self, fields: Sequence[Field]) -> None:
        """Deal the fields out to the blocks they were in, new ones to the block before them."""
        place = {field.path: index for index, block in enumerate(self._blocks) for field in block.fields}
        dealt: list[list[Field]] = [[] for _ in self._blocks]
        current = 0
        for field in fields:
            current = max(current, place.get(field.path, current))
            dealt[current].append(field)
        blocks: list[RowBlock] = []
        did_change = False
        for block, part in zip(self._blocks, dealt, strict=True):
            own, rest = block.shared_out(part)
            did_change |= block.follow(own, self._make_row_and_reveal)
            blocks.extend((block, *self._blocks_of(rest)))
        kept = [block for block in blocks if block.fields] or blocks[:1]
        if kept != self._blocks:
            gone = [block for block in self._blocks if block not in kept]
            self._blocks = kept
            for block in gone:
                self._remove(block)
            self._lay_out()
        if not any(block.is_made for block in kept):
            self._make(kept[0])
        elif did_change:
            self.rows_changed.emit()

    def _lay_out(self) -> None:
        self._column.set_widgets(self._blocks)
        order_focus(self, self)

    def _block_with(self, path: Path) -> RowBlock | None:
        return next((block for block in self._blocks if any(field.path == path for field in block.fields)), None)

    def _cut(self, block: RowBlock) -> None:
        """Cut a large block into small ones."""
        parts = self._blocks_of(block.fields, far=False)
        place = self._blocks.index(block)
        self._blocks[place : place + 1] = parts
        self._remove(block)
        self._lay_out()

    def _blocks_of(self, fields: Sequence[Field], *, far: bool = True) -> list[RowBlock]:
        return [self._block(part) for part in cut_into_parts(fields, far=far)]

    def _block(self, fields: Sequence[Field]) -> RowBlock:
        block = RowBlock(fields, self, single=self._single)
        block.seen.connect(self._on_block_seen)
        return block

    def _remove(self, block: RowBlock) -> None:
        self._column.removeWidget(block)
        block.clear()
        block.hide()
        block.deleteLater()

    def _make(self, block: RowBlock) -> None:
        if block.is_made:
            return
        block.make(self._make_row_and_reveal)
        self.rows_changed.emit()

    def _make_row_and_reveal(self, field: Field, parent: QWidget) -> FieldRow:
        row = self._make_row(field, parent)
        if self._reveals:
            row.reveal_missing()
        return row

    def _newly_grown(self) -> set[Path]:
        """Name the fields that hold more now than they have room for."""
        return {row.field.path for row in self.rows() if row.field.kind in _GROWN_KINDS and self._overflows(row.field)}

    def _as_held(self, field: Field) -> Field:
        """Give a field more room if it holds much, and leave it that once it has it."""
        if field.kind in _GROWN_KINDS and (field.path in self._grown or self._overflows(field)):
            self._grown.add(field.path)
            return field._replace(kind=_GROWN_KINDS[field.kind])
        return field

    def _overflows(self, field: Field) -> bool:
        held = self._document.get(field.path)
        if field.kind is FieldKind.LIST:
            return isinstance(held, list | tuple) and len(held) > _MOST_CHIPS
        return isinstance(held, str) and "\n" in held

    def _on_block_seen(self) -> None:
        # Nothing may be made while Qt paints.
        self._seen.start(0)

    def _on_seen_timeout(self) -> None:
        visible = self.visibleRegion().boundingRect()
        # The next screen is made as well, so that scrolling finds it there.
        near = visible.adjusted(0, 0, 0, visible.height() // 2)
        in_view = [block for block in self._blocks if not block.is_made and block.geometry().intersects(near)]
        for block in in_view:
            if block.is_large:
                # What of it is in view is seen again when its parts have their places.
                self._cut(block)
            else:
                self._make(block)
