"""The tools for JSON, YAML, TOML and CSV."""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tools.catalog.calling import Reviewer, call, failure_of, result_of
from tools import CallStatus, ExitEarly, ToolFailure
from tools.catalog import _documents, _formats, data_profile
from tools.catalog._formats import Format, cell_value, delimiter_of, parse, unique_names, write
from tools.catalog.data import Data

BIG = "12345678901234567890.123456789012345678901"


def _do(folder: Path, name: str, **arguments: Any) -> Any:
    return result_of(Data, name, arguments, folder)


def _fail(folder: Path, name: str, **arguments: Any) -> str:
    return failure_of(Data, name, arguments, folder)


# query_json


@pytest.mark.parametrize(
    ("expression", "value", "count"),
    [
        ("people[?age > `30`].name", ["Mira"], 1),
        ("people[].age | sum(@)", 66, None),
        ("people[0]", {"name": "Mira", "age": 41}, None),
        ("nobody", None, None),
        ("id", 123456789012345678901234567890, None),
    ],
)
def test_a_query_takes_a_part(tmp_path: Path, expression: str, value: Any, count: int | None) -> None:
    text = '{"id": 123456789012345678901234567890, "people": [{"name": "Mira", "age": 41}, {"name": "Jo", "age": 25}]}'

    found = _do(tmp_path, "query_json", expression=expression, text=text)

    assert (found.value, found.count, found.truncated) == (value, count, False)


def test_a_query_reads_a_file_and_cuts_a_long_list(tmp_path: Path) -> None:
    (tmp_path / "numbers.json").write_text(json.dumps(list(range(50))), encoding="utf-8")

    response = call(Data, "query_json", {"expression": "@", "path": "numbers.json", "max_items": 3}, tmp_path)

    assert (response.result.value, response.result.count, response.result.truncated) == ([0, 1, 2], 50, True)
    assert "3 of 50 items" in response.logs[0].text


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"expression": "a["}, "expected text or path, got neither"),
        ({"expression": "a[", "text": "{}"}, "is no JMESPath query"),
        ({"expression": "sum(@)", "text": '["x"]'}, "fails on this data"),
        ({"expression": "a", "text": '{"a":\n  tru}'}, "the text is no JSON: Expecting value at line 2, column 3"),
        ({"expression": "a", "text": "[NaN]"}, "NaN is no number in JSON"),
        ({"expression": "a", "text": '[{"a": 1, "b": 2, "a": 3}]'}, "an object has the name 'a' twice"),
        ({"expression": "a", "text": "[" * 100_000}, "nested too deeply"),
        ({"expression": "a", "path": "missing.json"}, "'missing.json' does not exist"),
    ],
)
def test_queries_that_cannot_work_say_why(tmp_path: Path, arguments: dict[str, Any], words: str) -> None:
    if words.startswith("expected"):
        arguments = {"expression": "a"}
    assert words in _fail(tmp_path, "query_json", **arguments)


def test_text_and_path_together_are_refused(project: Path) -> None:
    assert "got both" in _fail(project, "query_json", expression="a", text="{}", path="README.md")


def test_a_result_that_is_too_long_is_refused(tmp_path: Path) -> None:
    text = json.dumps({"a": "x" * 1_000_001})

    assert "ask for less" in _fail(tmp_path, "query_json", expression="a", text=text)


def test_a_query_outside_the_project_asks(project: Path) -> None:
    (project.parent / "secret.json").write_text('"secret"', encoding="utf-8")
    reviewer = Reviewer(ExitEarly())

    response = call(Data, "query_json", {"expression": "@", "path": "../secret.json"}, project, reviewer)

    assert response.status is CallStatus.DENIED
    assert reviewer.kinds == ["outside_project"]


# convert_data


def _convert(folder: Path, text: str, source: str, target: str) -> str:
    converted = _do(folder, "convert_data", text=text, source_format=source, target_format=target)
    result: str = converted.text
    return result


@pytest.mark.parametrize(
    ("source", "text"),
    [("json", f'{{"x": {BIG}, "y": 1.10}}'), ("yaml", f"x: {BIG}\ny: 1.10\n"), ("toml", f"x = {BIG}\ny = 1.10\n")],
)
@pytest.mark.parametrize(
    ("target", "written"),
    [
        ("json", f'{{\n  "x": {BIG},\n  "y": 1.10\n}}\n'),
        ("yaml", f"x: {BIG}\ny: 1.10\n"),
        ("toml", f"x = {BIG}\ny = 1.10\n"),
        ("csv", f"x,y\n{BIG},1.10\n"),
    ],
)
def test_numbers_keep_every_digit(tmp_path: Path, source: str, text: str, target: str, written: str) -> None:
    assert _convert(tmp_path, text, source, target) == written


