"""`list`, `info` and `search`."""

from __future__ import annotations

import argparse
import asyncio
import json
import shutil
import textwrap
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Final

from tools.cli.command import CliCommand
from tools.cli.exits import Exit
from tools.cli.streams import say
from tools.extras import how_to_install, missing_libraries

if TYPE_CHECKING:
    from tools.spec import ToolExample
    from tools.tool import Tool
    from tools.workbench import Workbench


def _add_list(commands: argparse._SubParsersAction[argparse.ArgumentParser], common: argparse.ArgumentParser) -> None:
    listing = commands.add_parser("list", parents=[common], help="list the tools")
    listing.add_argument("--category", help="only this category")


def _add_info(commands: argparse._SubParsersAction[argparse.ArgumentParser], common: argparse.ArgumentParser) -> None:
    info = commands.add_parser("info", parents=[common], help="show one tool")
    info.add_argument("name", metavar="NAME")


def _add_search(commands: argparse._SubParsersAction[argparse.ArgumentParser], common: argparse.ArgumentParser) -> None:
    search = commands.add_parser("search", parents=[common], help="find tools by words")
    search.add_argument("words", nargs="+", metavar="WORDS")


def _list_tools(options: argparse.Namespace, bench: Workbench, _runner: asyncio.Runner) -> Exit:
    """Print the tools by source and toolkit."""
    category = options.category
    tools = [
        tool for tool in bench.registry if category is None or tool.spec.category.casefold() == category.casefold()
    ]
    if category is not None and not tools:
        known = ", ".join(sorted({tool.spec.category for tool in bench.registry}))
        say(f"no tool is in the category {category!r}; there are: {known}")
        return Exit.USAGE
    if options.output == "json":
        print(json.dumps([_card(tool) for tool in tools], indent=2))
        return Exit.OK
    groups: dict[tuple[str, str], list[Tool]] = {}
    # A tool that took a built-in one's name stands in its place in the registry.
    for tool in sorted(tools, key=lambda tool: bool(tool.replaces)):
        groups.setdefault((tool.source.name, tool.toolkit or tool.spec.category), []).append(tool)
    for (source, kit), members in groups.items():
        print(f"{source} › {kit}")
        print_rows(map(_row, members))
    return Exit.OK


def _print_search(options: argparse.Namespace, bench: Workbench, _runner: asyncio.Runner) -> Exit:
    """Print the tools that fit some words, best first."""
    from tools.search import search_tools  # noqa: PLC0415 -- the other commands need no numpy

    words = " ".join(options.words)
    matches = search_tools(bench.registry, words)
    if options.output == "json":
        print(json.dumps([{**_card(match.tool), "match": round(100 * match.score)} for match in matches], indent=2))
        return Exit.OK
    if not matches:
        say(f"nothing matches {words!r}")
    print_rows(_row(match.tool) for match in matches)
    return Exit.OK


def _show_tool(options: argparse.Namespace, bench: Workbench, _runner: asyncio.Runner) -> Exit:
    """Print everything that is known of one tool."""
    from tools.lint import token_costs  # noqa: PLC0415 -- a list needs none of it

    name = options.name
    tool = bench.registry.find(name)
    if tool is None:
        say(f"no tool is called {name!r}{did_you_mean(bench, name)}")
        return Exit.USAGE
    costs = token_costs(tool)
    if options.output == "json":
        whole = {**_card(tool), "input_schema": tool.input_schema, "output_schema": tool.output_schema}
        whole["examples"] = [example.model_dump(mode="json", exclude_defaults=True) for example in tool.spec.examples]
        whole["tokens"] = {"estimated": True, "definition": costs.definition, "examples": costs.examples}
        print(json.dumps(whole, indent=2))
        return Exit.OK
    print(tool.name)
    print(textwrap.indent(textwrap.fill(tool.description, _width() - 2), "  "))
    facts = [word for word, holds in _facts(tool) if holds]
    print(f"  {tool.source.name} › {tool.toolkit or tool.spec.category}" + (f" · {', '.join(facts)}" if facts else ""))
    if words := _replacement(tool):
        print(f"  {words}")
    of_examples = f", {sum(costs.examples):,} of them its examples" if costs.examples else ""
    print(f"  ≈ {costs.total:,} tokens in each request{of_examples}, estimated")
    if tool.spec.needs:
        print(textwrap.indent(textwrap.fill(tool.spec.needs_words, _width() - 2), "  "))
    if missing := missing_libraries(tool.spec.extra):
        names = ", ".join(library.module for library in missing)
        print(f"  needs the extra {tool.spec.extra!r}, of which {names} is missing; {how_to_install(tool.spec.extra)}")
    print("\nArguments")
    print_arguments(tool.input_schema)
    for example in tool.spec.examples:
        _print_example(tool.name, example)
    return Exit.OK


