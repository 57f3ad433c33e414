"""The one model of all tables: frozen rows, and what stands in each cell of a row as a value."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any, Final, Generic, Literal, NamedTuple, TypeVar

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal

from console.language import tr
from console.theme import FontRole
from console.widgets.labels import TextTone
from console.widgets.status import STATUS, StatusName

if TYPE_CHECKING:
    from console.assets import Picture

CELL_ROLE: Final = Qt.ItemDataRole.UserRole + 1
"""Gives the `Cell` of an index."""

ROW_ROLE: Final = Qt.ItemDataRole.UserRole + 2
"""Gives the row of an index."""

ROOT: Final = QModelIndex()
"""The parent of all rows."""

Index = QModelIndex | QPersistentModelIndex
Row = TypeVar("Row")
SortKey = str | float | tuple[Any, ...] | None
_MOST_STEPS: Final = 50
"""From how many runs of rows on it is quicker to begin anew than to tell of each."""


class Cell(NamedTuple):
    """What stands in a cell.

    Attributes:
        tone: Their colour; "status" for that of the status, "disabled" for what cannot be chosen.
        font: Their step of the type scale.
        is_code: Whether they are written in the code face, as large as `font`.
        is_strong: Whether they are the name of the row.
        status: A status whose glyph stands before them; None for none.
        icon: An icon before them; empty for none.
        picture: An icon of somebody else in its place; None for ours.
        action: Words at the right that do something when they are clicked; empty for none.
        is_quiet: Whether words and action stand out only where the pointer or the selection is.
        is_checked: Whether the box before them is marked; None for no box.
        tip: What is said when the pointer rests here; empty for the words themselves.
        spoken: What a screen reader says; empty for the words themselves.
    """

    text: str
    tone: TextTone | Literal["status", "disabled"] = "text2"
    font: FontRole = "small"
    is_code: bool = False
    is_strong: bool = False
    status: StatusName | None = None
    icon: str = ""
    picture: Picture | None = None
    action: str = ""
    is_quiet: bool = False
    is_checked: bool | None = None
    tip: str = ""
    spoken: str = ""


class Column(NamedTuple):
    """A column.

    Attributes:
        width: Logical pixels at first, or more where its name or a sample needs more; 0 takes what the others leave.
        is_number: Whether its words stand at the right, in figures of one width.
        is_tabular: Whether figures are equally wide though its words stand at the left.
        priority: The higher, the sooner it is left out where there is too little room; 0 stays.
        least: What it needs at least if it takes what the others leave, in logical pixels.
        elide: Where words are shortened.
        sort: Gives what rows are sorted by, None for what is not known and comes last; None if it sorts nothing.
        descends: Whether the first click on its name puts the largest first.
        is_editable: Whether its words can be edited in place.
        is_checkable: Whether the boxes before its words can be marked.
        samples: Cells that may stand in it and are never cut at first, in any language: the words of statuses.
    """

    title: str
    width: int = 0
    is_number: bool = False
    is_tabular: bool = False
    priority: int = 0
    least: int = 200
    elide: Qt.TextElideMode = Qt.TextElideMode.ElideRight
    sort: Callable[[Any], SortKey] | None = None
    descends: bool = False
    is_editable: bool = False
    is_checkable: bool = False
    samples: tuple[Cell, ...] = ()


def status_samples(*names: StatusName) -> tuple[Cell, ...]:
    """Return the cells of a column of statuses with these signs and their words."""
    return tuple(Cell(STATUS[name].word, "status", status=name) for name in names)


class RowOrder(NamedTuple):
    """How rows are sorted.

    Attributes:
        descending: Whether the largest comes first.
    """

    column: int
    descending: bool = False


def runs_of(places: Iterable[int]) -> list[tuple[int, int]]:
    """Join places that stand together, and give the first and the last of each run.

    Args:
        places: Each once, the lowest first.
    """
    runs = []
    for _, group in groupby(enumerate(places), key=lambda pair: pair[1] - pair[0]):
        run = [place for _, place in group]
        runs.append((run[0], run[-1]))
    return runs


class TableModel(QAbstractTableModel, Generic[Row]):
    """List frozen rows, sorted and narrowed.

    A cell is made when it is painted or asked for, and not kept: words of the time stay true, and rows that nobody
    looks at cost nothing.

    Args:
        cells_of: Gives what stands in each column for a row; fewer cells than columns let the last have the rest.

    Attributes:
        rows: The rows that are listed, in their order.

    Signals:
        rows_changed: Rows came, left or moved, and all of that is told.
        more_wanted: The next page is wanted; `append` brings it.
        edited(str, str): The words of the row with this key shall become these.
        checked(str, bool): The box of the row with this key was marked, or not any more.
    """

    rows_changed = Signal()
    more_wanted = Signal()
    edited = Signal(str, str)
    checked = Signal(str, bool)

    def __init__(
        self,
        columns: Sequence[Column],
        cells_of: Callable[[Row], tuple[Cell, ...]],
        key_of: Callable[[Row], str],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self.columns = tuple(columns)
        self.rows: Sequence[Row] = []
        self.cells_of = cells_of
        self.key_of = key_of
        self._all: list[Row] = []
        self._order: RowOrder | None = None
        self._admits: Callable[[Row], bool] | None = None
        self._place_by_key: dict[str, int] | None = None
        self._has_more = False
        self._is_asked = False

    @property
    def order(self) -> RowOrder | None:
        """Give how rows are sorted; None for as they came."""
        return self._order

    def show_rows(self, rows: Iterable[Row], *, has_more: bool = False) -> None:
        """Show other rows; what stays keeps its selection and its place in sight.

        Args:
            has_more: Whether `append` can bring more.
        """
        self._has_more, self._is_asked = has_more, False
        self._all = list(rows)
        self._follow()

    def append(self, rows: Iterable[Row], *, has_more: bool = False) -> None:
        """Add rows below the others, those that are not known yet."""
        self._has_more, self._is_asked = has_more, False
        known = {self.key_of(row) for row in self._all}
        new = [row for row in rows if self.key_of(row) not in known]
        self._all += new
        if self._order is not None or self._admits is not None:
            self._follow()
        elif new:
            self.beginInsertRows(ROOT, len(self.rows), len(self.rows) + len(new) - 1)
            self._take([*self.rows, *new])
            self.endInsertRows()
            self.rows_changed.emit()

    def merge(self, rows: Sequence[Row]) -> bool:
        """Take the first rows anew: new ones are put on top, changed ones change, lost ones leave, the rest stays.

        Args:
            rows: The first ones of all.

        Returns:
            Whether they follow on what is listed; False when there are rows between, so that `show_rows` must list
            anew.
        """
        fresh = {self.key_of(row) for row in rows}
        last = next((at for at in reversed(range(len(self._all))) if self.key_of(self._all[at]) in fresh), None)
        if last is None:
            return False
        self.show_rows([*rows, *self._all[last + 1 :]], has_more=self._has_more)
        return True

    def set_order(self, order: RowOrder) -> None:
        """Sort in another way; a column that sorts nothing changes nothing."""
        if order != self._order and self.columns[order.column].sort is not None:
            self._order = order
            self._follow()
        self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, len(self.columns) - 1)

    def narrow(self, admits: Callable[[Row], bool] | None) -> None:
        """List only some rows; None for all."""
        self._admits = admits
        self._follow()

    def place_of(self, key: str) -> int:
        """Give where a row stands; -1 when it does not."""
        if self._place_by_key is None:
            # The first of those that have one key.
            self._place_by_key = {self.key_of(self.rows[at]): at for at in reversed(range(len(self.rows)))}
        return self._place_by_key.get(key, -1)

    def key_at(self, place: int) -> str:
        """Give the key of the row at a place; empty when there is none."""
        return self.key_of(self.rows[place]) if 0 <= place < len(self.rows) else ""

    def cells_at(self, place: int) -> tuple[Cell, ...]:
        return self.cells_of(self.rows[place])

    def cell(self, place: int, column: int) -> Cell:
        cells = self.cells_of(self.rows[place])
        return cells[column] if column < len(cells) else Cell("")

    def line_of(self, row: Row) -> str:
        """Write a row as one line of words with tabs between, as spreadsheets take it."""
        return "\t".join(" ".join(words_of(cell).split()) for cell in self.cells_of(row))

    def text_of(self, places: Iterable[int]) -> str:
        """Write rows, a line each."""
        return "\n".join(self.line_of(self.rows[place]) for place in places)

    def tell_changed(self, places: Iterable[int], from_column: int = 0) -> None:
        """Have rows painted anew, from a column on.

        Args:
            places: Each once, the lowest first.
            from_column: The first column that changed.
        """
        for first, last in runs_of(places):
            self.dataChanged.emit(self.index(first, from_column), self.index(last, len(self.columns) - 1))

    def rowCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else len(self.columns)

    def flags(self, index: Index) -> Qt.ItemFlag:
        flags = super().flags(index)
        if index.isValid() and self.columns[index.column()].is_editable:
            flags |= Qt.ItemFlag.ItemIsEditable
        if index.isValid() and self.columns[index.column()].is_checkable:
            flags |= Qt.ItemFlag.ItemIsUserCheckable
        return flags

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return what stands in a cell, its words, or what is said of it."""
        if not index.isValid():
            return None
        if role == ROW_ROLE:
            return self.rows[index.row()]
        if role not in _ROLES:
            return None
        cell = self.cell(index.row(), index.column())
        if role == CELL_ROLE:
            return cell
        if role == Qt.ItemDataRole.CheckStateRole:
            states = {True: Qt.CheckState.Checked, False: Qt.CheckState.Unchecked}
            return None if cell.is_checked is None else states[cell.is_checked]
        said = {Qt.ItemDataRole.ToolTipRole: cell.tip, Qt.ItemDataRole.AccessibleTextRole: cell.spoken}.get(
            Qt.ItemDataRole(role)
        )
        return said or words_of(cell)

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        """Tell what a person wants; the owner of the rows shows it when it is so."""
        key = self.key_at(index.row())
        if role == Qt.ItemDataRole.CheckStateRole and self.cell(index.row(), index.column()).is_checked is not None:
            self.checked.emit(key, Qt.CheckState(value) is Qt.CheckState.Checked)
            return True
        if role == Qt.ItemDataRole.EditRole and value != index.data():
            self.edited.emit(key, str(value))
        return False

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Name a column, and say how it is sorted."""
        if orientation is not Qt.Orientation.Horizontal:
            return None
        column = self.columns[section]
        if role == Qt.ItemDataRole.DisplayRole:
            return column.title
        if role == Qt.ItemDataRole.InitialSortOrderRole:
            return Qt.SortOrder.DescendingOrder if column.descends else Qt.SortOrder.AscendingOrder
        if role == Qt.ItemDataRole.TextAlignmentRole and column.is_number:
            return Qt.AlignmentFlag.AlignRight
        if role == Qt.ItemDataRole.AccessibleDescriptionRole and self._order and section == self._order.column:
            return tr("sorted, largest first") if self._order.descending else tr("sorted, smallest first")
        return None

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sort as a person asked by a click on the name of a column."""
        if 0 <= column < len(self.columns):
            self.set_order(RowOrder(column, order is Qt.SortOrder.DescendingOrder))

    def canFetchMore(self, parent: Index) -> bool:
        """Say whether there is a next page that nobody asked for yet."""
        return not parent.isValid() and self._has_more and not self._is_asked

    def fetchMore(self, parent: Index) -> None:
        if self.canFetchMore(parent):
            self._is_asked = True
            self.more_wanted.emit()

    def listed(self, rows: Iterable[Row]) -> list[Row]:
        """Give those of all rows that are admitted, in their order; what is not known comes last either way."""
        admits = self._admits
        found = list(rows) if admits is None else [row for row in rows if admits(row)]
        key = None if self._order is None else self.columns[self._order.column].sort
        if self._order is None or key is None:
            return found
        known = [(value, row) for row in found if (value := key(row)) is not None]
        known.sort(key=lambda pair: pair[0], reverse=self._order.descending)
        return [row for _, row in known] + [row for row in found if key(row) is None]

    def _follow(self) -> None:
        """Tell what changed: what left, who moved, what came, who is painted anew."""
        rows, key_of = self.listed(self._all), self.key_of
        before, after = [key_of(row) for row in self.rows], [key_of(row) for row in rows]
        if before == after:
            self._update(rows)
            return
        old, new = set(before), set(after)
        gone = runs_of(place for place, key in enumerate(before) if key not in new)
        came = runs_of(place for place, key in enumerate(after) if key not in old)
        is_all_new = old.isdisjoint(new) or len(new) < len(after) or len(old) < len(before)
        if is_all_new or len(gone) + len(came) > _MOST_STEPS:
            self.beginResetModel()
            self._take(rows)
            self.endResetModel()
            self.rows_changed.emit()
            return
        for first, last in reversed(gone):
            self.beginRemoveRows(ROOT, first, last)
            self._take([*self.rows[:first], *self.rows[last + 1 :]])
            self.endRemoveRows()
        stayed = [key for key in after if key in old]
        if stayed != [key_of(row) for row in self.rows]:
            self._move(stayed)
        for first, last in came:
            self.beginInsertRows(ROOT, first, last)
            self._take([*self.rows[:first], *rows[first : last + 1], *self.rows[first:]])
            self.endInsertRows()
        self._update(rows)
        self.rows_changed.emit()

    def _update(self, rows: list[Row]) -> None:
        changed = [place for place, row in enumerate(rows) if row != self.rows[place]]
        self._take(rows)
        self.tell_changed(changed)

    def _move(self, keys: Sequence[str]) -> None:
        self.layoutAboutToBeChanged.emit()
        before, row_by_key = self.rows, {self.key_of(row): row for row in self.rows}
        self._take([row_by_key[key] for key in keys])
        indexes = self.persistentIndexList()
        places = [self.place_of(self.key_of(before[index.row()])) for index in indexes]
        moved = [self.index(place, index.column()) for place, index in zip(places, indexes, strict=True)]
        self.changePersistentIndexList(indexes, moved)
        self.layoutChanged.emit()

    def _take(self, rows: list[Row]) -> None:
        self.rows = rows
        self._place_by_key = None


