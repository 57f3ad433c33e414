"""Read the sentences that `tools` makes: refusals, errors, what to do about them, and why a tool is unhealthy.

`tools` makes them in English, writes them down and hands them to agents; the window recognises them and says them in
its language (`console/sentences.py`). So each is read here as a pattern, with `{1}` and `{2}` for its values. What an
f-string takes from a choice of words (`"call" if count == 1 else "calls"`) is written out, one pattern for each choice.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from itertools import product
from typing import Final, TypeAlias

from console.sentences import Pattern

SAID_TO_OTHERS: Final = frozenset(
    {
        "ArgumentParser", "Field", "Param", "ProtocolError", "TypeVar", "add_argument", "add_note", "cast", "compile",
        "create_task", "debug", "encode", "endswith", "exception", "execute", "executemany", "executescript", "info",
        "keep", "log", "log_exception", "partition", "removeprefix", "removesuffix", "replace", "say_cut", "search",
        "split", "startswith", "sub", "tool", "warning",
    }
)  # fmt: skip
"""Calls whose words no person reads in the window: logs, names of tasks, patterns, queries, and descriptions."""

MOST_CHOICES: Final = 12
"""An f-string with more choices of words keeps places for them, and each choice is a sentence of its own."""

_NO_SENTENCE: Final = re.compile(
    r"""^[#<\["]|%[srd]|  |[\n\t]|^import |^from \w+ import|=\0|\(\0?,$|<[a-z!?]|\(\?|\\[bdswW.]|\w/\w[\w.+-]*, \S+/"""
    r"|\b(ANALYZE|AND|BEFORE|BETWEEN|EXPLAIN|IN|INDEX|INSERT|JOIN|KILL|MATCH|MESSAGES|NOT|NULL|SELECT|SINCE|UID|UNSEEN|UPDATE)\b"
    r"|\bWHERE\b|^License ::|^-//|^(async )?(class|def)\b|\[href\]|^(Dis)?[Aa]llow: |^EC "
)
_PLACE: Final = re.compile(r"\{[a-z_]*\}")


class Place:
    """A value in a sentence.

    Args:
        form: How a number is written, such as `,`; "" for what is no number.
    """

    def __init__(self, form: str = "") -> None:
        self.form = "," if form.rstrip("}").endswith((",", "f", "g")) else ""


Parts: TypeAlias = tuple[str | Place, ...]


def sentences_of(source: bytes) -> Iterator[str]:
    """Yield the patterns of the sentences in a module, in no particular order and some more than once."""
    tree = ast.parse(source)
    yield from _Module(tree).sentences()


class _Module:
    def __init__(self, tree: ast.Module) -> None:
        self._tree = tree
        self._tables = {}
        self._functions = {}
        for node in tree.body:
            match node:
                case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                    self._tables[name] = value
                case ast.FunctionDef(name=name):
                    self._functions[name] = node

    def sentences(self) -> Iterator[str]:
        yield from self._within(self._tree, {})

    def _within(self, node: ast.AST, names: dict[str, list[ast.expr]]) -> Iterator[str]:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            names = _assigned(node)
        elif isinstance(node, ast.JoinedStr | ast.BinOp) or (
            isinstance(node, ast.Constant) and isinstance(node.value, str)
        ):
            yield from filter(None, map(_pattern, self._choices(node, names)))
        elif isinstance(node, ast.Call) and _called(node) == "counted":
            yield from self._counts(node.args[1:])
        for child in _parts_of(node):
            yield from self._within(child, names)

    def _counts(self, nouns: list[ast.expr]) -> Iterator[str]:
        """Yield a count with its noun; the nouns of several counts may stand in a table."""
        match nouns:
            case [ast.Starred(value=ast.Subscript(value=ast.Name(id=name)))]:
                table = self._tables[name]
                for one in table.values if isinstance(table, ast.Dict) else ():
                    yield from self._counts(one.elts if isinstance(one, ast.Tuple) else [])
            case [ast.Constant(value=str(one))]:
                yield from (f"1 {one}", f"{{1:,}} {one}s")
            case [ast.Constant(value=str(one)), ast.Constant(value=str(several))]:
                yield from (f"1 {one}", f"{{1:,}} {several}")

    def _choices(self, node: ast.expr, names: dict[str, list[ast.expr]]) -> list[Parts]:
        """Return what a text can be, each as its words and the places of its values."""
        match node:
            case ast.Constant(value=str(text)):
                return [_with_places(text)]
            case ast.JoinedStr(values=parts):
                joined = [
                    # Braces in an f-string are its own.
                    self._words_of(part, names) if isinstance(part, ast.Constant) else self._choices(part, names)
                    for part in parts
                ]
                return _product(joined) or _product(
                    [[(Place(),)] if len(one) > 1 else one for one in joined],
                )
            case ast.BinOp(op=ast.Add(), left=left, right=right):
                return _product([self._choices(left, names), self._choices(right, names)]) or [(Place(),)]
            case ast.FormattedValue(value=value, conversion=conversion, format_spec=form):
                if form is not None:
                    return [(Place("".join(_constants(form))),)]
                return self._words_of(value, names) if conversion == -1 else [(Place(),)]
        return self._words_of(node, names)

    def _words_of(self, node: ast.expr, names: dict[str, list[ast.expr]]) -> list[Parts]:
        """Return the words that a value is one of; a place where it can be anything."""
        match node:
            case ast.Constant(value=str(text)):
                return [(text,)]
            case ast.JoinedStr():
                return self._choices(node, names)
            case ast.IfExp(body=body, orelse=other):
                return [*self._words_of(body, names), *self._words_of(other, names)]
            case ast.Name(id=name) if name in names:
                found = [words for value in names[name] for words in self._words_of(value, {})]
                return found if all(len(words) == 1 and isinstance(words[0], str) for words in found) else [(Place(),)]
            case (
                ast.Subscript(value=ast.Name(id=name))
                | ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="get"))
            ) if name in self._tables:
                words = list(_table_of(self._tables[name]))
                return [(one,) for one in words] or [(Place(),)]
            case ast.Call(func=ast.Name(id=name)) if name in self._functions:
                returned = [one.value for one in ast.walk(self._functions[name]) if isinstance(one, ast.Return)]
                if returned and all(value is not None and _is_written_out(value) for value in returned):
                    return [words for value in returned if value for words in self._words_of(value, {})]
        return [(Place(),)]


