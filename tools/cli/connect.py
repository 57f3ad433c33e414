"""`connect`: tell the program of an agent of the gateway, in its own file, and take that back."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from tools.cli.command import CliCommand
from tools.cli.exits import Exit
from tools.cli.streams import UsageError, agrees, say
from tools.cli.times import age
from tools.gateway.agents import AGENTS_FILE, Agents
from tools.gateway.defaults import TOKEN_VARIABLE, address_of
from tools.paths import data_folder

if TYPE_CHECKING:
    from tools.gateway.client_configs import ClientFile, ConnectionPlan, Connections
    from tools.mcp.imports import Program

_CLIENTS: Final = ("claude-desktop", "claude-code", "vscode", "cursor", "zed", "windsurf", "codex", "mcp-json")


def add_connect(
    commands: argparse._SubParsersAction[argparse.ArgumentParser], _common: argparse.ArgumentParser
) -> None:
    """Add the command to the parser."""
    connect = commands.add_parser(
        "connect",
        help="tell the program of an agent of the gateway, in its own settings",
        epilog="Without CLIENT: the programs that are here, and their files. What would change is shown before it is"
        " written. A file of a project (--project) gets no token but a variable, which is printed once. --undo puts"
        " back what was there, byte for byte.",
    )
    connect.add_argument(
        "client", nargs="?", choices=_CLIENTS, metavar="CLIENT", help=f"one of {', '.join(_CLIENTS)}; the last is any"
    )
    where = connect.add_mutually_exclusive_group()
    where.add_argument("--project", type=Path, metavar="DIR", help="its file in this project, not the person's own")
    where.add_argument("--file", type=Path, metavar="FILE", help="another file of the same form")
    what = connect.add_mutually_exclusive_group()
    what.add_argument("--dry-run", action="store_true", help="only show what would change")
    what.add_argument("--snippet", action="store_true", help="only print the entry, to be put in by hand")
    what.add_argument("--undo", action="store_true", help="put back what the file held, and let the agent in no longer")
    connect.add_argument("--entry-only", action="store_true", help="with --undo: only take the entry out")
    connect.add_argument("--name", default="", help="what the agent is called (default: after its program)")
    connect.add_argument(
        "--profile", metavar="PROFILE", help="what it is told of, see agent profile (default: all tools)"
    )
    connect.add_argument("--valid-for", type=age, metavar="AGE", help="when the token ends, such as 30d")
    usual = address_of()
    connect.add_argument("--address", default=usual, metavar="URL", help=f"where the gateway is (default: {usual})")
    connect.add_argument("--bridge", action="store_true", help="have the program start the bridge, not send requests")
    connect.add_argument("--yes", action="store_true", help="write without asking")
    connect.add_argument("--output", choices=("text", "json"), default="text", help="how results are written")


def obey_connect(options: argparse.Namespace) -> Exit:
    """List the programs, or connect one."""
    from tools.gateway.client_configs import Connections, GatewayTransport, planned, snippet  # noqa: PLC0415 -- takes a while to import
    from tools.mcp.imports import Program  # noqa: PLC0415 -- as above

    if options.entry_only and not options.undo:
        raise UsageError("--entry-only goes with --undo")
    if options.client is None:
        return _list(options)
    program, transport = Program(options.client), GatewayTransport(options.address, options.bridge)
    if options.snippet:
        print(snippet(program, transport), end="")
        return Exit.OK
    file = _chosen(program, options)
    connections = Connections(data_folder(), Agents(data_folder() / AGENTS_FILE))
    if options.undo:
        return _undone(connections, file, options)
    change = planned(file, transport)
    if options.output == "text":
        print(change.diff, end="")
    if options.dry_run:
        if options.output == "json":
            print(json.dumps(_card(change), indent=2, ensure_ascii=False))
        return Exit.OK
    if not options.yes and not agrees(f"Write it into {file.path}?"):
        say("nothing was written")
        return Exit.DENIED
    return _connected(connections, change, options)


def _chosen(program: Program, options: argparse.Namespace) -> ClientFile:
    from tools.gateway.client_configs import client_file, client_files  # noqa: PLC0415 -- as above

    if options.file is not None:
        return client_file(program, options.file.absolute())
    project = options.project.absolute() if options.project is not None else None
    if project is not None and not project.is_dir():
        raise UsageError(f"--project: {options.project} is no folder")
    files = client_files(project_dir=project)
    for file in files:
        if file.program is program and file.in_project is (project is not None):
            return file
    other = "give --project or --file" if project is None else "leave --project out"
    raise UsageError(f"{options.client} has no file there; {other}")


def _connected(connections: Connections, change: ConnectionPlan, options: argparse.Namespace) -> Exit:
    from tools.gateway.client_configs import NEXT_STEPS  # noqa: PLC0415 -- as above

    program = change.file.program
    done = connections.connect(
        change,
        options.name or connections.name_for(change.file),
        profile=options.profile,
        valid_for=options.valid_for,
    )
    path, name = change.file.path, done.agent.agent.name
    if options.output == "json":
        token = {"token": done.agent.token} if done.needs_variable else {}
        print(json.dumps({**_card(change), "agent": name, "written": True, **token}, indent=2, ensure_ascii=False))
    elif done.needs_variable:
        say(f"{path} has no token in it; {name} is given this one, which is not shown again, as {TOKEN_VARIABLE}:")
        print(done.agent.token)
    else:
        say(f"the token of {name} stands in {path}, which only you can read")
    say(NEXT_STEPS[program])
    where = f" --file {options.file}" if options.file else f" --project {options.project}" if options.project else ""
    say(f"tool-console connect {options.client}{where} --undo puts back what was there")
    return Exit.OK


def _undone(connections: Connections, file: ClientFile, options: argparse.Namespace) -> Exit:
    undone = connections.undo(file.path, entry_only=options.entry_only)
    say(f"{file.path} has no entry of ours any more" if options.entry_only else f"{file.path} is as it was")
    if undone.removed:
        say(f"{undone.removed} is let in no longer")
    if undone.restored:
        say(f"the token that {undone.restored} had before is good again")
    if undone.ended:
        say(f"the token that {undone.ended} had before stays ended; agent renew {undone.ended} gives it another")
    if options.output == "json":
        agents = {did: agent or None for did, agent in undone._asdict().items()}
        print(json.dumps({"client": options.client, "file": str(file.path), **agents}, indent=2))
    return Exit.OK


def _card(change: ConnectionPlan) -> dict[str, Any]:
    file = change.file
    return {"client": file.program.value, "file": str(file.path), "diff": change.diff, "written": False}


def _list(options: argparse.Namespace) -> Exit:
    from tools.gateway.client_configs import client_files, words_of  # noqa: PLC0415 -- as above

    files = client_files(project_dir=options.project.absolute() if options.project is not None else None)
    if options.output == "json":
        documents = [
            {
                "client": file.program.value,
                "file": str(file.path),
                "in_project": file.in_project,
                "found": file.is_found,
                "connected": file.is_connected,
                "problem": file.problem or None,
            }
            for file in files
        ]
        print(json.dumps({"clients": documents}, indent=2, ensure_ascii=False))
        return Exit.OK
    for file in files:
        print(f"{words_of(file):<24}{_state(file):<18}{file.path}")
        if file.problem:
            say(file.problem)
    return Exit.OK


def _state(file: ClientFile) -> str:
    if file.problem:
        return "cannot be changed"
    if file.is_connected:
        return "connected"
    return "found" if file.is_found else "not found"


COMMANDS: Final = {"connect": CliCommand(add_connect, alone=obey_connect)}
