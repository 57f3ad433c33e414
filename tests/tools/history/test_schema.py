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
from tools.history.schema import APPLICATION_ID, DRAFT_ID, VERSION, check, create

if TYPE_CHECKING:
    from tests.tools.history.recording import HistoryOf


def run_script(path: Path, *scripts: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(path)) as connection:
        for script in scripts:
            connection.executescript(script)


def test_a_file_of_an_earlier_version_is_put_aside_with_a_message(tmp_path: Path) -> None:
    path = tmp_path / "history" / "history.sqlite"
    run_script(path, "CREATE TABLE calls (id, body)", f"PRAGMA application_id = {DRAFT_ID}; PRAGMA user_version = 2")
    before = path.read_bytes()
    history = History(path.parent)

    report = history.open()
    record_calls(history, ("echo", {"text": "new"}))

    assert report.kept_aside is not None
    assert report.kept_aside.name.startswith("history.sqlite.earlier-")
    assert report.kept_aside.read_bytes() == before
    assert report.message == (
        "The history was written by an earlier version of this program, in a form that this one does not read."
        f" It is kept as {report.kept_aside.name}, and a new one was begun"
    )
    assert found(history, "new") == ["1"]
    history.close()


def test_a_newer_version_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "history" / "history.sqlite"
    run_script(path, f"PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = 99; CREATE TABLE calls (id)")
    before = path.read_bytes()
    history = History(path.parent)

    with pytest.raises(
        HistoryError, match=r"written by a newer version of this program \(schema 99, this one knows 1\)"
    ):
        history.open()

    assert path.read_bytes() == before
    assert [entry.name for entry in path.parent.iterdir() if entry.name != path.name] == []
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
                create(other)

        connection.set_trace_callback(interfere)

        assert check(connection) == 0
        assert check(connection) == VERSION


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
