"""Read what people paste to add a server: a command line, an address, a block of settings, a link that installs one."""

from __future__ import annotations

import base64
import binascii
import ipaddress
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from itertools import islice
from pathlib import PurePosixPath
from typing import Final, NamedTuple
from urllib.parse import parse_qs, unquote, urlsplit

from pydantic import JsonValue

from tools.errors import ServerConfigError
from tools.mcp.command_lines import ShellToken, commands_in, without_prompt
from tools.mcp.commented_json import first_value
from tools.mcp.config import LONGEST_NAME, ServerConfig, Transport
from tools.mcp.entries import config_of
from tools.mcp.imports import entries_in, inputs_of, refuse_references, with_defaults
from tools.mcp.start_preview import package_of, program_name

LONGEST: Final = 200_000
"""Letters of the longest text that is read."""

EXPECTED: Final = (
    "expected a command (npx -y some-server), an address (https://example.org/mcp), or the mcpServers block of a README"
)
"""What a text should have been that is none of these."""

_MOST_TRIES: Final = 40
_LAST_PORT: Final = 65_535
_BEGINS_OBJECT: Final = re.compile(r'\{\s*(?:"|\}|//|/\*)')
_FENCE: Final = re.compile(r"^[ \t>]*(?:```|~~~)[^\n]*\n(.*?)(?:^[ \t>]*(?:```|~~~)|\Z)", re.DOTALL | re.MULTILINE)
_INLINE: Final = re.compile(r"`([^`\n]{2,})`")
_LINK: Final = re.compile(
    r"(?:cursor|vscode|vscode-insiders|goose|lmstudio)://?[^\s)\]>]+|vscode(?:-insiders)?:mcp/install\?[^\s)\]>]+"
    r"|https://(?:www\.)?(?:cursor\.com/[^\s)\]>]*install-mcp|[\w.]*vscode\.dev/redirect)[^\s)\]>]*",
    re.IGNORECASE,
)
_URL: Final = re.compile(r"https?://[^\s\"'`<>()\[\]{}|\\^]+", re.IGNORECASE)
_HOST: Final = r"(?:localhost|\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\.[A-Za-z0-9-]+)*)"
_BARE: Final = re.compile(rf"(?P<host>{_HOST})(?::(?P<port>\d{{1,5}}))?(?P<rest>[/?#]\S*)?")
_TOP_NAME: Final = re.compile(r".+\.(?:[A-Za-z]{2,24})")
_FILE_ENDINGS: Final = frozenset(
    {"py", "js", "mjs", "cjs", "ts", "sh", "rb", "exe", "cmd", "bat", "ps", "jar", "go", "json"}
)
_HEADER: Final = re.compile(r"([A-Za-z][A-Za-z0-9-]*)[ \t]*:[ \t]*(\S.*)")
_ASSIGNMENT: Final = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)=(.*)", re.DOTALL)
_POWERSHELL: Final = re.compile(r"\$\{([A-Za-z_]\w*)\}(?:=(.*))?", re.DOTALL)
_NAMES_SERVERS: Final = re.compile(r"\[\s*mcp_?servers\s*\.", re.IGNORECASE)
_LAUNCHERS: Final = frozenset(
    {"npx", "npm", "node", "pnpm", "pnpx", "yarn", "bun", "bunx", "deno", "tsx", "uv", "uvx", "pip", "pipx", "python"}
    | {
        "python3",
        "py",
        "poetry",
        "conda",
        "docker",
        "podman",
        "nerdctl",
        "go",
        "java",
        "dotnet",
        "cargo",
        "ruby",
        "php",
    }
    | {"sh", "bash", "zsh", "cmd", "powershell", "pwsh", "wsl", "env", "sudo", "nix", "make", "mise"}
)
"""Programs that people start servers with: a line that begins with one is a command."""

