"""What a person would be asked about a plan, and what they agreed to before any of it ran."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping
from functools import reduce
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from tools.batch.expressions import ExpressionError, templates_in, worked_out
from tools.batch.listener import BatchListener, SafeListener
from tools.batch.rows import RowError, open_rows
from tools.batch.steps import shown_arguments
from tools.calls import Continue, PlannedStep
from tools.errors import ArgumentsError
from tools.policy.findings import worse

if TYPE_CHECKING:
    from tools.batch.steps import ReadyStep
    from tools.calls import ToolCall
    from tools.execution import Executor
    from tools.execution.open_questions import Outcome
    from tools.execution.proposals import Foreseen
    from tools.spec import Concern, RiskClass, RiskDegree

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
        executor: Judges the calls.
        caller: Who would make them.
        folder: What relative paths in the plan start from.
        parameters: What the plan is given, defaults filled in.
    """

    executor: Executor
    caller: str
    folder: Path
    parameters: Mapping[str, Any]


class Foresight(NamedTuple):
    """What there is to say of one step before it runs.

    Attributes:
        step: As a person is shown it.
        reasons: Why a person would be asked, by what an agreement to the call is bound to.
    """

    step: PlannedStep
    reasons: Mapping[str, tuple[Concern, ...]]


async def foreseen(
    steps: Iterable[ReadyStep], around: PlanContext, told: Callable[[int], None] | None = None
) -> AsyncIterator[Foresight]:
    """Go through the steps of a plan, and say what would be asked about each, as far as its arguments are known.

    Args:
        steps: The steps.
        around: What their arguments depend on.
        told: Told now and then how many calls were looked at.
    """
    turns = _Turns(told)
    for number, ready in enumerate(steps):
        if number % SHOWN == 0:
            # Of many steps no call is looked at, because nothing is known of their arguments yet.
            await asyncio.sleep(0)
        yield await _foreseen(ready, around, turns)


class _Turns:
    """Count the calls that are looked at, and let others have the loop now and then: many are many judgements."""

    def __init__(self, told: Callable[[int], None] | None) -> None:
        self._told = told
        self._count = 0

    async def pass_on(self) -> None:
        self._count += 1
        if self._count % SHOWN == 0:
            if self._told is not None:
                self._told(self._count)
            await asyncio.sleep(_REST_S)


async def _foreseen(ready: ReadyStep, around: PlanContext, turns: _Turns) -> Foresight:
    step, tool = ready.step, ready.tool
    certain = None if tool is None else around.executor.proposals.certain_reasons(tool)
    as_written = shown_arguments(tool, step.arguments)
    try:
        scopes, is_whole = await _scopes(ready, around)
    except (RowError, ExpressionError):
        # A step before may write the file; if none does, the step fails and says so itself.
        scopes, is_whole = [], False
    if tool is None or not scopes or _takes_results(ready.arguments):
        calls = len(scopes) if is_whole else None
        words = (as_written,)
        return Foresight(
            PlannedStep(step.id, step.tool, calls, 0, 0, words, certain or (), is_open=certain is not None), {}
        )
    looked = _Looked(step.id, step.tool)
    for scope in scopes:
        await turns.pass_on()
        try:
            arguments = worked_out(ready.arguments, scope)
            looked.take(await around.executor.proposals.foresee(tool, arguments, caller=around.caller))
        except (ExpressionError, ArgumentsError):
            looked.skip(as_written)
    return looked.foresight(len(scopes) if is_whole else None, is_open=not is_whole and certain is not None)


async def _scopes(ready: ReadyStep, around: PlanContext) -> tuple[list[dict[str, Any]], bool]:
    """Return what the calls of a step can be worked out from, and whether these are all of its calls.

    Raises:
        RowError: When the rows cannot be read.
        ExpressionError: When they cannot be worked out.
    """
    known: dict[str, Any] = {"parameters": around.parameters}
    rows = ready.step.rows
    if rows is None:
        return [known], True
    if _takes_results(ready.rows):
        return [], False

    def read() -> list[Any]:
        source = open_rows(rows, around.folder, worked_out(ready.rows, known))
        return list(islice(source.read(), MOST_LOOKED_AT + 1))

    found = await asyncio.to_thread(read)
    scopes = [{**known, "row": row, "index": index} for index, row in enumerate(found[:MOST_LOOKED_AT])]
    return scopes, len(found) <= MOST_LOOKED_AT


async def _to_look_at(ready: ReadyStep, around: PlanContext) -> int:
    """Return how many calls of a step will be looked at; none where that cannot be told."""
    rows = ready.step.rows
    if ready.tool is None or _takes_results(ready.arguments) or _takes_results(ready.rows):
        return 0
    if rows is None:
        return 1

    def count() -> int:
        source = open_rows(rows, around.folder, worked_out(ready.rows, {"parameters": around.parameters}))
        return sum(1 for _ in islice(source.read(), MOST_LOOKED_AT))

    try:
        return await asyncio.to_thread(count)
    except (RowError, ExpressionError):
        return 0


