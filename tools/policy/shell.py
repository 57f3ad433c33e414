"""Tell what a command line would do, read by a parser of the shell's own language.

Unknown is what another shell may read differently, what is known only when the command runs, wherever that matters, and
every program and option that `shell_programs` does not list. Several commands are as bad as the worst of them.

The risk of a call, its dry run and the protection of the program's own files all use this one reading.
"""

from __future__ import annotations

import os
import posixpath
import re
import shlex
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from tools.policy import shell_programs as programs
from tools.policy.findings import RiskFinding, worst
from tools.policy.shell_options import Fitted, fit, sets_harmlessly
from tools.policy.shell_syntax import ANYTHING, Word, every, is_readable, parsed, text_of, word_of
from tools.spec import RiskClass

if TYPE_CHECKING:
    from tree_sitter import Node

_READ, _BUILD, _WRITE, _NETWORK, _UNKNOWN, _DESTROY, _ESCALATE = RiskClass
_DOES: Final = {
    _READ: "only reads",
    _BUILD: "builds or tests",
    _WRITE: "changes something",
    _NETWORK: "reaches beyond this computer",
    _DESTROY: "deletes or overwrites",
}
_SYSTEM: Final = r"/(etc|usr|bin|sbin|lib\w*|boot|dev|proc|sys|opt|root|var|System|Library|Applications)(/.*)?"
_PLACES: Final = (
    (r"/dev/(null|zero|full|stdin|stdout|stderr|tty|fd/\d+)", _READ, "writes what is kept nowhere"),
    (r"/etc/(sudoers(\.d/.*)?|passwd|g?shadow|group|pam\.d/.*|doas.conf)", _ESCALATE, "changes who may do what, in {}"),
    (r"/(tmp|var/tmp|dev/shm|private/tmp)/.+", _WRITE, "writes to {}"),
    (r"/dev/(tcp|udp)/.*", _UNKNOWN, "sends something to another computer"),
    (_SYSTEM, _DESTROY, "writes to {}, which belongs to the system"),
    (r"(/|~|\.\.).*", _UNKNOWN, "writes to {}, outside the folder it runs in"),
    (r"(.*/)?\.git(/.*)?", _UNKNOWN, "writes to {}, where git looks for what it runs"),
    (r".*", _WRITE, "writes to {}"),
)
_LONGEST: Final = 10_000
_DEEPEST: Final = 6
_SHOWN: Final = 120
_WORDS: Final = {"word", "string", "raw_string", "concatenation", "number", "ansi_c_string", "extglob_pattern"}
_NO_WORDS: Final = re.compile(r"variable_assignments?|comment|\w*_redirect")
_WRITING: Final = frozenset([">", ">>", ">|", "&>", "&>>", "<>", ">&"])
_SPEAKING: Final = frozenset(["echo", "printf", "test", "[", "true", "false", ":"])
_VARIABLE: Final = re.compile(r"\"?\$(?:\{(\w+)\}|(\w+))\"?")
_FIXED: Final = frozenset(["HOME", "PWD", "USER", "LOGNAME"])
_SYSTEM_FOLDERS: Final = re.compile(r"(/usr|/usr/local|/opt/homebrew)?/s?bin/")
_PROJECT_FOLDERS: Final = re.compile(r"(\./)?(\.?venv/bin|node_modules/\.bin)/")
_BEFORE_COMMANDS: Final = frozenset(["--no-pager", "-P", "--no-optional-locks"])
_GOES_FIRST: Final = re.compile(r"cd ((?!-)[\w./-]+) && (?:[^;&|\n]|&&|>&|\|(?!\|))*")
"""A line of which everything runs in a folder, or nothing at all does."""
_SETS_ID: Final = re.compile(r"0*[2-7]\d{3}|(?=.*[+=])(?=.*s)[ugoa+=rwxXst,0-9][ugoa+=rwxXst,0-9-]*")


class Command(NamedTuple):
    """One command of a line: its program, without a folder, what follows, and where it runs; None when not known."""

    name: str
    words: tuple[Word, ...]
    folder: str | None


