"""Rename many files at once."""

from __future__ import annotations

import os
import secrets
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Final, Literal, NamedTuple

from pydantic import Field

from tools.catalog._bounds import Skipped, Unwatched, Watcher, counted, stop_if_cancelled
from tools.catalog._dry_runs import telling_failures
from tools.catalog._paths import need_folder, shown
from tools.catalog._patterns import PATTERN_TIMEOUT_S, compiled, time_limited
from tools.catalog._protected_files import DecidingFiles
from tools.catalog._walking import PathKind, is_matched, matcher, walk
from tools.context import ToolContext
from tools.declare import tool
from tools.errors import ToolFailure
from tools.spec import Count, DryRun, Latency, Param, PathRole, ToolExample

_MOST_RENAMED: Final = 5000
_MOST_ITEMS: Final = 200
_LONGEST_NAME: Final = 255

NewCase = Literal["keep", "lower", "upper"]


@dataclass(frozen=True, slots=True)
class RenamedFile:
    """One file with another name."""

    before: Annotated[str, Field(description="The path before.")]
    after: Annotated[str, Field(description="The path now.")]


@dataclass(frozen=True, slots=True)
class RenamedFiles:
    """What was renamed."""

    renamed: Annotated[list[RenamedFile], Field(description="The first of the files, in order of their path.")]
    count: Annotated[int, Field(description="How many files have another name now.")]


class _Rename(NamedTuple):
    source: Path
    target: Path


def _renames(arguments: Mapping[str, Any], watcher: Watcher) -> list[_Rename]:
    """Return which files get which names.

    Raises:
        ToolFailure: There are none or too many, a name is none, or two files would have the same.
    """
    folder: Path = arguments["path"]
    need_folder(folder, watcher.project_dir)
    pattern = compiled(arguments["find"], case_sensitive=True)
    wanted = matcher(arguments["include"]) if arguments["include"] else None
    found: list[_Rename] = []
    everything = walk(
        folder, watcher, skip_ignored=True, skipped=Skipped(watcher), depth=None if arguments["recursive"] else 1
    )
    for item in everything:
        if item.kind is PathKind.FOLDER or (wanted is not None and not is_matched(item, wanted)):
            continue
        name = _new_name(item.path.name, pattern, arguments)
        if name == item.path.name:
            continue
        if (
            not name
            or name in {".", ".."}
            or any(sign in name for sign in "/\\\0")
            or len(os.fsencode(name)) > _LONGEST_NAME
        ):
            raise ToolFailure(f"{item.path.name!r} would become {name!r}, which is no name of a file")
        found.append(_Rename(item.path, item.path.with_name(name)))
        if len(found) > _MOST_RENAMED:
            raise ToolFailure(
                f"more than {counted(_MOST_RENAMED, 'file')} would be renamed; narrow the folder or include"
            )
    if not found:
        raise ToolFailure(
            f"{arguments['find']!r} changes the name of no file in {shown(folder, watcher.project_dir)!r}"
        )
    _refuse_collisions(found, watcher.project_dir)
    return found


def _new_name(name: str, pattern: Any, arguments: Mapping[str, Any]) -> str:
    from regex import error as pattern_error  # noqa: PLC0415 -- the tools are listed without it

    with time_limited(arguments["find"], name):
        try:
            new, many = pattern.subn(arguments["replacement"], name, timeout=PATTERN_TIMEOUT_S)
        except (IndexError, pattern_error) as error:
            raise ToolFailure(
                rf"{arguments['replacement']!r} cannot replace what {arguments['find']!r} finds: {error}; write \1 for"
                " the first group"
            ) from error
    if not many:
        return name
    case: NewCase = arguments["case"]
    return str(new.lower() if case == "lower" else new.upper() if case == "upper" else new)