_PLAIN_WORD: Final = re.compile(r"(?!.*://)[A-Za-z0-9@~.$/\\][^\s,;!?\"'{}<>]*")
_BARE_PROGRAM: Final = re.compile(r"[a-z][a-z0-9]+")
_LIKE_A_PROGRAM: Final = re.compile(
    r"[A-Za-z0-9@][\w.@+]*[-_.][\w.@+-]*\w|\w*mcp\w*|.*[/\\].*|[A-Za-z]\w*\d\w*", re.IGNORECASE
)
_ADDERS: Final = frozenset({"claude", "codex", "gemini", "amp", "droid", "copilot", "qwen", "tool-console", "auggie"})
_SMART_QUOTES: Final = str.maketrans({"\u201c": '"', "\u201d": '"', "\u2018": "'", "\u2019": "'"})


class PasteKind(StrEnum):
    """What a text was taken for."""

    EMPTY = "empty"
    UNKNOWN = "unknown"
    COMMAND = "command"
    ADDRESS = "address"
    BLOCK = "block"
    ADD_COMMAND = "add command"
    LINK = "link"


class Paste(NamedTuple):
    """What a text means.

    Attributes:
        servers: The servers that it names, not kept yet; their secrets are still written out.
        problems: What of it cannot be taken, one sentence each.
        notes: What was read into it that it does not say, one sentence each.
    """

    kind: PasteKind
    servers: tuple[ServerConfig, ...] = ()
    problems: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def read_paste(text: str) -> Paste:
    """Return what a text means that somebody pasted to add a server. Nothing is run, loaded or reached by that."""
    if len(text) > LONGEST:
        return Paste(PasteKind.UNKNOWN, problems=(f"expected at most {LONGEST:,} letters, got {len(text):,}",))
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\u00a0", " ").lstrip("\ufeff").strip()
    if not text:
        return Paste(PasteKind.EMPTY)
    try:
        return _read(text)
    except ServerConfigError as error:
        return Paste(PasteKind.UNKNOWN, problems=(str(error),))


def _read(text: str) -> Paste:
    fences = [found[1].strip() for found in _FENCE.finditer(text) if found[1].strip()]
    if fences:
        return _of_parts(fences) or _of_text(text)
    if len(text) > 2 and text[0] == text[-1] == "`" and "`" not in text[1:-1]:  # noqa: PLR2004 -- both quotes
        text = text[1:-1].strip()
    return _of_text(text)


def _of_parts(parts: Sequence[str]) -> Paste | None:
    """Return what the parts of a text mean that are written as code; None when none of them means a server."""
    found = [paste for paste in map(_of_text, parts) if paste.servers]
    blocks = [paste for paste in found if paste.kind is PasteKind.BLOCK]
    if blocks:
        return blocks[0]
    return _only(found)


def _only(found: Sequence[Paste]) -> Paste | None:
    """Return what all of these mean; None for none, and a problem where they mean different servers."""
    if len({paste.servers[0].model_dump_json() if paste.servers else "" for paste in found}) > 1:
        said = f"{len(found)} commands or addresses are in this text; paste the one that starts the server"
        return Paste(PasteKind.UNKNOWN, problems=(said,))
    return found[0] if found else None


def _of_text(text: str) -> Paste:
    """Return what a text means, tried in the order in which one form may hold another."""
    for read in (_add_command, _link_at_start, _block, _address, _links, _command, _inline, _address_in_prose):
        paste = read(text)
        if paste is not None:
            return paste
    return Paste(PasteKind.UNKNOWN, problems=(EXPECTED,))


