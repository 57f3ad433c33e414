"""What the Batch page shows of a plan and a run, as frozen values and their words."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from enum import IntEnum, StrEnum
from itertools import islice
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from console.language import tr, tr_count, translated
from console.widgets.formats import format_count, format_duration_ms, format_time
from console.widgets.status import STATUS, StatusName
from console.widgets.table_model import Cell, status_samples
from tools.batch import BatchPlan, RowCounts, Step, StepState
from tools.batch.expressions import ExpressionError, needs_of
from tools.batch.plan import title_of
from tools.errors import PlanProblem
from tools.schema import json_beginning
from tools.sentences import begin_sentence


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


class GroupStyle(NamedTuple):
    """The sign of a group, and what people call it behind a count."""

    status: StatusName
    words: str


GROUPS: Final[Mapping[Group, GroupStyle]] = {
    Group.DONE: GroupStyle("success", tr("done")),
    Group.RUNNING: GroupStyle("running", tr("running", "steps")),
    Group.WAITING: GroupStyle("waiting", tr("waiting for you", "steps")),
    Group.FAILED: GroupStyle("failed", tr("failed")),
    Group.UNSURE: GroupStyle("warning", tr("unsure")),
    Group.QUEUED: GroupStyle("queued", tr("queued")),
    Group.BLOCKED: GroupStyle("blocked", tr("blocked")),
    Group.SKIPPED: GroupStyle("skipped", tr("skipped")),
    Group.CANCELLED: GroupStyle("cancelled", tr("cancelled")),
}
"""The groups in the order in which people read them."""


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


class RunAction(StrEnum):
    """What a person can ask of a run, or of one of its steps; `CANCEL` of either."""

    PAUSE = "pause"
    RESUME = "resume"
    CANCEL = "cancel"
    RETRY_FAILED = "retry_failed"
    RETRY = "retry"
    RERUN = "rerun"
    SKIP = "skip"
    SKIP_ROWS = "skip_rows"

    @property
    def revises(self) -> bool:
        return self in {RunAction.RETRY_FAILED, RunAction.RETRY, RunAction.RERUN}


class WrittenStep(NamedTuple):
    """One step as the plan says it.

    Attributes:
        number: Its place in the plan, from 1 on.
        arguments: The arguments on one line, shortened.
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
        share: How much of it is done, from 0 to 1; None when nobody knows.
        progress: What it says of itself while it runs.
        began_s: For how many seconds the run was under way when it began; None when it did not, or nobody knows.
        elapsed_s: How long it took; None while it runs, and when it did not run.
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
        run: Its id; empty when there is none yet.
        started_at: When it began first; None when it did not.
        zero_s: What `perf_counter` said when it began, less what it took before; None while its time stands still.
        elapsed_s: How long it took so far, when it does not go on.
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
        words = tr("Looking at what would be asked")
        if not self.to_look_at:
            return words
        return tr(
            "{words}, {looked} of {to_look_at}",
            words=words,
            looked=format_count(self.looked),
            to_look_at=format_count(self.to_look_at),
        )


class RunUpdate(NamedTuple):
    """What changed of a run.

    Attributes:
        steps: Those of which something changed, by name.
    """

    facts: RunFacts
    steps: Mapping[str, StepFacts]


class SavedRun(NamedTuple):
    """A run that was written down.

    Attributes:
        done: How many of them succeeded, or were skipped on purpose.
        unsure: How many may have run when the program ended.
        unsure_steps: The names of the first of these.
        file: Where the plan stood; None when that was in no file, or is not told.
    """

    journal: Path
    plan: str
    started_at: datetime
    steps: int
    done: int
    failed: int
    unsure: int
    unsure_steps: tuple[str, ...] = ()
    is_over: bool = False
    file: Path | None = None

    @property
    def title(self) -> str:
        return title_of(self.plan, self.file)


class FailedRow(NamedTuple):
    """A row of a step that did not succeed."""

    row: int
    state: StepState
    error: str


class StepInspection(NamedTuple):
    """What is known of one step.

    Attributes:
        arguments: What it is given; what is not known yet stands there as the plan has it.
        later: The arguments of which some part is known only later.
        problems: What of them cannot be worked out.
        result: The result as JSON; of a step with rows, those of the first rows.
    """

    arguments: Mapping[str, Any]
    later: Sequence[str] = ()
    problems: Sequence[str] = ()
    has_result: bool = False
    result: Any = None
    failed_rows: Sequence[FailedRow] = ()


