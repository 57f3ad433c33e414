"""`lint` on the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.tools.command_line import Command, command_of
from tools import ToolExample, make_tool
from tools.cli import main
from tools.discovery import PluginList
from tools.workbench import Workbench

PLUGIN = '''
from tools import ToolExample, tool

@tool(examples=[ToolExample(input={"citty": "Oslo"})])
def forecast(city: str) -> str:
    """Tell the weather of tomorrow.

    Args:
        city: Where.
    """
    return city
'''
WORD: dict[str, Any] = {"type": "object", "properties": {"word": {"type": "string", "description": "What to shout"}}}


def bench_of(tmp_path: Path) -> Workbench:
    bench = Workbench(PluginList(tmp_path / "settings"), installed=())
    bench.registry.register_all(
        [
            make_tool(
                "shout", "Say a word loudly.", lambda word: word, WORD, examples=[ToolExample(input={"word": "Hurrah"})]
            ),
            make_tool("hum", "", lambda: ""),
        ]
    )
    return bench


@pytest.fixture
def cli(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Command:
    return command_of(lambda: bench_of(tmp_path), capsys, monkeypatch)


def test_a_tool_without_findings_gives_0(cli: Command) -> None:
    assert cli("lint", "shout") == (0, "1 tool: nothing found\n", "")


def test_findings_give_1_and_say_what_to_do(cli: Command) -> None:
    code, out, err = cli("lint")
    assert (code, err) == (1, "")
    assert "Program › general\n  hum\n    warning It has no description" in out
    assert "[description-missing, /description]\n            Write a sentence" in out
    assert out.endswith("2 tools: 1 warning\n")


def test_findings_as_json(cli: Command) -> None:
    code, out, _ = cli("lint", "--output", "json")
    document = json.loads(out)
    assert code == 1
    assert (document["tools"], document["counts"]) == (2, {"error": 0, "warning": 1, "hint": 0})
    (finding,) = document["findings"]
    assert {key: finding[key] for key in ("rule", "severity", "tool", "where")} == {
        "rule": "description-missing",
        "severity": "warning",
        "tool": "hum",
        "where": "/description",
    }
    assert finding["message"]
    assert finding["fix"]
    assert "tokens" not in document


def test_a_name_that_is_no_tool_is_a_mistake(cli: Command) -> None:
    err = cli.said(2, "lint", "shuot")
    assert "no tool is called 'shuot'; did you mean 'shout'?" in err


@pytest.mark.reference("E44", "B19")
def test_the_tokens_of_examples_tools_toolkits_and_all_are_told_as_an_estimate(cli: Command) -> None:
    code, out, _ = cli("lint", "shout", "--tokens")
    assert code == 0
    head, row, foot = out.splitlines()
    assert head.startswith("Program › general  ≈ ")
    assert head.endswith(" tokens, estimated")
    assert row.startswith("  shout  ≈ ")
    assert ", examples " in row
    assert foot.endswith(" tokens, estimated")
    tokens = json.loads(cli("lint", "--tokens", "--output", "json")[1])["tokens"]
    assert tokens["estimated"] is True
    assert tokens["total"] == sum(tokens["toolkits"].values()) == sum(one["total"] for one in tokens["tools"].values())
    shout = tokens["tools"]["shout"]
    assert shout["total"] == shout["definition"] + sum(shout["examples"])


def test_a_plugin_file_is_loaded_for_its_tools_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("weather.py").write_text(PLUGIN, "utf-8")
    assert main(["lint", "weather.py"]) == 1
    out = capsys.readouterr().out
    assert "error   The example does not fit the arguments" in out
    assert out.endswith("1 tool: 1 error\n")

    assert main(["lint", "gone.py"]) == 2
    assert "gone.py" in capsys.readouterr().err
