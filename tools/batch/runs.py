"""The runs on this computer: what their journals say, whose they are, which were interrupted, how long they stay.

A plan with a name has the runs of that name, wherever its file lies. One without a name has those of its file: without
that, all plans without a name would share theirs.
"""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final, NamedTuple

from tools.batch.expressions import needs_of
from tools.batch.graph import ToolDependencyGraph
from tools.batch.journal import VERSION, Journal, WrittenJournal, has_begun, is_journal
from tools.batch.plan import UNNAMED, BatchPlan, Step, title_of
from tools.batch.result import SKIPPED_BY_SOMEBODY, BatchResult, RowStates, StepResult, StepState
from tools.batch.schedule import Schedule
from tools.errors import CallStateError, HistoryError, ToolError, VaultError
from tools.paths import paths_like
from tools.spec import MISSING

_Stands = tuple[StepState, str]
"""How a call or a step stands, and why."""
_IS_NONE: Final = "is no journal of a batch that this version can read"
_UNSURE: Final = "it had begun when the program ended, and may have run; look before you run it again"
_STOPPED: Final = "it was cancelled while it ran, and may have come far; look before you run it again"
_SIMPLE: Final = "it was under way when the program ended, and begins again when the run goes on"
_MAY_HAVE_RUN: Final = (StepState.MAY_HAVE_RUN, _UNSURE)


Call = tuple[str, int | None]
"""A call of a run: its step, and the number of its row; None for a step without rows."""


class BegunCall(NamedTuple):
    """A call that began and did not come to its end.

    Attributes:
        once: Whether it must not simply begin again.
        cancelled: Why it was cancelled, and what became of it is not written; None when it was not.
        ran_s: How many seconds it had run by then.
    """

    once: bool = False
    cancelled: str | None = None
    ran_s: float = 0.0


