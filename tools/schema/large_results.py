"""Large results: written piece by piece, so that a program with other threads, such as a window, goes on meanwhile.

pydantic's compiled serializer keeps the interpreter to itself until it is done: 300 ms and more for half a million
objects. It lets go of it wherever it calls Python.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Mapping
from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING, Any, Final, cast

from pydantic_core import core_schema

from tools.schema.rewriting import children_rewritten

if TYPE_CHECKING:
    from pydantic_core import CoreSchema

MANY: Final = 2_000
"""From so many parts on a result is large; fewer are written in less than a few milliseconds."""

HOLDING_MANY: Final = frozenset({"any", "deque", "dict", "frozenset", "generator", "list", "set", "tuple"})
"""The kinds of core schemas whose values can have any number of parts."""

_SIMPLE: Final = frozenset({"bool", "date", "datetime", "float", "int", "none", "str", "time", "timedelta", "uuid"})
_SCALARS: Final = frozenset({"bool", "float", "int", "none", "str"})


def is_large(value: Any) -> bool:
    """Tell whether a result, or something directly inside it, has many parts."""
    parts = _parts(value)
    return len(parts) > MANY or any(len(_parts(part)) > MANY for part in parts)


_HOLDING_NOTHING: Final = frozenset({str, int, bool, float, type(None)})


def _parts(value: Any) -> Collection[Any]:
    # Every result comes by here: the abstract classes, which take ten times as long to ask, come last.
    if type(value) in _HOLDING_NOTHING:
        return ()
    if isinstance(value, dict):
        return value.values()
    if isinstance(value, (list, tuple, set, frozenset, deque)):
        return value
    held = getattr(value, "__dict__", None)
    if isinstance(held, dict):
        return held.values()
    if isinstance(value, Mapping):
        return value.values()
    return value if isinstance(value, AbstractSet) else ()


def is_plain(schema: CoreSchema) -> bool:
    """Tell whether values of a schema are nothing but containers of anything, which are written by what they are."""
    node = cast("dict[str, Any]", schema)
    return _is_plain(node) and _says_anything(node)


def _is_plain(node: dict[str, Any]) -> bool:
    if "serialization" in node or node["type"] not in _PLAIN:
        return False
    if "keys_schema" in node and node["keys_schema"]["type"] not in {"any", "str"}:
        return False
    return all(_is_plain(node[key]) for key in _PLAIN_CHILDREN if key in node)


def _says_anything(node: dict[str, Any]) -> bool:
    inner = [node[key] for key in _PLAIN_CHILDREN if key in node]
    return any(map(_says_anything, inner)) if inner else node["type"] not in _SCALARS


_PLAIN: Final = _SCALARS | {"any", "dict", "list", "nullable"}
_PLAIN_CHILDREN: Final = ("items_schema", "values_schema", "schema")


_PARTS: Final = ("items_schema", "values_schema")


def patient(schema: CoreSchema) -> CoreSchema:
    """Return the schema that writes each part of a container by way of Python; values come out the same."""
    return cast("CoreSchema", _patient(cast("dict[str, Any]", schema)))


def _patient(node: dict[str, Any]) -> dict[str, Any]:
    new = children_rewritten(node, _patient)
    if new["type"] in HOLDING_MANY:
        for key in _PARTS:
            part = new.get(key)
            if isinstance(part, list):
                new = {**new, key: [_by_way_of_python(item) for item in part]}
            elif part is not None:
                new = {**new, key: _by_way_of_python(part)}
    return new


def _by_way_of_python(node: dict[str, Any]) -> dict[str, Any]:
    if "serialization" in node or node["type"] in _SIMPLE:
        return node
    if any("serialization" in part for part in _parts_of(node)):
        # Its parts go through Python already, and what comes out of Python is looked through once more.
        return node
    return {**node, "serialization": _ONE_BY_ONE}


def _parts_of(node: dict[str, Any]) -> list[dict[str, Any]]:
    found = [node[key] for key in _PARTS if key in node]
    return [part for parts in found for part in (parts if isinstance(parts, list) else [parts])]


def _write(value: Any, write: Callable[[Any], Any]) -> Any:
    return write(value)


_ONE_BY_ONE: Final = core_schema.wrap_serializer_function_ser_schema(_write, when_used="json")
