"""Take over the servers that other programs know, from their own files."""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import Final, NamedTuple

from pydantic import JsonValue

from tools.errors import ServerConfigError
from tools.java_properties import read_properties
from tools.mcp.commented_json import parsed
from tools.mcp.config import ConfigScope, ServerConfig
from tools.mcp.entries import config_of
from tools.mcp.reference_properties import WebSearchProperties, server_groups, web_search
from tools.mcp.secrets import KEYRING, references

LARGEST_BYTES: Final = 20_000_000
"""The size of the largest file that is read: some programs keep everything they know in one."""


class NoServersError(ServerConfigError):
    """Report a file that names no servers, as most settings of programs do."""


class Program(StrEnum):
    """A program with servers of its own, or a form of file that several share."""

    CLAUDE_DESKTOP = "claude-desktop"
    CLAUDE_CODE = "claude-code"
    CURSOR = "cursor"
    VS_CODE = "vscode"
    ZED = "zed"
    WINDSURF = "windsurf"
    CODEX = "codex"
    MCP_JSON = "mcp-json"
    PROPERTIES = "properties"


OWN_NAME: Final = "tool-console"
"""What the gateway of this program is called in the files of others; it is no server to take over."""

_PLACES: Final = ("mcpServers", "servers", "context_servers", "mcp_servers")
"""What programs call the object with the servers, the usual name first."""

PROGRAM_WORDS: Final = {
    Program.CLAUDE_DESKTOP: "Claude Desktop",
    Program.CLAUDE_CODE: "Claude Code",
    Program.CURSOR: "Cursor",
    Program.VS_CODE: "VS Code",
    Program.ZED: "Zed",
    Program.WINDSURF: "Windsurf",
    Program.CODEX: "Codex",
    Program.MCP_JSON: ".mcp.json",
    Program.PROPERTIES: "Properties",
}
"""What each is called on the screen."""


class KnownFile(NamedTuple):
    """Where a program keeps its servers.

    Attributes:
        path: Its file, which need not exist.
        in_project: Whether it is the project's, and may come to other people.
    """

    program: Program
    path: Path
    in_project: bool = False


class Importable(NamedTuple):
    """One server that can be taken over.

    Attributes:
        config: The server, not kept yet; its secrets are still written out.
        notes: What a person has to see to, one sentence each.
    """

    config: ServerConfig
    notes: tuple[str, ...] = ()


class Import(NamedTuple):
    """What a file of another program has.

    Attributes:
        servers: What can be taken over, in order.
        problems: What cannot, one sentence each.
        web_search: The provider's web search that it names; None when it names none.
    """

    path: Path
    servers: tuple[Importable, ...] = ()
    problems: tuple[str, ...] = ()
    web_search: WebSearchProperties | None = None


def known_files(
    home: Path, environment: Mapping[str, str], project_dir: Path | None = None, platform: str = sys.platform
) -> tuple[KnownFile, ...]:
    """Return where programs keep their servers on this system, whether or not the files exist.

    Args:
        home: The person's home folder.
        environment: The variables that say where settings are.
        project_dir: The project's folder; None has none.
        platform: As `sys.platform`.
    """
    if platform == "darwin":
        settings = home / "Library" / "Application Support"
    elif platform == "win32":
        settings = Path(environment.get("APPDATA") or home / "AppData" / "Roaming")
    else:
        settings = Path(environment.get("XDG_CONFIG_HOME") or home / ".config")
    # Of all of them only Zed keeps its settings on macOS where Linux has them.
    zed = home / ".config" / "zed" if platform == "darwin" else settings / ("Zed" if platform == "win32" else "zed")
    files = [
        KnownFile(Program.CLAUDE_DESKTOP, settings / "Claude" / "claude_desktop_config.json"),
        KnownFile(Program.CLAUDE_CODE, home / ".claude.json"),
        KnownFile(Program.CURSOR, home / ".cursor" / "mcp.json"),
        KnownFile(Program.VS_CODE, settings / "Code" / "User" / "mcp.json"),
        KnownFile(Program.VS_CODE, settings / "Code" / "User" / "settings.json"),
        KnownFile(Program.ZED, zed / "settings.json"),
        KnownFile(Program.WINDSURF, home / ".codeium" / "windsurf" / "mcp_config.json"),
        KnownFile(Program.CODEX, Path(environment.get("CODEX_HOME") or home / ".codex") / "config.toml"),
    ]
    if project_dir is not None:
        files += [
            KnownFile(Program.MCP_JSON, project_dir / ".mcp.json", in_project=True),
            KnownFile(Program.CURSOR, project_dir / ".cursor" / "mcp.json", in_project=True),
            KnownFile(Program.VS_CODE, project_dir / ".vscode" / "mcp.json", in_project=True),
        ]
    return tuple(files)


