"""Real faults in worker processes: each ends one call, and nothing else."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import psutil
import pytest

from tests.tools import isolated
from tests.tools.running import Silence, execute, start, until
from tools import (
    Executor,
    Isolation,
    ToolConfigurationError,
    ToolRegistry,
    ToolResponse,
    make_tool,
    resolve_tools,
    tool,
)
from tools.calls import CallStatus, ErrorKind, Logged
from tools.discovery import PluginList, Plugins, load_plugin
from tools.execution.threads import ToolThreads
from tools.execution.workers import WorkerLimits, WorkerPool, process
from tools.execution.workers.loading import PluginWorkers
from tools.execution.workers.process import WorkerProcess
from tools.execution.workers.references import ToolReference
from tools.remedies import remedy_of
from tools.workbench import Workbench

PLUGIN = """
    import asyncio, ctypes, os, re, signal, subprocess, sys, threading, time
    from tools import ToolContext, ToolFailure, resilience, retry, tool

    kept = []

    @tool
    def fine(n: int = 1) -> int:
        "Work."
        return n

    @tool
    def measure_text(text: str) -> int:
        "Count letters."
        return len(text)

    @tool
    def pid() -> int:
        "Tell the process."
        return os.getpid()

    @tool
    def touch_bad_memory() -> str:
        "Crash."
        print("about to fall")
        return ctypes.string_at(0).decode()

    @tool
    def end(code: int) -> None:
        "End the process at once."
        os._exit(code)

    @tool
    def kill_self(number: int) -> None:
        "Be ended by a signal."
        os.kill(os.getpid(), number)
        time.sleep(60)

    @tool
    def hang_in_c() -> None:
        "Hang where Python cannot look."
        ctypes.PyDLL(None).sleep(600)  # holds the interpreter all the time

    @tool
    async def hang_on_loop(ctx: ToolContext) -> None:
        "Hang, deaf."
        ctx.log("info", "hanging")
        time.sleep(600)

    @tool
    def swallow_all(ctx: ToolContext) -> None:
        "Refuse to end."
        ctx.log("info", "hanging")
        while True:
            try:
                time.sleep(600)
            except BaseException:
                pass

    @tool
    async def clean_up(ctx: ToolContext) -> None:
        "End in order."
        ctx.log("info", "hanging")
        try:
            await asyncio.sleep(600)
        finally:
            ctx.log("info", "cleaned up")

    @tool
    def look_now_and_then(ctx: ToolContext) -> str:
        "End when asked to."
        ctx.log("info", "hanging")
        while not ctx.cancelled:
            time.sleep(0.005)
        ctx.log("info", "seen")
        return "ended"

    @tool
    def ask_for_ever(ctx: ToolContext) -> str:
        "Ask."
        ctx.request_approval("Go on?", timeout_s=0).wait()
        return "answered"

    @tool
    def eat_memory() -> int:
        "Ask for more than there is."
        return len(bytearray(8 << 30))

    @tool
    def keep_memory(size: int) -> int:
        "Leak."
        kept.append(b"x" * size)
        return len(kept)

    @tool
    def close_everything() -> str:
        "Close what it did not open."
        os.closerange(3, 200)
        return "closed"

    @tool
    def close_and_stay() -> None:
        "Close what it did not open, and stay."
        os.closerange(3, 200)
        time.sleep(600)

    @tool
    def close_outputs() -> str:
        "Close standard output and standard error."
        sys.stdout.close()
        os.close(1)
        os.close(2)
        return "closed"

    @tool
    def send_garbage() -> None:
        "Write to whatever is open."
        for number in range(3, 200):
            try:
                os.write(number, b"\\xff" * 100)
            except OSError:
                pass
        time.sleep(600)

    @tool
    def flood_output() -> str:
        "Print a great deal."
        os.write(1, b"z" * 200_000 + b"\\n")
        for number in range(20_000):
            print(f"line {number}")
        return "flooded"

    @tool
    def leave_children(ctx: ToolContext) -> list[int]:
        "Start processes and hang."
        child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
        forked = os.fork()
        if forked == 0:
            time.sleep(600)
            os._exit(0)
        ctx.log("info", f"{child.pid} {forked}")
        time.sleep(600)

    @tool
    def die_with_child(ctx: ToolContext) -> None:
        "Die, and leave a child that holds every file open."
        forked = os.fork()
        if forked == 0:
            time.sleep(600)
            os._exit(0)
        ctx.log("info", f"{forked}")
        os._exit(9)

    @tool
    def sleep(seconds: float) -> int:
        "Sleep."
        time.sleep(seconds)
        return os.getpid()

    @tool
    @resilience(timeout_s=0.2)
    def late() -> None:
        "Be late."
        while True:
            pass

    @retry(max_attempts=3, initial_delay_s=0, jitter=False, retry_on=(Exception,))
    @tool
    def crash_twice(project_dir: str) -> str:
        "Crash, until the third time."
        seen = os.path.join(project_dir, "seen")
        with open(seen, "a") as file:
            file.write("x")
        if os.path.getsize(seen) < 3:
            os._exit(4)
        return "third time"

    @retry(max_attempts=2, initial_delay_s=0, jitter=False, retry_on=(FileNotFoundError,))
    @tool
    def fail_twice(project_dir: str, kind: str) -> str:
        "Fail the first time."
        seen = os.path.join(project_dir, kind)
        if not os.path.exists(seen):
            open(seen, "w").close()
            raise FileNotFoundError(2, "gone") if kind == "missing" else ValueError("no")
        return "second time"

    class OwnError(Exception):
        pass

    @retry(max_attempts=2, initial_delay_s=0, jitter=False, retry_on=(OwnError,))
    @tool
    def fail_in_its_own_way(project_dir: str) -> str:
        "Fail the first time."
        seen = os.path.join(project_dir, "own")
        if not os.path.exists(seen):
            open(seen, "w").close()
            raise OwnError("first")
        return "second time"
