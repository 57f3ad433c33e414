"""What two runs of a plan came to, step by step, and in what they differ."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any, Final, NamedTuple

from console.batch.rows import Group, StepFacts, StepRow, WrittenStep, group_of, result_words, status_of, status_words
from console.comparison.structure import merged_names
from console.language import tr, tr_count
from console.schema_form.paths import same
from console.widgets.formats import format_count, format_duration_ms
from console.widgets.status import STATUS, StatusName
from tools.batch import Step, StepResult, StepState
from tools.batch.result import RowResults
from tools.batch.runs import PastRun
from tools.sentences import begin_sentence

_NOTABLE: Final = 1.5
"""How many times as long a step has to take before its duration counts as another one."""
_LEAST_S: Final = 0.1
"""Differences of duration below this many seconds are chance."""
_PIECE: Final = 1000


class StepDifference(StrEnum):
    """In what a step of one run differs from that of another."""

    ADDED = "added"
    REMOVED = "removed"
    PLAN = "plan"
    STATE = "state"
    RESULT = "result"
    DURATION = "duration"


class ComparedOutcome(NamedTuple):
    """What came of a step in one run.

    Attributes:
        elapsed_s: How long it took without waiting for a person; None when it did not run.
        result: What came of it in a few words.
        error: Why it did not succeed; empty when it did.
    """

    status: StatusName
    word: str
    elapsed_s: float | None
    result: str
    error: str


class StepComparison(NamedTuple):
    """One step in two runs.

    Attributes:
        tool: Its tool, in the later run if it is there.
        before: What came of it in the earlier run; None when it was not there.
        after: The same of the later run.
        differences: In what both differ; empty when in nothing.
    """

    step: str
    tool: str
    before: ComparedOutcome | None
    after: ComparedOutcome | None
    differences: frozenset[StepDifference]
    words: str


class RunComparison(NamedTuple):
    """Two runs of a plan.

    Attributes:
        steps: Their steps, in the later plan's order; those that are gone stand where they stood.
        parameters: What they were given that differs, in words.
    """

    steps: tuple[StepComparison, ...]
    parameters: str = ""


def compare_runs(before: PastRun, after: PastRun) -> RunComparison:
    """Compare two runs of a plan, the earlier one first."""
    old, new = before.result.results, after.result.results
    old_steps = {step.id: step for step in before.plan.steps}
    new_steps = {step.id: step for step in after.plan.steps}
    numbers = [{step.id: number for number, step in enumerate(run.plan.steps, 1)} for run in (before, after)]
    steps = [
        _compare(
            name,
            (old_steps.get(name), new_steps.get(name)),
            (old.get(name), new.get(name)),
            numbers,
        )
        for name in merged_names(old_steps, new_steps)
    ]
    return RunComparison(tuple(steps), _parameters(before.parameters, after.parameters))


def state_words(result: StepResult, held_by: int) -> str:
    """Say how a step ended, as its line on the page does.

    Args:
        held_by: The number of the step because of which it did not run; 0 when there is none.
    """
    facts = _facts(result, held_by)
    if group_of(facts) in {Group.BLOCKED, Group.UNSURE}:
        return status_words(StepRow(WrittenStep(0, "", ""), facts, held_by=held_by))
    return STATUS[status_of(facts)].word


def summary_words(comparison: RunComparison) -> str:
    """Say in how much two runs differ."""
    total = len(comparison.steps)
    differ = sum(bool(step.differences) for step in comparison.steps)
    if not differ:
        words = tr("All steps came to the same") if total != 1 else tr("The step came to the same")
    else:
        words = tr("{differ} of {total} steps differ", differ=format_count(differ), total=format_count(total))
    return (
        tr("{words} · given otherwise: {parameters}", words=words, parameters=comparison.parameters)
        if comparison.parameters
        else words
    )


def _compare(
    name: str,
    steps: tuple[Step | None, Step | None],
    results: tuple[StepResult | None, StepResult | None],
    numbers: Sequence[Mapping[str, int]],
) -> StepComparison:
    (was, now), (old, new) = steps, results
    before, after = (
        None if item is None else _outcome(item, number_by_step.get(item.held_by, 0))
        for item, number_by_step in zip(results, numbers, strict=True)
    )
    shown = now or was
    tool = "" if shown is None else shown.tool
    if was is None or before is None:
        return StepComparison(name, tool, before, after, frozenset({StepDifference.ADDED}), tr("Only in the later run"))
    if now is None or after is None:
        return StepComparison(
            name, tool, before, after, frozenset({StepDifference.REMOVED}), tr("Only in the earlier run")
        )
    found: dict[StepDifference, str] = {}
    if was != now:
        found[StepDifference.PLAN] = _plan_words(was, now)
    if before.status != after.status:
        found[StepDifference.STATE] = f"{before.word} → {after.word}"
    if old is not None and new is not None and not _same_value(old.result, new.result):
        found[StepDifference.RESULT] = _result_words(before, after)
    elif before.error != after.error and StepDifference.STATE not in found:
        found[StepDifference.RESULT] = tr("another error")
    if ratio := _ratio(before.elapsed_s, after.elapsed_s):
        found[StepDifference.DURATION] = ratio
    if StepDifference.STATE in found:
        found.update({StepDifference.RESULT: ""} if StepDifference.RESULT in found else {})
    words = "; ".join(filter(None, found.values()))
    return StepComparison(name, tool, before, after, frozenset(found), begin_sentence(words))


def _facts(result: StepResult, held_by: int) -> StepFacts:
    return StepFacts("", result.state, held_by=str(held_by or ""))


def _outcome(result: StepResult, held_by: int) -> ComparedOutcome:
    status = status_of(_facts(result, held_by))
    has_run = result.state not in {StepState.QUEUED, StepState.SKIPPED, StepState.CANCELLED}
    words = (
        tr_count(result.rows.done, "{count:,} rows", "{count:,} rows")
        if result.rows is not None
        else result_words(result.display)
    )
    return ComparedOutcome(
        status,
        state_words(result, held_by),
        result.own_s if has_run else None,
        words,
        result.error or "",
    )


def _plan_words(was: Step, now: Step) -> str:
    names = [
        words
        for name, words in (
            ("tool", tr("tool")),
            ("arguments", tr("arguments")),
            ("depends_on", tr("what it waits for")),
            ("condition", tr("condition")),
            ("rows", tr("rows")),
        )
        if getattr(was, name) != getattr(now, name)
    ]
    return tr("other {names}", names=", ".join(names)) if names else tr("other settings")


def _result_words(before: ComparedOutcome, after: ComparedOutcome) -> str:
    if before.result and after.result and before.result != after.result:
        return f"{before.result} → {after.result}"
    return tr("another result")


def _ratio(before_s: float | None, after_s: float | None) -> str:
    if before_s is None or after_s is None or abs(before_s - after_s) < _LEAST_S:
        return ""
    shown = f"{format_duration_ms(before_s * 1000)} → {format_duration_ms(after_s * 1000)}"
    if after_s > before_s * _NOTABLE:
        return tr("slower: {shown}", shown=shown)
    return tr("faster: {shown}", shown=shown) if before_s > after_s * _NOTABLE else ""


def _same_value(old: Any, new: Any) -> bool:
    """Compare results; those of many rows are read piece by piece."""
    if isinstance(old, RowResults) and isinstance(new, RowResults):
        pieces = range(0, len(old), _PIECE)
        return len(old) == len(new) and all(same(old[at : at + _PIECE], new[at : at + _PIECE]) for at in pieces)
    return same(_value(old), _value(new))


def _value(result: Any) -> Any:
    return list(result) if isinstance(result, RowResults) else result


def _parameters(old: Mapping[str, Any], new: Mapping[str, Any]) -> str:
    names = [*old, *(name for name in new if name not in old)]
    return ", ".join(name for name in names if old.get(name, ...) != new.get(name, ...))
