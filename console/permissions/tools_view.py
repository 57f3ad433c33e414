"""The tree-table of sources and tools: ask, always, never, or by the risk of the call."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from PySide6.QtCore import QModelIndex, QPoint, QRect, Qt, Signal
from PySide6.QtGui import QAction, QActionGroup, QContextMenuEvent, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTreeView, QWidget

from console.permissions.delegate import PermissionDelegate, wish_at
from console.permissions.model import WISH_WORDS, PermissionModel
from console.permissions.rows import ToolColumn, Wish
from console.theme import theme_of
from console.widgets import Menu, TableHead, set_surface

_KEYS: Final[Mapping[int, Wish]] = MappingProxyType(
    {
        Qt.Key.Key_R: Wish.DEFAULT,
        Qt.Key.Key_Delete: Wish.DEFAULT,
        Qt.Key.Key_A: Wish.ASK,
        Qt.Key.Key_W: Wish.ALWAYS,
        Qt.Key.Key_N: Wish.NEVER,
    }
)
"""What a key says of the current row; the tooltip tells them."""

_TOLD: Final = "Press A to ask, W for always, N for never, R for the default: as its source says, else by the risk"
_WISH_WIDTH: Final = 260
_NAME_WIDTH: Final = 320
_PAGE_LEFT: Final = 20


class PermissionsTree(QTreeView):
    """Show sources with their tools, and take permissions by click, key or menu.

    Signals:
        wish_chosen(str, str, object): For a source, and a tool of it or "" for all of them: what the person wants of
            it, a `Wish`.
    """

    wish_chosen = Signal(str, str, object)

    def __init__(self, model: PermissionModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._tools = model
        self.setModel(model)
        self.setItemDelegate(PermissionDelegate(model, self))
        self.setHeader(TableHead(self, first=_PAGE_LEFT))
        self.setAccessibleName("Permissions of sources and tools")
        self.setToolTip(_TOLD)
        set_surface(self, "surface")
        self.setUniformRowHeights(True)
        self.setIndentation(16)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        head = self.header()
        head.setStretchLastSection(False)
        head.setSectionResizeMode(ToolColumn.RISK, QHeaderView.ResizeMode.Stretch)
        self.setColumnWidth(ToolColumn.NAME, _NAME_WIDTH)
        self.setColumnWidth(ToolColumn.WISH, _WISH_WIDTH)
        self._menu = Menu("Permission", self)
        self._group = QActionGroup(self._menu)
        self._action_by_wish: dict[Wish, QAction] = {}
        for wish, words in WISH_WORDS.items():
            action = QAction(words, self._group)
            action.setCheckable(True)
            action.setData(wish)
            self._menu.addAction(action)
            self._action_by_wish[wish] = action
        self._group.triggered.connect(self._on_group_triggered)
        model.modelReset.connect(self.expandAll)
        self.expandAll()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        place = event.position().toPoint()
        index = self.indexAt(place)
        if event.button() is Qt.MouseButton.LeftButton and index.column() == ToolColumn.WISH:
            wish = wish_at(self.visualRect(index), theme_of(self), place)
            if wish is not None:
                self._choose(index, wish)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        wish = _KEYS.get(event.key()) if not event.modifiers() else None
        if wish is not None and self.currentIndex().isValid():
            self._choose(self.currentIndex(), wish)
        else:
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Offer the choice for the row under the pointer, or the current one."""
        by_mouse = event.reason() is QContextMenuEvent.Reason.Mouse
        index = self.indexAt(event.pos()) if by_mouse else self.currentIndex()
        if not index.isValid():
            return
        self.setCurrentIndex(index)
        self._action_by_wish[self._tools.wish_at(index)].setChecked(True)
        below: QRect = self.visualRect(index)
        place: QPoint = event.globalPos() if by_mouse else self.viewport().mapToGlobal(below.bottomLeft())
        self._menu.popup(place)

    def _choose(self, index: QModelIndex, wish: Wish) -> None:
        if self._tools.wish_at(index) is wish:
            return
        tool = self._tools.tool_at(index)
        source = self._tools.source_at(self._tools.parent(index) if tool is not None else index)
        if source is not None:
            self.wish_chosen.emit(source.name, tool.name if tool is not None else "", wish)

    def _on_group_triggered(self, action: QAction) -> None:
        if self.currentIndex().isValid():
            self._choose(self.currentIndex(), Wish(action.data()))
