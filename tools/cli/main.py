"""Read the command line and do what it says; results go to standard output, everything else to standard error."""

from __future__ import annotations

import argparse
import asyncio
import errno
import io
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, redirect_stderr, redirect_stdout
from itertools import pairwise
from pathlib import Path
from typing import Any, Final, NoReturn

from tools.cli.agent import add_agent, obey_agent
from tools.cli.agent_profile import looks_at_tools, obey_agent_profile
from tools.cli.audit import add_audit, obey_audit
from tools.cli.batch import add_batch, run_batch
from tools.cli.bridge import add_bridge, obey_bridge
from tools.cli.call import add_review_options, call_tool
from tools.cli.check import add_check, obey_check
from tools.cli.config import add_config, apply_settings, obey_config
from tools.cli.connect import add_connect, obey_connect
from tools.cli.exits import Exit
from tools.cli.health import add_health, needs_tools, obey_health
from tools.cli.history import add_history, obey_history
from tools.cli.lint import add_lint, obey_lint, plugin_files
from tools.cli.listing import list_tools, print_search, show_tool
from tools.cli.manifest import add_manifest, obey_manifest, print_schema
from tools.cli.mcp import add_mcp, command_behind, obey_mcp, open_servers
from tools.cli.openapi import add_openapi, load_apis, obey_openapi
from tools.cli.policy import add_policy, needs_bench, obey_policy
from tools.cli.prompt import add_prompt, obey_prompt
from tools.cli.runs import obey_runs
from tools.cli.schema import add_schema, needs_tool, obey_schema, print_envelope
from tools.cli.serve import add_serve, obey_serve
from tools.cli.streams import UsageError, note, one_document, say
from tools.cli.wire import add_wire, obey_wire
from tools.errors import ToolError
from tools.paths import plain_path
from tools.workbench import Workbench

COMMANDS: Final = (
    "list",
    "info",
    "call",
    "batch",
    "search",
    "history",
    "health",
    "audit",
    "policy",
    "mcp",
    "openapi",
    "wire",
    "schema",
    "lint",
    "check",
    "manifest",
    "prompt",
    "config",
    "agent",
    "connect",
    "serve",
    "bridge",
)
"""The words after `tool-console` that mean the command line instead of the window."""

_NO_ROOM: Final = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO})
"""What a disk says that takes nothing more."""


def main(arguments: Sequence[str] | None = None, *, workbench: Workbench | None = None) -> int:
    """Run one command.

    Args:
        arguments: The words after the program's name; None takes those of this process.
        workbench: The tools, closed afterwards; None loads those of this computer.

    Returns:
        The exit code; see `Exit`.
    """
    with _somewhere_to_write():
        return _main(arguments, workbench)


@contextmanager
def _somewhere_to_write() -> Iterator[None]:
    """Have both outputs: one that was closed when the program began does not exist, and is nowhere meanwhile."""
    with ExitStack() as opened:
        for stream, redirect in ((sys.stdout, redirect_stdout), (sys.stderr, redirect_stderr)):
            if stream is None:
                # It also takes the number that is free, so that no file opened later is taken for the output.
                nowhere = opened.enter_context(Path(os.devnull).open("w", encoding="utf-8"))
                opened.enter_context(redirect(nowhere))
        yield


def _main(arguments: Sequence[str] | None, workbench: Workbench | None) -> int:
    words, command_line = command_behind(list(sys.argv[1:] if arguments is None else arguments))
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # File names may hold bytes that are no text; they are shown as escapes rather than ending the program.
            stream.reconfigure(errors="backslashreplace")
    if isinstance(sys.stdin, io.TextIOWrapper):
        # Where the language of the system is none, Python lets bytes that are no text through in disguise.
        sys.stdin.reconfigure(encoding="utf-8", errors="strict")
    with one_document(wanted=_wants_json(words)) as finish:
        try:
            options = _parser().parse_args(words)
        except SystemExit as stop:
            if stop.code:
                finish(Exit.USAGE)
            return int(stop.code or 0)
        if command_line:
            options.command_line = command_line
        return _ended(options, workbench, finish)


def _wants_json(words: Sequence[str]) -> bool:
    """Return whether the result is to be JSON, also where the words make no command."""
    before = list(words)[: list(words).index("--")] if "--" in words else list(words)
    return "--output=json" in before or ("--output", "json") in pairwise(before)


