"""Open a file in the editor of the person, at a line where the editor knows how."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

from PySide6.QtCore import QProcess, QUrl
from PySide6.QtGui import QDesktopServices

EDITOR_VARIABLE: Final = "TOOL_CONSOLE_EDITOR"
"""The variable of the environment that names an editor: a program with options, `{file}` and `{line}` filled in."""

_AT_LINE: Final[Mapping[str, tuple[str, ...]]] = {
    "code": ("-g", "{file}:{line}:{column}"),
    "codium": ("-g", "{file}:{line}:{column}"),
    "cursor": ("-g", "{file}:{line}:{column}"),
    "zed": ("{file}:{line}:{column}",),
    "subl": ("{file}:{line}:{column}",),
    "pycharm": ("--line", "{line}", "{file}"),
    "kate": ("--line", "{line}", "--column", "{column}", "{file}"),
    "gvim": ("+{line}", "{file}"),
    "gedit": ("{file}", "+{line}:{column}"),
    "gnome-text-editor": ("{file}",),
    "mousepad": ("--line={line}", "{file}"),
}
"""Editors with a window of their own, and how each is told a place; those of terminals have no place to appear."""

_PLACES: Final = re.compile(r"\{file\}|\{line\}|\{column\}")


def editor_command(
    path: Path,
    line: int = 1,
    column: int = 1,
    *,
    environ: Mapping[str, str] = os.environ,
    which: Callable[[str], str | None] = shutil.which,
) -> list[str]:
    """Return the command that opens a file; empty when no editor is known and the desktop has to choose.

    What the person named comes first, then an editor of theirs that has a window, then whichever is installed.

    Args:
        line: From 1.
        column: From 1.
        which: Finds programs.
    """
    place = {"{file}": str(path), "{line}": str(line), "{column}": str(column)}

    def filled(words: Sequence[str]) -> list[str]:
        return [_PLACES.sub(lambda found: place[found[0]], word) for word in words]

    try:
        named = shlex.split(environ.get(EDITOR_VARIABLE, ""))
    except ValueError:
        named = []
    if named and which(named[0]):
        how = () if any("{file}" in word for word in named) else _AT_LINE.get(_name(named[0]), ("{file}",))
        return [named[0], *filled((*named[1:], *how))]
    theirs = [(environ.get(name) or "").split(" ")[0] for name in ("VISUAL", "EDITOR")]
    for program in (*(one for one in theirs if _name(one) in _AT_LINE), *_AT_LINE):
        found = which(program)
        if found:
            return [found, *filled(_AT_LINE[_name(program)])]
    # What Windows opens a Python file with may run it.
    return ["notepad", str(path)] if sys.platform == "win32" else []


def _name(program: str) -> str:
    return Path(program).name.removesuffix(".exe").removesuffix(".cmd")


def open_in_editor(path: Path, line: int = 1, column: int = 1) -> bool:
    """Open a file in the editor of the person; say whether there is one."""
    command = editor_command(path, max(1, line), max(1, column))
    if command:
        started = QProcess.startDetached(command[0], command[1:])
        return started[0]
    return QDesktopServices.openUrl(QUrl.fromLocalFile(str(path)))
