"""Look at a plan before anything of it runs: everything that is wrong with it, at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from tools.batch.expressions import ExpressionError, compiled, expression_of, templates_in
from tools.batch.graph import ToolDependencyGraph
from tools.batch.step_previews import ResultForecast
from tools.batch.steps import ready_step
from tools.errors import ArgumentsError, DependencyCycleError, PlanError, PlanProblem

if TYPE_CHECKING:
    from tools.batch.expressions import ExpressionRoot
    from tools.batch.plan import BatchPlan, Step
    from tools.batch.steps import ReadyStep
    from tools.registry import ToolRegistry
    from tools.tool import Tool

_MOST_CIRCLES: Final = 20
_PYTHON_TYPES: Final[Mapping[str, tuple[type, ...]]] = {
    "string": (str,),
    "number": (int, float),
    "integer": (int,),
    "boolean": (bool,),
    "array": (list, tuple),
    "object": (Mapping,),
}


def checked(
    plan: BatchPlan, registry: ToolRegistry, parameters: Mapping[str, Any], folder: Path | None = None
) -> dict[str, ReadyStep]:
    """Check a plan and what it is given, and return its steps by name, with their expressions read.

    Raises:
        PlanError: When anything does not fit; every problem is listed.
    """
    steps: dict[str, ReadyStep] = {}
    problems = [*_plan_problems(plan, registry, folder, steps), *_parameter_problems(plan, parameters)]
    if problems:
        raise PlanError(problems, plan.name)
    return steps


def filled_parameters(plan: BatchPlan, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a plan is given, with the defaults of what is not."""
    return {name: given.get(name, parameter.default) for name, parameter in plan.parameters.items()}


def plan_problems(
    plan: BatchPlan,
    registry: ToolRegistry,
    folder: Path | None = None,
    *,
    yield_to_ui: Callable[[], object] = lambda: None,
) -> list[PlanProblem]:
    """Return everything that is wrong with a plan, whatever it is given; empty when it may run.

    With a folder, the heads of files with rows are looked at. `yield_to_ui` is called before each step; it may wait
    some milliseconds for a thread that must not.
    """
    return list(_plan_problems(plan, registry, folder, {}, yield_to_ui))


def _plan_problems(
    plan: BatchPlan,
    registry: ToolRegistry,
    folder: Path | None,
    steps: dict[str, ReadyStep],
    yield_to_ui: Callable[[], object] = lambda: None,
) -> Iterator[PlanProblem]:
    """Go through everything that is wrong with a plan; the steps that can be read are put into `steps`."""
    if not plan.steps:
        yield PlanProblem("steps", "expected at least one step, got none")
        return
    for name, times in Counter(step.id for step in plan.steps).items():
        if times > 1:
            yield PlanProblem("steps", f"{times} steps are called {name!r}; give each a name of its own", name)
    ids = {step.id for step in plan.steps}
    forecast = ResultForecast(plan, registry, folder)
    for index, step in enumerate(plan.steps):
        where = f"steps[{index}]"
        yield_to_ui()
        yield from _file_name_problems(step, where)
        try:
            ready = steps[step.id] = ready_step(step, registry)
        except ExpressionError:
            yield from _unreadable(step, where)
            continue
        for name in step.depends_on:
            if name not in ids:
                message = f"no step is called {name!r}; there are {_listed(ids)}"
                yield PlanProblem(f"{where}.depends_on", message, step.id)
        unknown = list(_references(ready, plan, ids, where))
        yield from unknown or forecast.problems(ready, where)
        yield from _tool_problems(ready, registry, where)
    yield from _circles({name: [other for other in ready.needs if other in ids] for name, ready in steps.items()})
    for name, parameter in plan.parameters.items():
        if parameter.default is not None and (message := type_misfit(parameter.default, parameter.type)):
            yield PlanProblem(f"parameters.{name}.default", message)
    yield from _limit_problems(plan, registry)


def _circles(needs: Mapping[str, Sequence[str]]) -> Iterator[PlanProblem]:
    """Go through the circles of steps that wait for each other, each without what the one before was opened at."""
    left = {name: list(others) for name, others in needs.items()}
    for _ in range(_MOST_CIRCLES):
        try:
            ToolDependencyGraph().add_all(left)
        except DependencyCycleError as error:
            yield PlanProblem("steps", str(error), error.circle[0])
            left[error.circle[0]].remove(error.circle[1])
        else:
            return


def _unreadable(step: Step, where: str) -> Iterator[PlanProblem]:
    """Go through the parts of a step whose expressions cannot be read."""
    parts = [(f"arguments.{name}", compiled, value) for name, value in step.arguments.items()]
    parts.append(("condition", expression_of, step.condition))
    parts.append(("rows", compiled, "" if step.rows is None else step.rows.values))
    for name, read, value in parts:
        try:
            if value:
                read(value)
        except ExpressionError as error:
            yield PlanProblem(f"{where}.{name}", str(error), step.id)


def _file_name_problems(step: Step, where: str) -> Iterator[PlanProblem]:
    rows = step.rows
    name = None if rows is None else rows.csv or rows.json_file or rows.files
    if name and "${" in name:
        message = f"expected the name of a file, got an expression in {name!r:.80}; only rows.values takes expressions"
        yield PlanProblem(f"{where}.rows", message, step.id)


