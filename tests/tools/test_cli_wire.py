"""`wire` on the command line: the tools as a provider is sent them."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from tests.tools.command_line import Command, command_of
from tools import resolve_tools, tool
from tools.cli import main
from tools.discovery import PluginList
from tools.workbench import Workbench

SERVER = Path(__file__).parents[1] / "mcp_servers" / "from_file.py"
PROPERTIES = """
WebSearchTool.type=default
MCP.name=Docs
MCP.url=https://example.org/mcp
MCP.authorization=Bearer word
"""


@tool
def shout(word: str) -> str:
    """Shout a word."""
    return word.upper()


@tool
def whisper(word: str) -> str:
    """Whisper a word."""
    return word.lower()


@pytest.fixture
def cli(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Command:
    monkeypatch.setenv("TOOL_CONSOLE_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.chdir(tmp_path)

    def bench() -> Workbench:
        made = Workbench(PluginList(tmp_path / "settings"), installed=())
        made.registry.register_all(resolve_tools([shout, whisper]))
        return made

    return command_of(bench, capsys, monkeypatch)


def test_the_tools_are_printed_as_a_request_has_them(cli: Command) -> None:
    code, out, err = cli("wire", "openai", "shout")
    assert (code, err) == (0, "")
    (document,) = json.loads(out)
    assert (document["type"], document["name"], document["strict"]) == ("function", "shout", False)
    assert document["parameters"]["required"] == ["word"]
    assert [each["name"] for each in json.loads(cli("wire", "openai", "Whisper", "shout", "whisper")[1])] == [
        "whisper",
        "shout",
    ]
    assert [each["name"] for each in json.loads(cli("wire", "openai")[1])] == ["shout", "whisper"]


def test_the_web_search_and_the_servers_of_a_file_stand_beside_them_without_their_tokens(
    cli: Command, tmp_path: Path
) -> None:
    (tmp_path / "app.properties").write_text(PROPERTIES)
    code, out, _ = cli("wire", "openai", "shout", "--properties", "app.properties")
    assert code == 0
    assert json.loads(out)[1:] == [
        {"type": "web_search_preview", "user_location": {"type": "approximate"}},
        {"type": "mcp", "server_label": "Docs", "server_url": "https://example.org/mcp", "authorization": "••••"},
    ]
    assert "word" not in json.dumps(json.loads(out)[1:])


@pytest.mark.expects_log("tools.calls")
def test_the_tools_of_a_server_are_sent_under_names_that_the_provider_allows(cli: Command, tmp_path: Path) -> None:
    tools = tmp_path / "tools.json"
    tools.write_text(json.dumps([{"name": "say", "inputSchema": {"type": "object"}}]))
    assert main(["mcp", "add", "a.clock", "--", sys.executable, "-S", "-E", str(SERVER), str(tools)]) == 0
    assert main(["mcp", "allow", "a.clock", "--yes"]) == 0
    code, out, _ = cli("wire", "openai", "--servers")
    assert code == 0
    assert [each["name"] for each in json.loads(out[out.index("[\n") :])] == ["shout", "whisper", "a__clock__say"]


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("openai", "shuot"), 2, "no tool is called 'shuot'; did you mean 'shout'?"),
        (("openai", "--properties", "none.properties"), 5, "none.properties cannot be read"),
        (("openai", "--properties", "empty.properties"), 5, "names nothing that a provider runs"),
        (("nobody",), 2, "invalid choice: 'nobody'"),
        (("gemini", "--strict"), 2, "--strict: Gemini holds no model to a schema; leave it out"),
        (("groq", "--properties", "empty.properties"), 2, "--properties: expected the provider openai, got groq"),
    ],
)
def test_what_is_wrong_is_told(cli: Command, tmp_path: Path, words: tuple[str, ...], code: int, said: str) -> None:
    (tmp_path / "empty.properties").write_text("nothing=here\n")
    found, out, err = cli("wire", *words)
    assert (found, out) == (code, "")
    assert said in err
