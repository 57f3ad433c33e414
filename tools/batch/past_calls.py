"""A plan of calls that were made one after the other: what visibly came from an earlier result is taken from there."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from tools.batch.expressions import each_leaf, literal
from tools.batch.plan import BatchPlan, Step
from tools.masking import MASK

_LEAST_LETTERS: Final = 4
_LEAST_NUMBER: Final = 100
"""Shorter texts and smaller numbers are the same by chance."""
_DEEPEST: Final = 6
_MOST_VALUES: Final = 5_000
_LONGEST_NAME: Final = 90
_NAME: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


class CallOfConversation(NamedTuple):
    """A call that was made.

    Attributes:
        result: What came of it, as JSON.
        group: Calls of one group were asked for at once; those of a later one may rest on what the earlier ones did.
        said: All that people said until then; a value of theirs comes from nowhere else.
    """

    tool: str
    arguments: Mapping[str, Any]
    result: Any
    group: int = 0
    said: str = ""


class PlanOfCalls(NamedTuple):
    """A plan of calls that were made.

    Attributes:
        missing: How many steps lack arguments that were hidden when the calls were kept.
    """

    plan: BatchPlan
    missing: int


def plan_of_calls(name: str, calls: Sequence[CallOfConversation]) -> PlanOfCalls:
    """Return a plan that makes calls again.

    A step waits for those of the group before it. An argument that is letter by letter a value of an earlier result,
    and was said by nobody, becomes an expression; of several results it is the newest.
    """
    steps: list[Step] = []
    known: dict[str, str] = {}
    found: dict[str, str] = {}
    before: tuple[str, ...] = ()
    at_once: tuple[str, ...] = ()
    missing, group = 0, None
    for call in calls:
        if call.group != group:
            # Calls of one group knew nothing of each other.
            known |= found
            before, at_once, found, group = at_once, (), {}, call.group
        id_ = _free_id(call.tool, steps)
        kept = {key: given for key, given in call.arguments.items() if MASK not in _key(given)}
        missing += len(kept) < len(call.arguments)
        arguments = {key: _taken(given, known, call.said) for key, given in kept.items()}
        steps.append(Step(id=id_, tool=call.tool, arguments=arguments, depends_on=before))
        at_once = (*at_once, id_)
        found |= {_key(value): path for value, path in _values(call.result, f"steps.{id_}.result")}
    return PlanOfCalls(BatchPlan(name=name, steps=tuple(steps)), missing)


def _free_id(tool: str, steps: Sequence[Step]) -> str:
    stem = re.sub(r"\W", "_", tool.rpartition(".")[2], flags=re.ASCII)[:_LONGEST_NAME] or "step"
    stem = stem if _NAME.fullmatch(stem) else f"_{stem}"
    taken, id_, number = {step.id for step in steps}, stem, 1
    while id_ in taken:
        number += 1
        id_ = f"{stem}_{number}"
    return id_


def _taken(value: Any, known: Mapping[str, str], said: str) -> Any:
    """Return an argument with expressions in the place of what came from earlier results."""
    if isinstance(value, dict | list) and value and (path := known.get(_key(value))) is not None:
        return f"${{{path}}}"

    def meant(leaf: Any) -> Any:
        path = known.get(_key(leaf)) if _tells(leaf) and str(leaf) not in said else None
        return literal(leaf) if path is None else f"${{{path}}}"

    return each_leaf(value, meant)


def _tells(leaf: Any) -> bool:
    """Return whether two equal values are hardly so by chance."""
    if isinstance(leaf, bool) or leaf is None:
        return False
    return len(leaf) >= _LEAST_LETTERS if isinstance(leaf, str) else abs(leaf) >= _LEAST_NUMBER or leaf % 1 != 0


def _key(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


def _values(result: Any, path: str) -> Iterator[tuple[Any, str]]:
    """Yield the values of a result with their paths, the deepest first, so that a short path outlasts a long one."""
    found: list[tuple[Any, str]] = []
    level = [(result, path)]
    for _ in range(_DEEPEST):
        found += level[: _MOST_VALUES - len(found)]
        level = [inner for value, where in level for inner in _inner(value, where)]
    yield from reversed(found)


def _inner(value: Any, path: str) -> Iterator[tuple[Any, str]]:
    if isinstance(value, Mapping):
        for name, item in value.items():
            yield item, f"{path}.{name if _NAME.fullmatch(name) else json.dumps(name)}"
    elif isinstance(value, list):
        for at, item in enumerate(value):
            yield item, f"{path}[{at}]"
