"""Calls that are made and not started: why a person would be asked, and what one decides without being asked."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from time import perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple

from tools.calls import CallError, CallStatus, Continue, Edit, ErrorKind, ExitEarly, StepKind, ToolCall
from tools.errors import ArgumentsError, CallStateError, ExitEarlyError, ToolConfigurationError
from tools.execution import outcomes
from tools.execution.questions import proposal, request_about, tell_decision
from tools.execution.run import Run
from tools.execution.security import ProtectionCheck, SecurityCheck, approval_of, standing_concerns
from tools.paths import resolve_paths
from tools.protected import PROTECTED
from tools.schema import is_quick

if TYPE_CHECKING:
    from pydantic import JsonValue

    from tools.calls import ReviewDecision
    from tools.execution.chain import Chain
    from tools.execution.services import Services
    from tools.spec import Concern, RiskClass, RiskDegree
    from tools.tool import Tool


class CallPreview(NamedTuple):
    """What there is to say of a call that nobody made.

    Attributes:
        shown: The arguments as people may see them.
        reasons: Why a person would be asked; empty when nobody would be.
        refusal: Why the policy would refuse it; empty when it would not.
        risk: What kind of harm it can do; None when nobody judged it.
        digest: What an agreement to it is bound to, see `Proposals.digest`.
        degree: How much harm, for a person; None when nobody judged it.
        risk_why: Why that degree, in one sentence.
    """

    shown: Mapping[str, JsonValue]
    reasons: tuple[Concern, ...] = ()
    refusal: str = ""
    risk: RiskClass | None = None
    digest: str = ""
    degree: RiskDegree | None = None
    risk_why: str = ""


class Proposals:
    """Let pending calls be looked at, agreed to, changed, declined and refused.

    What is agreed to here holds for the arguments as they are then, and for the reasons that were shown: a new reason
    is asked about when the call starts. What changes a call that is not pending any more raises `CallStateError`.
    """

    def __init__(
        self,
        services: Services,
        chain_of: Callable[[Tool], Chain],
        finish: Callable[[ToolCall, Run | None], None],
        open_calls: set[ToolCall],
    ) -> None:
        self._services = services
        self._open = open_calls
        self._chain_of = chain_of
        self._finish = finish

    async def concerns(self, call: ToolCall) -> tuple[Concern, ...]:
        """Return why a person would be asked before a call runs; empty when nobody would be, or it will not run."""
        run, security = self._run(call)
        if run is None or security is None:
            return ()
        look = await security.look(run)
        return () if look.is_denied else look.reasons

    async def foresee(self, tool: Tool, arguments: Mapping[str, Any], *, caller: str) -> CallPreview:
        """Say what would be asked about a call, and what would refuse it, without making it.

        Raises:
            ArgumentsError: When the arguments do not fit.
        """
        if is_quick(tool.arguments, arguments):
            call = proposal(tool, arguments, caller=caller)
        else:
            call = await asyncio.to_thread(proposal, tool, arguments, caller=caller)
        shown = call.display_arguments()
        run, security = self._run(call)
        if run is None or security is None:
            return CallPreview(shown)
        look = await security.look(run)
        verdict = look.verdict
        if verdict is None:
            return CallPreview(shown, look.reasons, digest=self.digest(call))
        judged = CallPreview(shown, risk=verdict.risk, degree=verdict.degree, risk_why=call.scrubbed(verdict.risk_why))
        if look.is_denied:
            return judged._replace(refusal=call.scrubbed(verdict.refusal))
        return judged._replace(reasons=look.reasons, digest=self.digest(call))

    def certain_reasons(self, tool: Tool) -> tuple[Concern, ...] | None:
        """Return why a person would be asked whatever the arguments are; None when nothing could ever ask."""
        try:
            security = self._chain_of(tool).security
        except ToolConfigurationError:
            # Its start will say so.
            return None
        return None if security is None or isinstance(security, ProtectionCheck) else standing_concerns(tool)

    def digest(self, call: ToolCall) -> str:
        """Return what an agreement to a call is bound to: its tool's definition, arguments, caller, folder, policy."""
        return approval_of(call, self._services, "").digest

    async def ask(self, call: ToolCall) -> None:
        """Ask the review handler about a call before it starts; one that is declined has ended then.

        Raises:
            ToolConfigurationError: When there is a reason to ask and nobody to ask.
            ReviewTimeoutError: When nobody answered and the question says that this is an error.
            ExitEarlyError: When the answer is to stop everything.
        """
        run, security = self._run(call)
        if run is None or security is None:
            return
        began = perf_counter()
        # A task of its own: `ToolCall.cancel` stops the question, not whoever waits for its answer.
        call.task = asyncio.ensure_future(security.agree(run))
        call.response.status = CallStatus.WAITING_FOR_REVIEW
        self._open.add(call)
        try:
            await call.task
        except asyncio.CancelledError as error:
            if not call.cancel_requested:
                call.response.status = CallStatus.PENDING
                raise
            self._end(call, error)
        except Exception as error:
            self._end(call, error)
            if isinstance(error, outcomes.REACHES_CALLER):
                raise
        else:
            call.response.status = CallStatus.PENDING
            run.record(StepKind.EARLY_REVIEW, began, waiting_s=run.waited_s)
        finally:
            call.task = None
            self._open.discard(call)
        if run.stop_run:
            raise ExitEarlyError(call.response.feedback or "the reviewer stopped the run")

    def approve(self, call: ToolCall, concerns: tuple[Concern, ...], *, by: str, feedback: str = "") -> None:
        """Take down that somebody was told these reasons and agrees to the call.

        What decides what may run is asked about when the call starts nevertheless: to change it takes the answer to a
        question that is about nothing else.
        """
        _require_pending(call)
        call.approved = tuple(concern for concern in concerns if concern.kind != PROTECTED)
        call.approval = approval_of(call, self._services, by)
        call.response.feedback = feedback or call.response.feedback
        self._tell(call, call.approved, Continue(feedback), by)

    def revise(
        self, call: ToolCall, arguments: Mapping[str, Any] | str, concerns: tuple[Concern, ...] = (), *, by: str
    ) -> None:
        """Give a call other arguments; what was agreed to counts no more.

        Args:
            arguments: All of them, by name or as JSON text; a secret that is left as bullets stays what it was.
            concerns: What the person was told of the arguments before.

        Raises:
            ArgumentsError: When they do not fit; the call is as it was.
        """
        _require_pending(call)
        shown = call.display_arguments()
        call.revise(arguments)
        call.approved, call.approval = (), None
        self._tell(call, concerns, Edit(call.display_arguments()), by, shown)

    def decline(self, call: ToolCall, reason: str = "", concerns: tuple[Concern, ...] = (), *, by: str) -> None:
        """End a call without running it: somebody refuses."""
        _require_pending(call)
        call.response.feedback = reason
        self._tell(call, concerns, ExitEarly(reason), by)
        words = f" {reason}" if reason else ""
        message = call.scrubbed(f"Declined: the call did not run and has no result.{words}")
        self._refuse(call, CallStatus.DENIED, CallError(ErrorKind.DENIED, message))

    def refuse(self, call: ToolCall, error: CallError) -> None:
        """End a call without running it: the program refuses."""
        _require_pending(call)
        self._refuse(call, CallStatus.REJECTED, error)

    def _tell(
        self,
        call: ToolCall,
        concerns: tuple[Concern, ...],
        decision: ReviewDecision,
        by: str,
        shown: dict[str, JsonValue] | None = None,
    ) -> None:
        shown = call.display_arguments() if shown is None else shown
        tell_decision(
            call, self._services, request_about(call, self._services, shown)._replace(concerns=concerns), decision, by
        )

    def say(self, call: ToolCall, words: str) -> None:
        """Add a person's words to a response, before or after the call ran."""
        call.response.feedback = words

    def _run(self, call: ToolCall) -> tuple[Run | None, SecurityCheck | None]:
        """Return what looks at a call, and what it needs for it; None and None when the call will not run anyway."""
        if not call.pending or call.tool is None or call.cancel_requested:
            return None, None
        try:
            chain = self._chain_of(call.tool)
            run = Run(call, call.tool, self._services, chain.start)
            run.arguments = resolve_paths(call.arguments, call.tool.path_roles, self._services.project_dir)
        except (ArgumentsError, ToolConfigurationError):
            # Its start will say so.
            return None, None
        security = chain.security
        if security is None and call.objection is not None:
            security = SecurityCheck(call.tool)
        return run, security

    def _end(self, call: ToolCall, error: BaseException) -> None:
        outcomes.accept_error(call, error)
        self._finish(call, None)

    def _refuse(self, call: ToolCall, status: CallStatus, error: CallError) -> None:
        call.response.status, call.response.error = status, error
        self._finish(call, None)


def _require_pending(call: ToolCall) -> Tool:
    if not call.pending or call.tool is None:
        msg = f"call {call.id} of {call.name!r} cannot be changed any more: it is {call.response.status.value}"
        raise CallStateError(msg)
    return call.tool