class StepRow(NamedTuple):
    """One line of the plan.

    Attributes:
        problem: What is wrong with it in the plan; empty when it may run.
        held_by: The number of the step that holds it; 0 when none does.
        asks: Whether it asks before it runs, in words; empty when it does not.
    """

    planned: WrittenStep
    facts: StepFacts
    problem: str = ""
    held_by: int = 0
    asks: str = ""


_STATES: Final[Mapping[StepState, tuple[StatusName, Group]]] = {
    StepState.QUEUED: ("queued", Group.QUEUED),
    StepState.RUNNING: ("running", Group.RUNNING),
    StepState.DONE: ("success", Group.DONE),
    StepState.CACHED: ("cached", Group.DONE),
    StepState.FAILED: ("failed", Group.FAILED),
    StepState.DENIED: ("denied", Group.FAILED),
    StepState.TIMED_OUT: ("timed_out", Group.FAILED),
    StepState.MAY_HAVE_RUN: ("warning", Group.UNSURE),
    StepState.CANCELLED: ("cancelled", Group.CANCELLED),
    StepState.SKIPPED: ("skipped", Group.SKIPPED),
}
"""The sign of each state, and the group that a step in it is counted in."""


def group_of(facts: StepFacts) -> Group:
    """Give the group that a step is counted in."""
    state = facts.state
    if facts.is_waiting:
        return Group.WAITING
    if state is StepState.SKIPPED and facts.held_by:
        return Group.BLOCKED
    return _STATES[state][1]


def status_of(facts: StepFacts) -> StatusName:
    """Give the sign of how a step stands."""
    group = group_of(facts)
    return GROUPS[group].status if group in {Group.WAITING, Group.BLOCKED} else _STATES[facts.state][0]


def status_words(row: StepRow) -> str:
    """Say how a step stands."""
    facts = row.facts
    group = group_of(facts)
    if group is Group.BLOCKED:
        return tr("Blocked by {held_by}", held_by=row.held_by) if row.held_by else tr("Blocked")
    if group is Group.WAITING:
        return tr("Needs you")
    if group is Group.UNSURE:
        return tr("May have run")
    if facts.state is StepState.DONE and facts.attempts > 1:
        return tr_count(facts.attempts - 1, "1 retry", "{count} retries")
    return STATUS[status_of(facts)].word


def step_samples() -> tuple[Cell, ...]:
    """Return what may stand in a column that says how steps stand."""
    return (
        *status_samples("blocked", *(status for status, _ in _STATES.values() if status != "warning")),
        Cell(tr("Needs you"), "status", status="waiting"),
        Cell(tr("May have run"), "status", status="warning"),
        Cell(tr("Cannot run"), "status", status="rejected"),
    )


def has_run(facts: StepFacts) -> bool:
    """Say whether anything of a step ran, or runs."""
    return facts.state not in {StepState.QUEUED, StepState.SKIPPED, StepState.CANCELLED} or facts.elapsed_s is not None


def step_actions(facts: StepFacts, phase: Phase) -> list[tuple[str, str]]:
    """Return what can be asked for a step now: keys, and their words."""
    state = facts.state
    has_begun = phase not in {Phase.READY, Phase.STARTING, Phase.LOOKING, Phase.ASKING}
    is_held = bool(facts.held_by)
    failed_rows = state.failed and facts.rows is not None and bool(facts.rows.failed)
    wanted = (
        ("open", tr("Show the step"), True),
        ("retry", tr("Run it again"), has_begun and state.ended and not is_held),
        ("rerun", tr("Run again from here"), has_begun and state.succeeded),
        ("skip_rows", tr("Go on without the rows that failed"), has_begun and failed_rows),
        ("skip", tr("Skip it"), has_begun and not state.succeeded and state is not StepState.RUNNING and not is_held),
        ("cancel", tr("Stop it"), phase.goes_on and state in {StepState.RUNNING, StepState.QUEUED}),
    )
    return [(key, words) for key, words, is_possible in wanted if is_possible]