def _ended(options: argparse.Namespace, workbench: Workbench | None, finish: Callable[[Exit], None]) -> int:
    """Do what a command says, tell what keeps it from that, and return the exit code."""
    try:
        code = Exit(_told(options, workbench))
        finish(code)
        sys.stdout.flush()
        return code
    except BrokenPipeError:
        # Whoever read the output has seen enough, as `head` does. Python must not try to write the rest at its end.
        _let_output_go()
        return Exit.OK
    except OSError as error:
        if error.errno not in _NO_ROOM or error.filename is not None:
            raise
        say(f"the output cannot be written: {error.strerror}")
        _let_output_go()
        return Exit.FAILED


def _told(options: argparse.Namespace, workbench: Workbench | None) -> int:
    try:
        return _obey(options, workbench)
    except UsageError as error:
        say(str(error))
        return Exit.USAGE
    except ToolError as error:
        say(str(error))
        return Exit.FAILED
    except KeyboardInterrupt:
        say("interrupted")
        return Exit.INTERRUPTED


def _let_output_go() -> None:
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


_ALONE: Final = {
    "history": obey_history,
    "audit": obey_audit,
    "mcp": obey_mcp,
    "openapi": obey_openapi,
    "config": obey_config,
    "connect": obey_connect,
    "bridge": obey_bridge,
}


def _obey_alone(options: argparse.Namespace) -> int | None:
    """Do what needs no tools, and return the exit code; None for everything else."""
    if (obey := _ALONE.get(options.command)) is not None:
        return obey(options)
    match options.command:
        case "agent" if not looks_at_tools(options):
            return obey_agent(options)
        case "health" if not needs_tools(options):
            return obey_health(options)
        case "policy" if not needs_bench(options):
            return obey_policy(options)
        case "batch" if options.action not in {"run", "resume"}:
            return obey_runs(options)
        case "manifest" if options.schema:
            return print_schema()
        case "schema" if not needs_tool(options):
            return print_envelope()
    return None


def _obey(options: argparse.Namespace, workbench: Workbench | None) -> int:
    alone = _obey_alone(options)
    if alone is not None:
        return alone
    bench = workbench or Workbench()
    if options.command in {"lint", "check"}:
        options.plugin += plugin_files(options)
    project = vars(options).get("project")
    if project is not None and project.is_dir():
        # The worker that imports a plugin file runs its tools, so it works in the project folder from the beginning.
        bench.workers.folder = plain_path(project)
    # One loop for all of it: the worker that imported a plugin file is the one that runs its tools.
    with asyncio.Runner() as runner:
        try:
            if workbench is None:
                runner.run(_load(bench, options.plugin))
                runner.run(load_apis(bench, project))
                apply_settings(bench, project)
            with _servers(bench, options, runner):
                return _obey_with(bench, options, runner)
        finally:
            runner.run(bench.aclose())


@contextmanager
def _servers(bench: Workbench, options: argparse.Namespace, runner: asyncio.Runner) -> Iterator[None]:
    """Have the tools of MCP servers among the others, where a command asks for them or names one."""
    wants_all = vars(options).get("servers", False)
    named = _named_of_servers(bench, options)
    if not wants_all and not named:
        yield
        return
    store = open_servers(options)
    if not store.configs:
        yield
        return
    from tools.cli.mcp_live import attach, running  # noqa: PLC0415 -- servers take a while to import
    from tools.mcp.asking import LeaveToClients  # noqa: PLC0415 -- as above

    around = running(store, bench.registry, LeaveToClients() if options.command == "serve" else None)
    servers = runner.run(around.__aenter__())
    try:
        runner.run(attach(store, servers, None if wants_all else named))
        if options.command == "prompt":
            runner.run(servers.settled())
        yield
    finally:
        runner.run(around.__aexit__(None, None, None))


def _named_of_servers(bench: Workbench, options: argparse.Namespace) -> list[str]:
    """Return the names in a command that may be those of servers' tools, or of servers where these are checked."""
    if options.command == "check":
        names = [name if "." in name else f"{name}." for name in options.names if not name.endswith(".py")]
    else:
        asks = options.command in {"call", "info", "schema", "prompt"} and "." in (options.name or "")
        names = [options.name] if asks else []
    return [name for name in names if bench.registry.find(name.removesuffix(".")) is None]


