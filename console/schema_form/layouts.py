"""Layouts that wrap and put rows into columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QEvent, QMargins, QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import QApplication, QLayout, QLayoutItem, QScrollArea, QSizePolicy, QStyle, QWidget

TWO_COLUMNS_FROM: Final = 700
_UNLIMITED: Final = 16_777_215
_COLUMN_GAP: Final = 32
_LINE_GAP: Final = 4
ROW_GAP: Final = 8


class _ItemsLayout(QLayout):
    """Keep a list of items and answer sizes by laying them out without moving them."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._items: list[QLayoutItem] = []
        self._height_by_width: dict[int, int] = {}
        self.setContentsMargins(QMargins())

    def addItem(self, item: QLayoutItem) -> None:
        self._items.append(item)

    def set_widgets(self, widgets: Sequence[QWidget]) -> None:
        """Lay out and show these widgets in this order; those that were there and are not named are let go."""
        wanted, known = set(widgets), {widget for item in self._items if (widget := item.widget()) is not None}
        for widget in known - wanted:
            self.removeWidget(widget)
        for widget in widgets:
            if widget not in known:
                self.addWidget(widget)
        # Qt owns the items and deletes them with their widgets, so they are only put in order.
        item_by_widget = {item.widget(): item for item in self._items}
        self._items = [item_by_widget[widget] for widget in widgets]
        # Laid out once for all of them, not whenever one is shown.
        self.setEnabled(False)
        for widget in widgets:
            # Shown with their parent where that is not in sight: `show` would lay out each of them now, and again then.
            if widget.isHidden():
                widget.show()
        self.setEnabled(True)
        self.invalidate()

    def count(self) -> int:
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:
        return Qt.Orientation(0)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        if width not in self._height_by_width:
            self._height_by_width[width] = self._arrange(QRect(0, 0, width, 0), move=False)
        return self._height_by_width[width]

    def invalidate(self) -> None:
        self._height_by_width.clear()
        super().invalidate()

    def setGeometry(self, rect: QRect) -> None:
        super().setGeometry(rect)
        self._arrange(rect, move=True)

    def sizeHint(self) -> QSize:
        return self.minimumSize()

    def minimumSize(self) -> QSize:
        size = QSize(0, 0)
        for item in self._items:
            size = size.expandedTo(item.minimumSize())
        margins = self.contentsMargins()
        return size + QSize(margins.left() + margins.right(), margins.top() + margins.bottom())

    def _place(self, item: QLayoutItem, rect: QRect) -> None:
        """Give an item its place, counted from where reading begins."""
        parent = self.parentWidget()
        direction = Qt.LayoutDirection.LeftToRight if parent is None else parent.layoutDirection()
        item.setGeometry(QStyle.visualRect(direction, self.geometry(), rect))

    def _arrange(self, rect: QRect, *, move: bool) -> int:
        """Place the items in a rectangle and return the height they take."""
        raise NotImplementedError


class FlowLayout(_ItemsLayout):
    """Put widgets one behind the other and start another line when the width is used up."""

    def __init__(self, spacing: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._spacing = spacing

    def _arrange(self, rect: QRect, *, move: bool) -> int:
        inner = rect.marginsRemoved(self.contentsMargins())
        x, y, line = inner.x(), inner.y(), 0
        row: list[tuple[QLayoutItem, QRect]] = []
        for item in self._items:
            if item.isEmpty():
                continue
            size = item.sizeHint().boundedTo(QSize(max(1, inner.width()), _UNLIMITED))
            expands = bool(item.expandingDirections() & Qt.Orientation.Horizontal)
            if row and x + size.width() > inner.right() + 1:
                self._finish(row, line, move=move)
                row, x, y, line = [], inner.x(), y + line + _LINE_GAP, 0
            width = max(size.width(), inner.right() + 1 - x) if expands else size.width()
            row.append((item, QRect(QPoint(x, y), QSize(width, size.height()))))
            x += width + self._spacing
            line = max(line, size.height())
        self._finish(row, line, move=move)
        margins = self.contentsMargins()
        return y + line - inner.y() + margins.top() + margins.bottom()

    def _finish(self, row: list[tuple[QLayoutItem, QRect]], height: int, *, move: bool) -> None:
        if not move:
            return
        for item, rect in row:
            # What is lower than the line stands in its middle.
            self._place(item, rect.translated(0, (height - rect.height()) // 2))


class ColumnsLayout(_ItemsLayout):
    """Put rows into two columns, read from left to right, and into one where there is little room.

    A widget whose size policy asks to expand takes the whole width.
    """

    def __init__(self, parent: QWidget | None = None, *, single: bool = False) -> None:
        super().__init__(parent)
        self._double_from = _UNLIMITED if single else TWO_COLUMNS_FROM

    def minimumSize(self) -> QSize:
        # That policy forbids to get narrower than the size hint, which for large texts is as wide as they stand now.
        size = super().minimumSize()
        return QSize(max((self._least_width(item) for item in self._items), default=0), size.height())

    @staticmethod
    def _least_width(item: QLayoutItem) -> int:
        widget = item.widget()
        return item.minimumSize().width() if widget is None else widget.minimumSizeHint().width()

    def _arrange(self, rect: QRect, *, move: bool) -> int:
        inner = rect.marginsRemoved(self.contentsMargins())
        is_double = inner.width() >= self._double_from
        column = (inner.width() - _COLUMN_GAP) // 2 if is_double else inner.width()
        y, row = inner.y(), list[tuple[QLayoutItem, QRect]]()
        for item in self._items:
            if item.isEmpty():
                continue
            is_full = not is_double or self._is_wide(item)
            if row and (is_full or len(row) == 2):
                y, row = self._finish_row(row, y, move=move) + ROW_GAP, []
            x = inner.x() + (column + _COLUMN_GAP if row else 0)
            row.append((item, QRect(x, y, inner.width() if is_full else column, 0)))
            if is_full:
                y, row = self._finish_row(row, y, move=move) + ROW_GAP, []
        bottom = self._finish_row(row, y, move=move) if row else y - (ROW_GAP if self._items else 0)
        margins = self.contentsMargins()
        return max(0, bottom - inner.y()) + margins.top() + margins.bottom()

    def _finish_row(self, row: list[tuple[QLayoutItem, QRect]], y: int, *, move: bool) -> int:
        heights = [
            item.heightForWidth(rect.width()) if item.hasHeightForWidth() else item.sizeHint().height()
            for item, rect in row
        ]
        if move:
            for (item, rect), height in zip(row, heights, strict=True):
                self._place(item, QRect(rect.topLeft(), QSize(rect.width(), height)))
        return y + max(heights)

    @staticmethod
    def _is_wide(item: QLayoutItem) -> bool:
        widget = item.widget()
        return widget is not None and widget.sizePolicy().horizontalPolicy() is QSizePolicy.Policy.MinimumExpanding


_MARGIN: Final = 12


def bring_into_view(widget: QWidget) -> None:
    """Scroll what is around a widget so that it shows, also when it was made just now and has no place yet."""
    area = widget.parentWidget()
    while area is not None and not isinstance(area, QScrollArea):
        area = area.parentWidget()
    # Each level lays out the next one.
    for _ in range(4):
        QApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest.value)
    if area is not None:
        area.ensureWidgetVisible(widget, 0, _MARGIN)
