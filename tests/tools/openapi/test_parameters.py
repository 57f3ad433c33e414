"""Every style of every place, as the specification writes it."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qsl, unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.openapi.parameters import Style, header_text, path_text, query_text

ARRAY = ["blue", "black", "brown"]
OBJECT = {"R": 100, "G": 200, "B": 150}


@pytest.mark.parametrize(
    ("style", "explode", "expected"),
    [
        ("matrix", False, [";color", ";color=blue", ";color=blue,black,brown", ";color=R,100,G,200,B,150"]),
        ("matrix", True, [";color", ";color=blue", ";color=blue;color=black;color=brown", ";R=100;G=200;B=150"]),
        ("label", False, [".", ".blue", ".blue,black,brown", ".R,100,G,200,B,150"]),
        ("label", True, [".", ".blue", ".blue.black.brown", ".R=100.G=200.B=150"]),
        ("simple", False, ["", "blue", "blue,black,brown", "R,100,G,200,B,150"]),
        ("simple", True, ["", "blue", "blue,black,brown", "R=100,G=200,B=150"]),
    ],
)
def test_a_path_is_written_as_the_specification_says(style: str, explode: bool, expected: list[str]) -> None:
    values: list[Any] = ["", "blue", ARRAY, OBJECT]

    found = [path_text(Style(style), "color", value, explode=explode) for value in values]

    assert found == expected
    if style == "simple":
        assert [header_text(value, explode=explode) for value in values] == found


@pytest.mark.parametrize(
    ("style", "explode", "text", "array", "fields"),
    [
        ("form", False, "color=blue", "color=blue,black,brown", "color=R,100,G,200,B,150"),
        ("form", True, "color=blue", "color=blue&color=black&color=brown", "R=100&G=200&B=150"),
        ("spaceDelimited", False, "color=blue", "color=blue%20black%20brown", "color=R%20100%20G%20200%20B%20150"),
        ("spaceDelimited", True, "color=blue", "color=blue&color=black&color=brown", "R=100&G=200&B=150"),
        ("pipeDelimited", False, "color=blue", "color=blue%7Cblack%7Cbrown", "color=R%7C100%7CG%7C200%7CB%7C150"),
        ("pipeDelimited", True, "color=blue", "color=blue&color=black&color=brown", "R=100&G=200&B=150"),
        (
            "deepObject",
            True,
            "color=blue",
            "color%5B0%5D=blue&color%5B1%5D=black&color%5B2%5D=brown",
            "color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150",
        ),
    ],
)
def test_a_query_is_written_as_the_specification_says(
    style: str, explode: bool, text: str, array: str, fields: str
) -> None:
    values: list[Any] = ["blue", ARRAY, OBJECT]

    assert [query_text(Style(style), "color", value, explode=explode) for value in values] == [text, array, fields]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (True, "a=true"),
        (None, "a="),
        (1.5, "a=1.5"),
        (10**30, f"a={10**30}"),
        ("", "a="),
        ([], ""),
        ({}, ""),
        ([{"x": 1}], "a=%7B%22x%22%3A1%7D"),
        ("ä&b=c/d e+f", "a=%C3%A4%26b%3Dc%2Fd%20e%2Bf"),
        ("\ud800", "a=%3F"),
    ],
)
def test_values_of_every_kind_are_written(value: Any, expected: str) -> None:
    assert query_text(Style.FORM, "a", value, explode=True) == expected


def test_reserved_characters_stay_where_they_are_allowed_but_for_those_that_part_a_query() -> None:
    found = query_text(Style.FORM, "a", "/x?y:z@!$'()*,;&=#+[] ", explode=True, allow_reserved=True)

    assert found == "a=/x?y:z@!$'()*,;%26%3D%23%2B%5B%5D%20"


def test_objects_in_deep_objects_get_further_brackets() -> None:
    value = {"a": {"b": [1, 2]}, "c d": "e"}

    assert unquote(query_text(Style.DEEP_OBJECT, "f", value, explode=True)) == "f[a][b][0]=1&f[a][b][1]=2&f[c d]=e"


WORDS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=8)
PLAIN = WORDS.filter(lambda word: not set(word) & set(" |"))
LISTS = st.lists(PLAIN, min_size=1, max_size=5)
FIELDS = st.dictionaries(PLAIN, PLAIN, min_size=1, max_size=5)


def pairs(text: str, delimiter: str) -> dict[str, str]:
    parts = [unquote(part) for part in text.split(delimiter)]
    return dict(zip(parts[::2], parts[1::2], strict=True))


@given(LISTS, FIELDS, st.sampled_from([Style.FORM, Style.SPACE_DELIMITED, Style.PIPE_DELIMITED]), WORDS)
def test_lists_and_objects_of_a_query_come_back(
    items: list[str], fields: dict[str, str], style: Style, name: str
) -> None:
    delimiter = {Style.SPACE_DELIMITED: "%20", Style.PIPE_DELIMITED: "%7C"}.get(style, ",")

    exploded = query_text(style, name, items, explode=True)
    assert parse_qsl(exploded, keep_blank_values=True) == [(name, item) for item in items]
    assert dict(parse_qsl(query_text(style, name, fields, explode=True), keep_blank_values=True)) == fields
    key, _, text = query_text(style, name, items, explode=False).partition("=")
    assert (unquote(key), [unquote(part) for part in text.split(delimiter)]) == (name, items)
    _, _, text = query_text(style, name, fields, explode=False).partition("=")
    assert pairs(text, delimiter) == fields


@given(FIELDS, WORDS)
def test_deep_objects_come_back(fields: dict[str, str], name: str) -> None:
    found = parse_qsl(query_text(Style.DEEP_OBJECT, name, fields, explode=True), keep_blank_values=True)

    assert found == [(f"{name}[{key}]", value) for key, value in fields.items()]


@given(st.lists(WORDS.filter(lambda word: "." not in word), min_size=1, max_size=5), FIELDS, WORDS)
def test_lists_and_objects_of_a_path_come_back(items: list[str], fields: dict[str, str], name: str) -> None:
    simple = path_text(Style.SIMPLE, name, items, explode=False)
    assert [unquote(part) for part in simple.split(",")] == items
    assert "/" not in simple
    assert pairs(path_text(Style.SIMPLE, name, fields, explode=False), ",") == fields
    label = path_text(Style.LABEL, name, items, explode=True)
    assert [unquote(part) for part in label.removeprefix(".").split(".")] == items
    matrix = path_text(Style.MATRIX, name, items, explode=True)
    assert [unquote(part.partition("=")[2]) for part in matrix.removeprefix(";").split(";")] == items
    matrix = path_text(Style.MATRIX, name, fields, explode=True).removeprefix(";")
    assert {unquote(key): unquote(value) for key, _, value in (part.partition("=") for part in matrix.split(";"))} == (
        fields
    )
