"""Processes looked at and ended, the environment, programs and command lines."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

from tests.tools.catalog.calling import Reviewer, failure_of, result_of
from tools.catalog import builtin_tools
from tools.catalog.system import System
from tools.check.checker import skip_by_risk
from tools.check.findings import SkipReason


def run(tmp_path: Path, tool: str, **arguments: Any) -> Any:
    return result_of(System(), tool, arguments, tmp_path, Reviewer())


def fail(tmp_path: Path, tool: str, **arguments: Any) -> str:
    return failure_of(System(), tool, arguments, tmp_path, Reviewer())


@pytest.fixture
def stubborn() -> Iterator[subprocess.Popen[str]]:
    """Start a process with a child; both do not end when they are asked to."""
    ignore = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN)"
    child = f"{ignore}; print('up', flush=True); time.sleep(60)"
    parent = f"import subprocess, sys; {ignore}; subprocess.Popen([sys.executable, '-c', {child!r}]); time.sleep(60)"
    command = [sys.executable, "-c", parent, "--token=abc123"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "up\n"
        yield process
        process.kill()


def test_a_process_is_looked_at_and_ended_with_what_it_started(tmp_path: Path, stubborn: subprocess.Popen[str]) -> None:
    details = run(tmp_path, "process_info", pid=stubborn.pid)
    assert details.command[-1] == "--token=••••••"
    assert details.parents[0].startswith(f"{os.getpid()} ")
    child = int(details.children[0].split()[0])
    assert "not 'postgres'" in fail(tmp_path, "end_process", pid=stubborn.pid, expected_name="postgres")

    ended = run(tmp_path, "end_process", pid=stubborn.pid, expected_name="python", wait_s=0.2)

    assert (ended.killed, ended.children_ended) == (True, 1)
    assert not psutil.pid_exists(child) or psutil.Process(child).status() == psutil.STATUS_ZOMBIE
    assert "there is no process" in fail(tmp_path, "process_info", pid=999_999_999)


@pytest.mark.parametrize("pid", [1, os.getppid(), os.getpid()], ids=["init", "parent", "itself"])
def test_nobody_ends_what_this_program_needs(tmp_path: Path, pid: int) -> None:
    assert "refused to end" in fail(tmp_path, "end_process", pid=pid, expected_name="")


def test_secrets_of_the_environment_are_hidden(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SAMPLE_API_KEY", "abc")
    monkeypatch.setenv("SAMPLE_URL", "https://mira:secret@example.org/x?token=abc")
    monkeypatch.setenv("SAMPLE_PLAIN", "plain")

    found = run(tmp_path, "environment_variables", name="sample_")

    assert found.variables["SAMPLE_PLAIN"] == "plain"
    assert found.hidden == ("SAMPLE_API_KEY", "SAMPLE_URL")
    assert not {"abc", "secret"} & set(str(found).replace("@", "=").replace("'", "=").split("="))


def test_programs_are_found_on_the_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "tool").write_text("#!/bin/sh\n")
        (tmp_path / name / "tool").chmod(0o755)
    monkeypatch.setenv("PATH", os.pathsep.join((str(tmp_path / "one"), str(tmp_path / "two"))))

    tool, missing = run(tmp_path, "find_programs", names=["tool", "none"])

    assert (tool.path, tool.others) == (str(tmp_path / "one/tool"), (str(tmp_path / "two/tool"),))
    assert missing.path is None
    assert "expected names of programs" in fail(tmp_path, "find_programs", names=["../tool"])


@pytest.mark.parametrize(
    ("command", "risk", "programs"),
    [("ls -l | head", "low", ("ls", "head")), ("rm -rf build", "high", ("rm",)), ("sudo ls", "critical", None)],
)
def test_a_command_line_is_explained(tmp_path: Path, command: str, risk: str, programs: tuple[str, ...] | None) -> None:
    found = run(tmp_path, "explain_command", command=command)

    assert (found.risk, bool(found.steps)) == (risk, True)
    if programs is not None:
        assert found.programs == programs


def test_a_check_with_drawn_arguments_ends_no_process() -> None:
    skipped = skip_by_risk(
        next(tool for tool in builtin_tools() if tool.name == "end_process"), in_scratch=True, reaches_out=False
    )
    assert skipped is not None
    assert skipped.reason is SkipReason.CHANGES_ELSEWHERE