def _block(text: str) -> Paste | None:
    if _NAMES_SERVERS.search(text):
        try:
            return _of_document(dict(tomllib.loads(text)))
        except (tomllib.TOMLDecodeError, RecursionError) as error:
            return Paste(PasteKind.BLOCK, problems=(f"this cannot be read as TOML: {error}",))
    if re.match(r'"[^"\n]*"\s*:', text):
        # The inside of an object, without the braces around it.
        text = f"{{{text.rstrip().rstrip(',')}}}"
    place = text.find("{")
    for _ in range(_MOST_TRIES):
        if place < 0:
            break
        if _BEGINS_OBJECT.match(text, place):
            try:
                document = first_value(text, place).value
            except (ValueError, RecursionError) as error:
                # What is inside of it must not be taken for the whole: its end may be missing.
                return Paste(PasteKind.BLOCK, problems=(f"this cannot be read as JSON: {error}",))
            paste = _of_document(document) if isinstance(document, dict) else None
            if paste is not None:
                return paste
        place = text.find("{", place + 1)
    if text.startswith("{"):
        return Paste(PasteKind.BLOCK, problems=(f"this block names no server: {EXPECTED}",))
    return None


def _of_document(document: dict[str, JsonValue]) -> Paste | None:
    entries = entries_in(document)
    if entries is None:
        if _is_entry(document):
            entries = {str(document.get("name") or ""): document}
        elif document and all(isinstance(entry, dict) and _is_entry(entry) for entry in document.values()):
            entries = document
        else:
            return None
    inputs = inputs_of(document)
    servers, problems = list[ServerConfig](), list[str]()
    for name, entry in entries.items():
        try:
            servers.append(with_defaults(_config(name, entry), inputs))
        except ServerConfigError as error:
            problems.append(str(error))
    if not servers and not problems:
        problems = ["this block names no server"]
    return Paste(PasteKind.BLOCK, tuple(servers), tuple(problems))


def _is_entry(value: Mapping[str, JsonValue]) -> bool:
    return any(
        isinstance(value.get(key), str | list) and value.get(key) for key in ("command", "url", "serverUrl", "httpUrl")
    )


def _config(name: str, entry: JsonValue) -> ServerConfig:
    """Return what an entry means; a command with its arguments in one text is taken apart."""
    if isinstance(entry, dict):
        entry = {key: value for key, value in entry.items() if key not in {"name", "trusted", "signIn"}}
        command, args = entry.get("command"), entry.get("args")
        if isinstance(command, list) and command:
            # Some programs write the whole command line as one list.
            entry |= {"command": command[0], "args": [*command[1:], *(args if isinstance(args, list) else ())]}
        if isinstance(entry.get("environment"), dict):
            entry["env"] = entry.pop("environment")
        if isinstance(command, str) and not args and " " in command.strip():
            entry |= _split(command)
    config = config_of(name or "server", entry)
    refuse_references(config)
    return config if name else config.model_copy(update={"name": name_for(config)})


def _split(command: str) -> dict[str, JsonValue]:
    try:
        (parts,) = commands_in(command)
    except ValueError:
        return {}
    first, *rest = (part.text for part in parts)
    # A path with a space in it is one program.
    return {} if ("/" in first or "\\" in first) else {"command": first, "args": list(rest)}


def _link_at_start(text: str) -> Paste | None:
    found = _LINK.match(text)
    return _of_link(found[0]) if found and found.end() == len(text) else None


def _links(text: str) -> Paste | None:
    pastes = [paste for found in islice(_LINK.finditer(text), 20) if (paste := _of_link(found[0])) is not None]
    return next((paste for paste in pastes if paste.servers), pastes[0] if pastes else None)


def _of_link(link: str) -> Paste | None:
    link = link.rstrip(".,;\"'`")
    parts = urlsplit(link)
    query = parse_qs(parts.query, keep_blank_values=True)
    inside = query.get("url", [""])[0]
    if inside and _LINK.match(inside):
        return _of_link(inside)
    name = query.get("name", [""])[0]
    texts = [*query.get("config", ()), *query.get("mcp", ()), unquote(parts.query)]
    for written in texts:
        document = _decoded(written)
        if document is not None:
            if name and _is_entry(document):
                document = {"mcpServers": {name: document}}
            paste = _of_document(document)
            if paste is not None:
                return paste._replace(kind=PasteKind.LINK)
    return Paste(PasteKind.LINK, problems=("this link names no server that can be read; paste the command instead",))


