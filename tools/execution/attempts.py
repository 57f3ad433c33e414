"""Start a tool, as often as its retry policy says, each time within its time limit."""

from __future__ import annotations

import asyncio
import inspect
import random
import re
from collections.abc import Awaitable, Callable
from time import perf_counter
from typing import Any, Final

from tools.calls import Attempt, ErrorKind, StepKind, StepNote, StepOutcome
from tools.errors import (
    DeniedError,
    ExitEarlyError,
    RefusedArgumentsError,
    ReviewTimeoutError,
    ToolConfigurationError,
    ToolTimeoutError,
    may_pass,
)
from tools.execution.outcomes import accept_result
from tools.execution.questions import context_of
from tools.execution.run import AttemptTimeoutError, CallNext, Judge, Pausable, Run
from tools.execution.workers.protocol import WorkerResult
from tools.execution.workers.start import WorkerProvider, WorkerStart
from tools.spec import Backoff, Isolation, Retry
from tools.tool import Injection, Tool, ToolResult

_NEVER_AWAITED: Final = frozenset({type(None), bool, int, float, str, bytes, list, dict, tuple})
"""What most tools return, told from an awaitable without a look at its class."""

NEVER_RETRIED: Final = (
    DeniedError,
    ExitEarlyError,
    RefusedArgumentsError,
    ReviewTimeoutError,
    ToolConfigurationError,
)


class RetryStep:
    """Start the tool until it succeeds or its retry policy is used up.

    Args:
        recheck: Looks before another start whether the tool may still run; None when nothing can change that.
    """

    def __init__(self, retry: Retry, tool: Tool, recheck: Judge | None = None) -> None:
        self._retry = retry
        self._tool = tool
        self._recheck = recheck

    async def __call__(self, run: Run, call_next: CallNext, /) -> Any:
        run.repeats = True
        retry, number = self._retry, 0
        while True:
            number += 1
            last = number == retry.max_attempts
            try:
                result = await call_next(run)
            except Exception as error:
                if last or not _retryable(error, retry) or not await self._back_off(run, delay_s(retry, number)):
                    raise
            else:
                asks = not last and _asks_for_retry(result, retry, self._tool)
                if not asks or not await self._back_off(run, delay_s(retry, number)):
                    return result

    async def _back_off(self, run: Run, delay_s: float) -> bool:
        """Wait before the next attempt; return False at once when the limit in total would pass meanwhile."""
        began = perf_counter()
        if run.deadline is not None and delay_s >= run.deadline.left_s:
            run.record(StepKind.BACKOFF, began, StepOutcome.SKIPPED, StepNote.TOO_LATE)
            return False
        run.warn(_why_again(run.call.response.attempts[-1], delay_s))
        await asyncio.sleep(delay_s)
        run.record(StepKind.BACKOFF, began, StepOutcome.WAITED, waiting_s=perf_counter() - began)
        if self._recheck is not None:
            await self._recheck(run)
        return True


def _why_again(attempt: Attempt, delay_s: float) -> str:
    """Return why another attempt is made, for the log: the response tells only of the last one."""
    why = "came back with what asks for another one"
    if attempt.error is not None:
        error = attempt.error
        why = "ran out of time" if error.kind is ErrorKind.TIMEOUT else f"failed with {error.type_name}"
        why += f": {error.message}" if error.message else ""
    return f"attempt {attempt.number} {why}; attempt {attempt.number + 1} begins in {delay_s:.3g} s"


def retry_of(tool: Tool) -> Retry | None:
    """Return how a tool's failed attempts are repeated; None when they are not."""
    retry = tool.policies.retry
    if retry is None or retry.max_attempts == 1:
        return None
    # A declaration with both was refused; a tool put together by hand is simply not retried.
    return retry if tool.spec.idempotent or retry.even_if_not_idempotent else None


class TotalTimeout:
    """Keep all attempts together within a time limit."""

    def __init__(self, limit_s: float, *, repeats: bool) -> None:
        self._limit_s = limit_s
        self._repeats = repeats

    async def __call__(self, run: Run, call_next: CallNext, /) -> Any:
        limit = asyncio.timeout(self._limit_s)
        deadline = run.deadline = Pausable(limit)
        try:
            async with limit:
                return await call_next(run)
        except TimeoutError as error:
            if not limit.expired():
                raise
            many = len(run.call.response.attempts)
            attempts = "attempt" if many == 1 else "attempts"
            in_all = f" in all, {many} {attempts} together" if self._repeats else ""
            raise _too_late(run, f"it took longer than {self._limit_s:g} s{in_all}") from error
        finally:
            run.deadline = deadline.end()


async def accept(run: Run, call_next: CallNext, /) -> None:
    """Make what the tool returned the response; what a thread of it asked, and nobody answered, is taken back."""
    if run.released is not None:
        await run.released(run)
    try:
        result = await call_next(run)
    finally:
        if run.asking:
            await run.withdraw_questions()
    accept_result(run.call.response, run.tool, result, run.call)


def compile_start(tool: Tool, timeout_s: float | None, places: WorkerProvider | None = None) -> CallNext:
    """Return what starts a tool once, within its time limit; the commonest case has no detour.

    Raises:
        ToolConfigurationError: When it is to run in another process, and none can find it.
    """
    isolated = WorkerStart(tool, places) if places is not None or tool.isolation is Isolation.PROCESS else None
    if timeout_s is not None:
        return _in_time(isolated or _start, timeout_s)
    if isolated is not None:
        return isolated
    return _start_bare if tool.is_async and not tool.injected else _start


def _start_bare(run: Run) -> Awaitable[Any]:
    started: Awaitable[Any] = run.tool.function(**run.arguments)
    return started


def _in_time(start: CallNext, timeout_s: float) -> CallNext:
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
    if run.call.response.isolation is Isolation.THREAD:
        message += "; its thread could not be stopped and is left to end by itself"
    elif run.call.response.worker_killed:
        message += "; its worker process was ended"
    return AttemptTimeoutError(message)


async def _start(run: Run) -> Any:
    tool = run.tool
    arguments: Any = run.arguments
    if tool.injected:
        arguments = {**arguments, **_injected(run, tool)}
    if tool.is_async:
        return await tool.function(**arguments)
    if tool.isolation is Isolation.THREAD:
        run.call.response.isolation = Isolation.THREAD
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
        elif item.kind is Injection.SESSION:
            values[item.python_name] = run.call.session
        elif item.kind is Injection.PROJECT_DIR:
            folder = services.project_dir
            values[item.python_name] = str(folder) if item.type is str else folder
        elif item.type is not None:
            found = next((known for known in services.app_objects if isinstance(known, item.type)), None)
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
    """Return the seconds to wait after a failed attempt, of which the first has the number 1."""
    wait_s = retry.initial_delay_s
    if retry.backoff is Backoff.EXPONENTIAL:
        try:
            wait_s *= retry.multiplier ** (number - 1)
        except OverflowError:
            wait_s = retry.max_delay_s
    wait_s = min(wait_s, retry.max_delay_s)
    return wait_s * chance(0.5, 1.0) if retry.jitter else wait_s