@dataclass(slots=True)
class PastRun:
    """What a journal says of a run.

    Attributes:
        folder: What its relative paths start from.
        file: Where its plan stood; None when that was in no file.
        project: The project folder that its tools worked in; None when that is not told.
        ended: How its steps ended without rows, by step.
        rows: How the rows of the others ended, by step.
        begun: The calls that began and did not come to their end.
        stopped: How the steps that had not begun ended when the run was stopped, by step.
        passed: The steps that a person skipped.
        began_s: When steps began that ended, or may have run, by step, in seconds for which the run was under way.
        elapsed_s: How long it was under way, as far as that is told.
    """

    plan: BatchPlan
    parameters: Mapping[str, Any]
    folder: Path
    started_at: datetime
    journal: WrittenJournal
    file: Path | None = None
    project: Path | None = None
    ended: dict[str, StepResult] = field(default_factory=dict)
    rows: dict[str, RowStates] = field(default_factory=dict)
    begun: dict[Call, BegunCall] = field(default_factory=dict)
    stopped: dict[str, _Stands] = field(default_factory=dict)
    passed: set[str] = field(default_factory=set)
    is_over: bool = False
    began_s: dict[str, float] = field(default_factory=dict)
    elapsed_s: float = 0.0

    @property
    def result(self) -> BatchResult:
        """What came of it so far, if nobody is about it; see `result_so_far`."""
        return self.result_so_far(is_under_way=False)

    def result_so_far(self, *, is_under_way: bool) -> BatchResult:
        """Return what came of it so far; where nobody wrote down when, its duration is that of its steps one by one.

        Args:
            is_under_way: Whether somebody is about the run, so that what has begun and not ended runs.
        """
        graph = ToolDependencyGraph()
        graph.add_all({step.id: needs_of(step) for step in self.plan.steps})
        schedule = Schedule(graph, goes_on_without=(step.id for step in self.plan.steps if step.continue_on_failure))

        held: dict[Call, _Stands] = {}
        for place, call in self.begun.items():
            if call.cancelled is not None:
                held[place] = StepState.CANCELLED, call.cancelled
            elif call.once and not is_under_way:
                held[place] = _MAY_HAVE_RUN
        known = self._replay(schedule, held, {} if is_under_way else self.stopped)
        results = {
            step.id: known.get(step.id) or self._unfinished(step.id, schedule, is_under_way=is_under_way)
            for step in self.plan.steps
        }
        return BatchResult(results, self.elapsed_s or sum(item.elapsed_s for item in results.values()))

    def replay(self, schedule: Schedule, repeatable: Collection[str]) -> dict[str, StepResult]:
        """Bring a schedule to where the run was.

        Args:
            schedule: One in which nothing has begun.
            repeatable: The steps whose calls that had begun may simply begin again. Any other step is held; one with
                rows goes on with the others, and holds those of which nobody knows.

        Returns:
            What came of the steps that ended.
        """
        held = {
            place: (StepState.MAY_HAVE_RUN, _UNSURE if call.cancelled is None else _STOPPED)
            for place, call in self.begun.items()
            if place[0] not in repeatable
        }
        return self._replay(schedule, held, {})

    def _replay(
        self, schedule: Schedule, held: Mapping[Call, _Stands], stopped: Mapping[str, _Stands]
    ) -> dict[str, StepResult]:
        for (name, row), how in held.items():
            if row is not None:
                self.rows[name].end(row, *how, 0)
        results: dict[str, StepResult] = {}
        for name in list(schedule.states):
            if name in self.passed:
                schedule.pass_over(name, SKIPPED_BY_SOMEBODY)
                if name in self.rows:
                    results[name] = self.rows[name].skipped_step()
            elif name in self.ended and (name, None) not in held:
                results[name] = self._result_of(name)
                schedule.end(name, results[name].state, results[name].error or "")
        # What was still to come when a run was stopped ended before what ran then, and is not skipped because of it.
        for name in [name for name in stopped if schedule.states[name] is StepState.QUEUED]:
            schedule.end(name, *stopped[name])
        for name in schedule.states:
            if name not in self.passed and (name, None) in held:
                state, why = held[name, None]
                results[name] = StepResult(state, None, why, self.begun[name, None].ran_s)
                schedule.end(name, state, why)
        return results

    def _unfinished(self, name: str, schedule: Schedule, *, is_under_way: bool) -> StepResult:
        state, reason, rows = schedule.states[name], schedule.reasons.get(name), self.rows.get(name)
        held_by = schedule.held_by.get(name, "")
        begun = {place: call for place, call in self.begun.items() if place[0] == name}
        begun = begun if state is StepState.QUEUED else {}
        unsure = [call for call in begun.values() if call.cancelled is None]
        if unsure and is_under_way:
            state, reason = StepState.RUNNING, None
        elif any(call.once for call in unsure):
            state, reason = _MAY_HAVE_RUN
        elif unsure:
            reason = _SIMPLE
        elif begun:
            state, reason = StepState.CANCELLED, begun[min(begun)].cancelled
        if rows is None:
            # How long one ran that nobody heard the end of, nobody knows.
            so_far_s = max(0.0, self.elapsed_s - self.began_s.get(name, self.elapsed_s))
            ran_s = so_far_s if unsure and is_under_way else self.begun.get((name, None), BegunCall()).ran_s
            return StepResult(state, None, reason, ran_s, held_by=held_by)
        counts = rows.counts(running=len(unsure) if is_under_way else 0)
        return rows.result(StepResult(state, None, reason, held_by=held_by), counts)

    def _result_of(self, name: str) -> StepResult:
        ended, rows = self.ended[name], self.rows.get(name)
        if rows is None:
            return ended
        return rows.result(ended, rows.counts(rows.results.done + len(rows.failed) + len(rows.skipped)))

    def take_lines(self, lines: Iterable[tuple[int, dict[str, Any]]]) -> None:
        """Take in the lines of the journal behind the first, each with its place."""
        ids = {step.id for step in self.plan.steps}
        about_steps: Mapping[str, Callable[[str, int | None, dict[str, Any], int], None]] = {
            "begin": self._take_begin,
            "end": self._take_end,
            "again": self._take_again,
            "passed": self._take_passed,
        }
        for place, line in lines:
            self.is_over = "over" in line
            self.elapsed_s = max(self.elapsed_s, line.get("at", 0.0))
            kind = next((kind for kind in about_steps if kind in line), None)
            if kind is not None:
                if line[kind] not in ids:
                    raise ValueError(
                        f"it names the step {line[kind]!r} at byte {place}, and its plan has none of that name"
                    )
                about_steps[kind](line[kind], line.get("row"), line, place)
            elif "stopped" in line:
                self._take_stopped(StepState(line["stopped"]), line["error"])
            elif "steps" in line:
                steps = tuple(map(Step.model_validate, line["steps"]))
                self.plan = self.plan.model_copy(update={"steps": steps})
        some = {step for step, row in self.begun if row is not None}
        done = {name for name, ended in self.ended.items() if ended.state.succeeded}
        # There may have been no rows at all; the result is an empty list then.
        for name in (*some, *(step.id for step in self.plan.steps if step.rows is not None and step.id in done)):
            self._rows_of(name)

    def _take_begin(self, step: str, row: int | None, line: Mapping[str, Any], _: int) -> None:
        self.begun[step, row] = BegunCall("once" in line)
        self.stopped.pop(step, None)
        if row is not None:
            self._rows_of(step).recognise(row, line["of"])
        else:
            self.began_s[step] = line["at"]

    def _take_end(self, step: str, row: int | None, line: Mapping[str, Any], place: int) -> None:
        state, error, call = StepState(line["state"]), line.get("error", ""), line.get("call", "")
        begun = self.begun.pop((step, row), BegunCall())
        if state is StepState.CANCELLED:
            # It was stopped, not finished: a run that goes on begins it again, or asks if anything of it happened.
            if call:
                self.begun[step, row] = begun._replace(cancelled=error, ran_s=float(line["s"]))
            return
        if not state.ended:
            raise ValueError(f"the end of {step!r} cannot be {state.value!r}")
        if row is not None:
            self._rows_of(step).end(row, state, error, place)
            return
        took_s, attempts, at_s = float(line["s"]), line.get("attempts", 1 if call else 0), line.get("at")
        value, shown, review_s = line.get("value"), line.get("shown", MISSING), line.get("review_s", 0.0)
        self.ended[step] = StepResult(state, value, error or None, took_s, attempts, call, shown, review_s)
        # A step without rows wrote down when it began, another one when it ended.
        if at_s is not None and took_s:
            self.began_s[step] = max(0.0, at_s - took_s)
        elif step in self.began_s:
            self.elapsed_s = max(self.elapsed_s, self.began_s[step] + took_s)

    def _take_again(self, step: str, _: int | None, line: Mapping[str, Any], __: int) -> None:
        """Forget what came of a step; of its rows, only of those that are named."""
        self.passed.discard(step)
        for known in (self.stopped, self.ended, self.began_s):
            known.pop(step, None)
        if "rows" not in line:
            self.rows.pop(step, None)
        for row in line.get("rows", ()):
            self._rows_of(step).failed.pop(row, None)

    def _take_stopped(self, state: StepState, why: str) -> None:
        """Take note that what has not begun by now was not to begin any more."""
        known = {*self.ended, *self.passed, *(step for step, _ in self.begun)}
        self.stopped |= {step.id: (state, why) for step in self.plan.steps if step.id not in known}

    def _take_passed(self, step: str, _: int | None, line: Mapping[str, Any], __: int) -> None:
        self.stopped.pop(step, None)
        if "rows" not in line:
            self.passed.add(step)
            return
        self.ended.pop(step, None)
        for row in line["rows"]:
            self.begun.pop((step, row), None)
        self._rows_of(step).skip(line["rows"])

    def _rows_of(self, step: str) -> RowStates:
        if step not in self.rows:
            self.rows[step] = RowStates(self.journal)
        return self.rows[step]


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
            raise HistoryError(f"{path} {_IS_NONE}")
        run = PastRun(
            plan=BatchPlan.model_validate(head["plan"]),
            parameters=head["parameters"],
            folder=Path(head["folder"]),
            started_at=datetime.fromisoformat(head["at"]),
            journal=journal,
            file=Path(head["file"]) if "file" in head else None,
            project=Path(head["project"]) if "project" in head else None,
        )
        run.take_lines(lines)
        return run
    except StopIteration:
        what = "is empty: the run ended before its plan was written; start it anew"
        raise HistoryError(f"{path} {what if is_journal(path) else _IS_NONE}") from None
    except VaultError as error:
        raise HistoryError(f"{path} is sealed, because a tool of its plan hides something: {error}") from error
    except (OSError, ValueError, LookupError, TypeError, RecursionError) as error:
        raise HistoryError(f"{path} is no journal of a batch, or is damaged: {error}") from error


