"""What is written to the log about each call. Source: seed 3, "Logging"."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Final

from tools.calls import CallStatus, ErrorKind, ToolCall, ToolResponse
from tools.execution.questions import one_line
from tools.schema import canonical_json, json_beginning
from tools.spec import MISSING

if TYPE_CHECKING:
    from pydantic import JsonValue

    from tools.tool import Tool

log: Final = logging.getLogger("tools.calls")
TRACE: Final = 5
"""The level below DEBUG at which tool definitions are written."""
SHORT: Final = 160


def log_call(call: ToolCall) -> None:
    """Write one line about an ended call: INFO for a success, WARNING for a failure, ERROR for a wrong program."""
    response = call.response
    error = response.error
    level = logging.INFO
    if error is None and not log.isEnabledFor(level):
        return
    if error is not None:
        level = logging.ERROR if error.kind is ErrorKind.CONFIGURATION else logging.WARNING
    if response.status in {CallStatus.DENIED, CallStatus.CANCELLED}:
        level = logging.INFO
    if not log.isEnabledFor(level):
        return
    sensitive = call.tool is not None and call.tool.sensitive
    given = "…" if sensitive else one_line(call.display_arguments(), SHORT)
    came = _short(response)
    if sensitive:
        came = "…" if error is None else f"Error: … ({error.kind.value})"
    log.log(
        level, "%s(%s) -> %s [%s, %.1f ms]", call.name, given, came, response.status.value, response.elapsed_s * 1000
    )
    if log.isEnabledFor(logging.DEBUG) and not sensitive:
        log.debug("%s full input: %r", call.name, call.display_arguments())
        log.debug("%s full output: %s", call.name, response.text)


def log_definition(tool: Tool) -> None:
    """Write down what a tool is offered as, when somebody listens at the TRACE level."""
    if log.isEnabledFor(TRACE):
        offered: dict[str, JsonValue] = {
            "name": tool.name,
            "description": tool.description,
            "input_schema": tool.input_schema,
        }
        log.log(TRACE, "%s is offered as %s", tool.name, canonical_json(offered))


def _short(response: ToolResponse) -> str:
    text = response.written
    if text is None:
        text = "" if response.json_result is MISSING else json_beginning(response.json_result, SHORT * 2)
    flat = " ".join(text[: SHORT * 2].split())
    return flat if len(flat) <= SHORT else flat[: SHORT - 1] + "…"
