"""What is known of the steps of a plan before they run: the shapes of their results, and their arguments so far."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from tools.batch.expressions import (
    Expression,
    ExpressionError,
    Filled,
    Template,
    compiled,
    each_leaf,
    templates_in,
    uses_of,
)
from tools.batch.rows import RowError, first_row, missing_file
from tools.errors import PlanProblem
from tools.schema.output import PlainOutput
from tools.schema.words import resolved
from tools.spec import MISSING

if TYPE_CHECKING:
    from tools.batch.plan import BatchPlan, Step
    from tools.batch.result import StepResult
    from tools.batch.steps import ReadyStep
    from tools.registry import ToolRegistry
    from tools.tool import Tool

_DEEPEST: Final = 8
_MOST_LOOKED_AT: Final = 100
_MOST_NAMED: Final = 8
_UNCERTAIN: Final = frozenset({"$ref", "allOf", "if", "$dynamicRef"})
_INDIRECT: Final = _UNCERTAIN | {"anyOf", "oneOf"}
_KINDS: Final = frozenset({"string", "number", "integer", "boolean", "null", "array", "object"})
_KIND_OF: Final = {bool: "boolean", str: "string", int: "integer", float: "number", type(None): "null"}
_CONVERTED: Final[Mapping[str, frozenset[str]]] = {
    "integer": frozenset({"number"}),
    "number": frozenset({"integer"}),
    # Texts are converted where a number or a boolean is wanted; whether this text can be, is known when it is there.
    "string": frozenset({"integer", "number", "boolean"}),
}


class ValueShape(NamedTuple):
    """What is known of a value.

    Attributes:
        schema: Its JSON Schema, in whose places other shapes may stand; an empty one knows nothing.
        is_closed: Whether objects have no other fields than those that are listed, where the schema is silent.
    """

    schema: Mapping[str, Any]
    root: Mapping[str, Any]
    is_closed: bool = False

    @property
    def kinds(self) -> frozenset[str] | None:
        """The JSON types that it may have; None when nothing is known."""
        found = [_kinds(option.schema) for option in self._options()]
        return frozenset().union(*(kinds or () for kinds in found)) or None if all(found) else None

    def field(self, name: str) -> ValueShape | None:
        """Return the shape of a field of an object; None when there is no such field."""
        found: list[ValueShape] = []
        for option in self._options():
            schema, kinds = option.schema, _kinds(option.schema)
            if kinds is not None and "object" not in kinds:
                continue
            fields, rest = schema.get("properties") or {}, schema.get("additionalProperties")
            closed = rest is False or (rest is None and option.is_closed and "patternProperties" not in schema)
            if name in fields:
                found.append(option.part(fields[name]))
            elif isinstance(rest, Mapping | ValueShape):
                found.append(option.part(rest))
            elif kinds is None or not fields or not closed:
                found.append(UNKNOWN)
        return one_of(found) if found else None

    @property
    def names(self) -> list[str]:
        return list(dict.fromkeys(name for option in self._options() for name in option.schema.get("properties") or {}))

    @property
    def required(self) -> list[str]:
        """The fields that it must have, whatever else it is."""
        options = [set(option.schema.get("required") or ()) for option in self._options()]
        return sorted(set.intersection(*options)) if options else []

    @property
    def items(self) -> ValueShape:
        lists = [option for option in self._options() if "array" in (_kinds(option.schema) or {"array"})]
        return one_of(option.part(option.schema.get("items", {})) for option in lists)

    def _options(self) -> list[ValueShape]:
        """Return what it may be, references followed and alternatives spread out."""
        if _INDIRECT.isdisjoint(self.schema):
            return [self]
        found: list[ValueShape] = []
        todo = [self]
        for _ in range(_MOST_LOOKED_AT):
            if not todo:
                return found
            option = todo.pop(0)
            option = option.part(resolved(option.schema, option.root))
            schema = option.schema
            alternatives = schema.get("anyOf") or schema.get("oneOf")
            if isinstance(alternatives, Sequence) and not isinstance(alternatives, str):
                todo += [option.part(item) for item in alternatives]
            else:
                # Nothing is known of a reference to another document, nor of what is put together.
                found.append(option if _UNCERTAIN.isdisjoint(schema) else UNKNOWN)
        return [UNKNOWN]

    def part(self, node: Any) -> ValueShape:
        if isinstance(node, ValueShape):
            return node
        return ValueShape(node if isinstance(node, Mapping) else {}, self.root, self.is_closed)


UNKNOWN: Final = ValueShape({}, {})


def of_kind(*kinds: str) -> ValueShape:
    """Return the shape of a value of which only the JSON type is known."""
    return ValueShape({"type": list(kinds)}, {})


def list_of(items: ValueShape) -> ValueShape:
    """Return the shape of a list."""
    return ValueShape({"type": "array", "items": items}, {})


def object_of(fields: Mapping[str, ValueShape]) -> ValueShape:
    """Return the shape of an object with these fields and no others."""
    return ValueShape({"type": "object", "properties": dict(fields)}, {}, is_closed=True)


def one_of(shapes: Iterable[ValueShape]) -> ValueShape:
    """Return the shape of a value that has one of some shapes."""
    found = list(shapes)
    if len(found) == 1:
        return found[0]
    return ValueShape({"anyOf": found}, {}) if found else UNKNOWN


def shape_of(value: Any, depth: int = 0) -> ValueShape:
    """Return the shape of a value that is there; a long list may hold anything."""
    if depth > _DEEPEST:
        return UNKNOWN
    if isinstance(value, Mapping):
        return object_of({str(name): shape_of(item, depth + 1) for name, item in value.items()})
    if isinstance(value, list | tuple):
        return list_of(
            one_of(shape_of(item, depth + 1) for item in value) if len(value) <= _MOST_LOOKED_AT else UNKNOWN
        )
    kind = next((_KIND_OF[known] for known in _KIND_OF if isinstance(value, known)), None)
    return UNKNOWN if kind is None else of_kind(kind)


def misfit(value: ValueShape, wanted: ValueShape, place: str = "", depth: int = 0) -> str:
    """Return why a value can never be what is wanted; empty when it can, or that is not known."""
    come, expected = value.kinds, wanted.kinds
    if come is None or expected is None or depth > _DEEPEST:
        return ""
    at = f" at {place}" if place else ""
    if not any(kind in expected or _CONVERTED.get(kind, frozenset()) & expected for kind in come):
        return f"expected {said(expected)}{at}, and what comes is {said(come)}"
    some = come - {"null"}
    if some == expected - {"null"} == {"array"}:
        return misfit(value.items, wanted.items, f"{place}[]", depth + 1)
    if some == expected - {"null"} == {"object"}:
        for name in wanted.required:
            if value.field(name) is None:
                return f"expected a field {name!r}{at}, and what comes has none"
        for name in wanted.names:
            came, asked = value.field(name), wanted.field(name)
            found = misfit(came, asked, f"{place}.{name}" if place else name, depth + 1) if came and asked else ""
            if found:
                return found
    return ""


def said(kinds: Iterable[str]) -> str:
    """Return JSON types in words."""
    return " or ".join(sorted(kinds))


def _kinds(schema: Mapping[str, Any]) -> frozenset[str] | None:
    named = schema.get("type")
    if isinstance(named, str | Sequence):
        return frozenset([named] if isinstance(named, str) else map(str, named)) & _KINDS or None
    if "const" in schema:
        return shape_of(schema["const"]).kinds
    if isinstance(schema.get("enum"), Sequence):
        return frozenset().union(*(shape_of(item).kinds or () for item in schema["enum"])) or None
    return frozenset({"object"}) if "properties" in schema else None


_FUNCTIONS: Final[Mapping[str, ValueShape]] = {
    **dict.fromkeys(("contains", "starts_with", "ends_with"), of_kind("boolean")),
    **dict.fromkeys(("join", "to_string", "type"), of_kind("string")),
    **dict.fromkeys(("abs", "sum", "ceil", "floor", "length"), of_kind("number")),
    **dict.fromkeys(("avg", "to_number"), of_kind("number", "null")),
    "keys": list_of(of_kind("string")),
    **dict.fromkeys(("values", "map", "to_array"), list_of(UNKNOWN)),
    "merge": of_kind("object"),
}
"""What functions of JMESPath return, whatever they are given."""
_ITEM_FUNCTIONS: Final = frozenset({"max", "min", "max_by", "min_by"})
_SAME_FUNCTIONS: Final = frozenset({"sort", "sort_by", "reverse"})


def inferred(filled: Filled, scope: ValueShape, problems: list[str]) -> ValueShape:
    """Return the shape that a compiled value will have; what can never fit is added to the problems."""
    if isinstance(filled, Template):
        shapes = [expression_shape(expression, scope, problems) for expression in filled.expressions]
        return shapes[0] if filled.is_one_expression else of_kind("string")
    if isinstance(filled, dict):
        return object_of({name: inferred(item, scope, problems) for name, item in filled.items()})
    if isinstance(filled, list):
        return list_of(one_of([inferred(item, scope, problems) for item in filled]))
    return shape_of(filled)


def expression_shape(expression: Expression, scope: ValueShape, problems: list[str]) -> ValueShape:
    """Return the shape of the value of an expression; see `inferred`."""
    return _Inference(expression, problems).of(expression.tree, scope)


class _Inference:
    """Follow the syntax tree of an expression; nodes that it does not know come to anything."""

    def __init__(self, expression: Expression, problems: list[str]) -> None:
        self._expression = expression
        self._problems = problems

    def of(self, node: Mapping[str, Any], at: ValueShape) -> ValueShape:  # noqa: C901, PLR0911, PLR0912 -- a branch for each kind
        kind, children = node["type"], node["children"]
        if kind in {"identity", "current"}:
            return at
        if kind == "field":
            return self._field(node["value"], at)
        if kind in {"subexpression", "index_expression", "pipe"}:
            for child in children:
                at = self.of(child, at)
            return at
        if kind == "index":
            return self._items(at, "an item")
        if kind == "slice":
            return list_of(self._items(at, "a part"))
        if kind in {"projection", "filter_projection"}:
            source, each, *condition = children
            item = self._items(self.of(source, at), "each item")
            for child in condition:
                self.of(child, item)
            return list_of(self.of(each, item))
        if kind == "flatten":
            item = self._items(self.of(children[0], at), "each item")
            kinds = item.kinds or {"array", ""}
            return list_of(item.items if kinds == {"array"} else item if "array" not in kinds else UNKNOWN)
        if kind == "value_projection":
            self.of(children[0], at)
            return list_of(UNKNOWN)
        if kind == "literal":
            return shape_of(node["value"])
        if kind == "multi_select_dict":
            return object_of({child["value"]: self.of(child["children"][0], at) for child in children})
        if kind == "function_expression":
            return self._call(node["value"], [self.of(child, at) for child in children])
        if kind in {"multi_select_list", "or_expression", "and_expression"}:
            found = one_of([self.of(child, at) for child in children])
            return list_of(found) if kind == "multi_select_list" else found
        if kind in {"comparator", "not_expression"}:
            for child in children:
                self.of(child, at)
            # The comparison of values that cannot be compared is null.
            return of_kind("boolean", "null")
        return UNKNOWN

    def _report(self, message: str) -> None:
        self._problems.append(f"${{{self._expression.text}}}: {message}")

    def _field(self, name: str, at: ValueShape) -> ValueShape:
        found = at.field(name)
        if found is not None:
            return found
        kinds = (at.kinds or frozenset()) - {"null"}
        if "object" in kinds:
            listed = ", ".join(at.names[:_MOST_NAMED]) + (" …" if len(at.names) > _MOST_NAMED else "")
            self._report(f"there is no {name!r} there; there are {listed}")
        elif kinds == {"array"}:
            self._report(f"{name!r} is looked for in a list; take it of each item, as in [].{name}")
        elif kinds:
            self._report(f"{name!r} is looked for in what is {said(at.kinds or ())}")
        return UNKNOWN

    def _items(self, at: ValueShape, what: str) -> ValueShape:
        kinds = at.kinds
        if kinds is not None and "array" not in kinds:
            self._report(f"{what} of a list is taken from what is {said(kinds)}")
            return UNKNOWN
        return at.items

    def _call(self, name: str, given: Sequence[ValueShape]) -> ValueShape:
        if given and name in _SAME_FUNCTIONS:
            return given[0]
        if given and name in _ITEM_FUNCTIONS:
            return given[0].items
        return one_of(given) if name == "not_null" else _FUNCTIONS.get(name, UNKNOWN)


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


class ResultForecast:
    """Tell what results and rows of a plan will be like."""

    def __init__(self, plan: BatchPlan, registry: ToolRegistry, folder: Path | None = None) -> None:
        self._folder = folder
        tools = {step.id: registry.find(step.tool) for step in plan.steps}
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
            expression_shape(ready.condition, scope, found)
            yield from _told(found, f"{where}.condition", step)
        rows = UNKNOWN
        if step.rows is not None:
            rows = self._rows(ready, found)
            yield from _told(found, f"{where}.rows", step)
            scope = object_of({**self._scope, "row": rows, "index": of_kind("integer")})
        for name, value in ready.arguments.items():
            if any(templates_in(value)):
                shape, expected = inferred(value, scope, found), _expected(ready.tool, name)
                if expected is not None and not found and (why := misfit(shape, expected)):
                    found.append(why)
                yield from _told(found, f"{where}.arguments.{name}", step)

    def _rows(self, ready: ReadyStep, found: list[str]) -> ValueShape:
        rows = ready.step.rows
        assert rows is not None  # noqa: S101 -- who calls has looked
        if rows.values is not None:
            shape = inferred(ready.rows, object_of(self._scope), found)
            kinds = shape.kinds
            if kinds is not None and "array" not in kinds:
                found.append(f"expected a list of rows, and what comes is {said(kinds)}")
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
        return shape_of(row) if rows.json_file is None else UNKNOWN


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
        known = self.scope
        if all(
            item.root in known and (not item.name or item.name in known[item.root]) for item in expression.references
        ):
            try:
                return expression.value(self.scope)
            except ExpressionError as error:
                self.problems.append(str(error))
        self.is_whole = False
        return f"${{{expression.text}}}"


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
        shape = list_of(shape)
    return one_of([shape, of_kind("null")]) if step.continue_on_failure else shape


def _told(found: list[str], place: str, step: Step) -> Iterator[PlanProblem]:
    for message in dict.fromkeys(found):
        yield PlanProblem(place, message, step.id)
    found.clear()
