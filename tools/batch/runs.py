"""The runs on this computer: what they are called, which there are, which were interrupted."""

from __future__ import annotations

import os
import re
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tools.batch.journal import Journal
from tools.batch.past import PastRun, read_journal
from tools.errors import HistoryError

if TYPE_CHECKING:
    from tools.batch.plan import BatchPlan

_NOT_IN_NAMES: Final = re.compile(r"[^A-Za-z0-9_-]+")
_LONGEST_NAME: Final = 60
_END: Final = b'{"over":true}\n'


def run_id(plan: BatchPlan) -> str:
    """Return a name for a run of a plan that begins now: when, and what."""
    name = _NOT_IN_NAMES.sub("-", plan.name).strip("-")[:_LONGEST_NAME] or "batch"
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
        file.seek(max(0, size - len(_END)))
        return file.read() == _END


def past_run(journal: Path) -> PastRun:
    """Return what a journal says.

    Raises:
        HistoryError: When it says nothing, or what is there is no journal.
    """
    with closing(Journal(journal)) as kept:
        return read_journal(kept)


def is_under_way(journal: Path) -> bool:
    """Return whether another program is about a run, or somebody else in this one.

    Raises:
        HistoryError: When its journal cannot be opened.
    """
    with closing(Journal(journal)) as kept:
        try:
            kept.claim()
        except HistoryError:
            return True
    return False