"""


Bench = Callable[..., Any]
"""Runs a function with an executor of the plugin's tools."""


def _open_files() -> set[str]:
    return {path.name for path in Path("/proc/self/fd").iterdir()} if sys.platform == "linux" else set()


def _children() -> set[int]:
    return {child.pid for child in psutil.Process().children(recursive=True)}


class Faults:
    """Run the plugin's tools, most of them in the same workers: to start one takes half a second."""

    def __init__(self, path: Path) -> None:
        self.path = path
        path.write_text(textwrap.dedent(PLUGIN), encoding="utf-8")
        self.runner = asyncio.Runner()
        self.pool = WorkerPool(2)
        threads = ToolThreads()
        report = self.runner.run(PluginWorkers(self.pool, threads).load(path, None, Isolation.PROCESS))
        threads.close()
        assert report.error == ""
        self.tools = report.tools

    def run(self, folder: Path, work: Callable[[Executor], Awaitable[Any]], **options: Any) -> Any:
        pool = options.pop("pool", self.pool)

        async def working() -> Any:
            executor = Executor(ToolRegistry(self.tools), project_dir=folder, workers=pool, **options)
            try:
                return await work(executor)
            finally:
                await executor.aclose()
                if pool is not self.pool:
                    pool.close()

        return self.runner.run(working())


@pytest.fixture(scope="module")
def faults(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Faults]:
    """Give the plugin's tools; at the end no process and no open file is left."""
    files, children = _open_files(), _children()
    made = Faults(tmp_path_factory.mktemp("plugins") / "faults.py")
    yield made
    made.pool.close()
    made.runner.close()
    assert _children() == children
    assert _open_files() <= files


@pytest.fixture
def plugin(faults: Faults) -> Path:
    return faults.path


@pytest.fixture
def bench(faults: Faults, tmp_path: Path) -> Bench:
    return partial(faults.run, tmp_path)


def failed(response: ToolResponse) -> str:
    """Return why a call failed, which must be a dead worker."""
    assert response.error is not None
    assert (response.status, response.error.kind) == (CallStatus.FAILED, ErrorKind.CRASHED)
    assert "new worker" in remedy_of(response.error)
    return response.error.message


async def goes_on(executor: Executor) -> None:
    assert (await execute(executor, "fine", {"n": 5})).result == 5


