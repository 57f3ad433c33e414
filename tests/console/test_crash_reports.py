"""A failure of the program itself leaves a report on this computer, in which secrets are hidden."""

from __future__ import annotations

import asyncio
import faulthandler
import logging
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from console import crash_reports
from console.crash_reports import CrashReports, masked

pytestmark = pytest.mark.expects_log("console", "asyncio", "tools.calls")


@pytest.fixture
def reports(tmp_path: Path) -> Iterator[CrashReports]:
    """Return what writes reports, standing at the root logger for the time of a test."""
    reports = CrashReports(tmp_path / "crashes")
    logging.getLogger().addHandler(reports)
    yield reports
    logging.getLogger().removeHandler(reports)


def written() -> None:
    for thread in threading.enumerate():
        if thread.name == "crash report":
            thread.join()


def fail(text: str, logger: str = "console.engine", level: int = logging.ERROR) -> None:
    try:
        raise ValueError(text)
    except ValueError as error:
        logging.getLogger(logger).log(level, "something failed", exc_info=error)
    written()


def test_a_report_tells_what_failed_where_and_in_which_program(reports: CrashReports) -> None:
    fail("no such row")
    (report,) = reports.latest()
    assert report.title == "ValueError in console.engine, thread MainThread"
    assert "no such row" in report.text
    assert "in fail" in report.text
    assert "Tool Console 0." in report.text
    assert "Nothing of this was sent anywhere." in report.text


def test_secrets_and_the_home_folder_are_hidden_in_a_report(
    reports: CrashReports, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WEATHER_API_KEY", "sunny-intervals-9431")
    monkeypatch.setenv("HOME", "/home/somebody")
    token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    fail(f"/home/somebody/notes: sunny-intervals-9431 and {token}")
    (report,) = reports.latest()
    for secret in ("sunny-intervals", token, "/home/somebody"):
        assert secret not in report.text
    assert "~/notes" in report.text
    assert masked("nothing to hide") == "nothing to hide"


def test_a_failed_task_of_the_engine_and_of_the_window_is_reported(reports: CrashReports) -> None:
    async def run() -> None:
        loop = asyncio.get_running_loop()
        loop.call_soon(lambda: 1 / 0)
        await asyncio.sleep(0)

    thread = threading.Thread(target=asyncio.run, args=(run(),), name="engine")
    thread.start()
    thread.join()
    written()
    (report,) = reports.latest()
    assert report.title == "ZeroDivisionError in asyncio, thread engine"


def test_what_a_tool_raises_is_no_failure_of_the_program(reports: CrashReports) -> None:
    fail("the tool's own", "tools.calls")
    assert reports.latest() == ()


def test_what_fails_again_and_again_is_reported_once_and_old_reports_go(
    reports: CrashReports, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(3):
        fail("again")
    assert len(reports.latest()) == 1
    monkeypatch.setattr(crash_reports, "KEPT", 3)
    for number in range(5):
        fail(f"another {number}")
    assert len(reports.latest()) == 3
    monkeypatch.setattr(crash_reports, "MOST_A_RUN", 6)
    before = reports.latest()
    fail("one too many")
    assert reports.latest() == before


def test_a_disk_that_takes_no_report_stops_nobody(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    reports = CrashReports(tmp_path / "file" / "crashes")
    reports.begin()
    reports.handle(logging.makeLogRecord({"name": "console", "levelno": logging.ERROR, "exc_info": error_info()}))
    written()
    assert reports.latest() == ()
    reports.end()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no limit of sizes")
def test_a_full_disk_ends_no_program_otherwise_and_is_no_crash_for_the_next_start(tmp_path: Path) -> None:
    from tests.full_disk import full_disk  # noqa: PLC0415 -- Windows has nothing of it

    reports = CrashReports(tmp_path / "crashes")
    with full_disk():
        reports.begin()
        reports.handle(logging.makeLogRecord({"name": "console", "levelno": logging.ERROR, "exc_info": error_info()}))
        written()
        reports.end()
    assert list((tmp_path / "crashes").glob("*.report.txt")) == []
    reports.begin()
    assert reports.of_last_start() is None
    reports.end()


def error_info() -> tuple[type[BaseException], BaseException, None]:
    return ValueError, ValueError("broken"), None


CRASH = """
import ctypes, sys
from pathlib import Path
from console.crash_reports import CrashReports
reports = CrashReports(Path(sys.argv[1]))
reports.begin()
if sys.argv[2] == "end":
    reports.end()
elif sys.argv[2] == "hang":
    import threading
    from console import crash_reports
    crash_reports.END_PATIENCE_S = 0.2
    reports.expect_end()
    threading.Event().wait()
elif sys.argv[2] == "fault":
    ctypes.string_at(0)
else:
    import os
    os._exit(1)
"""


@pytest.mark.parametrize(
    ("how", "title"),
    [
        ("fault", "the last start met a fatal error"),
        ("exit", "the last start was killed, or the computer went off"),
        ("hang", "the last start did not end after its window was closed"),
        ("end", ""),
    ],
)
def test_the_next_start_is_told_how_the_last_one_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: str, title: str
) -> None:
    subprocess.run([sys.executable, "-c", CRASH, str(tmp_path), how], check=False, capture_output=True)
    assert (tmp_path / "running.txt").exists() is bool(title)
    # The faults of the whole test run go elsewhere.
    monkeypatch.setattr(faulthandler, "enable", lambda _: None)
    monkeypatch.setattr(faulthandler, "disable", lambda: None)
    after = CrashReports(tmp_path)
    after.begin()
    assert after.latest() == ()
    report = after.of_last_start()
    assert (report.title if report is not None else "") == title
    assert after.latest() == (() if report is None else (report,))
    assert after.of_last_start() is None
    if report is not None:
        assert ("most recent call first" in report.text) is (how in {"fault", "hang"})
    after.end()
