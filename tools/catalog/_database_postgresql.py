"""PostgreSQL: one statement in a transaction that the server itself keeps from writing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import chain
from typing import TYPE_CHECKING, Any, Final

from tools.catalog._database import (
    CONNECT_S,
    READ_ONLY,
    ChangeDone,
    DatabaseKind,
    Parameters,
    ResultRows,
    ServerAddress,
    Watch,
    one_line,
)
from tools.catalog._extras import optional
from tools.catalog._server_sql import need_reading
from tools.errors import ToolFailure, TransientError

if TYPE_CHECKING:
    import psycopg

_READING: Final = frozenset({"select", "with", "values", "table", "show", "explain", "("})
_LOCK_WAIT_MS: Final = 5000
_READ_ONLY_STATE: Final = "25006"
_FIRST_WITH_READ_ALL: Final = 140_000
_NO_DIGIT_LOST: Final = "3"


@contextmanager
def opened(address: ServerAddress, host: str, watch: Watch, *, writes: bool) -> Iterator[PostgreSqlSession]:
    """Connect for one call; what is not committed is rolled back at the end.

    Args:
        host: The numeric address of it that was judged.
        watch: Stops statements.
        writes: Whether statements may change something.

    Raises:
        TransientError: The server cannot be reached, or the connection was lost.
        ToolFailure: The server refuses something, or the statement was stopped.
    """
    library = optional("psycopg", "databases")
    connection = _connected(library, address, host)
    try:
        # Asking the server to stop takes a connection of its own, which is refused when the server is gone.
        def stop() -> None:
            with suppress(library.Error, OSError):
                connection.cancel_safe(timeout=CONNECT_S)

        with watch.stopping(stop):
            _begin(connection, watch.limit_s, writes=writes)
            session = PostgreSqlSession(connection, library)
            try:
                yield session
            finally:
                session.leave()
            if not connection.closed:
                connection.execute("ROLLBACK")
    except library.Error as error:
        raise _failure(error, address, watch, lost=connection.broken) from error
    finally:
        connection.close()


def _connected(library: Any, address: ServerAddress, host: str) -> psycopg.Connection[Any]:
    try:
        found: psycopg.Connection[Any] = library.connect(
            host=address.host,
            hostaddr=host,
            port=address.port,
            dbname=address.database or "postgres",
            user=address.user or None,
            # An empty text, unlike None, keeps the library from sending what PGPASSWORD holds to any host.
            password=address.password,
            sslmode=address.tls,
            connect_timeout=CONNECT_S,
            keepalives_idle=CONNECT_S,
            tcp_user_timeout=CONNECT_S * 1000,
            application_name="tool-console",
            autocommit=True,
            cursor_factory=library.RawCursor,
        )
    except (library.Error, UnicodeError) as error:
        reason = _without(one_line(error), address.password)
        raise TransientError(f"cannot connect to {address.name}: {reason}") from error
    return found


def _begin(connection: psycopg.Connection[Any], limit_s: float, *, writes: bool) -> None:
    connection.execute("BEGIN READ WRITE" if writes else "BEGIN READ ONLY")
    limits = {"statement_timeout": int(limit_s * 1000) or 1, "lock_timeout": _LOCK_WAIT_MS}
    for name, value in limits.items():
        connection.execute("SELECT set_config($1, $2, true)", [name, str(value)])
    connection.execute("SELECT set_config('extra_float_digits', $1, true)", [_NO_DIGIT_LOST])
    superuser = connection.info.parameter_status("is_superuser") == "on"
    if superuser and not writes and connection.info.server_version >= _FIRST_WITH_READ_ALL:
        # A superuser's SELECT can write files and end other sessions even in a transaction that only reads.
        connection.execute("SET LOCAL ROLE pg_read_all_data")


class PostgreSqlSession:
    """One connection in one transaction."""

    kind = DatabaseKind.POSTGRESQL

    def __init__(self, connection: psycopg.Connection[Any], library: Any) -> None:
        self._connection = connection
        self._library = library
        self._reading: Any = None

    def query(self, sql: str, parameters: Parameters) -> ResultRows:
        """Run a statement that only reads; rows come one by one, so that a large table is never held."""
        need_reading(sql, _READING)
        return self._streamed(sql, parameters)

    def _streamed(self, sql: str, parameters: Parameters) -> ResultRows:
        cursor = self._connection.cursor()
        # Streaming uses the protocol that takes one statement only.
        rows = self._reading = cursor.stream(sql, _listed(parameters))
        first = next(rows, None)
        columns = [column.name for column in cursor.description or ()]
        return ResultRows(columns, iter(()) if first is None else chain([first], rows))

    def leave(self) -> None:
        """Cancel a statement whose rows were not all read: it holds the connection until then."""
        if self._reading is not None:
            self._reading.close()

    def change(self, sql: str, parameters: Parameters, *, kept: bool) -> ChangeDone:  # noqa: ARG002 -- all can be undone
        """Run one statement in the transaction."""
        cursor = self._connection.cursor()
        # Preparing uses the protocol that takes one statement only, so nothing can end the transaction beside it.
        cursor.execute(sql, _listed(parameters), prepare=True)
        returns = cursor.description is not None
        columns = [column.name for column in cursor.description or ()]
        changed = cursor.rowcount if (cursor.statusmessage or "").split(" ")[0] in _COUNTED else None
        return ChangeDone(columns, iter(cursor.fetchall()) if returns else iter(()), changed)

    def commit(self) -> None:
        self._connection.execute("COMMIT")
        self._connection.execute("BEGIN READ ONLY")

    def explain(self, sql: str, parameters: Parameters, *, measured: bool) -> ResultRows:
        """Say how a statement would be run."""
        need_reading(sql, _READING)
        how = "ANALYZE, BUFFERS" if measured else "COSTS"
        return self._streamed(f"EXPLAIN ({how}) {sql}", parameters)


_COUNTED: Final = frozenset({"INSERT", "UPDATE", "DELETE", "MERGE"})


def _listed(parameters: Parameters) -> list[Any]:
    if isinstance(parameters, dict):
        raise ToolFailure("PostgreSQL takes a list of values, for $1, $2 and so on; got an object")
    return parameters


def _failure(error: Exception, address: ServerAddress, watch: Watch, *, lost: bool) -> ToolFailure:
    if watch.reason:
        return ToolFailure(watch.reason)
    reason = _without(one_line(error), address.password)
    if lost:
        return TransientError(f"lost the connection to {address.name}: {reason}")
    state = getattr(error, "sqlstate", None)
    if state == _READ_ONLY_STATE:
        return ToolFailure(READ_ONLY)
    if state == "57014":
        return ToolFailure(f"the statement was stopped after {watch.limit_s:g} s; make it simpler or raise limit_s")
    return ToolFailure(f"PostgreSQL refuses this on {address.name}: {reason}")


def _without(text: str, password: str) -> str:
    return text.replace(password, "•••") if password else text
