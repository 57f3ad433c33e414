"""What is written to the log about each call. Source: seed 3, "Logging"."""

from __future__ import annotations

import logging
import sys
import traceback
from typing import TYPE_CHECKING, Final

from tools.calls import CallStatus, ErrorKind, ToolCall
from tools.schema import canonical_json, json_beginning
from tools.spec import MISSING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pydantic import JsonValue

    from tools.tool import Tool

log: Final = logging.getLogger("tools.calls")
TRACE: Final = 5
"""The level below DEBUG at which tool definitions are written."""
SHORT: Final = 160
LONGEST_ARGUMENTS: Final = 200
_ESCAPED: Final = {code: f"\\u{code:04x}" for code in (0x7F, 0x85, 0x2028, 0x2029, *range(0xD800, 0xE000))}
"""What ends a line or nobody sees, although JSON lets it stand; and halves of letters, which no log file takes."""


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
    sensitive = call.sensitive
    given = "…" if sensitive else one_line(call.display_arguments(), SHORT)
    came = _short(call)
    if sensitive:
        came = "…" if error is None else f"Error: … ({error.kind.value})"
    log.log(
        level, "%s(%s) -> %s [%s, %.1f ms]", call.name, given, came, response.status.value, response.elapsed_s * 1000
    )
    if log.isEnabledFor(logging.DEBUG) and not sensitive:
        log.debug("%s full input: %r", call.name, call.display_arguments())
        log.debug("%s full output: %s", call.name, call.display_text().translate(_ESCAPED))


def log_definition(tool: Tool) -> None:
    """Write down what a tool is offered as, when somebody listens at the TRACE level."""
    if log.isEnabledFor(TRACE):
        offered: dict[str, JsonValue] = {
            "name": tool.name,
            "description": tool.description,
            "input_schema": tool.input_schema,
        }
        log.log(TRACE, "%s is offered as %s", tool.name, canonical_json(offered))


def log_exception(to: logging.Logger, call: ToolCall, message: str, *words: object) -> None:
    """Write what went wrong beside a call, with its traceback, which has no secret of the call."""
    error = sys.exc_info()[1]
    if call.tool is None or error is None or not (call.sensitive or call.tool.masking is not None):
        to.error(message, *words, exc_info=True)
        return
    lines = traceback.TracebackException.from_exception(error)
    if call.sensitive:
        where = "".join(lines.stack.format())
        to.error(f"{message}\n%s%s: …", *words, where, type(error).__name__)
    else:
        to.error(f"{message}\n%s", *words, call.scrubbed("".join(lines.format())))


class LogOnce:
    """Write down what breaks again and again, such as a listener, once for each kind of error."""

    def __init__(self, to: logging.Logger) -> None:
        self._to = to
        # With whoever it is, so that no other object takes over its identity.
        self._said: dict[tuple[int, type], object] = {}

    def say(self, who: object, error: Exception, message: str, *words: object, call: ToolCall | None = None) -> None:
        """Write an error that is being handled, unless the same one broke in this way before."""
        key = id(who), type(error)
        if key in self._said:
            return
        self._said[key] = who
        message += " (this kind of error is written once)"
        if call is None:
            self._to.error(message, *words, exc_info=error)
        else:
            log_exception(self._to, call, message, *words)

    def forget(self, who: object) -> None:
        self._said = {key: other for key, other in self._said.items() if other is not who}


def _short(call: ToolCall) -> str:
    if call.response.written is None:
        shown = call.display_result()
        text = "" if shown is MISSING else json_beginning(shown, SHORT * 2)
    else:
        text = call.display_text()
    flat = " ".join(text[: SHORT * 2].split()).translate(_ESCAPED)
    return flat if len(flat) <= SHORT else flat[: SHORT - 1] + "…"


def one_line(arguments: Mapping[str, JsonValue], limit: int = LONGEST_ARGUMENTS) -> str:
    """Return arguments as `name=value` pairs on one line, written as JSON does and shortened."""
    text = " ".join(
        f"{name if name.isidentifier() else json_beginning(name, limit)}={json_beginning(value, limit)}"
        for name, value in arguments.items()
    ).translate(_ESCAPED)
    return text if len(text) <= limit else text[: limit - 1] + "…"
