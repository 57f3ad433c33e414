"""No model at all: a prompt that is YAML names the tool itself, as the reference systems have it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from tools.errors import ModelError, ModelFault
from tools.models.messages import Answer, AskedCall, CallResults, StopReason, UserMessage
from tools.models.port import TextDelta
from tools.wire import OPENAI

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from tools.models.port import AnswerDelta, ModelRequest

NO_MODEL: Final = "none"
"""What this provider is called, and its model."""

_EXPECTED: Final = "expected YAML with `tool: NAME` and `params:`, or a list of such"


class NoModel:
    """Call the tools that a prompt names, and answer with what they return."""

    name = NO_MODEL
    address = ""
    wire = OPENAI

    async def stream(self, request: ModelRequest) -> AsyncGenerator[AnswerDelta, None]:
        """Yield the calls of a prompt, then their results as text.

        Raises:
            ModelError: When the prompt names no tool.
        """
        last = request.messages[-1]
        if isinstance(last, UserMessage):
            yield Answer(calls=tuple(calls_in(last.text)), stop=StopReason.CALLS, model=NO_MODEL)
        elif isinstance(last, CallResults):
            text = "\n".join(result.text for result in last.results)
            yield TextDelta(text)
            yield Answer(text=text, model=NO_MODEL)
        else:
            raise ModelError(ModelFault.REQUEST, "the prompt has its answer already", "say what to call next")


def calls_in(text: str) -> list[AskedCall]:
    """Return the calls that a prompt in YAML names.

    Raises:
        ModelError: When it names none.
    """
    from ruamel.yaml import YAML  # noqa: PLC0415 -- only such prompts need it
    from ruamel.yaml.error import MarkedYAMLError, YAMLError  # noqa: PLC0415 -- as above

    try:
        read: Any = YAML(typ="safe", pure=True).load(text)
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        where = "" if mark is None else f" in line {mark.line + 1}, column {mark.column + 1}"
        said = f"got text that is no YAML{where}: {_line(error.problem or str(error))}"
        raise ModelError(ModelFault.REQUEST, f"{_EXPECTED}, {said}") from error
    except (YAMLError, RecursionError, ValueError) as error:
        raise ModelError(ModelFault.REQUEST, f"{_EXPECTED}, got text that is no YAML: {_line(str(error))}") from error
    named = read if isinstance(read, list) and read else [read]
    return [_call(number, one) for number, one in enumerate(named, 1)]


def _call(number: int, one: Any) -> AskedCall:
    if not isinstance(one, dict) or not isinstance(one.get("tool"), str) or set(one) - {"tool", "params"}:
        raise ModelError(ModelFault.REQUEST, f"{_EXPECTED}, got {_line(str(one))}")
    params = {} if one.get("params") is None else one["params"]
    try:
        # Dates are values of YAML, and texts to a tool.
        arguments = json.dumps(params, ensure_ascii=False, default=str)
    except (TypeError, ValueError) as error:
        raise ModelError(ModelFault.REQUEST, f"{_EXPECTED}, got params that JSON does not have: {error}") from error
    return AskedCall(id=f"call_{number}", name=one["tool"], arguments=arguments)


def _line(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 120 else f"{line[:120]}…"  # noqa: PLR2004 -- the rest of a line on a terminal
