"""Full disks, damaged files, locked files and folders that go away: a clear message, and the program goes on."""

from __future__ import annotations

import contextlib
import errno
import os
import sqlite3
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pytest

from tests.tools.history.dying import ROOT
from tests.tools.history.recording import executor_for, found, record_calls
from tests.tools.running import run, until
from tools.errors import HistoryError
from tools.history import History, HistoryQuery
from tools.history.blobs import LARGE_BYTES, BlobFolder
from tools.history.database import described, put_aside

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.tools.history.recording import HistoryOf

pytestmark = pytest.mark.expects_log("tools.history")


def fill(folder: Path, count: int = 300) -> None:
    """Leave a history of so many calls."""
    history = History(folder)
    history.open()
    record_calls(history, *[("echo", {"text": f"before the fault {n} ", "times": 30}) for n in range(count)])
    history.close()


def write_calls(history: History, count: int = 1) -> None:
    """Run calls without waiting for the disk."""
    executor = executor_for(history)

    async def work() -> None:
        for number in range(count):
            await executor.execute(executor.create_call("echo", {"text": f"during the fault {number}"}))

    run(work())


def test_a_full_disk_is_told_and_writing_goes_on_when_there_is_room(history_of: HistoryOf) -> None:
    history = history_of()
    record_calls(history, ("echo", {"text": "before"}))
    connection = history._ledger.connection
    pages = connection.execute("PRAGMA page_count").fetchone()[0]
    connection.execute(f"PRAGMA max_page_count = {pages}")

    write_calls(history, 500)
    with pytest.raises(HistoryError, match=r"is full; free some space, and recording goes on by itself"):
        history.flush()
    assert "is full" in history.problem
    assert history.search(HistoryQuery(text="before")).total == 1
    write_calls(history, 5)

    connection.execute("PRAGMA max_page_count = 1073741823")
    history.flush()

    assert (history.problem, history.lost) == ("", 0)
    assert history.search().total == 506
    assert found(history, "during", limit=1)


