"""The Qt models of the Health page, tools, tiles and changes of health, and what its plots show."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from itertools import permutations
from operator import attrgetter
from typing import Any, Final, NamedTuple

from PySide6.QtCore import QObject, Qt

from console.call_table import now_utc
from console.charts.card import CardValue
from console.charts.lines import CALLERS, Caller, moment_of, moment_text, table_of
from console.health.rows import (
    NO_RUN,
    STATUSES,
    HealthColumn,
    HealthRow,
    Status,
    badness_of,
    status_word,
    words_of,
    worst_first,
)
from console.health.snapshot import span_words
from console.language import tr
from console.widgets import Cell, Column, Index, RowOrder, TableModel, TextTone, status_samples
from console.widgets.formats import format_count, format_full_time, format_when
from tools.health import SPANS, HealthLimits, TimeSpan
from tools.health import Slot as TimeSlot


def _change_cell(before: Status, after: Status) -> Cell:
    return Cell(f"{status_word(before)} → {status_word(after)}", "status", status=after)


_CHANGE_COLUMNS: Final = (
    Column(tr("Time"), 140, is_tabular=True),
    Column(tr("Tool"), 200),
    Column(tr("Change"), 216, samples=tuple(_change_cell(*pair) for pair in permutations(STATUSES, 2))),
    Column(tr("Why")),
)


class HealthChangeRow(NamedTuple):
    """One change.

    Attributes:
        reason: Why; empty when it is up.
    """

    at: datetime
    tool: str
    before: Status
    after: Status
    reason: str


class HealthChangesModel(TableModel[HealthChangeRow]):
    """List changes, newest first.

    Args:
        clock: Gives the time, for the words of it.
    """

    def __init__(self, clock: Callable[[], datetime] = now_utc, parent: QObject | None = None) -> None:
        def cells_of(row: HealthChangeRow) -> tuple[Cell, ...]:
            return (
                Cell(format_when(row.at, clock()), tip=format_full_time(row.at)),
                Cell(row.tool, "text", is_strong=True),
                _change_cell(row.before, row.after),
                Cell(row.reason),
            )

        super().__init__(_CHANGE_COLUMNS, cells_of, _key_of, parent)


def _key_of(row: HealthChangeRow) -> str:
    return f"{row.at.isoformat()} {row.tool} {row.after}"


LINE_ROLE: Final = Qt.ItemDataRole.UserRole + 3
"""Gives the numbers of a tile's curve."""

_STATUS_SAMPLES: Final = (*status_samples(*STATUSES), Cell(NO_RUN, "status", status="unknown"))
_COLUMNS: Final = (
    Column(tr("Tool"), 168, sort=lambda row: row.tool.casefold()),
    Column(tr("Source"), 160, priority=2, sort=lambda row: row.source.casefold()),
    Column(tr("Status"), 112, sort=badness_of, descends=True, samples=_STATUS_SAMPLES),
    Column(tr("Success"), 76, is_number=True, sort=lambda row: row.success_rate),
    Column("P50", 76, is_number=True, priority=3, sort=lambda row: row.p50_ms, descends=True),
    Column("P95", 76, is_number=True, sort=lambda row: row.p95_ms, descends=True),
    Column("P99", 76, is_number=True, priority=4, sort=lambda row: row.p99_ms, descends=True),
    Column(tr("Calls"), 72, is_number=True, priority=1, sort=lambda row: row.calls, descends=True),
    Column(tr("Note"), least=240, sort=lambda row: row.note.casefold() or None),
)


class HealthModel(TableModel[HealthRow]):
    """List tools, sorted and narrowed."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(_COLUMNS, _cells_of, attrgetter("tool"), parent)
        self.set_order(RowOrder(HealthColumn.STATUS, descending=True))

    def show_rows(self, rows: Iterable[HealthRow], *, has_more: bool = False) -> None:
        """Show other tools; equal ones stand worst first."""
        super().show_rows(sorted(rows, key=worst_first), has_more=has_more)

    def set_statuses(self, statuses: tuple[Status, ...]) -> None:
        """List only tools with one of these statuses; empty admits all."""
        self.narrow(_having(statuses))


def _cells_of(row: HealthRow) -> tuple[Cell, ...]:
    known: TextTone = "text2" if row.has_run else "text3"
    # Of most tools nothing is known; what can be done about that need not be read on every line.
    is_quiet = row.status == "unknown" and not row.few
    told = words_of(row, HealthColumn.STATUS)
    since = (
        tr("{status} since {since}", status=status_word(row.status), since=format_full_time(row.since))
        if row.since is not None
        else ""
    )
    return (
        Cell(row.tool, "text", is_strong=True),
        Cell(row.source),
        Cell(told, "status", status=row.status, tip=since),
        Cell(words_of(row, HealthColumn.SUCCESS), known),
        Cell(words_of(row, HealthColumn.P50), known),
        Cell(words_of(row, HealthColumn.P95), "warn" if row.is_slow else known),
        Cell(words_of(row, HealthColumn.P99), known),
        Cell(words_of(row, HealthColumn.CALLS), known),
        Cell(row.note, action=row.remedy.words if row.remedy is not None else "", is_quiet=is_quiet),
    )


class TileModel(TableModel[HealthRow]):
    """Tell of the worst tools, as many as there is room for."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__((Column(tr("Tool")),), _tile_cells, attrgetter("tool"), parent)
        self._lines: Mapping[str, tuple[float | None, ...]] = {}
        self._room = 0

    def show(self, rows: Sequence[HealthRow], lines: Mapping[str, tuple[float | None, ...]]) -> None:
        """Show other tools.

        Args:
            rows: All tools, the worst first.
            lines: Their curves, by tool.
        """
        self._lines = lines
        self.show_rows(rows)
        self.tell_changed(range(len(self.rows)))

    def set_statuses(self, statuses: tuple[Status, ...]) -> None:
        """Show only tools with one of these statuses; empty admits all."""
        self.narrow(_having(statuses))

    def set_room(self, room: int) -> None:
        if room != self._room:
            self._room = room
            self._follow()

    def listed(self, rows: Iterable[HealthRow]) -> list[HealthRow]:
        return [row for row in super().listed(rows) if row.has_run][: self._room]

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role == LINE_ROLE:
            return self._lines.get(self.rows[index.row()].tool, ())
        return super().data(index, role)


