"""Whether a call would change a place that decides what may run, which nothing but a person's word settles."""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from tools.card import SourceKind
from tools.declare.process import ProgramRun
from tools.paths import at_home, is_remote, paths_in, spellings
from tools.policy.suggested_rules import path_arguments
from tools.protected import PROTECTED, ProtectedPlaces, Reached
from tools.spec import Concern, RiskClass
from tools.tool import Tool

if TYPE_CHECKING:
    from pydantic import JsonValue

    from tools.policy.verdicts import Facts

LOCAL: Final = frozenset({SourceKind.BUILT_IN, SourceKind.PLUGIN, SourceKind.PROGRAM})
"""Whose word about a tool is believed: code that the person put on this computer."""

_LONGEST: Final = 4096
"""The longest text that may be a path, in letters."""
_LONGEST_LINE: Final = 20_000
"""The longest text that is searched for paths, in letters."""
_MANY_TEXTS: Final = 200
_MANY_LETTERS: Final = 1_000
_MOST_FOUND: Final = 1_000
_MOST_FOLDERS: Final = 20

_SIGN_OF_PATH: Final = re.compile(r"[/\\~%$:]")
HOLDS_COMMANDS: Final = re.compile(
    r"(?i)(^|[^a-z])(cmd|commands?|script|shell|bash|sh|exec|run|terminal|argv?s?|code)(?![a-z])"
)
"""What tools and arguments are called that may hold a command without saying so."""

_PATH_LIKE: Final = re.compile(
    r"(?i)path|file|folder|dir|root|source|target|dest|from|to$|uri|location|workspace|repo|cwd|name$|output|into"
)
_ONLY_SIGNS: Final = re.compile(r"[\W_]*")
_PIECE: Final = re.compile(r"[^\s\"'`=:,;|&<>(){}\[\]]+")

_HARMLESS: Final = frozenset({RiskClass.READ_ONLY})
_OVERWRITES_BELOW: Final = frozenset({RiskClass.DESTRUCTIVE, RiskClass.UNKNOWN, RiskClass.ESCALATION})
_UNPACKS: Final = frozenset(["tar", "bsdtar", "unzip", "7z", "7za", "7zr", "cpio", "pax", "patch", "unrar", "rsync"])
_COPIES: Final = frozenset(["cp", "install", "ditto", "rsync", "scp"])
_GOES: Final = frozenset({"cd", "pushd", "popd", "chdir"})


def protected_concerns(facts: Facts, arguments: Mapping[str, Any], places: ProtectedPlaces) -> list[Concern]:
    """Return a reason to ask for each protected place that a call may change.

    Args:
        facts: The call of a tool that `may_change` something, with the reasons that the tool itself gives.
        arguments: The converted arguments by Python name, marked paths made absolute.
    """
    first_by_place: dict[str, _Target] = {}
    for target in _targets(facts, arguments, _Look(places, facts.project_dir)):
        first_by_place.setdefault(target.reached.place.called, target)
    return list(map(_concern, first_by_place.values()))


def has_many_texts(arguments: Mapping[str, Any]) -> bool:
    """Return whether to look through all texts of a call takes more than a few milliseconds."""
    letters = accumulate(len(text) for _, text in texts_in(arguments))
    # A text costs a look at the disk, and each part of a long one that may be a path another.
    return any(count >= _MANY_TEXTS or total > _MANY_LETTERS for count, total in enumerate(letters, 1))


def may_change(tool: Tool) -> bool:
    """Return whether any call of a tool may change a file: it is not known to only read, and takes a text at all."""
    spec = tool.spec
    believed = tool.source.kind in LOCAL or tool.source.is_trusted
    writes = any(role.writes for _, role in tool.path_roles)
    if believed and spec.read_only_hint and not spec.destructive_hint and not writes and not tool.shell_commands:
        return False
    if tool.source.kind is SourceKind.BUILT_IN and not (tool.path_roles or tool.shell_commands):
        return False
    return bool(tool.path_roles or tool.shell_commands) or takes_text(tool)


def takes_text(tool: Tool) -> bool:
    """Return whether a call of a tool may hold any text."""
    properties = tool.input_schema.get("properties")
    if not isinstance(properties, dict) or tool.input_schema.get("additionalProperties", False) is not False:
        return True
    plain = {"number", "integer", "boolean", "null"}
    return any(not isinstance(node, dict) or node.get("type") not in plain for node in properties.values())


class _Target(NamedTuple):
    """What a call may change.

    Attributes:
        known: Whether it is sure that the call names it; otherwise it is known only when it runs.
    """

    shown: str
    reached: Reached
    known: bool = True