def share_words(facts: StepFacts) -> str:
    """Say how much of what runs is done; empty when nobody knows."""
    if facts.state.ended or facts.share is None:
        return ""
    return tr("{percent:.0f}%", percent=int(facts.share * 100))


def duration_words(facts: StepFacts, now_s: float | None) -> str:
    """Say how long a step took, or takes by now, in seconds since the start of the run; None when nothing runs."""
    if facts.own_s is not None:
        return format_duration_ms(facts.own_s * 1000) if has_run(facts) else ""
    if facts.state is StepState.RUNNING and facts.began_s is not None and now_s is not None:
        return format_duration_ms(max(0.0, now_s - facts.began_s) * 1000)
    return ""


def outcome_words(row: StepRow) -> str:
    """Say what came of a step, or why nothing did, or how far it is."""
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
    words = translated(words)
    first = words.partition(" ")[0]
    begun = begin_sentence(words) if first.isalpha() and first.islower() else words
    return begun if begun.endswith((".", "!", "?", "…")) or not begun else f"{begun}."


def _rows_words(rows: RowCounts) -> str:
    words = (
        tr_count(rows.done, "{count:,} rows", "{count:,} rows")
        if rows.total is None
        else tr("{done} of {total}", done=format_count(rows.done), total=format_count(rows.total))
    )
    return tr("{words}, {failed} failed", words=words, failed=format_count(rows.failed)) if rows.failed else words


_LONGEST: Final = 120
_SHOWN_ARGUMENTS: Final = 12


def known_needs(step: Step) -> tuple[str, ...]:
    """Return what a step waits for; while an expression of it cannot be read, what it says itself."""
    try:
        return needs_of(step)
    except ExpressionError:
        return step.depends_on


def circle_of(step: str, needs: Iterable[str], needs_of_step: Callable[[str], Iterable[str]]) -> list[str]:
    """Return the shortest circle in which a step that had these needs would wait for itself; empty for none.

    Args:
        needs: What it would wait for.
        needs_of_step: Returns what another step waits for.

    Returns:
        The names from the step on, back to it, each waiting for the next.
    """
    came_from = dict.fromkeys(needs, step)
    queue = list(came_from)
    for name in queue:
        if name == step:
            break
        for needed in needs_of_step(name):
            if needed not in came_from:
                came_from[needed] = name
                queue.append(needed)
    if step not in came_from:
        return []
    circle = [step]
    while came_from[circle[-1]] != step:
        circle.append(came_from[circle[-1]])
    return [step, *reversed(circle)]


def planned_steps(plan: BatchPlan) -> list[WrittenStep]:
    """Return the steps of a plan as the table shows them."""
    number_by_step = {step.id: number for number, step in enumerate(plan.steps, 1)}
    found = []
    for number, step in enumerate(plan.steps, 1):
        needs = known_needs(step)
        numbers = sorted(number_by_step[name] for name in needs if name in number_by_step)
        after = ", ".join(map(str, numbers))
        given = _arguments_line(step.arguments)
        found.append(WrittenStep(number, step.id, step.tool, given, needs, after, step.rows is not None))
    return found


def _arguments_line(arguments: Mapping[str, Any]) -> str:
    parts = [f"{name}={_short(value)}" for name, value in islice(arguments.items(), _SHOWN_ARGUMENTS)]
    return " ".join(parts)[:_LONGEST]


def _short(value: Any) -> str:
    # What takes something from another step reads better without its quotes.
    if isinstance(value, str) and value.startswith("${") and value.endswith("}"):
        return value[2:-1].removeprefix("steps.")[:_LONGEST]
    return json_beginning(value, _LONGEST)[:_LONGEST]


def result_words(value: Any) -> str:
    """Say in a few words what came of a step."""
    if value is None:
        return ""
    if isinstance(value, list):
        return tr_count(len(value), "1 item", "{count:,} items")
    if isinstance(value, Mapping):
        single = value.get("result", value.get("value")) if len(value) == 1 else None
        if single is not None:
            return result_words(single)
        lists = [(name, item) for name, item in value.items() if isinstance(item, list)]
        if len(lists) == 1:
            name, item = lists[0]
            # A name that is no plural, such as `value`, does not say what they are.
            return _many(len(item), str(name).replace("_", " ")) if str(name).endswith("s") else result_words(item)
        return json_beginning(dict(value), _LONGEST)[:_LONGEST]
    if isinstance(value, str):
        return value.strip().partition("\n")[0][:_LONGEST]
    return json_beginning(value, _LONGEST)[:_LONGEST]


