"""`connect`: programs are listed, told of the gateway after a look at the change, and disconnected."""

from __future__ import annotations

import io
import json
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from tools.cli import main

Command = Callable[..., tuple[int, str, str]]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    home = tmp_path / "home"
    (home / ".codex").mkdir(parents=True)
    (home / ".codex" / "config.toml").write_text('model = "x"\n', "utf-8")
    for variable in ("HOME", "USERPROFILE"):
        monkeypatch.setenv(variable, str(home))
    for variable in ("XDG_CONFIG_HOME", "APPDATA", "CODEX_HOME"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("TOOL_CONSOLE_DATA", str(tmp_path / "data"))
    return home


@pytest.fixture
def command(capsys: pytest.CaptureFixture[str], home: Path) -> Command:
    def call(*words: str) -> tuple[int, str, str]:
        return main(["connect", *words]), *capsys.readouterr()

    return call


def test_the_programs_that_are_here_come_first_with_their_files(command: Command, home: Path) -> None:
    code, out, _ = command()
    assert code == 0
    assert [line.split("  ")[0] for line in out.splitlines()][:2] == ["Codex", "Claude Desktop"]
    assert str(home / ".codex" / "config.toml") in out
    # Of the home folder, what is the person's own counts as that.
    listed = json.loads(command("--output", "json", "--project", str(home))[1])["clients"]
    assert [item["client"] for item in listed if item["found"]] == ["codex"]
    assert [item["client"] for item in listed if item["in_project"]] == ["mcp-json", "vscode"]


def test_the_change_is_shown_and_written_after_a_yes_only(
    command: Command, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = home / ".codex" / "config.toml"
    before = path.read_bytes()
    code, shown, _ = command("codex", "--dry-run")
    assert (code, path.read_bytes()) == (0, before)
    assert '+Authorization = "Bearer tc_…"' in shown
    monkeypatch.setattr("sys.stdin", io.StringIO("n\n"))
    assert command("codex")[0] == 3
    assert path.read_bytes() == before
    monkeypatch.setattr("sys.stdin", io.StringIO("y\n"))
    code, out, err = command("codex", "--valid-for", "30d")
    assert (code, out) == (0, shown)
    assert f"the token of codex stands in {path}, which only you can read" in err
    assert "Start a new session of Codex." in err
    headers = tomllib.loads(path.read_text("utf-8"))["mcp_servers"]["tool-console"]["http_headers"]
    assert headers["Authorization"].startswith("Bearer tc_")
    assert headers["Authorization"].removeprefix("Bearer ") not in out + err
    assert "connected" in command()[1]
    code, _, err = command("codex", "--undo")
    assert (code, path.read_bytes()) == (0, before)
    assert "codex is let in no longer" in err


def test_a_file_that_changed_since_is_not_undone_but_its_entry_can_be_taken_out(command: Command, home: Path) -> None:
    path = home / ".codex" / "config.toml"
    command("codex", "--yes")
    path.write_text(path.read_text("utf-8").replace('"x"', '"y"'), "utf-8")
    code, _, err = command("codex", "--undo")
    assert (code, "take out only the entry" in err) == (5, True)
    code, out, _ = command("codex", "--undo", "--entry-only", "--output", "json")
    assert (code, json.loads(out)["removed"]) == (0, "codex")
    assert path.read_text("utf-8").strip() == 'model = "y"'


def test_the_token_of_a_project_s_file_is_printed_once_and_alone(command: Command, tmp_path: Path) -> None:
    code, out, err = command("mcp-json", "--project", str(tmp_path), "--yes")
    token = out.splitlines()[-1]
    assert (code, token[:3]) == (0, "tc_")
    assert "is given this one, which is not shown again, as TOOL_CONSOLE_TOKEN" in err
    assert token not in (tmp_path / ".mcp.json").read_text("utf-8")
    document = json.loads(command("mcp-json", "--project", str(tmp_path), "--yes", "--output", "json")[1])
    assert (document["agent"], document["written"]) == ("agent", True)
    assert document["token"] not in {token, ""}


def test_a_snippet_and_another_file_serve_programs_that_are_not_known(command: Command, tmp_path: Path) -> None:
    assert json.loads(command("mcp-json", "--snippet")[1])["mcpServers"]["tool-console"]["type"] == "http"
    other = tmp_path / "other.json"
    assert command("mcp-json", "--file", str(other), "--yes", "--bridge")[0] == 0
    assert "bridge" in json.loads(other.read_text("utf-8"))["mcpServers"]["tool-console"]["args"]
    assert command("mcp-json", "--file", str(other), "--undo")[0] == 0
    assert not other.exists()


@pytest.mark.parametrize(
    ("words", "code", "why"),
    [
        (("mcp-json",), 2, "mcp-json has no file there; give --project or --file"),
        (("zed", "--project", "."), 2, "zed has no file there; leave --project out"),
        (("cursor", "--project", "nowhere"), 2, "--project: nowhere is no folder"),
        (("cursor", "--entry-only"), 2, "--entry-only goes with --undo"),
        (("cursor", "--undo"), 5, "nothing was written into"),
        (("codex", "--yes", "--name", "two words"), 5, "expected a name of letters"),
        (("codex", "--yes", "--profile", "none"), 5, "no profile is called 'none'"),
    ],
)
def test_what_cannot_be_done_is_told(command: Command, words: tuple[str, ...], code: int, why: str) -> None:
    ended, _, err = command(*words)
    assert (ended, why in err) == (code, True), err


def test_a_malformed_file_is_told_of_and_left_alone(command: Command, home: Path) -> None:
    path = home / ".codex" / "config.toml"
    path.write_text("model = [\n", "utf-8")
    code, _, err = command("codex", "--yes")
    assert (code, path.read_text("utf-8")) == (5, "model = [\n")
    assert "mend it first, nothing was written" in err
    assert "cannot be changed" in command()[1]
