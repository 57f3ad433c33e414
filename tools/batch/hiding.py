"""What nobody is shown of a plan: what its tools hide of arguments, and the parameters that end there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from tools.batch.expressions import templates_in
from tools.batch.steps import shown_arguments
from tools.masking import MASK

if TYPE_CHECKING:
    from tools.batch.expressions import Filled
    from tools.batch.plan import BatchPlan
    from tools.batch.steps import ReadyStep
    from tools.tool import Tool


def given_shown(tool: Tool | None, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
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