class CommandLine(NamedTuple):
    """What a command line would do, as far as that is known beforehand.

    Attributes:
        findings: Everything that it would do, in its order.
        words: Its words as the programs get them.
        patterns: Words with wildcards, which become the names that fit.
        is_complete: Whether it names all that it may change.
    """

    findings: tuple[RiskFinding, ...]
    commands: tuple[Command, ...]
    words: tuple[str, ...]
    patterns: tuple[str, ...]
    is_complete: bool

    @property
    def worst(self) -> RiskFinding:
        return worst(self.findings, RiskFinding(_READ, "It runs nothing."))


def read_line(
    line: str,
    *,
    arguments: Sequence[str] = (),
    shell: bool = True,
    env: Mapping[str, str] | None = None,
    posix: bool = os.name != "nt",
) -> CommandLine:
    """Return what a command line would do.

    Args:
        arguments: Further words; the positional parameters of a shell's line.
        shell: Whether a shell reads the line; if not, it is only split into words.
        env: Environment variables that are set for it.
    """
    reader = _Reader()
    for name, value in (env or {}).items():
        if not sets_harmlessly(name, value):
            reader.say(_UNKNOWN, "It sets a variable that may change what programs do", name)
    if not posix:
        reader.say(_UNKNOWN, "It is written for a shell that is not read here", line)
    if shell:
        reader.line(line)
        reader.words += arguments
    else:
        reader.split(line, arguments)
    return reader.end()


def judge_words(words: Sequence[str]) -> RiskFinding:
    """Return what a program with its arguments comes to, and why; no shell reads them."""
    return read_line("", arguments=words, shell=False, posix=True).worst


def named_by(name: str, words: Sequence[Word]) -> Fitted | None:
    """Return what a program is told by its words; None when not all of them are known."""
    return next(filter(None, (fit(form, words) for form in programs.FORMS.get(name, ()))), None)