def test_a_table_becomes_a_list_of_objects(tmp_path: Path) -> None:
    text = "id;name;ok;note\n007;Zoë;true;\n2;x y;FALSE;-1.50\n"

    assert json.loads(_convert(tmp_path, text, "csv", "json")) == [
        {"id": "007", "name": "Zoë", "ok": True, "note": None},
        {"id": 2, "name": "x y", "ok": False, "note": -1.5},
    ]


def test_objects_become_a_table_with_all_columns(tmp_path: Path) -> None:
    text = '[{"a": 1, "b": [1, {"x": null}]}, {"c": "x,\\"y", "a": null}]'

    assert _convert(tmp_path, text, "json", "csv") == 'a,b,c\n1,"[1, {""x"": null}]",\n,,"x,""y"\n'


def test_what_only_yaml_can_say_becomes_text(tmp_path: Path) -> None:
    text = "when: 2026-01-02\nat: 2026-01-02T03:04:05Z\n2: one\ntrue: yes\nraw: !!binary AAEC\nset: !!set {a, b}\n"

    assert json.loads(_convert(tmp_path, text, "yaml", "json")) == {
        "when": "2026-01-02",
        "at": "2026-01-02T03:04:05+00:00",
        "2": "one",
        "true": "yes",
        "raw": "AAEC",
        "set": ["a", "b"],
    }


def test_several_yaml_documents_become_a_list(tmp_path: Path) -> None:
    assert (
        _convert(tmp_path, "a: 1\n---\na: 2\n", "yaml", "json") == '[\n  {\n    "a": 1\n  },\n  {\n    "a": 2\n  }\n]\n'
    )


def test_toml_keeps_its_dates(tmp_path: Path) -> None:
    assert _convert(tmp_path, "d: 2026-01-02\n", "yaml", "toml") == "d = 2026-01-02\n"


@pytest.mark.parametrize(
    ("name", "content"),
    [("x.json", '{"a": 1}'), ("x.yml", "a: 1"), ("x.toml", "a = 1"), ("x.csv", "a\n1\n"), ("x.txt", ' {"a": 1}')],
)
def test_the_format_of_a_file_goes_by_its_name(tmp_path: Path, name: str, content: str) -> None:
    (tmp_path / name).write_text(content, encoding="utf-8")

    converted = _do(tmp_path, "convert_data", path=name, target_format="csv")

    assert converted.text == "a\n1\n"


def test_a_cut_conversion_attaches_the_whole(tmp_path: Path) -> None:
    arguments = {"text": json.dumps(["x"] * 100), "target_format": "yaml", "max_chars": 10}

    response = call(Data, "convert_data", arguments, tmp_path)

    assert (response.result.text, response.result.truncated) == ("  - x\n  - ", True)
    attached = response.attachments[0]
    assert (attached.name, attached.mime_type) == ("converted.yaml", "application/yaml")
    assert attached.data.decode().count("- x\n") == 100


@pytest.mark.parametrize(
    ("source", "target", "text", "words"),
    [
        ("json", "yaml", '{"a": 1,}', "line 1, column"),
        ("yaml", "json", "a: [1\nb: 2", "at line 2, column 2"),
        ("yaml", "json", "a: 1\na: 2", 'found duplicate key "a"'),
        ("yaml", "json", "a: !!python/object/apply:os.system [x]", "could not determine a constructor"),
        ("yaml", "json", "a: .inf", "JSON has no"),
        ("yaml", "json", "&a [*a]", "contains itself"),
        ("toml", "json", "a = = 1", "at line 1, column 5"),
        ("csv", "json", "a,b\n1,2\n1,2,3\n", "line 3: expected 2 cells as in the first line, got 3"),
        ("csv", "json", 'a,b\n"1,2\n', "is no CSV"),
        ("json", "toml", '{"a": {"b": [1, null]}}', "a.b[1] is null, which TOML cannot say"),
        ("json", "toml", "[1]", "TOML holds named values at the top, not a list"),
        ("json", "csv", "[1]", "CSV needs a list of objects, but [0] is a number"),
        (None, "csv", "a: 1", "say it in source_format"),
    ],
)
def test_conversions_that_cannot_work_say_where(
    tmp_path: Path, source: str | None, target: str, text: str, words: str
) -> None:
    assert words in _fail(tmp_path, "convert_data", text=text, source_format=source, target_format=target)