_NOT_IN_NAMES: Final = re.compile(r"[^A-Za-z0-9_-]+")
_LONGEST_NAME: Final = 60
_END: Final = b'{"over":true'
"""How the last line of a run that is over begins."""
_TAIL: Final = 64
"""At least the length of that line."""


def is_run_of(run: tuple[str, Path | None], plan: tuple[str, Path | None]) -> bool:
    """Return whether a run is one of a plan, both given by the plan's name and its file, which may be none."""
    return run[0] == plan[0] and (plan[0] != UNNAMED or run[1] == plan[1])


def run_id(plan: BatchPlan, file: Path | None = None) -> str:
    """Return a name for a run that begins now: when, and of what; a plan without a name has that of its file."""
    name = _NOT_IN_NAMES.sub("-", title_of(plan.name, file)).strip("-")[:_LONGEST_NAME] or UNNAMED
    began = datetime.now(UTC).astimezone()
    return f"{began:%Y%m%d-%H%M%S}-{began.microsecond // 1000:03}-{name}"


def journals_in(folder: Path) -> list[Path]:
    """Return the journals in a folder, the newest first."""
    return sorted(paths_like(folder, "*.jsonl"), reverse=True)


def is_over(journal: Path) -> bool:
    """Return whether a run came to its end, from the end of its journal alone.

    Raises:
        OSError: When it cannot be read.
    """
    with journal.open("rb") as file:
        size = file.seek(0, os.SEEK_END)
        file.seek(max(0, size - _TAIL))
        tail = file.read()
    return tail.endswith(b"\n") and tail[:-1].rpartition(b"\n")[2].startswith(_END)


