"""Files of other versions, and files that are no history."""

from __future__ import annotations

import sqlite3
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from tools.errors import HistoryError
from tools.history import History
from tools.history.database import APPLICATION_ID, VERSION


def run_script(path: Path, *scripts: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(path)) as connection:
        for script in scripts:
            connection.executescript(script)


@pytest.mark.parametrize("version", [1, 99])
def test_another_version_is_refused_and_left_alone(tmp_path: Path, version: int) -> None:
    path = tmp_path / "history" / "history.sqlite"
    run_script(
        path, f"PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = {version}; CREATE TABLE calls (id)"
    )
    before = path.read_bytes()
    history = History(path.parent)

    told = rf"another version of this program \(schema {version}, this one knows {VERSION}\); use that version, move"
    with pytest.raises(HistoryError, match=told):
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


def test_programs_that_make_the_file_at_the_same_time_make_one(tmp_path: Path) -> None:
    start = threading.Barrier(8)

    def make(_: int) -> History:
        history = History(tmp_path / "history")
        start.wait(20)
        history.open()
        return history

    with ThreadPoolExecutor(8) as pool:
        histories = list(pool.map(make, range(8)))
    for history in histories:
        history.close()

    with closing(sqlite3.connect(tmp_path / "history" / "history.sqlite")) as connection:
        assert connection.execute("SELECT count(DISTINCT name) FROM runs WHERE closed_us > 0").fetchone() == (8,)
    assert [path.name for path in (tmp_path / "history").iterdir() if "damaged" in path.name] == []
