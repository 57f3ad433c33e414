"""Plans and parts of them as text: steps as YAML for the clipboard, short lines of the table, rows of a CSV file."""

from __future__ import annotations

import csv
import json
import re
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, Final, NamedTuple

from console.batch.document import PlanEditError, free_name
from console.batch.rows import known_needs
from console.language import tr
from tools.batch import BatchPlan, Rows, Step
from tools.batch.expressions import ExpressionError, expression_spans
from tools.batch.files import PlanFile
from tools.errors import PlanError
from tools.sentences import begin_sentence

_SAMPLES: Final = 3
_MOST_COLUMNS: Final = 1000
_NUMBERS: Final = frozenset({"integer", "number"})


class CsvTable(NamedTuple):
    """What the beginning of a CSV file says."""

    path: Path
    columns: tuple[str, ...]
    samples: tuple[tuple[str, ...], ...] = ()


def read_table(path: Path) -> CsvTable:
    """Return what the beginning of a CSV file says.

    Raises:
        PlanEditError: When it cannot be read, or its first line names no columns.
    """
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            rows = list(islice(csv.reader(file, strict=True), _SAMPLES + 1))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise PlanEditError(tr("{name} cannot be read as CSV: {reason}", name=path.name, reason=reason)) from error
    if not rows or not any(rows[0]):
        raise PlanEditError(tr("{name} is empty; expected a first line that names the columns", name=path.name))
    columns = tuple(rows[0])
    if len(set(columns)) != len(columns) or len(columns) > _MOST_COLUMNS:
        raise PlanEditError(
            tr(
                "{name}: expected at most {most_columns} columns whose names differ",
                name=path.name,
                most_columns=_MOST_COLUMNS,
            )
        )
    return CsvTable(path, columns, tuple(tuple(row) for row in rows[1:]))


def mapping_schema(arguments: Mapping[str, Any], columns: Sequence[str]) -> Mapping[str, Any]:
    """Return the JSON Schema of which column each argument of a tool is taken from."""
    choices = [{"const": name, "title": name} for name in columns]
    properties = {}
    for name, part in (arguments.get("properties") or {}).items():
        words = part.get("description", "") if isinstance(part, Mapping) else ""
        properties[name] = {"oneOf": choices, **({"description": words} if words else {})}
    return {
        "type": "object",
        "properties": properties,
        "required": [name for name in arguments.get("required", ()) if name in properties],
        "additionalProperties": False,
    }


def guessed_columns(arguments: Mapping[str, Any], columns: Sequence[str]) -> dict[str, str]:
    """Return for arguments the column that is called as they are, whatever the case and the spaces."""
    by_plain = {_plain(column): column for column in reversed(columns)}
    names = arguments.get("properties") or {}
    return {name: by_plain[_plain(name)] for name in names if _plain(name) in by_plain}


def plan_of_csv(table: CsvTable, tool: str, arguments: Mapping[str, Any], mapping: Mapping[str, str]) -> BatchPlan:
    """Return a plan that calls a tool for each row."""
    properties = arguments.get("properties") or {}
    given = {name: f"${{{_expression(column, properties.get(name))}}}" for name, column in mapping.items()}
    name = free_name(tool.rpartition(".")[2] or "step", ())
    step = Step(id=name, tool=tool, arguments=given, rows=Rows(csv=str(table.path)))
    return BatchPlan(name=f"{table.path.stem}: {tool}", steps=(step,))


def _expression(column: str, part: Any) -> str:
    """Return what takes a column's text as the type that an argument has."""
    name = column if column.isascii() and column.isidentifier() else json.dumps(column)
    kind = part.get("type") if isinstance(part, Mapping) else None
    if kind in _NUMBERS:
        return f"to_number(row.{name})"
    if kind == "boolean":
        return f"contains(['true', 'True', 'TRUE', 'yes', '1'], row.{name})"
    return f"row.{name}"


def _plain(name: str) -> str:
    return "".join(letter for letter in name.casefold() if letter.isalnum())


_MOST_LINES: Final = 200
"""Steps from which on YAML takes longer to write than anybody waits."""
_NAME: Final = re.compile(r"\s*([^\s=]+)=")
_BARE: Final = re.compile(r"\S*")
_JSON: Final = json.JSONDecoder()
_LIST_ITEM: Final = re.compile(r"(?:\s*(?:#.*)?\n)*[ \t]*-(?:\s|$)")


def steps_yaml(steps: Iterable[Step]) -> str:
    """Return steps as they stand in a plan's file, as a list; very many as JSON, which is YAML as well and quick."""
    steps = tuple(steps)
    if len(steps) > _MOST_LINES:
        text = PlanFile(Path("steps.json")).text_of(BatchPlan(steps=steps))
        return json.dumps(json.loads(text)["steps"], ensure_ascii=False, indent=2)
    text = PlanFile(Path("steps.yaml")).text_of(BatchPlan(steps=steps))
    _, _, below = text.partition("steps:\n")
    return textwrap.dedent(below)


