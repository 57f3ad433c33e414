"""The tree itself: what keys and clicks do in it, and what stays open over filtering and reloading."""

from collections import deque
from typing import Final

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Qt, QTimer, Signal
from PySide6.QtGui import QContextMenuEvent, QKeyEvent, QKeySequence, QMouseEvent
from PySide6.QtWidgets import QAbstractItemView, QTreeView, QWidget

from console.browser.delegate import ToolTreeDelegate, chevron_box
from console.browser.model import ITEM_ROLE, ItemKind, ToolTreeModel, TreeItem
from console.browser.tool_tree import FAMILIES
from console.theme import theme_of
from console.widgets import set_surface, spinner_clock

_OPENED_AT_ONCE: Final = 120
_OPENED_LATER: Final = 300
_LARGEST_AT_ONCE: Final = 1_000
_BRANCHES: Final = (ItemKind.FAMILY, ItemKind.GROUP)


class ToolTreeView(QTreeView):
    """Show the tools tree.

    A click on a tool, a failed plugin or a link opens it, as Enter does; a click on a chevron, a double click on a
    family or group, Left and Right open and close; letters go to the next row that starts with them. While a filter is
    set, what it leaves is open; without one, what was open before is open again. Beyond the first few hundred rows,
    opening goes on between events.

    Signals:
        opened(TreeItem): A tool, a failed plugin or a link was clicked, or Enter was pressed on it.
        menu_requested(TreeItem, QPoint): The context menu of a row is wanted, at a place on the screen.
        name_wanted(TreeItem): Copy was pressed on a tool.
        toggled: Something was opened or closed by the person.
        left_upwards: Up was pressed on the first row.
    """

    opened = Signal(object)
    menu_requested = Signal(object, object)
    name_wanted = Signal(object)
    toggled = Signal()
    left_upwards = Signal()

    def __init__(self, model: ToolTreeModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._tree_model = model
        self._open_keys: set[str] = set(FAMILIES)
        self._current_key = ""
        self._restoring = False
        self._later: deque[QPersistentModelIndex] = deque()
        self._opening = QTimer(self)
        self._opening.setInterval(0)
        self._opening.timeout.connect(self._on_opening_timeout)
        self._delegate = ToolTreeDelegate(self)
        self.setAccessibleName("Tools tree")
        self.setObjectName("toolsTree")
        self.setHeaderHidden(True)
        self.setRootIsDecorated(False)
        self.setIndentation(0)
        self.setUniformRowHeights(True)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setItemDelegate(self._delegate)
        set_surface(self, "panel")
        self.setModel(model)
        model.modelReset.connect(self._restore)
        model.rowsInserted.connect(self._on_model_rows_inserted)
        model.rowsAboutToBeRemoved.connect(self._on_model_rows_about_to_be_removed)
        model.rowsRemoved.connect(self._on_model_rows_removed)
        self.clicked.connect(self._on_self_clicked)
        self.expanded.connect(self._on_self_expanded)
        self.collapsed.connect(self._on_self_collapsed)
        self._restore()

    def current_item(self) -> TreeItem | None:
        """Give the row that keys act on; None when there is none."""
        index = self.currentIndex()
        return index.data(ITEM_ROLE) if index.isValid() else None

    def any_group_open(self) -> bool:
        return any(self._is_open_group(index) for index in self._tree_model.parents())

    def set_groups_open(self, *, opened: bool) -> None:
        """Open or close all groups; families are opened with them, and stay open."""
        self._restoring = True
        for index in self._tree_model.parents():
            is_group = index.parent().isValid()
            if opened or is_group:
                self.setExpanded(index, opened)
                if not self._tree_model.filtered:
                    self._remember(index, opened=opened)
        self._restoring = False
        self.toggled.emit()

    def _remember(self, index: QModelIndex, *, opened: bool) -> None:
        key = self._tree_model.item(index).key
        if opened:
            self._open_keys.add(key)
        else:
            self._open_keys.discard(key)

    def select(self, name: str) -> None:
        """Mark a tool, and open what it stands in; an unknown name marks nothing."""
        self._current_key = name
        index = self._tree_model.index_of(name)
        self._restoring = True
        if index.isValid():
            self.expand(index.parent().parent())
            self.expand(index.parent())
            self.setCurrentIndex(index)
            self.scrollTo(index)
        else:
            self.setCurrentIndex(QModelIndex())
        self._restoring = False

    def enter(self) -> None:
        """Take the focus: to the row that was current, else to the first tool in sight, else to the first row."""
        if not self.currentIndex().isValid():
            first = self._tree_model.first_tool()
            shown = first.isValid() and self.isExpanded(first.parent()) and self.isExpanded(first.parent().parent())
            self.setCurrentIndex(first if shown else self._tree_model.index(0, 0))
        self.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def set_loading(self, *, loading: bool) -> None:
        self._delegate.set_loading(loading=loading)
        spinner_clock().set_turning(self.viewport(), turning=loading)
        self.viewport().update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Open with Enter; leave upwards from the first row; copy a name."""
        item = self.current_item()
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter} and item is not None:
            self._open(self.currentIndex())
        elif event.key() == Qt.Key.Key_Up and self.currentIndex() == self._tree_model.index(0, 0):
            self.left_upwards.emit()
        elif event.matches(QKeySequence.StandardKey.Copy) and item is not None and item.tool is not None:
            self.name_wanted.emit(item)
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Open or close at a chevron, without changing what is marked."""
        if event.button() is Qt.MouseButton.LeftButton and self._toggle_at_chevron(event):
            return
        super().mousePressEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Let two quick clicks on a chevron be two clicks."""
        if event.button() is not Qt.MouseButton.LeftButton or not self._toggle_at_chevron(event):
            super().mouseDoubleClickEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Ask for the menu of the row under the pointer, or of the current one."""
        by_mouse = event.reason() is QContextMenuEvent.Reason.Mouse
        index = self.indexAt(event.pos()) if by_mouse else self.currentIndex()
        if index.isValid():
            self.setCurrentIndex(index)
            place = event.globalPos() if by_mouse else self.viewport().mapToGlobal(self.visualRect(index).center())
            self.menu_requested.emit(index.data(ITEM_ROLE), place)

    def currentChanged(
        self, current: QModelIndex | QPersistentModelIndex, previous: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Keep in mind what a person marked, as filtering may hide it for a while."""
        super().currentChanged(current, previous)
        if current.isValid() and not self._restoring:
            item: TreeItem = current.data(ITEM_ROLE)
            self._current_key = item.key

    def _open(self, index: QModelIndex) -> None:
        item = self._tree_model.item(index)
        if item.kind in _BRANCHES and item.failure is None:
            self.setExpanded(index, not self.isExpanded(index))
        elif item.kind is not ItemKind.FACT:
            self.opened.emit(item)

    def _toggle_at_chevron(self, event: QMouseEvent) -> bool:
        point = event.position().toPoint()
        index = self.indexAt(point)
        item: TreeItem | None = index.data(ITEM_ROLE) if index.isValid() else None
        if item is None or item.kind not in _BRANCHES or not self._tree_model.rowCount(index):
            return False
        box = chevron_box(item.kind, self.visualRect(index), theme_of(self)).adjusted(-5, -5, 3, 5)
        if not box.contains(point):
            return False
        self.setExpanded(index, not self.isExpanded(index))
        return True

    def _is_open_group(self, index: QModelIndex) -> bool:
        return index.parent().isValid() and self.isExpanded(index)

    def _restore(self) -> None:
        self._restoring = True
        self._later.clear()
        left = _OPENED_AT_ONCE
        for index in self._tree_model.parents():
            item = self._tree_model.item(index)
            if item.key == self._current_key:
                self.setCurrentIndex(index)
            if not self._tree_model.filtered and item.key not in self._open_keys:
                continue
            rows = self._tree_model.rowCount(index) if item.kind is ItemKind.GROUP else 0
            if left > 0 and rows <= _LARGEST_AT_ONCE:
                self.expand(index)
                left -= rows
            else:
                self._later.append(QPersistentModelIndex(index))
        self._mark_again()
        self._restoring = False
        if self._later:
            self._opening.start()
        else:
            self._opening.stop()

    def _on_opening_timeout(self) -> None:
        """Open some more of what shall be open; Qt asks the model about each row, which takes its time."""
        self._restoring = True
        left = _OPENED_LATER
        while self._later and left > 0:
            index = self._later.popleft()
            if index.isValid():
                self.expand(index)
                left -= self._tree_model.rowCount(index)
        self._restoring = False
        if not self._later:
            self._opening.stop()
            self.toggled.emit()

    def _mark_again(self) -> None:
        index = self._tree_model.index_of(self._current_key)
        if index.isValid():
            self.setCurrentIndex(index)

    def _on_self_clicked(self, index: QModelIndex) -> None:
        item = self._tree_model.item(index)
        if item.kind not in _BRANCHES or item.failure is not None:
            self._open(index)

    def _on_model_rows_inserted(self, parent: QModelIndex, first: int, last: int) -> None:
        self._restoring = True
        inserted = [self._tree_model.index(row, 0, parent) for row in range(first, last + 1)]
        for index in (parent, *inserted):
            if index.isValid() and self._tree_model.item(index).key in self._open_keys:
                self.expand(index)
        self._mark_again()
        self._restoring = False

    def _on_model_rows_about_to_be_removed(self) -> None:
        # Qt marks a neighbour in place of what goes; a plugin that is loaded again comes back.
        self._restoring = True

    def _on_model_rows_removed(self) -> None:
        self._restoring = False

    def _on_self_expanded(self, index: QModelIndex) -> None:
        self._note_toggled(index, opened=True)

    def _on_self_collapsed(self, index: QModelIndex) -> None:
        self._note_toggled(index, opened=False)

    def _note_toggled(self, index: QModelIndex, *, opened: bool) -> None:
        if self._restoring:
            return
        if not self._tree_model.filtered:
            self._remember(index, opened=opened)
        self.toggled.emit()
