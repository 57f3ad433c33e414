"""The SQLite tool on real databases."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.tools.catalog.calling import Reviewer, call, executor_for, failure_of, result_of
from tools import CallStatus, ExitEarly, ToolConfigurationError
from tools.catalog.databases import Databases

ENDLESS = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n"


def _query(project: Path, sql: str, **more: Any) -> Any:
    return result_of(Databases, "query_database", {"path": "data/shop.db", "sql": sql, **more}, project, Reviewer())


def _change(project: Path, sql: str, **more: Any) -> Any:
    return result_of(Databases, "change_database", {"path": "data/shop.db", "sql": sql, **more}, project, Reviewer())


def _fail(project: Path, sql: str, tool: str = "query_database", **more: Any) -> str:
    return failure_of(Databases, tool, {"path": "data/shop.db", "sql": sql, **more}, project, Reviewer())


def _stored(project: Path) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(project / "data/shop.db")) as database:
        return database.execute("SELECT id, customer FROM orders ORDER BY id").fetchall()


def test_rows_come_by_column_and_nobody_is_asked(project: Path) -> None:
    reviewer = Reviewer()
    arguments = {"path": "data/shop.db", "sql": "SELECT id, total, customer, picture FROM orders ORDER BY id LIMIT 2"}

    found = result_of(Databases, "query_database", arguments, project, reviewer)

    assert found.columns == ["id", "total", "customer", "picture"]
    assert found.rows == [
        {"id": 1, "total": 9.5, "customer": "Mira", "picture": "AP8="},
        {"id": 2, "total": 20.0, "customer": None, "picture": None},
    ]
    assert (found.row_count, found.truncated) == (2, False)
    assert reviewer.requests == []


@pytest.mark.parametrize(
    ("sql", "parameters"),
    [
        ("SELECT id FROM orders WHERE total > ? AND customer = ?", [10, "Jo"]),
        ("SELECT id FROM orders WHERE total > :least AND customer = :who", {"least": 10, "who": "Jo"}),
    ],
)
def test_parameters_fill_the_statement(project: Path, sql: str, parameters: Any) -> None:
    assert _query(project, sql, parameters=parameters).rows == [{"id": 3}]


def test_what_looks_like_sql_in_a_parameter_is_only_text(project: Path) -> None:
    assert _query(project, "SELECT ? AS x", parameters=["'; DROP TABLE orders; --"]).rows == [
        {"x": "'; DROP TABLE orders; --"}
    ]


def test_double_columns_and_odd_values_have_a_json_form(project: Path) -> None:
    found = _query(project, "SELECT 1 AS a, 2 AS a, 9e999 AS big, -9e999 AS small, CAST(x'ff41' AS TEXT) AS broken")

    assert found.rows == [{"a": 1, "a_2": 2, "big": "inf", "small": "-inf", "broken": "\ufffdA"}]


def test_many_rows_and_long_values_are_cut(project: Path) -> None:
    rows = _query(project, "SELECT value FROM json_each('[1,2,3,4,5]')", max_rows=2)
    text = _query(project, "SELECT hex(zeroblob(20000)) AS long")

    assert ([row["value"] for row in rows.rows], rows.truncated) == ([1, 2], True)
    assert (len(text.rows[0]["long"]), text.truncated) == (10_001, True)


@pytest.mark.parametrize(
    "sql",
    [
        "DELETE FROM orders",
        "INSERT INTO orders (customer) VALUES ('x')",
        "UPDATE orders SET total = 0",
        "DROP TABLE orders",
        "CREATE TABLE x (a)",
        "CREATE TEMP TABLE x (a)",
        "CREATE INDEX i ON orders (total)",
        "ALTER TABLE orders ADD COLUMN x",
        "WITH x AS (SELECT 1) DELETE FROM orders RETURNING id",
        "PRAGMA journal_mode = WAL",
        "PRAGMA user_version = 7",
        "PRAGMA query_only = OFF",
    ],
)
def test_nothing_changes_without_permission(project: Path, sql: str) -> None:
    before = (project / "data/shop.db").read_bytes()

    assert "change_database" in _fail(project, sql)
    assert (project / "data/shop.db").read_bytes() == before


@pytest.mark.parametrize("tool", ["query_database", "change_database"])
@pytest.mark.parametrize(
    "sql",
    [
        "ATTACH DATABASE '../outside.db' AS other",
        "ATTACH DATABASE 'new.db' AS other",
        "VACUUM INTO 'copy.db'",
        "SELECT load_extension('evil')",
        "PRAGMA writable_schema = ON",
        "PRAGMA temp_store_directory = 'x'",
    ],
)
def test_no_statement_reaches_another_file(project: Path, sql: str, tool: str) -> None:
    before = sorted(project.rglob("*"))

    message = _fail(project, sql, tool)

    assert "never allowed" in message or "cannot be attached" in message
    assert sorted(project.rglob("*")) == before


@pytest.mark.parametrize("sql", ["PRAGMA table_info(orders)", "PRAGMA user_version", "EXPLAIN QUERY PLAN SELECT 1"])
def test_questions_about_the_database_are_allowed(project: Path, sql: str) -> None:
    assert _query(project, sql).row_count >= 1


def test_a_change_asks_first_and_says_what_runs(project: Path) -> None:
    reviewer = Reviewer()
    arguments = {"path": "data/shop.db", "sql": "DELETE FROM orders\n WHERE id = 1"}

    changed = result_of(Databases, "change_database", arguments, project, reviewer)

    concern = next(item for item in reviewer.requests[0].concerns if item.kind == "writes_database")
    assert (concern.kind, concern.detail) == ("writes_database", "data/shop.db: DELETE FROM orders WHERE id = 1")
    assert changed.changed_rows == 1
    assert [row[0] for row in _stored(project)] == [2, 3]


def test_a_denied_change_changes_nothing(project: Path) -> None:
    arguments = {"path": "data/shop.db", "sql": "DELETE FROM orders"}

    response = call(Databases, "change_database", arguments, project, Reviewer(ExitEarly("no")))

    assert response.status is CallStatus.DENIED
    assert len(_stored(project)) == 3
    with pytest.raises(ToolConfigurationError):
        call(Databases, "change_database", arguments, project)
    assert len(_stored(project)) == 3


def test_a_changing_statement_runs_to_its_end_though_its_rows_are_cut(project: Path) -> None:
    changed = _change(project, "UPDATE orders SET customer = 'x' RETURNING id", max_rows=1)

    assert (len(changed.rows), changed.changed_rows, changed.truncated) == (1, 3, True)
    assert {row[1] for row in _stored(project)} == {"x"}


def test_a_failed_change_is_taken_back(project: Path) -> None:
    message = _fail(project, "INSERT INTO orders (id) VALUES (10), (1)", "change_database")

    assert "UNIQUE constraint failed" in message
    assert len(_stored(project)) == 3


def test_the_database_can_be_tidied_up(project: Path) -> None:
    assert _change(project, "VACUUM").changed_rows == 0


@pytest.mark.parametrize(
    ("sql", "more", "words"),
    [
        ("SELEC 1", {}, 'near "SELEC": syntax error'),
        ("SELECT * FROM missing", {}, "no such table: missing"),
        ("SELECT 1; SELECT 2", {}, "one statement at a time"),
        ("SELECT ?", {}, "Incorrect number of bindings"),
        ("SELECT ?", {"parameters": [2**70]}, "too large"),
        ("SELECT zeroblob(1000000000)", {}, "too big"),
        ("SELECT 1", {"path": "data"}, "'data' is a folder"),
        ("SELECT 1", {"path": "data/shops.db"}, "did you mean 'data/shop.db'?"),
        ("SELECT * FROM x", {"path": "README.md"}, "file is not a database"),
    ],
)
def test_statements_that_cannot_run_say_why(project: Path, sql: str, more: dict[str, Any], words: str) -> None:
    assert words in _fail(project, sql, **more)


def test_a_missing_database_is_not_made(project: Path) -> None:
    assert "does not exist" in _fail(project, "CREATE TABLE x (a)", "change_database", path="new.db")
    assert not (project / "new.db").exists()


def test_an_odd_file_name_is_only_a_name(project: Path) -> None:
    odd = project / "a?mode=rw#b%41.db"
    odd.write_bytes((project / "data/shop.db").read_bytes())

    assert _query(project, "SELECT count(*) AS n FROM orders", path=odd.name).rows == [{"n": 3}]


def test_an_endless_statement_ends_at_its_limit(project: Path) -> None:
    message = _fail(project, ENDLESS, limit_s=0.05)

    assert message == "the statement was stopped after 0.05 s; make it simpler or raise limit_s"


async def test_a_cancelled_statement_ends_with_its_thread(project: Path) -> None:
    executor = executor_for(Databases, project)
    pending = executor.create_call("query_database", {"path": "data/shop.db", "sql": ENDLESS, "limit_s": 600})
    running = asyncio.create_task(executor.execute(pending))
    while pending.response.status is not CallStatus.EXECUTING:  # noqa: ASYNC110 -- no event says so
        await asyncio.sleep(0)
    pending.cancel()
    status = (await running).status
    await executor.aclose()
    assert status is CallStatus.CANCELLED


def test_a_database_outside_the_project_asks(project: Path) -> None:
    (project / "data/shop.db").rename(project.parent / "shop.db")
    reviewer = Reviewer(ExitEarly())

    response = call(Databases, "query_database", {"path": "../shop.db", "sql": "SELECT 1"}, project, reviewer)

    assert response.status is CallStatus.DENIED
    assert reviewer.kinds == ["outside_project"]


def test_tables_are_listed_and_described(project: Path) -> None:
    with closing(sqlite3.connect(project / "data/shop.db")) as database:
        database.executescript(
            "CREATE TABLE items (a INT, b INT, o INT REFERENCES orders, PRIMARY KEY (b, a));"
            " CREATE VIEW large AS SELECT * FROM orders; CREATE UNIQUE INDEX by_o ON items (o, a);"
        )
    tables = result_of(Databases, "list_tables", {"path": "data/shop.db"}, project).tables
    items = result_of(Databases, "describe_table", {"path": "data/shop.db", "table": "ITEMS"}, project)

    assert [(table.name, table.kind) for table in tables] == [
        ("items", "table"),
        ("large", "view"),
        ("orders", "table"),
    ]
    assert items.primary_key == ["b", "a"]
    assert [(key.columns, key.table) for key in items.foreign_keys] == [(["o"], "orders")]
    assert ("by_o", ["o", "a"], True) in [(item.name, item.columns, item.unique) for item in items.indexes]


def test_a_plan_names_the_index(project: Path) -> None:
    arguments = {"path": "data/shop.db", "sql": "SELECT * FROM orders WHERE id = 2"}
    assert "PRIMARY KEY" in result_of(Databases, "explain_query", arguments, project).plan


@pytest.mark.parametrize("sql", ["DELETE FROM orders", "DROP TABLE orders", "CREATE TABLE x (a)"])
def test_a_trial_is_rolled_back(project: Path, sql: str) -> None:
    tried = _change(project, sql, commit=False)

    assert tried.committed is False
    tables = result_of(Databases, "list_tables", {"path": "data/shop.db"}, project).tables
    assert [table.name for table in tables] == ["orders"]
    assert len(_stored(project)) == 3
