from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QApplication

from console.theme import load_theme
from console.widgets import (
    elide_middle,
    format_count,
    format_countdown,
    format_duration_ms,
    format_full_time,
    format_size,
    format_time,
)

NOON = datetime(2026, 5, 12, 12, 0, tzinfo=UTC).astimezone().replace(hour=14, minute=32, second=5)


@pytest.mark.parametrize(
    ("duration_ms", "words"),
    [
        (None, "n/a"),
        (0.0, "0.0 ms"),
        (0.44, "0.4 ms"),
        (9.96, "10 ms"),
        (38.2, "38 ms"),
        (999.4, "999 ms"),
        (999.6, "1.00 s"),
        (2690, "2.69 s"),
        (59_994, "59.99 s"),
        (59_996, "1:00"),
        (102_000, "1:42"),
        (3_723_000, "1:02:03"),
    ],
)
def test_durations(duration_ms: float | None, words: str) -> None:
    assert format_duration_ms(duration_ms) == words


@given(st.floats(min_value=0, max_value=1e9))
def test_a_duration_never_shows_a_full_unit_of_the_next(duration_ms: float) -> None:
    words = format_duration_ms(duration_ms)
    assert words not in {"1000 ms", "60.00 s", "10.0 ms"}
    assert ":60" not in words


@pytest.mark.parametrize(("seconds", "words"), [(-3, "0:00"), (29.6, "0:30"), (272, "4:32"), (3600, "1:00:00")])
def test_countdowns(seconds: float, words: str) -> None:
    assert format_countdown(seconds) == words


def test_counts() -> None:
    assert [format_count(count) for count in (None, 0, 1204, 1_000_000)] == ["n/a", "0", "1,204", "1,000,000"]


@pytest.mark.parametrize(
    ("size_bytes", "words"),
    [
        (None, "n/a"),
        (0, "0 B"),
        (1023, "1023 B"),
        (1024, "1.0 KB"),
        (18 * 1024, "18 KB"),
        (1024 * 1024 - 1, "1.0 MB"),
        (2_202_010, "2.1 MB"),
        (5 * 1024**3, "5.0 GB"),
        (9_000 * 1024**4, "9,000 TB"),
    ],
)
def test_sizes(size_bytes: int | None, words: str) -> None:
    assert format_size(size_bytes) == words


def test_times_are_exact_today_and_rough_before() -> None:
    assert format_time(None) == ""
    assert format_time(NOON, now=NOON + timedelta(hours=1)) == "14:32:05"
    assert format_time(NOON, now=NOON + timedelta(days=1)) == "yesterday"
    night = datetime(2026, 5, 13, 0, 20).astimezone()
    assert format_time(night - timedelta(minutes=30), now=night) == "23:50:00"
    assert format_time(night - timedelta(hours=13), now=night) == "yesterday"
    assert format_time(NOON, now=NOON + timedelta(days=2)) == "2 days ago"
    assert format_time(NOON, now=NOON - timedelta(seconds=1)) == "14:32:05"
    assert format_time(datetime.now(UTC)).count(":") == 2


def test_the_full_time_has_date_and_zone() -> None:
    full = format_full_time(NOON.replace(microsecond=412_000))
    assert full.startswith("2026-05-12 14:32:05.412 ")
    assert full[-5] in "+-"


def test_paths_keep_their_ends(qapp: QApplication) -> None:
    metrics = QFontMetrics(load_theme("light").font("body"))
    path = "/home/mira/exports/2023/a/very/deep/folder/report.csv"
    short = elide_middle(path, metrics, 160)
    assert metrics.horizontalAdvance(short) <= 160
    assert short.startswith("/home")
    assert short.endswith(".csv")
    assert elide_middle("a.csv", metrics, 160) == "a.csv"
