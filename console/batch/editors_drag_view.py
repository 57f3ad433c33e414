"""Rows of the plan dragged by their number to another place."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QApplication, QTableView, QWidget

from console.theme import theme_of

_SCROLL_MS: Final = 40
_EDGE: Final = 24


class _Line(QWidget):
    """Where the rows would go."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()

    def paintEvent(self, event: QPaintEvent) -> None:
        color = theme_of(self).color.accent
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(4, 2, self.width() - 4, 2, color)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(color)
        painter.drawEllipse(0, 0, 6, 6)


class RowDrag(QObject):
    """Let rows of a table be dragged by one column.

    Args:
        table: The table.
        column: By which column rows are taken.

    Signals:
        dropped(int): The selected rows are to stand before the row that is listed here; behind the last one, the
            number of rows.
    """

    dropped = Signal(int)

    def __init__(self, table: QTableView, column: int) -> None:
        super().__init__(table)
        self._table = table
        self._column = column
        self._line = _Line(table.viewport())
        self._pressed: QPoint | None = None
        self._is_dragging = False
        self._before = -1
        self._here = QPoint()
        self._scrolling = QTimer(self)
        self._scrolling.setInterval(_SCROLL_MS)
        self._scrolling.timeout.connect(self._on_scrolling_timeout)
        self.is_enabled = True
        table.viewport().installEventFilter(self)
        table.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the pointer from a press on a row's number to its release."""
        if isinstance(event, QKeyEvent):
            return event.type() is QEvent.Type.KeyPress and self._is_given_up(event)
        if not isinstance(event, QMouseEvent) or watched is not self._table.viewport():
            return False
        match event.type():
            case QEvent.Type.MouseButtonPress:
                return self._press(event)
            case QEvent.Type.MouseMove:
                return self._move(event)
            case QEvent.Type.MouseButtonRelease:
                return self._release()
            case _:
                return False

    def _press(self, event: QMouseEvent) -> bool:
        place = event.position().toPoint()
        index = self._table.indexAt(place)
        if event.button() is not Qt.MouseButton.LeftButton or index.column() != self._column or not self.is_enabled:
            return False
        self._pressed = place
        # Of several that are selected all are dragged: a press must not make it one.
        plain = event.modifiers() == Qt.KeyboardModifier.NoModifier
        return plain and self._table.selectionModel().isRowSelected(index.row())

    def _move(self, event: QMouseEvent) -> bool:
        self._here = event.position().toPoint()
        if self._pressed is None:
            self._show_grip(self._here)
            return False
        far = (self._here - self._pressed).manhattanLength() >= QApplication.startDragDistance()
        if not self._is_dragging and far:
            self._is_dragging = True
            self._table.viewport().setCursor(Qt.CursorShape.ClosedHandCursor)
            self._scrolling.start()
        if self._is_dragging:
            self._show_line()
        return True

    def _release(self) -> bool:
        pressed, self._pressed = self._pressed, None
        if pressed is None:
            return False
        if not self._is_dragging:
            index = self._table.indexAt(pressed)
            if len(self._table.selectionModel().selectedRows()) > 1:
                self._table.selectRow(index.row())
            return False
        before = self._before
        self._end()
        self.dropped.emit(before)
        return True

    def _is_given_up(self, event: QKeyEvent) -> bool:
        if event.key() != Qt.Key.Key_Escape or not self._is_dragging:
            return False
        self._pressed = None
        self._end()
        return True

    def _end(self) -> None:
        self._is_dragging = False
        self._scrolling.stop()
        self._line.hide()
        self._table.viewport().unsetCursor()

    def _show_grip(self, place: QPoint) -> None:
        index = self._table.indexAt(place)
        if self.is_enabled and index.isValid() and index.column() == self._column:
            self._table.viewport().setCursor(Qt.CursorShape.OpenHandCursor)
        else:
            self._table.viewport().unsetCursor()

    def _show_line(self) -> None:
        model, height = self._table.model(), self._table.viewport().height()
        row = self._table.rowAt(min(max(self._here.y(), 0), height - 1))
        if row < 0:
            self._before = model.rowCount()
        else:
            cell = self._table.visualRect(model.index(row, self._column))
            self._before = row if self._here.y() < cell.center().y() else row + 1
        if self._before < model.rowCount():
            y = self._table.visualRect(model.index(self._before, self._column)).top()
        else:
            y = self._table.visualRect(model.index(self._before - 1, self._column)).bottom() + 1
        self._line.setGeometry(0, y - 3, self._table.viewport().width(), 6)
        self._line.show()
        self._line.raise_()

    def _on_scrolling_timeout(self) -> None:
        bar, y, height = self._table.verticalScrollBar(), self._here.y(), self._table.viewport().height()
        if y < _EDGE:
            bar.setValue(bar.value() - (_EDGE - y))
        elif y > height - _EDGE:
            bar.setValue(bar.value() + y - (height - _EDGE))
        else:
            return
        self._show_line()
