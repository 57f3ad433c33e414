"""Write a comparison as a JSON Patch: operations that make the second value of the first.

Source: RFC 6902, JavaScript Object Notation (JSON) Patch; RFC 6901, JSON Pointer.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import Any

from console.comparison.structure import ComparedNode, Tree, ValueChange


def json_patch(tree: Tree) -> list[dict[str, Any]]:
    """Return the operations, in the order they are applied in. What is passed over stays as it is.

    Args:
        tree: Two values, compared; both are there.
    """
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
