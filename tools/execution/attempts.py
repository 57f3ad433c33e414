"""Start a tool, as often as its retry policy says, each time within its time limit."""

from __future__ import annotations

import asyncio
import inspect
import random
import re
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, Final, Protocol

from tools.errors import (
    DeniedError,
    ExitEarlyError,
    ReviewTimeoutError,
    ToolConfigurationError,
    ToolTimeoutError,
    may_pass,
)
from tools.execution.questions import context_of
from tools.execution.refusals import RefusedArgumentsError
from tools.execution.run import AttemptTimeoutError, Pausable
from tools.execution.workers.results import WorkerResult
from tools.execution.workers.start import Places, WorkerStart
from tools.spec import Backoff, Isolation, Retry
from tools.tool import Injection, Tool, ToolResult

if TYPE_CHECKING:
    from tools.execution.run import Run

StartFunction = Callable[["Run"], Awaitable[Any]]
"""Starts a tool once and returns what it returned."""

PerformFunction = Callable[["Run"], Awaitable[Any]]
"""Makes all attempts of a tool and returns what the last one returned."""

_NEVER_AWAITED: Final = frozenset({type(None), bool, int, float, str, bytes, list, dict, tuple})
"""What most tools return, told from an awaitable without a look at its class."""
_THREAD: Final = Isolation.THREAD

NEVER_RETRIED: Final = (
    DeniedError,
    ExitEarlyError,
    RefusedArgumentsError,
    ReviewTimeoutError,
    ToolConfigurationError,
)


class Trial(Protocol):
    """What can be started several times, and is told how each time went."""

    def begin_attempt(self, number: int = 0) -> None:
        """Take note that it is started now, for the how-manieth time."""

    async def start(self) -> Any:
        """Start it once and return what it returned."""

    def fail_attempt(self, error: BaseException) -> None:
        """Take note of what it raised."""

    def end_attempt(self, result: Any) -> None:
        """Take note of what it returned."""

    async def back_off(self, delay_s: float) -> bool:
        """Wait before the next attempt; return whether there is time for one."""


async def repeat(trial: Trial, retry: Retry, tool: Tool) -> Any:
    """Start something until it succeeds or the retry policy is used up, and return what it returned.

    Args:
        trial: What is started.
        retry: How often, and after which waits.
        tool: Whose result it is, for the patterns of `retry_on_response`.

    Raises:
        AttemptTimeoutError: When the last attempt's time limit passed.
        Exception: What was raised last.
    """
    number = 0
    while True:
        number += 1
        last = number == retry.max_attempts
        trial.begin_attempt(number)
        try:
            result = await trial.start()
        except Exception as error:
            trial.fail_attempt(error)
            if last or not _retryable(error, retry) or not await trial.back_off(delay_s(retry, number)):
                raise
        else:
            trial.end_attempt(result)
            if last or not _asks_for_retry(result, retry, tool) or not await trial.back_off(delay_s(retry, number)):
                return result


def retry_of(tool: Tool) -> Retry | None:
    """Return how a tool's failed attempts are repeated; None when they are not."""
    retry = tool.policies.retry
    if retry is None or retry.max_attempts == 1:
        return None
    # A declaration with both was refused; a tool put together by hand is simply not retried.
    return retry if tool.spec.idempotent or retry.even_if_not_idempotent else None


def compile_performance(tool: Tool) -> PerformFunction | None:
    """Return what makes a tool's attempts within its limit in total; None when it is started once and that is all."""
    retry, total_s = retry_of(tool), tool.policies.total_timeout_s

    async def attempts(run: Run) -> Any:
        if retry is not None:
            return await repeat(run, retry, tool)
        run.begin_attempt()
        result = await run.start()
        run.end_attempt(result)
        return result

    async def in_time(run: Run) -> Any:
        limit = asyncio.timeout(total_s)
        run.deadline = run.total = Pausable(limit)
        try:
            async with limit:
                return await attempts(run)
        except TimeoutError as error:
            if not limit.expired():
                raise
            many = len(run.call.response.attempts)
            in_all = "" if retry is None else f" in all, {many} {'attempt' if many == 1 else 'attempts'} together"
            raise _too_late(run, f"it took longer than {total_s:g} s{in_all}") from error
        finally:
            run.deadline = run.total.end()

    if total_s is not None:
        return in_time
    return None if retry is None else attempts


