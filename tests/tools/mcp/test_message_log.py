"""The log of a server: bounded, numbered, and without secrets."""

from __future__ import annotations

from datetime import UTC, datetime

from tools.masking.paths import MASK
from tools.mcp.message_log import LONGEST, MAX_LINES, Channel, MessageLog

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)


def made(grown: list[int] | None = None) -> MessageLog:
    return MessageLog(lambda: NOON, None if grown is None else lambda: grown.append(1))


def test_lines_are_numbered_and_asked_for_by_number() -> None:
    log = made()
    for at in range(5):
        log.add(Channel.STDERR, f"line {at}")
    assert [line.number for line in log.lines(after=3)] == [4, 5]
    assert [line.text for line in log.lines(most=2)] == ["line 3", "line 4"]
    assert log.lines(after=5) == ()
    assert log.lines()[0].at >= NOON


def test_the_oldest_lines_leave_first() -> None:
    log = made()
    for at in range(MAX_LINES + 10):
        log.add(Channel.NOTE, str(at))
    assert (log.dropped, log.last_number) == (10, MAX_LINES + 10)
    assert log.lines()[0].text == "10"


def test_many_bytes_leave_too() -> None:
    log = made()
    for _ in range(200):
        log.add(Channel.RECEIVED, b"x" * LONGEST)
    assert log.dropped > 0
    assert len(log.lines()) > 1


def test_an_overlong_line_keeps_its_beginning_and_end() -> None:
    log = made()
    log.add(Channel.RECEIVED, b"begin" + b"x" * 500_000 + b"end", method="tools/call", request_id=7)
    (line,) = log.lines()
    assert line.text.startswith("begin")
    assert line.text.endswith("end")
    assert f"{500_008 - LONGEST:,} more" in line.text
    assert (line.size_bytes, line.request_id, line.method) == (500_008, "7", "tools/call")


def test_secrets_are_hidden_in_what_came_before_they_were_known() -> None:
    log = made()
    log.add(Channel.SENT, b'{"token":"s3cret-value"}')
    log.hide({"s3cret-value"})
    log.note("it was s3cret-value")
    assert [line.text for line in log.lines()] == [f'{{"token":"{MASK}"}}', f"it was {MASK}"]


def test_growth_is_told_once_until_somebody_looks() -> None:
    grown: list[int] = []
    log = made(grown)
    log.note("one")
    log.note("two")
    assert len(grown) == 1
    log.lines()
    log.note("three")
    assert len(grown) == 2
