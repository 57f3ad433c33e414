"""What is quickly said to fit a schema fits it, by the official test suite of JSON Schema and by a slow look."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.schema.quick_validators import certain_check

SUITE = Path(__file__).parents[2] / "build" / "json-schema-suite" / "json" / "tests"

SCALARS: list[dict[str, Any]] = [
    {"type": "string"},
    {"type": "string", "minLength": 2, "maxLength": 3},
    {"type": "integer"},
    {"type": "integer", "minimum": 1, "exclusiveMaximum": 9},
    {"type": "number"},
    {"type": "boolean"},
    {"type": "null"},
    {"enum": ["a", "b"]},
    {"const": "a", "type": "string"},
    {"type": ["string", "null"]},
    {"anyOf": [{"type": "integer"}, {"type": "boolean"}]},
    {"type": "array", "prefixItems": [{"type": "integer"}, {"type": "string"}], "minItems": 2, "maxItems": 2},
    {},
]
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 12) | st.floats(-2, 10) | st.sampled_from(["", "a", "ab", "abcd", "1"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["a", "b", "c"]), inner, max_size=3),
    max_leaves=6,
)


@st.composite
def schemas(draw: st.DrawFn) -> dict[str, Any]:
    inner = st.sampled_from(SCALARS)
    properties = draw(st.dictionaries(st.sampled_from(["a", "b"]), inner, max_size=2))
    required = [name for name in properties if draw(st.booleans())]
    document: dict[str, Any] = {"type": "object", "properties": properties, "required": required}
    if draw(st.booleans()):
        document["additionalProperties"] = draw(st.booleans())
    reference = {"$ref": "#/$defs/Part"}
    again = {**document, "properties": {**properties, "c": {"anyOf": [reference, {"type": "null"}]}}}
    forms = [document, {"type": "array", "items": document, "minItems": 1}, draw(inner)]
    referring = {"type": "array", "items": reference}, {"type": "object", "additionalProperties": reference}
    return draw(st.sampled_from([*forms, *({**one, "$defs": {"Part": again}} for one in referring)]))


@pytest.mark.parametrize("in_pieces", [False, True])
@given(schemas(), VALUES | st.dictionaries(st.sampled_from(["a", "b"]), VALUES, min_size=1, max_size=2))
def test_what_is_certain_is_true(in_pieces: bool, schema: dict[str, Any], value: Any) -> None:
    certain = certain_check(schema, in_pieces=in_pieces)
    if certain is not None and certain(value):
        assert jsonschema.Draft202012Validator(schema).is_valid(value)


def test_ordinary_arguments_are_certain() -> None:
    schema = {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "type": "object",
        "title": "addArguments",
        "properties": {"a": {"type": "integer"}, "tags": {"type": "array", "items": {"type": "string"}}},
        "required": ["a"],
    }
    certain = certain_check(schema)
    assert certain is not None
    assert certain({"a": 1, "tags": ["x"], "more": None})
    for wrong in ({}, {"a": "1"}, {"a": True}, {"a": 1.5}, {"a": 1, "tags": [1]}):
        assert not certain(wrong)
    assert certain_check({"enum": ["a"], "type": "integer"}) is None
    assert certain_check({"enum": ["a", "b"], "const": "b"}) is None


TREE: dict[str, Any] = {
    "$ref": "#/$defs/Node",
    "$defs": {
        "Node": {
            "type": "object",
            "properties": {
                "name": {"type": "string"},
                "first": {"anyOf": [{"$ref": "#/$defs/Node"}, {"type": "null"}]},
                "more": {"type": "array", "items": {"$ref": "#/$defs/Node"}},
            },
            "required": ["name"],
        }
    },
}


@pytest.mark.parametrize("in_pieces", [False, True])
def test_what_refers_to_itself_is_certain(in_pieces: bool) -> None:
    certain = certain_check(TREE, in_pieces=in_pieces)
    leaf = {"name": "leaf", "first": None}
    assert certain is not None
    assert certain({"name": "root", "first": {"name": "one", "more": [leaf]}, "more": [leaf, leaf]})
    assert not certain({"name": "root", "first": {"name": "one", "more": [leaf, {}]}})


@pytest.mark.parametrize("in_pieces", [False, True])
def test_a_list_of_fixed_length_is_certain(in_pieces: bool) -> None:
    pair = {"type": "array", "prefixItems": [{"type": "integer"}, {"type": "string"}], "minItems": 2, "maxItems": 2}
    certain = certain_check({"type": "array", "items": pair}, in_pieces=in_pieces)
    assert certain is not None
    assert certain([[1, "a"], [2, "b"]])
    for wrong in ([[1]], [[1, "a", "b"]], [["1", "a"]], [(1, "a")], [{"0": 1}]):
        assert not certain(wrong)


def test_references_that_double_are_not_looked_through() -> None:
    two = {f"d{at}": {"anyOf": [{"$ref": f"#/$defs/d{at + 1}"}] * 2} for at in range(60)}
    assert certain_check({"$ref": "#/$defs/d0", "$defs": {**two, "d60": {"type": "integer"}}}) is None


@pytest.mark.parametrize("in_pieces", [False, True])
@pytest.mark.parametrize("draft", ["draft7", "draft2020-12"])
def test_the_official_suite_agrees(draft: str, in_pieces: bool) -> None:
    if not SUITE.is_dir():
        pytest.fail("expected the test suite of JSON Schema in build/json-schema-suite; run packaging/bootstrap test")
    taken = 0
    for path in sorted((SUITE / draft).glob("*.json")):
        for group in json.loads(path.read_bytes()):
            schema = group["schema"]
            certain = certain_check(schema, in_pieces=in_pieces) if isinstance(schema, dict) else None
            for case in group["tests"] if certain is not None else ():
                if certain is not None and certain(case["data"]):
                    taken += 1
                    assert case["valid"], (path.name, group["description"], case["description"])
    assert taken > 50
