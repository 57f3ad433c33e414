"""What an SQL statement may do, asked by SQLite itself while it reads the statement."""

from __future__ import annotations

import sqlite3
from typing import Final

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
        return f"PRAGMA {name} may change the database; set allow_writes=true, which asks a person first"
