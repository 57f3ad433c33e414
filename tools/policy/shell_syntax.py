"""The words of a command line, and whether it was read as the shell will read it.

The grammar is that of bash, and forgiving. Where it may have read a line in another way than some shell does, nothing
of the line is taken as known; neither are functions, arithmetic and here-documents.
"""

from __future__ import annotations

import glob
import re
from collections.abc import Iterator
from functools import cache
from itertools import takewhile
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from tree_sitter import Node, Parser

_READ: Final = """
case_item case_statement command command_name command_substitution comment compound_statement do_group concatenation
elif_clause else_clause expansion extglob_pattern file_descriptor file_redirect for_statement if_statement list
negated_command number pipeline program raw_string redirected_statement simple_expansion special_variable_name string
string_content subshell variable_assignment variable_assignments variable_name while_statement word
"""
_BASH_ONLY: Final = frozenset(["[[", "((", "&>", "&>>", "|&", "select", ";&", ";;&"])
_EXPANSION: Final = re.compile(r"\$\{\w+(\}|:?[-+])")
_CONTROL: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\x85\u00a0\u2028\u2029]")
_BLANKS: Final = re.compile(r"[ \t\n]*|[ \t\n]+(\\\n[ \t]*)+")
_HIDDEN_CODE: Final = re.compile(r"\$\(|`|\$\{")
_TEXTS: Final = frozenset(["raw_string", "word", "string_content"])
_CALCULATING: Final = frozenset(["read", "printf", "test"])
_DEEPEST: Final = 100
_ESCAPED: Final = re.compile(r"\\(.)", re.DOTALL)
_WILDCARD: Final = re.compile(r"(?<!\\)[*?\[]")


class Word(NamedTuple):
    """One word of a command.

    Attributes:
        text: What it is without its quotes, or how it begins, and with it all that it may become.
        is_known: Whether that is all of it; if not, and there is no text, any words or none may stand in its place.
        pattern: What the shell makes file names of, with quoted wildcards in brackets; empty when it makes none.
    """

    text: str
    is_known: bool = True
    pattern: str = ""


ANYTHING: Final = Word("", is_known=False)


@cache
def _bash_parser() -> Parser:
    import tree_sitter_bash  # noqa: PLC0415 -- loaded with the first line, as most programs never read any
    from tree_sitter import Language, Parser  # noqa: PLC0415 -- as above

    return Parser(Language(tree_sitter_bash.language()))


def parsed(line: str) -> Node | None:
    """Return the tree of a line; None when more stands in one another than anybody writes."""
    root = _bash_parser().parse(line.encode(errors="surrogateescape")).root_node
    level, depth = [root], 0
    while level:
        level, depth = [child for node in level for child in node.children], depth + 1
    return root if depth <= _DEEPEST else None


def every(root: Node) -> Iterator[Node]:
    """Yield a part of a line and everything in it, in order."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        yield node
        waiting += reversed(node.children)


def text_of(node: Node) -> str:
    """Return a part of a line as it is written."""
    return (node.text or b"").decode(errors="surrogateescape")


def word_of(node: Node) -> Word:
    """Return what is known of a word."""
    text = text_of(node)
    match node.type:
        case "command_name" if node.child_count == 1:
            return word_of(node.children[0])
        case "word":
            return _bare(text)
        case "raw_string":
            return Word(text[1:-1])
        case "string":
            return _quoted(node)
        case "concatenation":
            return _joined(node)
        case _:
            plain = not node.is_named or (node.type in {"number", "file_descriptor"} and not node.child_count)
            return Word(text) if plain else ANYTHING


def _spreads(text: str) -> bool:
    """Return whether braces may make several words of one."""
    return "{" in text and ("," in text or ".." in text)


def _bare(text: str) -> Word:
    """Read a word without quotes."""
    if any(sign in text for sign in "'\"`$") or _spreads(text):
        return ANYTHING
    wildcard = _WILDCARD.search(text)
    known = _ESCAPED.sub(r"\1", text if wildcard is None else text[: wildcard.start()])
    if wildcard is None:
        return Word(known, pattern=known if text.startswith("~") else "")
    return Word(known, is_known=False, pattern=_ESCAPED.sub(lambda found: glob.escape(found[1]), text))


def _quoted(node: Node) -> Word:
    """Read a word in double quotes, which stays one word whatever is filled in, but for `"$@"`."""
    inside = [child for child in node.named_children if child.type != "string_content"]
    text = (node.text or b"")[1 : inside[0].start_byte - node.start_byte if inside else -1]
    known = re.sub(r'\\([$`"\\\n])', lambda found: found[1].strip("\n"), text.decode(errors="surrogateescape"))
    if inside and (not known or any("@" in text_of(child) for child in inside)):
        return ANYTHING
    return Word(known, is_known=not inside)


def _joined(node: Node) -> Word:
    """Read a word that is put together of several parts."""
    parts = [word_of(child) for child in node.children]
    kinds = {child.type for child in node.children}
    plain = "".join(text_of(child) for child in node.children if child.type == "word" or not child.is_named)
    if _spreads(plain) or not kinds <= {"word", "string", "raw_string", "number"}:
        return ANYTHING
    known = list(takewhile(lambda part: part.is_known, parts))
    text, is_known = "".join(part.text for part in parts[: len(known) + 1]), len(known) == len(parts)
    if not is_known and "@" in text_of(node):
        return ANYTHING
    pattern = "".join(part.pattern or glob.escape(part.text) for part in parts)
    home = pattern.startswith("~") and node.children[0].type == "word"
    expands = home if is_known else all(part.is_known or part.pattern for part in parts)
    return Word(text, is_known, pattern if expands else "")


def is_readable(root: Node, line: str) -> bool:
    """Return whether a line means to every shell what was read."""
    nodes = list(every(root))
    kinds = {node.type for node in nodes}
    programs = {text_of(node) for node in nodes if node.type == "command_name"}
    # What these look at, some shells calculate with, and so run what a text says.
    if programs & _CALCULATING:
        kinds |= {"hidden code" for node in nodes if node.type in _TEXTS and _HIDDEN_CODE.search(text_of(node))}
    read = not (root.has_error or _CONTROL.search(line) or kinds & {*_BASH_ONLY, "hidden code"})
    return read and all(map(_is_plain, nodes)) and _covered(root, line.encode(errors="surrogateescape"))


def _is_plain(node: Node) -> bool:
    """Return whether one part means what was read, as far as it alone tells."""
    match node.type:
        case "file_redirect":
            # It may have been given words that belong to the command, or are one.
            fields = [node.field_name_for_child(place) for place in range(node.child_count)]
            return "argument" not in fields and fields.count("destination") <= 1
        case "expansion":
            return _EXPANSION.match(text_of(node)) is not None
        case kind:
            return not node.is_named or kind in _READ.split()


def _covered(root: Node, source: bytes) -> bool:
    """Return whether nothing but plain blanks stands between what was read."""
    end = 0
    for token in every(root):
        if token.child_count or token is root:
            continue
        gap = source[end : token.start_byte].decode(errors="surrogateescape")
        glued = token.type == "comment" and source[: token.start_byte][-1:] not in b" \t\n;&|()"
        if token.start_byte < end or glued or not _BLANKS.fullmatch(gap):
            return False
        end = token.end_byte
    return not source[end:].strip()
