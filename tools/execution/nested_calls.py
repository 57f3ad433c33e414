"""Calls that a call makes: of the tool that answers in its place, and of tools that a running tool uses.

Each of them is a call of its own, through its own steps, so that nothing that guards a tool is passed by.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from tools.calls import CallOrigin, ToolCall, ToolResponse
from tools.errors import ExitEarlyError, ToolFailure
from tools.spec import MISSING
from tools.tool import ToolResult

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager

    from tools.card import ToolCard
    from tools.execution.run import Run
    from tools.execution.services import CallMaker

DEEPEST: Final = 8
"""How many calls may stand inside each other; more is a tool that uses itself without an end."""


async def execute_within(outer: ToolCall, made: ToolCall, calls: CallMaker) -> ToolResponse:
    """Run a call that belongs to another one: whoever stops that one stops both, and learns what came of this one."""
    task = asyncio.ensure_future(calls.execute(made))
    try:
        await asyncio.wait([task])
    except asyncio.CancelledError:
        made.aborted = outer.aborted or not outer.cancel_requested
        made.cancel()
        await asyncio.wait([task])
        raise
    return task.result()


async def run_tool(
    run: Run, name: str, arguments: Mapping[str, Any], waiting: Callable[[], AbstractContextManager[None]]
) -> ToolResult:
    """Run another tool on behalf of a running one.

    Args:
        waiting: Lets the time limits of the running call stand still while a person is asked about the other.

    Raises:
        ToolFailure: When calls stand inside each other without an end.
        ExitEarlyError: When the reviewer stopped the whole run.
    """
    call, calls = run.call, run.services.calls
    if calls is None:
        raise ToolFailure(f"{name} cannot be run from here: only an Executor runs tools for other tools")
    around = call.origin or CallOrigin()
    above = around.depth + 1
    if above > DEEPEST:
        raise ToolFailure(f"{DEEPEST} calls stand inside each other already, so {name} is not run as well")
    origin = CallOrigin(around.owner, depth=above, session=around.session)
    made = await calls.propose(name, arguments, caller=call.caller, bypass_cache=call.bypass_cache, origin=origin)
    pause: AbstractContextManager[None] | None = None

    def on_review(waits: bool) -> None:  # noqa: FBT001 -- as `ToolCall.on_review` is called
        nonlocal pause
        if waits and pause is None:
            pause = waiting()
            pause.__enter__()
        elif not waits and pause is not None:
            pause.__exit__(None, None, None)
            pause = None

    made.on_review = on_review
    try:
        response = await execute_within(call, made, calls)
    except ExitEarlyError:
        run.stop_run = True
        raise
    finally:
        on_review(False)
    if response.succeeded:
        structured = None if response.json_result is MISSING else response.json_result
        return ToolResult.ok(response.text, structured)
    return ToolResult.failure(response.error.message if response.error is not None else response.text)


def card_of(run: Run, name: str) -> ToolCard | None:
    """Return what is known of a tool that a running one may run; None when there is none."""
    tool = None if run.services.calls is None else run.services.calls.registry.lookup(name)
    return None if tool is None else tool.card
