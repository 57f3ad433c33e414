"""Measure what each policy costs a call that succeeds, by itself and in the chain, beside what libraries cost.

By itself: the object that does the work, around an async function that returns at once. In the chain: the difference
between a call of a tool that declares the policy and one that declares none. The sides take turns in one run, and each
side's best round counts.
"""

from __future__ import annotations

import asyncio
import importlib.metadata
from collections.abc import Callable
from time import perf_counter
from typing import Any

from tests.benchmarks.bench_call import OneCall, Side, measure
from tools import (
    CircuitBreaker,
    Executor,
    FailureBlock,
    RateLimit,
    Retry,
    ToolRegistry,
    cached,
    enhance,
    make_tool,
    rate_limit,
    resilience,
    resolve_tools,
    retry,
    tool,
)
from tools.calls import ToolCall
from tools.execution.attempts import RetryStep
from tools.execution.breaker import Breaker, FailureBlockGuard
from tools.execution.bulkhead import Bulkhead
from tools.execution.cache import PendingResult, ResultCache
from tools.execution.clocks import Clocks
from tools.execution.enhance import EnhancedTool
from tools.execution.rate_limits import TokenBucket
from tools.execution.run import Run, fold
from tools.execution.services import Services
from tools.spec import CachePolicy

MANY = 10**9
"""So many calls a second never wait."""


async def work() -> int:
    return 1


TOOL = make_tool("work", "Work.", work)


async def start(_: Run) -> int:
    return await work()


def alone() -> list[Side]:
    """Return our policies, each around the function, and the function as the floor."""
    retrying = fold([RetryStep(Retry(), TOOL)], start)
    run = Run(ToolCall("1", TOOL, "work", {}, "you", perf_counter()), TOOL, Services(), start)
    breaker = Breaker("work", CircuitBreaker(), Clocks())
    block = FailureBlockGuard("work", FailureBlock(), Clocks())
    bulkhead = Bulkhead("work", 10)
    bucket = TokenBucket(RateLimit(requests=MANY, burst_size=1000))
    cache: ResultCache[int] = ResultCache(CachePolicy())

    async def bare_loop() -> int:
        for attempt in range(3):
            try:
                return await work()
            except Exception:
                if attempt == 2:
                    raise
        raise AssertionError

    async def with_breaker() -> int:
        ticket = breaker.admit()
        result = await work()
        breaker.settle(ticket, failed=False)
        return result

    async def with_block() -> int:
        block.check()
        result = await work()
        block.settle(failed=False)
        return result

    async def with_bulkhead() -> int:
        await bulkhead.acquire()
        try:
            return await work()
        finally:
            bulkhead.release()

    async def with_limit() -> int:
        await bucket.acquire()
        return await work()

    async def with_cache() -> int:
        known = await cache.look_up("key")
        if isinstance(known, PendingResult):
            result = await work()
            cache.settle(known, result)
            return result
        return known

    return [
        Side("nothing", work),
        Side("retry: a bare loop", bare_loop),
        Side("retry: ours", lambda: retrying(run)),
        Side("breaker: ours", with_breaker),
        Side("failure block: ours", with_block),
        Side("bulkhead: ours", with_bulkhead),
        Side("rate limit: ours", with_limit),
        Side("cache: ours, a hit", with_cache),
    ]


def tenacity() -> OneCall:
    from tenacity import retry, stop_after_attempt, wait_exponential_jitter  # noqa: PLC0415 -- a peer may be absent

    decorated: OneCall = retry(stop=stop_after_attempt(3), wait=wait_exponential_jitter())(work)
    return decorated


def stamina() -> OneCall:
    import stamina as peer  # noqa: PLC0415 -- a peer may be absent

    decorated: OneCall = peer.retry(on=Exception, attempts=3)(work)
    return decorated


def pybreaker() -> OneCall:
    """Return pybreaker's breaker around a synchronous function: its asynchronous calls are tornado's."""
    import pybreaker as peer  # noqa: PLC0415 -- a peer may be absent

    breaker = peer.CircuitBreaker()

    def at_once() -> int:
        return 1

    async def call() -> Any:
        return breaker.call(at_once)

    return call


def aiolimiter() -> OneCall:
    from aiolimiter import AsyncLimiter  # noqa: PLC0415 -- a peer may be absent

    limiter = AsyncLimiter(MANY, 1)

    async def call() -> int:
        async with limiter:
            return await work()

    return call


