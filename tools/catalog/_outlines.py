"""What a source file declares: exactly for Python and shell scripts, by the words before names for other languages."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Final, Literal

from pydantic import Field

from tools.errors import ToolFailure

SymbolKind = Literal["class", "function", "method", "variable", "type", "module", "heading"]

_LONGEST_SIGNATURE: Final = 300
_LONGEST_TEXT: Final = 200
_WORDS: Final[dict[str, SymbolKind]] = {
    "function": "function",
    "func": "function",
    "fn": "function",
    "fun": "function",
    "def": "function",
    "sub": "function",
    "proc": "function",
    "class": "class",
    "struct": "class",
    "interface": "type",
    "protocol": "type",
    "enum": "type",
    "trait": "type",
    "type": "type",
    "union": "type",
    "typedef": "type",
    "module": "module",
    "namespace": "module",
    "mod": "module",
    "package": "module",
}
_HEADING: Final = re.compile(r"^(#{1,6})\s+(.+?)\s*#*\s*$")
_FENCE: Final = re.compile(r"^\s*(```|~~~)")
_MARKDOWN: Final = frozenset({".md", ".markdown"})
_SHELL: Final = frozenset({".sh", ".bash"})
_PYTHON: Final = frozenset({".py", ".pyi", ".pyw"})


@dataclass(frozen=True, slots=True)
class CodeSymbol:
    """Something that a source file declares."""

    name: Annotated[str, Field(description="Its name, with those of what it is in, such as Parser.read.")]
    kind: Annotated[SymbolKind, Field(description="What it is.")]
    line: Annotated[int, Field(description="Number of its first line, from 1.")]
    end_line: Annotated[int | None, Field(description="Number of its last line; null when that is not known.")]
    signature: Annotated[str, Field(description="How it is declared; of a heading, its level as # signs.")]
    description: Annotated[str, Field(description="The first line of what is written about it; empty when nothing is.")]

    @property
    def own_name(self) -> str:
        return self.name.rpartition(".")[2]


def is_exact(path: Path) -> bool:
    """Return whether the outline of a file is read by a parser of its language."""
    return path.suffix.lower() in _PYTHON | _SHELL | _MARKDOWN


def outline(path: Path, text: str, name: str) -> list[CodeSymbol]:
    """Return what a source file declares, in its order.

    Args:
        path: The file, whose name tells the language.
        name: What it is called in messages.

    Raises:
        ToolFailure: It is in no language that is known, or not correct Python.
    """
    suffix = path.suffix.lower()
    if suffix in _PYTHON:
        try:
            tree = ast.parse(text)
        except (SyntaxError, ValueError, RecursionError) as error:
            line = getattr(error, "lineno", None)
            where = f" in line {line}" if line else ""
            raise ToolFailure(f"{name!r} is no correct Python{where}: {getattr(error, 'msg', error)}") from error
        return list(_of_python(tree, "", in_class=False))
    if suffix in _SHELL:
        return list(_of_shell(text))
    if suffix in _MARKDOWN:
        return list(_of_markdown(text))
    return list(_by_words(path, text, name))


def _of_python(node: ast.AST, prefix: str, *, in_class: bool) -> Iterator[CodeSymbol]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
            name = f"{prefix}{child.name}"
            yield _python_symbol(child, name, "method" if in_class else "function", _function_signature(child))
            yield from _of_python(child, f"{name}.", in_class=False)
        elif isinstance(child, ast.ClassDef):
            name = f"{prefix}{child.name}"
            bases = ", ".join(ast.unparse(base) for base in (*child.bases, *child.keywords))
            yield _python_symbol(
                child, name, "class", f"class {child.name}({bases})" if bases else f"class {child.name}"
            )
            yield from _of_python(child, f"{name}.", in_class=True)
        elif isinstance(child, ast.Assign | ast.AnnAssign) and (in_class or not prefix):
            targets = child.targets if isinstance(child, ast.Assign) else [child.target]
            for target in targets:
                if isinstance(target, ast.Name):
                    signature = _cut(ast.unparse(child), _LONGEST_TEXT)
                    yield CodeSymbol(f"{prefix}{target.id}", "variable", child.lineno, child.end_lineno, signature, "")
        elif isinstance(child, ast.If | ast.Try | ast.With):
            yield from _of_python(child, prefix, in_class=in_class)


def _python_symbol(
    node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef, name: str, kind: SymbolKind, signature: str
) -> CodeSymbol:
    description = (ast.get_docstring(node) or "").split("\n", 1)[0]
    signature, description = _cut(signature, _LONGEST_SIGNATURE), _cut(description, _LONGEST_TEXT)
    return CodeSymbol(name, kind, node.lineno, node.end_lineno, signature, description)


def _function_signature(node: ast.FunctionDef | ast.AsyncFunctionDef) -> str:
    returns = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    word = "async def" if isinstance(node, ast.AsyncFunctionDef) else "def"
    return f"{word} {node.name}({ast.unparse(node.args)}){returns}"


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else text[:most] + "…"


def _of_shell(text: str) -> Iterator[CodeSymbol]:
    import tree_sitter_bash  # noqa: PLC0415 -- few files are shell scripts
    from tree_sitter import Language, Parser  # noqa: PLC0415 -- as above

    content = text.encode("utf-8", "surrogatepass")
    pending: list[Any] = [Parser(Language(tree_sitter_bash.language())).parse(content).root_node]
    while pending:
        node = pending.pop()
        pending += reversed(node.children)
        named = node.child_by_field_name("name")
        if node.type == "function_definition" and named is not None:
            name = content[named.start_byte : named.end_byte].decode("utf-8", "replace")
            yield CodeSymbol(name, "function", node.start_point[0] + 1, node.end_point[0] + 1, f"{name}()", "")


def _of_markdown(text: str) -> Iterator[CodeSymbol]:
    fenced = False
    for number, line in enumerate(text.splitlines(), 1):
        if _FENCE.match(line):
            fenced = not fenced
        elif not fenced and (found := _HEADING.match(line)):
            yield CodeSymbol(found[2], "heading", number, None, found[1], "")


def _by_words(path: Path, text: str, name: str) -> Iterator[CodeSymbol]:
    """Yield names that follow a word which declares something in most languages; nothing else is told of them."""
    from pygments.token import Comment, Name, Token  # noqa: PLC0415 -- the tools are listed without it

    lines = text.splitlines()
    line = 1
    kind: SymbolKind | None = None
    for token, value in tokens(path, text, name):
        if token in Comment or (token in Token.Literal) or not value.strip():
            line += value.count("\n")
            continue
        word = value.strip()
        if token in Name.Function or token in Name.Class:
            declared: SymbolKind = "class" if token in Name.Class else "function"
            yield _word_symbol(word, kind or declared, line, lines)
            kind = None
        elif kind is not None and token in Name:
            yield _word_symbol(word, kind, line, lines)
            kind = None
        elif word in _WORDS:
            kind = _WORDS[word]
        elif word not in {"*", "<", ">", "&"}:
            kind = None
        line += value.count("\n")


def _word_symbol(word: str, kind: SymbolKind, line: int, lines: list[str]) -> CodeSymbol:
    signature = lines[line - 1].strip() if line <= len(lines) else word
    return CodeSymbol(word, kind, line, None, _cut(signature, _LONGEST_SIGNATURE), "")


def tokens(path: Path, text: str, name: str) -> Iterator[tuple[Any, str]]:
    """Yield the words and signs of a source file with what each is.

    Raises:
        ToolFailure: It is in no language that is known.
    """
    from pygments.lexers import get_lexer_for_filename  # noqa: PLC0415 -- as above
    from pygments.lexers.special import TextLexer  # noqa: PLC0415 -- as above
    from pygments.util import ClassNotFound  # noqa: PLC0415 -- as above

    try:
        lexer = get_lexer_for_filename(path.name, stripnl=False, ensurenl=False)
    except ClassNotFound:
        lexer = None
    if lexer is None or isinstance(lexer, TextLexer):
        raise ToolFailure(f"{name!r} is in no programming language that is known by its name")
    yield from lexer.get_tokens(text)
