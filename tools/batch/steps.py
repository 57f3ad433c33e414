"""Steps with their expressions read: what a plan says, ready to run, and what nobody is shown of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from tools.batch.expressions import Expression, compiled, expression_of, templates_in, used_in
from tools.batch.plan import title_of
from tools.masking import MASK

if TYPE_CHECKING:
    from pathlib import Path

    from tools.batch.expressions import Filled
    from tools.batch.plan import BatchPlan, Step
    from tools.card import ToolFacts
    from tools.metrics import ToolMetrics
    from tools.registry import ToolRegistry
    from tools.tool import Tool


class ReadyStep(NamedTuple):
    """One step with its expressions read.

    Attributes:
        tool: Its tool; None when no tool has that name now.
        condition: The condition; None when there is none.
        rows: The rows, with templates in them, where the plan says them itself; None when it does not.
        needs: The steps that must have ended: those it says, and those it uses.
        uses: The steps whose results or states it uses.
        is_plain: Whether nothing of it has to be worked out when it begins.
        is_idempotent: Whether a call of it may be made twice.
        hides: Whether its tool hides anything of its arguments or its result.
    """

    name: str
    step: Step
    tool: Tool | None
    arguments: Filled
    condition: Expression | None
    rows: Filled
    needs: tuple[str, ...]
    uses: tuple[str, ...]
    is_plain: bool
    is_idempotent: bool
    hides: bool
    retries: int


def ready_step(step: Step, registry: ToolRegistry) -> ReadyStep:
    """Return one step with its expressions read.

    Raises:
        ExpressionError: When one cannot be read.
    """
    tool = registry.find(step.tool)
    condition = expression_of(step.condition) if step.condition else None
    rows = compiled(step.rows.values) if step.rows is not None else None
    arguments = compiled(step.arguments)
    uses = used_in([arguments, rows], condition)
    is_idempotent = tool is not None and tool.spec.idempotent
    return ReadyStep(
        name=step.id,
        step=step,
        tool=tool,
        arguments=arguments,
        condition=condition,
        rows=rows,
        needs=tuple(dict.fromkeys((*step.depends_on, *uses))),
        uses=uses,
        is_plain=condition is None and step.rows is None and not any(templates_in(arguments)),
        is_idempotent=is_idempotent,
        hides=tool is not None and hides_something(tool),
        retries=step.retries if is_idempotent else 0,
    )


def ready_steps(plan: BatchPlan, registry: ToolRegistry) -> dict[str, ReadyStep]:
    """Return the steps of a plan by name, with their expressions read.

    Raises:
        ExpressionError: When one cannot be read.
    """
    return {step.id: ready_step(step, registry) for step in plan.steps}


def usual_s(steps: Mapping[str, ReadyStep], metrics: ToolMetrics) -> dict[str, float]:
    """Return the median seconds of each step's tool; 0 where none is known."""
    names = {name: ready.step.tool if ready.tool is None else ready.tool.name for name, ready in steps.items()}
    usual = {tool: (metrics.stats(tool).p50_ms or 0.0) / 1000 for tool in set(names.values())}
    return {name: usual[tool] for name, tool in names.items()}


def hides_something(tool: Tool) -> bool:
    """Return whether a tool's arguments or result are kept from people."""
    security = tool.security
    return tool.masking is not None or (security is not None and (security.sensitive or security.encrypt))


def shown_arguments(tool: ToolFacts | None, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return arguments as people may see them, although they may not fit the tool, or not yet."""
    masking = None if tool is None else tool.masking
    return arguments if masking is None else masking.arguments(arguments, fit=False)


def caller_of(plan: BatchPlan, file: Path | None = None) -> str:
    """Return the caller of a plan's calls; a plan without a name is called like its file."""
    return f"batch: {title_of(plan.name, file)}"


def given_shown(tool: ToolFacts | None, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return arguments as people may see them where no call shows them: of a sensitive tool their names alone."""
    if tool is not None and tool.sensitive:
        return dict.fromkeys(arguments, MASK)
    return shown_arguments(tool, arguments)


def hidden_parameters(plan: BatchPlan, steps: Iterable[ReadyStep]) -> frozenset[str]:
    """Return the parameters of a plan that some tool hides, as an argument that is made of them."""
    used = {name for ready in steps for name in _hidden(ready)}
    # One that is empty stands for all of them.
    return frozenset(plan.parameters) if "" in used else frozenset(used)


def _hidden(ready: ReadyStep) -> Iterator[str]:
    tool = ready.tool
    if tool is None or not ready.hides:
        return
    for name, value in ready.arguments.items():
        for where, used in _used(value, name):
            if not (tool.sensitive or tool.hides(where)):
                continue
            yield from used.get("parameters", ())
            if "row" in used:
                for _, behind in _used(ready.rows, ""):
                    yield from behind.get("parameters", ())


def _used(value: Filled, where: str) -> Iterator[tuple[str, dict[str, list[str]]]]:
    """Go through the places of a value that are worked out, with the names that each uses, by their roots."""
    for place, template in templates_in(value, where):
        used: dict[str, list[str]] = {}
        for expression in template.expressions:
            for reference in expression.references:
                used.setdefault(reference.root, []).append(reference.name)
        yield place, used
