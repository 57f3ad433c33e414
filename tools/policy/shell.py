"""Tell the risk of a command line from what it would run, read by a parser of the shell's own language.

What cannot be read, or might be read in another way by another shell, is unknown. So is what is known only when the
command runs, wherever it matters, and every program and option that is not listed as harmless in `shell_programs`.
Several commands are as bad as the worst of them.
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from tools.policy.findings import Finding, worst
from tools.policy.shell_commands import BUILD, KNOWN_NAMES, READ, UNKNOWN, WRITE, judge_command, unclear
from tools.policy.shell_places import judge_place
from tools.policy.shell_syntax import bash_parser, commands_defined, every, is_too_deep, unreadable
from tools.policy.shell_variables import is_harmless
from tools.policy.shell_words import ANYTHING, Known, Word, word_of
from tools.policy.shell_wrappers import seen_through

if TYPE_CHECKING:
    from tree_sitter import Node

LONGEST: Final = 10_000
"""The longest line that is read, in letters; the worst of that length takes a quarter of a second."""
_DEEPEST: Final = 6
_SHOWN: Final = 120
_SYSTEM_FOLDERS: Final = re.compile(r"(/usr|/usr/local|/opt/homebrew)?/s?bin/")
_PROJECT_FOLDERS: Final = re.compile(r"(\./)?(\.?venv/bin|node_modules/\.bin)/")
_WRAPPER_SCRIPTS: Final = {"./gradlew": "gradle", "./mvnw": "mvn"}
_NOTHING_RUNS: Final = Finding(READ, "It runs nothing.")


def judge_line(
    line: str,
    *,
    arguments: Sequence[str] = (),
    shell: bool = True,
    env: Mapping[str, str] | None = None,
    posix: bool = os.name != "nt",
) -> Finding:
    """Return what a command line comes to, and why; see `read_line`."""
    return worst(read_line(line, arguments=arguments, shell=shell, env=env, posix=posix), _NOTHING_RUNS)


def read_line(
    line: str,
    *,
    arguments: Sequence[str] = (),
    shell: bool = True,
    env: Mapping[str, str] | None = None,
    posix: bool = os.name != "nt",
) -> tuple[Finding, ...]:
    """Return everything that a command line would do, as far as it is known beforehand, in its order.

    Args:
        line: The line.
        arguments: Further words; the positional parameters of a shell's line.
        shell: Whether a shell reads the line; if not, it is only split into words.
        env: Environment variables that are set for it.
        posix: Whether that shell is a POSIX one.
    """
    findings = _Reader().all_of(line, arguments, env or {}, shell=shell, posix=posix)
    return tuple(dict.fromkeys(findings))


def judge_words(words: Sequence[str]) -> Finding:
    """Return what a program with its arguments comes to, and why; no shell reads them."""
    return worst(_Reader().command([Word(word) for word in words]), _NOTHING_RUNS)


class Command(NamedTuple):
    """One command of a line.

    Attributes:
        name: The program, without a folder.
        words: What follows it.
        folder: Where it runs, seen from where the line starts; None when that is known only when it runs.
    """

    name: str
    words: tuple[Word, ...]
    folder: str | None


def commands_of(line: str, *, arguments: Sequence[str] = (), shell: bool = True) -> tuple[Command, ...]:
    """Return the commands of a line that are known beforehand, in its order.

    Args:
        line: The line.
        arguments: As in `read_line`.
        shell: As in `read_line`.
    """
    reader = _Reader()
    for _ in reader.all_of(line, arguments, {}, shell=shell, posix=True):
        pass
    return tuple(reader.commands)


def _shortened(text: str) -> str:
    plain = " ".join(text.split())
    return plain if len(plain) <= _SHOWN else plain[: _SHOWN - 1] + "…"


class _Reader:
    """Read commands, and what they run in turn.

    Args:
        outer: Reads what runs this; None for the line itself.
        functions: Names of functions that the script defines.

    Attributes:
        depth: How many others this one is inside of.
        functions: Names that are functions here.
        departures: Commands that go to a folder outside the present one.
        obeying: Commands that do what the settings of the present folder say.
        folders: The folders that the line goes to, in its order.
        commands: The commands of the line.
    """

    def __init__(self, outer: _Reader | None = None, functions: frozenset[str] = frozenset()) -> None:
        self.depth: int = 0 if outer is None else outer.depth + 1
        self.functions: frozenset[str] = functions if outer is None else functions | outer.functions
        self.departures: list[str] = [] if outer is None else outer.departures
        self.obeying: list[str] = [] if outer is None else outer.obeying
        self.folders: list[Word] = [] if outer is None else outer.folders
        self.commands: list[Command] = [] if outer is None else outer.commands
        self.is_plain: bool = True

    def all_of(
        self, line: str, arguments: Sequence[str], env: Mapping[str, str], *, shell: bool, posix: bool
    ) -> Iterator[Finding]:
        """Read a line with its arguments and variables; see `read_line`."""
        for name, value in env.items():
            if not is_harmless(name, value):
                yield unclear(name, "It sets a variable that may change what programs do")
        findings: list[Finding] = []
        if not posix:
            findings = [unclear(_shortened(line), "It is written for a shell that is not read here")]
        elif shell:
            findings = list(self.line(line, bash=False))
        else:
            try:
                words = [*shlex.split(line), *arguments]
            except ValueError as error:
                findings = [unclear(_shortened(line), f"It cannot be split into words ({error})")]
            else:
                findings = list(self.command([Word(word) for word in words]))
        yield from findings
        yield from self._left(findings)

    def _left(self, findings: Sequence[Finding]) -> Iterator[Finding]:
        """Say when something is changed after going to another folder: no path of it lies where it seems to."""
        if any(finding.risk is not READ for finding in findings):
            for shown in self.departures:
                yield Finding(UNKNOWN, f"It goes to another folder, and does something there: {shown}")
        if self.folders:
            for shown in self.obeying:
                yield Finding(UNKNOWN, f"It runs git in another folder, whose settings may name programs: {shown}")

    def line(self, text: str, *, bash: bool) -> Iterator[Finding]:
        """Read a line or a script of shell."""
        shown = _shortened(text)
        too_much = "It is too long or too deep to be read"
        if self.depth >= _DEEPEST or len(text) > LONGEST:
            yield unclear(shown, too_much)
            return
        root = bash_parser().parse(text.encode(errors="surrogateescape")).root_node
        if is_too_deep(root):
            yield unclear(shown, too_much)
            return
        yield from (unclear(shown, why) for why in unreadable(root, text, bash=bash))
        inner = _Reader(self, commands_defined(root))
        for node in every(root):
            yield from inner._node(node)

    def _node(self, node: Node) -> Iterator[Finding]:
        match node.type:
            case "command":
                self.is_plain = _runs_anyway(node)
                yield from self.command([word_of(child) for child in node.children if child.type not in _NO_WORDS])
            case "file_redirect":
                yield from _redirected(node)
            case "variable_assignment" | "for_statement":
                yield from _assigned(node)
            case "expansion":
                if any(child.type in {":=", "="} for child in node.children):
                    yield from _assigned(node)
            case "declaration_command" | "unset_command":
                yield from _declared(node)

    def command(self, words: Sequence[Word]) -> Iterator[Finding]:
        """Read one command."""
        if not words:
            return
        shown = _shortened(" ".join(word.text + ("…" if word.known else "") for word in words))
        if self.depth > _DEEPEST:
            yield unclear(shown, "It is too deep to be read")
        elif words[0].known is not Known.WHOLE:
            yield unclear(shown)
        else:
            yield from self._named(words[0].text, list(words[1:]), shown)

    def _named(self, path: str, rest: Sequence[Word], shown: str) -> Iterator[Finding]:
        name = _WRAPPER_SCRIPTS.get(path, path.rpartition("/")[2])
        if name in self.functions and name not in KNOWN_NAMES:
            # What the function does is read where it is defined.
            return
        self.commands.append(Command(name, tuple(rest), self._folder()))
        if name == "git":
            self.obeying.append(shown)
        if name in _GOING:
            going = [word for word in rest if not _OPTION_OF_GOING.fullmatch(word.text)] or [ANYTHING]
            self.folders += going if self.is_plain and name == "cd" else [*going, ANYTHING]
            if _leaves(rest):
                self.departures.append(shown)
        found = seen_through(name, rest, shown, _Reader(self))
        findings = list(judge_command(name, rest, shown) if found is None else found)
        yield from findings
        known = "/" not in path or _SYSTEM_FOLDERS.match(path) or path in _WRAPPER_SCRIPTS
        builds = _PROJECT_FOLDERS.match(path) and all(finding.risk is BUILD for finding in findings)
        if not known and not builds:
            yield unclear(shown, f"It runs {path}, which may be any program")

    def _folder(self) -> str | None:
        """Return where the next command runs, seen from where the line starts."""
        known = all(word.known is Known.WHOLE and word.text != "-" for word in self.folders)
        return os.path.join("", *(word.text for word in self.folders)) if known else None  # noqa: PTH118 -- as above


_NO_WORDS: Final = frozenset(
    [
        "variable_assignment",
        "variable_assignments",
        "file_redirect",
        "herestring_redirect",
        "heredoc_redirect",
        "comment",
    ]
)
_GOING: Final = frozenset(["cd", "pushd", "popd"])
_OPTION_OF_GOING: Final = re.compile(r"-[LPe@]+|--")
_WRITING: Final = frozenset([">", ">>", ">|", "&>", "&>>", "<>", ">&"])
_EXPORTING: Final = frozenset(["command", "declaration_command", "variable_assignments"])


def _of(node: Node) -> str:
    return _shortened((node.text or b"").decode(errors="replace"))


def _runs_anyway(node: Node) -> bool:
    """Return whether the shell that reads a line runs a command itself, in the order of the line."""
    above = node.parent
    while above is not None and above.type in {"list", "program", "redirected_statement"}:
        if any(child.type in {"||", "&"} for child in above.children):
            return False
        above = above.parent
    return above is None


def _redirected(node: Node) -> Iterator[Finding]:
    kinds = [child.type for child in node.children]
    operator = next((kind for kind in kinds if kind in _WRITING), None)
    if operator is None:
        return
    # The grammar takes words of the command for more targets; which one is it does not matter when all are judged.
    for target in map(word_of, node.children[kinds.index(operator) + 1 :]):
        if operator != ">&" or target.known is not Known.WHOLE or not re.fullmatch(r"\d+|-", target.text):
            yield judge_place(target, _of(node))


def _assigned(node: Node) -> Iterator[Finding]:
    names = [child for child in node.children if child.type in {"variable_name", "subscript"}]
    for child in names[:1]:
        name = _of(child)
        value = word_of(node.children[-1]) if node.type == "variable_assignment" else ANYTHING
        exported = node.parent is not None and node.parent.type in _EXPORTING
        if not is_harmless(name, value.text if value.known is Known.WHOLE else None, exported=exported):
            yield unclear(_of(node), f"It sets {name}, which may change what programs do")


def _declared(node: Node) -> Iterator[Finding]:
    for child in node.named_children:
        if child.type == "variable_assignment" or (child.type == "variable_name" and node.type != "unset_command"):
            continue
        word = Word(_of(child)) if child.type == "variable_name" else word_of(child)
        if word.known is not Known.WHOLE or not re.fullmatch(r"-[xrpgfFv]+|[a-z][a-z0-9_]*", word.text):
            yield unclear(_of(node), "It declares something that is not read here")


def _leaves(words: Sequence[Word]) -> bool:
    """Return whether a command goes to a folder that does not lie in the present one."""
    operands = [word for word in words if not (word.known is Known.WHOLE and _OPTION_OF_GOING.fullmatch(word.text))]
    return len(operands) != 1 or operands[0].text == "-" or judge_place(operands[0], "").risk is not WRITE
