"""Which field each schema gets, and numbers as people type them."""

from __future__ import annotations

import json
import pickle
from copy import deepcopy
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings, strategies
from pydantic import JsonValue, TypeAdapter

from console.schema_form import ABSENT, Document, FieldKind, choices_of, parse_value, write_json
from console.schema_form.effective_schema import EffectiveSchemas
from console.schema_form.fields import Fields, range_words
from console.schema_form.numbers import ExactNumber, number_from_text, stepped

NULL = {"type": "null"}
PERSON = {"type": "object", "properties": {"name": {"type": "string"}, "boss": {"$ref": "#/$defs/Person"}}}


def kind_of(schema: Any, name: str = "x") -> FieldKind:
    return Document({"properties": {name: schema}, "$defs": {"Person": PERSON}}).field((name,)).kind


@pytest.mark.parametrize(
    ("schema", "kind"),
    [
        ({"type": "string"}, FieldKind.TEXT),
        ({"type": "string", "maxLength": 40}, FieldKind.TEXT),
        ({"type": "string", "format": "email"}, FieldKind.TEXT),
        ({"type": "string", "contentMediaType": "text/markdown"}, FieldKind.LINES),
        ({"type": "string", "format": "path"}, FieldKind.PATH),
        ({"type": "string", "x-writes": True}, FieldKind.PATH),
        ({"type": "string", "format": "date"}, FieldKind.DATE),
        ({"type": "string", "format": "time"}, FieldKind.TIME),
        ({"type": "string", "format": "date-time"}, FieldKind.DATE_TIME),
        ({"type": "integer"}, FieldKind.INTEGER),
        ({"type": "number"}, FieldKind.NUMBER),
        ({"type": "boolean"}, FieldKind.BOOLEAN),
        ({"enum": ["a", 1, None]}, FieldKind.CHOICE),
        ({"const": "a"}, FieldKind.CHOICE),
        ({"oneOf": [{"const": 1, "title": "One"}, {"const": 2}]}, FieldKind.CHOICE),
        ({"type": "array", "items": {"type": "string"}}, FieldKind.LIST),
        ({"type": "array", "items": {"type": "number"}}, FieldKind.LIST),
        ({"type": "array", "items": {"enum": ["a", "b"]}}, FieldKind.SELECTION),
        ({"type": "array", "items": {"type": "object"}}, FieldKind.ROWS),
        ({"type": "array", "items": {"$ref": "#/$defs/Person"}}, FieldKind.TABLE),
        ({"type": "array", "prefixItems": [{"type": "string"}]}, FieldKind.TUPLE),
        ({"type": "array"}, FieldKind.ROWS),
        ({"$ref": "#/$defs/Person"}, FieldKind.OBJECT),
        ({"allOf": [{"$ref": "#/$defs/Person"}]}, FieldKind.OBJECT),
        ({"anyOf": [{"$ref": "#/$defs/Person"}, NULL]}, FieldKind.OBJECT),
        ({"anyOf": [{"type": "integer"}, NULL]}, FieldKind.INTEGER),
        ({"type": ["string", "null"]}, FieldKind.TEXT),
        ({"anyOf": [{"type": "integer"}, {"type": "string"}]}, FieldKind.VARIANT),
        ({"type": ["string", "integer"]}, FieldKind.VARIANT),
        ({"type": "object"}, FieldKind.MAP),
        ({"type": "object", "properties": {"a": {}}, "additionalProperties": {"type": "string"}}, FieldKind.MAP),
        ({"$ref": "https://example.org/x"}, FieldKind.JSON),
        ({"$ref": "#/$defs/Nobody"}, FieldKind.JSON),
        ({"minimum": 1}, FieldKind.NUMBER),
        ({"minItems": 1}, FieldKind.ROWS),
        ({"minProperties": 1}, FieldKind.MAP),
        ({"pattern": "a"}, FieldKind.TEXT),
        ({}, FieldKind.JSON),
        (True, FieldKind.JSON),
    ],
)
def test_each_schema_gets_its_field(schema: Any, kind: FieldKind) -> None:
    assert kind_of(schema) is kind


def test_what_is_called_content_has_many_lines_unless_it_is_short() -> None:
    assert kind_of({"type": "string"}, "content") is FieldKind.LINES
    assert kind_of({"type": "string", "maxLength": 20}, "content") is FieldKind.TEXT


def test_a_schema_that_holds_itself_has_fields_at_any_depth() -> None:
    root = {"properties": {"p": {"$ref": "#/$defs/Person"}}, "$defs": {"Person": PERSON}}

    assert Document(root).field(("p", *["boss"] * 40)).kind is FieldKind.OBJECT
    assert Document(root).field(("p", *["boss"] * 40, "name")).kind is FieldKind.TEXT


def test_a_reference_that_only_holds_itself_ends() -> None:
    root = {"properties": {"x": {"$ref": "#/$defs/a"}}, "$defs": {"a": {"$ref": "#/$defs/a"}}}

    assert Fields(EffectiveSchemas(root)).inside((), ABSENT)[0].kind is FieldKind.JSON


