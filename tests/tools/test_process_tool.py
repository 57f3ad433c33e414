from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path
from textwrap import dedent
from typing import TYPE_CHECKING, Any

import psutil
import pytest

from tests.tools.running import Recorder, execute, start, steps_of, until
from tools import CallStatus, DeclarationError, Isolation, Policies, Retry, process_tool, resolve_tools
from tools.calls import Logged
from tools.discovery import load_plugin

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pydantic import JsonValue

    from tests.tools.running import ExecutorOf
    from tools import ToolResponse

pytestmark = pytest.mark.reference("D55")

ECHO = """
    import json, sys
    given = json.load(sys.stdin)["input"]
    print(json.dumps({"output": given, "success": True}))
"""


def python(code: str) -> list[str]:
    return [sys.executable, "-S", "-c", dedent(code)]


def answer(executor_of: ExecutorOf, code: str, given: Mapping[str, Any] | str = "x", **options: Any) -> ToolResponse:
    executor = executor_of(process_tool("work", python(code), "Work.", **options))
    return executor.run("work", {"input": given} if isinstance(given, str) else given)


def test_a_text_goes_in_and_comes_back(executor_of: ExecutorOf) -> None:
    made = process_tool("echo", python(ECHO), "Say it again.", category="text", parallelizable=False)
    assert made.input_schema["required"] == ["input"]
    assert (made.spec.category, made.spec.parallelizable, made.policies.timeout_s) == ("text", False, 30)
    response = executor_of(made).run("echo", {"input": "grüße \n“x”"})
    assert (response.status, response.text) == (CallStatus.EXECUTED, "grüße \n“x”")


def test_text_that_is_no_json_is_the_input(executor_of: ExecutorOf) -> None:
    assert executor_of(process_tool("echo", python(ECHO), "Echo.")).run("echo", "just words").text == "just words"


def test_a_schema_of_its_own_sends_all_arguments(executor_of: ExecutorOf) -> None:
    schema: dict[str, JsonValue] = {
        "type": "object",
        "properties": {"a": {"type": "integer"}, "b": {"type": "array", "items": {"type": "string"}}},
        "required": ["a"],
    }
    executor = executor_of(
        process_tool("echo", python(ECHO), "Echo.", input_schema=schema),
        process_tool("plain", python(ECHO), "Echo."),
    )
    response = executor.run("echo", {"a": 1, "b": ["x", "y"]})
    assert response.json_result == {"a": 1, "b": ["x", "y"]}
    assert response.text == '{"a":1,"b":["x","y"]}'
    wrong = executor.run("echo", {"b": 3})
    assert wrong.status is CallStatus.REJECTED
    assert "a is required" in wrong.text
    assert executor.run("plain", {"input": "still a text"}).text == "still a text"


@pytest.mark.parametrize(
    ("written", "text", "as_json"),
    [
        ('{"output": "fine", "success": true}', "fine", "fine"),
        ('{"output": "two", "success": true, "structured": [1, 2]}', "two", [1, 2]),
        ('{"output": {"n": 1}, "success": true, "more": "is ignored"}', '{"n":1}', {"n": 1}),
        ('{"success": true}', "", ""),
    ],
)
def test_the_answer_is_text_or_a_value(executor_of: ExecutorOf, written: str, text: str, as_json: Any) -> None:
    response = answer(executor_of, f"print({written!r})")
    assert (response.status, response.text, response.json_result) == (CallStatus.EXECUTED, text, as_json)


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("""print('{"success": false, "error": "no such city"}')""", "Error: no such city"),
        ("""print('{"success": false, "output": "it rained"}')""", "Error: it rained"),
        ("""print('{"success": false}')""", "Error: The tool failed and gave no reason."),
        ("pass", "answered nothing; expected {"),
        ("print('hello there')", "but its output begins with 'hello there' (Invalid JSON"),
        ("""print('{"output": "x"}')""", "(success: Field required)"),
        ("""print('{"output": "x", "success": "yes"}')""", "(success: Input should be a valid boolean)"),
        ("import sys; sys.exit('the disk is full')", "ended with exit code 1: the disk is full"),
        ("import sys; sys.exit(3)", "ended with exit code 3"),
        ("""print('{"output": "x", "success": true}'); raise SystemExit(4)""", "ended with exit code 4"),
        ("""print('{"success": false, "error": "no"}'); raise SystemExit(4)""", "ended with exit code 4: no"),
        ("import os; os.kill(os.getpid(), 11)", "was ended by SIGSEGV"),
    ],
)
def test_what_is_wrong_with_a_program_is_said(executor_of: ExecutorOf, code: str, said: str) -> None:
    response = answer(executor_of, code)
    assert response.status is CallStatus.FAILED
    assert said in response.text
    assert response.error is not None
    assert response.error.traceback == ""


