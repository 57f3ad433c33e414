"""What the journal of a run says: how far it came, and what came of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, Final, NamedTuple

from tools.batch.expressions import needs_of
from tools.batch.graph import ToolDependencyGraph
from tools.batch.journal import VERSION, Ended, PastRows, RowResults
from tools.batch.journal_reading import WrittenJournal
from tools.batch.plan import BatchPlan
from tools.batch.result import BatchResult, StepResult
from tools.batch.schedule import Schedule
from tools.batch.states import StepState
from tools.errors import HistoryError, VaultError
from tools.spec import MISSING

SKIPPED_BY_SOMEBODY: Final = "somebody skipped it"
_UNSURE: Final = "it had begun when the program ended, and may have run; look before you run it again"


class PastRun(NamedTuple):
    """What a journal says of a run.

    Attributes:
        plan: The plan.
        parameters: What it was given.
        folder: What its relative paths start from.
        started_at: When it began first.
        ended: How its steps ended without rows, by step.
        rows: How the rows of the others ended, by step.
        begun: The calls that began and of whose end nothing is written, as pairs of step and row.
        passed: The steps that somebody passed over.
        is_over: Whether it came to its end.
        began_s: When steps began that ended, or may have run, by step, in seconds for which the run was under way;
            those are left out of which older journals do not tell.
        elapsed_s: How long it was under way, as far as that is told.
        file: Where its plan stood; None when that was in no file, or is not told.
    """

    plan: BatchPlan
    parameters: Mapping[str, Any]
    folder: Path
    started_at: datetime
    ended: Mapping[str, Ended]
    rows: Mapping[str, PastRows]
    begun: frozenset[tuple[str, int | None]]
    passed: frozenset[str]
    is_over: bool
    began_s: Mapping[str, float]
    elapsed_s: float
    file: Path | None

    @property
    def result(self) -> BatchResult:
        """What came of it so far; where nobody wrote down when, its duration is that of its steps one by one."""
        graph = ToolDependencyGraph()
        graph.add_all({step.id: needs_of(step) for step in self.plan.steps})
        schedule = Schedule(graph, goes_on_without=(step.id for step in self.plan.steps if step.continue_on_failure))
        known = self.replay(schedule, lambda _: False)
        results = {step.id: known.get(step.id) or self._unfinished(step.id, schedule) for step in self.plan.steps}
        return BatchResult(results, self.elapsed_s or sum(item.elapsed_s for item in results.values()))

    def replay(self, schedule: Schedule, may_run_again: Callable[[str], bool]) -> dict[str, StepResult]:
        """Bring a schedule to where the run was.

        Args:
            schedule: One in which nothing has begun.
            may_run_again: Whether a call of a step that had begun may simply begin again. Where it may not, the step
                is held; one with rows goes on with the others, and holds those of which nobody knows.

        Returns:
            What came of the steps that ended.
        """
        for name, row in self.begun:
            if row is not None and not may_run_again(name):
                self.rows[name].failed[row] = StepState.MAY_HAVE_RUN, _UNSURE
        results: dict[str, StepResult] = {}
        for name in list(schedule.states):
            if name in self.passed:
                schedule.pass_over(name, SKIPPED_BY_SOMEBODY)
                if name in self.rows:
                    results[name] = skipped_rows(self.rows[name])
            elif (name, None) in self.begun and not may_run_again(name):
                ran_s = max(0.0, self.elapsed_s - self.began_s.get(name, self.elapsed_s))
                results[name] = StepResult(False, None, _UNSURE, StepState.MAY_HAVE_RUN, ran_s)
                schedule.end(name, StepState.MAY_HAVE_RUN, _UNSURE)
            elif name in self.ended:
                results[name] = self._result_of(name)
                schedule.end(name, results[name].state, results[name].error or "")
        return results

    def _unfinished(self, name: str, schedule: Schedule) -> StepResult:
        state, reason, rows = schedule.states[name], schedule.reasons.get(name), self.rows.get(name)
        if rows is None:
            return StepResult(success=False, error=reason, state=state)
        if state is StepState.QUEUED and any(step == name for step, _ in self.begun):
            state, reason = StepState.MAY_HAVE_RUN, _UNSURE
        return StepResult(success=False, result=rows.results, error=reason, state=state, rows=rows.counts)

    def _result_of(self, name: str) -> StepResult:
        ended, rows = self.ended[name], self.rows.get(name)
        counts = None if rows is None else rows.counts
        if counts is not None:
            counts = counts._replace(total=counts.done + counts.failed + counts.skipped)
        return StepResult(
            ended.state.succeeded,
            ended.value if rows is None else rows.results,
            ended.error or None,
            ended.state,
            ended.elapsed_s,
            ended.attempts,
            counts,
            ended.shown,
        )


def skipped_rows(rows: PastRows) -> StepResult:
    """Return what came of a step that somebody skipped when some of its rows had ended: their results stay."""
    return StepResult(
        success=False, result=rows.results, error=SKIPPED_BY_SOMEBODY, state=StepState.SKIPPED, rows=rows.counts
    )


def read_journal(journal: WrittenJournal) -> PastRun:
    """Return what a journal says.

    Raises:
        HistoryError: When it says nothing, or what is there is no journal, or it is sealed and does not open.
    """
    path = journal.path
    try:
        lines = journal.lines()
        _, head = next(lines)
        if head.get("journal") != VERSION:
            msg = f"{path} is no journal of a batch that this version can read"
            raise HistoryError(msg)
        return _Reading(head, journal).past(lines)
    except StopIteration:
        msg = f"{path} is empty: the run ended before its plan was written; start it anew"
        raise HistoryError(msg) from None
    except VaultError as error:
        msg = f"{path} is sealed, because a tool of its plan hides something: {error}"
        raise HistoryError(msg) from error
    except (OSError, ValueError, LookupError, TypeError, RecursionError) as error:
        msg = f"{path} is no journal of a batch, or is damaged: {error}"
        raise HistoryError(msg) from error


class _Reading:
    def __init__(self, head: Mapping[str, Any], journal: WrittenJournal) -> None:
        self._head = head
        self._journal = journal
        self._plan = BatchPlan.model_validate(head["plan"])
        self._ended: dict[str, Ended] = {}
        self._rows: dict[str, PastRows] = {}
        self._begun: set[tuple[str, int | None]] = set()
        self._passed: set[str] = set()
        self._is_over = False
        self._began_s: dict[str, float] = {}
        self._elapsed_s = 0.0

    def past(self, lines: Iterable[tuple[int, dict[str, Any]]]) -> PastRun:
        for place, line in lines:
            self._is_over = "over" in line
            self._elapsed_s = max(self._elapsed_s, line.get("at", 0.0))
            if "begin" in line:
                self._take_begin(line["begin"], line.get("row"), line.get("at"))
            elif "end" in line:
                self._take_end(line, place)
            elif "again" in line:
                self._take_again(line["again"], line.get("rows"))
            elif "passed" in line:
                self._take_passed(line["passed"], line.get("rows"))
            elif "steps" in line:
                self._plan = BatchPlan.model_validate({**self._head["plan"], "steps": line["steps"]})
        some = {step for step, row in self._begun if row is not None}
        done = {name for name, ended in self._ended.items() if ended.state.succeeded}
        # There may have been no rows at all; the result is an empty list then.
        for name in (*some, *(step.id for step in self._plan.steps if step.rows is not None and step.id in done)):
            self._rows_of(name)
        head = self._head
        started = datetime.fromisoformat(head["at"])
        begun, passed = frozenset(self._begun), frozenset(self._passed)
        where = head["parameters"], Path(head["folder"]), started
        rest = self._began_s, self._elapsed_s, Path(head["file"]) if "file" in head else None
        return PastRun(self._plan, *where, self._ended, self._rows, begun, passed, self._is_over, *rest)

    def _take_begin(self, step: str, row: int | None, at_s: float | None) -> None:
        self._begun.add((step, row))
        if row is None and at_s is not None:
            self._began_s[step] = at_s

    def _take_end(self, line: Mapping[str, Any], place: int) -> None:
        step, row, state, error = line["end"], line.get("row"), StepState(line["state"]), line.get("error", "")
        if state is StepState.CANCELLED:
            # It was stopped, not finished: a run that goes on begins it again, or asks if anything of it happened.
            if not line.get("call"):
                self._begun.discard((step, row))
            return
        self._begun.discard((step, row))
        if row is None:
            rest = line["s"], line.get("attempts", 1), line.get("call", "")
            self._ended[step] = Ended(state, line.get("value"), error, *rest, line.get("shown", MISSING))
            self._take_time(step, line["s"], line.get("at"))
            return
        past = self._rows_of(step)
        past.results.put(row, place if state.succeeded else None)
        if not state.succeeded:
            past.failed[row] = state, error

    def _take_time(self, step: str, took_s: float, at_s: float | None) -> None:
        """Take note when a step ran: one without rows wrote down when it began, another one when it ended."""
        if at_s is not None and took_s:
            self._began_s[step] = max(0.0, at_s - took_s)
        elif step in self._began_s:
            self._elapsed_s = max(self._elapsed_s, self._began_s[step] + took_s)

    def _take_again(self, step: str, rows: list[int] | None) -> None:
        """Forget what came of a step; of its rows, only of those that are named."""
        self._passed.discard(step)
        self._ended.pop(step, None)
        self._began_s.pop(step, None)
        if rows is None:
            self._rows.pop(step, None)
            return
        for row in rows:
            self._rows_of(step).failed.pop(row, None)

    def _take_passed(self, step: str, rows: list[int] | None) -> None:
        if rows is None:
            self._passed.add(step)
            return
        self._ended.pop(step, None)
        for row in rows:
            self._begun.discard((step, row))
            past = self._rows_of(step)
            past.results.put(row, None)
            past.failed[row] = StepState.SKIPPED, SKIPPED_BY_SOMEBODY

    def _rows_of(self, step: str) -> PastRows:
        if step not in self._rows:
            self._rows[step] = PastRows(RowResults(self._journal), {})
        return self._rows[step]
