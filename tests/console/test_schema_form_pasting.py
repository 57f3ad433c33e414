"""A whole set of arguments as text, and where each of them stands in it."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from console.schema_form import write_json
from console.schema_form.json_text import place_of
from console.schema_form.pasting import arguments_of, whole_arguments
from console.schema_form.paths import Path, value_at

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=12,
)


def _paths(value: Any, around: Path = ()) -> list[Path]:
    parts: list[Any] = []
    if isinstance(value, dict):
        parts = list(value)
    elif isinstance(value, list):
        parts = list(range(len(value)))
    return [around, *(path for part in parts for path in _paths(value[part], (*around, part)))]


@given(JSON)
def test_each_value_is_found_where_it_is_written(value: Any) -> None:
    text = write_json(value)
    for path in _paths(value):
        place = place_of(text, path)
        found = text.split("\n")[place.line - 1][place.column - 1 :]
        part = value_at(value, path)
        opening = "{" if isinstance(part, dict) else "[" if isinstance(part, list) else write_json(part)
        assert found.startswith(opening)


def test_what_is_missing_is_looked_for_around_it() -> None:
    text = '{\n  "a": 1,\n  "b": {"c": [1, 2]}\n}'

    assert place_of(text, ("b", "c", 1)) == (3, 18)
    assert place_of(text, ("b", "c", 7)) == (3, 14)
    assert place_of(text, ("b", "x")) == (3, 8)
    assert place_of(text, ("x", "y")) == (1, 1)
    assert place_of("", ("x",)) == (1, 1)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"a": 1}', {"a": 1}),
        (' {"a": 1, "b": null} ', {"a": 1, "b": None}),
        ('{"name": "t", "arguments": {"a": 1}}', {"a": 1}),
        ('{"type": "tool_use", "id": "1", "name": "t", "input": {"b": 2}}', {"b": 2}),
        ('{"a": 1, "x": 2}', None),
        ("{}", None),
        ('{"a": ', None),
        ("[1]", None),
        ("a", None),
    ],
)
def test_only_a_whole_object_of_known_names_counts(text: str, expected: Any) -> None:
    assert whole_arguments(text, {"a", "b"}) == expected


def test_an_argument_called_arguments_is_no_call() -> None:
    call = {"arguments": {"a": 1}}

    assert arguments_of(call, {"a"}) == {"a": 1}
    assert arguments_of(call, {"arguments"}) == call
    assert arguments_of({**call, "more": 1}, {"a"}) == {**call, "more": 1}
