"""Two compared JSON values as a Qt tree whose rows are made when they are looked at."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from enum import Enum
from itertools import islice
from typing import Any, Final, NamedTuple

from PySide6.QtCore import QModelIndex, Qt

from console.comparison.identity import CONTAINERS
from console.comparison.rows import difference_words
from console.comparison.structure import ComparedNode, DifferenceCounts, ValueChange
from console.json_view.model import BLOCK, NOWHERE, GrowingModel, Index
from console.json_view.pretty import json_path, scalar_text, summary
from console.language import tr
from console.schema_form import ABSENT

_SHORT_RUN: Final = 3
_MANY: Final = 2_000
_NOTHING: Final = DifferenceCounts()


_CHANGE_WORDS: Final = {
    ValueChange.ADDED: tr("added"),
    ValueChange.REMOVED: tr("removed"),
    ValueChange.IGNORED: tr("passed over"),
}


class RowSide(Enum):
    """Which of the two values a row shows."""

    BOTH = "both"
    LEFT = "left"
    RIGHT = "right"
    FOLD = "fold"


class TreeRow(NamedTuple):
    """What one row shows.

    Attributes:
        node: The place; of a fold the list or object whose parts it hides.
        hidden: The parts that a fold hides.
        is_range: Whether it hides them because there are very many, not because they are the same.
    """

    node: ComparedNode
    side: RowSide
    hidden: tuple[ComparedNode, ...] = ()
    is_range: bool = False

    @property
    def value(self) -> Any:
        return self.node.left if self.side is RowSide.LEFT else self.node.value

    @property
    def key(self) -> str | int | None:
        """Its name or position on that side."""
        return self.node.left_key if self.side is RowSide.LEFT else self.node.key

    @property
    def change(self) -> ValueChange:
        """What became of the value; of a changed one, what this side of it is."""
        if self.node.change is ValueChange.CHANGED:
            return ValueChange.REMOVED if self.side is RowSide.LEFT else ValueChange.ADDED
        return ValueChange.SAME if self.side is RowSide.FOLD else self.node.change

    @property
    def words(self) -> str:
        """What became of it, in words; empty for nothing."""
        if self.side is RowSide.FOLD:
            inside = sum(part.counts.total for part in self.hidden) if self.is_range else 0
            return difference_words(inside) if inside else ""
        node, words = self.node, []
        if node.change is ValueChange.CHANGED:
            words.append(tr("before") if self.side is RowSide.LEFT else tr("now"))
        elif node.change in _CHANGE_WORDS:
            words.append(_CHANGE_WORDS[node.change])
        elif node.change is ValueChange.INSIDE:
            words.append(difference_words(node.counts.total - node.moved))
        if node.moved:
            words.append(tr("moved from [{place}]", place=node.left_key))
        return ", ".join(words)

    @property
    def fold_text(self) -> str:
        if not self.is_range:
            return tr("{count:,} unchanged", count=len(self.hidden))
        first, last = self.hidden[0].key, self.hidden[-1].key
        if isinstance(first, int) and isinstance(last, int):
            return tr("{first:,} to {last:,}", first=first, last=last)
        return tr("{first} to {last}", first=first, last=last)

    def parts(self) -> Iterator[ComparedNode]:
        """Yield what is inside the value that is shown."""
        node = self.node
        if self.side is RowSide.FOLD:
            return iter(self.hidden)
        if node.change is not ValueChange.CHANGED:
            return node.inside()
        if self.side is RowSide.LEFT:
            return ComparedNode(
                self.key, None, node.left, ABSENT, ValueChange.REMOVED, moved=False, counts=_NOTHING
            ).inside()
        return ComparedNode(
            None, self.key, ABSENT, node.right, ValueChange.ADDED, moved=False, counts=_NOTHING
        ).inside()

    @property
    def has_parts(self) -> bool:
        if self.side is RowSide.FOLD:
            return True
        return isinstance(self.value, CONTAINERS) and bool(self.value or self.node.children)


def difference_places(root: ComparedNode) -> list[tuple[int, ...]]:
    """Return where each difference stands, from the top down: the places of children from the whole to it."""
    places: list[tuple[int, ...]] = []
    waiting: list[tuple[tuple[int, ...], ComparedNode]] = [((), root)]
    while waiting:
        place, node = waiting.pop()
        if node.moved or node.change in {ValueChange.ADDED, ValueChange.REMOVED, ValueChange.CHANGED}:
            places.append(place)
        inside = [((*place, number), child) for number, child in enumerate(node.children) if child.differs]
        waiting += reversed(inside)
    return places


class _Made:
    """A row that was looked at; what is inside was made as far as it was looked at."""

    __slots__ = ("children", "first_child", "id", "is_whole", "parent", "place", "rest", "row", "shown")

    def __init__(self, parent: _Made | None, row: int, shown: TreeRow, place: int) -> None:
        self.id = 0
        self.parent = parent
        self.row = row
        self.shown = shown
        self.place = place
        self.children: list[_Made] = []
        self.first_child: list[int] = []
        self.rest: Iterator[tuple[int, TreeRow]] | None = None
        self.is_whole = False


class DifferenceModel(GrowingModel):
    """Show two compared values as one tree; a value that changed takes two rows, before and now."""

    ROW_ROLE: Final = Qt.ItemDataRole.UserRole + 1

    def __init__(self) -> None:
        super().__init__()
        # Numbers are never used twice: Qt may keep an index longer than its row.
        self._last_id = 0
        self._made_by_id: dict[int, _Made] = {}
        self._tops: list[_Made] = []
        self.root: ComparedNode | None = None
        self._only_differences = True
        self._is_changing = False

    def show(self, root: ComparedNode | None, *, only_differences: bool) -> None:
        """Show two compared values, longer runs of what is the same folded or not; None shows nothing."""
        self._is_changing = True
        self.beginResetModel()
        self._made_by_id.clear()
        self.root = root
        self._only_differences = only_differences
        rows = () if root is None else _rows_of(root, 0)
        self._tops = [_Made(None, number, row, place) for number, (place, row) in enumerate(rows)]
        self._know(self._tops)
        self._is_changing = False
        self.endResetModel()

    def row_at(self, index: Index) -> TreeRow:
        return self._made(index).shown

    def place_of(self, index: Index) -> tuple[int, ...]:
        """Return where a row stands: the places of children from the whole to it."""
        places: list[int] = []
        made: _Made | None = self._made(index)
        while made is not None and made.parent is not None:
            place, made = made.place, made.parent
            while made.shown.side is RowSide.FOLD and made.parent is not None:
                # What a fold hides is counted from its beginning.
                place, made = place + made.place, made.parent
            places.append(place)
        return tuple(reversed(places))

    def path_of(self, index: Index) -> str:
        """Return where the value of a row stands: `$.matches[0]`."""
        keys: list[str | int] = []
        made: _Made | None = self._made(index)
        while made is not None:
            key = made.shown.key
            if key is not None and made.shown.side is not RowSide.FOLD and made.parent is not None:
                keys.append(key)
            made = made.parent
        return json_path(keys[::-1])

    def index_at(self, place: Sequence[int]) -> QModelIndex:
        """Return the row of a difference, making the rows on the way; an invalid index if there is none."""
        if not self._tops:
            return QModelIndex()
        made = self._tops[0]
        for number in place:
            found = self._child(made, number)
            if found is None:
                return QModelIndex()
            made = found
        return self._index_of(made)

    def index(self, row: int, column: int, parent: Index = NOWHERE) -> QModelIndex:
        if column != 0 or row < 0:
            return QModelIndex()
        rows = self._made(parent).children if parent.isValid() else self._tops
        return self._index_of(rows[row]) if row < len(rows) else QModelIndex()

    def parent(self, index: Index = NOWHERE) -> QModelIndex:  # type: ignore[override]
        made = self._made(index) if index.isValid() else None
        return QModelIndex() if made is None or made.parent is None else self._index_of(made.parent)

    def rowCount(self, parent: Index = NOWHERE) -> int:
        return len(self._made(parent).children) if parent.isValid() else len(self._tops)

    def hasChildren(self, parent: Index = NOWHERE) -> bool:
        """Tell whether there is something inside, made or not."""
        return self._made(parent).shown.has_parts if parent.isValid() else bool(self._tops)

    def has_more(self, parent: Index) -> bool:
        """Tell whether rows inside are yet to be made."""
        made = self._made(parent)
        return not self._is_changing and made.shown.has_parts and not made.is_whole

    def make_more(self, parent: Index, count: int = BLOCK) -> None:
        """Make the next rows inside."""
        if self.has_more(parent):
            self._make(self._made(parent), count)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return the line of a row, or what it shows."""
        if not index.isValid():
            return None
        row = self.row_at(index)
        if role == self.ROW_ROLE:
            return row
        if role not in {Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole}:
            return None
        if row.side is RowSide.FOLD:
            return ", ".join(part for part in (row.fold_text, row.words) if part)
        value = row.value
        said = summary(value) if isinstance(value, CONTAINERS) else scalar_text(value)
        line = said if row.key is None else f"{row.key}: {said}"
        return f"{line} ({row.words})" if row.words and role == Qt.ItemDataRole.AccessibleTextRole else line

    def _made(self, index: Index) -> _Made:
        return self._made_by_id[index.internalId()]

    def _index_of(self, made: _Made) -> QModelIndex:
        return self.createIndex(made.row, 0, made.id)

    def _know(self, rows: Sequence[_Made]) -> None:
        for made in rows:
            self._last_id += 1
            made.id = self._last_id
            self._made_by_id[made.id] = made

    def _make(self, made: _Made, count: int) -> None:
        if made.rest is None:
            made.rest = _inside(made.shown, only_differences=self._only_differences)
        first = len(made.children)
        found = list(islice(made.rest, count))
        new = [_Made(made, first + number, row, place) for number, (place, row) in enumerate(found)]
        # Who hears of new rows may ask for more before they are there.
        self._is_changing = True
        if new:
            self.beginInsertRows(self._index_of(made), first, first + len(new) - 1)
            made.children += new
            made.first_child += [row.place for row in new]
            self._know(new)
        made.is_whole = len(found) < count
        self._is_changing = False
        if new:
            self.endInsertRows()

    def _child(self, made: _Made, place: int) -> _Made | None:
        """Return the row of a part, made if need be."""
        while (not made.first_child or made.first_child[-1] < place) and self.has_more(self._index_of(made)):
            self._make(made, BLOCK)
        number = bisect_left(made.first_child, place)
        if number < len(made.children) and made.first_child[number] == place:
            found = made.children[number]
            if found.shown.side is not RowSide.FOLD:
                return found
        number = bisect_right(made.first_child, place) - 1
        if number < 0 or made.children[number].shown.side is not RowSide.FOLD:
            return None
        fold = made.children[number]
        return self._child(fold, place - fold.place)