def _concern(target: _Target) -> Concern:
    place, shown = target.reached.place, _shortened(target.shown)
    grants = f"{PROTECTED}:{place.path}"
    if not target.known:
        detail = f"{shown}: what it changes is known only when it runs; it may be {place.words}"
        return Concern(PROTECTED, "May change what decides", detail, grants)
    holds = "is" if target.reached.is_inside else "holds"
    return Concern(PROTECTED, f"Changes {place.called}", f"{shown} {holds} {place.words}", grants)


def _shortened(text: str) -> str:
    return text if len(text) <= 200 else f"{text[:199]}…"  # noqa: PLR2004 -- a line of a dialog or two


class _Look:
    """Say what a text reaches, in whatever way it spells a path.

    Args:
        folder: The folder that relative paths mean.
    """

    def __init__(self, places: ProtectedPlaces, folder: Path) -> None:
        self.places = places
        self.folder = folder

    def in_folder(self, folder: Path) -> _Look:
        return self if folder == self.folder else _Look(self.places, folder)

    def whole(self, text: str) -> Reached | None:
        """Return what a text reaches that may be a path as a whole."""
        if not text or len(text) > _LONGEST or "\0" in text or "\n" in text or is_remote(text):
            return None
        # Most texts are no path: a plain word that names nothing here needs no further look.
        is_path = _SIGN_OF_PATH.search(text) is not None or self.places.is_name(text.strip())
        if not is_path and not os.path.lexists(f"{self.folder}{os.sep}{text}"):
            return None
        found = (self.places.reached(path) for path in spellings(text, self.folder))
        return next((reached for reached in found if reached is not None), None)

    def pieces(self, text: str, folders: Sequence[Path]) -> Iterator[_Target]:
        """Yield what the pieces of a text reach that is no single path: a line, a script, an option with its value."""
        looks = [self.in_folder(folder) for folder in folders]
        for piece in dict.fromkeys(_PIECE.findall(text[:_LONGEST_LINE])):
            for candidate in dict.fromkeys((piece, re.sub(r"^-\w", "", piece), piece.lstrip("@"))):
                for look in looks:
                    reached = look.whole(candidate)
                    if reached is not None and reached.is_inside:
                        yield _Target(piece, reached)


def _targets(facts: Facts, arguments: Mapping[str, Any], look: _Look) -> Iterator[_Target]:
    tool, values = facts.tool, facts.arguments
    yield from _by_roles(facts, arguments, look)
    yield from _by_lines(tool, values, look)
    if tool.source.kind is SourceKind.BUILT_IN:
        # Their authors marked every path, and what else they are given is contents.
        return
    told = {*path_arguments(tool), *_of_lines(tool)}
    commanding = isinstance(tool.function, ProgramRun) or HOLDS_COMMANDS.search(tool.name) is not None
    texts = _texts_of_call(tool, {name: value for name, value in values.items() if name not in told})
    for name, text in dict.fromkeys(texts):
        reached = look.whole(text)
        if reached is not None and (reached.is_inside or _may_mean_folder(tool, name, text)):
            yield _Target(text, reached)
        elif commanding or HOLDS_COMMANDS.search(name):
            yield from look.pieces(text, (look.folder, Path.home()))


def _by_roles(facts: Facts, arguments: Mapping[str, Any], look: _Look) -> Iterator[_Target]:
    for name, role in facts.tool.path_roles:
        for path in paths_in(arguments.get(name)) if role.writes else ():
            reached = look.places.reached(look.folder / path)
            if reached is not None:
                yield _Target(str(path), reached)


