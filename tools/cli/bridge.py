"""`bridge`: connect an agent that starts programs, and knows no addresses, with the gateway."""

from __future__ import annotations

import argparse
import asyncio
import os
from pathlib import Path
from typing import Final

from tools.cli.command import CliCommand
from tools.cli.exits import Exit
from tools.cli.streams import UsageError
from tools.gateway.defaults import TOKEN_VARIABLE
from tools.paths import data_folder


def add_bridge(commands: argparse._SubParsersAction[argparse.ArgumentParser], _common: argparse.ArgumentParser) -> None:
    """Add the command to the parser."""
    parser = commands.add_parser(
        "bridge",
        help="connect an agent that starts programs with the gateway",
        epilog=f"For the settings of agents that have a command and no address. The token stands in {TOKEN_VARIABLE},"
        " so that no list of processes shows it.",
    )
    parser.add_argument(
        "--address",
        metavar="URL",
        help="where it is (default: where the window or tool-console serve is; one is started in the background if"
        " there is none)",
    )
    parser.add_argument("--project", type=Path, metavar="DIR", help="the project folder of one that is started")
    parser.set_defaults(output="text")


def obey_bridge(options: argparse.Namespace) -> Exit:
    """Pass messages until the agent closes its stream."""
    token = os.environ.get(TOKEN_VARIABLE, "")
    if not token:
        raise UsageError(f"expected the token of an agent in {TOKEN_VARIABLE}; tool-console agent add NAME prints one")
    if options.project is not None and not options.project.is_dir():
        raise UsageError(f"--project: {options.project} is no folder")
    from tools.gateway.background import served_address  # noqa: PLC0415 -- no other command needs it
    from tools.gateway.bridge import bridge  # noqa: PLC0415 -- as above

    project = None if options.project is None else options.project.absolute()
    asyncio.run(bridge(options.address or served_address(data_folder(), project), token))
    return Exit.OK


COMMANDS: Final = {"bridge": CliCommand(add_bridge, alone=obey_bridge)}
