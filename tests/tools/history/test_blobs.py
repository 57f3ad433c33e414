"""Large contents stand in files of their own."""

from __future__ import annotations

import os
import time
import zlib
from typing import TYPE_CHECKING, Any

import pytest

from tests.tools.history.recording import executor_for, found, record_calls, record_of
from tests.tools.running import run
from tools import ToolContext, tool
from tools.errors import HistoryError
from tools.history.blobs import LARGE_BYTES, BlobFolder, blob_of
from tools.spec import MISSING

if TYPE_CHECKING:
    from pathlib import Path

    from tests.tools.history.recording import HistoryOf
    from tools.history import History


def files_of(history: History) -> list[Path]:
    return sorted(path for path in history._ledger.blobs.folder.rglob("*") if path.is_file())


def test_contents_come_back_and_are_kept_once(tmp_path: Path) -> None:
    blobs = BlobFolder(tmp_path / "blobs")
    text, noise = blob_of(b"again and again " * 10_000), blob_of(os.urandom(100_000))

    sizes = [blobs.write(blob) for blob in (text, noise, text)]

    assert blobs.read(text.digest) == text.content
    assert blobs.read(noise.digest) == noise.content
    assert sizes[0] == sizes[2] < 2_000
    assert 100_000 <= sizes[1] < 100_100
    written = sorted(path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*") if path.is_file())
    assert written == sorted(f"blobs/{blob.digest[:2]}/{blob.digest}.z" for blob in (text, noise))


def test_a_changed_or_missing_content_is_noticed(tmp_path: Path) -> None:
    blobs = BlobFolder(tmp_path)
    blob = blob_of(os.urandom(100))
    blobs.write(blob)
    path = tmp_path / blob.digest[:2] / f"{blob.digest}.z"

    path.write_bytes(zlib.compress(b"something else"))
    with pytest.raises(HistoryError, match="was changed"):
        blobs.read(blob.digest)
    path.write_bytes(b"something else")
    with pytest.raises(HistoryError, match="cannot be read"):
        blobs.read(blob.digest)
    blobs.remove(blob.digest)
    with pytest.raises(HistoryError, match="is gone"):
        blobs.read(blob.digest)


def test_what_a_crash_left_half_written_goes(tmp_path: Path) -> None:
    blobs = BlobFolder(tmp_path)
    blob = blob_of(b"x")
    blobs.write(blob)
    (tmp_path / blob.digest[:2] / ".half.123").write_bytes(b"ha")

    assert list(blobs.digests(0.0)) == []
    assert list(blobs.digests(time.time() + 10)) == [blob.digest]
    assert [path.name for path in tmp_path.rglob("*") if path.is_file()] == [f"{blob.digest}.z"]


@tool
async def grow(text: str, ctx: ToolContext, lines: int = 0) -> dict[str, Any]:
    """Give much back."""
    for number in range(lines):
        ctx.log("info", f"line {number} of a long log")
    return {"text": text * 10, "numbers": list(range(1_000))}


def test_large_arguments_results_and_logs_come_back_and_are_found_by_their_beginning(history_of: HistoryOf) -> None:
    history = history_of()
    executor = executor_for(history, grow)
    text = "beginning " + "many words " * 20_000 + " ending"

    calls = [executor.create_call("grow", {"text": text, "lines": 5_000}) for _ in range(2)]
    for call in calls:
        run(executor.execute(call))
    history.flush()
    record = record_of(history, calls[0])

    assert record.arguments == {"text": text, "lines": 5_000}
    assert record.text == calls[0].response.text
    assert len(record.logs) == 5_000
    # On a slow machine the calls are also written while they run, with the lines that they had then.
    for path in files_of(history):
        os.utime(path, (0, 0))
    history._writer.order(history._ledger.upkeep(history.retention)).result()
    assert len(files_of(history)) == 4, "arguments and result once, and two logs with their own times"
    assert found(history, "beginning") == ["2", "1"]
    assert found(history, "5000 1 log") == []
    assert found(history, "line 7 log") == ["2", "1"]
    row = history.search().rows[0]
    assert row.arguments_text.startswith('text="beginning many words')
    assert len(row.arguments_text) == len(row.summary) == 200
    executor.close()


def test_contents_that_no_call_uses_any_more_go(history_of: HistoryOf) -> None:
    history = history_of()
    calls = record_calls(
        history, *[("echo", {"text": "much ", "times": LARGE_BYTES}) for _ in range(2)], ("draw", {"size": 10})
    )
    assert len(files_of(history)) == 2

    first, second, drawing = (f"{history.run}-{call.id}" for call in calls)
    assert history.forget([first]) == 1
    assert len(files_of(history)) == 2
    assert history.forget([second, drawing, "nobody-1"]) == 2
    assert files_of(history) == []
    assert history.forget([]) == 0


def test_files_without_a_row_go_in_time(history_of: HistoryOf, tmp_path: Path) -> None:
    history = history_of()
    record_calls(history, ("draw", {"size": 10}))
    stray, fresh = blob_of(b"stray"), blob_of(b"fresh")
    for blob in (stray, fresh):
        history._ledger.blobs.write(blob)
    [used] = [path for path in files_of(history) if path.stem not in {stray.digest, fresh.digest}]
    for path in (used, tmp_path / "history" / "blobs" / stray.digest[:2] / f"{stray.digest}.z"):
        os.utime(path, (0, 0))

    history._writer.order(history._ledger.upkeep(history.retention)).result()

    assert sorted(path.name for path in files_of(history)) == sorted([used.name, f"{fresh.digest}.z"])


def test_a_result_whose_file_is_gone_says_so(history_of: HistoryOf) -> None:
    history = history_of()
    [call] = record_calls(history, ("echo", {"text": "much ", "times": LARGE_BYTES}))
    for path in files_of(history):
        path.unlink()
    record = record_of(history, call)

    assert record.result is MISSING
    assert record.hidden.startswith("Arguments and result cannot be shown: the file that keeps this content is gone")
