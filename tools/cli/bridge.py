"""`bridge`: connect an agent that starts programs, and knows no addresses, with the gateway."""

from __future__ import annotations

import argparse
import os
import sys
from contextlib import suppress
from functools import partial
from pathlib import Path
from threading import Lock
from typing import Final

from tools.cli.command import CliCommand
from tools.cli.exits import Exit
from tools.cli.streams import UsageError
from tools.gateway.background_program import serving_program
from tools.gateway.bridge import Bridge
from tools.gateway.defaults import TOKEN_VARIABLE
from tools.gateway.owner_note import served_note
from tools.paths import data_folder

_CHUNK: Final = 1 << 16
_writing = Lock()


def add_bridge(commands: argparse._SubParsersAction[argparse.ArgumentParser], _common: argparse.ArgumentParser) -> None:
    """Add the command to the parser."""
    parser = commands.add_parser(
        "bridge",
        help="connect an agent that starts programs with the gateway",
        epilog="For the settings of agents that have a command and no address. It finds the window or tool-console"
        " serve, and starts one in the background if there is none. The token stands in"
        f" {TOKEN_VARIABLE}, so that no list of processes shows it.",
    )
    parser.add_argument("--project", type=Path, metavar="DIR", help="the project folder of one that is started")
    parser.add_argument(
        "--plugin",
        type=Path,
        action="append",
        default=[],
        metavar="FILE",
        help="have one that is started load this plugin file as well",
    )
    parser.set_defaults(output="text")


def obey_bridge(options: argparse.Namespace) -> Exit:
    """Pass messages until the agent closes its stream."""
    token = os.environ.get(TOKEN_VARIABLE, "")
    if not token:
        raise UsageError(f"expected the token of an agent in {TOKEN_VARIABLE}; tool-console agent add NAME prints one")
    if options.project is not None and not options.project.is_dir():
        raise UsageError(f"--project: {options.project} is no folder")
    for plugin in options.plugin:
        if not plugin.is_file():
            raise UsageError(f"--plugin: {plugin} is no file")
    project = None if options.project is None else options.project.absolute()
    plugins = [plugin.absolute() for plugin in options.plugin]
    data = data_folder()
    look, find = partial(served_note, data), partial(serving_program, data, project, plugins)
    Bridge(look, find, token, read=partial(os.read, sys.stdin.fileno(), _CHUNK), write=_write).run()
    return Exit.OK


def _write(lines: bytes) -> None:
    # An agent that closed this stream closes the other one as well, which ends the bridge.
    with _writing, suppress(BrokenPipeError):
        sys.stdout.buffer.write(lines)
        sys.stdout.buffer.flush()


COMMANDS: Final = {"bridge": CliCommand(add_bridge, alone=obey_bridge)}
