"""What the head of the Batch page and the strip below the plan say of a run, as frozen values and words."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Final

from console.batch.failure_view import StepFailure
from console.batch.header_view import Abilities
from console.batch.rows import Group, Phase, RunFacts, StepRow, group_of, sentence, status_of
from console.widgets.formats import format_count, format_time

if TYPE_CHECKING:
    from tools.errors import PlanProblem


_NUMBERS: Final = 5


def abilities_of(facts: RunFacts, *, failed: int, cancelled: int, is_sound: bool) -> Abilities:
    """Return what can be asked of a plan and its run now.

    Args:
        facts: How the run stands.
        failed: How many steps failed.
        cancelled: How many were cancelled.
        is_sound: Whether the plan has steps, and nothing is wrong with it.
    """
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
    more = f" And {_counted(len(problems) - 1, 'problem')} more." if len(problems) > 1 else ""
    return f"{step}{first}{more}"


def plan_words(facts: RunFacts, steps: int, workers: int, problems: Sequence[PlanProblem], now: datetime) -> str:
    """Say what a plan is made of, and when its run began.

    Args:
        facts: How the run stands.
        steps: How many steps the plan has.
        workers: How many calls run at a time.
        problems: What is wrong with the plan.
        now: The time.
    """
    if facts.looking:
        return facts.looking
    words = [_counted(steps, "step"), _counted(workers, "worker")]
    if facts.started_at is not None:
        words.append(f"started {format_time(facts.started_at, now)}")
    if problems and not facts.phase.goes_on:
        words.append(_counted(len(problems), "problem"))
    return " · ".join(words)


def failure_of(row: StepRow, waiting: Sequence[int]) -> StepFailure:
    """Return what is told of a step that did not succeed.

    Args:
        row: The step.
        waiting: The numbers of the steps that wait for it.
    """
    step = row.planned.step
    why, _, advice = row.facts.error.partition("; ")
    further = [sentence(advice)] if advice else []
    if waiting:
        numbers = ", ".join(map(str, waiting[:_NUMBERS])) + (" …" if len(waiting) > _NUMBERS else "")
        steps, wait = ("Step", "waits") if len(waiting) == 1 else ("Steps", "wait")
        further.append(f"{steps} {numbers} {wait} for this one.")
    counts = row.facts.rows
    return StepFailure(
        step,
        status_of(row.facts),
        f"Step {row.planned.number}, {step}.",
        sentence(why),
        " ".join(further),
        is_unsure=group_of(row.facts) is Group.UNSURE,
        has_good_rows=counts is not None and bool(counts.done and counts.failed),
    )


def _counted(count: int, what: str) -> str:
    return f"1 {what}" if count == 1 else f"{format_count(count)} {what}s"
