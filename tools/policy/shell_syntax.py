"""Whether a script was read as the shell will read it.

The grammar is that of bash, and forgiving: it takes escaped blanks for plain ones and continues words differently at
the end of a line. Whatever it may have read in another way than the shell does is named here, and then nothing of the
script is taken as known.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from tree_sitter import Node, Parser


@cache
def bash_parser() -> Parser:
    """Return the parser of command lines; loaded with the first one, as most programs never read any."""
    import tree_sitter_bash  # noqa: PLC0415 -- see above
    from tree_sitter import Language, Parser  # noqa: PLC0415 -- see above

    return Parser(Language(tree_sitter_bash.language()))


def _names(names: str) -> frozenset[str]:
    return frozenset(names.split())


_READ: Final = _names(
    "arithmetic_expansion array ansi_c_string binary_expression c_style_for_statement case_item case_statement command"
    " command_name command_substitution comment compound_statement concatenation declaration_command do_group"
    " elif_clause else_clause expansion extglob_pattern file_descriptor file_redirect for_statement function_definition"
    " heredoc_body heredoc_content heredoc_end heredoc_redirect heredoc_start herestring_redirect if_statement list"
    " negated_command number parenthesized_expression pipeline postfix_expression process_substitution program"
    " raw_string redirected_statement regex simple_expansion special_variable_name string string_content subshell"
    " subscript test_command test_operator ternary_expression unary_expression unset_command variable_assignment"
    " variable_assignments variable_name while_statement word"
)
_BASH_ONLY: Final = _names(
    "array c_style_for_statement herestring_redirect process_substitution [[ (( &> &>> |& function select ;& ;;&"
)
_STRANGE_EXPANSION: Final = frozenset(["@", "!", ":", "subscript"])
_CONTROL: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\x85\u00a0\u2028\u2029]")
_BLANKS: Final = re.compile(r"[ \t\n]*|[ \t\n]+(\\\n[ \t]*)+")
_BLANKS_AFTER_SIGN: Final = re.compile(r"[ \t\n]*(\\\n[ \t]*)*")
_SIGNS: Final = frozenset(["|", "||", "&&", ";", "(", "{", "&", "\n", "do", "then", "else"])
_DEEPEST: Final = 100
_DELIMITER: Final = re.compile(r"(['\"]?)(\w+)\1")
_BLANK: Final = frozenset([" ", "\t"])
_HIDDEN_CODE: Final = re.compile(r"\$\(|`|\$\{")
_EVALUATING_WORDS: Final = frozenset(["let", "read", "declare", "typeset", "printf", "unset", "test", "["])


def is_too_deep(root: Node) -> bool:
    """Return whether more stands in one another than anybody writes; to look at it would take long."""
    waiting = [(root, 0)]
    while waiting:
        node, depth = waiting.pop()
        if depth > _DEEPEST:
            return True
        waiting += [(child, depth + 1) for child in node.children]
    return False


def commands_defined(root: Node) -> frozenset[str]:
    """Return the names of the functions that a script defines."""
    return frozenset(
        (child.text or b"").decode(errors="replace")
        for node in every(root)
        if node.type == "function_definition"
        for child in node.children
        if child.type == "word"
    )


def unreadable(root: Node, text: str, *, bash: bool) -> Iterator[str]:
    """Name every reason why a script may not mean what was read.

    Args:
        root: What was read.
        text: The script.
        bash: Whether bash is sure to read it, and no other shell.
    """
    nodes = list(every(root))
    kinds = {node.type for node in nodes}
    if root.has_error:
        yield "It cannot be read"
    if _CONTROL.search(text):
        yield "It holds signs that nobody sees"
    if any(node.is_named and node.type not in _READ for node in nodes):
        yield "It holds something that is not read here"
    if "((" in kinds or (not bash and kinds & _BASH_ONLY):
        yield "It means different things to different shells"
    if not _covered(root, text.encode(errors="surrogateescape")):
        yield "It joins words in a way that is not read here"
    if _goes_round(root):
        yield "It runs itself again and again"
    if _evaluates(nodes) and (_dynamic(nodes) or _hides_code(nodes)):
        yield "It calculates with something that is known only when it runs"
    yield from filter(None, map(_strange, nodes))


def _strange(node: Node) -> str:
    """Return why one part may not mean what was read; empty when it does."""
    match node.type:
        case "ansi_c_string" if b"\\'" in (node.text or b""):
            return "It means different things to different shells"
        case "test_command" if not _plain_test(node):
            return "It tests something in a way that is not read here"
        case "file_redirect" | "heredoc_redirect" if _takes_words(node):
            return "It holds words behind a redirection"
        case "heredoc_redirect" if not _plain_heredoc(node):
            return "It holds a text whose end cannot be told"
        case "expansion" if {child.type for child in node.children} & _STRANGE_EXPANSION:
            return "It uses a variable in a way that may run code"
        case _:
            return ""


def every(root: Node) -> Iterator[Node]:
    """Yield a part of a script and everything in it, in order."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        yield node
        waiting += reversed(node.children)


