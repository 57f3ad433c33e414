"""Start a tool, as often as its retry policy says, each time within its time limit."""

from __future__ import annotations

import asyncio
import inspect
import random
import re
from time import perf_counter
from typing import TYPE_CHECKING, Any

from tools.calls import StepOutcome
from tools.context import ToolContext
from tools.errors import ExitEarlyError, ReviewTimeoutError, ToolConfigurationError
from tools.execution.questions import ask_during
from tools.execution.run import Pausable
from tools.spec import Backoff, Isolation, Retry
from tools.tool import Injection, Tool, ToolResult

if TYPE_CHECKING:
    from tools.execution.run import Run

NEVER_RETRIED: tuple[type[BaseException], ...] = (ExitEarlyError, ToolConfigurationError, ReviewTimeoutError)


class AttemptTimeoutError(Exception):
    """A limit passed; the message says which, and what became of the thread."""


async def execute(run: Run) -> Any:
    """Run the tool under its policies and return what it returned.

    Raises:
        AttemptTimeoutError: When its time limit passed.
        Exception: What the tool raised last.
    """
    retry = run.chain.retry
    if retry is None:
        return await _attempt(run, "Execute")
    number = 0
    while True:
        number += 1
        last = number == retry.max_attempts
        try:
            result = await _attempt(run, f"Execute, attempt {number}")
        except Exception as error:
            if last or not _retryable(error, retry):
                raise
        else:
            if last or not _asks_for_retry(result, retry, run.chain.tool):
                return result
        await _back_off(run, retry, number)


async def _attempt(run: Run, name: str) -> Any:
    response = run.call.response
    response.attempts += 1
    began = perf_counter()
    run.waited_s = 0.0
    try:
        result = await (_start(run) if run.chain.timeout_s is None else _start_in_time(run, run.chain.timeout_s))
    except asyncio.CancelledError:
        run.record(name, began, StepOutcome.CANCELLED, waiting_s=run.waited_s, in_tool=True)
        raise
    except AttemptTimeoutError:
        run.record(name, began, StepOutcome.TIMED_OUT, "timed out", waiting_s=run.waited_s, in_tool=True)
        raise
    except BaseException as error:
        run.record(name, began, StepOutcome.FAILED, type(error).__name__, waiting_s=run.waited_s, in_tool=True)
        raise
    failed = isinstance(result, ToolResult) and not result.success
    run.record(name, began, StepOutcome.FAILED if failed else StepOutcome.OK, waiting_s=run.waited_s, in_tool=True)
    return result


async def _start_in_time(run: Run, timeout_s: float) -> Any:
    limit = asyncio.timeout(timeout_s)
    run.deadline = Pausable(limit)
    try:
        async with limit:
            return await _start(run)
    except TimeoutError as error:
        if not limit.expired():
            raise
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
            values[item.python_name] = services.project_dir
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
    return ToolContext(
        run.call,
        project_dir=services.project_dir,
        config=services.config,
        http=services.http,
        loop=asyncio.get_running_loop(),
        emit=services.emit,
        ask=lambda ask: ask_during(run, ask),
        grants=run.grants,
    )


def _retryable(error: Exception, retry: Retry) -> bool:
    if isinstance(error, (*NEVER_RETRIED, *retry.no_retry_on)):
        return False
    if not retry.retry_on:
        return True
    # Our own limit counts as the built-in timeout, which is what people name in retry_on.
    return isinstance(TimeoutError() if isinstance(error, AttemptTimeoutError) else error, retry.retry_on)


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
