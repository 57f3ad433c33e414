"""The processes of this computer, as values."""

from __future__ import annotations

import os
import shlex
import time
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final, Literal

if TYPE_CHECKING:
    import psutil

SortBy = Literal["cpu", "memory", "name", "pid", "age"]

_SAMPLE_S: Final = 0.2
_LONGEST_COMMAND: Final = 300
_FIELDS: Final = ("pid", "ppid", "name", "username", "status", "memory_info", "create_time", "cmdline")


@dataclass(frozen=True)
class RunningProcess:
    """One process.

    Attributes:
        pid: Its number.
        parent_pid: The number of the process that started it.
        name: Its program.
        user: Who runs it; None when the system does not say.
        status: Such as `running` or `sleeping`.
        cpu_percent: The share of one core it took during the last moment.
        memory_bytes: The memory it holds; None when the system does not say.
        started_at: When it began.
        command: Its command line, shortened; None unless asked for.
    """

    pid: int
    parent_pid: int | None
    name: str
    user: str | None
    status: str
    cpu_percent: float
    memory_bytes: int | None
    started_at: datetime
    command: str | None = None


@dataclass(frozen=True)
class ProcessList:
    """The processes that match.

    Attributes:
        processes: The first of them.
        found: How many there are in all.
        truncated: Whether some are missing here.
        cpu_count: How many cores the computer has.
        memory_total_bytes: Its memory.
        memory_available_bytes: The memory a new program could have.
    """

    processes: tuple[RunningProcess, ...]
    found: int
    truncated: bool
    cpu_count: int
    memory_total_bytes: int
    memory_available_bytes: int


def read_processes(name: str, user: str, sort_by: SortBy, limit: int, *, command_lines: bool) -> ProcessList:
    """Return the processes that match; takes a moment, in which CPU use is measured."""
    wanted = name.casefold()
    found: list[tuple[psutil.Process, dict[str, Any]]] = []
    import psutil  # noqa: PLC0415 -- one tool of many needs it

    for process in psutil.process_iter(_FIELDS):
        facts: dict[str, Any] = process.info
        if wanted in (facts["name"] or "").casefold() and user in {"", facts["username"]}:
            found.append((process, facts))
    with_share = _with_cpu_share(found)
    rows = [_row(facts, share, command_lines=command_lines) for facts, share in with_share]
    rows.sort(key=lambda row: _place(row, sort_by))
    memory = psutil.virtual_memory()
    return ProcessList(
        processes=tuple(rows[:limit]),
        found=len(rows),
        truncated=len(rows) > limit,
        cpu_count=os.cpu_count() or 1,
        memory_total_bytes=memory.total,
        memory_available_bytes=memory.available,
    )


def _with_cpu_share(found: list[tuple[psutil.Process, dict[str, Any]]]) -> list[tuple[dict[str, Any], float]]:
    """Return each process that lives on with its CPU share; one that ends meanwhile is left out."""
    import psutil  # noqa: PLC0415 -- one tool of many needs it

    for process, _ in found:
        with suppress(psutil.Error):
            process.cpu_percent()
    time.sleep(_SAMPLE_S)
    alive: list[tuple[dict[str, Any], float]] = []
    for process, facts in found:
        try:
            alive.append((facts, process.cpu_percent()))
        except psutil.NoSuchProcess:
            continue
        except psutil.AccessDenied:
            alive.append((facts, 0.0))
    return alive


def _row(facts: dict[str, Any], share: float, *, command_lines: bool) -> RunningProcess:
    command = shlex.join(facts["cmdline"] or [facts["name"] or "?"]) if command_lines else None
    if command is not None and len(command) > _LONGEST_COMMAND:
        command = command[: _LONGEST_COMMAND - 1] + "…"
    return RunningProcess(
        pid=facts["pid"],
        parent_pid=facts["ppid"],
        name=facts["name"] or "?",
        user=facts["username"],
        status=facts["status"] or "unknown",
        cpu_percent=share,
        memory_bytes=facts["memory_info"].rss if facts["memory_info"] is not None else None,
        started_at=datetime.fromtimestamp(facts["create_time"] or 0, UTC),
        command=command,
    )


def _place(row: RunningProcess, sort_by: SortBy) -> tuple[Any, ...]:
    first: dict[SortBy, Any] = {
        "cpu": -row.cpu_percent,
        "memory": -(row.memory_bytes or 0),
        "name": row.name.casefold(),
        "pid": row.pid,
        "age": row.started_at,
    }
    return first[sort_by], row.pid
