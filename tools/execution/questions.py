"""Put a question to the reviewer, once, with its timeout, and say what the answer means."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from datetime import UTC, datetime
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final

from tools.calls import (
    REVIEW_TIMEOUT_S,
    CallStatus,
    Continue,
    ExitEarly,
    OnTimeout,
    ReviewAsked,
    ReviewDecided,
    ReviewDecision,
    ReviewRequest,
    ReviewTiming,
)
from tools.context import Ask
from tools.errors import ExitEarlyError, ReviewTimeoutError
from tools.review import ask_handler

if TYPE_CHECKING:
    from pydantic import JsonValue

    from tools.execution.run import Run
    from tools.spec import Concern

LONGEST_ARGUMENTS: Final = 200


async def ask_before(run: Run, arguments: Mapping[str, JsonValue], concerns: tuple[Concern, ...]) -> ReviewDecision:
    """Ask whether a call may run."""
    description = run.call.tool.description.split("\n\n", 1)[0] if run.call.tool is not None else run.call.name
    ask = Ask(description, "", REVIEW_TIMEOUT_S, OnTimeout.EXIT_EARLY)
    return await _put(run, ask, ReviewTiming.BEFORE_EXECUTION, arguments, concerns)


async def ask_during(run: Run, ask: Ask) -> ReviewDecision:
    """Ask what a running tool wants to know; its time limit stands still meanwhile.

    Raises:
        ExitEarlyError: When the answer is to stop everything.
    """
    if run.services.review_handler is None:
        return Continue()
    if run.deadline is not None:
        run.deadline.pause()
    try:
        decision = await _put(run, ask, ReviewTiming.DURING_EXECUTION, None, ())
    finally:
        if run.deadline is not None:
            run.deadline.resume()
    if isinstance(decision, ExitEarly) and decision.stop_run:
        raise ExitEarlyError(decision.reason or "the reviewer stopped the run")
    return decision


async def _put(
    run: Run, ask: Ask, timing: ReviewTiming, arguments: Mapping[str, JsonValue] | None, concerns: tuple[Concern, ...]
) -> ReviewDecision:
    call, services = run.call, run.services
    request = ReviewRequest(
        id=f"review-{next(services.question_ids)}",
        call=call,
        description=ask.description,
        arguments=arguments,
        timing=timing,
        concerns=concerns,
        timeout_s=ask.timeout_s,
        on_timeout=ask.on_timeout,
        prompt=ask.prompt,
        required_role="",
        asked_at=datetime.now(UTC),
    )
    began = perf_counter()
    before = call.response.status
    call.response.status = CallStatus.WAITING_FOR_REVIEW
    services.emit(ReviewAsked(call, request))
    decision: ReviewDecision = ExitEarly("the question was withdrawn")
    try:
        decision = await _answer(run, request)
        return decision
    finally:
        run.waited_s += perf_counter() - began
        call.response.status = before
        services.emit(ReviewDecided(call, request, decision))


async def _answer(run: Run, request: ReviewRequest) -> ReviewDecision:
    handler: Any = run.services.review_handler
    limit = asyncio.timeout(request.timeout_s or None)
    try:
        async with limit:
            return await ask_handler(handler, request)
    except TimeoutError:
        if not limit.expired():
            raise
    if request.on_timeout is OnTimeout.FAIL:
        msg = f"nobody answered within {request.timeout_s:g} s whether {run.call.name} may run"
        raise ReviewTimeoutError(msg)
    if request.on_timeout is OnTimeout.CONTINUE:
        return Continue()
    return ExitEarly(f"nobody answered within {request.timeout_s:g} s", timed_out=True)


def one_line(arguments: Mapping[str, Any], limit: int = LONGEST_ARGUMENTS) -> str:
    """Return arguments as `name=value` pairs on one line, shortened."""
    text = " ".join(f"{name}={value!r}" for name, value in arguments.items()).replace("\n", " ")
    return text if len(text) <= limit else text[: limit - 1] + "…"
