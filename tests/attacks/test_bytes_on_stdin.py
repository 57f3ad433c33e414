"""Bytes that are no text, wherever a command reads: told in one line, with the exit code for it, never a traceback."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.attacks.one_start import run_all

BYTES = {
    "a lone continuation byte": b"\x80",
    "a byte that UTF-8 never has": b"\xff\xfe",
    "half a character": '{"expression": "é'.encode()[:-1],
    "an encoded surrogate": b'{"expression": "\xed\xa0\x80"}',
    "another encoding": '{"expression": "é"}'.encode("latin-1"),
    "UTF-16": '{"expression": "6*7"}'.encode("utf-16"),
}
PLUGIN = """
from tools import tool

@tool(requires_confirmation=True)
def guarded() -> str:
    \"\"\"Do something.\"\"\"
    return "done"
"""


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "guarded.py").write_text(PLUGIN, "utf-8")
    return tmp_path


def run(home: Path, *words: str, given: bytes, **environment: str) -> subprocess.CompletedProcess[bytes]:
    places = {"TOOL_CONSOLE_DATA": str(home / "data"), "TOOL_CONSOLE_CONFIG": str(home / "config")}
    return subprocess.run(
        [sys.executable, "-m", "console", *words],
        input=given,
        cwd=home,
        env={**os.environ, **places, "PYTHONPATH": str(Path(__file__).parents[2]), **environment},
        capture_output=True,
        check=False,
    )


@pytest.mark.parametrize("language", ["C", "C.UTF-8"])
def test_the_arguments_of_a_call_are_refused_as_usage(home: Path, language: str) -> None:
    words = ("call", "calculate", "--json", "-", "--output", "json")
    for name, done in zip(
        BYTES, run_all(home, [(words, given) for given in BYTES.values()], LC_ALL=language), strict=True
    ):
        assert done.code == 2, name
        assert "Traceback" not in done.stderr
        error = json.loads(done.stdout)["error"]
        assert error["kind"] == "usage"
        assert error["message"].startswith("standard input: expected UTF-8 text, got the byte 0x")


COMMANDS = {
    "policy explain": (2, ("policy", "explain", "calculate", "--json", "-")),
    "mcp allow": (2, ("mcp", "allow", "files")),
    "mcp secret": (2, ("mcp", "secret", "files")),
    "a question": (3, ("call", "guarded", "--plugin", "guarded.py")),
}


def test_every_command_that_reads_says_what_came(home: Path) -> None:
    entry = {"command": sys.executable, "env": {"KEY": "${keyring:user/files/env/KEY}"}}
    (home / "config").mkdir()
    (home / "config" / "servers.json").write_text(json.dumps({"mcpServers": {"files": entry}}), "utf-8")
    given = BYTES["a byte that UTF-8 never has"] + b"\n"
    ended = run_all(home, [(words, given) for _, words in COMMANDS.values()], LC_ALL="C")
    for (name, (code, _)), done in zip(COMMANDS.items(), ended, strict=True):
        assert done.code == code, name
        assert "Traceback" not in done.stderr
        assert "UTF-8 text" in done.stderr


def test_a_plan_of_such_bytes_is_refused(home: Path) -> None:
    names = [f"plan{at}.{kind}" for at in range(len(BYTES)) for kind in ("yaml", "json")]
    for name in names:
        (home / name).write_bytes(list(BYTES.values())[int(name[4])])
    for name, done in zip(
        names, run_all(home, [(("batch", "run", name, "--output", "json"), b"") for name in names]), strict=True
    ):
        assert done.code == 4, name
        assert "Traceback" not in done.stderr
        assert json.loads(done.stdout)["error"]["kind"] == "invalid_arguments"


@pytest.mark.parametrize("language", ["C", "C.UTF-8"])
def test_the_program_itself_refuses_them(home: Path, language: str) -> None:
    given = BYTES["half a character"]
    done = run(home, "call", "calculate", "--json", "-", "--output", "json", given=given, LC_ALL=language)
    assert done.returncode == 2
    assert b"Traceback" not in done.stderr
    assert json.loads(done.stdout)["error"]["message"].startswith("standard input: expected UTF-8 text")


@pytest.mark.skipif(sys.platform == "win32", reason="words of a command line are text there")
def test_arguments_on_the_command_line_are_refused_as_arguments(home: Path) -> None:
    word = os.fsdecode(b"expression=\xff")
    done = run(home, "call", "calculate", word, "--output", "json", given=b"")
    assert done.returncode == 4
    assert b"Traceback" not in done.stderr
    assert json.loads(done.stdout)["error"]["kind"] == "arguments"