def test_fields_know_what_is_required_and_what_may_be_null() -> None:
    root = {
        "required": ["a"],
        "properties": {
            "a": {"type": "string", "title": "A", "description": "About", "default": "d", "examples": ["e"]},
            "b": {"anyOf": [{"type": "integer", "x-unit": "s"}, NULL], "description": "Outer"},
            "c": {"enum": ["x", "y", None]},
        },
    }
    a, b, c = Fields(EffectiveSchemas(root)).inside((), ABSENT)

    assert (a.required, a.nullable, a.title, a.description) == (True, False, "A", "About")
    assert (a.default, a.example) == ("d", "e")
    assert (b.required, b.nullable, b.unit, b.description) == (False, True, "s", "Outer")
    assert (c.nullable, [choice.value for choice in c.choices]) == (True, ["x", "y"])
    assert Document(root).field(("b",)).accessible_name == "argument b"
    assert [field.path for field in (a, b, c)] == [("a",), ("b",), ("c",)]


def test_titled_choices_show_their_title() -> None:
    schema = {"oneOf": [{"const": "re", "title": "Regular expression", "description": "As in Python"}, {"const": 2}]}
    first, second = choices_of(schema)

    assert first == ("re", "Regular expression", True, "As in Python")
    assert second == (2, "2", False, "")


def test_names_in_snake_case_are_put_into_words() -> None:
    kinds = choices_of({"enum": ["regular_expression", "word"]})

    assert [(choice.value, choice.title, choice.description) for choice in kinds] == [
        ("regular_expression", "Regular expression", "regular_expression"),
        ("word", "Word", "word"),
    ]
    assert [choice.title for choice in choices_of({"enum": ["GET", "a_b"]})] == ["GET", "a_b"]
    assert [choice.title for choice in choices_of({"enum": ["sha", "json"]})] == ["sha", "json"]


@pytest.mark.parametrize(
    ("schema", "hint"),
    [
        ({"minimum": 1, "maximum": 5000}, "1 to 5000"),
        ({"minimum": 0}, "at least 0"),
        ({"exclusiveMinimum": 0, "maximum": 1}, "more than 0, at most 1"),
        ({}, ""),
    ],
)
def test_the_range_is_said_beside_the_field(schema: Any, hint: str) -> None:
    assert range_words(schema) == hint


@settings(max_examples=60)
@given(strategies.integers())
def test_whole_numbers_are_read_back_at_any_size(number: int) -> None:
    assert number_from_text(repr(number), whole=True) == number


@settings(max_examples=60)
@given(strategies.floats(allow_nan=False, allow_infinity=False))
def test_other_numbers_are_read_back_exactly(number: float) -> None:
    read = number_from_text(repr(number), whole=False)

    assert isinstance(read, float)
    assert read == number


@pytest.mark.parametrize("text", ["", "x", "1_000", "1,5", "nan", "inf", "1e999", "--1", "0x10"])
def test_what_is_no_number_is_none(text: str) -> None:
    assert number_from_text(text, whole=False) is None


def test_half_a_number_is_no_whole_one() -> None:
    assert number_from_text("1.5", whole=True) is None
    assert number_from_text(" 7 ", whole=True) == 7
    assert isinstance(number_from_text("7", whole=False), int)


@settings(max_examples=60)
@given(strategies.integers(), strategies.integers(-5, 5), strategies.integers(1, 100))
def test_steps_are_exact(number: int, steps: int, step: int) -> None:
    assert stepped(number, steps, step, None, None) == number + steps * step


def test_steps_of_a_tenth_add_up_and_stop_at_the_bounds() -> None:
    assert stepped(0.1, 2, 0.1, None, None) == float(Decimal("0.3"))
    assert stepped(4999, 5, 1, 1, 5000) == 5000
    assert stepped(2, -5, 1, 1, 5000) == 1


@pytest.mark.parametrize(
    "text", ["0.1000000000000000000001", "-12345678901234567890.5", "3.14159265358979323846", "1e-350"]
)
def test_digits_that_a_float_would_drop_are_kept(text: str) -> None:
    number = number_from_text(text, whole=False)

    assert isinstance(number, ExactNumber)
    assert repr(number) == text
    assert parse_value(text)[0] == number
    assert write_json({"x": [number, "\ue000", 0.5]}, None) == f'{{"x": [{text}, "\ue000", 0.5]}}'
    assert deepcopy(number) is number
    assert pickle.loads(pickle.dumps(number)) == number


def test_an_exact_number_compares_by_all_its_digits() -> None:
    number = ExactNumber("0.1000000000000000000001")

    assert number != 0.1
    assert number > 0.1
    assert number <= ExactNumber("0.1000000000000000000002")
    assert len({number, ExactNumber("0.1000000000000000000001"), 0.1}) == 2


def test_an_exact_number_goes_wherever_a_float_goes() -> None:
    number = ExactNumber("0.1000000000000000000001")

    assert TypeAdapter(Decimal).validate_python(number) == Decimal("0.1000000000000000000001")
    assert TypeAdapter(JsonValue).validate_python(number) is not None
    assert TypeAdapter(float).validate_python(number) == pytest.approx(0.1)
    assert json.dumps(number) == "0.1"


def test_steps_of_an_exact_number_are_exact() -> None:
    assert repr(stepped(ExactNumber("0.1000000000000000000001"), 2, 0.1, None, None)) == ("0.3000000000000000000001")
