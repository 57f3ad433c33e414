"""What OpenAI is sent: our tools, its web search and servers in one list, and whom a called name means."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.tools.running import run
from tools import DuplicateToolError, Executor, ToolConfigurationError, ToolRegistry, resolve_tools, tool
from tools.java_properties import read_properties
from tools.mcp.reference_properties import server_groups, web_search
from tools.tool import Tool
from tools.wire import LONGEST, OPENAI, WireTools, definition_of, name_of, wire_name

ALLOWED = re.compile(rf"[A-Za-z0-9_-]{{1,{LONGEST}}}")
NAMES = st.text(st.one_of(st.sampled_from("._-xX5fAb2e/ö"), st.characters()), min_size=1, max_size=80)


@tool
async def search_notes(words: str, limit: int = 10) -> str:
    """Search the notes."""
    return f"{words}: {limit}"


NOTES = resolve_tools([search_notes])[0]


def function_tool(tool: Tool) -> dict[str, Any]:
    return OPENAI.write(definition_of(tool)).document


def named(name: str) -> Tool:
    """Return a tool with a name that only a server's tool can have."""
    return replace(NOTES, spec=NOTES.spec.model_copy(update={"name": name}))


PROPERTIES = """
WebSearchTool.type=default
WebSearchTool.city=Prague
MCP.url=https://example.org/mcp
MCP.name=Primary MCP
MCP.authorization=Bearer primary-token
MCP_1.url=https://example.org/mcp-admin
MCP_1.name=Admin MCP
"""


@pytest.mark.reference("C1", "C35")
def test_our_tools_its_web_search_and_servers_stand_side_by_side() -> None:
    values = read_properties(PROPERTIES)
    search, tools = web_search(values), WireTools([NOTES])
    assert search is not None
    tools.add_own(search.provider_tool())
    for group in server_groups(values):
        tools.add_own(group.provider_tool())
    assert len(tools) == 4
    assert tools.request == [
        function_tool(NOTES),
        {"type": "web_search_preview", "user_location": {"type": "approximate", "city": "Prague"}},
        {
            "type": "mcp",
            "server_label": "Primary MCP",
            "server_url": "https://example.org/mcp",
            "authorization": "Bearer primary-token",
        },
        {"type": "mcp", "server_label": "Admin MCP", "server_url": "https://example.org/mcp-admin"},
    ]


@pytest.mark.reference("C42")
def test_a_tool_is_a_function_that_is_not_strict() -> None:
    document = function_tool(NOTES)
    assert document.pop("parameters") == NOTES.input_schema
    assert document == {
        "type": "function",
        "name": "search_notes",
        "description": "Search the notes.",
        "strict": False,
    }


@pytest.mark.reference("C43")
def test_the_name_that_is_called_leads_to_the_tool_and_its_result() -> None:
    dotted = named("notes.search~2")
    tools = WireTools([NOTES, dotted])
    tools.add_own({"type": "web_search"})
    assert [document.get("name") for document in tools.request] == ["search_notes", "notes__search_x7e_2", None]
    meant = tools.find("Search_Notes")
    assert meant is NOTES
    assert tools.find("NOTES__search_x7e_2") is dotted
    assert tools.find("web_search") is None
    executor = Executor(ToolRegistry([meant]))
    assert run(executor.execute(executor.create_call(meant.name, '{"words": "tea"}'))).text == "tea: 10"


def test_a_name_in_another_case_is_nobodys_when_two_are_alike() -> None:
    tools = WireTools([named("ping"), named("Ping")])
    assert [getattr(tools.find(name), "name", None) for name in ("ping", "Ping", "PING", "pong")] == [
        "ping",
        "Ping",
        None,
        None,
    ]


def test_what_is_there_already_is_refused_with_both_owners() -> None:
    tools = WireTools([NOTES])
    with pytest.raises(DuplicateToolError, match=r"'search_notes': .*search_notes has it, .*search_notes wants it"):
        tools.add(named("search_notes"))
    tools.add_own({"type": "mcp", "server_label": "docs"})
    tools.add_own({"type": "mcp", "server_label": "files"})
    with pytest.raises(ToolConfigurationError, match="the server 'docs' is there already"):
        tools.add_own({"type": "mcp", "server_label": "docs", "server_url": "https://example.org"})
    tools.add_own({"type": "web_search"})
    with pytest.raises(ToolConfigurationError, match="the provider's web_search is there already"):
        tools.add_own({"type": "web_search"})
    assert len(tools) == 4


@pytest.mark.parametrize(
    ("document", "words"),
    [
        ({}, "got None"),
        ({"type": ""}, "got ''"),
        ({"type": "function", "name": "x"}, "got 'function'"),
        ({"type": "mcp"}, "expected the server_label of a server, got None"),
    ],
)
def test_what_is_no_tool_of_a_provider_is_refused(document: dict[str, Any], words: str) -> None:
    with pytest.raises(ToolConfigurationError, match=re.escape(words)):
        WireTools().add_own(document)


def test_what_was_added_can_be_taken_back_once() -> None:
    tools = WireTools()
    forget = tools.add(NOTES)
    forget_search = tools.add_own({"type": "web_search"})
    forget()
    forget_search()
    assert tools.request == []
    tools.add(NOTES)
    forget()
    assert tools.find("search_notes") is NOTES


def test_whoever_has_a_request_cannot_change_the_next() -> None:
    tools = WireTools([NOTES])
    tools.request[0]["name"] = "another"
    assert tools.request == [function_tool(NOTES)]


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("read_file", "read_file"),
        ("read_xml-2", "read_xml-2"),
        ("repository.list_issues", "repository__list_issues"),
        ("clock.echo~2", "clock__echo_x7e_2"),
        ("a/b", "a_x2f_b"),
        ("a__b", "a_x5f__b"),
        ("a_x2f_b", "a_x5f_x2f_b"),
        ("ö", "_xf6_"),
    ],
)
def test_names_are_written_as_people_would(name: str, written: str) -> None:
    assert wire_name(name) == written
    assert name_of(written) == name


@given(NAMES)
@example("_" * 20)
@example("a_.")
@example("_x5f_")
@example("._x5f_")
def test_a_name_is_allowed_and_can_be_read_back_unless_it_is_too_long(name: str) -> None:
    written = wire_name(name)
    assert ALLOWED.fullmatch(written)
    assert wire_name(name) == written
    assert name_of(written) == name or len(written) == LONGEST


@given(st.lists(NAMES, min_size=2, max_size=12, unique=True))
@example(["a.b", "a__b", "a_x2e_b"])
@example(["x" * 65, "x" * 66, "x" * 64])
def test_no_two_names_come_to_the_same(names: list[str]) -> None:
    assert len({wire_name(name) for name in names}) == len(names)


@given(st.text(alphabet="ab", min_size=65, max_size=90))
def test_a_tool_that_took_the_short_name_of_another_changes_nothing_about_who_is_meant(name: str) -> None:
    long, thief = named(name), named(wire_name(name))
    tools = WireTools([thief, long])
    first, second = (str(document["name"]) for document in tools.request)
    assert first == thief.name != second
    assert ALLOWED.fullmatch(second)
    assert tools.find(first) is thief
    assert tools.find(second) is long
