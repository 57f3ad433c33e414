"""What a call can do: claims, concerns and command lines, and whose claims count."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import pytest

from tools import Concern, PathRole, RiskClass, ShellCommand, Tool, ToolSource, make_tool, process_tool
from tools.catalog.system import System
from tools.declare import bundle_of
from tools.policy.risk import risk_of
from tools.spec import RiskLevel
from tools.tool import SourceKind


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
def test_claims_of_the_persons_own_tools_count(card: dict[str, Any], risk: RiskClass) -> None:
    assert risk_of(made(**card), {}, ())[0] is risk


def test_what_writes_files_is_never_harmless() -> None:
    assert risk_of(made(write_path, read_only_hint=True), {}, ())[0] is RiskClass.WRITE


def test_claims_of_strangers_only_raise() -> None:
    stranger = ToolSource(SourceKind.SERVER, "weather")
    harmless = made(read_only_hint=True).with_source(stranger)
    assert risk_of(harmless, {}, ()) == (RiskClass.UNKNOWN, "What weather says of its tools cannot be checked.")
    assert risk_of(made(destructive_hint=True).with_source(stranger), {}, ())[0] is RiskClass.DESTRUCTIVE
    trusted = stranger._replace(is_trusted=True)
    assert risk_of(harmless.with_source(trusted), {}, ())[0] is RiskClass.READ_ONLY

    def start(line: Annotated[str, ShellCommand()]) -> None:
        pass

    started = made(start, read_only_hint=True).with_source(stranger)
    assert risk_of(started, {"line": "ls"}, ())[0] is RiskClass.UNKNOWN
    assert risk_of(started, {"line": "sudo ls"}, ())[0] is RiskClass.ESCALATION


def test_concerns_raise() -> None:
    tool = made(read_only_hint=True)
    for kind, risk in (
        ("sends_data", RiskClass.NETWORK),
        ("overwrites", RiskClass.DESTRUCTIVE),
        ("changes", RiskClass.WRITE),
        ("of_its_own", RiskClass.READ_ONLY),
    ):
        assert risk_of(tool, {}, [Concern(kind, "Title", "Detail.")])[0] is risk
    assert risk_of(tool, {}, [Concern("deletes", "Deletes a file", "a.txt")]).why == "Deletes a file: a.txt"


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
    assert risk_of(run_command, arguments, concerns)[0] is risk


def test_a_tool_that_is_a_program_is_never_better_than_it_says() -> None:
    assert risk_of(process_tool("it", ["ls"], "Do it."), {}, ())[0] is RiskClass.UNKNOWN
    assert risk_of(process_tool("it", ["ls"], "Do it.", read_only_hint=True), {}, ())[0] is RiskClass.READ_ONLY
    assert risk_of(process_tool("it", ["sudo", "ls"], "Do it.", read_only_hint=True), {}, ())[0] is RiskClass.ESCALATION


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
