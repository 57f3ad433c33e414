"""The file that has the series and the changes of health: opened, and begun anew when it is damaged."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import datetime
from pathlib import Path
from typing import Final

from tools.history.database import is_damage, put_aside

FILE_NAME: Final = "health.sqlite"
_BUSY_TIMEOUT_S: Final = 5.0
_log = logging.getLogger(__name__)


def opened(path: Path) -> sqlite3.Connection:
    """Return a connection to the file, which is made when it is missing."""
    return sqlite3.connect(path, timeout=_BUSY_TIMEOUT_S)


def write(path: Path, now: datetime, layout: str, change: Callable[[sqlite3.Connection], None]) -> None:
    """Change the file, all of it or nothing; a damaged one is moved aside first, and a new one begun.

    Args:
        path: The file; its folder is made when it is missing.
        now: The time of day.
        layout: Makes the tables that are missing.

    Raises:
        sqlite3.Error: When it cannot be written.
        OSError: When the folder cannot be made.
    """
    try:
        _write(path, layout, change)
    except sqlite3.Error as error:
        if not is_damage(error):
            raise
        _log.warning("%s is damaged (%s) and was kept as %s", path, error, put_aside(path, now).name)
        _write(path, layout, change)


def _write(path: Path, layout: str, change: Callable[[sqlite3.Connection], None]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with closing(opened(path)) as file, file:
        file.executescript(layout)
        change(file)
