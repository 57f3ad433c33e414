"""Retries, a rate limit and a cache around a tool, for programs that use no `Executor`.

```python
search = enhance(search)  # CachedTool(RateLimitedTool(RetryableTool(tool))), as far as its decorators say so
hits = await search.execute({"query": "needle"})
```

Everything else that a tool may declare (who may call it, questions to a person, contracts, time limits, breakers,
process isolation) is the `Executor`'s, and a tool that needs a person, a caller or a process is refused here.
"""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from time import monotonic, perf_counter
from typing import Any, TypeVar

from tools.calls import CallStatus, ToolCall
from tools.declare.build import CONTEXT_KEY, bundle_of
from tools.declare.decorators import declaration_of
from tools.errors import ToolConfigurationError
from tools.execution.access import restricts_callers
from tools.execution.attempts import RetryStep, retry_of
from tools.execution.cache import CacheSteps, KnownResult, ResultCache
from tools.execution.rate_limits import RateLimiting, TokenBucket
from tools.execution.run import CallNext, Run, StepFunction, fold
from tools.execution.services import Services
from tools.policy.judging import YOU
from tools.spec import CachePolicy, Isolation, Policies, RateLimit, Retry
from tools.tool import Injected, Injection, Tool, ToolResult

Target = TypeVar("Target")


class EnhancedTool:
    """Be a tool with something around it that runs by itself: check the arguments, then do the work.

    What is around it needs a policy, given or declared by the tool, and a tool that needs no `Executor`; otherwise it
    raises `ToolConfigurationError`.

    Attributes:
        tool: The tool inside.
        perform: Does the work of a run.
    """

    def __init__(self, inner: Tool | EnhancedTool, *steps: StepFunction) -> None:
        self.inner = inner
        self.tool = _tool_in(inner)
        innermost = Run.attempt if isinstance(inner, Tool) else inner.perform
        self.perform: CallNext = fold(steps, innermost)

    @property
    def name(self) -> str:
        return self.tool.name

    async def execute(self, arguments: Mapping[str, Any] | str | bytes = "{}") -> Any:
        """Check the arguments and return what the tool returns.

        Raises:
            ArgumentsError: When they do not fit.
            RateLimitError: When no permit is free in time.
            Exception: What the tool raised.
        """
        checked = self.tool.arguments
        values = checked.validate(arguments) if isinstance(arguments, Mapping) else checked.validate_json(arguments)
        call = ToolCall("", self.tool, self.name, arguments, YOU, perf_counter())
        call.arguments = values
        run = Run(call, self.tool, _services(), _start)
        return await self.perform(run)

    async def __call__(self, **arguments: Any) -> Any:
        return await self.execute(arguments)

    def __repr__(self) -> str:
        inner = self.inner.name if isinstance(self.inner, Tool) else repr(self.inner)
        return f"{type(self).__name__}({inner})"


class RetryableTool(EnhancedTool):
    """Repeat failed attempts.

    Args:
        policy: How often; None takes what the tool declares.
    """

    def __init__(self, inner: Tool | EnhancedTool, policy: Retry | None = None) -> None:
        tool = _tool_in(inner)
        self.policy = _declared(self, tool, policy or retry_of(tool), "retry")
        super().__init__(inner, RetryStep(self.policy, tool))


