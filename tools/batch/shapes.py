"""Shapes: what is known of a value before there is one, read from JSON Schemas, expressions, examples and files.

Only a value that can never fit is reported as a problem.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from tools.batch.expressions import Expression, Filled, Template
from tools.schema.words import resolved

_DEEPEST: Final = 8
_MOST_LOOKED_AT: Final = 100
_MOST_NAMED: Final = 8
_UNCERTAIN: Final = frozenset({"$ref", "allOf", "if", "$dynamicRef"})
_INDIRECT: Final = _UNCERTAIN | {"anyOf", "oneOf"}
_KINDS: Final = frozenset({"string", "number", "integer", "boolean", "null", "array", "object"})
_KIND_OF: Final = {bool: "boolean", str: "string", int: "integer", float: "number", type(None): "null"}
_CONVERTED: Final[Mapping[str, frozenset[str]]] = {
    "integer": frozenset({"number"}),
    "number": frozenset({"integer"}),
    # Texts are converted where a number or a boolean is wanted; whether this text can be, is known when it is there.
    "string": frozenset({"integer", "number", "boolean"}),
}


class ValueShape(NamedTuple):
    """What is known of a value.

    Attributes:
        schema: Its JSON Schema, in whose places other shapes may stand; an empty one knows nothing.
        root: The document that references in it start from.
        is_closed: Whether objects have no other fields than those that are listed, where the schema is silent.
    """

    schema: Mapping[str, Any]
    root: Mapping[str, Any]
    is_closed: bool = False

    @property
    def kinds(self) -> frozenset[str] | None:
        """The JSON types that it may have; None when nothing is known."""
        found = [_kinds(option.schema) for option in self._options()]
        return frozenset().union(*(kinds or () for kinds in found)) or None if all(found) else None

    def field(self, name: str) -> ValueShape | None:
        """Return the shape of a field of an object; None when there is no such field."""
        found: list[ValueShape] = []
        for option in self._options():
            schema, kinds = option.schema, _kinds(option.schema)
            if kinds is not None and "object" not in kinds:
                continue
            fields, rest = schema.get("properties") or {}, schema.get("additionalProperties")
            closed = rest is False or (rest is None and option.is_closed and "patternProperties" not in schema)
            if name in fields:
                found.append(option.part(fields[name]))
            elif isinstance(rest, Mapping | ValueShape):
                found.append(option.part(rest))
            elif kinds is None or not fields or not closed:
                found.append(UNKNOWN)
        return one_of(found) if found else None

    @property
    def names(self) -> list[str]:
        return list(dict.fromkeys(name for option in self._options() for name in option.schema.get("properties") or {}))

    @property
    def required(self) -> list[str]:
        """The fields that it must have, whatever else it is."""
        options = [set(option.schema.get("required") or ()) for option in self._options()]
        return sorted(set.intersection(*options)) if options else []

    @property
    def items(self) -> ValueShape:
        lists = [option for option in self._options() if "array" in (_kinds(option.schema) or {"array"})]
        return one_of(option.part(option.schema.get("items", {})) for option in lists)

    def _options(self) -> list[ValueShape]:
        """Return what it may be, references followed and alternatives spread out."""
        if _INDIRECT.isdisjoint(self.schema):
            return [self]
        found: list[ValueShape] = []
        todo = [self]
        for _ in range(_MOST_LOOKED_AT):
            if not todo:
                return found
            option = todo.pop(0)
            option = option.part(resolved(option.schema, option.root))
            schema = option.schema
            alternatives = schema.get("anyOf") or schema.get("oneOf")
            if isinstance(alternatives, Sequence) and not isinstance(alternatives, str):
                todo += [option.part(item) for item in alternatives]
            else:
                # Nothing is known of a reference to another document, nor of what is put together.
                found.append(option if _UNCERTAIN.isdisjoint(schema) else UNKNOWN)
        return [UNKNOWN]

    def part(self, node: Any) -> ValueShape:
        if isinstance(node, ValueShape):
            return node
        return ValueShape(node if isinstance(node, Mapping) else {}, self.root, self.is_closed)


UNKNOWN: Final = ValueShape({}, {})


def of_kind(*kinds: str) -> ValueShape:
    """Return the shape of a value of which only the JSON type is known."""
    return ValueShape({"type": list(kinds)}, {})


def list_of(items: ValueShape) -> ValueShape:
    """Return the shape of a list."""
    return ValueShape({"type": "array", "items": items}, {})


def object_of(fields: Mapping[str, ValueShape]) -> ValueShape:
    """Return the shape of an object with these fields and no others."""
    return ValueShape({"type": "object", "properties": dict(fields)}, {}, is_closed=True)


def one_of(shapes: Iterable[ValueShape]) -> ValueShape:
    """Return the shape of a value that has one of some shapes."""
    found = list(shapes)
    if len(found) == 1:
        return found[0]
    return ValueShape({"anyOf": found}, {}) if found else UNKNOWN


def shape_of(value: Any, depth: int = 0) -> ValueShape:
    """Return the shape of a value that is there; a long list may hold anything."""
    if depth > _DEEPEST:
        return UNKNOWN
    if isinstance(value, Mapping):
        return object_of({str(name): shape_of(item, depth + 1) for name, item in value.items()})
    if isinstance(value, list | tuple):
        return list_of(
            one_of(shape_of(item, depth + 1) for item in value) if len(value) <= _MOST_LOOKED_AT else UNKNOWN
        )
    kind = next((_KIND_OF[known] for known in _KIND_OF if isinstance(value, known)), None)
    return UNKNOWN if kind is None else of_kind(kind)


def misfit(value: ValueShape, wanted: ValueShape, place: str = "", depth: int = 0) -> str:
    """Return why a value can never be what is wanted; empty when it can, or that is not known."""
    come, expected = value.kinds, wanted.kinds
    if come is None or expected is None or depth > _DEEPEST:
        return ""
    at = f" at {place}" if place else ""
    if not any(kind in expected or _CONVERTED.get(kind, frozenset()) & expected for kind in come):
        return f"expected {said(expected)}{at}, and what comes is {said(come)}"
    some = come - {"null"}
    if some == expected - {"null"} == {"array"}:
        return misfit(value.items, wanted.items, f"{place}[]", depth + 1)
    if some == expected - {"null"} == {"object"}:
        for name in wanted.required:
            if value.field(name) is None:
                return f"expected a field {name!r}{at}, and what comes has none"
        for name in wanted.names:
            came, asked = value.field(name), wanted.field(name)
            found = misfit(came, asked, f"{place}.{name}" if place else name, depth + 1) if came and asked else ""
            if found:
                return found
    return ""


def said(kinds: Iterable[str]) -> str:
    """Return JSON types in words."""
    return " or ".join(sorted(kinds))


def _kinds(schema: Mapping[str, Any]) -> frozenset[str] | None:
    named = schema.get("type")
    if isinstance(named, str | Sequence):
        return frozenset([named] if isinstance(named, str) else map(str, named)) & _KINDS or None
    if "const" in schema:
        return shape_of(schema["const"]).kinds
    if isinstance(schema.get("enum"), Sequence):
        return frozenset().union(*(shape_of(item).kinds or () for item in schema["enum"])) or None
    return frozenset({"object"}) if "properties" in schema else None


_FUNCTIONS: Final[Mapping[str, ValueShape]] = {
    **dict.fromkeys(("contains", "starts_with", "ends_with"), of_kind("boolean")),
    **dict.fromkeys(("join", "to_string", "type"), of_kind("string")),
    **dict.fromkeys(("abs", "sum", "ceil", "floor", "length"), of_kind("number")),
    **dict.fromkeys(("avg", "to_number"), of_kind("number", "null")),
    "keys": list_of(of_kind("string")),
    **dict.fromkeys(("values", "map", "to_array"), list_of(UNKNOWN)),
    "merge": of_kind("object"),
}
"""What functions of JMESPath return, whatever they are given."""
_ITEM_FUNCTIONS: Final = frozenset({"max", "min", "max_by", "min_by"})
_SAME_FUNCTIONS: Final = frozenset({"sort", "sort_by", "reverse"})


def inferred(filled: Filled, scope: ValueShape, report: Callable[[str], None]) -> ValueShape:
    """Return the shape that a compiled value will have."""
    if isinstance(filled, Template):
        shapes = [expression_shape(expression, scope, report) for expression in filled.expressions]
        return shapes[0] if filled.is_one_expression else of_kind("string")
    if isinstance(filled, dict):
        return object_of({name: inferred(item, scope, report) for name, item in filled.items()})
    if isinstance(filled, list):
        return list_of(one_of([inferred(item, scope, report) for item in filled]))
    return shape_of(filled)


def expression_shape(expression: Expression, scope: ValueShape, report: Callable[[str], None]) -> ValueShape:
    """Return the shape of the value of an expression; see `inferred`."""
    return _Inference(lambda message: report(f"${{{expression.text}}}: {message}")).of(expression.tree, scope)


class _Inference:
    """Follow the syntax tree of an expression; nodes that it does not know come to anything."""

    def __init__(self, report: Callable[[str], None]) -> None:
        self._report = report

    def of(self, node: Mapping[str, Any], at: ValueShape) -> ValueShape:  # noqa: C901, PLR0911, PLR0912 -- a branch for each kind
        """Return the shape of a node where the shape of its input is known."""
        kind, children = node["type"], node["children"]
        if kind in {"identity", "current"}:
            return at
        if kind == "field":
            return self._field(node["value"], at)
        if kind in {"subexpression", "index_expression", "pipe"}:
            for child in children:
                at = self.of(child, at)
            return at
        if kind == "index":
            return self._items(at, "an item")
        if kind == "slice":
            return list_of(self._items(at, "a part"))
        if kind in {"projection", "filter_projection"}:
            source, each, *condition = children
            item = self._items(self.of(source, at), "each item")
            for child in condition:
                self.of(child, item)
            return list_of(self.of(each, item))
        if kind == "flatten":
            item = self._items(self.of(children[0], at), "each item")
            kinds = item.kinds or {"array", ""}
            return list_of(item.items if kinds == {"array"} else item if "array" not in kinds else UNKNOWN)
        if kind == "value_projection":
            self.of(children[0], at)
            return list_of(UNKNOWN)
        if kind == "literal":
            return shape_of(node["value"])
        if kind == "multi_select_dict":
            return object_of({child["value"]: self.of(child["children"][0], at) for child in children})
        if kind == "function_expression":
            return self._call(node["value"], [self.of(child, at) for child in children])
        if kind in {"multi_select_list", "or_expression", "and_expression"}:
            found = one_of([self.of(child, at) for child in children])
            return list_of(found) if kind == "multi_select_list" else found
        if kind in {"comparator", "not_expression"}:
            for child in children:
                self.of(child, at)
            # The comparison of values that cannot be compared is null.
            return of_kind("boolean", "null")
        return UNKNOWN

    def _field(self, name: str, at: ValueShape) -> ValueShape:
        found = at.field(name)
        if found is not None:
            return found
        kinds = (at.kinds or frozenset()) - {"null"}
        if "object" in kinds:
            listed = ", ".join(at.names[:_MOST_NAMED]) + (" …" if len(at.names) > _MOST_NAMED else "")
            self._report(f"there is no {name!r} there; there are {listed}")
        elif kinds == {"array"}:
            self._report(f"{name!r} is looked for in a list; take it of each item, as in [].{name}")
        elif kinds:
            self._report(f"{name!r} is looked for in what is {said(at.kinds or ())}")
        return UNKNOWN

    def _items(self, at: ValueShape, what: str) -> ValueShape:
        kinds = at.kinds
        if kinds is not None and "array" not in kinds:
            self._report(f"{what} of a list is taken from what is {said(kinds)}")
            return UNKNOWN
        return at.items

    def _call(self, name: str, given: Sequence[ValueShape]) -> ValueShape:
        if given and name in _SAME_FUNCTIONS:
            return given[0]
        if given and name in _ITEM_FUNCTIONS:
            return given[0].items
        return one_of(given) if name == "not_null" else _FUNCTIONS.get(name, UNKNOWN)
