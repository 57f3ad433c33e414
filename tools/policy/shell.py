"""Tell the risk of a command line from what it would run, read by a parser of the shell's own language.

What cannot be read, or might be read in another way by another shell, is unknown. So is what is known only when the
command runs, wherever it matters. Several commands are as bad as the worst of them.
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from tools.policy.findings import Finding, worst
from tools.policy.shell_languages import language_of
from tools.policy.shell_options import BUILD, DESTROY, ESCALATE, READ, UNKNOWN, WRITE
from tools.policy.shell_places import judge_place
from tools.policy.shell_programs import PROGRAMS, judge_program
from tools.policy.shell_syntax import commands_defined, every, is_too_deep, unreadable
from tools.policy.shell_variables import is_harmless
from tools.policy.shell_words import ANYTHING, Known, Word, word_of
from tools.policy.shell_wrappers import seen_through

if TYPE_CHECKING:
    from tree_sitter import Node, Parser

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
    reader = _Reader()
    return tuple(_findings(reader, line, arguments=arguments, shell=shell, env=env, posix=posix))


def _findings(
    reader: _Reader,
    line: str,
    *,
    arguments: Sequence[str],
    shell: bool,
    env: Mapping[str, str] | None,
    posix: bool,
) -> list[Finding]:
    findings: list[Finding] = [
        Finding(UNKNOWN, f"It sets {name}, which may change what programs do.")
        for name, value in (env or {}).items()
        if not is_harmless(name, value)
    ]
    if not posix:
        findings.append(Finding(UNKNOWN, f"It is written for a shell that is not read here: {_shortened(line)}"))
    elif shell:
        findings += reader.line(line, bash=False)
    else:
        try:
            words = [*shlex.split(line), *arguments]
        except ValueError as error:
            findings.append(Finding(UNKNOWN, f"It cannot be split into words ({error}): {_shortened(line)}"))
        else:
            findings += reader.command([Word(word) for word in words])
    return list(dict.fromkeys([*findings, *reader.left(findings)]))


class Touched(NamedTuple):
    """The files that a command line may write, move, replace or delete.

    Attributes:
        paths: Absolute paths, links not followed; each stands for itself and for all that lies below it.
        is_complete: Whether the line can touch nothing else. False for every program whose work is not known from its
            words, such as a build, an unpacked archive or an unknown program; what such a line names is in `paths`.
    """

    paths: tuple[Path, ...]
    is_complete: bool


def touched_paths(
    line: str,
    cwd: Path,
    *,
    arguments: Sequence[str] = (),
    shell: bool = True,
    env: Mapping[str, str] | None = None,
    posix: bool = os.name != "nt",
) -> Touched:
    """Return what a command line may write, move, replace or delete; what it only reads is left out.

    A line that changes folders may touch a relative path below each of them.

    Args:
        line: The line.
        cwd: The folder that the line starts in.
        arguments: As in `read_line`.
        shell: As in `read_line`.
        env: As in `read_line`.
        posix: As in `read_line`.
    """
    reader = _Reader()
    findings = _findings(reader, line, arguments=arguments, shell=shell, env=env, posix=posix)
    risks = {finding.risk for finding in findings}
    return reader.touched.result(cwd, is_complete=risks <= {READ, WRITE, DESTROY, ESCALATE})


def judge_words(words: Sequence[str]) -> Finding:
    """Return what a program with its arguments comes to, and why; no shell reads them."""
    return worst(_Reader().command([Word(word) for word in words]), _NOTHING_RUNS)


def _shortened(text: str) -> str:
    plain = " ".join(text.split())
    return plain if len(plain) <= _SHOWN else plain[: _SHOWN - 1] + "…"


@cache
def _parser() -> Parser:
    # Loaded with the first command line; most programs never read one.
    import tree_sitter_bash  # noqa: PLC0415 -- see above
    from tree_sitter import Language, Parser  # noqa: PLC0415 -- see above

    return Parser(Language(tree_sitter_bash.language()))


class _Touching:
    """Collect the words that may be files which a line writes."""

    def __init__(self) -> None:
        self.paths: list[Word] = []
        self.folders: list[Word] = []
        self.is_complete: bool = True

    def result(self, cwd: Path, *, is_complete: bool) -> Touched:
        """Return the paths of the words, below the first folder and each that the line goes to."""
        known = self.is_complete and is_complete
        folders = {str(cwd)}
        for word in self.folders:
            known = known and word.known is Known.WHOLE and word.text != "-" and len(folders) < _MOST_FOLDERS
            folders |= {os.path.join(folder, os.path.expanduser(word.text)) for folder in list(folders)[:_MOST_FOLDERS]}  # noqa: PTH111, PTH118 -- text of a shell, not a path yet
        found: set[Path] = set()
        for word in self.paths:
            known = known and word.known is not Known.NOTHING
            # What a wildcard finds lies below the folder that is written out before it.
            texts = (
                {word.text, word.text.partition("=")[2]}
                if word.known is Known.WHOLE
                else {word.text.rpartition("/")[0] or "."}
            )
            if word.text.startswith("-") and not word.text.startswith("--"):
                texts.add(word.text[2:])
            found |= {
                Path(os.path.normpath(os.path.join(folder, os.path.expanduser(text))))  # noqa: PTH111, PTH118 -- as above
                for text in texts
                if text and not text.startswith("-") and "\0" not in text
                for folder in folders
            }
        return Touched(tuple(sorted(found)), known)


class _Reader:
    """Read commands, and what they run in turn."""

    def __init__(self, outer: _Reader | None = None, functions: frozenset[str] = frozenset()) -> None:
        self.depth: int = 0 if outer is None else outer.depth + 1
        self.functions: frozenset[str] = functions if outer is None else functions | outer.functions
        self.departures: list[str] = [] if outer is None else outer.departures
        self.touched: _Touching = _Touching() if outer is None else outer.touched

    def left(self, findings: Sequence[Finding]) -> Iterator[Finding]:
        """Say when something is changed after going to another folder: no path of it lies where it seems to."""
        if any(finding.risk is not READ for finding in findings):
            for shown in self.departures:
                yield Finding(UNKNOWN, f"It goes to another folder, and does something there: {shown}")

    def line(self, text: str, *, bash: bool) -> Iterator[Finding]:
        """Read a line or a script of shell."""
        if self.depth >= _DEEPEST or len(text) > LONGEST:
            yield Finding(UNKNOWN, f"It is too long or too deep to be read: {_shortened(text)}")
            return
        root = _parser().parse(text.encode(errors="surrogateescape")).root_node
        shown = _shortened(text)
        if is_too_deep(root):
            yield Finding(UNKNOWN, f"It is too long or too deep to be read: {shown}")
            return
        yield from (Finding(UNKNOWN, f"{why}: {shown}") for why in unreadable(root, text, bash=bash))
        inner = _Reader(self, commands_defined(root))
        for node in every(root):
            yield from inner._node(node)

    def _node(self, node: Node) -> Iterator[Finding]:
        match node.type:
            case "command":
                words = [word_of(child) for child in node.children if child.type not in _NO_WORDS]
                yield from self.command(words)
            case "file_redirect":
                self.touched.paths += [word_of(node.children[-1])] if _writes(node) else []
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
        first, rest = words[0], list(words[1:])
        shown = _shortened(" ".join(word.text + ("…" if word.known else "") for word in words))
        if self.depth > _DEEPEST:
            yield Finding(UNKNOWN, f"It is too deep to be read: {shown}")
        elif first.known is not Known.WHOLE:
            yield Finding(UNKNOWN, f"What it runs is known only when it runs: {shown}")
        else:
            yield from self._named(first.text, rest, shown)

    def _named(self, path: str, rest: Sequence[Word], shown: str) -> Iterator[Finding]:
        name = _WRAPPER_SCRIPTS.get(path, path.rpartition("/")[2])
        if name in self.functions and name not in PROGRAMS:
            return
        if name in _GOING and _leaves(rest):
            self.departures.append(shown)
        found = seen_through(name, rest, shown, _Reader(self))
        if found is None:
            found = language_of(name, rest, shown)
        findings = [judge_program(name, rest, shown)] if found is None else list(found)
        yield from findings
        if name in _GOING:
            self.touched.folders += rest or [ANYTHING]
        elif any(finding.risk is not READ for finding in findings):
            self.touched.paths += rest
            self.touched.is_complete &= name in _TOUCHES_WORDS
        known = "/" not in path or _SYSTEM_FOLDERS.match(path) or path in _WRAPPER_SCRIPTS
        builds = _PROJECT_FOLDERS.match(path) and all(finding.risk is BUILD for finding in findings)
        if not known and not builds:
            yield Finding(UNKNOWN, f"It runs {path}, which may be any program: {shown}")


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
_TOUCHES_WORDS: Final = frozenset(
    [
        "touch",
        "mkdir",
        "tee",
        "cp",
        "mv",
        "ln",
        "rm",
        "rmdir",
        "unlink",
        "chmod",
        "truncate",
        "shred",
        "sed",
        "sort",
        "gzip",
    ]
)
"""Programs that write only what their words name."""

_MOST_FOLDERS: Final = 16
_GOING: Final = frozenset(["cd", "pushd", "popd"])
_WRITING: Final = frozenset([">", ">>", ">|", "&>", "&>>", "<>", ">&"])


def _of(node: Node) -> str:
    return _shortened((node.text or b"").decode(errors="replace"))


def _writes(node: Node) -> bool:
    return any(child.type in _WRITING for child in node.children)


def _redirected(node: Node) -> Iterator[Finding]:
    operator = next((child.type for child in node.children if child.type in _WRITING), None)
    if operator is None:
        return
    target = word_of(node.children[-1])
    if operator == ">&" and target.known is Known.WHOLE and re.fullmatch(r"\d+|-", target.text):
        return
    yield judge_place(target, _of(node))


def _assigned(node: Node) -> Iterator[Finding]:
    names = [child for child in node.children if child.type in {"variable_name", "subscript"}]
    for child in names[:1]:
        name = _of(child)
        value = word_of(node.children[-1]) if node.type == "variable_assignment" else ANYTHING
        if not is_harmless(name, value.text if value.known is Known.WHOLE else None):
            yield Finding(UNKNOWN, f"It sets {name}, which may change what programs do: {_of(node)}")


def _declared(node: Node) -> Iterator[Finding]:
    for child in node.named_children:
        if child.type == "variable_assignment" or (child.type == "variable_name" and node.type != "unset_command"):
            continue
        word = Word(_of(child)) if child.type == "variable_name" else word_of(child)
        if word.known is not Known.WHOLE or not re.fullmatch(r"-[xrpgfFv]+|[a-z][a-z0-9_]*", word.text):
            yield Finding(UNKNOWN, f"It declares something that is not read here: {_of(node)}")


def _leaves(words: Sequence[Word]) -> bool:
    """Return whether a command goes to a folder that does not lie in the present one."""
    operands = [word for word in words if not (word.known is Known.WHOLE and re.fullmatch(r"-[LPe@]+|--", word.text))]
    return len(operands) != 1 or operands[0].text == "-" or judge_place(operands[0], "").risk is not WRITE
