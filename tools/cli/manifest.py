"""`manifest`: everything that is known of the tools, as one document."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tools.cli.command import CliCommand
from tools.cli.exits import Exit
from tools.cli.listing import did_you_mean
from tools.cli.streams import say
from tools.manifest import Manifest

if TYPE_CHECKING:
    import asyncio

    from tools.workbench import Workbench


def add_manifest(
    commands: argparse._SubParsersAction[argparse.ArgumentParser], common: argparse.ArgumentParser
) -> None:
    """Add the command to the parser."""
    manifest = commands.add_parser(
        "manifest",
        parents=[common],
        help="write everything that is known of the tools as one JSON document",
        epilog="--schema writes the JSON Schema of the document, which needs no tools.",
    )
    manifest.add_argument("names", nargs="*", metavar="NAME", help="which tools (default: all)")
    manifest.add_argument("--category", help="only this category")
    manifest.add_argument("--markdown", action="store_true", help="write a page for people instead")
    manifest.add_argument("--schema", action="store_true", help="write the JSON Schema of the document instead")
    manifest.add_argument("--to", type=Path, metavar="FILE", help="write into this file; .md is a page for people")


def obey_manifest(options: argparse.Namespace, bench: Workbench, _runner: asyncio.Runner) -> Exit:
    """Write the manifest to standard output or a file."""
    tools = list(bench.registry)
    if options.names:
        found = {name: bench.registry.find(name) for name in options.names}
        for name in (name for name, tool in found.items() if tool is None):
            say(f"no tool is called {name!r}{did_you_mean(bench, name)}")
            return Exit.USAGE
        tools = [tool for tool in dict.fromkeys(found.values()) if tool is not None]
    if options.category is not None:
        tools = [tool for tool in tools if tool.spec.category.casefold() == options.category.casefold()]
        if not tools:
            known = ", ".join(sorted({tool.spec.category for tool in bench.registry}))
            say(f"no tool is in the category {options.category!r}; there are: {known}")
            return Exit.USAGE
    made = Manifest.of(tools)
    if options.to is not None:
        try:
            made.write_to(options.to)
        except OSError as error:
            say(f"{options.to} cannot be written: {error.strerror or error}")
            return Exit.FAILED
        count = len(made.tools)
        say(f"{count} {'tool is' if count == 1 else 'tools are'} in {options.to}")
    else:
        print(made.to_markdown().rstrip() if options.markdown else made.to_json())
    return Exit.OK


def _print_schema(options: argparse.Namespace) -> Exit | None:
    if not options.schema:
        return None
    print(json.dumps(Manifest.schema_of_file(), indent=2))
    return Exit.OK


COMMANDS: Final = {"manifest": CliCommand(add_manifest, _print_schema, obey_manifest)}
