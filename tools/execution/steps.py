"""The steps around a tool's start, each a small callable that a chain has only when its tool declares it."""

from __future__ import annotations

import logging
from time import perf_counter
from typing import TYPE_CHECKING, Final, Protocol

from tools.calls import (
    REVIEW_TIMEOUT_S,
    CallError,
    CallStatus,
    Continue,
    Edit,
    ErrorKind,
    ExitEarly,
    StepOutcome,
    audited_arguments,
)
from tools.errors import ContractError, DeniedError, ToolConfigurationError
from tools.execution.access import CallerCheck, CallerRefusedError, restricts_callers
from tools.execution.expressions import Check, compile_clause
from tools.execution.questions import ask_before, one_line
from tools.execution.workers.asking import ToldCheck, concerns_told, told_checks
from tools.paths import path_concerns, resolve_paths
from tools.spec import MISSING, AuditLevel, Clause, Concern, Security
from tools.tool import Elsewhere

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from tools.execution.run import Run
    from tools.tool import Tool

AUDIT_LOG: Final = logging.getLogger("tools.audit")
MAX_QUESTIONS: Final = 10


Checks = tuple[Check | ToldCheck, ...]
"""What must hold: clauses that are checked here, or where the tool's file is imported."""


class StepFunction(Protocol):
    """One step before or after the tool: returns True when the call is answered and nothing more must run."""

    async def __call__(self, run: Run, /) -> bool:
        """Do the step and record it in the trace."""


class Preconditions:
    """Check who calls and what must hold before; a cached result never leaks past it."""

    def __init__(self, security: Security | None, checks: Checks) -> None:
        self._caller_check = CallerCheck(security) if security is not None and restricts_callers(security) else None
        self._checks = checks

    async def __call__(self, run: Run, /) -> bool:
        """Check the caller and the clauses."""
        began = perf_counter()
        try:
            if self._caller_check is not None:
                await self._caller_check(run)
            await _hold(self._checks, run, run.arguments)
        except CallerRefusedError:
            run.record("Preconditions", began, StepOutcome.DENIED, "caller refused")
            raise
        except ContractError:
            run.record("Preconditions", began, StepOutcome.FAILED, "does not hold")
            raise
        except ToolConfigurationError:
            run.record("Preconditions", began, StepOutcome.FAILED, "nobody knows the caller's roles")
            raise
        except Exception as error:
            # Where the tool's file is imported, the arguments turned out not to fit, or the process died over them.
            run.record("Preconditions", began, StepOutcome.FAILED, type(error).__name__)
            raise
        run.record("Preconditions", began)
        return False


class SecurityCheck:
    """Ask a person when there is a reason to, and again when an edit gives a new one."""

    def __init__(self, tool: Tool, checks: Checks) -> None:
        self._tool = tool
        self._checks = checks
        self._standing = _standing_concerns(tool)
        security = tool.policies.security
        self._timeout_s = REVIEW_TIMEOUT_S if security is None else security.review_timeout_s

    async def __call__(self, run: Run, /) -> bool:
        """Ask until the arguments are agreed to.

        Raises:
            DeniedError: When the answer is no.
            ArgumentsError: When an edit does not fit the schema.
            ContractError: When an edit breaks a precondition.
            ToolConfigurationError: When there is a reason to ask and nobody to ask.
        """
        began = perf_counter()
        run.waited_s = 0.0
        try:
            asked = await self.agree(run)
        except DeniedError:
            run.record("Security check", began, StepOutcome.DENIED, "denied", waiting_s=run.waited_s)
            raise
        except BaseException as error:
            run.record("Security check", began, StepOutcome.FAILED, type(error).__name__, waiting_s=run.waited_s)
            raise
        run.cleared = True
        run.record("Security check", began, detail="approved" if asked else "", waiting_s=run.waited_s)
        return False

    async def agree(self, run: Run) -> bool:
        """Ask until the arguments are agreed to; what somebody agreed to before the start is not asked again.

        Returns:
            Whether anything had to be agreed to.

        Raises:
            DeniedError: When the answer is no.
            ToolConfigurationError: When there is a reason to ask and nobody to ask.
        """
        call = run.call
        agreed: frozenset[tuple[str, str]] = frozenset()
        for _ in range(MAX_QUESTIONS):
            concerns = await self.concerns(run)
            agreed |= frozenset(_reason(concern) for concern in concerns if concern in call.approved)
            if agreed.issuperset(map(_reason, concerns)):
                call.approved = concerns
                run.grants = frozenset(concern.grants for concern in concerns if concern.grants)
                return bool(agreed)
            if run.services.review_handler is None:
                msg = (
                    f"tool {call.name!r} asks before it runs ({concerns[0].title.lower()}), but no review handler is"
                    " configured; pass review_handler=... to the Executor"
                )
                raise ToolConfigurationError(msg)
            decision = await ask_before(run, call.display_arguments(), concerns, self._timeout_s)
            words = decision.reason if isinstance(decision, ExitEarly) else decision.feedback
            call.response.feedback = call.scrubbed(words)
            if isinstance(decision, ExitEarly):
                run.stop_run = decision.stop_run
                raise DeniedError(_refusal(call.display_arguments(), decision))
            if isinstance(decision, Edit):
                await self._take_edit(run, decision)
                if run.services.judge_edit is not None:
                    await run.services.judge_edit(run)
                # The person wrote these arguments: what the question showed stays agreed, and only new reasons ask.
            agreed |= frozenset(map(_reason, concerns))
            if isinstance(decision, Continue):
                call.approved = concerns
                run.grants = frozenset(concern.grants for concern in concerns if concern.grants)
                return True
        msg = f"after {MAX_QUESTIONS} edits the arguments of {call.name!r} still raise new questions"
        raise DeniedError(msg)

    async def concerns(self, run: Run) -> tuple[Concern, ...]:
        """Return the reasons to ask about the arguments as they are."""
        tool, services = self._tool, run.services
        concerns = [*self._standing, *path_concerns(run.arguments, tool.path_roles, services.project_dir)]
        if isinstance(tool.concerns_of, Elsewhere):
            concerns += await concerns_told(run, tool)
        elif tool.concerns_of is not None:
            arguments = {"arguments": run.arguments, "project_dir": services.project_dir, "of": tool.concerns_of}
            concerns += await services.threads.run(_named_concerns, arguments)
        # What is told of the arguments must not give away what is hidden of them.
        return tuple(run.call.display_concern(concern) for concern in concerns)

    async def _take_edit(self, run: Run, decision: Edit) -> None:
        call = run.call
        call.revise(decision.revised)
        run.arguments = resolve_paths(call.arguments, self._tool.path_roles, run.services.project_dir)
        # What comes now is no answer to the arguments that missed the cache.
        run.owe_nothing()
        await _hold(self._checks, run, run.arguments)