@pytest.mark.parametrize(
    ("name", "arguments", "words"),
    [
        ("touch_bad_memory", {}, "SIGSEGV (segmentation fault"),
        ("end", {"code": 7}, "exit code 7"),
        ("end", {"code": 0}, "exit code 0"),
        ("kill_self", {"number": int(signal.SIGKILL)}, "SIGKILL (by somebody outside, or because memory ran out)"),
        ("kill_self", {"number": int(signal.SIGABRT)}, "SIGABRT"),
        ("close_everything", {}, "exit code 70"),
        ("close_and_stay", {}, "closed its connection"),
        ("send_garbage", {}, "cannot be read"),
        ("die_with_child", {}, "exit code 9"),
    ],
)
def test_a_death_is_one_failed_call(bench: Bench, name: str, arguments: dict[str, Any], words: str) -> None:
    async def work(executor: Executor) -> ToolResponse:
        response = await execute(executor, name, arguments)
        await goes_on(executor)
        return response

    assert words in failed(bench(work))


def test_a_segmentation_fault_shows_where_it_happened(bench: Bench) -> None:
    response = bench(lambda executor: execute(executor, "touch_bad_memory"))

    failed(response)
    assert "in touch_bad_memory" in response.error.traceback
    assert ("info", "about to fall") in [(entry.level, entry.text) for entry in response.logs]


def test_other_calls_go_on_while_one_crashes(bench: Bench) -> None:
    async def work(executor: Executor) -> tuple[ToolResponse, ToolResponse]:
        await asyncio.gather(goes_on(executor), goes_on(executor))
        _, sleeping = start(executor, "sleep", {"seconds": 0.3})
        crashed = await execute(executor, "touch_bad_memory")
        return await sleeping, crashed

    slept, crashed = bench(work)
    assert slept.status is CallStatus.EXECUTED
    failed(crashed)


@pytest.mark.parametrize("name", ["hang_in_c", "hang_on_loop", "swallow_all", "ask_for_ever"])
def test_stop_ends_what_hangs(bench: Bench, name: str) -> None:
    async def work(executor: Executor) -> ToolResponse:
        await goes_on(executor)
        call, running = start(executor, name)
        await until(lambda: call.response.worker_pid is not None)
        await asyncio.sleep(0.05)
        call.cancel()
        response: ToolResponse = await running
        await goes_on(executor)
        pid = response.worker_pid
        assert pid is not None
        if response.worker_killed:  # The system takes a moment.
            await until(lambda: not psutil.pid_exists(pid))
        return response

    response = bench(work, review_handler=Silence())
    assert response.status is CallStatus.CANCELLED
    if name != "ask_for_ever":  # that one is told that nobody answers any more, and ends by itself
        assert "Its worker process was ended" in response.error.message
        assert response.worker_killed


@pytest.mark.parametrize(("name", "last"), [("clean_up", "cleaned up"), ("look_now_and_then", "seen")])
def test_a_tool_that_listens_ends_by_itself_and_keeps_its_worker(bench: Bench, name: str, last: str) -> None:
    async def work(executor: Executor) -> tuple[ToolResponse, int]:
        call, running = start(executor, name)
        await until(lambda: bool(call.response.logs))
        call.cancel()
        response = await running
        return response, (await execute(executor, "pid")).result

    response, pid = bench(work, pool=WorkerPool(1, limits=WorkerLimits(grace_s=30)))
    assert response.status is CallStatus.CANCELLED
    assert [entry.text for entry in response.logs] == ["hanging", last]
    assert response.error.message == "Stopped on request."
    assert pid == response.worker_pid


def test_a_time_limit_ends_the_worker(bench: Bench) -> None:
    response = bench(lambda executor: execute(executor, "late"))

    assert response.status is CallStatus.TIMED_OUT
    assert response.error.message == "it took longer than 0.2 s; its worker process was ended"


def test_waiting_for_a_worker_costs_a_tool_no_time(bench: Bench) -> None:
    async def work(executor: Executor) -> list[ToolResponse]:
        # Each takes a worker for half a second and leaves none; the limit of each begins when it has one.
        return list(await asyncio.gather(*(execute(executor, "late") for _ in range(3))))

    responses = bench(work, pool=WorkerPool(1))
    assert [response.status for response in responses] == [CallStatus.TIMED_OUT] * 3
    assert all(response.steps[1].waiting_s > 0 for response in responses)


def test_whoever_waits_when_the_pool_is_closed_is_told(bench: Bench) -> None:
    async def work(executor: Executor) -> list[ToolResponse]:
        _, first = start(executor, "sleep", {"seconds": 60})
        _, second = start(executor, "fine")
        await until(lambda: executor.workers.waiting == 1 and bool(executor.workers.pids))
        await asyncio.sleep(0)
        executor.workers.close()
        return [await first, await second]

    assert {failed(response) for response in bench(work, pool=WorkerPool(1))} <= {
        "its worker process was ended",
        "it waited for a worker process, and all of them were ended",
    }


