"""The files in which other programs keep their servers: the form of an entry, put in and taken out in place."""

from __future__ import annotations

import json
import re
from typing import Any, Final, cast

import tomli_w
from pydantic import JsonValue

from tools.mcp.commented_json import parsed, with_value, without_value
from tools.mcp.config import ServerConfig
from tools.mcp.entries import entry_of
from tools.mcp.imports import Program, read_toml

_OURS: Final = ("disabled", "disabledTools", "protocol", "timeoutSeconds", "trusted", "signIn", "oauth", "description")
"""What other programs do not know, or mean otherwise."""

_KEYS: Final = {Program.VS_CODE: "servers", Program.ZED: "context_servers", Program.CODEX: "mcp_servers"}
"""What programs call the object with the servers; the others call it `mcpServers`."""

_SAY_THE_TYPE: Final = frozenset({Program.VS_CODE, Program.CLAUDE_CODE, Program.MCP_JSON})
"""They are told how messages travel; the others see it themselves."""

_OWN_NAMES: Final = {Program.WINDSURF: {"url": "serverUrl"}, Program.CODEX: {"headers": "http_headers"}}
"""What programs call a key that others call otherwise."""

_TABLE: Final = re.compile(r"[ \t]*\[")


def servers_key(program: Program) -> str:
    """Return what a program calls the object with the servers."""
    return _KEYS.get(program, "mcpServers")


def new_file(program: Program) -> str:
    """Return the text of a program's file that has no servers yet."""
    return "" if program is Program.CODEX else with_value("{}\n", [servers_key(program)], {})


def entry_for(program: Program, config: ServerConfig) -> dict[str, JsonValue]:
    """Return the entry that means a server to a program."""
    entry = {key: value for key, value in entry_of(config).items() if key not in _OURS}
    if program in _SAY_THE_TYPE:
        entry = {"type": config.transport.value, **entry}
    elif program is not Program.CLAUDE_DESKTOP:
        entry.pop("type", None)
    names = _OWN_NAMES.get(program, {})
    return {names.get(key, key): value for key, value in entry.items()}


def entry_in(text: str, program: Program, name: str) -> JsonValue:
    """Return the entry of a name in a program's file; None when there is none.

    Raises:
        ValueError: When the file cannot be understood.
    """
    servers = _document(text, program).get(servers_key(program))
    return servers.get(name) if isinstance(servers, dict) else None


def with_entry(text: str, program: Program, name: str, entry: dict[str, JsonValue]) -> str:
    """Return the text of a program's file with an entry, in the place of the one with its name; all else stays.

    Args:
        text: The text; blank is that of a new file.
        program: Whose file it is.
        entry: As `entry_for` gives it.

    Raises:
        ValueError: When the file cannot be understood, or has no place for it.
    """
    text = text if text.strip() else new_file(program)
    if program is not Program.CODEX:
        return with_value(text, [servers_key(program), name], entry)
    before = read_toml(text)
    servers = before.setdefault(servers_key(program), {})
    if not isinstance(servers, dict):
        raise _wrong_content(f"{servers_key(program)} to be a table", servers)
    written = tomli_w.dumps({servers_key(program): {name: entry}})
    lines = text.splitlines(keepends=True)
    start, stop = _tables(lines, name) or (len(lines), len(lines))
    above, below = "".join(lines[:start]), "".join(lines[stop:])
    newline = "\r\n" if "\r\n" in text else "\n"
    if start == stop and above.strip():
        above = above if above.endswith("\n") else above + newline
        written = f"\n{written}"
    servers[name] = entry
    return _checked(above + written.replace("\n", newline) + below, before)


def without_entry(text: str, program: Program, name: str) -> str:
    """Return the text of a program's file without an entry; all else stays.

    Raises:
        ValueError: When the file cannot be understood, or the entry cannot be taken out of it.
    """
    if program is not Program.CODEX:
        return without_value(text, [servers_key(program), name]) if text.strip() else text
    before = read_toml(text)
    servers = before.get(servers_key(program))
    if not isinstance(servers, dict) or name not in servers:
        return text
    lines = text.splitlines(keepends=True)
    start, stop = _tables(lines, name) or (0, 0)
    while stop < len(lines) and not lines[stop].strip():
        stop += 1
    del servers[name]
    return _checked("".join(lines[:start] + lines[stop:]), before)


def _document(text: str, program: Program) -> dict[str, Any]:
    """Return what a file says; blank says nothing."""
    if program is Program.CODEX:
        return read_toml(text)
    document = _json(text) if text.strip() else {}
    if not isinstance(document, dict):
        raise _wrong_content("the file to be an object in braces", document)
    return document


def _json(text: str) -> JsonValue:
    try:
        # Some programs keep all that was ever said in such a file, and most have no comments there.
        return cast("JsonValue", json.loads(text))
    except (ValueError, RecursionError):
        return parsed(text).value


def _wrong_content(expected: str, got: object) -> ValueError:
    return ValueError(f"expected {expected}, got {str(got)[:40]!r}")


def _tables(lines: list[str], name: str) -> tuple[int, int] | None:
    """Return which lines are the tables of a Codex server; None when there is none."""
    quoted = re.escape(name)
    own = re.compile(rf"[ \t]*\[[ \t]*mcp_servers[ \t]*\.[ \t]*(?:{quoted}|\"{quoted}\"|'{quoted}')[ \t]*[.\]]")
    start = next((number for number, line in enumerate(lines) if own.match(line)), None)
    if start is None:
        return None
    heads = (number for number in range(start, len(lines)) if _TABLE.match(lines[number]))
    stop = next((number for number in heads if not own.match(lines[number])), len(lines))
    # What stands directly above the next table is said of that one.
    while stop > start + 1 and (not lines[stop - 1].strip() or lines[stop - 1].lstrip().startswith("#")):
        stop -= 1
    return start, stop


def _checked(text: str, wanted: dict[str, Any]) -> str:
    """Return a text that was changed by lines if it says what it should: texts of many lines can look like tables.

    Raises:
        ValueError: When it does not.
    """
    key = servers_key(Program.CODEX)
    try:
        found = read_toml(text)
    except ValueError:
        found = {}
    if {key: {}, **found} != {key: {}, **wanted}:
        raise ValueError(f"expected {key} in tables of their own; change the entry by hand")
    return text