def test_too_long_an_answer_is_not_read(executor_of: ExecutorOf) -> None:
    response = answer(executor_of, "print('x' * 100_000)", max_output_bytes=1000)
    assert response.text.endswith("wrote 100,001 bytes, more than an answer may have")


def test_a_missing_program_or_folder_is_named(executor_of: ExecutorOf, tmp_path: Path) -> None:
    executor = executor_of(
        process_tool("lost", ["no-such-program-here"], "Lost."),
        process_tool("homeless", python(ECHO), "Homeless.", cwd=tmp_path / "gone"),
    )
    assert "no program 'no-such-program-here' can be run" in executor.run("lost", {"input": ""}).text
    assert "expected a folder to start" in executor.run("homeless", {"input": ""}).text


def test_it_starts_in_the_project_folder_with_its_own_environment(executor_of: ExecutorOf, tmp_path: Path) -> None:
    code = """
        import json, os, sys
        print(json.dumps({"output": [os.getcwd(), os.environ["MODE"], "PATH" in os.environ], "success": True}))
    """
    assert answer(executor_of, code, env={"MODE": "fast"}).json_result == [str(tmp_path.resolve()), "fast", True]
    (tmp_path / "inner").mkdir()
    inside = answer(executor_of, code, env={"MODE": "slow"}, cwd=tmp_path / "inner")
    assert inside.json_result == [str((tmp_path / "inner").resolve()), "slow", True]


@pytest.mark.reference("E24")
def test_its_error_output_is_the_log_while_it_runs(executor_of: ExecutorOf, tmp_path: Path) -> None:
    code = """
        import json, os, sys, time
        print("begun", file=sys.stderr, flush=True)
        while not os.path.exists("go"):
            time.sleep(0.005)
        print("gone on", file=sys.stderr)
        print(json.dumps({"output": "", "success": True}))
    """

    class LetGo(Recorder):
        wants = (Logged,)

        def __call__(self, event: Any) -> None:
            super().__call__(event)
            # Only a line that comes while the program runs lets it end.
            (tmp_path / "go").touch()

    heard = LetGo()
    executor = executor_of(process_tool("work", python(code), "Work."), listeners=[heard])
    response = executor.run("work", {"input": ""})
    assert response.succeeded
    assert [entry.text for entry in response.logs] == ["begun", "gone on"]
    assert len(heard.events) == 2


def test_secrets_of_the_environment_reach_no_log_and_no_message(
    executor_of: ExecutorOf, caplog: pytest.LogCaptureFixture
) -> None:
    code = """
        import os, sys
        print("using", os.environ["TOKEN"], file=sys.stderr)
        print(os.environ["TOKEN"])
        sys.exit("refused: " + os.environ["TOKEN"])
    """
    caplog.set_level("DEBUG")
    response = answer(executor_of, code, env={"TOKEN": "s3cret-token", "LEVEL": "1"})
    assert [entry.text for entry in response.logs] == ["using ••••••", "refused: ••••••"]
    assert response.text.endswith("exit code 1: using ••••••\nrefused: ••••••")
    assert "s3cret" not in caplog.text
    assert "s3cret" not in answer(executor_of, "import os; print(os.environ['TOKEN'])", env={"TOKEN": "s3cret"}).text


FAMILY = """
    import subprocess, sys, time
    child = subprocess.Popen([sys.executable, "-S", "-c", "import time; time.sleep(600)"])
    with open("pids", "w") as file:
        import os
        file.write(f"{os.getpid()} {child.pid} ")
    time.sleep(600)
"""


async def family_in(folder: Path) -> list[int]:
    await until(lambda: (folder / "pids").exists() and (folder / "pids").read_text().count(" ") == 2)
    return [int(word) for word in (folder / "pids").read_text().split()]


