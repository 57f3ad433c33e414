"""Compare two JSON values as trees: what was added, removed, changed and moved."""

from __future__ import annotations

import json
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from enum import Enum
from typing import Any, Final, NamedTuple

from console.comparison.alignment import LIKENESS_STEPS, StepBudget, match_items
from console.comparison.identity import CONTAINERS, Identities, IgnoredPaths, Trail
from console.schema_form import ABSENT

_MOST_DEPTH: Final = 100
_MOST_NODES: Final = 300_000
_NO_PATHS: Final = IgnoredPaths()


class ValueChange(Enum):
    """What became of a value."""

    SAME = "same"
    INSIDE = "inside"
    CHANGED = "changed"
    ADDED = "added"
    REMOVED = "removed"
    IGNORED = "ignored"


class DifferenceCounts(NamedTuple):
    """How many differences of each kind there are.

    Attributes:
        added: Values that only the second side has.
        removed: Values that only the first side has.
        moved: Items that stand elsewhere in their list.
    """

    added: int = 0
    removed: int = 0
    changed: int = 0
    moved: int = 0

    @property
    def total(self) -> int:
        return sum(self)


class ComparedNode(NamedTuple):
    """One place of the two values.

    Attributes:
        left_key: Its name or position in the first value; None for the whole, and where it is not there.
        right_key: Likewise in the second value.
        left: What stands there in the first value; `ABSENT` for nothing.
        right: What stands there in the second value; `ABSENT` for nothing.
        moved: Whether it stands elsewhere in its list.
        children: What is inside, if it differs inside; else empty, and both sides say what there is.
    """

    left_key: str | int | None
    right_key: str | int | None
    left: Any
    right: Any
    change: ValueChange
    moved: bool
    counts: DifferenceCounts
    children: tuple[ComparedNode, ...] = ()

    @property
    def key(self) -> str | int | None:
        """Its name or position, where it stands now."""
        return self.left_key if self.right is ABSENT else self.right_key

    @property
    def value(self) -> Any:
        """What stands there now, or stood there."""
        return self.left if self.right is ABSENT else self.right

    @property
    def differs(self) -> bool:
        return self.counts != _NONE

    def inside(self) -> Iterator[ComparedNode]:
        """Yield what is inside: of a part that is on one side only, parts that are too."""
        if self.children or not isinstance(self.value, CONTAINERS):
            yield from self.children
        else:
            for key, part in self.value.items() if isinstance(self.value, dict) else enumerate(self.value):
                yield self._part(key, part)

    def _part(self, key: str | int, part: Any) -> ComparedNode:
        if self.change is ValueChange.ADDED:
            return ComparedNode(None, key, ABSENT, part, ValueChange.ADDED, moved=False, counts=_NONE)
        if self.change is ValueChange.REMOVED:
            return ComparedNode(key, None, part, ABSENT, ValueChange.REMOVED, moved=False, counts=_NONE)
        return ComparedNode(key, key, part, part, self.change, moved=False, counts=_NONE)


_NONE: Final = DifferenceCounts()
_OWN_COUNTS: Final = {
    (change, moved): DifferenceCounts(
        int(change is ValueChange.ADDED),
        int(change is ValueChange.REMOVED),
        int(change is ValueChange.CHANGED),
        int(moved),
    )
    for change in ValueChange
    for moved in (False, True)
}
_NOTHING: Final = _OWN_COUNTS[ValueChange.SAME, False]


class Tree(NamedTuple):
    """Two values, compared.

    Attributes:
        is_complete: Whether every difference was looked into; otherwise there were too many, and some objects and lists
            are only said to differ.
    """

    root: ComparedNode
    is_complete: bool = True

    @property
    def counts(self) -> DifferenceCounts:
        return self.root.counts


def compare(left: Any, right: Any, ignored: IgnoredPaths = _NO_PATHS) -> Tree:
    """Compare two JSON values, `ABSENT` for none; from any thread.

    Returns:
        The whole, whose counts tell whether anything differs. With the sides exchanged the same differences are found.
    """
    one, other = _written(left), _written(right)
    if one == other is not None:
        return Tree(ComparedNode(None, None, left, right, ValueChange.SAME, moved=False, counts=_NONE))
    # What is found must not depend on which side is asked for first.
    is_swapped = one is not None and other is not None and other < one
    return _Comparison(left, right, ignored, is_swapped=is_swapped).tree()


