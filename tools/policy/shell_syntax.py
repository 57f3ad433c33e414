"""The words of a command line, and whether it was read as the shell will read it.

The grammar is that of bash, and forgiving: it takes escaped blanks for plain ones and continues words differently at
the end of a line. Whatever it may have read in another way than the shell does is named here, and then nothing of the
line is taken as known; what people rarely write on one line, such as functions and arithmetic, is not read at all.
"""

from __future__ import annotations

import glob
import re
from collections.abc import Iterator
from enum import IntEnum
from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from tree_sitter import Node, Parser

_READ: Final = """
binary_expression case_item case_statement command command_name command_substitution comment compound_statement do_group
concatenation elif_clause else_clause expansion extglob_pattern file_descriptor file_redirect for_statement heredoc_body
heredoc_content heredoc_end heredoc_redirect heredoc_start if_statement list negated_command number pipeline program
raw_string redirected_statement simple_expansion special_variable_name string string_content subshell test_command
test_operator unary_expression variable_assignment variable_assignments variable_name while_statement word
"""
_BASH_ONLY: Final = frozenset(["[[", "((", "&>", "&>>", "|&", "select", ";&", ";;&"])
_EXPANSION: Final = re.compile(r"\$\{\w+(\}|:?[-+])")
_CONTROL: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\x85\u00a0\u2028\u2029]")
_BLANKS: Final = re.compile(r"[ \t\n]*|[ \t\n]+(\\\n[ \t]*)+")
_BLANKS_AFTER_SIGN: Final = re.compile(r"[ \t\n]*(\\\n[ \t]*)*")
_SIGNS: Final = frozenset(["|", "||", "&&", ";", "(", "{", "&", "\n", "do", "then", "else"])
_HIDDEN_CODE: Final = re.compile(r"\$\(|`|\$\{")
_TEXTS: Final = frozenset(["raw_string", "word", "string_content", "heredoc_content"])
_DEEPEST: Final = 100
_ESCAPED: Final = re.compile(r"\\(.)", re.DOTALL)
_WILDCARD: Final = re.compile(r"(?<!\\)[*?\[]")


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


ANYTHING: Final = Word("", Known.NOTHING)


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
        return Word(known, Known.WHOLE, known if text.startswith("~") else "")
    return Word(known, Known.BEGINNING, _ESCAPED.sub(lambda found: glob.escape(found[1]), text))


def _quoted(node: Node) -> Word:
    """Read a word in double quotes, which stays one word whatever is filled in, but for `"$@"`."""
    inside = [child for child in node.named_children if child.type != "string_content"]
    text = (node.text or b"")[1 : inside[0].start_byte - node.start_byte if inside else -1]
    known = re.sub(r'\\([$`"\\\n])', lambda found: found[1].strip("\n"), text.decode(errors="surrogateescape"))
    if inside and (not known or any("@" in text_of(child) for child in inside)):
        return ANYTHING
    return Word(known, Known.BEGINNING if inside else Known.WHOLE)


def _joined(node: Node) -> Word:
    """Read a word that is put together of several parts."""
    text, known, pattern, expands = "", Known.WHOLE, "", True
    for child in node.children:
        part = word_of(child)
        if child.type not in {"word", "string", "raw_string", "number"} or (part == ANYTHING and "@" in text_of(child)):
            return ANYTHING
        text += part.text if known is Known.WHOLE else ""
        known = max(known, part.known)
        expands = expands and (part.known is Known.WHOLE or bool(part.pattern))
        pattern += part.pattern or glob.escape(part.text)
    if _spreads("".join(text_of(child) for child in node.children if child.type == "word" or not child.is_named)):
        return ANYTHING
    if known is Known.WHOLE:
        return Word(text, known, pattern if pattern.startswith("~") and node.children[0].type == "word" else "")
    return Word(text, Known.BEGINNING if text else Known.NOTHING, pattern if expands else "")


def unreadable(root: Node, line: str) -> Iterator[str]:
    """Name every reason why a line may not mean what was read."""
    nodes, read = list(every(root)), _READ.split()
    kinds = {node.type for node in nodes}
    if root.has_error or not _covered(root, line.encode(errors="surrogateescape")):
        yield "It cannot be read"
    if _CONTROL.search(line):
        yield "It holds signs that nobody sees"
    if kinds & _BASH_ONLY or any(node.is_named and node.type not in read for node in nodes):
        yield "It holds something that is not read here, or means different things to different shells"
    # What these look at, some shells calculate with, and so run what a text says.
    programs = {text_of(node) for node in nodes if node.type == "command_name"}
    evaluates = "test_command" in kinds or not programs.isdisjoint({"read", "printf", "test"})
    if evaluates and any(node.type in _TEXTS and _HIDDEN_CODE.search(text_of(node)) for node in nodes):
        yield "It calculates with something that is known only when it runs"
    if not all(map(_is_plain, nodes)):
        yield "It tests, redirects or fills in something in a way that is not read here"


def _is_plain(node: Node) -> bool:
    """Return whether one part means what was read, as far as it alone tells."""
    text = text_of(node)
    if node.type == "test_command":
        # Nothing in it is a redirection or an end, and it looks at files or compares texts.
        signs = {item.type for item in every(node) if not item.is_named}
        tests = "".join(text_of(item) for item in every(node) if item.type == "test_operator")
        return not signs & {*"<>();&|", "<=", ">=", "&&", "||"} and bool(
            re.fullmatch(r"\[[ \t].*[ \t]\]", text, re.DOTALL) and re.fullmatch("(-[defhnrswxz])*", tests)
        )
    if node.type in {"file_redirect", "heredoc_redirect"}:
        # A redirection that was given words that belong to the command, or are one.
        fields = [node.field_name_for_child(place) for place in range(node.child_count)]
        if "argument" in fields or fields.count("destination") > 1:
            return False
    if node.type == "heredoc_redirect":
        parts = {child.type: text_of(child) for child in node.children}
        end = re.fullmatch(r"(['\"]?)(\w+)\1", parts.get("heredoc_start", ""))
        lines = parts.get("heredoc_body", "").split("\n")
        return (
            end is not None
            and parts.get("heredoc_end", "").strip() == end[2]
            and end[2] not in {line.strip("\t") for line in lines}
        )
    return node.type != "expansion" or _EXPANSION.match(text) is not None


def _covered(root: Node, source: bytes) -> bool:
    """Return whether nothing but plain blanks stands between what was read."""
    end, before = 0, ""
    for token in every(root):
        if token.child_count or token is root:
            continue
        gap = source[end : token.start_byte].decode(errors="surrogateescape")
        glued = token.type == "comment" and token.start_byte and source[token.start_byte - 1 :][:1] not in b" \t\n;&|()"
        if token.start_byte < end or glued or not (_BLANKS_AFTER_SIGN if before in _SIGNS else _BLANKS).fullmatch(gap):
            return False
        end, before = token.end_byte, token.type
    return not source[end:].strip()
