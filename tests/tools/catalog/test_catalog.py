"""The catalogue as a whole: what each tool says of itself is complete and true, whatever arguments it is given."""

from __future__ import annotations

import asyncio
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import HealthCheck, given, settings

from tests.tools.catalog.drawn_arguments import arguments_of
from tests.tools.catalog.example_project import make_example_project
from tests.tools.catalog.watched import NEED_PROGRAMS, Seen, reason_not_to_run
from tools import CallStatus, Tool, ToolRegistry
from tools.card import BUILT_IN
from tools.catalog import TOOLKITS, builtin_tools, declared_tools
from tools.catalog._bounds import MAX_CHARS
from tools.check import CheckOptions, CheckReport, ToolChecker
from tools.lint import Severity, lint_registry

ROOT: Final = Path(__file__).parents[3]
TOOLS: Final = builtin_tools()
RUN: Final = [
    pytest.param(tool, number, id=f"{tool.name}-{number}")
    for tool in TOOLS
    if not reason_not_to_run(tool)
    for number in range(len(tool.spec.examples))
]
PROGRAMS: Final = {"git", "ffprobe", "tesseract", "ping"}
"""What a tool that only reads may start."""
WAITING: Final = {"system_load", "wait_seconds", "watch_file"}
"""Tools whose arguments say how long they wait, which made-up ones should not."""
CALLS: Final = int(os.environ.get("TOOL_CONSOLE_CATALOG_CALLS", "4"))
"""How many calls with drawn arguments each tool gets; `make fuzz` makes more."""

Watched = Mapping[tuple[str, int], Seen]


@pytest.fixture(scope="module")
def watched(made_once: Callable[[str, Callable[[Path], bytes]], bytes]) -> Watched:
    """Return what the examples did, run once in a process of their own."""
    seen = [Seen(**json.loads(line)) for line in made_once("watched", _run_examples).splitlines()]
    return {(one.tool, one.example): one for one in seen}