def _decoded(written: str) -> dict[str, JsonValue] | None:
    """Return the object that a text has: as it is, percent-encoded, or in base64."""
    candidates = [written, unquote(written)]
    try:
        plain = re.sub(r"\s", "", written.replace(" ", "+")).replace("-", "+").replace("_", "/")
        candidates.append(base64.b64decode(plain + "=" * (-len(plain) % 4), validate=True).decode("utf-8"))
    except (binascii.Error, ValueError):
        pass
    for text in candidates:
        if text.lstrip().startswith("{"):
            try:
                value = first_value(text.lstrip(), 0).value
            except (ValueError, RecursionError):
                continue
            if isinstance(value, dict):
                return value
    return None


def _address(text: str) -> Paste | None:
    first, *rest = (line.strip() for line in text.split("\n") if line.strip())
    headers = [_HEADER.fullmatch(line) for line in rest]
    first = without_prompt(first).strip("<>\"'`").rstrip(",;")
    if not first or any(letter.isspace() for letter in first) or not all(headers):
        return None
    address, note = _as_address(first)
    if not address:
        if _LINK.match(first):
            return None
        port = re.fullmatch(rf"{_HOST}:(\d+)(?:/\S*)?", first)
        if port:
            return Paste(PasteKind.ADDRESS, problems=(f"{first[:80]} has no port that exists: expected 1 to 65535",))
        if re.match(r"[A-Za-z][A-Za-z0-9+.-]*://", first):
            scheme = first.partition(":")[0]
            said = f"this {scheme}:// address is none of an MCP server: expected one such as https://example.org/mcp"
            return Paste(PasteKind.ADDRESS, problems=(said,))
        return None
    said_headers = {found[1]: found[2].strip() for found in headers if found}
    entry: dict[str, JsonValue] = {"type": _way(address), "url": address}
    entry |= {"headers": dict(said_headers)} if said_headers else {}
    return Paste(PasteKind.ADDRESS, (_config("", entry),), notes=(note,) if note else ())


def _as_address(word: str) -> tuple[str, str]:
    """Return the address that a word is, and what was added to it; empty when it is none."""
    if re.match(r"https?://[^/\s]", word, re.IGNORECASE):
        try:
            parts = urlsplit(word)
            return (word, "") if parts.hostname and (parts.port is None or parts.port) else ("", "")
        except ValueError:
            return "", ""
    found = _BARE.fullmatch(word)
    if found is None:
        return "", ""
    host, port, rest = found["host"], found["port"], found["rest"] or ""
    if port and not 0 < int(port) <= _LAST_PORT:
        return "", ""
    is_near = _is_near(host.strip("[]"))
    has_top = _TOP_NAME.fullmatch(host) is not None and host.rpartition(".")[2].casefold() not in _FILE_ENDINGS
    if not (port or (is_near and (rest or host == "localhost")) or (has_top and rest.startswith("/"))):
        return "", ""
    scheme = "http" if is_near or not has_top else "https"
    rest = rest if rest and rest != "/" else "/mcp"
    address = f"{scheme}://{host}{f':{port}' if port else ''}{rest}"
    return address, f"read as {address}"


def _is_near(host: str) -> bool:
    """Return whether a name or number means this computer or this network."""
    if host == "localhost" or host.endswith((".localhost", ".local")):
        return True
    try:
        return ipaddress.ip_address(host).is_private
    except ValueError:
        return False


def _way(address: str) -> str:
    path = urlsplit(address).path.rstrip("/").casefold()
    return "sse" if path.endswith("/sse") else "http"


def _address_in_prose(text: str) -> Paste | None:
    found = list(dict.fromkeys(found[0].rstrip(".,;:!?") for found in islice(_URL.finditer(text), 50)))
    servers = [url for url in found if re.search(r"/(?:mcp|sse)/?$|//mcp\.", url)]
    return _address(servers[0]) if len(servers) == 1 else None


