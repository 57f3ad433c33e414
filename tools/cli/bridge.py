"""`bridge`: connect an agent that starts programs, and knows no addresses, with the gateway."""

from __future__ import annotations

import argparse
import asyncio
import os
from typing import Final

from tools.cli.exits import Exit
from tools.cli.streams import UsageError

TOKEN: Final = "TOOL_CONSOLE_TOKEN"  # noqa: S105 -- the variable that holds one
_ADDRESS: Final = "http://127.0.0.1:8620/mcp"


def add_bridge(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to the parser."""
    parser = commands.add_parser(
        "bridge",
        help="connect an agent that starts programs with the gateway",
        epilog=f"For the settings of agents that have a command and no address. The token stands in {TOKEN}, so that"
        " no list of processes shows it.",
    )
    parser.add_argument("--address", default=_ADDRESS, metavar="URL", help=f"where it is (default: {_ADDRESS})")
    parser.set_defaults(output="text")


def obey_bridge(options: argparse.Namespace) -> Exit:
    """Pass messages until the agent closes its stream."""
    token = os.environ.get(TOKEN, "")
    if not token:
        raise UsageError(f"expected the token of an agent in {TOKEN}; tool-console agent add NAME prints one")
    from tools.gateway.bridge import bridge  # noqa: PLC0415 -- no other command needs it

    asyncio.run(bridge(options.address, token))
    return Exit.OK
