"""The reference's groups of properties."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.java_properties import read_properties
from tools.mcp.config import Transport
from tools.mcp.imports import read_import
from tools.mcp.reference_properties import (
    ServerProperties,
    WebSearchProperties,
    properties_text,
    server_groups,
    web_search,
)

FIRST = {"MCP.url": "https://example.org/mcp", "MCP.name": "Primary"}


@pytest.mark.reference("C36", "C37")
def test_the_first_group_has_no_number_and_the_others_follow() -> None:
    values = FIRST | {
        "MCP.description": "Tools",
        "MCP.authorization": "Bearer one",
        "MCP_1.url": "https://example.org/admin",
        "MCP_1.name": "Admin",
        "MCP_2.url": "https://example.org/more",
        "MCP_2.name": "More",
    }
    assert server_groups(values) == (
        ServerProperties("MCP", "Primary", "https://example.org/mcp", "Tools", "Bearer one"),
        ServerProperties("MCP_1", "Admin", "https://example.org/admin"),
        ServerProperties("MCP_2", "More", "https://example.org/more"),
    )


@pytest.mark.reference("C36", "C38")
@pytest.mark.parametrize(
    ("values", "prefixes"),
    [
        ({}, []),
        (FIRST, ["MCP"]),
        ({"MCP.url": "u"}, []),
        # The first group may be missing altogether.
        ({"MCP_1.url": "u", "MCP_1.name": "n"}, ["MCP_1"]),
        # A group without a name is passed over, one without an address is the last.
        ({"MCP_1.url": "u", "MCP_2.url": "u", "MCP_2.name": "n"}, ["MCP_2"]),
        ({"MCP_1.name": "n", "MCP_2.url": "u", "MCP_2.name": "n"}, ["MCP_1"]),
        ({"MCP.name": "n", "MCP_1.url": "u", "MCP_1.name": "m"}, ["MCP", "MCP_1"]),
        # A gap ends the scan.
        (FIRST | {"MCP_2.url": "u", "MCP_2.name": "n"}, ["MCP"]),
        # Empty is something, not nothing.
        ({"MCP_1.url": "", "MCP_1.name": "", "MCP_2.url": "u", "MCP_2.name": "n"}, ["MCP_1", "MCP_2"]),
    ],
)
def test_which_groups_count(values: dict[str, str], prefixes: list[str]) -> None:
    assert [group.prefix for group in server_groups(values)] == prefixes


@pytest.mark.reference("C39")
def test_a_group_is_a_providers_tool_and_a_server_of_ours() -> None:
    group = ServerProperties("MCP", "Primary", "https://example.org/mcp", "Tools", "Bearer one")
    assert group.provider_tool() == {
        "type": "mcp",
        "server_label": "Primary",
        "server_url": "https://example.org/mcp",
        "server_description": "Tools",
        "authorization": "Bearer one",
    }
    assert ServerProperties("MCP", "n").provider_tool() == {"type": "mcp", "server_label": "n"}
    config = group.config()
    assert config is not None
    assert (config.name, config.transport, config.url) == ("Primary", Transport.HTTP, group.url)
    assert (config.headers, config.description) == ({"Authorization": "Bearer one"}, "Tools")
    assert ServerProperties("MCP", "n").config() is None


@pytest.mark.reference("C32", "C33", "C34")
def test_web_search_is_there_with_its_type_only_and_its_place_is_approximate() -> None:
    assert web_search({"WebSearchTool.city": "Prague"}) is None
    assert web_search({"WebSearchTool.type": "default"}) == WebSearchProperties("web_search_preview")
    found = web_search({"WebSearchTool.type": "web_search", "WebSearchTool.city": "Prague"})
    assert found is not None
    assert found.provider_tool() == {
        "type": "web_search",
        "user_location": {"type": "approximate", "city": "Prague"},
    }
    whole = WebSearchProperties("x", "Prague", "CZ", "Bohemia").provider_tool()["user_location"]
    assert whole == {"type": "approximate", "city": "Prague", "country": "CZ", "region": "Bohemia"}


EXAMPLE = """\
# as the reference has it
WebSearchTool.type=web_search_preview
WebSearchTool.city=Prague
WebSearchTool.country=CZ
WebSearchTool.region=Prague

MCP.url=https://example.org/mcp
MCP.name=Project MCP
MCP.description=MCP server for project-specific tools
MCP.authorization=Bearer your-token
"""


@pytest.mark.reference("C47")
def test_the_references_example_is_read() -> None:
    values = read_properties(EXAMPLE)
    assert web_search(values) == WebSearchProperties("web_search_preview", "Prague", "CZ", "Prague")
    assert [group.name for group in server_groups(values)] == ["Project MCP"]


def test_properties_are_read_as_java_reads_them() -> None:
    text = "\ufeffa=1\n  b : 2 \nc 3\nd\n!no\n# no\\\n"
    text += "e = x\\\n   y\\\\\nf\\ g\\==\\u00e4\\t\\:\\\r\n h=\r\n\r\ni = \\ spaced\n"
    assert read_properties(text) == {
        "a": "1",
        "b": "2 ",
        "c": "3",
        "d": "",
        "e": "xy\\",
        "f g=": "ä\t:h=",
        "i": " spaced",
    }


def test_what_is_written_is_read_alike() -> None:
    groups = (
        ServerProperties("MCP", "a b", "https://x/?a=b#c", "two\nlines \\ and\ttab", "Bearer x"),
        ServerProperties("MCP_1", " spaced", "https://y"),
    )
    assert server_groups(read_properties(properties_text(groups))) == groups


def test_a_file_of_properties_is_imported_with_what_only_a_provider_can_use_told(tmp_path: Path) -> None:
    path = tmp_path / "gw.properties"
    path.write_text(EXAMPLE + "MCP_1.url=u\nMCP_1.name=Project MCP\nMCP_2.name=Hosted\n", encoding="utf-8")
    found = read_import(path)
    assert [item.config.name for item in found.servers] == ["Project MCP"]
    assert found.web_search == WebSearchProperties("web_search_preview", "Prague", "CZ", "Prague")
    assert found.problems == (
        "MCP_1.name: 'Project MCP' is there already; rename one of them",
        "MCP_2.url: expected the address of 'Hosted', which only a provider knows",
        (
            "WebSearchTool.type: 'web_search_preview' is a search that the provider runs itself, and no server;"
            " tool-console wire openai --properties sends it along"
        ),
    )
