"""The runs on this computer: what they are called, whose they are, which there are, which were interrupted.

A plan with a name has the runs of that name, wherever its file lies. One without a name has those of its file: without
that, all plans without a name would share theirs.
"""

from __future__ import annotations

import os
import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from tools.batch.journal_reading import WrittenJournal
from tools.batch.past import PastRun, read_journal
from tools.batch.plan import UNNAMED, BatchPlan, title_of
from tools.errors import ToolError

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
