"""Commands, processes and folders of this very computer."""

from __future__ import annotations

import asyncio
import os
import shlex
import sys
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import psutil
import pytest

from tests.tools.catalog.calling import Reviewer, call, executor_for, failure_of, result_of
from tools import CallStatus, ExitEarly, ToolConfigurationError, ToolFailure
from tools.calls import Logged
from tools.catalog.system import System, command_line
from tools.programs import Captured

PYTHON = shlex.quote(sys.executable)


def run(project: Path, command: str, **more: Any) -> Any:
    return result_of(System(), "run_command", {"command": command, **more}, project, Reviewer())


def python(project: Path, code: str, **more: Any) -> Any:
    return run(project, PYTHON, arguments=["-c", code], **more)


def test_a_command_shows_the_person_exactly_what_runs(tmp_path: Path) -> None:
    reviewer = Reviewer(ExitEarly())
    arguments = {
        "command": "printf 'a  b'",
        "arguments": ["it's"],
        "env": {"LEVEL": "2"},
        "folder": ".",
    }

    response = call(System(), "run_command", arguments, tmp_path, reviewer)

    assert response.status is CallStatus.DENIED
    detail = next(concern.detail for concern in reviewer.requests[0].concerns if concern.kind == "command")
    assert detail == f"""Runs in {tmp_path} with LEVEL=2: printf 'a  b' 'it'"'"'s'"""


def test_no_command_runs_without_a_reviewer(tmp_path: Path) -> None:
    with pytest.raises(ToolConfigurationError, match="no review handler"):
        call(System(), "run_command", {"command": "touch x"}, tmp_path)

    assert list(tmp_path.iterdir()) == []


def test_a_command_returns_exit_code_and_both_outputs(tmp_path: Path) -> None:
    code = "import sys; print('out ä'); print('err', file=sys.stderr); sys.exit(3)"

    result = python(tmp_path, code)

    assert (result.exit_code, result.stdout, result.stderr, result.signal) == (3, "out ä\n", "err\n", None)
    assert (result.stdout_bytes, result.truncated) == (7, False)
    assert result.command == (sys.executable, "-c", code)


def test_folder_environment_and_input_reach_the_command(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    code = "import os, sys; print(os.getcwd(), os.environ['LEVEL'], sys.stdin.read())"

    result = python(tmp_path, code, folder="sub", env={"LEVEL": "2"}, stdin="typed")

    assert result.stdout == f"{tmp_path / 'sub'} 2 typed\n"


def test_without_input_a_command_reads_nothing(tmp_path: Path) -> None:
    assert python(tmp_path, "import sys; print(repr(sys.stdin.read()))").stdout == "''\n"


def test_a_command_may_ignore_its_input(tmp_path: Path) -> None:
    assert python(tmp_path, "pass", stdin="x" * 1_000_000).exit_code == 0


@pytest.mark.parametrize("command", ["echo a | cat", "echo a > x", "true && true", "sleep 1 &", "a; b", "cat < x"])
def test_what_only_a_shell_understands_is_refused(tmp_path: Path, command: str) -> None:
    message = failure_of(System(), "run_command", {"command": command}, tmp_path, Reviewer())

    assert "means something to a shell only" in message
    assert list(tmp_path.iterdir()) == []


def test_quoted_operators_variables_and_globs_are_plain_text(tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    assert run(tmp_path, """printf '%s\\n' "a|b" 'x > y' $HOME '*'""").stdout == ("a|b\nx > y\n$HOME\n*\n")


def test_a_shell_reads_the_line_when_asked_to(tmp_path: Path) -> None:
    reviewer = Reviewer()
    arguments = {"command": "echo $LEVEL | tr 2 3", "shell": True, "env": {"LEVEL": "2"}}

    result = result_of(System(), "run_command", arguments, tmp_path, reviewer)

    assert result.stdout == "3\n"
    assert "Runs through the shell in" in reviewer.requests[0].concerns[-1].detail


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("no-such-program --help", "no program 'no-such-program' can be run"),
        ("./missing.sh", "no program './missing.sh' can be run"),
        ("./plain.txt", "no program './plain.txt' can be run"),
        ("echo 'open", "cannot be split into words"),
        ("   ", "expected a program"),
        ("./broken", "cannot be started"),
    ],
)
def test_what_cannot_be_started_fails_with_the_reason(tmp_path: Path, command: str, message: str) -> None:
    (tmp_path / "plain.txt").write_text("x")
    (tmp_path / "broken").write_text("#!/no/such/interpreter\n")
    (tmp_path / "broken").chmod(0o755)

    assert message in failure_of(System(), "run_command", {"command": command}, tmp_path, Reviewer())