def _tile_cells(row: HealthRow) -> tuple[Cell, ...]:
    status, success, p95 = (
        words_of(row, column) for column in (HealthColumn.STATUS, HealthColumn.SUCCESS, HealthColumn.P95)
    )
    words = tr("{tool}: {status}, success {success}, P95 {p95}", tool=row.tool, status=status, success=success, p95=p95)
    return (Cell(row.tool, tip=f"{words}\n{row.note}" if row.note else words, spoken=words),)


def _having(statuses: tuple[Status, ...]) -> Callable[[HealthRow], bool] | None:
    """Return what admits tools with one of these statuses; None to admit all."""

    def admits(row: HealthRow) -> bool:
        return row.status in statuses

    return admits if statuses else None


class PlotData(NamedTuple):
    """What the plots show.

    Attributes:
        slots: The tool's, oldest first; a slot that is missing is a gap.
        all_slots: Those of all tools together.
        span: How far back the plots reach, one of `SPANS`.
        limits: The tool's.
        tool: Its name; "" when there is none to show.
    """

    slots: Sequence[TimeSlot]
    all_slots: Sequence[TimeSlot]
    span: TimeSpan
    now: datetime
    limits: HealthLimits
    tool: str

    @property
    def is_empty(self) -> bool:
        return not (self.slots or self.all_slots)

    @property
    def newest(self) -> float | None:
        """The moment of the tool's newest slot, in seconds since the epoch; None without any."""
        return moment_of(self.slots[-1]) if self.slots else None

    @property
    def calls_title(self) -> str:
        if self.span.slot_s == 60:
            return tr("Calls per minute")
        return tr("Calls per {span}", span=span_words(self.span.slot_s))

    @property
    def notices(self) -> tuple[str, str, str]:
        """Why there is nothing to see in the plots of latency, success and calls; "" where there is something."""
        name = next(name for name, span in SPANS.items() if span == self.span)
        nothing = tr("No calls in the last hour") if name == "1 h" else tr("No calls in the last {span}", span=name)
        unrun = tr("Nothing ran in the last hour") if name == "1 h" else tr("Nothing ran in the last {span}", span=name)
        if not self.tool:
            mine = tr("No tool chosen")
        elif not self.slots:
            mine = nothing
        else:
            # Calls that were denied or answered from the cache ran nowhere.
            mine = "" if any(slot.runs for slot in self.slots) else unrun
        return mine, mine, "" if self.all_slots else nothing

    def time_of(self, moment: float) -> str:
        """Write the time of a moment as finely as slots are long."""
        return moment_text(moment, self.span.slot_s)

    def when(self, moment: float | None) -> str:
        """Say when the values are from that stand in the heads.

        Args:
            moment: The marked moment; None takes the newest slot, and the one that passes or the one before is now.
        """
        if moment is not None:
            return tr("at {time}", time=self.time_of(moment))
        if self.newest is None:
            return ""
        age_s = self.now.timestamp() - self.newest
        return tr("now") if age_s < 2 * self.span.slot_s else tr("at {time}", time=self.time_of(self.newest))

    def table(self, moment: float | None = None) -> str:
        """Return the tool's values as a table.

        Args:
            moment: Only those of this moment; None takes all.
        """
        return table_of(slot for slot in self.slots if moment is None or moment_of(slot) == moment)


def legend(callers: Sequence[Caller]) -> list[CardValue]:
    """Return the names of bars."""
    return [CardValue(caller, CALLERS[caller], "") for caller in callers]


def counts(by_caller: Mapping[Caller, int]) -> list[CardValue]:
    """Return the names of bars with how many calls there were of each, without those of which there were none."""
    readings = [CardValue(caller, CALLERS[caller], format_count(count)) for caller, count in by_caller.items() if count]
    return readings or [CardValue("", "", tr("no calls"))]
