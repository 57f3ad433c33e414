"""A tool must not notice where it runs: inline, in a thread, in a worker process, or in one that alone imported it."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.tools import isolated
from tests.tools.running import Answers, Recorder
from tools import (
    Configurator,
    Continue,
    Edit,
    Executor,
    ExitEarly,
    Isolation,
    Policies,
    Tool,
    ToolRegistry,
    ToolResponse,
    ToolResult,
    resolve_tools,
)
from tools.calls import CallStatus, Progressed
from tools.execution.threads import ToolThreads
from tools.execution.workers import WorkerPool
from tools.execution.workers.loading import PluginWorkers

PLACES = ("inline", "thread", "process")
ELSEWHERE = "elsewhere"
"""A worker process, where the program knows the tools only by what a worker told of their file."""


def placed(place: str) -> list[Tool]:
    """Return all tools as ones that run in one place."""
    policies = Policies(isolation=Isolation(place))
    return [replace(tool, policies=tool.policies.merged(policies)) for tool in resolve_tools(isolated.TOOLS)]


class Bench:
    """Run the same tools in each place, all with the same workers."""

    def __init__(self, folder: Path) -> None:
        self.runner = asyncio.Runner()
        self.pool = WorkerPool(2)
        self.folder = folder
        self.registries = {place: ToolRegistry(placed(place)) for place in PLACES}
        self.registries[ELSEWHERE] = ToolRegistry(self.runner.run(self._told()))

    async def _told(self) -> tuple[Tool, ...]:
        threads = ToolThreads()
        report = await PluginWorkers(self.pool, threads).load(Path(isolated.__file__), None, Isolation.PROCESS)
        threads.close()
        assert report.error == ""
        assert len(report.tools) == len(isolated.TOOLS)
        return report.tools

    def run(
        self, place: str, name: str, arguments: dict[str, Any], *answers: Any
    ) -> tuple[ToolResponse, Recorder, Answers]:
        async def call() -> tuple[ToolResponse, Recorder, Answers]:
            recorder, reviewer = Recorder(), Answers(*answers)
            executor = Executor(
                self.registries[place],
                review_handler=reviewer,
                listeners=[recorder],
                project_dir=self.folder,
                config=Configurator({"report.folder": "out"}),
                workers=self.pool,
            )
            response = await executor.execute(executor.create_call(name, arguments, caller="agent:a"))
            await executor.aclose()
            return response, recorder, reviewer

        return self.runner.run(call())


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bench]:
    with pytest.MonkeyPatch.context() as patch:
        # Workers have the environment of the moment in which they start.
        patch.setenv("TOY_KEY", "toy")
        made = Bench(tmp_path_factory.mktemp("project"))
        yield made
    made.pool.close()
    made.runner.close()


def told(response: ToolResponse, recorder: Recorder, answers: Answers) -> dict[str, Any]:
    """Return everything about a call that must not depend on the place."""
    error = response.error
    return {
        "status": response.status,
        "json": response.json_result,
        "text": response.text,
        "error": None if error is None else (error.kind, error.message, error.type_name, error.remedy),
        "own lines": [line for line in (error.traceback if error else "").splitlines() if "isolated.py" in line],
        # A file that is loaded as a plugin is a module of another name.
        "last line": [
            re.sub(r"^[\w.]*isolated\w*\.", "", line) for line in (error.traceback if error else "").splitlines()[-1:]
        ],
        "logs": [(entry.level, entry.text) for entry in response.logs],
        "attachments": response.attachments,
        "turns": response.turns_to_keep,
        "progress": [event.progress for event in recorder.events if isinstance(event, Progressed)],
        "questions": [(request.description, request.prompt, request.timeout_s) for request in answers.requests],
        "events": [name for name in recorder.names if name != "Measured"],
    }


HARMLESS: list[tuple[str, dict[str, Any]]] = [
    ("add", {"a": 1}),
    ("add_slowly", {"a": 1, "b": 5}),
    ("add_later", {"a": 4}),
    ("hits", {}),
    ("values", {}),
    ("nothing", {}),
    ("plain_bytes", {}),
    ("picture", {}),
    ("lines", {}),
    ("greeting", {"name": "Mira"}),
    ("result_ok", {}),
    ("result_text", {}),
    ("result_failure", {}),
    ("no_json_form", {}),
    ("many", {"count": 3_000}),
    ("long_text", {"letters": 400_000}),
    ("nested_long", {}),
    ("chained", {}),
    ("talk", {}),
    ("given", {}),
    ("checked", {"line": 1}),
    ("checked", {"line": 2}),
    ("checked", {"line": 0}),
    ("counter", {"text": "one two"}),
    ("forecast", {"city": "Bern"}),
    ("located", {"path": "notes/a.txt"}),
    (
        "typed",
        {
            "hits": [{"path": "a", "line": 7}],
            "day": "2026-11-22",
            "place": "a/b",
            "secret": "hush",
            "amount": "1.10",
        },
    ),
]
FAILURES = (
    "failure",
    "transient",
    "key",
    "own",
    "rate",
    "denied",
    "exit",
    "exit text",
    "stop",
    "os",
    "unicode",
    "empty",
)


@pytest.mark.parametrize("place", ["inline", "process", ELSEWHERE])
@pytest.mark.parametrize(("name", "arguments"), HARMLESS)
def test_a_tool_behaves_as_in_a_thread(bench: Bench, place: str, name: str, arguments: dict[str, Any]) -> None:
    here, there = (told(*bench.run(where, name, arguments)) for where in ("thread", place))

    assert there == here


# asyncio lets what ends programs out of the program's own loop, so that has a test of its own.
@pytest.mark.parametrize(
    ("name", "kind"),
    [*(("fail", kind) for kind in FAILURES), *(("fail_async", kind) for kind in FAILURES if "exit" not in kind)],
)
@pytest.mark.parametrize("place", ["process", ELSEWHERE])
def test_an_exception_is_told_as_in_a_thread(bench: Bench, place: str, name: str, kind: str) -> None:
    here, there = (told(*bench.run(where, name, {"kind": kind})) for where in ("thread", place))

    assert there == here
    assert there["error"] is not None


@pytest.mark.parametrize(
    "answers",
    [
        (Continue("fine"), Continue()),
        (Edit({"text": "other"}, "so"), Edit("words")),
        (ExitEarly("no"), ExitEarly("never")),
    ],
)
@pytest.mark.parametrize("name", ["ask", "ask_blocking"])
@pytest.mark.parametrize("place", ["process", ELSEWHERE])
def test_questions_travel_both_ways(bench: Bench, place: str, name: str, answers: tuple[Any, ...]) -> None:
    here, there = (told(*bench.run(where, name, {}, *answers)) for where in ("thread", place))

    assert there == here
    assert there["status"] is CallStatus.EXECUTED
    assert there["questions"]


def test_the_response_says_where_the_tool_ran(bench: Bench) -> None:
    ran = {place: bench.run(place, "process", {})[0] for place in PLACES}

    assert [ran[place].isolation for place in PLACES] == [Isolation.INLINE, Isolation.THREAD, Isolation.PROCESS]
    assert ran["thread"].worker_pid is None
    assert ran["process"].worker_pid == ran["process"].result != ran["thread"].result
    assert ran["process"].worker_pid in bench.pool.pids


def test_what_ends_programs_ends_only_the_call(bench: Bench) -> None:
    response, *_ = bench.run("process", "interrupt", {})
    again, *_ = bench.run("process", "fail_async", {"kind": "exit"})

    assert response.error is not None
    assert (response.status, response.error.type_name) == (CallStatus.FAILED, "KeyboardInterrupt")
    assert again.error is not None
    assert "exit code 3" in again.error.message
    assert bench.run("process", "add", {"a": 1})[0].result == 3


def test_a_group_of_exceptions_keeps_its_words(bench: Bench) -> None:
    response, *_ = bench.run("process", "fail", {"kind": "group"})

    assert response.error is not None
    assert response.error.type_name == "ExceptionGroup"
    assert "several" in response.error.message
    assert "ValueError: one" in response.error.traceback


def test_the_result_of_an_isolated_tool_is_json(bench: Bench) -> None:
    assert bench.run("process", "hits", {})[0].result == [{"path": "a", "line": 1}]
    structured = bench.run("process", "result_ok", {})[0]
    assert isinstance(structured.result, ToolResult)
    assert structured.json_result == [{"path": "b", "line": 2}]


def test_a_clause_over_the_result_gets_its_own_type(bench: Bench) -> None:
    assert bench.run("process", "checked", {"line": 1})[0].result == isolated.Hit(path="a", line=1)


def test_what_a_tool_prints_is_in_its_log(bench: Bench) -> None:
    response, *_ = bench.run("process", "printed", {"text": "hello"})

    assert sorted((entry.level, entry.text) for entry in response.logs) == [
        ("info", "hello"),
        ("info", "\N{REPLACEMENT CHARACTER} rawunfinished"),
        ("warning", "hello on stderr"),
    ]


def test_a_worker_knows_nothing_of_qt(bench: Bench) -> None:
    loaded = bench.run("process", "modules", {})[0].result

    assert "tools.tool" in loaded
    assert [name for name in loaded if name.split(".")[0] in {"PySide6", "shiboken6", "console", "qasync"}] == []
    assert [name for name in loaded if name.startswith("tools.catalog")] == []


def test_long_arguments_arrive(bench: Bench) -> None:
    assert bench.run("process", "echo", {"text": "x" * 3_000_000})[0].result == 3_000_000
