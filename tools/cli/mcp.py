"""`mcp`: list, add, change, import, export, allow and try the servers that tools come from."""

from __future__ import annotations

import argparse
import asyncio
import getpass
import json
import os
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TextIO

from tools.cli.command import CliCommand
from tools.cli.exits import Exit
from tools.cli.streams import agrees, read_input, read_line, say, wants_json
from tools.errors import ServerConfigError
from tools.paths import data_folder

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tools.mcp.config import ServerConfig, Target
    from tools.mcp.store import ServerStore

_LIVE: Final = frozenset({"test", "tools", "approve", "block", "log", "sign-in"})
"""What needs the server itself."""

_NAME: Final = re.compile(r"\w[\w.-]*")
_PROGRAMS: Final = (
    *("claude-desktop", "claude-code", "cursor", "vscode", "zed", "windsurf", "codex", "mcp-json", "properties"),
)


def add_mcp(commands: argparse._SubParsersAction[argparse.ArgumentParser], _common: argparse.ArgumentParser) -> None:
    """Add the command to the parser."""
    # Suppressed defaults: an option may stand before or behind the second word, and must not undo the other.
    common = argparse.ArgumentParser(add_help=False, argument_default=argparse.SUPPRESS)
    common.add_argument("--output", choices=("text", "json"), help="how results are written")
    common.add_argument("--project", type=Path, metavar="DIR", help="the project folder (default: the current one)")
    parser = commands.add_parser(
        "mcp",
        parents=[common],
        help="the MCP servers that tools come from",
        epilog="A server starts only after you saw what runs and allowed it, and asks again when that changes.",
    )
    parts = parser.add_subparsers(
        dest="part",
        metavar="list | add | remove | enable | disable | allow | import | export | secret | profile | test | tools"
        " | approve | block | log | sign-in | sign-out",
    )
    parts.add_parser("list", parents=[common], help="list the servers")
    _add_add(parts, common)
    for part, words in (
        ("enable", "let a server be started, or one of its tools be called"),
        ("disable", "keep either from it"),
    ):
        switched = parts.add_parser(part, parents=[common], help=words)
        switched.add_argument("name", metavar="SERVER")
        switched.add_argument("tool", nargs="?", metavar="TOOL", help="only this tool, by the server's own name")
    remove = parts.add_parser("remove", parents=[common], help="forget a server, its secrets and what was approved")
    remove.add_argument("name", metavar="SERVER")
    allow = parts.add_parser("allow", parents=[common], help="show what a server starts, and let it")
    allow.add_argument("name", metavar="SERVER")
    allow.add_argument("--yes", action="store_true", help="do not ask")
    allow.add_argument("--trust", action="store_true", help="believe what it says of the risk of its tools")
    taking = parts.add_parser("import", parents=[common], help="take over servers that other programs know")
    taking.add_argument("names", nargs="*", metavar="SERVER", help="which (default: only list them)")
    taking.add_argument("--from", dest="file", type=Path, metavar="FILE", help="look into this file")
    taking.add_argument("--all", action="store_true", help="all that are new here")
    giving = parts.add_parser("export", parents=[common], help="print servers in another program's form")
    giving.add_argument("program", choices=_PROGRAMS)
    giving.add_argument("names", nargs="*", metavar="SERVER", help="which (default: all)")
    giving.add_argument("--into", type=Path, metavar="FILE", help="put them into this file; all else in it stays")
    secret = parts.add_parser("secret", parents=[common], help="enter a secret that a server's entry refers to")
    secret.add_argument("name", metavar="SERVER")
    secret.add_argument("secret", nargs="?", metavar="SECRET", help="which (default: the only one)")
    profile = parts.add_parser("profile", parents=[common], help="show, choose, keep or remove sets of servers")
    profile.add_argument("name", nargs="?", metavar="PROFILE", help="choose it; - lets all servers count")
    profile.add_argument("--keep", action="append", metavar="SERVER", help="keep it with this server; may be repeated")
    profile.add_argument("--remove", action="store_true", help="forget it")
    _add_live(parts, common)