def past_run(journal: Path) -> PastRun:
    """Return what a journal says.

    Raises:
        HistoryError: When it says nothing, or what is there is no journal.
    """
    with WrittenJournal(journal) as kept:
        return read_journal(kept)


def project_of(journal: Path) -> Path | None:
    """Return the project folder that the tools of a run worked in; None when that is not told, or cannot be read."""
    try:
        with WrittenJournal(journal) as kept:
            _, head = next(kept.lines())
            return Path(head["project"])
    except (StopIteration, ToolError, OSError, ValueError, LookupError, TypeError):
        # Whoever goes on with it hears what is wrong.
        return None


def is_under_way(journal: Path) -> bool:
    """Return whether another program is about a run, or somebody else in this one.

    Raises:
        HistoryError: When its journal cannot be opened.
    """
    with WrittenJournal(journal) as kept:
        return kept.is_held


class Keeping(NamedTuple):
    """How many journals of runs that are over are kept, and how long after their last line."""

    most: int = 500
    longest: timedelta = timedelta(days=90)


KEEPING: Final = Keeping()

_NEVER_BEGUN: Final = timedelta(days=1)
"""How long a journal is kept of which not even the plan was written down."""


def prune(folder: Path, now: datetime, keeping: Keeping = KEEPING) -> list[Path]:
    """Delete the journals of runs that are over and too old, or too many, and of those that never began.

    What was interrupted stays until a person says so, and so does a run that another program has open.

    Returns:
        The journals that were deleted.
    """
    deleted: list[Path] = []
    kept = 0
    oldest_s, torn_s = ((now - longest).timestamp() for longest in (keeping.longest, _NEVER_BEGUN))
    for journal in journals_in(folder):
        # Another program may delete the same ones, and Windows keeps what one still reads: the next time takes it.
        with contextlib.suppress(FileNotFoundError, PermissionError, HistoryError):
            written_s = journal.stat().st_mtime
            if is_over(journal):
                is_kept = kept < keeping.most and written_s >= oldest_s
                kept += is_kept
            else:
                is_kept = written_s >= torn_s or has_begun(journal)
            if not is_kept and _deleted(journal):
                deleted.append(journal)
    return deleted


def forget(journal: Path, *, interrupted_too: bool = False) -> None:
    """Delete the journal of one run.

    Raises:
        CallStateError: When the run is under way, or was interrupted and nobody said that it may go all the same.
        HistoryError: When the journal cannot be opened.
        OSError: When it cannot be deleted.
    """
    if not is_journal(journal):
        raise CallStateError(f"{journal} is no run of a batch, so it is left as it is")
    if not interrupted_too and has_begun(journal) and not is_over(journal):
        raise CallStateError(
            f"{journal.stem} was interrupted and can be gone on with; --interrupted forgets it all the same"
        )
    if not _deleted(journal):
        raise CallStateError(
            f"{journal.stem} is under way, or open in another program; wait until it ends, or end it there"
        )


def _deleted(journal: Path) -> bool:
    """Delete a journal unless somebody is about its run; return whether it is gone."""
    with Journal(journal, is_new=False) as kept:
        try:
            kept.claim()
        except HistoryError:
            return False
        if os.name != "nt":
            # Nobody can begin to write into it meanwhile.
            journal.unlink()
            return True
    # Windows keeps what somebody else has open.
    journal.unlink()
    return True
