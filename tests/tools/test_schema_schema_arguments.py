from __future__ import annotations

from typing import Any

import pytest

from tools.errors import ArgumentProblem, ArgumentsError, DeclarationError
from tools.schema import Arguments, SchemaArguments

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "query": {"type": "string", "minLength": 1},
        "limit": {"type": "integer", "minimum": 1, "maximum": 50, "default": 10},
        "ratio": {"type": "number"},
        "deep": {"type": "boolean", "default": False},
        "tags": {"type": "array", "items": {"type": "string"}, "default": []},
        "context": {"$ref": "#/$defs/context"},
        "shape": {"oneOf": [{"$ref": "#/$defs/circle"}, {"$ref": "#/$defs/square"}]},
    },
    "required": ["query"],
    "additionalProperties": False,
    "$defs": {
        "context": {"type": "object", "properties": {"before": {"type": "integer"}}, "required": ["before"]},
        "circle": {"type": "object", "properties": {"radius": {"type": "number"}}, "required": ["radius"]},
        "square": {
            "type": "object",
            "properties": {"side": {"type": "number"}, "angle": {"type": "number"}},
            "required": ["side", "angle"],
        },
    },
}


@pytest.fixture
def arguments() -> Arguments:
    return SchemaArguments(SCHEMA, owner="remote.tool")


def problems(arguments: Arguments, values: Any) -> list[ArgumentProblem]:
    with pytest.raises(ArgumentsError) as caught:
        arguments.validate(values)
    return list(caught.value.problems)


@pytest.mark.reference("C40", "C17")
def test_values_pass_as_they_are_and_top_level_defaults_are_filled(arguments: Arguments) -> None:
    given = {"query": "a", "ratio": 1, "context": {"before": 2, "more": [1]}}
    converted = arguments.validate(given)
    assert converted == {**given, "limit": 10, "deep": False, "tags": []}
    converted["tags"].append("x")
    assert arguments.validate({"query": "a"})["tags"] == []
    assert arguments.dump(converted) == converted
    assert arguments.input_schema == SCHEMA


def test_json_text_gives_the_same(arguments: Arguments) -> None:
    assert arguments.validate_json(b'{"query": "a", "limit": 3}') == arguments.validate({"query": "a", "limit": 3})
    with pytest.raises(ArgumentsError, match="line 1, column 9"):
        arguments.validate_json('{"query":')
    with pytest.raises(ArgumentsError, match="expected an object with query, limit"):
        arguments.validate_json("[]")


def test_text_stands_for_a_number_or_a_boolean_at_the_top_level(arguments: Arguments) -> None:
    converted = arguments.validate({"query": "5", "limit": "5", "ratio": "1.5", "deep": "True"})
    assert converted == {"query": "5", "limit": 5, "ratio": 1.5, "deep": True, "tags": []}
    assert [item.path for item in problems(arguments, {"query": "a", "limit": "x", "deep": "maybe"})] == [
        "limit",
        "deep",
    ]


@pytest.mark.reference("E16", "C19")
@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ({}, [("query", "a text of at least 1 character", "nothing", "missing")]),
        ({"query": ""}, [("query", "a text of at least 1 character", "''", "minLength")]),
        ({"query": None}, [("query", "a text of at least 1 character", "None", "type")]),
        ({"query": "a", "limit": True}, [("limit", "a whole number from 1 to 50", "True", "type")]),
        ({"query": "a", "limit": 51}, [("limit", "a whole number from 1 to 50", "51", "maximum")]),
        ({"query": "a", "tags": ["b", 1]}, [("tags[1]", "a text", "1", "type")]),
        ({"query": "a", "context": {}}, [("context.before", "a whole number", "nothing", "missing")]),
        (
            {"query": "a", "limt": 1},
            [("limt", "no argument of this name (did you mean 'limit'?)", "1", "extra_forbidden")],
        ),
        ({"query": "a", "shape": {"radius": "r"}}, [("shape.radius", "a number", "'r'", "type")]),
        (
            {"query": "a", "shape": 3},
            [("shape", "an object with radius or an object with side, angle", "3", "oneOf")],
        ),
    ],
)
def test_each_problem_names_path_expectation_value_and_kind(
    arguments: Arguments, values: Any, expected: list[tuple[str, str, str, str]]
) -> None:
    assert [tuple(item) for item in problems(arguments, values)] == expected


def test_rules_without_words_of_ours_are_told_in_the_validators_words() -> None:
    arguments = SchemaArguments({"properties": {"a": {"not": {"type": "string"}}}}, owner="o")
    [problem] = problems(arguments, {"a": "x"})
    assert problem.kind == "not"
    assert "should not be valid under" in problem.expected


def test_names_that_a_pattern_admits_are_not_called_unknown() -> None:
    arguments = SchemaArguments(
        {"patternProperties": {"^x-": {"type": "string"}}, "additionalProperties": False}, owner="o"
    )
    assert arguments.validate({"x-a": "1"}) == {"x-a": "1"}
    assert [item.path for item in problems(arguments, {"x-a": "1", "y": 2})] == ["y"]


def test_the_draft_is_the_one_the_schema_names() -> None:
    old: dict[str, Any] = {
        "$schema": "http://json-schema.org/draft-04/schema#",
        "type": "object",
        "properties": {"n": {"type": "number", "minimum": 1, "exclusiveMinimum": True}},
    }
    assert problems(SchemaArguments(old, owner="o"), {"n": 1})[0].path == "n"
    with pytest.raises(DeclarationError, match="not a valid JSON Schema"):
        SchemaArguments({**old, "$schema": "https://json-schema.org/draft/2020-12/schema"}, owner="o")


@pytest.mark.parametrize(
    ("schema", "message"),
    [
        ({"type": "array"}, "expected a schema of type 'object'"),
        (
            {"properties": {"a": {"type": "integr"}}},
            "not a valid JSON Schema at /properties/a/type: expected array, .* got 'integr'",
        ),
        ({"properties": {"a": {"$ref": "https://example.org/a.json"}}}, "nothing is fetched"),
        ({"properties": {"a": {"$ref": "other.json#/a"}}}, "nothing is fetched"),
        ({"properties": {"a": {"$ref": "#/$defs/none"}}}, "leads nowhere"),
        ({"properties": {"a": {"$ref": "#none"}}}, "leads nowhere"),
    ],
)
def test_a_schema_that_cannot_be_used_is_refused_naming_its_owner(schema: dict[str, Any], message: str) -> None:
    with pytest.raises(DeclarationError, match=rf"remote\.tool: .*{message}"):
        SchemaArguments(schema, owner="remote.tool")


def test_values_that_look_like_references_are_left_alone() -> None:
    arguments = SchemaArguments(
        {"properties": {"a": {"type": "object", "default": {"$ref": "https://example.org"}}}}, owner="o"
    )
    assert arguments.validate({}) == {"a": {"$ref": "https://example.org"}}


def test_anchors_inside_the_schema_are_followed() -> None:
    arguments = SchemaArguments(
        {"properties": {"a": {"$ref": "#num"}}, "$defs": {"n": {"$anchor": "num", "type": "integer"}}}, owner="o"
    )
    assert arguments.validate({"a": 1}) == {"a": 1}
    assert len(problems(arguments, {"a": "x"})) == 1


def test_something_that_is_no_mapping_is_refused(arguments: Arguments) -> None:
    assert problems(arguments, ["a"])[0].kind == "dict_type"
