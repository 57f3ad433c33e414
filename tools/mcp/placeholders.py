"""What an entry leaves for the person to fill in: `<YOUR_KEY>`, `${API_KEY}`, `your-api-key-here` and the like."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Final, NamedTuple

from tools.mcp.config import ServerConfig, Transport
from tools.mcp.secrets import KEYRING, is_secret_name

Hold = Callable[[str, str], str]
"""Takes the place of a secret and the secret; returns what the entry has in its place."""

_KNOWN_VARIABLES: Final = frozenset(
    {"workspaceFolder", "userHome", "HOME", "USER", "USERNAME", "USERPROFILE", "APPDATA", "LOCALAPPDATA", "PATH"}
    | {"TEMP", "TMP", "TMPDIR", "LANG", "SHELL"}
)
"""Variables that need no answer: every computer has them."""

_LONGEST: Final = 2_000
"""Letters of the longest text in which something is left to be filled in."""

_VARIABLE: Final = r"\$\{(?P<variable>[A-Za-z_][A-Za-z0-9_]*)\}|\$\{input:(?P<input>[^{}]+)\}"
_WRITTEN: Final = re.compile(
    rf"""{_VARIABLE}
    | <(?P<angle>[A-Za-z][^<>]{{0,80}})>
    | \{{\{{\s*(?P<braces>[A-Za-z][^{{}}$]{{0,80}}?)\s*\}}\}}
    | [\[{{](?P<square>(?:your|insert|enter)\b[^\[\]{{}}]{{1,80}})[\]}}]
    | (?P<path>(?:[A-Za-z]:)?(?:[\\/]+(?:absolute|full|some|your))?[\\/]+(?:absolute[-_])?path[\\/_-]+to
            (?:[\\/][^\s"',]*)?
        | [\\/](?:Users|home)[\\/](?:your[-_ ]?\w*|username|user[-_]name|you|me)(?![\w.-])[^\s"',]*)
    | (?<![A-Za-z0-9])(?P<yours>(?:[a-z]{{2,4}}[-_])?your[-_ ]?(?:[A-Za-z0-9]+[-_ ]?)*)
    | (?<![A-Za-z0-9])(?P<ask>(?:insert|enter|paste|put|replace|add)[-_ ](?:[A-Za-z0-9]+[-_ ])*
            (?:here|key|token|secret))
    | (?<![A-Za-z0-9])(?P<here>(?:[A-Za-z0-9]+[-_])+here)(?![A-Za-z0-9])""",
    re.VERBOSE | re.IGNORECASE,
)
_WHOLE: Final = re.compile(
    r"(?:[A-Za-z]{2,10}[-_]){0,3}(?:x{4,}|\*{3,}|\u2022{3,}|\.{3}|\u2026)+"
    r"|change[-_ ]?me!?|replace[-_ ]?me|todo|fixme|placeholder|(?:api[-_]?key|token|secret|password)[-_]?(?:value)?",
    re.IGNORECASE,
)
"""What stands for a value where it is all there is, such as `xxxx` and `changeme`."""

_SCHEME: Final = re.compile(r"(?:Bearer|Basic|Token|ApiKey)\s+", re.IGNORECASE)
_ASSIGNED: Final = re.compile(r"-{0,2}([A-Za-z_][-A-Za-z0-9_.]*)=", re.DOTALL)
_OPTION: Final = re.compile(r"-{1,2}([A-Za-z][-A-Za-z0-9_.]*)")
_PLAIN_WORDS: Final = re.compile(
    r"path|dir|folder|file|user|name|host|port|url|endpoint|region|zone|locale|lang|org|team|project|database|db|email"
    r"|domain|site|version|level",
    re.IGNORECASE,
)


class Placeholder(NamedTuple):
    """A value that somebody left for others to fill in.

    Attributes:
        where: Its place, such as `env/API_KEY`, `args/2`, `headers/Authorization`, `url`, or `url#2` for another there.
        written: What stands there instead.
        name: What it is called: the variable, the option, or the words of the placeholder.
        is_secret: Whether it is kept in the keyring.
        start: The letter of the text at its place with which that begins.
        variable: The variable of this computer that is taken when it stays empty; empty for none.
    """

    where: str
    written: str
    name: str
    is_secret: bool
    start: int
    variable: str = ""

    @property
    def is_needed(self) -> bool:
        """Whether the server cannot start without it."""
        return bool(self.written) and not self.variable


def blanks_of(config: ServerConfig) -> tuple[Placeholder, ...]:
    """Return what an entry leaves to be filled in, in order."""
    return tuple(_found(config))


def filled_in(config: ServerConfig, answers: Mapping[str, str], hold: Hold) -> ServerConfig:
    """Return an entry with answers in the place of what it left open.

    Args:
        answers: The answers, by the place of their blanks; an empty one leaves what is written.
        hold: Takes each secret among them, and gives what is written in its place.
    """
    blanks = [blank for blank in blanks_of(config) if answers.get(blank.where)]

    def text(where: str, written: str) -> str:
        for blank in reversed(blanks):
            if blank.where.partition("#")[0] == where:
                answer = answers[blank.where]
                answer = hold(blank.where, answer) if blank.is_secret else answer
                written = written[: blank.start] + answer + written[blank.start + len(blank.written) :]
        return written

    return config.with_texts(text)


def _found(config: ServerConfig) -> Iterator[Placeholder]:
    option = ""
    for place, word in enumerate(config.args):
        assigned = _ASSIGNED.match(word)
        named, start = (assigned[1], assigned.end()) if assigned else (option, 0)
        # The value of docker's -e is a variable of its own.
        yield from _in_text(f"args/{place}", word, start, "" if len(named) == 1 else named, is_named=bool(named))
        known = _OPTION.fullmatch(word)
        option = known[1] if known else ""
    for name, value in config.env.items():
        yield from _in_text(f"env/{name}", value, 0, name, is_named=True)
    if config.transport is Transport.STDIO:
        yield from _in_text("cwd", config.cwd, 0, "folder", is_named=False)
        return
    yield from _in_text("url", config.url, 0, "", is_named=False)
    for name, value in config.headers.items():
        yield from _in_text(f"headers/{name}", value, 0, name, is_named=True)


def _in_text(where: str, text: str, start: int, named: str, *, is_named: bool) -> Iterator[Placeholder]:
    """Find what a text leaves open, behind a place of it."""
    if f"${{{KEYRING}" in text or len(text) > _LONGEST:
        return
    scheme = _SCHEME.match(text, start)
    start = scheme.end() if scheme else start
    value = text[start:]
    is_whole = is_named and _WHOLE.fullmatch(value) is not None
    if is_whole or (not value and is_secret_name(named) and where.startswith(("env/", "headers/"))):
        yield Placeholder(where, value, named or "value", is_secret=True, start=start)
        return
    count = 0
    for found in _WRITTEN.finditer(text, start):
        variable = found["variable"] or ""
        if variable in _KNOWN_VARIABLES:
            continue
        count += 1
        words = variable or found["input"] or found["angle"] or found["braces"] or found["square"] or ""
        name = ("" if words and count > 1 else named) or words or ("path" if found["path"] else found[0])
        said = f"{words or found[0]} {named}"
        is_plain = bool(found["path"]) or where == "cwd" or _PLAIN_WORDS.search(said) is not None
        is_secret = is_secret_name(named) or is_secret_name(words) or bool(scheme) or not is_plain
        key = where if count == 1 else f"{where}#{count}"
        yield Placeholder(key, found[0], name, is_secret and not found["path"], found.start(), variable)
