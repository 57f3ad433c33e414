"""Look at the program's own files and folders, which are only read."""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Final

from tools.doctor.diagnosis import Diagnosis, Grade, one_line
from tools.errors import ToolError

LITTLE_BYTES: Final = 200_000_000
"""So little room on a disk is worth a warning; the history takes some of it each day."""

NO_ROOM_BYTES: Final = 10_000_000
_MEGABYTE: Final = 1_000_000
_MOST_ASIDE: Final = 3
_ASIDE: Final = ("*.damaged-*", "*.bad")


def folders_checked(named: Iterable[tuple[str, Path]]) -> Iterator[Diagnosis]:
    """Look whether folders can be read and written, and how much room is left."""
    rooms: dict[Path, int] = {}
    for subject, folder in named:
        above = next((place for place in (folder, *folder.parents) if place.exists()), Path(folder.anchor))
        why = _why_not(folder if folder.exists() else above)
        if why:
            remedy = f"Let your user read and write {above}, or name another folder"
            yield Diagnosis(subject, Grade.PROBLEM, f"{folder}: {why}", remedy)
            continue
        made = "" if folder.exists() else " (made when it is needed)"
        yield Diagnosis(subject, Grade.OK, f"{folder}{made}")
        rooms[above] = shutil.disk_usage(above).free
    if rooms:
        folder, free = min(rooms.items(), key=lambda room: room[1])
        found = f"{free // _MEGABYTE:,} MB free at {folder}"
        remedy = "Free some; what cannot be written is told and not kept" if free < LITTLE_BYTES else ""
        grade = Grade.OK if free >= LITTLE_BYTES else Grade.WARNING if free >= NO_ROOM_BYTES else Grade.PROBLEM
        yield Diagnosis("Room", grade, found, remedy)


def _why_not(folder: Path) -> str:
    """Return why a folder cannot be used; empty when it can."""
    if not folder.is_dir():
        return "a file is in the folder's place"
    try:
        os.listdir(folder)  # noqa: PTH208 -- as a question to the system
        # What the rights say is not all: the disk may be full, or be mounted to be read only.
        with tempfile.TemporaryFile(dir=folder) as file:
            file.write(b"tool-console doctor")
    except OSError as error:
        return (error.strerror or str(error)).lower()
    return ""


def problems_told(subject: str, path: Path | None, problems: Iterable[str]) -> Diagnosis:
    """Return what a file's own reader says of it, in one line."""
    found = tuple(problems)
    if not found:
        where = "not written yet" if path is None or not path.exists() else str(path)
        return Diagnosis(subject, Grade.OK, where)
    more = f" (and {len(found) - 1} more)" if len(found) > 1 else ""
    at = f"Correct {path}, or move it away; it is left as it is" if path is not None else "Correct it"
    return Diagnosis(subject, Grade.PROBLEM, one_line(found[0]) + more, at)


def history_checked(folder: Path) -> Iterator[Diagnosis]:
    """Look whether the history opens, is whole, and was written by this version."""
    from tools.history import History  # noqa: PLC0415 -- a database is imported when one is looked at
    from tools.history.database import connect_to_read, described, version_of  # noqa: PLC0415 -- as above

    path = History(folder).path
    try:
        if not path.exists():
            yield Diagnosis("History", Grade.OK, "none yet")
            return
        with closing(connect_to_read(path)) as connection:
            version_of(connection)
            whole = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
            calls = connection.execute("SELECT count(*) FROM calls").fetchone()[0]
    except (sqlite3.Error, OSError) as error:
        remedy = "A damaged file is put aside at the next start, and a new one begun; nothing is deleted"
        yield Diagnosis("History", Grade.PROBLEM, described(error, path), remedy)
    except ToolError as error:
        yield Diagnosis("History", Grade.PROBLEM, str(error), "")
    else:
        if whole == "ok":
            yield Diagnosis("History", Grade.OK, f"{calls:,} calls in {path}")
        else:
            remedy = "It is put aside at the next start, and a new one begun; nothing is deleted"
            yield Diagnosis("History", Grade.PROBLEM, f"{path} is damaged ({whole})", remedy)


def audit_checked(folder: Path) -> Iterator[Diagnosis]:
    """Look whether the audit log is as it was written; its seals are not looked at."""
    from tools.audit import verify  # noqa: PLC0415 -- as above

    try:
        if not folder.exists():
            yield Diagnosis("Audit log", Grade.OK, "none yet")
            return
        report = verify(folder)
    except ToolError as error:
        yield Diagnosis("Audit log", Grade.PROBLEM, str(error), "Let your user read the folder")
        return
    if report.intact:
        yield Diagnosis("Audit log", Grade.OK, f"{report.entries:,} entries, nothing was changed")
    else:
        remedy = "tool-console audit verify tells all; keep the folder as it is for whoever is to look into it"
        yield Diagnosis("Audit log", Grade.PROBLEM, f"NOT as it was written: {report.problems[0]}", remedy)


def kept_aside_checked(folders: Iterable[Path]) -> Iterator[Diagnosis]:
    """Look for damaged files that were put aside."""
    found = sorted(file for folder in folders if folder.is_dir() for pattern in _ASIDE for file in folder.glob(pattern))
    if found:
        names = ", ".join(str(file) for file in found[:_MOST_ASIDE])
        more = f" and {len(found) - _MOST_ASIDE} more" if len(found) > _MOST_ASIDE else ""
        remedy = "Take out what you miss, then delete them"
        yield Diagnosis("Put aside", Grade.WARNING, f"damaged files are kept: {names}{more}", remedy)
