"""What an expression will come to, told before anything runs: the shape of its value, and what cannot be there."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from tools.batch.expressions import Expression, Filled, Template
from tools.batch.shapes import UNKNOWN, Shape, list_of, object_of, of_kind, one_of, said, shape_of

Report = Callable[[str], None]
"""Told what can never be there."""

_MOST_NAMED: Final = 8
_FUNCTIONS: Final[Mapping[str, Shape]] = {
    **dict.fromkeys(("contains", "starts_with", "ends_with"), of_kind("boolean")),
    **dict.fromkeys(("join", "to_string", "type"), of_kind("string")),
    **dict.fromkeys(("abs", "sum", "ceil", "floor", "length"), of_kind("number")),
    **dict.fromkeys(("avg", "to_number"), of_kind("number", "null")),
    "keys": list_of(of_kind("string")),
    **dict.fromkeys(("values", "map", "to_array"), list_of(UNKNOWN)),
    "merge": of_kind("object"),
}
"""What functions of JMESPath return, whatever they are given."""
_LIKE_ITS_ARGUMENT: Final = frozenset({"sort", "sort_by", "reverse"})
_ITEM_OF_ITS_ARGUMENT: Final = frozenset({"max", "min", "max_by", "min_by"})
_PROJECTIONS: Final = frozenset({"projection", "filter_projection"})


def inferred(filled: Filled, scope: Shape, report: Report) -> Shape:
    """Return the shape of what a compiled value will come to.

    Args:
        filled: The value.
        scope: What its expressions look at.
        report: Told of each thing that no value can have.
    """
    if isinstance(filled, Template):
        shapes = [expression_shape(expression, scope, report) for expression in filled.expressions]
        return shapes[0] if filled.is_one_expression else of_kind("string")
    if isinstance(filled, dict):
        return object_of({name: inferred(item, scope, report) for name, item in filled.items()})
    if isinstance(filled, list):
        return list_of(one_of([inferred(item, scope, report) for item in filled]))
    return shape_of(filled)


def expression_shape(expression: Expression, scope: Shape, report: Report) -> Shape:
    """Return the shape of what an expression will come to; see `inferred`."""
    return _Inference(expression, scope, report).shape


class _Inference:
    def __init__(self, expression: Expression, scope: Shape, report: Report) -> None:
        self._text = expression.text
        self._tell = report
        self._known: dict[str, Callable[[Mapping[str, Any], Shape], Shape]] = {
            "field": self._field,
            "subexpression": self._chain,
            "index_expression": self._chain,
            "pipe": self._chain,
            "index": lambda _, at: self._items(at, "an item"),
            "slice": lambda _, at: list_of(self._items(at, "a part")),
            "flatten": self._flattened,
            "value_projection": self._values,
            "literal": lambda node, _: shape_of(node["value"]),
            "multi_select_dict": self._object,
            "multi_select_list": lambda node, at: list_of(one_of([self._of(child, at) for child in node["children"]])),
            "or_expression": lambda node, at: one_of([self._of(child, at) for child in node["children"]]),
            "and_expression": lambda node, at: one_of([self._of(child, at) for child in node["children"]]),
            "comparator": self._comparison,
            "not_expression": self._comparison,
            "function_expression": self._call,
            **dict.fromkeys(("identity", "current"), lambda _, at: at),
            **dict.fromkeys(_PROJECTIONS, self._projection),
        }
        self.shape = self._of(expression.tree, scope)

    def _of(self, node: Mapping[str, Any], at: Shape) -> Shape:
        look = self._known.get(node["type"])
        return UNKNOWN if look is None else look(node, at)

    def _field(self, node: Mapping[str, Any], at: Shape) -> Shape:
        name, found = node["value"], at.field(node["value"])
        if found is not None:
            return found
        kinds = at.kinds or frozenset()
        if "object" in kinds:
            names = at.names
            listed = ", ".join(names[:_MOST_NAMED]) + (" …" if len(names) > _MOST_NAMED else "")
            self._report(f"there is no {name!r} there; there are {listed}")
        elif kinds - {"null"} == {"array"}:
            self._report(f"{name!r} is looked for in a list; take it of each item, as in [].{name}")
        elif kinds - {"null"}:
            self._report(f"{name!r} is looked for in what is {said(kinds)}")
        return UNKNOWN

    def _chain(self, node: Mapping[str, Any], at: Shape) -> Shape:
        for child in node["children"]:
            at = self._of(child, at)
        return at

    def _items(self, at: Shape, what: str) -> Shape:
        kinds = at.kinds
        if kinds is not None and "array" not in kinds:
            self._report(f"{what} of a list is taken from what is {said(kinds)}")
            return UNKNOWN
        return at.items

    def _projection(self, node: Mapping[str, Any], at: Shape) -> Shape:
        source, each, *condition = node["children"]
        item = self._items(self._of(source, at), "each item")
        for child in condition:
            self._of(child, item)
        return list_of(self._of(each, item))

    def _flattened(self, node: Mapping[str, Any], at: Shape) -> Shape:
        item = self._items(self._of(node["children"][0], at), "each item")
        kinds = item.kinds
        if kinds is None:
            return list_of(UNKNOWN)
        return list_of(item.items if kinds == {"array"} else item if "array" not in kinds else UNKNOWN)

    def _values(self, node: Mapping[str, Any], at: Shape) -> Shape:
        self._of(node["children"][0], at)
        return list_of(UNKNOWN)

    def _object(self, node: Mapping[str, Any], at: Shape) -> Shape:
        return object_of({child["value"]: self._of(child["children"][0], at) for child in node["children"]})

    def _comparison(self, node: Mapping[str, Any], at: Shape) -> Shape:
        for child in node["children"]:
            self._of(child, at)
        # What cannot be compared is null.
        return of_kind("boolean", "null")

    def _call(self, node: Mapping[str, Any], at: Shape) -> Shape:
        name = node["value"]
        given = [self._of(child, at) for child in node["children"]]
        if name in _LIKE_ITS_ARGUMENT and given:
            return given[0]
        if name in _ITEM_OF_ITS_ARGUMENT and given:
            return given[0].items
        return one_of(given) if name == "not_null" else _FUNCTIONS.get(name, UNKNOWN)

    def _report(self, message: str) -> None:
        self._tell(f"${{{self._text}}}: {message}")
