"""Large results are written the same as small ones, only in pieces."""

from __future__ import annotations

import dataclasses
import json
from typing import Annotated, Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, Field, PlainSerializer, TypeAdapter

from tools.schema import json_beginning, json_text, output_for
from tools.schema.large_results import MANY, is_large, is_plain, patient

NUMBER = MANY + 1
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
)


class Hit(BaseModel):
    line: int
    score: float = 0.5
    text: str = Field("", serialization_alias="said")


class Place(NamedTuple):
    file: str
    hit: Hit


@dataclasses.dataclass
class Found:
    places: list[Place]
    total: int


Shouted = Annotated[str, PlainSerializer(str.upper)]


@pytest.mark.parametrize(
    ("annotation", "value"),
    [
        (list[Hit], [Hit(line=1, score=0.25)]),
        (dict[str, list[float]], {"a": [1.5, float("inf")]}),
        (list[dict[str, Any]], [{"a": 1, "b": [b"\x00", {2, 1}]}]),
        (dict[str, list[Place]], {"here": [Place("a", Hit(line=2))]}),
        (Found, Found([Place("a", Hit(line=3))], 1)),
        (list[list[int]], [[1, 2], []]),
        (tuple[Place, ...], (Place("a", Hit(line=4)),)),
        (set[str], {"b", "a"}),
        (list[Shouted], ["a"]),
        (dict[str, Hit], {"a": Hit(line=5)}),
        (dict[int, bool | None], {1: True, 2: None}),
    ],
)
def test_what_is_written_in_pieces_is_the_same(annotation: Any, value: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = output_for(annotation, owner="t").dump(value)
    monkeypatch.setattr("tools.schema.large_results.MANY", 0)

    assert output_for(annotation, owner="t").dump(value) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ([0] * NUMBER, True),
        ([0] * MANY, False),
        ({"a": range(3), "b": [0] * NUMBER}, True),
        (Found([], 0), False),
        (Found([Place("a", Hit(line=1))] * NUMBER, 1), True),
        ("x" * NUMBER, False),
    ],
)
def test_a_result_is_large_by_its_parts(value: Any, expected: bool) -> None:
    assert is_large(value) is expected


def test_a_large_result_goes_through_python_part_by_part() -> None:
    schema: Any = patient(TypeAdapter(dict[str, list[Hit]]).core_schema)

    assert "serialization" not in schema["values_schema"], "a list whose parts are written one by one is not copied"
    assert schema["values_schema"]["items_schema"]["serialization"]["type"] == "function-wrap"


@pytest.mark.parametrize(
    ("annotation", "expected"),
    [
        (dict[str, Any], True),
        (list[dict[str, Any]], True),
        (dict, True),
        (dict[str, Any] | None, True),
        (dict[str, int], False),
        (list[Hit], False),
        (dict[int, Any], False),
    ],
)
def test_only_containers_of_anything_are_plain(annotation: Any, expected: bool) -> None:
    assert is_plain(TypeAdapter(annotation).core_schema) is expected


@given(JSON, st.integers(0, 40))
def test_the_beginning_of_a_text_is_written_without_the_rest(value: Any, letters: int) -> None:
    whole = json.dumps(value, separators=(",", ":"), ensure_ascii=False)

    assert json_beginning(value, 10_000) == whole
    assert json_beginning(value, letters)[:letters] == whole[:letters]


def test_the_beginning_of_a_long_text_is_short() -> None:
    assert len(json_beginning({"a": ["x" * 1_000_000] * 3}, 100)) < 300


def test_text_that_is_no_unicode_is_written_with_escapes() -> None:
    assert json_text({"file": "a\udc80"}) == '{"file":"a\\udc80"}'
