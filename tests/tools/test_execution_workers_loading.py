"""Plugin files are imported in worker processes only; what one does there ends itself, and nothing else."""

from __future__ import annotations

import asyncio
import os
import sys
import textwrap
from collections.abc import Awaitable, Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import psutil
import pytest

from tests.tools.running import execute, until
from tools import Executor, Isolation, Tool, ToolRegistry, ToolResponse
from tools.calls import CallStatus
from tools.discovery import PluginList, SourceReport, load_plugin
from tools.execution.threads import ToolThreads
from tools.execution.workers import WorkerLimits, WorkerPool
from tools.execution.workers.loading import PluginWorkers
from tools.workbench import Workbench

LONG_S = 60.0

GOOD = """
    import os
    from tools import tool

    @tool
    def fine(n: int = 1) -> list[int]:
        "Work."
        return [n, os.getpid()]
"""

GARBAGE = """
import os
for number in range(3, 200):
    try:
        os.write(number, b"\\xff" * 100)
    except OSError:
        pass
while True:
    pass
"""

BROKEN = {
    "segfault": ("import ctypes\nctypes.string_at(0)\n", "the file ended its process: SIGSEGV (segmentation fault"),
    "exit at once": ("import os\nos._exit(3)\n", "the file ended its process: exit code 3"),
    "killed": ("import os\nos.kill(os.getpid(), 9)\n", "the file ended its process: SIGKILL"),
    "closed files": ("import os\nos.closerange(3, 200)\n", "the file ended its process: exit code 70"),
    "raise": ("def f():\n    raise ValueError('oops')\nf()\n", "ValueError: oops"),
    "interrupt": ("raise KeyboardInterrupt\n", "KeyboardInterrupt"),
    "exit": ("import sys\nsys.exit(4)\n", "SystemExit: 4"),
    "syntax": ("def broken(:\n", "SyntaxError: invalid syntax"),
    "memory": ("x = []\nwhile True:\n    x.append(bytearray(50_000_000))\n", "MemoryError"),
    "nothing": ("x = 1\n", "declares no tool"),
    "wrong card": ("from tools import tool\n@tool(priority=900)\ndef a(): ...\n", "priority=900 is wrong"),
    "garbage": (GARBAGE, "the file ended its process: its worker process sent what cannot be read"),
}


