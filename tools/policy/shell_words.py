"""The words of a command line, as far as they are known before it runs."""

from __future__ import annotations

import glob
import re
from enum import IntEnum
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from tree_sitter import Node

_ESCAPED: Final = re.compile(r"\\(.)", re.DOTALL)
_ESCAPED_IN_QUOTES: Final = re.compile(r'\\([$`"\\\n])')
_WILDCARD: Final = re.compile(r"(?<!\\)[*?\[]")
_ONE_WORD: Final = frozenset({"word", "string", "raw_string", "number"})
"""What stays one word, or becomes several that all begin alike."""


class Known(IntEnum):
    """How much of a word is known; the larger, the less.

    `WHOLE`: it is exactly the text. `BEGINNING`: it begins with the text, and so does every word it may become.
    `NOTHING`: any words may stand in its place, options and none at all among them.
    """

    WHOLE = 0
    BEGINNING = 1
    NOTHING = 2


class Word(NamedTuple):
    """One word of a command.

    Attributes:
        text: What is known of it, without its quotes.
        known: How much that is.
        pattern: What the shell makes file names of, with quoted wildcards in brackets; empty when it makes none.
    """

    text: str
    known: Known = Known.WHOLE
    pattern: str = ""

    @property
    def may_be_option(self) -> bool:
        """Whether it is or may become something that begins with a dash."""
        return self.text.startswith("-") or (not self.text and self.known is not Known.WHOLE)


ANYTHING: Final = Word("", Known.NOTHING)


def word_of(node: Node) -> Word:
    """Return what is known of a word."""
    match node.type:
        case "command_name":
            return word_of(node.children[0]) if node.child_count == 1 else ANYTHING
        case "word":
            return _bare(_text(node))
        case "number" | "file_descriptor":
            return Word(_text(node)) if node.child_count == 0 else ANYTHING
        case "raw_string":
            return Word(_text(node)[1:-1])
        case "string":
            return _quoted(node)
        case "concatenation":
            return _joined(node)
        case _ if not node.is_named:
            return Word(_text(node))
        case _:
            return ANYTHING


def _text(node: Node) -> str:
    return (node.text or b"").decode(errors="surrogateescape")


def _spreads(text: str) -> bool:
    """Return whether braces may make several words of one."""
    return "{" in text and ("," in text or ".." in text)


def _bare(text: str) -> Word:
    """Read a word without quotes."""
    if any(sign in text for sign in "'\"`$") or _spreads(text):
        return ANYTHING
    wildcard = _WILDCARD.search(text)
    plain = text if wildcard is None else text[: wildcard.start()]
    known = _ESCAPED.sub(r"\1", plain)
    if wildcard is None:
        return Word(known, Known.WHOLE, known if text.startswith("~") else "")
    return Word(known, Known.BEGINNING, _ESCAPED.sub(lambda found: glob.escape(found[1]), text))


def _quoted(node: Node) -> Word:
    """Read a word in double quotes, which stays one word whatever is filled in."""
    inside = [child for child in node.named_children if child.type != "string_content"]
    text = _text(node)
    if any("@" in _text(child) for child in inside):
        # "$@" and "${list[@]}" become as many words as there are.
        return ANYTHING
    if not inside:
        return Word(_ESCAPED_IN_QUOTES.sub(_unescaped, text[1:-1]))
    before = (node.text or b"")[1 : inside[0].start_byte - node.start_byte].decode(errors="surrogateescape")
    return _beginning(_ESCAPED_IN_QUOTES.sub(_unescaped, before))


def _unescaped(found: re.Match[str]) -> str:
    return "" if found[1] == "\n" else found[1]


def _joined(node: Node) -> Word:
    """Read a word that is put together of several parts."""
    if _spreads("".join(_text(child) for child in node.children if child.type == "word" or not child.is_named)):
        return ANYTHING
    text, cut, pattern, expands = "", False, "", True
    for child in node.children:
        part = word_of(child)
        if child.type not in _ONE_WORD or (part.known is Known.NOTHING and "@" in _text(child)):
            return ANYTHING
        text += "" if cut else part.text
        cut = cut or part.known is not Known.WHOLE
        expands = expands and (part.known is Known.WHOLE or bool(part.pattern))
        pattern += part.pattern or glob.escape(part.text)
    if not cut:
        return Word(text, Known.WHOLE, pattern if pattern.startswith("~") and node.children[0].type == "word" else "")
    return Word(text, Known.BEGINNING if text else Known.NOTHING, pattern if expands else "")


def _beginning(text: str) -> Word:
    return Word(text, Known.BEGINNING) if text else ANYTHING
