"""What is kept of a project, as resources that agents read."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from mcp import MCPError
from mcp_types import TextResourceContents

from tests.tools.gateway.serving import agent, served
from tests.tools.running import Answers
from tools import ExitEarly, ToolContext, ToolFailure, resolve_tools, tool
from tools.card import BUILT_IN, PROGRAM, ToolSource
from tools.catalog import builtin_tools
from tools.gateway.built_in_resources import RESOURCES
from tools.registry import ToolRegistry

pytestmark = pytest.mark.expects_log("mcp.server.transport_security", "mcp.server.streamable_http_manager")
ERAS = pytest.mark.parametrize("era", ["legacy", "auto"])
VARIABLES, PLAN, MEMORY = (resource.uri for resource in RESOURCES)

CALLERS: list[str] = []


@tool(read_only=True)
def list_variables(ctx: ToolContext) -> dict[str, str]:
    """List the variables."""
    CALLERS.append(ctx.caller)
    return {"region": "north"}


@tool(read_only=True)
def show_plan() -> str:
    """Show the plan."""
    raise ToolFailure("no plan was made; make one")


@tool(read_only=True, requires_confirmation=True)
def recall_memory() -> str:
    """Recall the memory."""
    return "nothing"


def registry_of(source: ToolSource = BUILT_IN) -> ToolRegistry:
    return ToolRegistry(resolve_tools([list_variables, show_plan, recall_memory], source=source))


def test_each_is_the_result_of_a_built_in_tool_that_reads_and_needs_no_arguments() -> None:
    known = {tool.name: tool for tool in builtin_tools()}
    for resource in RESOURCES:
        found = known[resource.tool]
        assert found.hints.read_only
        assert not found.input_schema.get("required")


@ERAS
async def test_an_agent_lists_and_reads_what_is_kept_of_the_project(tmp_path: Path, era: str) -> None:
    CALLERS.clear()
    async with served(tmp_path, registry=registry_of()) as at, agent(at, era) as client:
        listed = (await client.list_resources()).resources
        assert [(one.uri, one.mime_type) for one in listed] == [(one.uri, "application/json") for one in RESOURCES]
        (content,) = (await client.read_resource(VARIABLES)).contents
    assert isinstance(content, TextResourceContents)
    assert (content.uri, json.loads(content.text)) == (VARIABLES, {"region": "north"})
    assert CALLERS == ["agent:claude"]


@ERAS
async def test_a_reading_that_fails_or_is_refused_says_why(tmp_path: Path, era: str) -> None:
    answers = Answers(ExitEarly("not today"))
    async with (
        served(tmp_path, registry=registry_of(), reviewer=answers) as at,
        agent(at, era) as client,
    ):
        with pytest.raises(MCPError, match="no plan was made; make one"):
            await client.read_resource(PLAN)
        with pytest.raises(MCPError, match="not today"):
            await client.read_resource(MEMORY)
    assert [request.call.caller for request in answers.requests] == ["agent:claude"]


@ERAS
async def test_who_does_not_see_the_tool_does_not_see_the_resource(tmp_path: Path, era: str) -> None:
    async with served(tmp_path, ("show_plan",), registry=registry_of()) as at, agent(at, era) as client:
        assert [one.uri for one in (await client.list_resources()).resources] == [PLAN]
        with pytest.raises(MCPError, match="no resource has the address"):
            await client.read_resource(VARIABLES)


async def test_a_tool_of_another_source_that_took_the_name_is_no_resource(tmp_path: Path) -> None:
    async with served(tmp_path, registry=registry_of(PROGRAM)) as at, agent(at) as client:
        assert (await client.list_resources()).resources == []
