"""The tools that query, join, compare, check, convert and chart tables."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.tools.catalog.calling import Reviewer, call, failure_of, result_of
from tests.tools.catalog.sample_documents import add_documents
from tools import CallStatus, ExitEarly
from tools.catalog.charts import Charts
from tools.catalog.data import Data
from tools.catalog.databases import Databases


@pytest.fixture
def project(project: Path) -> Path:
    return add_documents(project)


@pytest.fixture
def run(project: Path) -> Callable[..., Any]:
    return lambda tool, **more: result_of(Data, tool, more, project, Reviewer())


@pytest.fixture
def fail(project: Path) -> Callable[..., str]:
    return lambda tool, **more: failure_of(Data, tool, more, project, Reviewer())


@pytest.mark.reference("C49")
class TestSqlOverFiles:
    def test_files_are_joined(self, run: Callable[..., Any]) -> None:
        files = {"o": "data/orders.csv", "p": "data/people.json", "q": "data/orders.parquet"}
        sql = "SELECT o.id, town, name FROM o LEFT JOIN p USING (customer) LEFT JOIN q USING (id) ORDER BY o.id"
        found = run("query_files", files=files, sql=sql)
        assert found.rows == [
            {"id": 1, "town": "Ulm", "name": "a"},
            {"id": 2, "town": None, "name": None},
            {"id": 3, "town": "Bonn", "name": None},
        ]

    @pytest.mark.parametrize(
        "sql",
        [
            "SELECT * FROM read_csv('data/people.json')",
            "SELECT * FROM read_text('/etc/passwd')",
            "SELECT * FROM glob('**')",
            "SELECT * FROM 'README.md'",
            "SELECT * FROM read_csv('https://127.0.0.1:9/x.csv')",
            "SELECT * FROM read_csv('s3://bucket/x.csv')",
            "COPY o TO 'data/orders.csv'",
            "COPY o TO 'out.csv'",
            "ATTACH 'data/shop.db' (TYPE sqlite)",
            "ATTACH 'x.duckdb'",
            "INSTALL httpfs",
            "LOAD httpfs",
            "SET allowed_paths = ['/']",
            "SET enable_external_access = true",
            "RESET lock_configuration",
            "CREATE TABLE x AS SELECT 1",
            "DROP VIEW o",
            "SELECT 1; COPY o TO 'out.csv'",
            "PRAGMA version",
            "SELECT getenv('HOME')",
            "EXPLAIN ANALYZE COPY o TO 'out.csv'",
        ],
    )
    def test_nothing_else_is_reached(self, project: Path, fail: Callable[..., str], sql: str) -> None:
        before = {path: path.read_bytes() for path in project.rglob("*") if path.is_file()}
        assert fail("query_files", files={"o": str(project / "data/orders.csv")}, sql=sql)
        assert {path: path.read_bytes() for path in project.rglob("*") if path.is_file()} == before

    @pytest.mark.parametrize(
        ("files", "words"),
        [
            ({"a b": "data/orders.csv"}, "no name of a table"),
            ({"a": "data/*.csv"}, "does not exist"),
            ({"a": "README.md"}, "expected a table"),
            ({"a": "data/budget.xlsx"}, "is a workbook"),
        ],
    )
    def test_what_is_no_table_is_told(self, fail: Callable[..., str], files: dict[str, str], words: str) -> None:
        assert words in fail("query_files", files=files, sql="SELECT 1")

    def test_a_file_outside_asks_first(self, project: Path) -> None:
        (project.parent / "x.csv").write_text("a\n1\n")
        reviewer = Reviewer(ExitEarly())
        arguments = {"files": {"x": "../x.csv"}, "sql": "SELECT * FROM x"}
        assert call(Data, "query_files", arguments, project, reviewer).status is CallStatus.DENIED
        assert reviewer.kinds == ["outside_project"]

    def test_an_endless_query_is_stopped(self, fail: Callable[..., str]) -> None:
        sql = "SELECT count(*) FROM range(10000000000) a, range(1000) b"
        assert "stopped after 0.2 s" in fail("query_files", files={"o": "data/orders.csv"}, sql=sql, limit_s=0.2)


class TestTables:
    @pytest.mark.parametrize("suffix", [".csv", ".json", ".jsonl", ".parquet", ".xlsx"])
    def test_a_table_is_the_same_in_every_format(self, run: Callable[..., Any], suffix: str) -> None:
        made = run("convert_table", path="data/orders.csv", target=f"out{suffix}", columns=["customer", "total", "id"])
        again = run("convert_table", path=f"out{suffix}", target="again.jsonl")
        assert (made.rows, again.rows) == (3, 3)
        found = run("select_rows", path="again.jsonl")
        assert found.rows[:2] == [
            {"customer": "Mira", "total": 9.5, "id": 1},
            {"customer": None, "total": 20.0, "id": 2},
        ]

    def test_a_parquet_file_is_described(self, run: Callable[..., Any]) -> None:
        facts = run("inspect_parquet", path="data/orders.parquet")
        assert (facts.rows, facts.row_groups) == (1, 1)
        assert [(column.name, column.minimum, column.nulls) for column in facts.columns] == [
            ("id", "1", 0),
            ("name", "a", 0),
        ]

    def test_rows_are_chosen_and_sorted(self, run: Callable[..., Any]) -> None:
        top = run("select_rows", path="data/orders.csv", sort_by=["-total"], max_rows=2, columns=["id"])
        assert ([row["id"] for row in top.rows], top.total_rows, top.truncated) == ([2, 3], 3, True)
        assert run("select_rows", path="data/orders.csv", where={"id": 3}).rows[0]["customer"] == "Jo"
        assert run("select_rows", path="data/orders.csv", where={"customer": None}).total_rows == 1
        assert run("select_rows", path="data/orders.csv", sample=2).total_rows == 3
        assert [row["customer"] for row in run("select_rows", path="data/orders.csv", sort_by=["customer"]).rows] == [
            "Jo",
            "Mira",
            None,
        ]

    def test_rows_are_grouped_and_spread(
        self, project: Path, run: Callable[..., Any], fail: Callable[..., str]
    ) -> None:
        (project / "s.csv").write_text("town,year,sum\nUlm,24,1\nUlm,25,2\nBonn,24,3\nUlm,24,4\nBonn,24,\n")
        plain = run("pivot_table", path="s.csv", rows=["town"], value="sum", aggregate="mean")
        spread = run("pivot_table", path="s.csv", rows=["town"], column="year", value="sum", aggregate="sum")
        assert plain.rows == [{"town": "Bonn", "mean of sum": 3.0}, {"town": "Ulm", "mean of sum": 7 / 3}]
        assert spread.rows == [{"town": "Bonn", "24": 3.0, "25": None}, {"town": "Ulm", "24": 5.0, "25": 2.0}]
        assert "of which no sum" in fail("pivot_table", path="s.csv", rows=["year"], value="town", aggregate="sum")

    @pytest.mark.parametrize(
        ("how", "towns"),
        [("inner", ["Ulm", "Bonn"]), ("left", ["Ulm", None, "Bonn"]), ("outer", ["Ulm", None, "Bonn", "Kiel"])],
    )
    def test_tables_are_joined(self, project: Path, run: Callable[..., Any], how: str, towns: list[Any]) -> None:
        (project / "p.csv").write_text("who,town\nMira,Ulm\nJo,Bonn\nAda,Kiel\n")
        found = run(
            "join_tables", path="data/orders.csv", other_path="p.csv", on=["customer"], other_on=["who"], how=how
        )
        assert [row["town"] for row in found.rows] == towns
        if how == "outer":
            assert found.rows[-1]["customer"] == "Ada"

    def test_rows_without_a_partner_are_found(self, run: Callable[..., Any]) -> None:
        found = run("join_tables", path="data/orders.csv", other_path="data/people.json", on=["customer"], how="anti")
        assert [row["id"] for row in found.rows] == [2]

    def test_tables_are_compared_by_key(self, project: Path, run: Callable[..., Any], fail: Callable[..., str]) -> None:
        (project / "new.csv").write_text("id,total,customer,note\n4,1,Ada,\n1,9.50,Mira,\n2,21,,\n")
        found = run("diff_tables", path="data/orders.csv", other_path="new.csv", key=["id"])
        assert (found.added_count, found.removed_count, found.changed_count) == (1, 1, 1)
        assert (found.changed[0].key, found.changed[0].before, found.changed[0].after) == (
            {"id": 2},
            {"total": 20.0},
            {"total": 21},
        )
        assert (found.added_columns, found.removed_columns) == (["note"], ["paid"])
        assert run("diff_tables", path="data/orders.csv", other_path="data/orders.csv", key=["id"]).equal
        (project / "twice.csv").write_text("id\n1\n1\n")
        assert "the key '1' twice" in fail("diff_tables", path="twice.csv", other_path="new.csv", key=["id"])

    def test_rows_are_checked(self, project: Path, run: Callable[..., Any]) -> None:
        schema = {"properties": {"total": {"minimum": 10}, "customer": {"type": "string"}}}
        found = run("validate_table", path="data/orders.csv", schema=schema, unique=["id"])
        assert [problem.path for problem in found.problems] == ["$[0].total", "$[1].customer"]
        (project / "twice.csv").write_text("id\n1\n2\n1\n")
        twice = run("validate_table", path="twice.csv", unique=["id"]).problems
        assert [(problem.path, problem.keyword) for problem in twice] == [("$[2]", "unique")]

    def test_columns_are_profiled(self, run: Callable[..., Any]) -> None:
        total = run("profile_table", path="data/orders.csv").columns[1]
        assert (total.type, total.quartiles, total.mean) == ("number", [10.875, 12.25, 16.125], 41.75 / 3)
        assert [column.type for column in run("profile_table", path="data/people.json").columns] == ["text", "text"]

    @pytest.mark.parametrize("name", ["x.csv", "x.json", "x.jsonl", "x.parquet", "x.xlsx"])
    def test_a_broken_table_is_told(self, project: Path, fail: Callable[..., str], name: str) -> None:
        (project / name).write_bytes(b"\x00\xff{[" * 10)
        assert "x." in fail("profile_table", path=name)


class TestData:
    def test_xml_is_queried(self, run: Callable[..., Any], fail: Callable[..., str]) -> None:
        text = "<s xmlns='u:x'><b id='1'><t>A</t></b><b id='2' lang='en'>B</b></s>"
        found = run("query_xml", text=text, expression=".//{*}b[@lang='en']")
        assert found.matches[0].value == {"@id": "2", "@lang": "en", "#text": "B"}
        assert [item.text for item in run("query_xml", text=text, expression="//{*}b/@id").matches] == ["1", "2"]
        named = run("query_xml", text=text, expression="x:b/x:t/text()", namespaces={"x": "u:x"})
        assert ([item.text for item in named.matches], named.namespaces) == (["A"], ["u:x"])
        assert "no XPath" in fail("query_xml", text=text, expression="b[")
        assert "at most 3 times //" in fail("query_xml", text=text, expression="//a//b//c//d")

    @pytest.mark.parametrize(
        ("text", "words"),
        [
            ("<!DOCTYPE x [<!ENTITY a 'b'>]><x>&a;</x>", "has a DOCTYPE or entities"),
            ("<!DOCTYPE x SYSTEM 'file:///etc/passwd'><x/>", "has a DOCTYPE or entities"),
            ("<x>", "is no XML"),
            ("no", "is no XML"),
            ("<x>" * 100_000, "is no XML"),
        ],
    )
    def test_hostile_xml_is_told(self, fail: Callable[..., str], text: str, words: str) -> None:
        assert words in fail("query_xml", text=text, expression=".")
        assert words in fail("convert_data", text=text, source_format="xml", target_format="json")

    def test_xml_becomes_json_and_back(self, run: Callable[..., Any]) -> None:
        xml = '<a id="1">\n  <b>x</b>\n  <b>y</b>\n</a>\n'
        as_json = run("convert_data", text=xml, target_format="json").text
        assert json.loads(as_json) == {"a": {"@id": "1", "b": ["x", "y"]}}
        assert run("convert_data", text=as_json, target_format="xml").text == xml

    def test_documents_are_compared(self, run: Callable[..., Any]) -> None:
        found = run(
            "diff_data", text='{"a/b": [1, 2], "c": true, "d": 0}', other='{"a/b": [1, 3, 4], "c": 1, "e": "x"}'
        )
        assert [(change.pointer, change.kind) for change in found.changes] == [
            ("/a~1b/1", "changed"),
            ("/a~1b/2", "added"),
            ("/c", "changed"),
            ("/d", "removed"),
            ("/e", "added"),
        ]
        assert run("diff_data", text='{"a": 1, "b": 2}', other='{"b": 2, "a": 1}').equal

    @pytest.mark.parametrize(
        "case",
        [
            (
                "a.yaml",
                "# the port\nserver:\n  port: 80  # usual\n  names:\n    - 'a'\n",
                {"set": {"/server/port": 81, "/server/names/-": "b", "/new/deep": True}},
                "# the port\nserver:\n  port: 81  # usual\n  names:\n    - 'a'\n    - b\nnew:\n  deep: true\n",
            ),
            (
                "a.toml",
                "# top\n[tool]\nx = 1 # one\ny = [1, 2]\n",
                {"set": {"/tool/x": 2}, "remove": ["/tool/y/0"]},
                "# top\n[tool]\nx = 2 # one\ny = [2]\n",
            ),
            (
                "a.json",
                '{\n    "a": 1.10,\n    "b": [1]\n}\n',
                {"set": {"/b/0": "é"}, "remove": []},
                '{\n    "a": 1.10,\n    "b": [\n        "é"\n    ]\n}\n',
            ),
        ],
    )
    def test_values_change_and_comments_stay(
        self, project: Path, run: Callable[..., Any], case: tuple[str, str, dict[str, Any], str]
    ) -> None:
        name, before, changes, after = case
        (project / name).write_text(before, encoding="utf-8")
        found = run("edit_data", path=name, **changes)
        assert (project / name).read_text(encoding="utf-8") == after
        assert found.changed
        assert found.diff.startswith(f"--- a/{name}")

    @pytest.mark.parametrize(
        ("changes", "words"),
        [
            ({}, "expected set or remove"),
            ({"set": {"port": 1}}, "expected a JSON Pointer"),
            ({"set": {"": 1}}, "the whole document"),
            ({"set": {"/tags/9": 1}}, "leads to item '9' of a list with 1"),
            ({"set": {"/server/port/x": 1}}, "neither an object nor a list"),
            ({"remove": ["/server/no"]}, "there is no '/server/no' to remove"),
        ],
    )
    def test_changes_that_cannot_be_are_told(
        self, project: Path, fail: Callable[..., str], changes: dict[str, Any], words: str
    ) -> None:
        before = (project / "data/settings.yaml").read_bytes()
        assert words in fail("edit_data", path="data/settings.yaml", **changes)
        assert (project / "data/settings.yaml").read_bytes() == before

    def test_a_schema_is_inferred_that_the_data_fits(self, run: Callable[..., Any]) -> None:
        text = '[{"id": 1, "at": "2026-01-02", "kind": "a"}, {"id": 2.5, "at": "2026-01-03", "kind": null}]'
        found = run("infer_json_schema", text=text).schema
        assert found["items"]["properties"] == {
            "id": {"type": "number"},
            "at": {"type": "string", "format": "date"},
            "kind": {"type": ["null", "string"]},
        }
        assert found["items"]["required"] == ["id", "at", "kind"]
        assert run("validate_json", text=text, schema=found).valid


class TestCharts:
    @pytest.mark.parametrize(
        ("kind", "more"),
        [
            ("line", {"x": "id", "y": ["total"]}),
            ("line", {"x": "paid", "y": ["total"]}),
            ("bar", {"x": "customer", "y": ["total", "id"], "stacked": True}),
            ("bar", {"x": "customer", "y": ["total", "id"]}),
            ("scatter", {"x": "id", "y": ["total"], "log_scale": True}),
            ("histogram", {"y": ["total"], "title": "$x^{ costs"}),
            ("box", {"y": ["total", "id"]}),
            ("heat_map", {"x": "id", "y": ["customer", "total"]}),
        ],
    )
    def test_a_picture_is_drawn(self, project: Path, kind: str, more: dict[str, Any]) -> None:
        response = call(Charts, "draw_chart", {"kind": kind, "path": "data/orders.csv", **more}, project, Reviewer())
        assert response.status is CallStatus.EXECUTED, response.text
        (picture,) = response.attachments
        assert (picture.mime_type, picture.data[:8]) == ("image/png", b"\x89PNG\r\n\x1a\n")

    def test_it_is_saved_where_asked_and_asks_first(self, project: Path) -> None:
        reviewer = Reviewer()
        rows = [{"a": 1, "b": 2}, {"a": 2, "b": None}, {"a": 3, "b": "x"}]
        arguments = {"kind": "line", "rows": rows, "x": "a", "y": ["b"], "target": "chart.png", "width_px": 300}
        done = result_of(Charts, "draw_chart", arguments, project, reviewer)
        assert (done.points, done.skipped, done.file.path, reviewer.kinds) == (1, 2, "chart.png", ["changes"])
        assert (project / "chart.png").read_bytes()[16:20] == (300).to_bytes(4, "big")

    @pytest.mark.parametrize(
        ("arguments", "words"),
        [
            ({"kind": "line", "rows": [{"a": 1}], "y": ["a"]}, "expected x"),
            ({"kind": "line", "y": ["a"], "x": "a"}, "got neither"),
            ({"kind": "line", "rows": [{"a": 1}], "x": "a", "y": ["b"]}, "no column 'b'"),
            ({"kind": "box", "rows": [{"a": "x"}], "y": ["a"]}, "no row has numbers in a"),
            ({"kind": "heat_map", "rows": [{"a": 1}], "x": "a", "y": ["a"]}, "expected two columns"),
            ({"kind": "bar", "rows": [{"a": n} for n in range(300)], "x": "a", "y": ["a"]}, "300 bars"),
        ],
    )
    def test_what_cannot_be_drawn_is_told(self, project: Path, arguments: dict[str, Any], words: str) -> None:
        assert words in failure_of(Charts, "draw_chart", arguments, project, Reviewer())


@pytest.mark.parametrize("suffix", [".csv", ".json", ".jsonl", ".parquet", ".xlsx"])
def test_a_query_is_exported(project: Path, run: Callable[..., Any], suffix: str) -> None:
    sql = "SELECT id, customer FROM orders ORDER BY id"
    arguments = {"path": "data/shop.db", "sql": sql, "target": f"out{suffix}"}
    assert result_of(Databases, "export_query", arguments, project, Reviewer()).rows == 3
    assert run("select_rows", path=f"out{suffix}").rows == [
        {"id": 1, "customer": "Mira"},
        {"id": 2, "customer": None},
        {"id": 3, "customer": "Jo"},
    ]
