"""Deny lists: commands that never run, as `KEYWORD:` and `REGEX:` lines of a text file.

A keyword is looked for in any case, a regular expression as it is written, both anywhere in a command: in the line as
it came, and in the words that a shell makes of it, so that quotes, blanks and folders hide nothing. No rule and no
person's answer outweighs a line. While a line means nothing, each command is asked about: nobody knows what the line
was to refuse.

Source: seed 1, "Design the tool carefully" (security restrictions before commands are exposed); the reference's list.
"""

from __future__ import annotations

import re
import shlex
import unicodedata
from collections.abc import Iterator, Mapping
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from tools.card import SourceKind
from tools.declare.process import ProgramRun
from tools.policy.protection import HOLDS_COMMANDS, takes_text, texts_in
from tools.policy.rules import LONGEST_PATTERN
from tools.protected import PROJECT_FOLDER
from tools.watched_file import WatchedFile

if TYPE_CHECKING:
    from pydantic import JsonValue

    from tools.tool import Tool

DENYLIST_NAME: Final = "command-denylist.txt"
"""The name of a deny list, in the person's settings folder and in that of a project."""

MOST_LINES: Final = 1000
"""The most lines of a list that count: each of them is looked for before a command runs."""

MOST_LETTERS: Final = 200_000
"""The longest commands of a call that are compared; longer ones are refused."""

TIMEOUT_S: Final = 0.1
"""How long all expressions may try one call, in seconds; it is judged on the event loop."""

_KEYWORD: Final = "KEYWORD:"
_REGEX: Final = "REGEX:"
_LINE_END: Final = re.compile(r"\r\n|\r|\n")
_ASKS: Final = "so every command is asked about"


class DeniedCommand(NamedTuple):
    """One line of a deny list.

    Attributes:
        line: The line, counted from 1.
        text: The line as it is written.
        keyword: What is looked for, in small letters; empty for an expression.
        pattern: The expression; None for a keyword.
    """

    file: Path
    line: int
    text: str
    keyword: str = ""
    pattern: Any = None


class DenyList(NamedTuple):
    """What deny lists say.

    Attributes:
        denied: Their lines.
        problems: What is wrong with them, one sentence each.
    """

    denied: tuple[DeniedCommand, ...] = ()
    problems: tuple[str, ...] = ()

    def concerns(self, tool: Tool) -> bool:
        """Return whether any call of a tool may hold a command of which something is said."""
        if not any(self):
            return False
        if tool.shell_commands or isinstance(tool.function, ProgramRun):
            return True
        # The authors of the built-in tools marked every command.
        return tool.source.kind is not SourceKind.BUILT_IN and takes_text(tool)

    def refusal(self, commands: tuple[str, ...]) -> str:
        """Return why commands are refused; empty when no line speaks of them."""
        if not commands or not self.denied:
            return ""
        if sum(map(len, commands)) > MOST_LETTERS:
            return f"a command of more than {MOST_LETTERS:,} letters is not compared with the deny list; shorten it"
        texts = tuple(dict.fromkeys(form for command in commands for form in _forms(command)))
        folded = tuple(text.casefold() for text in texts)
        left_s = TIMEOUT_S
        for line in self.denied:
            began = perf_counter()
            if any(line.keyword in text for text in folded) if line.keyword else _finds(line.pattern, texts, left_s):
                return f"line {line.line} of the deny list {line.file} forbids such commands: {line.text}"
            left_s -= perf_counter() - began if line.pattern is not None else 0.0
        return ""


class DenyListFile(WatchedFile):
    """One deny list, which need not exist."""

    def read(self) -> DenyList:
        """Return what the list says now; a line that means nothing does not stop the others."""
        self.look()
        try:
            lines = _LINE_END.split(self.text() or "")
        except (OSError, ValueError) as error:
            return DenyList(problems=(f"The deny list {self.path} cannot be read, {_ASKS}: {error}",))
        denied: list[DeniedCommand] = []
        problems: list[str] = []
        for number, line in enumerate(lines, 1):
            try:
                denied += self._denied(number, line.strip())
            except ValueError as error:
                problems.append(
                    f"{self.path}, line {number}: {error}; mend it, until then every command is asked about"
                )
        if len(denied) > MOST_LINES:
            problems.append(f"{self.path}: expected at most {MOST_LINES:,} lines, got {len(denied):,}, {_ASKS}")
        return DenyList(tuple(denied[:MOST_LINES]), tuple(problems))

    def _denied(self, number: int, line: str) -> Iterator[DeniedCommand]:
        if not line or line.startswith("#"):
            return
        kind = next((kind for kind in (_KEYWORD, _REGEX) if line.startswith(kind)), "")
        if not kind:
            msg = f"expected {_KEYWORD} or {_REGEX} before what is denied, or # before a comment, got {line[:40]!r}"
            raise ValueError(msg)
        text = line[len(kind) :].strip()
        if not text or len(text) > LONGEST_PATTERN:
            msg = f"expected 1 to {LONGEST_PATTERN:,} letters behind {kind}, got {len(text):,}"
            raise ValueError(msg)
        if kind == _KEYWORD:
            yield DeniedCommand(self.path, number, line, " ".join(text.casefold().split()))
            return
        import regex  # noqa: PLC0415 -- few people have a list

        try:
            yield DeniedCommand(self.path, number, line, pattern=regex.compile(text))
        except regex.error as error:
            msg = f"{text!r} is no regular expression ({error})"
            raise ValueError(msg) from error


def project_denylist(folder: Path | None) -> DenyListFile | None:
    """Return the deny list of a project folder; None has none."""
    return None if folder is None else DenyListFile(folder / PROJECT_FOLDER / DENYLIST_NAME)


def commands_of(tool: Tool, arguments: Mapping[str, JsonValue]) -> tuple[str, ...]:
    """Return the commands of a call: what is marked as one, and in strangers' tools what is called like one."""
    found: list[str] = []
    if isinstance(tool.function, ProgramRun):
        found.append(shlex.join(tool.function.argv))
    for name, mark in tool.shell_commands:
        further = arguments.get(mark.arguments)
        found.append(" ".join([str(arguments.get(name, "")), *map(str, further if isinstance(further, list) else ())]))
    if tool.shell_commands:
        # A shell that is started without a line reads one there.
        found += [text for name, text in texts_in(arguments) if name == "stdin"]
    elif tool.source.kind is not SourceKind.BUILT_IN:
        by_tool = HOLDS_COMMANDS.search(tool.name) is not None
        texts = [text for name, text in texts_in(arguments) if by_tool or HOLDS_COMMANDS.search(name)]
        # A program and its words may be arguments of their own.
        found += [*texts, " ".join(texts)]
    return tuple(dict.fromkeys(filter(None, found)))


def _finds(pattern: Any, texts: tuple[str, ...], timeout_s: float) -> bool:
    """Return whether an expression fits anywhere; one that does not come to an end counts as one that does."""
    deadline = perf_counter() + timeout_s
    try:
        return any(pattern.search(text, timeout=max(deadline - perf_counter(), 1e-6)) for text in texts)
    except TimeoutError:
        return True


def _forms(command: str) -> Iterator[str]:
    """Yield a command as it came, and as a shell reads it: without quotes, folders of programs and further blanks."""
    from tools.policy.shell import read_line  # noqa: PLC0415 -- it loads a grammar

    for form in dict.fromkeys((command, unicodedata.normalize("NFKC", command))):
        line = read_line(form, posix=True)
        yield form
        yield " ".join(form.split())
        yield " ".join(line.words)
        for one in line.commands:
            yield " ".join([one.name, *(word.text for word in one.words)])