def _add_add(parts: argparse._SubParsersAction[argparse.ArgumentParser], common: argparse.ArgumentParser) -> None:
    add = parts.add_parser(
        "add",
        parents=[common],
        help="add a server and allow what you typed, or what a README has",
        usage="tool-console mcp add NAME [options] [--url URL | -- COMMAND ...]\n"
        "       tool-console mcp add TEXT [--name NAME] [--fill NAME=VALUE] [--yes]",
        epilog="For example: mcp add files --env LEVEL=3 -- npx -y some-server@1.2.3 /data. TEXT is what one would"
        " paste: a command line, an address, a block with mcpServers, a link that installs a server; - reads it from"
        " standard input.",
    )
    add.add_argument("text", metavar="NAME")
    add.add_argument("--name", default="", metavar="NAME", help="what the one server of TEXT is called here")
    add.add_argument(
        "--fill", action="append", default=[], metavar="NAME=VALUE", help="what belongs in the place of <NAME> in TEXT"
    )
    add.add_argument("--yes", action="store_true", help="do not ask whether what TEXT starts may start")
    add.add_argument("--url", default="", metavar="URL", help="reach it at this address")
    add.add_argument("--sse", action="store_true", help="the address is one of the older transport")
    add.add_argument("--env", action="append", default=[], metavar="NAME=VALUE", help="a variable; may be repeated")
    add.add_argument("--header", action="append", default=[], metavar="NAME=VALUE", help="sent with each request")
    add.add_argument("--client-id", default="", metavar="ID", help="how its people know this program, for signing in")
    add.add_argument("--client-secret", default="", metavar="TEXT", help="the secret that belongs to it")
    add.add_argument("--callback-port", type=int, default=0, metavar="N", help="where the browser comes back to")
    add.add_argument("--cwd", default="", metavar="DIR", help="the folder it starts in (default: the project's)")
    add.add_argument("--timeout", type=float, metavar="S", help="seconds a request may take")
    add.add_argument("--protocol", choices=("auto", "newer", "older"), default="auto", help="which protocol is spoken")
    add.add_argument("--description", default="", metavar="TEXT", help="what it is for")
    add.set_defaults(command_line=())


def _add_live(parts: argparse._SubParsersAction[argparse.ArgumentParser], common: argparse.ArgumentParser) -> None:
    for part, words in (
        ("test", "start a server, look at it and end it"),
        ("tools", "list its tools, how they stand to what you approved, and what looks wrong"),
        ("log", "start it, list its tools, and print all that went over the wire"),
        ("sign-in", "sign in at a server in the browser"),
        ("sign-out", "forget what signing in gave"),
    ):
        live = parts.add_parser(part, parents=[common], help=words)
        live.add_argument("name", metavar="SERVER")
    approve = parts.add_parser("approve", parents=[common], help="show what changed, and let tools run as they are now")
    approve.add_argument("name", metavar="SERVER")
    approve.add_argument("tools", nargs="*", metavar="TOOL", help="which (default: all new and changed ones)")
    approve.add_argument("--yes", action="store_true", help="do not ask")
    block = parts.add_parser("block", parents=[common], help="keep tools from running")
    block.add_argument("name", metavar="SERVER")
    block.add_argument("tools", nargs="+", metavar="TOOL", help="which")


def obey_mcp(options: argparse.Namespace) -> Exit:
    """Do what `mcp` says.

    Raises:
        ServerConfigError: When an entry cannot be read, kept or filled in.
        VaultError: When the keyring does not answer.
    """
    store = open_servers(options)
    if store.problem and options.part in {None, "list"}:
        say(store.problem)
    if options.part in _LIVE:
        from tools.cli.mcp_live import obey_live  # noqa: PLC0415 -- the SDK takes a second to import

        return asyncio.run(obey_live(options, store))
    obey = _PARTS.get(options.part, _list)
    return obey(store, options)


