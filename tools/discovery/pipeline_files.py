"""Pipelines made of calls of the past: what each step does again, and the plugin file that says so."""

from __future__ import annotations

import ast
import json
import re
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from tools.calls import MASK, CallStatus
from tools.discovery.pipeline_drafts import EarlierResult, Origin, Own, PipelineDraft, StepArgument, StepDraft
from tools.discovery.templates import new_file, title_of
from tools.errors import DiscoveryError
from tools.masking import RESULT, is_secret_parameter, masked_address
from tools.schema import inlined
from tools.spec import MISSING

if TYPE_CHECKING:
    from pydantic import JsonValue

    from tools.calls import CallRecord
    from tools.card import ToolCard

_MOST_PLACES: Final = 5_000
_DEEPEST: Final = 6
_SHORTEST_TEXT: Final = 3
_SMALLEST_NUMBER: Final = 10
_LONGEST_DEFAULT: Final = 200
_LONGEST_VALUE: Final = 20_000
_MOST_OFFERS: Final = 4
_LONGEST_NAME: Final = 60
_WIDTH: Final = 100
_BEFORE: Final = 24
"""How many characters stand before a value in its line, about."""


def draft_of(records: Sequence[CallRecord], find: Callable[[str], ToolCard | None]) -> PipelineDraft:
    """Return the pipeline that makes some calls again, in this order.

    An argument that equals something in the result of an earlier call is taken from there. What the first call was
    given, what is hidden and what was not kept is asked for; everything else is as it was.

    Args:
        find: Returns the tool of a name; None when it is gone.
    """
    steps = []
    for place, record in enumerate(records):
        card = find(record.tool.name)
        steps.append(_gone(record) if card is None else _step(place, record, card, records[:place]))
    draft = PipelineDraft(tuple(steps), _name_of(records))
    asked: dict[str, Any] = {}
    for place, step in enumerate(draft.steps):
        for argument in step.arguments:
            name, value = argument.name, argument.value
            if argument.origin is Own.ASKED:
                asked.setdefault(name, value)
            elif argument.origin is Own.FIXED and _is_telling(value) and asked.get(name, MISSING) == value:
                draft = draft.with_origin(place, name, Own.ASKED)
    return draft


def _name_of(records: Sequence[CallRecord]) -> str:
    """Return a name for a pipeline of some calls; empty when their tools have no name that Python could read."""
    names = (re.sub(r"[^a-z0-9]+", "_", record.tool.name.rpartition(".")[2].lower()) for record in records)
    return "_then_".join(filter(None, (name.strip("_") for name in names)))[:_LONGEST_NAME].rstrip("_")


def _gone(record: CallRecord) -> StepDraft:
    where = f" of {record.tool.source}" if record.tool.source else ""
    why = f"the tool {record.tool.name!r}{where} is gone; load or connect what had it, or leave the step out"
    return StepDraft(record.tool.name, problem=why)


def _step(place: int, record: CallRecord, card: ToolCard, before: Sequence[CallRecord]) -> StepDraft:
    shown = record.final_arguments
    properties, required = _properties(card), card.input_schema.get("required")
    needed = [name for name in properties if isinstance(required, list) and name in required]
    # The tool may hide more today than when it was called.
    values = {} if shown is None else shown if card.masking is None else card.masking.arguments(shown)
    arguments = []
    for name in dict.fromkeys((*values, *(properties if shown is None else needed))):
        value = values.get(name, MISSING)
        is_secret = _is_masked(value) or card.hides(name) or card.sensitive or _looks_secret(name, value)
        argument = StepArgument(
            name,
            properties.get(name, {}),
            MISSING if _is_masked(value) or not _is_literal(value) else value,
            is_needed=name in needed,
            is_secret=is_secret,
        )
        arguments.append(_with_offers(argument, place, before))
    note = _note(record, is_kept=shown is not None)
    masking = card.masking
    hides_result = masking is not None and masking.hides_result
    return StepDraft(card.name, tuple(arguments), card.security, hides_result, note=note)


def _properties(card: ToolCard) -> dict[str, Mapping[str, JsonValue]]:
    found: Any = inlined(card.input_schema).get("properties")
    nodes = found.items() if isinstance(found, Mapping) else ()
    return {name: node for name, node in nodes if isinstance(node, Mapping)}


def _is_literal(value: Any) -> bool:
    """Say whether a value can be written into a Python file; what is no number cannot."""
    try:
        return value is MISSING or bool(ast.literal_eval(repr(value)) == value)
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return False