class _Reader:
    """Read commands, and what they run in turn."""

    def __init__(self) -> None:
        self.words: list[str] = []
        self._findings: list[RiskFinding] = []
        self._commands: list[Command] = []
        self._patterns: list[str] = []
        self._is_complete = True
        self._first_folder: str | None = None
        self._folders: list[Word] = []

    def say(self, risk: RiskClass, why: str, shown: str) -> None:
        """Take down one thing that the line does."""
        self._findings.append(RiskFinding(risk, f"{why}: {_shortened(shown)}"))

    def end(self) -> CommandLine:
        # No path of a line lies where it seems to after going outside, and git's settings there may name programs.
        acts = any(finding.risk is not _READ for finding in self._findings)
        away = any(word.text == "-" or _place(word, "").risk is not _WRITE for word in self._folders)
        if (away and acts) or (self._folders and any(command.name == "git" for command in self._commands)):
            where = " ".join(word.text for word in self._folders)
            self.say(_UNKNOWN, "It goes to another folder, and does something there", where)
        findings = tuple(dict.fromkeys(self._findings))
        return CommandLine(findings, tuple(self._commands), tuple(self.words), tuple(self._patterns), self._is_complete)

    def split(self, line: str, arguments: Sequence[str]) -> None:
        try:
            words = [*shlex.split(line), *arguments]
        except ValueError as error:
            self._unread(" ".join([line, *arguments]), f"It cannot be split into words ({error})")
        else:
            self.words += words
            self._command(list(map(Word, words)), 0)

    def line(self, text: str, depth: int = 0) -> None:
        root = parsed(text) if depth < _DEEPEST and len(text) <= _LONGEST else None
        if root is None:
            self._unread(text, "It is too long or too deep to be read")
            return
        if root.has_error:
            self._unread(text, "It cannot be read")
        elif not is_readable(root, text):
            self.say(_UNKNOWN, "It holds something that is not read here, or that shells read differently", text)
        if depth == 0 and (goes := _GOES_FIRST.fullmatch(text)):
            self._first_folder = goes[1]
        nodes = list(every(root))
        assigned = {text_of(_set_by(node)) for node in nodes if node.type in {"variable_assignment", "for_statement"}}
        for node in nodes:
            match node.type:
                case "command":
                    words = [word_of(child) for child in node.children if not _NO_WORDS.fullmatch(child.type)]
                    self._command(words, depth)
                case "file_redirect":
                    self._redirected(node)
                case "variable_assignment" | "for_statement":
                    self._assigned(node)
            self._name(node, assigned)

    def _unread(self, text: str, why: str) -> None:
        self.say(_UNKNOWN, why, text)
        self.words += text[:_LONGEST].split()
        self._is_complete = False

    def _name(self, node: Node, assigned: set[str]) -> None:
        """Take down what one part of a line names."""
        text, above, word = text_of(node), node.parent, word_of(node)
        if node.type not in _WORDS | {"simple_expansion", "expansion"} or (above is not None and above.type in _WORDS):
            return
        names = {first or second for first, second in _VARIABLE.findall(text)}
        rest = _VARIABLE.sub(lambda found: "." if "PWD" in found[0] else f"${found[1] or found[2]}", text.strip("\"'"))
        if word.is_known:
            self.words.append(word.text)
        elif node.type != "ansi_c_string" and not re.search(r"[$`{]", text):
            self._patterns.append(re.sub(r"\\(.)", r"\1", re.sub("[\"']", "", text)))
        elif names and names <= _FIXED and not re.search(r"[`{]|\$\(", rest):
            self.words.append(rest)
        elif not (_VARIABLE.fullmatch(text) and names <= assigned):
            # What echo and the like say changes nothing.
            says = above is not None and above.type == "command" and text_of(above.children[0]) in _SPEAKING
            self._is_complete = self._is_complete and says

    def _redirected(self, node: Node) -> None:
        kinds = [child.type for child in node.children]
        operator = next((kind for kind in kinds if kind in _WRITING), None)
        # The grammar takes words of the command for more targets; which is it does not matter when all are judged.
        for target in map(word_of, node.children[kinds.index(operator) + 1 :] if operator else []):
            if operator != ">&" or not target.is_known or not re.fullmatch(r"\d+|-", target.text):
                self._findings.append(_place(target, text_of(node)))

    def _assigned(self, node: Node) -> None:
        name = text_of(_set_by(node))
        value = word_of(node.children[-1]) if node.type == "variable_assignment" else ANYTHING
        exported = node.parent is not None and node.parent.type in {"command", "variable_assignments"}
        if not sets_harmlessly(name, value.text if value.is_known else None, exported=exported):
            self.say(_UNKNOWN, f"It sets {name}, which may change what programs do", text_of(node))

    def _command(self, words: Sequence[Word], depth: int) -> None:
        if not words:
            return
        shown = " ".join(word.text + ("" if word.is_known else "…") for word in words)
        path, rest = words[0].text, words[1:]
        name = path.rpartition("/")[2]
        if depth > _DEEPEST or not words[0].is_known:
            self._lost("", rest, shown, depth)
            return
        self._commands.append(Command(name, tuple(rest), {0: "", 1: self._first_folder}.get(len(self._folders))))
        if name in {"cd", "pushd", "popd"}:
            folders = [word for word in rest if word.text not in {"-L", "-P", "--"}]
            self._folders.append(folders[0] if len(folders) == 1 else ANYTHING)
        before = len(self._findings)
        self._program(name, rest, shown, depth)
        builds = _PROJECT_FOLDERS.match(path) and all(found.risk is _BUILD for found in self._findings[before:])
        if "/" in path and not builds and not _SYSTEM_FOLDERS.match(path):
            self.say(_UNKNOWN, f"It runs {path}, which may be any program", shown)

    def _program(self, name: str, words: Sequence[Word], shown: str, depth: int) -> None:
        texts = [word.text if word.is_known else "" for word in words]
        at = next((at for at, text in enumerate(texts) if name != "git" or text not in _BEFORE_COMMANDS), 0)
        keys = {" ".join([name, *texts[at : at + many]]): words[at + many :] for many in (3, 2, 1)}
        key, rest = next(((key, rest) for key, rest in keys.items() if key in programs.FORMS), (name, words))
        fitted = named_by(key, rest)
        if fitted and fitted.risk is _UNKNOWN:
            self._wrapped(name, rest[fitted.end :], shown, depth)
        elif fitted:
            itself = RiskFinding(fitted.risk, f"{name} {_DOES[fitted.risk]}: {_shortened(shown)}")
            self._findings.append(worst([itself, *(_place(word, shown) for word in fitted.written())], itself))
        elif name in {"sh", "bash", "dash"} and re.fullmatch(r"-[elux]*c", "".join(texts[:1])) and all(texts[1:2]):
            self.line("".join(texts[1:2]), depth + 1)
        elif name == "eval" and all(texts):
            self.line(" ".join(texts), depth + 1)
        elif name in programs.RUNS_OTHERS:
            self._lost(name, words, shown, depth)
        else:
            self._unlisted(name, words, shown)
            if name in {"python", "python3"} and texts[:1] == ["-m"]:
                self._unlisted("".join(texts[1:2]), words[2:], shown)

    def _wrapped(self, name: str, words: Sequence[Word], shown: str, depth: int) -> None:
        while name == "env" and words and "=" in words[0].text:
            variable, _, value = words[0].text.partition("=")
            if not words[0].is_known or not sets_harmlessly(variable, value):
                self.say(_UNKNOWN, f"It sets {variable}, which may change what programs do", shown)
            words = words[1:]
        self._command([*words, ANYTHING] if name == "xargs" else words, depth + 1)

    def _unlisted(self, name: str, words: Sequence[Word], shown: str) -> None:
        """Take down a command that is not known to be harmless, and what is bad enough in it all the same."""
        if name in programs.ESCALATES:
            self.say(_ESCALATE, f"{name} takes another user's rights", shown)
        elif _destroys(name, words):
            self.say(_DESTROY, f"{name} {_DOES[_DESTROY]}", shown)
        else:
            self.say(_UNKNOWN, f"{name or 'What it runs'} is not known to be harmless, called like this", shown)
        if name == "chmod" and any(_SETS_ID.fullmatch(word.text) for word in words[:4]):
            self.say(_ESCALATE, "chmod lets a program run with another user's rights", shown)
        for word in words if name in programs.WRITES_THERE else ():
            found = _place(word._replace(text=re.sub(r"^-[^/~]*(?=[/~])", "", word.text)), shown)
            if found.risk in {_DESTROY, _ESCALATE}:
                self._findings.append(found)

    def _lost(self, name: str, words: Sequence[Word], shown: str, depth: int) -> None:
        """Take down a command that runs something in a way that is not read: any of its words may be a program."""
        self._unlisted(name, words, shown)
        before = len(self._findings)
        for at, word in enumerate(words):
            if word.is_known:
                self._unlisted(word.text.rpartition("/")[2], words[at + 1 :], shown)
                if re.search(r"[^\w./=:@,+-]", word.text):
                    self.line(word.text, depth + 1)
        self._findings[before:] = [item for item in self._findings[before:] if item.risk in {_DESTROY, _ESCALATE}]


