"""Check data against a JSON Schema that anybody may have written."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Final

from pydantic import Field

from tools.catalog._bounds import stop_if_cancelled
from tools.errors import ToolFailure
from tools.schema.bounded import BoundedCheck, Strictness, UnsoundSchemaError

if TYPE_CHECKING:
    from tools.context import ToolContext


@dataclass(frozen=True, slots=True)
class SchemaProblem:
    """One place that does not fit."""

    path: Annotated[str, Field(description="Where in the data, such as $.people[0].age.")]
    message: Annotated[str, Field(description="What is wrong there.")]
    keyword: Annotated[str, Field(description="The schema's rule that is broken, such as type or required.")]
    schema_path: Annotated[str, Field(description="Where that rule stands in the schema.")]


_MOST_COUNTED: Final = 10_000
_LONGEST_MESSAGE: Final = 500
_WITHIN_S: Final = 60.0


def problems_of(data: Any, schema: Any, most: int, ctx: ToolContext) -> tuple[list[SchemaProblem], int]:
    """Return the first problems and how many there are.

    Raises:
        ToolFailure: The schema is wrong, refers to something elsewhere, or its patterns try for too long.
    """
    if not isinstance(schema, dict):
        raise ToolFailure("the schema is no JSON Schema: expected an object")
    try:
        check = BoundedCheck(schema, strictness=Strictness.STRICT)
    except UnsoundSchemaError as error:
        raise ToolFailure(f"the schema is no JSON Schema: {error}") from error
    checked = check.errors(data, most=_MOST_COUNTED, within_s=_WITHIN_S, on_step=lambda: stop_if_cancelled(ctx))
    if checked.fault is not None:
        place = f" at {checked.fault.place}" if checked.fault.place else ""
        raise ToolFailure(f"the schema{place} {checked.fault.words}")
    # Of a name that cannot be, the rules that it breaks are told.
    told = [inner for one in checked.errors for inner in (one.context if one.validator == "propertyNames" else [one])]
    problems = [
        SchemaProblem(one.json_path, _short(one.message), str(one.validator), _pointer(one.absolute_schema_path))
        for one in told[:most]
    ]
    return problems, len(told)


def _pointer(path: Any) -> str:
    return "#/" + "/".join(str(part) for part in path)


def _short(message: str) -> str:
    return message if len(message) <= _LONGEST_MESSAGE else message[: _LONGEST_MESSAGE - 1] + "…"
