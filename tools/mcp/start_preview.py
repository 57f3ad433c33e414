"""What runs, or is reached, when a server starts: all of it, with what deserves a second look marked."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from pathlib import PurePath
from typing import Final, NamedTuple
from urllib.parse import urlsplit

from tools.mcp.config import ConfigScope, ServerConfig, Transport
from tools.mcp.confusable_letters import hidden_letters, mixed_words, visible_text
from tools.mcp.secrets import KEYRING, is_secret_name, masked, written_secrets
from tools.mcp.variables import variables_of
from tools.network_hosts import address_of, is_this_computer

_SHELLS: Final = frozenset({"sh", "bash", "dash", "zsh", "ksh", "fish", "cmd", "powershell", "pwsh"})
_SHELL_CODE: Final = frozenset({"-c", "/c", "/k", "-command", "-encodedcommand", "-enc", "-ec", "-lc", "-ic"})
_CODE_OPTIONS: Final[Mapping[str, Collection[str]]] = {
    "python": {"-c"},
    "python3": {"-c"},
    "node": {"-e", "--eval", "-p", "--print"},
    "bun": {"-e", "--eval"},
    "deno": {"eval"},
    "perl": {"-e", "-E"},
    "ruby": {"-e"},
    "php": {"-r"},
}
_RIGHTS: Final = frozenset({"sudo", "doas", "pkexec", "su", "runas", "gsudo"})
_LOADERS: Final = frozenset({"curl", "wget", "nc", "ncat", "socat", "ssh", "scp"})
_RUNNERS: Final = {
    "npx": (),
    "bunx": (),
    "uvx": (),
    "pnpx": (),
    "pnpm": ("dlx",),
    "yarn": ("dlx",),
    "npm": ("exec",),
    "pipx": ("run",),
    "uv": ("tool", "run"),
}
"""Programs that load a package and run it, and the words that make them do so."""

_TAKES_PACKAGE: Final = frozenset({"--from", "--with", "--package", "-p", "--spec"})
_CONTAINERS: Final = frozenset({"docker", "podman", "nerdctl"})
_IMAGE_FLAGS: Final = frozenset(
    {"-i", "-t", "-it", "-ti", "-d", "-di", "--rm", "--interactive", "--tty", "--init", "--privileged", "--read-only"}
)
"""Options of a container's start that take no word of their own."""

_CONTAINER_RISKS: Final = (
    (re.compile(r"--privileged(?:=true)?"), "the container may do what the computer's administrator may"),
    (re.compile(r"(?:--(?:network|net|pid|ipc|userns)=)?host"), "the container is not kept apart from the computer"),
    (re.compile(r".*docker\.sock.*"), "whoever has this socket rules the computer"),
    (re.compile(r"(?:.*=)?/:.*|.*(?:src|source)=/(?:,.*)?"), "the container gets the whole disk"),
    (re.compile(r"--cap-add=.*|--security-opt=.*unconfined.*"), "the container gets rights it would not have"),
)
_UNGUARDED: Final = re.compile(
    r"--?(?:dangerously\S*|allow[-_]?all\S*|no-?sandbox|disable-?(?:security|sandbox|web-security)\S*|insecure"
    r"|skip-?(?:tls|ssl|auth|permission)\S*|no-?(?:verify|auth|check)\S*|trust-?all\S*|yolo|unrestricted\S*|allow-run\S*"
    r"|allow-write\S*|allow-net\S*)",
    re.IGNORECASE,
)
_PINNED: Final = re.compile(
    r".+@v?\d+\.\d+\.\d+[\w.+-]*|[^@]+(?:\[.*\])?==\d[\w.+!-]*|.+@sha256:[0-9a-f]{64}|.+@[0-9a-f]{40}"
)
_WIDE: Final = frozenset(
    {"/", "~", "~/", "$HOME", "${HOME}", "${env:HOME}", "${userHome}", "C:\\", "C:/", "c:\\", "c:/"}
)
_UNSAFE: Final = re.compile(r"[^\w@%+=:,./\u2022\u2039\u203a-]|^~")
_FILLED_IN: Final = re.compile(r"\$\{[^{}\s'\"]*\}|\[U\+[0-9A-F]+\]")
_PROGRAM_FILE: Final = re.compile(r"(?!/)[\w.@/-]+\.(?:py|js|mjs|cjs|ts|sh|rb|pl|php|jar|exe|cmd|bat|ps1)")
_PIPED: Final = re.compile(r"(?:curl|wget|iwr)\b[^|]*\|\s*(?:sudo\s+)?(?:ba|z|da|k)?sh\b", re.IGNORECASE)
_STEERING: Final = {
    **dict.fromkeys(("LD_PRELOAD", "LD_LIBRARY_PATH", "LD_AUDIT"), "loads other code into the program"),
    **dict.fromkeys(
        ("NODE_OPTIONS", "NODE_PATH", "PYTHONPATH", "PYTHONSTARTUP", "PYTHONHOME", "PERL5OPT", "PERL5LIB"),
        "loads other code into the program",
    ),
    **dict.fromkeys(
        ("RUBYOPT", "RUBYLIB", "JAVA_TOOL_OPTIONS", "BASH_ENV", "ENV"), "loads other code into the program"
    ),
    **dict.fromkeys(("PATH", "SHELL", "GIT_SSH_COMMAND", "EDITOR", "PAGER"), "decides which programs are started"),
    **dict.fromkeys(
        ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "NODE_EXTRA_CA_CERTS"),
        "decides who can read what it sends",
    ),
    "NODE_TLS_REJECT_UNAUTHORIZED": "decides who can read what it sends",
    **dict.fromkeys(
        ("NPM_CONFIG_REGISTRY", "UV_INDEX_URL", "UV_DEFAULT_INDEX", "UV_INDEX", "PIP_INDEX_URL", "PIP_EXTRA_INDEX_URL"),
        "decides where packages are loaded from",
    ),
}
"""Variables that change what runs, and how."""


