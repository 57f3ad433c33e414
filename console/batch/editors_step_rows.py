"""One step of a plan as two sets of fields: what its tool is given, and when and how it runs."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final, NamedTuple

Schema = Mapping[str, Any]
NO_SCHEMA: Final[Schema] = MappingProxyType({})
_EXPRESSION: Final[Schema] = {
    "description": "A value of an earlier step, the row or a parameter, as in ${steps.load.result}",
    "type": "string",
    "pattern": r"\$\{",
}
_MOST_CHOICES: Final = 200
"""How many steps are offered to be picked; the names of more are written."""
_MOST_SOURCES: Final = 30
"""How many things an argument can be taken from by a menu; others are written."""
_PATH: Final[Schema] = {"type": "string", "format": "file-path"}
_ROWS: Final[Schema] = {
    "title": "Repeat over",
    "description": "Once for each row; the arguments take parts of it, as in ${row.name}",
    "oneOf": [
        {
            "title": "CSV file",
            "type": "object",
            "properties": {
                "csv": {**_PATH, "title": "csv", "description": "A file whose first line names the columns"}
            },
            "required": ["csv"],
            "additionalProperties": False,
        },
        {
            "title": "JSON file",
            "type": "object",
            "properties": {"json": {**_PATH, "description": "A list, or one value a line"}},
            "required": ["json"],
            "additionalProperties": False,
        },
        {
            "title": "Files by name",
            "type": "object",
            "properties": {
                "files": {"type": "string", "description": "A pattern of names", "examples": ["data/*.csv"]}
            },
            "required": ["files"],
            "additionalProperties": False,
        },
        {
            "title": "Earlier result",
            "type": "object",
            "properties": {"values": {**_EXPRESSION, "examples": ["${steps.load.result}"]}},
            "required": ["values"],
            "additionalProperties": False,
        },
        {
            "title": "Listed here",
            "type": "object",
            "properties": {"values": {"type": "array", "items": {}}},
            "required": ["values"],
            "additionalProperties": False,
        },
    ],
}


class StepValues(NamedTuple):
    """What a step says.

    Attributes:
        name: What it is called.
        tool: Its tool.
        arguments: What the tool is given.
        options: The rest, by the names that the plan's file has; what is left out has its default.
    """

    name: str
    tool: str
    arguments: Mapping[str, Any]
    options: Mapping[str, Any]


class StepCard(NamedTuple):
    """What the sheet of a step shows.

    Attributes:
        place: Its place in the plan, from 0 on.
        values: What it says.
        tools: The names of all tools.
        arguments_schema: JSON Schema of the arguments; an empty one for a tool that is not here.
        examples: Arguments that its tool gives as examples.
        options_schema: JSON Schema of the options.
        note: What there is to say of the tool: what it is for, or that there is none of this name.
        sources: Returns what an argument can be taken from: words, and the expression.
        problems: What is wrong with the step; empty when nothing is.
    """

    place: int
    values: StepValues
    tools: Sequence[str] = ()
    arguments_schema: Schema = NO_SCHEMA
    examples: Sequence[Mapping[str, Any]] = ()
    options_schema: Schema = NO_SCHEMA
    note: str = ""
    sources: Callable[[], Sequence[tuple[str, str]]] = tuple
    problems: Sequence[str] = ()


def fields_of_step(values: StepValues) -> dict[str, Any]:
    """Return the fields that a step's sheet sets, each with its default where nothing is said."""
    defaults = {
        "description": "",
        "condition": "",
        "rows": None,
        "timeout_s": None,
        "retries": 0,
        "continue_on_failure": False,
    }
    options = {name: value for name, value in values.options.items() if name in defaults}
    return {"tool": values.tool, "arguments": dict(values.arguments), **defaults, **options}


def options_schema(others: Sequence[str], *, is_repeatable: bool) -> Schema:
    """Return the JSON Schema of what a step says besides its name, tool and arguments.

    Args:
        others: The names of the other steps.
        is_repeatable: Whether its tool may run twice, so that a failed call may be made again.
    """
    is_short = 0 < len(others) <= _MOST_CHOICES
    waits = {
        "title": "Runs after",
        "description": "Steps whose results the arguments use need not be named",
        "type": "array",
        "uniqueItems": True,
        "items": {"oneOf": [{"const": name, "title": name} for name in others]} if is_short else {"type": "string"},
    }
    retries = {
        "title": "Retries",
        "description": "How often a call that failed is made again"
        if is_repeatable
        else "The tool is not idempotent, so a failed call is not made again",
        "type": "integer",
        "minimum": 0,
        "maximum": 100 if is_repeatable else 0,
    }
    return {
        "type": "object",
        "properties": {
            "depends_on": waits,
            "condition": {
                "title": "Only if",
                "description": "An expression that must hold, or the step is skipped",
                "type": "string",
                "examples": ["length(steps.load.result) > `0`"],
            },
            "rows": _ROWS,
            "timeout_s": {
                "title": "Timeout in s",
                "description": "Seconds that one call may take",
                "type": "number",
                "exclusiveMinimum": 0,
            },
            "retries": retries,
            "continue_on_failure": {
                "title": "Go on without it",
                "description": "Those that wait for it run although it failed; its result is null then",
                "type": "boolean",
            },
            "description": {"title": "Note", "description": "What the step is for", "type": "string"},
        },
        "additionalProperties": False,
    }


def expressions_in(arguments: Mapping[str, Any]) -> frozenset[str]:
    """Return the arguments that are an expression and nothing else."""
    return frozenset(name for name, value in arguments.items() if isinstance(value, str) and "${" in value)


def with_expressions(schema: Schema, names: Collection[str]) -> Schema:
    """Return the JSON Schema of a tool's arguments when some are expressions instead of values.

    Args:
        schema: JSON Schema of the arguments.
        names: Which of them.
    """
    properties = schema.get("properties")
    if not isinstance(properties, Mapping):
        return schema
    parts = {name: _expression_for(part) if name in names else part for name, part in properties.items()}
    return {**schema, "properties": parts}


def _expression_for(part: Any) -> Schema:
    words = part.get("description", "") if isinstance(part, Mapping) else ""
    return {**_EXPRESSION, "description": words or _EXPRESSION["description"]}


def sources_for(steps: Sequence[str], parameters: Sequence[str], *, has_rows: bool) -> list[tuple[str, str]]:
    """Return what an argument can be taken from: words, and the expression.

    Args:
        steps: The other steps, those first that are most likely meant.
        parameters: The plan's parameters.
        has_rows: Whether the step is repeated over rows.
    """
    own = [("This row", "${row}"), ("The row's number", "${index}")] if has_rows else []
    given = [(f"Parameter {name}", f"${{parameters.{_quoted(name)}}}") for name in parameters]
    results = ((f"Result of {name}", f"${{steps.{_quoted(name)}.result}}") for name in steps)
    return [*own, *given, *results][:_MOST_SOURCES]


def _quoted(name: str) -> str:
    return name if name.replace("_", "a").isalnum() and name.isascii() else json.dumps(name)