def test_aliases_that_explode_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_formats, "_MOST_VALUES", 10_000)
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 9)]

    message = _fail(tmp_path, "convert_data", text="\n".join(lines), source_format="yaml", target_format="json")

    assert "more than" in message


def test_data_that_is_too_large_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_formats, "MAX_YAML_CHARS", 20)
    monkeypatch.setattr(_documents, "MAX_DOCUMENT_BYTES", 30)
    (tmp_path / "x.yaml").write_text("a: 12345678901234567890", encoding="utf-8")
    (tmp_path / "x.json").write_text("[" + "1," * 20 + "1]", encoding="utf-8")

    assert "at most 20 of YAML" in _fail(tmp_path, "convert_data", path="x.yaml", target_format="json")
    assert "at most 30 bytes" in _fail(tmp_path, "convert_data", path="x.json", target_format="yaml")


def test_reading_yaml_ends_when_nobody_waits() -> None:
    def stop() -> None:
        raise ToolFailure("stopped")

    with pytest.raises(ToolFailure, match="stopped"):
        parse("a: 1", Format.YAML, "the text", stop)


_names = st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"]), min_size=1, max_size=5)
_texts = st.text(st.characters(codec="utf-8", exclude_categories=["C", "Zl", "Zp"]), max_size=8)
_numbers = st.integers(-(10**30), 10**30) | st.decimals(allow_nan=False, allow_infinity=False, places=9).filter(
    lambda number: abs(number) < 10**30
)
_scalars = st.booleans() | _numbers | _texts
_data = st.dictionaries(
    _names,
    st.recursive(
        _scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_names, inner, max_size=3), max_leaves=8
    ),
    max_size=4,
)


@settings(max_examples=60)
@given(data=_data, kind=st.sampled_from([Format.JSON, Format.YAML, Format.TOML]))
def test_data_comes_back_as_it_was(data: dict[str, Any], kind: Format) -> None:
    assert parse(write(data, kind), kind, "the text") == data


@settings(max_examples=60)
@given(
    rows=st.lists(
        st.fixed_dictionaries(
            {"a": st.integers(-(10**30), 10**30) | st.none(), "b": st.sampled_from([True, False, None])}
        ),
        min_size=1,
        max_size=5,
    )
)
def test_tables_come_back_as_they_were(rows: list[dict[str, Any]]) -> None:
    assert parse(write(rows, Format.CSV), Format.CSV, "the text") == rows


@given(cell=st.text(max_size=12))
def test_a_cell_becomes_a_number_only_when_it_would_be_written_so_again(cell: str) -> None:
    value = cell_value(cell)

    if isinstance(value, int) and not isinstance(value, bool):
        assert str(value) == cell or cell == "-0"
    elif isinstance(value, Decimal):
        assert cell[0] in "-0123456789"
    else:
        assert value in {cell, True, False, None}


@pytest.mark.parametrize(
    ("sample", "sign"),
    [
        ("a,b\n1,2\n", ","),
        ("a;b\n1,5;2\n", ";"),
        ("a\tb\n", "\t"),
        ("a|b|c\n1|2|3\n", "|"),
        ("one\ntwo\n", ","),
        ("", ","),
    ],
)
def test_the_sign_between_cells_is_found_out(sample: str, sign: str) -> None:
    assert delimiter_of(sample) == sign


def test_columns_get_names_that_are_unique() -> None:
    assert unique_names(["a", " a ", "", "a_2", "a"]) == ["a", "a_2", "column_3", "a_2_2", "a_3"]


# validate_json

SCHEMA: dict[str, Any] = {
    "type": "object",
    "required": ["name"],
    "properties": {"name": {"type": "string", "pattern": "^[A-Z]"}, "tags": {"items": {"type": "string"}}},
    "patternProperties": {"^x_": {"type": "integer"}},
    "additionalProperties": False,
}


