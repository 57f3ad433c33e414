"""Contract clauses: restricted expressions and callables over a call's arguments and result."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Mapping
from typing import Any, Final

from simpleeval import DEFAULT_OPERATORS, EvalWithCompoundTypes, InvalidExpression

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

Check = Callable[[Mapping[str, Any]], None]


def compile_clause(clause: Clause, *, kind: str, owner: str) -> Check:
    """Return a check for one clause.

    Args:
        clause: An expression, or a callable that takes what it needs by parameter name.
        kind: `precondition`, `postcondition` or `invariant`, for messages.
        owner: Whose clause it is.

    Returns:
        A function of the values by name; it raises `ContractError` when the clause does not hold.

    Raises:
        DeclarationError: When an expression does not parse.
    """
    return _expression(clause, kind, owner) if isinstance(clause, str) else _callable(clause, kind)


def _expression(text: str, kind: str, owner: str) -> Check:
    try:
        parsed = EvalWithCompoundTypes.parse(text)
        used = sorted({node.id for node in ast.walk(ast.parse(text, mode="eval")) if isinstance(node, ast.Name)})
    except (InvalidExpression, SyntaxError) as error:
        msg = f"{owner}: the {kind} {text!r} is not an expression: {error}"
        raise DeclarationError(msg) from error

    def check(values: Mapping[str, Any]) -> None:
        evaluator = EvalWithCompoundTypes(operators=DEFAULT_OPERATORS, functions=dict(FUNCTIONS), names=dict(values))
        try:
            holds = evaluator.eval(text, previously_parsed=parsed)
        except Exception as error:
            msg = f"the {kind} {text!r} could not be checked: {error}"
            raise ContractError(msg) from error
        if not holds:
            seen = ", ".join(f"{name} = {values[name]!r:.80}" for name in used if name in values)
            msg = f"the {kind} {text!r} does not hold" + (f" ({seen})" if seen else "")
            raise ContractError(msg)

    return check


def _callable(clause: Callable[..., Any], kind: str) -> Check:
    wanted = tuple(inspect.signature(clause).parameters)
    name = getattr(clause, "__name__", repr(clause))

    def check(values: Mapping[str, Any]) -> None:
        given = {key: values.get(key) for key in wanted}
        if clause(**given) is False:
            seen = ", ".join(f"{key} = {value!r:.80}" for key, value in given.items())
            msg = f"the {kind} {name!r} does not hold" + (f" ({seen})" if seen else "")
            raise ContractError(msg)

    return check
