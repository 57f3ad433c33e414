"""Put a question to the reviewer, once, with its timeout, and say what the answer means."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final

from tools.calls import (
    REVIEW_TIMEOUT_S,
    TIME_LIMIT,
    CallStatus,
    Continue,
    Edit,
    ExitEarly,
    OnTimeout,
    ReviewAsked,
    ReviewDecided,
    ReviewDecision,
    ReviewRequest,
    ReviewTiming,
)
from tools.context import Ask, ToolContext
from tools.errors import DeniedError, ExitEarlyError, ReviewTimeoutError
from tools.review import ask_handler, handler_name
from tools.schema import json_beginning

if TYPE_CHECKING:
    from pydantic import JsonValue

    from tools.calls import ToolCall
    from tools.execution.run import Run
    from tools.execution.services import Services
    from tools.spec import Concern

LONGEST_ARGUMENTS: Final = 200
_LINE_ENDS: Final = {ord(letter): f"\\u{ord(letter):04x}" for letter in "\x7f\x85\u2028\u2029"}
"""What ends a line, or nobody sees, although JSON lets it stand."""


async def ask_before(
    run: Run, arguments: Mapping[str, JsonValue], concerns: tuple[Concern, ...], timeout_s: float = REVIEW_TIMEOUT_S
) -> ReviewDecision:
    """Ask whether a call may run; silence refuses."""
    ask = Ask(_purpose(run.call), "", timeout_s, OnTimeout.EXIT_EARLY)
    return await _put(run, ask, ReviewTiming.BEFORE_EXECUTION, arguments, concerns)


async def ask_during(run: Run, ask: Ask) -> ReviewDecision:
    """Ask what a running tool wants to know; its time limit stands still meanwhile.

    Raises:
        ExitEarlyError: When the answer is to stop everything.
    """
    if run.services.review_handler is None:
        return Continue()
    deadline = run.deadline
    if deadline is not None:
        deadline.pause()
    try:
        with _withdrawn_with(run):
            decision = await _put(run, ask, ReviewTiming.DURING_EXECUTION, None, ())
    finally:
        if deadline is not None:
            deadline.resume()
    if isinstance(decision, ExitEarly) and decision.stop_run:
        run.stop_run = True
        raise ExitEarlyError(decision.reason or "the reviewer stopped the run")
    return decision


def context_of(run: Run) -> ToolContext:
    """Return a new context for the running attempt, which is from now on the run's."""
    services = run.services
    run.context = ToolContext(
        run.call,
        project_dir=services.project_dir,
        config=services.config,
        http=services.http,
        loop=asyncio.get_running_loop(),
        emit=services.emit,
        ask=lambda ask: ask_during(run, ask),
        grants=run.grants,
        has_reviewer=services.review_handler is not None,
    )
    return run.context


@contextmanager
def _withdrawn_with(run: Run) -> Iterator[None]:
    """Let a question that another task than the call's own asks end when the call does."""
    task = asyncio.current_task()
    if task is None or task is run.call.task:
        yield
        return
    if run.asking is None:
        run.asking = set()
    run.asking.add(task)
    try:
        yield
    finally:
        run.asking.discard(task)


async def _put(
    run: Run, ask: Ask, timing: ReviewTiming, arguments: Mapping[str, JsonValue] | None, concerns: tuple[Concern, ...]
) -> ReviewDecision:
    call, services = run.call, run.services
    if call.is_probe:
        raise DeniedError("it would have to ask a person, which a probe does not; let the tool name a function for it")
    request = _request(call, services, ask, timing, arguments=arguments, concerns=concerns)
    began = perf_counter()
    run.open_questions += 1
    call.response.status = CallStatus.WAITING_FOR_REVIEW
    services.emit(ReviewAsked(call, request))
    decision: ReviewDecision = ExitEarly("the question was withdrawn")
    by = ""
    try:
        decision, by = await _answer(run, request)
        return decision
    except ReviewTimeoutError as error:
        decision, by = ExitEarly(str(error), timed_out=True), TIME_LIMIT
        raise
    finally:
        run.waited_s += perf_counter() - began
        run.open_questions -= 1
        if not run.open_questions and not call.response.status.final:
            call.response.status = CallStatus.EXECUTING
        services.emit(ReviewDecided(call, request, _shown(call, decision), by))