_WITH_TOOLS: Final = {"agent": obey_agent_profile, "lint": obey_lint, "manifest": obey_manifest, "wire": obey_wire}
_WITH_LOOP: Final[Mapping[str, Callable[[argparse.Namespace, Workbench, asyncio.Runner], int]]] = {
    "health": obey_health,
    "policy": obey_policy,
    "check": obey_check,
    "prompt": obey_prompt,
    "schema": obey_schema,
    "serve": obey_serve,
}


def _obey_with(bench: Workbench, options: argparse.Namespace, runner: asyncio.Runner) -> int:
    if (obey := _WITH_TOOLS.get(options.command)) is not None:
        return obey(options, bench)
    if (obey_on_loop := _WITH_LOOP.get(options.command)) is not None:
        return obey_on_loop(options, bench, runner)
    match options.command:
        case "list":
            return list_tools(bench, options.output, options.category)
        case "info":
            return show_tool(bench, options.name, options.output)
        case "search":
            return print_search(bench, " ".join(options.words), options.output)
        case "batch":
            return run_batch(bench, options, runner)
        case _:
            return call_tool(bench, options, runner)


async def _load(bench: Workbench, plugins: list[Path]) -> None:
    try:
        await bench.load(plugins)
    except ToolError as error:
        say(str(error))
    for report in bench.reports:
        if report.error:
            say(f"{report.source.name} did not load: {report.error}")


class _Parser(argparse.ArgumentParser):
    """A parser that takes options wherever they stand, and has its complaints in a command's JSON document too."""

    _mixes = False

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> tuple[Any, list[str]]:
        """Parse words; options may stand between those that are none."""
        if self._mixes or self._subparsers is not None:
            return super().parse_known_args(args, namespace)
        self._mixes = True
        try:
            return self.parse_known_intermixed_args(args, namespace)
        finally:
            self._mixes = False

    def error(self, message: str) -> NoReturn:
        """Complain, and end."""
        note(message)
        super().error(message)


def _parser() -> argparse.ArgumentParser:
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument("--output", choices=("text", "json"), default="text", help="how results are written")
    common.add_argument(
        "--plugin", type=Path, action="append", default=[], metavar="FILE", help="load this plugin file as well"
    )
    common.add_argument("--servers", action="store_true", help="start the MCP servers, and have their tools as well")
    parser: argparse.ArgumentParser = _Parser(
        prog="tool-console",
        description="Find, read and run tools. Without a command, the window opens.",
        epilog="Exit codes: 0 ok, 1 findings, 2 usage, 3 denied, 4 invalid arguments, 5 the tool failed, 6 timed out,"
        " 7 the audit log was changed, 130 stopped.",
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar=" | ".join(COMMANDS))
    listing = commands.add_parser("list", parents=[common], help="list the tools")
    listing.add_argument("--category", help="only this category")
    info = commands.add_parser("info", parents=[common], help="show one tool")
    info.add_argument("name", metavar="NAME")
    search = commands.add_parser("search", parents=[common], help="find tools by words")
    search.add_argument("words", nargs="+", metavar="WORDS")
    call = commands.add_parser(
        "call",
        parents=[common],
        help="run a tool",
        epilog="key=value gives text, which is converted to the argument's type; key:=value gives JSON.",
    )
    call.add_argument("name", metavar="NAME")
    call.add_argument("arguments", nargs="*", metavar="key=value")
    call.add_argument("--json", metavar="ARGS", help="the arguments as one JSON object; - reads it from standard input")
    call.add_argument("--dry-run", action="store_true", help="only say what it would do, where the tool can tell")
    add_review_options(call)
    call.add_argument("--project", type=Path, metavar="DIR", help="the project folder (default: the current one)")
    call.add_argument("--no-history", action="store_true", help="record nothing, in history and audit log alike")
    call.add_argument("--save", type=Path, metavar="DIR", help="save attachments into this folder")
    add_batch(commands, common)
    add_history(commands)
    add_health(commands)
    add_audit(commands)
    add_policy(commands)
    add_mcp(commands)
    add_openapi(commands)
    add_wire(commands, common)
    add_schema(commands, common)
    add_lint(commands, common)
    add_check(commands, common)
    add_manifest(commands, common)
    add_prompt(commands, common)
    add_config(commands)
    add_agent(commands, common)
    add_connect(commands)
    add_serve(commands, common)
    add_bridge(commands)
    return parser
