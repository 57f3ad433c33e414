"""Arguments taken from earlier results: JMESPath between `${` and `}`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import jmespath
from jmespath.exceptions import JMESPathError, JMESPathTypeError
from jmespath.parser import ParsedResult

from tools.schema import json_text

if TYPE_CHECKING:
    from tools.batch.plan import Step

ROOTS: Final = ("steps", "row", "index", "parameters")
"""What an expression may begin with."""

_DEEPEST: Final = 100
"""How many parts of an expression may stand in each other: whatever looks at them goes down by calling itself."""
_QUOTES: Final = "'\"`"
_OWN_SCOPE: Final = frozenset({"projection", "filter_projection", "value_projection", "pipe", "subexpression"})
"""Nodes whose first child alone looks at the whole; what follows looks at what came of it."""


class ExpressionError(ValueError):
    """Report an expression that cannot be read, or asks for what there is not; the message says what was expected."""


class ExpressionRoot(NamedTuple):
    """What an expression begins with.

    Attributes:
        root: One of `ROOTS`.
        name: The step or the parameter; empty when it names none.
        path: The fields that follow, as far as they are plain names.
    """

    root: str
    name: str = ""
    path: tuple[str, ...] = ()


class Expression:
    """Be one JMESPath expression over the steps' results, the row and the plan's parameters.

    Attributes:
        references: What it begins with, each once.

    Raises:
        ExpressionError: When it is no JMESPath, or begins with something else.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        try:
            self._parsed: ParsedResult = jmespath.compile(text)
            is_too_deep = _is_too_deep(self._parsed.parsed)
        except JMESPathError as error:
            first = str(error).splitlines()[0]
            raise ExpressionError(f"expected a JMESPath expression, got {text!r}: {first}") from error
        except RecursionError:
            is_too_deep = True
        if is_too_deep:
            raise ExpressionError(f"expected a JMESPath expression, got {text!r:.80}: it is nested too deeply")
        self.tree: Mapping[str, Any] = self._parsed.parsed
        self.references = tuple(dict.fromkeys(_references(self.tree, text)))

    def value(self, scope: Mapping[str, Any]) -> Any:
        """Return what it means now, as JSON.

        Raises:
            ExpressionError: When a function in it does not fit what it is given.
        """
        try:
            return self._parsed.search(scope)
        except JMESPathTypeError as error:
            # The library's own words quote the value, which may be hidden from people.
            wanted = " or ".join(error.expected_types)
            why = f"{error.function_name}() expects {wanted}, got {error.actual_type}"
        except JMESPathError as error:
            why = str(error).splitlines()[0]
        except TypeError:
            # Functions that sort and compare trust that all values are alike.
            why = "it compares values of different types"
        except RecursionError:
            why = "what it looks at is nested too deeply"
        raise ExpressionError(f"${{{self.text}}} cannot be worked out: {why}")


@lru_cache(maxsize=16_384)
def expression_of(text: str) -> Expression:
    """Return an expression; one that was read lately is not read again, since a page asks often what steps wait for.

    Raises:
        ExpressionError: As `Expression`.
    """
    return Expression(text)


class Template:
    """Be a text with expressions in it; `$${` stands for `${`.

    A text that is one expression and nothing else means its value, of whatever type; within other words a value is
    written as text.

    Raises:
        ExpressionError: When an expression in it cannot be read.
    """

    def __init__(self, text: str) -> None:
        self._parts = tuple(_parts(text))

    @property
    def expressions(self) -> tuple[Expression, ...]:
        return tuple(part for part in self._parts if isinstance(part, Expression))

    @property
    def is_one_expression(self) -> bool:
        return len(self._parts) == 1 and isinstance(self._parts[0], Expression)

    def value(self, value_of: Callable[[Expression], Any]) -> Any:
        if len(self._parts) == 1 and isinstance(self._parts[0], Expression):
            return value_of(self._parts[0])
        return "".join(part if isinstance(part, str) else _written(value_of(part)) for part in self._parts)


Filled = Any
"""A JSON value in which texts with expressions are `Template`s."""


