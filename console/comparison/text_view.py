"""Two compared texts of any size: only what is in sight is looked at and painted."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from PySide6.QtCore import QPointF, QRect, QRectF, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QGuiApplication,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QWidget

from console.assets import paint_icon
from console.comparison.lines import Hunk, TextDifference, changed_spans
from console.json_view.code_area import CodeArea, Grid, RowLook, code_grid, paint_number, paint_row_text
from console.json_view.text_lines import TextSpan, cells_before, json_spans
from console.language import tr, tr_count
from console.theme import Theme, painter_of, theme_of
from console.widgets import paint_text

CONTEXT: Final = 3
"""Lines that stay around a change."""


class ShownRow(NamedTuple):
    """One row.

    Attributes:
        hunk: The part it belongs to, from 0.
        left: Line of the first text; None for none.
        right: Line of the second text; None for none.
        hidden: How many lines it stands for; 0 unless it is a fold.
    """

    hunk: int
    left: int | None
    right: int | None
    hidden: int = 0


_SAME, _FOLD, _REMOVED, _ADDED, _PAIRS = range(5)


class ShownRows:
    """The rows of two compared texts, made when they are asked for; `opened` hunks are never folded."""

    def __init__(
        self,
        difference: TextDifference,
        *,
        side_by_side: bool,
        only_differences: bool,
        opened: Collection[int] = (),
    ) -> None:
        self._hunks = hunks = difference.hunks
        # Hunk, kind and offset of each segment; there may be a hundred thousand.
        self._segments: list[tuple[int, int, int]] = []
        self._starts: list[int] = []
        self._row_by_hunk: list[int] = []
        self.count = 0
        last = len(hunks) - 1
        add = self._add
        for number, hunk in enumerate(hunks):
            block = hunk.block
            self._row_by_hunk.append(self.count)
            if block.same:
                lines = block.left_end - block.left
                before, after = (0 if number == 0 else CONTEXT), (0 if number == last else CONTEXT)
                if not only_differences or lines - before - after <= 1 or number in opened:
                    add(number, _SAME, 0, lines)
                else:
                    add(number, _SAME, 0, before)
                    add(number, _FOLD, lines - before - after, 1)
                    add(number, _SAME, lines - after, after)
            elif side_by_side:
                add(number, _PAIRS, 0, hunk.rows)
            else:
                add(number, _REMOVED, 0, block.left_end - block.left)
                add(number, _ADDED, 0, block.right_end - block.right)

    def row(self, index: int) -> ShownRow:
        """Return a row by its index, which must be below `count`."""
        place = bisect_right(self._starts, index) - 1
        number, kind, offset = self._segments[place]
        hunk = self._hunks[number]
        if kind == _FOLD:
            return ShownRow(number, None, None, offset)
        offset += index - self._starts[place]
        if kind == _PAIRS:
            return ShownRow(number, *hunk.pair(offset))
        left = None if kind == _ADDED else hunk.block.left + offset
        right = None if kind == _REMOVED else hunk.block.right + offset
        return ShownRow(number, left, right)

    def hunk(self, row: ShownRow) -> Hunk:
        return self._hunks[row.hunk]

    def first_row(self, hunk: int) -> int:
        """Return the index of the first row of a part."""
        return self._row_by_hunk[hunk]

    def _add(self, hunk: int, kind: int, offset: int, length: int) -> None:
        if length:
            self._segments.append((hunk, kind, offset))
            self._starts.append(self.count)
            self.count += length


_PAD: Final = 12
_GAP: Final = 12
_SIGN_ROOM: Final = 20
_LONGEST_LINE: Final = 20_000
_MOST_CHANGED: Final = 0.8


class DifferenceText(CodeArea):
    """Show two compared texts, one below the other or side by side. Set its accessible name where it is used."""

    row_chosen = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.difference: TextDifference | None = None
        self._rows: ShownRows | None = None
        self._side_by_side = False
        self._only_differences = True
        self._opened: set[int] = set()
        self._anchor = self._caret = 0
        self._digits = 1

    def show_difference(self, difference: TextDifference | None) -> None:
        """Show two other texts; None shows nothing."""
        self.difference = difference
        self._opened.clear()
        self._anchor = self._caret = 0
        self.verticalScrollBar().setValue(0)
        self.horizontalScrollBar().setValue(0)
        self._arrange()

    def set_side_by_side(self, *, side_by_side: bool) -> None:
        """Put the texts side by side, or one below the other."""
        self._rearrange(side_by_side=side_by_side, only_differences=self._only_differences)

    def set_only_differences(self, *, only_differences: bool) -> None:
        """Fold longer parts that are the same, or show everything."""
        self._opened.clear()
        self._rearrange(side_by_side=self._side_by_side, only_differences=only_differences)

    @property
    def row_count(self) -> int:
        return self._rows.count if self._rows is not None else 0

    @property
    def current_hunk(self) -> int:
        """Return the part that the chosen row lies in, from 0; -1 without any."""
        return self._rows.row(self._caret).hunk if self._rows is not None and self._rows.count else -1

    def place_words(self) -> str:
        """Say which lines the chosen row shows."""
        if self._rows is None or not self._rows.count:
            return ""
        row = self._rows.row(self._caret)
        words = (
            tr("line {line:,} before", line=row.left + 1) if row.left is not None else "",
            tr("line {line:,} now", line=row.right + 1) if row.right is not None else "",
        )
        return " · ".join(filter(None, words))

    def select_hunk(self, hunk: int) -> None:
        """Choose the first row of a part and show it."""
        if self._rows is not None:
            self._choose(self._rows.first_row(hunk))
            self.show_row(self._caret)

    def row_text(self, index: int) -> str:
        """Return what a row says, with its sign in front."""
        rows, difference = self._rows, self.difference
        if rows is None or difference is None:
            return ""
        row = rows.row(index)
        if row.hidden:
            return _fold_words(row.hidden)
        if rows.hunk(row).same:
            return f"  {difference.left_line(row.left or 0)}"
        lines = [] if row.left is None else [f"- {difference.left_line(row.left)}"]
        lines += [] if row.right is None else [f"+ {difference.right_line(row.right)}"]
        return "\n".join(lines)

    def copy(self) -> None:
        """Copy the chosen rows with their signs."""
        start, end = sorted((self._anchor, self._caret))
        QGuiApplication.clipboard().setText("\n".join(self.row_text(row) for row in range(start, end + 1)))

    def select_all(self) -> None:
        self._anchor, self._caret = 0, max(0, self.row_count - 1)
        self.viewport().update()

    def paintEvent(self, event: QPaintEvent) -> None:
        rows = self._rows
        if rows is None:
            return
        theme = theme_of(self)
        painter = painter_of(self.viewport())
        height = theme.line_height("code")
        first, last = sorted((self._anchor, self._caret))
        for index in self.rows_in_sight():
            row, y = rows.row(index), self.top_of(index)
            if row.hidden:
                self._paint_fold(painter, row, y, height, theme)
            elif self._side_by_side:
                self._paint_beside(painter, row, y, theme)
            else:
                self._paint_below(painter, row, y, theme)
            if first <= index <= last:
                edge = theme.color.accent if self.hasFocus() else theme.color.border_field
                painter.fillRect(0, y, 3, height, edge)
        if self._side_by_side:
            painter.fillRect(self.viewport().width() // 2, 0, 1, self.viewport().height(), theme.color.border)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_scroll_bars()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Choose a row, or more of them with Shift; open a fold."""
        if event.button() is not Qt.MouseButton.LeftButton or self._rows is None or not self._rows.count:
            return
        index = self._chosen_at(event.position())
        self._choose(index, extends=bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier))
        if self._rows.row(index).hidden:
            self._open_fold(index)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if event.buttons() & Qt.MouseButton.LeftButton and self._rows is not None and self._rows.count:
            self._choose(self._chosen_at(event.position()), extends=True)
            self.show_row(self._caret)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        event.accept()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move, choose, copy; N and P are left to the whole view."""
        if event.key() in {Qt.Key.Key_N, Qt.Key.Key_P}:
            event.ignore()
        elif event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter} and self._is_fold(self._caret):
            self._open_fold(self._caret)
        else:
            super().keyPressEvent(event)

    def move_by_key(self, event: QKeyEvent) -> bool:
        """Choose another row, or scroll sideways; tell whether a key does."""
        key, page, last = Qt.Key(event.key()), self.verticalScrollBar().pageStep(), max(0, self.row_count - 1)
        across = self.horizontalScrollBar()
        if key in {Qt.Key.Key_Left, Qt.Key.Key_Right}:
            across.setValue(across.value() + (4 if key is Qt.Key.Key_Right else -4))
            return True
        target = {
            Qt.Key.Key_Up: self._caret - 1,
            Qt.Key.Key_Down: self._caret + 1,
            Qt.Key.Key_PageUp: self._caret - page,
            Qt.Key.Key_PageDown: self._caret + page,
            Qt.Key.Key_Home: 0,
            Qt.Key.Key_End: last,
        }.get(key)
        if target is None:
            return False
        self._choose(min(max(0, target), last), extends=bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier))
        self.show_row(self._caret)
        return True

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        menu = self.make_menu(((tr("Copy lines"), self.copy), (tr("Select all"), self.select_all)))
        menu.popup(event.globalPos())

    def _rearrange(self, *, side_by_side: bool, only_differences: bool) -> None:
        hunk = self.current_hunk
        self._side_by_side, self._only_differences = side_by_side, only_differences
        self._anchor = self._caret = 0
        self._arrange()
        if hunk >= 0:
            self.select_hunk(hunk)

    def _arrange(self) -> None:
        difference = self.difference
        self._rows = None
        if difference is not None:
            self._rows = ShownRows(
                difference,
                side_by_side=self._side_by_side,
                only_differences=self._only_differences,
                opened=self._opened,
            )
            self._digits = len(str(max(difference.left.line_count, difference.right.line_count)))
            self.setAccessibleDescription("\n".join(self.row_text(row) for row in range(min(40, self._rows.count))))
        self._fit_scroll_bars()
        self.viewport().update()

    def _numbers_width(self) -> float:
        return self._digits * code_grid(0).cell

    def _text_left(self) -> float:
        columns = 1 if self._side_by_side else 2
        return _PAD + columns * (self._numbers_width() + _GAP) + _SIGN_ROOM

    def _fit_scroll_bars(self) -> None:
        difference = self.difference
        longest = max(difference.left.longest, difference.right.longest) if difference is not None else 0
        width = self.viewport().width() // (2 if self._side_by_side else 1)
        columns = max(8, int((width - self._text_left()) // code_grid(0).cell))
        self.fit_scroll_bars(columns, longest + 1)

    def _paint_fold(self, painter: QPainter, row: ShownRow, y: int, height: int, theme: Theme) -> None:
        painter.fillRect(0, y, self.viewport().width(), height, theme.color.inset)
        left = round(self._text_left()) - _SIGN_ROOM
        paint_icon(painter, QRect(left, y + (height - 12) // 2, 12, 12), "chevrons-up-down", theme.color.text3, theme)
        room = QRect(left + _SIGN_ROOM, y, self.viewport().width() - left - _SIGN_ROOM, height)
        paint_text(painter, room, _fold_words(row.hidden), theme.font("caption"), theme.color.text3)

    def _paint_below(self, painter: QPainter, row: ShownRow, y: int, theme: Theme) -> None:
        """Paint a row of the texts one below the other: both numbers, sign, line."""
        area = QRect(0, y, self.viewport().width(), theme.line_height("code"))
        is_left = row.right is None
        line = row.left if is_left else row.right
        numbers = (row.left, row.right)
        self._paint_line(painter, area, row, line, numbers, theme, is_left=is_left)

    def _paint_beside(self, painter: QPainter, row: ShownRow, y: int, theme: Theme) -> None:
        middle, width, height = self.viewport().width() // 2, self.viewport().width(), theme.line_height("code")
        halves = (QRect(0, y, middle, height), QRect(middle + 1, y, width - middle - 1, height))
        for line, area, is_left in ((row.left, halves[0], True), (row.right, halves[1], False)):
            if line is None:
                painter.fillRect(area, theme.color.inset)
            else:
                self._paint_line(painter, area, row, line, (line,), theme, is_left=is_left)

    def _paint_line(  # noqa: PLR0917 -- where, what and how of one line
        self,
        painter: QPainter,
        area: QRect,
        row: ShownRow,
        line: int | None,
        numbers: Sequence[int | None],
        theme: Theme,
        *,
        is_left: bool,
    ) -> None:
        rows, difference = self._rows, self.difference
        if rows is None or difference is None or line is None:
            return
        hunk, syntax = rows.hunk(row), theme.syntax
        text = difference.left_line(line) if is_left else difference.right_line(line)
        ink = strong = theme.color.text
        if not hunk.same:
            painter.fillRect(area, syntax.removed_bg if is_left else syntax.added_bg)
            ink = syntax.removed if is_left else syntax.added
            strong = syntax.removed_strong if is_left else syntax.added_strong
        left = area.x() + _PAD
        painter.setFont(theme.font("code"))
        for number in numbers:
            if number is not None:
                room = QRect(left, area.y(), round(self._numbers_width()), area.height())
                paint_number(painter, room, number + 1, theme.color.text3 if hunk.same else ink)
            left += round(self._numbers_width()) + _GAP
        grid = code_grid(area.x() + self._text_left())
        if not hunk.same:
            painter.setPen(ink)
            painter.drawText(QPointF(grid.left - _SIGN_ROOM, area.y() + grid.baseline), "-" if is_left else "+")
        painter.setClipRect(QRect(round(grid.left), area.y(), area.right() - round(grid.left), area.height()))
        spans = () if hunk.same else self._changed(row, line, is_left=is_left)
        self._paint_text(painter, grid, area, text, spans, ink if not hunk.same else None, strong)
        painter.setClipping(False)

    def _paint_text(  # noqa: PLR0917 -- where, what and how of one line
        self,
        painter: QPainter,
        grid: Grid,
        area: QRect,
        text: str,
        spans: Sequence[tuple[int, int]],
        ink: QColor | None,
        strong: QColor,
    ) -> None:
        first = self.horizontalScrollBar().value()
        part = text[first : first + int(area.width() // grid.cell) + 2]
        cells = cells_before(part)
        for start, end in spans:
            low, high = max(0, start - first), min(len(part), end - first)
            if low < high:
                x = grid.left + cells[low] * grid.cell
                painter.fillRect(QRectF(x, area.y(), (cells[high] - cells[low]) * grid.cell, area.height()), strong)
        if ink is None:
            colors: Sequence[TextSpan] = json_spans(text) if len(text) <= _LONGEST_LINE else ()
            paint_row_text(painter, grid, area.y(), part, RowLook(first, colors))
        else:
            paint_row_text(painter, grid, area.y(), part, RowLook(first, ink=ink))

    def _changed(self, row: ShownRow, line: int, *, is_left: bool) -> Sequence[tuple[int, int]]:
        """Return the words of a changed line that the line beside it lacks; nothing if little is left of it."""
        rows, difference = self._rows, self.difference
        if rows is None or difference is None:
            return ()
        other = rows.hunk(row).beside(line, is_left=is_left)
        if other is None:
            return ()
        left, right = (line, other) if is_left else (other, line)
        one, two = difference.left_line(left), difference.right_line(right)
        if max(len(one), len(two)) > _LONGEST_LINE:
            return ()
        spans, others = _changed_words(one, two)
        share = sum(end - start for start, end in spans) / max(1, len(one.strip()))
        other_share = sum(end - start for start, end in others) / max(1, len(two.strip()))
        if min(share, other_share) > _MOST_CHANGED:
            return ()
        return spans if is_left else others

    def _chosen_at(self, point: QPointF) -> int:
        return min(max(0, self.row_at(point)), max(0, self.row_count - 1))

    def _is_fold(self, index: int) -> bool:
        return self._rows is not None and index < self._rows.count and self._rows.row(index).hidden > 0

    def _open_fold(self, index: int) -> None:
        if self._rows is not None:
            top = self.verticalScrollBar().value()
            self._opened.add(self._rows.row(index).hunk)
            self._arrange()
            self.verticalScrollBar().setValue(top)

    def _choose(self, index: int, *, extends: bool = False) -> None:
        self._caret = index
        if not extends:
            self._anchor = index
        self.viewport().update()
        self.row_chosen.emit()


def _fold_words(lines: int) -> str:
    return tr_count(lines, "{count:,} unchanged line", "{count:,} unchanged lines")


@lru_cache(maxsize=512)
def _changed_words(one: str, other: str) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    return changed_spans(one, other)
