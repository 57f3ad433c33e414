"""Open the database that a call means, whatever it is run by."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Final, NamedTuple

from tools.catalog._database import DatabaseKind, DatabaseSession, Watch, admitted_host, server_address
from tools.catalog._paths import need_file, refusals, shown
from tools.context import ToolContext
from tools.errors import ToolFailure

_DUCKDB_MARK: Final = b"DUCK"
_DUCKDB_MARK_AT: Final = 8

Opened = AbstractContextManager[DatabaseSession]


class DatabaseTarget(NamedTuple):
    """Which database a call means.

    Attributes:
        path: The file; None for a server.
        url: The server as it was given; None for a file.
    """

    path: Path | None
    url: str | None
    password: str | None = None
    password_variable: str | None = None


@contextmanager
def opened(target: DatabaseTarget, ctx: ToolContext, *, writes: bool, limit_s: float) -> Iterator[DatabaseSession]:
    """Open a database for one call.

    Args:
        ctx: The running call.
        writes: Whether statements may change it.
        limit_s: When a statement is stopped.

    Raises:
        ToolFailure: It cannot be opened, refuses the statement, or the call was stopped.
    """
    if (target.path is None) == (target.url is None):
        came = "neither" if target.path is None else "both"
        raise ToolFailure(f"expected path or url, got {came}; a file goes in path, a server in url")
    watch = Watch(ctx, limit_s)
    with _session(target, ctx, watch, writes=writes) as session:
        yield session


def _session(target: DatabaseTarget, ctx: ToolContext, watch: Watch, *, writes: bool) -> Opened:
    if target.path is not None:
        name = shown(target.path, ctx.project_dir)
        if file_kind(target.path, ctx.project_dir) is DatabaseKind.DUCKDB:
            from tools.catalog import _database_duckdb  # noqa: PLC0415 -- only what is used is loaded

            return _database_duckdb.opened(target.path, name, watch, writes=writes)
        from tools.catalog import _database_sqlite  # noqa: PLC0415 -- as above

        return _database_sqlite.opened(target.path, name, watch, writes=writes)
    url = target.url or ""
    address = server_address(url, target.password, target.password_variable)
    host = admitted_host(address, url, ctx)
    if address.kind is DatabaseKind.POSTGRESQL:
        from tools.catalog import _database_postgresql  # noqa: PLC0415 -- as above

        return _database_postgresql.opened(address, host, watch, writes=writes)
    from tools.catalog import _database_mysql  # noqa: PLC0415 -- as above

    return _database_mysql.opened(address, host, watch, writes=writes)


def file_kind(path: Path, project_dir: Path) -> DatabaseKind:
    """Return what a database file is of, by its first bytes; SQLite when they do not say.

    Raises:
        ToolFailure: There is no such file.
    """
    need_file(path, project_dir)
    with refusals(f"read {shown(path, project_dir)!r}"), path.open("rb") as stream:
        head = stream.read(_DUCKDB_MARK_AT + len(_DUCKDB_MARK))
    return DatabaseKind.DUCKDB if head[_DUCKDB_MARK_AT:] == _DUCKDB_MARK else DatabaseKind.SQLITE
