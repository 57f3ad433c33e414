"""`openapi`: list, add, allow, refresh and remove the APIs whose operations are tools, and keep their keys."""

from __future__ import annotations

import argparse
import asyncio
import getpass
import json
import sys
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from tools.cli.command import CliCommand
from tools.cli.exits import Exit
from tools.cli.mcp import aside
from tools.cli.streams import agrees, read_line, say, wants_json
from tools.errors import ApiError
from tools.paths import data_folder

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tools.openapi.config import ApiConfig
    from tools.openapi.document import ApiDocument
    from tools.openapi.operations import ApiContents, Operation
    from tools.openapi.store import ApiStore
    from tools.workbench import Workbench

_MOST_PROBLEMS: Final = 20


def add_openapi(
    commands: argparse._SubParsersAction[argparse.ArgumentParser], _common: argparse.ArgumentParser
) -> None:
    """Add the command to the parser."""
    # Suppressed defaults: an option may stand before or behind the second word, and must not undo the other.
    common = argparse.ArgumentParser(add_help=False, argument_default=argparse.SUPPRESS)
    common.add_argument("--output", choices=("text", "json"), help="how results are written")
    common.add_argument("--project", type=Path, metavar="DIR", help="the project folder (default: the current one)")
    parser = commands.add_parser(
        "openapi",
        parents=[common],
        help="the APIs whose operations are tools",
        epilog="A document counts as it was when it was added, allowed or refreshed. Keys come from the variable"
        " TOOL_CONSOLE_API_<NAME>_<SCHEME>, else from the system's keyring.",
    )
    parts = parser.add_subparsers(dest="part", metavar="list | add | allow | refresh | remove | secret")
    parts.add_parser("list", parents=[common], help="list the APIs")
    add = parts.add_parser("add", parents=[common], help="make tools of an OpenAPI 3.0 or 3.1 document")
    add.add_argument("source", metavar="FILE|URL", help="the document, JSON or YAML")
    add.add_argument("--name", default="", metavar="NAME", help="what it is called here (default: by its title)")
    add.add_argument("--base", default="", metavar="URL", help="use this address in the place of those it names")
    add.add_argument(
        "--only",
        action="append",
        default=[],
        metavar="PATTERN",
        help="only operations such as 'GET *'; may be repeated",
    )
    allow = parts.add_parser("allow", parents=[common], help="show what a project's API can do, and make tools of it")
    allow.add_argument("name", metavar="API")
    allow.add_argument("--yes", action="store_true", help="do not ask")
    refresh = parts.add_parser("refresh", parents=[common], help="read documents again, and tell what changed")
    refresh.add_argument("names", nargs="*", metavar="API", help="which (default: all that have tools)")
    remove = parts.add_parser("remove", parents=[common], help="forget an API, its document and its keys")
    remove.add_argument("name", metavar="API")
    secret = parts.add_parser("secret", parents=[common], help="enter a key that an API asks for")
    secret.add_argument("name", metavar="API")
    secret.add_argument("scheme", nargs="?", metavar="SCHEME", help="which (default: the only one)")


def obey_openapi(options: argparse.Namespace) -> Exit:
    """Do what `openapi` says.

    Raises:
        ApiError: A document or an entry cannot be read, kept or used.
        VaultError: The keyring does not answer.
    """
    store = open_apis(vars(options).get("project"))
    return _PARTS.get(options.part, _list)(store, options)


def open_apis(project: Path | None) -> ApiStore:
    """Return the person's APIs and those of the project that a command is about."""
    from tools.openapi.store import ApiStore  # noqa: PLC0415 -- other commands need no APIs

    return ApiStore(data_folder(), project_dir=_folder(project))


def _folder(project: Path | None) -> Path:
    return (project or Path.cwd()).absolute()


async def load_apis(bench: Workbench, project: Path | None) -> None:
    """Have the operations of APIs among the tools; what cannot be used is told on standard error."""
    apis = bench.apis_of(open_apis(project))
    await apis.load()
    for problem in (*apis.problems, *apis.troubles.values()):
        say(problem)