def _inline(text: str) -> Paste | None:
    parts = [found[1].strip() for found in islice(_INLINE.finditer(text), 50)]
    pastes = [paste for part in parts if (paste := _first_of(part)) is not None and paste.servers]
    return _only(pastes)


def _first_of(text: str) -> Paste | None:
    if program_name(text.split(maxsplit=1)[0]) not in _LAUNCHERS and "://" not in text:
        return None
    return _address(text) or _command(text)


def _command(text: str) -> Paste | None:
    if not any(sign in text for sign in "\"'"):
        text = text.translate(_SMART_QUOTES)
    try:
        commands = list(commands_in(text))
    except ValueError as error:
        first = without_prompt(text).split()
        is_command = bool(first) and program_name(first[0]) in _LAUNCHERS
        return Paste(PasteKind.COMMAND, problems=(str(error),)) if is_command else None
    if not _is_command(text, commands):
        return None
    said = _Said()
    left = [words for words in map(said.without_settings, commands) if words]
    if not left:
        return Paste(PasteKind.COMMAND, problems=("this sets variables and starts nothing; paste the command as well",))
    if len(left) > 1:
        problem = f"these are {len(left)} commands; paste only the one that starts the server"
        return Paste(PasteKind.COMMAND, problems=(problem,))
    ((command, *args),) = left
    entry: dict[str, JsonValue] = {"type": "stdio", "command": command, "args": list(args), "env": dict(said.env)}
    entry |= {"cwd": said.folder} if said.folder else {}
    return Paste(PasteKind.COMMAND, (_config("", entry),))


class _Said:
    """What the lines before a command decide about it: variables, and the folder it starts in."""

    def __init__(self) -> None:
        self.env: dict[str, str] = {}
        self.folder = ""

    def without_settings(self, parts: Sequence[ShellToken]) -> list[str]:
        """Return a command without what only sets variables or the folder for it."""
        words = [part.text for part in parts]
        if program_name(words[0]) == "cd" and len(words) == 2:  # noqa: PLR2004 -- the word and the folder
            self.folder = words[1]
            return []
        if words[0] in {"export", "set", "setx"} and len(words) > 1:
            words = words[1:]
            if not all(map(_ASSIGNMENT.fullmatch, words)):
                words = [f"{words[0]}={' '.join(words[1:])}"] if len(words) > 1 and "=" not in words[0] else words
        elif words[0] == "env" and len(words) > 1 and _ASSIGNMENT.fullmatch(words[1]):
            words = words[1:]
        elif found := _POWERSHELL.fullmatch(words[0]):
            # `$env:NAME = "value"`, with or without spaces.
            value = found[2] if found[2] is not None else words[2] if words[1:2] == ["="] and len(words) == 3 else None  # noqa: PLR2004 -- name, sign and value
            if value is not None:
                self.env[found[1]] = value
                return []
        while words and (assigned := _ASSIGNMENT.fullmatch(words[0])):
            self.env[assigned[1]] = assigned[2]
            words = words[1:]
        return words


def _is_command(text: str, commands: Sequence[Sequence[ShellToken]]) -> bool:
    """Tell a command from prose: it begins with a program, and prose is no list of words without punctuation."""
    if not commands:
        return False
    words = [part.text for part in commands[-1]]
    while words and (_ASSIGNMENT.fullmatch(words[0]) or words[0] == "env"):
        words = words[1:]
    first = words[0] if words else "set"
    if program_name(first) in _LAUNCHERS or not words:
        return not text.rstrip().endswith((".", "?", "!", ":")) or len(words) == 1 or "-" in text
    if not _PLAIN_WORD.fullmatch(first) and not commands[-1][0].is_quoted:
        return False
    if len(words) == 1:
        return (
            any(pattern.fullmatch(first) for pattern in (_BARE_PROGRAM, _LIKE_A_PROGRAM)) or commands[-1][0].is_quoted
        )
    has_option = any(re.match(r"--?[A-Za-z]", word) for word in words[1:])
    return has_option or _LIKE_A_PROGRAM.fullmatch(first) is not None or commands[-1][0].is_quoted


