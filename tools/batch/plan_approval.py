"""What a person would be asked about a plan, and what they agreed to before any of it ran."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable, Mapping
from functools import reduce
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from tools.batch.expressions import ExpressionError, used_in, worked_out
from tools.batch.listener import BatchListener, SafeListener
from tools.batch.rows import RowError, open_rows
from tools.batch.steps import shown_arguments
from tools.calls import Continue, PlannedStep
from tools.errors import ArgumentsError
from tools.policy.findings import worse

if TYPE_CHECKING:
    from tools.batch.steps import ReadyStep
    from tools.calls import ToolCall
    from tools.execution.executor import Executor
    from tools.execution.open_questions import QuestionOutcome
    from tools.execution.proposals import CallPreview
    from tools.spec import Concern
    from tools.tool import Tool

MOST_LOOKED_AT: Final = 10_000
"""How many rows of a step are judged before it runs; those behind are asked about when their turn comes."""

SHOWN: Final = 20
"""Of how many rows of a step a person is shown the arguments."""

_REST_S: Final = 0.001
"""Seconds of rest after so many judgements: a window in another thread shows twice as much meanwhile."""

_WITH_THE_PLAN: Final = "Agreed to with the whole plan."
_WHATEVER: Final = "Agreed to with the whole plan, with whatever arguments."


class PlanContext(NamedTuple):
    """What the arguments of a plan's steps depend on before anything ran.

    Attributes:
        folder: What relative paths in the plan start from.
        parameters: What the plan is given, defaults filled in.
    """

    executor: Executor
    caller: str
    folder: Path
    parameters: Mapping[str, Any]


class ApprovalPreview(NamedTuple):
    """What is known of one step before it runs.

    Attributes:
        reasons: Why a person would be asked, by the digest that an approval of the call is bound to.
    """

    step: PlannedStep
    reasons: Mapping[str, tuple[Concern, ...]]


async def preview_approval(
    steps: Iterable[ReadyStep], context: PlanContext, turns: JudgementProgress | None = None
) -> AsyncIterator[ApprovalPreview]:
    """Go through the steps of a plan with what a person would be asked, as far as their arguments are known."""
    turns = turns or JudgementProgress()
    for number, ready in enumerate(steps):
        if number % SHOWN == 0:
            # Of many steps no call is judged, because nothing is known of their arguments yet.
            await asyncio.sleep(0)
        yield await _preview_of(ready, context, turns)


class JudgementProgress:
    """Count the calls that are looked at, and let others have the loop now and then: many are many judgements."""

    def __init__(self, tell: SafeListener | None = None, total: int = 0) -> None:
        self._tell = tell
        self._total = total
        self._count = 0

    async def pass_on(self) -> None:
        self._count += 1
        if self._count % SHOWN == 0:
            if self._tell is not None:
                looked = min(self._count, self._total)
                self._tell(BatchListener.on_approval_progress, looked, self._total, False)
            await asyncio.sleep(_REST_S)


async def _preview_of(ready: ReadyStep, context: PlanContext, turns: JudgementProgress) -> ApprovalPreview:
    step, tool, proposals = ready.step, ready.tool, context.executor.proposals
    certain = None if tool is None else proposals.certain_reasons(tool)
    as_written = shown_arguments(tool, step.arguments)
    scopes, is_whole = await _scopes(ready, context)
    calls = len(scopes) if is_whole else None
    if tool is None or not scopes or used_in(ready.arguments):
        is_open = certain is not None
        return ApprovalPreview(
            PlannedStep(step.id, step.tool, calls, 0, 0, (as_written,), certain or (), is_open=is_open), {}
        )
    judged: list[CallPreview] = []
    shown: list[Mapping[str, Any]] = []
    for scope in scopes:
        await turns.pass_on()
        try:
            arguments = worked_out(ready.arguments, scope)
            judged.append(await proposals.foresee(tool, arguments, caller=context.caller))
            shown.append(judged[-1].shown)
        except (ExpressionError, ArgumentsError):
            # The call will be refused because its arguments do not fit.
            shown.append(as_written)
    risks = {found.risk for found in judged if found.risk is not None}
    degrees = [(found.degree, found.risk_why) for found in judged if found.degree is not None]
    degree, risk_why = max(degrees, key=lambda pair: pair[0].weight, default=(None, ""))
    planned = PlannedStep(
        step.id,
        step.tool,
        calls,
        looked_at=len(scopes),
        asking=sum(bool(found.reasons) for found in judged),
        arguments=tuple(shown[:SHOWN]),
        concerns=tuple(dict.fromkeys(concern for found in judged for concern in found.reasons)),
        refusal=next((found.refusal for found in judged if found.refusal), ""),
        risk=reduce(worse, risks) if risks else None,
        is_open=not is_whole and certain is not None,
        degree=degree,
        risk_why=risk_why,
    )
    return ApprovalPreview(planned, {found.digest: found.reasons for found in judged if found.reasons})


async def _scopes(ready: ReadyStep, context: PlanContext) -> tuple[list[dict[str, Any]], bool]:
    """Return what the calls of a step can be worked out from, and whether these are all of its calls."""
    known: dict[str, Any] = {"parameters": context.parameters}
    rows = ready.step.rows
    if rows is None:
        return [known], True
    if used_in(ready.rows):
        return [], False

    def read() -> list[Any]:
        source = open_rows(rows, context.folder, worked_out(ready.rows, known))
        return list(islice(source.read(), MOST_LOOKED_AT + 1))

    try:
        found = await asyncio.to_thread(read)
    except (RowError, ExpressionError):
        # A step before may write the file; if none does, the step fails and says so itself.
        return [], False
    scopes = [{**known, "row": row, "index": index} for index, row in enumerate(found[:MOST_LOOKED_AT])]
    return scopes, len(found) <= MOST_LOOKED_AT


async def _to_judge(ready: ReadyStep, context: PlanContext) -> int:
    """Return how many calls of a step will be looked at; none where that cannot be told."""
    if ready.tool is None or used_in(ready.arguments):
        return 0
    return len((await _scopes(ready, context))[0])


class PlanApproval:
    """Hold what a person approved of a plan, and attach the approval to each call that it covers.

    An approval is bound to the tool's definition, the arguments, the policy and the folder: a call that differs in any
    of it is asked about as if nothing had been approved.
    """

    def __init__(self, executor: Executor, tell: SafeListener) -> None:
        self._executor = executor
        self._tell = tell
        self._by = ""
        self._reasons: dict[str, tuple[Concern, ...]] = {}
        self._whatever: dict[str, tuple[str, str]] = {}

    async def ask(self, plan: str, steps: Iterable[ReadyStep], context: PlanContext) -> QuestionOutcome | None:
        """Ask a person about all that a plan would do.

        Returns:
            The outcome of the question; None when nothing of the plan asks.

        Raises:
            ToolConfigurationError: When there is a reason to ask and nobody to ask.
        """
        ready = {step.step.id: step for step in steps}
        total = 0
        self._tell(BatchListener.on_approval_progress, 0, 0, False)
        for step in ready.values():
            total += await _to_judge(step, context)
        turns = JudgementProgress(self._tell, total)
        found = [item async for item in preview_approval(ready.values(), context, turns)]
        if not any(item.step.asks for item in found):
            return None
        self._tell(BatchListener.on_approval_progress, total, total, True)
        outcome = await self._executor.plan_questions.ask(plan, [item.step for item in found], caller=context.caller)
        if isinstance(outcome.decision, Continue):
            self._by = outcome.by
            for item in found:
                self._reasons.update(item.reasons)
            self._whatever = {name: self._binding(ready[name].tool) for name in outcome.decision.whatever}
        return outcome

    async def apply(self, call: ToolCall, step: str) -> None:
        """Attach the approval of the plan to a call that is about to start, if it covers the call."""
        proposals = self._executor.proposals
        reasons, words = self._reasons.get(proposals.digest(call), ()), _WITH_THE_PLAN
        if not reasons and self._whatever.get(step) == self._binding(call.tool):
            reasons, words = await proposals.concerns(call), _WHATEVER
        if reasons and call.pending:
            proposals.approve(call, reasons, by=self._by, feedback=words)

    def _binding(self, tool: Tool | None) -> tuple[str, str]:
        """Return what an approval of a step with whatever arguments is bound to."""
        policy = self._executor.policy
        return "" if tool is None else tool.digest, "" if policy is None else policy.version