def compile_start(tool: Tool, timeout_s: float | None, places: Places | None = None) -> StartFunction:
    """Return what starts a tool once, within its time limit; the commonest case has no detour.

    Args:
        tool: The tool.
        timeout_s: The limit; None sets none.
        places: Where it runs; None means where its isolation says.

    Raises:
        ToolConfigurationError: When it is to run in another process, and none can find it.
    """
    isolated = WorkerStart(tool, places) if places is not None or tool.isolation is Isolation.PROCESS else None
    if timeout_s is not None:
        return _in_time(isolated or _start, timeout_s)
    if isolated is not None:
        return isolated
    if tool.is_async and not tool.injected:
        return _start_bare
    return _start


def _start_bare(run: Run) -> Awaitable[Any]:
    started: Awaitable[Any] = run.chain.tool.function(**run.arguments)
    return started


def _in_time(start: StartFunction, timeout_s: float) -> StartFunction:
    async def start_in_time(run: Run) -> Any:
        limit = asyncio.timeout(timeout_s)
        deadline = run.deadline = Pausable(limit, run.deadline)
        try:
            async with limit:
                return await start(run)
        except TimeoutError as error:
            if not limit.expired():
                raise
            raise _too_late(run, f"it took longer than {timeout_s:g} s") from error
        finally:
            run.deadline = deadline.end()

    return start_in_time


def _too_late(run: Run, message: str) -> AttemptTimeoutError:
    """Turn away from the running attempt, and return what says so."""
    if run.context is not None:
        run.context.give_up()
    if run.chain.in_thread:
        message += "; its thread could not be stopped and is left to end by itself"
    elif run.call.response.worker_killed:
        message += "; its worker process was ended"
    return AttemptTimeoutError(message)


async def _start(run: Run) -> Any:
    tool = run.chain.tool
    arguments: Any = run.arguments
    if tool.injected:
        arguments = {**arguments, **_injected(run, tool)}
    if tool.is_async:
        return await tool.function(**arguments)
    if run.chain.in_thread:
        run.call.response.isolation = _THREAD
        result = await run.services.threads.run(tool.function, arguments)
    else:
        result = tool.function(**arguments)
    return result if type(result) in _NEVER_AWAITED or not inspect.isawaitable(result) else await result


def _injected(run: Run, tool: Tool) -> dict[str, Any]:
    services = run.services
    values: dict[str, Any] = {}
    for item in tool.injected:
        if item.kind is Injection.CONTEXT:
            values[item.python_name] = context_of(run)
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


def _retryable(error: Exception, retry: Retry) -> bool:
    # Limits of ours and of the tool count as the built-in timeout too, which is what people name in retry_on.
    known = [error, TimeoutError()] if isinstance(error, ToolTimeoutError) else [error]
    if isinstance(error, AttemptTimeoutError):
        known = [TimeoutError()]
    if any(isinstance(item, (*NEVER_RETRIED, *retry.no_retry_on)) for item in known):
        return False
    if not retry.retry_on:
        return any(map(may_pass, known))
    return any(isinstance(item, retry.retry_on) for item in known)


def _asks_for_retry(result: Any, retry: Retry, tool: Tool) -> bool:
    if not retry.retry_on_response:
        return False
    if isinstance(result, WorkerResult):
        result = result.value if result.tool_result is None else result.tool_result
    if isinstance(result, ToolResult):
        text = result.output if result.success else result.error or ""
    else:
        text = result if isinstance(result, str) else str(tool.output.dump(result))
    return any(re.search(pattern, text) for pattern in retry.retry_on_response)


def delay_s(retry: Retry, number: int, chance: Callable[[float, float], float] = random.uniform) -> float:
    """Return the seconds to wait after a failed attempt.

    Args:
        retry: The policy.
        number: Which attempt failed, from 1.
        chance: Draws a number between two.
    """
    wait_s = retry.initial_delay_s
    if retry.backoff is Backoff.EXPONENTIAL:
        try:
            wait_s *= retry.multiplier ** (number - 1)
        except OverflowError:
            wait_s = retry.max_delay_s
    wait_s = min(wait_s, retry.max_delay_s)
    return wait_s * chance(0.5, 1.0) if retry.jitter else wait_s


def runs_in_thread(tool: Tool) -> bool:
    """Return whether a tool's function runs in a thread of its own."""
    return not tool.is_async and tool.isolation is Isolation.THREAD