_TAKE_VALUE: Final = frozenset(
    {"-t", "--transport", "-s", "--scope", "-e", "--env", "-H", "--header", "--url", "--cwd", "--timeout", "--type"}
    | {"--description", "--client-id", "--client-secret", "--callback-port", "--bearer-token-env-var", "--name"}
)
_SWITCHES: Final = frozenset({"--sse", "--trust", "--http", "--no-trust", "--yes", "-y"})


def _add_command(text: str) -> Paste | None:
    if not re.search(r"\bmcp\s+add|--add-mcp", text):
        return None
    try:
        commands = list(commands_in(text))
    except ValueError as error:
        return Paste(PasteKind.ADD_COMMAND, problems=(str(error),))
    servers, problems = list[ServerConfig](), list[str]()
    for parts in commands:
        words = [part.text for part in parts]
        try:
            servers += _added(words)
        except ServerConfigError as error:
            problems.append(str(error))
    return Paste(PasteKind.ADD_COMMAND, tuple(servers), tuple(problems)) if servers or problems else None


def _added(words: Sequence[str]) -> Iterator[ServerConfig]:
    if program_name(words[0]) in {"code", "code-insiders", "cursor"} and "--add-mcp" in words[:-1]:
        yield from _of_json("", words[words.index("--add-mcp") + 1])
    start = next((place for place in range(len(words) - 2) if program_name(words[place]) in _ADDERS), None)
    if start is None or words[start + 1] != "mcp" or words[start + 2] not in {"add", "add-json"}:
        return
    rest = list(words[start + 3 :])
    if words[start + 2] == "add-json":
        plain = [word for word in _without_options(rest)[1] if word != "--"]
        if len(plain) != 2:  # noqa: PLR2004 -- a name and an object
            raise ServerConfigError("expected a name and an object in braces behind mcp add-json")
        yield from _of_json(plain[0], plain[1])
        return
    yield _of_options(rest)


def _of_json(name: str, written: str) -> Iterator[ServerConfig]:
    document = _decoded(written)
    if document is None:
        raise ServerConfigError(f"expected an object in braces, got {written[:40]!r}")
    paste = _of_document({name: document} if name else document)
    if paste is None:
        raise ServerConfigError("this object names no server")
    yield from paste.servers


def _without_options(words: Sequence[str]) -> tuple[list[tuple[str, str]], list[str]]:
    """Take the options off that stand before the command of a server; return them and the rest."""
    options, plain = list[tuple[str, str]](), list[str]()
    left = list(words)
    while left:
        word = left.pop(0)
        option, equals, value = word.partition("=")
        if word == "--":
            return options, [*plain, word, *left]
        if not word.startswith("-"):
            plain.append(word)
            if len(plain) > 1 and not _URL.fullmatch(word):
                # What follows belongs to the server's own command.
                return options, [*plain, *left]
        elif option in _TAKE_VALUE:
            if not equals:
                if not left:
                    raise ServerConfigError(f"expected a value behind {option}")
                value = left.pop(0)
            options.append((option, value))
            while option in {"-e", "--env"} and left and _ASSIGNMENT.fullmatch(left[0]):
                options.append((option, left.pop(0)))
        elif word in _SWITCHES:
            options.append((word, ""))
        else:
            raise ServerConfigError(f"{word} is no option of mcp add that is known here; paste the command behind it")
    return options, plain


