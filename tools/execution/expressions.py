"""Contract clauses: restricted expressions and callables over a call's arguments and result."""

from __future__ import annotations

import ast
import inspect
import reprlib
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from simpleeval import DEFAULT_OPERATORS, EvalWithCompoundTypes, InvalidExpression

from tools.calls import MASK
from tools.errors import ContractError, DeclarationError
from tools.spec import Clause

if TYPE_CHECKING:
    from tools.tool import Tool

FUNCTIONS: Final[dict[str, Callable[..., Any]]] = {
    "abs": abs,
    "all": all,
    "any": any,
    "len": len,
    "lower": str.lower,
    "max": max,
    "min": min,
    "round": round,
    "sum": sum,
}
"""What an expression may call; nothing of it has side effects."""

METHODS: Final = frozenset(
    {"count", "endswith", "find", "get", "index", "isalnum", "isalpha", "isdigit", "items", "keys", "lower", "lstrip"}
    | {"rstrip", "split", "splitlines", "startswith", "strip", "upper", "values"}
)
"""The methods an expression may call: those of texts, lists and mappings that no other type gives a side effect."""

MOST_PARTS: Final = 10
"""How many values a message shows."""
_SHORT: Final = reprlib.Repr()
_SHORT.maxstring = _SHORT.maxother = 80
_SHORT.maxlong = 40

Check = Callable[[Mapping[str, Any]], None]
Hidden = Callable[[str], bool]


def compile_clauses(tool: Tool) -> tuple[tuple[Check, ...], tuple[Check, ...]]:
    """Return the checks before and after a call, for where the tool is; their messages show no value that is hidden.

    Raises:
        DeclarationError: When an expression does not parse, or calls what might have side effects.
    """
    contract = tool.policies.contract
    if contract is None:
        return (), ()

    def hidden(name: str) -> bool:
        return tool.sensitive or tool.hides(name)

    def compiled(clauses: tuple[Clause, ...], kind: str) -> tuple[Check, ...]:
        return tuple(compile_clause(clause, kind=kind, owner=tool.owner, hidden=hidden) for clause in clauses)

    invariants = compiled(contract.invariants, "invariant")
    return (
        compiled(contract.pre, "precondition") + invariants,
        compiled(contract.post, "postcondition") + invariants,
    )


def compile_clause(clause: Clause, *, kind: str, owner: str, hidden: Hidden = lambda _: False) -> Check:
    """Return a check for one clause.

    Args:
        clause: An expression, or a callable that takes what it needs by parameter name.
        kind: `precondition`, `postcondition` or `invariant`, for messages.
        hidden: Whether the value at a path (`token`, `auth.token`, `items[0]["key"]`) must not be shown in messages.

    Returns:
        A function of the values by name; it raises `ContractError` when the clause does not hold.
    """
    return _expression(clause, kind, owner, hidden) if isinstance(clause, str) else _callable(clause, kind, hidden)


def _expression(text: str, kind: str, owner: str, hidden: Hidden) -> Check:
    try:
        parsed = EvalWithCompoundTypes.parse(text)
        tree = ast.parse(text.strip(), mode="eval")
    except (InvalidExpression, SyntaxError) as error:
        msg = f"{owner}: the {kind} {text!r} is not an expression: {error}"
        raise DeclarationError(msg) from error
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and not _is_harmless(node.func):
            allowed = ", ".join([*FUNCTIONS, *(f".{name}" for name in sorted(METHODS))])
            msg = f"{owner}: the {kind} {text!r} calls {ast.unparse(node.func)!r}; an expression may call {allowed}"
            raise DeclarationError(msg)
    parts = _parts_of(tree)

    def check(values: Mapping[str, Any]) -> None:
        evaluator = EvalWithCompoundTypes(operators=DEFAULT_OPERATORS, functions=dict(FUNCTIONS), names=dict(values))
        try:
            holds = evaluator.eval(text, previously_parsed=parsed)
        except Exception as error:
            msg = f"the {kind} {text!r} could not be checked: {error}"
            raise ContractError(msg) from error
        if not holds:
            seen = _seen(parts, values, evaluator)
            raise ContractError(f"the {kind} {text!r} does not hold{_values(seen, hidden)}")

    return check


def _is_harmless(function: ast.expr) -> bool:
    if isinstance(function, ast.Name):
        return function.id in FUNCTIONS
    return isinstance(function, ast.Attribute) and function.attr in METHODS


