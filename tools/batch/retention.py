"""How long the journals of runs are kept: so long, and so many; what was interrupted stays until somebody says so."""

from __future__ import annotations

import contextlib
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final, NamedTuple

from tools.batch.runs import is_over, journals_in
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
        # Another program may delete the same ones.
        with contextlib.suppress(FileNotFoundError):
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
        CallStateError: When the run was interrupted, or runs now, and nobody said that it may go all the same.
        OSError: When it cannot be deleted.
    """
    if not interrupted_too and not is_over(journal):
        msg = f"{journal.stem} was interrupted, or runs now: it can be gone on with as long as its journal is there"
        raise CallStateError(msg)
    journal.unlink()
