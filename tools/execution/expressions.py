"""Contract clauses: restricted expressions and callables over a call's arguments and result."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Mapping
from typing import Any, Final

from simpleeval import DEFAULT_OPERATORS, EvalWithCompoundTypes, InvalidExpression

from tools.calls import MASK
from tools.errors import ContractError, DeclarationError
from tools.spec import Clause

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

Check = Callable[[Mapping[str, Any]], None]
Hidden = Callable[[str], bool]


def compile_clause(clause: Clause, *, kind: str, owner: str, hidden: Hidden = lambda _: False) -> Check:
    """Return a check for one clause.

    Args:
        clause: An expression, or a callable that takes what it needs by parameter name.
        kind: `precondition`, `postcondition` or `invariant`, for messages.
        owner: Whose clause it is.
        hidden: Which values must not be shown in messages.

    Returns:
        A function of the values by name; it raises `ContractError` when the clause does not hold.

    Raises:
        DeclarationError: When an expression does not parse, or calls what might have side effects.
    """
    return _expression(clause, kind, owner, hidden) if isinstance(clause, str) else _callable(clause, kind, hidden)


def _expression(text: str, kind: str, owner: str, hidden: Hidden) -> Check:
    try:
        parsed = EvalWithCompoundTypes.parse(text)
        nodes = list(ast.walk(ast.parse(text.strip(), mode="eval")))
    except (InvalidExpression, SyntaxError) as error:
        msg = f"{owner}: the {kind} {text!r} is not an expression: {error}"
        raise DeclarationError(msg) from error
    for node in nodes:
        if isinstance(node, ast.Call) and not _is_harmless(node.func):
            allowed = ", ".join([*FUNCTIONS, *(f".{name}" for name in sorted(METHODS))])
            msg = f"{owner}: the {kind} {text!r} calls {ast.unparse(node.func)!r}; an expression may call {allowed}"
            raise DeclarationError(msg)
    used = sorted({node.id for node in nodes if isinstance(node, ast.Name)})

    def check(values: Mapping[str, Any]) -> None:
        evaluator = EvalWithCompoundTypes(operators=DEFAULT_OPERATORS, functions=dict(FUNCTIONS), names=dict(values))
        try:
            holds = evaluator.eval(text, previously_parsed=parsed)
        except Exception as error:
            msg = f"the {kind} {text!r} could not be checked: {error}"
            raise ContractError(msg) from error
        if not holds:
            seen = {name: values[name] for name in used if name in values}
            raise ContractError(f"the {kind} {text!r} does not hold{_values(seen, hidden)}")

    return check


def _is_harmless(function: ast.expr) -> bool:
    if isinstance(function, ast.Name):
        return function.id in FUNCTIONS
    return isinstance(function, ast.Attribute) and function.attr in METHODS


def _values(seen: Mapping[str, Any], hidden: Hidden) -> str:
    shown = (f"{name} = {MASK if hidden(name) else format(repr(value), '.80')}" for name, value in seen.items())
    return f" ({', '.join(shown)})" if seen else ""


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
            raise ContractError(f"the {kind} {name!r} does not hold{why}{_values(given, hidden)}")

    return check
