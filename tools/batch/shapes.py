"""Shapes: what is known of a value before there is one, read from JSON Schemas, examples and the heads of files."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

_DEEPEST: Final = 8
_MOST_STEPS: Final = 20
_MOST_LOOKED_AT: Final = 100
_INDIRECT: Final = frozenset({"$ref", "anyOf", "oneOf", "allOf", "if", "$dynamicRef"})
"""What says in other words what a value is."""

_KINDS: Final = frozenset({"string", "number", "integer", "boolean", "null", "array", "object"})
_TAKEN_FOR: Final[Mapping[str, frozenset[str]]] = {
    "integer": frozenset({"number"}),
    "number": frozenset({"integer"}),
    # Texts are read where a number or a truth is wanted; whether this text can be, is known when it is there.
    "string": frozenset({"integer", "number", "boolean"}),
}


class Shape(NamedTuple):
    """Say what is known of a value.

    Attributes:
        schema: Its JSON Schema; a place in it may hold another shape. An empty one knows nothing.
        root: The document that references in it start from.
        is_closed: Whether objects have no other fields than those that are listed, where the schema is silent.
    """

    schema: Mapping[str, Any]
    root: Mapping[str, Any]
    is_closed: bool = False

    @property
    def kinds(self) -> frozenset[str] | None:
        """The JSON types that it may have; None when nothing is known."""
        found: set[str] = set()
        for option in self._options():
            kinds = _kinds(option.schema)
            if kinds is None:
                return None
            found |= kinds
        return frozenset(found) or None

    def field(self, name: str) -> Shape | None:
        """Return what is known of a field of an object; None when there is no such field."""
        found: list[Shape] = []
        for option in self._options():
            schema, kinds = option.schema, _kinds(option.schema)
            if kinds is not None and "object" not in kinds:
                continue
            fields, rest = schema.get("properties") or {}, schema.get("additionalProperties")
            if name in fields:
                found.append(_within(option, fields[name]))
            elif isinstance(rest, Mapping | Shape):
                found.append(_within(option, rest))
            elif kinds is None or not fields or not _lists_all_fields(option):
                found.append(UNKNOWN)
        return one_of(found) if found else None

    @property
    def names(self) -> list[str]:
        """The fields that are listed, of all that it may be."""
        return list(dict.fromkeys(name for option in self._options() for name in option.schema.get("properties") or {}))

    @property
    def required(self) -> list[str]:
        """The fields that it must have, whatever else it is."""
        options = [set(option.schema.get("required") or ()) for option in self._options()]
        return sorted(set.intersection(*options)) if options else []

    @property
    def items(self) -> Shape:
        """What is known of the items of a list."""
        found = [_within(option, option.schema.get("items", {})) for option in self._options() if _can_be_list(option)]
        return one_of(found) if found else UNKNOWN

    def _options(self) -> list[Shape]:
        """Return what it may be, references followed and alternatives spread out."""
        if _INDIRECT.isdisjoint(self.schema):
            return [self]
        found: list[Shape] = []
        todo = [self]
        for _ in range(_MOST_LOOKED_AT):
            if not todo:
                return found
            option = _resolved(todo.pop(0))
            schema = option.schema
            alternatives = schema.get("anyOf") or schema.get("oneOf")
            if isinstance(alternatives, Sequence) and not isinstance(alternatives, str):
                todo += [_within(option, item) for item in alternatives]
            elif "allOf" in schema or "if" in schema or "$dynamicRef" in schema:
                found.append(UNKNOWN)
            else:
                found.append(option)
        return [UNKNOWN]


UNKNOWN: Final = Shape({}, {})
"""Anything."""


def of_kind(*kinds: str) -> Shape:
    """Return the shape of a value of which the JSON type is all that is known."""
    return Shape({"type": list(kinds)}, {})


def list_of(items: Shape) -> Shape:
    """Return the shape of a list."""
    return Shape({"type": "array", "items": items}, {})


def object_of(fields: Mapping[str, Shape], *, is_closed: bool = True) -> Shape:
    """Return the shape of an object."""
    return Shape({"type": "object", "properties": dict(fields)}, {}, is_closed)


def one_of(shapes: Iterable[Shape]) -> Shape:
    """Return the shape of a value that has one of some shapes."""
    found = list(shapes)
    if len(found) == 1:
        return found[0]
    return Shape({"anyOf": found}, {}) if found else UNKNOWN


def shape_of(value: Any, depth: int = 0) -> Shape:
    """Return the shape of a value that is there; of a long list, that of its first items counts."""
    if depth > _DEEPEST:
        return UNKNOWN
    if isinstance(value, bool):
        return of_kind("boolean")
    if isinstance(value, Mapping):
        return object_of({str(name): shape_of(item, depth + 1) for name, item in value.items()})
    if isinstance(value, list | tuple):
        some = [shape_of(item, depth + 1) for item in value[:_MOST_LOOKED_AT]]
        return list_of(one_of(some) if some and len(value) <= _MOST_LOOKED_AT else UNKNOWN)
    for kind, name in ((str, "string"), (int, "integer"), (float, "number"), (type(None), "null")):
        if isinstance(value, kind):
            return of_kind(name)
    return UNKNOWN


def misfit(value: Shape, wanted: Shape, place: str = "", depth: int = 0) -> str:
    """Say why a value can never be what is wanted; empty when it can, or nobody knows.

    Args:
        value: What comes.
        wanted: What is expected.
        place: Where in the value this is, for the message.
        depth: How deep that is.
    """
    come, expected = value.kinds, wanted.kinds
    if come is None or expected is None or depth > _DEEPEST:
        return ""
    at = f" at {place}" if place else ""
    if not any(kind in expected or _TAKEN_FOR.get(kind, frozenset()) & expected for kind in come):
        return f"expected {said(expected)}{at}, and what comes is {said(come)}"
    some, asked = come - {"null"}, expected - {"null"}
    if some == asked == {"array"}:
        return misfit(value.items, wanted.items, f"{place}[]", depth + 1)
    if some == asked == {"object"}:
        return _object_misfit(value, wanted, place, depth)
    return ""


def said(kinds: Iterable[str]) -> str:
    """Return JSON types as people say them."""
    words = sorted(set(kinds))
    return " or ".join(words)


def _object_misfit(value: Shape, wanted: Shape, place: str, depth: int) -> str:
    for name in wanted.required:
        if value.field(name) is None:
            return f"expected a field {name!r}{f' at {place}' if place else ''}, and what comes has none"
    for name in wanted.names:
        came, asked = value.field(name), wanted.field(name)
        if came is not None and asked is not None:
            found = misfit(came, asked, f"{place}.{name}" if place else name, depth + 1)
            if found:
                return found
    return ""


def _kinds(schema: Mapping[str, Any]) -> frozenset[str] | None:
    named = schema.get("type")
    if isinstance(named, str):
        return frozenset({named}) & _KINDS or None
    if isinstance(named, Sequence):
        return frozenset(str(kind) for kind in named) & _KINDS or None
    if "const" in schema:
        return shape_of(schema["const"]).kinds
    if isinstance(schema.get("enum"), Sequence):
        kinds = [shape_of(item).kinds for item in schema["enum"]]
        return frozenset().union(*(kind for kind in kinds if kind is not None)) or None
    return frozenset({"object"}) if "properties" in schema else None


def _within(shape: Shape, node: Any) -> Shape:
    """Return what a part of a shape's schema says."""
    if isinstance(node, Shape):
        return node
    return Shape(node if isinstance(node, Mapping) else {}, shape.root, shape.is_closed)


def _resolved(shape: Shape) -> Shape:
    """Return what a reference means in the end."""
    for _ in range(_MOST_STEPS):
        reference = shape.schema.get("$ref")
        if reference is None:
            return shape
        node = _pointed_at(shape.root, reference)
        if node is None:
            return UNKNOWN
        shape = _within(shape, node)
    return UNKNOWN


def _lists_all_fields(shape: Shape) -> bool:
    rest = shape.schema.get("additionalProperties")
    return rest is False or (rest is None and shape.is_closed and "patternProperties" not in shape.schema)


def _can_be_list(shape: Shape) -> bool:
    kinds = _kinds(shape.schema)
    return kinds is None or "array" in kinds


def _pointed_at(root: Mapping[str, Any], reference: object) -> Mapping[str, Any] | None:
    """Return what a reference within a document means; None when it is one to elsewhere, or to nothing."""
    if not isinstance(reference, str) or not reference.startswith("#"):
        return None
    node: Any = root
    for part in reference[1:].split("/")[1:]:
        name = part.replace("~1", "/").replace("~0", "~")
        if not isinstance(node, Mapping) or name not in node:
            return None
        node = node[name]
    return node if isinstance(node, Mapping) else None
