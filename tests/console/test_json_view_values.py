"""What a JSON value is in words, where it stands, and how it is searched; without any window."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings, strategies

from console.json_view import code_spans, excerpt_of, json_path, json_spans
from console.json_view.finding import Keys, matches, text_places, walk
from console.json_view.pretty import bounded_json, json_text, line_of, plain_text, scalar_text, summary
from console.json_view.text_lines import TextRows, cells_before

json_values = strategies.recursive(
    strategies.none() | strategies.booleans() | strategies.integers() | strategies.text(max_size=5),
    lambda inner: (
        strategies.lists(inner, max_size=4) | strategies.dictionaries(strategies.text(max_size=3), inner, max_size=4)
    ),
    max_leaves=15,
)
few = settings(max_examples=50)


def text_of(key: str | int | None, value: Any, *, is_open: bool = False) -> str:
    return "".join(piece.text for piece in line_of(key, value, is_open=is_open))


@pytest.mark.parametrize(
    ("key", "value", "is_open", "line"),
    [
        (None, {"a": 1, "b": 2}, True, "{ } 2 keys"),
        (None, [1], True, "[ ] 1 item"),
        (None, "x", False, '"x"'),
        ("query", "NOTE|HACK", False, 'query: "NOTE|HACK"'),
        ("line", 118, False, "line: 118"),
        ("ok", True, False, "ok: true"),
        ("none", None, False, "none: null"),
        ("matches", list(range(1400)), False, "matches: 1,400 items"),
        ("matches", [1, 2], True, "matches: 2 items"),
        ("m", {"a": 1}, True, "m: 1 key"),
        ("m", {}, False, "m: { }"),
        ("m", [], True, "m: [ ]"),
        (
            0,
            {"file": "a.py", "line": 64, "column": 5, "text": "x"},
            False,
            '0: { file: "a.py", line: 64, column: 5, … }',
        ),
        ("c", {"before": [1, 2], "after": {}}, False, "c: { before: 2 items, after: { } }"),
        ("a\nb", 'say "hi"\n', False, 'a\\nb: "say \\"hi\\"\\n"'),
    ],
)
def test_each_value_has_one_line(key: str | int | None, value: Any, is_open: bool, line: str) -> None:
    assert text_of(key, value, is_open=is_open) == line


def test_a_long_text_shows_its_head_and_its_size() -> None:
    line = text_of("body", "x" * 2001)

    assert line.endswith("…  2,001 characters")
    assert len(line) < 2100
    assert text_of("body", "x" * 2000).endswith('x"')


def test_a_huge_number_is_said_and_not_written() -> None:
    assert scalar_text(10**5000) == "a number of more than 4,000 digits"


def test_a_summary_stays_short() -> None:
    assert len(summary({"k" * 3000: "v" * 3000, "b": "w" * 3000})) < 2200
    assert summary({"a": "v" * 50}) == '{ a: "' + "v" * 40 + "… }"


@pytest.mark.parametrize(
    ("keys", "path"),
    [
        ([], "$"),
        (["matches", 0, "file"], "$.matches[0].file"),
        (["odd name", "a.b"], '$["odd name"]["a.b"]'),
        (["ünï"], '$["ünï"]'),
    ],
)
def test_a_path_says_where(keys: list[str | int], path: str) -> None:
    assert json_path(keys) == path


def all_places(value: Any, place: Keys = ()) -> list[Keys]:
    found = [place]
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        found += all_places(inner, (*place, key))
    return found


@few
@given(json_values)
def test_walking_meets_every_value_in_the_order_of_the_tree(value: Any) -> None:
    expected = all_places(value)

    assert [place for place, _ in walk(value)] == expected
    assert [place for place, _ in walk(value, backwards=True)] == expected[::-1]


@few
@given(json_values, strategies.data())
def test_walking_goes_on_behind_and_before_a_place(value: Any, data: strategies.DataObject) -> None:
    expected = all_places(value)
    index = data.draw(strategies.integers(0, len(expected) - 1))

    assert [place for place, _ in walk(value, after=expected[index])] == expected[index + 1 :]
    assert [place for place, _ in walk(value, backwards=True, after=expected[index])] == expected[:index][::-1]


def test_names_and_values_are_found_whatever_their_case() -> None:
    assert matches("note", "x", "a NOTE b")
    assert matches("file", "FileName", 1)
    assert matches("18", "line", 118)
    assert matches("null", "x", None)
    assert not matches("note", "x", {"note": 1})
    assert not matches("0", 0, "x")


@few
@given(strategies.text("ab\nA", max_size=60), strategies.text("ab", min_size=1, max_size=3), strategies.integers(0, 60))
def test_text_is_found_once_around(text: str, needle: str, start: int) -> None:
    start = min(start, len(text))
    expected = text.lower().find(needle, start)
    expected = expected if expected >= 0 else text.lower().find(needle)
    found = [place for place in text_places(text, needle, start, backwards=False) if place is not None]
    assert (found[0] if found else -1) == expected

    before = text.lower().rfind(needle, 0, min(len(text), start + len(needle) - 1))
    before = before if before >= 0 else text.lower().rfind(needle)
    back = [place for place in text_places(text, needle, start, backwards=True) if place is not None]
    assert (len(back) > 0) == (before >= 0)
    assert all(text[place : place + len(needle)].lower() == needle for place in back)


def test_text_is_found_over_the_borders_of_pieces() -> None:
    text = "x" * 999_998 + "needle" + "x" * 1_500_000

    assert [place for place in text_places(text, "needle", 0, backwards=False) if place is not None][:1] == [999_998]
    assert [place for place in text_places(text, "needle", len(text), backwards=True) if place is not None][:1] == [
        999_998
    ]


@few
@given(strategies.text("abé漢\t\r\n", max_size=80), strategies.none() | strategies.integers(4, 20))
def test_rows_are_the_text(text: str, columns: int | None) -> None:
    rows = TextRows(text, columns)
    while not rows.is_complete:
        rows.extend(1)
    all_rows = [rows.row(index) for index in range(rows.row_count)]

    assert rows.line_count == text.count("\n") + 1
    lines: dict[int, str] = {}
    for row in all_rows:
        lines[row.line] = lines.get(row.line, "") + text[row.start : row.end]
    assert list(lines.values()) == [line.removesuffix("\r") for line in text.split("\n")]
    assert all(rows.row_of(row.start) == index for index, row in enumerate(all_rows) if row.start < row.end)
    if columns is not None:
        assert all(cells_before(text[row.start : row.end])[-1] <= columns for row in all_rows)


def test_cells_count_what_letters_take() -> None:
    assert cells_before("ab") == [0, 1, 2]
    assert cells_before("a\tb") == [0, 1, 5, 6]
    assert cells_before("漢e\u0301") == [0, 2, 3, 3]


def test_json_parts_are_found_in_right_and_wrong_text() -> None:
    line = '  "a": "b", -1.5e3 true null ] "open'
    kinds = [(line[span.start : span.end], span.kind) for span in json_spans(line)]

    assert kinds == [
        ('"a"', "key"),
        (":", "punctuation"),
        ('"b"', "string"),
        (",", "punctuation"),
        ("-1.5e3", "number"),
        ("true", "boolean"),
        ("null", "null"),
        ("]", "punctuation"),
        ('"open', "string"),
    ]


def test_code_parts_are_found_by_the_files_name() -> None:
    lines = ["def f(x):", '    return "a" # c', "", "'''b", "c'''"]
    spans = code_spans(lines, "x.py")
    words = [(lines[row][span.start : span.end], span.kind) for row, found in enumerate(spans) for span in found]

    assert words == [
        ("def", "keyword"),
        ("f", "function"),
        ("return", "keyword"),
        ('"', "string"),
        ("a", "string"),
        ('"', "string"),
        ("# c", "comment"),
        ("'''b", "string"),
        ("c'''", "string"),
    ]
    assert code_spans(lines, "x.nobody-knows") == [[], [], [], [], []]


def test_an_excerpt_is_read_from_the_result_itself() -> None:
    value = {
        "file": "a.py",
        "line": 10,
        "column": 3,
        "text": "x NOTE: y",
        "context": {"before": ["8", "9"], "after": ["11"]},
    }
    excerpt = excerpt_of(value)

    assert excerpt is not None
    assert (excerpt.first, excerpt.lines) == (8, ("8", "9", "x NOTE: y", "11"))
    assert excerpt.mark == (2, 6)
    bare = excerpt_of({"path": "b", "line": 1, "text": "t", "context": None})
    assert bare is not None
    assert (bare.first, bare.lines, bare.mark) == (1, ("t",), None)


@pytest.mark.parametrize(
    "value",
    [None, [], "x", {}, {"file": "a", "line": "1", "text": "t"}, {"file": "a", "line": True, "text": "t"}, {"line": 1}],
)
def test_anything_else_is_no_excerpt(value: Any) -> None:
    assert excerpt_of(value) is None


@few
@given(json_values)
def test_the_beginning_of_a_value_is_the_beginning_of_its_json(value: Any) -> None:
    text, is_whole = bounded_json(value)

    assert is_whole
    assert text == json_text(value)
    assert json.loads(text) == value


def test_a_long_value_is_written_no_further_than_needed() -> None:
    text, is_whole = bounded_json(list(range(100_000)))

    assert not is_whole
    assert len(text) <= 60_000
    assert text.startswith("[\n  0,\n  1,")


def test_a_text_is_copied_as_it_is() -> None:
    assert plain_text("a\nb") == "a\nb"
    assert plain_text([1]) == "[\n  1\n]"