async def _hold(checks: Checks, run: Run, values: Mapping[str, Any]) -> None:
    """Check clauses.

    Raises:
        ContractError: When one does not hold.
    """
    for check in checks:
        if isinstance(check, ToldCheck):
            await check(run)
        else:
            check(values)


def _reason(concern: Concern) -> tuple[str, str]:
    """Return what makes a reason the same one after an edit: another detail alone is what the edit was for."""
    return concern.kind, concern.grants


def _named_concerns(arguments: Mapping[str, Any], project_dir: Any, of: Any) -> list[Concern]:
    return list(of(arguments, project_dir))


def _refusal(arguments: Mapping[str, Any], decision: ExitEarly) -> str:
    if decision.timed_out:
        return f"Denied: {decision.reason}"
    words = f". {decision.reason}" if decision.reason else ""
    return f"Rejected by reviewer: {one_line(arguments)}{words}"


def _standing_concerns(tool: Tool) -> tuple[Concern, ...]:
    security = tool.policies.security
    if tool.spec.destructive_hint:
        return (Concern("destructive", "Destructive", "The tool says that it may delete or overwrite something."),)
    if tool.spec.requires_confirmation or (security is not None and security.approval_required):
        return (Concern("confirmation", "Always asks", "The tool asks a person before each call."),)
    return ()


def may_ask(tool: Tool) -> bool:
    """Return whether any call of a tool can raise a question."""
    return bool(_standing_concerns(tool) or tool.path_roles or tool.concerns_of)


class Postconditions:
    """Check what must hold afterwards."""

    def __init__(self, checks: Checks) -> None:
        self._checks = checks

    async def __call__(self, run: Run, /) -> bool:
        """Check the clauses over arguments and result; a failed one makes the call a failure."""
        response = run.call.response
        if not response.succeeded or response.from_cache:
            return False
        began = perf_counter()
        try:
            await _hold(self._checks, run, {**run.arguments, "result": response.result})
        except ContractError as error:
            response.status = CallStatus.FAILED
            response.error = CallError(ErrorKind.CONTRACT, str(error), "ContractError")
            response.result = response.json_result = MISSING
            response.text = ""
            run.record("Postconditions", began, StepOutcome.FAILED, "does not hold")
        else:
            run.record("Postconditions", began)
        return False


class Audit:
    """Write down that the call happened."""

    def __init__(self, security: Security) -> None:
        self._level = security.audit

    async def __call__(self, run: Run, /) -> bool:
        """Write one line, with as much as the level says."""
        began = perf_counter()
        call = run.call
        words = [call.id, call.caller, call.name, call.response.status.value]
        arguments = audited_arguments(call, self._level)
        if arguments is not None:
            words.append(one_line(arguments, 10_000 if self._level is AuditLevel.FULL else 200))
        AUDIT_LOG.info(" ".join(words))
        run.record("Audit", began)
        return False


def compile_contract(tool: Tool) -> tuple[Checks, Checks]:
    """Return the checks before and after a call."""
    return told_checks(tool) if isinstance(tool.function, Elsewhere) else compile_clauses(tool)


def compile_clauses(tool: Tool) -> tuple[tuple[Check, ...], tuple[Check, ...]]:
    """Return the checks before and after a call, for where the tool is; their messages show no value that is hidden.

    Raises:
        DeclarationError: When an expression does not parse, or calls what might have side effects.
    """
    contract = tool.policies.contract
    if contract is None:
        return (), ()

    def hidden(name: str) -> bool:
        return tool.sensitive or tool.hides(name)

    def compiled(clauses: tuple[Clause, ...], kind: str) -> tuple[Check, ...]:
        return tuple(compile_clause(clause, kind=kind, owner=tool.owner, hidden=hidden) for clause in clauses)

    invariants = compiled(contract.invariants, "invariant")
    return (
        compiled(contract.pre, "precondition") + invariants,
        compiled(contract.post, "postcondition") + invariants,
    )
