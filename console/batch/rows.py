"""What the Batch page shows of a plan and a run, as frozen values and their words."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from enum import IntEnum, StrEnum
from typing import Final, NamedTuple

from console.widgets.formats import format_count, format_duration_ms
from console.widgets.status import STATUS, StatusName
from tools.batch import RowCounts, StepState


class PlanColumn(IntEnum):
    """The columns of the plan, left to right."""

    NUMBER = 0
    STEP = 1
    TOOL = 2
    ARGUMENTS = 3
    AFTER = 4
    STATUS = 5
    PROGRESS = 6
    DURATION = 7
    RESULT = 8


class Group(StrEnum):
    """What steps are counted and filtered by."""

    DONE = "done"
    RUNNING = "running"
    WAITING = "waiting for you"
    FAILED = "failed"
    UNSURE = "unsure"
    QUEUED = "queued"
    BLOCKED = "blocked"
    SKIPPED = "skipped"
    CANCELLED = "cancelled"


GROUPS: Final[Mapping[Group, StatusName]] = {
    Group.DONE: "success",
    Group.RUNNING: "running",
    Group.WAITING: "waiting",
    Group.FAILED: "failed",
    Group.UNSURE: "warning",
    Group.QUEUED: "queued",
    Group.BLOCKED: "blocked",
    Group.SKIPPED: "skipped",
    Group.CANCELLED: "cancelled",
}
"""The groups in the order in which people read them, and the sign of each."""


FAILED_GROUPS: Final = (Group.FAILED, Group.UNSURE)
"""The groups of steps that somebody has to look at."""


class Phase(StrEnum):
    """How a run stands.

    A plan that was not run is ready; a run that the end of the program cut short is interrupted. One that asks about
    its whole plan is looking at what would be asked, and then asking, before anything of it runs.
    """

    READY = "ready"
    STARTING = "starting"
    LOOKING = "looking"
    ASKING = "asking"
    RUNNING = "running"
    PAUSED = "paused"
    OVER = "over"
    CANCELLED = "cancelled"
    INTERRUPTED = "interrupted"

    @property
    def goes_on(self) -> bool:
        """Whether something may still happen by itself, or after a pause."""
        return self in {Phase.STARTING, Phase.LOOKING, Phase.ASKING, Phase.RUNNING, Phase.PAUSED}


class WrittenStep(NamedTuple):
    """One step as the plan says it.

    Attributes:
        number: Its place in the plan, from 1 on.
        step: Its name.
        tool: The tool it calls.
        arguments: The arguments on one line, shortened.
        needs: The steps it waits for.
        after: Their numbers, in words.
        has_rows: Whether it is repeated over rows.
    """

    number: int
    step: str
    tool: str
    arguments: str = ""
    needs: tuple[str, ...] = ()
    after: str = ""
    has_rows: bool = False


class StepFacts(NamedTuple):
    """How far one step of a run is.

    Attributes:
        step: Its name.
        state: Where it stands.
        share: How much of it is done, from 0 to 1; None when nobody knows.
        progress: What it says of itself while it runs.
        began_s: For how many seconds the run was under way when it began; None when it did not, or nobody knows.
        elapsed_s: How long it took; None while it runs, and when it did not run.
        attempts: How many calls it took.
        rows: How its rows ended; None when it has none.
        result: What came of it in a few words; empty when nothing did.
        error: Why it did not succeed; empty when it did.
        held_by: The step because of whose end it does not run; empty when it does.
        is_waiting: Whether a person is asked about it at this moment.
        worker: The lane it runs in, from 0 on.
        review_s: The part of the time in which it only waited for a person.
    """

    step: str
    state: StepState = StepState.QUEUED
    share: float | None = None
    progress: str = ""
    began_s: float | None = None
    elapsed_s: float | None = None
    attempts: int = 0
    rows: RowCounts | None = None
    result: str = ""
    error: str = ""
    held_by: str = ""
    is_waiting: bool = False
    worker: int = 0
    review_s: float = 0.0

    @property
    def own_s(self) -> float | None:
        """Seconds it took without waiting for a person; None while it runs, and when it did not run."""
        return None if self.elapsed_s is None else max(0.0, self.elapsed_s - self.review_s)


class RunFacts(NamedTuple):
    """How a run stands.

    Attributes:
        phase: Where it is.
        run: Its id; empty when there is none yet.
        started_at: When it began first; None when it did not.
        zero_s: What `perf_counter` said when it began, less what it took before; None while its time stands still.
        elapsed_s: How long it took so far, when it does not go on.
        workers: How many calls run at a time.
        problem: Why it ended before its time; empty when it did not.
        looked: How many calls were looked at before somebody is asked about the plan.
        to_look_at: How many will be; 0 while nobody knows.
    """

    phase: Phase = Phase.READY
    run: str = ""
    started_at: datetime | None = None
    zero_s: float | None = None
    elapsed_s: float = 0.0
    workers: int = 0
    problem: str = ""
    looked: int = 0
    to_look_at: int = 0

    @property
    def asks(self) -> bool:
        """Whether a person is asked about the whole plan."""
        return self.phase is Phase.ASKING

    @property
    def looking(self) -> str:
        """How far the look at what would be asked is, in words; empty when nobody looks."""
        if self.phase is not Phase.LOOKING:
            return ""
        words = "Looking at what would be asked"
        if not self.to_look_at:
            return words
        return f"{words}, {format_count(self.looked)} of {format_count(self.to_look_at)}"


class RunUpdate(NamedTuple):
    """What changed of a run.

    Attributes:
        facts: How it stands now.
        steps: Those of which something changed, by name.
    """

    facts: RunFacts
    steps: Mapping[str, StepFacts]


class StepRow(NamedTuple):
    """One line of the plan.

    Attributes:
        planned: What the plan says.
        facts: What came of it so far.
        problem: What is wrong with it in the plan; empty when it may run.
        held_by: The number of the step that holds it; 0 when none does.
        asks: Whether it asks before it runs, in words; empty when it does not.
    """

    planned: WrittenStep
    facts: StepFacts
    problem: str = ""
    held_by: int = 0
    asks: str = ""


_STATUSES: Final[Mapping[StepState, StatusName]] = {
    StepState.QUEUED: "queued",
    StepState.RUNNING: "running",
    StepState.DONE: "success",
    StepState.CACHED: "cached",
    StepState.FAILED: "failed",
    StepState.DENIED: "denied",
    StepState.TIMED_OUT: "timed_out",
    StepState.MAY_HAVE_RUN: "warning",
    StepState.CANCELLED: "cancelled",
    StepState.SKIPPED: "skipped",
}
_GROUPS: Final[Mapping[StepState, Group]] = {
    StepState.QUEUED: Group.QUEUED,
    StepState.RUNNING: Group.RUNNING,
    StepState.DONE: Group.DONE,
    StepState.CACHED: Group.DONE,
    StepState.FAILED: Group.FAILED,
    StepState.DENIED: Group.FAILED,
    StepState.TIMED_OUT: Group.FAILED,
    StepState.MAY_HAVE_RUN: Group.UNSURE,
    StepState.CANCELLED: Group.CANCELLED,
    StepState.SKIPPED: Group.SKIPPED,
}


_PLANNED: Final[Mapping[PlanColumn, int]] = {
    PlanColumn.NUMBER: 0,
    PlanColumn.STEP: 1,
    PlanColumn.TOOL: 2,
    PlanColumn.ARGUMENTS: 3,
    PlanColumn.AFTER: 5,
}
"""Which part of a planned step stands in a column."""


def group_of(facts: StepFacts) -> Group:
    """Give the group that a step is counted in."""
    state = facts.state
    if facts.is_waiting:
        return Group.WAITING
    if state is StepState.SKIPPED and facts.held_by:
        return Group.BLOCKED
    return _GROUPS[state]


def status_of(facts: StepFacts) -> StatusName:
    """Give the sign of how a step stands."""
    group = group_of(facts)
    return GROUPS[group] if group in {Group.WAITING, Group.BLOCKED} else _STATUSES[facts.state]


def status_words(row: StepRow) -> str:
    """Say how a step stands."""
    facts = row.facts
    group = group_of(facts)
    if group is Group.BLOCKED:
        return f"Blocked by {row.held_by}" if row.held_by else "Blocked"
    if group is Group.WAITING:
        return "Needs you"
    if group is Group.UNSURE:
        return "May have run"
    if facts.state is StepState.DONE and facts.attempts > 1:
        return "1 retry" if facts.attempts == 2 else f"{facts.attempts - 1} retries"
    return STATUS[status_of(facts)].word


def has_run(facts: StepFacts) -> bool:
    """Say whether anything of a step ran, or runs."""
    return facts.state not in {StepState.QUEUED, StepState.SKIPPED, StepState.CANCELLED} or facts.elapsed_s is not None


def step_actions(facts: StepFacts, phase: Phase) -> list[tuple[str, str]]:
    """Return what can be asked for a step now: keys, and their words.

    Args:
        facts: How far it is.
        phase: How the run stands.
    """
    state = facts.state
    has_begun = phase not in {Phase.READY, Phase.STARTING, Phase.LOOKING, Phase.ASKING}
    is_held = bool(facts.held_by)
    failed_rows = state.failed and facts.rows is not None and bool(facts.rows.failed)
    wanted = (
        ("open", "Show the step", True),
        ("retry", "Run it again", has_begun and state.ended and not is_held),
        ("rerun", "Run again from here", has_begun and state.succeeded),
        ("skip_rows", "Go on without the rows that failed", has_begun and failed_rows),
        ("skip", "Skip it", has_begun and not state.succeeded and state is not StepState.RUNNING and not is_held),
        ("cancel", "Stop it", phase.goes_on and state in {StepState.RUNNING, StepState.QUEUED}),
    )
    return [(key, words) for key, words, is_possible in wanted if is_possible]


def words_of(row: StepRow, column: PlanColumn, now_s: float | None = None) -> str:
    """Write a cell of the table.

    Args:
        row: The step.
        column: Which cell.
        now_s: Seconds since the start of the run, for what runs; None when nothing does.
    """
    if column is PlanColumn.STATUS:
        return status_words(row)
    if column is PlanColumn.PROGRESS:
        return _share_words(row.facts)
    if column is PlanColumn.DURATION:
        return _duration_words(row.facts, now_s)
    return _outcome(row) if column is PlanColumn.RESULT else str(row.planned[_PLANNED[column]])


def _share_words(facts: StepFacts) -> str:
    if facts.state.ended or facts.share is None:
        return ""
    return f"{int(facts.share * 100)}%"


def _duration_words(facts: StepFacts, now_s: float | None) -> str:
    if facts.own_s is not None:
        return format_duration_ms(facts.own_s * 1000) if has_run(facts) else ""
    if facts.state is StepState.RUNNING and facts.began_s is not None and now_s is not None:
        return format_duration_ms(max(0.0, now_s - facts.began_s) * 1000)
    return ""


def _outcome(row: StepRow) -> str:
    facts = row.facts
    if row.problem and not has_run(facts):
        return sentence(row.problem).removesuffix(".")
    if facts.error and (facts.state.failed or facts.state in {StepState.SKIPPED, StepState.CANCELLED}):
        return row.asks if facts.held_by else sentence(facts.error).removesuffix(".")
    if facts.rows is not None:
        return _rows_words(facts.rows)
    if facts.state is StepState.RUNNING:
        return facts.progress
    if facts.state is StepState.QUEUED:
        return row.asks
    return facts.result


def sentence(words: str) -> str:
    """Give words as a sentence; what begins like a name in code stays as it is."""
    first = words.partition(" ")[0]
    begun = words[:1].upper() + words[1:] if first.isalpha() and first.islower() else words
    return begun if begun.endswith((".", "!", "?", "…")) or not begun else f"{begun}."


def _rows_words(rows: RowCounts) -> str:
    done = format_count(rows.done)
    words = f"{done} rows" if rows.total is None else f"{done} of {format_count(rows.total)}"
    return f"{words}, {format_count(rows.failed)} failed" if rows.failed else words


def line_of(row: StepRow) -> str:
    """Write a row as one line of words with tabs between, as spreadsheets take it."""
    return "\t".join(words_of(row, column).replace("\t", " ").replace("\n", " ") for column in PlanColumn)