def open_servers(options: argparse.Namespace) -> ServerStore:
    """Return the person's servers and those of the project that a command is about."""
    from tools.mcp.store import ServerStore  # noqa: PLC0415 -- other commands need no servers

    store = ServerStore(data_folder())
    store.set_project(Path(vars(options).get("project") or Path.cwd()).absolute())
    return store


def aside(options: argparse.Namespace) -> TextIO:
    """Return where words go that are no JSON: beside the result, where that is to be some."""
    return sys.stderr if wants_json(options) else sys.stdout


def _list(store: ServerStore, options: argparse.Namespace) -> Exit:
    from tools.mcp.secrets import address_of  # noqa: PLC0415 -- as in `open_servers`

    allowed = store.may_start()
    wanted = {config.name: config.enabled for config in store.wanted}
    if wants_json(options):
        document = [
            {
                "name": config.name,
                "place": config.place.value,
                "transport": config.transport.value,
                "address": address_of(config),
                "enabled": wanted[config.name],
                "allowed": allowed[config.name],
                "disabled_tools": list(config.disabled_tools),
                "description": config.description,
            }
            for config in store.configs
        ]
        print(json.dumps(document, indent=2, ensure_ascii=False))
        return Exit.OK
    if not store.configs and not store.problem:
        say("there are no servers yet: tool-console mcp add, or tool-console mcp import")
    if store.profile is not None:
        print(f"Profile {store.profile.name}")
    for config in store.configs:
        states = [
            "" if config.enabled else "disabled",
            "not in the profile" if config.enabled and not wanted[config.name] else "",
            "" if allowed[config.name] else "not allowed yet",
            "of the project" if config.place.value == "project" else "",
        ]
        said = ", ".join(filter(None, states))
        print(f"{config.name} ({config.transport.value}{f', {said}' if said else ''})\n  {address_of(config)}")
        if config.description:
            print(f"  {config.description}")
    return Exit.OK


def _add(store: ServerStore, options: argparse.Namespace) -> Exit:
    from tools.mcp.entries import config_of  # noqa: PLC0415 -- as in `open_servers`

    words = options.command_line
    entry: dict[str, Any] = {
        "env": _pairs(options.env),
        "protocol": options.protocol,
        "description": options.description,
    }
    if options.url:
        entry |= {"type": "sse" if options.sse else "http", "url": options.url, "headers": _pairs(options.header)}
    if options.client_id:
        client = {"clientId": options.client_id, "clientSecret": options.client_secret}
        entry["oauth"] = client | {"callbackPort": options.callback_port}
    if words:
        entry |= {"command": words[0], "args": list(words[1:]), "cwd": options.cwd}
    if options.timeout is not None:
        entry["timeoutSeconds"] = options.timeout
    if not words and not options.url and not _NAME.fullmatch(options.text):
        return _add_pasted(store, options)
    if bool(words) == bool(options.url):
        say("expected a command behind --, or --url with an address, and not both")
        return Exit.USAGE
    if (words and (options.header or options.sse)) or (options.url and options.cwd):
        say("expected --header and --sse only with --url, and --cwd only with a command")
        return Exit.USAGE
    kept = store.add(config_of(options.text, entry))
    print_start(kept, options)
    return Exit.OK


def _add_pasted(store: ServerStore, options: argparse.Namespace) -> Exit:
    """Add the servers that a text names, as the window does with what is pasted."""
    from tools.mcp.pasted import read_paste, unused_name  # noqa: PLC0415 -- as in `open_servers`
    from tools.mcp.store import shown_with  # noqa: PLC0415 -- as in `open_servers`

    paste = read_paste(read_input() if options.text == "-" else options.text)
    for problem in paste.problems:
        say(problem)
    if not paste.servers:
        return Exit.USAGE
    if options.name and len(paste.servers) > 1:
        say(f"expected --name with one server only, got {len(paste.servers)} servers")
        return Exit.USAGE
    taken = {config.name for config in store.configs}
    agreed: list[tuple[ServerConfig, dict[str, str]]] = []
    for config in paste.servers:
        name = options.name or unused_name(config.name, taken)
        taken.add(name)
        named = config.model_copy(update={"name": name})
        answers = _answers(named, _pairs(options.fill))
        if answers is None:
            return Exit.USAGE
        agreed.append((named, answers))
    for config, answers in agreed:
        print_start(shown_with(config, answers), options)
        _print_program(store, config, options)
        if not options.yes and not agrees(f"Add {config.name}, and let it start from now on, as long as this stays?"):
            say(f"{config.name} is not added")
            return Exit.DENIED
        store.add(config, answers)
    return Exit.OK


