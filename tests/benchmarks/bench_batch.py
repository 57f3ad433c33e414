"""Measure what a step of a batch costs, and how near a batch comes to the least time its graph allows.

Beside asyncio's task groups over graphlib, a thread pool, and Dask's schedulers, in one run; every side has the same
graph, and its best round counts. All but the bare ones run less: they know no tools, no policies, no records.
"""

from __future__ import annotations

import asyncio
import importlib.metadata
import json
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from graphlib import TopologicalSorter
from heapq import heapify, heappop, heappush
from pathlib import Path
from threading import Condition, Thread
from time import perf_counter, process_time
from typing import Any

from tests.tools.batch import travelling
from tools import Executor, ToolRegistry, resolve_tools, tool
from tools.batch import BatchExecutor, BatchPlan, Limits, Rows, Step

STEPS = 5_000
SLEEPS = 2_000
WORKERS = 8
ROUNDS = 3
AWAY = 1_000
ROWS = (10_000, 100_000)
Needs = Mapping[str, list[str]]


@tool(isolation="inline")
def noop(number: int = 0) -> int:
    """Do nothing."""
    return number


@tool
def nap(seconds: float) -> float:
    """Sleep in a thread."""
    time.sleep(seconds)
    return seconds


def random_graph(count: int, seed: int = 1) -> dict[str, list[str]]:
    """Return a graph in which each step waits for up to three earlier ones near by."""
    chance = random.Random(seed)
    names = [f"s{number}" for number in range(count)]
    return {
        name: sorted(set(chance.choices(names[max(0, index - 200) : index], k=chance.randint(0, 3)))) if index else []
        for index, name in enumerate(names)
    }


def bare_heap(needs: Needs) -> None:
    """Take what is ready off a heap, and call nothing: the least that any scheduler does."""
    missing = {name: len(before) for name, before in needs.items()}
    waiting: dict[str, list[str]] = {name: [] for name in needs}
    for name, before in needs.items():
        for other in before:
            waiting[other].append(name)
    ready = [name for name, count in missing.items() if not count]
    heapify(ready)
    while ready:
        for other in waiting[heappop(ready)]:
            missing[other] -= 1
            if not missing[other]:
                heappush(ready, other)


async def task_group(needs: Needs) -> None:
    """Run each step as a task of a group, as soon as graphlib says that it is ready."""
    sorter = TopologicalSorter(needs)
    sorter.prepare()
    done: asyncio.Queue[str] = asyncio.Queue()

    async def step(name: str) -> None:
        done.put_nowait(name)

    async with asyncio.TaskGroup() as group:
        while sorter.is_active():
            for name in sorter.get_ready():
                group.create_task(step(name))
            sorter.done(await done.get())


def thread_pool(needs: Needs, work: Callable[[str], object]) -> None:
    """Run each step in a pool's thread, as soon as graphlib says that it is ready."""
    sorter = TopologicalSorter(needs)
    sorter.prepare()
    with ThreadPoolExecutor(WORKERS) as pool:
        running: dict[Future[object], str] = {}
        while sorter.is_active():
            running |= {pool.submit(work, name): name for name in sorter.get_ready()}
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                sorter.done(running.pop(future))


def levels(needs: Needs, work: Callable[[str], object]) -> None:
    """Run level after level in a pool: what a step waits for need not be what its level waits for."""
    sorter = TopologicalSorter(needs)
    sorter.prepare()
    with ThreadPoolExecutor(WORKERS) as pool:
        while sorter.is_active():
            ready = sorter.get_ready()
            list(pool.map(work, ready))
            sorter.done(*ready)


