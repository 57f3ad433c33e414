"""Turn what a tool returned or raised into a final response."""

from __future__ import annotations

import asyncio
import logging
import re
from typing import Any, Final

from tools import schema
from tools.calls import Attachment, CallError, CallStatus, ErrorKind, StepOutcome, ToolCall, ToolResponse
from tools.calls.outcome import EXECUTED
from tools.errors import (
    AdvisedRefusalError,
    ArgumentsError,
    CallerGoneError,
    CallerRefusedError,
    ContractError,
    DeniedError,
    ExitEarlyError,
    GuidedError,
    RateLimitError,
    RefusedArgumentsError,
    ReviewTimeoutError,
    ToolConfigurationError,
    ToolCrashError,
    ToolFailure,
    ToolTimeoutError,
    UnavailableError,
)
from tools.execution.call_log import log_exception
from tools.execution.run import AttemptTimeoutError, CallNext, Run, blamed
from tools.execution.workers.failures import own_traceback
from tools.execution.workers.protocol import WorkerResult
from tools.spec import MISSING, Isolation
from tools.tool import Tool, ToolResult

_log = logging.getLogger(__name__)
_ERROR_NUMBER: Final = re.compile(r"^\[(Errno|WinError) -?\d+\] ")
"""What Python puts before the words of the system, which say it better."""

REACHES_CALLER: Final = (ToolConfigurationError, ExitEarlyError, ReviewTimeoutError)
"""Failures of the program or of the run: the response is final, and the caller gets the exception as well."""

PLAIN: Final = frozenset({str, int, float, bool, list, dict, tuple})
"""Results that are surely no bytes, no picture and nothing to be awaited."""

_SIGNATURES: Final = (
    (b"\x89PNG\r\n\x1a\n", "image/png", "png"),
    (b"\xff\xd8\xff", "image/jpeg", "jpg"),
    (b"GIF8", "image/gif", "gif"),
    (b"%PDF-", "application/pdf", "pdf"),
    (b"PK\x03\x04", "application/zip", "zip"),
)


async def settled(run: Run, call_next: CallNext) -> None:
    """Await the rest of the chain; whatever it raises, the response is final then and nothing is raised here.

    For steps that do something on the way back even when the call failed or was stopped. What whoever made the call has
    to get besides the response is in `run.raises`.
    """
    call = run.call
    try:
        await call_next(run)
    except BaseException as error:  # noqa: BLE001 -- every way a tool can fail is a response
        if call.response.status.final and not isinstance(error, (asyncio.CancelledError, DeniedError, *REACHES_CALLER)):
            # One broken step on the way back must not lose what the outer ones do.
            log_exception(_log, call, "a step after the call %s failed", call.id)
        error = run.error = blamed(call, error)
        accept_error(call, error)
        if isinstance(error, REACHES_CALLER) or not isinstance(error, Exception | SystemExit):
            run.raises = error
    if call.cancel_requested and call.task is not None:
        await _take_back_cancellation(run, call.task)


async def _take_back_cancellation(run: Run, task: asyncio.Task[Any]) -> None:
    """Undo what `ToolCall.cancel` did to this task: only the call was to stop, not whoever waits for it."""
    # Once: a later cancellation is somebody else's.
    run.call.task = None
    late: BaseException | None = None
    try:
        # Asked for by the tool itself or by a listener, the cancellation may still be on its way.
        await asyncio.sleep(0)
    except asyncio.CancelledError as caught:
        late = caught
    others = task.uncancel()
    if run.raises is None or isinstance(run.raises, asyncio.CancelledError):
        run.raises = (run.raises or late) if others else None


class NoJsonFormError(Exception):
    """Report a result that cannot be written as JSON; the message says where in it, and what to return instead."""


