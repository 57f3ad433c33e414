"""Relative paths of plugin tools mean the project folder, wherever the program was started from."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from tests.tools.running import execute
from tools import Executor, ToolResult
from tools.calls import CallStatus
from tools.discovery import PluginList
from tools.workbench import Workbench

PLUGIN = r'''
import os
from pathlib import Path
from tools import ToolContext, process_tool, tool

AT_IMPORT = os.getcwd()
SCRIPT = """cat > /dev/null; printf '{"success": true, "output": "%s"}' "$(pwd -P)" """


@tool
def where() -> list[str]:
    """Say where it runs, and what is read there by a relative path."""
    return [os.getcwd(), AT_IMPORT, Path("note.txt").read_text() if Path("note.txt").exists() else ""]


@tool
async def where_async(ctx: ToolContext) -> list[str]:
    """Say where a coroutine runs."""
    return [os.getcwd(), str(ctx.project_dir)]


@tool
def write(text: str) -> None:
    """Write a file by a relative path."""
    Path("written.txt").write_text(text)


@tool
def shadowed() -> str:
    """Say where a module comes from whose name a file of the project has as well."""
    import colorsys
    return colorsys.__file__


@tool(isolation="thread")
def inside(project_dir: str) -> list[str]:
    """Run inside the program, where the folder is given instead."""
    return [os.getcwd(), project_dir]


program = process_tool("program", ["/bin/sh", "-c", SCRIPT], "Say where a program runs.")
'''


@pytest.fixture
def plugin(tmp_path: Path) -> Path:
    path = tmp_path / "plugins" / "places.py"
    path.parent.mkdir()
    path.write_text(PLUGIN, "utf-8")
    return path


def project(tmp_path: Path, name: str) -> Path:
    folder = tmp_path / name
    folder.mkdir()
    (folder / "note.txt").write_text(name, "utf-8")
    return folder


def with_executor(tmp_path: Path, plugin: Path, folder: Path, work: Callable[[Executor], Awaitable[Any]]) -> Any:
    async def working() -> Any:
        bench = Workbench(PluginList(tmp_path / "settings"), installed=())
        executor = Executor(bench.registry, project_dir=folder, workers=bench.workers)
        try:
            await bench.plugins.add(plugin)
            return await work(executor)
        finally:
            await executor.aclose()
            await bench.aclose()

    return asyncio.run(working())


def test_a_plugin_is_imported_and_run_in_the_project_folder(tmp_path: Path, plugin: Path) -> None:
    folder, before = project(tmp_path, "one"), Path.cwd()

    async def work(executor: Executor) -> None:
        at_import = (await execute(executor, "where")).result
        assert at_import == [str(folder), str(folder), "one"]
        assert (await execute(executor, "where_async")).result == [str(folder), str(folder)]
        assert (await execute(executor, "write", {"text": "here"})).status is CallStatus.EXECUTED
        assert (folder / "written.txt").read_text("utf-8") == "here"

    with_executor(tmp_path, plugin, folder, work)
    assert Path.cwd() == before
    assert not (before / "written.txt").exists()


@pytest.mark.skipif(sys.platform == "win32", reason="the program is a shell")
def test_a_program_that_speaks_json_runs_in_the_project_folder(tmp_path: Path, plugin: Path) -> None:
    folder = project(tmp_path, "one")

    async def work(executor: Executor) -> None:
        result = (await execute(executor, "program", {"input": ""})).result
        assert isinstance(result, ToolResult)
        assert result.output == str(folder.resolve())

    with_executor(tmp_path, plugin, folder, work)


def test_after_the_project_changed_no_worker_of_the_former_one_is_used(tmp_path: Path, plugin: Path) -> None:
    one, two = project(tmp_path, "one"), project(tmp_path, "two")

    async def work(executor: Executor) -> None:
        first = await execute(executor, "where")
        executor.project_dir = two
        second = await execute(executor, "where")
        executor.project_dir = one
        third = await execute(executor, "where")
        assert [response.result for response in (first, second, third)] == [
            [str(one), str(one), "one"],
            [str(two), str(two), "two"],
            [str(one), str(one), "one"],
        ]
        assert second.worker_pid not in {first.worker_pid, third.worker_pid}

    with_executor(tmp_path, plugin, one, work)


def test_a_tool_inside_the_program_is_given_the_folder_and_the_program_stays_where_it_is(
    tmp_path: Path, plugin: Path
) -> None:
    folder = project(tmp_path, "one")

    async def work(executor: Executor) -> None:
        assert (await execute(executor, "inside")).result == [str(Path.cwd()), str(folder)]

    with_executor(tmp_path, plugin, folder, work)


def test_modules_of_the_project_do_not_stand_in_for_others(
    tmp_path: Path, plugin: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = project(tmp_path, "one")
    (folder / "colorsys.py").write_text("raise RuntimeError('not this one')", "utf-8")
    monkeypatch.setattr(sys, "path", ["", *sys.path])

    async def work(executor: Executor) -> None:
        assert str(folder) not in (await execute(executor, "shadowed")).result

    with_executor(tmp_path, plugin, folder, work)


def test_a_project_folder_that_is_gone_is_named(tmp_path: Path, plugin: Path) -> None:
    async def work(executor: Executor) -> None:
        executor.project_dir = tmp_path / "gone"
        response = await execute(executor, "where")
        assert response.status is CallStatus.FAILED
        assert response.error is not None
        expected = f"the project folder {str(tmp_path / 'gone')!r} is gone; choose another one"
        assert expected in response.error.message

    with_executor(tmp_path, plugin, project(tmp_path, "one"), work)


def command_line(tmp_path: Path, *words: str) -> Any:
    """Run the command line somewhere else than in the project, and return what it printed as JSON."""
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    env = {**os.environ, "TOOL_CONSOLE_DATA": str(tmp_path / "data"), "XDG_CONFIG_HOME": str(tmp_path / "config")}
    root = Path(__file__).parents[2]
    start = [sys.executable, "-c", "import sys; from tools.cli.main import main; sys.exit(main())"]
    done = subprocess.run(
        [*start, *words],
        cwd=elsewhere,
        env={**env, "PYTHONPATH": str(root)},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_the_command_line_runs_a_plugin_in_the_project_folder(tmp_path: Path, plugin: Path) -> None:
    folder = project(tmp_path, "one")
    words = ("call", "where", "--plugin", str(plugin), "--project", str(folder), "--output", "json", "--no-history")
    told = command_line(tmp_path, *words)
    assert told["result"] == [str(folder), str(folder), "one"]


def test_a_plan_runs_its_plugins_in_the_project_folder(tmp_path: Path, plugin: Path) -> None:
    folder = project(tmp_path, "one")
    plan = tmp_path / "plan.yaml"
    plan.write_text("steps:\n- {id: a, tool: where}\n", "utf-8")
    told = command_line(
        tmp_path,
        "batch",
        "run",
        str(plan),
        "--plugin",
        str(plugin),
        "--project",
        str(folder),
        "--output",
        "json",
        "--no-history",
        "--no-journal",
        "--yes",
    )
    assert str(folder) in json.dumps(told)
    assert str(tmp_path / "elsewhere") not in json.dumps(told)