def test_a_program_in_the_folder_is_found_by_its_path(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    script = tmp_path / "sub" / "hello.sh"
    script.write_text("#!/bin/sh\necho hello\n")
    script.chmod(0o755)

    assert run(tmp_path, "./hello.sh", folder="sub").stdout == "hello\n"


@pytest.mark.parametrize("env", [{"A=B": "1"}, {"": "1"}, {"A": "x\0y"}])
def test_variables_need_names(tmp_path: Path, env: dict[str, str]) -> None:
    arguments = {"command": "true", "env": env}

    assert "expected a variable's name" in failure_of(System(), "run_command", arguments, tmp_path, Reviewer())


def test_a_signal_is_named(tmp_path: Path) -> None:
    result = python(tmp_path, "import os, signal; os.kill(os.getpid(), signal.SIGKILL)")

    assert (result.exit_code, result.signal) == (-9, "SIGKILL")


def test_long_output_keeps_its_end(tmp_path: Path) -> None:
    result = python(tmp_path, "for n in range(100000): print(n)", max_bytes=12)

    assert (result.stdout, result.stdout_bytes, result.truncated) == ("99998\n99999\n", 588_890, True)


def test_output_is_logged_line_by_line(tmp_path: Path) -> None:
    code = "import sys; print('one\\r'); print('two'); print('bad', file=sys.stderr); print('end', end='')"
    arguments = {"command": PYTHON, "arguments": ["-c", code]}

    response = call(System(), "run_command", arguments, tmp_path, Reviewer())

    assert [entry.text for entry in response.logs if entry.level == "info"] == ["one", "two", "end"]
    assert [entry.text for entry in response.logs if entry.level == "warning"] == ["bad"]


def test_a_line_without_end_is_logged_in_pieces() -> None:
    lines: list[str] = []
    captured = Captured(10, on_line=lines.append)
    for _ in range(5):
        captured.add(b"x" * 1000)
    captured.add("ä".encode()[:1])
    captured.add("ä".encode()[1:])
    captured.add(b"")

    assert "".join(lines) == "x" * 5000 + "ä"
    assert max(map(len, lines)) <= 2000
    assert (captured.content, captured.truncated) == (b"x" * 10, True)


# Starts a grandchild that outlives it, says both numbers, and waits.
FAMILY = """
import subprocess, sys, time, os
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
print(os.getpid(), child.pid, flush=True)
{then}
"""


def _gone(pids: list[int]) -> bool:
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        alive = [pid for pid in pids if psutil.pid_exists(pid) and psutil.Process(pid).status() != "zombie"]
        if not alive:
            return True
        time.sleep(0.01)
    return False


def test_when_the_time_is_over_the_whole_family_is_killed(tmp_path: Path) -> None:
    arguments = {
        "command": PYTHON,
        "arguments": ["-c", FAMILY.format(then="time.sleep(600)")],
        "timeout_s": 1,
    }

    message = failure_of(System(), "run_command", arguments, tmp_path, Reviewer(), status=CallStatus.TIMED_OUT)

    assert "did not end within 1 s and was killed with all it started" in message
    # A busy computer may not have started them in time; the cancelled family below always has.
    assert _gone([int(word) for word in message.rpartition("output: ")[2].strip("'").split() if word.isdecimal()])


def test_a_command_that_ignores_the_polite_request_is_killed_all_the_same(tmp_path: Path) -> None:
    stubborn = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(600)"
    arguments = {"command": PYTHON, "arguments": ["-c", stubborn], "timeout_s": 0.5}

    kit = System(grace_s=0.1)
    message = failure_of(kit, "run_command", arguments, tmp_path, Reviewer(), status=CallStatus.TIMED_OUT)
    assert "had printed nothing" in message


def test_what_stays_behind_in_the_background_is_killed_and_named(tmp_path: Path) -> None:
    arguments = {"command": PYTHON, "arguments": ["-c", FAMILY.format(then="")]}

    response = call(System(), "run_command", arguments, tmp_path, Reviewer())

    assert response.result.exit_code == 0
    assert "left running in the background was killed" in response.logs[-1].text
    assert _gone([int(word) for word in response.result.stdout.split()])


async def test_a_cancelled_command_is_killed(tmp_path: Path) -> None:
    executor = executor_for(System(), tmp_path, Reviewer())
    begun = asyncio.Event()
    executor.add_listener(lambda event: begun.set() if isinstance(event, Logged) else None)
    arguments = {"command": PYTHON, "arguments": ["-c", FAMILY.format(then="time.sleep(600)")]}
    running = executor.create_call("run_command", arguments)
    task = asyncio.create_task(executor.execute(running))
    await begun.wait()
    running.cancel()
    response = await task
    await executor.aclose()
    assert response.status is CallStatus.CANCELLED
    assert _gone([int(word) for word in response.logs[0].text.split()])


def test_a_command_line_is_split_as_in_a_terminal() -> None:
    assert command_line("git log --format='%h %s' \"a b\"", ["c d"], shell=False) == [
        "git",
        "log",
        "--format=%h %s",
        "a b",
        "c d",
    ]
    with pytest.raises(ToolFailure, match="expected a program"):
        command_line("a\0b", None, shell=False)


def test_this_process_is_listed(tmp_path: Path) -> None:
    me = psutil.Process()
    arguments = {"name": me.name().upper(), "sort_by": "pid", "limit": 2000, "command_lines": True}

    listed = result_of(System(), "list_processes", arguments, tmp_path)

    mine = next(row for row in listed.processes if row.pid == os.getpid())
    assert (mine.parent_pid, mine.name, mine.user) == (os.getppid(), me.name(), me.username())
    assert mine.memory_bytes is not None
    assert mine.memory_bytes > 1_000_000
    assert mine.started_at < datetime.now(UTC)
    assert "python" in (mine.command or "")
    assert [row.pid for row in listed.processes] == sorted(row.pid for row in listed.processes)
    assert listed.cpu_count >= 1


def test_processes_are_sorted_filtered_and_cut(tmp_path: Path) -> None:
    by_memory = result_of(System(), "list_processes", {"sort_by": "memory", "limit": 3}, tmp_path)
    sizes = [row.memory_bytes or 0 for row in by_memory.processes]

    assert sizes == sorted(sizes, reverse=True)
    assert all(row.command is None for row in by_memory.processes)
    assert by_memory.truncated == (by_memory.found > 3)
    assert result_of(System(), "list_processes", {"name": "no such program"}, tmp_path).found == 0
    assert result_of(System(), "list_processes", {"user": "no such user"}, tmp_path).processes == ()


def test_a_folder_is_measured(tmp_path: Path) -> None:
    (tmp_path / "big").mkdir()
    (tmp_path / "big" / "deep").mkdir()
    (tmp_path / "big" / "a").write_bytes(b"x" * 3000)
    (tmp_path / "big" / "deep" / "b").write_bytes(b"x" * 2000)
    (tmp_path / "small").write_bytes(b"x" * 10)
    os.link(tmp_path / "big" / "a", tmp_path / "big" / "same")
    (tmp_path / "link").symlink_to("/")

    usage = result_of(System(), "disk_usage", {}, tmp_path)

    assert [(entry.name, entry.is_folder, entry.files) for entry in usage.entries] == [
        ("big", True, 2),
        ("small", False, 1),
        ("link", False, 1),
    ]
    assert usage.entries[0].size_bytes == 5000
    assert (usage.files, usage.folders, usage.complete) == (4, 2, True)
    assert usage.drive_total_bytes >= usage.drive_free_bytes > 0

    cut = result_of(System(), "disk_usage", {"limit": 1, "max_files": 2}, tmp_path)
    assert (len(cut.entries), cut.truncated, cut.complete) == (1, True, False)


def test_only_a_folder_can_be_measured(tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    assert "expected a folder" in failure_of(System(), "disk_usage", {"folder": "file"}, tmp_path)
    assert "does not exist" in failure_of(System(), "disk_usage", {"folder": "missing"}, tmp_path)


def test_the_load_is_that_of_this_computer(tmp_path: Path) -> None:
    found = result_of(System(), "system_load", {"seconds": 0.1}, tmp_path)

    assert (found.processors, found.memory_bytes) == (psutil.cpu_count(), psutil.virtual_memory().total)
    assert found.started_at == datetime.fromtimestamp(psutil.boot_time(), UTC)
    assert 0 <= found.processor_percent <= found.busiest_percent <= 100
    assert 0 < found.memory_available_bytes <= found.memory_bytes
    assert [one.used_percent for one in found.file_systems] == sorted(
        (one.used_percent for one in found.file_systems), reverse=True
    )
    for one in found.file_systems:
        assert (one.size_bytes, one.size_bytes >= one.free_bytes) == (psutil.disk_usage(one.path).total, True)
