"""Put questions to the reviewer: about a call, its result or a whole plan; and find out what a call would do."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import cache, partial, reduce
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final

from pydantic import TypeAdapter, ValidationError

from tools.calls import (
    REVIEW_TIMEOUT_S,
    CallError,
    CallFinished,
    CallProposed,
    CallStatus,
    Continue,
    Edit,
    ErrorKind,
    ExitEarly,
    PlannedStep,
    ReviewAsked,
    ReviewDecided,
    ReviewDecision,
    ReviewRequest,
    ReviewTiming,
    ToolCall,
)
from tools.calls.call import note_answer, note_question, record_of
from tools.context import AskReview, ToolContext
from tools.errors import DeniedError, ExitEarlyError, ReviewTimeoutError, ToolConfigurationError
from tools.execution.access import has_role
from tools.execution.nested_calls import card_of, run_tool
from tools.execution.open_questions import WITHDRAWN, QuestionKey, QuestionOutcome, Still
from tools.execution.workers.declaration_client import dry_run_told
from tools.paths import resolve_paths
from tools.policy.findings import worse
from tools.policy.judging import YOU
from tools.spec import DryRun
from tools.tool import RemoteFunction

if TYPE_CHECKING:
    from pydantic import JsonValue

    from tools.execution.run import Run
    from tools.execution.services import Services
    from tools.tool import DryRunOf, Tool


def request_about(
    call: ToolCall, services: Services, arguments: Mapping[str, JsonValue] | None, description: str = ""
) -> ReviewRequest:
    """Return a question about a call, asked now; without a description, the first paragraph of the tool's is it."""
    purpose = call.tool.description.split("\n\n", 1)[0] if call.tool is not None else call.name
    return ReviewRequest(
        id=f"review-{next(services.question_ids)}",
        call=record_of(call),
        description=call.scrubbed(description or purpose),
        arguments=arguments,
        asked_at=datetime.now(UTC),
        tool=None if call.tool is None else call.tool.card,
    )


async def ask_during(run: Run, ask: AskReview) -> ReviewDecision:
    """Ask what a running tool wants to know.

    Raises:
        ExitEarlyError: When the answer is to stop everything.
    """
    if run.services.review_handler is None:
        return Continue()
    request = request_about(run.call, run.services, None, ask.description)._replace(
        timing=ReviewTiming.DURING_EXECUTION,
        timeout_s=ask.timeout_s,
        on_timeout=ask.on_timeout,
        prompt=run.call.scrubbed(ask.prompt),
    )
    with _withdrawn_with(run):
        decision = (await put(run, request)).decision
    if isinstance(decision, ExitEarly) and decision.stop_run:
        run.stop_run = True
        raise ExitEarlyError(decision.reason or "the reviewer stopped the run")
    return decision