class RateLimitedTool(EnhancedTool):
    """Take a permit before each call, or wait for one.

    Args:
        policy: How many; None takes what the tool declares.
        bucket: Where permits come from, when several tools share them; None makes one.
        clock: Seconds that only grow.
    """

    def __init__(
        self,
        inner: Tool | EnhancedTool,
        policy: RateLimit | None = None,
        *,
        bucket: TokenBucket | None = None,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        tool = _tool_in(inner)
        self.policy = _declared(self, tool, policy or tool.policies.rate_limit, "rate_limit")
        super().__init__(inner, RateLimiting(bucket or TokenBucket(self.policy, clock), self.policy))


class CachedTool(EnhancedTool):
    """Answer identical calls from known results; several at a time run once.

    Whoever changes a result changes only their own. There are no callers here, so `per_caller` means nothing.

    Args:
        policy: How long and how many; None takes what the tool declares.
        clock: Seconds that only grow.
    """

    def __init__(
        self, inner: Tool | EnhancedTool, policy: CachePolicy | None = None, *, clock: Callable[[], float] = monotonic
    ) -> None:
        tool = _tool_in(inner)
        self.policy = _declared(self, tool, policy or tool.policies.cache, "cached")
        self._cache: ResultCache[KnownResult] = ResultCache(self.policy, clock)
        caching = CacheSteps(self._cache, tool, keeps_errors=True)
        super().__init__(inner, _handed_out, caching.store, caching.look_up, _taken)

    def clear(self) -> int:
        """Forget everything.

        Returns:
            How many results were kept.
        """
        return self._cache.clear()


async def _taken(run: Run, call_next: CallNext, /) -> None:
    """Take what the tool returned as it is: without an `Executor` it needs no JSON form."""
    response = run.call.response
    result = await call_next(run)
    failed = isinstance(result, ToolResult) and not result.success
    response.status, response.result = CallStatus.FAILED if failed else CallStatus.EXECUTED, result


async def _handed_out(run: Run, call_next: CallNext, /) -> Any:
    """Return what the cache knows or the tool returned, or raise what it raised."""
    # Something around the cache may try again.
    run.error, run.call.response.status = None, CallStatus.EXECUTING
    await call_next(run)
    result, error = run.call.response.result, run.error
    if error is None:
        return result
    raise error.with_traceback(None) if run.call.response.from_cache else error


@cache
def _services() -> Services:
    """Return what steps borrow where no `Executor` lends it."""
    return Services()


def enhance(
    target: Target,
    *,
    buckets: dict[str, TokenBucket] | None = None,
    clock: Callable[[], float] = monotonic,
) -> Target | EnhancedTool:
    """Put around a tool what its decorators declare: the cache outermost, then the rate limit, the retries innermost.

    So a known result costs no permit, and one permit covers all attempts.

    Args:
        target: A `Tool`, or anything that declares exactly one.
        buckets: Rate limits by key, given to each of several tools that share them; they are kept here. None shares
            nothing.
        clock: Seconds that only grow.

    Returns:
        The enhanced tool; the very same object when it declares none of the three.

    Raises:
        ToolConfigurationError: When it is no tool or several, or needs an `Executor`.

    Source: seed 0, "ToolEnhancer".
    """
    if not has_enhancements(target):
        return target
    tool = _one_tool(target)
    policies = tool.policies
    enhanced: Tool | EnhancedTool = tool
    if (retry := retry_of(tool)) is not None:
        enhanced = RetryableTool(enhanced, retry)
    if (limit := policies.rate_limit) is not None:
        bucket = None
        if limit.key and buckets is not None:
            bucket = buckets.setdefault(limit.key, TokenBucket(limit, clock))
        enhanced = RateLimitedTool(enhanced, limit, bucket=bucket, clock=clock)
    if policies.cache is not None:
        enhanced = CachedTool(enhanced, policies.cache, clock=clock)
    return target if isinstance(enhanced, Tool) else enhanced


def has_enhancements(target: object) -> bool:
    """Return whether a tool, or a function, class or object that declares one, declares a retry, a limit or a cache."""
    if isinstance(target, EnhancedTool):
        return False
    if isinstance(target, Tool):
        policies, retry = target.policies, retry_of(target)
    else:
        declared = declaration_of(target) or declaration_of(type(target))
        policies = declared.policies if declared is not None else Policies()
        retry = policies.retry
    retries = retry is not None and retry.max_attempts > 1
    return retries or policies.rate_limit is not None or policies.cache is not None


def _one_tool(target: object) -> Tool:
    tools = bundle_of(target).tools
    if len(tools) != 1:
        names = ", ".join(tool.name for tool in tools) or "none"
        msg = f"expected one tool to enhance, got {len(tools)} ({names}); resolve_tools([...]) and enhance each of them"
        raise ToolConfigurationError(msg)
    return tools[0]


Policy = TypeVar("Policy", Retry, RateLimit, CachePolicy)


def _declared(enhanced: EnhancedTool, tool: Tool, policy: Policy | None, decorator: str) -> Policy:
    if policy is None:
        msg = f"{type(enhanced).__name__}: {tool.name!r} declares no @{decorator}; declare it, or pass a policy"
        raise ToolConfigurationError(msg)
    return policy


def _tool_in(inner: Tool | EnhancedTool) -> Tool:
    """Return the tool inside.

    Raises:
        ToolConfigurationError: When it needs an `Executor`.
    """
    if isinstance(inner, EnhancedTool):
        return inner.tool
    tool, needs = inner, ""
    if tool.asks_first or tool.concerns_of is not None:
        needs = "asks a person before it runs"
    elif restricts_callers(inner.security):
        needs = "restricts who may call it"
    elif tool.isolation is Isolation.PROCESS:
        needs = "runs in a worker process"
    if needs:
        msg = f"the tool {tool.name!r} {needs}, which only an Executor can see to; run it by one"
        raise ToolConfigurationError(msg)
    return tool


async def _start(run: Run) -> Any:
    tool = run.tool
    given = {**run.arguments, **{item.python_name: _injected(tool, item) for item in tool.injected}}
    if tool.is_async:
        return await tool.function(**given)
    if tool.isolation is Isolation.INLINE:
        result = tool.function(**given)
    else:
        result = await asyncio.to_thread(tool.function, **given)
    return await result if inspect.isawaitable(result) else result


def _injected(tool: Tool, item: Injected) -> Any:
    if item.kind is Injection.PROJECT_DIR:
        return str(Path.cwd()) if item.type is str else Path.cwd()
    if item.kind is Injection.SESSION:
        return ""
    if item.optional or item.python_name == CONTEXT_KEY:
        # A class tool runs without a context too, as when `do_execute` is called by hand.
        return None
    msg = (
        f"the tool {tool.name!r} needs its parameter {item.python_name!r}, which only an Executor gives; run it by one"
    )
    raise ToolConfigurationError(msg)
