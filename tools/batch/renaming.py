"""Give a step of a plan another name, wherever the plan says it: other steps wait for it, and take its result."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from jmespath.exceptions import JMESPathError
from jmespath.lexer import Lexer

from tools.batch.expressions import Expression, ExpressionError, each_leaf, expression_spans

if TYPE_CHECKING:
    from tools.batch.plan import BatchPlan, Step

_BARE: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_NAMES: Final = frozenset({"unquoted_identifier", "quoted_identifier"})
_STRING: Final = json.JSONDecoder()
_PROBE: Final = "a step that no plan has"


def with_renamed_step(plan: BatchPlan, old: str, new: str) -> BatchPlan:
    """Return a plan in which a step has another name, and so has whatever waits for it or takes its result.

    An expression that cannot be read stays as it is.
    """
    return plan.model_copy(update={"steps": renamed_steps(plan.steps, {old: new})})


def renamed_steps(steps: tuple[Step, ...], names: Mapping[str, str]) -> tuple[Step, ...]:
    """Return steps of which some have other names, by the old ones, in their references to each other too."""
    return tuple(_renamed(step, names) for step in steps)


def _renamed(step: Step, names: Mapping[str, str]) -> Step:
    text = step.model_dump_json()
    if not any(name in text for name in names):
        # Few of many steps say any of the names, and reading expressions takes long.
        return step

    def follow(leaf: Any) -> Any:
        return _template(leaf, names) if isinstance(leaf, str) else leaf

    rows = step.rows
    if rows is not None and rows.values is not None:
        rows = rows.model_copy(update={"values": each_leaf(rows.values, follow)})
    return step.model_copy(
        update={
            "id": names.get(step.id, step.id),
            "depends_on": tuple(names.get(name, name) for name in step.depends_on),
            "arguments": each_leaf(step.arguments, follow),
            "condition": _renamed_expression(step.condition, names) if step.condition else "",
            "rows": rows,
        }
    )


def _template(text: str, names: Mapping[str, str]) -> str:
    pieces, at = [], 0
    try:
        for begin, end in expression_spans(text):
            pieces += [text[at:begin], _renamed_expression(text[begin:end], names)]
            at = end
    except ExpressionError:
        return text
    return "".join((*pieces, text[at:]))


def _renamed_expression(text: str, names: Mapping[str, str]) -> str:
    try:
        tokens = list(Lexer().tokenize(text))
    except JMESPathError:
        return text
    # From the last one on, so that the places of the others stay what they are.
    for root, dot, name in reversed(list(zip(tokens, tokens[1:], tokens[2:], strict=False))):
        new = names.get(name["value"]) if name["type"] in _NAMES else None
        if new is None or (root["value"], dot["type"]) != ("steps", "dot"):
            continue
        begin = name["start"]
        # WORKAROUND jmespath 1.1: the end of a quoted name is told as its length.
        end = _STRING.raw_decode(text, begin)[1] if name["type"] == "quoted_identifier" else name["end"]
        if _is_reference(text, begin, end):
            text = text[:begin] + _written(new) + text[end:]
    return text


def _is_reference(text: str, begin: int, end: int) -> bool:
    """Say whether a name is that of a step: within a row, or in what a filter looks at, `steps` may be any field."""
    try:
        changed = Expression(text[:begin] + _written(_PROBE) + text[end:])
    except ExpressionError:
        return False
    return any((reference.root, reference.name) == ("steps", _PROBE) for reference in changed.references)


def _written(name: str) -> str:
    return name if _BARE.fullmatch(name) else json.dumps(name)
