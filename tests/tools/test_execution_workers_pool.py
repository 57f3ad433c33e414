"""Which worker a call gets, and when workers are started and ended."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.tools import isolated
from tests.tools.running import execute, start, until
from tools import Configurator, Executor, Isolation, Policies, ToolRegistry, WorkerPool, resolve_tools
from tools.calls import CallStatus, ErrorKind
from tools.discovery import Plugins
from tools.execution.threads import ToolThreads
from tools.execution.workers.loading import PluginWorkers

START_S = 60.0
"""The longest that a worker may take to start on a busy machine, in seconds."""


def in_workers(pool: WorkerPool, work: Callable[[Executor], Awaitable[Any]]) -> Any:
    """Run a function with an executor whose tools all run in the pool's workers."""
    policies = Policies(isolation=Isolation.PROCESS)
    tools = [replace(tool, policies=tool.policies.merged(policies)) for tool in resolve_tools(isolated.TOOLS)]

    async def working() -> Any:
        executor = Executor(ToolRegistry(tools), workers=pool)
        try:
            return await work(executor)
        finally:
            await executor.aclose()
            pool.close()

    return asyncio.run(working())


async def idle_ones(pool: WorkerPool, count: int) -> None:
    """Wait until so many workers wait for a call."""
    async with asyncio.timeout(START_S):
        while pool.idle != count:  # noqa: ASYNC110 -- another process sets no event
            await asyncio.sleep(0.005)


class TestSpare:
    def test_the_call_after_a_crash_waits_for_no_start(self) -> None:
        pool = WorkerPool(1, keeps_spare=True)

        async def work(executor: Executor) -> None:
            assert pool.started == 0
            first = (await execute(executor, "process")).result
            await idle_ones(pool, 2)
            (spare,) = set(pool.pids) - {first}
            crashed = await execute(executor, "crash")
            assert crashed.error is not None
            assert (crashed.error.kind, crashed.worker_pid) == (ErrorKind.CRASHED, first)
            assert (await execute(executor, "process")).result == spare
            await idle_ones(pool, 2)
            assert pool.started == 3

        in_workers(pool, work)

    def test_it_runs_no_call_beyond_the_size(self) -> None:
        pool = WorkerPool(1, keeps_spare=True)

        async def work(executor: Executor) -> None:
            first = (await execute(executor, "process")).result
            await idle_ones(pool, 2)
            held, holding = start(executor, "hold")
            _, waiting = start(executor, "process")
            await until(lambda: bool(held.response.logs) and pool.waiting == 1)
            assert pool.idle == 1
            held.cancel()
            assert (await holding).status is CallStatus.CANCELLED
            assert (await waiting).result == first
            assert pool.started == 2

        in_workers(pool, work)

    def test_it_runs_calls_within_the_size(self) -> None:
        pool = WorkerPool(2, keeps_spare=True)

        async def work(executor: Executor) -> None:
            await execute(executor, "process")
            await idle_ones(pool, 2)
            calls = [start(executor, "hold") for _ in range(2)]
            await until(lambda: all(call.response.logs for call, _ in calls))
            assert pool.started == 2
            for call, running in calls:
                call.cancel()
                await running
            await idle_ones(pool, 2)

        in_workers(pool, work)

    def test_it_is_ended_with_the_others_and_comes_back_with_them(self) -> None:
        pool = WorkerPool(1, idle_s=0.05, keeps_spare=True)

        async def work(executor: Executor) -> None:
            for count in (2, 4):
                await execute(executor, "process")
                async with asyncio.timeout(START_S):
                    while pool.started < count or pool.pids:  # noqa: ASYNC110 -- another process sets no event
                        await asyncio.sleep(0.005)
            assert pool.started == 4

        in_workers(pool, work)

    def test_a_program_that_goes_on_for_long_has_one(self) -> None:
        pool = WorkerPool(1)

        async def work(executor: Executor) -> None:
            executor.warm_up()
            await idle_ones(pool, 1)
            await execute(executor, "process")
            await idle_ones(pool, 2)

        in_workers(pool, work)