def _set_by(node: Node) -> Node:
    return next((child for child in node.children if child.type in {"variable_name", "subscript"}), node)


def _destroys(name: str, words: Sequence[Word]) -> bool:
    """Return whether a program deletes or overwrites, as far as its name and words tell in any spelling."""
    texts = {word.text for word in words}
    return name.startswith("mkfs.") or any(
        command <= texts and (not spelled or any(_spells(text, option) for text in texts for option in spelled))
        for command, spelled in programs.DESTROYS.get(name, ())
    )


def _spells(text: str, option: str) -> bool:
    """Return whether a word may be an option: abbreviated, joined with others or with a value."""
    if option.startswith("--"):
        name = text.partition("=")[0]
        return name.startswith("--") and len(name) > len("--") and (option.startswith(name) or name.startswith(option))
    if len(option) == len("-x") and option.startswith("-"):
        return text.startswith("-") and not text.startswith("--") and option[1] in text
    return text.startswith(option) if option.endswith("=") else text == option


def _place(word: Word, shown: str) -> RiskFinding:
    """Return what writing to a place comes to; a relative path lies where the command runs."""
    if not word.is_known:
        return RiskFinding(_UNKNOWN, f"It writes to a place that is known only when it runs: {_shortened(shown)}")
    path = posixpath.normpath(word.text)
    risk, what = next((risk, what) for places, risk, what in _PLACES if re.fullmatch(places, path, re.DOTALL))
    return RiskFinding(risk, f"It {what.format(path)}: {_shortened(shown)}")


def _shortened(text: str) -> str:
    plain = " ".join(text.split())
    return plain if len(plain) <= _SHOWN else plain[: _SHOWN - 1] + "…"
