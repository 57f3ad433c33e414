"""How much the things in a folder take."""

from __future__ import annotations

import os
import shutil
import stat
from dataclasses import dataclass
from pathlib import Path

from tools.catalog._bounds import ProgressThrottle, Skipped
from tools.catalog._paths import need_folder, refusals, shown
from tools.context import ToolContext


@dataclass(frozen=True)
class DiskEntry:
    """One file or folder with all it holds.

    Attributes:
        name: Its name.
        is_folder: Whether it is a folder.
        size_bytes: The size of what it holds.
        disk_bytes: What that takes on the disk; None when the system does not say.
        files: How many files it holds; 1 for a file.
    """

    name: str
    is_folder: bool
    size_bytes: int
    disk_bytes: int | None
    files: int


@dataclass(frozen=True)
class DiskUsage:
    """What a folder takes.

    Attributes:
        folder: The folder.
        size_bytes: The size of all files in it.
        files: How many there are.
        folders: How many folders it holds.
        entries: What lies directly in it, largest first.
        truncated: Whether some entries are missing here.
        complete: Whether everything was measured; False when it holds more files than asked for.
        unreadable: How many folders could not be read.
        drive_total_bytes: The size of the drive it lies on.
        drive_free_bytes: What is free there.
    """

    folder: str
    size_bytes: int
    files: int
    folders: int
    entries: tuple[DiskEntry, ...]
    truncated: bool
    complete: bool
    unreadable: int
    drive_total_bytes: int
    drive_free_bytes: int


class _Measured:
    """The running sums of one entry."""

    def __init__(self, name: str, *, is_folder: bool) -> None:
        self.name = name
        self.is_folder = is_folder
        self.size_bytes = self.blocks = self.files = self.folders = 0

    def add(self, status: os.stat_result) -> None:
        self.size_bytes += status.st_size
        self.blocks += getattr(status, "st_blocks", 0)
        self.files += 1

    def entry(self) -> DiskEntry:
        on_disk = self.blocks * 512 if hasattr(os.stat_result, "st_blocks") else None
        return DiskEntry(self.name, self.is_folder, self.size_bytes, on_disk, self.files)


class _Survey:
    """Walk below one folder, each file once, until there are too many."""

    def __init__(self, max_files: int, ctx: ToolContext) -> None:
        self._left = max_files
        self._ctx = ctx
        self._pace = ProgressThrottle(ctx)
        self._linked: set[tuple[int, int]] = set()
        self.skipped = Skipped(ctx)
        self.complete = True

    def entry(self, found: os.DirEntry[str]) -> _Measured:
        measured = _Measured(found.name, is_folder=found.is_dir(follow_symlinks=False))
        if not measured.is_folder:
            self._pace.step(1, found.name)
            self._count(found, measured)
            return measured
        open_folders = [found.path]
        while open_folders and self.complete:
            folder = open_folders.pop()
            inside = self._children(folder)
            measured.folders += 1
            # Once a folder: a path for each file would cost more than measuring it.
            self._pace.step(len(inside), shown(Path(folder), self._ctx.project_dir))
            for child in inside:
                if child.is_dir(follow_symlinks=False):
                    open_folders.append(child.path)
                else:
                    self._count(child, measured)
        return measured

    def _children(self, folder: str) -> list[os.DirEntry[str]]:
        try:
            with os.scandir(folder) as entries:
                return list(entries)
        except OSError as error:
            self.skipped.add(Path(folder), error.strerror or str(error))
            return []

    def _count(self, found: os.DirEntry[str], measured: _Measured) -> None:
        if self._left == 0:
            self.complete = False
            return
        try:
            status = found.stat(follow_symlinks=False)
        except OSError as error:
            self.skipped.add(Path(found.path), error.strerror or str(error))
            return
        if status.st_nlink > 1 and stat.S_ISREG(status.st_mode):
            if (status.st_dev, status.st_ino) in self._linked:
                return
            self._linked.add((status.st_dev, status.st_ino))
        self._left -= 1
        measured.add(status)


def measure_folder(folder: Path, limit: int, max_files: int, ctx: ToolContext) -> DiskUsage:
    """Return what a folder takes.

    Args:
        folder: The folder.
        limit: The most entries to return.
        max_files: Stop after so many files.
        ctx: The running call.

    Raises:
        ToolFailure: When it is no folder or cannot be read, or the call is cancelled.
    """
    need_folder(folder, ctx.project_dir)
    survey = _Survey(max_files, ctx)
    with refusals(f"list {shown(folder, ctx.project_dir)!r}"), os.scandir(folder) as entries:
        measured = [survey.entry(found) for found in entries]
    survey.skipped.summarise()
    measured.sort(key=lambda item: (-item.size_bytes, item.name))
    drive = shutil.disk_usage(folder)
    return DiskUsage(
        folder=str(folder),
        size_bytes=sum(item.size_bytes for item in measured),
        files=sum(item.files for item in measured),
        folders=sum(item.folders for item in measured),
        entries=tuple(item.entry() for item in measured[:limit]),
        truncated=len(measured) > limit,
        complete=survey.complete,
        unreadable=survey.skipped.count,
        drive_total_bytes=drive.total,
        drive_free_bytes=drive.free,
    )
