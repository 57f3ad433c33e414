"""The steps around a tool's start, each a small callable that a chain has only when its tool declares it."""

from __future__ import annotations

import logging
from time import perf_counter
from typing import TYPE_CHECKING, Final, Protocol

from tools.calls import CallError, CallStatus, ErrorKind, StepKind, StepNote, StepOutcome, audited_arguments
from tools.errors import ContractError, ToolConfigurationError
from tools.execution.access import CallerCheck, CallerRefusedError, restricts_callers
from tools.execution.expressions import Check, compile_clause
from tools.execution.journal import one_line
from tools.execution.workers.asking import ToldCheck, told_checks
from tools.spec import MISSING, AuditLevel, Clause, Security
from tools.tool import Elsewhere

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from tools.execution.run import Run
    from tools.tool import Tool

AUDIT_LOG: Final = logging.getLogger("tools.audit")


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
            await hold(self._checks, run, run.arguments)
        except CallerRefusedError:
            run.record(StepKind.PRECONDITIONS, began, StepOutcome.DENIED, StepNote.CALLER_REFUSED)
            raise
        except ContractError:
            run.record(StepKind.PRECONDITIONS, began, StepOutcome.FAILED, StepNote.DOES_NOT_HOLD)
            raise
        except ToolConfigurationError:
            run.record(StepKind.PRECONDITIONS, began, StepOutcome.FAILED, StepNote.ROLES_UNKNOWN)
            raise
        except Exception as error:
            # Where the tool's file is imported, the arguments turned out not to fit, or the process died over them.
            run.record(StepKind.PRECONDITIONS, began, StepOutcome.FAILED, error=type(error).__name__)
            raise
        run.record(StepKind.PRECONDITIONS, began)
        return False


async def hold(checks: Checks, run: Run, values: Mapping[str, Any]) -> None:
    """Check clauses.

    Raises:
        ContractError: When one does not hold.
    """
    for check in checks:
        if isinstance(check, ToldCheck):
            await check(run)
        else:
            check(values)


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
            await hold(self._checks, run, {**run.arguments, "result": response.result})
        except ContractError as error:
            response.status = CallStatus.FAILED
            response.error = CallError(ErrorKind.CONTRACT, str(error), "ContractError")
            response.result = response.json_result = MISSING
            response.text = ""
            run.record(StepKind.POSTCONDITIONS, began, StepOutcome.FAILED, StepNote.DOES_NOT_HOLD)
        else:
            run.record(StepKind.POSTCONDITIONS, began)
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
        run.record(StepKind.AUDIT, began)
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