def _run_examples(folder: Path) -> bytes:
    project = make_example_project(folder / "project")
    for name in ("home", "aside"):
        (folder / name).mkdir()
    own = {"HOME": str(folder / "home"), "TMPDIR": str(folder / "aside"), "MPLCONFIGDIR": str(folder / "aside")}
    done = subprocess.run(
        [sys.executable, "-B", "-m", "tests.tools.catalog.watched", str(project)],
        cwd=ROOT,
        env=os.environ | own | {"TOOL_CONSOLE_DATA": str(folder / "data")},
        capture_output=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout


@pytest.mark.reference("A1", "A3", "C49")
def test_the_catalogue_holds_every_toolkits_tools_once() -> None:
    names = [tool.name for tool in TOOLS]

    assert len(names) == len(set(names)) == len(declared_tools())
    assert {tool.source for tool in TOOLS} == {BUILT_IN}
    assert len({tool.toolkit for tool in TOOLS} - {""}) == len(TOOLKITS)


@pytest.mark.reference("D56")
def test_the_readme_says_how_many_there_are() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    said = re.search(r"^(\d+) of them", text.partition("## The built-in tools")[2], re.MULTILINE)

    # The search for tools is one of them; it needs a registry, so it stands beside the toolkits.
    assert said is not None
    assert int(said[1]) == len(TOOLS) + 1


@pytest.mark.reference("A4", "A6", "A10", "C45")
@pytest.mark.parametrize("tool", TOOLS, ids=[tool.name for tool in TOOLS])
def test_a_tool_says_all_about_itself(tool: Tool) -> None:
    spec = tool.spec
    properties: dict[str, Any] = tool.input_schema.get("properties", {})  # type: ignore[assignment]

    assert spec.description.endswith(".")
    assert len(spec.description) <= 1024
    assert len(spec.keywords) >= 3
    assert spec.category != "general"
    assert spec.latency is not None
    assert tool.output_schema is not None
    assert spec.open_world_hint is not None
    assert 1 <= len(spec.examples) <= 3
    assert [name for name, part in properties.items() if not part.get("description")] == []
    for example in spec.examples:
        assert example.description or example.why_bad
        assert not example.negative or example.why_bad
    for example in spec.good_examples:
        tool.arguments.validate(example.input)


def test_no_description_has_a_fault() -> None:
    found = [
        f"{finding.tool}: {finding.rule} {finding.detail}"
        for finding in lint_registry(TOOLS)
        if finding.severity is not Severity.HINT
    ]

    assert found == []


def test_what_nobody_ran_against_the_real_service_says_so() -> None:
    others = {"look_up_registration", *NEED_PROGRAMS}
    kits = {"Search", "Lookups", "Packages", "Forges", "Messaging"}
    untried = {tool.name for tool in TOOLS if tool.toolkit in kits} | others

    assert {tool.name for tool in TOOLS if tool.spec.untried} == untried
    assert all(tool.spec.needs for tool in TOOLS if tool.spec.untried)


@pytest.mark.reference("A19", "C45")
@pytest.mark.parametrize("tool", TOOLS, ids=[tool.name for tool in TOOLS])
def test_what_changes_files_or_reaches_out_to_change_asks_first(tool: Tool) -> None:
    writes = any(role.writes for _, role in tool.path_roles)

    assert not (writes and tool.spec.read_only_hint)
    # Some ask by their arguments: an HTTP request that only reads asks nobody.
    asks = tool.asks_first or tool.concerns_of is not None
    assert asks or not writes
    assert asks or tool.spec.read_only_hint or not tool.spec.open_world_hint


@pytest.mark.parametrize(("tool", "number"), RUN)
def test_an_example_does_what_it_shows(tool: Tool, number: int, watched: Watched) -> None:
    seen, example = watched[tool.name, number], tool.spec.examples[number]

    assert not seen.traceback
    assert seen.size <= 2 * MAX_CHARS
    assert seen.status == (CallStatus.FAILED if example.negative else CallStatus.EXECUTED), seen.text
    if isinstance(example.output, dict):
        assert example.output.items() <= seen.result.items()
    elif not example.negative:
        assert example.output is None or seen.result == example.output


@pytest.mark.parametrize(("tool", "number"), RUN)
def test_a_tool_does_no_more_than_it_says(tool: Tool, number: int, watched: Watched) -> None:
    seen = watched[tool.name, number]
    by_kind: dict[str, list[str]] = {}
    for kind, what in seen.events:
        by_kind.setdefault(kind, []).append(what)

    assert by_kind.get("socket", []) == []
    if tool.spec.read_only_hint:
        assert not seen.changed
        assert by_kind.get("write", []) == []
        assert set(by_kind.get("program", ())) <= PROGRAMS
        assert seen.stopped in {CallStatus.CANCELLED, CallStatus.EXECUTED, CallStatus.FAILED}
    if seen.changed:
        assert tool.asks_first or tool.concerns_of is not None


def test_any_arguments_give_a_result_or_a_clear_failure(tmp_path: Path) -> None:
    """Draw arguments for every tool that stays on this computer; see `drawn_arguments`.

    A worker process runs them, so what kills it is a fault of the tool and not the end of the tests. The check finds
    tracebacks, results against the schema, calls that do not end, files of tools that only read, and secrets in errors.
    """
    found: list[str] = []
    checker = ToolChecker(ToolRegistry(TOOLS), CheckOptions(call_s=10), scratch=tmp_path)
    with asyncio.Runner() as runner:
        runner.run(checker.__aenter__())
        try:
            for tool in TOOLS:
                if tool.name not in WAITING and checker.skip(tool.name) is None:
                    found += _faults_of(tool, lambda *call: runner.run(checker.replay(*call)))
        finally:
            runner.run(checker.__aexit__())
    assert not found, "\n".join(found)


def _faults_of(tool: Tool, replay: Callable[[str, dict[str, Any]], CheckReport]) -> list[str]:
    @settings(max_examples=CALLS, suppress_health_check=list(HealthCheck))
    @given(arguments_of(tool))
    def check(arguments: dict[str, Any]) -> None:
        findings = replay(tool.name, arguments).findings
        assert not findings, f"{tool.name}: {findings[0].fault} {findings[0].detail} {arguments}"

    try:
        check()
    except AssertionError as error:
        return [str(error)]
    return []