def bare_threads(needs: Needs, work: Callable[[str], object]) -> None:
    """Let threads take the next step themselves, and call nothing else: the best that this machine's sleeps allow."""
    missing = {name: len(before) for name, before in needs.items()}
    waiting: dict[str, list[str]] = {name: [] for name in needs}
    for name, before in needs.items():
        for other in before:
            waiting[other].append(name)
    ready = [name for name, count in missing.items() if not count]
    left = len(needs)
    changed = Condition()

    def take_turns() -> None:
        nonlocal left
        while True:
            with changed:
                while left and not ready:
                    changed.wait()
                if not left:
                    return
                name = ready.pop()
            work(name)
            with changed:
                left -= 1
                for other in waiting[name]:
                    missing[other] -= 1
                    if not missing[other]:
                        ready.append(other)
                changed.notify(len(ready) if left else WORKERS)

    threads = [Thread(target=take_turns) for _ in range(WORKERS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def dask_graph(needs: Needs, work: Callable[..., object], argument: Callable[[str], Any]) -> dict[str, Any]:
    graph: dict[str, Any] = {name: (work, argument(name), *before) for name, before in needs.items()}
    graph["all"] = (len, list(needs))
    return graph


def _nothing(number: int, *_: object) -> int:
    return number


def _napping(seconds: float, *_: object) -> float:
    time.sleep(seconds)
    return seconds


def plan_of(needs: Needs, name: str, arguments: Callable[[str], dict[str, Any]], parallelism: int) -> BatchPlan:
    steps = tuple(
        Step(id=step, tool=name, arguments=arguments(step), depends_on=tuple(before)) for step, before in needs.items()
    )
    return BatchPlan(steps=steps, limits=Limits(parallelism=parallelism))


async def ours(batch: BatchExecutor, plan: BatchPlan, clock: Callable[[], float]) -> float:
    """Run a plan; return seconds without its checking."""
    run = batch.prepare(plan)
    began = clock()
    result = await run.go()
    seconds = clock() - began
    if result.success_rate != 1:
        message = "a step of the benchmark failed"
        raise RuntimeError(message)
    return seconds


def best(side: Callable[[], object], clock: Callable[[], float] = perf_counter, rounds: int = ROUNDS) -> float:
    found = []
    for _ in range(rounds):
        began = clock()
        side()
        found.append(clock() - began)
    return min(found)


def least_s(needs: Needs, cost_s: Mapping[str, float]) -> float:
    """Return the least time that the graph allows on so many workers: its longest chain, or all work shared out."""
    ends: dict[str, float] = {}
    for name, before in needs.items():
        ends[name] = max((ends[other] for other in before), default=0.0) + cost_s[name]
    return max(*ends.values(), sum(cost_s.values()) / WORKERS)


async def bare_calls(executor: Executor, count: int) -> None:
    """Make the calls of a batch one after the other, without a batch."""
    for number in range(count):
        await executor.execute(executor.create_call("noop", {"number": number}))


def overhead() -> None:
    needs = random_graph(STEPS)
    executor = Executor(ToolRegistry(resolve_tools([noop])))
    batch = BatchExecutor(executor=executor)
    plan = plan_of(needs, "noop", lambda name: {"number": int(name[1:])}, 4)

    def in_loop(work: Callable[[], Awaitable[object]]) -> Callable[[], object]:
        async def run() -> object:
            return await work()

        return lambda: asyncio.run(run())

    sides = {
        "a bare heap": best(lambda: bare_heap(needs)),
        "task group and graphlib": best(in_loop(lambda: task_group(needs)), process_time),
        "calls without a batch": best(in_loop(lambda: bare_calls(executor, STEPS)), process_time),
        "a batch": min(asyncio.run(ours(batch, plan, process_time)) for _ in range(ROUNDS)),
        "thread pool": best(lambda: thread_pool(needs, _ignore)),
    }
    sides |= _dask_overhead(needs)
    ours_s = sides["a batch"]
    print(f"\n{STEPS:,} steps that do nothing, in microseconds a step (goal: 60)")
    for side, seconds in sides.items():
        print(f"  {side:34} {seconds / STEPS * 1e6:8.1f}   {seconds / ours_s:6.2f} × a batch")
    print(f"  a batch takes {ours_s / sides['task group and graphlib']:.2f} times what the task group takes")


def _ignore(_name: str) -> None:
    """Do nothing."""


def _dask_overhead(needs: Needs) -> dict[str, float]:
    from dask import threaded  # noqa: PLC0415 -- measured, not used
    from distributed import Client  # noqa: PLC0415

    graph = dask_graph(needs, _nothing, lambda name: int(name[1:]))
    found = {f"dask.threaded {importlib.metadata.version('dask')}": best(lambda: threaded.get(graph, "all"))}
    with Client(n_workers=2, threads_per_worker=4, processes=False, dashboard_address=None) as client:  # type: ignore[no-untyped-call]
        found["dask.distributed"] = best(lambda: client.get(graph, "all"), rounds=1)
    return found


def makespan() -> None:
    needs = random_graph(SLEEPS, seed=2)
    chance = random.Random(3)
    cost_s = {name: chance.uniform(0.001, 0.005) for name in needs}
    least = least_s(needs, cost_s)
    executor = Executor(ToolRegistry(resolve_tools([nap])))
    batch = BatchExecutor(executor=executor)
    plan = plan_of(needs, "nap", lambda name: {"seconds": cost_s[name]}, WORKERS)

    def asleep(name: str) -> None:
        time.sleep(cost_s[name])

    sides = {
        "a batch, tools in threads": min(asyncio.run(ours(batch, plan, perf_counter)) for _ in range(ROUNDS)),
        "threads alone": best(lambda: bare_threads(needs, asleep)),
        "thread pool and graphlib": best(lambda: thread_pool(needs, asleep)),
        "thread pool, level after level": best(lambda: levels(needs, asleep)),
    }
    from dask import threaded  # noqa: PLC0415 -- measured, not used

    graph = dask_graph(needs, _napping, cost_s.__getitem__)
    sides["dask.threaded"] = best(lambda: threaded.get(graph, "all", num_workers=WORKERS))
    print(f"\n{SLEEPS:,} steps of 1 to 5 ms on {WORKERS} workers; the least possible is {least:.2f} s (goal: 1.15 ×)")
    for side, seconds in sides.items():
        print(f"  {side:34} {seconds:8.2f} s {seconds / least:6.2f} ×")


def memory() -> None:
    """Print how much memory a step over many rows takes, in a program of its own for each number of them."""
    print("\nA step over rows of a CSV file, its results in a journal (goal: memory does not grow with the rows)")
    for count in ROWS:
        done = subprocess.run(
            [sys.executable, "-m", "tests.benchmarks.bench_batch", str(count)],
            capture_output=True,
            text=True,
            check=True,
        )
        before_kb, after_kb, journal_bytes, cpu_s = json.loads(done.stdout)
        print(
            f"  {count:8,} rows: {(after_kb - before_kb) / 1024:6.1f} MB more than before, beside a journal of"
            f" {journal_bytes / 1e6:.1f} MB; {cpu_s / count * 1e6:.0f} µs a row"
        )


async def over_rows(count: int) -> None:
    """Run a step over rows; print the most memory before and after, the size of the journal, and processor seconds."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with (folder / "rows.csv").open("w", encoding="utf-8") as file:
            file.write("number\n")
            file.writelines(f"{number}\n" for number in range(count))
        rows = Step(id="each", tool="noop", arguments={"number": "${row.number}"}, rows=Rows(csv="rows.csv"))
        batch = BatchExecutor(executor=Executor(ToolRegistry(resolve_tools([noop]))))
        run = batch.prepare(BatchPlan(steps=(rows,)), folder=folder, journal=folder / "journal.jsonl")
        before_kb, began = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, process_time()
        await run.go()
        cpu_s, after_kb = process_time() - began, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        run.close()
        print(json.dumps([before_kb, after_kb, (folder / "journal.jsonl").stat().st_size, cpu_s]))


def elsewhere() -> None:
    """Print what a step costs that does nothing on a Dask cluster, of two workers with two threads each."""
    from distributed import Client, LocalCluster  # noqa: PLC0415 -- measured, not used

    with LocalCluster(n_workers=2, threads_per_worker=2, processes=True, dashboard_address=None) as cluster:  # type: ignore[no-untyped-call]
        with Client(cluster) as client:  # type: ignore[no-untyped-call]
            sides = {"dask.distributed, all at once": best(lambda: client.gather(client.map(_nothing, range(AWAY))))}
        sides["dask.distributed, 16 at a time"] = asyncio.run(_tasks(cluster.scheduler_address))
        backend = cluster.scheduler_address.replace("tcp://", "dask://")
        for name, words in (("same", "a batch, may run twice"), ("counted", "a batch, must not run twice")):
            # What it takes to connect and to start processes counts in both, and so in neither.
            few, many = (asyncio.run(_away(name, count, backend)) for count in (AWAY // 10, AWAY + AWAY // 10))
            sides[words] = many - few
    print(f"\n{AWAY:,} steps that do nothing, on a cluster of 2 workers with 2 threads each, in milliseconds a step")
    for side, seconds in sides.items():
        print(f"  {side:34} {seconds / AWAY * 1e3:8.2f}")


async def _tasks(address: str) -> float:
    """Return the seconds of so many tasks of Dask itself, of which as many are under way as of a batch's calls."""
    from distributed import Client  # noqa: PLC0415 -- measured, not used

    async with Client(address, asynchronous=True) as client:  # type: ignore[no-untyped-call]
        places = asyncio.Semaphore(16)

        async def one(number: int) -> None:
            async with places:
                await client.submit(_nothing, number, pure=False)

        await asyncio.gather(*map(one, range(10)))
        began = perf_counter()
        await asyncio.gather(*map(one, range(AWAY)))
        return perf_counter() - began


async def _away(name: str, count: int, backend: str) -> float:
    rows = Step(id="rows", tool=name, rows=Rows(values=list(range(count))), arguments={"number": "${row}"})
    executor = Executor(ToolRegistry(resolve_tools([travelling.same, travelling.counted])))
    batch = BatchExecutor(executor=executor, backend=backend)
    result = await batch.run(BatchPlan(limits=Limits(parallelism=16), steps=(rows,)))
    await executor.aclose()
    assert result.success_rate == 1, result
    return result.total_duration


def main() -> None:
    if len(sys.argv) > 1:
        asyncio.run(over_rows(int(sys.argv[1])))
        return
    overhead()
    makespan()
    memory()
    elsewhere()


if __name__ == "__main__":
    main()