def _covered(root: Node, source: bytes) -> bool:
    """Return whether nothing but plain blanks stands between what was read."""
    waiting = [root]
    while waiting:
        scope = waiting.pop()
        end, before = scope.start_byte, ""
        for token in _tokens(scope, waiting):
            gap = source[end : token.start_byte].decode(errors="surrogateescape")
            blanks = _BLANKS_AFTER_SIGN if before in _SIGNS else _BLANKS
            if token.start_byte < end or not blanks.fullmatch(gap):
                return False
            if token.type == "comment" and token.start_byte and source[token.start_byte - 1 :][:1] not in b" \t\n;&|()":
                return False
            end, before = token.end_byte, token.type
        rest = source[end : scope.end_byte].decode(errors="surrogateescape")
        if not _BLANKS.fullmatch(rest) and not (scope is root and not rest.strip()):
            return False
    return source[: root.start_byte].strip() == b"" and source[root.end_byte :].strip() == b""


def _tokens(scope: Node, inside: list[Node]) -> Iterator[Node]:
    """Yield the smallest parts of a scope in order; what runs inside of strings is put aside as scopes of their own."""
    waiting = list(reversed(scope.children)) or [scope]
    while waiting:
        node = waiting.pop()
        if node.type in {"string", "heredoc_body"}:
            inside += [item for item in every(node) if item.type in {"command_substitution", "process_substitution"}]
            yield node
        elif node.child_count:
            waiting += reversed(node.children)
        else:
            yield node


def _takes_words(node: Node) -> bool:
    """Return whether a redirection was given words that belong to the command, or are one."""
    fields = [node.field_name_for_child(place) for place in range(node.child_count)]
    return "argument" in fields or fields.count("destination") > 1


def _plain_heredoc(node: Node) -> bool:
    texts = {child.type: (child.text or b"").decode(errors="replace") for child in node.children}
    delimiter = _DELIMITER.fullmatch(texts.get("heredoc_start", ""))
    if delimiter is None or texts.get("heredoc_end", "").strip() != delimiter[2]:
        return False
    lines = texts.get("heredoc_body", "").split("\n")
    return all(line.strip("\t") != delimiter[2] for line in lines)


def _plain_test(node: Node) -> bool:
    """Return whether the shell takes brackets for a test as well, and nothing in them for a redirection or an end."""
    text = (node.text or b"").decode(errors="replace")
    if text.startswith("[["):
        return text[2:3] in _BLANK and text[-3:-2] in _BLANK
    signs = {item.type for item in every(node) if not item.is_named}
    if re.search(r"\s-[vR]\s", text):
        # The name of a variable may hold an index, and that index an order.
        return False
    inside = text.startswith("[") and text[1:2] in _BLANK and text[-2:-1] in _BLANK
    return inside and not signs & {"<", ">", "<=", ">=", "&&", "||", "(", ")", ";", "&", "|"}


def _goes_round(root: Node) -> bool:
    """Return whether a function runs itself, through others too."""
    called: dict[bytes | None, set[bytes | None]] = {}
    for node in every(root):
        if node.type == "function_definition":
            name = next((child.text for child in node.children if child.type == "word"), None)
            called.setdefault(name, set()).update(item.text for item in every(node) if item.type == "command_name")
    while True:
        # What calls none of the others can be left out, until only circles are there.
        ends = [name for name, names in called.items() if not names & called.keys()]
        if not ends:
            return bool(called)
        for name in ends:
            del called[name]


def _evaluates(nodes: list[Node]) -> bool:
    """Return whether something is calculated, which in bash may run what a text says."""
    return any(
        node.type in {"arithmetic_expansion", "test_command", "((", "declaration_command", "unset_command", "subscript"}
        or (node.type == "command_name" and (node.text or b"").decode(errors="replace") in _EVALUATING_WORDS)
        for node in nodes
    )


def _hides_code(nodes: list[Node]) -> bool:
    """Return whether a text that is not read as code looks like some."""
    return any(
        node.type in {"raw_string", "ansi_c_string", "word", "string_content", "heredoc_content"}
        and _HIDDEN_CODE.search((node.text or b"").decode(errors="replace"))
        for node in nodes
    )


def _dynamic(nodes: list[Node]) -> bool:
    """Return whether something is calculated with that comes from elsewhere."""
    return any(
        node.type in {"arithmetic_expansion", "subscript"}
        and any(item.type in {"command_substitution", "process_substitution"} for item in every(node))
        for node in nodes
    )
