"""What happens when our own code fails: the log gets everything, the person gets a sentence, the window stays."""

from __future__ import annotations

import contextlib
import logging
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Final

import platformdirs

_log = logging.getLogger(__name__)
LOG_SIZE_BYTES: Final = 2_000_000
LOG_FILES: Final = 3


def log_file() -> Path:
    """Return where the program's log is written."""
    return platformdirs.user_log_path("tool-console") / "console.log"


def start_logging(path: Path | None = None, level: int = logging.INFO) -> Path:
    """Write the log to a file that never grows without end.

    Args:
        path: The file; None is the user's own.
        level: The least important level that is written.

    Returns:
        The file.

    Raises:
        OSError: When it cannot be written; warnings go to the terminal then.
    """
    target = path or log_file()
    root = logging.getLogger()
    root.setLevel(level)
    for name in ("httpx", "httpx2", "mcp"):
        logging.getLogger(name).setLevel(logging.WARNING)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        target.open("a", encoding="utf-8").close()
    except OSError:
        to_terminal = logging.StreamHandler()
        to_terminal.setLevel(logging.WARNING)
        root.addHandler(to_terminal)
        raise
    handler = _LogFile(target, encoding="utf-8", delay=True, errors="backslashreplace")
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)-7s %(name)s: %(message)s"))
    root.addHandler(handler)
    return target


class _LogFile(logging.FileHandler):
    """File that is put aside when it is full; a few of those are kept.

    It says once, in a line, that the disk takes nothing more: each lost line would print a traceback otherwise. The one
    of the standard library imports sockets and pickle, and the first picture would wait for them.
    """

    _is_told = False

    def emit(self, record: logging.LogRecord) -> None:
        """Write a line, into an empty file if this one has no room for it."""
        stream = self.stream
        try:
            if stream is not None and stream.tell() + len(self.format(record)) >= LOG_SIZE_BYTES:
                stream.close()
                # The next line opens the file anew.
                self.stream = None
                self._put_aside()
        except OSError:
            self.handleError(record)
        super().emit(record)

    def _put_aside(self) -> None:
        for number in range(LOG_FILES, 0, -1):
            newer = Path(self.baseFilename + (f".{number - 1}" if number > 1 else ""))
            if newer.exists():
                newer.replace(f"{self.baseFilename}.{number}")

    def handleError(self, record: logging.LogRecord) -> None:
        """Tell why a line could not be written; called while the exception is handled."""
        error = sys.exc_info()[1]
        if not isinstance(error, OSError):
            super().handleError(record)
        elif not self._is_told and sys.stderr is not None:
            self._is_told = True
            sys.stderr.write(f"tool-console: the log cannot be written: {error}\n")

    def close(self) -> None:
        """Close the file; what the disk did not take is told already."""
        with contextlib.suppress(OSError):
            super().close()


def catch_crashes(tell: Callable[[str], None]) -> None:
    """Log exceptions that nobody caught, in any thread, and tell the person one sentence.

    Args:
        tell: Shows a sentence; called in the thread that failed.
    """

    def on_exception(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        if issubclass(kind, KeyboardInterrupt):
            sys.__excepthook__(kind, error, trace)
            return
        _log.critical("uncaught exception", exc_info=(kind, error, trace))
        tell(f"Something in the console itself failed ({kind.__name__}: {error}). Details are in {log_file()}.")

    def on_thread_exception(given: threading.ExceptHookArgs) -> None:
        if given.exc_value is not None:
            on_exception(given.exc_type, given.exc_value, given.exc_traceback)

    sys.excepthook = on_exception
    threading.excepthook = on_thread_exception