def _list(store: ApiStore, options: argparse.Namespace) -> Exit:
    configs, problems = store.read()
    documents = []
    for config in configs:
        contents, error = _contents(store, config)
        documents.append({**_card(config, contents), "error": error})
        if not wants_json(options):
            _print_listed(config, contents, error)
    if wants_json(options):
        print(json.dumps(documents, indent=2, ensure_ascii=False))
    elif not configs and not problems:
        say("there are no APIs yet: tool-console openapi add FILE|URL")
    for problem in problems:
        say(problem)
    return Exit.OK


def _contents(store: ApiStore, config: ApiConfig) -> tuple[ApiContents | None, str]:
    try:
        return store.contents(config), ""
    except ApiError as error:
        return None, str(error)


def _print_listed(config: ApiConfig, contents: ApiContents | None, error: str) -> None:
    count = 0 if contents is None else len(contents.operations)
    states = [_counted(count, "tool"), "of the project" if config.project_dir is not None else ""]
    print(f"{config.name} ({', '.join(filter(None, states))})\n  {config.entry.source}")
    for address in () if contents is None else _addresses(contents.operations):
        print(f"  at {address}")
    if error:
        print(f"  ! {error}")
    if contents is not None and contents.problems:
        print(
            f"  ! {_counted(len(contents.problems), 'problem')}; tool-console openapi refresh {config.name} tells them"
        )


def _add(store: ApiStore, options: argparse.Namespace) -> Exit:
    from tools.openapi.apis_file import config_of  # noqa: PLC0415 -- as in `open_apis`
    from tools.openapi.config import is_address, suggested_name, whole_path  # noqa: PLC0415 -- as in `open_apis`

    source = options.source if is_address(options.source) else str(whole_path(options.source))
    document = _read(source)
    name = options.name or suggested_name(document.title, source)
    entry: dict[str, Any] = {"source": source, "baseUrl": options.base}
    config = config_of(name, entry)
    if options.only:
        from tools.openapi.store import contents_for  # noqa: PLC0415 -- as in `open_apis`

        every = contents_for(config, document).operations
        chosen = [one.key for one in every if any(fnmatchcase(one.key, pattern) for pattern in options.only)]
        if not chosen:
            raise ApiError(f"no operation of {document.name} fits {' or '.join(map(repr, options.only))}")
        config = config_of(name, {**entry, "operations": chosen})
    _tell(store, store.add(config, document), config, options)
    return Exit.OK


def _allow(store: ApiStore, options: argparse.Namespace) -> Exit:
    from tools.openapi.store import contents_for  # noqa: PLC0415 -- as in `open_apis`

    config = store.find(options.name)
    document = _read(config.source)
    contents = contents_for(config, document)
    _print_contents(contents, config, options)
    if not options.yes and not agrees("Make tools of these operations, as they are described now?"):
        say(f"{config.name} has no tools")
        return Exit.DENIED
    store.renew(config, document)
    _tell_keys(store, contents, config)
    return Exit.OK


def _refresh(store: ApiStore, options: argparse.Namespace) -> Exit:
    configs = [store.find(name) for name in options.names] if options.names else list(store.read()[0])
    documents = []
    code = Exit.OK
    for config in configs:
        contents, error = _contents(store, config)
        if contents is None and config.project_dir is not None:
            # What a project brings is looked at with `allow` first.
            say(error)
            continue
        try:
            differences = store.renew(config, _read(config.source))
            contents = store.contents(config)
        except ApiError as problem:
            say(f"{config.name} stays as it was: {problem}")
            code = Exit.FAILED
            continue
        documents.append({"name": config.name, **differences._asdict(), "problems": contents.problems})
        if not wants_json(options):
            print(f"{config.name} ({_counted(len(contents.operations), 'tool')})")
            for word, keys in differences._asdict().items():
                for key in keys:
                    print(f"  {word}: {key}")
        _tell_problems(contents)
    if wants_json(options):
        print(json.dumps(documents, indent=2, ensure_ascii=False))
    return code


