"""Some neighbouring rows of a form, made when they come into view, and which of them stay when their fields change."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from console.schema_form.field_row import STRUCTURES, WIDE_KINDS, FieldRow
from console.schema_form.fields import Field
from console.schema_form.focus_order import Anchor, order_focus
from console.schema_form.layouts import ROW_GAP, TWO_COLUMNS_FROM, ColumnsLayout

_IN_A_BLOCK: Final = 12
_IN_A_FAR_BLOCK: Final = 240
_ROW_HEIGHT: Final = 28
_LINES_HEIGHT: Final = 66
_CARD_HEIGHT: Final = 40

MakeRow = Callable[[Field, QWidget], FieldRow]


class RowBlock(Anchor):
    """Some neighbouring rows; before it is painted for the first time it is only about as high as they will be.

    Args:
        fields: What its rows edit.
        single: Whether they stand in one column whatever the width.
        parent: Its owner.

    Signals:
        seen: It is in view, and its rows are to be made.
    """

    seen = Signal()

    def __init__(self, fields: Sequence[Field], parent: QWidget, *, single: bool) -> None:
        super().__init__(parent)
        self.fields = list(fields)
        self._single = single
        self.rows: list[FieldRow] = []
        # Qt would ask the layout for the height, so there is none before there are rows.
        self._columns: ColumnsLayout | None = None
        self._estimates: dict[bool, int] = {}
        policy = QSizePolicy(QSizePolicy.Policy.MinimumExpanding, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    @property
    def is_made(self) -> bool:
        """Tell whether it has rows."""
        return self._columns is not None

    @property
    def is_large(self) -> bool:
        """Tell whether it is to be cut into smaller ones before it has rows."""
        return len(self.fields) > 2 * _IN_A_BLOCK and not self.is_made

    def make(self, make_row: MakeRow) -> None:
        self.rows = [make_row(field, self) for field in self.fields]
        self._columns = ColumnsLayout(self, single=self._single)
        self._columns.set_widgets(self.rows)
        order_focus(self, self)

    def follow(self, fields: Sequence[Field], make_row: MakeRow) -> bool:
        """Edit these fields from now on, in the rows that are there as far as they fit; tell whether rows changed."""
        self.fields = list(fields)
        if self._columns is None:
            self._estimates.clear()
            self.updateGeometry()
            return False
        old = {row.field.path: row for row in self.rows}
        rows = [self._followed(old.pop(field.path, None), field, make_row) for field in self.fields]
        if len(rows) == len(self.rows) and all(map(_is, rows, self.rows)):
            return False
        gone = [row for row in self.rows if row not in rows]
        self.rows = rows
        self._columns.set_widgets(rows)
        order_focus(self, self)
        for row in gone:
            _drop(row, next((new for new in rows if new.field.path == row.field.path), None))
        return True

    def clear(self) -> None:
        """Let all rows go."""
        for row in self.rows:
            row.detach()
        self.rows = []

    def sizeHint(self) -> QSize:
        """Return the size of the rows, or about what it will be."""
        if self.is_made:
            return super().sizeHint()
        return QSize(200, self.heightForWidth(self.width()))

    def minimumSizeHint(self) -> QSize:
        """Return the same as the rows, or little."""
        return super().minimumSizeHint() if self.is_made else QSize(0, 0)

    def hasHeightForWidth(self) -> bool:
        """Return that it has less height where two columns fit."""
        return True

    def heightForWidth(self, width: int) -> int:
        """Return the height of the rows, or about what it will be."""
        if self.is_made:
            return super().heightForWidth(width)
        is_double = width >= TWO_COLUMNS_FROM and not self._single
        if is_double not in self._estimates:
            self._estimates[is_double] = _estimate(self.fields, is_double=is_double)
        return self._estimates[is_double]

    def paintEvent(self, event: QPaintEvent) -> None:
        """Tell that it is in view."""
        if not self.is_made:
            self.seen.emit()

    def _followed(self, row: FieldRow | None, field: Field, make_row: MakeRow) -> FieldRow:
        if row is not None and _still_fits(row, field):
            return row
        return make_row(field, self)

    def shared_out(self, fields: list[Field]) -> tuple[list[Field], list[Field]]:
        """Keep it short: return those of its fields that stay, and new ones at its end that are to go into others.

        Args:
            fields: What it would have to edit.
        """
        if len(fields) <= 2 * _IN_A_BLOCK:
            return fields, []
        held = {row.field.path for row in self.rows}
        last = max((index + 1 for index, field in enumerate(fields) if field.path in held), default=0)
        cut = max(_IN_A_BLOCK, last)
        return fields[:cut], fields[cut:]


def cut_into_parts(fields: Sequence[Field], *, far: bool = True) -> list[list[Field]]:
    """Cut fields into blocks where a line of two columns is full, or a field takes the whole width.

    Args:
        fields: All of them.
        far: Whether those far from the first may share large blocks, to be cut when they come into view.
    """
    parts: list[list[Field]] = []
    part: list[Field] = []
    in_line = 0
    for index, field in enumerate(fields):
        part.append(field)
        in_line = 0 if field.kind in WIDE_KINDS else (in_line + 1) % 2
        is_next_wide = index + 1 < len(fields) and fields[index + 1].kind in WIDE_KINDS
        most = _IN_A_FAR_BLOCK if far and index >= _IN_A_FAR_BLOCK else _IN_A_BLOCK
        if len(part) >= most and (in_line == 0 or is_next_wide):
            parts.append(part)
            part, in_line = [], 0
    return [*parts, part] if part else parts


def _about(field: Field) -> int:
    """Return how high a row will be, more or less."""
    if field.kind in STRUCTURES:
        return _CARD_HEIGHT
    return _LINES_HEIGHT if field.kind in WIDE_KINDS else _ROW_HEIGHT


def _estimate(fields: Sequence[Field], *, is_double: bool) -> int:
    """Return how high the rows of some fields will be, more or less."""
    height, in_line = 0, 0
    for field in fields:
        is_wide = not is_double or field.kind in WIDE_KINDS
        if is_wide or in_line == 0:
            height += _about(field) + ROW_GAP
        in_line = 0 if is_wide else (in_line + 1) % 2
    return max(0, height - ROW_GAP)


def _still_fits(row: FieldRow, field: Field) -> bool:
    """Tell whether a row can edit a field as it is now; it takes the field over if so."""
    old = row.field
    if old == field:
        return True
    if old.kind is not field.kind:
        return False
    has_same_face = (old.required, old.nullable, old.title, old.description) == (
        field.required,
        field.nullable,
        field.title,
        field.description,
    )
    if field.kind in STRUCTURES and has_same_face:
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
    row.detach()
    row.hide()
    row.deleteLater()


def _is(one: FieldRow, other: FieldRow) -> bool:
    return one is other
