"""One run of a plan that is held on the engine's thread: how it goes on, and what is told of it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from itertools import islice
from operator import itemgetter
from typing import TYPE_CHECKING, Final

from console.batch.rows import Phase, RunFacts, RunUpdate, StepFacts, result_words
from console.engine import FRAME_MS
from tools.batch import BatchListener, BatchResult, BatchRun, StepState
from tools.batch.clock import ElapsedClock
from tools.batch.exporting import WRITERS
from tools.batch.result import RowResults
from tools.calls import Progress
from tools.errors import ToolError

if TYPE_CHECKING:
    from pathlib import Path

    from tools.batch import StepResult, ToolDependencyGraph
    from tools.batch.rows import FanOut


_log = logging.getLogger(__name__)
_MOST_AT_A_TIME: Final = 400
"""Steps that are told of at a time; more would hold the window up."""

_ROUNDED_S: Final = 1e-5
"""By how much what was written down of times may be off, in seconds."""


class RunWatch(BatchListener):
    """Take note of what changed, and tell of all of it after a frame; on the engine's thread.

    Args:
        publish: Told the names of steps of which something changed.
        is_late: Tells whether the window does not come round to showing it.

    Attributes:
        began_s: When steps began, in seconds for which the run was under way, by name.
        worker: The lanes they run in, by name.
        progress: What they say of themselves, by name.
        waiting: How many of their calls a person is asked about, by name.
        approval_progress: How many calls were looked at of how many, and whether a person is asked about the whole
            plan; None when nobody is to be asked.
    """

    def __init__(self, publish: Callable[[set[str]], None], is_late: Callable[[], bool]) -> None:
        self._publish = publish
        self._is_late = is_late
        self._changed: set[str] = set()
        self._planned = False
        self._busy: list[str | None] = []
        self._places = 0
        self._clock = ElapsedClock()
        self.began_s: dict[str, float] = {}
        self.worker: dict[str, int] = {}
        self.progress: dict[str, Progress] = {}
        self.waiting: dict[str, int] = {}
        self.approval_progress: tuple[int, int, bool] | None = None

    def follow(self, run: BatchRun) -> None:
        """Take the time from a run, and take in when those steps began that an earlier part of it came to."""
        self._clock = run.clock
        self._places = run.plan.limits.parallelism
        free_s: list[float] = []
        for name, began_s in sorted(run.began_before_s.items(), key=itemgetter(1)):
            found = run.results.get(name)
            if found is None:
                continue
            lane = next((lane for lane, at_s in enumerate(free_s) if at_s <= began_s + _ROUNDED_S), len(free_s))
            if lane >= self._places:
                # Rounded times overlap by more than is allowed for: it took over from the step that ended first.
                lane = min(range(len(free_s)), key=free_s.__getitem__)
            free_s[lane : lane + 1] = [began_s + found.elapsed_s]
            self.began_s[name], self.worker[name] = began_s, lane

    def touch(self, *names: str) -> None:
        """Tell of steps soon; of none, when only the run itself stands otherwise."""
        self._changed.update(names)
        if not self._planned:
            self._planned = True
            asyncio.get_running_loop().call_later(FRAME_MS / 1000, self._on_time)

    def is_behind(self) -> bool:
        return self._is_late()

    def _on_time(self) -> None:
        self._planned = False
        if self._is_late():
            self.touch()
            return
        changed = set(islice(self._changed, _MOST_AT_A_TIME))
        self._changed -= changed
        self._publish(changed)
        if self._changed:
            self.touch()

    def on_state_change(self, name: str, state: StepState, reason: str) -> None:
        del reason
        if state is StepState.RUNNING:
            self.began_s[name] = self._clock()
            self._take_lane(name)
        else:
            self.progress.pop(name, None)
            self._leave_lane(name)
        if state is StepState.QUEUED:
            self.began_s.pop(name, None)
        self.touch(name)

    def on_step_progress(self, name: str, progress: Progress) -> None:
        self.progress[name] = progress
        self.touch(name)

    def on_step_review(self, name: str, waits: bool) -> None:
        self.waiting[name] = self.waiting.get(name, 0) + (1 if waits else -1)
        self.touch(name)

    def on_row_complete(self, name: str, row: int, state: StepState, done: int, total: int | None) -> None:
        del row, state, done, total
        self.touch(name)

    def on_approval_progress(self, looked: int, total: int, waits: bool) -> None:
        self.approval_progress = looked, total, waits
        self.touch()

    def on_approval_end(self) -> None:
        self.approval_progress = None
        self.touch()

    def on_batch_start(self, total: int) -> None:
        del total
        self.touch()

    def on_batch_complete(self, successes: int, failures: int, duration: float) -> None:
        del successes, failures, duration
        self.touch()

    def _take_lane(self, name: str) -> None:
        free = next((lane for lane, held in enumerate(self._busy) if held is None), len(self._busy))
        if free and free >= self._places:
            # More steps than calls: one with rows runs on while others begin, most likely the one that began first.
            free = min(range(free), key=lambda lane: self.began_s.get(self._busy[lane] or "", 0.0))
        self._busy[free : free + 1] = [name]
        self.worker[name] = free

    def _leave_lane(self, name: str) -> None:
        if name in self._busy:
            self._busy[self._busy.index(name)] = None


class EngineRun:
    """One run, the task that runs it, and what is told of it; on the engine's thread.

    Attributes:
        file: Where its plan stood; None when that was in no file, or is not told.
    """

    def __init__(
        self,
        run: BatchRun,
        watch: RunWatch,
        run_id: str,
        started_at: datetime,
        file: Path | None = None,
    ) -> None:
        self.run = run
        self.watch = watch
        self.id = run_id
        self.file = file
        self._started_at = started_at
        self._task: asyncio.Task[BatchResult] | None = None
        self._has_gone = False
        self._problem = ""
        watch.follow(run)

    @property
    def goes_on(self) -> bool:
        """Whether the run has not come to its end."""
        return self._task is not None and not self._task.done()

    def go(self) -> None:
        if self.goes_on or not any(state is StepState.QUEUED for state in self.run.schedule.states.values()):
            return
        self._has_gone = True
        self._problem = ""
        self._task = asyncio.get_running_loop().create_task(self.run.go(), name=f"batch {self.id}")
        self._task.add_done_callback(self._on_done)
        self.watch.touch()

    def _on_done(self, task: asyncio.Task[BatchResult]) -> None:
        self.watch.touch()
        if not task.cancelled() and (error := task.exception()) is not None:
            first = _first_of(error)
            # A disk that is full is no failure of the program, of which a report is kept.
            is_ours = not isinstance(first, ToolError)
            _log.error("the run %s ended early: %s", self.id, first, exc_info=error if is_ours else None)
            self._problem = str(first) or type(first).__name__

    async def close(self) -> None:
        """Stop the run where it is, so that it can go on another time."""
        task = self._task
        if task is not None and not task.done():
            # Not `cancel` of the run: that would end it for good.
            task.cancel()
            await asyncio.wait([task])
        self.run.close()

    def update(self, names: Iterable[str]) -> RunUpdate:
        """Return how the run stands, and how far these steps are."""
        return RunUpdate(self._facts(), {name: self._step(name) for name in names})

    def _facts(self) -> RunFacts:
        clock, workers = self.run.clock, self.run.plan.limits.parallelism
        looked, to_look_at, _ = self.watch.approval_progress or (0, 0, False)
        times = self._started_at, clock.zero_s, clock()
        return RunFacts(self._phase(), self.id, *times, workers, self._problem, looked, to_look_at)

    def _phase(self) -> Phase:
        if self._problem:
            return Phase.INTERRUPTED
        if self.goes_on and self.watch.approval_progress is not None:
            return Phase.ASKING if self.watch.approval_progress[-1] else Phase.LOOKING
        if self.goes_on:
            return Phase.PAUSED if self.run.is_paused else Phase.RUNNING
        states = self.run.schedule.states.values()
        if not self._has_gone and any(state in {StepState.QUEUED, StepState.MAY_HAVE_RUN} for state in states):
            return Phase.INTERRUPTED
        return Phase.CANCELLED if any(state is StepState.CANCELLED for state in states) else Phase.OVER

    def _step(self, name: str) -> StepFacts:
        run, watch = self.run, self.watch
        state = run.schedule.states[name]
        found = run.results.get(name)
        fan_out = run.fan_outs.get(name)
        rows = run.row_counts(name)
        result = "" if found is None or isinstance(found.result, RowResults) else result_words(found.display)
        progress = watch.progress.get(name)
        return StepFacts(
            name,
            state,
            share=_share(state, fan_out, progress),
            progress="" if progress is None else progress.text,
            began_s=watch.began_s.get(name),
            elapsed_s=None if found is None or _nobody_knows(found) else found.elapsed_s,
            attempts=0 if found is None else found.attempts,
            rows=rows,
            result=result,
            error=(found.error if found is not None else run.schedule.reasons.get(name)) or "",
            held_by=run.schedule.held_by.get(name, ""),
            is_waiting=state is StepState.RUNNING and bool(watch.waiting.get(name)),
            worker=watch.worker.get(name, 0),
            review_s=0.0 if found is None else found.review_s,
        )

    def exported(self, kind: str) -> Iterator[str]:
        """Return what came of the run until now, `json`, `csv`, `junit` or `dot`; any thread may go through it."""
        if kind == "dot":
            return _drawn(self.run.graph, dict(self.run.schedule.states))
        return WRITERS[kind](self.run.plan, self.run.result())


def _drawn(graph: ToolDependencyGraph, states: Mapping[str, StepState]) -> Iterator[str]:
    yield graph.to_dot(states)


def _first_of(error: BaseException) -> BaseException:
    """Return what went wrong, of several things the first."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


def _nobody_knows(found: StepResult) -> bool:
    """Return whether nobody heard how long a step ran."""
    return found.state is StepState.MAY_HAVE_RUN and not found.elapsed_s


def _share(state: StepState, fan_out: FanOut | None, progress: Progress | None) -> float | None:
    if state is not StepState.RUNNING:
        return None
    if fan_out is not None:
        counts = fan_out.counts
        return (counts.done + counts.failed) / counts.total if counts.total else None
    if progress is None or not progress.total:
        return None
    return min(1.0, max(0.0, progress.done / progress.total))
