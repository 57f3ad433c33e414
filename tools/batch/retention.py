"""How long the journals of runs are kept: so long, and so many; what was interrupted stays until somebody says so."""

from __future__ import annotations

import contextlib
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final, NamedTuple

from tools.batch.runs import is_over, is_under_way, journals_in
from tools.errors import CallStateError


class Keeping(NamedTuple):
    """How long journals are kept.

    Attributes:
        most: How many runs that are over; older ones go first.
        longest: How long after their last line.
    """

    most: int = 500
    longest: timedelta = timedelta(days=90)


KEEPING: Final = Keeping()
"""What holds unless somebody says otherwise."""


def prune(folder: Path, now: datetime, keeping: Keeping = KEEPING) -> list[Path]:
    """Delete the journals of runs that are over and too old, or too many; return which were deleted.

    Args:
        folder: Where the journals are.
        now: The aware time.
        keeping: How long they are kept.
    """
    deleted: list[Path] = []
    kept = 0
    oldest_s = (now - keeping.longest).timestamp()
    for journal in journals_in(folder):
        # Another program may delete the same ones, and Windows keeps what one still reads: the next time takes it.
        with contextlib.suppress(FileNotFoundError, PermissionError):
            if not is_over(journal):
                continue
            if kept < keeping.most and journal.stat().st_mtime >= oldest_s:
                kept += 1
                continue
            journal.unlink()
            deleted.append(journal)
    return deleted


def forget(journal: Path, *, interrupted_too: bool = False) -> None:
    """Delete the journal of one run.

    Raises:
        CallStateError: When the run is under way, or was interrupted and nobody said that it may go all the same.
        HistoryError: When the journal cannot be opened.
        OSError: When it cannot be deleted.
    """
    if is_under_way(journal):
        msg = f"{journal.stem} is under way, or open in another program; wait until it ends, or end it there"
        raise CallStateError(msg)
    if not interrupted_too and not is_over(journal):
        msg = f"{journal.stem} was interrupted and can be gone on with; --interrupted forgets it all the same"
        raise CallStateError(msg)
    journal.unlink()