def _answers(config: ServerConfig, given: dict[str, str]) -> dict[str, str] | None:
    """Return what belongs in the places that an entry leaves open; None when something is missing, which is told."""
    from tools.mcp.placeholders import blanks_of  # noqa: PLC0415 -- as in `open_servers`

    answers: dict[str, str] = {}
    for blank in blanks_of(config):
        answer = given.get(blank.name, given.get(blank.where, ""))
        if not answer and blank.is_needed and sys.stdin.isatty():
            ask = getpass.getpass if blank.is_secret else input
            answer = ask(f"{config.name} needs {blank.name} in the place of {blank.written}: ")
        if not answer and blank.is_needed:
            say(f"{config.name} needs {blank.name} in the place of {blank.written!r}: --fill {blank.name}=VALUE")
            return None
        answers[blank.where] = answer
    return answers


def _print_program(store: ServerStore, config: ServerConfig, options: argparse.Namespace) -> None:
    """Print which program is started, or that there is none and what brings it."""
    from tools.mcp.locating import located  # noqa: PLC0415 -- as in `open_servers`
    from tools.mcp.variables import resolve  # noqa: PLC0415 -- as in `open_servers`

    def filled(entry: ServerConfig) -> Target:
        return resolve(entry, os.environ, store.secrets, store.project_dir)

    found = located(config, filled)
    if found.path:
        print(f"  Program: {found.path}", file=aside(options))
    for words in filter(None, (found.problem, found.advice)):
        print(f"  ! {words}", file=aside(options))


def _pairs(texts: Iterable[str]) -> dict[str, str]:
    pairs = [text.partition("=") for text in texts]
    for name, equals, _ in pairs:
        if not name or not equals:
            raise ServerConfigError(f"expected NAME=VALUE, got {name!r}")
    return {name: value for name, _, value in pairs}


def print_start(config: ServerConfig, options: argparse.Namespace) -> None:
    """Print what runs when a server starts, untruncated, and what deserves a second look."""
    from tools.mcp.start_preview import start_preview  # noqa: PLC0415 -- as in `open_servers`

    preview = start_preview(config)
    lines = [f"{config.name} starts" if config.command else f"{config.name} is reached at"]
    lines += [f"  {part.text}" + (f"\n    ! {part.risk}" if part.risk else "") for part in preview.parts]
    lines += [f"  {name}: {value}" for name, value in preview.facts]
    lines += [f"  ! {note}" for note in preview.notes]
    print("\n".join(lines), file=aside(options))


def _remove(store: ServerStore, options: argparse.Namespace) -> Exit:
    store.remove(options.name)
    return Exit.OK


def _switch(store: ServerStore, options: argparse.Namespace) -> Exit:
    is_on = options.part == "enable"
    if options.tool:
        store.switch_tool(options.name, options.tool, is_on)
    else:
        store.switch(options.name, is_on)
    return Exit.OK


def _allow(store: ServerStore, options: argparse.Namespace) -> Exit:
    from tools.mcp.consent import start_digest  # noqa: PLC0415 -- as in `open_servers`

    config = store.find(options.name)
    print_start(config, options)
    if not options.yes and not agrees("Let it start from now on, as long as this stays?"):
        say(f"{options.name} is not allowed to start")
        return Exit.DENIED
    store.allow(options.name, options.trust, start_digest(config))
    return Exit.OK