def _request(
    call: ToolCall,
    services: Services,
    ask: Ask,
    timing: ReviewTiming,
    *,
    arguments: Mapping[str, JsonValue] | None,
    concerns: tuple[Concern, ...],
) -> ReviewRequest:
    return ReviewRequest(
        id=f"review-{next(services.question_ids)}",
        call=call,
        description=call.scrubbed(ask.description),
        arguments=arguments,
        timing=timing,
        concerns=concerns,
        timeout_s=ask.timeout_s,
        on_timeout=ask.on_timeout,
        prompt=call.scrubbed(ask.prompt),
        required_role="",
        asked_at=datetime.now(UTC),
    )


def tell_decision(
    call: ToolCall,
    services: Services,
    concerns: tuple[Concern, ...],
    decision: ReviewDecision,
    *,
    by: str,
    shown: Mapping[str, JsonValue] | None = None,
) -> None:
    """Tell everybody what somebody decided about a call without being asked by a handler.

    Args:
        call: The call.
        services: Who tells.
        concerns: What the person was told.
        decision: What was decided.
        by: Who decided.
        shown: The arguments the person saw; None are those of now.
    """
    ask = Ask(_purpose(call), "", 0.0, OnTimeout.EXIT_EARLY)
    seen = call.display_arguments() if shown is None else shown
    request = _request(call, services, ask, ReviewTiming.BEFORE_EXECUTION, arguments=seen, concerns=concerns)
    services.emit(ReviewAsked(call, request))
    services.emit(ReviewDecided(call, request, _shown(call, decision), by))


def _shown(call: ToolCall, decision: ReviewDecision) -> ReviewDecision:
    """Return a decision without the secrets that an edit typed anew or somebody's words repeat."""
    if call.tool is None or call.tool.masking is None:
        return decision
    if isinstance(decision, Edit):
        return Edit(call.display_edit(decision.revised), call.scrubbed(decision.feedback))
    if isinstance(decision, ExitEarly):
        return decision._replace(reason=call.scrubbed(decision.reason))
    return Continue(call.scrubbed(decision.feedback))


def _purpose(call: ToolCall) -> str:
    """Return what will happen, in one paragraph."""
    return call.tool.description.split("\n\n", 1)[0] if call.tool is not None else call.name


async def _answer(run: Run, request: ReviewRequest) -> tuple[ReviewDecision, str]:
    """Return the answer and whose it is.

    Raises:
        ReviewTimeoutError: When there is none in time, and the question says that this is an error.
    """
    handler: Any = run.services.review_handler
    limit = asyncio.timeout(request.timeout_s or None)
    try:
        async with limit:
            return await ask_handler(handler, request, run.services.threads.run), handler_name(handler)
    except TimeoutError:
        if not limit.expired():
            raise
    if request.on_timeout is OnTimeout.FAIL:
        msg = f"nobody answered within {request.timeout_s:g} s whether {run.call.name} may run"
        raise ReviewTimeoutError(msg)
    if request.on_timeout is OnTimeout.CONTINUE:
        return Continue(), TIME_LIMIT
    return ExitEarly(f"nobody answered within {request.timeout_s:g} s", timed_out=True), TIME_LIMIT


def one_line(arguments: Mapping[str, JsonValue], limit: int = LONGEST_ARGUMENTS) -> str:
    """Return arguments as `name=value` pairs on one line, written as JSON does and shortened."""
    text = " ".join(
        f"{name if name.isidentifier() else json_beginning(name, limit)}={json_beginning(value, limit)}"
        for name, value in arguments.items()
    ).translate(_LINE_ENDS)
    return text if len(text) <= limit else text[: limit - 1] + "…"
