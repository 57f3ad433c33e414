"""A tree of single lines that paints its rows whole: guides, chevrons, and more rows as one scrolls to the last."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from PySide6.QtCore import QEvent, QModelIndex, QPersistentModelIndex, QPoint, QPointF, QRect, QSize, Qt, QTimer
from PySide6.QtGui import QColor, QContextMenuEvent, QFontMetricsF, QMouseEvent, QPainter
from PySide6.QtWidgets import QAbstractItemView, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QTreeView, QWidget

from console.assets import paint_icon
from console.json_view.model import GrowingModel, Index
from console.json_view.pretty import line_of
from console.theme import Theme, theme_of
from console.widgets import paint_match, paint_text

_PROBLEM_GAP: Final = 16
_PROBLEM_ICON: Final = 14
_LEAST_PROBLEM: Final = 60


def paint_pieces(
    painter: QPainter, rect: QRect, left: float, end: float, pieces: Iterable[tuple[str, QColor]]
) -> float:
    """Paint pieces of code one behind the other, cut off where the room ends.

    Args:
        painter: Where to paint.
        rect: The row.
        left: Where the first piece begins, in logical pixels.
        end: Where the room ends, in logical pixels.
        pieces: Each text with its colour.

    Returns:
        Where the last piece ends, in logical pixels.
    """
    font = theme_of().font("code")
    painter.setFont(font)
    metrics = QFontMetricsF(font)
    cell = metrics.horizontalAdvance("0")
    baseline = rect.y() + (rect.height() - metrics.height()) / 2 + metrics.ascent()
    for piece, ink in pieces:
        text = piece
        room = end - left
        if room <= 0:
            break
        # The letters of the code face are all as wide; to measure them takes as long as to paint them.
        width = len(text) * cell
        if width > room or not text.isascii():
            text = metrics.elidedText(text, Qt.TextElideMode.ElideRight, room)
            width = metrics.horizontalAdvance(text)
        painter.setPen(ink)
        painter.drawText(QPointF(left, baseline), text)
        left += width
    return left


class LineDelegate(QStyledItemDelegate):
    """Say how high the rows of a tree are that paints its lines itself."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(200, theme_of().size.row_tree)


class JsonLineDelegate(LineDelegate):
    """Paint the line of a value.

    Attributes:
        needle: What is searched, in lower case; "" for nothing.
    """

    def __init__(self) -> None:
        super().__init__()
        self.needle = ""

    def paint_line(
        self,
        painter: QPainter,
        rect: QRect,
        key: str | int | None,
        value: Any,
        *,
        is_open: bool,
        selected: bool,
        problem: str = "",
    ) -> None:
        """Paint a line.

        Args:
            painter: Where to paint.
            rect: The room there is, in logical pixels.
            key: The value's name or position; None for the whole.
            value: The value.
            is_open: Whether what is inside is shown below.
            selected: Whether the row is chosen.
            problem: What is wrong with the value; "" for nothing.
        """
        theme = theme_of()
        pieces = line_of(key, value, is_open=is_open)
        if self.needle:
            line = "".join(piece.text for piece in pieces)
            paint_match(painter, rect, line, _spans(self.needle, line), theme)
        end = rect.right() + 1 - (_LEAST_PROBLEM + _PROBLEM_GAP if problem else 0)
        inked = [(piece.text, piece_ink(piece.kind, theme, selected=selected)) for piece in pieces]
        left = paint_pieces(painter, rect, rect.x(), end, inked)
        if problem:
            _paint_problem(painter, QRect(round(left) + _PROBLEM_GAP, rect.y(), 0, rect.height()), rect, problem, theme)


def _paint_problem(painter: QPainter, at: QRect, within: QRect, problem: str, theme: Theme) -> None:
    ink = theme.status.error.text
    top = at.y() + (at.height() - _PROBLEM_ICON) // 2
    paint_icon(painter, QRect(at.x(), top, _PROBLEM_ICON, _PROBLEM_ICON), "circle-alert", ink, theme)
    room = QRect(at.x() + _PROBLEM_ICON + 6, at.y(), 0, at.height())
    room.setRight(within.right())
    paint_text(painter, room, problem, theme.font("small"), ink)


def piece_ink(kind: str, theme: Theme, *, selected: bool) -> QColor:
    """Return the colour of a piece of a line.

    Args:
        kind: What `line_of` calls the piece.
        theme: Has the colours.
        selected: Whether the row is chosen.
    """
    if kind == "text3":
        return theme.color.text2 if selected else theme.color.text3
    color: QColor = getattr(theme.syntax, kind)
    return color


def _spans(needle: str, line: str) -> list[tuple[int, int]]:
    """Find a text in a line that is painted; upper and lower case are the same."""
    low, spans, start = line.casefold(), [], 0
    if len(low) != len(line):
        return []
    while (start := low.find(needle, start)) >= 0:
        spans.append((start, start + len(needle)))
        start += len(needle)
    return spans


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
        if event.button() is Qt.MouseButton.LeftButton and self._toggle_at(event.position().toPoint()):
            return
        super().mousePressEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
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
