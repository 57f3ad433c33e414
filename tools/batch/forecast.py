"""What is known of the steps of a plan before they run: what their results will be like, and their arguments so far."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from tools.batch import shapes
from tools.batch.expressions import Expression, ExpressionError, Template, compiled, each_leaf, templates_in, uses_of
from tools.batch.rows import RowError, first_row, missing_file
from tools.batch.shapes import UNKNOWN, ValueShape, inferred, misfit, object_of, of_kind
from tools.errors import PlanProblem
from tools.schema.output import PlainOutput
from tools.spec import MISSING

if TYPE_CHECKING:
    from tools.batch.plan import BatchPlan, Step
    from tools.batch.result import StepResult
    from tools.batch.steps import ReadyStep
    from tools.registry import ToolRegistry
    from tools.tool import Tool


class StepPreview(NamedTuple):
    """What a step will be given, as far as that is known.

    Attributes:
        arguments: By name; what is not known yet stands there as the plan has it, between `${` and `}`.
        later: The arguments of which some part is known only later.
        row: The first row of a step with rows; MISSING when there is none, or it is not known yet.
        problems: What cannot be worked out although everything for it is known.
    """

    arguments: Mapping[str, Any]
    later: tuple[str, ...] = ()
    row: Any = MISSING
    problems: tuple[str, ...] = ()


def preview(
    plan: BatchPlan,
    step: Step,
    *,
    parameters: Mapping[str, Any] | None = None,
    folder: Path | None = None,
    results: Mapping[str, StepResult] | None = None,
) -> StepPreview:
    """Return the arguments of a step with everything filled in that is known; for a step with rows, of its first one.

    Args:
        plan: The plan.
        step: One of its steps.
        parameters: What the plan is given; defaults count for the rest.
        folder: What relative paths start from; None reads no rows from files.
        results: What came of steps that ended, by step.

    Raises:
        ExpressionError: When an expression of the step cannot be read.
    """
    given = {name: item.default for name, item in plan.parameters.items() if item.default is not None}
    used = {name: results[name] for name in uses_of(step) if name in results} if results else {}
    filling = _Filling({**given, **(parameters or {})}, used)
    row = MISSING if step.rows is None else _first_row(step, folder, filling)
    if row is not MISSING:
        filling.scope |= {"row": row, "index": 0}
    arguments, later = {}, []
    for name, value in step.arguments.items():
        filling.is_whole = True
        arguments[name] = filling.filled(value)
        if not filling.is_whole:
            later.append(name)
    return StepPreview(arguments, tuple(later), row, tuple(filling.problems))


class Forecast:
    """Tell what results and rows of a plan will be like."""

    def __init__(self, plan: BatchPlan, registry: ToolRegistry, folder: Path | None = None) -> None:
        self._plan = plan
        self._folder = folder
        tools = {step.id: registry.lookup(step.tool) or registry.find(step.tool) for step in plan.steps}
        status = of_kind("string")
        steps = {step.id: object_of({"result": _result(step, tools[step.id]), "status": status}) for step in plan.steps}
        parameters = {name: of_kind(item.type) for name, item in plan.parameters.items()}
        self._scope = {"steps": object_of(steps), "parameters": object_of(parameters)}

    def problems(self, ready: ReadyStep, where: str) -> Iterator[PlanProblem]:
        """Go through what can never fit of a step: parts that results do not have, and values of the wrong kind."""
        step = ready.step
        found: list[str] = []
        scope = object_of(self._scope)
        if ready.condition is not None:
            shapes.expression_shape(ready.condition, scope, found.append)
            yield from _told(found, f"{where}.condition", step)
        rows = UNKNOWN
        if step.rows is not None:
            rows = self._rows(ready, found)
            yield from _told(found, f"{where}.rows", step)
            scope = object_of({**self._scope, "row": rows, "index": of_kind("integer")})
        for name, value in ready.arguments.items():
            if any(templates_in(value)):
                shape, expected = inferred(value, scope, found.append), _expected(ready.tool, name)
                if expected is not None and not found and (why := misfit(shape, expected)):
                    found.append(why)
                yield from _told(found, f"{where}.arguments.{name}", step)

    def _rows(self, ready: ReadyStep, found: list[str]) -> ValueShape:
        rows = ready.step.rows
        assert rows is not None  # noqa: S101 -- who calls has looked
        if rows.values is not None:
            shape = inferred(ready.rows, object_of(self._scope), found.append)
            kinds = shape.kinds
            if kinds is not None and "array" not in kinds:
                found.append(f"expected a list of rows, and what comes is {shapes.said(kinds)}")
            return shape.items
        if self._folder is None:
            return UNKNOWN
        try:
            row = first_row(rows, self._folder)
        except RowError as error:
            # A file that is not there may still come, and steps that this one waits for may write another.
            if not ready.needs and not missing_file(rows, self._folder):
                found.append(str(error))
            return UNKNOWN
        if row is MISSING:
            return UNKNOWN
        # A heading holds for all rows; of other files, later rows may have what the first one has not.
        return shapes.shape_of(row) if rows.json_file is None else UNKNOWN


class _Filling:
    """Fill in what is known, and leave the rest as it is written."""

    def __init__(self, parameters: Mapping[str, Any], results: Mapping[str, StepResult]) -> None:
        steps = {
            name: {"result": item.plain_result, "status": item.state.value}
            for name, item in results.items()
            if item.state.ended
        }
        self.scope: dict[str, Any] = {"parameters": dict(parameters), "steps": steps}
        self.is_whole = True
        self.problems: list[str] = []

    def filled(self, value: Any) -> Any:
        """Return a JSON value with everything filled in that is known."""
        return each_leaf(compiled(value), lambda leaf: leaf.value(self._value) if isinstance(leaf, Template) else leaf)

    def _value(self, expression: Expression) -> Any:
        if all(self._is_known(item.root, item.name) for item in expression.references):
            try:
                return expression.value(self.scope)
            except ExpressionError as error:
                self.problems.append(str(error))
        self.is_whole = False
        return f"${{{expression.text}}}"

    def _is_known(self, root: str, name: str) -> bool:
        return root in self.scope and (not name or name in self.scope[root])


def _first_row(step: Step, folder: Path | None, filling: _Filling) -> Any:
    """Return the first row of a step; MISSING when it has none, or it is not known."""
    rows = step.rows
    if rows is None or (folder is None and rows.values is None):
        return MISSING
    if rows.values is not None:
        values = filling.filled(rows.values)
        return values[0] if isinstance(values, list) and values else MISSING
    try:
        return first_row(rows, folder or Path())
    except RowError:
        # The file may come from a step before; when it is there and wrong, the step says so.
        return MISSING


def _expected(tool: Tool | None, name: str) -> ValueShape | None:
    """Return the shape of an argument; None where the tool is not known, or does not list it."""
    schema = {} if tool is None else tool.arguments.input_schema
    wanted = ValueShape(schema, schema)
    return wanted.field(name) if name in wanted.names else None


def _result(step: Step, tool: Tool | None) -> ValueShape:
    schema = None if tool is None else tool.output.output_schema
    shape = UNKNOWN
    if tool is not None and schema is not None:
        shape = ValueShape(schema, schema, not isinstance(tool.output, PlainOutput))
    if step.rows is not None:
        shape = shapes.list_of(shape)
    return shapes.one_of([shape, of_kind("null")]) if step.continue_on_failure else shape


def _told(found: list[str], place: str, step: Step) -> Iterator[PlanProblem]:
    for message in dict.fromkeys(found):
        yield PlanProblem(place, message, step.id)
    found.clear()
