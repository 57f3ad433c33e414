"""Check data against a JSON Schema that anybody may have written."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final

import jsonschema
from jsonschema.protocols import Validator
from jsonschema.validators import Draft202012Validator, extend, validator_for
from referencing import Registry
from referencing.exceptions import Unresolvable

from tools.catalog._bounds import stop_if_cancelled
from tools.catalog._patterns import PATTERN_TIMEOUT_S, compiled, time_limited
from tools.catalog._schema_problem import SchemaProblem
from tools.errors import ToolFailure

if TYPE_CHECKING:
    from tools.context import ToolContext

_extend: Callable[..., type[Validator]] = extend
_MOST_COUNTED: Final = 10_000
_LONGEST_MESSAGE: Final = 500


def problems_of(data: Any, schema: Any, most: int, ctx: ToolContext) -> tuple[list[SchemaProblem], int]:
    """Return the first problems and how many there are.

    Raises:
        ToolFailure: The schema is wrong, refers to something elsewhere, or its patterns try for too long.
    """
    if not isinstance(schema, dict):
        raise ToolFailure("the schema is no JSON Schema: expected an object")
    kind = validator_for(schema, default=Draft202012Validator)
    try:
        kind.check_schema(schema)
    except jsonschema.SchemaError as error:
        raise ToolFailure(f"the schema is no JSON Schema: {error.json_path}: {_short(error.message)}") from error
    # A registry without a way to fetch keeps `$ref` from reaching into the network.
    checker = _extend(kind, _TIMED)(schema, registry=Registry())
    problems: list[SchemaProblem] = []
    count = 0
    try:
        for found in checker.iter_errors(data):
            stop_if_cancelled(ctx)
            count += 1
            if len(problems) < most:
                place = _pointer(found.absolute_schema_path)
                problems.append(SchemaProblem(found.json_path, _short(found.message), str(found.validator), place))
            if count == _MOST_COUNTED:
                break
    except Unresolvable as error:
        raise ToolFailure(f"the schema refers to {error.ref!r}, which is not in it; put it under $defs") from error
    except RecursionError as error:
        raise ToolFailure(
            "the data or the schema is nested too deeply, or the schema refers to itself for ever"
        ) from error
    return problems, count


def _pointer(path: Any) -> str:
    return "#/" + "/".join(str(part) for part in path)


def _short(message: str) -> str:
    return message if len(message) <= _LONGEST_MESSAGE else message[: _LONGEST_MESSAGE - 1] + "…"


def _fits(pattern: str, text: str) -> bool:
    with time_limited(pattern, "a value"):
        return compiled(pattern).search(text, timeout=PATTERN_TIMEOUT_S) is not None


def _pattern(_validator: Any, pattern: str, instance: Any, _schema: Any) -> Iterator[jsonschema.ValidationError]:
    if isinstance(instance, str) and not _fits(pattern, instance):
        yield jsonschema.ValidationError(f"{instance!r} does not match {pattern!r}")


def _pattern_properties(
    validator: Any, patterns: Mapping[str, Any], instance: Any, _schema: Any
) -> Iterator[jsonschema.ValidationError]:
    if not isinstance(instance, dict):
        return
    for pattern, rules in patterns.items():
        for name, value in instance.items():
            if _fits(pattern, name):
                yield from validator.descend(value, rules, path=name, schema_path=pattern)


def _additional_properties(
    validator: Any, rules: Any, instance: Any, schema: Mapping[str, Any]
) -> Iterator[jsonschema.ValidationError]:
    if not isinstance(instance, dict):
        return
    patterns = schema.get("patternProperties", {})
    known = schema.get("properties", {})
    extras = [name for name in instance if name not in known and not any(_fits(pattern, name) for pattern in patterns)]
    if rules is False and extras:
        names = ", ".join(map(repr, extras))
        yield jsonschema.ValidationError(f"{names} {'is' if len(extras) == 1 else 'are'} not allowed here")
    elif isinstance(rules, dict):
        for name in extras:
            yield from validator.descend(instance[name], rules, path=name)


# Python's own patterns have no time limit and hold every other thread meanwhile.
_TIMED: Final = {
    "pattern": _pattern,
    "patternProperties": _pattern_properties,
    "additionalProperties": _additional_properties,
}
