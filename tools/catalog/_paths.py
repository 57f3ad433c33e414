"""Paths as people write and read them, and failures that say what is wrong with one."""

from __future__ import annotations

import difflib
import os
import stat
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tools.errors import ToolFailure

if TYPE_CHECKING:
    from collections.abc import Iterator

_COMPARED_NAMES: Final = 2000


def shown(path: Path, project_dir: Path) -> str:
    """Return a path relative to the project folder when it lies in it, with `/` between its parts.

    Bytes of a name that are no text, which JSON could not hold, are shown as U+FFFD.
    """
    try:
        name = path.relative_to(project_dir).as_posix()
    except ValueError:
        name = path.as_posix()
    return name if name.isascii() else os.fsencode(name).decode("utf-8", "replace")


@contextmanager
def refusals(doing: str) -> Iterator[None]:
    """Turn the operating system's refusal into a failure that says what was being done.

    Args:
        doing: What is tried, such as `read 'a.txt'`.

    Raises:
        ToolFailure: The system refused.
    """
    try:
        yield
    except OSError as error:
        raise ToolFailure(f"cannot {doing}: {error.strerror or error}") from error


def status_of(path: Path, project_dir: Path) -> os.stat_result:
    """Return what the system knows of a path, the link itself for a link.

    Raises:
        ToolFailure: There is no such path; the nearest name is suggested.
    """
    try:
        return path.lstat()
    except (FileNotFoundError, NotADirectoryError) as error:
        raise ToolFailure(_missing(path, project_dir)) from error
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise ToolFailure(f"cannot look at {shown(path, project_dir)!r}: {reason}") from error


def need_file(path: Path, project_dir: Path) -> os.stat_result:
    """Return the status of a regular file, links followed.

    Raises:
        ToolFailure: It is missing, a folder, or something that cannot be read like a file.
    """
    status_of(path, project_dir)
    name = shown(path, project_dir)
    try:
        status = path.stat()
    except OSError as error:
        raise ToolFailure(f"{name!r} is a link that leads nowhere: {error.strerror or error}") from error
    if stat.S_ISDIR(status.st_mode):
        raise ToolFailure(f"expected a file, but {name!r} is a folder; name a file in it (list_files shows them)")
    if not stat.S_ISREG(status.st_mode):
        raise ToolFailure(f"expected a regular file, but {name!r} is a device, pipe or socket")
    return status


def need_folder(path: Path, project_dir: Path) -> None:
    """Check that a path is a folder, links followed.

    Raises:
        ToolFailure: It is missing or no folder.
    """
    status_of(path, project_dir)
    if not path.is_dir():
        name = shown(path, project_dir)
        raise ToolFailure(f"expected a folder, but {name!r} is a file; name the folder it lies in")


def need_parent(path: Path, project_dir: Path, *, create: bool) -> None:
    """Check that the folder a new path will lie in exists, or make it.

    Args:
        create: Whether missing folders are made.

    Raises:
        ToolFailure: The folder is missing and may not be made, or something else has its name.
    """
    parent = path.parent
    name = shown(parent, project_dir)
    if parent.is_dir():
        return
    if parent.exists():
        raise ToolFailure(f"expected a folder, but {name!r} is a file; choose another path")
    if not create:
        raise ToolFailure(f"the folder {name!r} does not exist; pass create_folders=true to make it")
    with refusals(f"make the folder {name!r}"):
        parent.mkdir(parents=True, exist_ok=True)


def _missing(path: Path, project_dir: Path) -> str:
    """Say that a path does not exist, and which name was probably meant."""
    name = shown(path, project_dir)
    anchor = path
    wanted = path.name
    while not anchor.parent.is_dir() and anchor.parent != anchor:
        anchor = anchor.parent
        wanted = anchor.name
    folder = anchor.parent
    close: list[str] = []
    with refusals(f"list {shown(folder, project_dir)!r}"), os.scandir(folder) as entries:
        names = {entry.name.casefold(): entry.name for entry in islice(entries, _COMPARED_NAMES)}
        close = difflib.get_close_matches(wanted.casefold(), names, n=1, cutoff=0.6)
    if close:
        return f"{name!r} does not exist; did you mean {shown(folder / names[close[0]], project_dir)!r}?"
    where = "the project folder" if folder == project_dir else repr(shown(folder, project_dir))
    return f"{name!r} does not exist; list_files shows what is in {where}"