def _written(value: Any) -> str | None:
    try:
        return json.dumps(value, default=repr)
    except (RecursionError, ValueError):
        return None  # too deep to be written


class _Comparison:
    """One comparison of two values."""

    def __init__(self, left: Any, right: Any, ignored: IgnoredPaths, *, is_swapped: bool) -> None:
        self._is_swapped = is_swapped
        self._left = left
        self._right = right
        self._ignored = ignored
        self._identities = Identities(ignored)
        self._identities.learn(left)
        self._identities.learn(right)
        self._nodes = StepBudget(_MOST_NODES)
        self._matching = StepBudget(LIKENESS_STEPS)
        self._is_complete = True

    def tree(self) -> Tree:
        root = self._node(None, None, self._left, self._right, None, moved=False)
        return Tree(root, self._is_complete)

    def _node(
        self,
        left_key: str | int | None,
        right_key: str | int | None,
        left: Any,
        right: Any,
        trail: Trail | None,
        *,
        moved: bool,
        depth: int = 0,
    ) -> ComparedNode:
        """Compare what stands at two places; the trail is that of the first, unless only the second has it."""
        children: tuple[ComparedNode, ...] = ()
        if left is ABSENT or right is ABSENT:
            change = ValueChange.SAME if left is right else ValueChange.ADDED if left is ABSENT else ValueChange.REMOVED
        elif self._identities.of(left) == self._identities.of(right):
            change = ValueChange.SAME
        else:
            children = self._parts(left, right, trail, depth + 1)
            change = ValueChange.INSIDE if children else ValueChange.CHANGED
        counts = _OWN_COUNTS[change, moved]
        if children:
            counts = _sum(counts, children)
        return ComparedNode(left_key, right_key, left, right, change, moved, counts, children)

    def _parts(self, left: Any, right: Any, trail: Trail | None, depth: int) -> tuple[ComparedNode, ...]:
        """Compare what is inside of two values that differ; nothing when they can only differ as a whole."""
        objects = isinstance(left, dict) and isinstance(right, dict)
        lists = isinstance(left, list | tuple) and isinstance(right, list | tuple)
        if not objects and not lists:
            return ()
        if depth > _MOST_DEPTH or self._nodes.is_spent:
            self._is_complete = False
            return ()
        self._nodes.take(max(len(left), len(right)))
        return tuple((self._members if objects else self._elements)(left, right, trail, depth))

    def _members(
        self, left: Mapping[str, Any], right: Mapping[str, Any], trail: Trail | None, depth: int
    ) -> list[ComparedNode]:
        """Compare two objects: the names of the second in their order, each removed one where it stood."""
        covers = self._ignored.covers if self._ignored else None
        nodes: list[ComparedNode] = []
        for name in merged_names(left, right):
            one, other = left.get(name, ABSENT), right.get(name, ABSENT)
            if covers is not None and covers(trail, name):
                nodes.append(_passed_over(name, one, other))
                continue
            left_key = None if one is ABSENT else name
            right_key = None if other is ABSENT else name
            nodes.append(self._node(left_key, right_key, one, other, (trail, name), moved=False, depth=depth))
        return nodes

    def _elements(
        self, left: list[Any] | tuple[Any, ...], right: list[Any] | tuple[Any, ...], trail: Trail | None, depth: int
    ) -> list[ComparedNode]:
        covers = self._ignored.covers if self._ignored else None
        nodes: list[ComparedNode] = []
        pairs = match_items(left, right, self._identities, self._matching, is_swapped=self._is_swapped)
        for one, other, moved in pairs:
            old = ABSENT if one is None else left[one]
            new = ABSENT if other is None else right[other]
            place = one if one is not None else other
            if covers is not None and place is not None and covers(trail, place):
                nodes.append(_passed_over(place, old, new))
                continue
            nodes.append(self._node(one, other, old, new, (trail, place or 0), moved=moved, depth=depth))
        return nodes


def _sum(own: DifferenceCounts, children: tuple[ComparedNode, ...]) -> DifferenceCounts:
    added, removed, changed, moved = own
    for child in children:
        if child.counts is not _NOTHING:
            inside = child.counts
            added += inside.added
            removed += inside.removed
            changed += inside.changed
            moved += inside.moved
    return DifferenceCounts(added, removed, changed, moved)


def _passed_over(key: str | int, left: Any, right: Any) -> ComparedNode:
    left_key = None if left is ABSENT else key
    right_key = None if right is ABSENT else key
    return ComparedNode(left_key, right_key, left, right, ValueChange.IGNORED, moved=False, counts=_NONE)