def test_closing_the_executor_ends_what_runs(bench: Bench) -> None:
    async def work(executor: Executor) -> Any:
        call, running = start(executor, "swallow_all")
        await until(lambda: bool(call.response.logs))
        await executor.aclose()
        return await running

    assert bench(work).status is CallStatus.ABORTED


def test_children_of_a_worker_end_with_it(bench: Bench) -> None:
    async def work(executor: Executor) -> list[int]:
        call, running = start(executor, "leave_children")
        await until(lambda: bool(call.response.logs))
        children = [int(word) for word in call.response.logs[0].text.split()]
        assert all(psutil.pid_exists(child) for child in children)
        call.cancel()
        await running
        return children

    for child in bench(work):
        _wait_for_end(child)


def _wait_for_end(pid: int) -> None:
    deadline = time.monotonic() + 5
    while psutil.pid_exists(pid) and psutil.Process(pid).status() != psutil.STATUS_ZOMBIE:
        assert time.monotonic() < deadline, f"process {pid} still runs"
        time.sleep(0.01)


@pytest.mark.skipif(sys.platform != "linux", reason="only there a process can be bound")
def test_memory_is_bound(bench: Bench) -> None:
    async def work(executor: Executor) -> ToolResponse:
        response = await execute(executor, "eat_memory")
        await goes_on(executor)
        return response

    response = bench(work, pool=WorkerPool(1, limits=WorkerLimits(memory_bytes=1 << 30)))
    assert response.error.type_name == "MemoryError"


def test_a_worker_that_keeps_much_memory_is_replaced(bench: Bench) -> None:
    async def work(executor: Executor) -> list[tuple[int, int | None]]:
        sizes = []
        for _ in range(4):
            response = await execute(executor, "keep_memory", {"size": 40_000_000})
            sizes.append((response.result, response.worker_pid))
        return sizes

    ran = bench(work, pool=WorkerPool(1, limits=WorkerLimits(kept_bytes=120_000_000)))
    assert len({pid for _, pid in ran}) > 1
    assert max(kept for kept, _ in ran) <= 3


def test_a_worker_is_replaced_after_many_calls(bench: Bench) -> None:
    async def work(executor: Executor) -> list[int]:
        return [(await execute(executor, "pid")).result for _ in range(6)]

    pids = bench(work, pool=WorkerPool(1, limits=WorkerLimits(max_calls=3)))
    assert [len(set(pids[:3])), len(set(pids[3:])), len(set(pids))] == [1, 1, 2]


def test_a_worker_killed_while_idle_is_noticed(bench: Bench) -> None:
    async def work(executor: Executor) -> ToolResponse:
        first = (await execute(executor, "pid")).result
        os.kill(first, signal.SIGKILL)
        await until(lambda: first not in executor.workers.pids)
        return await execute(executor, "pid")

    assert bench(work).status is CallStatus.EXECUTED


def test_a_worker_killed_while_it_works_is_a_failed_call(bench: Bench) -> None:
    async def work(executor: Executor) -> Any:
        call, running = start(executor, "sleep", {"seconds": 60})
        await until(lambda: call.response.worker_pid is not None)
        assert call.response.worker_pid is not None
        os.kill(call.response.worker_pid, signal.SIGTERM)
        return await running

    assert "SIGTERM (by somebody outside)" in failed(bench(work))


def test_closed_outputs_harm_nobody(bench: Bench) -> None:
    async def work(executor: Executor) -> ToolResponse:
        response = await execute(executor, "close_outputs")
        await goes_on(executor)
        return response

    assert bench(work).result == "closed"


def test_a_flood_of_output_is_all_in_the_log(bench: Bench) -> None:
    response = bench(lambda executor: execute(executor, "flood_output"))

    texts = [entry.text for entry in response.logs]
    assert response.result == "flooded"
    assert sum(text.count("z") for text in texts) == 200_000
    assert max(map(len, texts)) <= 64 * 1024 + 16 * 1024
    assert [text for text in texts if text.startswith("line")] == [f"line {number}" for number in range(20_000)]


