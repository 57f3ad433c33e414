"""Questions about a whole plan: one for many calls, before any of them is made."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from functools import reduce
from time import perf_counter
from typing import TYPE_CHECKING, Final

from tools.calls import (
    REVIEW_TIMEOUT_S,
    CallError,
    CallFinished,
    CallProposed,
    CallStatus,
    Continue,
    ErrorKind,
    ExitEarly,
    OnTimeout,
    PlannedStep,
    ReviewAsked,
    ReviewDecided,
    ReviewRequest,
    ReviewTiming,
    ToolCall,
    record_of,
)
from tools.calls.record import note_answer, note_question
from tools.errors import ToolConfigurationError
from tools.execution.open_questions import WITHDRAWN, Outcome
from tools.policy.findings import worse

if TYPE_CHECKING:
    from tools.execution.services import Services

WHY: Final = "The plan says that one answer counts for all of it."


class PlanQuestions:
    """Ask a person about all that a plan would do.

    The question and its answer are a call of their own in every record, by the plan's name and without a tool; it holds
    no arguments of the steps, which stand in the records of their own calls, as far as those keep them.

    Args:
        services: Who asks and who is told.
        numbers: Gives calls their ids.
        open_calls: Where the call is while its question is open, so that it ends with the executor.
    """

    def __init__(self, services: Services, numbers: Iterator[int], open_calls: set[ToolCall]) -> None:
        self._services = services
        self._numbers = numbers
        self._open = open_calls

    async def ask(self, plan: str, steps: Sequence[PlannedStep], *, caller: str) -> Outcome:
        """Ask about the steps of a plan, and wait for what comes of it; cancelling the wait withdraws the question.

        Args:
            plan: The plan's name.
            steps: What would run, as far as it is known.
            caller: Who would make the calls.

        Raises:
            ToolConfigurationError: When nobody is there to ask, or the handler breaks.
        """
        services, handler = self._services, self._services.review_handler
        if handler is None:
            msg = f"the plan {plan!r} asks before it runs, and nobody is there to ask; pass review_handler=..."
            raise ToolConfigurationError(msg)
        given = {"steps": [{"step": step.name, "tool": step.tool, "calls": step.calls} for step in steps]}
        call = ToolCall(str(next(self._numbers)), None, plan, given, caller, perf_counter())
        request = _request(call, f"review-{next(services.question_ids)}", steps)
        services.emit(CallProposed(call))
        call.response.status = CallStatus.WAITING_FOR_REVIEW
        outcome = WITHDRAWN
        call.task = asyncio.ensure_future(services.questions.ask(request, handler, services.threads.run))
        self._open.add(call)
        place = note_question(call, request)
        services.emit(ReviewAsked(call, request))
        try:
            outcome = _understood(await call.task, steps)
        finally:
            self._open.discard(call)
            call.task = None
            note_answer(call, place, outcome.decision, outcome.by)
            services.emit(ReviewDecided(call, request, outcome.decision, outcome.by))
            _settle(call, outcome)
            services.emit(CallFinished(call, record_of(call)))
        return outcome


def _request(call: ToolCall, number: str, steps: Sequence[PlannedStep]) -> ReviewRequest:
    calls = sum(step.calls or step.looked_at for step in steps)
    more = "at least " if any(step.calls is None for step in steps) else ""
    many = f"{len(steps)} {'step' if len(steps) == 1 else 'steps'}"
    degrees = [(step.degree, f"{step.name}: {step.risk_why}") for step in steps if step.degree is not None]
    degree, why = max(degrees, key=lambda pair: pair[0].weight, default=(None, ""))
    return ReviewRequest(
        id=number,
        call=call,
        description=f"Runs {many} with {more}{calls:,} {'call' if calls == 1 else 'calls'}.",
        arguments=None,
        timing=ReviewTiming.BEFORE_EXECUTION,
        concerns=tuple(dict.fromkeys(concern for step in steps for concern in step.concerns)),
        timeout_s=REVIEW_TIMEOUT_S,
        on_timeout=OnTimeout.EXIT_EARLY,
        prompt="",
        required_role="",
        asked_at=datetime.now(UTC),
        risk=reduce(worse, risks) if (risks := [step.risk for step in steps if step.risk is not None]) else None,
        why=WHY,
        plan=tuple(steps),
        degree=degree,
        risk_why=why,
    )


def _understood(outcome: Outcome, steps: Sequence[PlannedStep]) -> Outcome:
    """Return an outcome that an answer to a plan can have; anything else refuses."""
    decision = outcome.decision
    if isinstance(decision, ExitEarly):
        return outcome
    if not isinstance(decision, Continue):
        msg = "the arguments of a plan are changed in the plan; the answer tried to change them here"
        return outcome._replace(decision=ExitEarly(msg))
    names = {step.name for step in steps}
    if strange := [name for name in decision.whatever if name not in names]:
        return outcome._replace(decision=ExitEarly(f"the answer names a step that the plan has not: {strange[0]!r}"))
    return outcome


def _settle(call: ToolCall, outcome: Outcome) -> None:
    """Give the call of a question the end that the answer means."""
    response, decision = call.response, outcome.decision
    response.elapsed_s = perf_counter() - call.started
    if isinstance(decision, Continue):
        response.status, response.feedback = CallStatus.EXECUTED, decision.feedback
        response.json_result = {"agreed": True, "whatever_arguments": list(decision.whatever)}
    elif outcome is WITHDRAWN:
        response.status = CallStatus.ABORTED if call.aborted else CallStatus.CANCELLED
        response.error = CallError(ErrorKind.CANCELLED, "the question was withdrawn; nothing ran")
    else:
        words = decision.reason if isinstance(decision, ExitEarly) else ""
        response.status, response.feedback = CallStatus.DENIED, words
        response.error = CallError(ErrorKind.DENIED, f"nothing of the plan ran{f': {words}' if words else ''}")
