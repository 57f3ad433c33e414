"""`agent` and `serve`: who is let in, and agents that call the tools of the real program."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx2
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp_types import TextContent

from tools.cli import main
from tools.gateway.agents import AGENTS_FILE, Agents
from tools.gateway.defaults import TOKEN_VARIABLE

ADDING = '''
from tools import tool

@tool(read_only=True)
def add_numbers(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b
'''
Command = Callable[..., tuple[int, str, str]]


@pytest.fixture
def command(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Command:
    monkeypatch.setenv("TOOL_CONSOLE_DATA", str(tmp_path / "data"))

    def call(*words: str) -> tuple[int, str, str]:
        return main(["agent", *words]), *capsys.readouterr()

    return call


def test_nobody_is_let_in_at_first(command: Command) -> None:
    code, out, err = command()
    assert (code, out) == (0, "")
    assert "no agent may call the tools; tool-console agent add NAME lets one in" in err


def test_the_token_of_a_new_agent_is_printed_once_and_alone(command: Command) -> None:
    code, out, err = command("add", "claude", "--tools", "read_*", "--valid-for", "30d")
    assert code == 0
    assert out.startswith("tc_")
    assert len(out.splitlines()) == 1
    assert "not shown again" in err
    _, listed, _ = command("list")
    assert out.strip() not in listed
    assert f"token …{out.strip()[-4:]}, until " in listed
    assert "profile claude" in listed
    assert "read_*, for claude" in command("profile")[1]


def test_json_has_no_hash_of_a_token(command: Command) -> None:
    added = json.loads(command("add", "claude", "--output", "json")[1])
    listed = json.loads(command("list", "--output", "json")[1])
    assert listed == {"agents": [added["agent"]]}
    assert set(added["agent"]) == {"name", "token_hint", "profile", "created_at", "expires_at", "is_blocked", "hold_s"}


def test_an_agent_is_blocked_unblocked_renewed_and_removed(command: Command) -> None:
    first = command("add", "claude")[1]
    assert "claude is blocked" in command("block", "claude")[2]
    assert "blocked, token" in command()[1]
    assert "claude is unblocked" in command("unblock", "claude")[2]
    assert command("renew", "claude")[1] != first
    assert command("remove", "claude")[0] == 0
    assert command()[1] == ""


def test_how_long_a_program_is_held_that_hung_up_is_listed_and_forgotten(command: Command, tmp_path: Path) -> None:
    command("add", "claude")
    Agents(tmp_path / "data" / AGENTS_FILE).note_hold("claude", "claude-code", 27)
    assert "calls of claude-code held 27 s" in command()[1]
    assert "held as long as anybody's again" in command("reset-hold", "claude")[2]
    assert "held" not in command()[1]


def test_calls_of_agents_are_paused_until_somebody_resumes(command: Command) -> None:
    command("add", "claude")
    assert "calls of agents wait until tool-console agent resume; those that run go on" in command("pause")[2]
    assert "calls of agents are paused since" in command("list")[2]
    assert "those that run are stopped" in command("pause", "--stop")[2]
    assert "calls of agents go on" in command("resume")[2]
    assert command("list")[2] == ""


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("add", "two words"), "expected a name of letters, digits, - and _, at most 40, got 'two words'"),
        (("remove", "nobody"), "no agent is called 'nobody'; there are: none"),
    ],
)
def test_what_cannot_be_done_is_told(command: Command, words: tuple[str, ...], message: str) -> None:
    code, out, err = command(*words)
    assert (code, out) == (5, "")
    assert message in err


def test_a_profile_is_made_shown_with_its_cost_given_changed_and_removed(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "120")
    assert "agents see all tools" in command("profile")[2]
    said = ("--rename", "read_file=see", "--describe", "read_file=Sees it.", "--hint", "read_file=readOnlyHint=true")
    code, _, err = command("profile", "add", "reading", "--tools", "read_[cf][si][lv]*", "--without", "read_csv", *said)
    assert code == 0
    assert "reading shows 1 tool, ≈" in err
    shown = command("profile", "show", "reading")[1]
    assert "see  " in shown
    assert "read_file with our name" in shown
    assert "1 tool, ≈" in shown
    command("add", "claude", "--profile", "reading")
    assert "profile reading" in command()[1]
    assert "read_[cf][si][lv]*, without read_csv, 1 tool told otherwise, for claude" in command("profile")[1]
    assert command("profile", "change", "reading", "--without", "")[0] == 0
    document = json.loads(command("profile", "show", "reading", "--output", "json")[1])
    assert [tool["tool"] for tool in document["tools"]] == ["read_csv", "read_file"]
    assert document["tokens"] == sum(tool["tokens"] for tool in document["tools"])
    assert document["tools"][1]["definition"]["annotations"]["readOnlyHint"] is True
    assert "claude has all tools" in command("change", "claude", "--profile", "-")[2]
    assert command("profile", "remove", "reading")[0] == 0
    assert json.loads(command("profile", "list", "--output", "json")[1]) == {"profiles": []}


def test_all_tools_have_a_cost_too(command: Command) -> None:
    everything = json.loads(command("profile", "show", "-", "--output", "json")[1])
    assert len(everything["tools"]) > 20


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (("add", "x", "--rename", "read_file=read_csv"), 5, "would both be called 'read_csv'; rename one of them"),
        (("add", "x", "--rename", "read_file"), 2, "expected TOOL=NAME or TOOL=TEXT, got 'read_file'"),
        (
            ("add", "x", "--rename", "read_file=two words"),
            5,
            "overrides, read_file, name: expected letters, digits, _ and -, at most 64",
        ),
        (
            ("add", "x", "--hint", "read_file=safe=true"),
            5,
            "overrides, read_file, annotations, safe: input should be 'readOnlyHint'",
        ),
        (("change", "x", "--tools", "a"), 5, "no profile is called 'x'; there are: none"),
        (("show", "x"), 5, "no profile is called 'x'"),
    ],
)
def test_a_profile_that_cannot_be_made_is_told(
    command: Command, words: tuple[str, ...], code: int, message: str
) -> None:
    got, _, err = command("profile", *words)
    assert got == code
    assert message in err


@contextmanager
def serving(folder: Path, *options: str) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    words = [sys.executable, "-m", "console", "serve", "--port", "0", "--project", str(folder), *options]
    # A shell has programs in its background ignore Ctrl+C, and they hand that on to those that they start.
    former = signal.signal(signal.SIGINT, signal.default_int_handler)
    with subprocess.Popen(words, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as program:
        signal.signal(signal.SIGINT, former)
        try:
            assert program.stderr is not None
            line = program.stderr.readline()
            assert "agents reach the tools at http://127.0.0.1:" in line, line
            yield line.split(" at ")[1].partition(";")[0], program
        finally:
            program.send_signal(signal.SIGINT)
            program.wait(30)


async def called(address: str, token: str, tool: str, **arguments: object) -> tuple[str, bool]:
    async with (
        httpx2.AsyncClient(headers={"Authorization": f"Bearer {token}"}, timeout=60) as http,
        Client(streamable_http_client(address, http_client=http)) as client,
    ):
        result = await client.call_tool(tool, arguments)
        return "\n".join(part.text for part in result.content if isinstance(part, TextContent)), bool(result.is_error)


@pytest.mark.skipif(sys.platform == "win32", reason="Ctrl+C is sent by signal")
def test_an_agent_calls_the_tools_of_the_program_and_what_is_asked_about_needs_a_person(
    command: Command, tmp_path: Path
) -> None:
    token = command("add", "claude")[1].strip()
    (tmp_path / "note.txt").write_text("kept", encoding="utf-8")
    with serving(tmp_path) as (address, program):
        text, is_error = asyncio.run(called(address, token, "read_file", path="note.txt"))
        assert (json.loads(text)["text"], is_error) == ("kept", False)
        text, is_error = asyncio.run(called(address, token, "delete_file", path="note.txt"))
        assert is_error
        assert "Do not repeat the call" in text
    assert program.returncode == 0
    assert (tmp_path / "note.txt").exists()
    history = subprocess.run(
        [sys.executable, "-m", "console", "history", "search", "--caller", "agent:claude", "--output", "json"],
        capture_output=True,
        text=True,
        check=True,
        env=dict(os.environ),
    )
    assert [call["tool"] for call in json.loads(history.stdout)] == ["delete_file", "read_file"]


@pytest.mark.skipif(sys.platform == "win32", reason="Ctrl+C is sent by signal")
@pytest.mark.parametrize("era", ["legacy", "auto"])
def test_an_agent_that_starts_programs_reaches_the_tools_over_the_bridge(
    command: Command, tmp_path: Path, era: str
) -> None:
    token = command("add", "desktop")[1].strip()

    async def asked() -> tuple[list[str], str]:
        words = ["-m", "console", "bridge"]
        program = StdioServerParameters(command=sys.executable, args=words, env={**os.environ, TOKEN_VARIABLE: token})
        async with Client(program, mode=era) as client:
            names = [one.name for one in (await client.list_tools()).tools]
            result = await client.call_tool("add_numbers", {"a": 1, "b": 2})
            return names, "\n".join(part.text for part in result.content if isinstance(part, TextContent))

    plugin = tmp_path / "adding.py"
    plugin.write_text(ADDING, encoding="utf-8")
    with serving(tmp_path, "--plugin", str(plugin)):
        names, text = asyncio.run(asked())
    assert "add_numbers" in names
    assert text == "3"


def test_a_bridge_without_a_token_says_what_it_expects(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(TOKEN_VARIABLE, "")
    assert main(["bridge"]) == 2
    assert f"expected the token of an agent in {TOKEN_VARIABLE}" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--port", "70000"), "expected a port from 0 to 65535"),
        (("--hold", "0"), "expected more than 0 seconds"),
        (("--calls-a-minute", "0"), "expected at least 1"),
        (("--project", "/no/such/folder"), "--project: /no/such/folder is no folder"),
    ],
)
def test_wrong_options_of_serve_are_told(
    capsys: pytest.CaptureFixture[str], options: tuple[str, ...], message: str
) -> None:
    assert main(["serve", *options]) == 2
    assert message in capsys.readouterr().err
