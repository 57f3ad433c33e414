"""`bridge`: connect an agent that starts programs, and knows no addresses, with the gateway."""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
from collections.abc import AsyncIterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from threading import Thread
from typing import Final
from urllib.parse import urlsplit

from tools.cli.command import CliCommand
from tools.cli.exits import Exit
from tools.cli.streams import UsageError
from tools.gateway.defaults import TOKEN_VARIABLE, address_of
from tools.paths import data_folder

_CHUNK: Final = 1 << 16


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
    if options.address and (not urlsplit(options.address).hostname or not options.address.startswith("http")):
        raise UsageError(f"--address: expected one such as {address_of()}, got {options.address!r}")
    for plugin in options.plugin:
        if not plugin.is_file():
            raise UsageError(f"--plugin: {plugin} is no file")
    project = None if options.project is None else options.project.absolute()
    plugins = [plugin.absolute() for plugin in options.plugin]
    asyncio.run(_bridge(options.address, project, plugins, token))
    return Exit.OK


async def _bridge(address: str | None, project: Path | None, plugins: list[Path], token: str) -> None:
    from tools.gateway.background import served_address  # noqa: PLC0415 -- no other command needs it
    from tools.gateway.bridge import Bridge  # noqa: PLC0415 -- as above

    find = partial(served_address, data_folder(), project, plugins) if address is None else lambda: address
    await Bridge(find, token, _say).run(_lines())


def _say(line: bytes) -> None:
    # An agent that closed this stream closes the other one as well, which ends the bridge.
    with suppress(BrokenPipeError):
        sys.stdout.buffer.write(line + b"\n")
        sys.stdout.buffer.flush()


async def _lines() -> AsyncIterator[bytes]:
    """Yield the lines that the agent writes, read in a thread of their own: not every stream can be waited for."""
    descriptor = sys.stdin.fileno()
    loop = asyncio.get_running_loop()
    lines: asyncio.Queue[bytes | None] = asyncio.Queue()

    def read() -> None:
        rest = b""
        # After the bridge ended, its loop takes nothing more.
        with suppress(RuntimeError):
            while chunk := os.read(descriptor, _CHUNK):
                *whole, rest = (rest + chunk).split(b"\n")
                for line in whole:
                    loop.call_soon_threadsafe(lines.put_nowait, line)
            loop.call_soon_threadsafe(lines.put_nowait, rest)
            loop.call_soon_threadsafe(lines.put_nowait, None)

    Thread(target=read, name="bridge reads", daemon=True).start()
    while (line := await lines.get()) is not None:
        yield line


COMMANDS: Final = {"bridge": CliCommand(add_bridge, alone=obey_bridge)}