class Loading:
    """Load files with the same workers, and run what they declare."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.runner = asyncio.Runner()
        self.pool = WorkerPool(2, limits=WorkerLimits(memory_bytes=1 << 30))
        self._number = 0

    def file(self, text: str) -> Path:
        self._number += 1
        path = self.folder / f"loaded_here_{self._number}.py"
        path.write_text(textwrap.dedent(text), encoding="utf-8")
        return path

    def load(
        self, text: str | Path, application: type | None = None, *, timeout_s: float = LONG_S, where: str = "process"
    ) -> SourceReport:
        path = text if isinstance(text, Path) else self.file(text)
        threads = ToolThreads()
        loader = PluginWorkers(self.pool, threads, timeout_s=timeout_s)
        try:
            return self.runner.run(loader.load(path, application, Isolation(where)))
        finally:
            threads.close()

    def tools(self, text: str | Path) -> tuple[Tool, ...]:
        before = imported()
        report = self.load(text)
        assert report.error == "", report.traceback
        assert imported() == before
        return report.tools

    def with_executor(self, tools: tuple[Tool, ...], work: Callable[[Executor], Awaitable[Any]], **options: Any) -> Any:
        async def working() -> Any:
            executor = Executor(ToolRegistry(tools), **{"project_dir": self.folder, "workers": self.pool, **options})
            try:
                return await work(executor)
            finally:
                await executor.aclose()

        return self.runner.run(working())

    def call(
        self, tools: tuple[Tool, ...], name: str, arguments: Mapping[str, Any] | None = None, **options: Any
    ) -> ToolResponse:
        response: ToolResponse = self.with_executor(tools, lambda it: execute(it, name, arguments), **options)
        return response


def imported() -> set[str]:
    """Return the plugin files of these tests that this process has imported."""
    return {name for name in sys.modules if name.startswith("_tool_console_plugin_loaded_here_")}


def _forget_imported() -> None:
    for name in imported():
        del sys.modules[name]


@pytest.fixture(autouse=True)
def forget() -> Iterator[None]:
    """Begin and end without what tests imported in this process; other files of tests load files likewise."""
    _forget_imported()
    yield
    _forget_imported()


@pytest.fixture(scope="module")
def loading(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Loading]:
    made = Loading(tmp_path_factory.mktemp("plugins"))
    yield made
    made.pool.close()
    made.runner.close()


class TestFaults:
    @pytest.mark.parametrize("kind", BROKEN)
    @pytest.mark.reference("E4")
    def test_a_file_that_breaks_is_a_report_and_others_go_on(self, loading: Loading, kind: str) -> None:
        text, error = BROKEN[kind]

        report = loading.load(text)
        after = loading.tools(GOOD)

        assert error in report.error
        assert "\n" not in report.error
        assert report.tools == ()
        assert report.traceback
        assert imported() == set()
        assert loading.call(after, "fine").status is CallStatus.EXECUTED

    def test_what_is_said_of_a_broken_file_is_what_importing_it_here_would_say(self, loading: Loading) -> None:
        for kind in ("raise", "exit", "syntax", "nothing", "wrong card"):
            path = loading.file(BROKEN[kind][0])
            there, here = loading.load(path), load_plugin(path)
            assert (there.error, there.source, there.stamp) == (here.error, here.source, here.stamp)
            lines = [line for line in here.traceback.splitlines() if path.name in line]
            assert [line for line in there.traceback.splitlines() if path.name in line] == lines

    def test_a_segmentation_fault_says_in_which_line(self, loading: Loading) -> None:
        report = loading.load(BROKEN["segfault"][0])

        assert f'"{report.source.path}", line 2 in <module>' in report.traceback
        assert "worker.py" not in report.traceback

    def test_a_file_that_loops_for_ever_is_ended(self, loading: Loading) -> None:
        loading.tools(GOOD)  # so that a worker has started

        report = loading.load("print('before')\nwhile True:\n    pass\n", timeout_s=0.2)

        assert report.error.startswith("it was not loaded after 0.2 s, so its process was ended")
        assert loading.call(loading.tools(GOOD), "fine").status is CallStatus.EXECUTED

    def test_a_flood_of_prints_is_harmless(self, loading: Loading) -> None:
        flood = "for number in range(20_000):\n    print('line', number)\n" + textwrap.dedent(GOOD)

        assert loading.call(loading.tools(flood), "fine", {"n": 3}).json_result[0] == 3

    def test_what_a_file_left_behind_is_not_another_ones_fault(self, loading: Loading) -> None:
        """A thread of the first file ends the process as soon as the second is imported in it."""
        sign = loading.folder / "second is imported"
        first = f"""
            import os, threading, time
            from tools import tool

            def wait():
                while not os.path.exists({str(sign)!r}):
                    time.sleep(0.001)
                os._exit(5)

            threading.Thread(target=wait, daemon=True).start()

            @tool
            def first() -> None:
                "Work."
        """
        second = f"""
            import time
            from pathlib import Path
            from tools import tool

            sign = Path({str(sign)!r})
            if not sign.exists():
                sign.touch()
                time.sleep({LONG_S})

            @tool
            def second() -> str:
                "Work."
                return "it works"
        """
        pool, loading.pool = loading.pool, WorkerPool(1)
        try:
            loading.tools(first)
            assert loading.call(loading.tools(second), "second").text == "it works"
        finally:
            loading.pool.close()
            loading.pool = pool


class TestWorkers:
    def test_the_worker_that_imported_a_file_runs_its_tools(self, loading: Loading) -> None:
        loading.tools(GOOD)
        seen, started = loading.folder / "seen", loading.pool.started
        text = f"with open({str(seen)!r}, 'a') as file:\n    file.write('imported ')\n" + textwrap.dedent(GOOD)

        tools = loading.tools(text)
        pids = [loading.call(tools, "fine").json_result[1] for _ in range(3)]

        assert seen.read_text() == "imported "
        assert loading.pool.started == started
        assert os.getpid() not in pids

    def test_files_are_loaded_at_a_time_as_many_as_there_are_workers(self, tmp_path: Path) -> None:
        """Each of two files waits until the other one is being imported."""
        text = """
            import os, time
            from pathlib import Path
            from tools import tool

            folder = Path(__file__).parent
            (folder / "{own}").touch()
            while not (folder / "{other}").exists():
                time.sleep(0.001)

            @tool
            def {own}() -> None:
                "Work."
        """
        files = [tmp_path / "a.py", tmp_path / "b.py"]
        for path, own, other in zip(files, ("one", "two"), ("two", "one"), strict=True):
            path.write_text(textwrap.dedent(text).format(own=own, other=other))
        bench = Workbench(PluginList(tmp_path / "settings"), installed=(), workers=WorkerPool(2), loading_s=LONG_S)

        async def work() -> None:
            await bench.load_plugins(files)
            await bench.aclose()
            bench.workers.close()

        asyncio.run(work())
        assert [tool.name for tool in bench.registry] in (["one", "two"], ["two", "one"])
        assert [report.error for report in bench.reports] == ["", ""]

    async def test_nothing_is_started_where_there_are_no_plugins(self, tmp_path: Path) -> None:
        bench = Workbench(PluginList(tmp_path / "settings"), installed=())
        await bench.load()
        started = bench.workers.started
        await bench.aclose()
        assert started == 0

    def test_whoever_gives_up_waiting_leaves_no_process_behind(self, loading: Loading) -> None:
        async def work() -> None:
            pool = WorkerPool(1)
            loader = PluginWorkers(pool, ToolThreads(), timeout_s=LONG_S)
            text = "import time, pathlib\npathlib.Path(__file__ + '.begun').touch()\ntime.sleep(600)\n"
            path = loading.file(text)
            task = asyncio.create_task(loader.load(path, None, Isolation.PROCESS))
            await until(Path(f"{path}.begun").exists)
            (pid,) = pool.pids
            task.cancel()
            await asyncio.wait([task])
            assert task.cancelled()
            await until(lambda: not psutil.pid_exists(pid))
            pool.close()

        loading.runner.run(work())


class TestTrustedFiles:
    @pytest.mark.parametrize("where", ["thread", "inline"])
    def test_a_file_that_is_to_run_in_the_program_is_imported_there(self, loading: Loading, where: str) -> None:
        path = loading.file(GOOD)

        report = loading.load(path, where=where)
        response = loading.call(report.tools, "fine")

        assert any(path.stem in name for name in sys.modules)
        assert (response.json_result[1], report.tools[0].isolation.value) == (os.getpid(), where)

    def test_a_file_whose_tool_says_so_is_imported_in_the_program_too(self, loading: Loading) -> None:
        text = "@tool(isolation='thread')\ndef here() -> int:\n    return os.getpid()\n"
        path = loading.file(textwrap.dedent(GOOD) + text)

        report = loading.load(path)

        assert loading.call(report.tools, "here").result == os.getpid()
        assert loading.call(report.tools, "fine").json_result[1] != os.getpid()

    def test_one_that_breaks_is_not_imported_in_the_program_at_all(self, loading: Loading) -> None:
        text = "from tools import tool\n@tool(isolation='inline')\ndef here(): ...\nimport os\nos._exit(3)\n"

        report = loading.load(text)

        assert report.error == "the file ended its process: exit code 3"