def semaphore() -> OneCall:
    places = asyncio.Semaphore(10)

    async def call() -> int:
        async with places:
            return await work()

    return call


PEERS: dict[str, tuple[str, Callable[[], OneCall]]] = {
    "tenacity": ("retry", tenacity),
    "stamina": ("retry", stamina),
    "pybreaker": ("breaker", pybreaker),
    "aiolimiter": ("rate limit", aiolimiter),
    "asyncio": ("bulkhead", semaphore),
}


async def peers() -> list[Side]:
    sides: list[Side] = []
    for package, (policy, make) in PEERS.items():
        try:
            call = make()
            await call()
            version = "" if package == "asyncio" else f" {importlib.metadata.version(package)}"
        except ImportError as error:
            print(f"{package}: not measured, {error}")
            continue
        sides.append(Side(f"{policy}: {package}{version}", call))
    return sides


POLICIES: dict[str, Callable[[Any], Any]] = {
    "no policy": lambda function: function,
    "retry": retry(),
    "circuit breaker": resilience(circuit_breaker=CircuitBreaker()),
    "failure block": resilience(failure_block=FailureBlock()),
    "bulkhead": resilience(max_concurrent=10),
    "rate limit": rate_limit(requests=MANY, burst_size=1000),
    "total limit": resilience(total_timeout_s=60),
    "fallback": resilience(fallback="other"),
    "breaker, block, bulkhead, fallback": resilience(
        circuit_breaker=CircuitBreaker(), failure_block=FailureBlock(), max_concurrent=10, fallback="other"
    ),
    "cache, a hit": cached(),
}


def in_chain() -> list[Side]:
    """Return calls of tools with one policy each, and of one tool that was enhanced."""

    def call_of(executor: Executor, name: str) -> OneCall:
        async def call() -> Any:
            return await executor.execute(executor.create_call(name, {}))

        return call

    def declared(name: str, policy: Callable[[Any], Any]) -> Any:
        async def function() -> int:
            return 1

        function.__name__ = name
        return tool(policy(function))

    names = {f"tool_{number}": (words, policy) for number, (words, policy) in enumerate(POLICIES.items())}
    made = [declared(name, policy) for name, (_, policy) in names.items()]
    executor = Executor(ToolRegistry(resolve_tools([*made, declared("other", lambda function: function)])))
    sides = [Side(words, call_of(executor, name)) for name, (words, _) in names.items()]
    enhanced = enhance(declared("enhanced", lambda function: retry()(rate_limit(requests=MANY)(function))))
    assert isinstance(enhanced, EnhancedTool)
    return [*sides, Side("enhance(): retry and rate limit", lambda: enhanced.execute({}))]


async def contest() -> None:
    own, foreign = alone(), await peers()
    best = await measure([*own, *foreign])
    print("one policy around a function that returns at once: what it adds")
    for name, seconds in sorted(best.items()):
        if name != "nothing":
            print(f"  {name:43} {(seconds - best['nothing']) * 1e6:8.2f} µs")
    best = await measure(in_chain())
    print("a tool with one policy, called through the Executor: what it adds")
    for name, seconds in best.items():
        added = f"{(seconds - best['no policy']) * 1e6:+8.2f} µs" if name != "no policy" else ""
        print(f"  {name:43} {seconds * 1e6:8.2f} µs {added}")


async def crowd(callers: int = 500, requests: int = 100, per_s: float = 0.25) -> None:
    """Let callers ask for permits all at once, by the real clock, and print when they got them."""
    bucket = TokenBucket(RateLimit(requests=requests, per_s=per_s))
    served: list[tuple[float, int]] = []

    async def ask(number: int) -> None:
        await bucket.acquire()
        served.append((perf_counter(), number))

    began = perf_counter()
    await asyncio.gather(*(ask(number) for number in range(callers)))
    moments = [moment for moment, _ in served]
    most = max(sum(moment <= other < moment + per_s for other in moments) for moment in moments)
    in_order = "in" if [number for _, number in served] == list(range(callers)) else "NOT in"
    print(
        f"{callers} callers at once, {requests} permits in {per_s:g} s: all served {in_order} their order within"
        f" {moments[-1] - began:.3f} s, at most {most} in any {per_s:g} s"
    )


def main() -> None:
    asyncio.run(contest())
    asyncio.run(crowd())


if __name__ == "__main__":
    main()