def test_a_result_that_is_too_large_is_refused(tmp_path: Path) -> None:
    async def work() -> ToolResponse:
        pool = WorkerPool(1, limits=WorkerLimits(result_bytes=100_000))
        tools = resolve_tools([_isolated("long_text")])
        executor = Executor(ToolRegistry(tools), project_dir=tmp_path, workers=pool)
        try:
            return await execute(executor, "long_text", {"letters": 300_000})
        finally:
            pool.close()

    assert "at most 100,000 bytes" in failed(asyncio.run(work()))


def _isolated(name: str) -> Any:
    made = resolve_tools([getattr(isolated, name)])[0]
    return replace(made, spec=made.spec.model_copy(update={"isolation": Isolation.PROCESS}))


def test_a_crash_is_retried_like_any_failure(bench: Bench) -> None:
    response = bench(lambda executor: execute(executor, "crash_twice"))

    assert (response.result, len(response.attempts)) == ("third time", 3)


@pytest.mark.parametrize(("kind", "attempts"), [("missing", 2), ("other", 1)])
def test_filters_of_retries_know_the_classes(bench: Bench, kind: str, attempts: int) -> None:
    response = bench(lambda executor: execute(executor, "fail_twice", {"kind": kind}))

    assert len(response.attempts) == attempts
    assert response.succeeded is (attempts == 2)


def test_filters_of_retries_know_the_plugins_own_classes(bench: Bench) -> None:
    assert bench(lambda executor: execute(executor, "fail_in_its_own_way")).result == "second time"


class Orderly(WorkerPool):
    """Remember which tasks got a worker, in order."""

    def __init__(self, size: int) -> None:
        super().__init__(size)
        self.served: list[str] = []

    async def wait_for_worker(self, reference: ToolReference) -> WorkerProcess:
        worker = await super().wait_for_worker(reference)
        task = asyncio.current_task()
        assert task is not None
        self.served.append(task.get_name())
        return worker


def test_many_calls_share_few_workers_in_their_order(bench: Bench) -> None:
    async def work(executor: Executor) -> tuple[list[Any], int]:
        calls = [
            asyncio.create_task(execute(executor, "fine", {"n": number}), name=str(number)) for number in range(100)
        ]
        return [response.result for response in await asyncio.gather(*calls)], executor.workers.started

    pool = Orderly(4)
    results, started = bench(work, pool=pool)
    assert results == list(range(100))
    assert pool.served == [str(number) for number in range(100)]
    assert started <= 4


def test_an_idle_worker_is_ended(bench: Bench) -> None:
    async def work(executor: Executor) -> int:
        await goes_on(executor)
        assert executor.workers.pids
        await until(lambda: not executor.workers.pids)
        await goes_on(executor)
        return executor.workers.started

    assert bench(work, pool=WorkerPool(1, idle_s=0.02)) == 2


def test_a_pool_serves_one_loop_after_another(plugin: Path, tmp_path: Path) -> None:
    executor = Executor(ToolRegistry(load_plugin(plugin).tools), project_dir=tmp_path)

    first = executor.run("pid", {})
    second = asyncio.run(execute(executor, "pid"))
    third = executor.run("pid", {})
    executor.close()

    assert len({first.result, second.result, third.result}) == 3
    assert {first.result, second.result, third.result} & _children() == set()


def test_a_worker_that_died_while_no_loop_ran_is_not_lent(plugin: Path, tmp_path: Path) -> None:
    executor = Executor(ToolRegistry(load_plugin(plugin).tools), project_dir=tmp_path)

    first = executor.run("pid", {})
    os.kill(first.result, signal.SIGKILL)
    _wait_for_end(first.result)
    second = executor.run("pid", {})
    executor.close()

    assert second.status is CallStatus.EXECUTED
    assert second.result != first.result


def test_tools_of_the_main_script_say_what_to_do(tmp_path: Path) -> None:
    script = tmp_path / "main.py"
    script.write_text(
        textwrap.dedent("""
        from tools import Executor, ToolConfigurationError, ToolRegistry, resolve_tools, tool

        @tool(isolation="process")
        def work() -> None:
            "Work."

        executor = Executor(ToolRegistry(resolve_tools([work])))
        try:
            executor.run("work")
        except ToolConfigurationError as error:
            print(error)
        executor.close()
        """),
        encoding="utf-8",
    )
    root = Path(__file__).parent.parent.parent
    environment = {**os.environ, "PYTHONPATH": str(root)}

    done = subprocess.run([sys.executable, script], capture_output=True, text=True, check=True, env=environment)

    assert "declared in the program's main script" in done.stdout
    assert "isolation='thread'" in done.stdout


