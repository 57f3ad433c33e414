"""Keep path arguments inside the project folder, or notice that they leave it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from tools.spec import Concern, PathRole

OUTSIDE = "outside_project"


def resolve_paths(
    arguments: Mapping[str, Any], roles: Iterable[tuple[str, PathRole]], project_dir: Path
) -> dict[str, Any]:
    """Return the arguments with every marked path made absolute; a relative one means one in the project folder.

    Symbolic links are kept as they are, so that deleting a link deletes the link.
    """
    resolved = dict(arguments)
    for name, _ in roles:
        value = resolved.get(name)
        if isinstance(value, Path):
            resolved[name] = _absolute(value, project_dir)
        elif isinstance(value, list | tuple):
            resolved[name] = type(value)(
                _absolute(item, project_dir) if isinstance(item, Path) else item for item in value
            )
    return resolved


def _absolute(path: Path, project_dir: Path) -> Path:
    return Path(os.path.normpath(project_dir / path.expanduser()))


def is_inside(path: Path, folder: Path) -> bool:
    """Return whether a path lies in a folder, or is it, after every symbolic link and `..` is followed."""
    real_folder = os.path.realpath(folder)
    real = os.path.realpath(path)
    return real == real_folder or real.startswith(real_folder.rstrip(os.sep) + os.sep)


def path_concerns(
    arguments: Mapping[str, Any], roles: Iterable[tuple[str, PathRole]], project_dir: Path
) -> list[Concern]:
    """Return a reason to ask for every marked path that leaves the project folder, links and `..` followed."""
    concerns: list[Concern] = []
    for name, role in roles:
        value = arguments.get(name)
        for path in value if isinstance(value, list | tuple) else (value,):
            if not isinstance(path, Path) or _stays(path, project_dir):
                continue
            real = os.path.realpath(path)
            where = str(path) if real == str(path) else f"{path}, which is {real}"
            verb = "Changes" if role.writes else "Reads"
            concerns.append(Concern(OUTSIDE, "Outside the project folder", f"{verb} {where}", grants=f"path:{path}"))
    return concerns


def _stays(path: Path, folder: Path) -> bool:
    # A link outside that points inside would itself be changed, so the place it lies in counts too.
    return is_inside(path, folder) and (path == folder or is_inside(path.parent, folder))
