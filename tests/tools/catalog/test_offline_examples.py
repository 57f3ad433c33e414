"""What every tool of these toolkits says of itself is complete, and its examples do what they promise."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.tools.catalog.calling import Reviewer, call
from tests.tools.catalog.test_git import Repo
from tools import Tool, ToolExample, resolve_tools
from tools.catalog.git import Git
from tools.catalog.math import Math
from tools.catalog.system import System
from tools.catalog.time import Time
from tools.catalog.utility import Utility
from tools.catalog.web import Web

KITS = (Web, Git, System, Time, Math, Utility)
TOOLS = [(kit, tool) for kit in KITS for tool in resolve_tools([kit])]
OFFLINE = [(kit, tool.name, example) for kit, tool in TOOLS if kit is not Web for example in tool.spec.examples]


@pytest.mark.reference("D56")
@pytest.mark.parametrize("tool", [tool for _, tool in TOOLS], ids=lambda tool: tool.name)
def test_a_tool_says_all_about_itself(tool: Tool) -> None:
    spec = tool.spec
    properties: Any = tool.input_schema["properties"]

    assert spec.description
    assert spec.description
    assert len(spec.keywords) >= 3
    assert spec.category == tool.toolkit.lower()
    assert spec.latency is not None
    assert spec.read_only_hint is not None or spec.open_world_hint
    assert 1 <= len(spec.examples) <= 3
    assert [name for name, schema in properties.items() if not schema.get("description")] == []
    assert tool.output_schema is not None
    for example in spec.examples:
        assert example.description
        tool.arguments.validate(example.input)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    repo = Repo(tmp_path / "project")
    repo.commit("First", **{"README.md": "one\n", "libs/parser/x": "1\n", "build/y": "2\n"})
    repo.git("tag", "v1.0")
    repo.commit("Second", **{"README.md": "two\n"})
    repo.write("libs/new", "3\n")
    repo.git("add", "libs/new")
    return repo.folder


@pytest.mark.parametrize(
    ("kit", "name", "example"), OFFLINE, ids=[f"{name}-{example.description}" for _, name, example in OFFLINE]
)
def test_an_example_runs(project: Path, kit: type, name: str, example: ToolExample) -> None:
    response = call(kit, name, dict(example.input), project, Reviewer())

    assert response.succeeded, response.text
    if isinstance(example.output, dict):
        assert example.output.items() <= response.json_result.items()
    elif example.output is not None:
        assert response.json_result == example.output
