"""Whether a file may be written, copied, moved or deleted as asked."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from tools.catalog._paths import shown, status_of
from tools.errors import ToolFailure

_WITHOUT_MARK: Final = {"utf-8-sig": "utf-8", "utf-16": "utf-16-le", "utf-32": "utf-32-le"}


def encoded(text: str, encoding: str) -> bytes:
    """Return a text as bytes.

    Raises:
        ToolFailure: The encoding has no room for one of its signs.
    """
    try:
        return text.encode(encoding)
    except UnicodeEncodeError as error:
        sign = text[error.start]
        raise ToolFailure(f"{sign!r} (U+{ord(sign):04X}) cannot be written in {encoding}; use utf-8") from error


def appended(path: Path, text: str, encoding: str, *, on_new_line: bool) -> bytes:
    """Return what is added to the end of a file.

    Args:
        path: The file; it may be missing or empty.
        text: The text.
        encoding: The file's encoding.
        on_new_line: Whether a last line without an end is ended first.

    Raises:
        ToolFailure: The encoding has no room for one of the signs.
    """
    if not path.exists() or not path.stat().st_size:
        return encoded(text, encoding)
    if on_new_line and not _ends_line(path, encoding):
        text = "\n" + text
    # What announces an encoding belongs to the start of a file only.
    return encoded(text, _WITHOUT_MARK.get(encoding, encoding))


def _ends_line(path: Path, encoding: str) -> bool:
    width = 2 if encoding.startswith("utf-16") else 4 if encoding.startswith("utf-32") else 1
    with path.open("rb") as stream:
        stream.seek(-width, os.SEEK_END)
        return b"\n" in stream.read()


def refuse_target(path: Path, project_dir: Path, *, overwrite: bool) -> bool:
    """Return whether there is a file that will be replaced.

    Raises:
        ToolFailure: Something is there that may not be replaced.
    """
    if not os.path.lexists(path):
        return False
    name = shown(path, project_dir)
    if path.is_dir():
        raise ToolFailure(f"expected the path of a file, but {name!r} is a folder; name the file in it")
    if path.exists() and not path.is_file():
        raise ToolFailure(f"expected the path of a regular file, but {name!r} is a device, pipe or socket")
    if not overwrite:
        raise ToolFailure(f"{name!r} exists already; pass overwrite=true to replace it, or choose another path")
    return True


def check_transfer(source: Path, target: Path, project_dir: Path, *, overwrite: bool) -> bool:
    """Return whether a copy or move will replace a file.

    Raises:
        ToolFailure: It cannot work.
    """
    status_of(source, project_dir)
    if target.resolve() == source.resolve():
        raise ToolFailure(f"source and target are the same: {shown(source, project_dir)!r}")
    if source.is_dir():
        if target.resolve().is_relative_to(source.resolve()):
            raise ToolFailure(f"a folder cannot go into itself: {shown(target, project_dir)!r}")
        if os.path.lexists(target):
            raise ToolFailure(
                f"{shown(target, project_dir)!r} exists already; folders are never replaced, choose another path"
            )
    return refuse_target(target, project_dir, overwrite=overwrite)


def refuse_vital(path: Path, project_dir: Path, doing: str) -> None:
    """Refuse to take away the project folder or the person's home, or what holds one of them.

    Raises:
        ToolFailure: That is what the path names.
    """
    if path.is_symlink():
        return
    real = path.resolve()
    for vital, what in ((project_dir.resolve(), "the project folder"), (Path.home().resolve(), "your home folder")):
        if vital.is_relative_to(real):
            raise ToolFailure(f"refused to {doing} {str(path)!r}: it is {what} or holds it; name what is in it")
