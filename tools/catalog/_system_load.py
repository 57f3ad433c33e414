"""How busy this computer is: processor, memory, swap and file systems."""

from __future__ import annotations

import platform
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

_MOST_FILE_SYSTEMS: Final = 50
_NO_DISKS: Final = frozenset({"", "squashfs", "overlay", "tmpfs", "devtmpfs", "devfs", "autofs", "iso9660"})
"""Kinds of file systems that are never full of a person's files, or always full."""


@dataclass(frozen=True)
class FileSystem:
    """One file system.

    Attributes:
        path: Where it is mounted.
        kind: Such as `ext4`.
        size_bytes: How much it holds.
        free_bytes: How much of that a program may still use.
        used_percent: How full it is.
    """

    path: str
    kind: str
    size_bytes: int
    free_bytes: int
    used_percent: float


@dataclass(frozen=True)
class SystemLoad:
    """How busy this computer is.

    Attributes:
        system: Its operating system.
        started_at: When it started.
        processors: How many processors programs see.
        processor_percent: How busy they were all together while the tool looked; 100 is all of them.
        busiest_percent: How busy the busiest of them was.
        load_per_minutes: Programs that wanted a processor, on average over 1, 5 and 15 minutes; None where nobody
            counts them.
        memory_bytes: How much memory there is.
        memory_available_bytes: How much of it programs can have without swapping.
        memory_percent: How much of it is taken.
        swap_bytes: How much swap there is.
        swap_percent: How much of it is used.
        file_systems: The file systems of disks, the fullest first.
    """

    system: str
    started_at: datetime
    processors: int
    processor_percent: float
    busiest_percent: float
    load_per_minutes: tuple[float, float, float] | None
    memory_bytes: int
    memory_available_bytes: int
    memory_percent: float
    swap_bytes: int
    swap_percent: float
    file_systems: tuple[FileSystem, ...]


def read_load(seconds: float) -> SystemLoad:
    """Return how busy this computer is.

    Args:
        seconds: How long the processors are watched.
    """
    import psutil  # noqa: PLC0415 -- few who list the tools call this one

    each = psutil.cpu_percent(interval=seconds, percpu=True)
    memory, swap = psutil.virtual_memory(), psutil.swap_memory()
    one, five, fifteen = psutil.getloadavg()
    return SystemLoad(
        system=f"{platform.system()} {platform.release()}",
        started_at=datetime.fromtimestamp(psutil.boot_time(), UTC),
        processors=len(each),
        processor_percent=round(sum(each) / len(each), 1),
        busiest_percent=max(each),
        # Windows does not count it; psutil begins to when it is first asked.
        load_per_minutes=None if psutil.WINDOWS else (round(one, 2), round(five, 2), round(fifteen, 2)),
        memory_bytes=memory.total,
        memory_available_bytes=memory.available,
        memory_percent=memory.percent,
        swap_bytes=swap.total,
        swap_percent=swap.percent,
        file_systems=tuple(sorted(_file_systems(), key=lambda one: -one.used_percent)[:_MOST_FILE_SYSTEMS]),
    )


def _file_systems() -> Iterator[FileSystem]:
    import psutil  # noqa: PLC0415 -- see above

    seen: set[str] = set()
    for part in psutil.disk_partitions(all=False):
        # One that is mounted in several places is told of once.
        if part.fstype in _NO_DISKS or part.device in seen:
            continue
        seen.add(part.device)
        try:
            usage = psutil.disk_usage(part.mountpoint)
        except OSError:
            # An empty drive, or one that this user may not look into.
            continue
        if usage.total:
            yield FileSystem(part.mountpoint, part.fstype, usage.total, usage.free, usage.percent)
