from __future__ import annotations

import sqlite3
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tools import CallStatus, ToolMetrics
from tools.health import HealthChange, HealthLimits, HealthMonitor, HealthStatus, ToolHealthRegistry, Transitions
from tools.health.transitions import KEPT, QUIET
from tools.metrics import EndedCall

UP, DEGRADED, DOWN, UNKNOWN = HealthStatus
MORNING = datetime(2026, 3, 31, 6, 0, tzinfo=UTC)


def change(before: HealthStatus, after: HealthStatus, minutes: float = 0, tool: str = "search") -> HealthChange:
    return HealthChange(tool, before, after, None if after is UP else "no answer", MORNING + timedelta(minutes=minutes))


def told(transitions: Transitions, *changes: HealthChange) -> list[HealthChange]:
    return [news for item in changes for news in transitions.take([item], item.at)]


@pytest.fixture
def transitions(tmp_path: Path) -> Transitions:
    return Transitions(tmp_path / "data")


def test_changes_are_listed_newest_first_after_a_restart_too(transitions: Transitions) -> None:
    assert (transitions.newest(), transitions.latest()) == ([], {})
    first, second, other = change(UNKNOWN, UP), change(UP, DOWN, 5), change(UNKNOWN, DEGRADED, 7, "fetch")
    transitions.take([first, second, other], other.at)
    transitions.flush(other.at)
    again = Transitions(transitions.path.parent)
    assert again.newest() == [other, second, first]
    assert again.newest("search", limit=1) == [second]
    assert again.latest() == {"search": second, "fetch": other}


def test_old_changes_are_forgotten(transitions: Transitions) -> None:
    old, new = change(UNKNOWN, UP), change(UP, DOWN, KEPT.total_seconds() / 60 + 1)
    transitions.take([old, new], new.at)
    transitions.flush(new.at)
    assert transitions.newest() == [new]


def test_trouble_is_told_once_and_its_end_too(transitions: Transitions) -> None:
    changes = [
        change(UNKNOWN, UP),
        change(UP, DEGRADED, 1),
        change(DEGRADED, DOWN, 2),
        change(DOWN, UNKNOWN, 3),
        change(UNKNOWN, UP, 4),
        change(UP, UNKNOWN, 5),
    ]
    assert told(transitions, *changes) == [changes[1], changes[2], changes[4]]
    late = change(UNKNOWN, DOWN, 60)
    assert transitions.take([late], late.at) == (late,)


def test_back_and_forth_is_told_once_however_often_it_is_listed(transitions: Transitions) -> None:
    changes = [item for minute in range(0, 8, 2) for item in (change(UP, DOWN, minute), change(DOWN, UP, minute + 1))]
    assert told(transitions, *changes) == changes[:2]
    transitions.flush(MORNING)
    assert transitions.newest() == changes[::-1]


def test_what_was_kept_quiet_is_told_when_it_lasts(transitions: Transitions) -> None:
    first, over, again = change(UP, DOWN), change(DOWN, UP, 1), change(UP, DOWN, 2)
    assert told(transitions, first, over, again) == [first, over]
    just_before = MORNING + QUIET - timedelta(seconds=1)
    assert transitions.take([], just_before) == ()
    assert transitions.take([], MORNING + QUIET) == (again,)
    assert transitions.take([], MORNING + 2 * QUIET) == ()


def test_the_same_trouble_is_told_again_after_a_while(transitions: Transitions) -> None:
    first, pause, again = change(UP, DOWN), change(DOWN, UNKNOWN, 2), change(UNKNOWN, DOWN, 3)
    assert told(transitions, first, pause, again) == [first]
    tomorrow = change(UNKNOWN, DOWN, 24 * 60)
    assert told(transitions, change(DOWN, UNKNOWN, 60), tomorrow) == [tomorrow]


def test_who_wants_no_news_of_a_tool_still_finds_them_listed(tmp_path: Path) -> None:
    transitions = Transitions(tmp_path, lambda name: name != "search")
    quiet, loud = change(UP, DOWN), change(UP, DOWN, tool="fetch")
    assert told(transitions, quiet, loud) == [loud]
    transitions.flush(MORNING)
    assert len(transitions.newest()) == 2


def test_the_end_of_trouble_from_before_a_restart_is_told(transitions: Transitions) -> None:
    over = change(DOWN, UP)
    assert told(transitions, over) == [over]


def test_what_cannot_be_written_is_kept_for_later(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("a file in the folder's place")
    transitions = Transitions(tmp_path / "data")
    down = change(UP, DOWN)
    transitions.take([down], down.at)
    with pytest.raises(OSError, match="data"):
        transitions.flush(MORNING)
    (tmp_path / "data").unlink()
    transitions.flush(MORNING)
    transitions.flush(MORNING)
    assert transitions.newest() == [down]


@pytest.mark.expects_log("tools.health.file")
def test_a_damaged_file_is_put_aside(transitions: Transitions) -> None:
    transitions.path.parent.mkdir()
    transitions.path.write_bytes(b"no database" * 200)
    with pytest.raises(sqlite3.DatabaseError):
        transitions.newest()
    down = change(UP, DOWN)
    transitions.take([down], down.at)
    transitions.flush(MORNING)
    assert transitions.newest() == [down]
    assert len(list(transitions.path.parent.glob("*.damaged-*"))) == 1


def test_a_restart_is_no_change_but_what_happened_meanwhile_is(transitions: Transitions) -> None:
    metrics = ToolMetrics(lambda: 5000.0, wall=lambda: MORNING + timedelta(hours=2))
    registry = ToolHealthRegistry(metrics, HealthLimits(least_calls=1))
    registry.register_all(["broken", "mended", "worse", "idle", "new"])
    known = {
        "broken": change(UP, DOWN, tool="broken"),
        "mended": change(UP, DOWN, tool="mended"),
        "worse": change(UNKNOWN, UP, tool="worse"),
        "idle": change(UP, DOWN, tool="idle"),
    }
    for name, status in (("broken", "failed"), ("mended", "executed"), ("worse", "failed"), ("new", "failed")):
        metrics.record(EndedCall(name, CallStatus(status), 0.1))
    monitor = HealthMonitor(registry, metrics, known)
    changes = monitor.look()
    assert [item[:3] for item in changes] == [("mended", DOWN, UP), ("worse", UP, DOWN), ("new", UNKNOWN, DOWN)]
    assert monitor.since("broken") == MORNING
    assert (monitor.health("broken").status, monitor.health("broken").reason) == (
        DOWN,
        "success is 0%, below 80%; failed once",
    )
    assert monitor.health("idle").status is UNKNOWN
    assert monitor.look() == ()


def test_a_tool_that_is_loaded_anew_changes_nothing(transitions: Transitions) -> None:
    metrics = ToolMetrics(lambda: 5000.0, wall=lambda: MORNING)
    registry = ToolHealthRegistry(metrics, HealthLimits(least_calls=1))
    undo = registry.register("search")
    metrics.record(EndedCall("search", CallStatus.FAILED, 0.1))
    monitor = HealthMonitor(registry, metrics)
    assert len(monitor.look()) == 1
    undo()
    monitor.look()
    registry.register("search")
    assert monitor.look() == ()
    assert (monitor.health("search").status, monitor.since("search")) == (DOWN, MORNING)
