"""`schema`: what a tool takes and returns as JSON Schema, in several forms, and as a provider takes it."""

from __future__ import annotations

import argparse
import asyncio
import json
from typing import TYPE_CHECKING, Any, Final

from tools.cli.command import CliCommand
from tools.cli.exits import Exit
from tools.cli.listing import did_you_mean
from tools.cli.streams import FAILURE_SCHEMA, UsageError, say
from tools.schema import SchemaPart, SchemaStyle, response_schema
from tools.wire import PROVIDERS

if TYPE_CHECKING:
    from tools.tool import Tool
    from tools.workbench import Workbench


def add_schema(commands: argparse._SubParsersAction[argparse.ArgumentParser], common: argparse.ArgumentParser) -> None:
    """Add the command to the parser."""
    schema = commands.add_parser(
        "schema",
        parents=[common],
        help="print what a tool takes or returns as JSON Schema",
        epilog="Forms: 2020-12 as the tool declares it; inlined without references; titled likewise, each title the"
        " qualified name of a type; openapi-3.0 the same in the words of OpenAPI. --envelope without NAME prints the"
        " schema of what `call --output json` writes. The whole definition that a provider is sent: `wire`.",
    )
    schema.add_argument("name", nargs="?", metavar="NAME")
    schema.add_argument("--form", choices=[form.value for form in SchemaStyle], help="how it is written (2020-12)")
    part = schema.add_mutually_exclusive_group()
    part.add_argument("--result", action="store_true", help="what it returns instead of what it takes")
    part.add_argument("--envelope", action="store_true", help="the whole response around what it returns")
    part.add_argument("--provider", choices=tuple(PROVIDERS), help="what it takes, as this provider is sent it")
    schema.add_argument("--strict", action="store_true", help="as the provider holds its model to it")


def _print_envelope(options: argparse.Namespace) -> Exit | None:
    """Print the JSON Schema of what `call --output json` writes, whatever the tool, and whether it comes to a call."""
    if options.name is not None or not options.envelope:
        return None
    return _print({"anyOf": [response_schema(), FAILURE_SCHEMA]})


def obey_schema(options: argparse.Namespace, bench: Workbench, runner: asyncio.Runner) -> Exit:
    """Print one schema of one tool.

    Raises:
        ToolError: The worker process that knows the types of a plugin file cannot say them.
        UsageError: No tool is named, or what is asked for does not go together.
    """
    if options.name is None:
        raise UsageError("schema: expected the NAME of a tool, or --envelope")
    tool = bench.registry.find(options.name)
    if tool is None:
        say(f"no tool is called {options.name!r}{did_you_mean(bench, options.name)}")
        return Exit.USAGE
    if options.provider is not None:
        return _print_fitted(options, tool)
    if options.strict:
        raise UsageError("--strict: expected --provider, which holds its model to the schema")
    part = SchemaPart.RESULT if options.result else SchemaPart.RESPONSE if options.envelope else SchemaPart.INPUT
    written = runner.run(bench.schema_of(tool.name, part, SchemaStyle(options.form or SchemaStyle.DECLARED)))
    if written is None:
        why = "returns nothing" if tool.output.returns_nothing else "does not say what it returns"
        say(f"{tool.name} {why}; --envelope prints the schema of its responses")
        return Exit.FAILED
    return _print(written)


def _print_fitted(options: argparse.Namespace, tool: Tool) -> Exit:
    provider = PROVIDERS[options.provider]
    if options.form is not None:
        raise UsageError(f"--form: {provider.title} takes its own; leave out --form or --provider")
    if options.strict and provider.strict is None:
        raise UsageError(f"--strict: {provider.title} holds no model to a schema; leave it out")
    fitted = provider.fitted(tool.input_schema, strict=options.strict)
    _print(fitted.schema)
    if fitted.refused:
        say(f"{provider.title} refuses {tool.name!r}; change what `wire {provider.name} {tool.name} --report` says")
    return Exit.FAILED if fitted.refused else Exit.OK


def _print(schema: dict[str, Any]) -> Exit:
    print(json.dumps(schema, indent=2, ensure_ascii=False))
    return Exit.OK


COMMANDS: Final = {"schema": CliCommand(add_schema, _print_envelope, obey_schema)}