def each_leaf(value: Any, change: Callable[[Any], Any]) -> Any:
    """Return a JSON value in which everything but lists and objects is what a function makes of it."""
    if isinstance(value, Mapping):
        return {name: each_leaf(item, change) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [each_leaf(item, change) for item in value]
    return change(value)


def literal(value: Any) -> Any:
    """Return a JSON value in which nothing is an expression: who passes values means them as they are."""
    return each_leaf(value, lambda leaf: leaf.replace("${", "$${") if isinstance(leaf, str) else leaf)


def compiled(value: Any) -> Filled:
    """Return a JSON value whose texts with expressions are ready to be worked out.

    Raises:
        ExpressionError: When an expression cannot be read.
    """
    return each_leaf(value, lambda leaf: Template(leaf) if isinstance(leaf, str) and "${" in leaf else leaf)


def worked_out(value: Filled, scope: Mapping[str, Any]) -> Any:
    """Return what a compiled value means now.

    Raises:
        ExpressionError: When an expression cannot be worked out.
    """

    def meant(leaf: Any) -> Any:
        return leaf.value(lambda expression: expression.value(scope)) if isinstance(leaf, Template) else leaf

    return each_leaf(value, meant)


def templates_in(value: Filled, where: str = "") -> Iterator[tuple[str, Template]]:
    """Go through the templates of a compiled value, each with its place."""
    if isinstance(value, Template):
        yield where, value
    elif isinstance(value, dict):
        for name, item in value.items():
            yield from templates_in(item, f"{where}.{name}" if where else name)
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from templates_in(item, f"{where}[{index}]")


def expression_spans(text: str) -> Iterator[tuple[int, int]]:
    """Go through the places of a text where an expression stands, between `${` and `}`.

    Raises:
        ExpressionError: When a brace is missing.
    """
    at = 0
    while (found := text.find("${", at)) >= 0:
        at = found + 2
        if not found or text[found - 1] != "$":
            end = _end_of(text, at)
            yield at, end
            at = end + 1


def needs_of(step: Step) -> tuple[str, ...]:
    """Return the steps that must have ended before one: those it says, and those whose results it uses.

    Raises:
        ExpressionError: When an expression of it cannot be read.
    """
    return tuple(dict.fromkeys((*step.depends_on, *uses_of(step))))


def uses_of(step: Step) -> tuple[str, ...]:
    """Return the steps whose results or states one uses.

    Raises:
        ExpressionError: When an expression of it cannot be read.
    """
    filled = compiled([step.arguments, None if step.rows is None else step.rows.values])
    return used_in(filled, expression_of(step.condition) if step.condition else None)


def used_in(filled: Filled, condition: Expression | None = None) -> tuple[str, ...]:
    """Return the steps whose results or states are taken by compiled values, or by a condition."""
    used = [expression for _, template in templates_in(filled) for expression in template.expressions]
    used += [] if condition is None else [condition]
    names = (item.name for expression in used for item in expression.references if item.root == "steps")
    return tuple(dict.fromkeys(names))


def _written(value: Any) -> str:
    return "" if value is None else value if isinstance(value, str) else json_text(value)


def _parts(text: str) -> Iterator[str | Expression]:
    at = 0
    for begin, end in expression_spans(text):
        if words := text[at : begin - 2].replace("$${", "${"):
            yield words
        yield expression_of(text[begin:end].strip())
        at = end + 1
    if words := text[at:].replace("$${", "${"):
        yield words


def _end_of(text: str, begin: int) -> int:
    """Return where the brace is that ends an expression; braces in quotes and in pairs belong to it."""
    depth, quote, at = 0, "", begin
    while at < len(text):
        letter = text[at]
        if quote:
            if letter == "\\":
                at += 1
            elif letter == quote:
                quote = ""
        elif letter in _QUOTES:
            quote = letter
        elif letter == "{":
            depth += 1
        elif letter == "}":
            if not depth:
                return at
            depth -= 1
        at += 1
    raise ExpressionError(
        f"expected a closing brace after {text[begin - 2 :]!r:.80}; write $${{ where you mean the letters themselves"
    )


def _references(node: Mapping[str, Any], text: str) -> Iterator[ExpressionRoot]:
    kind, children = node["type"], node["children"]
    if kind == "field":
        yield _reference([node["value"]], text)
    elif kind == "current":
        raise ExpressionError(f"${{{text}}} means everything at once; begin with one of {', '.join(ROOTS)}")
    elif kind == "subexpression" and children[0]["type"] == "field":
        names = [children[0]["value"]]
        for child in children[1:]:
            first = _first(child)
            if first["type"] == "field":
                names.append(first["value"])
            if first is not child:
                break
        yield _reference(names, text)
    elif kind == "index_expression" or kind in _OWN_SCOPE:
        yield from _references(children[0], text)
    elif kind != "expref":
        for child in children:
            yield from _references(child, text)


def _is_too_deep(tree: Mapping[str, Any]) -> bool:
    level = [tree]
    for _ in range(_DEEPEST):
        level = [child for node in level for child in node["children"] if isinstance(child, Mapping)]
        if not level:
            return False
    return True


def _first(node: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return what a part of a path begins with: the name in `name[0]` and in `name[]`."""
    while node["type"] in {"index_expression", *_OWN_SCOPE}:
        node = node["children"][0]
    return node


def _reference(names: list[str], text: str) -> ExpressionRoot:
    root = names[0]
    if root not in ROOTS:
        raise ExpressionError(f"${{{text}}} begins with {root!r}; expected one of {', '.join(ROOTS)}")
    if root in {"row", "index"}:
        return ExpressionRoot(root, "", tuple(names[1:]))
    if len(names) < 2:  # noqa: PLR2004 -- the root and the name
        kind = "step" if root == "steps" else "parameter"
        raise ExpressionError(f"${{{text}}} means all {root}; name one {kind}, as in {root}.name")
    return ExpressionRoot(root, names[1], tuple(names[2:]))