def _texts_of_call(tool: Tool, values: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield every text that the caller chose; the name of an argument is no such text where the schema has it."""
    declared = tool.input_schema.get("properties")
    for name, value in values.items():
        if not (isinstance(declared, dict) and name in declared):
            yield "", name
        yield from texts_in(value, name)


def texts_in(value: Any, name: str = "") -> Iterator[tuple[str, str]]:
    """Yield every text in a value, with the nearest name that it stands under."""
    if isinstance(value, str):
        yield name, value
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield name, str(key)
            yield from texts_in(item, str(key))
    elif isinstance(value, list | tuple):
        for item in value:
            yield from texts_in(item, name)


def _may_mean_folder(tool: Tool, name: str, text: str) -> bool:
    """Return whether a text that names a folder above a protected place is likely to be meant as one to change."""
    if tool.spec.read_only_hint and not tool.spec.destructive_hint:
        return False
    # A lone sign may be a separator, unless what it is given as says that it is a path.
    return _ONLY_SIGNS.fullmatch(text) is None or _PATH_LIKE.search(name) is not None


def _of_lines(tool: Tool) -> Iterator[str]:
    for name, mark in tool.shell_commands:
        yield from (name, mark.arguments, mark.env, mark.shell)


def _by_lines(tool: Tool, values: Mapping[str, JsonValue], look: _Look) -> Iterator[_Target]:
    for name, mark in tool.shell_commands:
        line = values.get(name)
        if not isinstance(line, str):
            continue
        words, env = values.get(mark.arguments), values.get(mark.env)
        texts = [str(word) for word in words] if isinstance(words, list) else []
        variables = {key: str(value) for key, value in env.items()} if isinstance(env, dict) else {}
        rest = {key: value for key, value in values.items() if key not in {*_of_lines(tool), *path_arguments(tool)}}
        # The folder that it runs in, and what it reads from its standard input.
        folders = [look.folder, *(Path(str(values.get(key))) for key in path_arguments(tool) if values.get(key))]
        command = _Command(line, texts, variables, not mark.shell or bool(values.get(mark.shell)))
        yield from command.targets(look, folders, [text for _, text in texts_in(rest)])


class _Command(NamedTuple):
    """A command line as a call gives it.

    Attributes:
        arguments: Further words.
        env: The variables that are set for it.
    """

    line: str
    arguments: Sequence[str]
    env: Mapping[str, str]
    shell: bool

    def targets(self, look: _Look, folders: Sequence[Path], texts: Sequence[str]) -> Iterator[_Target]:
        """Yield what it may change."""
        from tools.policy.shell import read_line  # noqa: PLC0415 -- few programs have such tools, it loads a grammar

        found = read_line(self.line, arguments=self.arguments, shell=self.shell, env=self.env)
        risk = found.worst.risk
        if risk in _HARMLESS:
            return
        bases = _bases(folders, found.words)
        known = [*found.words, self.line, *self.env.values(), *texts]
        for text in known:
            yield from look.pieces(text, bases)
        below = risk in _OVERWRITES_BELOW or _writes_below(found.words)
        looks = [look.in_folder(folder) for folder in bases]
        for text in found.words:
            for there in looks:
                reached = there.whole(text)
                if reached is not None and (reached.is_inside or below):
                    yield _Target(text, reached)
        yield from self._unpacked(look, found.words, folders)
        for pattern in found.patterns:
            yield from _matched(pattern, look, bases)
        if not found.is_complete and risk is not RiskClass.BUILD_TEST:
            place = look.places.beginning(str(look.folder))
            if place is not None:
                yield _Target(self.line, Reached(place, is_inside=False), known=False)

    def _unpacked(self, look: _Look, words: Sequence[str], folders: Sequence[Path]) -> Iterator[_Target]:
        """Yield what a program may write over that unpacks or patches whatever its input names, where it runs."""
        if any(word.rpartition("/")[2] in _UNPACKS for word in words):
            for folder in folders[-1:]:
                reached = look.places.reached(folder)
                if reached is not None:
                    yield _Target(self.line, reached, known=False)


def _writes_below(words: Sequence[str]) -> bool:
    names = {word.rpartition("/")[2] for word in words}
    deep = any(re.match(r"-\w*[rRa]|--(recursive|archive)", word) for word in words)
    return bool(names & _UNPACKS) or (deep and bool(names & _COPIES))


def _bases(folders: Sequence[Path], words: Sequence[str]) -> list[Path]:
    """Return every folder that words may be relative to: where the line runs, and wherever it may go."""
    bases = list(dict.fromkeys(folders))
    if any(word in _GOES for word in words):
        bases.append(Path.home())
    for word in words:
        pieces = dict.fromkeys((word, word.partition("=")[2], re.sub(r"^-\w", "", word)))
        for piece in pieces:
            if not piece or len(piece) > _LONGEST or len(bases) > _MOST_FOLDERS:
                continue
            for base in tuple(bases):
                folder = base / at_home(piece)
                if folder not in bases and _is_folder(folder):
                    bases.append(folder)
    return bases


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except (OSError, ValueError):
        return False


def _matched(pattern: str, look: _Look, bases: Sequence[Path]) -> Iterator[_Target]:
    """Yield what a pattern of names reaches, as far as it fits something now."""
    for base in bases:
        whole = str(base / at_home(pattern))
        for path in islice(glob.iglob(whole), _MOST_FOUND):  # noqa: PTH207 -- as the shell does: no hidden names
            reached = look.places.reached(path)
            if reached is not None:
                yield _Target(pattern, reached)