def test_workers_end_with_the_program(plugin: Path) -> None:
    program = f"""
import asyncio, os, sys
from pathlib import Path
from tools import Executor, ToolRegistry
from tools.calls import Logged
from tools.discovery import load_plugin

def say(event):
    if isinstance(event, Logged):
        print(event.call.response.worker_pid, flush=True)

executor = Executor(ToolRegistry(load_plugin(Path({str(plugin)!r})).tools), listeners=[say])
executor.run("swallow_all", {{}})
"""
    root = Path(__file__).parent.parent.parent
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True, cwd=root) as running:
        assert running.stdout is not None
        pid = int(running.stdout.readline())
        assert psutil.pid_exists(pid)
        running.kill()
    _wait_for_end(pid)


def _broken(text: str, tmp_path: Path) -> ToolResponse:
    """Load a plugin in this process, and call its tool in a worker that cannot."""
    path = tmp_path / "broken.py"
    path.write_text(textwrap.dedent(text), encoding="utf-8")
    report = load_plugin(path)
    assert report.error == ""

    async def work() -> ToolResponse:
        executor = Executor(ToolRegistry(report.tools), project_dir=tmp_path)
        try:
            return await execute(executor, report.tools[0].name)
        finally:
            await executor.aclose()

    return asyncio.run(work())


def test_a_plugin_that_does_not_load_in_a_worker_says_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "only_here", True, raising=False)

    response = _broken(
        """
        import sys
        if not hasattr(sys, "only_here"):
            raise RuntimeError("not in this process")
        from tools import tool

        @tool
        def work() -> None:
            "Work."
        """,
        tmp_path,
    )

    assert response.status is CallStatus.FAILED
    assert response.error is not None
    assert (response.error.type_name, response.error.message) == ("RuntimeError", "not in this process")
    assert "could not load" in response.error.traceback
    assert "broken.py" in response.error.traceback


def test_what_a_worker_runs_is_what_was_loaded(tmp_path: Path) -> None:
    path = tmp_path / "changing.py"
    text = "from tools import tool\n@tool\ndef number() -> int:\n    'Tell.'\n    return {}\n"
    path.write_text(text.format(1), encoding="utf-8")
    registry = ToolRegistry()
    pool = WorkerPool(1)
    threads = ToolThreads()
    plugins = Plugins(registry, PluginWorkers(pool, threads))

    async def work() -> list[tuple[Any, Any]]:
        await plugins.add(path)
        executor = Executor(registry, project_dir=tmp_path, workers=pool)
        seen = []

        async def look() -> None:
            response = await execute(executor, "number")
            seen.append((response.result, response.worker_pid))

        await look()
        path.write_text(text.format(2), encoding="utf-8")
        await look()
        await plugins.reload(everything=True)
        await look()
        return seen

    try:
        (first, one), (second, two), (third, three) = asyncio.run(work())
    finally:
        pool.close()
        threads.close()
    assert (first, second, third) == (1, 1, 2)
    assert one == two != three


def test_a_plugin_file_runs_in_a_process_unless_it_says_otherwise(tmp_path: Path) -> None:
    path = tmp_path / "three.py"
    path.write_text(
        textwrap.dedent("""
        from tools import ToolRegistry, resilience, tool

        @tool
        def silent() -> None:
            "Say nothing."

        @tool(isolation="thread")
        def spoken() -> None:
            "Say it."

        @resilience(isolation="inline")
        @tool(isolation="process")
        def overruled() -> None:
            "Say it twice."

        @tool
        def at_home(registry: ToolRegistry) -> None:
            "Need the program."
        """),
        encoding="utf-8",
    )

    places = {made.name: made.isolation.value for made in load_plugin(path).tools}

    assert places == {"silent": "process", "spoken": "thread", "overruled": "inline", "at_home": "thread"}
    assert {made.isolation.value for made in load_plugin(path, isolation=Isolation.THREAD).tools} == {
        "thread",
        "inline",
    }


