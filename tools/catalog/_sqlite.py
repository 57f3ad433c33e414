"""Keep SQL statements to their file, and find out what they would do."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from time import monotonic
from typing import Any, Final

from tools.catalog._bounds import counted
from tools.catalog._paths import shown
from tools.errors import ToolFailure
from tools.spec import Count, DryRun

_READING_PRAGMAS: Final = frozenset(
    {
        "collation_list",
        "compile_options",
        "database_list",
        "foreign_key_check",
        "foreign_key_list",
        "freelist_count",
        "function_list",
        "index_info",
        "index_list",
        "index_xinfo",
        "integrity_check",
        "page_count",
        "quick_check",
        "schema_version",
        "table_info",
        "table_list",
        "table_xinfo",
    }
)
_QUESTION_PRAGMAS: Final = frozenset(
    {"application_id", "encoding", "foreign_keys", "journal_mode", "page_size", "user_version"}
)
"""These read without an argument and change something with one."""

_NEVER_PRAGMAS: Final = frozenset({"data_store_directory", "temp_store_directory", "writable_schema"})
_NEVER_FUNCTIONS: Final = frozenset({"load_extension", "fts3_tokenizer"})


class SqliteGuard:
    """Keep a statement to its one database file, and its settings as they are unless writing is allowed.

    Attributes:
        reason: Why the statement was refused; empty when it was not.
    """

    def __init__(self, *, allow_writes: bool) -> None:
        self.reason = ""
        self._allow_writes = allow_writes

    def __call__(
        self, action: int, first: str | None, second: str | None, _database: str | None, _trigger: str | None
    ) -> int:
        """Return SQLITE_OK to admit an action, SQLITE_DENY to refuse the statement."""
        if not self.reason:
            self.reason = self._refusal(action, first or "", second)
        return sqlite3.SQLITE_DENY if self.reason else sqlite3.SQLITE_OK

    def _refusal(self, action: int, first: str, second: str | None) -> str:
        if action == sqlite3.SQLITE_FUNCTION and (second or "").lower() in _NEVER_FUNCTIONS:
            return f"the function {second} is never allowed here"
        if action == sqlite3.SQLITE_PRAGMA:
            return self._pragma_refusal(first.lower(), second)
        # VACUUM attaches a nameless temporary database; any named one is another file.
        if action == sqlite3.SQLITE_ATTACH and not (self._allow_writes and first == ""):
            return "other database files cannot be attached or written; name the one file in path"
        # The rest is left to mode=ro and query_only, because even reading json_each declares a table.
        return ""

    def _pragma_refusal(self, name: str, argument: str | None) -> str:
        if name in _NEVER_PRAGMAS:
            return f"PRAGMA {name} is never allowed here"
        reads = name in _READING_PRAGMAS or (name in _QUESTION_PRAGMAS and argument is None)
        if reads or self._allow_writes:
            return ""
        return f"PRAGMA {name} may change the database; change_database does that, after asking a person"


_LONGEST_S: Final = 1.0
"""How long it may take: the database is locked for other writers meanwhile."""

_LOCK_WAIT_S: Final = 0.2
_LOOK_EVERY_STEPS: Final = 1000
_VERBS: Final = {
    sqlite3.SQLITE_DELETE: "Delete from",
    sqlite3.SQLITE_UPDATE: "Change",
    sqlite3.SQLITE_INSERT: "Add to",
    sqlite3.SQLITE_DROP_TABLE: "Drop",
    sqlite3.SQLITE_ALTER_TABLE: "Alter",
    sqlite3.SQLITE_CREATE_TABLE: "Make",
    sqlite3.SQLITE_CREATE_INDEX: "Make the index",
    sqlite3.SQLITE_DROP_INDEX: "Drop the index",
    sqlite3.SQLITE_CREATE_VIEW: "Make the view",
    sqlite3.SQLITE_DROP_VIEW: "Drop the view",
    sqlite3.SQLITE_CREATE_TRIGGER: "Make the trigger",
    sqlite3.SQLITE_DROP_TRIGGER: "Drop the trigger",
    sqlite3.SQLITE_REINDEX: "Build anew",
    sqlite3.SQLITE_ANALYZE: "Analyse",
}
_LOSING: Final = frozenset({sqlite3.SQLITE_DELETE, sqlite3.SQLITE_UPDATE, sqlite3.SQLITE_DROP_TABLE})
_NOT_TO_TRY: Final = frozenset(
    {
        sqlite3.SQLITE_ATTACH,
        sqlite3.SQLITE_CREATE_VTABLE,
        sqlite3.SQLITE_DETACH,
        sqlite3.SQLITE_DROP_VTABLE,
        sqlite3.SQLITE_PRAGMA,
        sqlite3.SQLITE_SAVEPOINT,
        sqlite3.SQLITE_TRANSACTION,
    }
)
"""What might end the transaction, or has effects outside it."""


def statement_dry_run(path: Path, sql: str, parameters: Any, project_dir: Path) -> DryRun:
    """Say what a statement would change in an SQLite file, by running it and rolling it back.

    Raises:
        ToolFailure: SQLite refuses the statement.
    """
    name = shown(path, project_dir)
    if sql.lstrip()[:7].lower() == "explain":
        return DryRun(f"Explain how {name} would be read or changed.")
    try:
        with closing(_connected(path)) as database:
            return _tried(database, sql, parameters, name)
    except (sqlite3.Error, sqlite3.Warning, OverflowError) as error:
        if getattr(error, "sqlite_errorcode", 0) == sqlite3.SQLITE_INTERRUPT:
            return DryRun(f"Change {name}; how much would take too long to find out.")
        raise ToolFailure(f"SQLite refuses this on {name!r}: {error}") from error


def _connected(path: Path) -> sqlite3.Connection:
    database = sqlite3.connect(f"{path.as_uri()}?mode=rw", uri=True, timeout=_LOCK_WAIT_S, isolation_level=None)
    deadline = monotonic() + _LONGEST_S
    database.set_progress_handler(lambda: int(monotonic() > deadline), _LOOK_EVERY_STEPS)
    return database


class _Asked:
    """Admit what can be tried and rolled back, and remember it.

    Attributes:
        done: What the statement does to which table, in order.
        untried: Whether it does what cannot be tried.
    """

    def __init__(self) -> None:
        self.done: dict[tuple[int, str], None] = {}
        self.untried = False
        self._guard = SqliteGuard(allow_writes=True)

    def __call__(self, action: int, first: str | None, second: str | None, *rest: str | None) -> int:
        """Return SQLITE_OK to admit an action, SQLITE_DENY to refuse the statement."""
        if action in _NOT_TO_TRY:
            self.untried = True
            return sqlite3.SQLITE_DENY
        table = (second if action == sqlite3.SQLITE_ALTER_TABLE else first) or ""
        if action in _VERBS and not table.startswith("sqlite_"):
            self.done[action, table] = None
        return self._guard(action, first, second, *rest)


def _tried(database: sqlite3.Connection, sql: str, parameters: Any, name: str) -> DryRun:
    """Run a statement, and roll it back."""
    asked = _Asked()
    database.execute("BEGIN")
    database.set_authorizer(asked)
    try:
        database.execute(f"EXPLAIN {sql}", parameters)
        before = {table: _rows(database, table) for action, table in asked.done if action in _LOSING}
        # Nothing is known of what it does, and yet it may refuse a transaction, as VACUUM does.
        asked.untried = not asked.done
        changed_before = database.total_changes
        database.execute(sql, parameters).fetchall()
        rows = database.total_changes - changed_before
    except sqlite3.DatabaseError:
        if asked.untried:
            return DryRun(f"Change {name} in a way that cannot be tried beforehand.")
        raise
    finally:
        database.set_authorizer(None)
        database.rollback()
    return _told(asked, before, rows, name)


def _rows(database: sqlite3.Connection, table: str) -> int:
    quoted = table.replace('"', '""')
    (found,) = database.execute(f'SELECT count(*) FROM "{quoted}"').fetchone()  # noqa: S608 -- SQLite gave the name
    return int(found)


def _told(asked: _Asked, before: Mapping[str, int], rows: int, name: str) -> DryRun:
    gone = {table for action, table in asked.done if action == sqlite3.SQLITE_DROP_TABLE}
    # A table that is dropped is emptied first, which goes without saying.
    done = [(action, table) for action, table in asked.done if action != sqlite3.SQLITE_DELETE or table not in gone]
    tables = tuple(dict.fromkeys(table for _, table in done))
    if not tables:
        return DryRun(f"Read {name}. Nothing in it would change.")
    rows = max(rows, sum(before[table] for table in gone))
    verbs = dict.fromkeys(f"{_VERBS[action]} {table}" for action, table in done)
    lost = before.get(tables[0], 0) if len(tables) == 1 else 0
    warnings = (f"That is every row of {tables[0]}.",) if lost > 1 and rows >= lost else ()
    return DryRun(f"{', '.join(verbs)} in {name}.", (Count("rows", rows, counted(rows, "row")),), tables, 0, warnings)
