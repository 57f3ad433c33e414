"""`bridge`: connect an agent that starts programs, and knows no addresses, with the gateway."""

from __future__ import annotations

import argparse
import asyncio
import os

from tools.cli.exits import Exit
from tools.cli.streams import UsageError
from tools.gateway.defaults import TOKEN_VARIABLE, address_of


def add_bridge(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to the parser."""
    parser = commands.add_parser(
        "bridge",
        help="connect an agent that starts programs with the gateway",
        epilog=f"For the settings of agents that have a command and no address. The token stands in {TOKEN_VARIABLE},"
        " so that no list of processes shows it.",
    )
    usual = address_of()
    parser.add_argument("--address", default=usual, metavar="URL", help=f"where it is (default: {usual})")
    parser.set_defaults(output="text")


def obey_bridge(options: argparse.Namespace) -> Exit:
    """Pass messages until the agent closes its stream."""
    token = os.environ.get(TOKEN_VARIABLE, "")
    if not token:
        raise UsageError(f"expected the token of an agent in {TOKEN_VARIABLE}; tool-console agent add NAME prints one")
    from tools.gateway.bridge import bridge  # noqa: PLC0415 -- no other command needs it

    asyncio.run(bridge(options.address, token))
    return Exit.OK
