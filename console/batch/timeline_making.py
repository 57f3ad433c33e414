"""Make what the timeline shows out of the lines of a plan and what is still to come."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

from console.batch.rows import PlanColumn, StepRow, has_run, status_of, words_of
from console.batch.run_estimate import RunEstimate
from console.batch.timeline_rows import Bar, Timeline
from console.heartbeat import yielding
from console.widgets.formats import format_review
from tools.batch import StepState

_ALL_WORKERS: Final = 8
"""Up to how many workers have a line each, also when nothing ran on them."""
_NUMBERS: Final = 3


def timeline_of(
    rows: Sequence[StepRow],
    estimate: RunEstimate,
    *,
    workers: int,
    now_s: float | None,
    yield_to_ui: Callable[[], object] | None = None,
) -> Timeline:
    """Return the bars of a run.

    Args:
        rows: The steps, and how far they are.
        estimate: What is still to come.
        workers: How many calls run at a time.
        now_s: Seconds since the start of the run; None when it does not go on.
        yield_to_ui: Called between steps; it may wait for the window. None never waits.
    """
    critical = frozenset(estimate.critical)
    happened = sorted(_happened(yielding(rows, yield_to_ui), now_s, critical), key=_start)
    planned = sorted(_planned(yielding(rows, yield_to_ui), estimate, critical), key=_start)
    bars = (*happened, *planned)
    lanes = max((bar.worker + 1 for bar in bars), default=0)
    if workers <= _ALL_WORKERS:
        lanes = max(lanes, workers)
    # More steps with rows than workers run at a time: they take turns.
    names = tuple(f"Worker {lane + 1}" if lane < workers else "In turn" for lane in range(lanes))
    steps = tuple(row.planned.step for row in rows)
    return Timeline(bars, steps, names, now_s, _note(rows, estimate) if planned else "")


def _happened(rows: Iterable[StepRow], now_s: float | None, critical: frozenset[str]) -> Iterator[Bar]:
    for row in rows:
        facts = row.facts
        if facts.began_s is None or not has_run(facts):
            continue
        if facts.elapsed_s is not None:
            ended_s = facts.began_s + facts.elapsed_s
        elif facts.state is StepState.RUNNING and now_s is not None:
            ended_s = max(now_s, facts.began_s)
        else:
            continue
        step, note = row.planned.step, words_of(row, PlanColumn.PROGRESS)
        yield Bar(
            step,
            row.planned.number,
            facts.worker,
            facts.began_s,
            ended_s,
            status_of(facts),
            ", ".join(filter(None, (note, format_review(facts.review_s)))),
            is_critical=step in critical,
            review_s=facts.review_s,
        )


def _planned(rows: Iterable[StepRow], estimate: RunEstimate, critical: frozenset[str]) -> Iterator[Bar]:
    for row in rows:
        step = row.planned.step
        expected = estimate.expected.get(step)
        if expected is None:
            continue
        # Behind the bar of what runs already, its name stands once.
        note = "the rest" if row.facts.state is StepState.RUNNING else ""
        yield Bar(
            step,
            row.planned.number,
            expected.worker,
            expected.begins_s,
            expected.ends_s,
            "queued",
            note,
            is_planned=True,
            is_critical=step in critical,
        )


def _note(rows: Iterable[StepRow], estimate: RunEstimate) -> str:
    note = "dashed: planned from each tool's usual P50"
    retried = frozenset(estimate.retried) & estimate.expected.keys()
    numbers = [row.planned.number for row in rows if row.planned.step in retried]
    if not numbers:
        return note
    if len(numbers) > _NUMBERS:
        return f"{note}, once {len(numbers)} steps are retried"
    listed = " and ".join(filter(None, (", ".join(map(str, numbers[:-1])), str(numbers[-1]))))
    return f"{note}, once step{'s' if len(numbers) > 1 else ''} {listed} {'are' if len(numbers) > 1 else 'is'} retried"


def _start(bar: Bar) -> float:
    return bar.began_s
