"""The audit of calls: a line for each, and the refusal of every call that the audit log cannot take."""

from __future__ import annotations

import asyncio
import inspect
import logging
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final

from tools.calls import StepKind, audited_arguments
from tools.execution.call_log import one_line
from tools.execution.filters import Allow, Block, CallAction, CallFilter
from tools.execution.outcomes import settled
from tools.spec import AuditLevel

if TYPE_CHECKING:
    from tools.audit import AuditLog
    from tools.calls import ToolCall
    from tools.execution.run import CallNext, Run

AUDIT_LOG: Final = logging.getLogger("tools.audit")


class AuditStep:
    """Write down that the call happened."""

    def __init__(self, level: AuditLevel) -> None:
        self._level = level

    async def __call__(self, run: Run, call_next: CallNext, /) -> Any:
        """Write one line, with as much as the level says, whatever came of the call."""
        await settled(run, call_next)
        began = perf_counter()
        call = run.call
        words = [call.id, call.caller, call.name, call.response.status.value]
        arguments = audited_arguments(call, self._level)
        if arguments is not None:
            words.append(one_line(arguments, 10_000 if self._level is AuditLevel.FULL else 200))
        AUDIT_LOG.info(" ".join(words))
        run.record(StepKind.AUDIT, began)


def only_audited(audit: AuditLog, then: CallFilter | None = None) -> CallFilter:
    """Return a call filter that lets a call run when its proposal is in the audit log, synced to the disk.

    It costs each call the time of a disk's sync. The executor must be given the same log.

    Args:
        then: What decides about calls that are in it; None lets them run.
    """

    async def decide(call: ToolCall, /) -> CallAction:
        if not await asyncio.to_thread(audit.flush):
            return Block(f"nothing runs unseen, and {audit.problem or 'the audit log did not take the call in time'}")
        if then is None:
            return Allow()
        action = then(call)
        return await action if inspect.isawaitable(action) else action

    return decide