def _many(count: int, what: str) -> str:
    if count == 1 and what.endswith("s") and not what.endswith("ss"):
        what = what[:-3] + "y" if what.endswith("ies") else what[:-1]
    return f"{format_count(count)} {what}"


_NOTHING: Final[Mapping[str, str]] = MappingProxyType({})


class PlanRows:
    """List the steps of a plan, in its order.

    What is known is kept by the names of steps, so that another plan, or another run, costs only what is other. It
    changes when what it was made of does; a `copy` stays, and may go to another thread.

    Args:
        facts: How far steps are, by name; one that is missing did not begin.
        problems: What is wrong with steps, by name.
        asks: Which ask before they run, in words, by name.

    Attributes:
        place_by_step: Where each step stands, from 0 on; of several with one name the last.
    """

    def __init__(
        self,
        planned: Sequence[WrittenStep] = (),
        facts: dict[str, StepFacts] | None = None,
        problems: Mapping[str, str] = _NOTHING,
        asks: Mapping[str, str] = _NOTHING,
    ) -> None:
        self.planned = planned
        self.facts = {} if facts is None else facts
        self.problems = problems
        self.asks = asks
        self.place_by_step: Mapping[str, int] = {step.step: place for place, step in enumerate(planned)}

    def copy(self) -> PlanRows:
        made = PlanRows((), self.facts.copy(), self.problems, self.asks)
        made.planned, made.place_by_step = self.planned, self.place_by_step
        return made

    def facts_of(self, step: str) -> StepFacts:
        return self.facts.get(step) or StepFacts(step)

    def waiting_for(self, step: str) -> list[int]:
        """Return the numbers of the steps that a step holds, in order."""
        held = (name for name, facts in self.facts.items() if facts.held_by == step)
        return sorted(self.place_by_step[name] + 1 for name in held if name in self.place_by_step)

    def __len__(self) -> int:
        return len(self.planned)

    def __getitem__(self, place: int) -> StepRow:
        return self._row(self.planned[place])

    def __iter__(self) -> Iterator[StepRow]:
        return map(self._row, self.planned)

    def _row(self, planned: WrittenStep) -> StepRow:
        step = planned.step
        facts = self.facts.get(step)
        if facts is None:
            return StepRow(planned, StepFacts(step), self.problems.get(step, ""), 0, self.asks.get(step, ""))
        held_by = self.place_by_step.get(facts.held_by, -1) + 1 if facts.held_by else 0
        return StepRow(planned, facts, self.problems.get(step, ""), held_by, self.asks.get(step, ""))


CellProblems = Mapping[int, Mapping[int, str]]
"""What is wrong with cells: words by column, by the place of the row in the plan."""

_PLACE: Final = re.compile(r"steps\[(\d+)\]\.?(\w*)")
_COLUMNS: Final = {"tool": PlanColumn.TOOL, "arguments": PlanColumn.ARGUMENTS, "depends_on": PlanColumn.AFTER}


def cells_of(problems: Sequence[PlanProblem], plan: BatchPlan) -> CellProblems:
    """Return what is wrong with the cells of a plan's table.

    What has no column of its own, as a condition or a timeout, stands at the step's name.
    """
    places: dict[str, list[int]] = {}
    for place, step in enumerate(plan.steps):
        places.setdefault(step.id, []).append(place)
    found: dict[int, dict[int, list[str]]] = {}
    for problem in problems:
        for place, column, name in _cells(problem, places):
            message = translated(problem.message)
            words = f"{name}: {message}" if name else message
            found.setdefault(place, {}).setdefault(column, []).append(words)
    return {place: {column: "\n".join(words) for column, words in columns.items()} for place, columns in found.items()}


