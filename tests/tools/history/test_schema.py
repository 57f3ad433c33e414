"""Files of earlier and later versions, and files that are no history."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.tools.history.recording import found, record_calls
from tools.errors import HistoryError
from tools.history import History
from tools.history.schema_sql import APPLICATION_ID, FIRST, MIGRATIONS, check, migrate, statements

if TYPE_CHECKING:
    from tests.tools.history.recording import HistoryOf


def run_script(path: Path, *scripts: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(path)) as connection:
        for script in scripts:
            connection.executescript(script)


VERSION_1 = f"""
PRAGMA application_id = {APPLICATION_ID};
PRAGMA user_version = 1;
INSERT INTO runs VALUES (1, 'oldrun', 1, 1700000000000000, 1700000001000000);
INSERT INTO names VALUES (1, 'search_files'), (2, 'you');
INSERT INTO definitions VALUES (1, '1.0.0', 'abc', 'Built-in');
INSERT INTO shapes VALUES (1, '[]');
INSERT INTO calls VALUES (
    1740800000000000000, 1, 7, 1, 1, 2, 3, 1500, 1, zeroblob(24), 65536, NULL, NULL, NULL, NULL
);
"""


def test_versions_follow_each_other_in_one_transaction(tmp_path: Path) -> None:
    path = tmp_path / "history" / "history.sqlite"
    run_script(path, FIRST, VERSION_1)

    def mark(connection: sqlite3.Connection) -> None:
        connection.execute("UPDATE calls SET note = 'noted'")

    another = "ALTER TABLE calls ADD COLUMN note TEXT;\nCREATE INDEX noted ON calls (note);"
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        assert migrate(connection, (*MIGRATIONS, another, mark)) == 1
        assert connection.execute("PRAGMA user_version").fetchone() == (4,)
        assert connection.execute("SELECT note FROM calls").fetchone() == ("noted",)
        assert migrate(connection, (*MIGRATIONS, another, mark)) == 4


def test_a_step_that_fails_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "history" / "history.sqlite"
    run_script(path, FIRST, VERSION_1)
    broken = "ALTER TABLE calls ADD COLUMN note TEXT;\nCREATE TABLE runs (id);"

    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        with pytest.raises(sqlite3.OperationalError, match="already exists"):
            migrate(connection, (*MIGRATIONS, broken))
        assert connection.execute("PRAGMA user_version").fetchone() == (1,)
        assert "note" not in [row[1] for row in connection.execute("PRAGMA table_info(calls)")]
        assert not connection.in_transaction


def test_a_newer_version_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "history" / "history.sqlite"
    run_script(path, FIRST, VERSION_1, "PRAGMA user_version = 99")
    before = path.read_bytes()
    history = History(path.parent)

    with pytest.raises(
        HistoryError, match=r"written by a newer version of this program \(schema 99, this one knows 2\)"
    ):
        history.open()

    assert path.read_bytes() == before
    assert [entry.name for entry in path.parent.iterdir() if "damaged" in entry.name] == []
    assert history.problem


@pytest.mark.parametrize("script", ["CREATE TABLE songs (title)", "PRAGMA application_id = 7"])
def test_another_program_s_file_is_refused(tmp_path: Path, script: str) -> None:
    path = tmp_path / "history" / "history.sqlite"
    run_script(path, script)
    before = path.read_bytes()

    with pytest.raises(HistoryError, match="another program's database"):
        History(path.parent).open()

    assert path.read_bytes() == before


def test_a_file_that_another_program_makes_meanwhile_is_seen_at_one_moment(tmp_path: Path) -> None:
    path = tmp_path / "history.sqlite"
    with (
        closing(sqlite3.connect(path, isolation_level=None)) as other,
        closing(sqlite3.connect(path, isolation_level=None)) as connection,
    ):
        other.execute("PRAGMA journal_mode = WAL")
        asked: list[str] = []

        def interfere(statement: str) -> None:
            asked.append(statement)
            if sum(word in text for text in asked for word in ("SELECT", "PRAGMA")) == 3:
                migrate(other, MIGRATIONS)

        connection.set_trace_callback(interfere)

        assert check(connection) == 0
        assert check(connection) == len(MIGRATIONS)


def test_a_script_is_taken_apart_into_its_statements() -> None:
    script = "CREATE TABLE a (x, y DEFAULT ';');\n-- a remark; with a semicolon\nINSERT INTO a\nVALUES (1, 2);\n"

    assert [statement.split()[0] for statement in statements(script)] == ["CREATE", "--"]
    assert len(statements(FIRST)) > 10


def test_an_index_of_an_earlier_version_is_made_anew(history_of: HistoryOf, tmp_path: Path) -> None:
    history = history_of()
    record_calls(history, *[("echo", {"text": f"evergreen {n}"}) for n in range(30)])
    history.close()
    with closing(sqlite3.connect(tmp_path / "history" / "history.sqlite")) as connection, connection:
        connection.execute("UPDATE facts SET value = 0 WHERE name = 'index_version'")

    again = history_of()
    again.prune()
    record_calls(again, ("echo", {"text": "evergreen, too"}))

    assert len(found(again, "evergreen")) == 31
    assert found(again, "evergreen 17") == ["18"]
    assert again.forget([row.id for row in again.search().rows]) == 31
    assert found(again, "evergreen") == []
