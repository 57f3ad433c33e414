"""A server is looked at, allowed, used and ended: its tools are tools like any other, and nothing of it outlives us."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from tests.end2end.conftest import copy_of_sample, open_console
from tests.end2end.person import Person

pytestmark = pytest.mark.xvfb
REPOSITORY = Path(__file__).parents[1] / "mcp_servers" / "repository.py"


@pytest.fixture
def person(tmp_path: Path) -> Iterator[Person]:
    folder = tmp_path / "config" / "tool-console"
    folder.mkdir(parents=True)
    entry = {"command": sys.executable, "args": ["-S", "-E", str(REPOSITORY)], "era": "legacy"}
    (folder / "servers.json").write_text(json.dumps({"mcpServers": {"repository": entry}}), "utf-8")
    with open_console(tmp_path, copy_of_sample(tmp_path)) as found:
        yield found


def server_processes(person: Person) -> list[psutil.Process]:
    return [child for child in psutil.Process(person.program.process.pid).children(recursive=True) if is_server(child)]


def is_server(process: psutil.Process) -> bool:
    try:
        return str(REPOSITORY) in process.cmdline()
    except psutil.Error:
        return False


def test_a_server_is_allowed_used_and_leaves_nothing_behind(person: Person) -> None:
    person.click("Servers", "check box")
    person.row("MCP servers", "^Off, not allowed yet$")
    assert server_processes(person) == []
    person.row("MCP servers", "^repository$")
    person.press("Return")
    person.see(f"{REPOSITORY}$")
    person.click("Allow and start")
    person.row("MCP servers", "^Connected$")
    person.click_on(person.row("Tools of the server", "^list_issues$"))
    servers = server_processes(person)
    assert servers
    person.click("Open")
    person.fill_form(label="bug")
    person.press("ctrl+Return")
    person.see_enabled("Allow once")
    person.click("Allow once")
    person.see("^Success · ")
    assert person.program.complaints() == []
    person.program.process.kill()
    person.program.process.wait()
    _, left = psutil.wait_procs(servers, timeout=15)
    assert left == []
