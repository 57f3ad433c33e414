"""How often each rule let a call run: counted before the call runs, so that no crash gives a use away twice."""

from __future__ import annotations

import threading
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from tools.errors import PolicyError

if TYPE_CHECKING:
    import sqlite3


class Used(NamedTuple):
    """How often a rule was used.

    Attributes:
        last_s: When last, in seconds since the epoch; 0 never.
    """

    uses: int = 0
    last_s: float = 0.0


class RuleUses:
    """Count uses, for all programs of a person; from any thread.

    A use of a rule that has a limit is on the disk before it counts as taken. Uses of other rules only tell people how
    a rule fares, so they are collected and written by `flush`.

    Args:
        path: The file; None counts in memory.
    """

    def __init__(self, path: Path | None = None) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._memory: dict[str, Used] = {}
        self._unwritten: dict[str, Used] = {}

    def of(self, rule_id: str) -> Used:
        """Return how often a rule was used.

        Raises:
            PolicyError: When the file cannot be read.
        """
        return self.all().get(rule_id, Used())

    def all(self) -> dict[str, Used]:
        """Return the uses of every rule that was ever used, by id.

        Raises:
            PolicyError: When the file cannot be read.
        """
        with self._lock:
            found = dict(self._memory) if self._path is None else self._read(self._path)
            for rule_id, more in self._unwritten.items():
                known = found.get(rule_id, Used())
                found[rule_id] = Used(known.uses + more.uses, max(known.last_s, more.last_s))
            return found

    def claim(self, rule_id: str, now_s: float, limit: int | None) -> bool:
        """Take one use; return whether there was one left.

        Args:
            now_s: The time, in seconds since the epoch.
            limit: How many there are in all; None sets no limit.

        Raises:
            PolicyError: When the use cannot be written down; it is not taken then.
        """
        with self._lock:
            if self._path is None:
                known = self._memory.get(rule_id, Used())
                if limit is not None and known.uses >= limit:
                    return False
                self._memory[rule_id] = Used(known.uses + 1, now_s)
                return True
            if limit is None:
                known = self._unwritten.get(rule_id, Used())
                self._unwritten[rule_id] = Used(known.uses + 1, now_s)
                return True
            return self._write(self._path, {rule_id: Used(1, now_s)}, limit)

    def flush(self) -> None:
        """Write down what was collected.

        Raises:
            PolicyError: When it cannot be written; it stays collected.
        """
        with self._lock:
            if self._path is not None and self._unwritten:
                self._write(self._path, self._unwritten, None)
                self._unwritten.clear()

    def _read(self, path: Path) -> dict[str, Used]:
        import sqlite3  # noqa: PLC0415 -- only who kept rules that were used needs it

        try:
            if not path.exists():
                return {}
            with closing(_opened(path)) as database:
                rows = database.execute("SELECT rule, uses, last_s FROM uses").fetchall()
        except OSError as error:
            raise PolicyError(f"how often rules were used cannot be read ({error}); let your user read it") from error
        except sqlite3.Error as error:
            raise PolicyError(
                f"how often rules were used cannot be read from {path} ({error}); delete the file"
            ) from error
        return {rule: Used(uses, last_s) for rule, uses, last_s in rows}

    def _write(self, path: Path, more: dict[str, Used], limit: int | None) -> bool:
        import sqlite3  # noqa: PLC0415 -- as in `_read`

        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with closing(_opened(path)) as database:
                database.execute("BEGIN IMMEDIATE")
                taken = [
                    database.execute(_TAKE, {"rule": rule, **used._asdict(), "limit": limit}).rowcount
                    for rule, used in more.items()
                ]
                database.execute("COMMIT")
        except (OSError, sqlite3.Error) as error:
            raise PolicyError(f"how often rules were used cannot be written to {path} ({error})") from error
        return all(taken)


_TAKE: Final = """
INSERT INTO uses (rule, uses, last_s) VALUES (:rule, :uses, :last_s)
ON CONFLICT (rule) DO UPDATE SET uses = uses + excluded.uses, last_s = max(last_s, excluded.last_s)
WHERE :limit IS NULL OR uses + excluded.uses <= :limit
"""


def _opened(path: Path) -> sqlite3.Connection:
    import sqlite3  # noqa: PLC0415 -- as in `RuleUses`

    database = sqlite3.connect(path, isolation_level=None, timeout=5.0)
    # The disk has a use before the call runs, even if the power fails.
    database.execute("PRAGMA synchronous = FULL")
    database.execute(
        "CREATE TABLE IF NOT EXISTS uses (rule TEXT PRIMARY KEY, uses INTEGER NOT NULL, last_s REAL NOT NULL)"
    )
    return database