def _remove(store: ApiStore, options: argparse.Namespace) -> Exit:
    store.remove(options.name)
    return Exit.OK


def _secret(store: ApiStore, options: argparse.Namespace) -> Exit:
    config = store.find(options.name)
    schemes = store.contents(config).schemes
    wanted = options.scheme or (next(iter(schemes)) if len(schemes) == 1 else "")
    if wanted not in schemes:
        known = f"expected one of {', '.join(schemes)}" if schemes else "its document asks for none"
        say(f"{config.name} has no key {wanted!r}: {known}")
        return Exit.USAGE
    scheme = schemes[wanted]
    asked = sys.stdin.isatty()
    value = getpass.getpass(f"{wanted} ({scheme.words}): ") if asked else read_line().rstrip("\r\n")
    if not value:
        say(f"expected the key {wanted!r}, got nothing; what was kept before stays")
        return Exit.USAGE
    store.keys_of(config).put(scheme, value)
    return Exit.OK


def _read(source: str) -> ApiDocument:
    from tools.openapi.document import parsed_document  # noqa: PLC0415 -- as in `open_apis`
    from tools.openapi.fetching import fetched  # noqa: PLC0415 -- as in `open_apis`

    return parsed_document(asyncio.run(fetched(source)), source)


def _tell(store: ApiStore, contents: ApiContents, config: ApiConfig, options: argparse.Namespace) -> None:
    if wants_json(options):
        document = {**_card(config, contents), "suspicions": list(_suspicions(contents))}
        print(json.dumps(document, indent=2, ensure_ascii=False))
    else:
        _print_contents(contents, config, options)
    _tell_problems(contents)
    _tell_keys(store, contents, config)


def _print_contents(contents: ApiContents, config: ApiConfig, options: argparse.Namespace) -> None:
    where = aside(options)
    print(f"{config.name}: {_counted(len(contents.operations), 'tool')}", file=where)
    for address in _addresses(contents.operations):
        print(f"  at {address}", file=where)
    for operation in contents.operations:
        print(f"  {config.name}.{operation.name}  {operation.key}  {operation.effect}", file=where)
    for suspicion in _suspicions(contents):
        print(f"  ! {suspicion}", file=where)


def _suspicions(contents: ApiContents) -> tuple[str, ...]:
    from tools.openapi.suspicions import suspicions_of  # noqa: PLC0415 -- as in `open_apis`

    return suspicions_of(contents)


def _tell_problems(contents: ApiContents) -> None:
    for problem in contents.problems[:_MOST_PROBLEMS]:
        say(problem)
    if len(contents.problems) > _MOST_PROBLEMS:
        say(f"and {len(contents.problems) - _MOST_PROBLEMS:,} more problems")


def _tell_keys(store: ApiStore, contents: ApiContents, config: ApiConfig) -> None:
    keys = store.keys_of(config)
    for scheme in contents.needed:
        say(f"{config.name} asks for {scheme.name}, a {scheme.words}: {keys.remedy(scheme)}")


def _card(config: ApiConfig, contents: ApiContents | None) -> dict[str, Any]:
    operations: Sequence[Operation] = () if contents is None else contents.operations
    return {
        "name": config.name,
        "place": "user" if config.project_dir is None else "project",
        "source": config.entry.source,
        "addresses": list(_addresses(operations)),
        "tools": [
            {"name": f"{config.name}.{one.name}", "operation": one.key, "effect": one.effect} for one in operations
        ],
        "keys": [] if contents is None else [scheme.name for scheme in contents.needed],
        "problems": [] if contents is None else list(contents.problems),
    }


def _addresses(operations: Iterable[Operation]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(operation.server for operation in operations))


def _counted(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


_PARTS: Final = {"add": _add, "allow": _allow, "refresh": _refresh, "remove": _remove, "secret": _secret}


COMMANDS: Final = {"openapi": CliCommand(add_openapi, alone=obey_openapi)}
