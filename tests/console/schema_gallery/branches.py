"""Unions, parts put together, and conditions."""

from __future__ import annotations

from typing import Any, Final

from console.schema_form import FieldKind as Kind
from tests.console.schema_gallery.case import Case, one

__all__ = ["BRANCHES"]

HERE: Final = ()
_CAT: Final[dict[str, Any]] = {
    "type": "object",
    "title": "Cat",
    "properties": {"kind": {"const": "cat"}, "lives": {"type": "integer"}, "name": {"type": "string"}},
    "required": ["kind", "lives"],
}
_DOG: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {"kind": {"const": "dog"}, "tricks": {"type": "array", "items": {"type": "string"}}},
    "required": ["kind"],
}

BRANCHES: Final = (
    one(
        "kinds told apart by a tag",
        {"oneOf": [_CAT, _DOG]},
        [{"kind": "cat", "lives": 9}, {"kind": "dog", "tricks": ["sit"]}],
        [
            ({"kind": "cat"}, ("lives",)),
            ({"kind": "dog", "tricks": [1]}, ("tricks", 0)),
            ({"kind": "cat", "lives": "nine"}, ("lives",)),
        ],
        Kind.VARIANT,
    ),
    one(
        "kinds told apart as in OpenAPI",
        {
            "oneOf": [{"$ref": "#/$defs/Cat"}, {"$ref": "#/$defs/Dog"}],
            "discriminator": {"propertyName": "kind", "mapping": {"cat": "#/$defs/Cat", "dog": "#/$defs/Dog"}},
        },
        [{"kind": "cat", "lives": 1}],
        [({"kind": "dog", "tricks": "sit"}, ("tricks",))],
        Kind.VARIANT,
        **{"$defs": {"Cat": _CAT, "Dog": _DOG}},
    ),
    one(
        "text or number",
        {"anyOf": [{"type": "string", "minLength": 1}, {"type": "integer"}]},
        ["a", 1],
        [("", HERE), (1.5, HERE), ([], HERE)],
        Kind.VARIANT,
    ),
    one("types in a list", {"type": ["string", "integer", "null"]}, ["a", 1, None], [([], HERE)], Kind.VARIANT),
    one(
        "one text or several",
        {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]},
        ["a", ["a", "b"]],
        [([1], (0,)), ({}, HERE)],
        Kind.VARIANT,
    ),
    one(
        "a listed value or another",
        {"anyOf": [{"enum": ["small", "large"]}, {"type": "integer"}]},
        ["small", 7],
        [("medium", HERE)],
        Kind.VARIANT,
    ),
    one(
        "objects told apart by their names",
        {
            "oneOf": [
                {"type": "object", "properties": {"url": {"type": "string"}}, "required": ["url"]},
                {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]},
            ]
        },
        [{"url": "a"}, {"path": "b"}],
        [({"url": 1}, ("url",)), ({}, ("url",))],
        Kind.VARIANT,
    ),
    one(
        "unions in unions",
        {"anyOf": [{"anyOf": [{"type": "string"}, {"type": "boolean"}]}, {"type": "integer"}]},
        ["a", True, 1],
        [(None, HERE)],
        Kind.VARIANT,
    ),
    one(
        "union beside common names",
        {
            "type": "object",
            "properties": {"name": {"type": "string"}},
            "required": ["name"],
            "oneOf": [
                {"properties": {"by": {"const": "age"}, "age": {"type": "integer"}}, "required": ["by", "age"]},
                {"properties": {"by": {"const": "size"}, "size": {"type": "number"}}, "required": ["by", "size"]},
            ],
        },
        [{"name": "a", "by": "age", "age": 1}, {"name": "a", "by": "size", "size": 0.5}],
        [({"name": "a", "by": "age", "age": "x"}, ("age",)), ({"by": "age", "age": 1}, ("name",))],
        Kind.VARIANT,
    ),
    one(
        "both of two",
        {"allOf": [{"type": "integer", "minimum": 1}, {"maximum": 5}]},
        [1, 5],
        [(0, HERE), (6, HERE)],
        Kind.INTEGER,
    ),
    one(
        "object put together",
        {
            "allOf": [
                {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]},
                {"properties": {"b": {"type": "string"}}, "required": ["b"]},
            ]
        },
        [{"a": 1, "b": "c"}],
        [({"a": 1}, ("b",)), ({"b": "c"}, ("a",)), ({"a": "x", "b": "c"}, ("a",))],
        Kind.OBJECT,
    ),
    one(
        "object that adds to another",
        {"allOf": [{"$ref": "#/$defs/Base"}], "properties": {"more": {"type": "boolean"}}},
        [{"id": 1, "more": True}],
        [({"id": "1"}, ("id",)), ({"id": 1, "more": 1}, ("more",))],
        Kind.OBJECT,
        **{"$defs": {"Base": {"type": "object", "properties": {"id": {"type": "integer"}}, "required": ["id"]}}},
    ),
    one(
        "one part with two rules",
        {
            "type": "object",
            "allOf": [{"properties": {"a": {"type": "integer", "minimum": 1}}}, {"properties": {"a": {"maximum": 3}}}],
        },
        [{"a": 2}],
        [({"a": 0}, ("a",)), ({"a": 4}, ("a",))],
        Kind.OBJECT,
    ),
    Case(
        "condition",
        {
            "type": "object",
            "properties": {"country": {"enum": ["DE", "US"]}},
            "required": ["country"],
            "if": {"properties": {"country": {"const": "US"}}, "required": ["country"]},
            "then": {"properties": {"zip": {"type": "string", "pattern": "^[0-9]{5}$"}}, "required": ["zip"]},
            "else": {"properties": {"plz": {"type": "integer"}}, "required": ["plz"]},
        },
        [{"country": "US", "zip": "12345"}, {"country": "DE", "plz": 1}],
        [({"country": "US"}, ("zip",)), ({"country": "US", "zip": "1"}, ("zip",)), ({"country": "DE"}, ("plz",))],
        {("zip",): Kind.TEXT},
    ),
    Case(
        "several conditions",
        {
            "type": "object",
            "properties": {"mode": {"enum": ["file", "text", "none"]}},
            "required": ["mode"],
            "allOf": [
                {
                    "if": {"properties": {"mode": {"const": "file"}}},
                    "then": {"properties": {"path": {"type": "string", "format": "path"}}, "required": ["path"]},
                },
                {
                    "if": {"properties": {"mode": {"const": "text"}}},
                    "then": {"properties": {"text": {"type": "string"}}, "required": ["text"]},
                },
            ],
        },
        [{"mode": "file", "path": "a"}, {"mode": "text", "text": "b"}, {"mode": "none"}],
        [({"mode": "file"}, ("path",)), ({"mode": "text"}, ("text",))],
        {("path",): Kind.PATH},
    ),
    Case(
        "condition in a condition",
        {
            "type": "object",
            "properties": {"a": {"type": "integer"}},
            "if": {"required": ["a"]},
            "then": {
                "if": {"properties": {"a": {"minimum": 10}}},
                "then": {"properties": {"b": {"type": "string"}}, "required": ["b"]},
            },
        },
        [{}, {"a": 1}, {"a": 10, "b": "c"}],
        [({"a": 10}, ("b",))],
    ),
    Case(
        "names that bring others",
        {
            "type": "object",
            "properties": {"card": {"type": "integer"}},
            "dependentSchemas": {"card": {"properties": {"address": {"type": "string"}}, "required": ["address"]}},
        },
        [{}, {"card": 1, "address": "a"}],
        [({"card": 1}, ("address",)), ({"card": 1, "address": 2}, ("address",))],
    ),
    Case(
        "one of two names is needed",
        {
            "type": "object",
            "properties": {"id": {"type": "integer"}, "name": {"type": "string"}},
            "anyOf": [{"required": ["id"]}, {"required": ["name"]}],
        },
        [{"id": 1}, {"name": "a"}, {"id": 1, "name": "a"}],
        [({}, ())],
        {("id",): Kind.INTEGER, ("name",): Kind.TEXT},
    ),
    Case(
        "only one of two names",
        {
            "type": "object",
            "properties": {"id": {"type": "integer"}, "name": {"type": "string"}},
            "oneOf": [{"required": ["id"]}, {"required": ["name"]}],
        },
        [{"id": 1}, {"name": "a"}],
        [({}, ()), ({"id": 1, "name": "a"}, ())],
    ),
    one("no object", {"not": {"type": "object"}}, [1, "a", []], [({}, HERE)], Kind.JSON),
    one(
        "list of kinds",
        {"type": "array", "items": {"oneOf": [_CAT, _DOG]}},
        [[{"kind": "cat", "lives": 1}, {"kind": "dog"}], []],
        [([{"kind": "cat"}], (0, "lives")), ([{"kind": "cow"}], (0, "kind"))],
        Kind.ROWS,
    ),
    one(
        "expression",
        {"$ref": "#/$defs/expression"},
        [1, {"op": "+", "args": [1, {"op": "-", "args": [2]}]}],
        [("x", HERE), ({"op": "+", "args": [1, {"op": "-", "args": ["x"]}]}, ("args", 1, "args", 0))],
        Kind.VARIANT,
        **{
            "$defs": {
                "expression": {
                    "oneOf": [
                        {"type": "number"},
                        {
                            "type": "object",
                            "properties": {
                                "op": {"enum": ["+", "-"]},
                                "args": {"type": "array", "items": {"$ref": "#/$defs/expression"}},
                            },
                            "required": ["op", "args"],
                        },
                    ]
                }
            }
        },
    ),
)
