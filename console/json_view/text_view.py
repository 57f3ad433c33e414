"""Show plain text of any size: only what is in sight is laid out and painted."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from PySide6.QtCore import QPointF, QRect, Qt, QTimer, Signal
from PySide6.QtGui import (
    QAction,
    QContextMenuEvent,
    QGuiApplication,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QWidget

from console.json_view.code_area import CodeArea, RowLook, code_grid, paint_number, paint_row_text
from console.json_view.finding import LastingSearch, text_places
from console.json_view.text_lines import TextRow, TextRows, TextSpan, cells_before
from console.language import tr
from console.theme import painter_of, theme_of

_FIRST_LINES: Final = 2000
_LINES_AT_ONCE: Final = 2000
_SLICE_S: Final = 0.012
_PADDING: Final = 12
_NUMBER_LEFT: Final = 7
_GUTTER_GAP: Final = 12
_DESCRIBED: Final = 4000
_LONGEST_COLOURED: Final = 4000
_WORD: Final = re.compile(r"\w+")


class TextView(CodeArea):
    """A reader of plain text with selection, search, line numbers and marks. Set its accessible name where it is used.

    Signals:
        find_finished(bool): A search that `find` had to leave unfinished ended: whether the text was found.
    """

    find_finished = Signal(bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rows = TextRows("")
        self._rows.extend(1)
        self._wrapped = False
        self._first_number: int | None = None
        self._marked_line = -1
        self._spans: Mapping[int, Sequence[TextSpan]] = {}
        self._spans_of: Callable[[str], Sequence[TextSpan]] | None = None
        self._mark: tuple[int, int] | None = None
        self._anchor = self._caret = 0
        self._needle = ""
        self._wanted: int | None = None
        self._follows = False
        self.viewport().setCursor(Qt.CursorShape.IBeamCursor)
        self._reading = QTimer(self, interval=0)
        self._reading.timeout.connect(self._on_reading_timeout)
        self._search = LastingSearch(self._show_found, self)
        self._search.finished.connect(self.find_finished)
        self._measure()

    @property
    def text(self) -> str:
        return self._rows.text

    @property
    def selected_text(self) -> str:
        """Return what is selected; "" for nothing."""
        start, end = self._selection()
        return self.text[start:end]

    @property
    def row_count(self) -> int:
        """Return how many rows the lines found so far make."""
        return self._rows.row_count

    @property
    def line_count(self) -> int:
        """Return how many lines were found so far; they are found little by little."""
        return self._rows.line_count

    def set_text(
        self,
        text: str,
        *,
        first_number: int | None = None,
        marked_line: int | None = None,
        mark: tuple[int, int] | None = None,
        spans: Sequence[Sequence[TextSpan]] = (),
        spans_of: Callable[[str], Sequence[TextSpan]] | None = None,
    ) -> None:
        """Show another text.

        Args:
            text: The text; control characters are shown as they come.
            first_number: The number of the first line; None shows no numbers.
            marked_line: Number of the line that is meant; None for none.
            mark: What in the marked line is meant: its first letter and the one past its last.
            spans: The coloured parts of each line.
            spans_of: Finds the coloured parts of a line when it comes into sight, without knowing any other; for text
                of any size.
        """
        self._search.stop()
        self._first_number = first_number
        self._marked_line = -1 if marked_line is None else marked_line - (first_number or 1)
        self._mark = mark
        self._spans = dict(enumerate(spans))
        self._spans_of = spans_of
        self._anchor = self._caret = 0
        self._begin(text)
        self.horizontalScrollBar().setValue(0)
        self.verticalScrollBar().setValue(0)

    def append(self, more: str) -> None:
        """Put more text at the end; a view that shows the end goes on showing it.

        Args:
            more: Any text, also a part of a line.
        """
        bar = self.verticalScrollBar()
        self._follows = self._follows or bar.value() >= bar.maximum()
        self._rows.grow(more)
        self._rows.extend(_FIRST_LINES)
        if not self._rows.is_complete:
            self._reading.start()
        self._fit_scroll_bars()
        self.viewport().update()

    def set_spans(self, spans: Sequence[Sequence[TextSpan]]) -> None:
        self._spans = dict(enumerate(spans))
        self.viewport().update()

    def clear(self) -> None:
        self.set_text("")

    def set_wrapped(self, *, wrapped: bool) -> None:
        """Break long lines to the width, or scroll sideways."""
        if wrapped != self._wrapped:
            top = self._top_offset()
            self._wrapped = wrapped
            self._begin(self.text)
            self._show_offset_at_top(top)

    def select(self, start: int, end: int) -> None:
        """Select a part of the text and show it.

        Args:
            start: Offset of its first letter.
            end: Offset past its last.
        """
        self._anchor, self._caret = start, end
        self._show_offset(start)
        self.viewport().update()

    def select_all(self) -> None:
        self._anchor, self._caret = 0, len(self.text)
        self.viewport().update()

    def copy(self) -> None:
        """Copy what is selected; without a selection, everything."""
        QGuiApplication.clipboard().setText(self.selected_text or self.text)

    # QWidget.find, which looks a widget up by its window id, is no use on an instance.
    def find(self, needle: str, *, backwards: bool = False) -> bool:  # type: ignore[override]
        """Go to the next place where a text stands; behind the last one begin again.

        A search that takes longer than a moment goes on while the window lives, and `find_finished` tells how it ended.

        Args:
            needle: Upper and lower case are the same; "" finds nothing.
            backwards: Whether to look for the one before.

        Returns:
            False if there is none; True if it was found, or if the search still goes on.
        """
        self._search.stop()
        self._needle = needle
        self.viewport().update()
        if not needle:
            return False
        start, end = self._selection()
        return self._search.start(text_places(self.text, needle, start if backwards else end, backwards=backwards))

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = theme_of(self)
        painter = painter_of(self.viewport())
        painter.setFont(theme.font("code"))
        needle = re.compile(re.escape(self._needle), re.IGNORECASE) if self._needle else None
        rows = self.rows_in_sight()
        previous = self._rows.row(rows.start - 1).line if 0 < rows.start <= self.row_count else -1
        for index in rows:
            row, y = self._rows.row(index), self.top_of(index)
            if row.line == self._marked_line:
                painter.fillRect(0, y, self.viewport().width(), self._grid.height, theme.color.accent_soft)
            if self._first_number is not None and row.line != previous:
                room = QRect(0, y, round(self._grid.left) - _GUTTER_GAP, self._grid.height)
                paint_number(painter, room, row.line + self._first_number, theme.color.text3)
            self._paint_row(painter, row, y, needle)
            previous = row.line

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Break the lines anew if the width changed."""
        super().resizeEvent(event)
        if self._wrapped and self._columns() != self._rows.columns:
            top = self._top_offset()
            self._begin(self.text)
            self._show_offset_at_top(top)
        self._fit_scroll_bars()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Begin a selection, or extend it with Shift."""
        if event.button() is not Qt.MouseButton.LeftButton:
            return
        self._caret = self._offset_at(event.position())
        if not event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self._anchor = self._caret
        self.viewport().update()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Extend the selection, scrolling when the pointer leaves the view."""
        if not event.buttons() & Qt.MouseButton.LeftButton:
            return
        y = event.position().y()
        bar = self.verticalScrollBar()
        if y < 0 or y > self.viewport().height():
            bar.setValue(bar.value() + (1 if y > 0 else -1))
        self._caret = self._offset_at(event.position())
        self.viewport().update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        event.accept()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        offset = self._offset_at(event.position())
        start = max(0, offset - 200)
        for word in _WORD.finditer(self.text, start, min(len(self.text), offset + 200)):
            if word.start() <= offset <= word.end():
                self._anchor, self._caret = word.span()
        self.viewport().update()

    def move_by_key(self, event: QKeyEvent) -> bool:
        """Scroll with the arrows; tell whether a key scrolls."""
        vertical, across = self.verticalScrollBar(), self.horizontalScrollBar()
        with_control = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        target = {
            Qt.Key.Key_Up: (vertical, vertical.value() - 1),
            Qt.Key.Key_Down: (vertical, vertical.value() + 1),
            Qt.Key.Key_PageUp: (vertical, vertical.value() - vertical.pageStep()),
            Qt.Key.Key_PageDown: (vertical, vertical.value() + vertical.pageStep()),
            Qt.Key.Key_Left: (across, across.value() - 4),
            Qt.Key.Key_Right: (across, across.value() + 4),
            Qt.Key.Key_Home: (vertical, 0) if with_control else (across, 0),
            Qt.Key.Key_End: (vertical, vertical.maximum()) if with_control else (across, across.maximum()),
        }.get(Qt.Key(event.key()))
        if target is None:
            return False
        target[0].setValue(target[1])
        return True

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Offer copy, select all and the breaking of lines."""
        menu = self.make_menu(((tr("Copy"), self.copy), (tr("Select all"), self.select_all)))
        wrap = QAction(tr("Break long lines"), menu)
        wrap.setCheckable(True)
        wrap.setChecked(self._wrapped)
        wrap.toggled.connect(self._on_wrap_toggled)
        menu.addSeparator()
        menu.addAction(wrap)
        menu.popup(event.globalPos())

    def _paint_row(self, painter: QPainter, row: TextRow, y: int, needle: re.Pattern[str] | None) -> None:
        first, last = self._letters_in_sight(row)
        start, end = self._selection()
        low, high = max(start, first), min(end, last)
        covered = start < end and start <= row.end and end > row.start
        selection = (low - first, max(low, high) - first) if covered and low <= last else None
        line_start = self._rows.line_start(row.line)
        look = RowLook(
            first - line_start,
            self._spans_in(row.line),
            selection,
            self._mark if row.line == self._marked_line else None,
            needle,
        )
        painter.setClipRect(round(self._grid.left) - 4, y, self.viewport().width(), self._grid.height)
        paint_row_text(painter, self._grid, y, self.text[first:last], look)
        painter.setClipping(False)

    def _spans_in(self, line: int) -> Sequence[TextSpan]:
        if self._spans_of is None:
            return self._spans.get(line, ())
        start, end = self._rows.line_start(line), self._rows.line_end(line)
        return self._spans_of(self.text[start:end]) if end - start <= _LONGEST_COLOURED else ()

    def _letters_in_sight(self, row: TextRow) -> tuple[int, int]:
        first = min(row.end, row.start + self.horizontalScrollBar().value())
        return first, min(row.end, first + self._columns() + 2)

    def _selection(self) -> tuple[int, int]:
        return min(self._anchor, self._caret), max(self._anchor, self._caret)

    def _columns(self) -> int:
        room = self.viewport().width() - self._grid.left - _PADDING
        return max(8, int(room // self._grid.cell))

    def _measure(self) -> None:
        grid = code_grid(_PADDING)
        if self._first_number is not None:
            last = self._first_number + self._rows.line_count
            grid = grid._replace(left=_NUMBER_LEFT + len(str(last)) * grid.cell + _GUTTER_GAP)
        self._grid = grid

    def _begin(self, text: str) -> None:
        """Find the first lines at once and the others later."""
        self._wanted = None
        self._follows = False
        self._rows = TextRows(text, self._columns() if self._wrapped else None)
        self._rows.extend(_FIRST_LINES)
        if self._rows.is_complete:
            self._reading.stop()
        else:
            self._reading.start()
        self._measure()
        self._fit_scroll_bars()
        self.setAccessibleDescription(text[:_DESCRIBED])
        self.viewport().update()

    def _fit_scroll_bars(self) -> None:
        columns = self._columns()
        # Wide letters fill the view with half as many, so the end of a line needs half a view more.
        spare = 0 if self.text.isascii() else columns // 2
        self.fit_scroll_bars(columns, 0 if self._wrapped else self._rows.longest + spare + 1)
        if self._follows:
            self.verticalScrollBar().setValue(self.verticalScrollBar().maximum())
            self._follows = not self._rows.is_complete

    def _offset_at(self, point: QPointF) -> int:
        index = self.row_at(point)
        if index < 0:
            return 0
        if index >= self.row_count:
            return len(self.text)
        first, last = self._letters_in_sight(self._rows.row(index))
        wanted = (point.x() - self._grid.left) / self._grid.cell
        cells = cells_before(self.text[first:last])
        nearest = min(range(len(cells)), key=lambda letter: abs(cells[letter] - wanted))
        return first + nearest

    def _top_offset(self) -> int:
        top = self.verticalScrollBar().value()
        return self._letters_in_sight(self._rows.row(top))[0] if top < self._rows.row_count else 0

    def _show_offset_at_top(self, offset: int) -> None:
        if self._rows.covers(offset):
            self.verticalScrollBar().setValue(self._rows.row_of(offset))
        else:
            self._wanted = offset

    def _show_offset(self, offset: int) -> None:
        """Scroll a letter into the view, now or when its line was found."""
        if not self._rows.covers(offset):
            self._wanted = offset
            return
        index = self._rows.row_of(offset)
        self.show_row(index)
        if not self._wrapped:
            across, letter = self.horizontalScrollBar(), offset - self._rows.row(index).start
            if not across.value() <= letter < across.value() + self._columns() - 8:
                across.setValue(max(0, letter - self._columns() // 3))

    def _show_found(self, place: int) -> bool:
        self.select(place, place + len(self._needle))
        return True

    def _on_reading_timeout(self) -> None:
        end = time.perf_counter() + _SLICE_S
        while not self._rows.is_complete and time.perf_counter() < end:
            self._rows.extend(_LINES_AT_ONCE)
        if self._rows.is_complete:
            self._reading.stop()
            self._measure()
        self._fit_scroll_bars()
        if self._wanted is not None and self._rows.covers(self._wanted):
            wanted, self._wanted = self._wanted, None
            self._show_offset(wanted)
        self.viewport().update()

    def _on_wrap_toggled(self, wrapped: bool) -> None:
        self.set_wrapped(wrapped=wrapped)