def _import(store: ServerStore, options: argparse.Namespace) -> Exit:
    found, problems = store.importable() if options.file is None else store.importable_in(options.file)
    for problem in problems:
        say(problem)
    here = {config.name for config in store.configs}
    unknown = set(options.names) - {server.config.name for _, _, server in found}
    if unknown:
        say(f"found no server called {', '.join(map(repr, sorted(unknown)))}")
        return Exit.USAGE
    chosen = {
        server.config.name: key
        for key, _, server in reversed(found)
        if server.config.name in options.names or (options.all and server.config.name not in here)
    }
    documents = []
    for key, origin, server in found:
        name = server.config.name
        mark = "imported" if chosen.get(name) == key else "there already" if name in here else "new"
        documents.append({"name": name, "origin": str(origin), "state": mark, "notes": list(server.notes)})
        if not wants_json(options):
            print("\n".join((f"{name} ({origin}, {mark})", *(f"  ! {note}" for note in server.notes))))
    if wants_json(options):
        print(json.dumps(documents, indent=2, ensure_ascii=False))
    if chosen:
        store.take(tuple(chosen.values()))
        say("none of them starts before you allow it: tool-console mcp allow SERVER")
    return Exit.OK


def _export(store: ServerStore, options: argparse.Namespace) -> Exit:
    from tools.mcp.exports import export_into, exported  # noqa: PLC0415 -- as in `open_servers`
    from tools.mcp.imports import Program  # noqa: PLC0415 -- as in `open_servers`

    servers = [store.find(name) for name in options.names] if options.names else list(store.configs)
    program = Program(options.program)
    if options.into is None:
        export = exported(servers, program)
        print(export.text, end="" if export.text.endswith("\n") else "\n")
    else:
        export = export_into(options.into, servers, program)
    for note in export.notes:
        say(note)
    return Exit.OK


def _secret(store: ServerStore, options: argparse.Namespace) -> Exit:
    from tools.mcp.secrets import may_refer, references  # noqa: PLC0415 -- as in `open_servers`

    config = store.find(options.name)
    names = [name for name in references(config) if may_refer(config, name)]
    short = {name.removeprefix(f"{config.key}/"): name for name in names}
    wanted = options.secret or (next(iter(short)) if len(short) == 1 else "")
    if wanted not in short:
        known = f"expected one of {', '.join(short)}" if short else "its entry refers to none"
        say(f"{config.name} has no secret {wanted!r}: {known}")
        return Exit.USAGE
    asked = sys.stdin.isatty()
    value = getpass.getpass(f"{wanted}: ") if asked else read_line().rstrip("\r\n")
    if not value:
        say(f"expected the secret {wanted!r}, got nothing; what was kept before stays")
        return Exit.USAGE
    store.secrets.put(short[wanted], value)
    return Exit.OK


def _sign_out(store: ServerStore, options: argparse.Namespace) -> Exit:
    store.sign(options.name, False)
    return Exit.OK


def _profile(store: ServerStore, options: argparse.Namespace) -> Exit:
    from tools.mcp.profiles import Profile  # noqa: PLC0415 -- as in `open_servers`

    if options.name and options.remove:
        store.remove_profile(options.name)
    elif options.name and options.keep:
        store.keep_profile(Profile(name=options.name, servers=tuple(options.keep)))
    elif options.name:
        store.choose_profile("" if options.name == "-" else options.name)
    if wants_json(options):
        documents = [{**item.model_dump(mode="json"), "chosen": item == store.profile} for item in store.profiles]
        print(json.dumps(documents, indent=2, ensure_ascii=False))
        return Exit.OK
    for profile in store.profiles:
        mark = "*" if profile == store.profile else " "
        print(f"{mark} {profile.name}: {', '.join(profile.servers)}")
    return Exit.OK


_PARTS: Final = {
    "add": _add,
    "remove": _remove,
    "enable": _switch,
    "disable": _switch,
    "allow": _allow,
    "import": _import,
    "export": _export,
    "secret": _secret,
    "sign-out": _sign_out,
    "profile": _profile,
}


COMMANDS: Final = {"mcp": CliCommand(add_mcp, alone=obey_mcp)}
