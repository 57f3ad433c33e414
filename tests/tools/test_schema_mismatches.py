"""Where a result is not what its schema promises."""

from __future__ import annotations

import sys
from typing import Any

import pytest

from tools.errors import DeclarationError
from tools.schema import MismatchFinder

SCHEMA: dict[str, Any] = {
    "type": "object",
    "required": ["count"],
    "additionalProperties": False,
    "patternProperties": {"^x-": {"type": "string"}},
    "properties": {
        "count": {"type": "integer", "maximum": 5},
        "rows": {"anyOf": [{"type": "null"}, {"type": "array", "items": {"$ref": "#/$defs/Row"}}]},
        "code": {"pattern": "^[a-z]+$"},
    },
    "$defs": {"Row": {"type": "object", "properties": {"kind": {"enum": ["p", "q"]}}, "required": ["kind"]}},
}


@pytest.mark.parametrize(
    ("value", "keys", "message"),
    [
        ({"count": 9}, ("count",), "expected a whole number of at most 5"),
        ({}, (), "count is missing"),
        ({"count": 1, "other": 1}, ("other",), "not expected here"),
        ({"count": 1, "x-a": 1}, ("x-a",), "expected a text"),
        ({"count": 1, "rows": [{"kind": "p"}, {"kind": "z"}]}, ("rows", 1, "kind"), "expected one of 'p', 'q'"),
        ({"count": 1, "code": "A"}, ("code",), "does not match '^[a-z]+$'"),
    ],
)
def test_each_wrong_value_is_told_at_its_place(value: Any, keys: tuple[Any, ...], message: str) -> None:
    found = MismatchFinder(SCHEMA).find(value)

    assert found.is_complete
    assert [(one.keys, one.message) for one in found.found] == [(keys, message)]


def test_what_fits_has_no_mismatch() -> None:
    assert MismatchFinder(SCHEMA).find({"count": 1, "rows": None, "x-a": "a", "code": "a"}) == ((), True, None)


ROWS: dict[str, Any] = {
    "type": "array",
    "items": {
        "type": "object",
        "properties": {"line": {"type": "integer"}, "tags": {"type": "array", "items": {"type": "string"}}},
        "required": ["line"],
    },
}


@pytest.mark.parametrize("schema", [ROWS, {"type": "object", "additionalProperties": ROWS}], ids=["list", "map"])
@pytest.mark.parametrize(("wrong", "keys"), [({}, (2_500,)), ({"line": 1, "tags": [1]}, (2_500, "tags", 0))])
def test_a_large_value_is_looked_through_to_its_last_part(
    schema: dict[str, Any], wrong: dict[str, Any], keys: tuple[str | int, ...]
) -> None:
    rows = [{"line": line, "tags": ["a"]} for line in range(2_500)]
    is_list = schema is ROWS
    finder = MismatchFinder(schema)

    assert finder.find(rows if is_list else {"rows": rows}) == ((), True, None)
    rows.append(wrong)
    found = finder.find(rows if is_list else {"rows": rows}).found

    assert [one.keys for one in found] == [keys if is_list else ("rows", *keys)]


def test_to_look_through_a_large_value_lets_other_threads_work() -> None:
    rows = [{"line": line} for line in range(2_500)]
    finder = MismatchFinder(ROWS)
    calls = []
    sys.setprofile(lambda _frame, event, _argument: calls.append(event))
    try:
        found = finder.find(rows)
    finally:
        sys.setprofile(None)

    assert found == ((), True, None)
    assert not finder.fits_at_once(rows)
    assert calls.count("call") > len(rows), "Python gives the interpreter away where a function of its own begins"


def test_a_large_value_that_is_nested_deep_is_looked_through() -> None:
    node = {"type": "object", "properties": {"left": {"$ref": "#/$defs/N"}, "right": {"$ref": "#/$defs/N"}}}
    finder = MismatchFinder({"$ref": "#/$defs/N", "$defs": {"N": node}}, clock=lambda: 0.0)

    def tree(levels: int) -> dict[str, Any]:
        return {"left": tree(levels - 1), "right": tree(levels - 1)} if levels else {}

    whole = tree(11)
    assert not finder.fits_at_once(whole)
    assert finder.find(whole) == ((), True, None)
    whole["right"]["left"]["right"] = 5
    assert [one.keys for one in finder.find(whole).found] == [("right", "left", "right")]


def test_a_pattern_that_takes_for_ever_is_passed_over() -> None:
    assert MismatchFinder({"pattern": "^(a|aa)+$"}).find("a" * 5000 + "b").found == ()


def test_it_ends_when_the_time_is_up() -> None:
    ticks = iter(range(10_000))

    found = MismatchFinder({"items": {"type": "integer"}}, lambda: float(next(ticks))).find(["a"] * 1000, within_s=20)

    assert not found.is_complete
    assert 0 < len(found.found) < 30


def test_it_ends_at_the_most() -> None:
    found = MismatchFinder({"items": {"type": "integer"}}).find(["a"] * 50, most=7)

    assert (len(found.found), found.is_complete) == (7, False)


def test_a_schema_that_refers_to_itself_for_ever_ends() -> None:
    assert not MismatchFinder({"$ref": "#"}).find(1).is_complete


@pytest.mark.parametrize("schema", [{"type": "nonsense"}, {"$ref": "https://elsewhere.example/schema"}])
def test_a_schema_that_is_none_is_refused(schema: dict[str, Any]) -> None:
    with pytest.raises(DeclarationError, match="not a valid JSON Schema of a result"):
        MismatchFinder(schema)


def test_a_list_is_not_taken_for_a_truth_value() -> None:
    assert MismatchFinder({"uniqueItems": True}).find([True, ["boolean", 1], 1, 1.5]).found == ()
