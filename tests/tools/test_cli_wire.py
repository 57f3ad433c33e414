"""`wire` on the command line: the tools as a provider is sent them."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated

import pytest

from tests.tools.command_line import Command, command_of
from tools import Param, ToolExample, resolve_tools, tool
from tools.cli import main
from tools.discovery import PluginList
from tools.wire import PROVIDERS
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


@tool(examples=(ToolExample(input={"word": "tea"}),))
def look_up(word: str, page: int | None = None) -> str:
    """Look a word up."""
    return f"{word} {page}"


@tool
def odd(word: Annotated[str, Param(name="two words")]) -> str:
    """Have an argument of two words."""
    return word


@pytest.fixture
def cli(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Command:
    monkeypatch.setenv("TOOL_CONSOLE_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.chdir(tmp_path)

    def bench() -> Workbench:
        made = Workbench(PluginList(tmp_path / "settings"), installed=())
        made.registry.register_all(resolve_tools([shout, whisper, look_up, odd]))
        return made

    return command_of(bench, capsys, monkeypatch)


def test_the_tools_are_printed_as_a_request_has_them(cli: Command) -> None:
    out = cli.printed("wire", "openai", "shout")
    (document,) = json.loads(out)
    assert (document["type"], document["name"], document["strict"]) == ("function", "shout", False)
    assert document["parameters"]["required"] == ["word"]
    assert [each["name"] for each in json.loads(cli("wire", "openai", "Whisper", "shout", "whisper")[1])] == [
        "whisper",
        "shout",
    ]
    assert [each["name"] for each in json.loads(cli("wire", "openai")[1])] == [
        "shout",
        "whisper",
        "look_up",
        "odd",
    ]


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


def test_the_tools_of_a_server_are_sent_under_names_that_the_provider_allows(cli: Command, tmp_path: Path) -> None:
    tools = tmp_path / "tools.json"
    tools.write_text(json.dumps([{"name": "say", "inputSchema": {"type": "object"}}]))
    assert main(["mcp", "add", "a.clock", "--", sys.executable, "-S", "-E", str(SERVER), str(tools)]) == 0
    assert main(["mcp", "allow", "a.clock", "--yes"]) == 0
    code, out, _ = cli("wire", "openai", "--servers")
    assert code == 0
    assert [each["name"] for each in json.loads(out[out.index("[\n") :])] == [
        "shout",
        "whisper",
        "look_up",
        "odd",
        "a__clock__say",
    ]


@pytest.mark.reference("B14")
@pytest.mark.parametrize("provider", PROVIDERS)
def test_each_provider_prints_what_it_is_sent(cli: Command, provider: str) -> None:
    out = cli.printed("wire", provider, "shout")
    assert "Shout a word." in json.dumps(json.loads(out))


def test_a_report_says_what_becomes_of_each_keyword_and_the_smallest_change(cli: Command) -> None:
    code, out, _ = cli("wire", "gemini", "look_up", "shout", "--report")
    assert code == 0
    assert out.splitlines() == [
        "look_up: 3 to change",
        "  refused  additionalProperties at /: leave it out; the tool checks it anyway",
        "  refused  anyOf at /properties/page: say nullable instead of null, or leave the argument out",
        "  dropped  examples at /examples/0: put it into the description",
        "shout: 1 to change",
        "  refused  additionalProperties at /: leave it out; the tool checks it anyway",
    ]
    (told, _) = json.loads(cli("wire", "gemini", "look_up", "shout", "--report", "--output", "json")[1])
    assert told["tool"] == "look_up"
    assert told["findings"][2] == {
        "pointer": "/examples/0",
        "keyword": "examples",
        "effect": "dropped",
        "fix": "fold",
    }


def test_a_schema_is_rewritten_unless_it_shall_stay_and_strict_where_that_is_asked(cli: Command) -> None:
    (sent,) = json.loads(cli("wire", "gemini", "look_up")[1])
    assert sent["functionDeclarations"][0]["parameters"]["properties"]["page"]["nullable"] is True
    (sent,) = json.loads(cli("wire", "gemini", "look_up", "--as-is")[1])
    assert "anyOf" in sent["functionDeclarations"][0]["parameters"]["properties"]["page"]
    (sent,) = json.loads(cli("wire", "openai", "look_up", "--strict")[1])
    assert sent["strict"] is True
    assert sent["parameters"]["required"] == ["word", "page"]


def test_a_tool_that_is_refused_all_the_same_is_named_and_fails(cli: Command) -> None:
    code, out, err = cli("wire", "anthropic", "odd")
    assert (code, err) == (5, "tool-console: Anthropic refuses 'odd'; change what --report says\n")
    assert json.loads(out)[0]["name"] == "odd"
    assert "change the tool itself" in cli("wire", "anthropic", "odd", "--report")[1]


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