def accept_result(response: ToolResponse, tool: Tool, result: Any, call: ToolCall | None = None) -> None:
    """Make a response final with what the tool returned; a failure it returned is a failure.

    Args:
        response: What becomes final.
        call: Whose secrets a failure's message must not quote; None when it is looked through later.
    """
    kind = type(result)
    if kind is ToolResult:
        _accept_tool_result(response, tool, result)
        if call is not None and response.error is not None:
            hide_secrets(call)
        return
    if kind not in PLAIN:
        if result is None:
            response.status, response.result = CallStatus.EXECUTED, None
            return
        if kind is WorkerResult:
            _accept_worker_result(response, tool, result)
            return
        data = bytes_of(result)
        if data is not None:
            _attach(response, data)
            response.status, response.result = CallStatus.EXECUTED, result
            return
    try:
        response.json_result = tool.output.dump(result)
    except TypeError as error:
        raise NoJsonFormError(str(error)) from error
    response.status = EXECUTED
    response.result = result


def _accept_worker_result(response: ToolResponse, tool: Tool, result: WorkerResult) -> None:
    if result.problem:
        raise NoJsonFormError(result.problem)
    response.status, response.json_result = CallStatus.EXECUTED, result.value
    if result.tool_result is not None:
        response.result, response.text = result.tool_result, result.tool_result.output
        return
    contract = tool.policies.contract
    # Only a clause over the result is worth the time it takes to read JSON as what the annotation says.
    typed = contract is not None and (contract.post or contract.invariants)
    response.result = tool.output.load(result.value) if typed else result.value


def bytes_of(result: Any) -> bytes | None:
    """Return the bytes that a result is, or the picture it can draw of itself; None when it is no such thing."""
    if isinstance(result, bytes | bytearray | memoryview):
        return bytes(result)
    draw = getattr(result, "_repr_png_", None)
    picture = draw() if callable(draw) and not isinstance(result, type) else None
    return picture if isinstance(picture, bytes) else None


def _accept_tool_result(response: ToolResponse, tool: Tool, result: ToolResult) -> None:
    if not result.success:
        response.status = CallStatus.FAILED
        response.error = CallError(ErrorKind.TOOL, result.error or "The tool failed and gave no reason.")
        response.result = result
        return
    structured = result.structured
    try:
        response.json_result = result.output if structured is None else tool.output.dump(structured)
    except TypeError as error:
        raise NoJsonFormError(str(error)) from error
    response.status = CallStatus.EXECUTED
    response.result = result
    response.text = result.output


def _attach(response: ToolResponse, data: bytes) -> None:
    mime_type, ending = next(
        ((mime, end) for start, mime, end in _SIGNATURES if data.startswith(start)), ("application/octet-stream", "bin")
    )
    name = f"result.{ending}"
    response.attachments.append(Attachment(name, mime_type, data))
    response.json_result = {"attachment": name, "mime_type": mime_type, "size_bytes": len(data)}


def accept_error(call: ToolCall, error: BaseException) -> None:
    """Make a response final with what was raised."""
    response = call.response
    response.result = response.json_result = MISSING
    response.text = ""
    status, described = _describe(call, error)
    response.status = status
    response.error = described
    hide_secrets(call)


