"""Measure, copy, delete and replace whole files and folders."""

from __future__ import annotations

import errno
import os
import secrets
import shutil
import stat
import sys
from contextlib import contextmanager, suppress
from pathlib import Path
from time import monotonic
from typing import IO, TYPE_CHECKING, Final, NamedTuple

from tools.catalog._bounds import counted, readable_size, stop_if_cancelled
from tools.catalog._paths import shown
from tools.errors import ToolFailure

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tools.catalog._bounds import ProgressThrottle
    from tools.context import ToolContext

COUNTED_ENTRIES: Final = 20_000
"""How many entries are counted to tell a person what a call would touch."""

COUNTED_S: Final = 1.0
"""How long that may take, in seconds."""

_CHUNK_BYTES: Final = 1024 * 1024
_KEPT_NAME_CHARS: Final = 100


class Extent(NamedTuple):
    """How much lies at a path.

    Attributes:
        files: Files, links and other entries that are no folders.
        folders: Folders, the path itself included when it is one.
        size_bytes: What the files take together.
        complete: Whether everything was counted.
    """

    files: int = 0
    folders: int = 0
    size_bytes: int = 0
    complete: bool = True

    def plus(self, other: Extent) -> Extent:
        """Return how much lies at two places together."""
        return Extent(
            self.files + other.files,
            self.folders + other.folders,
            self.size_bytes + other.size_bytes,
            self.complete and other.complete,
        )

    def __str__(self) -> str:
        """Return the extent as people read it, such as `38 files in 4 folders, 2.1 MB`."""
        most = "" if self.complete else "more than "
        inside = f" in {counted(self.folders, 'folder')}" if self.folders else ""
        return f"{most}{counted(self.files, 'file')}{inside}, {readable_size(self.size_bytes)}"


def measure(path: Path) -> Extent:
    """Return how much lies at a path, links not followed; huge folders are only counted in part.

    Raises:
        OSError: The path itself cannot be looked at.
    """
    status = path.lstat()
    if not stat.S_ISDIR(status.st_mode):
        return Extent(1, 0, status.st_size)
    deadline = monotonic() + COUNTED_S
    files, folders, size_bytes, unread = 0, 0, 0, False
    pending = [os.fspath(path)]
    while pending:
        folders += 1
        try:
            with os.scandir(pending.pop()) as listing:
                for entry in listing:
                    if files + folders >= COUNTED_ENTRIES or monotonic() > deadline:
                        return Extent(files, folders, size_bytes, complete=False)
                    if entry.is_dir(follow_symlinks=False):
                        pending.append(entry.path)
                    else:
                        files += 1
                        size_bytes += entry.stat(follow_symlinks=False).st_size
        except OSError:
            unread = True
    return Extent(files, folders, size_bytes, complete=not unread)


@contextmanager
def replacing(target: Path) -> Iterator[IO[bytes]]:
    """Write a file beside its target and put it in its place at the end: the target is old or new, never half.

    A link is followed, so that the file it leads to is replaced, not the link.

    Raises:
        OSError: The system refused; the target is as it was.
    """
    target = target.resolve()
    beside = _beside(target)
    try:
        with beside.open("xb") as stream:
            yield stream
        if target.exists():
            shutil.copymode(target, beside)
        beside.replace(target)
    except BaseException:
        with suppress(OSError):
            beside.unlink(missing_ok=True)
        raise


def _beside(target: Path) -> Path:
    return target.with_name(f".{target.name[:_KEPT_NAME_CHARS]}.{secrets.token_hex(4)}.part")


def copy_whole(source: Path, target: Path, pace: ProgressThrottle, ctx: ToolContext) -> Extent:
    """Copy a file or a folder; the target appears when everything is there. Links inside a folder stay links.

    Args:
        source: What is copied; a link is followed.
        target: Where to; an existing file is replaced.
        pace: Counts the bytes, and stops a cancelled call.
        ctx: The running call.

    Raises:
        OSError: The system refused; nothing is left behind.
        ToolFailure: The call was cancelled; nothing is left behind.
    """
    if not source.is_dir():
        with replacing(target) as stream:
            size_bytes = _pour(source, stream, pace)
        shutil.copystat(source, target)
        return Extent(1, 0, size_bytes)
    beside = _beside(target)
    tally = [0, 0]

    def copy_one(here: str, there: str) -> None:
        if not stat.S_ISREG(os.lstat(here).st_mode):
            ctx.log(
                "warning", f"not copied, because it is a device, pipe or socket: {shown(Path(here), ctx.project_dir)}"
            )
            return
        with open(there, "xb") as stream:  # noqa: PTH123 -- copytree hands out strings
            tally[1] += _pour(Path(here), stream, pace)
        shutil.copystat(here, there)
        tally[0] += 1

    try:
        shutil.copytree(source, beside, symlinks=True, copy_function=copy_one)
        beside.rename(target)
    except BaseException:
        shutil.rmtree(beside, ignore_errors=True)
        raise
    return Extent(tally[0], measure(target).folders, tally[1])