class StartPart(NamedTuple):
    """A part of what runs when a server starts.

    Attributes:
        text: The part, untruncated and quoted as a shell would need it; hidden letters by their numbers, secrets as
            bullets.
        risk: Why one should look twice; empty for nothing.
    """

    text: str
    risk: str = ""


class StartPreview(NamedTuple):
    """All that a person has to see before they let a server start.

    Attributes:
        parts: The program and its arguments, or the address.
        facts: What it is and what stands there: the folder, variables, headers.
        notes: Why one should look twice at what is no part of the command.
    """

    parts: tuple[StartPart, ...]
    facts: tuple[tuple[str, str], ...]
    notes: tuple[str, ...]


def start_preview(config: ServerConfig) -> StartPreview:
    """Return what happens when a server starts, as its entry says."""
    shown = masked(config)
    if config.transport is Transport.STDIO:
        parts = tuple(
            StartPart(quoted(visible_text(text)), _risk(config, place, original))
            for place, (text, original) in enumerate(
                zip((shown.command, *shown.args), (config.command, *config.args), strict=True)
            )
        )
        facts = [("Folder", visible_text(config.cwd) or "the project's folder")]
    else:
        parts = (StartPart(visible_text(shown.url), _address_risk(config.url)),)
        facts = []
    facts += [(f"Variable {visible_text(name)}", visible_text(text)) for name, text in shown.env.items()]
    facts += [(f"Header {visible_text(name)}", visible_text(text)) for name, text in shown.headers.items()]
    if shown.client is not None:
        facts.append(("Signs in as", visible_text(shown.client.id)))
        facts += [("Client secret", visible_text(text)) for text in filter(None, (shown.client.secret,))]
    return StartPreview(parts, tuple(facts), tuple(dict.fromkeys(_notes(config))))


def quoted(word: str) -> str:
    """Return a word of a command as one would write it in a shell; variables and what hides a secret stay bare."""
    if word and not _UNSAFE.search(_FILLED_IN.sub("", word)):
        return word
    return "'" + word.replace("'", "'\"'\"'") + "'"


def _risk(config: ServerConfig, place: int, text: str) -> str:
    """Return why a word of a command deserves a second look; empty for nothing."""
    return next((risk for risk in _risks(config, place, text) if risk), "")


def _risks(config: ServerConfig, place: int, text: str) -> Iterator[str]:
    words = (config.command, *config.args)
    program = program_name(words[0])
    yield _letters_risk(text)
    if _PIPED.search(text):
        yield "this loads something from the network and runs it"
    if place == 0 and program in _RIGHTS:
        yield "it runs with the rights of an administrator"
    if place == 0 and program in _LOADERS:
        yield "it reaches other computers by itself"
    if place and _is_code(words, place):
        yield "this is a program of its own, written out here"
    if place and any(secret.where == f"args/{place - 1}" for secret in written_secrets(config)):
        yield "a secret is written out here, and every program of this computer can read it"
    yield _package_risk(words, place)
    if place and program in _CONTAINERS:
        yield next((why for pattern, why in _CONTAINER_RISKS if pattern.fullmatch(text)), "")
    if place and text in _WIDE:
        yield "it gets all files there"
    if _UNGUARDED.fullmatch(text):
        yield "this switches a protection off"
    if config.place is ConfigScope.PROJECT and _is_file_of_project(text):
        yield "a file of the project: whoever changes it changes what runs"


