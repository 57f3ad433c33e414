"""Logs read from their end, searched and summed up."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import pytest

from tests.tools.catalog.calling import failure_of, result_of
from tools.catalog.logs import Logs

LOG = """2026-03-01 12:00:00,100 INFO server: started on port 8080
2026-03-01 12:00:05,000 ERROR worker: order 1234 failed for 'Mira'
Traceback (most recent call last):
  File "worker.py", line 3, in run
ValueError: no stock
2026-03-01 12:30:00 WARNING worker: queue has 17 entries
2026-03-01 13:00:05.000 ERROR worker: order 77 failed for 'Jo'
2026-03-01T13:10:00+01:00 [error] late but level in brackets
"""


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "app.log"
    path.write_bytes(LOG.encode())
    return path


def run(log: Path, tool: str, **arguments: Any) -> Any:
    return result_of(Logs(), tool, {"path": log.name, **arguments}, log.parent)


def test_a_log_is_read_backwards_and_followed_in_whole_lines(log: Path) -> None:
    log.write_bytes(b"".join(b"line %03d \xc3\xa4\n" % number for number in range(100)))

    end = run(log, "get_log_chunk", max_bytes=100)
    before = run(log, "get_log_chunk", max_bytes=100, before=end.start)
    assert (end.text.splitlines()[-1], end.at_end, end.at_start) == ("line 099 ä", True, False)
    assert before.text.endswith(f"line {100 - end.text.count(chr(10)) - 1:03d} ä\n")
    assert before.text.startswith("line ")
    with log.open("ab") as stream:
        stream.write(b"new\nhalf")
    after = run(log, "get_log_chunk", after=end.end)

    assert after.text == "new\nhalf"
    assert run(log, "get_log_chunk", max_bytes=100_000).at_start


def test_a_log_that_was_begun_anew_is_told_of(log: Path) -> None:
    arguments = {"path": "app.log", "after": 10_000}
    assert "was begun anew" in failure_of(Logs(), "get_log_chunk", arguments, log.parent)
    log.write_bytes(b"\0\1\2")
    assert "is none" in failure_of(Logs(), "get_log_chunk", {"path": "app.log"}, log.parent)


@pytest.mark.parametrize(
    ("arguments", "lines"),
    [
        ({}, [1, 2, 6, 7, 8]),
        ({"pattern": "no STOCK"}, [2]),
        ({"least_level": "warning"}, [2, 6, 7, 8]),
        ({"least_level": "error", "max_matches": 1}, [8]),
        ({"least_level": "error", "max_matches": 1, "newest": False}, [2]),
        ({"since": "2026-03-01T12:10:00", "until": "2026-03-01T12:50:00"}, [6, 8]),
    ],
)
def test_entries_are_found_with_what_belongs_to_them(
    log: Path, monkeypatch: pytest.MonkeyPatch, arguments: dict[str, Any], lines: list[int]
) -> None:
    found = run(log, "get_log_matches", **arguments)

    # The last one says its zone, so whether it lies within depends on that of this computer.
    assert [match.line for match in found.matches if match.line != 8] == [line for line in lines if line != 8]
    if 2 in lines:
        assert next(match for match in found.matches if match.line == 2).text.endswith("ValueError: no stock")


@pytest.mark.parametrize(
    ("line", "level", "time"),
    [
        ('{"level": "warn", "time": "2026-03-01T12:00:00Z", "msg": "x"}', "warning", "2026-03-01T12:00:00+00:00"),
        ('{"level": 50, "time": 1772366400000}', "error", "2026-03-01T12:00:00+00:00"),
        ('1.2.3.4 - - [01/Mar/2026:12:00:00 +0000] "GET /" 200', None, "2026-03-01T12:00:00+00:00"),
        ("2026/03/01 12:00:00 FATAL x", "critical", None),
        ("Mar  1 12:00:00 host app[1]: ERROR x", "error", None),
        ("2026-99-99 99:99:99 INFO no time", "info", None),
        ("no error here", None, None),
    ],
)
def test_times_and_levels_of_many_kinds_are_understood(
    log: Path, line: str, level: str | None, time: str | None
) -> None:
    log.write_bytes(gzip.compress(f"{line}\n".encode()))

    [match] = run(log, "get_log_matches").matches

    assert (match.level.value if match.level else None) == level
    if time is not None:
        assert match.time.isoformat() == time


def test_a_log_is_summed_up_by_kinds(log: Path) -> None:
    found = run(log, "summarize_log")

    assert found.count_by_level == {"info": 1, "error": 3, "warning": 1}
    worst = found.kinds[0]
    assert (worst.pattern, worst.count) == ("ERROR worker: order <n> failed for <text>", 2)
    assert (worst.first_line, worst.last_line) == (2, 7)
    assert sum(hour.errors for hour in found.hours) == 3
