"""How a call ends: what its failure means, the steps after it, and whose cancellation it was."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from tools.errors import ToolFailure
from tools.execution import outcomes
from tools.execution.journal import log_exception

if TYPE_CHECKING:
    from tools.execution.run import Run

_log = logging.getLogger(__name__)


async def answered(run: Run) -> bool:
    """Run the steps before the tool; return whether one of them knew the answer."""
    for before in run.chain.before:
        if await before(run):
            if run.chain.recheck is not None:
                await run.chain.recheck.known(run)
            return True
    return False


async def wind_up(run: Run, error: BaseException | None) -> BaseException | None:
    """Run the steps after the tool, whatever came of it; return what the caller has to get."""
    call = run.call
    try:
        if call.cancel_requested:
            error = await _without_own_cancellation(error)
        if run.asking:
            await run.withdraw_questions()
        steps, last = run.chain.after, run.chain.result_check
        if last is not None and last not in steps and run.is_judged_otherwise:
            # Nothing was said of the tool's results when the call began.
            steps = (*steps, last)
        for after in steps:
            try:
                await after(run)
            except (asyncio.CancelledError, *outcomes.REACHES_CALLER) as reached:
                error = after_failure(run, reached)
                if call.cancel_requested:
                    error = await _without_own_cancellation(error)
            except Exception as broken:  # noqa: BLE001 -- one broken step must not lose the outcome of the call
                log_exception(_log, call, "a step after the call %s failed", call.id)
                outcomes.accept_error(call, broken)
    finally:
        # Whatever broke the way back, nobody waits for ever for what this call held.
        run.owe_nothing()
        if run.chain.settling is not None:
            run.chain.settling.settle(run)
    return error


def after_failure(run: Run, error: BaseException) -> BaseException | None:
    """Make the response final with what was raised, and return what the caller has to get as well."""
    call = run.call
    task = asyncio.current_task()
    asked_for = call.cancel_requested or (task is not None and task.cancelling())
    if isinstance(error, asyncio.CancelledError) and not asked_for:
        error = ToolFailure("the tool ended itself with CancelledError, though nobody asked it to stop")
    run.error = error
    run.fail_attempt(error)
    outcomes.accept_error(call, error)
    if isinstance(error, outcomes.REACHES_CALLER) or not isinstance(error, Exception | SystemExit):
        return error
    return None


async def _without_own_cancellation(error: BaseException | None) -> BaseException | None:
    """Take back what `ToolCall.cancel` did to this task: only the call was to stop, not whoever waits for it.

    Returns:
        What the caller has to get: a cancellation only if somebody else cancelled the task as well.
    """
    late: BaseException | None = None
    try:
        # Asked for by the tool itself or by a listener, the cancellation may still be on its way.
        await asyncio.sleep(0)
    except asyncio.CancelledError as caught:
        late = caught
    task = asyncio.current_task()
    others = task.uncancel() if task is not None else 0
    if isinstance(error, asyncio.CancelledError) or error is None:
        return (error or late) if others else None
    return error