def _rows_of(node: ComparedNode, place: int) -> Iterator[tuple[int, TreeRow]]:
    """Yield the rows of one part: of a changed one two."""
    if node.change is ValueChange.CHANGED:
        yield place, TreeRow(node, RowSide.LEFT)
        yield place, TreeRow(node, RowSide.RIGHT)
    else:
        side = {ValueChange.ADDED: RowSide.RIGHT, ValueChange.REMOVED: RowSide.LEFT}.get(node.change, RowSide.BOTH)
        yield place, TreeRow(node, side)


def _inside(row: TreeRow, *, only_differences: bool) -> Iterator[tuple[int, TreeRow]]:
    """Yield the rows inside, each with the place of its part."""
    nodes = row.hidden if row.side is RowSide.FOLD else row.node.children
    if not nodes:
        return _plain(row.parts())
    if row.side is RowSide.FOLD and not row.is_range:
        return _plain(nodes)
    if not row.is_range and len(nodes) > _MANY:
        told = sum(node.differs for node in nodes) if only_differences else len(nodes)
        if told > _MANY:
            # A tree view would need seconds for as many rows as one jump may need.
            return _ranges(row.node, nodes)
    return _folded(row.node, nodes) if only_differences else _plain(nodes)


def _ranges(owner: ComparedNode, nodes: tuple[ComparedNode, ...]) -> Iterator[tuple[int, TreeRow]]:
    for start in range(0, len(nodes), BLOCK):
        yield start, TreeRow(owner, RowSide.FOLD, nodes[start : start + BLOCK], is_range=True)


def _plain(nodes: Iterable[ComparedNode]) -> Iterator[tuple[int, TreeRow]]:
    for place, node in enumerate(nodes):
        yield from _rows_of(node, place)


def _folded(owner: ComparedNode, nodes: Sequence[ComparedNode]) -> Iterator[tuple[int, TreeRow]]:
    """Yield rows, longer runs of what is the same as one."""
    run: list[ComparedNode] = []
    start = 0
    for place, node in enumerate(nodes):
        if not node.differs:
            start = start if run else place
            run.append(node)
            continue
        yield from _run(owner, run, start)
        run = []
        yield from _rows_of(node, place)
    yield from _run(owner, run, start)


def _run(owner: ComparedNode, run: list[ComparedNode], start: int) -> Iterator[tuple[int, TreeRow]]:
    if len(run) > _SHORT_RUN:
        yield start, TreeRow(owner, RowSide.FOLD, tuple(run))
    else:
        for number, node in enumerate(run):
            yield from _rows_of(node, start + number)
