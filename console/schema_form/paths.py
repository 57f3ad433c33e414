"""Places in a JSON document, and changes at them that leave the old document as it was."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Any, Final, TypeAlias

from console.language import tr
from tools.schema.bounded import hashable

Path: TypeAlias = tuple[str | int, ...]
"""The names and positions that lead from the document to a value; `()` is the document itself."""


class Absent(Enum):
    """The one value that says "not in the document", where null is a value of its own."""

    ABSENT = "absent"

    def __repr__(self) -> str:
        return "ABSENT"


ABSENT: Final = Absent.ABSENT


NAME: Final = -1
"""The last part of a path that means the name of a value instead of the value; no list has such a place."""


def label(path: Path) -> str:
    """Write a path as people read it: `context.before`, `include[1]`, "the arguments" for the whole."""
    text = ""
    for part in path:
        if isinstance(part, int):
            text += f"[{part}]"
        else:
            text += f".{one_line(part)}" if text else one_line(part)
    return text or tr("the arguments")


def one_line(text: str) -> str:
    """Write line breaks and other letters that cannot be seen as escapes."""
    if text.isprintable():
        return text
    return "".join(letter if letter.isprintable() else json.dumps(letter)[1:-1] for letter in text)


def value_at(value: Any, path: Path) -> Any:
    """Return what stands at a path, or `ABSENT`."""
    for part in path:
        if isinstance(part, str):
            if not isinstance(value, Mapping) or part not in value:
                return ABSENT
            value = value[part]
        else:
            if not _is_list(value) or not 0 <= part < len(value):
                return ABSENT
            value = value[part]
    return value


def replaced(value: Any, path: Path, new: Any) -> Any:
    """Return the document with another value at a path; everything beside the path is shared with the old one.

    A missing object on the way is made. A list that is too short for a place is filled up with null.

    Raises:
        LookupError: The path leads through a value that is no object or list.
    """
    if not path:
        return new
    head, rest = path[0], path[1:]
    if isinstance(head, str):
        if value is ABSENT or value is None:
            value = {}
        if not isinstance(value, Mapping):
            raise LookupError(f"expected an object to hold {head!r}, got {value!r}")  # noqa: TRY004 -- the path is wrong
        return {**value, head: replaced(value.get(head, ABSENT), rest, new)}
    items = [] if value is ABSENT or value is None else value
    if not _is_list(items) or head < 0:
        raise LookupError(f"expected a list with a place {head}, got {value!r}")
    old = items[head] if head < len(items) else ABSENT
    missing = [None] * (head - len(items))
    return [*items[:head], *missing, replaced(old, rest, new), *items[head + 1 :]]


def removed(value: Any, path: Path) -> Any:
    """Return the document without what stands at a path; the same document when nothing does; the path is not empty."""
    if value_at(value, path) is ABSENT:
        return value
    head, rest = path[0], path[1:]
    if rest:
        return replaced(value, (head,), removed(value[head], rest))
    if isinstance(head, str):
        return {name: kept for name, kept in value.items() if name != head}
    return [*value[:head], *value[head + 1 :]]


def same(one: Any, other: Any) -> bool:
    """Tell whether two JSON values are the same; unlike `==`, true is not 1 and 1 is not 1.0."""
    if one is other:
        return True
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return list(one) == list(other) and all(same(part, other[name]) for name, part in one.items())
    if _is_list(one) and _is_list(other):
        return len(one) == len(other) and all(map(same, one, other))
    return type(one) is type(other) and bool(one == other)


def equal(one: Any, other: Any) -> bool:
    """Tell whether values are equal as JSON Schema sees it: 1 is 1.0, true is not 1, the order of names is nothing."""
    return bool(hashable(one) == hashable(other))


def type_of(value: Any) -> str:
    """Return the type of a JSON value as JSON Schema calls it; 1.0 is an integer there."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int | float):
        return "integer" if isinstance(value, int) or value == value // 1 else "number"
    if isinstance(value, str):
        return "string"
    return "object" if isinstance(value, Mapping) else "array"


def difference(one: Any, other: Any) -> Path:
    """Return the longest path that all differences of two JSON values are at or below."""
    path: list[str | int] = []
    while True:
        if isinstance(one, Mapping) and isinstance(other, Mapping):
            differing: list[Any] = [
                name
                for name in {**one, **other}
                if not (name in one and name in other and same(one[name], other[name]))
            ]
        elif _is_list(one) and _is_list(other) and len(one) == len(other):
            differing = [place for place in range(len(one)) if not same(one[place], other[place])]
        else:
            return tuple(path)
        if len(differing) != 1:
            return tuple(path)
        path.append(differing[0])
        one, other = value_at(one, (differing[0],)), value_at(other, (differing[0],))


def _is_list(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str | bytes)
