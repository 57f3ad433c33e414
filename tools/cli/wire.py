"""`wire`: what a model's provider is sent of the tools."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tools.cli.command import CliCommand
from tools.cli.exits import Exit
from tools.cli.listing import did_you_mean
from tools.cli.streams import UsageError, say
from tools.errors import ServerConfigError
from tools.wire import PROVIDERS

if TYPE_CHECKING:
    import asyncio

    from pydantic import JsonValue

    from tools.wire import WireTools
    from tools.workbench import Workbench


def add_wire(commands: argparse._SubParsersAction[argparse.ArgumentParser], common: argparse.ArgumentParser) -> None:
    """Add the command to the parser."""
    wire = commands.add_parser(
        "wire",
        parents=[common],
        help="print the tools as a model's provider is sent them",
        epilog="What a provider does not take of a schema is rewritten; --report says how. Tokens for servers are not"
        " printed; a program that sends them uses tools.wire.",
    )
    wire.add_argument("provider", choices=tuple(PROVIDERS))
    wire.add_argument("names", nargs="*", metavar="NAME", help="which tools (default: all)")
    wire.add_argument("--report", action="store_true", help="say instead what the provider drops, changes or refuses")
    wire.add_argument("--strict", action="store_true", help="have the provider hold its model to the schemas")
    wire.add_argument("--as-is", action="store_true", help="leave the schemas as they are, refused or not")
    wire.add_argument(
        "--properties",
        type=Path,
        metavar="FILE",
        help="have the web search and the servers of this file as well, which OpenAI runs itself",
    )


def obey_wire(options: argparse.Namespace, bench: Workbench, _runner: asyncio.Runner) -> Exit:
    """Print the value of `tools` in a request as JSON, or what of the tools is not in it as it stands.

    Returns:
        `FAILED` when the provider would refuse one of them all the same.

    Raises:
        ServerConfigError: When the file cannot be read, or names nothing that a provider runs.
        UsageError: When the provider lacks what is asked for.
    """
    from tools.wire import OPENAI, WireTools  # noqa: PLC0415 -- as the other commands have theirs

    provider = PROVIDERS[options.provider]
    if options.properties is not None and provider is not OPENAI:
        raise UsageError(f"--properties: expected the provider openai, got {provider.name}")
    if options.strict and provider.strict is None:
        raise UsageError(f"--strict: {provider.title} holds no model to a schema; leave it out")
    wanted = [bench.registry.find(name) for name in options.names] if options.names else list(bench.registry)
    for name in (name for name, tool in zip(options.names, wanted, strict=False) if tool is None):
        say(f"no tool is called {name!r}{did_you_mean(bench, name)}")
        return Exit.USAGE
    found = dict.fromkeys(filter(None, wanted))
    tools = WireTools(found, provider, strict=options.strict, rewrite=not options.as_is)
    if options.properties is not None:
        for document in own_tools(options.properties):
            tools.add_own(document)
    if options.report:
        _report(tools, as_json=options.output == "json")
    else:
        print(json.dumps([_shown(document) for document in tools.request], indent=2, ensure_ascii=False))
    refused = [tool.name for tool, written in tools.written if written.refused]
    if refused:
        say(f"{provider.title} refuses {', '.join(map(repr, refused))}; change what --report says")
    return Exit.FAILED if refused else Exit.OK


def _report(tools: WireTools, *, as_json: bool) -> None:
    from tools.wire.words import finding_line  # noqa: PLC0415 -- as above

    if as_json:
        reports = [
            {"tool": tool.name, "findings": [finding._asdict() for finding in written.findings]}
            for tool, written in tools.written
        ]
        print(json.dumps(reports, indent=2, ensure_ascii=False))
        return
    for tool, written in tools.written:
        print(f"{tool.name}: {len(written.findings)} to change" if written.findings else f"{tool.name}: as it is")
        for finding in written.findings:
            print(f"  {finding_line(finding)}")


def own_tools(path: Path) -> list[dict[str, JsonValue]]:
    """Return what a file of properties says that OpenAI runs itself: its web search, and servers.

    Raises:
        ServerConfigError: When it cannot be read, or names nothing of the kind.
    """
    from tools.java_properties import read_properties  # noqa: PLC0415 -- as above
    from tools.mcp.reference_properties import provider_tools  # noqa: PLC0415 -- as above

    try:
        values = read_properties(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise ServerConfigError(f"{path} cannot be read: {error}") from error
    own = provider_tools(values)
    if not own:
        raise ServerConfigError(f"{path} names nothing that a provider runs: expected WebSearchTool.type or MCP.name")
    return own


def _shown(document: dict[str, JsonValue]) -> dict[str, JsonValue]:
    return {**document, "authorization": "••••"} if document.get("authorization") else document


COMMANDS: Final = {"wire": CliCommand(add_wire, with_tools=obey_wire)}
