"""What the tools that change files would do, found out by looking only."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import wraps
from itertools import islice
from pathlib import Path
from time import monotonic
from typing import Any, Final

from tools.catalog._bounds import counted, readable_size
from tools.catalog._documents import file_encoding, need_encoding
from tools.catalog._paths import need_file, need_parent, shown, status_of
from tools.catalog._tree import COUNTED_S, Extent, measure
from tools.errors import ToolFailure
from tools.sentences import begin_sentence
from tools.spec import Count, DryRun
from tools.tool import DryRunOf

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


_MOST_ITEMS: Final = 200
_Look = Callable[[Mapping[str, Any], Path], DryRun]


def telling_failures(look: _Look) -> DryRunOf:
    """Let a dry run that finds a reason why the call will fail say it."""

    @wraps(look)
    def looking(arguments: Mapping[str, Any], project_dir: Path) -> DryRun:
        try:
            return look(arguments, project_dir)
        except ToolFailure as failure:
            reason = str(failure)
            end = "" if reason.endswith(("?", "!", ".")) else "."
            return DryRun("Nothing: the call will fail.", warnings=(f"{begin_sentence(reason)}{end}",))

    return looking


@telling_failures
def write_dry_run(arguments: Mapping[str, Any], project_dir: Path) -> DryRun:
    """Say what writing a file would do."""
    path: Path = arguments["path"]
    content = encoded(arguments["text"], need_encoding(arguments["encoding"]))
    folders = _missing_folders(path, project_dir, create=arguments["create_folders"])
    replaced = refuse_target(path, project_dir, overwrite=arguments["overwrite"])
    name, size = shown(path, project_dir), readable_size(len(content))
    warnings = (_lost(path),) if replaced else ()
    text = f"Replace all of {name} with {size} of text." if replaced else f"Make the file {name} with {size} of text."
    return DryRun(text, (Count("files", 1, "1 file"), *_made(folders), _bytes(len(content))), (name,), 0, warnings)


@telling_failures
def append_dry_run(arguments: Mapping[str, Any], project_dir: Path) -> DryRun:
    """Say what adding to a file would do."""
    path: Path = arguments["path"]
    name = shown(path, project_dir)
    folders = _missing_folders(path, project_dir, create=arguments["create_folders"])
    there = os.path.lexists(path)
    if there:
        need_file(path, project_dir)
    encoding = arguments["encoding"] or (file_encoding(path) if there else "utf-8")
    if encoding is None:
        raise ToolFailure(f"{name!r} is no text file, so no text can be added to it")
    content = appended(path, arguments["text"], need_encoding(encoding), on_new_line=arguments["on_new_line"])
    size_bytes = len(content)
    size = readable_size(size_bytes)
    text = f"Add {size} of text to the end of {name}." if there else f"Make the file {name} with {size} of text."
    return DryRun(text, (Count("files", 1, "1 file"), *_made(folders), _bytes(size_bytes)), (name,))


@telling_failures
def copy_dry_run(arguments: Mapping[str, Any], project_dir: Path) -> DryRun:
    """Say what copying would do."""
    return _transfer("Copy", arguments, project_dir)


@telling_failures
def move_dry_run(arguments: Mapping[str, Any], project_dir: Path) -> DryRun:
    """Say what moving would do."""
    refuse_vital(arguments["source"], project_dir, "move")
    return _transfer("Move", arguments, project_dir)


def _transfer(verb: str, arguments: Mapping[str, Any], project_dir: Path) -> DryRun:
    source: Path = arguments["source"]
    target: Path = arguments["target"]
    replaced = check_transfer(source, target, project_dir, overwrite=arguments["overwrite"])
    folders = _missing_folders(target, project_dir, create=arguments["create_folders"])
    what = f"{verb} {called(source, project_dir)} to {shown(target, project_dir)}"
    text = f"{what}, in the place of the file there." if replaced else f"{what}."
    return about(text, [source], project_dir, warnings=(_lost(target),) if replaced else (), more=_made(folders))


@telling_failures
def delete_dry_run(arguments: Mapping[str, Any], project_dir: Path) -> DryRun:
    """Say what deleting would take away."""
    path: Path = arguments["path"]
    refuse_vital(path, project_dir, "delete")
    if arguments["missing_ok"] and not os.path.lexists(path):
        return DryRun(f"Nothing: there is no {shown(path, project_dir)}.")
    status_of(path, project_dir)
    if path.is_dir() and not path.is_symlink() and not arguments["recursive"] and any(path.iterdir()):
        name = shown(path, project_dir)
        raise ToolFailure(f"{name!r} is a folder with {measure(path)}; pass recursive=true to delete it")
    return about(f"Delete {called(path, project_dir)}. This cannot be undone.", [path], project_dir)


@telling_failures
def make_folder_dry_run(arguments: Mapping[str, Any], project_dir: Path) -> DryRun:
    """Say which folders would be made."""
    path: Path = arguments["path"]
    name = shown(path, project_dir)
    if path.is_dir():
        return DryRun(f"Nothing: the folder {name} is there already.")
    if os.path.lexists(path):
        raise ToolFailure(f"cannot make the folder {name!r}: a file has that name; choose another")
    made = [path, *_missing_folders(path, project_dir, create=arguments["create_folders"])]
    items = tuple(shown(folder, project_dir) for folder in reversed(made))
    return DryRun(f"Make the folder {name}.", (Count("folders", len(made), counted(len(made), "folder")),), items)


def about(
    text: str, paths: Sequence[Path], project_dir: Path, *, warnings: tuple[str, ...] = (), more: tuple[Count, ...] = ()
) -> DryRun:
    """Say how much lies at some paths, and list the files."""
    extent = Extent()
    deadline = monotonic() + COUNTED_S
    for path in paths:
        if monotonic() > deadline:
            extent = extent._replace(complete=False)
            break
        try:
            extent = extent.plus(measure(path))
        except OSError as error:
            raise ToolFailure(f"cannot look at {shown(path, project_dir)!r}: {error.strerror or error}") from error
    files = (item for path in paths for item in _files_in(path))
    items = tuple(shown(item, project_dir) for item in islice(files, _MOST_ITEMS))
    if not extent.complete:
        warnings = (*warnings, "There is more than was counted.")
    return DryRun(text, (*_counts(extent), *more), items, max(0, extent.files - len(items)), warnings)


def _counts(extent: Extent) -> Iterator[Count]:
    most = "" if extent.complete else "more than "
    yield Count("files", extent.files, f"{most}{counted(extent.files, 'file')}")
    if extent.folders:
        yield Count("folders", extent.folders, f"{most}{counted(extent.folders, 'folder')}")
    yield _bytes(extent.size_bytes, most)


def _bytes(size_bytes: int, most: str = "") -> Count:
    return Count("bytes", size_bytes, f"{most}{readable_size(size_bytes)}")


def _made(folders: list[Path]) -> tuple[Count, ...]:
    return (Count("folders", len(folders), counted(len(folders), "new folder")),) if folders else ()


def _files_in(path: Path) -> Iterator[Path]:
    """Yield what is no folder at a path, links not followed."""
    if path.is_symlink() or not path.is_dir():
        yield path
        return
    for folder, folders, files in os.walk(path):
        folders.sort()
        for name in sorted(files):
            yield Path(folder) / name


def _missing_folders(path: Path, project_dir: Path, *, create: bool) -> list[Path]:
    """Return the folders above a path that would be made, the nearest first.

    Raises:
        ToolFailure: One is missing and may not be made, or something else has its name.
    """
    missing: list[Path] = []
    for folder in path.parents:
        if os.path.lexists(folder):
            break
        missing.append(folder)
    need_parent(path if not (create and missing) else missing[-1], project_dir, create=False)
    return missing


def called(path: Path, project_dir: Path) -> str:
    """Return what a path is, for people."""
    name = shown(path, project_dir)
    if path.is_symlink():
        return f"the link {name}, and not what it leads to"
    return f"the folder {name} with everything in it" if path.is_dir() else f"the file {name}"


def _lost(path: Path) -> str:
    return f"What is in {path.name} now is lost: {readable_size(path.stat().st_size)}."
