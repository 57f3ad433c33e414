"""Files of earlier and later versions, and files that are no history."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from tests.tools.history.recording import found, record_calls
from tools.errors import HistoryError
from tools.history import History, Retention
from tools.history.schema_sql import APPLICATION_ID, FIRST, MIGRATIONS, migrate, statements

if TYPE_CHECKING:
    from pathlib import Path

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
INSERT INTO shapes VALUES (1, '[["Execute","ok","",true]]');
INSERT INTO calls VALUES (
    1740800000000000000, 1, 7, 1, 1, 2, 3, 1500, 1, zeroblob(24), 65536, '{{"pattern":"old needle"}}', '["a"]',
    NULL, NULL
);
"""


def test_a_file_of_version_1_is_read_and_its_words_are_found(tmp_path: Path, history_of: HistoryOf) -> None:
    run_script(tmp_path / "history" / "history.sqlite", FIRST, VERSION_1)

    history = history_of(retention=Retention(max_age_days=None))
    record = history.get("oldrun-7")
    history.prune()

    assert record is not None
    assert (record.tool, record.arguments, record.result) == ("search_files", '{"pattern":"old needle"}', '["a"]')
    assert (record.elapsed_s, record.attempts, record.steps[0].name) == (0.0015, 1, "Execute")
    assert found(history, "old needle") == ["7"]


def test_versions_follow_each_other_in_one_transaction(tmp_path: Path) -> None:
    path = tmp_path / "history" / "history.sqlite"
    run_script(path, FIRST, VERSION_1)

    def mark(connection: sqlite3.Connection) -> None:
        connection.execute("UPDATE calls SET result = upper(result)")

    second = "ALTER TABLE calls ADD COLUMN note TEXT;\nCREATE INDEX noted ON calls (note);"
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        assert migrate(connection, (*MIGRATIONS, second, mark)) == 1
        assert connection.execute("PRAGMA user_version").fetchone() == (3,)
        assert connection.execute("SELECT result, note FROM calls").fetchone() == ('["A"]', None)
        assert migrate(connection, (*MIGRATIONS, second, mark)) == 3


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
        HistoryError, match=r"written by a newer version of this program \(schema 99, this one knows 1\)"
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
