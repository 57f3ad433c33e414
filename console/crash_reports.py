"""What went wrong in our own code, kept as files that a person can read and pass on; nothing is sent anywhere."""

from __future__ import annotations

import contextlib
import faulthandler
import logging
import os
import sys
import threading
import traceback
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, NamedTuple, TextIO

import platformdirs

from tools.paths import paths_like

KEPT: Final = 20
"""How many reports are kept; older ones are deleted."""

MOST_A_RUN: Final = 10
"""How many reports one start writes: what fails again and again must not fill the disk."""

END_PATIENCE_S: Final = 45.0
"""How long a program may take to end once its window is closed; its parts have less, see `console.app.shutdown`."""

_RUNNING: Final = "running.txt"
"""Is there while the program runs, and has what the interpreter wrote when it was killed by a signal."""

_ENDING: Final = ".report.txt"
_OURS: Final = frozenset({"asyncio", "console", "qasync"})
"""The first words of the loggers whose tracebacks are failures of our own: those of tools are results."""

_LARGEST_CHARS: Final = 200_000
_HEAD: Final = """Tool Console: report of a failure of the program itself

When:    {when}
What:    {what}
Program: {program}

Nothing of this was sent anywhere. Known secrets and the path of the home folder are hidden; read it before you pass
it on.

"""


class CrashReport(NamedTuple):
    """One report.

    Attributes:
        title: What failed, in a line.
    """

    path: Path
    when: datetime
    title: str
    text: str


def report_folder() -> Path:
    """Return where reports are kept."""
    return platformdirs.user_log_path("tool-console") / "crashes"


class CrashReports(logging.Handler):
    """Write a report of each failure of our own code that the log is told, once for each traceback.

    It stands at the root logger, so it hears of exceptions that nobody caught in any thread, and of tasks that failed
    in the loops of the window and of the engine. A report is masked and written in a thread of its own.

    Args:
        folder: Where reports are kept; None is the user's own.
    """

    def __init__(self, folder: Path | None = None) -> None:
        super().__init__(logging.ERROR)
        self.folder = folder or report_folder()
        self._seen: set[str] = set()
        self._running: TextIO | None = None
        self._left = ""

    def emit(self, record: logging.LogRecord) -> None:
        """Write a report, when the record is of a failure of our own."""
        ours = record.levelno >= logging.CRITICAL or record.name.partition(".")[0] in _OURS
        error = record.exc_info[1] if record.exc_info else None
        if error is None or not ours or len(self._seen) >= MOST_A_RUN:
            return
        text = "".join(traceback.format_exception(error))
        digest = _digest(text)
        if digest in self._seen:
            return
        self._seen.add(digest)
        what = f"{type(error).__name__} in {record.name}, thread {record.threadName}"
        # Masking looks through thousands of rules, and the thread that failed may be the window's.
        threading.Thread(target=self._write, args=(what, text), name="crash report").start()

    def begin(self) -> None:
        """Note that the program runs, and let the interpreter write there if a signal kills it."""
        mark = self.folder / _RUNNING
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            self._left = _left_at(mark)
            self._running = mark.open("w", encoding="utf-8")
            self._running.write(f"process {os.getpid()}, begun {datetime.now(UTC):%Y-%m-%d %H:%M:%S} UTC\n\n")
            self._running.flush()
        except OSError as error:
            self._drop_mark()
            logging.getLogger(__name__).warning("no reports of failures are kept in %s: %s", self.folder, error)
        else:
            faulthandler.enable(self._running)

    def expect_end(self) -> None:
        """End the process if it has not ended in time; a report then says at the next start where its threads stood."""
        file = self._running or sys.stderr
        if file is not None:
            faulthandler.dump_traceback_later(END_PATIENCE_S, exit=True, file=file)

    def end(self) -> None:
        """Note that the program ended by itself."""
        faulthandler.cancel_dump_traceback_later()
        if self._running is not None:
            faulthandler.disable()
            self._drop_mark()

    def _drop_mark(self) -> None:
        if self._running is not None:
            # On a full disk what could not be written is tried again by `close`.
            with contextlib.suppress(OSError):
                self._running.close()
            self._running = None
            with contextlib.suppress(OSError):
                (self.folder / _RUNNING).unlink()

    def latest(self) -> tuple[CrashReport, ...]:
        """Return the reports that are kept, newest first; none when the folder cannot be read."""
        files = sorted(paths_like(self.folder, f"*{_ENDING}"), reverse=True)
        return tuple(filter(None, map(_read, files)))

    def of_last_start(self) -> CrashReport | None:
        """Write a report of the last start, when that did not end by itself; it takes longer than the first picture.

        Returns:
            The report; None when that start ended by itself, or when `begin` has not looked.
        """
        left, self._left = self._left, ""
        if not left:
            return None
        # A process that is killed from outside, or with the whole computer, leaves its first line alone.
        if "Fatal Python error" in left:
            what = "the last start met a fatal error"
        elif "Timeout (" in left:
            what = "the last start did not end after its window was closed"
        else:
            what = "the last start was killed, or the computer went off"
        return self._write(what, left)

    def _write(self, what: str, text: str) -> CrashReport | None:
        now = datetime.now(UTC)
        head = _HEAD.format(when=f"{now:%Y-%m-%d %H:%M:%S} UTC", what=what, program=_program())
        path = self.folder / f"{now:%Y%m%d-%H%M%S}-{_digest(text)[:6]}{_ENDING}"
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            try:
                path.write_text(masked(head + text[:_LARGEST_CHARS]), "utf-8", "backslashreplace")
            except OSError:
                # Of a report on a full disk an empty file would stay.
                path.unlink(missing_ok=True)
                raise
            for old in sorted(self.folder.glob(f"*{_ENDING}"))[:-KEPT]:
                old.unlink(missing_ok=True)
        except OSError as error:
            # Not through the log's own tracebacks, which would come back here.
            logging.getLogger(__name__).warning("a report of a failure cannot be written to %s: %s", path, error)
            return None
        return _read(path)