@pytest.mark.parametrize("steps", range(4))
def test_a_tool_that_is_mostly_swift_can_be_stopped_at_once(steps: int) -> None:
    pool = WorkerPool(1)

    async def work(executor: Executor) -> None:
        for _ in range(5):
            await execute(executor, "linger", {"seconds": 0})
        call, running = start(executor, "linger", {"seconds": 600})
        for _ in range(steps):
            await asyncio.sleep(0)
        call.cancel()
        response = await running
        assert response.status is CallStatus.CANCELLED
        assert response.worker_killed is (response.worker_pid is not None)
        assert (await execute(executor, "process")).succeeded

    in_workers(pool, work)


@pytest.mark.parametrize(("how", "words"), [("exit", "exit code 9"), ("close", "closed its connection")])
def test_a_tool_that_is_mostly_swift_can_fall(how: str, words: str) -> None:
    pool = WorkerPool(1)

    async def work(executor: Executor) -> None:
        for _ in range(5):
            await execute(executor, "fall", {"how": "not"})
        fallen = await execute(executor, "fall", {"how": how})
        assert fallen.error is not None
        assert fallen.error.kind is ErrorKind.CRASHED
        assert words in fallen.error.message
        assert (await execute(executor, "process")).succeeded

    in_workers(pool, work)


def test_what_surrounds_a_call_is_that_of_its_own_program(tmp_path: Path) -> None:
    pool = WorkerPool(1)

    async def work(executor: Executor) -> None:
        other = Executor(executor.registry, workers=pool, config=Configurator({"report.folder": "elsewhere"}))
        executor.project_dir = tmp_path
        here = await execute(executor, "given")
        there = await execute(other, "given")
        executor.project_dir = moved_to = tmp_path / "moved"
        moved_to.mkdir()
        moved = await execute(executor, "given")
        again = await execute(other, "given")
        await other.aclose()
        assert here.result == [{}, str(tmp_path)]
        assert moved.result == [{}, str(moved_to)]
        assert there.result == again.result == [{"report.folder": "elsewhere"}, str(Path.cwd())]
        # A process that worked in another project may hold open files, current folder and modules of it.
        assert len({response.worker_pid for response in (here, there, moved, again)}) == 4

    in_workers(pool, work)


def test_without_a_spare_one_worker_is_enough_for_one_call_after_another() -> None:
    pool = WorkerPool(2)

    async def work(executor: Executor) -> None:
        pids = {(await execute(executor, "process")).result for _ in range(3)}
        assert (len(pids), pool.started, pool.idle) == (1, 1, 1)

    in_workers(pool, work)


def test_a_call_in_another_folder_ends_one_idle_worker_and_starts_one(tmp_path: Path) -> None:
    pool = WorkerPool(2)

    async def work(executor: Executor) -> None:
        held = [start(executor, "hold") for _ in range(2)]
        await until(lambda: all(call.response.logs for call, _ in held))
        for call, holding in held:
            call.cancel()
            await holding
        await idle_ones(pool, 2)
        for number, name in enumerate(("first", "second", "third")):
            folder = tmp_path / name
            folder.mkdir()
            executor.project_dir = folder
            assert (await execute(executor, "process")).status is CallStatus.EXECUTED
            assert len(pool.pids) == 2
            assert pool.started == 3 + number

    in_workers(pool, work)


def test_workers_that_imported_a_file_are_ended_now_or_after_their_call(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(
        "import os, time\nfrom tools import tool\n\n@tool\ndef stay(seconds: float) -> int:\n"
        '    """Stay a while."""\n    time.sleep(seconds)\n    return os.getpid()\n'
    )
    pool = WorkerPool(1)

    async def work(executor: Executor) -> None:
        plugins = Plugins(executor.registry, PluginWorkers(pool, threads))
        await plugins.add(path)
        first = (await execute(executor, "stay", {"seconds": 0})).result
        pool.forget([tmp_path / "other.py"])
        assert (await execute(executor, "stay", {"seconds": 0})).result == first
        pool.forget([path])
        await until(lambda: first not in pool.pids)
        second = asyncio.ensure_future(execute(executor, "stay", {"seconds": 0.2}))
        await until(lambda: not pool.idle and bool(pool.pids))
        await until(lambda: any(str(path) in worker.plugins for worker in pool._lent))
        pool.forget([path])
        assert (await second).result not in {first, None}
        await until(lambda: second.result().result not in pool.pids)

    threads = ToolThreads(name="loading")
    try:
        in_workers(pool, work)
    finally:
        threads.close()
