"""`prompt`: list the prompts of toolkits, plugins and servers, and write the text that one of them makes."""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from typing import TYPE_CHECKING, Any, Final

from tools.cli.call import arguments_of
from tools.cli.command import CliCommand
from tools.cli.exits import Exit
from tools.cli.listing import print_arguments, print_rows
from tools.cli.streams import UsageError, say
from tools.errors import ArgumentsError
from tools.mcp.confusable_letters import visible_text

if TYPE_CHECKING:
    from tools.tool import Prompt
    from tools.workbench import Workbench


def add_prompt(commands: argparse._SubParsersAction[argparse.ArgumentParser], common: argparse.ArgumentParser) -> None:
    """Add the command to the parser."""
    prompt = commands.add_parser(
        "prompt",
        parents=[common],
        help="list the prompts, or write the text of one",
        epilog="Without NAME all prompts are listed, with --servers those of MCP servers as well; SERVER.NAME starts"
        " that server. key=value gives text, key:=value gives JSON.",
    )
    prompt.add_argument("name", nargs="?", metavar="NAME")
    prompt.add_argument("arguments", nargs="*", metavar="key=value")
    prompt.add_argument("--json", metavar="ARGS", help="the arguments as one JSON object; - reads standard input")
    prompt.add_argument("--describe", action="store_true", help="say what it takes instead")


def obey_prompt(options: argparse.Namespace, bench: Workbench, runner: asyncio.Runner) -> Exit:
    """List the prompts, describe one, or write its text."""
    prompts = {prompt.name: prompt for prompt in bench.registry.prompts}
    if options.name is None:
        if options.output == "json":
            print(json.dumps([_card(prompt) for prompt in prompts.values()], indent=2))
        else:
            print_rows((visible_text(prompt.name), _line(prompt.description)) for prompt in prompts.values())
        return Exit.OK
    found = prompts.get(options.name)
    if found is None:
        known = ", ".join(map(visible_text, sorted(prompts))) or "none"
        say(f"no prompt is called {options.name!r}; there are: {known}")
        return Exit.USAGE
    if options.describe:
        _describe(found, options.output)
        return Exit.OK
    given = arguments_of(options, found.arguments.input_schema)
    if isinstance(given, str):
        try:
            given = json.loads(given)
        except ValueError as error:
            raise UsageError(f"--json: not JSON ({error})") from error
    try:
        said = runner.run(bench.render_prompt(found.name, given))
    except ArgumentsError as error:
        for problem in error.problems:
            say(f"{problem}; --describe says what it takes")
        return Exit.INVALID_ARGUMENTS
    if options.output == "json":
        document = {"description": said.description or found.description, "messages": said.messages}
        print(json.dumps(document, indent=2, ensure_ascii=False))
    else:
        lines = said.text.split("\n")
        # What a server wrote must not move the terminal's cursor; who reads it as a file gets the very letters.
        print("\n".join(map(visible_text, lines) if found.is_remote and sys.stdout.isatty() else lines))
    return Exit.OK


def _line(description: str) -> str:
    return visible_text(" ".join(description.split()))


def _card(prompt: Prompt) -> dict[str, Any]:
    return {
        "name": prompt.name,
        "description": prompt.description,
        "role": prompt.role,
        "toolkit": prompt.toolkit,
        "source": prompt.source.name,
        "input_schema": prompt.arguments.input_schema,
    }


def _describe(prompt: Prompt, output: str) -> None:
    if output == "json":
        print(json.dumps(_card(prompt), indent=2))
        return
    print(visible_text(prompt.name))
    print(f"  {visible_text(prompt.description)}")
    speaks = f"speaks as {prompt.role}" if prompt.role is not None else "its messages say who speaks"
    print(f"  {speaks} · {prompt.toolkit or prompt.source.name}")
    print("\nArguments")
    print_arguments(prompt.arguments.input_schema)


COMMANDS: Final = {"prompt": CliCommand(add_prompt, with_tools=obey_prompt)}