def test_what_has_no_room_in_memory_either_is_counted(history_of: HistoryOf, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tools.history.writer.MOST_WAITING_BYTES", 20_000)
    history = history_of()
    pages = history._ledger.connection.execute("PRAGMA page_count").fetchone()[0]
    history._ledger.connection.execute(f"PRAGMA max_page_count = {pages}")

    write_calls(history, 1_000)
    with pytest.raises(HistoryError):
        history.flush()

    assert 0 < history.lost < 1_000
    assert history.problem.endswith(f"{history.lost:,} calls were not recorded")
    history._ledger.connection.execute("PRAGMA max_page_count = 1073741823")
    history.flush()
    assert history.search(HistoryQuery(limit=1_000)).total == 1_000 - history.lost
    assert history.problem == f"the disk was slower than the calls; {history.lost:,} calls were not recorded"


def test_a_queue_that_is_full_counts_and_blocks_nobody(history_of: HistoryOf) -> None:
    history = history_of()
    connection = history._ledger.connection
    pages = connection.execute("PRAGMA page_count").fetchone()[0]
    connection.execute(f"PRAGMA max_page_count = {pages}")
    write_calls(history, 500)
    with pytest.raises(HistoryError):
        history.flush()
    history.receive.limit = 10
    write_calls(history, 2_000)

    assert history.lost > 0
    connection.execute("PRAGMA max_page_count = 1073741823")


def test_large_results_that_wait_are_bounded_by_what_they_hold(
    history_of: HistoryOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tools.history.intake.MOST_HELD_BYTES", 10 * LARGE_BYTES)
    history = history_of()
    executor = executor_for(history)
    with closing(sqlite3.connect(history._ledger.path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        for number in range(40):
            run(executor.execute(executor.create_call("echo", {"text": f"{number:02} ", "times": LARGE_BYTES})))
        other.execute("COMMIT")
    history.flush()

    kept = history.search().total
    assert kept + history.lost == 40
    assert 3 <= kept < 40
    for number in range(3):
        run(executor.execute(executor.create_call("echo", {"text": f"{number:02} ", "times": LARGE_BYTES})))
        history.flush()
    assert history.search().total == kept + 3


def test_a_large_content_without_room_is_written_later(history_of: HistoryOf, monkeypatch: pytest.MonkeyPatch) -> None:
    history = history_of()

    def full(self: BlobFolder, blob: Any) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(BlobFolder, "write", full)
    executor = executor_for(history)
    run(executor.execute(executor.create_call("echo", {"text": "much ", "times": LARGE_BYTES})))
    with pytest.raises(HistoryError, match="is full"):
        history.flush()
    monkeypatch.undo()
    history.flush()

    [row] = history.search().rows
    record = history.get(row.id)
    assert record is not None
    assert len(record.text) == 5 * LARGE_BYTES


def garbage(path: Path) -> None:
    path.write_bytes(b"this is no database " * 1_000)


def truncated(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 2)


def flipped(path: Path) -> None:
    content = bytearray(path.read_bytes())
    for start in range(8192, len(content), 4096):
        content[start : start + 200] = os.urandom(200)
    path.write_bytes(content)


def header_gone(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[:100] = bytes(100)
    path.write_bytes(content)


@pytest.mark.parametrize("damage", [garbage, truncated, header_gone])
def test_a_damaged_file_is_kept_aside_and_a_fresh_one_begun(tmp_path: Path, damage: Any) -> None:
    folder = tmp_path / "history"
    fill(folder)
    path = folder / "history.sqlite"
    damage(path)
    content = path.read_bytes()

    history = History(folder, clock=lambda: datetime(2026, 11, 22, 1, 30, tzinfo=UTC).timestamp())
    report = history.open()
    record_calls(history, ("echo", {"text": "after"}))
    history.close()

    assert report.kept_aside == folder / "history.sqlite.damaged-20261122-013000"
    assert report.message == (
        "The history was damaged; it is kept as history.sqlite.damaged-20261122-013000, and a new one was begun"
    )
    assert report.kept_aside.read_bytes() == content
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT count(*) FROM calls").fetchone() == (1,)


def test_flipped_pages_are_noticed_after_a_bad_end(tmp_path: Path) -> None:
    folder = tmp_path / "history"
    fill(folder)
    with closing(sqlite3.connect(folder / "history.sqlite")) as connection, connection:
        connection.execute("UPDATE runs SET closed_us = NULL")
    flipped(folder / "history.sqlite")

    history = History(folder)
    report = history.open()
    history.close()

    assert report.kept_aside is not None


def test_damage_found_while_reading_is_mended_while_running(tmp_path: Path) -> None:
    folder = tmp_path / "history"
    fill(folder)
    flipped(folder / "history.sqlite")
    history = History(folder)
    try:
        report = history.open()
        if report.kept_aside is None:
            for text in ("", "fault"):
                with contextlib.suppress(HistoryError):
                    history.search(HistoryQuery(text=text, limit=1_000))
            history._writer.look_for_damage()
            run(until(lambda: any("damaged" in path.name for path in folder.iterdir())))
        write_calls(history, 3)
        history.flush()
        assert history.search(HistoryQuery(text="during")).total == 3
        assert history.problem == ""
    finally:
        history.close()


def files_aside(folder: Path) -> list[Path]:
    """Return the damaged files that were put aside."""
    return [path for path in folder.iterdir() if "damaged" in path.name and not path.name.endswith(("-wal", "-shm"))]


def damage(code: int = sqlite3.SQLITE_CORRUPT) -> sqlite3.DatabaseError:
    """Return what SQLite raises when it finds a file damaged."""
    error = sqlite3.DatabaseError("database disk image is malformed")
    error.sqlite_errorcode = code
    return error


def test_damage_found_while_writing_loses_nothing_of_now(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    history = History(tmp_path / "history")
    history.open()
    write = history._ledger.write

    def broken(rows: Any) -> list[int]:
        monkeypatch.setattr(history._ledger, "write", write)
        raise damage()

    monkeypatch.setattr(history._ledger, "write", broken)
    write_calls(history, 3)
    run(until(lambda: history.search().total == 3))

    assert [path.name for path in (tmp_path / "history").iterdir() if "damaged" in path.name]
    assert history.problem == ""
    history.close()


def test_a_fresh_file_in_place_of_a_damaged_one_is_not_put_aside_by_the_next_program(
    history_of: HistoryOf, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = history_of(), history_of()
    write_first, write_second = first._ledger.write, second._ledger.write

    def broken(rows: Any) -> list[int]:
        monkeypatch.setattr(first._ledger, "write", write_first)
        raise damage()

    def broken_after_the_other(rows: Any) -> list[int]:
        monkeypatch.setattr(second._ledger, "write", write_second)
        write_calls(first)
        first.flush()
        raise damage()

    monkeypatch.setattr(first._ledger, "write", broken)
    monkeypatch.setattr(second._ledger, "write", broken_after_the_other)
    write_calls(second)
    run(until(lambda: second.search().total == 2))

    assert first.search().total == second.search().total == 2
    assert first.problem == second.problem == ""
    assert len(files_aside(tmp_path / "history")) == 1


def test_programs_that_open_a_damaged_history_together_put_one_file_aside(tmp_path: Path) -> None:
    folder = tmp_path / "history"
    fill(folder, 3)
    garbage(folder / "history.sqlite")
    histories, start = [History(folder) for _ in range(8)], threading.Barrier(8)

    def open_one(history: History) -> bool:
        start.wait(20)
        return history.open().kept_aside is not None

    with ThreadPoolExecutor(8) as pool:
        kept = list(pool.map(open_one, histories))
    for history in histories:
        write_calls(history)
        history.close()

    assert sum(kept) == len(files_aside(folder)) == 1
    assert histories[0].search().total == 8


@pytest.mark.parametrize("calls", [0, 1], ids=["seen by a reader", "seen by the writer"])
def test_a_damaged_index_is_made_anew_and_no_call_lost(history_of: HistoryOf, calls: int) -> None:
    history = history_of()
    record_calls(history, *[("echo", {"text": f"evergreen {n}"}) for n in range(20)])
    connection = history._ledger.connection
    connection.execute("UPDATE words_data SET block = randomblob(50) WHERE id >= 10")

    write_calls(history, calls)
    # It may be noticed now or with the next batch.
    with contextlib.suppress(HistoryError):
        history.flush()

    def is_mended() -> bool:
        try:
            return len(found(history, "evergreen")) == 20
        except HistoryError:
            return False

    run(until(is_mended))
    history.flush()
    assert history.search().total == 20 + calls
    assert len(found(history, "during")) == calls
    assert history.forget([row.id for row in history.search().rows]) == 20 + calls
    assert found(history, "evergreen") == []
    assert not [path for path in history._ledger.path.parent.iterdir() if "damaged" in path.name]


def looks_at(history: History) -> list[str]:
    """Return what is going to hold an entry for each time the whole file is looked through."""
    looks: list[str] = []
    history._ledger.connection.set_trace_callback(lambda text: looks.append(text) if "quick_check" in text else None)
    return looks


def test_many_readers_who_see_damage_order_one_look(history_of: HistoryOf) -> None:
    history, is_over = history_of(), threading.Event()
    looks = looks_at(history)

    def busy() -> Iterator[int]:
        is_over.wait(20)
        yield 0

    done = history._writer.order(busy())
    for _ in range(20):
        history._writer.look_for_damage()
    is_over.set()
    done.result(20)
    history.prune()
    assert len(looks) == 1

    history._writer.look_for_damage()
    history.prune()
    assert len(looks) == 2


def test_a_reader_without_memory_says_so_and_has_nothing_looked_through(
    history_of: HistoryOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    history = history_of()
    [call] = record_calls(history, ("echo", {"text": "large ", "times": LARGE_BYTES}))
    looks = looks_at(history)

    def no_room(*_: object) -> bytes:
        raise MemoryError

    monkeypatch.setattr("tools.history.blobs.zlib.decompress", no_room)
    with pytest.raises(HistoryError, match="does not fit into memory; ask for less"):
        history.get(f"{history.run}-{call.id}")
    history.prune()

    assert looks == []


def test_a_repair_without_memory_is_told_and_tried_again(
    history_of: HistoryOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    history = history_of()
    write, repair = history._ledger.write, history._ledger.make_index_anew

    def broken(rows: Any) -> list[int]:
        raise damage(sqlite3.SQLITE_CORRUPT_VTAB)

    def no_room() -> None:
        raise MemoryError

    monkeypatch.setattr(history._ledger, "write", broken)
    monkeypatch.setattr(history._ledger, "make_index_anew", no_room)
    write_calls(history, 2)
    with pytest.raises(HistoryError, match=r"the index of words in history\.sqlite is damaged"):
        history.flush()
    monkeypatch.setattr(history._ledger, "make_index_anew", repair)
    monkeypatch.setattr(history._ledger, "write", write)
    history.flush()

    assert history.search().total == 2
    assert history.problem == ""


def test_what_is_under_way_ends_when_the_file_is_replaced(history_of: HistoryOf, tmp_path: Path) -> None:
    history = history_of()

    def endless() -> Iterator[int]:
        while True:
            yield 0

    done = [history._writer.order(endless()) for _ in range(2)]
    (tmp_path / "history").rename(tmp_path / "elsewhere")
    write_calls(history)
    history.flush()

    for one in done:
        with pytest.raises(HistoryError, match="was replaced before it was done; try again"):
            one.result(20)
    assert history.prune() == 0
    assert history.problem == ""


def test_a_folder_that_goes_away_comes_back(history_of: HistoryOf, tmp_path: Path) -> None:
    history = history_of()
    record_calls(history, ("echo", {"text": "before"}))
    (tmp_path / "history").rename(tmp_path / "elsewhere")

    write_calls(history, 3)
    history.flush()

    assert history.problem == ""
    assert history.search().total == 3
    assert len(found(history, "during")) == 3
    history.close()
    old = History(tmp_path / "elsewhere")
    old.open()
    assert old.search().total == 1
    old.close()


def test_a_file_in_the_folder_s_place_is_told(tmp_path: Path) -> None:
    (tmp_path / "history").write_text("not a folder", encoding="utf-8")
    history = History(tmp_path / "history")

    told = r"calls are not recorded: \S*history cannot be written \(a file is in the folder's place\); allow writing"
    with pytest.raises(HistoryError, match=told):
        history.open()
    write_calls(history, 2)

    assert history.lost == 2
    assert history.search().total == 0


READ_ONLY = """
import os, sys
from pathlib import Path
from tools.errors import HistoryError
from tools.history import History
if hasattr(os, "seteuid") and os.geteuid() == 0:
    os.seteuid(65534)
try:
    History(Path(sys.argv[1])).open()
except HistoryError as error:
    print(error)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="folders have other permissions there")
@pytest.mark.parametrize("existing", [False, True])
def test_a_read_only_folder_is_told(tmp_path: Path, *, existing: bool) -> None:
    folder = tmp_path / "history"
    if existing:
        fill(folder, 3)
    else:
        folder.mkdir()
    for path in (tmp_path, *tmp_path.parents):
        if path.stat().st_uid == os.getuid() and path.is_relative_to(tmp_path.parents[2]):
            path.chmod(0o755)
    for path in (folder, *folder.rglob("*")):
        path.chmod(0o555 if path.is_dir() else 0o444)
    try:
        done = subprocess.run(
            [sys.executable, "-c", READ_ONLY, str(folder)], cwd=ROOT, capture_output=True, text=True, check=False
        )
    finally:
        folder.chmod(0o755)

    assert done.stdout.startswith("calls are not recorded: "), done.stderr
    assert "allow writing there, or name another data folder" in done.stdout


def test_a_locked_file_is_waited_for(history_of: HistoryOf, tmp_path: Path) -> None:
    history = history_of()
    with closing(sqlite3.connect(tmp_path / "history" / "history.sqlite", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        write_calls(history, 1)
        with pytest.raises(HistoryError, match=r"did not take the newest calls within 0\.2 s"):
            history.flush(timeout_s=0.2)
        assert history.search().total == 0
        other.execute("COMMIT")
    history.flush()

    assert history.search().total == 1


def test_files_are_put_aside_under_names_of_their_own(tmp_path: Path) -> None:
    now = datetime(2026, 11, 22, 1, 30, tzinfo=UTC)
    names = []
    for _ in range(3):
        path = tmp_path / "history.sqlite"
        path.write_text("x", encoding="utf-8")
        (tmp_path / "history.sqlite-wal").write_text("y", encoding="utf-8")
        names.append(put_aside(path, now).name)

    assert names == [f"history.sqlite.damaged-20261122-013000{end}" for end in ("", "-2", "-3")]
    assert sum(path.name.endswith("-wal") for path in tmp_path.iterdir()) == 3


def test_a_fault_of_the_system_is_told_without_its_number(tmp_path: Path) -> None:
    told = described(PermissionError(errno.EACCES, "Permission denied", "x"), tmp_path / "history.sqlite")

    assert told == f"{tmp_path} cannot be written (permission denied); allow writing there, or name another data folder"


def test_a_python_without_a_full_text_index_is_told(tmp_path: Path) -> None:
    told = described(sqlite3.OperationalError("no such module: fts5"), tmp_path / "history.sqlite")

    assert told.endswith("start the program with a Python that has one")


@pytest.mark.parametrize(
    ("code", "words"),
    [
        (sqlite3.SQLITE_FULL, "free some space"),
        (sqlite3.SQLITE_READONLY, "allow writing there"),
        (sqlite3.SQLITE_BUSY, "close it"),
        (sqlite3.SQLITE_CORRUPT, "is damaged"),
        (sqlite3.SQLITE_IOERR, "cannot be used (it broke)"),
    ],
)
def test_each_fault_says_what_to_do(tmp_path: Path, code: int, words: str) -> None:
    error = sqlite3.OperationalError("it broke")
    error.sqlite_errorcode = code

    assert words in described(error, tmp_path / "history.sqlite")