def read_import(path: Path, project_dir: Path | None = None) -> Import:
    """Return what a file of another program has, whichever it is: the content tells.

    Args:
        project_dir: The project whose own servers are taken as well from a file that has them for each project.

    Raises:
        ServerConfigError: When it cannot be read, or has no servers.
    """
    try:
        if path.stat().st_size > LARGEST_BYTES:
            raise ServerConfigError(f"{path} cannot be read: expected at most {LARGEST_BYTES:,} bytes")
        text = path.read_bytes().decode("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise ServerConfigError(f"{path} cannot be read: {error}") from error
    if path.suffix == ".toml":
        try:
            return _from_document(path, read_toml(text), project_dir)
        except ValueError as error:
            raise ServerConfigError(f"{path} cannot be read: {error}") from error
    if path.suffix == ".properties" or not text.lstrip().startswith(("{", "/")):
        return _from_properties(path, text)
    try:
        document = parsed(text).value
    except ValueError as error:
        raise ServerConfigError(f"{path} cannot be read: {error}") from error
    return _from_document(path, document, project_dir)


def read_toml(text: str) -> dict[str, JsonValue]:
    """Return what a text of TOML says.

    Raises:
        ValueError: When it is none, or nests too deep.
    """
    try:
        return tomllib.loads(text)
    except RecursionError as error:
        raise ValueError("expected fewer lists and tables inside each other") from error


def _from_document(path: Path, document: JsonValue, project_dir: Path | None) -> Import:
    entries = entries_in(document, project_dir)
    if entries is None:
        raise NoServersError(f"{path} has no servers: expected mcpServers (or servers, as VS Code has them) in it")
    inputs = inputs_of(document)
    servers: list[Importable] = []
    problems: list[str] = []
    for name, entry in entries.items():
        try:
            servers.append(_importable(config_of(name, entry), inputs))
        except ServerConfigError as error:
            problems.append(str(error))
    return Import(path, tuple(servers), tuple(problems))


def entries_in(document: JsonValue, project_dir: Path | None = None) -> dict[str, JsonValue] | None:
    """Return the servers of a document by their names; None when it has no place for any.

    Args:
        document: What the file or the block says.
        project_dir: The project whose own servers are taken as well.
    """
    found: dict[str, JsonValue] = {}
    is_known = False
    for place in _places(document, project_dir):
        if isinstance(place, dict):
            is_known = True
            # What is said of the project counts more than what is said of all.
            found |= place
    return found if is_known else None


def _places(document: JsonValue, project_dir: Path | None) -> list[JsonValue]:
    if not isinstance(document, dict):
        return []
    places = [_named(document.get(key)) for key in _PLACES]
    for key in ("mcp", "mcp.servers"):
        inside = document.get(key)
        if isinstance(inside, dict):
            is_map = "." in key or (bool(inside) and all(isinstance(entry, dict) for entry in inside.values()))
            places.append(inside.get("servers", inside if is_map else None))
    projects = document.get("projects")
    project = projects.get(str(project_dir)) if isinstance(projects, dict) else None
    return [*places, project.get("mcpServers") if isinstance(project, dict) else None]


def _named(place: JsonValue) -> JsonValue:
    """Return a list of entries that say their own names as what people mean by it."""
    if not isinstance(place, list):
        return place
    return {str(entry["name"]): entry for entry in place if isinstance(entry, dict) and entry.get("name")}


def inputs_of(document: JsonValue) -> dict[str, dict[str, JsonValue]]:
    """Return what VS Code would ask for, by its id."""
    inside = document.get("mcp") if isinstance(document, dict) and "mcp" in document else document
    asked = inside.get("inputs") if isinstance(inside, dict) else None
    items = [item for item in asked if isinstance(item, dict)] if isinstance(asked, list) else []
    return {str(item.get("id")): item for item in items}


def refuse_references(config: ServerConfig) -> None:
    """Refuse an entry of somebody else that means a secret of this program: it would hand it to whom it likes."""
    if references(config):
        raise ServerConfigError(f"the server {config.name!r} asks for a secret that this program keeps; take it out")


def _importable(config: ServerConfig, inputs: Mapping[str, Mapping[str, JsonValue]]) -> Importable:
    refuse_references(config)
    notes: list[str] = []
    for name, asked in inputs.items():
        variable, default = f"${{input:{name}}}", asked.get("default")
        filled = config
        if isinstance(default, str) and not asked.get("password"):
            filled = _replaced(config, variable, default)
        else:
            filled = _replaced(config, variable, f"${{{KEYRING}{ConfigScope.USER}/{config.name}/input/{name}}}")
            if filled != config:
                notes.append(f"enter {asked.get('description') or name}: it was never in the file")
        config = filled
    if config.unknown.get("envFile"):
        notes.append("its envFile is not read: put what it needs into its environment")
    return Importable(config, tuple(notes))


def with_defaults(config: ServerConfig, inputs: Mapping[str, Mapping[str, JsonValue]]) -> ServerConfig:
    """Return an entry with the values that VS Code would propose where it asks for something that is no secret."""
    for name, asked in inputs.items():
        default = asked.get("default")
        if isinstance(default, str) and default and not asked.get("password"):
            config = _replaced(config, f"${{input:{name}}}", default)
    return config


def _replaced(config: ServerConfig, variable: str, text: str) -> ServerConfig:
    return config.with_texts(lambda _, part: part.replace(variable, text))


def _from_properties(path: Path, text: str) -> Import:
    values = read_properties(text)
    groups, search = server_groups(values), web_search(values)
    if not groups and search is None:
        raise NoServersError(f"{path} has no servers: expected MCP.name and MCP.url, or JSON with mcpServers")
    servers: dict[str, Importable] = {}
    problems: list[str] = []
    for group in groups:
        try:
            config = group.config()
        except ValueError:
            problems.append(f"{group.prefix}.name: expected a name on one line, got {group.name[:40]!r}")
            continue
        if config is None:
            problems.append(f"{group.prefix}.url: expected the address of {group.name!r}, which only a provider knows")
        elif config.name in servers:
            problems.append(f"{group.prefix}.name: {group.name!r} is there already; rename one of them")
        else:
            servers[config.name] = Importable(config)
    if search is not None:
        said = f"{search.type!r} is a search that the provider runs itself, and no server"
        problems.append(f"WebSearchTool.type: {said}; tool-console wire openai --properties sends it along")
    return Import(path, tuple(servers.values()), tuple(problems), search)
