"""A server is looked at, allowed, used and ended: its tools are tools like any other, and nothing of it outlives us."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from tests.end2end.conftest import copy_of_sample, open_console
from tests.end2end.person import Person

pytestmark = pytest.mark.xvfb
ROOT = Path(__file__).parents[2]
REPOSITORY = ROOT / "tests" / "mcp_servers" / "repository.py"
PASTE = "Command, address or block of settings"
BROWSER = """#!{python}
import sys, urllib.request
with urllib.request.urlopen(sys.argv[1]) as page, open({seen!r}, "ab") as seen:
    seen.write(page.read())
"""


@pytest.fixture
def person(tmp_path: Path) -> Iterator[Person]:
    folder = tmp_path / "config" / "tool-console"
    folder.mkdir(parents=True)
    entry = {"command": sys.executable, "args": ["-S", "-E", str(REPOSITORY)], "protocol": "older"}
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


@pytest.fixture
def newcomer(tmp_path: Path) -> Iterator[Person]:
    """Give a person who has no servers yet, a keyring, and a browser that goes wherever it is sent."""
    programs = tmp_path / "bin"
    programs.mkdir()
    browser = programs / "xdg-open"
    browser.write_text(BROWSER.format(python=sys.executable, seen=str(tmp_path / "seen.html")), "utf-8")
    browser.chmod(0o755)
    path = os.pathsep.join((str(programs), os.environ["PATH"]))
    environment = {"PATH": path, "PYTHON_KEYRING_BACKEND": "tests.memory_keyring.MemoryKeyring"}
    with open_console(tmp_path, copy_of_sample(tmp_path), environment=environment) as found:
        yield found


@contextlib.contextmanager
def signing_in() -> Iterator[str]:
    """Run a server that wants people to sign in; give its address."""
    words = [sys.executable, "-m", "tests.mcp_servers.signing_in"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, cwd=ROOT) as program:
        try:
            assert program.stdout is not None
            yield f"http://127.0.0.1:{program.stdout.readline().strip()}/mcp"
        finally:
            program.kill()


def begin_to_connect(person: Person, way: str, **settings: str) -> None:
    """Open the dialog that adds a server, and fill it in."""
    person.click("Connect a server", "push button")
    person.focus_on(PASTE)
    if way != "Program":
        person.click(way)
        person.see("^Address$")
    for name, text in settings.items():
        person.fill(name, text)


def test_what_does_not_work_says_so_before_it_is_kept_and_after(newcomer: Person) -> None:
    newcomer.click("Servers", "check box")
    begin_to_connect(newcomer, "Program", Name="typo", Program="no-such-program")
    newcomer.see("^No program 'no-such-program' can be run")
    newcomer.click("Test connection")
    newcomer.see("^The program was not found|^No program 'no-such-program' can be run")
    newcomer.click("Add and connect")
    newcomer.row("MCP servers", "^Command not found$")
    newcomer.see("^Install the program, or correct the command.$")
    begin_to_connect(newcomer, "HTTP", Name="docs", Address="not an address")
    newcomer.see("^Address must be an address")
    newcomer.see_enabled("Add and connect", enabled=False)
    newcomer.fill("Name", "typo")
    newcomer.fill("Address", "http://127.0.0.1:9/mcp")
    newcomer.click("Test connection")
    newcomer.see("^It cannot be reached")
    newcomer.click("Add and connect")
    newcomer.see("^There is a server 'typo' already; choose another name$")
    newcomer.fill("Name", "docs")
    newcomer.click("Add and connect")
    newcomer.row("MCP servers", "^Attempt 2|^Connecting, attempt 2")
    newcomer.see("^Look whether the server runs and the address is right")
    newcomer.click("Disconnect")
    newcomer.row("MCP servers", "^Disconnected$")
    assert newcomer.program.complaints() == []


def test_a_person_declines_to_sign_in_and_then_signs_in_from_the_window(newcomer: Person, tmp_path: Path) -> None:
    with signing_in() as address:
        newcomer.click("Servers", "check box")
        begin_to_connect(newcomer, "HTTP", Name="mine", Address=address)
        newcomer.click("Add and connect")
        newcomer.row("MCP servers", "^Needs you to sign in$")
        newcomer.click("Sign in", "push button")
        newcomer.see(rf"^Address: {address.removesuffix('/mcp')}/authorize\?.*resource=")
        newcomer.click("Decline")
        newcomer.see("^Nobody signed in at 'mine': the address was not opened$")
        assert not (tmp_path / "seen.html").exists()
        newcomer.click("Sign in", "push button")
        newcomer.click("Open in the browser")
        newcomer.row("MCP servers", "^Connected$")
        newcomer.see("^Signed in at mine$")
        assert "You are signed in." in (tmp_path / "seen.html").read_text("utf-8")
        newcomer.click_on(newcomer.row("Tools of the server", "^whoami$"))
        newcomer.click("Open")
        newcomer.click("Run")
        newcomer.click("Allow once")
        newcomer.see("^Success · ")
        assert newcomer.program.complaints() == []
    kept = [path for path in tmp_path.rglob("*") if path.is_file() and b"access-" in path.read_bytes()]
    assert kept == []


@contextlib.contextmanager
def copied(text: str) -> Iterator[None]:
    """Have a text on the clipboard, as somebody who copied it from a README."""
    words = [sys.executable, "-m", "tests.end2end.clipboard", text]
    environment = {**os.environ, "QT_QPA_PLATFORM": "xcb"}
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True, cwd=ROOT, env=environment) as program:
        try:
            assert program.stdout is not None
            assert program.stdout.readline() == "copied\n"
            yield
        finally:
            program.kill()


def test_from_nothing_to_the_first_call_by_keys_alone(newcomer: Person, capsys: pytest.CaptureFixture[str]) -> None:
    """Paste, look, start, approve, run: each key is counted, and the seconds from the paste to the result."""
    server = ROOT / "build" / "mcp-servers" / "python" / "bin" / "mcp-server-time"
    if not server.exists():
        pytest.skip("the server that is pasted is not installed; run packaging/bootstrap servers")
    person, pressed = newcomer, list[str]()

    def press(key: str) -> None:
        pressed.append(key)
        person.press(key)

    with copied(f"$ {server} --local-timezone=UTC"):
        press("ctrl+5")
        person.focus_on("Connect a server")
        began = time.monotonic()
        press("ctrl+v")
        person.see("^A command that starts time$")
        press("Return")
        person.focus_on("Add and connect")
        # The first Enter only went to the button, below what will run.
        assert server_count(person, server) == 0
        press("Return")
        person.focus_on("New tools")
        person.see_enabled("Approve all 2")
        press("ctrl+Return")
        person.focus_on("Tools of the server")
        press("Return")
        person.focus_on("argument timezone")
        person.write("Europe/Lisbon")
        press("ctrl+Return")
        person.see("^Success · ")
        took_s = time.monotonic() - began
    with capsys.disabled():
        print(f"\nFrom nothing to the first call: {len(pressed)} keys ({' '.join(pressed)}), {took_s:.1f} s")
    assert len(pressed) <= 7
    assert person.program.complaints() == []


def server_count(person: Person, program: Path) -> int:
    """Return how many processes of the window's program run a server."""
    children = psutil.Process(person.program.process.pid).children(recursive=True)
    return sum(str(program) in child.cmdline() for child in children if child.is_running())
