"""Slots as a table that a spreadsheet takes from the clipboard."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from tools.health.slots import Slot

_HEAD: Final = ("begins at", "seconds", "calls", "runs", "failed", "P50 ms", "P95 ms", "P99 ms")


def table_of(slots: Iterable[Slot]) -> str:
    """Return a line for each slot below a line of names, cells parted by tabs; a cell nobody knows is empty.

    Args:
        slots: In the order of the lines.
    """
    rows = [_HEAD, *(_row(slot) for slot in slots)]
    return "".join("\t".join(row) + "\n" for row in rows)


def _row(slot: Slot) -> tuple[str, ...]:
    times = (f"{ms:.3f}" if ms is not None else "" for ms in (slot.p50_ms, slot.p95_ms, slot.p99_ms))
    counts = (slot.length_s, sum(slot.calls.values()), slot.runs, slot.failures)
    return (slot.begins_at.isoformat(), *map(str, counts), *times)
