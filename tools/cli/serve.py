"""`serve`: have agents call the tools, with questions answered in this terminal."""

from __future__ import annotations

import argparse
import asyncio
import signal
from contextlib import nullcontext, suppress
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

from tools.cli.call import add_webhook, executing
from tools.cli.exits import Exit
from tools.cli.recording import CallRecorders, recording
from tools.cli.streams import UsageError, say
from tools.gateway.agents import AGENTS_FILE, Agents
from tools.gateway.defaults import CALLS_A_MINUTE, HOLD_S, LARGEST_RESULT_BYTES, LAST_PORT, PORT
from tools.policy import Autonomy
from tools.workbench import data_folder

if TYPE_CHECKING:
    from tools.workbench import Workbench


def add_serve(commands: argparse._SubParsersAction[argparse.ArgumentParser], common: argparse.ArgumentParser) -> None:
    """Add the command to the parser."""
    serve = commands.add_parser(
        "serve",
        parents=[common],
        help="let agents call the tools over MCP, on this computer only",
        epilog="Each agent needs a token, see tool-console agent add. What your rules ask about is asked in this"
        " terminal, or by --webhook; without either it is refused. Ctrl+C ends it.",
    )
    serve.add_argument("--port", type=_port, default=PORT, help=f"where to listen on 127.0.0.1 (default: {PORT})")
    serve.add_argument("--project", type=Path, metavar="DIR", help="the project folder (default: the current one)")
    serve.add_argument(
        "--autonomy",
        choices=[level.value for level in Autonomy],
        metavar="LEVEL",
        help=f"what is asked about: {', '.join(Autonomy)} (default: as your policy says)",
    )
    add_webhook(serve)
    serve.add_argument(
        "--hold",
        type=_seconds,
        default=HOLD_S,
        metavar="SECONDS",
        help=f"how long you are asked before the agent is told to call again (default: {HOLD_S:g})",
    )
    serve.add_argument(
        "--calls-a-minute",
        type=_count,
        default=CALLS_A_MINUTE,
        help=f"most calls of one agent in a minute (default: {CALLS_A_MINUTE})",
    )
    serve.add_argument(
        "--largest-result",
        type=_count,
        default=LARGEST_RESULT_BYTES,
        metavar="BYTES",
        help=f"size of the largest result that is handed on (default: {LARGEST_RESULT_BYTES:,})",
    )
    serve.add_argument("--no-history", action="store_true", help="record nothing, in history and audit log alike")
    serve.set_defaults(yes=False)


def _port(text: str) -> int:
    port = int(text)
    if not 0 <= port <= LAST_PORT:
        raise argparse.ArgumentTypeError(f"expected a port from 0 to {LAST_PORT}, got {text}")
    return port


def _seconds(text: str) -> float:
    seconds = float(text)
    if not 0 < seconds <= 24 * 3600:
        raise argparse.ArgumentTypeError(f"expected more than 0 seconds and at most a day, got {text}")
    return seconds


def _count(text: str) -> int:
    count = int(text)
    if count < 1:
        raise argparse.ArgumentTypeError(f"expected at least 1, got {text}")
    return count


def obey_serve(options: argparse.Namespace, bench: Workbench, runner: asyncio.Runner) -> Exit:
    """Serve agents until somebody stops it."""
    if options.project is not None and not options.project.is_dir():
        raise UsageError(f"--project: {options.project} is no folder")
    with nullcontext(CallRecorders()) if options.no_history else recording(data_folder()) as records:
        try:
            runner.run(_serve(options, bench, records))
        except KeyboardInterrupt:
            say("agents are served no longer")
    return Exit.OK


async def _serve(options: argparse.Namespace, bench: Workbench, records: CallRecorders) -> None:
    from tools.gateway.endpoint import GatewayEndpoint  # noqa: PLC0415 -- no other command needs a server

    data = data_folder()
    agents = Agents(data / AGENTS_FILE)
    known = ", ".join(agent.name for agent in agents.all())
    async with executing(bench, options, records) as executor:
        endpoint = GatewayEndpoint(
            executor,
            agents,
            data,
            render_prompt=bench.render_prompt,
            port=options.port,
            hold_s=options.hold,
            calls_a_minute=options.calls_a_minute,
            largest_result_bytes=options.largest_result,
            keeps_history=not options.no_history,
            version=version("tool-console"),
        )
        ended = asyncio.Event()
        with suppress(NotImplementedError):  # Windows has none
            asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, ended.set)
        await endpoint.start()
        try:
            say(f"agents reach the tools at {endpoint.address}; Ctrl+C ends this")
            say(f"let in: {known}" if known else "nobody is let in yet; tool-console agent add NAME does that")
            await ended.wait()
        finally:
            await endpoint.aclose()
