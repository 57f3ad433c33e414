"""The runs on this computer: what they are called, whose they are, which were interrupted, how long they are kept.

A plan with a name has the runs of that name, wherever its file lies. One without a name has those of its file: without
that, all plans without a name would share theirs.
"""

from __future__ import annotations

import contextlib
import os
import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final, NamedTuple

from tools.batch.journal import Journal, WrittenJournal, has_begun, is_journal
from tools.batch.past import PastRun, read_journal
from tools.batch.plan import UNNAMED, BatchPlan, title_of
from tools.errors import CallStateError, HistoryError, ToolError

_NOT_IN_NAMES: Final = re.compile(r"[^A-Za-z0-9_-]+")
_LONGEST_NAME: Final = 60
_END: Final = b'{"over":true'
"""How the last line of a run that is over begins."""
_TAIL: Final = 64
"""At least the length of that line."""


def is_run_of(run: tuple[str, Path | None], plan: tuple[str, Path | None]) -> bool:
    """Return whether a run is one of a plan, both given by the plan's name and its file, which may be none."""
    return run[0] == plan[0] and (plan[0] != UNNAMED or run[1] == plan[1])


def run_id(plan: BatchPlan, file: Path | None = None) -> str:
    """Return a name for a run that begins now: when, and of what; a plan without a name has that of its file."""
    name = _NOT_IN_NAMES.sub("-", title_of(plan.name, file)).strip("-")[:_LONGEST_NAME] or UNNAMED
    began = datetime.now(UTC).astimezone()
    return f"{began:%Y%m%d-%H%M%S}-{began.microsecond // 1000:03}-{name}"


def journals_in(folder: Path) -> list[Path]:
    """Return the journals in a folder, the newest first."""
    return sorted(folder.glob("*.jsonl"), reverse=True)


def is_over(journal: Path) -> bool:
    """Return whether a run came to its end, from the end of its journal alone.

    Raises:
        OSError: When it cannot be read.
    """
    with journal.open("rb") as file:
        size = file.seek(0, os.SEEK_END)
        file.seek(max(0, size - _TAIL))
        tail = file.read()
    return tail.endswith(b"\n") and tail[:-1].rpartition(b"\n")[2].startswith(_END)


def past_run(journal: Path) -> PastRun:
    """Return what a journal says.

    Raises:
        HistoryError: When it says nothing, or what is there is no journal.
    """
    with WrittenJournal(journal) as kept:
        return read_journal(kept)


def project_of(journal: Path) -> Path | None:
    """Return the project folder that the tools of a run worked in; None when that is not told, or cannot be read."""
    try:
        with WrittenJournal(journal) as kept:
            _, head = next(kept.lines())
            return Path(head["project"])
    except (StopIteration, ToolError, OSError, ValueError, LookupError, TypeError):
        # Whoever goes on with it hears what is wrong.
        return None


def is_under_way(journal: Path) -> bool:
    """Return whether another program is about a run, or somebody else in this one.

    Raises:
        HistoryError: When its journal cannot be opened.
    """
    with WrittenJournal(journal) as kept:
        return kept.is_held


class Keeping(NamedTuple):
    """How many journals of runs that are over are kept, and how long after their last line."""

    most: int = 500
    longest: timedelta = timedelta(days=90)


KEEPING: Final = Keeping()

_NEVER_BEGUN: Final = timedelta(days=1)
"""How long a journal is kept of which not even the plan was written down."""


def prune(folder: Path, now: datetime, keeping: Keeping = KEEPING) -> list[Path]:
    """Delete the journals of runs that are over and too old, or too many, and of those that never began.

    What was interrupted stays until a person says so, and so does a run that another program has open.

    Returns:
        The journals that were deleted.
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
        raise CallStateError(f"{journal} is no run of a batch, so it is left as it is")
    if not interrupted_too and has_begun(journal) and not is_over(journal):
        raise CallStateError(
            f"{journal.stem} was interrupted and can be gone on with; --interrupted forgets it all the same"
        )
    if not _deleted(journal):
        raise CallStateError(
            f"{journal.stem} is under way, or open in another program; wait until it ends, or end it there"
        )


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
