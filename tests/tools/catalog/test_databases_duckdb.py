"""The database tools on DuckDB files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import duckdb
import pytest

from tests.tools.catalog.calling import Reviewer, failure_of, result_of
from tools.catalog.databases import Databases


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    with duckdb.connect(str(tmp_path / "shop.duckdb")) as database:
        database.execute("CREATE TABLE customers (id INT PRIMARY KEY, name VARCHAR)")
        database.execute(
            "CREATE TABLE orders (id INT PRIMARY KEY, total DECIMAL(9, 2), paid DATE, tags VARCHAR[],"
            " customer INT REFERENCES customers (id))"
        )
        database.execute("CREATE INDEX by_total ON orders (total)")
        database.execute("CREATE VIEW large AS SELECT * FROM orders WHERE total > 10")
        database.execute("INSERT INTO customers VALUES (1, 'Mira')")
        database.execute("INSERT INTO orders VALUES (1, 9.5, '2026-01-02', ['a', 'b'], 1), (2, 20.25, NULL, NULL, 1)")
    return tmp_path


def _run(shop: Path, tool: str, **more: Any) -> Any:
    return result_of(Databases, tool, {"path": "shop.duckdb", **more}, shop, Reviewer())


def _fail(shop: Path, tool: str, **more: Any) -> str:
    return failure_of(Databases, tool, {"path": "shop.duckdb", **more}, shop, Reviewer())


def test_tables_are_listed_and_described(shop: Path) -> None:
    tables = _run(shop, "list_tables").tables
    orders = _run(shop, "describe_table", table="main.orders")

    assert [(table.name, table.kind) for table in tables] == [
        ("customers", "table"),
        ("large", "view"),
        ("orders", "table"),
    ]
    assert [column.type for column in orders.columns][:4] == ["INTEGER", "DECIMAL(9,2)", "DATE", "VARCHAR[]"]
    assert orders.primary_key == ["id"]
    assert [(key.columns, key.table, key.table_columns) for key in orders.foreign_keys] == [
        (["customer"], "customers", ["id"])
    ]
    assert ("by_total", ["total"], False) in [(item.name, item.columns, item.unique) for item in orders.indexes]


def test_rows_are_json(shop: Path) -> None:
    found = _run(shop, "query_database", sql="SELECT * FROM orders WHERE id = ?", parameters=[1])
    assert found.rows == [{"id": 1, "total": 9.5, "paid": "2026-01-02", "tags": ["a", "b"], "customer": 1}]
    named = _run(shop, "query_database", sql="SELECT id FROM orders WHERE total > $least", parameters={"least": 10})
    assert named.rows == [{"id": 2}]


@pytest.mark.parametrize(
    "sql",
    [
        "DELETE FROM orders",
        "SELECT 1; DELETE FROM orders",
        "COPY orders TO 'out.csv'",
        "ATTACH 'other.duckdb'",
        "INSTALL httpfs",
        "LOAD httpfs",
        "SET enable_external_access = true",
        "PRAGMA enable_profiling",
        "SELECT * FROM read_csv('secret.csv')",
        "SELECT * FROM read_text('/etc/passwd')",
        "SELECT * FROM 'secret.csv'",
        "SELECT * FROM read_csv('http://127.0.0.1:9/x.csv')",
        "SELECT * FROM glob('*')",
        "EXPLAIN ANALYZE DELETE FROM orders",
        "SELECT * FROM range(100000000000) ORDER BY hash(range)",
    ],
)
def test_a_query_neither_writes_nor_leaves_the_file(shop: Path, sql: str) -> None:
    (shop / "secret.csv").write_text("a\n1\n")
    before = {path.name: path.read_bytes() for path in shop.iterdir()}

    assert _fail(shop, "query_database", sql=sql, limit_s=2)
    assert {path.name: path.read_bytes() for path in shop.iterdir()} == before


def test_a_change_is_tried_and_made(shop: Path) -> None:
    assert _run(shop, "change_database", sql="UPDATE orders SET total = 1", commit=False).changed_rows == 2
    assert _run(shop, "query_database", sql="SELECT sum(total) AS s FROM orders").rows == [{"s": 29.75}]
    done = _run(shop, "change_database", sql="DELETE FROM orders WHERE id = 2 RETURNING id")
    assert (done.rows, done.committed) == ([{"id": 2}], True)
    assert _run(shop, "query_database", sql="SELECT count(*) AS n FROM orders").rows == [{"n": 1}]


@pytest.mark.parametrize(
    "sql", ["COPY orders TO 'out.csv'", "ATTACH 'x.duckdb'", "INSTALL httpfs", "SELECT 1; SELECT 2"]
)
def test_a_change_stays_in_the_file_too(shop: Path, sql: str) -> None:
    assert _fail(shop, "change_database", sql=sql)
    assert [path.name for path in shop.iterdir()] == ["shop.duckdb"]


def test_a_plan_is_shown(shop: Path) -> None:
    assert "orders" in _run(shop, "explain_query", sql="SELECT * FROM orders").plan
    assert _run(shop, "explain_query", sql="SELECT * FROM orders", measure=True).measured


def test_a_broken_file_is_told(shop: Path) -> None:
    (shop / "broken.duckdb").write_bytes(b"\0" * 8 + b"DUCK" + b"\xff" * 9000)
    assert "DuckDB refuses this on 'broken.duckdb'" in _fail(shop, "list_tables", path="broken.duckdb")
