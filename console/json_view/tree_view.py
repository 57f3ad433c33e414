"""The tree of a JSON value: one line for each value, guides, closed objects summarised."""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Iterable
from typing import Any, Final

from PySide6.QtCore import (
    QEvent,
    QKeyCombination,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QPointF,
    QRect,
    QSize,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import (
    QAction,
    QColor,
    QContextMenuEvent,
    QFontMetricsF,
    QGuiApplication,
    QHelpEvent,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QToolTip,
    QTreeView,
    QWidget,
)

from console.assets import paint_icon
from console.json_view.finding import Keys, LastingSearch, SchemaHints, places, walk
from console.json_view.model import GrowingModel, Index, JsonTreeModel, WritePath
from console.json_view.pretty import is_container, is_list_of_rows, json_path, json_text, line_of, plain_text
from console.language import tr
from console.theme import Theme, theme_of
from console.widgets import Menu, paint_match, paint_row, paint_text

_PROBLEM_GAP: Final = 16
_PROBLEM_ICON: Final = 14
_LEAST_PROBLEM: Final = 60


def paint_pieces(
    painter: QPainter, rect: QRect, left: float, end: float, pieces: Iterable[tuple[str, QColor]]
) -> float:
    """Paint pieces of code one behind the other, cut off where the room ends.

    Args:
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
            rect: The room there is, in logical pixels.
            key: The value's name or position; None for the whole.
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
        chevron_left: Where the chevrons of the top rows stand, in logical pixels.
    """

    def __init__(
        self, model: GrowingModel, delegate: LineDelegate, *, chevron_left: int, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        # Code is read from left to right by everybody.
        self.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
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
            rect: The whole row, from one edge of the view to the other.
        """
        raise NotImplementedError

    def opens_anywhere(self, index: Index) -> bool:
        """Tell whether a click opens and closes a row wherever it lands, not only at the chevron."""
        return False

    def line_left(self, index: Index) -> int:
        """Return where the line of a row begins, in logical pixels."""
        return self._chevron_left + _LINE_GAP + self._depth(index) * self.indentation()

    def row_option(self, rect: QRect, index: Index) -> QStyleOptionViewItem:
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
        painter.setLayoutDirection(self.layoutDirection())
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


_CHEVRON_LEFT: Final = 10
_ROWS_OPENED: Final = 24
_MOST_OPENED: Final = 5000
_LEVELS: Final = 5
_COPY_PATH: Final = QKeyCombination(
    Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier, Qt.Key.Key_C
)


class JsonTreeView(LineTreeView):
    """Show a JSON value of any size as a tree. Set its accessible name where it is used.

    Ctrl+C copies the value, Ctrl+Shift+C its path; `*` opens all inside a row. The context menu has the rest.

    Signals:
        path_selected(str, object): A value was chosen: its JSONPath and itself.
        find_finished(bool): A search that `find` had to leave unfinished ended: whether the text was found.
        table_requested(object): A list is to be shown as a table: names and positions from the whole to it.
        opened_only(int): There was more to open than so many rows, which are open now.
    """

    path_selected = Signal(str, object)
    find_finished = Signal(bool)
    table_requested = Signal(object)
    opened_only = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        model, delegate = JsonTreeModel(), JsonLineDelegate()
        super().__init__(model, delegate, chevron_left=_CHEVRON_LEFT, parent=parent)
        self.json_model, self._delegate = model, delegate
        self._hints: SchemaHints | None = None
        self._search = LastingSearch(self.select, self)
        self._search.finished.connect(self.find_finished)

    def set_value(self, value: Any, path_of: WritePath = json_path) -> None:
        """Show another value: the whole open, and what is inside as far as that stays short.

        Args:
            value: Any JSON value; it must not change while it is shown.
        """
        self._search.stop()
        self._hints = None
        self.json_model.set_value(value, path_of)
        self._open_first_rows()

    def clear(self) -> None:
        """Show nothing, and let the value go."""
        self._search.stop()
        self._hints = None
        self.json_model.clear()

    def select(self, keys: Keys) -> bool:
        """Choose a value, opening what it lies in; tell whether there is such a value.

        Args:
            keys: Names and positions from the whole to the value.
        """
        index = self.json_model.index_of(list(keys))
        if not index.isValid():
            return False
        self.setCurrentIndex(index)
        self.scrollTo(index)
        return True

    def show_hints(self, hints: SchemaHints | None) -> None:
        """Show what a schema says of the values: titles in the tool tips, and what does not fit beside it."""
        self._hints = hints
        self.viewport().update()

    def open_to_level(self, level: int) -> None:
        """Open everything above a level and close what lies deeper; of a huge value as much as a person can use.

        Args:
            level: 1 shows what is directly inside the whole; the whole is always open.
        """
        self.collapseAll()
        self._open_below(self.json_model.index(0, 0), level)

    def open_all_inside(self) -> None:
        """Open everything inside the chosen value; of a huge one as much as a person can use."""
        self._open_below(self.currentIndex(), None)

    # QWidget.find, which looks a widget up by its window id, is no use on an instance.
    def find(self, needle: str, *, backwards: bool = False, names_only: bool = False) -> bool:  # type: ignore[override]
        """Go to the next name or value that holds a text; behind the last one begin again.

        The value is searched, not the rows, so closed parts count too. A search that takes longer than a moment goes
        on while the window lives, and `find_finished` tells how it ended.

        Args:
            needle: Upper and lower case are the same; "" finds nothing.
            backwards: Whether to look for the one before.
            names_only: Whether values do not count.

        Returns:
            False if there is none; True if it was found, or if the search still goes on.
        """
        self._search.stop()
        self._delegate.needle = needle.casefold()
        self.viewport().update()
        if not needle or not self.json_model.rowCount():
            return False
        current = self.currentIndex()
        after = tuple(self.json_model.keys_at(current)) if current.isValid() else None
        whole = self.json_model.value
        rest = walk(whole, backwards=backwards, after=after) if after is not None else iter(())
        around = itertools.chain(rest, walk(whole, backwards=backwards))
        return self._search.start(places(around, needle, names_only=names_only))

    def copy_value(self) -> None:
        """Copy the chosen value: a text as it is, anything else as JSON."""
        self._copy(plain_text(self.json_model.value_at(self.currentIndex())))

    def copy_json(self) -> None:
        """Copy the chosen value as JSON, a text in quotes."""
        self._copy(json_text(self.json_model.value_at(self.currentIndex())))

    def copy_path(self) -> None:
        """Copy where the chosen value stands."""
        self._copy(self.json_model.path_at(self.currentIndex()))

    def currentChanged(self, current: Index, previous: Index) -> None:
        super().currentChanged(current, previous)
        if current.isValid():
            self.path_selected.emit(self.json_model.path_at(current), self.json_model.value_at(current))

    def paint_line(self, painter: QPainter, rect: QRect, index: Index) -> None:
        """Paint a whole row: state, guides, chevron, line."""
        option = self.row_option(rect, index)
        paint_row(painter, option, theme_of(self))
        self.paint_guides(painter, rect, index)
        left, is_open = self.line_left(index), self.isExpanded(index)
        self._delegate.paint_line(
            painter,
            QRect(left, rect.y(), rect.width() - left - 8, rect.height()),
            self.json_model.key_at(index),
            self.json_model.value_at(index),
            is_open=is_open,
            selected=bool(option.state & QStyle.StateFlag.State_Selected),
            problem=self._hints.problem_at(self.json_model.keys_at(index), is_open=is_open) if self._hints else "",
        )

    def viewportEvent(self, event: QEvent) -> bool:
        """Say what the schema says of the value under the pointer."""
        if isinstance(event, QHelpEvent) and event.type() is QEvent.Type.ToolTip:
            QToolTip.showText(event.globalPos(), self._tip(self.indexAt(event.pos())), self)
            return True
        return super().viewportEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Copy with Ctrl+C and Ctrl+Shift+C, open all inside with an asterisk."""
        if not self.currentIndex().isValid():
            super().keyPressEvent(event)
        elif event.matches(QKeySequence.StandardKey.Copy):
            self.copy_value()
        elif event.keyCombination() == _COPY_PATH:
            self.copy_path()
        elif event.key() == Qt.Key.Key_Asterisk:
            self.open_all_inside()
        else:
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Offer copies, the table of a list, and how far the tree is open."""
        current = self.currentIndex()
        if not current.isValid():
            return
        menu = Menu(tr("Value"), self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        actions = [
            (tr("Copy value"), self.copy_value),
            (tr("Copy path"), self.copy_path),
            (tr("Copy as JSON"), self.copy_json),
        ]
        if is_list_of_rows(self.json_model.value_at(current)):
            actions.append((tr("Show as table"), self._on_table_action_triggered))
        if self.json_model.hasChildren(current):
            actions.append((tr("Open all inside"), self.open_all_inside))
        for text, slot in actions:
            action = QAction(text, menu)
            action.triggered.connect(slot)
            menu.addAction(action)
        levels = Menu(tr("Open to level"), menu)
        for level in range(1, _LEVELS + 1):
            levels.add_entry(level, str(level))
        levels.triggered.connect(self._on_levels_triggered)
        menu.addMenu(levels)
        menu.popup(self.menu_place(event))

    def _tip(self, index: Index) -> str:
        if self._hints is None or not index.isValid():
            return ""
        keys = self.json_model.keys_at(index)
        said = (self._hints.problem_at(keys, is_open=self.isExpanded(index)), self._hints.words_at(keys))
        return "\n".join(part for part in said if part)

    def _open_below(self, top: QModelIndex, levels: int | None) -> None:
        """Open a row and what is inside, the outer rows first, until there are more than a person can use."""
        # With a layout due anyway, opening a row costs nothing but the note that it is open.
        self.scheduleDelayedItemsLayout()
        waiting, opened = deque([(top, 1)]), 0
        while waiting and opened < _MOST_OPENED:
            index, level = waiting.popleft()
            self.json_model.fetchMore(index)
            self.expand(index)
            opened += self.json_model.rowCount(index)
            if levels is None or level < levels:
                rows = (self.json_model.index(row, 0, index) for row in range(self.json_model.rowCount(index)))
                waiting += [(row, level + 1) for row in rows if self.json_model.hasChildren(row)]
        self.scrollTo(self.currentIndex())
        if waiting:
            self.opened_only.emit(opened)

    def _open_first_rows(self) -> None:
        """Open the whole, and of what lies in it what stays in sight."""
        model = self.json_model
        whole = model.index(0, 0)
        model.fetchMore(whole)
        self.expand(whole)
        rows = 1 + model.rowCount(whole)
        for row in range(min(_ROWS_OPENED, model.rowCount(whole))):
            index = model.index(row, 0, whole)
            value = model.value_at(index)
            if is_container(value) and value and rows + len(value) <= _ROWS_OPENED:
                self.expand(index)
                rows += len(value)

    def _on_levels_triggered(self, action: QAction) -> None:
        self.open_to_level(action.data())

    def _on_table_action_triggered(self) -> None:
        self.table_requested.emit(tuple(self.json_model.keys_at(self.currentIndex())))

    def _copy(self, text: str) -> None:
        QGuiApplication.clipboard().setText(text)