class CheckableTableModel(TableModel[Row]):
    """List rows with a box before each, and keep which are marked.

    Signals:
        chosen_changed: Others are marked now.
    """

    chosen_changed = Signal()

    def __init__(
        self,
        columns: Sequence[Column],
        cells_of: Callable[[Row], tuple[Cell, ...]],
        key_of: Callable[[Row], str],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(columns, cells_of, key_of, parent)
        self._chosen: set[str] = set()
        self.checked.connect(self._on_checked)

    @property
    def chosen(self) -> tuple[str, ...]:
        return tuple(key for key in map(self.key_of, self.rows) if key in self._chosen)

    def choose(self, keys: Iterable[str]) -> None:
        """Mark those with these keys, and no others."""
        self._chosen = set(keys)
        self.tell_changed(range(len(self.rows)))
        self.chosen_changed.emit()

    def _on_checked(self, key: str, is_chosen: bool) -> None:
        (self._chosen.add if is_chosen else self._chosen.discard)(key)
        self.tell_changed([self.place_of(key)])
        self.chosen_changed.emit()


_ROLES: Final = frozenset(
    {
        CELL_ROLE,
        Qt.ItemDataRole.DisplayRole,
        Qt.ItemDataRole.EditRole,
        Qt.ItemDataRole.ToolTipRole,
        Qt.ItemDataRole.AccessibleTextRole,
        Qt.ItemDataRole.CheckStateRole,
    }
)


def words_of(cell: Cell) -> str:
    """Give the words of a cell: its own, else those of what it does."""
    return cell.text or cell.action
