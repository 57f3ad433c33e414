"""Refuse every call that the audit log cannot take: for programs where nothing may happen unseen."""

from __future__ import annotations

import asyncio
import inspect
from typing import TYPE_CHECKING

from tools.execution.filters import Allow, Block, CallAction, CallFilter

if TYPE_CHECKING:
    from tools.audit import AuditLog
    from tools.calls import ToolCall


def only_audited(audit: AuditLog, then: CallFilter | None = None) -> CallFilter:
    """Return a call filter that lets a call run when its proposal is in the audit log, synced to the disk.

    It costs each call the time of a disk's sync. The executor must be given the same log.

    Args:
        audit: The log.
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
