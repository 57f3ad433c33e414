"""`prompt`: list the prompts of toolkits and plugins, and write the text that one of them makes."""

from __future__ import annotations

import argparse
import asyncio
import json
from typing import TYPE_CHECKING, Any

from tools.cli.call import arguments_of
from tools.cli.exits import Exit
from tools.cli.listing import print_arguments, print_rows
from tools.cli.streams import UsageError, say
from tools.errors import ArgumentsError

if TYPE_CHECKING:
    from tools.tool import Prompt
    from tools.workbench import Workbench


def add_prompt(commands: argparse._SubParsersAction[argparse.ArgumentParser], common: argparse.ArgumentParser) -> None:
    """Add the command to the parser."""
    prompt = commands.add_parser(
        "prompt",
        parents=[common],
        help="list the prompts, or write the text of one",
        epilog="Without NAME all prompts are listed. key=value gives text, key:=value gives JSON.",
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
        elif prompts:
            print_rows((prompt.name, prompt.description) for prompt in prompts.values())
        else:
            say("no toolkit and no plugin has a prompt; @prompt on a method of a toolkit makes one")
        return Exit.OK
    found = prompts.get(options.name)
    if found is None:
        known = ", ".join(sorted(prompts)) or "none"
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
        text = runner.run(bench.render_prompt(found.name, given))
    except ArgumentsError as error:
        for problem in error.problems:
            say(f"{problem}; --describe says what it takes")
        return Exit.INVALID_ARGUMENTS
    print(json.dumps({"role": found.role.value, "text": text}, indent=2) if options.output == "json" else text)
    return Exit.OK


def _card(prompt: Prompt) -> dict[str, Any]:
    return {
        "name": prompt.name,
        "description": prompt.description,
        "role": prompt.role.value,
        "toolkit": prompt.toolkit,
        "input_schema": prompt.arguments.input_schema,
    }


def _describe(prompt: Prompt, output: str) -> None:
    if output == "json":
        print(json.dumps(_card(prompt), indent=2))
        return
    print(prompt.name)
    print(f"  {prompt.description}")
    print(f"  speaks as {prompt.role.value}" + (f" · {prompt.toolkit}" if prompt.toolkit else ""))
    print("\nArguments")
    print_arguments(prompt.arguments.input_schema)