def _is_masked(value: Any) -> bool:
    """Say whether some of a value is hidden: without that, the rest is of no use."""
    return value is not MISSING and MASK in json.dumps(value, ensure_ascii=False, default=str)


def _looks_secret(name: str, value: Any) -> bool:
    """Say whether a name or an address tells of a secret that the tool itself did not declare."""
    if isinstance(value, str):
        return is_secret_parameter(name) or masked_address(value) != value
    if isinstance(value, Mapping):
        return any(_looks_secret(str(key), item) for key, item in value.items())
    return isinstance(value, list) and any(_looks_secret(name, item) for item in value)


def _note(record: CallRecord, *, is_kept: bool) -> str:
    if not is_kept:
        return f"{(record.hidden or 'The arguments were not kept').removesuffix('.')}; each is asked for."
    if record.status is not CallStatus.EXECUTED:
        why = (
            "" if record.error is None else f": {record.error.message.splitlines()[0]}" if record.error.message else ""
        )
        return f"This call did not succeed ({record.status.value.replace('_', ' ')}{why})."
    return ""


def _with_offers(argument: StepArgument, place: int, before: Sequence[CallRecord]) -> StepArgument:
    """Return an argument with the results it may come from, and where it comes from at first."""
    equal: list[EarlierResult] = []
    if not argument.is_secret and _is_telling(argument.value):
        for number in reversed(range(place)):
            path = _path_of(argument.value, before[number])
            equal += [EarlierResult(number, path)] if path else []
    whole = [EarlierResult(number, "result") for number in reversed(range(place))]
    offers = tuple(dict.fromkeys((*equal[:_MOST_OFFERS], *whole)))
    origin: Origin = Own.ASKED
    if equal:
        origin = equal[0]
    elif place and argument.value is not MISSING and not argument.is_secret and not _is_large(argument.value):
        origin = Own.FIXED
    return replace(argument, offers=offers, origin=origin)


def _is_telling(value: Any) -> bool:
    """Say whether two equal values are likely to be the same thing; every second call has a 1 or a `true`."""
    if isinstance(value, str):
        return len(value.strip()) >= _SHORTEST_TEXT
    if isinstance(value, int | float) and not isinstance(value, bool):
        return abs(value) >= _SMALLEST_NUMBER
    return isinstance(value, list | Mapping) and bool(value)


def _is_large(value: Any) -> bool:
    return len(json.dumps(value, ensure_ascii=False, default=str)) > _LONGEST_VALUE


def _path_of(value: Any, record: CallRecord) -> str:
    """Return where a value stands in what came of a call; empty when it is not there."""
    if record.status is not CallStatus.EXECUTED:
        return ""
    for path, found in _places(record.result):
        if type(found) is type(value) and found == value:
            return path
    return "output" if isinstance(value, str) and value == record.text else ""


def _places(result: Any) -> Iterator[tuple[str, Any]]:
    """Go through a result and its parts, the outermost first."""
    if result is MISSING:
        return
    waiting = deque([("result", result, 0)])
    left = _MOST_PLACES
    while waiting and left:
        path, value, depth = waiting.popleft()
        left -= 1
        yield path, value
        if depth == _DEEPEST:
            continue
        if isinstance(value, Mapping):
            waiting.extend((f"{path}.{_word(name)}", item, depth + 1) for name, item in value.items())
        elif isinstance(value, list):
            waiting.extend((f"{path}[{index}]", item, depth + 1) for index, item in enumerate(value[:left]))


def _word(name: str) -> str:
    """Write a name as JMESPath reads it."""
    return name if name.isascii() and name.isidentifier() else json.dumps(name)


def pipeline_text(draft: PipelineDraft) -> str:
    """Return the plugin file of a pipeline.

    Nothing hidden is in it: what a record hides is never known here, and what a tool hides becomes an argument.
    """
    parameters: dict[str, StepArgument] = {}
    steps = [_written_step(step, parameters) for step in draft.steps]
    lines = [
        *steps,
        f"    name={_in_line(draft.name)},",
        f"    description={_written(draft.description, 1)}," if draft.description else "",
        f"    error_strategy={_in_line(draft.error_strategy.value)},",
        f"    input_schema={_written(_schema(parameters), 1)},",
        _written_security(draft),
    ]
    head = f'"""{title_of(draft.name)}: a pipeline made of past calls."""\n\n'
    imports = "from tools import PipelineStep, Policies, Security, ToolPipeline\n\n"
    return f"{head}{imports}{draft.name} = ToolPipeline.of(\n{chr(10).join(filter(None, lines))}\n)\n"


