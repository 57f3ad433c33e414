"""Texts, numbers, choices and the states of a value."""

from __future__ import annotations

from typing import Final

from console.schema_form import FieldKind as Kind
from tests.console.schema_gallery.case import Case, one

__all__ = ["SCALARS"]

HERE: Final = ()

SCALARS: Final = (
    one("text", {"type": "string"}, ["", "a", "ä\n☃"], [(1, HERE), (None, HERE), ([], HERE)], Kind.TEXT),
    one(
        "text of some length",
        {"type": "string", "minLength": 2, "maxLength": 4},
        ["ab", "abcd", "😀😀"],
        [("a", HERE), ("abcde", HERE)],
        Kind.TEXT,
    ),
    one("text by a pattern", {"type": "string", "pattern": "^[a-z]+$"}, ["abc"], [("a1", HERE)], Kind.TEXT),
    one(
        "text of many lines",
        {"type": "string", "contentMediaType": "text/markdown"},
        ["# a\n\nb"],
        [(1, HERE)],
        Kind.LINES,
    ),
    one("lines by format", {"type": "string", "format": "multiline"}, ["a\nb"], [({}, HERE)], Kind.LINES),
    one("date", {"type": "string", "format": "date"}, ["2026-03-31"], [("31.3.2026", HERE)], Kind.DATE),
    one("time", {"type": "string", "format": "time"}, ["09:30:00", "09:30:00Z"], [("9:30", HERE)], Kind.TIME),
    one(
        "date and time",
        {"type": "string", "format": "date-time"},
        ["2026-03-31T09:30:00+02:00", "2026-03-31T09:30:00"],
        [("2026-03-31", HERE), ("2026-02-30T00:00:00Z", HERE)],
        Kind.DATE_TIME,
    ),
    one(
        "duration",
        {"type": "string", "format": "duration"},
        ["PT1H30M", "P3D", "P2W", "PT0.5S"],
        [("1h", HERE), ("P", HERE), ("PT", HERE)],
        Kind.DURATION,
    ),
    one("e-mail", {"type": "string", "format": "email"}, ["me@example.org"], [("me", HERE)], Kind.TEXT),
    one("address", {"type": "string", "format": "uri"}, ["https://example.org/a?b#c"], [("/a b", HERE)], Kind.TEXT),
    one(
        "uuid", {"type": "string", "format": "uuid"}, ["2eb8aa08-aa98-11ea-b4aa-73b441d16380"], [("2", HERE)], Kind.TEXT
    ),
    one("IPv4 address", {"type": "string", "format": "ipv4"}, ["192.0.2.1"], [("256.1.1.1", HERE)], Kind.TEXT),
    one("IPv6 address", {"type": "string", "format": "ipv6"}, ["2001:db8::1"], [("12345::", HERE)], Kind.TEXT),
    one("computer name", {"type": "string", "format": "hostname"}, ["www.example.org"], [("-a-", HERE)], Kind.TEXT),
    one("regular expression", {"type": "string", "format": "regex"}, ["^a+$"], [("(", HERE)], Kind.TEXT),
    one("JSON pointer", {"type": "string", "format": "json-pointer"}, ["/a/0"], [("a", HERE)], Kind.TEXT),
    one("path", {"type": "string", "format": "path"}, ["/tmp/a", "b"], [(1, HERE)], Kind.PATH),
    one("password", {"type": "string", "format": "password"}, ["s3cret"], [(1, HERE)], Kind.SECRET),
    one("secret", {"type": "string", "writeOnly": True}, ["s3cret"], [(None, HERE)], Kind.SECRET),
    one(
        "file in base64",
        {"type": "string", "contentEncoding": "base64", "contentMediaType": "image/png"},
        ["aGVsbG8="],
        [("%%%", HERE), (5, HERE)],
        Kind.FILE,
    ),
    one(
        "whole number",
        {"type": "integer", "minimum": 1, "maximum": 10},
        [1, 10, 2.0],
        [(0, HERE), (11, HERE), (1.5, HERE), ("1", HERE), (True, HERE)],
        Kind.INTEGER,
    ),
    one("large whole number", {"type": "integer"}, [2**53 + 1, 10**40, -(10**40)], [("1", HERE)], Kind.INTEGER),
    one(
        "number between bounds that do not count",
        {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1},
        [0.5, 1e-9],
        [(0, HERE), (1, HERE), (1.0, HERE)],
        Kind.NUMBER,
    ),
    one("number in steps", {"type": "number", "multipleOf": 0.1}, [0.3, 1, 2.1], [(0.25, HERE)], Kind.NUMBER),
    one("number with a unit", {"type": "number", "x-unit": "s"}, [0.5], [("0.5", HERE)], Kind.NUMBER),
    one("boolean", {"type": "boolean"}, [True, False], [(0, HERE), ("true", HERE)], Kind.BOOLEAN),
    one("choice", {"enum": ["a", "b", 3]}, ["a", 3], [("c", HERE), (True, HERE)], Kind.CHOICE),
    one("choice of one", {"const": "only"}, ["only"], [("other", HERE)], Kind.CHOICE),
    one(
        "choice with titles",
        {"oneOf": [{"const": 1, "title": "One"}, {"const": 2, "title": "Two"}]},
        [1, 2],
        [(3, HERE), ("1", HERE)],
        Kind.CHOICE,
    ),
    one("choice or null", {"enum": ["a", "b", None]}, ["a", None], [("c", HERE)], Kind.CHOICE),
    one(
        "choice put together",
        {"anyOf": [{"const": "a"}, {"enum": ["b", "c"]}]},
        ["a", "b", "c"],
        [("d", HERE)],
        Kind.CHOICE,
    ),
    one(
        "long choice",
        {"enum": [f"value {number}" for number in range(40)]},
        ["value 39"],
        [("value", HERE)],
        Kind.CHOICE,
    ),
    one("text or null", {"type": ["string", "null"]}, ["a", None], [(1, HERE)], Kind.TEXT),
    one(
        "number or null",
        {"anyOf": [{"type": "integer", "minimum": 1}, {"type": "null"}]},
        [1, None],
        [(0, HERE), ("a", HERE)],
        Kind.INTEGER,
    ),
    one("null", {"type": "null"}, [None], [(0, HERE)], Kind.CHOICE),
    one("anything", True, [None, 1, "a", [1], {"a": {}}], [], Kind.JSON),
    one("anything described", {"description": "What you like"}, [None, {"a": [1]}], [], Kind.JSON),
    one(
        "deprecated and read-only",
        {"type": "string", "deprecated": True, "readOnly": True, "default": "a"},
        ["b"],
        [(1, HERE)],
        Kind.TEXT,
    ),
    one(
        "text of two formats",
        {"anyOf": [{"type": "string", "format": "ipv4"}, {"type": "string", "format": "ipv6"}]},
        ["192.0.2.1", "::1"],
        [("x", HERE)],
        Kind.TEXT,
    ),
    one("not one value", {"type": "string", "not": {"const": "root"}}, ["me"], [("root", HERE)], Kind.TEXT),
    Case(
        "defaults of every kind",
        {
            "type": "object",
            "properties": {
                "a": {"type": "integer", "default": 3},
                "b": {"type": "string", "default": None},
                "c": {"type": "array", "items": {"type": "string"}, "default": ["x"]},
            },
        },
        [{}, {"a": 1, "b": "", "c": []}],
        [({"a": "1"}, ("a",)), ({"b": None}, ("b",))],
        {("a",): Kind.INTEGER, ("c",): Kind.LIST},
    ),
    Case(
        "names nobody declared",
        {"type": "object", "properties": {"a": {"type": "integer"}}, "additionalProperties": False},
        [{}, {"a": 1}],
        [({"b": 1}, ("b",))],
    ),
    Case(
        "numbers with bounds of draft-04",
        {
            "$schema": "http://json-schema.org/draft-04/schema#",
            "type": "object",
            "properties": {"a": {"type": "number", "minimum": 0, "exclusiveMinimum": True}},
        },
        [{"a": 0.1}],
        [({"a": 0}, ("a",))],
        {("a",): Kind.NUMBER},
    ),
)