def _cells(problem: PlanProblem, places: Mapping[str, Sequence[int]]) -> list[tuple[int, PlanColumn, str]]:
    match = _PLACE.match(problem.where)
    if match is not None:
        name = match[2]
        inner = problem.where[match.end() :].lstrip(".")
        # What stands at a cell of its own need not say which it is.
        return [(int(match[1]), _COLUMNS.get(name, PlanColumn.STEP), inner if name in _COLUMNS else name)]
    named = places.get(problem.step, ())
    # A name that several steps have, or a circle of steps that wait for each other.
    column = PlanColumn.STEP if len(named) > 1 else PlanColumn.AFTER
    return [(place, column, "") for place in named]


class Abilities(NamedTuple):
    """What can be asked of the plan and its run now.

    Attributes:
        failed: How many steps failed and can be run again.
        unsure: How many may have run, so that somebody has to look before anything runs.
        export: Whether anything came of it.
        why: Why it cannot be run; empty when it can, or when that is plain.
    """

    run: bool = False
    pause: bool = False
    resume: bool = False
    cancel: bool = False
    failed: int = 0
    unsure: int = 0
    export: bool = False
    why: str = ""


class StepFailure(NamedTuple):
    """What is told of a step that did not succeed.

    Attributes:
        further: What to do, and what waits for it; empty when there is nothing to say.
        is_unsure: Whether it may have run, so that nobody may run it again unasked.
        has_good_rows: Whether some of its rows succeeded, so that only those that failed need be skipped.
    """

    step: str
    status: StatusName
    fact: str
    why: str
    further: str = ""
    is_unsure: bool = False
    has_good_rows: bool = False


_NUMBERS: Final = 5


def abilities_of(facts: RunFacts, *, failed: int, cancelled: int, is_sound: bool) -> Abilities:
    """Return what can be asked of a plan and its run now; a sound one has steps, and nothing is wrong with it."""
    # What broke off cannot be trusted to go on; it is read anew from what was written down.
    phase, has_run = facts.phase, bool(facts.run) and not facts.problem
    goes_on = phase.goes_on
    return Abilities(
        run=is_sound and not goes_on,
        pause=phase is Phase.RUNNING,
        resume=phase is Phase.PAUSED or (has_run and not goes_on and (phase is Phase.INTERRUPTED or bool(cancelled))),
        cancel=goes_on and phase is not Phase.STARTING,
        failed=failed if has_run else 0,
        export=bool(facts.run),
    )


def why_not(facts: RunFacts, problems: Sequence[PlanProblem]) -> str:
    """Say why a plan cannot be run; empty when it can, or goes on already."""
    if facts.phase.goes_on or not problems:
        return ""
    first = sentence(problems[0].message)
    step = f"{problems[0].step}: " if problems[0].step else ""
    more = (
        tr_count(len(problems) - 1, "And 1 problem more.", "And {count:,} problems more.") if len(problems) > 1 else ""
    )
    return f"{step}{first} {more}".rstrip()


def plan_words(facts: RunFacts, steps: int, workers: int, problems: Sequence[PlanProblem], now: datetime) -> str:
    """Say what a plan is made of, and when its run began."""
    if facts.looking:
        return facts.looking
    words = [
        tr_count(steps, "1 step", "{count:,} steps"),
        tr_count(workers, "1 worker", "{count:,} workers"),
    ]
    if facts.started_at is not None:
        words.append(tr("started {time}", time=format_time(facts.started_at, now)))
    if problems and not facts.phase.goes_on:
        words.append(tr_count(len(problems), "1 problem", "{count:,} problems"))
    return " · ".join(words)


def failure_of(row: StepRow, waiting: Sequence[int]) -> StepFailure:
    """Return what is told of a step that did not succeed, and of the numbers of those that wait for it."""
    step = row.planned.step
    why, _, advice = row.facts.error.partition("; ")
    further = [sentence(advice)] if advice else []
    if waiting:
        numbers = ", ".join(map(str, waiting[:_NUMBERS])) + (" …" if len(waiting) > _NUMBERS else "")
        further.append(
            tr_count(
                len(waiting),
                "Step {numbers} waits for this one.",
                "Steps {numbers} wait for this one.",
                numbers=numbers,
            )
        )
    counts = row.facts.rows
    return StepFailure(
        step,
        status_of(row.facts),
        tr("Step {number}, {step}.", number=row.planned.number, step=step),
        sentence(why),
        " ".join(further),
        is_unsure=group_of(row.facts) is Group.UNSURE,
        has_good_rows=counts is not None and bool(counts.done and counts.failed),
    )
