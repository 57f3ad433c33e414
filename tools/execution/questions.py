"""Put a question to the reviewer, once, with its timeout, and say what the answer means."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Hashable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING, Final, NamedTuple

from tools.calls import (
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
    Wrote,
)
from tools.calls.record import note_answer, note_question
from tools.context import Ask, ToolContext
from tools.errors import DeniedError, ExitEarlyError, ReviewTimeoutError, ToolConfigurationError
from tools.execution.access import has_role
from tools.execution.open_questions import WITHDRAWN, Outcome, Still
from tools.policy.judging import YOU

if TYPE_CHECKING:
    from pydantic import JsonValue

    from tools.calls import Event, ToolCall
    from tools.execution.run import Run
    from tools.execution.services import Services
    from tools.spec import Concern, DryRun, RiskClass, RiskDegree


class Ground(NamedTuple):
    """What a question stands on beyond the tool's own reasons, and what its answer is good for.

    Attributes:
        risk: What kind of harm the call can do; None when nobody judged it.
        why: What asks, word for word; empty when the tool itself does.
        rule: The id of the rule that asks; empty when none does.
        required_role: The role that may answer; empty admits everybody.
        digest: What an approval is bound to, of what is shown; empty when nothing can be approved.
        preview: What the call would do; None when nobody can tell.
        key: What identical calls have in common, so that one answer is enough; None when each is asked about.
        version: The policy's.
        still: Looks whether the question is still the one to ask; None when nothing can change that.
        degree: How much harm the call can do, for a person; None when nobody judged it.
        risk_why: Why that degree, in one sentence.
    """

    risk: RiskClass | None = None
    why: str = ""
    rule: str = ""
    required_role: str = ""
    digest: str = ""
    preview: DryRun | None = None
    key: Hashable = None
    version: str = ""
    still: Still | None = None
    degree: RiskDegree | None = None
    risk_why: str = ""


ON_THE_TOOLS_WORD: Final = Ground()
"""What a question stands on that nothing but the tool asks."""


async def ask_before(
    run: Run, concerns: tuple[Concern, ...], ground: Ground, timeout_s: float, on_timeout: OnTimeout
) -> Outcome:
    """Ask whether a call may run.

    Raises:
        ReviewTimeoutError: When nobody answered in time, and silence is an error.
        ToolConfigurationError: When the handler breaks.
    """
    ask = Ask(_purpose(run.call), "", timeout_s, on_timeout)
    shown = run.call.display_arguments()
    request = _request(run.call, run.services, ask, ReviewTiming.BEFORE_EXECUTION, arguments=shown, concerns=concerns)
    return await _put(run, _on(request, ground), ground)


async def ask_after(run: Run, result: JsonValue, ground: Ground, timeout_s: float) -> Outcome:
    """Ask whether a result may be handed on; silence withholds it.

    Raises:
        ToolConfigurationError: When the handler breaks.
    """
    ask = Ask(f"{run.call.name} ended; hand its result on to {run.call.caller}?", "", timeout_s, OnTimeout.EXIT_EARLY)
    request = _request(run.call, run.services, ask, ReviewTiming.AFTER_EXECUTION, arguments=None, concerns=())
    return await _put(run, _on(request, ground)._replace(result=result), ground)


async def ask_during(run: Run, ask: Ask) -> ReviewDecision:
    """Ask what a running tool wants to know.

    Raises:
        ExitEarlyError: When the answer is to stop everything.
    """
    if run.services.review_handler is None:
        return Continue()
    request = _request(run.call, run.services, ask, ReviewTiming.DURING_EXECUTION, arguments=None, concerns=())
    with _withdrawn_with(run):
        decision = (await _put(run, request, ON_THE_TOOLS_WORD)).decision
    if isinstance(decision, ExitEarly) and decision.stop_run:
        run.stop_run = True
        raise ExitEarlyError(decision.reason or "the reviewer stopped the run")
    return decision


def context_of(run: Run) -> ToolContext:
    """Return a new context for the running attempt, which is from now on the run's."""
    services = run.services
    check = run.chain.result_check
    run.context = ToolContext(
        run.call,
        project_dir=services.project_dir,
        config=services.config,
        http=services.http,
        loop=asyncio.get_running_loop(),
        # A text that is written on the way is part of the result: nobody sees it before that is judged.
        emit=services.emit if check is None or not check.judges(run) else _without_texts(services.emit),
        ask=lambda ask: ask_during(run, ask),
        grants=run.grants,
        has_reviewer=services.review_handler is not None,
        waiting=lambda: _waiting(run),
        refusal_at=None if run.chain.recheck is None else partial(run.chain.recheck.refusal_at, run),
    )
    return run.context


def _without_texts(emit: Callable[[Event], None]) -> Callable[[Event], None]:
    def tell(event: Event) -> None:
        if not isinstance(event, Wrote):
            emit(event)

    return tell


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


