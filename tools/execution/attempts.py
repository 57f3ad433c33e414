"""Start a tool, as often as its retry policy says, each time within its time limit."""

from __future__ import annotations

import asyncio
import inspect
import random
import re
from collections.abc import Awaitable, Callable
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final

from tools.calls import StepOutcome
from tools.context import ToolContext
from tools.errors import DeniedError, ExitEarlyError, ReviewTimeoutError, ToolConfigurationError
from tools.execution.questions import ask_during
from tools.execution.run import AttemptTimeoutError, Pausable
from tools.spec import Backoff, Isolation, Retry
from tools.tool import Injection, Tool, ToolResult

if TYPE_CHECKING:
    from tools.execution.run import Run

StartFunction = Callable[["Run"], Awaitable[Any]]
"""Starts a tool once and returns what it returned."""

NEVER_RETRIED: Final = (DeniedError, ExitEarlyError, ToolConfigurationError, ReviewTimeoutError)


async def repeat(run: Run, retry: Retry) -> Any:
    """Start the tool until it succeeds or its retry policy is used up, and return what it returned.

    Raises:
        AttemptTimeoutError: When the last attempt's time limit passed.
        Exception: What the tool raised last.
    """
    number = 0
    while True:
        number += 1
        last = number == retry.max_attempts
        run.begin_attempt(f"Execute, attempt {number}")
        try:
            result = await run.chain.start(run)
        except Exception as error:
            run.fail_attempt(error)
            if last or not _retryable(error, retry):
                raise
        else:
            run.end_attempt(result)
            if last or not _asks_for_retry(result, retry, run.chain.tool):
                return result
        await _back_off(run, retry, number)


def compile_start(tool: Tool, timeout_s: float | None) -> StartFunction:
    """Return what starts a tool once, within its time limit; the commonest case has no detour."""
    if timeout_s is not None:
        return _start_in_time
    if tool.is_async and not tool.injected:
        return _start_bare
    return _start


def _start_bare(run: Run) -> Awaitable[Any]:
    started: Awaitable[Any] = run.chain.tool.function(**run.arguments)
    return started


async def _start_in_time(run: Run) -> Any:
    timeout_s = run.chain.timeout_s
    limit = asyncio.timeout(timeout_s)
    run.deadline = Pausable(limit)
    try:
        async with limit:
            return await _start(run)
    except TimeoutError as error:
        if not limit.expired():
            raise
        if run.context is not None:
            run.context.give_up()
        msg = f"it took longer than {timeout_s:g} s"
        if run.chain.in_thread:
            msg += "; its thread could not be stopped and is left to end by itself"
        raise AttemptTimeoutError(msg) from error
    finally:
        run.deadline = None


async def _start(run: Run) -> Any:
    tool = run.chain.tool
    arguments: Any = run.arguments
    if tool.injected:
        arguments = {**arguments, **_injected(run, tool)}
    if tool.is_async:
        return await tool.function(**arguments)
    if run.chain.in_thread:
        result = await run.services.threads.run(tool.function, arguments)
    else:
        result = tool.function(**arguments)
    return await result if inspect.isawaitable(result) else result


def _injected(run: Run, tool: Tool) -> dict[str, Any]:
    services = run.services
    values: dict[str, Any] = {}
    for item in tool.injected:
        if item.kind is Injection.CONTEXT:
            values[item.python_name] = _context(run)
        elif item.kind is Injection.CONFIG:
            values[item.python_name] = services.config
        elif item.kind is Injection.PROJECT_DIR:
            folder = services.project_dir
            values[item.python_name] = str(folder) if item.type is str else folder
        elif item.type is not None:
            found = services.app_object(item.type)
            if found is None and not item.optional:
                msg = (
                    f"tool {tool.name!r} needs an object of type {item.type.__qualname__} for its parameter"
                    f" {item.python_name!r}; pass one in app_objects, or let callers give it by Param(...)"
                )
                raise ToolConfigurationError(msg)
            values[item.python_name] = found
    return values


def _context(run: Run) -> ToolContext:
    services = run.services
    run.context = ToolContext(
        run.call,
        project_dir=services.project_dir,
        config=services.config,
        http=services.http,
        loop=asyncio.get_running_loop(),
        emit=services.emit,
        ask=lambda ask: ask_during(run, ask),
        grants=run.grants,
        has_reviewer=services.review_handler is not None,
    )
    return run.context


def _retryable(error: Exception, retry: Retry) -> bool:
    # Our own limit counts as the built-in timeout, which is what people name in retry_on.
    known = TimeoutError() if isinstance(error, AttemptTimeoutError) else error
    if isinstance(known, (*NEVER_RETRIED, *retry.no_retry_on)):
        return False
    return not retry.retry_on or isinstance(known, retry.retry_on)


def _asks_for_retry(result: Any, retry: Retry, tool: Tool) -> bool:
    if not retry.retry_on_response:
        return False
    if isinstance(result, ToolResult):
        text = result.output if result.success else result.error or ""
    else:
        text = result if isinstance(result, str) else str(tool.output.dump(result))
    return any(re.search(pattern, text) for pattern in retry.retry_on_response)


async def _back_off(run: Run, retry: Retry, number: int) -> None:
    delay_s = retry.initial_delay_s
    if retry.backoff is Backoff.EXPONENTIAL:
        delay_s *= retry.multiplier ** (number - 1)
    delay_s = min(delay_s, retry.max_delay_s)
    if retry.jitter:
        delay_s *= random.uniform(0.5, 1.0)  # noqa: S311 -- spreads load, guards nothing
    began = perf_counter()
    await asyncio.sleep(delay_s)
    waited_s = perf_counter() - began
    run.record("Backoff", began, StepOutcome.WAITED, f"{waited_s * 1000:.0f} ms", waiting_s=waited_s)


def runs_in_thread(tool: Tool) -> bool:
    """Return whether a tool's function runs in a thread of its own."""
    return not tool.is_async and tool.spec.isolation is Isolation.THREAD