def _left_at(mark: Path) -> str:
    try:
        # An empty one is left by a full disk, or by a start that was killed at once.
        return mark.read_text("utf-8", "replace")[:_LARGEST_CHARS] or "\n"
    except FileNotFoundError:
        return ""


def masked(text: str) -> str:
    """Return a text without secrets of the environment and what looks like one, and with ~ for the home folder."""
    from tools.masking import Scrubber, is_secret_parameter  # noqa: PLC0415 -- nothing fails in most runs
    from tools.secret_scan import SecretScan  # noqa: PLC0415 -- as above

    known = {value for name, value in os.environ.items() if value and is_secret_parameter(name)}
    hidden = Scrubber(known | SecretScan().secrets_in(text))(text)
    home = os.path.expanduser("~")  # noqa: PTH111 -- a home that is not known stays a tilde
    return hidden.replace(home, "~") if len(home) > 1 else hidden


def _digest(text: str) -> str:
    import hashlib  # noqa: PLC0415 -- nothing fails in most runs

    return hashlib.sha256(text.encode("utf-8", "backslashreplace")).hexdigest()


def _program() -> str:
    import platform  # noqa: PLC0415 -- nothing fails in most runs
    from importlib.metadata import version  # noqa: PLC0415 -- as above

    return ", ".join(
        (
            f"Tool Console {version('tool-console')}",
            f"Python {platform.python_version()}",
            f"PySide6 {_version('PySide6-Essentials')}",
            platform.platform(),
            "built application" if getattr(sys, "frozen", False) else "Python environment",
        )
    )


def _version(package: str) -> str:
    from importlib.metadata import PackageNotFoundError, version  # noqa: PLC0415 -- as above

    try:
        return version(package)
    except PackageNotFoundError:
        return "of unknown version"


def _read(path: Path) -> CrashReport | None:
    try:
        text = path.read_text("utf-8", "replace")
        when = datetime.fromtimestamp(path.stat().st_mtime, UTC)
    except OSError:
        return None
    line = next((line for line in text.splitlines() if line.startswith("What:")), "")
    return CrashReport(path, when, line.removeprefix("What:").strip() or path.name, text)