def _is_code(words: tuple[str, ...], place: int) -> bool:
    """Return whether a word is a program of its own, such as what stands behind `sh -c` or `python -c`."""
    option = words[place - 1].casefold()
    programs = [program_name(word) for word in words[: place - 1]]
    return any(option in (_SHELL_CODE if name in _SHELLS else _CODE_OPTIONS.get(name, ())) for name in programs)


def _package_risk(words: tuple[str, ...], place: int) -> str:
    package = package_of(words)
    if package is None or package != place:
        return ""
    named = words[place].partition("=")[2] if words[place].startswith("--") else words[place]
    if _PINNED.fullmatch(named):
        return "this is loaded from the network and run"
    return "this is loaded from the network and run, whatever its newest version is"


def package_of(words: tuple[str, ...]) -> int | None:
    """Return which word of a command names what a runner loads; None when it loads nothing."""
    program = program_name(words[0])
    if program in _CONTAINERS:
        return _image(words)
    said = _RUNNERS.get(program)
    if said is None or words[1 : 1 + len(said)] != said:
        return None
    place = 1 + len(said)
    while place < len(words):
        word = words[place]
        if word in _TAKES_PACKAGE and place + 1 < len(words):
            return place + 1
        if any(word.startswith(f"{option}=") for option in _TAKES_PACKAGE if option.startswith("--")):
            return place
        if not word.startswith("-"):
            return place
        place += 1
    return None


def _image(words: tuple[str, ...]) -> int | None:
    if len(words) < 2 or words[1] != "run":  # noqa: PLR2004 -- the program and what it shall do
        return None
    place = 2
    while place < len(words) and words[place].startswith("-"):
        # All other options take a word of their own unless it stands behind an equals sign.
        place += 1 if words[place] in _IMAGE_FLAGS or "=" in words[place] else 2
    return place if place < len(words) else None


def _address_risk(url: str) -> str:
    letters = _letters_risk(url)
    if letters:
        return letters
    try:
        parts = urlsplit(url)
        host = parts.hostname or ""
    except ValueError:
        return "this is no address that programs understand alike"
    if not host.isascii() or "xn--" in host:
        return "the name of the computer has letters that look like others"
    if parts.username is not None or parts.password is not None:
        return "what stands before the @ is not the computer that is reached"
    if is_this_computer(host):
        return ""
    if parts.scheme != "https":
        return "nothing that is sent is encrypted"
    return "the computer is named by a number, so nobody vouches for it" if address_of(host) is not None else ""


def _notes(config: ServerConfig) -> Iterator[str]:
    for name in (*config.env, *config.headers):
        risk = _letters_risk(name)
        if risk:
            yield f"the name {visible_text(name)}: {risk}"
    for name, text in (*config.env.items(), *config.headers.items()):
        risk = _letters_risk(text)
        if risk:
            yield f"{visible_text(name)}: {risk}"
    for name in config.env:
        why = _STEERING.get(name.upper()) or ("loads other code into the program" if name.startswith("DYLD_") else "")
        if why:
            yield f"the variable {name} {why}"
    reached = "the server" if config.transport is Transport.STDIO else _host(config.url)
    # What is still to be filled in is nobody's yet.
    for variable in (name for name in variables_of(config) if not name.startswith("input:")):
        name = variable.removeprefix("env:").partition(":-")[0]
        if variable.startswith(KEYRING):
            yield f"{reached} is given the secret {variable.removeprefix(KEYRING)}"
        elif is_secret_name(name):
            yield f"{reached} is given your variable {name}"
    if written_secrets(config):
        yield "secrets are written out in this entry; saving it here moves them to the keyring"
    if config.transport is Transport.STDIO and config.cwd in _WIDE:
        yield "it starts in a folder that has everything in it"


def _host(url: str) -> str:
    try:
        return urlsplit(url).hostname or "the server"
    except ValueError:
        return "the server"


def _letters_risk(text: str) -> str:
    for _start, _end, words in hidden_letters(text):
        return words
    if any(mixed_words(text)):
        return "a word mixes letters that look alike"
    return ""


def program_name(word: str) -> str:
    """Return the plain name of a program, wherever it is and whatever its ending."""
    name = PurePath(word.replace("\\", "/")).name.casefold()
    return re.sub(r"(?:\.(?:exe|cmd|bat|ps1))$", "", name)


def _is_file_of_project(text: str) -> bool:
    inside = text.startswith(("./", "../", ".\\", "${workspaceFolder}"))
    return inside or _PROGRAM_FILE.fullmatch(text) is not None