def _of_options(words: Sequence[str]) -> ServerConfig:
    options, plain = _without_options(words)
    name = next((value for option, value in options if option == "--name"), "") or (plain.pop(0) if plain else "")
    if name == "--":
        name, plain = "", ["--", *plain]
    command = plain[1:] if plain[:1] == ["--"] else plain
    if len(plain) > 1 and plain[0] != "--" and plain[1] == "--":
        command = [plain[0], *plain[2:]]
    said = dict(options)
    way = said.get("-t") or said.get("--transport") or said.get("--type") or ("sse" if "--sse" in said else "")
    address = said.get("--url") or (command[0] if len(command) == 1 and _URL.fullmatch(command[0]) else "")
    entry: dict[str, JsonValue] = {}
    if address:
        headers = (value.partition(":") for option, value in options if option in {"-H", "--header"})
        entry = {"type": way or _way(address), "url": address}
        entry |= {"headers": {key.strip(): value.strip() for key, _, value in headers}}
        token = said.get("--bearer-token-env-var")
        if token:
            entry["headers"] = {"Authorization": f"Bearer ${{{token}}}"}
    elif command:
        entry = {"type": "stdio", "command": command[0], "args": list(command[1:]), "cwd": said.get("--cwd", "")}
    else:
        raise ServerConfigError("expected a command or an address behind the name of the server")
    pairs = [value for option, value in options if option in {"-e", "--env"}]
    if pairs and not address:
        entry["env"] = {key: value for key, _, value in (pair.partition("=") for pair in pairs)}
    client = said.get("--client-id")
    if client:
        entry["oauth"] = {"clientId": client, "clientSecret": said.get("--client-secret", "")}
    return _config(name, entry)


def name_for(config: ServerConfig) -> str:
    """Return what a server might be called: its package, its image, its file, or the computer it is on."""
    if config.transport is not Transport.STDIO:
        try:
            host = (urlsplit(config.url).hostname or "").strip(".")
        except ValueError:
            host = ""
        if _is_near(host):
            return "local"
        labels = [label for label in host.split(".")[:-1] if label not in {"mcp", "www", "api", "server"}]
        return _shortened(labels[-1] if labels else host)
    place = package_of((config.command, *config.args))
    if place is not None:
        written = (config.command, *config.args)[place]
        return _shortened(written.partition("=")[2] if written.startswith("--") else written)
    words = [word for word in config.args if not word.startswith("-")]
    program = program_name(config.command)
    if program not in _LAUNCHERS:
        return _shortened(program)
    if "-m" in config.args[:-1]:
        return _shortened(config.args[config.args.index("-m") + 1])
    files = [word for word in words if re.search(r"\.(?:py|[cm]?js|ts|rb|php|jar|sh)$", word)]
    if files:
        path = PurePosixPath(files[0].replace("\\", "/"))
        plain = {"index", "main", "server", "app", "cli", "mcp", "__main__"}
        parents = [part for part in path.parts[:-1] if part not in {"dist", "build", "src", "out", "bin", ".", ".."}]
        stem = path.stem
        return _shortened(parents[-1] if stem in plain and parents and parents[-1].strip("/\\") else stem)
    return _shortened(words[-1] if words else program)


def _shortened(text: str) -> str:
    """Return the part of a package's or an image's name that says which server it is."""
    last = text.rstrip("/").replace("\\", "/").rpartition("/")[2]
    plain = re.split(r"[:@=\[<>~!#?]", last.lstrip("@"))[0] or last
    short = re.sub(r"\.(?:git|exe|cmd|py|js)$", "", plain)
    short = re.sub(
        r"^(?:mcp[-_.]?server|server[-_.]?mcp|server|mcp)[-_.]|[-_.](?:mcp[-_.]?server|server[-_.]?mcp|mcp|server)$",
        "",
        short,
    )
    letters = re.sub(r"[^\w.-]+", "-", short).strip("-_.")
    return letters[:LONGEST_NAME] or "server"


def unused_name(name: str, taken: Iterable[str]) -> str:
    """Return a name, with a number behind it where it is taken already."""
    known = set(taken)
    numbers = (f"{name[: LONGEST_NAME - 6]}-{number}" for number in range(2, len(known) + 3))
    return name if name not in known else next(found for found in numbers if found not in known)
