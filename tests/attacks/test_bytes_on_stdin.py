"""Bytes that are no text, wherever a command reads: told in one line, with the exit code for it, never a traceback."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

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


@pytest.mark.parametrize("given", BYTES.values(), ids=BYTES)
@pytest.mark.parametrize("language", ["C", "C.UTF-8"])
def test_the_arguments_of_a_call_are_refused_as_usage(home: Path, given: bytes, language: str) -> None:
    done = run(home, "call", "calculate", "--json", "-", "--output", "json", given=given, LC_ALL=language)
    assert done.returncode == 2
    assert b"Traceback" not in done.stderr
    error = json.loads(done.stdout)["error"]
    assert error["kind"] == "usage"
    assert error["message"].startswith("standard input: expected UTF-8 text, got the byte 0x")


COMMANDS = {
    "policy explain": (2, ("policy", "explain", "calculate", "--json", "-")),
    "mcp allow": (2, ("mcp", "allow", "files")),
    "mcp secret": (2, ("mcp", "secret", "files")),
    "a question": (3, ("call", "guarded", "--plugin", "guarded.py")),
}


@pytest.mark.parametrize(("code", "words"), COMMANDS.values(), ids=COMMANDS)
def test_every_command_that_reads_says_what_came(home: Path, code: int, words: tuple[str, ...]) -> None:
    entry = {"command": sys.executable, "env": {"KEY": "${keyring:user/files/env/KEY}"}}
    (home / "config").mkdir()
    (home / "config" / "servers.json").write_text(json.dumps({"mcpServers": {"files": entry}}), "utf-8")
    done = run(home, *words, given=BYTES["a byte that UTF-8 never has"] + b"\n", LC_ALL="C")
    assert done.returncode == code
    assert b"Traceback" not in done.stderr
    assert b"UTF-8 text" in done.stderr


@pytest.mark.parametrize("given", BYTES.values(), ids=BYTES)
def test_a_plan_of_such_bytes_is_refused(home: Path, given: bytes) -> None:
    for name in ("plan.yaml", "plan.json"):
        (home / name).write_bytes(given)
        done = run(home, "batch", "run", name, "--output", "json", given=b"")
        assert done.returncode == 4
        assert b"Traceback" not in done.stderr
        assert json.loads(done.stdout)["error"]["kind"] == "invalid_arguments"


@pytest.mark.skipif(sys.platform == "win32", reason="words of a command line are text there")
def test_arguments_on_the_command_line_are_refused_as_arguments(home: Path) -> None:
    word = os.fsdecode(b"expression=\xff")
    done = run(home, "call", "calculate", word, "--output", "json", given=b"")
    assert done.returncode == 4
    assert b"Traceback" not in done.stderr
    assert json.loads(done.stdout)["error"]["kind"] == "arguments"