@pytest.mark.parametrize(
    ("data", "problems"),
    [
        ({"name": "Mira", "tags": ["a"], "x_1": 1}, []),
        ({}, [("$", "required")]),
        ({"name": 3}, [("$.name", "type")]),
        ({"name": "mira"}, [("$.name", "pattern")]),
        ({"name": "M", "tags": ["a", 1, None]}, [("$.tags[1]", "type"), ("$.tags[2]", "type")]),
        ({"name": "M", "x_1": "a"}, [("$.x_1", "type")]),
        ({"name": "M", "more": 1}, [("$.more", "additionalProperties")]),
    ],
)
def test_each_place_that_does_not_fit_is_named(tmp_path: Path, data: Any, problems: list[tuple[str, str]]) -> None:
    found = _do(tmp_path, "validate_json", text=json.dumps(data), schema=SCHEMA)

    assert [(problem.path, problem.keyword) for problem in found.problems] == problems
    assert (found.valid, found.problem_count) == (not problems, len(problems))


def test_data_and_schema_come_from_files(tmp_path: Path) -> None:
    (tmp_path / "data.json").write_text('["a", 1]', encoding="utf-8")
    schema = {"$defs": {"text": {"type": "string"}}, "items": {"$ref": "#/$defs/text"}}
    (tmp_path / "schema.json").write_text(json.dumps(schema), encoding="utf-8")

    found = _do(tmp_path, "validate_json", path="data.json", schema_path="schema.json")

    assert [problem.path for problem in found.problems] == ["$[1]"]
    assert found.problems[0].schema_path.endswith("/type")


def test_many_problems_are_counted_and_cut(tmp_path: Path) -> None:
    arguments = {"text": json.dumps([1] * 20), "schema": {"items": {"type": "string"}}, "max_problems": 3}

    response = call(Data, "validate_json", arguments, tmp_path)

    assert (len(response.result.problems), response.result.problem_count, response.result.truncated) == (3, 20, True)
    assert "3 problems of 20" in response.logs[0].text


@pytest.mark.parametrize(
    ("schema", "words"),
    [
        ({"type": "nope"}, "is no JSON Schema: at /type: expected array, boolean, "),
        ({"$ref": "http://example.org/schema.json"}, "got 'http://example.org/schema.json'; nothing is fetched"),
        ({"$ref": "#/$defs/missing"}, "the reference '#/$defs/missing' leads nowhere"),
        ({"$ref": "#"}, "the reference '#' leads back to itself"),
    ],
)
def test_schemas_that_cannot_be_used_say_why(tmp_path: Path, schema: Any, words: str) -> None:
    assert words in _fail(tmp_path, "validate_json", text="{}", schema=schema)


def test_a_schema_in_a_file_must_be_an_object(tmp_path: Path) -> None:
    (tmp_path / "schema.json").write_text("[]", encoding="utf-8")

    assert "expected an object" in _fail(tmp_path, "validate_json", text="{}", schema_path="schema.json")
    assert "expected schema or schema_path, got neither" in _fail(tmp_path, "validate_json", text="{}")


def test_a_pattern_of_a_schema_that_tries_for_ever_is_stopped(tmp_path: Path) -> None:
    arguments = {"text": json.dumps("a" * 5000 + "b"), "schema": {"pattern": "^(a|aa)+$"}}

    assert "the schema at /pattern takes too long: " in _fail(tmp_path, "validate_json", **arguments)


# read_csv and profile_table


def test_rows_are_read_with_their_types(project: Path) -> None:
    table = _do(project, "read_csv", path="data/orders.csv")

    assert table.columns == ["id", "total", "customer", "paid"]
    assert table.rows == [
        {"id": 1, "total": 9.5, "customer": "Mira", "paid": "2026-01-02"},
        {"id": 2, "total": 20.0, "customer": None, "paid": "2026-01-05"},
        {"id": 3, "total": 12.25, "customer": "Jo", "paid": None},
    ]
    assert (table.total_rows, table.truncated, table.delimiter, table.encoding) == (3, False, ",", "utf-8")


def test_some_rows_and_columns_are_read_as_text(project: Path) -> None:
    arguments = {"path": "data/orders.csv", "columns": ["total", "id"], "first_row": 2, "max_rows": 1}

    response = call(Data, "read_csv", {**arguments, "detect_types": False}, project)

    assert response.result.rows == [{"total": "20.00", "id": "2"}]
    assert (response.result.first_row, response.result.total_rows, response.result.truncated) == (2, 3, True)
    assert "go on with first_row=3" in response.logs[0].text


