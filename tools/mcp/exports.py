"""Hand servers to other programs in their own form; secrets stay here."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Final, NamedTuple

from pydantic import JsonValue

from tools.atomic_write import write_whole
from tools.errors import ServerConfigError
from tools.mcp.commented_json import parsed, with_value
from tools.mcp.config import ServerConfig, Transport
from tools.mcp.imports import PROGRAM_WORDS, Program
from tools.mcp.program_files import entry_for, new_file, with_entry
from tools.mcp.reference_properties import ServerProperties, properties_text
from tools.mcp.secrets import KEYRING, masked, written_secrets

_VARIABLE: Final = re.compile(r"\$\{([^{}]*)\}")
_NO_WORD: Final = re.compile(r"[^A-Za-z0-9]+")
_FILL_NOTHING_IN: Final = frozenset({Program.CLAUDE_DESKTOP, Program.ZED, Program.CODEX, Program.PROPERTIES})
"""They know no variables."""


class Export(NamedTuple):
    """Servers in another program's form.

    Attributes:
        inputs: What VS Code is to ask for.
        text: A whole file with nothing but them.
        notes: What a person has to see to, one sentence each.
    """

    entries: dict[str, dict[str, JsonValue]]
    inputs: tuple[JsonValue, ...]
    text: str
    notes: tuple[str, ...]


def exported(servers: Iterable[ServerConfig], program: Program) -> Export:
    """Return servers in another program's form, with variables as it spells them in the places of secrets."""
    writing = _Writing(program)
    kept = [config for config in servers if writing.takes(config)]
    if program is Program.PROPERTIES:
        text = properties_text(tuple(map(writing.group, kept)))
        return Export({}, (), text, tuple(writing.notes))
    entries = {config.name: writing.entry(config) for config in kept}
    export = Export(entries, tuple(writing.inputs.values()), "", tuple(writing.notes))
    return export._replace(text=merged("", export, program))


def export_into(path: Path, servers: Iterable[ServerConfig], program: Program) -> Export:
    """Put servers into another program's file, in the places of those with the same names; all else in it stays.

    Raises:
        ServerConfigError: When the file cannot be read or written; it is as it was.
    """
    export = exported(servers, program)
    try:
        text = path.read_bytes().decode("utf-8-sig") if path.exists() else ""
        if program is Program.PROPERTIES:
            if text.strip():
                raise ServerConfigError(f"{path} is there already, and groups are numbered: choose a new file")
            write_whole(path, export.text)
            return export
        write_whole(path, merged(text, export, program))
    except (OSError, ValueError) as error:
        raise ServerConfigError(f"{path} cannot be written: {error}") from error
    return export


def merged(text: str, export: Export, program: Program) -> str:
    """Return the text of a program's file with what was exported, in the places of what has the same names.

    Args:
        text: The text; blank is that of a new file.
        export: What `exported` gave for the program.
        program: Whose file it is.

    Raises:
        ValueError: When the file cannot be understood, or has no place for it.
    """
    if not text.strip():
        text = new_file(program)
    for name, entry in export.entries.items():
        text = with_entry(text, program, name, entry)
    if not export.inputs:
        return text
    document = parsed(text).value
    before = document.get("inputs") if isinstance(document, dict) else None
    there = before if isinstance(before, list) else []
    known = {item.get("id") for item in there if isinstance(item, dict)}
    further = [item for item in export.inputs if isinstance(item, dict) and item.get("id") not in known]
    return with_value(text, ["inputs"], [*there, *further]) if further else text


class _Writing:
    """Write entries for one program, and remember what has to be said about them."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self.inputs: dict[str, JsonValue] = {}
        self.notes: list[str] = []

    def takes(self, config: ServerConfig) -> bool:
        words = PROGRAM_WORDS[self._program]
        if self._program is Program.PROPERTIES and config.transport is Transport.STDIO:
            self.notes.append(f"{config.name} is left out: {words} name only servers with an address")
            return False
        if self._program is Program.CLAUDE_DESKTOP and config.transport is not Transport.STDIO:
            self.notes.append(f"{config.name} is left out: {words} starts only programs; add its address there by hand")
            return False
        return True

    def entry(self, config: ServerConfig) -> dict[str, JsonValue]:
        bare = self._spelled(config)
        if not config.enabled:
            self.notes.append(f"{config.name} is disabled here, and enabled there")
        return entry_for(self._program, bare)

    def group(self, config: ServerConfig) -> ServerProperties:
        bare = self._spelled(config)
        others = [name for name in bare.headers if name.casefold() != "authorization"]
        if others:
            self.notes.append(f"{config.name}: only Authorization is kept, not {', '.join(others)}")
        signs = next((text for name, text in bare.headers.items() if name.casefold() == "authorization"), None)
        return ServerProperties("", bare.name, bare.url, bare.description or None, signs)

    def _spelled(self, config: ServerConfig) -> ServerConfig:
        """Return a server whose variables are spelled for the program, without a secret that is written out."""
        for place in written_secrets(config):
            self.notes.append(f"{config.name}: enter the secret of {place.where} there; it was not written")

        def spell(_: str, text: str) -> str:
            return _VARIABLE.sub(lambda found: self._variable(config, found[1]), text)

        return masked(config).with_texts(spell)

    def _variable(self, config: ServerConfig, inside: str) -> str:
        if not inside.startswith(KEYRING):
            if self._program in _FILL_NOTHING_IN:
                self.notes.append(f"{config.name}: write the value of {inside} there")
            return self._plain(inside)
        where = inside.removeprefix(KEYRING).removeprefix(f"{config.key}/")
        word = _NO_WORD.sub("_", where.removeprefix("env/").removeprefix("headers/")).strip("_")
        if self._program is Program.VS_CODE:
            name = _NO_WORD.sub("-", f"{config.name} {word}").strip("-").lower()
            described = f"{word} of {config.name}"
            self.inputs[name] = {"type": "promptString", "id": name, "description": described, "password": True}
            return f"${{input:{name}}}"
        self.notes.append(f"{config.name}: its secret {where} stays here; set {word.upper()} for the other program")
        return self._plain(f"env:{word.upper()}")

    def _plain(self, inside: str) -> str:
        name = inside.removeprefix("env:")
        if self._program in _FILL_NOTHING_IN:
            return f"<{name.partition(':-')[0]}>"
        if name in {"workspaceFolder", "userHome"}:
            return f"${{{name}}}"
        if self._program in {Program.CLAUDE_CODE, Program.MCP_JSON}:
            return f"${{{name}}}"
        # Cursor and VS Code know no value for when it is not set.
        return f"${{env:{name.partition(':-')[0]}}}"
