"""What is known of a plan before it runs: which steps will ask, and what they usually take."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from console.batch.run_estimate import Known
from tools.batch.checking import filled_parameters
from tools.batch.plan_approval import PlanContext, preview_approval
from tools.batch.rows import missing_file
from tools.batch.scheduler import LimitKey, limits_of
from tools.batch.steps import ReadyStep, caller_of, ready_steps

if TYPE_CHECKING:
    from tools.batch import BatchPlan
    from tools.calls import PlannedStep
    from tools.execution import Executor


_AT_A_TIME: Final = 20
"""Steps that are judged before others have the engine."""

_WILL_ASK: Final = "Will ask you first"
_MAY_ASK: Final = "May ask you first"


async def asking(plan: BatchPlan, folder: Path, file: Path | None, executor: Executor) -> dict[str, str]:
    """Return what is to be said of steps of a sound plan before they run, by name; on the engine's thread.

    That they will ask, or that their rows are not there.
    """
    steps = await asyncio.to_thread(ready_steps, plan, executor.registry)
    around = PlanContext(executor, caller_of(plan, file), folder, filled_parameters(plan, {}))
    asks: dict[str, str] = {}
    # Rows may be many, and each would be judged: of those steps only what their tool says is looked at.
    single = [step for step in steps.values() if step.step.rows is None]
    for number, step in enumerate(steps.values()):
        if step.step.rows is not None and (words := _words_of_tool(step, executor)):
            asks[step.step.id] = words
        if number % _AT_A_TIME == 0:
            await asyncio.sleep(0)
    asks.update(await asyncio.to_thread(_without_rows, list(steps.values()), folder))
    number = 0
    async for found in preview_approval(single, around):
        if words := _words(found.step):
            asks[found.step.name] = words
        number += 1
        if number % _AT_A_TIME == 0:
            await asyncio.sleep(0)
    return asks


def _without_rows(steps: Sequence[ReadyStep], folder: Path) -> dict[str, str]:
    """Return which steps have no rows now because a file is not there that no step before could write, in words."""
    found = {}
    for ready in steps:
        if ready.step.rows is not None and not ready.needs and (name := missing_file(ready.step.rows, folder)):
            found[ready.step.id] = f"Its rows are not there yet: {name}"
    return found


def known(plan: BatchPlan, executor: Executor, workers: int) -> Known:
    """Return what is known of a plan's tools: what calls take, and how many run at a time.

    Args:
        plan: The plan.
        executor: Runs them.
        workers: How many worker processes there are for it; 0 where its tools run elsewhere.
    """
    usual_s: dict[str, float] = {}
    lanes: dict[str, Mapping[LimitKey, int]] = {}
    for name in {step.tool for step in plan.steps}:
        tool = executor.registry.lookup(name) or executor.registry.find(name)
        if tool is None:
            continue
        p50_ms = executor.metrics.stats(tool.name).p50_ms
        if p50_ms is not None:
            usual_s[name] = p50_ms / 1000
        if places := limits_of(tool, plan.limits, workers):
            lanes[name] = places
    return Known(usual_s, lanes)


def _words_of_tool(step: ReadyStep, executor: Executor) -> str:
    certain = None if step.tool is None else executor.proposals.certain_reasons(step.tool)
    if certain is None:
        return ""
    return _WILL_ASK if certain else _MAY_ASK


def _words(step: PlannedStep) -> str:
    if step.refusal:
        return f"Will be refused: {step.refusal}"
    if step.asking or (step.is_open and step.concerns):
        return _WILL_ASK
    return _MAY_ASK if step.is_open else ""
