"""The items of a list of objects as a table model: one row an item, one column a name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any, Final

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from console.assets import icon
from console.schema_form.document import Document
from console.schema_form.fields import Field
from console.schema_form.kinds import FieldKind
from console.schema_form.messages import given
from console.schema_form.paths import ABSENT, Path

_Index = QModelIndex | QPersistentModelIndex
_ROOT: Final = QModelIndex()
_RIGHT: Final = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_NUMBERS: Final = frozenset({FieldKind.INTEGER, FieldKind.NUMBER})
_LOOKED_AT: Final = 200
_MOST_COLUMNS: Final = 40
_LONGEST: Final = 200


def columns_of(document: Document, path: Path) -> tuple[Field, ...]:
    """Return what the columns of a list of objects are: the names its schema knows, then others that its items have.

    Args:
        document: Where the list stands.
        path: The list.
    """
    held = document.get(path)
    items = held if isinstance(held, list | tuple) else ()
    new = (*path, len(items))
    known = {field.name: field for field in document.fields(new)}
    for item in items[:_LOOKED_AT]:
        for name in item if isinstance(item, Mapping) else ():
            if name not in known:
                known[name] = document.field((*new, name))
    return tuple(known.values())[:_MOST_COLUMNS]


class ItemsModel(QAbstractTableModel):
    """Show a list of objects; the vertical head names the place of an item, and says if something is wrong with it.

    Args:
        document: Where the list stands.
        path: The list.
        parent: Its owner.
    """

    def __init__(self, document: Document, path: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._path = path
        self._items: Sequence[Any] = ()
        self._columns: tuple[Field, ...] = ()
        self._problems: dict[int, str] = {}

    @property
    def columns(self) -> tuple[Field, ...]:
        return self._columns

    def follow(self) -> None:
        """Show the list as it is now."""
        held = self._document.get(self._path)
        items: Sequence[Any] = held if isinstance(held, list | tuple) else ()
        if items is not self._items:
            columns = columns_of(self._document, self._path)
            if [field.name for field in columns] == [field.name for field in self._columns]:
                self._follow_items(items)
            else:
                self.beginResetModel()
                self._items, self._columns = items, columns
                self.endResetModel()
        self._follow_problems()

    def rowCount(self, parent: _Index = _ROOT) -> int:
        """Return how many items there are."""
        return 0 if parent.isValid() else len(self._items)

    def columnCount(self, parent: _Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._columns)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return a name and what it means, or the place of an item and what is wrong with it."""
        if orientation is Qt.Orientation.Vertical:
            return self._place(section, role)
        if section >= len(self._columns):
            return None
        field = self._columns[section]
        if role == Qt.ItemDataRole.DisplayRole:
            return field.name
        if role == Qt.ItemDataRole.TextAlignmentRole and field.kind in _NUMBERS:
            return _RIGHT
        if role == Qt.ItemDataRole.ToolTipRole:
            return "\n".join(part for part in (field.title or field.name, field.description) if part)
        return None

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        row, field = index.row(), self._columns[index.column()]
        if role == Qt.ItemDataRole.DisplayRole:
            return self._text(row, field)
        if role == Qt.ItemDataRole.ToolTipRole:
            return self._problems.get(row)
        if role == Qt.ItemDataRole.TextAlignmentRole and self._is_number(row, field):
            return _RIGHT
        return None

    def _place(self, row: int, role: int) -> Any:
        problem = self._problems.get(row, "")
        if role == Qt.ItemDataRole.DisplayRole:
            return str(row)
        if role == Qt.ItemDataRole.DecorationRole:
            return icon("circle-alert", role="error") if problem else None
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{row}, {problem}" if problem else str(row)
        return problem or None if role == Qt.ItemDataRole.ToolTipRole else None

    def _follow_items(self, items: Sequence[Any]) -> None:
        """Tell the view what was put in, taken out or changed between what is the same at both ends."""
        old = self._items
        shorter = min(len(old), len(items))
        start = next((place for place in range(shorter) if old[place] is not items[place]), shorter)
        left = shorter - start
        end = next((place for place in range(left) if old[-1 - place] is not items[-1 - place]), left)
        gone, come = len(old) - start - end, len(items) - start - end
        if gone > come:
            self.beginRemoveRows(_ROOT, start + come, start + gone - 1)
            self._items = items
            self.endRemoveRows()
        elif come > gone:
            self.beginInsertRows(_ROOT, start + gone, start + come - 1)
            self._items = items
            self.endInsertRows()
        self._items = items
        changed = min(gone, come)
        if changed and self._columns:
            self.dataChanged.emit(self.index(start, 0), self.index(start + changed - 1, len(self._columns) - 1))

    def _follow_problems(self) -> None:
        depth = len(self._path)
        problems: dict[int, str] = {}
        for error in self._document.errors():
            place = error.path[depth] if error.path[:depth] == self._path and len(error.path) > depth else None
            if isinstance(place, int):
                problems.setdefault(place, error.message)
        if problems == self._problems:
            return
        self._problems = problems
        if self._items:
            self.headerDataChanged.emit(Qt.Orientation.Vertical, 0, len(self._items) - 1)

    def _text(self, row: int, field: Field) -> str:
        draft = self._document.draft((*self._path, row, field.name))
        if draft is not None:
            return draft.text
        value = self._value(row, field)
        if value is ABSENT:
            return ""
        if field.secret:
            return "••••••"
        return value[:_LONGEST].replace("\n", " ⏎ ") if isinstance(value, str) else given(value)

    def _is_number(self, row: int, field: Field) -> bool:
        value = self._value(row, field)
        return isinstance(value, int | float | Decimal) and not isinstance(value, bool)

    def _value(self, row: int, field: Field) -> Any:
        item = self._items[row]
        return item.get(field.name, ABSENT) if isinstance(item, Mapping) else ABSENT
