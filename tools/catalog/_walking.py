"""Walk below a folder: links are never followed, and what `.gitignore` names can be left out."""

from __future__ import annotations

import os
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from tools.catalog._bounds import stop_if_cancelled
from tools.errors import ToolFailure

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pathspec import GitIgnoreSpec

    from tools.catalog._bounds import Skipped, Watcher

_NEVER_SOURCE: Final = ".git"
_LARGEST_RULES_BYTES: Final = 1_000_000


class PathKind(StrEnum):
    """What a path is."""

    FILE = "file"
    FOLDER = "folder"
    LINK = "link"
    OTHER = "other"


class Found(NamedTuple):
    """One path below a walked folder.

    Attributes:
        inside: The path relative to the walked folder, with `/` between its parts.
        kind: What it is; links are not followed.
    """

    path: Path
    inside: str
    kind: PathKind


class _Rules(NamedTuple):
    folder: str
    spec: GitIgnoreSpec


def matcher(globs: Iterable[str]) -> GitIgnoreSpec:
    """Return what tells whether a path fits one of several patterns, read as in `.gitignore` files.

    Raises:
        ToolFailure: One of them is no pattern.
    """
    lines = list(globs)
    for line in lines:
        spec = _spec([line])
        if all(pattern.include is None for pattern in spec.patterns):
            raise ToolFailure(f"{line!r} is no pattern for paths; expected one such as *.py or docs/**")
    return _spec(lines)


def _spec(lines: Iterable[str]) -> GitIgnoreSpec:
    """Return the patterns; as in git, a line that is none says nothing."""
    from pathspec import GitIgnoreSpec  # noqa: PLC0415 -- the tools are listed without it

    good: list[str] = []
    for line in lines:
        try:
            GitIgnoreSpec.from_lines([line])
        except ValueError:
            continue
        good.append(line)
    return GitIgnoreSpec.from_lines(good)


def is_matched(found: Found, globs: GitIgnoreSpec) -> bool:
    """Return whether a path below a walked folder fits the patterns."""
    return globs.match_file(found.inside)


def kind_of(entry: os.DirEntry[str] | Path) -> PathKind:
    """Return what an entry or path is, the link itself for a link."""
    if entry.is_symlink() or _is_junction(entry):
        return PathKind.LINK
    if entry.is_dir():
        return PathKind.FOLDER
    return PathKind.FILE if entry.is_file() else PathKind.OTHER


def _is_junction(entry: os.DirEntry[str] | Path) -> bool:
    # Windows' junctions are links in all but name; Python tells them apart since 3.12.
    ask = getattr(entry, "is_junction", None)
    return bool(ask is not None and ask())


def walk(
    root: Path, ctx: Watcher, *, skip_ignored: bool, skipped: Skipped, depth: int | None = None
) -> Iterator[Found]:
    """Yield everything below a folder, each folder's entries in order of name before what lies deeper.

    Args:
        ctx: The running call; its cancellation ends the walk.
        skip_ignored: Whether what `.gitignore` files name is left out, and `.git` as well.
        skipped: Learns which folders could not be read.
        depth: How many levels down; None has no limit.

    Raises:
        ToolFailure: The call was cancelled.
    """
    start = str(root)
    above = _rules_above(root, ctx.project_dir) if skip_ignored else ()
    pending: list[tuple[str, tuple[_Rules, ...], int]] = [(start, above, 1)]
    while pending:
        folder, rules, level = pending.pop()
        stop_if_cancelled(ctx)
        try:
            with os.scandir(folder) as listing:
                entries = sorted(listing, key=_name)
        except OSError as error:
            skipped.add(Path(folder), error.strerror or str(error))
            continue
        if skip_ignored:
            rules = _with_own_rules(folder, rules)
        deeper: list[tuple[str, tuple[_Rules, ...], int]] = []
        for entry in entries:
            kind = kind_of(entry)
            if skip_ignored and (
                entry.name == _NEVER_SOURCE or _is_ignored(entry.path, rules, folder=kind is PathKind.FOLDER)
            ):
                continue
            yield Found(Path(entry.path), _inside(entry.path, start), kind)
            if kind is PathKind.FOLDER and (depth is None or level < depth):
                deeper.append((entry.path, rules, level + 1))
        pending.extend(reversed(deeper))


def _inside(path: str, folder: str) -> str:
    # Every path here begins with its folder, and os.path.relpath would cost more than the rest of the walk.
    return path[len(folder.rstrip(os.sep)) + 1 :].replace(os.sep, "/")


def _name(entry: os.DirEntry[str]) -> str:
    return entry.name


def _rules_above(root: Path, project_dir: Path) -> tuple[_Rules, ...]:
    """Return the rules of the folders above a walk, unless they name its root: who asks for that gets it."""
    top = project_dir if root.is_relative_to(project_dir) else root
    rules: tuple[_Rules, ...] = ()
    for folder in reversed(root.parents):
        if folder.is_relative_to(top):
            rules = _with_own_rules(str(folder), rules)
    return () if _is_ignored(str(root), rules, folder=True) else rules


def _with_own_rules(folder: str, rules: tuple[_Rules, ...]) -> tuple[_Rules, ...]:
    path = Path(folder, ".gitignore")
    try:
        if path.is_symlink() or not path.is_file() or path.stat().st_size > _LARGEST_RULES_BYTES:
            return rules
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
        return (*rules, _Rules(folder, _spec(lines)))
    except OSError:
        # Unreadable rules ignore nothing: more is found then, never less.
        return rules


def _is_ignored(path: str, rules: tuple[_Rules, ...], *, folder: bool) -> bool:
    for rule in reversed(rules):
        inside = _inside(path, rule.folder)
        answer = rule.spec.check_file(inside + "/" if folder else inside).include
        if answer is not None:
            return answer
    return False
