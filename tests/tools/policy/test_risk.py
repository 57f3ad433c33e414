"""What a call can do: hints, concerns and command lines, and whose word counts."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import pytest

from tools import Concern, PathRole, RiskClass, ShellCommand, Tool, ToolSource, make_tool, process_tool
from tools.card import SourceKind
from tools.catalog import builtin_tools
from tools.catalog.system import System
from tools.declare import bundle_of
from tools.execution.security import standing_concerns
from tools.paths import path_concerns, resolve_paths
from tools.policy.risk import risk_of
from tools.spec import RiskDegree, RiskLevel


def made(function: Callable[..., Any] = lambda: None, **card: Any) -> Tool:
    return make_tool("it", "Do it.", function, **card)


def write_path(path: Annotated[Path, PathRole(writes=True)]) -> None:
    pass


@pytest.mark.parametrize(
    ("card", "risk"),
    [
        ({"read_only_hint": True}, RiskClass.READ_ONLY),
        ({"read_only_hint": True, "open_world_hint": True}, RiskClass.NETWORK),
        ({"read_only_hint": False}, RiskClass.WRITE),
        ({"destructive_hint": False}, RiskClass.WRITE),
        ({"destructive_hint": False, "open_world_hint": True}, RiskClass.NETWORK),
        ({"destructive_hint": True}, RiskClass.DESTRUCTIVE),
        ({"destructive_hint": True, "read_only_hint": True}, RiskClass.DESTRUCTIVE),
        ({"open_world_hint": True}, RiskClass.UNKNOWN),
        ({}, RiskClass.UNKNOWN),
    ],
)
def test_the_word_of_the_persons_own_tools_counts(card: dict[str, Any], risk: RiskClass) -> None:
    assert risk_of(made(**card), {}, ()).risk is risk


def test_what_writes_files_is_never_harmless() -> None:
    assert risk_of(made(write_path, read_only_hint=True), {}, ()).risk is RiskClass.WRITE


def test_the_word_of_strangers_only_raises() -> None:
    stranger = ToolSource(SourceKind.SERVER, "weather")
    harmless = made(read_only_hint=True).with_source(stranger)
    why = (
        "weather says that it changes nothing; of the rest nothing, taken as one that reaches beyond this computer."
        " Nobody checked that."
    )
    assert risk_of(harmless, {}, ()) == (RiskClass.UNKNOWN, RiskDegree.UNKNOWN, why)
    assert risk_of(made(destructive_hint=True).with_source(stranger), {}, ()).risk is RiskClass.DESTRUCTIVE
    trusted = stranger._replace(is_trusted=True)
    # Where it reaches to is not said, and trust makes no word of that.
    assert risk_of(harmless.with_source(trusted), {}, ()).risk is RiskClass.NETWORK
    local = made(read_only_hint=True, open_world_hint=False).with_source(trusted)
    assert risk_of(local, {}, ()).risk is RiskClass.READ_ONLY

    def start(line: Annotated[str, ShellCommand()]) -> None:
        pass

    started = made(start, read_only_hint=True).with_source(stranger)
    assert risk_of(started, {"line": "ls"}, ()).risk is RiskClass.UNKNOWN
    assert risk_of(started, {"line": "sudo ls"}, ()).risk is RiskClass.ESCALATION


def test_concerns_raise() -> None:
    tool = made(read_only_hint=True)
    for kind, risk in (
        ("sends_data", RiskClass.NETWORK),
        ("overwrites", RiskClass.DESTRUCTIVE),
        ("changes", RiskClass.WRITE),
        ("of_its_own", RiskClass.READ_ONLY),
    ):
        assert risk_of(tool, {}, [Concern(kind, "Title", "Detail.")]).risk is risk
    assert risk_of(tool, {}, [Concern("deletes", "Deletes a file", "a.txt")]).why == "Deletes a file: a.txt."


@pytest.mark.parametrize(
    ("arguments", "risk"),
    [
        ({"command": "ls -l"}, RiskClass.READ_ONLY),
        ({"command": "ls", "arguments": ["-l"]}, RiskClass.READ_ONLY),
        ({"command": "ls; rm x"}, RiskClass.UNKNOWN),
        ({"command": "ls; rm x", "shell": True}, RiskClass.DESTRUCTIVE),
        ({"command": "pytest -q"}, RiskClass.BUILD_TEST),
        ({"command": "git", "arguments": ["push", "-f"]}, RiskClass.DESTRUCTIVE),
        ({"command": "ls", "env": {"PATH": "."}}, RiskClass.UNKNOWN),
        ({"command": "sudo ls"}, RiskClass.ESCALATION),
    ],
)
def test_commands_are_judged_by_what_they_run(arguments: dict[str, Any], risk: RiskClass) -> None:
    run_command = next(tool for tool in bundle_of(System()).tools if tool.name == "run_command")
    concerns = [Concern("command", "Runs a command"), Concern("confirmation", "Always asks")]
    assert risk_of(run_command, arguments, concerns).risk is risk


def test_a_tool_that_is_a_program_is_never_better_than_it_says() -> None:
    assert risk_of(process_tool("it", ["ls"], "Do it."), {}, ()).risk is RiskClass.UNKNOWN
    assert risk_of(process_tool("it", ["ls"], "Do it.", read_only_hint=True), {}, ()).risk is RiskClass.READ_ONLY
    sudo = process_tool("it", ["sudo", "ls"], "Do it.", read_only_hint=True)
    assert risk_of(sudo, {}, ()).risk is RiskClass.ESCALATION


def test_levels_are_those_of_the_reference() -> None:
    assert [risk.level for risk in RiskClass] == [
        RiskLevel.LOW,
        RiskLevel.LOW,
        RiskLevel.MEDIUM,
        RiskLevel.MEDIUM,
        RiskLevel.HIGH,
        RiskLevel.HIGH,
        RiskLevel.CRITICAL,
    ]


@pytest.mark.parametrize(
    ("name", "arguments", "degree", "why"),
    [
        ("write_file", {"path": "new.txt", "text": "Hello there"}, RiskDegree.LOW, "It makes something new"),
        ("write_file", {"path": "new.txt", "text": "x", "overwrite": True}, RiskDegree.LOW, "It makes something new"),
        ("write_file", {"path": "old.txt", "text": "x", "overwrite": True}, RiskDegree.HIGH, "Replaces a file: old"),
        ("write_file", {"path": "../out.txt", "text": "x"}, RiskDegree.HIGH, "Outside the project folder: Changes"),
        ("append_file", {"path": "old.txt", "text": "x"}, RiskDegree.MEDIUM, "Changes a file: Adds to the end of old"),
        ("make_folder", {"path": "out"}, RiskDegree.LOW, "It makes something new"),
        ("move_file", {"source": "old.txt", "target": "b.txt"}, RiskDegree.MEDIUM, "It changes what is there already"),
        ("copy_file", {"source": "old.txt", "target": "b.txt"}, RiskDegree.LOW, "It makes something new"),
        ("copy_file", {"source": "many", "target": "more"}, RiskDegree.MEDIUM, "A whole folder: many"),
        ("delete_file", {"path": "old.txt"}, RiskDegree.HIGH, "Deletes a file: old.txt"),
        ("delete_file", {"path": "many"}, RiskDegree.HIGH, "Deletes an empty folder: many"),
        ("read_file", {"path": "old.txt"}, RiskDegree.LOW, "The tool says that it changes nothing."),
        ("read_file", {"path": "../out.txt"}, RiskDegree.MEDIUM, "Outside the project folder: Reads"),
        ("http_request", {"url": "https://example.org"}, RiskDegree.MEDIUM, "The tool changes something, and reaches"),
        (
            "http_request",
            {"url": "https://example.org", "method": "POST", "text": "x"},
            RiskDegree.HIGH,
            "Sends data: POST to https://example.org",
        ),
        ("query_database", {"path": "a.db", "sql": "SELECT 1"}, RiskDegree.MEDIUM, "The tool only reads, but reaches"),
        (
            "change_database",
            {"path": "a.db", "sql": "DROP TABLE a"},
            RiskDegree.HIGH,
            "May change a database: a.db: DROP TABLE a",
        ),
        ("run_command", {"command": "ls"}, RiskDegree.LOW, "ls "),
        ("run_command", {"command": "rm -rf many"}, RiskDegree.HIGH, "rm "),
        ("run_command", {"command": "sudo ls"}, RiskDegree.HIGH, "sudo "),
        ("run_command", {"command": "nobody-knows-it"}, RiskDegree.HIGH, "nobody-knows-it is not known to be harmless"),
    ],
)
def test_the_degree_is_that_of_what_this_call_would_touch(
    name: str, arguments: dict[str, Any], degree: RiskDegree, why: str, tmp_path: Path
) -> None:
    project = tmp_path / "project"
    (project / "many").mkdir(parents=True)
    (project / "old.txt").write_text("What is there.")
    tool = next(tool for tool in builtin_tools() if tool.name == name)
    values = resolve_paths(tool.arguments.validate(arguments), tool.path_roles, project)
    concerns = [*standing_concerns(tool), *path_concerns(values, tool.path_roles, project)]
    if callable(tool.concerns_of):
        concerns += tool.concerns_of(values, project)
    risk = risk_of(tool, tool.arguments.dump(values), concerns)
    assert risk.degree is degree
    assert risk.why.startswith(why)


def test_a_tool_of_somebody_elses_is_as_bad_as_it_says_whatever_it_would_touch(tmp_path: Path) -> None:
    plugin = ToolSource(SourceKind.PLUGIN, "mine.py")
    tool = made(write_path, destructive_hint=True).with_source(plugin)
    assert risk_of(tool, {"path": str(tmp_path / "new")}, ()).degree is RiskDegree.HIGH


def test_a_tool_that_says_nothing_is_unknown_and_not_high() -> None:
    greeting = made().with_source(ToolSource(SourceKind.PLUGIN, "mine.py"))
    assert risk_of(greeting, {}, ()) == (
        RiskClass.UNKNOWN,
        RiskDegree.UNKNOWN,
        "The tool does not say whether it changes something.",
    )
    deleting = risk_of(greeting, {}, [Concern("deletes", "Deletes a file", "a.txt")])
    assert (deleting.risk, deleting.degree) == (RiskClass.DESTRUCTIVE, RiskDegree.HIGH)


def test_what_a_silent_servers_tool_would_run_counts_more_than_its_silence() -> None:
    def start(line: Annotated[str, ShellCommand()]) -> None:
        pass

    silent = made(start).with_source(ToolSource(SourceKind.SERVER, "weather"))
    assert risk_of(silent, {"line": "ls"}, ()).degree is RiskDegree.UNKNOWN
    assert risk_of(silent, {"line": "rm -rf x"}, ()).degree is RiskDegree.HIGH
    assert risk_of(silent, {"line": "ls"}, ()).risk is RiskClass.DESTRUCTIVE