def context_of(run: Run) -> ToolContext:
    """Return a new context for the running attempt, which is from now on the run's."""
    # Nothing that knows a run is kept in it beyond its end: else the collector of cycles had to find each call.
    services, emit, refusal_at = run.services, run.emit, run.refusal_at
    run.context = ToolContext(
        run.call,
        project_dir=services.project_dir,
        config=services.config,
        http=services.http,
        loop=asyncio.get_running_loop(),
        emit=services.emit if emit is None else partial(emit, run),
        ask=lambda ask: ask_during(run, ask),
        grants=run.grants,
        has_reviewer=services.review_handler is not None,
        waiting=lambda: _waiting(run),
        run_tool=lambda name, arguments: run_tool(run, name, arguments, lambda: _waiting(run)),
        find_tool=lambda name: card_of(run, name),
        refusal_at=None if refusal_at is None else partial(refusal_at, run),
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


async def put(
    run: Run, request: ReviewRequest, *, key: QuestionKey | None = None, version: str = "", still: Still | None = None
) -> QuestionOutcome:
    """Ask as `OpenQuestions.ask` does, tell everybody, and wait; the call's time limits stand still meanwhile.

    Raises:
        ReviewTimeoutError: When nobody answered in time, and silence is an error.
        ToolConfigurationError: When nobody is there to ask, or the handler breaks.
    """
    call, services = run.call, run.services
    if call.is_probe:
        msg = (
            "it would have to ask a person, which a probe does not; allow the caller 'probe', or let the tool name a"
            " function as its probe"
        )
        raise DeniedError(msg)
    handler, questions = services.review_handler, services.questions
    request = request._replace(caller_back_within_s=call.caller_back_within_s)
    if handler is None:
        raise ToolConfigurationError("there is a question and nobody to ask; pass review_handler=... to the Executor")
    refusal, alike = questions.refusal(key, version), questions.alike(key)
    if refusal is not None and call.caller in {refusal.by, YOU}:
        # Whoever refused and asks again changed their mind.
        refusal = None
    if refusal is not None:
        request = request._replace(attached_to=refusal.request_id)
    elif alike is not None:
        request = request._replace(attached=alike.request.attached + 1, attached_to=alike.request.id)
    outcome = WITHDRAWN
    place = note_question(call, request)
    try:
        with _waiting(run):
            services.emit(ReviewAsked(call, request))
            if refusal is not None:
                outcome = QuestionOutcome(refusal.decision, refusal.by)
            else:
                outcome = await questions.ask(
                    request, handler, services.threads.run, call=call, key=key, version=version, still=still
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
    response = run.call.response
    if not run.open_questions:
        # Several questions of one call are open at a time; the time that a person takes for them counts once.
        run.review_began = perf_counter()
        if run.call.on_review is not None:
            run.call.on_review(True)
    run.open_questions += 1
    response.status = CallStatus.WAITING_FOR_REVIEW
    try:
        with run.waiting():
            yield
    finally:
        run.open_questions -= 1
        if not run.open_questions:
            response.review_s += perf_counter() - run.review_began
            if run.call.on_review is not None:
                run.call.on_review(False)
            if not response.status.final:
                response.status = CallStatus.EXECUTING


async def _entitled(run: Run, request: ReviewRequest, outcome: QuestionOutcome) -> QuestionOutcome:
    """Return an outcome, or a refusal when whoever lets the call go on may not; anybody may refuse."""
    role = request.required_role
    if (
        not role
        or isinstance(outcome.decision, ExitEarly)
        or await has_role(run.services.access, run.call, outcome.by, role)
    ):
        return outcome
    return QuestionOutcome(ExitEarly(f"{outcome.by} may not allow it: that takes the role {role!r}"), "policy")


def tell_decision(
    call: ToolCall, services: Services, request: ReviewRequest, decision: ReviewDecision, by: str
) -> None:
    """Tell everybody what was decided about a call without a handler being asked."""
    place = note_question(call, request)
    services.emit(ReviewAsked(call, request))
    shown = _shown(call, decision)
    note_answer(call, place, shown, by)
    services.emit(ReviewDecided(call, request, shown, by))


def _shown(call: ToolCall, decision: ReviewDecision) -> ReviewDecision:
    """Return a decision without the secrets that an edit typed anew or somebody's words repeat."""
    if call.tool is None or call.tool.masking is None:
        return decision
    if isinstance(decision, Edit):
        return decision._replace(revised=call.display_edit(decision.revised), feedback=call.scrubbed(decision.feedback))
    if isinstance(decision, ExitEarly):
        return decision._replace(reason=call.scrubbed(decision.reason))
    return decision._replace(feedback=call.scrubbed(decision.feedback))


LONGEST_S: Final = 2.0
"""How long a dry run may take: somebody waits for it to decide."""

MOST_ITEMS: Final = 200
_NO_NUMBER: Final = "preview"


@cache
def _dry_runs() -> TypeAdapter[DryRun]:
    # Made with the first dry run: it takes as long as to import ten modules.
    return TypeAdapter(DryRun)


async def preview(call: ToolCall, services: Services) -> DryRun | None:
    """Return what a call would do with its arguments as they are, secrets hidden.

    A dry run that fails or takes too long says so instead; it never keeps anybody from deciding.

    Returns:
        None when the tool offers no dry run.
    """
    tool = call.tool
    if tool is None or tool.dry_run is None:
        return None
    limit = asyncio.timeout(LONGEST_S)
    try:
        async with limit:
            said = await _said(tool.dry_run, call, services)
        if said is None:
            return None
        return _shown_run(call, _dry_runs().validate_python(said))
    except ValidationError:
        return _unknown(f"the dry run of {call.name} answered with something that is no DryRun")
    except Exception as error:  # noqa: BLE001 -- a dry run is foreign code, and whoever decides must know that it failed
        if limit.expired():
            return _unknown(f"looking took longer than {LONGEST_S:g} s")
        return _unknown(call.scrubbed(f"{type(error).__name__}: {error}"))


def proposal(tool: Tool, arguments: Mapping[str, Any], *, like: ToolCall | None = None, caller: str = "") -> ToolCall:
    """Return a call that is never made, to find out what it would do.

    Args:
        arguments: By name; bullets stand for the secrets of `like`.
        like: The call that they are to change; None when there is none.
        caller: Who would make it, when it is not to change another one.

    Raises:
        ArgumentsError: They do not fit.
    """
    given = arguments if like is None else like.unmasked(arguments)
    call = ToolCall(_NO_NUMBER, tool, tool.name, given, caller if like is None else like.caller, perf_counter())
    call.arguments = tool.arguments.validate(given)
    return call


async def _said(dry_run: DryRunOf, call: ToolCall, services: Services) -> Any:
    folder = services.project_dir
    arguments = resolve_paths(call.arguments, call.tool.path_roles if call.tool is not None else (), folder)
    if isinstance(dry_run, RemoteFunction):
        return await dry_run_told(services.workers, call, arguments, folder)
    return await services.threads.run(_asked, {"dry_run": dry_run, "arguments": arguments, "folder": folder})


def _asked(dry_run: DryRunOf, arguments: Mapping[str, Any], folder: Path) -> DryRun | None:
    return dry_run(arguments, folder)


def _unknown(why: str) -> DryRun:
    return DryRun("What it would do could not be found out.", warnings=(f"The dry run failed: {why}.",))


def _shown_run(call: ToolCall, found: DryRun) -> DryRun:
    return DryRun(
        call.scrubbed(found.text),
        tuple(count._replace(words=call.scrubbed(count.words)) for count in found.counts),
        tuple(map(call.scrubbed, found.items[:MOST_ITEMS])),
        found.more + max(0, len(found.items) - MOST_ITEMS),
        tuple(map(call.scrubbed, found.warnings)),
    )


WHY: Final = "The plan says that one answer counts for all of it."


class PlanQuestions:
    """Ask a person about all that a plan would do.

    The question and its answer are a call of their own in every record, by the plan's name and without a tool; it holds
    no arguments of the steps, which stand in the records of their own calls, as far as those keep them.
    """

    def __init__(self, services: Services, numbers: Iterator[int], open_calls: set[ToolCall]) -> None:
        self._services = services
        self._numbers = numbers
        self._open = open_calls

    async def ask(self, plan: str, steps: Sequence[PlannedStep], *, caller: str) -> QuestionOutcome:
        """Ask about the steps of a plan, and wait for what comes of it; cancelling the wait withdraws the question.

        Raises:
            ToolConfigurationError: When nobody is there to ask, or the handler breaks.
        """
        services, handler = self._services, self._services.review_handler
        if handler is None:
            msg = f"the plan {plan!r} asks before it runs, and nobody is there to ask; pass review_handler=..."
            raise ToolConfigurationError(msg)
        given = {"steps": [{"step": step.name, "tool": step.tool, "calls": step.calls} for step in steps]}
        call = ToolCall(str(next(self._numbers)), None, plan, given, caller, perf_counter())
        request = _plan_request(call, services, steps)
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
            _settle_plan(call, outcome)
            services.emit(CallFinished(call))
        return outcome


def _plan_request(call: ToolCall, services: Services, steps: Sequence[PlannedStep]) -> ReviewRequest:
    calls = sum(step.calls or step.looked_at for step in steps)
    more = "at least " if any(step.calls is None for step in steps) else ""
    many = f"{len(steps)} {'step' if len(steps) == 1 else 'steps'}"
    degrees = [(step.degree, f"{step.name}: {step.risk_why}") for step in steps if step.degree is not None]
    degree, why = max(degrees, key=lambda pair: pair[0].weight, default=(None, ""))
    description = f"Runs {many} with {more}{calls:,} {'call' if calls == 1 else 'calls'}."
    return request_about(call, services, None, description)._replace(
        concerns=tuple(dict.fromkeys(concern for step in steps for concern in step.concerns)),
        timeout_s=REVIEW_TIMEOUT_S,
        risk=reduce(worse, risks) if (risks := [step.risk for step in steps if step.risk is not None]) else None,
        why=WHY,
        plan=tuple(steps),
        degree=degree,
        risk_why=why,
    )


def _understood(outcome: QuestionOutcome, steps: Sequence[PlannedStep]) -> QuestionOutcome:
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


def _settle_plan(call: ToolCall, outcome: QuestionOutcome) -> None:
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
