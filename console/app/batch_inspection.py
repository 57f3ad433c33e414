"""What is told of one step beside the plan: what it is given and what came of it, with what is secret hidden."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from console.batch.ports import FailedRow, StepInspection
from tools.batch import steps
from tools.batch.expressions import ExpressionError
from tools.batch.forecast import preview
from tools.batch.result_store import RowResults

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tools.batch import BatchPlan, BatchRun, Step
    from tools.registry import ToolRegistry


def told(run: BatchRun | None, plan: BatchPlan, name: str, most: int, registry: ToolRegistry) -> StepInspection:
    """Return what is known of a step, on the engine's thread.

    Args:
        run: A run of the plan; None when it did not run.
        plan: The plan as it stands.
        name: The step.
        most: How many of its rows are told of at most.
        registry: The tools, which know what is secret.
    """
    step = next((step for step in plan.steps if step.id == name), None)
    if step is None:
        return StepInspection({})
    if run is not None and name not in run.schedule.states:
        run = None
    arguments, later, problems = _given(run, plan, step, registry)
    if run is None:
        return StepInspection(arguments, later, problems)
    found, fan_out = run.results.get(name), run.fan_outs.get(name)
    result = None if found is None else found.display
    if fan_out is not None:
        result = fan_out.states.results.shown
    if isinstance(result, RowResults):
        result = result[:most]
    return StepInspection(arguments, later, problems, result is not None, result, failed_rows(run, name, most))


def failed_rows(run: BatchRun, name: str, most: int) -> list[FailedRow]:
    """Return the first rows of a step that did not succeed."""
    fan_out = run.fan_outs.get(name)
    failed = {} if fan_out is None else fan_out.states.not_done
    return [FailedRow(row, *failed[row]) for row in sorted(failed)[:most]]


def _given_shown(step: Step, arguments: Mapping[str, Any], registry: ToolRegistry) -> Mapping[str, Any]:
    """Return arguments of a step as people may see them: what its tool hides is hidden."""
    return steps.given_shown(registry.lookup(step.tool) or registry.find(step.tool), arguments)


def _given(
    run: BatchRun | None, plan: BatchPlan, step: Step, registry: ToolRegistry
) -> tuple[Mapping[str, Any], Sequence[str], Sequence[str]]:
    try:
        if run is None:
            known = preview(plan, step)
        else:
            # What an earlier tool hides of its result is not to be read here either.
            seen = {name: item._replace(result=item.display) for name, item in run.results.items()}
            known = preview(plan, step, parameters=run.parameters, folder=run.folder, results=seen)
    except ExpressionError as error:
        return _given_shown(step, step.arguments, registry), (), (str(error),)
    return _given_shown(step, known.arguments, registry), known.later, known.problems
