"""The help tells what the program does: its examples run as they stand."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

import tools
from console.theme.files import resource_path
from tools import ToolRegistry, resolve_tools
from tools.declare.decorators import declaration_of
from tools.lint import Severity, lint_registry

PAGES = sorted(path.name for path in resource_path("help").glob("*.md"))
BLOCK = re.compile(r"```python\n(.*?)```", re.DOTALL)


@pytest.mark.parametrize(
    "page", [name for name in PAGES if BLOCK.search((resource_path("help") / name).read_text("utf-8"))]
)
def test_the_tools_of_a_page_can_be_declared(page: str) -> None:
    text = (resource_path("help") / page).read_text("utf-8")
    for code in BLOCK.findall(text):
        names: dict[str, object] = {"__name__": "help_page"}
        exec(compile(code, page, "exec"), names)
        declared = [item for item in names.values() if callable(item) and declaration_of(item) is not None]

        assert len(ToolRegistry(resolve_tools(declared))) == len(declared) > 0


@pytest.mark.parametrize(
    "page",
    [
        pytest.param("examples.md", marks=pytest.mark.reference("B20")),
        pytest.param("design.md", marks=pytest.mark.reference("C45")),
    ],
)
def test_the_pages_about_good_tools_show_tools_that_are_described_well(page: str) -> None:
    text = (resource_path("help") / page).read_text("utf-8")
    names: dict[str, object] = {"__name__": "help_page"}
    (code,) = BLOCK.findall(text)
    exec(compile(code, page, "exec"), names)
    declared = [item for item in names.values() if callable(item) and declaration_of(item) is not None]

    found = lint_registry(resolve_tools(declared))
    assert [one.message for one in found if one.severity is not Severity.HINT] == []


def test_the_page_about_other_frameworks_shows_what_works_with_them() -> None:
    text = (resource_path("help") / "frameworks.md").read_text("utf-8")
    outgoing, incoming = BLOCK.findall(text)
    names: dict[str, Any] = {"__name__": "help_page"}
    exec(compile(outgoing, "frameworks.md", "exec"), names)
    for each in ("for_langchain", "for_the_agents_sdk", "for_pydantic_ai", "for_others"):
        assert [one.name for one in names[each]] == ["open_orders"]
    names = {"__name__": "help_page"}
    exec(compile(incoming, "frameworks.md", "exec"), names)
    assert [(made.name, made.spec.description) for made in names["both"]] == [
        ("translate", "Translate a word."),
        ("shout", "Shout a word."),
    ]
    extras = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text("utf-8"))
    offered = extras["project"]["optional-dependencies"]
    assert re.findall(r"tool-console\[(.+?)\]", text) == ["langchain", "openai-agents", "pydantic-ai"]
    assert {"langchain", "openai-agents", "pydantic-ai"} <= set(offered)


@pytest.mark.reference("C46")
def test_the_ways_of_writing_a_tool_that_the_help_compares_are_there() -> None:
    text = (resource_path("help") / "first-tool.md").read_text("utf-8")
    table = text.partition("## Which way suits what")[2].partition("\n## ")[0]
    named = re.findall(r"`@?([a-z_]+)[(`]", table)
    assert named == ["tool", "toolkit", "prompt", "make_tool", "process_tool", "resolve_tools"]
    assert set(named) <= set(tools.__all__)
    assert "Servers page" in table
    assert "tool-console wire openai --properties" in table
