"""What `make dist` gives, each installed on a bare Debian: `make try-installers`, as root on Debian or Ubuntu."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp_types import TextContent

from tests.end2end.bare_root import HOME, INSTALLERS, LIBRARIES, PERSON, BareRoot, bare_root
from tests.end2end.desktop import Program
from tests.end2end.terminal import Terminal

pytestmark = pytest.mark.installers

NAME = f"tool-console-{INSTALLERS['version']()}"
FILES = INSTALLERS["DIST"]
KINDS = ("tar.gz", "deb", "run")
PROJECT = HOME / "project"

CRASHING = """
import ctypes
from tools import tool

@tool
def touch_bad_memory() -> str:
    \"\"\"Crash.\"\"\"
    return ctypes.string_at(0).decode()
"""

PLAN = """
name: digest
steps:
  - id: read
    tool: read_file
    arguments: {path: note.txt}
  - id: each
    tool: calculate
    rows: {values: [1, 2, 3]}
    arguments: {expression: "${row} * 2"}
"""


class Installed(NamedTuple):
    """The program on a bare system.

    Attributes:
        root: The system.
        program: What a person there types to start it.
        kind: How the file ends that it came as.
    """

    root: BareRoot
    program: str
    kind: str

    def run(self, *words: str, expected: int = 0) -> subprocess.CompletedProcess[str]:
        """Run a command of it in the project."""
        return self.root.run("env", f"--chdir={PROJECT}", self.program, *words, expected=expected)

    @property
    def project(self) -> Path:
        """The project folder, seen from outside."""
        return self.root.outside(PROJECT)

    def write(self, name: str, text: str) -> Path:
        """Write a file of the project."""
        path = self.project / name
        path.write_text(text, encoding="utf-8")
        os.chown(path, PERSON, PERSON)
        return path


@pytest.fixture(scope="module", params=KINDS)
def installed(request: pytest.FixtureRequest) -> Iterator[Installed]:
    kind: str = request.param
    (file,) = FILES.glob(f"{NAME}-linux-*.{kind}")
    root = bare_root(kind)
    copy = root.home / file.name
    shutil.copy2(file, copy)
    inside = str(HOME / file.name)
    if kind == "deb":
        root.install(inside)
        program = "tool-console"
    else:
        root.install(*LIBRARIES)
        program = inside
    if kind == "tar.gz":
        root.run("tar", "-xzf", inside, "-C", str(HOME))
        program = str(HOME / NAME / "tool-console")
    copy.parent.joinpath("project").mkdir()
    os.chown(root.outside(PROJECT), PERSON, PERSON)
    yield Installed(root, program, kind)
    assert list(root.processes()) == []
    shutil.rmtree(root.folder)


def test_it_starts_on_a_screen_and_quits(installed: Installed) -> None:
    home = installed.root.home / "window"
    home.mkdir()
    os.chown(home, PERSON, PERSON)
    shutil.copy(os.environ["XAUTHORITY"], home / "xauthority")
    os.chown(home / "xauthority", PERSON, PERSON)
    screen = {"DISPLAY": os.environ["DISPLAY"], "XAUTHORITY": f"{HOME}/window/xauthority"}
    words = installed.root.command([installed.program, "--project", str(PROJECT)], screen)

    with Program(words, home) as program:
        program.wait_for_window()
        program.close_window()

        assert program.wait() == 0
        assert program.complaints() == []
    assert list(installed.root.processes()) == []


def test_it_runs_a_tool(installed: Installed) -> None:
    installed.write("note.txt", "carrots and peas\n")

    assert "carrots and peas" in installed.run("call", "read_file", "path=note.txt").stdout


def test_it_asks_before_a_dangerous_call_and_obeys(installed: Installed) -> None:
    note = installed.write("old.txt", "not needed\n")
    words = [installed.program, "call", "delete_file", "path=old.txt", "--project", str(PROJECT)]
    terminal = Terminal(installed.root.command(words, {"TERM": "xterm"}))
    try:
        terminal.read_until("[c]ontinue")
        assert note.exists()
        terminal.write("c")

        assert terminal.wait() == 0, terminal.shown
    finally:
        terminal.close()
    assert not note.exists()


def test_it_runs_a_batch(installed: Installed) -> None:
    installed.write("note.txt", "carrots and peas\n")
    installed.write("digest.plan.yaml", PLAN)

    done = json.loads(installed.run("batch", "run", "digest.plan.yaml", "--output", "json").stdout)

    assert done["success_rate"] == 1.0


def test_a_crash_of_a_tool_is_one_failed_call(installed: Installed) -> None:
    installed.write("crashing.py", CRASHING)

    done = installed.run("call", "touch_bad_memory", "--plugin", "crashing.py", expected=5)

    assert "SIGSEGV" in done.stderr


def test_it_serves_an_agent(installed: Installed) -> None:
    installed.write("note.txt", "carrots and peas\n")
    token = json.loads(installed.run("agent", "add", "robot", "--output", "json").stdout)["token"]
    words = [installed.program, "serve", "--port", "0", "--project", str(PROJECT)]
    command = installed.root.command(words)

    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as serving:
        try:
            assert serving.stderr is not None
            said = ""
            while "agents reach the tools at " not in said:
                said = serving.stderr.readline()
                assert said, "it ended early"
            address = said.partition("agents reach the tools at ")[2].partition(";")[0]
            told = asyncio.run(ask(address, token, "read_file", {"path": "note.txt"}))
        finally:
            serving.terminate()
            serving.wait(30)
    assert "carrots and peas" in told


async def ask(address: str, token: str, tool: str, arguments: dict[str, str]) -> str:
    async with (
        httpx2.AsyncClient(headers={"Authorization": f"Bearer {token}"}, timeout=60) as http,
        Client(streamable_http_client(address, http_client=http)) as client,
    ):
        result = await client.call_tool(tool, arguments)
        return "\n".join(part.text for part in result.content if isinstance(part, TextContent))


def test_it_leaves_nothing_of_itself_behind(installed: Installed) -> None:
    root = installed.root
    if installed.kind == "deb":
        root.run("dpkg", "--purge", "tool-console", as_root=True)
    elif installed.kind == "run":
        root.run("env", "TOOL_CONSOLE_UNPACK=remove", installed.program)
        root.outside(Path(installed.program)).unlink()
    else:
        shutil.rmtree(root.outside(Path(installed.program).parent))

    own = {"_internal", "tool-console.desktop", "libQt6Core.so.6"}
    left = [path for path in root.folder.rglob("*") if path.name in own]
    assert left == []
    assert not root.outside(Path("/usr/bin/tool-console")).is_symlink()
