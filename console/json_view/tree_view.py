"""The tree of a JSON value: one line for each value, guides, closed objects summarised."""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterator
from typing import Any, Final

from PySide6.QtCore import (
    QEvent,
    QModelIndex,
    QObject,
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
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
)
from PySide6.QtWidgets import QAbstractItemView, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QTreeView, QWidget

from console.assets import paint_icon
from console.json_view.finding import Keys, matches, walk
from console.json_view.model import JsonTreeModel
from console.json_view.pretty import json_text, plain_text
from console.json_view.summary import is_container, line_of
from console.theme import Theme, theme_of
from console.widgets import Menu, paint_match, paint_row

__all__ = ["JsonTreeView"]

_Index = QModelIndex | QPersistentModelIndex

_CHEVRON_LEFT: Final = 10
_TEXT_LEFT: Final = 30
_TOP: Final = 4
_ROWS_OPENED: Final = 24
_LOOK_S: Final = 0.03
_LOOK_EVERY: Final = 500


class _JsonDelegate(QStyledItemDelegate):
    """Paint `key: value` in the colours of code."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.needle = ""

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:
        return QSize(200, theme_of().size.row_tree)

    def paint_line(
        self, painter: QPainter, rect: QRect, key: str | int | None, value: Any, *, is_open: bool, selected: bool
    ) -> None:
        theme = theme_of()
        font = theme.font("code")
        painter.setFont(font)
        metrics = QFontMetricsF(font)
        pieces = line_of(key, value, is_open=is_open)
        if self.needle:
            line = "".join(piece.text for piece in pieces)
            paint_match(painter, rect, line, _spans(self.needle, line), theme)
        left = float(rect.x())
        baseline = rect.y() + (rect.height() - metrics.height()) / 2 + metrics.ascent()
        for piece in pieces:
            room = rect.right() + 1 - left
            if room <= 0:
                break
            text = metrics.elidedText(piece.text, Qt.TextElideMode.ElideRight, room)
            painter.setPen(_ink(piece.kind, theme, selected=selected))
            painter.drawText(QPointF(left, baseline), text)
            left += metrics.horizontalAdvance(piece.text)


def _ink(kind: str, theme: Theme, *, selected: bool) -> QColor:
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


class JsonTreeView(QTreeView):
    """Show a JSON value of any size as a tree. Set its accessible name where it is used.

    Ctrl+C copies the value; the context menu copies the path or the value as JSON too.

    Args:
        parent: Its owner.

    Signals:
        path_selected(str, object): A value was chosen: its JSONPath and itself.
        find_finished(bool): A search that `find` had to leave unfinished ended: whether the text was found.
    """

    path_selected = Signal(str, object)
    find_finished = Signal(bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = JsonTreeModel(self)
        self._delegate = _JsonDelegate(self)
        self._hovered = QPersistentModelIndex()
        self._search: Iterator[tuple[Keys, Any]] | None = None
        self._fetching = False
        self.setModel(self._model)
        self.setItemDelegate(self._delegate)
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
        self._looking = QTimer(self)
        self._looking.setInterval(0)
        self._looking.timeout.connect(self._on_looking_timeout)

    @property
    def json_model(self) -> JsonTreeModel:
        """Return the model, which is made of the value while it is looked at."""
        return self._model

    def set_value(self, value: Any) -> None:
        """Show another value: the whole open, and what is inside as far as that stays short.

        Args:
            value: Any JSON value; it must not change while it is shown.
        """
        self._stop_search()
        self._model.set_value(value)
        self._open_first_rows()

    def clear(self) -> None:
        """Show nothing, and let the value go."""
        self._stop_search()
        self._model.clear()

    def select(self, keys: Keys) -> bool:
        """Choose a value, opening what it lies in; tell whether there is such a value.

        Args:
            keys: Names and positions from the whole to the value.
        """
        index = self._model.index_of(list(keys))
        if not index.isValid():
            return False
        self.setCurrentIndex(index)
        self.scrollTo(index)
        return True

    # QWidget.find, which looks a widget up by its window id, is no use on an instance.
    def find(self, needle: str, *, backwards: bool = False) -> bool:  # type: ignore[override]
        """Go to the next name or value that holds a text; behind the last one begin again.

        The value is searched, not the rows, so closed parts count too. A search that takes longer than a moment goes
        on while the window lives, and `find_finished` tells how it ended.

        Args:
            needle: Upper and lower case are the same; "" finds nothing.
            backwards: Whether to look for the one before.

        Returns:
            False if there is none; True if it was found, or if the search still goes on.
        """
        self._stop_search()
        self._delegate.needle = needle.casefold()
        self.viewport().update()
        if not needle or not self._model.rowCount():
            return False
        current = self.currentIndex()
        after = tuple(self._model.keys_at(current)) if current.isValid() else None
        whole = self._model.value
        rest = walk(whole, backwards=backwards, after=after) if after is not None else iter(())
        self._search = itertools.chain(rest, walk(whole, backwards=backwards))
        found = self._look()
        if found is None:
            self._looking.start()
        return found is not False

    def clear_find(self) -> None:
        """Take away the marks of a search."""
        self._stop_search()
        self._delegate.needle = ""
        self.viewport().update()

    def copy_value(self) -> None:
        """Copy the chosen value: a text as it is, anything else as JSON."""
        self._copy(plain_text(self._model.value_at(self.currentIndex())))

    def copy_json(self) -> None:
        """Copy the chosen value as JSON, a text in quotes."""
        self._copy(json_text(self._model.value_at(self.currentIndex())))

    def copy_path(self) -> None:
        """Copy where the chosen value stands."""
        self._copy(self._model.path_at(self.currentIndex()))

    def currentChanged(self, current: _Index, previous: _Index) -> None:
        """Tell what is chosen."""
        super().currentChanged(current, previous)
        if current.isValid():
            self.path_selected.emit(self._model.path_at(current), self._model.value_at(current))

    def drawRow(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        """Paint a whole row: state, guides, chevron, line."""
        theme = theme_of(self)
        rect: QRect = option.rect
        selected = self.selectionModel().isSelected(index)
        row = QStyleOptionViewItem(option)
        row.rect = QRect(0, rect.y(), self.viewport().width(), rect.height())
        state = QStyle.StateFlag.State_Active if self.hasFocus() else QStyle.StateFlag.State_None
        if selected:
            state |= QStyle.StateFlag.State_Selected
        if index == self._hovered:
            state |= QStyle.StateFlag.State_MouseOver
        row.state = state
        paint_row(painter, row, theme)
        depth = self._depth(index)
        for level in range(depth):
            x = _CHEVRON_LEFT + 8 + level * self.indentation()
            painter.fillRect(x, rect.y(), 1, rect.height(), theme.color.guide)
        is_open = self.isExpanded(index)
        if self._model.hasChildren(index):
            box = QRect(_CHEVRON_LEFT + depth * self.indentation() + 1, rect.y(), 14, rect.height())
            paint_icon(painter, box, "chevron-down" if is_open else "chevron-right", theme.color.border_field, theme)
        left = _TEXT_LEFT + depth * self.indentation()
        line = QRect(left, rect.y(), self.viewport().width() - left - 8, rect.height())
        key, value = self._model.key_at(index), self._model.value_at(index)
        self._delegate.paint_line(painter, line, key, value, is_open=is_open, selected=selected)
        self._fetch_behind(index)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Open and close at the chevron."""
        if event.button() is Qt.MouseButton.LeftButton and self._toggle_at(event.position().toPoint()):
            return
        super().mousePressEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Open and close on the line too."""
        if self._toggle_at(event.position().toPoint()):
            return
        index = self.indexAt(event.position().toPoint())
        if index.isValid():
            self.setExpanded(index, not self.isExpanded(index))

    def viewportEvent(self, event: QEvent) -> bool:
        """Follow the pointer."""
        if event.type() in {QEvent.Type.HoverMove, QEvent.Type.MouseMove} and isinstance(event, QMouseEvent):
            self._hover(self.indexAt(event.position().toPoint()))
        elif event.type() is QEvent.Type.Leave:
            self._hover(QModelIndex())
        return super().viewportEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Copy with Ctrl+C."""
        if event.matches(QKeySequence.StandardKey.Copy) and self.currentIndex().isValid():
            self.copy_value()
            return
        super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Offer copies."""
        if not self.currentIndex().isValid():
            return
        menu = Menu("Value", self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for text, slot in (
            ("Copy value", self.copy_value),
            ("Copy path", self.copy_path),
            ("Copy as JSON", self.copy_json),
        ):
            action = QAction(text, menu)
            action.triggered.connect(slot)
            menu.addAction(action)
        menu.popup(event.globalPos())

    def _open_first_rows(self) -> None:
        """Open the whole, and of what lies in it what stays in sight."""
        model = self._model
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

    def _depth(self, index: _Index) -> int:
        depth = 0
        while (index := index.parent()).isValid():
            depth += 1
        return depth

    def _toggle_at(self, point: QPoint) -> bool:
        index = self.indexAt(point)
        if not index.isValid() or not self._model.hasChildren(index):
            return False
        left = _CHEVRON_LEFT + self._depth(index) * self.indentation()
        if not left - 4 <= point.x() < left + 18:
            return False
        self.setExpanded(index, not self.isExpanded(index))
        return True

    def _hover(self, index: QModelIndex) -> None:
        if self._hovered != index:
            self._hovered = QPersistentModelIndex(index)
            self.viewport().update()

    def _fetch_behind(self, index: _Index) -> None:
        """Make more rows when the last one made comes into sight; not while painting."""
        parent = index.parent()
        is_last = parent.isValid() and index.row() == self._model.rowCount(parent) - 1
        if is_last and self._model.has_more(parent) and not self._fetching:
            self._fetching = True
            self._behind = QPersistentModelIndex(parent)
            QTimer.singleShot(0, self._on_fetch_due)

    def _on_fetch_due(self) -> None:
        self._fetching = False
        if self._behind.isValid():
            self._model.make_more(self._behind)

    def _look(self) -> bool | None:
        """Search for a moment.

        Returns:
            Whether the text was found; None if there is more to search.
        """
        needle, search = self._delegate.needle, self._search
        if search is None:
            return False
        end = time.perf_counter() + _LOOK_S
        for count, (keys, value) in enumerate(search):
            if matches(needle, keys[-1] if keys else None, value):
                self._search = None
                return self.select(keys)
            if count % _LOOK_EVERY == 0 and time.perf_counter() > end:
                return None
        self._search = None
        return False

    def _on_looking_timeout(self) -> None:
        found = self._look()
        if found is not None:
            self._stop_search()
            self.find_finished.emit(found)

    def _stop_search(self) -> None:
        self._looking.stop()
        self._search = None

    def _copy(self, text: str) -> None:
        QGuiApplication.clipboard().setText(text)
