"""The tree of a JSON value: one line for each value, guides, closed objects summarised."""

from __future__ import annotations

import itertools
from collections import deque
from typing import Any, Final

from PySide6.QtCore import (
    QEvent,
    QKeyCombination,
    QModelIndex,
    QRect,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QAction,
    QContextMenuEvent,
    QGuiApplication,
    QHelpEvent,
    QKeyEvent,
    QKeySequence,
    QPainter,
)
from PySide6.QtWidgets import QStyle, QToolTip, QWidget

from console.json_view.finding import Keys, LastingSearch, SchemaHints, places, walk
from console.json_view.line_tree_view import JsonLineDelegate, LineTreeView
from console.json_view.model import Index, JsonTreeModel, WritePath
from console.json_view.pretty import is_container, is_list_of_rows, json_path, json_text, plain_text
from console.theme import theme_of
from console.widgets import Menu, paint_row

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
        self._model, self._delegate = model, delegate
        self._hints: SchemaHints | None = None
        self._search = LastingSearch(self.select, self)
        self._search.finished.connect(self.find_finished)

    @property
    def json_model(self) -> JsonTreeModel:
        """Return the model, which is made of the value while it is looked at."""
        return self._model

    def set_value(self, value: Any, path_of: WritePath = json_path) -> None:
        """Show another value: the whole open, and what is inside as far as that stays short.

        Args:
            value: Any JSON value; it must not change while it is shown.
            path_of: Writes where a value stands.
        """
        self._search.stop()
        self._hints = None
        self._model.set_value(value, path_of)
        self._open_first_rows()

    def clear(self) -> None:
        """Show nothing, and let the value go."""
        self._search.stop()
        self._hints = None
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
        self._open_below(self._model.index(0, 0), level)

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
        if not needle or not self._model.rowCount():
            return False
        current = self.currentIndex()
        after = tuple(self._model.keys_at(current)) if current.isValid() else None
        whole = self._model.value
        rest = walk(whole, backwards=backwards, after=after) if after is not None else iter(())
        around = itertools.chain(rest, walk(whole, backwards=backwards))
        return self._search.start(places(around, needle, names_only=names_only))

    def copy_value(self) -> None:
        """Copy the chosen value: a text as it is, anything else as JSON."""
        self._copy(plain_text(self._model.value_at(self.currentIndex())))

    def copy_json(self) -> None:
        """Copy the chosen value as JSON, a text in quotes."""
        self._copy(json_text(self._model.value_at(self.currentIndex())))

    def copy_path(self) -> None:
        """Copy where the chosen value stands."""
        self._copy(self._model.path_at(self.currentIndex()))

    def currentChanged(self, current: Index, previous: Index) -> None:
        super().currentChanged(current, previous)
        if current.isValid():
            self.path_selected.emit(self._model.path_at(current), self._model.value_at(current))

    def paint_line(self, painter: QPainter, rect: QRect, index: Index) -> None:
        """Paint a whole row: state, guides, chevron, line."""
        option = self.row_option(rect, index)
        paint_row(painter, option, theme_of(self))
        self.paint_guides(painter, rect, index)
        left, is_open = self.line_left(index), self.isExpanded(index)
        self._delegate.paint_line(
            painter,
            QRect(left, rect.y(), rect.width() - left - 8, rect.height()),
            self._model.key_at(index),
            self._model.value_at(index),
            is_open=is_open,
            selected=bool(option.state & QStyle.StateFlag.State_Selected),
            problem=self._hints.problem_at(self._model.keys_at(index), is_open=is_open) if self._hints else "",
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
        menu = Menu("Value", self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        actions = [
            ("Copy value", self.copy_value),
            ("Copy path", self.copy_path),
            ("Copy as JSON", self.copy_json),
        ]
        if is_list_of_rows(self._model.value_at(current)):
            actions.append(("Show as table", self._on_table_action_triggered))
        if self._model.hasChildren(current):
            actions.append(("Open all inside", self.open_all_inside))
        for text, slot in actions:
            action = QAction(text, menu)
            action.triggered.connect(slot)
            menu.addAction(action)
        levels = Menu("Open to level", menu)
        for level in range(1, _LEVELS + 1):
            action = QAction(str(level), levels)
            action.setData(level)
            levels.addAction(action)
        levels.triggered.connect(self._on_levels_triggered)
        menu.addMenu(levels)
        menu.popup(self.menu_place(event))

    def _tip(self, index: Index) -> str:
        if self._hints is None or not index.isValid():
            return ""
        keys = self._model.keys_at(index)
        said = (self._hints.problem_at(keys, is_open=self.isExpanded(index)), self._hints.words_at(keys))
        return "\n".join(part for part in said if part)

    def _open_below(self, top: QModelIndex, levels: int | None) -> None:
        """Open a row and what is inside, the outer rows first, until there are more than a person can use."""
        # With a layout due anyway, opening a row costs nothing but the note that it is open.
        self.scheduleDelayedItemsLayout()
        waiting, opened = deque([(top, 1)]), 0
        while waiting and opened < _MOST_OPENED:
            index, level = waiting.popleft()
            self._model.fetchMore(index)
            self.expand(index)
            opened += self._model.rowCount(index)
            if levels is None or level < levels:
                rows = (self._model.index(row, 0, index) for row in range(self._model.rowCount(index)))
                waiting += [(row, level + 1) for row in rows if self._model.hasChildren(row)]
        self.scrollTo(self.currentIndex())
        if waiting:
            self.opened_only.emit(opened)

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

    def _on_levels_triggered(self, action: QAction) -> None:
        self.open_to_level(action.data())

    def _on_table_action_triggered(self) -> None:
        self.table_requested.emit(tuple(self._model.keys_at(self.currentIndex())))

    def _copy(self, text: str) -> None:
        QGuiApplication.clipboard().setText(text)