def _print_example(name: str, example: ToolExample) -> None:
    title = "Do not do this" if example.negative else "Example"
    print(f"\n{title}{': ' + example.description if example.description else ''}")
    words = " ".join(_word(key, value) for key, value in example.input.items())
    print(f"  tool-console call {name} {words}".rstrip())
    if example.negative and example.why_bad:
        print(textwrap.indent(textwrap.fill(example.why_bad, _width() - 2), "  "))


def did_you_mean(bench: Workbench, name: str) -> str:
    """Return the end of a message that suggests the nearest name; empty when none is near."""
    close = bench.registry.closest(name)
    return f"; did you mean {close!r}?" if close else ""


def _word(key: str, value: Any) -> str:
    text = f"{key}={value}" if isinstance(value, str) else f"{key}:={json.dumps(value)}"
    return text if text.replace("_", "").replace("=", "").isalnum() else "'" + text.replace("'", "'\\''") + "'"


def _facts(tool: Tool) -> tuple[tuple[str, bool], ...]:
    from tools.policy.wording import hint_words, taken_words  # noqa: PLC0415 -- a list says none of it

    spec, hints = tool.spec, tool.hints
    return (
        ("read-only", bool(hints.read_only)),
        ("destructive", bool(hints.destructive)),
        ("reaches the network", bool(hints.open_world)),
        (hint_words(hints), bool(taken_words(hints)) or hints.says_nothing),
        ("asks first", tool.asks_first),
        (f"{spec.latency}", spec.latency is not None),
    )


def _card(tool: Tool) -> dict[str, Any]:
    return {
        "name": tool.name,
        "description": tool.description,
        "source": tool.source.name,
        "toolkit": tool.toolkit,
        **tool.spec.model_dump(mode="json", exclude={"name", "description", "examples"}),
        "asks_first": tool.asks_first,
        "replaces": tool.replaces or None,
        "replaced_by": tool.replaced_by or None,
        "missing": [library.module for library in missing_libraries(tool.spec.extra)],
    }


def kinds_of(node: object) -> list[str]:
    """Return the JSON types that a schema admits, as far as it says so itself or in its alternatives."""
    if not isinstance(node, dict):
        return []
    said = node.get("type")
    kinds = [said] if isinstance(said, str) else list(said or ())
    for part in (*node.get("anyOf", ()), *node.get("oneOf", ())):
        kinds += kinds_of(part)
    return list(dict.fromkeys(kinds))


def _width() -> int:
    return min(shutil.get_terminal_size().columns, 120)


def _row(tool: Tool) -> tuple[str, str]:
    said = f"[needs the extra {tool.spec.extra}] " if missing_libraries(tool.spec.extra) else ""
    said += f"[{words}] " if (words := _replacement(tool)) else ""
    return tool.name + (" *" if tool.asks_first else ""), said + tool.description


def _replacement(tool: Tool) -> str:
    """Say what has become of the name of a built-in tool; empty when it has its own, and for all others."""
    if tool.replaced_by:
        return f"replaced by {tool.own_name} of {tool.replaced_by}"
    return f"replaces the built-in tool, now {tool.replaces}" if tool.replaces else ""


def print_rows(rows: Iterable[tuple[str, str]]) -> None:
    """Print names, each with the beginning of its description."""
    rows = tuple(rows)
    column = max((len(name) for name, _ in rows), default=0) + 2
    for name, description in rows:
        print(f"  {name:<{column}}{textwrap.shorten(description, max(20, _width() - column - 2), placeholder='…')}")


def print_arguments(schema: dict[str, Any]) -> None:
    """Print what a schema of arguments asks for."""
    required = set(schema.get("required", ()))
    for name, node in schema.get("properties", {}).items():
        kind = " or ".join(kinds_of(node)) or "any"
        if not isinstance(node, dict):  # a foreign schema may say just true
            print(f"  {name}{'*' if name in required else ''}  ({kind})")
            continue
        default = "" if "default" not in node else f" = {json.dumps(node['default'])}"
        print(f"  {name}{'*' if name in required else ''}  ({kind}{default})")
        if node.get("description"):
            print(textwrap.indent(textwrap.fill(node["description"], _width() - 6), "      "))
    if not schema.get("properties"):
        print("  none")


COMMANDS: Final = {
    "list": CliCommand(_add_list, with_tools=_list_tools),
    "info": CliCommand(_add_info, with_tools=_show_tool),
    "search": CliCommand(_add_search, with_tools=_print_search),
}