class _Part(NamedTuple):
    """A part of an expression whose value is worth showing: `limit`, `result.total`, `options["depth"]`.

    Attributes:
        root: The name it begins with.
        path: Where its value is, as far as that can be told without evaluating it.
    """

    words: str
    root: str
    path: str
    node: ast.expr


def _parts_of(tree: ast.Expression) -> tuple[_Part, ...]:
    """Return the names, attributes and items that an expression reads, each as far as it is followed."""
    bound = {
        name.id
        for node in ast.walk(tree)
        if isinstance(node, ast.comprehension)
        for name in ast.walk(node.target)
        if isinstance(name, ast.Name)
    }
    found: dict[str, _Part] = {}

    def visit(node: ast.AST) -> None:
        if isinstance(node, ast.Call):
            # A method's name is no value; a function's is none of the call's.
            if isinstance(node.func, ast.Attribute):
                visit(node.func.value)
            for argument in node.args:
                visit(argument)
        elif isinstance(node, ast.Name | ast.Attribute | ast.Subscript) and (root := _root(node)) is not None:
            if not any(isinstance(name, ast.Name) and name.id in bound for name in ast.walk(node)):
                words = ast.unparse(node)
                found.setdefault(words, _Part(words, root, _path(node)[0], node))
            for index in _indices(node):
                visit(index)
        else:
            for child in ast.iter_child_nodes(node):
                visit(child)

    visit(tree.body)
    return tuple(found[words] for words in sorted(found))


def _root(node: ast.expr) -> str | None:
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
    return node.id if isinstance(node, ast.Name) else None


def _indices(node: ast.expr) -> list[ast.expr]:
    found: list[ast.expr] = []
    while isinstance(node, ast.Attribute | ast.Subscript):
        if isinstance(node, ast.Subscript):
            found.append(node.slice)
        node = node.value
    return found


def _path(node: ast.expr) -> tuple[str, bool]:
    """Return where a part's value is, and whether that is all of it; what is computed ends the path early."""
    if isinstance(node, ast.Attribute):
        inner, whole = _path(node.value)
        return (f"{inner}.{node.attr}", True) if whole else (inner, False)
    if isinstance(node, ast.Subscript):
        inner, whole = _path(node.value)
        key = node.slice.value if isinstance(node.slice, ast.Constant) else None
        if whole and isinstance(key, int) and not isinstance(key, bool) and key >= 0:
            return f"{inner}[{key}]", True
        if whole and isinstance(key, str) and key.isidentifier():
            return f"{inner}.{key}", True
        return inner, False
    return (node.id, True) if isinstance(node, ast.Name) else ("", False)


def _seen(parts: tuple[_Part, ...], values: Mapping[str, Any], evaluator: EvalWithCompoundTypes) -> dict[str, _Value]:
    """Return the values of an expression's parts, by how they are written."""
    seen: dict[str, _Value] = {}
    for part in parts:
        if part.root not in values:
            continue
        try:
            seen[part.words] = _Value(part.path, evaluator.eval(part.words, previously_parsed=part.node))
        except Exception:  # noqa: BLE001 -- the clause went another way, so the whole is what there is to show
            seen.setdefault(part.root, _Value(part.root, values[part.root]))
    return seen


class _Value(NamedTuple):
    path: str
    value: Any


def _values(seen: Mapping[str, _Value], hidden: Hidden) -> str:
    shown = [f"{name} = {MASK if hidden(path) else _SHORT.repr(value)}" for name, (path, value) in seen.items()]
    if len(shown) > MOST_PARTS:
        shown[MOST_PARTS:] = [f"and {len(shown) - MOST_PARTS} more"]
    return f" ({', '.join(shown)})" if shown else ""


def _callable(clause: Callable[..., Any], kind: str, hidden: Hidden) -> Check:
    wanted = tuple(inspect.signature(clause).parameters)
    name = getattr(clause, "__name__", repr(clause))

    def check(values: Mapping[str, Any]) -> None:
        given = {key: values.get(key) for key in wanted}
        try:
            answer = clause(**given)
            holds = answer is None or bool(answer)
            why = ""
        except AssertionError as error:
            holds, why = False, f": {error}" if str(error) else ""
        except Exception as error:
            raise ContractError(f"the {kind} {name!r} could not be checked: {error}") from error
        if not holds:
            seen = {key: _Value(key, value) for key, value in given.items()}
            raise ContractError(f"the {kind} {name!r} does not hold{why}{_values(seen, hidden)}")

    return check
