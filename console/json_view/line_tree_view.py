"""A tree of single lines that paints its rows whole: guides, chevrons, and more rows as one scrolls to the last."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEvent, QModelIndex, QPersistentModelIndex, QPoint, QRect, Qt, QTimer
from PySide6.QtGui import QContextMenuEvent, QMouseEvent, QPainter
from PySide6.QtWidgets import QAbstractItemView, QStyle, QStyleOptionViewItem, QTreeView, QWidget

from console.assets import paint_icon
from console.json_view.growing import GrowingModel, Index
from console.json_view.tree_painting import LineDelegate
from console.theme import theme_of

_LINE_GAP: Final = 20
_TOP: Final = 4
_CHEVRON_SIZE: Final = 14
_CHEVRON_REACH: Final = (4, 18)
"""How far from the left edge of a chevron, before and behind, a click opens and closes the row."""


class LineTreeView(QTreeView):
    """Show a tree; a subclass paints the lines.

    Args:
        model: The rows.
        delegate: Says how high they are.
        chevron_left: Where the chevrons of the top rows stand, in logical pixels.
        parent: Its owner.
    """

    def __init__(
        self, model: GrowingModel, delegate: LineDelegate, *, chevron_left: int, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._growing = model
        self._chevron_left = chevron_left
        self._hovered = QPersistentModelIndex()
        self._behind = QPersistentModelIndex()
        self._is_fetching = False
        model.setParent(self)
        delegate.setParent(self)
        self.setModel(model)
        self.setItemDelegate(delegate)
        self.setHeaderHidden(True)
        self.setUniformRowHeights(True)
        self.setIndentation(theme_of(self).size.indent)
        self.setExpandsOnDoubleClick(False)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setViewportMargins(0, _TOP, 0, 0)
        self.setMouseTracking(True)

    def paint_line(self, painter: QPainter, rect: QRect, index: Index) -> None:
        """Paint a row, with `paint_guides` somewhere in it.

        Args:
            painter: Where to paint.
            rect: The whole row, from one edge of the view to the other.
            index: Which row.
        """
        raise NotImplementedError

    def opens_anywhere(self, index: Index) -> bool:
        """Tell whether a click opens and closes a row wherever it lands, not only at the chevron."""
        return False

    def line_left(self, index: Index) -> int:
        """Return where the line of a row begins, in logical pixels."""
        return self._chevron_left + _LINE_GAP + self._depth(index) * self.indentation()

    def row_option(self, rect: QRect, index: Index) -> QStyleOptionViewItem:
        """Return how a row stands, for `paint_row`."""
        option = QStyleOptionViewItem()
        option.rect = rect
        state = QStyle.StateFlag.State_Active if self.hasFocus() else QStyle.StateFlag.State_None
        if self.selectionModel().isSelected(index):
            state |= QStyle.StateFlag.State_Selected
        if index == self._hovered:
            state |= QStyle.StateFlag.State_MouseOver
        option.state = state
        return option

    def paint_guides(self, painter: QPainter, rect: QRect, index: Index) -> None:
        """Paint the lines that lead down from what a row lies in, and its chevron if there is something inside."""
        theme = theme_of(self)
        depth = self._depth(index)
        for level in range(depth):
            x = self._chevron_left + 8 + level * self.indentation()
            painter.fillRect(x, rect.y(), 1, rect.height(), theme.color.guide)
        if self._growing.hasChildren(index):
            left = self._chevron_left + depth * self.indentation() + 1
            name = "chevron-down" if self.isExpanded(index) else "chevron-right"
            box = QRect(left, rect.y(), _CHEVRON_SIZE, rect.height())
            paint_icon(painter, box, name, theme.color.border_field, theme)

    def menu_place(self, event: QContextMenuEvent) -> QPoint:
        """Return where on the screen a menu stands: at the pointer, or under the chosen line if a key asked for it."""
        if event.reason() is QContextMenuEvent.Reason.Mouse:
            return event.globalPos()
        below = self.visualRect(self.currentIndex()).bottom()
        return self.viewport().mapToGlobal(QPoint(self._chevron_left + _LINE_GAP, below))

    def drawRow(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paint a whole row, and have more made behind the last one."""
        rect: QRect = option.rect
        self.paint_line(painter, QRect(0, rect.y(), self.viewport().width(), rect.height()), index)
        self._fetch_behind(index)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Open and close at the chevron."""
        if event.button() is Qt.MouseButton.LeftButton and self._toggle_at(event.position().toPoint()):
            return
        super().mousePressEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Open and close on the line too."""
        index = self.indexAt(event.position().toPoint())
        if index.isValid() and not self._toggle_at(event.position().toPoint()):
            self.setExpanded(index, not self.isExpanded(index))

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() in {QEvent.Type.HoverMove, QEvent.Type.MouseMove} and isinstance(event, QMouseEvent):
            self._hover(self.indexAt(event.position().toPoint()))
        elif event.type() is QEvent.Type.Leave:
            self._hover(QModelIndex())
        return super().viewportEvent(event)

    def _depth(self, index: Index) -> int:
        depth = 0
        while (index := index.parent()).isValid():
            depth += 1
        return depth

    def _toggle_at(self, point: QPoint) -> bool:
        index = self.indexAt(point)
        if not index.isValid() or not self._growing.hasChildren(index):
            return False
        left = self._chevron_left + self._depth(index) * self.indentation()
        before, behind = _CHEVRON_REACH
        if not self.opens_anywhere(index) and not left - before <= point.x() < left + behind:
            return False
        self.setExpanded(index, not self.isExpanded(index))
        return True

    def _hover(self, index: QModelIndex) -> None:
        if self._hovered != index:
            self._hovered = QPersistentModelIndex(index)
            self.viewport().update()

    def _fetch_behind(self, index: Index) -> None:
        """Make more rows when the last one made comes into sight; not while painting."""
        parent = index.parent()
        is_last = parent.isValid() and index.row() == self._growing.rowCount(parent) - 1
        if is_last and self._growing.has_more(parent) and not self._is_fetching:
            self._is_fetching = True
            self._behind = QPersistentModelIndex(parent)
            QTimer.singleShot(0, self._on_fetch_due)

    def _on_fetch_due(self) -> None:
        self._is_fetching = False
        if self._behind.isValid():
            self._growing.make_more(self._behind)