def _written_step(step: StepDraft, parameters: dict[str, StepArgument]) -> str:
    fixed: dict[str, Any] = {}
    takes: dict[str, str] = {}
    for argument in step.arguments:
        if isinstance(argument.origin, EarlierResult):
            takes[argument.name] = f"step{argument.origin.step + 1}.{argument.origin.path}"
        elif argument.origin is Own.FIXED and argument.value is not MISSING and not argument.is_secret:
            fixed[argument.name] = argument.value
        else:
            takes[argument.name] = f"given.{_word(_parameter(argument, parameters))}"
    words = [_in_line(step.tool), *([_written(fixed, 2)] if fixed else []), f"takes={_written(takes, 2)}"]
    line = f"    PipelineStep({', '.join(words)}),"
    if len(line) <= _WIDTH and "\n" not in line:
        return line
    return "\n".join(["    PipelineStep(", *(f"        {word}," for word in words), "    ),"])


def _parameter(argument: StepArgument, parameters: dict[str, StepArgument]) -> str:
    """Return the pipeline's argument that stands for one of a step; equal ones of several steps are one."""
    number, name = 1, argument.name
    while name in parameters:
        other = parameters[name]
        is_known = argument.value is not MISSING and other.value is not MISSING
        if is_known and type(other.value) is type(argument.value) and other.value == argument.value:
            return name
        number += 1
        name = f"{argument.name}_{number}"
    parameters[name] = argument
    return name


def _schema(parameters: Mapping[str, StepArgument]) -> dict[str, Any]:
    properties: dict[str, Any] = {}
    required = []
    for name, argument in parameters.items():
        node = {key: value for key, value in argument.schema.items() if key != "title"}
        if argument.is_secret:
            node.pop("default", None)
            node.pop("examples", None)
            node["writeOnly"] = True
        elif argument.value is not MISSING and len(repr(argument.value)) <= _LONGEST_DEFAULT:
            node["default"] = argument.value
        if "default" not in node and argument.is_needed:
            required.append(name)
        properties[name] = node
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


def _written_security(draft: PipelineDraft) -> str:
    """Say what stays hidden in the record of the whole; what a step says of itself counts for its own record."""
    securities = [step.security for step in draft.steps if step.security is not None]
    last = draft.steps[-1]
    of_result = [] if last.security is None else [path for path in last.security.mask_fields if path.startswith(RESULT)]
    said: dict[str, Any] = {}
    if any(one.sensitive for one in securities) or (last.hides_result and not of_result):
        said["sensitive"] = True
    elif any(one.encrypt for one in securities):
        said["encrypt"] = True
    if of_result:
        said["mask_fields"] = tuple(of_result)
    words = ", ".join(f"{name}={value!r}" for name, value in said.items())
    why = "    # Of the whole; what a step hides stays hidden in its own record.\n"
    return f"{why}    policies=Policies(security=Security({words})),"


def _written(value: Any, depth: int) -> str:
    """Write a JSON value as Python, over several lines where it does not fit into one."""
    line = _in_line(value)
    if len(line) + 4 * depth + _BEFORE <= _WIDTH or not isinstance(value, Mapping | list) or not value:
        return line
    inner, outer = "    " * (depth + 1), "    " * depth
    if isinstance(value, Mapping):
        items = [f"{inner}{_in_line(name)}: {_written(item, depth + 1)}," for name, item in value.items()]
        return "\n".join(["{", *items, f"{outer}}}"])
    items = [f"{inner}{_written(item, depth + 1)}," for item in value]
    return "\n".join(["[", *items, f"{outer}]"])


def _in_line(value: Any) -> str:
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{_in_line(name)}: {_in_line(item)}' for name, item in value.items())}}}"
    if isinstance(value, list):
        return f"[{', '.join(map(_in_line, value))}]"
    text = repr(value)
    # Python itself takes double quotes only where a single one is inside.
    return f'"{text[1:-1]}"' if isinstance(value, str) and text[0] == "'" and '"' not in value else text


def write_pipeline_file(folder: Path, draft: PipelineDraft) -> Path:
    """Write the plugin file of a pipeline; a file that is there stays.

    Args:
        folder: Where; made if need be.

    Raises:
        DiscoveryError: It cannot be made, or the file is there already or cannot be written.
    """
    if problem := draft.problem:
        raise DiscoveryError(problem)
    return new_file(folder, draft.name, pipeline_text(draft))
