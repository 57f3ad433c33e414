"""`serve`: have agents call the tools, with questions answered in this terminal."""

from __future__ import annotations

import argparse
import asyncio
import signal
from collections.abc import Coroutine
from contextlib import nullcontext, suppress
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from tools.cli.call import add_webhook, executing
from tools.cli.command import CliCommand
from tools.cli.exits import Exit
from tools.cli.recording import CallRecorders, recording
from tools.cli.streams import UsageError, say
from tools.gateway.agents import AGENTS_FILE, Agents
from tools.gateway.defaults import CALLS_A_MINUTE, HOLD_S, IDLE_S, LARGEST_RESULT_BYTES, LAST_PORT, PORT
from tools.paths import NO_PROJECT, data_folder
from tools.policy import Autonomy

if TYPE_CHECKING:
    from tools.calls import ReviewDecision, ReviewRequest
    from tools.gateway.endpoint import GatewayEndpoint
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
    serve.add_argument(
        "--take-over",
        action="store_true",
        help="have the window, or another serve, hand over what it serves, questions included",
    )
    serve.add_argument(
        "--background",
        action="store_true",
        help="ask nobody: questions wait for the window, which takes over when it is opened; end when no agent was"
        " there for a while; without --project no folder counts as the project",
    )
    serve.add_argument(
        "--idle",
        type=_seconds,
        default=IDLE_S,
        metavar="SECONDS",
        help=f"after how long without an agent --background ends (default: {IDLE_S:g})",
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
    """Serve agents until somebody stops it, or another program takes over."""
    if options.project is not None and not options.project.is_dir():
        raise UsageError(f"--project: {options.project} is no folder")
    if options.background and options.project is None:
        # It is started anywhere: that must make no folder the one that agents may change.
        options.project = NO_PROJECT
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
    handler = _Background() if options.background else None
    async with executing(bench, options, records, review_handler=handler) as executor:
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
            name="tool-console serve",
        )
        stopped = asyncio.Event()
        with suppress(NotImplementedError):  # Windows has none
            asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stopped.set)
        handed = await endpoint.start(takes_over=options.take_over)
        try:
            if handed is not None:
                say(f"taken over from {handed.name}: {handed.words}")
            say(f"agents reach the tools at {endpoint.address}; {_ends(options)}")
            say(f"let in: {known}" if known else "nobody is let in yet; tool-console agent add NAME does that")
            idle_s = options.idle if options.background else None
            if await _until_over(endpoint, stopped, idle_s):
                say("another program serves agents now, so this one ends, after the calls that still run here")
                await _first(endpoint.finished(), stopped.wait())
            elif not stopped.is_set():
                say(f"no agent was there for {options.idle:g} s, so this ends")
        finally:
            await endpoint.aclose()


async def _until_over(endpoint: GatewayEndpoint, stopped: asyncio.Event, idle_s: float | None) -> bool:
    """Wait until there is no reason to serve any more; return whether that is because another program does."""
    while not stopped.is_set() and not endpoint.handed_over.is_set():
        left_s = None if idle_s is None else idle_s - endpoint.idle_s
        if left_s is not None and left_s <= 0:
            break
        await _first(stopped.wait(), endpoint.handed_over.wait(), timeout_s=left_s)
    return endpoint.handed_over.is_set()


async def _first(*waits: Coroutine[Any, Any, object], timeout_s: float | None = None) -> None:
    """Wait for the first of several things."""
    tasks = [asyncio.ensure_future(wait) for wait in waits]
    await asyncio.wait(tasks, timeout=timeout_s, return_when=asyncio.FIRST_COMPLETED)
    for task in tasks:
        task.cancel()


def _ends(options: argparse.Namespace) -> str:
    return "questions wait for the window" if options.background else "Ctrl+C ends this"


class _Background:
    """Leaves questions open until their time is up: a window that is opened meanwhile asks them."""

    name = "nobody"

    async def review(self, request: ReviewRequest, /) -> ReviewDecision:
        say(f"{request.call.caller} asks for {request.call.tool.name}; open Tool Console to answer")
        answer: asyncio.Future[ReviewDecision] = asyncio.get_running_loop().create_future()
        return await answer


COMMANDS: Final = {"serve": CliCommand(add_serve, with_tools=obey_serve)}
