"""The fields of one object, or the items of one list: made when they come into view, kept while they are wanted.

After each change the document names the fields of a place; rows whose field stays are kept. Qt puts widgets that are
made late at the end of the focus order, so `order_focus` restores reading order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from operator import attrgetter, is_
from time import perf_counter
from typing import Any, Final

from PySide6.QtCore import QMargins, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QFocusEvent, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from console.schema_form.document import Document
from console.schema_form.field_row import NOTE_HEIGHT, STRUCTURES, WIDE_KINDS, FieldRow, note_of
from console.schema_form.fields import Field, FieldKind
from console.schema_form.layouts import ROW_GAP, TWO_COLUMNS_FROM, ColumnsLayout
from console.schema_form.paths import ABSENT, Path, value_at
from console.widgets import Anchor, order_focus, tab_stops

_SLICE_S: Final = 0.005
_PAUSE_S: Final = 0.001
_AT_FIRST: Final = 5
_IN_A_BLOCK: Final = 4
_IN_A_FAR_BLOCK: Final = 240
_ROW_HEIGHT: Final = 28
_LINES_HEIGHT: Final = 66
_CARD_HEIGHT: Final = 40


class RowSlices:
    """Share out the time in which one form makes rows, so that events come between two slices of a few milliseconds.

    Args:
        from_start: Whether the first screen is made in slices too, but for its first rows.
    """

    def __init__(self, *, from_start: bool = False) -> None:
        self.from_start = from_start
        self._end_s = 0.0
        self._made_s = 0.0

    def has_time(self) -> bool:
        """Tell whether something may be made now; without time, ask again after the events that wait."""
        now = perf_counter()
        if now >= self._made_s + _PAUSE_S:
            self._end_s = now + _SLICE_S
        return now < self._end_s

    def note(self) -> None:
        """Take note that something was made just now."""
        self._made_s = perf_counter()


MakeRow = Callable[[Field, QWidget], FieldRow]


class RowBlock(Anchor):
    """Some neighbouring rows; before it is painted for the first time it is only about as high as they will be.

    Until then it has the place of its rows in the order in which Tab visits them.

    Signals:
        seen: It is in view, and its rows are to be made.
        entered(Qt.FocusReason): The keyboard came to rows that are not made.
    """

    seen = Signal()
    entered = Signal(Qt.FocusReason)

    def __init__(self, fields: Sequence[Field], parent: QWidget, *, single: bool) -> None:
        super().__init__(parent)
        self.fields = list(fields)
        self._single = single
        self.rows: list[FieldRow] = []
        # Qt would ask the layout for the height, so there is none before there are rows.
        self._columns: ColumnsLayout | None = None
        self._estimates: dict[bool, int] = {}
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAccessibleName(self.fields[0].accessible_name)
        policy = QSizePolicy(QSizePolicy.Policy.MinimumExpanding, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    @property
    def is_made(self) -> bool:
        return self._columns is not None

    @property
    def is_large(self) -> bool:
        """Tell whether it is to be cut into smaller ones before it has rows."""
        return len(self.fields) > 2 * _IN_A_BLOCK and not self.is_made

    def make(self, make_row: MakeRow) -> None:
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setAccessibleName("")
        self.rows = [make_row(field, self) for field in self.fields]
        self._columns = ColumnsLayout(self, single=self._single)
        self._columns.set_widgets(self.rows)
        order_focus(self, self)

    def hold(self, fields: Sequence[Field]) -> None:
        """Stand for these fields, before there are rows."""
        self.fields = list(fields)
        self._estimates.clear()
        self.setAccessibleName(self.fields[0].accessible_name if fields else "")
        self.updateGeometry()

    def follow(self, fields: Sequence[Field], make_row: MakeRow) -> bool:
        if self._columns is None:
            self.hold(fields)
            return False
        self.fields = list(fields)
        old = {row.field.path: row for row in self.rows}
        rows = [
            row if (row := old.pop(field.path, None)) is not None and _still_fits(row, field) else make_row(field, self)
            for field in self.fields
        ]
        if len(rows) == len(self.rows) and all(map(is_, rows, self.rows)):
            return False
        gone = [row for row in self.rows if row not in rows]
        self.rows = rows
        self._columns.set_widgets(rows)
        order_focus(self, self)
        for row in gone:
            _drop(row, next((new for new in rows if new.field.path == row.field.path), None))
        return True

    def clear(self) -> None:
        for row in self.rows:
            row.editor.detach()
        self.rows = []

    def sizeHint(self) -> QSize:
        if self.is_made:
            return super().sizeHint()
        return QSize(200, self.heightForWidth(self.width()))

    def minimumSizeHint(self) -> QSize:
        return super().minimumSizeHint() if self.is_made else QSize(0, 0)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        if self.is_made:
            return super().heightForWidth(width)
        is_double = width >= TWO_COLUMNS_FROM and not self._single
        if is_double not in self._estimates:
            self._estimates[is_double] = _estimate(self.fields, is_double=is_double)
        return self._estimates[is_double]

    def paintEvent(self, event: QPaintEvent) -> None:
        if not self.is_made:
            self.seen.emit()

    def focusInEvent(self, event: QFocusEvent) -> None:
        if not self.is_made:
            self.entered.emit(event.reason())

    def shared_out(self, fields: list[Field]) -> tuple[list[Field], list[Field]]:
        """Keep it short: return those of its fields that stay, and new ones at its end that are to go into others."""
        if len(fields) <= 2 * _IN_A_BLOCK:
            return fields, []
        held = {row.field.path for row in self.rows}
        last = max((index + 1 for index, field in enumerate(fields) if field.path in held), default=0)
        cut = max(_IN_A_BLOCK, last)
        return fields[:cut], fields[cut:]


def cut_into_parts(fields: Sequence[Field], *, far: bool = True) -> list[list[Field]]:
    """Cut fields into blocks where a line of two columns is full, or a field takes the whole width.

    Behind the first ones they may share large blocks, to be cut when they come into view. A field that holds others
    takes as long to make as a block of those that do not.
    """
    parts: list[list[Field]] = []
    part: list[Field] = []
    in_line = weight = 0
    for index, field in enumerate(fields):
        part.append(field)
        weight += _IN_A_BLOCK if field.kind in STRUCTURES else 1
        in_line = 0 if field.kind in WIDE_KINDS else (in_line + 1) % 2
        is_next_wide = index + 1 < len(fields) and fields[index + 1].kind in WIDE_KINDS
        most = _IN_A_FAR_BLOCK if far and len(parts) >= _AT_FIRST else _IN_A_BLOCK
        if weight >= most and (in_line == 0 or is_next_wide):
            parts.append(part)
            part, in_line, weight = [], 0, 0
    return [*parts, part] if part else parts


def _about(field: Field) -> int:
    """Return how high a row will be, more or less."""
    if field.kind in STRUCTURES:
        return _CARD_HEIGHT
    note = NOTE_HEIGHT if note_of(field) else 0
    return note + (_LINES_HEIGHT if field.kind in WIDE_KINDS else _ROW_HEIGHT)


def _estimate(fields: Sequence[Field], *, is_double: bool) -> int:
    """Return how high the rows of some fields will be, more or less."""
    height, line, in_line = -ROW_GAP, 0, 0
    for field in fields:
        is_wide = not is_double or field.kind in WIDE_KINDS
        if is_wide or in_line == 0:
            height += line + ROW_GAP
            line = 0
        line = max(line, _about(field))
        in_line = 0 if is_wide else (in_line + 1) % 2
    return max(0, height + line)


def _still_fits(row: FieldRow, field: Field) -> bool:
    """Tell whether a row can edit a field as it is now; it takes the field over if so."""
    old = row.field
    if old == field:
        return True
    if old.kind is not field.kind:
        return False
    face = attrgetter("required", "nullable", "title", "description")
    if field.kind in STRUCTURES and face(old) == face(field):
        row.take_field(field)
        return True
    if row.holds_focus():
        # Made anew after the next change that finds the focus elsewhere.
        row.editor.field = field
        return True
    return False


def _drop(row: FieldRow, successor: FieldRow | None) -> None:
    """Take a row away; the one in its place gets the focus it had."""
    if successor is not None and row.holds_focus():
        successor.editor.target.setFocus(Qt.FocusReason.OtherFocusReason)
        successor.editor.move_to_end()
    row.editor.detach()
    row.hide()
    row.deleteLater()


_MOST_CHIPS: Final = 100
_GROWN_KINDS: Final = {FieldKind.TEXT: FieldKind.LINES, FieldKind.LIST: FieldKind.ROWS}


class FieldRows(Anchor):
    """Rows for the fields that a function names, in one or two columns.

    The function is asked after each change of the document; rows whose field stays are kept, with focus and caret. Rows
    that were never in view are not made, so that a thousand of them cost nothing.

    Args:
        wanted: Returns the fields, the same tuple again as long as they are the same.
        slices: The time of the form for making rows.
        single: Whether they stand in one column whatever the width.

    Signals:
        rows_changed: Rows were made or let go.
    """

    rows_changed = Signal()

    def __init__(
        self,
        document: Document,
        wanted: Callable[[], Sequence[Field]],
        make_row: MakeRow,
        slices: RowSlices,
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
        self._slices = slices
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
        return tuple(field for block in self._blocks for field in block.fields)

    def rows(self) -> Iterator[FieldRow]:
        for block in self._blocks:
            yield from block.rows

    def row(self, path: Path) -> FieldRow | None:
        """Return the row of a field, made now if it was not; None when there is no such field."""
        found = next((block for block in self._blocks if any(field.path == path for field in block.fields)), None)
        if found is None:
            return None
        if found.is_large:
            self._cut(found)
            return self.row(path)
        self._make(found)
        return next(row for row in found.rows if row.field.path == path)

    def rename(self, row: FieldRow, field: Field) -> None:
        """Let a row edit a field with another path, before the document has that."""
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
        self._reveals = True
        for row in self.rows():
            row.editor.reveal_missing()

    def detach(self) -> None:
        self._unsubscribe()
        self._seen.stop()
        for block in self._blocks:
            block.clear()

    def refresh(self) -> None:
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
            for block in self._blocks[: 1 if self._slices.from_start else _AT_FIRST]:
                self._make(block)

    def resizeEvent(self, event: QResizeEvent) -> None:
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
        # Those that were cut off were made later than what stands below them.
        for block in reversed(self._blocks):
            order_focus(self, block)

    def _cut(self, block: RowBlock) -> list[RowBlock]:
        """Leave a large block its first fields and put the others into blocks behind it; return all of them."""
        first, *rest = cut_into_parts(block.fields, far=False)
        block.hold(first)
        cut_off = [self._block(part) for part in rest]
        place = self._blocks.index(block) + 1
        self._blocks[place:place] = cut_off
        self._lay_out()
        return [block, *cut_off]

    def _blocks_of(self, fields: Sequence[Field], *, far: bool = True) -> list[RowBlock]:
        return [self._block(part) for part in cut_into_parts(fields, far=far)]

    def _block(self, fields: Sequence[Field]) -> RowBlock:
        block = RowBlock(fields, self, single=self._single)
        block.seen.connect(self._on_block_seen)
        block.entered.connect(self._on_block_entered)
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
            row.editor.reveal_missing()
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
            if not self._slices.has_time():
                self._seen.start(0)
                break
            if block.is_large:
                # What of it is in view is seen again when its parts have their places.
                self._cut(block)
            else:
                self._make(block)
            self._slices.note()

    def _on_block_entered(self, reason: Qt.FocusReason) -> None:
        """Make the rows that the keyboard goes to: from below, Shift+Tab enters the last one."""
        block = self.sender()
        if not isinstance(block, RowBlock):
            return
        is_backwards = reason is Qt.FocusReason.BacktabFocusReason
        if block.is_large:
            parts = self._cut(block)
            if is_backwards:
                parts[-1].setFocus(reason)
                return
        self._make(block)
        stops = tab_stops(block)
        if stops:
            stops[-1 if is_backwards else 0].setFocus(reason)
        else:
            self.focusNextPrevChild(not is_backwards)


class PartFields:
    """Describe the parts of one value; as long as nothing about them changed the answer is the same tuple.

    Values in a document are never changed in place, so a part that is the same object has the same field, unless the
    field around it is another.
    """

    def __init__(self, document: Document, path: Path) -> None:
        self._document = document
        self._path = path
        self._owner: Field | None = None
        self._held: Any = ABSENT
        self._known: dict[str | int, tuple[Any, Field]] = {}
        self._fields: tuple[Field, ...] = ()

    def of(self, names: Callable[[], Iterable[str | int]]) -> tuple[Field, ...]:
        """Return the fields of some parts; the same value in the same field has the same names."""
        owner, held = self._document.field(self._path), self._document.get(self._path)
        is_same_owner = owner == self._owner
        if is_same_owner and held is self._held:
            return self._fields
        known = self._known if is_same_owner else {}
        made: dict[str | int, tuple[Any, Field]] = {}
        for name in names():
            value = value_at(held, (name,))
            old = known.get(name)
            if old is None or old[0] is not value:
                old = (value, self._document.field((*self._path, name)))
            made[name] = old
        self._owner, self._held, self._known = owner, held, made
        fields = tuple(field for _, field in made.values())
        if fields != self._fields:
            self._fields = fields
        return self._fields