def _pour(source: Path, stream: IO[bytes], pace: ProgressThrottle) -> int:
    size_bytes = 0
    with source.open("rb") as reading:
        while chunk := reading.read(_CHUNK_BYTES):
            stream.write(chunk)
            size_bytes += len(chunk)
            pace.step(len(chunk), source.name)
    return size_bytes


def move_whole(source: Path, target: Path, pace: ProgressThrottle, ctx: ToolContext) -> None:
    """Move a file, folder or link, to another disk too.

    Raises:
        OSError: The system refused.
        ToolFailure: The call was cancelled; the source is as it was.
    """
    try:
        source.replace(target)
    except OSError as error:
        if error.errno != errno.EXDEV:
            raise
        if source.is_symlink():
            target.symlink_to(source.readlink())
            source.unlink()
            return
        copy_whole(source, target, pace, ctx)
        delete_whole(source, ctx)


class _Deleting:
    """Delete entry by entry, counting."""

    def __init__(self, ctx: ToolContext) -> None:
        self.files = 0
        self.folders = 0
        self.size_bytes = 0
        self._ctx = ctx

    def entry(self, path: str, *, name: str | None = None, folder_fd: int | None = None) -> None:
        """Delete a file, a link or an empty folder, named within an open folder or by its path."""
        stop_if_cancelled(self._ctx)
        named = path if folder_fd is None or name is None else name
        status = os.stat(named, dir_fd=folder_fd, follow_symlinks=False)
        if stat.S_ISDIR(status.st_mode):
            os.rmdir(named, dir_fd=folder_fd)
            self.folders += 1
        else:
            os.unlink(named, dir_fd=folder_fd)
            self.files += 1
            self.size_bytes += status.st_size


def delete_whole(path: Path, ctx: ToolContext) -> Extent:
    """Delete a file, a link, or a folder with everything in it; links are deleted, never followed.

    Raises:
        ToolFailure: The system refused, or the call was cancelled; the message says how much is gone already.
    """
    deleting = _Deleting(ctx)
    try:
        if stat.S_ISDIR(path.lstat().st_mode):
            for folder, names, folder_fd in _bottom_up(path):
                for name in names:
                    deleting.entry(os.path.join(folder, name), name=name, folder_fd=folder_fd)  # noqa: PTH118 -- hot loop
        deleting.entry(os.fspath(path))
    except (OSError, ToolFailure) as error:
        gone = f"{counted(deleting.files, 'file')} below {shown(path, ctx.project_dir)!r}"
        verb = "is" if deleting.files == 1 else "are"
        reason = error if isinstance(error, ToolFailure) else f"cannot delete {_culprit(error, path, ctx)}"
        raise ToolFailure(f"{reason}; {gone} {verb} gone already") from error
    return Extent(deleting.files, deleting.folders, deleting.size_bytes)


def _culprit(error: OSError, path: Path, ctx: ToolContext) -> str:
    name = error.filename if isinstance(error.filename, str) else os.fspath(path)
    return f"{shown(Path(name), ctx.project_dir)!r}: {error.strerror or error}"


def _bottom_up(path: Path) -> Iterator[tuple[str, list[str], int | None]]:
    """Yield each folder, its entries' names and its descriptor, the deepest first."""
    if sys.platform == "win32":
        for folder, folders, files in os.walk(path, topdown=False, onerror=_raise):
            yield folder, [*files, *folders], None
    else:
        # fwalk holds each folder open, so a folder that is swapped for a link meanwhile leads nowhere else.
        for folder, folders, files, folder_fd in os.fwalk(path, topdown=False, onerror=_raise):
            yield folder, [*files, *folders], folder_fd


def _raise(error: OSError) -> None:
    raise error