def lives(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


@pytest.mark.reference("E31")
async def test_stopping_ends_it_and_what_it_started(executor_of: ExecutorOf, tmp_path: Path) -> None:
    executor = executor_of(process_tool("work", python(FAMILY), "Work."))

    call, running = start(executor, "work", {"input": ""})
    pids = await family_in(tmp_path)
    call.cancel()
    response = await running
    assert response.status is CallStatus.CANCELLED
    await until(lambda: not any(lives(pid) for pid in pids))
    await executor.aclose()


async def test_its_time_limit_is_real(executor_of: ExecutorOf, tmp_path: Path) -> None:
    executor = executor_of(process_tool("work", python(FAMILY), "Work.", timeout_s=0.5))

    response = await execute(executor, "work", {"input": ""})
    assert response.status is CallStatus.TIMED_OUT
    assert "longer than 0.5 s" in response.text
    if (tmp_path / "pids").exists():
        pids = await family_in(tmp_path)
        await until(lambda: not any(lives(pid) for pid in pids))
    await executor.aclose()


async def test_several_run_side_by_side_and_leave_no_descriptor_open(executor_of: ExecutorOf) -> None:
    executor = executor_of(process_tool("echo", python(ECHO), "Echo."))
    await execute(executor, "echo", {"input": "first"})
    before = psutil.Process().num_fds()
    responses = await asyncio.gather(*(execute(executor, "echo", {"input": str(n)}) for n in range(6)))
    assert [response.text for response in responses] == [str(n) for n in range(6)]
    await until(lambda: psutil.Process().num_fds() <= before)
    await executor.aclose()
    assert before > 0


def test_a_program_that_does_not_read_its_input_is_fine(executor_of: ExecutorOf) -> None:
    response = answer(executor_of, """print('{"output": "ok", "success": true}')""", "x" * 1_000_000)
    assert response.text == "ok"


def test_policies_surround_it_like_any_tool(executor_of: ExecutorOf, tmp_path: Path) -> None:
    code = """
        import json, os, sys
        if os.path.exists("tried"):
            print(json.dumps({"output": "second time", "success": True}))
        else:
            open("tried", "w").close()
            sys.exit("not yet")
    """
    retry = Policies(retry=Retry(max_attempts=2, initial_delay_s=0, retry_on=(Exception,)), timeout_s=60)
    response = answer(executor_of, code, policies=retry)
    assert (response.text, len(response.attempts)) == ("second time", 2)
    assert [name for name in steps_of(response) if name.startswith("Execute")] == [
        "Execute, attempt 1", "Execute, attempt 2",
    ]  # fmt: skip


def test_plugins_and_lists_of_tools_may_hold_one(tmp_path: Path) -> None:
    plugin = tmp_path / "programs.py"
    plugin.write_text(
        'from tools import process_tool\n\nweather = process_tool("weather", ["weather"], "Tell the weather.")\n'
    )
    report = load_plugin(plugin)
    assert report.error == ""
    # What comes from plugins runs in worker processes; a program has a process already.
    assert [made.isolation for made in report.tools] == [Isolation.INLINE]
    assert [(made.name, made.source.name) for made in report.tools] == [("weather", "programs.py")]
    assert [made.name for made in resolve_tools([process_tool("a", ["x"], "A."), process_tool("b", ["x"], "B.")])] == [
        "a", "b",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "options", [{"isolation": "process"}, {"policies": Policies(isolation=Isolation.PROCESS)}], ids=["card", "policies"]
)
def test_a_program_needs_no_worker_process(options: dict[str, Any]) -> None:
    with pytest.raises(DeclarationError, match="a program has a process of its own"):
        process_tool("work", ["x"], "Work.", **options)


@pytest.mark.parametrize("command", ["one string", [], b""])
def test_a_command_is_a_list(command: Any) -> None:
    with pytest.raises(DeclarationError, match=r"process_tool\('work'\): command is a list"):
        process_tool("work", command, "Work.")


def test_a_path_is_a_program_too(executor_of: ExecutorOf, tmp_path: Path) -> None:
    script = tmp_path / "tool.sh"
    script.write_text('#!/bin/sh\ncat > /dev/null\necho \'{"output": "from a script", "success": true}\'\n')
    script.chmod(0o700)
    assert os.access(script, os.X_OK)
    assert executor_of(process_tool("work", [script], "Work.")).run("work", {"input": ""}).text == "from a script"