async def _put(run: Run, request: ReviewRequest, ground: Ground) -> Outcome:
    """Ask, tell everybody, and wait; the call's time limits stand still meanwhile."""
    call, services = run.call, run.services
    if call.is_probe:
        msg = (
            "it would have to ask a person, which a probe does not; allow the caller 'probe', or let the tool name a"
            " function as its probe"
        )
        raise DeniedError(msg)
    handler, questions = services.review_handler, services.questions
    if handler is None:
        raise ToolConfigurationError("there is a question and nobody to ask; pass review_handler=... to the Executor")
    refusal, alike = questions.refusal(ground.key, ground.version), questions.alike(ground.key)
    if refusal is not None and call.caller in {refusal.outcome.by, YOU}:
        # Whoever refused and asks again changed their mind.
        refusal = None
    if refusal is not None:
        request = request._replace(attached_to=refusal.request.id)
    elif alike is not None:
        request = request._replace(attached=alike.request.attached + 1, attached_to=alike.request.id)
    outcome = WITHDRAWN
    place = note_question(call, request)
    try:
        with _waiting(run):
            services.emit(ReviewAsked(call, request))
            if refusal is not None:
                outcome = refusal.outcome
            else:
                outcome = await questions.ask(
                    request,
                    handler,
                    services.threads.run,
                    key=ground.key,
                    version=ground.version,
                    still=ground.still,
                )
                outcome = await _entitled(run, request, outcome)
    finally:
        shown = _shown(call, outcome.decision)
        note_answer(call, place, shown, outcome.by, outcome.void)
        services.emit(ReviewDecided(call, request, shown, outcome.by, outcome.void))
    if outcome.fails and isinstance(outcome.decision, ExitEarly):
        raise ReviewTimeoutError(outcome.decision.reason)
    return outcome


@contextmanager
def _waiting(run: Run) -> Iterator[None]:
    """Let a call wait for a person: it says so, and its time limits stand still."""
    response, deadline = run.call.response, run.deadline
    began = perf_counter()
    if not run.open_questions:
        # Several questions of one call are open at a time; the time that a person takes for them counts once.
        run.review_began = began
        if run.call.on_review is not None:
            run.call.on_review(True)
    run.open_questions += 1
    response.status = CallStatus.WAITING_FOR_REVIEW
    if deadline is not None:
        deadline.pause()
    try:
        yield
    finally:
        if deadline is not None:
            deadline.resume()
        run.waited_s += perf_counter() - began
        run.open_questions -= 1
        if not run.open_questions:
            response.review_s += perf_counter() - run.review_began
            if run.call.on_review is not None:
                run.call.on_review(False)
            if not response.status.final:
                response.status = CallStatus.EXECUTING


async def _entitled(run: Run, request: ReviewRequest, outcome: Outcome) -> Outcome:
    """Return an outcome, or a refusal when whoever lets the call go on may not; anybody may refuse."""
    role = request.required_role
    if not role or isinstance(outcome.decision, ExitEarly) or await has_role(run, outcome.by, role):
        return outcome
    return Outcome(ExitEarly(f"{outcome.by} may not allow it: that takes the role {role!r}"), "policy")


def _on(request: ReviewRequest, ground: Ground) -> ReviewRequest:
    """Return a question with what it stands on."""
    return request._replace(
        risk=ground.risk,
        degree=ground.degree,
        risk_why=request.call.scrubbed(ground.risk_why),
        why=request.call.scrubbed(ground.why),
        rule=ground.rule,
        required_role=ground.required_role,
        digest=ground.digest,
        preview=ground.preview,
    )


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
    ground: Ground = ON_THE_TOOLS_WORD,
    timing: ReviewTiming = ReviewTiming.BEFORE_EXECUTION,
) -> None:
    """Tell everybody what somebody decided about a call without being asked by a handler.

    Args:
        call: The call.
        services: Who tells.
        concerns: What the person was told.
        decision: What was decided.
        by: Who decided.
        shown: The arguments the person saw; None are those of now.
        ground: What was judged besides.
        timing: What it was decided about: the call, or its result.
    """
    ask = Ask(_purpose(call), "", 0.0, OnTimeout.EXIT_EARLY)
    seen = call.display_arguments() if shown is None else shown
    request = _on(_request(call, services, ask, timing, arguments=seen, concerns=concerns), ground)
    place = note_question(call, request)
    services.emit(ReviewAsked(call, request))
    shown_decision = _shown(call, decision)
    note_answer(call, place, shown_decision, by)
    services.emit(ReviewDecided(call, request, shown_decision, by))


def _shown(call: ToolCall, decision: ReviewDecision) -> ReviewDecision:
    """Return a decision without the secrets that an edit typed anew or somebody's words repeat."""
    if call.tool is None or call.tool.masking is None:
        return decision
    if isinstance(decision, Edit):
        return decision._replace(revised=call.display_edit(decision.revised), feedback=call.scrubbed(decision.feedback))
    if isinstance(decision, ExitEarly):
        return decision._replace(reason=call.scrubbed(decision.reason))
    return decision._replace(feedback=call.scrubbed(decision.feedback))


def _purpose(call: ToolCall) -> str:
    """Return what will happen, in one paragraph."""
    return call.tool.description.split("\n\n", 1)[0] if call.tool is not None else call.name
