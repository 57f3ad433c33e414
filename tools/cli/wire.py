"""`wire`: what a model's provider is sent of the tools."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING

from tools.cli.exits import Exit
from tools.cli.listing import did_you_mean
from tools.cli.streams import say
from tools.errors import ServerConfigError

if TYPE_CHECKING:
    from pydantic import JsonValue

    from tools.wire import OpenAITools
    from tools.workbench import Workbench


def add_wire(commands: argparse._SubParsersAction[argparse.ArgumentParser], common: argparse.ArgumentParser) -> None:
    """Add the command to the parser."""
    wire = commands.add_parser(
        "wire",
        parents=[common],
        help="print the tools as a model's provider is sent them",
        epilog="Tokens for servers are not printed; a program that sends them uses tools.wire.",
    )
    wire.add_argument("provider", choices=("openai",))
    wire.add_argument("names", nargs="*", metavar="NAME", help="which tools (default: all)")
    wire.add_argument(
        "--properties",
        type=Path,
        metavar="FILE",
        help="have the web search and the servers of this file as well, which the provider runs itself",
    )


def obey_wire(options: argparse.Namespace, bench: Workbench) -> Exit:
    """Print the value of `tools` in a request, as JSON.

    Raises:
        ServerConfigError: When the file cannot be read, or names nothing that a provider runs.
    """
    from tools.wire import OpenAITools  # noqa: PLC0415 -- as the other commands have theirs

    wanted = [bench.registry.find(name) for name in options.names] if options.names else list(bench.registry)
    for name in (name for name, tool in zip(options.names, wanted, strict=False) if tool is None):
        say(f"no tool is called {name!r}{did_you_mean(bench, name)}")
        return Exit.USAGE
    tools = OpenAITools(dict.fromkeys(filter(None, wanted)))
    if options.properties is not None:
        _add_own(tools, options.properties)
    print(json.dumps([_shown(document) for document in tools.request], indent=2, ensure_ascii=False))
    return Exit.OK


def _add_own(tools: OpenAITools, path: Path) -> None:
    from tools.mcp.property_groups import read_properties, server_groups, web_search  # noqa: PLC0415 -- as above

    try:
        values = read_properties(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise ServerConfigError(f"{path} cannot be read: {error}") from error
    groups, search = server_groups(values), web_search(values)
    if not groups and search is None:
        raise ServerConfigError(f"{path} names nothing that a provider runs: expected WebSearchTool.type or MCP.name")
    if search is not None:
        tools.add_own(search.provider_tool())
    for group in groups:
        tools.add_own(group.provider_tool())


def _shown(document: dict[str, JsonValue]) -> dict[str, JsonValue]:
    return {**document, "authorization": "••••"} if document.get("authorization") else document