def steps_from_yaml(text: str) -> Sequence[Step]:
    """Return the steps that a text means: a list of steps, or a whole plan, in YAML or JSON.

    Raises:
        PlanEditError: When it means none; the message says what is wrong with it.
    """
    try:
        steps = _plan_of(text).steps
    except PlanError as error:
        raise PlanEditError(tr("The clipboard holds no steps: {message}", message=error.problems[0].message)) from error
    if not steps:
        raise PlanEditError(tr("The clipboard holds no steps; copy some from a plan first"))
    return steps


def _plan_of(text: str) -> BatchPlan:
    try:
        found = json.loads(text)
    except RecursionError as error:
        # YAML would find that out as well, in seconds.
        raise PlanEditError(tr("The clipboard holds no steps: it is nested too deeply")) from error
    except ValueError:
        found = None
    if found is not None:
        whole = json.dumps({"steps": found} if isinstance(found, list) else found)
        return PlanFile(Path("clipboard.json")).read(whole)
    if _LIST_ITEM.match(text) or text.lstrip().startswith("["):
        text = f"steps:\n{textwrap.indent(text, '  ')}"
    return PlanFile(Path("clipboard.yaml")).read(text)


def after_words(plan: BatchPlan, place: int) -> str:
    """Say what a step waits for, by the numbers that people see: "3, 6"; a name that no step has stands for itself."""
    numbers: dict[str, int] = {}
    for index, step in enumerate(plan.steps):
        numbers.setdefault(step.id, index + 1)
    needs = known_needs(plan.steps[place])
    return ", ".join(str(numbers.get(name, name)) for name in sorted(needs, key=lambda name: numbers.get(name, 0)))


def names_after(plan: BatchPlan, text: str) -> list[str]:
    """Return the steps that a text means: numbers or names, with commas or spaces between.

    Raises:
        PlanEditError: When there is no such step.
    """
    names = {step.id for step in plan.steps}
    found: list[str] = []
    for word in re.split(r"[\s,;]+", text.strip()):
        if not word:
            continue
        if word in names:
            name = word
        elif word.isdecimal() and 1 <= int(word) <= len(plan.steps):
            name = plan.steps[int(word) - 1].id
        else:
            raise PlanEditError(
                tr(
                    "There is no step {word}; expected a number from 1 to {steps} or a step's name",
                    word=word,
                    steps=len(plan.steps),
                )
            )
        if name not in found:
            found.append(name)
    return found


def arguments_words(arguments: Mapping[str, Any]) -> str:
    """Write arguments as one line: `path="data.csv" limit=3 rows=${steps.load.result}`."""
    return " ".join(f"{name}={_written(value)}" for name, value in arguments.items())


def parsed_arguments(text: str) -> dict[str, Any]:
    """Return the arguments that a line means; a value is JSON, an expression, or one word.

    Raises:
        PlanEditError: When the line is no such list.
    """
    if text.lstrip().startswith("{"):
        return _whole_object(text)
    found: dict[str, Any] = {}
    at = 0
    while text[at:].strip():
        name = _NAME.match(text, at)
        if name is None:
            raise PlanEditError(tr("Expected name=value, got {text:.40}", text=text[at:].strip()))
        if name[1] in found:
            raise PlanEditError(tr("{name} is given twice", name=name[1]))
        found[name[1]], at = _value(text, name.end())
    return found


def _whole_object(text: str) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise PlanEditError(tr("Expected a JSON object or name=value: {error}", error=error)) from error
    return dict(found)


def _value(text: str, at: int) -> tuple[Any, int]:
    if text[at : at + 1] in {'"', "[", "{"}:
        try:
            value, end = _JSON.raw_decode(text, at)
        except (ValueError, RecursionError) as error:
            raise PlanEditError(tr("Expected JSON at {text:.40}: {error}", text=text[at:], error=error)) from error
        return value, end
    end = _end_of_word(text, at)
    word = text[at:end]
    if "${" in word:
        return word, end
    try:
        return json.loads(word), end
    except ValueError:
        return word, end


def _end_of_word(text: str, at: int) -> int:
    """Return where a word without quotes ends; spaces in an expression belong to it."""
    bare = _BARE.match(text, at)
    end = at if bare is None else bare.end()
    if "${" not in text[at:end]:
        return end
    read = at
    try:
        for begin, close in expression_spans(text[at:]):
            if at + begin - 2 >= end:
                break
            read = at + close + 1
            rest = _BARE.match(text, read)
            end = max(end, read if rest is None else rest.end())
    except ExpressionError as error:
        if "${" not in text[read:end]:
            # What is wrong stands in a later argument.
            return end
        message = str(error)
        raise PlanEditError(begin_sentence(message)) from error
    return end


def _written(value: Any) -> str:
    if isinstance(value, str) and value.startswith("${") and _is_one_word(value):
        return value
    return json.dumps(value, ensure_ascii=False)


def _is_one_word(text: str) -> bool:
    try:
        return _end_of_word(text, 0) == len(text)
    except PlanEditError:
        return False
