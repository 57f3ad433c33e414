"""A JSON value as a Qt tree whose rows are made when they are looked at."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, Final

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QPersistentModelIndex, Qt

from console.json_view.pretty import is_container, json_path, line_of

BLOCK: Final = 500
"""How many rows are made at a time."""

NOWHERE: Final = QModelIndex()
"""The parent of the top rows."""

Index = QModelIndex | QPersistentModelIndex


class GrowingModel(QAbstractItemModel):
    """A tree of one column. Qt makes the first rows inside a row, and who shows the tree asks for more of them."""

    def has_more(self, parent: Index) -> bool:
        """Tell whether rows inside are yet to be made."""
        raise NotImplementedError

    def make_more(self, parent: Index, count: int = BLOCK) -> None:
        """Make the next rows inside."""
        raise NotImplementedError

    def columnCount(self, parent: Index = NOWHERE) -> int:
        return 1

    def canFetchMore(self, parent: Index) -> bool:
        """Tell whether the first rows inside are yet to be made; a tree view would ask on until all are made."""
        return parent.isValid() and not self.rowCount(parent) and self.has_more(parent)

    def fetchMore(self, parent: Index) -> None:
        if self.canFetchMore(parent):
            self.make_more(parent)


WritePath = Callable[[Sequence[str | int]], str]
"""Writes where a value stands, by the names and positions from the whole to it."""


class _Node:
    """One value that was looked at; its parts are nodes as far as they were looked at."""

    __slots__ = ("children", "id", "key", "parent", "rest", "row", "value")

    def __init__(self, parent: _Node | None, row: int, key: str | int | None, value: Any) -> None:
        self.id = 0
        self.parent = parent
        self.row = row
        self.key = key
        self.value = value
        self.children: list[_Node] = []
        self.rest: Iterator[tuple[str | int, Any]] | None = None

    def more(self, count: int) -> list[_Node]:
        if self.rest is None:
            self.rest = iter(self.value.items() if isinstance(self.value, Mapping) else enumerate(self.value))
        start = len(self.children)
        return [_Node(self, start + offset, key, value) for offset, (key, value) in enumerate(islice(self.rest, count))]

    def keys(self) -> list[str | int]:
        keys: list[str | int] = []
        node = self
        while node.parent is not None and node.key is not None:
            keys.append(node.key)
            node = node.parent
        return keys[::-1]


class JsonTreeModel(GrowingModel):
    """Show any JSON value as a tree with the whole as its one top row.

    Nothing is copied, and rows are made in blocks when a view asks for them, so a value of any size is shown at once.
    The value must not change while it is shown.
    """

    VALUE_ROLE: Final = Qt.ItemDataRole.UserRole + 1
    KEY_ROLE: Final = Qt.ItemDataRole.UserRole + 2
    PATH_ROLE: Final = Qt.ItemDataRole.UserRole + 3

    def __init__(self) -> None:
        super().__init__()
        # Indexes carry numbers: Qt may keep one longer than the node it was made for, and numbers are never used twice.
        self._last_id = 0
        self._node_by_id: dict[int, _Node] = {}
        self._top = _Node(None, 0, None, None)
        self._is_empty = True
        self._is_changing = False
        self._path_of: WritePath = json_path

    def set_value(self, value: Any, path_of: WritePath = json_path) -> None:
        self._path_of = path_of
        self._begin_with(value, is_empty=False)

    def clear(self) -> None:
        self._begin_with(None, is_empty=True)

    @property
    def value(self) -> Any:
        return self._top.value

    def value_at(self, index: Index) -> Any:
        return self._node(index).value

    def key_at(self, index: Index) -> str | int | None:
        """Return the name or position of a row; None for the whole."""
        return self._node(index).key

    def keys_at(self, index: Index) -> list[str | int]:
        """Return the names and positions from the whole to a row."""
        return self._node(index).keys()

    def path_at(self, index: Index) -> str:
        """Return where the value of a row stands: `$.matches[0]`."""
        return self._path_of(self._node(index).keys())

    def index_of(self, keys: list[str | int]) -> QModelIndex:
        """Return the row of a value, making the rows on the way.

        Args:
            keys: Names and positions from the whole to the value; they must exist.

        Returns:
            Its index; an invalid one if there is no such value.
        """
        index = self.index(0, 0)
        for key in keys:
            row = self._row_of(index, key)
            if row < 0:
                return QModelIndex()
            index = self.index(row, 0, index)
        return index

    def index(self, row: int, column: int, parent: Index = NOWHERE) -> QModelIndex:
        if column != 0 or row < 0:
            return QModelIndex()
        if not parent.isValid():
            return self.createIndex(0, 0, self._top.id) if row == 0 and not self._is_empty else QModelIndex()
        children = self._node(parent).children
        return self.createIndex(row, 0, children[row].id) if row < len(children) else QModelIndex()

    def parent(self, index: Index = NOWHERE) -> QModelIndex:  # type: ignore[override]
        node = self._node(index) if index.isValid() else None
        if node is None or node.parent is None:
            return QModelIndex()
        return self.createIndex(node.parent.row, 0, node.parent.id)

    def rowCount(self, parent: Index = NOWHERE) -> int:
        if not parent.isValid():
            return 0 if self._is_empty else 1
        return len(self._node(parent).children)

    def hasChildren(self, parent: Index = NOWHERE) -> bool:
        """Tell whether there is something inside, made or not."""
        if not parent.isValid():
            return not self._is_empty
        value = self._node(parent).value
        return is_container(value) and bool(value)

    def has_more(self, parent: Index) -> bool:
        """Tell whether rows inside are yet to be made."""
        node = self._node(parent)
        return not self._is_changing and is_container(node.value) and len(node.children) < len(node.value)

    def make_more(self, parent: Index, count: int = BLOCK) -> None:
        """Make the next rows inside."""
        if not self.has_more(parent):
            return
        # Who hears of new rows may ask for more before they are there.
        self._is_changing = True
        node = self._node(parent)
        new = node.more(count)
        first = len(node.children)
        self.beginInsertRows(self._plain(parent), first, first + len(new) - 1)
        node.children.extend(new)
        self._know(new)
        self._is_changing = False
        self.endInsertRows()

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return the line, or the value, name or path of a row."""
        if not index.isValid():
            return None
        node = self._node(index)
        if role in {Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole}:
            return "".join(piece.text for piece in line_of(node.key, node.value, is_open=False))
        if role == self.VALUE_ROLE:
            return node.value
        if role == self.KEY_ROLE:
            return node.key
        return self._path_of(node.keys()) if role == self.PATH_ROLE else None

    def _begin_with(self, value: Any, *, is_empty: bool) -> None:
        self._is_changing = True
        self.beginResetModel()
        self._node_by_id.clear()
        self._top = _Node(None, 0, None, value)
        self._know([self._top])
        self._is_empty = is_empty
        self._is_changing = False
        self.endResetModel()

    def _know(self, nodes: list[_Node]) -> None:
        for node in nodes:
            self._last_id += 1
            node.id = self._last_id
            self._node_by_id[node.id] = node

    def _plain(self, index: Index) -> QModelIndex:
        return self.index(index.row(), 0, index.parent()) if index.isValid() else QModelIndex()

    def _row_of(self, parent: QModelIndex, key: str | int) -> int:
        node = self._node(parent)
        if isinstance(node.value, Mapping):
            if key not in node.value:
                return -1
            row = next(row for row, name in enumerate(node.value) if name == key)
        elif is_container(node.value) and isinstance(key, int) and 0 <= key < len(node.value):
            row = key
        else:
            return -1
        missing = row + 1 - len(node.children)
        if missing > 0:
            self.make_more(parent, -(-missing // BLOCK) * BLOCK)
        return row

    def _node(self, index: Index) -> _Node:
        return self._node_by_id.get(index.internalId(), self._top)
