"""What the Health page shows, as frozen values and their words; which row is worse than another."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import IntEnum, StrEnum
from typing import Final, Literal, NamedTuple

from console.language import number, tr, tr_count
from console.widgets.formats import format_count, format_duration_ms
from console.widgets.status import STATUS
from tools.sentences import begin_sentence

Status = Literal["up", "degraded", "down", "unknown"]

STATUSES: Final[tuple[Status, ...]] = ("up", "degraded", "down", "unknown")
"""The statuses in the order of the filter."""

_ALL: Final = "all"
_TROUBLED: Final = "troubled"
STATUS_CHOICES: Final = (_ALL, _TROUBLED, *STATUSES)
"""What the page can be narrowed to, as it is remembered."""

_BADNESS: Final[Mapping[str, int]] = {"down": 0, "degraded": 1, "up": 2, "unknown": 3}
_FEW_FAILED: Final = 1.5


class HealthColumn(IntEnum):
    """The columns of the table, left to right."""

    TOOL = 0
    SOURCE = 1
    STATUS = 2
    SUCCESS = 3
    P50 = 4
    P95 = 5
    P99 = 6
    CALLS = 7
    NOTE = 8


class HealthRemedyKey(StrEnum):
    """What a person can do about a tool that is not up."""

    OPEN_CALL = "open_call"
    RESET = "reset"
    CHECK = "check"
    LIMITS = "limits"
    OPEN_TOOL = "open_tool"
    RESTART = "restart"


class HealthRemedy(NamedTuple):
    """The one action that helps most."""

    key: HealthRemedyKey
    words: str


@dataclass(frozen=True, slots=True)
class HealthRow:
    """One tool.

    Attributes:
        source: Where it comes from, in words.
        calls: How many calls ended within the range that the page shows.
        success_rate: The share of runs within the range that succeeded, from 0 to 1; None without runs.
        p50_ms: What half of these runs did not exceed, in milliseconds; None without runs.
        p95_ms: What 95% of them did not exceed.
        p99_ms: What 99% of them did not exceed.
        limit_ms: What 95% of them may take.
        note: Why it is not up, in one sentence without a full stop; empty when it is up.
        remedy: What helps; None when it is up.
        since: Since when it has its status; None when nobody knows.
        few: How many failed of too few runs to judge it by, such as `failed once`; empty when there are enough. It is
            up all the same where its probe passed.
        few_succeeded: How many of these succeeded, such as `0 of 1`.
    """

    tool: str
    source: str
    status: Status = "unknown"
    calls: int = 0
    success_rate: float | None = None
    p50_ms: float | None = None
    p95_ms: float | None = None
    p99_ms: float | None = None
    limit_ms: float = 0.0
    note: str = ""
    remedy: HealthRemedy | None = None
    since: datetime | None = None
    few: str = ""
    few_succeeded: str = ""

    @property
    def is_slow(self) -> bool:
        """Whether 95% of the runs took longer than they may."""
        return self.p95_ms is not None and self.p95_ms > self.limit_ms

    @property
    def has_run(self) -> bool:
        return bool(self.calls) or self.status != "unknown"


class StatusCounts(NamedTuple):
    """How many tools have each status.

    Attributes:
        up: How many work.
        degraded: How many fail or take too long too often.
        down: How many fail.
        unknown: Of how many nothing is known.
    """

    up: int = 0
    degraded: int = 0
    down: int = 0
    unknown: int = 0

    @property
    def total(self) -> int:
        return sum(self)


class Headline(NamedTuple):
    """What stands above the tiles.

    Attributes:
        tone: `ok`, `warn` or `error`.
        fact: The bold word.
        consequence: The worst in one sentence.
        action: Which words lead to the tools that are meant; empty for none.
    """

    tone: Literal["ok", "warn", "error"]
    fact: str
    consequence: str
    action: str = ""


def worst_first(row: HealthRow) -> tuple[float, float, float, str]:
    """Give what rows are sorted by, the worst first: how bad they are, then their names."""
    badness, failing, slowness = badness_of(row)
    return -badness, -failing, -slowness, row.tool


def badness_of(row: HealthRow) -> tuple[float, float, float]:
    """Say how bad a row is: by status, then by success, then by time beside its limit; unused ones are the least bad.

    Of few runs that failed nobody knows whether the tool does well, but they are worth a look before all that is up.
    """
    unknown = 1.0 if row.calls else 2.0
    success = unknown if row.success_rate is None else row.success_rate
    slowness = (row.p95_ms or 0.0) / row.limit_ms if row.limit_ms else 0.0
    return -(_FEW_FAILED if row.few else _BADNESS[row.status]), -success, slowness


def counts_of(rows: Iterable[HealthRow]) -> StatusCounts:
    """Count tools by status."""
    statuses = [row.status for row in rows]
    return StatusCounts(*(statuses.count(status) for status in STATUSES))


def statuses_of(choice: str) -> tuple[Status, ...]:
    """Give the statuses that one of `STATUS_CHOICES` admits; none for all of them."""
    if choice == _TROUBLED:
        return ("degraded", "down")
    return tuple(status for status in STATUSES if status == choice)


def choice_of(statuses: tuple[Status, ...]) -> str:
    """Give the choice that admits some statuses."""
    if not statuses:
        return _ALL
    return statuses[0] if len(statuses) == 1 else _TROUBLED


def status_word(status: Status) -> str:
    """Give the word of a status; of a single tool `words_of` says more."""
    return STATUS[status].word


NO_RUN: Final = tr("No run lately")


def _row_word(row: HealthRow) -> str:
    """Say how a tool does, as the tools tree has it: nobody knows either of one that did not run, or of a few runs."""
    if row.few and row.status == "unknown":
        return begin_sentence(row.few)
    return NO_RUN if row.status == "unknown" else status_word(row.status)


def share_words(share: float | None) -> str:
    """Write a share: 100%, 97.9%, n/a; only what is whole reads 100%."""
    if share is None:
        return tr("n/a")
    percent = share * 100
    return "100%" if share == 1 else f"{number(min(percent, 99.9), '.1f')}%"


_WORDS: Final[Mapping[HealthColumn, Callable[[HealthRow], str]]] = {
    HealthColumn.TOOL: lambda row: row.tool,
    HealthColumn.SOURCE: lambda row: row.source,
    HealthColumn.STATUS: _row_word,
    HealthColumn.SUCCESS: lambda row: row.few_succeeded or share_words(row.success_rate),
    HealthColumn.P50: lambda row: format_duration_ms(row.p50_ms),
    HealthColumn.P95: lambda row: format_duration_ms(row.p95_ms),
    HealthColumn.P99: lambda row: format_duration_ms(row.p99_ms),
    HealthColumn.CALLS: lambda row: format_count(row.calls),
    HealthColumn.NOTE: lambda row: row.note,
}


def words_of(row: HealthRow, column: HealthColumn) -> str:
    """Write a cell of the table."""
    return _WORDS[column](row)


def headline_of(rows: Sequence[HealthRow]) -> Headline:
    """Say the worst of some tools in one sentence."""
    counts = counts_of(rows)
    known = sum(row.status != "unknown" and not row.few for row in rows)
    parts = [
        part
        for part in (
            tr_count(counts.down, "1 tool is down", "{count:,} tools are down") if counts.down else "",
            _troubled([row for row in rows if row.status == "degraded"]) if counts.degraded else "",
        )
        if part
    ]
    if parts:
        count = counts.down + counts.degraded
        show = tr_count(count, "Show the tool", "Show the {count:,} tools")
        tone: Literal["warn", "error"] = "error" if counts.down else "warn"
        return Headline(tone, tr("Down.") if counts.down else tr("Degraded."), f"{tr(' and ').join(parts)}.", show)
    few = [row for row in rows if row.few]
    if not known and not few:
        return Headline("ok", tr("Nothing to tell."), tr("No tool ran lately."))
    told = ""
    if len(few) == 1:
        told = tr("{tool} {failed}, too few runs to judge.", tool=few[0].tool, failed=few[0].few)
    elif few:
        told = tr("{count:,} tools failed at times, in too few runs to judge.", count=len(few))
    if not known:
        return Headline("ok", tr("Too early to tell."), told)
    if few:
        return Headline("ok", tr("Up."), f"{tr_count(known, '1 tool works.', '{count:,} tools work.')} {told}")
    which = tr_count(known, "The tool that ran lately works.", "All {count:,} tools that ran lately work.")
    return Headline("ok", tr("Up."), which)


def _troubled(rows: Sequence[HealthRow]) -> str:
    """Say what the degraded tools have in common."""
    keys = {row.remedy.key if row.remedy is not None else None for row in rows}
    count = len(rows)
    if keys == {HealthRemedyKey.LIMITS}:
        return tr_count(count, "1 tool is slower than its limit", "{count:,} tools are slower than their limits")
    if keys == {HealthRemedyKey.RESET}:
        return tr_count(count, "1 tool is held back", "{count:,} tools are held back")
    if keys == {HealthRemedyKey.RESTART}:
        return tr_count(
            count,
            "1 tool has a server that is not connected",
            "{count:,} tools have a server that is not connected",
        )
    if keys == {HealthRemedyKey.OPEN_CALL}:
        return tr_count(count, "1 tool fails too often", "{count:,} tools fail too often")
    return tr_count(count, "1 tool is degraded", "{count:,} tools are degraded")
