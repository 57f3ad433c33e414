"""Code on the screen: painted lines, and the area that scrolls and selects them."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QAction, QColor, QFontMetricsF, QKeyEvent, QKeySequence, QPainter
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QWidget

from console.json_view.text_lines import TextSpan, cells_before
from console.language import tr
from console.theme import Theme, theme_of
from console.widgets import Menu, paint_box

_FIRST_COMBINING: Final = "\u0300"
_RIGHT: Final = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)


class Grid(NamedTuple):
    """Where cells are.

    Attributes:
        left: Left edge of the first cell in logical pixels.
        cell: Width of a cell in logical pixels.
        height: Height of a row in logical pixels.
        baseline: From the top of a row to its baseline, in logical pixels.
    """

    left: float
    cell: float
    height: int
    baseline: float


def code_grid(left: float) -> Grid:
    """Return the cells of the code face.

    Args:
        left: Left edge of the first cell in logical pixels.
    """
    theme = theme_of()
    metrics, height = QFontMetricsF(theme.font("code")), theme.line_height("code")
    return Grid(left, metrics.horizontalAdvance("0"), height, (height - metrics.height()) / 2 + metrics.ascent())


def paint_number(painter: QPainter, room: QRect, number: int, ink: QColor) -> None:
    """Paint the number of a line, its last digit at the right edge of the room; in the painter's font."""
    painter.setPen(ink)
    painter.drawText(room, _RIGHT, str(number))


class RowLook(NamedTuple):
    """What is special in a part of a line that is painted.

    Attributes:
        offset: Which letter of its line the part begins with.
        spans: The coloured parts of the line.
        selection: First selected letter of the part and the one past the last; None for none.
        mark: The letters of the line that are meant; None for none.
        needle: What is searched; None for nothing.
        ink: The colour of what has no other; None for that of text.
    """

    offset: int = 0
    spans: Sequence[TextSpan] = ()
    selection: tuple[int, int] | None = None
    mark: tuple[int, int] | None = None
    needle: re.Pattern[str] | None = None
    ink: QColor | None = None


def paint_row_text(painter: QPainter, grid: Grid, y: int, text: str, look: RowLook) -> None:
    """Paint a part of a line.

    Args:
        painter: Where to paint; its font is the code face.
        y: Top of the row in logical pixels.
        text: What is painted: some hundred letters at most.
    """
    theme = theme_of()
    cells = cells_before(text)
    if look.selection is not None:
        start, end = look.selection
        area = QRectF(
            _x(grid, cells[start]), y, max(grid.cell / 2, (cells[end] - cells[start]) * grid.cell), grid.height
        )
        painter.fillRect(area, theme.color.selected)
    marks = [found.span() for found in look.needle.finditer(text)] if look.needle is not None else []
    if look.mark is not None:
        marks.append((look.mark[0] - look.offset, look.mark[1] - look.offset))
    for start, end in marks:
        letters = max(0, start), min(len(text), end)
        if letters[0] < letters[1]:
            left, right = (round(_x(grid, cells[letter])) for letter in letters)
            box = QRect(left - 1, y + 2, right - left + 2, grid.height - 4)
            paint_box(painter, box, 2, fill=theme.color.match_bg)
    for start, end, color in _parts(text, look, marks, theme):
        painter.setPen(color)
        _draw(painter, grid, y, text[start:end], cells[start:])


def _x(grid: Grid, cells: int) -> float:
    return grid.left + cells * grid.cell


def _parts(text: str, look: RowLook, marks: Sequence[tuple[int, int]], theme: Theme) -> list[tuple[int, int, QColor]]:
    """Cut the text where its colour changes."""
    ink = look.ink if look.ink is not None else theme.color.text
    if not look.spans and not marks:
        return [(0, len(text), ink)]
    colors = [ink] * len(text)
    for span in look.spans:
        start, end = max(0, span.start - look.offset), min(len(text), span.end - look.offset)
        if start < end and span.kind != "text":
            colors[start:end] = [getattr(theme.syntax, span.kind)] * (end - start)
    for mark in marks:
        start, end = max(0, mark[0]), min(len(text), mark[1])
        if start < end:
            colors[start:end] = [theme.color.match_text] * (end - start)
    parts: list[tuple[int, int, QColor]] = []
    position = 0
    for color, run in itertools.groupby(colors):
        end = position + sum(1 for _ in run)
        parts.append((position, end, color))
        position = end
    return parts


def _draw(painter: QPainter, grid: Grid, y: int, text: str, cells: list[int]) -> None:
    baseline = y + grid.baseline
    if "\t" not in text and (text.isascii() or max(text) < _FIRST_COMBINING):
        painter.drawText(QPointF(_x(grid, cells[0]), baseline), text)
        return
    # A letter of another width stands in its own cells; what combines with the letter before it stays with it.
    start = 0
    for index in range(1, len(text) + 1):
        if index < len(text) and cells[index + 1] == cells[index]:
            continue
        if text[start] != "\t":
            painter.drawText(QPointF(_x(grid, cells[start]), baseline), text[start:index])
        start = index


class CodeArea(QAbstractScrollArea):
    """Scroll by rows and columns. A subclass knows the rows and paints them."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        # Code is read from left to right by everybody.
        self.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        # What lies behind shows through: the text stands on pages, panels and cards.
        self.viewport().setAutoFillBackground(False)
        self.verticalScrollBar().setSingleStep(1)

    @property
    def row_count(self) -> int:
        raise NotImplementedError

    def copy(self) -> None:
        raise NotImplementedError

    def select_all(self) -> None:
        raise NotImplementedError

    def move_by_key(self, event: QKeyEvent) -> bool:
        """Scroll or move as a key says; tell whether it says so."""
        raise NotImplementedError

    def rows_in_sight(self) -> range:
        """Return the rows that stand in the view, the last one perhaps in part."""
        top = self.verticalScrollBar().value()
        return range(top, min(top + self.viewport().height() // self._row_height() + 2, self.row_count))

    def top_of(self, index: int) -> int:
        """Return where a row begins in the view, in logical pixels."""
        return (index - self.verticalScrollBar().value()) * self._row_height()

    def row_at(self, point: QPointF) -> int:
        """Return the row at a place in the view; beside the text one before the first or behind the last."""
        return self.verticalScrollBar().value() + int(point.y() // self._row_height())

    def show_row(self, index: int) -> None:
        bar = self.verticalScrollBar()
        if not bar.value() <= index < bar.value() + bar.pageStep():
            bar.setValue(index - bar.pageStep() // 3)

    def fit_scroll_bars(self, columns: int, widest: int) -> None:
        """Let the scroll bars reach the last row and the last column.

        Args:
            columns: How many cells stand beside each other in the view.
            widest: How many the longest row needs.
        """
        bar, across = self.verticalScrollBar(), self.horizontalScrollBar()
        rows = max(1, self.viewport().height() // self._row_height())
        bar.setPageStep(rows)
        bar.setRange(0, max(0, self.row_count - rows))
        across.setPageStep(columns)
        across.setRange(0, max(0, widest - columns))

    def make_menu(self, actions: Sequence[tuple[str, Callable[[], None]]]) -> Menu:
        menu = Menu(tr("Text"), self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for words, slot in actions:
            action = QAction(words, menu)
            action.triggered.connect(slot)
            menu.addAction(action)
        return menu

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Copy, select all, scroll or move."""
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy()
        elif event.matches(QKeySequence.StandardKey.SelectAll):
            self.select_all()
        elif not self.move_by_key(event):
            super().keyPressEvent(event)

    def _row_height(self) -> int:
        return theme_of(self).line_height("code")
