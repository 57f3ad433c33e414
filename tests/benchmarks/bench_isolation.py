"""Measure tools in worker processes: a call's round trip, a worker's start, and how long 50 MB stall the event loop.

The floor is one object sent through a `multiprocessing.Pipe` to another process and back, by blocking calls. Sides take
turns in short rounds, and each side's best round counts, so that what else the machine does falls on all alike.
"""

from __future__ import annotations

import asyncio
import gc
import multiprocessing
import time
from collections.abc import Awaitable, Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing.connection import Connection
from typing import Any, NamedTuple

from tests.benchmarks import isolated
from tools import Executor, ToolRegistry, WorkerPool, resolve_tools
from tools.execution.workers.references import reference_of

ROUNDS = 300
ROUND_S = 0.004
GOAL = 3.0
SIZE_MB = 50
FLOOR = "floor: multiprocessing.Pipe, there and back"
CHAINS = {
    "ours: the whole chain": "work",
    "ours, asynchronous": "work_async",
    "ours, with a context": "work_in_context",
}
TOOLS = (
    isolated.work,
    isolated.work_async,
    isolated.work_in_context,
    isolated.work_in_thread,
    isolated.crash,
    isolated.many_texts,
    isolated.one_text,
    isolated.one_text_of_many_letters,
    isolated.many_objects,
    isolated.some_bytes,
    isolated.take_text,
    isolated.take_texts,
)
OneCall = Callable[[], Awaitable[Any]]


class Silent:
    """Hear what tools say, which is nothing."""

    listens = False

    def __getattr__(self, name: str) -> Any:
        raise AssertionError(f"the tool said something: {name}")


def answer(connection: Connection) -> None:
    while True:
        connection.send(connection.recv())


def peers() -> tuple[dict[str, OneCall], list[Callable[[], None]]]:
    loop = asyncio.get_running_loop()
    standard = ProcessPoolExecutor(1, multiprocessing.get_context("spawn"))

    async def call_standard() -> Any:
        return await loop.run_in_executor(standard, isolated.echo, 1)

    calls: dict[str, OneCall] = {"concurrent.futures.ProcessPoolExecutor": call_standard}
    ends: list[Callable[[], None]] = [standard.shutdown]
    try:
        from joblib.externals.loky import get_reusable_executor  # noqa: PLC0415 -- a peer may be absent
    except ImportError:
        print("loky is not installed here, so it is not measured")
        return calls, ends
    reusable = get_reusable_executor(max_workers=1)

    async def call_loky() -> Any:
        return await asyncio.wrap_future(reusable.submit(isolated.echo, 1))

    return {**calls, "loky": call_loky}, [*ends, reusable.shutdown]


def ours(executor: Executor) -> dict[str, OneCall]:
    pool, reference, silent = executor.workers, reference_of(executor.registry.get("work")), Silent()

    async def through_pool() -> Any:
        worker = pool.take(reference) or await pool.wait_for_worker(reference)
        try:
            return await worker.call(reference, b'{"n":1}', silent)
        finally:
            pool.release(worker)

    def through_executor(name: str) -> OneCall:
        async def call() -> Any:
            return await executor.execute(executor.create_call(name, {"n": 1}))

        return call

    return {
        "our pool alone": through_pool,
        **{title: through_executor(name) for title, name in CHAINS.items()},
        "ours, in a thread instead": through_executor("work_in_thread"),
    }


async def measure_round_trips(executor: Executor) -> None:
    here, there = multiprocessing.get_context("spawn").Pipe()
    process = multiprocessing.get_context("spawn").Process(target=answer, args=(there,), daemon=True)
    process.start()

    async def floor() -> Any:
        here.send({"n": 1})
        return here.recv()

    others, ends = peers()
    sides: dict[str, OneCall] = {FLOOR: floor, **ours(executor), **others}
    best = dict.fromkeys(sides, float("inf"))
    counts = {}
    for name, call in sides.items():
        for _ in range(100):
            await call()
        began = time.perf_counter()
        for _ in range(100):
            await call()
        # Rounds of the same length have the same chance to be left alone by everything else.
        counts[name] = max(5, int(ROUND_S / (time.perf_counter() - began) * 100))
    gc.disable()
    for _ in range(ROUNDS):
        for name, call in sides.items():
            began = time.perf_counter()
            for _ in range(counts[name]):
                await call()
            best[name] = min(best[name], (time.perf_counter() - began) / counts[name])
    for name, seconds in best.items():
        print(f"{name:50} {seconds * 1e6:8.1f} µs   {seconds / best[FLOOR]:5.2f} ×")
    worst = max(best[name] for name in CHAINS) / best[FLOOR]
    verdict = "reached" if worst <= GOAL else "missed"
    print(f"goal: each whole chain within {GOAL:g} × the floor; the slowest takes {worst:.2f} ×: {verdict}")
    process.kill()
    for end in ends:
        end()


