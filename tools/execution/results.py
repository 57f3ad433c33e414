"""The second moment of the policy: before a result is handed on, some of it is hidden, or all of it is kept back."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any, Final

from tools.calls import (
    CallError,
    CallStatus,
    Continue,
    Edit,
    ErrorKind,
    ExitEarly,
    ReviewTiming,
    StepKind,
    StepNote,
    StepOutcome,
    Wrote,
)
from tools.errors import ToolConfigurationError
from tools.execution import outcomes
from tools.execution.outcomes import settled
from tools.execution.questions import put, request_about, tell_decision
from tools.execution.security import ADVICE, MAX_QUESTIONS, SecurityCheck, last_look
from tools.policy import Effect, ResultVerdict
from tools.spec import MISSING
from tools.tool import ToolResult

if TYPE_CHECKING:
    from pydantic import JsonValue

    from tools.calls import Event, ReviewRequest, ToolResponse
    from tools.execution.run import CallNext, Run

IT_RAN: Final = "The tool ran and did what it does; only its result is withheld."


class ResultGate:
    """Redact or withhold what a tool returned, or ask a person whether it may be handed on.

    It is the last step, so that a known result is kept as it was and judged anew for whoever gets it.
    """

    def __init__(self, security: SecurityCheck) -> None:
        self._security = security

    async def __call__(self, run: Run, call_next: CallNext, /) -> Any:
        run.refusal_at = self._security.refusal_at
        run.emit = self._emit
        await settled(run, call_next)
        if not self._judges(run):
            return
        response = run.call.response
        if not response.succeeded:
            # What is left of a call that was stopped was judged by nobody.
            response.parts = ()
            return
        with run.step(StepKind.RESULT_CHECK) as end:
            if done := await self._judged(run, _take(response)):
                withheld = not response.succeeded
                end(StepOutcome.DENIED if withheld else StepOutcome.OK, done)

    def _emit(self, run: Run, event: Event) -> None:
        # A text that is written on the way is part of the result: nobody sees it before that is judged.
        if not (isinstance(event, Wrote) and self._judges(run)):
            run.services.emit(event)

    def _judges(self, run: Run) -> bool:
        """Return whether the policy may say something of the result."""
        view = self._security.view(run)
        return view is not None and view.has_result_rules

    async def _judged(self, run: Run, held: ToolResponse) -> StepNote | None:
        """Hand the result on as it may be, or not at all; return what was done, None for nothing."""
        for _ in range(MAX_QUESTIONS):
            verdict, version = self._verdict(run, held), run.services.policy_version
            if verdict is None:
                _give(run, held)
                return None
            if verdict.effect is Effect.DENY:
                _tell(run, verdict, ExitEarly(run.call.scrubbed(verdict.refusal)))
                _withhold(run, CallError(ErrorKind.DENIED, verdict.refusal, remedy=IT_RAN))
                return StepNote.WITHHELD
            if verdict.effect is Effect.ALLOW:
                _give(run, held, verdict)
                if verdict.hides_something:
                    _tell(run, verdict, Continue())
                return StepNote.REDACTED if verdict.hides_something else StepNote.ALLOWED
            decision = await self._answer(run, held, verdict)
            if run.services.policy_version == version or isinstance(decision, ExitEarly):
                return _heed(run, held, verdict, decision)
        _withhold(run, CallError(ErrorKind.DENIED, "The policy kept changing while its result waited.", remedy=IT_RAN))
        return StepNote.WITHHELD

    def _verdict(self, run: Run, held: ToolResponse) -> ResultVerdict | None:
        view, look = self._security.view(run), last_look(run)
        if view is None or not view.has_result_rules:
            return None
        facts = (
            self._security.facts(run, ()) if look is None else self._security.facts(run, look.concerns, look.addresses)
        )
        result = None if held.json_result is MISSING else held.json_result
        others: list[JsonValue] = [held.written or ""]
        if isinstance(held.result, ToolResult) and held.result.written is not None:
            others.append(dict(held.result.written))
        return view.judge_result(facts, result, others)

    async def _answer(self, run: Run, held: ToolResponse, verdict: ResultVerdict) -> Continue | Edit | ExitEarly:
        if run.services.review_handler is None:
            msg = (
                f"the policy asks before the result of {run.call.name!r} is handed on ({verdict.why}), but no review"
                " handler is configured; pass review_handler=... to the Executor"
            )
            raise ToolConfigurationError(msg)
        ask = f"{run.call.name} ended; hand its result on to {run.call.caller}?"
        request = _request(run, verdict, None, ask)._replace(
            result=_shown(run, held, verdict), timeout_s=self._security.timeout_s
        )
        return (await put(run, request)).decision


def _take(response: ToolResponse) -> ToolResponse:
    """Take a result out of a response, so that nobody has it while it is judged."""
    held = copy.copy(response)
    response.result = response.json_result = MISSING
    response.text = ""
    response.attachments, response.parts = [], ()
    return held


def _give(run: Run, held: ToolResponse, verdict: ResultVerdict | None = None) -> None:
    """Hand a result on, without what the verdict hides."""
    call, response = run.call, run.call.response
    response.status = CallStatus.EXECUTED
    response.result, response.json_result, response.attachments, response.parts = (
        held.result,
        held.json_result,
        held.attachments,
        held.parts,
    )
    response.written = held.written
    if verdict is None or not verdict.hides_something or held.json_result is MISSING:
        return
    call.redaction = verdict.redacted
    response.result = response.json_result = verdict.redacted(held.json_result)
    # Neither what was written of it nor what was written on the way knows of what is hidden.
    response.written, response.parts = None, ()


def _withhold(run: Run, error: CallError) -> None:
    response = run.call.response
    response.status, response.error = CallStatus.DENIED, error
    outcomes.hide_secrets(run.call)


def _heed(run: Run, held: ToolResponse, verdict: ResultVerdict, decision: Continue | Edit | ExitEarly) -> StepNote:
    call, response = run.call, run.call.response
    words = decision.reason if isinstance(decision, ExitEarly) else decision.feedback
    response.feedback = call.scrubbed(words) or response.feedback
    if isinstance(decision, ExitEarly):
        run.stop_run = run.stop_run or decision.stop_run
        said = f": {decision.reason}" if decision.reason else ""
        by = "Denied" if decision.timed_out else "Rejected by reviewer"
        remedy = f"{IT_RAN} {ADVICE[decision.advice]}".rstrip()
        message = f"{by}: the result of {call.name} is withheld{said}"
        _withhold(run, CallError(ErrorKind.DENIED, message, remedy=remedy))
        return StepNote.WITHHELD
    _give(run, held, verdict)
    if isinstance(decision, Edit):
        revised = decision.revised if isinstance(decision.revised, str) else dict(decision.revised)
        response.result = response.json_result = revised
        response.written, response.parts, response.attachments = None, (), []
        call.redaction = lambda _: revised
        return StepNote.REVISED
    return StepNote.APPROVED


def _shown(run: Run, held: ToolResponse, verdict: ResultVerdict) -> Any:
    call, response = run.call, run.call.response
    response.json_result = held.json_result
    try:
        shown = call.display_result()
    finally:
        response.json_result = MISSING
    return None if shown is MISSING else verdict.redacted(shown)


def _tell(run: Run, verdict: ResultVerdict, decision: Continue | ExitEarly) -> None:
    by = "policy" if verdict.rule is None else f"rule {verdict.rule.rule.id}"
    tell_decision(run.call, run.services, _request(run, verdict, run.call.display_arguments()), decision, by)


def _request(
    run: Run, verdict: ResultVerdict, arguments: dict[str, JsonValue] | None, description: str = ""
) -> ReviewRequest:
    call = run.call
    return request_about(call, run.services, arguments, description)._replace(
        timing=ReviewTiming.AFTER_EXECUTION,
        why=call.scrubbed(verdict.why),
        rule="" if verdict.rule is None else verdict.rule.rule.id,
        required_role=verdict.required_role,
    )
