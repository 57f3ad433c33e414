"""Calls while no project is open: what needs a project folder is refused, and nothing runs in some other folder."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import pytest

from tests.tools import isolated
from tools import Executor, Isolation, PathRole, Policies, ToolContext, ToolRegistry, process_tool, resolve_tools, tool
from tools.calls import CallStatus, ErrorKind
from tools.paths import NO_PROJECT


@tool
def count_bytes(path: Annotated[Path, PathRole()]) -> int:
    """Count what a file holds."""
    return path.stat().st_size


@tool
def list_names(path: Annotated[Path, PathRole()] = Path()) -> list[str]:
    """List a folder."""
    return [entry.name for entry in path.iterdir()]


@tool
def read_text(text: str = "", path: Annotated[Path | None, PathRole()] = None) -> str:
    """Read a text or a file."""
    return text if path is None else path.read_text("utf-8")


@tool
def told_folder(project_dir: Path) -> str:
    """Tell the project folder."""
    return str(project_dir)


@tool
def own_file(*, ctx: ToolContext) -> str:
    """Write a file of its own into the project."""
    (ctx.project_dir / "own.txt").write_text("x", "utf-8")
    return "written"


@tool
def echo(text: str) -> str:
    """Return the text."""
    return text


@pytest.fixture
def executor() -> Iterator[Executor]:
    registry = ToolRegistry()
    registry.register_all(resolve_tools((count_bytes, list_names, read_text, told_folder, own_file, echo)))
    executor = Executor(registry, project_dir=NO_PROJECT)
    yield executor
    executor.close()


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("count_bytes", {"path": "notes.md"}),
        ("count_bytes", {"path": __file__}),
        ("list_names", {}),
        ("read_text", {"path": "notes.md"}),
        ("told_folder", {}),
    ],
)
def test_a_call_that_needs_a_project_is_refused_before_anything_runs(
    executor: Executor, name: str, arguments: dict[str, Any]
) -> None:
    call = executor.create_call(name, arguments)

    assert call.response.status is CallStatus.REJECTED
    error = call.response.error
    assert error is not None
    assert error.kind is ErrorKind.NO_PROJECT
    assert error.message == f"{name} needs a project folder, but no project is open"


@pytest.mark.parametrize(("name", "arguments"), [("echo", {"text": "hi"}), ("read_text", {"text": "hi"})])
def test_a_call_without_paths_needs_none(executor: Executor, name: str, arguments: dict[str, Any]) -> None:
    assert executor.run(name, arguments).text == "hi"


def test_a_tool_that_looks_for_the_folder_while_it_runs_is_told_that_there_is_none(executor: Executor) -> None:
    response = executor.run("own_file")

    assert response.status is CallStatus.FAILED
    assert "no project is open" in response.text
    assert not NO_PROJECT.is_dir()


def test_a_program_does_not_start_in_some_other_folder(executor: Executor) -> None:
    command = [sys.executable, "-c", "raise SystemExit(0)"]
    executor.registry.register(process_tool("count_words", command, "Count words."))

    response = executor.run("count_words", {"input": "a b"})
    assert response.status is CallStatus.FAILED
    assert "no project is open" in response.text


def test_a_tool_without_paths_runs_in_a_worker_process_too() -> None:
    (found,) = resolve_tools((isolated.add,))
    in_worker = replace(found, policies=found.policies.merged(Policies(isolation=Isolation.PROCESS)))
    executor = Executor(ToolRegistry([in_worker]), project_dir=NO_PROJECT)

    assert executor.run("add", {"a": 1}).result == 3
    executor.close()


def test_the_same_call_runs_once_a_project_is_open(executor: Executor, tmp_path: Path) -> None:
    (tmp_path / "notes.md").write_text("four", "utf-8")
    executor.project_dir = tmp_path

    assert executor.run("count_bytes", {"path": "notes.md"}).result == 4
    assert executor.run("told_folder").result == str(tmp_path)
    assert executor.run("own_file").status is CallStatus.EXECUTED


def test_a_tool_says_whether_every_call_of_it_needs_a_project(executor: Executor) -> None:
    needs = {known.name for known in executor.registry if known.needs_project}

    assert needs == {"count_bytes", "list_names", "told_folder"}