async def measure_start(executor: Executor) -> None:
    """Print how long a worker takes to start, and how long the next call takes after a crash, with a spare and without.

    A spare is ready by the time of the crash; when one crash follows another at once, there is none yet.
    """
    pool = executor.workers

    async def call_s(name: str, arguments: dict[str, Any]) -> float:
        began = time.perf_counter()
        await executor.execute(executor.create_call(name, arguments))
        return time.perf_counter() - began

    first, after, with_spare = [], [], []
    for _ in range(5):
        pool.close()
        pool.keeps_spare = False
        first.append(await call_s("work", {"n": 1}))
        await call_s("crash", {})
        after.append(await call_s("work", {"n": 1}))
        pool.keeps_spare = True
        await call_s("work", {"n": 1})
        while pool.idle < 2:  # noqa: ASYNC110 -- another process sets no event
            await asyncio.sleep(0.01)
        await call_s("crash", {})
        with_spare.append(await call_s("work", {"n": 1}))
    pool.keeps_spare = False
    print(f"\nfirst call, with the start of a worker:          {min(first) * 1000:7.1f} ms")
    print(f"next call right after a crash:                   {min(after) * 1000:7.1f} ms")
    print(f"next call right after a crash, a spare is ready: {min(with_spare) * 1000:7.1f} ms")


class Stall(NamedTuple):
    """What a piece of work did to the event loop.

    Attributes:
        outcome: What came of it.
        took_s: How long it took.
        clock_s: The longest time in which the loop did nothing else.
        busy_s: The same in processor time, so without what other programs of this machine took.
    """

    outcome: Any
    took_s: float
    clock_s: float
    busy_s: float


async def longest_stall(work: Awaitable[Any]) -> Stall:
    """Do some work and return how long it kept the loop from doing anything else."""
    worst, busiest = 0.0, 0.0
    done = False

    async def tick() -> None:
        nonlocal worst, busiest
        while not done:
            before, busy = time.perf_counter(), time.thread_time()
            await asyncio.sleep(0.001)
            worst = max(worst, time.perf_counter() - before - 0.001)
            busiest = max(busiest, time.thread_time() - busy)

    ticking = asyncio.create_task(tick())
    await asyncio.sleep(0.01)
    worst = busiest = 0.0
    began = time.perf_counter()
    outcome = await work
    took = time.perf_counter() - began
    done = True
    await ticking
    return Stall(outcome, took, worst, busiest)


async def measure_large(executor: Executor) -> None:
    """Print how long large results and arguments stall the loop, beside a loop that does nothing else.

    Python's own garbage collection is off, as in the window, which collects by itself: half a million new objects make
    it stop everything for 100 ms and more, wherever they come from.
    """
    gc.collect()
    gc.disable()
    print(f"\n{SIZE_MB} MB                                took   longest stall of the loop   in processor time")
    idle = await longest_stall(asyncio.sleep(1.0))
    print(f"{'nothing, for a second':28} {1000:8.0f} ms {idle.clock_s * 1000:15.1f} ms {idle.busy_s * 1000:18.1f} ms")
    results = ("many_texts", "one_text", "one_text_of_many_letters", "many_objects", "some_bytes")
    given: dict[str, dict[str, Any]] = {
        **{name: {"size_mb": SIZE_MB} for name in results},
        "take_text": {"text": "x" * (SIZE_MB << 20)},
        "take_texts": {"texts": [f"{number} {'x' * 1000}" for number in range(SIZE_MB * 1024)]},
    }
    for name, arguments in given.items():
        stalls = []
        for _ in range(3):
            call = executor.create_call(name, arguments)
            stall = await longest_stall(executor.execute(call))
            assert stall.outcome.succeeded, stall.outcome.error
            stalls.append(stall._replace(outcome=None))
            del call, stall
        took_ms, clock_ms, busy_ms = (min(facts) * 1000 for facts in list(zip(*stalls, strict=True))[1:])
        print(f"{name:28} {took_ms:8.0f} ms {clock_ms:15.1f} ms {busy_ms:18.1f} ms")
    gc.enable()


async def main() -> None:
    executor = Executor(ToolRegistry(resolve_tools(TOOLS)), workers=WorkerPool(1))
    await measure_round_trips(executor)
    await measure_start(executor)
    await measure_large(executor)
    executor.workers.close()
    await executor.aclose()


if __name__ == "__main__":
    asyncio.run(main())
