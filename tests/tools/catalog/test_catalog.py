"""The catalogue as a whole: what each tool says of itself is complete, and its examples do what they show."""

from __future__ import annotations

import hashlib
import zipfile
from pathlib import Path
from typing import Any

import pytest

from tests.tools.catalog.calling import Reviewer, call
from tests.tools.catalog.sample_project import snapshot
from tests.tools.catalog.test_git import Repo
from tools import Tool, ToolExample, resolve_tools
from tools.catalog import BUILT_IN, TOOLKITS, builtin_tools
from tools.catalog.data import Data
from tools.catalog.files import Files
from tools.catalog.forges import Forges
from tools.catalog.lookups import Lookups
from tools.catalog.mail import Mail
from tools.catalog.messaging import Messaging
from tools.catalog.network import Network
from tools.catalog.packages import Packages
from tools.catalog.search import Search
from tools.catalog.text import Text
from tools.catalog.web import Web

ON_FILES = (Files, Data, Text)
ONLINE = (Web, Search, Lookups, Packages, Forges, Mail, Messaging, Network)
TOOLS = [(kit, tool) for kit in TOOLKITS for tool in resolve_tools([kit])]
# What somebody on the internet says today is nobody's to promise.
EXAMPLES = [(kit, tool, example) for kit, tool in TOOLS if kit not in ONLINE for example in tool.spec.examples]


@pytest.fixture
def project(project: Path) -> Path:
    """Return the sample project as a git repository with a past and a staged file."""
    repo = Repo(project)
    (project / "data/SHA256SUMS").write_text(f"{hashlib.sha256(b'').hexdigest()}  README.md\n")
    (project / "requirements.txt").write_text("httpx==0.28.1 \\\n    --hash=sha256:0\nanyio==4.9.0\n")
    (project / "Makefile").write_text("hello:\n\t@echo hello\n")
    (project / "build/junit.xml").write_text('<testsuite><testcase classname="a" name="b"/></testsuite>')
    (project / "build/lcov.info").write_text("SF:src/router.py\nDA:1,1\nDA:2,0\nend_of_record\n")
    with zipfile.ZipFile(project / "data/old.zip", "w") as archive:
        archive.writestr("old.md", "# Old\n")
    repo.commit("First", **{"libs/parser/x": "1\n", "build/y": "2\n"})
    repo.git("tag", "v1.0")
    repo.commit("Second", **{"libs/parser/x": "2\n"})
    repo.write("libs/new", "3\n")
    repo.git("add", "libs/new")
    return project


@pytest.mark.reference("A1", "A3", "C49")
def test_the_catalogue_holds_every_toolkits_tools_once() -> None:
    tools = builtin_tools()

    names = [tool.name for tool in tools]
    assert len(names) == len(set(names)) == sum(len(resolve_tools([kit])) for kit in TOOLKITS)
    assert {tool.source for tool in tools} == {BUILT_IN}
    assert [*dict.fromkeys(tool.toolkit for tool in tools)] == [
        "Files",
        "Editing",
        "Archives",
        "Logs",
        "Code",
        "Build",
        "Data",
        "Databases",
        "Text",
        "Web",
        "Search",
        "Lookups",
        "Network",
        "Packages",
        "Git",
        "Forges",
        "Mail",
        "Messaging",
        "System",
        "Time",
        "Math",
        "Utility",
    ]


@pytest.mark.reference("A4", "A6", "A10", "C45")
@pytest.mark.parametrize(("kit", "tool"), TOOLS, ids=[tool.name for _, tool in TOOLS])
def test_a_tool_says_all_about_itself(kit: type, tool: Tool) -> None:
    spec = tool.spec
    described: list[Any] = [tool.input_schema, *([tool.output_schema] if kit in ON_FILES else [])]

    assert spec.description.endswith(".")
    assert len(spec.keywords) >= 3
    assert spec.category == tool.toolkit.lower()
    assert spec.latency is not None
    assert tool.policies.timeout_s is not None or kit not in ON_FILES
    assert tool.output_schema is not None
    assert spec.read_only_hint is not None or spec.open_world_hint
    assert (2 if kit in ON_FILES else 1) <= len(spec.examples) <= 3
    for schema in described:
        assert [name for name, part in schema["properties"].items() if not part.get("description")] == []
    for example in spec.examples:
        assert example.description
        if not example.negative:
            tool.arguments.validate(example.input)


def test_what_nobody_ran_against_the_real_service_says_so() -> None:
    untried = [tool for kit, tool in TOOLS if kit in {Search, Lookups, Packages, Forges, Messaging}]

    said = "Tested on the protocol, not against the real service."
    assert [tool.name for tool in untried if not " ".join(tool.spec.description.split()).endswith(said)] == []


@pytest.mark.reference("A19", "C45")
def test_what_changes_files_asks_first_and_nothing_else_does() -> None:
    on_files = [tool for kit, tool in TOOLS if kit in ON_FILES]
    asking = {tool.name for tool in on_files if tool.asks_first}
    reading = {tool.name for tool in on_files if tool.spec.read_only_hint}

    assert asking == {
        "write_file",
        "append_file",
        "copy_file",
        "move_file",
        "delete_file",
        "make_folder",
        "rename_files",
    }
    assert reading == {tool.name for tool in on_files} - asking
    assert not any(tool.spec.open_world_hint for tool in on_files)


@pytest.mark.parametrize(
    ("kit", "tool", "example"), EXAMPLES, ids=[f"{tool.name}-{example.description}" for _, tool, example in EXAMPLES]
)
@pytest.mark.expects_log("tools.calls")
def test_an_example_does_what_it_shows(project: Path, kit: type, tool: Tool, example: ToolExample) -> None:
    before = snapshot(project)

    response = call(kit, tool.name, dict(example.input), project, Reviewer())

    if example.negative:
        assert example.why_bad
        assert not response.succeeded
        return
    assert response.succeeded, response.text
    if isinstance(example.output, dict) and kit not in ON_FILES:
        assert example.output.items() <= response.json_result.items()
    else:
        assert example.output is None or response.json_result == example.output
    if kit in ON_FILES:
        assert (snapshot(project) != before) == tool.asks_first
