"""MySQL and MariaDB: one statement in a transaction that the server itself keeps from writing."""

from __future__ import annotations

import socket
import ssl
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, Final

from tools.catalog._database import (
    CONNECT_S,
    READ_ONLY,
    ChangeDone,
    DatabaseKind,
    Parameters,
    ResultRows,
    ServerAddress,
    Watch,
)
from tools.catalog._extras import optional
from tools.catalog._server_sql import need_reading
from tools.errors import ToolFailure, TransientError

_READING: Final = frozenset({"select", "with", "values", "table", "show", "describe", "desc", "explain", "("})
_UNDOABLE: Final = frozenset({"insert", "update", "delete", "replace", "with", "select"})
_NOT_UNDOABLE_TABLES: Final = """
    SELECT t.table_name FROM information_schema.tables t JOIN information_schema.engines e ON e.engine = t.engine
    WHERE e.transactions <> 'YES' AND t.table_schema NOT IN ('information_schema', 'mysql', 'performance_schema')"""
_LOCK_WAIT_S: Final = 5
_GRACE_S: Final = 5
_READ_ONLY_CODES: Final = frozenset({1792, 1290})
_STOPPED_CODES: Final = frozenset({1317, 1969, 3024})
_LOST_CODES: Final = frozenset({0, 2006, 2013, 1927, 1053})


@contextmanager
def opened(address: ServerAddress, host: str, watch: Watch, *, writes: bool) -> Iterator[MySqlSession]:
    """Connect for one call; what is not committed is rolled back at the end.

    Args:
        host: The numeric address of it that was judged.
        watch: Stops statements.
        writes: Whether statements may change something.

    Raises:
        TransientError: The server cannot be reached, or the connection was lost.
        ToolFailure: The server refuses something, or the statement was stopped.
    """
    library = optional("pymysql", "databases")
    connection = _connected(library, address, host, watch.limit_s + _GRACE_S)
    number = connection.thread_id()

    def stop() -> None:
        # Only another connection can stop a statement; it fails when the server is gone.
        with suppress(library.Error, OSError, ToolFailure):
            killer = _connected(library, address, host, CONNECT_S)
            killer.query(f"KILL QUERY {number:d}")
            killer.close()

    try:
        with watch.stopping(stop):
            _begin(connection, watch.limit_s, writes=writes)
            session = MySqlSession(connection, library, stop)
            try:
                yield session
            finally:
                session.leave()
            connection.rollback()
    except (library.Error, OSError, ValueError, TypeError, KeyError) as error:
        raise _failure(error, address, watch) from error
    finally:
        if connection.open:
            connection.close()


def _connected(library: Any, address: ServerAddress, host: str, read_timeout_s: float) -> Any:
    connection = library.connect(
        host=address.host,
        port=address.port,
        user=address.user or "root",
        password=address.password,
        database=address.database or None,
        charset="utf8mb4",
        connect_timeout=CONNECT_S,
        read_timeout=max(1, int(read_timeout_s)),
        write_timeout=CONNECT_S,
        ssl=_tls(address.tls),
        autocommit=True,
        local_infile=False,
        program_name="tool-console",
        defer_connect=True,
    )
    try:
        # The library is given the connection, so that it goes to the very address that was judged.
        connection.connect(socket.create_connection((host, address.port), CONNECT_S))
    except (library.Error, OSError) as error:
        raise TransientError(f"cannot connect to {address.name}: {_said(error, address)}") from error
    return connection


def _tls(mode: str) -> ssl.SSLContext | None:
    if mode in {"disable", "prefer"}:
        return None
    context = ssl.create_default_context()
    if mode == "require":
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    return context


