"""What must hold before and after a tool runs: its callers, its preconditions and its postconditions."""

from __future__ import annotations

from collections.abc import Mapping
from time import perf_counter
from typing import Any, Final

from tools.calls import CallError, CallStatus, ErrorKind, StepKind, StepNote, StepOutcome
from tools.errors import CallerRefusedError, ContractError, ToolConfigurationError
from tools.execution.access import CallerCheck, restricts_callers
from tools.execution.expressions import Check, compile_clauses
from tools.execution.run import CallNext, Run
from tools.execution.workers.declaration_client import RemoteCheck, told_checks
from tools.spec import MISSING, Security
from tools.tool import RemoteFunction, Tool

Checks = tuple[Check | RemoteCheck, ...]
"""What must hold: clauses that are checked here, or where the tool's file is imported."""


_NOTES: Final = (
    (CallerRefusedError, StepNote.CALLER_REFUSED),
    (ContractError, StepNote.DOES_NOT_HOLD),
    (ToolConfigurationError, StepNote.ROLES_UNKNOWN),
)


class Preconditions:
    """Check who calls and what must hold before; a cached result never leaks past it."""

    def __init__(self, security: Security | None, checks: Checks) -> None:
        self._caller_check = CallerCheck(security) if security is not None and restricts_callers(security) else None
        self._checks = checks

    async def __call__(self, run: Run, call_next: CallNext, /) -> Any:
        # Any other error: where the tool's file is imported, the arguments did not fit, or the process died over them.
        with run.step(StepKind.PRECONDITIONS, _NOTES) as end:
            if self._caller_check is not None:
                await self._caller_check(run.call, run.services.access)
            await self.hold(run)
            end()
        return await call_next(run)

    async def hold(self, run: Run) -> None:
        """Check the clauses alone, as after an edit."""
        await _hold(self._checks, run, run.arguments)


class Postconditions:
    """Check what must hold of arguments and result; a clause that does not makes the call a failure."""

    def __init__(self, checks: Checks) -> None:
        self._checks = checks

    async def __call__(self, run: Run, call_next: CallNext, /) -> Any:
        await call_next(run)
        response = run.call.response
        if not response.succeeded:
            return
        began = perf_counter()
        try:
            await _hold(self._checks, run, {**run.arguments, "result": response.result})
        except ContractError as error:
            response.status = CallStatus.FAILED
            response.error = CallError(ErrorKind.CONTRACT, str(error), "ContractError")
            response.result = response.json_result = MISSING
            response.text = ""
            run.record(StepKind.POSTCONDITIONS, began, StepOutcome.FAILED, StepNote.DOES_NOT_HOLD)
        else:
            run.record(StepKind.POSTCONDITIONS, began)


async def _hold(checks: Checks, run: Run, values: Mapping[str, Any]) -> None:
    for check in checks:
        if isinstance(check, RemoteCheck):
            await check(run)
        else:
            check(values)


def compile_contract(tool: Tool) -> tuple[Checks, Checks]:
    """Return the checks before and after a call."""
    return told_checks(tool) if isinstance(tool.function, RemoteFunction) else compile_clauses(tool)