def _parts_of(node: ast.AST) -> Iterable[ast.AST]:
    """Return the parts of a node whose words may be read by a person: no docstrings, types, keys and comparisons."""
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            return node.body
        case ast.Subscript(slice=ast.JoinedStr() as kept):
            return (kept,)
        case ast.Expr(value=ast.Constant()) | ast.Compare() | ast.Assert() | ast.Subscript():
            return ()
        case ast.AnnAssign():
            return () if node.value is None else (node.value,)
        case ast.Call() if _called(node) in SAID_TO_OTHERS:
            return (node.func,)
        case ast.Dict():
            return node.values
        case ast.JoinedStr():
            return [part.value for part in node.values if isinstance(part, ast.FormattedValue)]
    return ast.iter_child_nodes(node)


def _called(node: ast.Call) -> str:
    return node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")


def _assigned(function: ast.FunctionDef | ast.AsyncFunctionDef) -> dict[str, list[ast.expr]]:
    """Return what is assigned to each name of a function that nothing else gives a value."""
    found: dict[str, list[ast.expr]] = {}
    others = {argument.arg for argument in ast.walk(function) if isinstance(argument, ast.arg)}
    for node in ast.walk(function):
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                found.setdefault(name, []).append(value)
            case ast.Assign(targets=[ast.Tuple(elts=names)], value=ast.Tuple(elts=values)) if len(names) == len(values):
                for target, value in zip(names, values, strict=True):
                    if isinstance(target, ast.Name):
                        found.setdefault(target.id, []).append(value)
            case ast.Name(id=name, ctx=ast.Store()):
                others.add(name) if name not in _plain_targets(function) else None
    return {name: values for name, values in found.items() if name not in others}


def _plain_targets(function: ast.AST) -> set[str]:
    targets = set()
    for node in ast.walk(function):
        if isinstance(node, ast.Assign):
            for target in node.targets:
                targets |= {one.id for one in ast.walk(target) if isinstance(one, ast.Name)}
    return targets


def _is_written_out(value: ast.expr) -> bool:
    if isinstance(value, ast.IfExp):
        return _is_written_out(value.body) and _is_written_out(value.orelse)
    return isinstance(value, ast.JoinedStr) or _is_fixed(value)


def _is_fixed(value: ast.expr) -> bool:
    if isinstance(value, ast.IfExp):
        return _is_fixed(value.body) and _is_fixed(value.orelse)
    return isinstance(value, ast.Constant) and isinstance(value.value, str)


def _table_of(node: ast.expr) -> Iterator[str]:
    match node:
        case ast.Dict(values=values) if all(map(_is_fixed, values)):
            yield from (str(value.value) for value in values if isinstance(value, ast.Constant))
        case ast.Call(args=[table]):
            yield from _table_of(table)


def _constants(node: ast.AST) -> Iterator[str]:
    yield from (one.value for one in ast.walk(node) if isinstance(one, ast.Constant) and isinstance(one.value, str))


def _with_places(text: str) -> Parts:
    """Return the parts of a constant, which may be written for `str.format`."""
    words: list[str | Place] = []
    at = 0
    for found in _PLACE.finditer(text):
        words += [text[at : found.start()], Place()]
        at = found.end()
    return (*words, text[at:])


def _product(choices: Iterable[list[Parts]]) -> list[Parts]:
    """Return every way to take one of each; () for more than are written out."""
    choices = list(choices)
    count = 1
    for one in choices:
        count *= len(one)
    if count > MOST_CHOICES:
        return []
    return [tuple(part for parts in ways for part in parts) for ways in product(*choices)]


def _pattern(parts: Parts) -> str:
    """Return a sentence with numbered places; "" for what is none: a name, a path, a separator."""
    words = "".join(part if isinstance(part, str) else "\0" for part in parts)
    words = words.strip()
    if " " not in words or _NO_SENTENCE.search(words):
        return ""
    written, number = [], 0
    for part in parts:
        if isinstance(part, str):
            written.append(part.replace("{", "{{").replace("}", "}}"))
        else:
            number += 1
            written.append(f"{{{number}{part.form and ':'}{part.form}}}")
    pattern = "".join(written).strip()
    return pattern if Pattern.read(pattern).words else ""
