"""How long the journals of runs are kept: so long, and so many; what was interrupted stays until somebody says so."""

from __future__ import annotations

import contextlib
import os
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final, NamedTuple

from tools.batch.journal import Journal
from tools.batch.journal_reading import has_begun, is_journal
from tools.batch.runs import is_over, journals_in
from tools.errors import CallStateError, HistoryError


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

_NEVER_BEGUN: Final = timedelta(days=1)
"""How long a journal is kept of which not even the plan was written down."""


def prune(folder: Path, now: datetime, keeping: Keeping = KEEPING) -> list[Path]:
    """Delete the journals of runs that are over and too old, or too many, and of those that never began.

    Nobody loses a run that they are about.

    Args:
        folder: Where the journals are.
        now: The aware time.
        keeping: How long they are kept.

    Returns:
        Which were deleted.
    """
    deleted: list[Path] = []
    kept = 0
    oldest_s, torn_s = ((now - longest).timestamp() for longest in (keeping.longest, _NEVER_BEGUN))
    for journal in journals_in(folder):
        # Another program may delete the same ones, and Windows keeps what one still reads: the next time takes it.
        with contextlib.suppress(FileNotFoundError, PermissionError, HistoryError):
            written_s = journal.stat().st_mtime
            if is_over(journal):
                is_kept = kept < keeping.most and written_s >= oldest_s
                kept += is_kept
            else:
                is_kept = written_s >= torn_s or has_begun(journal)
            if not is_kept and _deleted(journal):
                deleted.append(journal)
    return deleted


def forget(journal: Path, *, interrupted_too: bool = False) -> None:
    """Delete the journal of one run.

    Raises:
        CallStateError: When the run is under way, or was interrupted and nobody said that it may go all the same.
        HistoryError: When the journal cannot be opened.
        OSError: When it cannot be deleted.
    """
    if not is_journal(journal):
        msg = f"{journal} is no run of a batch, so it is left as it is"
        raise CallStateError(msg)
    if not interrupted_too and has_begun(journal) and not is_over(journal):
        msg = f"{journal.stem} was interrupted and can be gone on with; --interrupted forgets it all the same"
        raise CallStateError(msg)
    if not _deleted(journal):
        msg = f"{journal.stem} is under way, or open in another program; wait until it ends, or end it there"
        raise CallStateError(msg)


def _deleted(journal: Path) -> bool:
    """Delete a journal unless somebody is about its run; return whether it is gone."""
    with Journal(journal, is_new=False) as kept:
        try:
            kept.claim()
        except HistoryError:
            return False
        if os.name != "nt":
            # Nobody can begin to write into it meanwhile.
            journal.unlink()
            return True
    # Windows keeps what somebody else has open.
    journal.unlink()
    return True