def merged_names(left: Mapping[str, Any], right: Mapping[str, Any]) -> list[str]:
    """Return the names of both, those of the second in order, what only the first has behind what stood before it."""
    behind: dict[str | None, list[str]] = {}
    last: str | None = None
    for name in left:
        if name in right:
            last = name
        else:
            behind.setdefault(last, []).append(name)
    names = behind.get(None, [])
    for name in right:
        names.append(name)
        names += behind.get(name, ())
    return names


def json_patch(tree: Tree) -> list[dict[str, Any]]:
    """Return the operations in the order they are applied in; both values are there, and what is passed over stays."""
    operations: list[dict[str, Any]] = []
    waiting: list[tuple[ComparedNode, str]] = [(tree.root, "")]
    while waiting:
        node, path = waiting.pop()
        if node.change is ValueChange.CHANGED:
            operations.append({"op": "replace", "path": path, "value": node.right})
        elif node.children:
            waiting += reversed(_changes_inside(node, path, operations))
    return operations


def _changes_inside(node: ComparedNode, path: str, operations: list[dict[str, Any]]) -> list[tuple[ComparedNode, str]]:
    """Bring what is inside to its places, and return what is still to be changed there."""
    if isinstance(node.left, dict):
        for child in node.children:
            if child.change is ValueChange.REMOVED:
                operations.append({"op": "remove", "path": _pointer(path, child.left_key)})
            elif child.change is ValueChange.ADDED:
                operations.append({"op": "add", "path": _pointer(path, child.right_key), "value": child.right})
        return [(child, _pointer(path, child.right_key)) for child in node.children if child.differs]
    places = _arranged(node, path, operations)
    return [(child, _pointer(path, places[child.right_key])) for child in node.children if child.right_key in places]


def _arranged(node: ComparedNode, path: str, operations: list[dict[str, Any]]) -> dict[str | int | None, int]:
    """Remove, move and add the items of a list; return the place of each that both sides have."""
    gone = [child.left_key for child in node.children if _goes(child)]
    operations += [{"op": "remove", "path": _pointer(path, place)} for place in sorted(gone, reverse=True)]  # type: ignore[type-var]
    # What is to be moved waits where it stood; everything before the place that is filled next is right already.
    coming = [child for child in node.children if _stays_or_comes(child)]
    waiting = sorted(child.left_key for child in coming if child.moved and isinstance(child.left_key, int))
    return _filled(coming, waiting, path, operations)


def _filled(
    coming: list[ComparedNode], waiting: list[int], path: str, operations: list[dict[str, Any]]
) -> dict[str | int | None, int]:
    staying = [(place, child.left_key) for place, child in enumerate(coming) if _stays(child)]
    places = [place for place, _ in staying]
    lefts = [left for _, left in staying if isinstance(left, int)]
    last_left = -1
    for place, child in enumerate(coming):
        if _stays(child):
            if isinstance(child.left_key, int):
                last_left = child.left_key
            continue
        if child.moved and isinstance(child.left_key, int):
            left = child.left_key
            before = bisect_left(waiting, left)
            # In front of it: what stays and stood before it, what was put behind that already, and what waits there.
            rank = bisect_left(lefts, left)
            next_place = places[rank] if rank < len(places) else len(coming)
            settled = min(next_place, place)
            if rank and places[rank - 1] >= place:
                settled = place + bisect_left(places, places[rank - 1] + 1) - bisect_left(places, place)
            del waiting[before]
            start = settled + before
            end = place + bisect_left(waiting, last_left)
            if start != end:
                operations.append({"op": "move", "from": _pointer(path, start), "path": _pointer(path, end)})
        else:
            target = place + bisect_left(waiting, last_left)
            operations.append({"op": "add", "path": _pointer(path, target), "value": child.right})
    return {child.right_key: place for place, child in enumerate(coming) if child.left_key is not None}


def _goes(child: ComparedNode) -> bool:
    return child.change is ValueChange.REMOVED


def _stays_or_comes(child: ComparedNode) -> bool:
    return child.change is ValueChange.ADDED or (child.left_key is not None and not _goes(child))


def _stays(child: ComparedNode) -> bool:
    return child.left_key is not None and not child.moved


def _pointer(path: str, key: str | int | None) -> str:
    return f"{path}/{str(key).replace('~', '~0').replace('/', '~1')}"