def _references(ready: ReadyStep, plan: BatchPlan, ids: set[str], where: str) -> Iterator[PlanProblem]:
    found = [*templates_in(ready.arguments, f"{where}.arguments"), *templates_in(ready.rows, f"{where}.rows")]
    used = [(place, expression) for place, template in found for expression in template.expressions]
    if ready.condition is not None:
        used.append((f"{where}.condition", ready.condition))
    for place, expression in used:
        for reference in expression.references:
            message = _reference_problem(reference, ready.step, plan, ids, is_argument=".arguments" in place)
            if message:
                yield PlanProblem(place, f"${{{expression.text}}}: {message}", ready.step.id)


def _reference_problem(
    reference: ExpressionRoot, step: Step, plan: BatchPlan, ids: set[str], *, is_argument: bool
) -> str:
    if reference.root == "steps" and reference.name not in ids:
        return f"no step is called {reference.name!r}; there are {_listed(ids)}"
    if reference.root == "steps" and reference.path[:1] not in {("result",), ("status",)}:
        return f"expected steps.{reference.name}.result or steps.{reference.name}.status"
    if reference.root == "parameters" and reference.name not in plan.parameters:
        return f"the plan has no parameter {reference.name!r}; there are {_listed(plan.parameters)}"
    if reference.root in {"row", "index"} and (step.rows is None or not is_argument):
        return f"{reference.root!r} means something only in the arguments of a step with rows"
    return ""


def _tool_problems(ready: ReadyStep, registry: ToolRegistry, where: str) -> Iterator[PlanProblem]:
    step, tool = ready.step, ready.tool
    if tool is None:
        yield PlanProblem(f"{where}.tool", _no_tool(step.tool, registry), step.id)
        return
    if (refusal := registry.refusal(tool.name)) is not None:
        message = f"the tool {tool.name!r} {refusal.why}; {refusal.remedy or 'enable it first'}"
        yield PlanProblem(f"{where}.tool", message, step.id)
    if step.retries and not tool.spec.idempotent:
        message = f"{tool.name!r} is not idempotent, so a call of it is not made again; expected 0 retries"
        yield PlanProblem(f"{where}.retries", message, step.id)
    yield from _argument_problems(ready, tool, where)


def _no_tool(name: str, registry: ToolRegistry) -> str:
    if not name:
        return "expected the name of a tool, got none; choose one"
    close = registry.closest(name)
    remedy = f"did you mean {close!r}?" if close else "list the tools to see their names"
    return f"no tool is called {name!r}; {remedy}"


def _argument_problems(ready: ReadyStep, tool: Tool, where: str) -> Iterator[PlanProblem]:
    """Check what is known before anything runs; what an expression comes to is checked when its call is made."""
    later = {name for name, value in ready.arguments.items() if any(templates_in(value))}
    known = {name: value for name, value in ready.step.arguments.items() if name not in later}
    names = tool.arguments.input_schema.get("properties", {})
    if isinstance(names, Mapping) and tool.arguments.input_schema.get("additionalProperties") is False:
        for name in later - set(names):
            message = f"{tool.name!r} has no such argument; it has {_listed(names)}"
            yield PlanProblem(f"{where}.arguments.{name}", message, ready.step.id)
    try:
        tool.arguments.validate(known)
    except ArgumentsError as error:
        for problem in error.problems:
            first = problem.path.split(".", 1)[0].split("[", 1)[0]
            if not (first in later or (not problem.path and later)):
                place = f"{where}.arguments" + (f".{problem.path}" if problem.path else "")
                expected = str(problem).removeprefix(f"{problem.path}: ")
                yield PlanProblem(place, expected, ready.step.id)


def _limit_problems(plan: BatchPlan, registry: ToolRegistry) -> Iterator[PlanProblem]:
    for name in plan.limits.tools:
        if registry.find(name) is None:
            yield PlanProblem(f"limits.tools.{name}", _no_tool(name, registry))
    sources = {source.name for source in registry.sources} if plan.limits.sources else set()
    for name in plan.limits.sources:
        if name not in sources:
            yield PlanProblem(f"limits.sources.{name}", f"no source is called {name!r}; there are {_listed(sources)}")


def type_misfit(value: Any, kind: str) -> str:
    """Return why a value is not of a JSON type; empty when it is."""
    if isinstance(value, _PYTHON_TYPES[kind]) and (kind == "boolean" or not isinstance(value, bool)):
        return ""
    return f"expected a value of type {kind}, got {value!r:.80}"


def _parameter_problems(plan: BatchPlan, given: Mapping[str, Any]) -> Iterator[PlanProblem]:
    for name in given:
        if name not in plan.parameters:
            message = f"the plan has no such parameter; it has {_listed(plan.parameters)}"
            yield PlanProblem(f"parameters.{name}", message)
    for name, parameter in plan.parameters.items():
        if name not in given and parameter.default is None:
            said = f": {parameter.description}" if parameter.description else ""
            yield PlanProblem(f"parameters.{name}", f"a run needs a {parameter.type} for it{said}")
        elif name in given and (message := type_misfit(given[name], parameter.type)):
            yield PlanProblem(f"parameters.{name}", message)


def _listed(names: Any) -> str:
    some = sorted(names)
    return ", ".join(some[:10]) + (" …" if len(some) > 10 else "") if some else "none"  # noqa: PLR2004 -- a line's worth