def _begin(connection: Any, limit_s: float, *, writes: bool) -> None:
    with connection.cursor() as cursor:
        if "MariaDB" in connection.get_server_info():
            cursor.execute("SET SESSION max_statement_time = %s", [limit_s])
        else:
            cursor.execute("SET SESSION max_execution_time = %s", [int(limit_s * 1000) or 1])
        cursor.execute("SET SESSION innodb_lock_wait_timeout = %s, lock_wait_timeout = %s", [_LOCK_WAIT_S] * 2)
        cursor.execute(f"START TRANSACTION READ {'WRITE' if writes else 'ONLY'}")


class MySqlSession:
    """One connection in one transaction."""

    kind = DatabaseKind.MYSQL

    def __init__(self, connection: Any, library: Any, stop: Any) -> None:
        self._connection = connection
        self._library = library
        self._stop = stop
        self._reading: Any = None

    def query(self, sql: str, parameters: Parameters) -> ResultRows:
        """Run a statement that only reads; rows come one by one, so that a large table is never held."""
        need_reading(sql, _READING, mysql=True)
        return self._streamed(sql, parameters)

    def _streamed(self, sql: str, parameters: Parameters) -> ResultRows:
        cursor = self._connection.cursor(self._library.cursors.SSCursor)
        self._reading = cursor
        cursor.execute(sql, parameters or None)
        return ResultRows([column[0] for column in cursor.description or ()], iter(cursor.fetchone, None))

    def leave(self) -> None:
        """End a statement whose rows were not all read, which else would still be sent to the last."""
        cursor, self._reading = self._reading, None
        if cursor is None:
            return
        if cursor._result is not None and cursor._result.unbuffered_active:  # noqa: SLF001 -- nothing public says so
            self._stop()
        with suppress(self._library.Error, OSError):
            cursor.close()

    def change(self, sql: str, parameters: Parameters, *, kept: bool) -> ChangeDone:
        """Run one statement in the transaction."""
        cursor = self._connection.cursor()
        if not kept:
            self._need_undoable(cursor, sql)
        cursor.execute(sql, parameters or None)
        columns = [column[0] for column in cursor.description or ()]
        return ChangeDone(columns, iter(cursor.fetchall()), None if columns else cursor.rowcount)

    def _need_undoable(self, cursor: Any, sql: str) -> None:
        need_reading(sql, _UNDOABLE, mysql=True)
        cursor.execute(_NOT_UNDOABLE_TABLES)
        for (name,) in cursor.fetchall():
            if name.lower() in sql.lower():
                raise ToolFailure(f"the table {name!r} has an engine without transactions, so nothing is rolled back")

    def commit(self) -> None:
        self._connection.commit()

    def explain(self, sql: str, parameters: Parameters, *, measured: bool) -> ResultRows:
        """Say how a statement would be run."""
        need_reading(sql, _READING, mysql=True)
        mariadb = "MariaDB" in self._connection.get_server_info()
        how = "EXPLAIN" if not measured else "ANALYZE" if mariadb else "EXPLAIN ANALYZE"
        return self._streamed(f"{how} {sql}", parameters)


def _said(error: BaseException, address: ServerAddress) -> str:
    words = error.args[1] if len(error.args) > 1 and isinstance(error.args[1], str) else str(error)
    words = words.strip().split("\n", 1)[0]
    return words.replace(address.password, "•••") if address.password else words


def _failure(error: BaseException, address: ServerAddress, watch: Watch) -> ToolFailure:
    if watch.reason:
        return ToolFailure(watch.reason)
    code = error.args[0] if error.args and isinstance(error.args[0], int) else None
    if code in _READ_ONLY_CODES:
        return ToolFailure(READ_ONLY)
    if code in _STOPPED_CODES:
        return ToolFailure(f"the statement was stopped after {watch.limit_s:g} s; make it simpler or raise limit_s")
    said = _said(error, address)
    if code in _LOST_CODES or isinstance(error, OSError):
        return TransientError(f"lost the connection to {address.name}: {said or 'the server ended it'}")
    return ToolFailure(f"MySQL refuses this on {address.name}: {said}")