def _describe(  # noqa: C901, PLR0911, PLR0912 -- one family of errors a line
    call: ToolCall, error: BaseException
) -> tuple[CallStatus, CallError]:
    kind = type(error).__name__
    message = _ERROR_NUMBER.sub("", str(error)) or kind
    match error:
        case asyncio.CancelledError():
            return _cancelled(call)
        case AttemptTimeoutError() | ToolTimeoutError():
            # The message says which limit it was.
            return CallStatus.TIMED_OUT, CallError(ErrorKind.TIMEOUT, message)
        case ReviewTimeoutError():
            return CallStatus.TIMED_OUT, CallError(ErrorKind.DENIED, message, kind)
        case ArgumentsError() if not call.response.attempts or isinstance(error, RefusedArgumentsError):
            return CallStatus.REJECTED, arguments_error(error, call)
        case CallerRefusedError():
            return CallStatus.DENIED, CallError(ErrorKind.CALLER, message)
        case GuidedError():
            return CallStatus.DENIED, CallError(ErrorKind.GUIDED, str(error))
        case AdvisedRefusalError():
            return CallStatus.DENIED, CallError(ErrorKind.DENIED, message, remedy=error.advice)
        case DeniedError():
            return CallStatus.DENIED, CallError(ErrorKind.DENIED, message)
        case ExitEarlyError():
            return CallStatus.DENIED, CallError(ErrorKind.DENIED, message, remedy="The reviewer stopped the whole run.")
        case ToolConfigurationError():
            return CallStatus.FAILED, CallError(ErrorKind.CONFIGURATION, message, kind)
        case ContractError():
            return CallStatus.FAILED, CallError(ErrorKind.CONTRACT, message, kind)
        case RateLimitError():
            remedy = f"Try again in {error.retry_after_s:.1f} s."
            return CallStatus.FAILED, CallError(ErrorKind.RATE_LIMIT, message, kind, remedy=remedy)
        case ToolCrashError():
            return CallStatus.FAILED, CallError(ErrorKind.CRASHED, message, kind, error.output)
        case UnavailableError():
            return CallStatus.FAILED, CallError(ErrorKind.UNAVAILABLE, message, kind, remedy=error.remedy)
        case CallerGoneError():
            return CallStatus.TIMED_OUT, CallError(ErrorKind.EXPIRED, message, remedy=error.remedy)
        case NoJsonFormError():
            return CallStatus.FAILED, CallError(ErrorKind.TOOL, message, "TypeError")
        case ToolFailure():
            return CallStatus.FAILED, CallError(ErrorKind.TOOL, message, "" if kind == "ToolFailure" else kind)
        case SystemExit():
            message = (
                f"the tool tried to end the program (exit code {error.code!r}); return or raise ToolFailure instead"
            )
    return CallStatus.FAILED, CallError(ErrorKind.TOOL, message, kind, own_traceback(error))


def _cancelled(call: ToolCall) -> tuple[CallStatus, CallError]:
    left_behind = ""
    if call.response.isolation is Isolation.THREAD and _was_running(call.response):
        left_behind = " Its thread could not be stopped and is left to end by itself."
    elif call.response.worker_killed:
        left_behind = " Its worker process was ended, so what it had begun may be half done."
    if call.aborted or not call.cancel_requested:
        message = f"The program gave the call up before it ended.{left_behind}"
        return CallStatus.ABORTED, CallError(ErrorKind.ABORTED, message)
    return CallStatus.CANCELLED, CallError(ErrorKind.CANCELLED, f"Stopped on request.{left_behind}")


def _was_running(response: ToolResponse) -> bool:
    """Return whether the tool itself was interrupted, rather than a wait before or between its attempts."""
    return (
        bool(response.steps) and response.steps[-1].kind.in_tool and response.steps[-1].outcome is StepOutcome.CANCELLED
    )


def arguments_error(error: ArgumentsError, call: ToolCall) -> CallError:
    """Return the description of arguments that do not fit; what came stays hidden where the tool says so."""
    error = ArgumentsError([call.display_problem(problem) for problem in error.problems])
    return CallError(ErrorKind.ARGUMENTS, str(error), problems=error.problems)


def hide_secrets(call: ToolCall) -> None:
    """Take the values of the call's secret arguments out of what its error says."""
    error = call.response.error
    if error is None or call.tool is None or call.tool.masking is None:
        return
    call.response.error = error._replace(
        message=call.scrubbed(error.message),
        traceback=call.scrubbed(error.traceback),
        remedy=call.scrubbed(error.remedy),
    )


def write_text(call: ToolCall, run: Run | None = None) -> None:
    """Fill in what a model reads of a failure or a text; anything else is written when somebody asks for it.

    A text result may name arguments as `${argument}`. Source: seed 1, "Invocation and parameter resolution".
    """
    response = call.response
    if response.error is not None:
        hide_secrets(call)
        response.text = response.error.told(response.status)
    elif isinstance(response.json_result, str):
        # Single letters first: in 50 MB of text they are found fifteen times as fast as two.
        text = response.json_result
        if run is not None and "$" in text and "{" in text and "${" in text:
            response.json_result = schema.substitute(response.json_result, run.call.display_arguments())
        response.text = response.json_result
