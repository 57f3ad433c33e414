"""Keep path arguments inside the project folder, or notice that they leave it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import unquote, urlsplit

import platformdirs

from tools.errors import ArgumentProblem, ArgumentsError

if TYPE_CHECKING:
    from tools.spec import Concern, PathRole

WINDOW_FILE: Final = "window.ini"
"""The settings of the window, in the settings folder."""

OUTSIDE = "outside_project"
DATA_VARIABLE: Final = "TOOL_CONSOLE_DATA"
"""What moves the data folder."""

_FILE_SCHEME: Final = "file:"
_LONGEST_NAME: Final = 255
"""Bytes of one name that file systems take; to look at a longer one is an error that no tool expects."""


def data_folder() -> Path:
    """Return the folder that has the history and the audit log; `TOOL_CONSOLE_DATA` moves it."""
    moved = os.environ.get(DATA_VARIABLE, "")
    return Path(moved) if moved else platformdirs.user_data_path("tool-console", appauthor=False)


def at_home(text: str) -> Path:
    """Return a path with the home folder that it begins with."""
    try:
        return Path(text).expanduser()
    except RuntimeError:
        # The home folder of somebody who does not exist.
        return Path(text)


def is_folder(path: Path) -> bool:
    """Return whether a folder is at a path; False as well where nobody may look, and for what no file system takes."""
    return os.path.isdir(path)  # noqa: PTH112 -- pathlib's raises for a name that is too long, and without permission


def is_file(path: Path) -> bool:
    """Return whether a file is at a path; False as well where nobody may look, and for what no file system takes."""
    return os.path.isfile(path)  # noqa: PTH113 -- as above


def paths_like(folder: Path, pattern: str) -> list[Path]:
    """Return the paths in a folder that a pattern of file names fits; none where nobody may look."""
    return list(folder.glob(pattern)) if is_folder(folder) else []


def is_remote(text: str) -> bool:
    """Return whether a text is the address of something that is no file."""
    return "://" in text and not text.lstrip().lower().startswith(_FILE_SCHEME)


def spellings(text: str, folder: Path) -> Iterator[Path]:
    """Yield every path that a program may take a text for, as it is written first.

    Args:
        folder: The folder that relative paths mean.
    """
    texts = [text, text.strip()]
    if texts[1].lower().startswith(_FILE_SCHEME):
        address = texts[1]
        texts += [unquote(urlsplit(address).path), unquote(address[len(_FILE_SCHEME) :])]
    if "%" in text:
        texts.append(unquote(text))
    if "\\" in text:
        texts.append(text.replace("\\", "/"))
    for spelled in dict.fromkeys(texts):
        if spelled and "\0" not in spelled:
            yield folder / at_home(os.path.expandvars(spelled))


NO_PROJECT: Final = Path(os.devnull).absolute()
"""Stands for the project folder while none is open: nothing can lie in it, so nothing counts as inside the project."""


def plain_path(path: Path) -> Path:
    """Return a path made absolute and without `..`, as path arguments are, so that both can be compared."""
    return Path(os.path.normpath(path.absolute()))


def resolve_paths(
    arguments: Mapping[str, Any], roles: Iterable[tuple[str, PathRole]], project_dir: Path
) -> dict[str, Any]:
    """Return the arguments with every marked path made absolute; a relative one means one in the project folder.

    Symbolic links are kept as they are, so that deleting a link deletes the link.

    Raises:
        ArgumentsError: When a path can name nothing.
    """
    resolved = dict(arguments)
    for name, _ in roles:
        if name in resolved:
            resolved[name] = _resolved(resolved[name], project_dir, name)
    return resolved


def _resolved(value: Any, project_dir: Path, name: str) -> Any:
    if isinstance(value, Path):
        return _absolute(value, project_dir, name)
    if isinstance(value, str):
        return str(_absolute(Path(value), project_dir, name))
    if isinstance(value, list | tuple | set | frozenset):
        return type(value)(_resolved(item, project_dir, name) for item in value)
    if isinstance(value, dict):
        return {key: _resolved(item, project_dir, name) for key, item in value.items()}
    return value


def _absolute(path: Path, project_dir: Path, name: str) -> Path:
    try:
        if "\0" in str(path):
            msg = "it holds a null character"
            raise ValueError(msg)
        if any(len(os.fsencode(part)) > _LONGEST_NAME for part in path.parts):
            msg = f"a name in it is longer than {_LONGEST_NAME} bytes"
            raise ValueError(msg)
        return Path(os.path.normpath(project_dir / path.expanduser()))
    except (RuntimeError, ValueError) as error:
        # The home folder of somebody who does not exist, or what no file system takes.
        problem = ArgumentProblem(name, f"a path that can exist ({error})", repr(str(path)), "path")
        raise ArgumentsError([problem]) from error


def paths_in(value: Any) -> Iterator[Path]:
    """Yield the paths of an argument: one, or those of a list or a mapping of them."""
    if isinstance(value, str | Path):
        yield Path(value)
    elif isinstance(value, list | tuple | set | frozenset | dict):
        for item in value.values() if isinstance(value, dict) else value:
            yield from paths_in(item)


def is_inside(path: Path, folder: Path) -> bool:
    """Return whether a path lies in a folder, or is it, after every symbolic link and `..` is followed."""
    real_folder = os.path.realpath(folder)
    real = os.path.realpath(path)
    return real == real_folder or real.startswith(real_folder.rstrip(os.sep) + os.sep)


def path_concerns(
    arguments: Mapping[str, Any], roles: Iterable[tuple[str, PathRole]], project_dir: Path
) -> list[Concern]:
    """Return a reason to ask for every marked path that leaves the project folder, links and `..` followed."""
    from tools.spec import Concern  # noqa: PLC0415 -- a window that starts asks for the data folder alone

    concerns: list[Concern] = []
    for name, role in roles:
        for path in paths_in(arguments.get(name)):
            if _stays(path, project_dir):
                continue
            real = os.path.realpath(path)
            where = str(path) if real == str(path) else f"{path}, which is {real}"
            verb = "Changes" if role.writes else "Reads"
            concerns.append(Concern(OUTSIDE, "Outside the project folder", f"{verb} {where}", grants=f"path:{path}"))
    return concerns


def _stays(path: Path, folder: Path) -> bool:
    # A link outside that points inside would itself be changed, so the place it lies in counts too.
    return is_inside(path, folder) and (path == folder or is_inside(path.parent, folder))
