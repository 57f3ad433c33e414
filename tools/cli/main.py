"""Read the command line and do what it says; results go to standard output, everything else to standard error."""

from __future__ import annotations

import argparse
import asyncio
import errno
import importlib
import io
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, redirect_stderr, redirect_stdout
from itertools import pairwise
from pathlib import Path
from typing import Any, Final, NoReturn

from tools.cli.command import CliCommand
from tools.cli.exits import Exit
from tools.cli.streams import UsageError, note, one_document, say
from tools.errors import ToolError
from tools.paths import plain_path
from tools.workbench import Workbench

_MODULES: Final = {
    "list": "listing",
    "info": "listing",
    "call": "call",
    "batch": "batch",
    "ask": "ask",
    "evaluate": "evaluate",
    "search": "listing",
    "history": "history",
    "health": "health",
    "audit": "audit",
    "policy": "policy",
    "mcp": "mcp",
    "openapi": "openapi",
    "wire": "wire",
    "schema": "schema",
    "lint": "lint",
    "check": "check",
    "doctor": "doctor",
    "manifest": "manifest",
    "prompt": "prompt",
    "config": "config",
    "agent": "agent",
    "connect": "connect",
    "serve": "serve",
    "bridge": "bridge",
}
"""The module of each command, below this package."""

COMMANDS: Final = tuple(_MODULES)
"""The words after `tool-console` that mean the command line instead of the window."""

_OTHER_WORDS: Final = {
    "run": "call",
    "exec": "call",
    "tools": "list",
    "ls": "list",
    "show": "info",
    "describe": "info",
    "find": "search",
    "server": "mcp",
    "servers": "mcp",
    "agents": "agent",
    "gateway": "serve",
    "settings": "config",
}
"""Words that other programs have for our commands."""

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
    words, command_line = _command_behind(list(sys.argv[1:] if arguments is None else arguments))
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # File names may hold bytes that are no text; they are shown as escapes rather than ending the program.
            stream.reconfigure(errors="backslashreplace")
    if isinstance(sys.stdin, io.TextIOWrapper):
        # Where the language of the system is none, Python lets bytes that are no text through in disguise.
        sys.stdin.reconfigure(encoding="utf-8", errors="strict")
    with one_document(wanted=_wants_json(words)) as finish:
        if words and not words[0].startswith("-") and words[0] not in _MODULES:
            say(f"no command is called {words[0]!r}{_did_you_mean(words[0])}; `tool-console --help` lists all")
            finish(Exit.USAGE)
            return Exit.USAGE
        try:
            options = parser_of(words).parse_args(words)
        except SystemExit as stop:
            if stop.code:
                finish(Exit.USAGE)
            return int(stop.code or 0)
        if command_line:
            options.command_line = command_line
        return _ended(options, workbench, finish)


def _command_behind(words: Sequence[str]) -> tuple[Sequence[str], Sequence[str]]:
    """Return the words of a command line, and apart from them the command that `mcp add` has behind `--`."""
    place = list(words).index("--") if "--" in words else len(words)
    if words[:1] == ["mcp"] and "add" in words[:place]:
        return words[:place], words[place + 1 :]
    return words, ()


def _did_you_mean(word: str) -> str:
    """Return the part of a message that suggests a command; empty when none is near."""
    from difflib import get_close_matches  # noqa: PLC0415 -- only a wrong word needs it

    close = _OTHER_WORDS.get(word) or next(iter(get_close_matches(word, COMMANDS, 1)), "")
    return f"; did you mean {close!r}?" if close else ""


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


def _command(name: str) -> CliCommand:
    # Imported when its word is said: all together take as long as listing the tools.
    found: CliCommand = importlib.import_module(f"tools.cli.{_MODULES[name]}").COMMANDS[name]
    return found


def _obey(options: argparse.Namespace, workbench: Workbench | None) -> int:
    command = _command(options.command)
    code = None if command.alone is None else command.alone(options)
    if code is not None or command.with_tools is None:
        return code or Exit.OK
    bench = workbench or Workbench()
    if options.command in {"lint", "check"}:
        from tools.cli.lint import plugin_files  # noqa: PLC0415 -- as for all commands, see `_command`

        options.plugin += plugin_files(options)
    # As for all commands, see `_command`.
    from tools.cli.config import apply_settings  # noqa: PLC0415
    from tools.openapi.api_files import may_have_apis  # noqa: PLC0415

    project = vars(options).get("project")
    if project is not None and project.is_dir():
        # The worker that imports a plugin file runs its tools, so it works in the project folder from the beginning.
        bench.workers.folder = plain_path(project)
    # One loop for all of it: the worker that imported a plugin file is the one that runs its tools.
    with asyncio.Runner() as runner:
        try:
            if workbench is None:
                runner.run(_load(bench, options.plugin))
                if may_have_apis((project or Path.cwd()).absolute()):
                    from tools.cli.openapi import load_apis  # noqa: PLC0415 -- as above

                    runner.run(load_apis(bench, project))
                apply_settings(bench, project)
            with _servers(bench, options, runner):
                return command.with_tools(options, bench, runner)
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
    from tools.cli.mcp import open_servers  # noqa: PLC0415 -- as above

    store = open_servers(options)
    if not store.configs:
        yield
        return
    from tools.cli.mcp_live import attach, running  # noqa: PLC0415 -- servers take a while to import
    from tools.mcp.elicitation import LeaveToClients  # noqa: PLC0415 -- as above

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


def parser_of(words: Sequence[str]) -> argparse.ArgumentParser:
    """Return what reads these words: of all commands only the one that they name, so that others cost nothing.

    Args:
        words: The words; none has all commands.
    """
    chosen = words[:1] if words[:1] and words[0] in _MODULES else COMMANDS
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
    for name in chosen:
        _command(name).add(commands, common)
    return parser
