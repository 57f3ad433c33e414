"""Lists, tables, tuples, maps, objects and references."""

from __future__ import annotations

from typing import Any, Final

from console.schema_form import FieldKind as Kind
from tests.console.schema_gallery.case import Case, one

__all__ = ["STRUCTURES"]

HERE: Final = ()
_PERSON: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {"name": {"type": "string", "minLength": 1}, "age": {"type": "integer", "minimum": 0}},
    "required": ["name"],
}
_NODE: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {"name": {"type": "string"}, "children": {"type": "array", "items": {"$ref": "#/$defs/node"}}},
    "required": ["name"],
    "additionalProperties": False,
}
_LINKED: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {"value": {"type": "integer"}, "next": {"anyOf": [{"$ref": "#/$defs/linked"}, {"type": "null"}]}},
}

STRUCTURES: Final = (
    one(
        "list of texts",
        {"type": "array", "items": {"type": "string", "pattern": "^[a-z]*$"}, "minItems": 1, "maxItems": 3},
        [["a"], ["a", "b", ""]],
        [([], HERE), (["a"] * 4, HERE), (["a", "1"], (1,)), ("a", HERE)],
        Kind.LIST,
    ),
    one(
        "list of numbers", {"type": "array", "items": {"type": "number"}}, [[], [1, 0.5]], [([1, "a"], (1,))], Kind.LIST
    ),
    one(
        "list without repetition",
        {"type": "array", "items": {"type": "integer"}, "uniqueItems": True},
        [[1, 2]],
        [([1, 2, 1], HERE), ([1, 1.0], HERE)],
        Kind.LIST,
    ),
    one(
        "several of some values",
        {"type": "array", "items": {"enum": ["r", "w", "x"]}, "uniqueItems": True},
        [[], ["r", "x"]],
        [(["q"], (0,)), (["r", "r"], HERE)],
        Kind.SELECTION,
    ),
    one("list of ticks", {"type": "array", "items": {"type": "boolean"}}, [[True, False]], [([1], (0,))], Kind.ROWS),
    one(
        "list of texts or null",
        {"type": "array", "items": {"type": ["string", "null"]}},
        [["a", None]],
        [([1], (0,))],
        Kind.ROWS,
    ),
    one(
        "list of lists",
        {"type": "array", "items": {"type": "array", "items": {"type": "integer"}, "minItems": 1}},
        [[[1], [2, 3]], []],
        [([[1], []], (1,)), ([["a"]], (0, 0))],
        Kind.ROWS,
    ),
    one("list of anything", {"type": "array"}, [[], [1, "a", None, {}]], [({}, HERE)], Kind.ROWS),
    one(
        "table",
        {"type": "array", "items": _PERSON, "minItems": 1},
        [[{"name": "Ada", "age": 36}, {"name": "Bob"}]],
        [([], HERE), ([{"name": "Ada"}, {}], (1, "name")), ([{"name": "Ada", "age": -1}], (0, "age"))],
        Kind.TABLE,
    ),
    one(
        "table by reference",
        {"type": "array", "items": {"$ref": "#/$defs/person"}},
        [[{"name": "Ada"}]],
        [([{"name": ""}], (0, "name")), ([1], (0,))],
        Kind.TABLE,
        **{"$defs": {"person": _PERSON}},
    ),
    one(
        "list that holds something",
        {"type": "array", "items": {"type": "integer"}, "contains": {"minimum": 10}, "maxContains": 2},
        [[1, 10], [10, 11]],
        [([1], HERE), ([10, 11, 12], HERE)],
        Kind.LIST,
    ),
    one(
        "tuple",
        {"type": "array", "prefixItems": [{"type": "string"}, {"type": "integer"}], "items": False},
        [["a", 1], ["a"], []],
        [(["a", "b"], (1,)), (["a", 1, 2], (2,))],
        Kind.TUPLE,
    ),
    one(
        "tuple with more behind",
        {"type": "array", "prefixItems": [{"type": "string"}], "items": {"type": "integer"}},
        [["a"], ["a", 1, 2]],
        [(["a", 1, "b"], (2,))],
        Kind.TUPLE,
    ),
    one(
        "tuple of draft-07",
        {"type": "array", "items": [{"type": "string"}, {"type": "integer"}], "additionalItems": {"type": "boolean"}},
        [["a", 1], ["a", 1, True]],
        [([1], (0,)), (["a", 1, 2], (2,))],
        Kind.TUPLE,
        **{"$schema": "http://json-schema.org/draft-07/schema#"},
    ),
    one(
        "map of texts",
        {"type": "object", "additionalProperties": {"type": "string"}, "minProperties": 1},
        [{"a": "b", "c d": ""}],
        [({}, HERE), ({"a": 1}, ("a",))],
        Kind.MAP,
    ),
    one(
        "map by pattern",
        {"type": "object", "patternProperties": {"^n_": {"type": "integer"}}, "additionalProperties": False},
        [{}, {"n_a": 1}],
        [({"n_a": "1"}, ("n_a",)), ({"a": 1}, ("a",))],
        Kind.MAP,
    ),
    one(
        "map with rules for names",
        {"type": "object", "propertyNames": {"pattern": "^[a-z]+$"}, "additionalProperties": {"type": "integer"}},
        [{"a": 1}],
        [({"A": 1}, ("A",))],
        Kind.MAP,
    ),
    one(
        "map with known names",
        {"type": "object", "properties": {"a": {"type": "integer"}}, "additionalProperties": {"type": "string"}},
        [{"a": 1, "b": "c"}],
        [({"a": "1"}, ("a",)), ({"b": 1}, ("b",))],
        Kind.MAP,
    ),
    one(
        "map of objects",
        {"type": "object", "additionalProperties": _PERSON},
        [{"boss": {"name": "Ada"}}],
        [({"boss": {}}, ("boss", "name"))],
        Kind.MAP,
    ),
    one("free object", {"type": "object"}, [{}, {"a": [1, {"b": None}]}], [([], HERE)], Kind.MAP),
    one(
        "object in objects",
        {"type": "object", "properties": {"a": {"type": "object", "properties": {"b": _PERSON}, "required": ["b"]}}},
        [{}, {"a": {"b": {"name": "Ada"}}}],
        [({"a": {}}, ("a", "b")), ({"a": {"b": {"name": 1}}}, ("a", "b", "name"))],
        Kind.OBJECT,
    ),
    one(
        "object without fields",
        {"type": "object", "additionalProperties": False},
        [{}],
        [({"a": 1}, ("a",))],
        Kind.OBJECT,
    ),
    one(
        "object or null", {"anyOf": [_PERSON, {"type": "null"}]}, [None, {"name": "A"}], [({}, ("name",))], Kind.OBJECT
    ),
    one(
        "object by its words alone",
        {"properties": {"a": {"type": "integer"}}, "required": ["a"]},
        [{"a": 1}],
        [({}, ("a",)), ({"a": "1"}, ("a",))],
        Kind.OBJECT,
    ),
    one(
        "required name without a schema",
        {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["b"]},
        [{"b": {"any": 1}}],
        [({"a": 1}, ("b",))],
        Kind.OBJECT,
    ),
    one(
        "names that need others",
        {
            "type": "object",
            "properties": {"card": {"type": "integer"}, "address": {"type": "string"}},
            "dependentRequired": {"card": ["address"]},
        },
        [{}, {"card": 1, "address": "a"}],
        [({"card": 1}, ("address",))],
        Kind.OBJECT,
    ),
    one(
        "dependencies of draft-07",
        {
            "type": "object",
            "properties": {"card": {"type": "integer"}},
            "dependencies": {
                "card": ["address"],
                "address": {"properties": {"town": {"type": "string"}}, "required": ["town"]},
            },
        },
        [{}, {"card": 1, "address": "a", "town": "b"}],
        [({"card": 1}, ("address",)), ({"address": "a"}, ("town",))],
        Kind.OBJECT,
        **{"$schema": "http://json-schema.org/draft-07/schema#"},
    ),
    one(
        "tree",
        {"$ref": "#/$defs/node"},
        [{"name": "a", "children": [{"name": "b", "children": []}]}],
        [({"name": "a", "children": [{"name": "b", "children": [{}]}]}, ("children", 0, "children", 0, "name"))],
        Kind.OBJECT,
        **{"$defs": {"node": _NODE}},
    ),
    one(
        "linked list",
        {"$ref": "#/$defs/linked"},
        [{"value": 1, "next": {"value": 2, "next": None}}],
        [({"next": {"next": {"value": "x"}}}, ("next", "next", "value"))],
        Kind.OBJECT,
        **{"$defs": {"linked": _LINKED}},
    ),
    one(
        "tree by definitions",
        {"$ref": "#/definitions/node"},
        [{"kids": [{"kids": []}]}],
        [({"kids": [1]}, ("kids", 0))],
        Kind.OBJECT,
        **{
            "$schema": "http://json-schema.org/draft-07/schema#",
            "definitions": {
                "node": {
                    "type": "object",
                    "properties": {"kids": {"type": "array", "items": {"$ref": "#/definitions/node"}}},
                }
            },
        },
    ),
    one(
        "named anchor",
        {"$ref": "#person"},
        [{"name": "A"}],
        [({}, ("name",))],
        Kind.OBJECT,
        **{"$defs": {"p": {"$anchor": "person", **_PERSON}}},
    ),
    one(
        "address inside",
        {"$ref": "person.json"},
        [{"name": "A"}],
        [({}, ("name",))],
        Kind.OBJECT,
        **{"$id": "https://example.org/tool.json", "$defs": {"p": {"$id": "person.json", **_PERSON}}},
    ),
    one(
        "dynamic reference",
        {"$dynamicRef": "#item"},
        ["a"],
        [(1, HERE)],
        Kind.TEXT,
        **{"$defs": {"i": {"$dynamicAnchor": "item", "type": "string"}}},
    ),
    one(
        "reference to the whole",
        {"type": "array", "items": {"$ref": "#"}},
        [[], [{"x": [{"x": []}]}]],
        [([{"x": [{}]}], (0, "x", 0, "x"))],
        Kind.TABLE,
    ),
    one(
        "reference to a place",
        {"$ref": "#/properties/y/items"},
        ["a"],
        [(1, HERE)],
        Kind.TEXT,
        properties={"x": {"$ref": "#/properties/y/items"}, "y": {"type": "array", "items": {"type": "string"}}},
    ),
    one(
        "described reference",
        {"$ref": "#/$defs/t", "title": "Mine", "default": "a"},
        ["b"],
        [("", HERE)],
        Kind.TEXT,
        **{"$defs": {"t": {"type": "string", "minLength": 1, "title": "Theirs"}}},
    ),
    one("reference to nothing", {"$ref": "#/$defs/nobody"}, [1, {"a": 1}], [], Kind.JSON),
    one("reference to itself", {"$ref": "#/$defs/a"}, [], [], Kind.JSON, **{"$defs": {"a": {"$ref": "#/$defs/a"}}}),
    Case(
        "names that nothing has looked at",
        {
            "type": "object",
            "allOf": [{"properties": {"a": {"type": "integer"}}}],
            "properties": {"b": {"type": "string"}},
            "unevaluatedProperties": False,
        },
        [{}, {"a": 1, "b": "c"}],
        [({"c": 1}, ("c",))],
        {("a",): Kind.INTEGER, ("b",): Kind.TEXT},
    ),
    one(
        "items that nothing has looked at",
        {"type": "array", "allOf": [{"prefixItems": [{"type": "integer"}]}], "unevaluatedItems": False},
        [[1]],
        [([1, 2], (1,))],
        Kind.TUPLE,
    ),
)
