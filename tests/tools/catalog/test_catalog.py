"""The catalogue as a whole, and the examples of the file, data and text tools."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.tools.catalog.calling import Reviewer, call
from tests.tools.catalog.sample_project import make_project, snapshot
from tools import Tool, ToolExample, resolve_tools
from tools.catalog import BUILT_IN, TOOLKITS, builtin_tools
from tools.catalog.data import Data
from tools.catalog.files import Files
from tools.catalog.text import Text

KITS = (Files, Data, Text)
TOOLS = [(kit, tool) for kit in KITS for tool in resolve_tools([kit])]
EXAMPLES = [(kit, tool, example) for kit, tool in TOOLS for example in tool.spec.examples]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return make_project(tmp_path / "project")


@pytest.mark.reference("A1", "A3", "C49", "D56")
def test_the_catalogue_holds_every_toolkits_tools_once() -> None:
    tools = builtin_tools()

    names = [tool.name for tool in tools]
    assert len(names) == len(set(names)) == sum(len(resolve_tools([kit])) for kit in TOOLKITS)
    assert {tool.source for tool in tools} == {BUILT_IN}
    assert [*dict.fromkeys(tool.toolkit for tool in tools)] == [
        "Files",
        "Data",
        "Text",
        "Web",
        "Git",
        "System",
        "Time",
        "Math",
        "Utility",
    ]


@pytest.mark.reference("A4", "A6", "A10", "C45")
@pytest.mark.parametrize("tool", [tool for _, tool in TOOLS], ids=lambda tool: tool.name)
def test_a_tool_says_all_about_itself(tool: Tool) -> None:
    spec = tool.spec
    properties: Any = tool.input_schema["properties"]
    returned: Any = tool.output_schema

    assert spec.description
    assert spec.description.endswith(".")
    assert len(spec.keywords) >= 3
    assert spec.category == tool.toolkit.lower()
    assert spec.latency is not None
    assert tool.policies.timeout_s is not None
    assert 2 <= len(spec.examples) <= 3
    assert [name for name, schema in properties.items() if not schema.get("description")] == []
    assert [name for name, schema in returned["properties"].items() if not schema.get("description")] == []


@pytest.mark.reference("A19", "C45")
def test_what_changes_files_asks_first_and_nothing_else_does() -> None:
    asking = {tool.name for _, tool in TOOLS if tool.asks_first}
    reading = {tool.name for _, tool in TOOLS if tool.spec.read_only_hint}

    assert asking == {"write_file", "append_file", "copy_file", "move_file", "delete_file", "make_folder"}
    assert reading == {tool.name for _, tool in TOOLS} - asking - {"query_sqlite"}
    assert not any(tool.spec.open_world_hint for _, tool in TOOLS)


@pytest.mark.parametrize(
    ("kit", "tool", "example"), EXAMPLES, ids=[f"{tool.name}-{example.description}" for _, tool, example in EXAMPLES]
)
@pytest.mark.expects_log("tools.calls")
def test_an_example_does_what_it_shows(project: Path, kit: type, tool: Tool, example: ToolExample) -> None:
    before = snapshot(project)

    response = call(kit, tool.name, dict(example.input), project, Reviewer())

    assert example.description
    if example.negative:
        assert example.why_bad
        assert not response.succeeded
        return
    assert response.succeeded, response.text
    assert example.output is None or response.json_result == example.output
    assert (snapshot(project) != before) == tool.asks_first
