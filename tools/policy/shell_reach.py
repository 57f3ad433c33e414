"""The words of a command line that may name what it changes, and whether these are all."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from tools.policy.shell import LONGEST
from tools.policy.shell_syntax import bash_parser, every, is_too_deep
from tools.policy.shell_words import Known, word_of

if TYPE_CHECKING:
    from tree_sitter import Node

_WORDS: Final = frozenset(
    {"word", "string", "raw_string", "concatenation", "number", "ansi_c_string", "extglob_pattern"}
)
_TEXTS: Final = frozenset({"heredoc_body", "heredoc_content"})
_INSIDE: Final = frozenset({"command_substitution", "process_substitution"})
_SPEAKING: Final = frozenset({"echo", "printf", "test", "[", "true", "false", ":"})
"""Programs whose words are no paths that they change."""

_DYNAMIC: Final = re.compile(r"[$`{]")
_VARIABLE: Final = re.compile(r"\"?\$(?:\{(\w+)\}|(\w+))\"?")
_KNOWN: Final = frozenset({"HOME", "PWD", "USER", "LOGNAME"})
_ESCAPED: Final = re.compile(r"\\(.)", re.DOTALL)


class Words(NamedTuple):
    """What a command line names.

    Attributes:
        words: Its words as the programs get them.
        patterns: Words with wildcards, which become the names that fit.
        code: Texts that may name something and are no words: scripts, and what is put together when it runs.
        is_complete: Whether it names all that it may change, as far as that can be told.
    """

    words: tuple[str, ...] = ()
    patterns: tuple[str, ...] = ()
    code: tuple[str, ...] = ()
    is_complete: bool = True


def words_of(line: str, arguments: Sequence[str] = (), *, shell: bool) -> Words:
    """Return what a command line names.

    Args:
        line: The line.
        arguments: Further words.
        shell: Whether a shell reads the line; if not, it is only split into words.
    """
    if not shell:
        try:
            return Words((*shlex.split(line), *arguments))
        except ValueError:
            return Words((*line.split(), *arguments), (), (line,), is_complete=False)
    if len(line) > LONGEST:
        return Words(tuple(arguments), (), (line,), is_complete=False)
    root = bash_parser().parse(line.encode(errors="surrogateescape")).root_node
    if root.has_error or is_too_deep(root):
        return Words((*line.split(), *arguments), (), (line,), is_complete=False)
    found = _Found({_text(node.children[0]) for node in every(root) if _assigns(node)})
    found.walk(root)
    return Words((*found.words, *arguments), tuple(found.patterns), tuple(found.code), is_complete=found.is_complete)


def _assigns(node: Node) -> bool:
    return node.type == "variable_assignment" and node.child_count > 0


class _Found:
    """Gather the words of a script.

    Args:
        assigned: The variables that it sets itself, to words that are gathered as well.
    """

    def __init__(self, assigned: set[str]) -> None:
        self._assigned = assigned
        self.words: list[str] = []
        self.patterns: list[str] = []
        self.code: list[str] = []
        self.is_complete = True

    def walk(self, root: Node) -> None:
        """Gather the words below a node."""
        for node in every(root):
            if node.type == "for_statement":
                self._assigned |= {_text(child) for child in node.children if child.type == "variable_name"}
        waiting = [(root, False)]
        while waiting:
            node, speaks = waiting.pop()
            if node.type in _WORDS:
                self._word(node, speaks=speaks)
                waiting += [(item, False) for item in every(node) if item.type in _INSIDE and item is not node]
                continue
            if node.type in _TEXTS:
                self.code.append(_text(node))
            elif node.type in {"simple_expansion", "expansion"}:
                self._expanded(_text(node), speaks=speaks)
            says = node.type == "command" and _text(node.children[0]) in _SPEAKING
            waiting += [(child, says or (speaks and node.type == "command")) for child in reversed(node.children)]

    def _word(self, node: Node, *, speaks: bool) -> None:
        word, text = word_of(node), _text(node)
        if word.known is Known.WHOLE:
            self.words.append(word.text)
            return
        self.code.append(text)
        if node.type == "ansi_c_string" or _DYNAMIC.search(text):
            self._expanded(text, speaks=speaks)
        else:
            self.patterns.append(_ESCAPED.sub(r"\1", text.replace('"', "").replace("'", "")))

    def _expanded(self, text: str, *, speaks: bool) -> None:
        """Take down what is known only when it runs."""
        named = _VARIABLE.fullmatch(text)
        if named is not None and (named[1] or named[2]) in self._assigned:
            return
        names = [first or second for first, second in _VARIABLE.findall(text)]
        if names and "`" not in text and "$(" not in text and all(name in _KNOWN for name in names):
            rest = _VARIABLE.sub(_here, text.strip("\"'"))
            if "{" not in rest:
                self.words.append(rest)
                return
        if not speaks:
            self.is_complete = False


def _here(found: re.Match[str]) -> str:
    name = found[1] or found[2]
    return "." if name == "PWD" else f"${name}"


def _text(node: Node) -> str:
    return (node.text or b"").decode(errors="surrogateescape")