def _refuse_collisions(found: list[_Rename], project_dir: Path) -> None:
    deciding = DecidingFiles(project_dir)
    for path in (path for rename in found for path in rename):
        if reason := deciding.reason(path):
            raise ToolFailure(f"refused to rename to or from {shown(path, project_dir)!r}: {reason} (move_file)")
    sources = {rename.source for rename in found}
    taken: dict[Path, Path] = {}
    for source, target in found:
        if target in taken:
            raise ToolFailure(
                f"{taken[target].name!r} and {source.name!r} would both become {shown(target, project_dir)!r};"
                " nothing was renamed"
            )
        taken[target] = source
        # On a disk that does not tell case apart, a file is there under its new name already.
        if os.path.lexists(target) and target not in sources and not (target.exists() and target.samefile(source)):
            raise ToolFailure(f"{shown(target, project_dir)!r} exists already; nothing was renamed")


def _carry_out(found: list[_Rename], watcher: Watcher) -> None:
    """Rename in two rounds, so that files can exchange their names; undo all of it when one fails."""
    mark = f".{secrets.token_hex(4)}.part"
    moves = [(source, source.with_name(f".{number}{mark}")) for number, (source, _) in enumerate(found)]
    moves += [(between, rename.target) for (_, between), rename in zip(list(moves), found, strict=True)]
    done: list[tuple[Path, Path]] = []
    try:
        for here, there in moves:
            stop_if_cancelled(watcher)
            if os.path.lexists(there):
                raise ToolFailure(f"{shown(there, watcher.project_dir)!r} came meanwhile; nothing was renamed")
            here.rename(there)
            done.append((here, there))
    except BaseException as error:
        for here, there in reversed(done):
            with suppress(OSError):
                there.rename(here)
        if isinstance(error, OSError):
            raise ToolFailure(f"cannot rename: {error.strerror or error}; nothing was renamed") from error
        raise


@telling_failures
def rename_dry_run(arguments: Mapping[str, Any], project_dir: Path) -> DryRun:
    """Say which files would get which names."""
    found = _renames(arguments, Unwatched(project_dir))
    items = tuple(f"{shown(source, project_dir)} → {target.name}" for source, target in found[:_MOST_ITEMS])
    count = Count("files", len(found), counted(len(found), "file"))
    return DryRun(f"Rename {count.words}.", (count,), items, max(0, len(found) - _MOST_ITEMS))


class RenamingFiles:
    """The tool that renames many files."""

    @tool(
        keywords=("rename", "bulk", "batch", "mv", "pattern"),
        latency=Latency.MEDIUM,
        idempotent=False,
        read_only=False,
        destructive=True,
        open_world=False,
        timeout_s=300,
        dry_run=rename_dry_run,
        examples=(
            ToolExample(
                input={"path": "docs", "find": r"^(\w+)\.md$", "replacement": r"manual-\1.md"},
                description="Something before each name",
            ),
            ToolExample(
                input={"path": ".", "find": r"^(README|CHANGES)", "replacement": r"\1", "case": "lower"},
                description="Names in small letters",
            ),
        ),
    )
    def rename_files(
        self,
        path: Annotated[Path, Param("The folder of the files"), PathRole(writes=True)],
        find: Annotated[
            str, Param("A regular expression for the part of the name to replace"), Field(min_length=1, max_length=1000)
        ],
        replacement: Annotated[str, Param(r"What takes its place; \1 is its first group"), Field(max_length=1000)],
        *,
        include: Annotated[
            tuple[Annotated[str, Field(title="Pattern")], ...], Param("Only files that fit one of these, such as *.jpg")
        ] = (),
        recursive: Annotated[bool, Param("Rename in folders below, too")] = False,
        case: Annotated[NewCase, Param("Whether the new names are put in small or capital letters")] = "keep",
        ctx: ToolContext,
    ) -> RenamedFiles:
        """Rename the files of a folder by a pattern: all of them, or none when two would have the same name.

        Folders keep their names, and what .gitignore names is left out.
        """
        found = _renames(
            {
                "path": path,
                "find": find,
                "replacement": replacement,
                "include": include,
                "recursive": recursive,
                "case": case,
            },
            ctx,
        )
        _carry_out(found, ctx)
        names = [(shown(source, ctx.project_dir), shown(target, ctx.project_dir)) for source, target in found]
        return RenamedFiles([RenamedFile(*pair) for pair in names[:_MOST_ITEMS]], len(found))
