"""The database tools on real PostgreSQL and MariaDB servers."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.tools.catalog.calling import Reviewer, call, executor_for, failure_of, result_of
from tests.tools.catalog.database_servers import PASSWORD, DatabaseServer, mariadb, postgresql
from tools import CallStatus, ExitEarly
from tools.catalog.databases import Databases

TABLES = (
    "CREATE TABLE customers (id INT PRIMARY KEY, name VARCHAR(40) NOT NULL DEFAULT 'nobody')",
    "CREATE TABLE orders (id INT PRIMARY KEY, total DECIMAL(12, 2), customer INT)",
    "ALTER TABLE orders ADD CONSTRAINT whose FOREIGN KEY (customer) REFERENCES customers (id)",
    "CREATE UNIQUE INDEX by_name ON customers (name)",
    "CREATE VIEW large AS SELECT * FROM orders WHERE total > 10",
    "INSERT INTO customers VALUES (1, 'Mira'), (2, 'Jo')",
    "INSERT INTO orders VALUES (1, 9.50, 1), (2, 20.25, 2), (3, NULL, 1)",
)
AWAY = ("DROP VIEW IF EXISTS large", "DROP TABLE IF EXISTS orders", "DROP TABLE IF EXISTS customers")
SLEEP = {"postgresql": "SELECT pg_sleep(600)", "mysql": "SELECT sleep(600)"}
RUNNING = {
    "postgresql": "SELECT count(*) FROM pg_stat_activity WHERE state = 'active' AND query LIKE 'SELECT pg_sleep%'",
    "mysql": "SELECT count(*) FROM information_schema.processlist WHERE info LIKE 'SELECT sleep%'",
}


@pytest.fixture(scope="session")
def postgresql_server() -> Iterator[DatabaseServer]:
    with postgresql() as running:
        yield running


@pytest.fixture(scope="session")
def mariadb_server() -> Iterator[DatabaseServer]:
    with mariadb() as running:
        yield running


@pytest.fixture(params=["postgresql", "mysql"])
def server(request: pytest.FixtureRequest) -> DatabaseServer:
    name = {"postgresql": "postgresql_server", "mysql": "mariadb_server"}[request.param]
    running: DatabaseServer = request.getfixturevalue(name)
    running.execute(*AWAY, *TABLES)
    return running


@pytest.fixture
def run(server: DatabaseServer, tmp_path: Path) -> Callable[..., Any]:
    return lambda tool, **more: result_of(Databases, tool, {**server.arguments, **more}, tmp_path, Reviewer())


@pytest.fixture
def fail(server: DatabaseServer, tmp_path: Path) -> Callable[..., str]:
    return lambda tool, **more: failure_of(Databases, tool, {**server.arguments, **more}, tmp_path, Reviewer())


def total(server: DatabaseServer) -> Any:
    return server.execute("SELECT sum(total) FROM orders")[0][0]


@pytest.mark.reference("C49")
class TestReading:
    def test_tables_and_views_are_listed(self, server: DatabaseServer, run: Callable[..., Any]) -> None:
        found = run("list_tables")
        assert [(table.name, table.kind) for table in found.tables] == [
            ("customers", "table"),
            ("large", "view"),
            ("orders", "table"),
        ]
        assert found.database == f"{server.kind}://127.0.0.1:{server.port}/shop"
        assert run("list_tables", max_tables=1).truncated

    def test_a_table_is_described(self, run: Callable[..., Any]) -> None:
        orders, customers = run("describe_table", table="orders"), run("describe_table", table="customers")
        assert [(column.name, column.nullable) for column in orders.columns] == [
            ("id", False),
            ("total", True),
            ("customer", True),
        ]
        assert orders.primary_key == ["id"]
        keys = [(key.columns, key.table, key.table_columns) for key in orders.foreign_keys]
        assert keys == [(["customer"], "customers", ["id"])]
        assert ("by_name", ["name"], True) in [(item.name, item.columns, item.unique) for item in customers.indexes]
        assert "nobody" in str(customers.columns[1].default)

    def test_a_missing_table_is_told_with_those_that_are_there(self, fail: Callable[..., str]) -> None:
        assert "the tables are: customers, large, orders" in fail("describe_table", table="order")

    def test_rows_are_json(self, run: Callable[..., Any]) -> None:
        found = run("query_database", sql="SELECT id, total, total AS id FROM orders ORDER BY 1")
        assert found.columns == ["id", "total", "id_2"]
        assert [row["total"] for row in found.rows] == [9.5, 20.25, None]

    def test_values_are_no_sql(self, server: DatabaseServer, run: Callable[..., Any]) -> None:
        mark = "$1" if server.kind == "postgresql" else "%s"
        evil = "'; DROP TABLE orders; -- \\' \" %"
        found = run(
            "query_database", sql=f"SELECT name FROM customers WHERE name = {mark} OR id = 2", parameters=[evil]
        )
        assert found.rows == [{"name": "Jo"}]
        assert total(server) is not None

    def test_only_as_many_rows_as_wanted_are_fetched(self, run: Callable[..., Any]) -> None:
        many = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 900) SELECT x FROM n"
        found = run("query_database", sql=f"SELECT a.x FROM ({many}) a, ({many}) b", max_rows=2)
        assert (found.row_count, found.truncated) == (2, True)

    def test_plans_are_shown_and_measured(self, run: Callable[..., Any]) -> None:
        plan = run("explain_query", sql="SELECT * FROM orders WHERE id = 2").plan
        assert "orders" in plan
        measured = run("explain_query", sql="SELECT * FROM orders WHERE id = 2", measure=True)
        assert "rows" in measured.plan
        assert measured.measured


class TestNothingIsWritten:
    @pytest.mark.parametrize(
        "sql",
        [
            "DELETE FROM orders",
            "UPDATE orders SET total = 0",
            "CREATE TABLE more (id INT)",
            "DROP TABLE orders",
            "TRUNCATE TABLE orders",
            "SELECT 1; DELETE FROM orders",
            "SELECT 1; COMMIT; DELETE FROM orders",
            "-- harmless\n DELETE FROM orders",
            "/* SELECT */ DELETE FROM orders",
            "/* /* */ SELECT */ DELETE FROM orders",
            "/*! DELETE FROM orders */",
            "SELECT * FROM orders INTO OUTFILE '/tmp/tool-console-test'",
            "SELECT load_file('/etc/passwd')",
            "COPY orders TO PROGRAM 'cat'",
            "CALL anything()",
            "SET GLOBAL read_only = 0",
            "COMMIT",
            "ROLLBACK; DELETE FROM orders",
            "SET TRANSACTION READ WRITE",
            "LOCK TABLES orders WRITE",
            "EXPLAIN ANALYZE DELETE FROM orders",
            "WITH gone AS (DELETE FROM orders RETURNING id) SELECT * FROM gone",
            "SELECT * INTO more FROM orders",
            "DO $$ BEGIN DELETE FROM orders; END $$",
        ],
    )
    def test_whatever_the_statement(self, server: DatabaseServer, tmp_path: Path, sql: str) -> None:
        everything = "SELECT (SELECT sum(total) FROM orders), count(*) FROM information_schema.tables"
        before = server.execute(everything)
        assert failure_of(Databases, "query_database", {**server.arguments, "sql": sql}, tmp_path, Reviewer())
        # PostgreSQL measures SELECT INTO and makes no table.
        call(Databases, "explain_query", {**server.arguments, "sql": sql, "measure": True}, tmp_path, Reviewer())
        assert server.execute(everything) == before
        assert not Path("/tmp/tool-console-test").exists()

    @pytest.mark.parametrize("sql", ["SELECT 1 /*! INTO OUTFILE '/tmp/x' */", "SELECT 1 INTO/**/DUMPFILE '/tmp/x'"])
    def test_files_of_a_server_are_out_of_reach(self, mariadb_server: DatabaseServer, tmp_path: Path, sql: str) -> None:
        assert failure_of(Databases, "query_database", {**mariadb_server.superuser, "sql": sql}, tmp_path, Reviewer())

    @pytest.mark.parametrize(
        "sql",
        [
            "SELECT pg_read_file('/etc/passwd')",
            "SELECT pg_terminate_backend(pg_backend_pid())",
            "SELECT lo_export(1, '/tmp/x')",
            "SELECT pg_ls_dir('/')",
            "SELECT set_config('transaction_read_only', 'off', false), query_to_xml('DROP TABLE a', true, true, '')",
        ],
    )
    def test_a_superuser_reads_tables_only(self, postgresql_server: DatabaseServer, tmp_path: Path, sql: str) -> None:
        postgresql_server.execute(*AWAY, *TABLES)
        arguments = {**postgresql_server.superuser, "sql": sql}
        assert failure_of(Databases, "query_database", arguments, tmp_path, Reviewer())
        arguments["sql"] = "SELECT count(*) AS n FROM orders"
        assert result_of(Databases, "query_database", arguments, tmp_path, Reviewer()).rows == [{"n": 3}]


class TestChanging:
    def test_a_trial_tells_the_rows_and_keeps_none(self, server: DatabaseServer, run: Callable[..., Any]) -> None:
        before = total(server)
        tried = run("change_database", sql="UPDATE orders SET total = 1 WHERE id < 3", commit=False)
        assert (tried.changed_rows, tried.committed) == (2, False)
        assert total(server) == before

    def test_a_change_is_kept(self, server: DatabaseServer, run: Callable[..., Any]) -> None:
        done = run("change_database", sql="DELETE FROM orders WHERE id = 1")
        assert (done.changed_rows, done.committed) == (1, True)
        assert server.execute("SELECT count(*) FROM orders")[0][0] == 2

    def test_a_wrong_change_keeps_nothing(self, server: DatabaseServer, fail: Callable[..., str]) -> None:
        assert "refuses this" in fail("change_database", sql="INSERT INTO orders VALUES (9, 1, 1), (1, 1, 1)")
        assert server.execute("SELECT count(*) FROM orders")[0][0] == 3

    def test_a_person_is_asked_with_the_statement(self, server: DatabaseServer, tmp_path: Path) -> None:
        reviewer = Reviewer(ExitEarly("no"))
        arguments = {**server.arguments, "sql": "DELETE FROM orders"}
        assert call(Databases, "change_database", arguments, tmp_path, reviewer).status is CallStatus.DENIED
        details = [concern.detail for concern in reviewer.requests[0].concerns]
        assert f"{server.kind}://127.0.0.1:{server.port}/shop: DELETE FROM orders" in details
        assert server.execute("SELECT count(*) FROM orders")[0][0] == 3

    def test_what_cannot_be_undone_is_not_tried(self, mariadb_server: DatabaseServer, tmp_path: Path) -> None:
        mariadb_server.execute(*AWAY, *TABLES, "CREATE OR REPLACE TABLE old (id INT) ENGINE=MyISAM")
        for sql, word in (("DROP TABLE orders", "DROP"), ("INSERT INTO old VALUES (1)", "without transactions")):
            arguments = {**mariadb_server.arguments, "sql": sql, "commit": False}
            assert word in failure_of(Databases, "change_database", arguments, tmp_path, Reviewer())
        assert mariadb_server.execute("DROP TABLE old", "SELECT count(*) FROM orders")[0][0] == 3


class TestStopping:
    def test_the_servers_own_work_ends_at_the_limit(self, server: DatabaseServer, fail: Callable[..., str]) -> None:
        assert "stopped after 0.3 s" in fail("query_database", sql=SLEEP[server.kind], limit_s=0.3)
        assert server.execute(RUNNING[server.kind])[0][0] == 0

    async def test_and_when_the_call_is_cancelled(self, server: DatabaseServer, tmp_path: Path) -> None:
        executor = executor_for(Databases, tmp_path, Reviewer())
        arguments = {**server.arguments, "sql": SLEEP[server.kind], "limit_s": 600}
        pending = executor.create_call("query_database", arguments)
        running = asyncio.create_task(executor.execute(pending))
        while not (await asyncio.to_thread(server.execute, RUNNING[server.kind]))[0][0]:
            assert not running.done()
        pending.cancel()
        assert (await running).status is CallStatus.CANCELLED
        while (await asyncio.to_thread(server.execute, RUNNING[server.kind]))[0][0]:
            assert not running.cancelled()
        await executor.aclose()

    async def test_a_server_that_is_killed_is_told(self, tmp_path: Path) -> None:
        executor = executor_for(Databases, tmp_path, Reviewer())
        with postgresql() as server:
            pending = executor.create_call(
                "query_database", {**server.arguments, "sql": SLEEP[server.kind], "limit_s": 600}
            )
            running = asyncio.create_task(executor.execute(pending))
            while not (await asyncio.to_thread(server.execute, RUNNING[server.kind]))[0][0]:
                assert not running.done()
            server.process.kill()
            response = await running
        assert "lost the connection to postgresql://127.0.0.1" in response.text
        response = await executor.execute(executor.create_call("list_tables", server.arguments))
        assert "cannot connect to postgresql://127.0.0.1" in response.text
        await executor.aclose()


class TestSecrets:
    def test_a_wrong_password_is_in_no_message(self, server: DatabaseServer, tmp_path: Path) -> None:
        wrong = "wrong-one-77"
        response = call(Databases, "list_tables", {**server.arguments, "password": wrong}, tmp_path, Reviewer())
        assert response.status is CallStatus.FAILED
        assert wrong not in response.text

    def test_a_variable_holds_it_and_sending_it_is_asked(
        self, server: DatabaseServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("SHOP_PASSWORD", PASSWORD)
        reviewer = Reviewer()
        arguments = {"url": server.url, "password_variable": "SHOP_PASSWORD"}
        found = result_of(Databases, "list_tables", arguments, tmp_path, reviewer)
        assert len(found.tables) == 3
        assert {"private_host", "sends_data"} <= set(reviewer.kinds)
        assert PASSWORD not in json.dumps([concern.detail for item in reviewer.requests for concern in item.concerns])

    @pytest.mark.parametrize("name", ["HOME", "OPENAI_API_KEY", "AWS_SECRET_ACCESS_KEY"])
    def test_no_other_variable_goes_anywhere(self, tmp_path: Path, name: str) -> None:
        arguments = {"url": "mysql://127.0.0.1:1/x", "password_variable": name}
        response = call(Databases, "list_tables", arguments, tmp_path, Reviewer())
        assert response.status is CallStatus.REJECTED

    def test_a_password_of_the_environment_is_not_sent_unasked(
        self, postgresql_server: DatabaseServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("PGPASSWORD", PASSWORD)
        arguments = {"url": postgresql_server.url}
        assert "password" in failure_of(Databases, "list_tables", arguments, tmp_path, Reviewer())

    def test_nobody_asked_means_no_private_server(self, server: DatabaseServer, tmp_path: Path) -> None:
        response = call(Databases, "list_tables", server.arguments, tmp_path, Reviewer(ExitEarly("no")))
        assert response.status is CallStatus.DENIED


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({}, "expected path or url, got neither"),
        ({"path": "a.db", "url": "mysql://127.0.0.1/x"}, "expected path or url, got both"),
        ({"url": "http://127.0.0.1/x"}, "got http:// in front"),
        ({"url": "sqlite:///a.db"}, "files of SQLite and DuckDB go in path"),
        ({"url": "mysql:///x"}, "names no host"),
        ({"url": "mysql://a b/x"}, "names no host"),
        ({"url": "mysql://me:secret@127.0.0.1:99999/x"}, "cannot be read"),
        ({"url": "mysql://127.0.0.1/x?local_infile=1"}, "'local_infile' is no option"),
        ({"url": "postgresql://127.0.0.1/x?sslmode=maybe"}, "'sslmode=maybe' is no option"),
        ({"url": "postgresql://127.0.0.1:1/x"}, "cannot connect to postgresql://127.0.0.1:1/x"),
        ({"url": "mysql://me:secret@127.0.0.1:1/x"}, "cannot connect to mysql://127.0.0.1:1/x"),
    ],
)
def test_what_is_no_database_is_told(tmp_path: Path, arguments: dict[str, Any], words: str) -> None:
    message = failure_of(Databases, "list_tables", arguments, tmp_path, Reviewer())
    assert words in message
    assert "secret" not in message


def test_these_tests_run_without_rights_where_they_can(postgresql_server: DatabaseServer) -> None:
    if os.geteuid() == 0:
        assert Path(f"/proc/{postgresql_server.process.pid}").stat().st_uid != 0