def _takes_results(value: Any) -> bool:
    """Return whether a value needs what came of an earlier step."""
    return any(
        reference.root == "steps"
        for _, template in templates_in(value)
        for expression in template.expressions
        for reference in expression.references
    )


class _Looked:
    """Gather what there is to say of the calls of one step."""

    def __init__(self, name: str, tool: str) -> None:
        self._name, self._tool = name, tool
        self._reasons: dict[str, tuple[Concern, ...]] = {}
        self._known: dict[tuple[Concern, ...], tuple[Concern, ...]] = {}
        self._concerns: dict[Concern, None] = {}
        self._shown: list[Mapping[str, Any]] = []
        self._risks: set[RiskClass] = set()
        self._degree: RiskDegree | None = None
        self._risk_why = ""
        self._refusal = ""
        self._asking = self._count = 0

    def take(self, found: Foreseen) -> None:
        self._count += 1
        if len(self._shown) < SHOWN:
            self._shown.append(found.shown)
        if found.risk is not None:
            self._risks.add(found.risk)
        if found.degree is not None and (self._degree is None or found.degree.weight > self._degree.weight):
            self._degree, self._risk_why = found.degree, found.risk_why
        self._refusal = self._refusal or found.refusal
        if found.reasons:
            self._asking += 1
            self._reasons[found.digest] = self._known.setdefault(found.reasons, found.reasons)
            self._concerns.update(dict.fromkeys(found.reasons))

    def skip(self, arguments: Mapping[str, Any]) -> None:
        """Count a call that will be refused because its arguments do not fit."""
        self._count += 1
        if len(self._shown) < SHOWN:
            self._shown.append(arguments)

    def foresight(self, calls: int | None, *, is_open: bool) -> Foresight:
        step = PlannedStep(
            self._name,
            self._tool,
            calls,
            self._count,
            self._asking,
            tuple(self._shown),
            tuple(self._concerns),
            self._refusal,
            reduce(worse, self._risks) if self._risks else None,
            is_open,
            self._degree,
            self._risk_why,
        )
        return Foresight(step, self._reasons)


class PlanApproval:
    """Hold what a person agreed to of a plan, and say so of each call that it is about.

    What was agreed to is bound to the tool's definition, the arguments, the policy and the folder: a call that differs
    in any of it is asked about as if nobody had agreed to anything.

    Args:
        executor: Runs the calls.
        tell: Tells how far it is.
    """

    def __init__(self, executor: Executor, tell: SafeListener) -> None:
        self._executor = executor
        self._tell = tell
        self._by = ""
        self._reasons: dict[str, tuple[Concern, ...]] = {}
        self._whatever: dict[str, tuple[str, str]] = {}

    async def ask(self, plan: str, steps: Iterable[ReadyStep], around: PlanContext) -> Outcome | None:
        """Ask a person about all that a plan would do; nobody is asked when nothing of it asks.

        Returns:
            What came of the question; None when there was none.

        Raises:
            ToolConfigurationError: When there is a reason to ask and nobody to ask.
        """
        ready = {step.step.id: step for step in steps}
        total = 0
        self._agreeing(0, total)
        for step in ready.values():
            total += await _to_look_at(step, around)

        def told(looked: int) -> None:
            self._agreeing(min(looked, total), total)

        found = [foresight async for foresight in foreseen(ready.values(), around, told)]
        if not any(foresight.step.asks for foresight in found):
            return None
        shown = [foresight.step for foresight in found]
        self._agreeing(total, total, waits=True)
        outcome = await self._executor.plan_questions.ask(plan, shown, caller=around.caller)
        if isinstance(outcome.decision, Continue):
            self._by = outcome.by
            for foresight in found:
                self._reasons.update(foresight.reasons)
            self._whatever = dict(self._bound(ready, outcome.decision.whatever))
        return outcome

    def _agreeing(self, looked: int, total: int, *, waits: bool = False) -> None:
        self._tell(BatchListener.on_agreeing, looked, total, waits)

    async def apply(self, call: ToolCall, step: str) -> None:
        """Say of a call that is to start now that somebody agreed to it, if somebody did."""
        proposals = self._executor.proposals
        reasons, words = self._reasons.get(proposals.digest(call), ()), _WITH_THE_PLAN
        if not reasons and self._whatever.get(step) == self._binding(call.tool):
            reasons, words = await proposals.concerns(call), _WHATEVER
        if reasons and call.pending:
            proposals.approve(call, reasons, by=self._by, feedback=words)

    def _bound(self, ready: Mapping[str, ReadyStep], names: Iterable[str]) -> Iterator[tuple[str, tuple[str, str]]]:
        for name in names:
            yield name, self._binding(ready[name].tool)

    def _binding(self, tool: Any) -> tuple[str, str]:
        """Return what an agreement to a step with whatever arguments is bound to."""
        policy = self._executor.policy
        return "" if tool is None else tool.digest, "" if policy is None else policy.version
