from __future__ import annotations

import asyncio
import random
from typing import TYPE_CHECKING, Any

import pytest

from tests.tools.running import execute
from tests.tools.virtual_time import VirtualLoop, run_virtually
from tools import (
    CallFinished,
    CallStatus,
    CircuitBreaker,
    Event,
    Executor,
    FailureBlock,
    GuardKind,
    Retry,
    ToolFailure,
    ToolRegistry,
    ToolResponse,
    ToolResult,
    TransientError,
    cached,
    contract,
    rate_limit,
    resilience,
    resolve_tools,
    tool,
)
from tools.calls import ErrorKind

if TYPE_CHECKING:
    from tests.tools.running import ExecutorOf

PLACES, PERMITS = 3, 20


class Storm:
    """One tool with every policy, and hundreds of callers who come, fail, hang, give up and ask again."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.inside = self.most = 0
        self.starts: list[float] = []
        self.ended: list[CallStatus] = []

    def tools(self, loop: VirtualLoop) -> list[Any]:
        @tool
        @cached(ttl_s=5, cache_errors=True)
        @rate_limit(requests=PERMITS, per_s=1, timeout_s=20)
        @contract(post="result < 40")
        @resilience(
            retry=Retry(max_attempts=2, initial_delay_s=0.2),
            timeout_s=1,
            total_timeout_s=1.5,
            circuit_breaker=CircuitBreaker(failure_threshold=6, window_s=4, cooldown_s=2),
            failure_block=FailureBlock(failures=4, window_s=3, blocked_s=2),
            max_concurrent=PLACES,
            fallback="other",
        )
        async def work(number: int) -> int:
            self.inside += 1
            self.most = max(self.most, self.inside)
            self.starts.append(loop.time())
            try:
                await asyncio.sleep(self.chance.choice([0, 0.01, 0.3, 0.3, 2]))
                mood = self.chance.random()
                if mood < 0.2:
                    raise TransientError("busy")
                if mood < 0.3:
                    raise SystemExit(1)
                if mood < 0.4:
                    return ToolResult.failure("no")  # type: ignore[return-value]
            finally:
                self.inside -= 1
            return number

        @tool
        async def other(number: int) -> int:
            await asyncio.sleep(self.chance.choice([0, 0.5]))
            if self.chance.random() < 0.3:
                raise ToolFailure("neither")
            return -number

        return [work, other]

    def on_event(self, event: Event) -> None:
        if isinstance(event, CallFinished):
            self.ended.append(event.call.response.status)

    async def blow(self, loop: VirtualLoop) -> tuple[Executor, list[ToolResponse]]:
        registry = ToolRegistry(resolve_tools(self.tools(loop)))
        executor = Executor(registry, clock=loop.time, listeners=[self.on_event])
        calls = [
            executor.create_call("work", {"number": self.chance.randrange(50)}, bypass_cache=self.chance.random() < 0.1)
            for _ in range(600)
        ]

        async def come(call: Any) -> ToolResponse:
            await asyncio.sleep(self.chance.uniform(0, 40))
            return await executor.execute(call)

        tasks = [asyncio.create_task(come(call)) for call in calls]
        for call in self.chance.sample(calls, 120):
            loop.call_later(self.chance.uniform(0, 60), call.cancel)
        for moment in range(0, 60, 7):
            loop.call_later(moment, executor.clear_cache)
        for moment in range(0, 60, 11):
            loop.call_later(moment, executor.reset_guards)
        return executor, list(await asyncio.gather(*tasks))


@pytest.mark.reference("A23", "A24", "A26", "A27")
@pytest.mark.parametrize("seed", range(4))
def test_after_a_storm_nothing_is_held_lost_or_left_open(seed: int) -> None:
    storm = Storm(seed)

    async def main(loop: VirtualLoop) -> None:
        executor, responses = await storm.blow(loop)
        assert all(response.status.final for response in responses)
        assert storm.most == PLACES
        assert storm.inside == 0
        starts = [len(response.attempts) for response in responses]
        assert sum(starts) >= len(storm.starts)
        own = executor._guards.of(executor.registry.get("work"))
        chain = executor._chain(executor.registry.get("work"))
        assert own.bulkhead is not None
        assert (own.bulkhead._taken, len(own.bulkhead._waiting)) == (0, 0)
        assert own.bucket is not None
        assert (len(own.bucket._waiting), own.bucket._timer) == (0, None)
        assert own.breaker is not None
        assert own.breaker._probe is None
        assert chain.cache is not None
        assert chain.cache._under_way == {}
        assert executor.open_calls == ()
        assert len(storm.ended) >= 600
        kinds = {response.status for response in responses}
        assert kinds >= {CallStatus.EXECUTED, CallStatus.CANCELLED, CallStatus.FAILED}
        answered = [response for response in responses if response.fallback]
        assert answered
        assert all(response.succeeded and not response.from_cache for response in answered)
        # After all of it the tool works like on the first day.
        await asyncio.sleep(60)
        executor.reset_guards()
        storm.chance = random.Random(10**6)
        storm.chance.choice = lambda _: 0  # type: ignore[method-assign, assignment, return-value]
        storm.chance.random = lambda: 1.0  # type: ignore[method-assign]
        assert (await execute(executor, "work", {"number": 7})).result == 7
        await executor.aclose()

    run_virtually(main)


def test_what_guards_say_of_themselves_together(executor_of: ExecutorOf) -> None:
    @tool
    @cached()
    @rate_limit(requests=5)
    @resilience(circuit_breaker=CircuitBreaker(), failure_block=FailureBlock(), max_concurrent=2)
    async def work() -> int:
        return 1

    executor = executor_of(work)
    executor.run("work", {})
    states = executor.guards("work")
    assert [(state.kind, state.state) for state in states] == [
        (GuardKind.CIRCUIT_BREAKER, "closed"),
        (GuardKind.FAILURE_BLOCK, "clear"),
        (GuardKind.BULKHEAD, "free"),
        (GuardKind.RATE_LIMIT, "free"),
        (GuardKind.CACHE, "filled"),
    ]
    assert [state.description for state in states] == [
        "0 of 5 failures within 60 s",
        "0 of 3 failures in a row within 300 s",
        "0 of 2 places are taken",
        "at most 5 calls in 1 s",
        "1 of at most 500 results are kept, each for 300 s",
    ]
    assert not any(state.refuses or state.until for state in states)


def test_every_refusal_to_start_is_of_one_kind_and_says_what_to_do(executor_of: ExecutorOf) -> None:
    def failing(**policy: Any) -> Any:
        async def work() -> None:
            raise ToolFailure("boom")

        return tool(resilience(**policy)(work))

    for policy in (
        {"circuit_breaker": CircuitBreaker(failure_threshold=1)},
        {"failure_block": FailureBlock(failures=1)},
    ):
        executor = executor_of(failing(**policy))
        executor.run("work", {})
        error = executor.run("work", {}).error
        assert error is not None
        assert (error.kind, error.type_name, error.traceback) == (ErrorKind.UNAVAILABLE, "UnavailableError", "")
        assert error.message.startswith("'work' was not started: ")
        assert error.remedy
