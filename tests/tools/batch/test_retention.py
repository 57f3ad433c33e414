"""How long journals of runs are kept."""

from __future__ import annotations

import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tools.batch.journal import Journal
from tools.batch.runs import Keeping, forget, prune
from tools.errors import CallStateError

NOW = datetime(2026, 11, 22, tzinfo=UTC)


def journal(folder: Path, name: str, *, days: float, is_over: bool = True) -> Path:
    path = folder / f"{name}.jsonl"
    path.write_text('{"journal":1}\n' + ('{"over":true}\n' if is_over else '{"begin":"a"}\n'), "utf-8")
    at = (NOW - timedelta(days=days)).timestamp()
    os.utime(path, (at, at))
    return path


def test_old_runs_go_and_interrupted_ones_stay(tmp_path: Path) -> None:
    old, fresh = journal(tmp_path, "a", days=91), journal(tmp_path, "b", days=89)
    interrupted = journal(tmp_path, "c", days=500, is_over=False)
    assert prune(tmp_path, NOW) == [old]
    assert sorted(tmp_path.iterdir()) == [fresh, interrupted]


def test_of_many_runs_the_newest_stay(tmp_path: Path) -> None:
    runs = [journal(tmp_path, f"2026-{number}", days=1, is_over=number != 3) for number in range(6)]
    assert prune(tmp_path, NOW, Keeping(most=2)) == [runs[2], runs[1], runs[0]]
    assert sorted(tmp_path.iterdir()) == [runs[3], runs[4], runs[5]]


def test_an_interrupted_run_is_forgotten_only_when_somebody_says_so(tmp_path: Path) -> None:
    interrupted = journal(tmp_path, "a", days=1, is_over=False)
    with pytest.raises(CallStateError, match="a was interrupted"):
        forget(interrupted)
    forget(interrupted, interrupted_too=True)
    forget(journal(tmp_path, "b", days=1))
    assert not list(tmp_path.iterdir())


def test_a_run_that_is_under_way_is_never_forgotten(tmp_path: Path) -> None:
    path = journal(tmp_path, "a", days=1, is_over=False)
    with Journal(path) as held:
        held.claim()
        with pytest.raises(CallStateError, match="a is under way"):
            forget(path, interrupted_too=True)
    assert path.exists()


@pytest.mark.parametrize("written", [b"", b'{"journal":1,"pl'])
def test_what_never_began_goes_after_a_day(tmp_path: Path, written: bytes) -> None:
    old, fresh = journal(tmp_path, "a", days=2), journal(tmp_path, "b", days=0.5)
    for path, days in ((old, 2.0), (fresh, 0.5)):
        path.write_bytes(written)
        at = (NOW - timedelta(days=days)).timestamp()
        os.utime(path, (at, at))
    assert prune(tmp_path, NOW) == [old]
    forget(fresh)
    assert not list(tmp_path.iterdir())


def test_an_old_run_that_somebody_is_about_stays(tmp_path: Path) -> None:
    path = journal(tmp_path, "a", days=91)
    with Journal(path) as held:
        held.claim()
        assert prune(tmp_path, NOW) == []
    assert prune(tmp_path, NOW) == [path]


def test_no_folder_is_no_trouble(tmp_path: Path) -> None:
    assert prune(tmp_path / "none", NOW) == []
