"""When our own code fails the log has everything and the person a sentence."""

from __future__ import annotations

import logging
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from console import crash_handler


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Catch crashes for the time of a test, and return what the person is told."""
    monkeypatch.setattr(sys, "excepthook", sys.excepthook)
    monkeypatch.setattr(threading, "excepthook", threading.excepthook)
    sentences: list[str] = []
    crash_handler.catch_crashes(sentences.append)
    return sentences


@pytest.fixture
def root() -> Iterator[logging.Logger]:
    """Return the root logger, and take away afterwards what a test added to it."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    httpx = logging.getLogger("httpx")
    httpx_level = httpx.level
    yield root
    for handler in root.handlers[:]:
        if handler not in handlers:
            root.removeHandler(handler)
            handler.close()
    root.setLevel(level)
    httpx.setLevel(httpx_level)


def fail() -> None:
    raise ValueError("no such row")


def test_an_exception_of_a_thread_is_logged_and_told(told: list[str], caplog: pytest.LogCaptureFixture) -> None:
    thread = threading.Thread(target=fail)
    thread.start()
    thread.join()

    (record,) = caplog.records
    assert (record.levelname, record.getMessage()) == ("CRITICAL", "uncaught exception")
    assert record.exc_info is not None
    assert isinstance(record.exc_info[1], ValueError)
    assert told == [
        f"Something in the console itself failed (ValueError: no such row). Details are in {crash_handler.log_file()}."
    ]


def test_an_exception_of_the_windows_thread_is_logged_and_told(
    told: list[str], caplog: pytest.LogCaptureFixture
) -> None:
    try:
        fail()
    except ValueError as error:
        sys.excepthook(type(error), error, error.__traceback__)

    assert "in fail" in caplog.text
    assert [sentence.partition(" (")[0] for sentence in told] == ["Something in the console itself failed"]


def test_whoever_interrupts_the_program_is_told_of_no_failure(
    told: list[str], caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    error = KeyboardInterrupt()
    sys.excepthook(type(error), error, None)

    assert told == []
    assert caplog.records == []
    assert "KeyboardInterrupt" in capsys.readouterr().err


def test_the_log_stands_in_the_persons_state_folder(strange_home: Path) -> None:
    assert crash_handler.log_file().is_relative_to(strange_home)
    assert crash_handler.log_file().name == "console.log"


def test_the_log_says_when_how_bad_and_where(root: logging.Logger, tmp_path: Path) -> None:
    path = crash_handler.start_logging(tmp_path / "logs" / "console.log")
    logging.getLogger("console.engine").info("started")
    logging.getLogger("console.engine").debug("not worth a line")
    logging.getLogger("httpx").info("not worth a line either")

    (line,) = path.read_text("utf-8").splitlines()
    assert line.endswith("INFO    console.engine: started")


def test_the_log_does_not_grow_without_end(
    root: logging.Logger, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(crash_handler, "LOG_SIZE_BYTES", 2_000)
    path = crash_handler.start_logging(tmp_path / "console.log")
    for number in range(500):
        logging.getLogger("console").info("line %d", number)

    files = sorted(file.name for file in tmp_path.iterdir())
    assert files == ["console.log", "console.log.1", "console.log.2", "console.log.3"]
    assert all((tmp_path / name).stat().st_size <= 2_000 for name in files)
    assert path.read_text("utf-8").splitlines()[-1].endswith("line 499")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device here stands for a full disk")
def test_a_log_on_a_full_disk_is_told_once_in_a_line(root: logging.Logger, capsys: pytest.CaptureFixture[str]) -> None:
    crash_handler.start_logging(Path("/dev/full"))
    for _ in range(3):
        logging.getLogger("console.engine").info("started")
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("tool-console: the log cannot be written: [Errno 28] No space left on device")


def test_warnings_go_to_the_terminal_where_no_log_can_be_written(
    root: logging.Logger, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(NotADirectoryError):
        crash_handler.start_logging(tmp_path / "file" / "logs" / "console.log")
    logging.getLogger("httpx").info("not worth a line")
    assert root.handlers[-1].level == logging.WARNING