def test_a_table_without_header_gets_numbered_columns(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text("1;2\n3;4\n", encoding="utf-8-sig")

    table = _do(tmp_path, "read_csv", path="x.csv", has_header=False)

    assert table.rows == [{"column_1": 1, "column_2": 2}, {"column_1": 3, "column_2": 4}]
    assert table.delimiter == ";"


def test_uneven_rows_are_made_even_and_told(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text("a,b\n1\n\n1,2,3\n", encoding="cp1252")

    response = call(Data, "read_csv", {"path": "x.csv"}, tmp_path)

    assert response.result.rows == [{"a": 1, "b": None}, {"a": 1, "b": 2}]
    assert response.result.uneven_rows == 2
    assert [entry.text for entry in response.logs] == [
        "row 1 has 1 cell instead of 2",
        "row 3 has 3 cells instead of 2",
    ]


def test_long_cells_and_wide_numbers_are_kept_within_bounds(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text(f"a,b,c\n{'x' * 20_000},1e999,{'9' * 400}\n", encoding="utf-8")

    row = _do(tmp_path, "read_csv", path="x.csv").rows[0]

    assert len(row["a"]) == 10_001
    assert (row["b"], row["c"]) == ("1e999", "9" * 400)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"path": "data/order.csv"}, "did you mean 'data/orders.csv'?"),
        ({"path": "logo.png"}, "expected a CSV file"),
        ({"path": "data/orders.csv", "columns": ["sum"]}, "no column 'sum'; the columns are: id, total"),
        ({"path": "data/orders.csv", "encoding": "nope"}, "no text encoding"),
        ({"path": "wide.csv"}, "at most 1,000 can be read"),
        ({"path": "field.csv"}, "is no CSV: field larger than field limit"),
    ],
)
def test_tables_that_cannot_be_read_say_why(project: Path, arguments: dict[str, Any], words: str) -> None:
    (project / "wide.csv").write_text("a," * 1001, encoding="utf-8")
    (project / "field.csv").write_text("a\n" + "x" * 200_000, encoding="utf-8")

    assert words in _fail(project, "read_csv", **arguments)


def test_a_table_is_profiled_column_by_column(project: Path) -> None:
    profile = _do(project, "profile_table", path="data/orders.csv")

    columns = {column.name: column for column in profile.columns}
    assert profile.rows == 3
    assert [(column.type, column.filled, column.empty) for column in profile.columns] == [
        ("integer", 3, 0),
        ("number", 3, 0),
        ("text", 2, 1),
        ("date", 2, 1),
    ]
    assert (columns["total"].minimum, columns["total"].maximum) == ("9.50", "20.00")
    assert columns["total"].mean == pytest.approx(13.9166667)
    assert (columns["paid"].minimum, columns["paid"].maximum) == ("2026-01-02", "2026-01-05")
    assert (columns["customer"].distinct, columns["customer"].longest) == (2, 4)


@pytest.mark.parametrize(
    ("cells", "kind", "least", "most"),
    [
        (["true", "FALSE"], "boolean", "false", "true"),
        (["1", "2.5"], "number", "1", "2.5"),
        (["10", "9"], "integer", "9", "10"),
        (["1", "x"], "text", "1", "x"),
        (["2026-01-02", "2026-01-02T10:00:00Z"], "datetime", "2026-01-02", "2026-01-02T10:00:00Z"),
        ([], "empty", None, None),
    ],
)
def test_the_type_of_a_column(tmp_path: Path, cells: list[str], kind: str, least: str | None, most: str | None) -> None:
    (tmp_path / "x.csv").write_text("\n".join(["name,other", *(f"{cell}," for cell in cells), ","]), encoding="utf-8")

    column = _do(tmp_path, "profile_table", path="x.csv").columns[0]

    assert (column.type, column.minimum, column.maximum) == (kind, least, most)


def test_too_many_different_values_are_not_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(data_profile, "DISTINCT_VALUES", 3)
    (tmp_path / "x.csv").write_text("a\n1\n1\n2\n3\n4\n5\n", encoding="utf-8")

    column = _do(tmp_path, "profile_table", path="x.csv").columns[0]

    assert column.distinct is None
    assert (column.common[0].value, column.common[0].count) == ("1", 2)
