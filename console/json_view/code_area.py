"""Rows of code of which only those in sight are looked at: how they scroll, and what can be done with them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QWidget

from console.theme import theme_of
from console.widgets import Menu


class CodeArea(QAbstractScrollArea):
    """Scroll by rows and columns. A subclass knows the rows and paints them."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
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
        """Return a menu of what can be done with the text."""
        menu = Menu("Text", self)
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