async def test_a_folder_says_where_its_plugins_run(tmp_path: Path) -> None:
    settings = PluginList(tmp_path / "settings")
    settings.folder.mkdir(parents=True)
    trusted = tmp_path / "trusted" / "mine.py"
    trusted.parent.mkdir()
    for path, name in ((settings.folder / "first.py", "first"), (trusted, "second")):
        path.write_text(f"from tools import tool\n@tool\ndef {name}() -> None:\n    'Work.'\n", encoding="utf-8")
    settings.add(trusted)
    settings.set_isolation(trusted.parent, Isolation.THREAD)

    other = trusted.with_name("other.py")
    other.write_text("from tools import tool\n@tool\ndef third() -> None:\n    'Work.'\n", encoding="utf-8")

    bench = Workbench(settings, installed=())
    await bench.load([other])
    await bench.aclose()
    assert bench.registry.get("first").isolation is Isolation.PROCESS
    assert bench.registry.get("second").isolation is Isolation.THREAD
    assert bench.registry.get("third").isolation is Isolation.THREAD
    settings.set_isolation(trusted, Isolation.INLINE)
    assert settings.isolation_of(trusted) is Isolation.INLINE
    settings.set_isolation(trusted, None)
    assert settings.isolation_of(trusted) is Isolation.THREAD
    assert settings.paths() == [settings.folder / "first.py", trusted]


def test_a_tool_that_no_process_can_find_says_what_to_do(tmp_path: Path) -> None:
    @tool(isolation="process")
    def inner() -> None:
        """Work."""

    executor = Executor(ToolRegistry(resolve_tools([inner])), project_dir=tmp_path)
    with pytest.raises(ToolConfigurationError, match=r"'inner' cannot run in a worker process: .*isolation='thread'"):
        executor.run("inner")
    executor.close()


def test_a_tool_that_needs_the_program_cannot_leave_it(tmp_path: Path) -> None:
    def needs(registry: ToolRegistry) -> None:
        """Work."""

    made = make_tool("needs", "Work.", needs, isolation="process")
    executor = Executor(ToolRegistry([made]), project_dir=tmp_path, app_objects=[ToolRegistry()])
    with pytest.raises(ToolConfigurationError, match="objects of this program"):
        executor.run("needs")
    executor.close()


def test_lines_arrive_while_the_tool_runs(bench: Bench) -> None:
    seen: list[bool] = []

    def listener(event: Any) -> None:
        if isinstance(event, Logged):
            seen.append(event.call.response.status is CallStatus.EXECUTING)

    async def work(executor: Executor) -> None:
        call, running = start(executor, "look_now_and_then")
        await until(lambda: bool(seen))
        call.cancel()
        await running

    bench(work, listeners=[listener])
    assert seen[0]


@pytest.mark.skipif(sys.platform == "win32", reason="the program is a shell script")
def test_the_program_itself_can_be_the_worker(bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # As in the frozen program, which has no other interpreter.
    program = tmp_path / "program"
    root = Path(__file__).parent.parent.parent
    program.write_text(f'#!/bin/sh\nPYTHONPATH="{root}" exec "{sys.executable}" -m console "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "executable", str(program))

    async def work(executor: Executor) -> None:
        await goes_on(executor)
        (pid,) = executor.workers.pids
        assert "--tool-worker" in psutil.Process(pid).cmdline()

    bench(work, pool=WorkerPool(1))


@pytest.fixture
def unwatched(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take away what event loops of Windows cannot do, and what tells when a process ends."""
    monkeypatch.setattr(process, "CAN_WATCH", False)
    monkeypatch.setattr(process, "pidfd_of", lambda pid: None)


@pytest.mark.usefixtures("unwatched")
def test_it_works_where_the_loop_cannot_tell_when_to_read(bench: Bench) -> None:
    async def work(executor: Executor) -> list[ToolResponse]:
        await goes_on(executor)
        long = await execute(executor, "measure_text", {"text": "x" * 3_000_000})
        lines = await execute(executor, "touch_bad_memory")
        call, running = start(executor, "hang_in_c")
        await until(lambda: call.response.worker_pid is not None)
        call.cancel()
        return [long, lines, await running]

    long, crashed, stopped = bench(work, pool=WorkerPool(1))
    assert long.result == 3_000_000
    assert "SIGSEGV" in failed(crashed)
    assert stopped.status is CallStatus.CANCELLED
    assert stopped.worker_killed
