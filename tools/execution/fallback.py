"""What answers in a tool's place when it did not succeed: another tool, or a method or function beside it."""

from __future__ import annotations

import asyncio
import copy
import inspect
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final

from tools.calls import CacheUse, CallOrigin, CallStatus, ErrorKind, StepKind, StepOutcome, ToolResponse
from tools.declare.referenced_functions import neighbour_of
from tools.errors import ToolConfigurationError
from tools.execution import outcomes
from tools.execution.attempts import compile_start
from tools.execution.cache import copy_outcome
from tools.execution.nested_calls import execute_within
from tools.execution.outcomes import settled
from tools.execution.run import CallNext, Judge, Run
from tools.spec import MISSING

if TYPE_CHECKING:
    from tools.execution.services import CallMaker
    from tools.registry import ToolRegistry
    from tools.tool import Tool

DID_NOT_SUCCEED: Final = frozenset(
    {ErrorKind.TOOL, ErrorKind.CRASHED, ErrorKind.TIMEOUT, ErrorKind.CONTRACT}
    | {ErrorKind.UNAVAILABLE, ErrorKind.RATE_LIMIT}
)
"""Kinds of error after which the fallback answers; a refusal by a person, a policy or a schema is not among them."""

_OUTCOMES: Final = {
    CallStatus.EXECUTED: StepOutcome.OK,
    CallStatus.DENIED: StepOutcome.DENIED,
    CallStatus.TIMED_OUT: StepOutcome.TIMED_OUT,
    CallStatus.CANCELLED: StepOutcome.CANCELLED,
}


def compile_fallback(tool: Tool, calls: CallMaker) -> FallbackAnswer | None:
    """Return what answers in a tool's place; None when it declares nothing.

    A registered tool runs as a call of its own, through its own steps, so whatever guards it is not passed by. A
    method or function beside the tool is part of it, and what guards the tool guards it as well.

    Raises:
        ToolConfigurationError: When the name means nothing, does not fit, or leads back to the tool.
    """
    name = tool.policies.fallback
    if name is None:
        return None
    registry = calls.registry
    other = tool if name == tool.name else registry.lookup(name)
    if other is not None:
        _refuse_circles(tool, registry)
        _refuse_misfit(tool, other, frozenset(_properties(tool)))
        _refuse_leak(tool, other)
        return ByTool(name, calls, other)
    made = neighbour_of(tool, name)
    if made is None:
        msg = (
            f"{tool.owner or tool.name}: the fallback {name!r} of {tool.name!r} is no registered tool, no method beside"
            " it and no function in its module; register it, or correct the name"
        )
        raise ToolConfigurationError(msg)
    _refuse_misfit(tool, made, frozenset(_properties(tool)) | _python_names(tool))
    return ByFunction(name, made, tool.policies.timeout_s)


def _refuse_circles(tool: Tool, registry: ToolRegistry) -> None:
    names = [tool.name]
    following = tool.policies.fallback
    while following is not None:
        names.append(following)
        if following in names[:-1]:
            msg = f"the fallbacks {' → '.join(names)} lead in a circle; let one of them have none"
            raise ToolConfigurationError(msg)
        found = registry.lookup(following)
        following = found.policies.fallback if found is not None else None


def _refuse_misfit(tool: Tool, other: Tool, has: frozenset[str]) -> None:
    if tool.input_schema.get("additionalProperties", False) is not False:
        return
    required = other.input_schema.get("required")
    missing = [str(name) for name in required if name not in has] if isinstance(required, list) else []
    if missing:
        msg = (
            f"the fallback {tool.policies.fallback!r} of {tool.name!r} needs {', '.join(map(repr, missing))}, which"
            f" {tool.name!r} does not take; give it a default, or name another fallback"
        )
        raise ToolConfigurationError(msg)


def _refuse_leak(tool: Tool, other: Tool) -> None:
    """Let no other tool show what this one hides: it gets the same arguments, in a call that hides what it says."""
    if tool.sensitive and not other.sensitive:
        msg = (
            f"{tool.name!r} is sensitive, but its fallback {other.name!r} is not, and would show the same arguments;"
            " declare it sensitive as well, or name another fallback"
        )
        raise ToolConfigurationError(msg)
    masking = tool.masking
    if masking is None:
        return
    shown = [
        name
        for name in _properties(other)
        if name in _properties(tool) and masking.touches(name) and not other.hides(name)
    ]
    if shown:
        msg = (
            f"{tool.name!r} masks {', '.join(map(repr, shown))}, but its fallback {other.name!r} does not, and would"
            " show it; add it to its mask_fields, or name another fallback"
        )
        raise ToolConfigurationError(msg)


def _properties(tool: Tool) -> dict[str, Any]:
    properties = tool.input_schema.get("properties")
    return properties if isinstance(properties, dict) else {}


def _python_names(tool: Tool) -> frozenset[str]:
    return frozenset(inspect.signature(inspect.unwrap(tool.function)).parameters)


class ByTool:
    """Let another tool answer, in a call of its own."""

    is_part_of_tool = False

    def __init__(self, name: str, calls: CallMaker, tool: Tool) -> None:
        self.name = name
        self._calls = calls
        self._known = frozenset(_properties(tool))
        self._takes_all = tool.input_schema.get("additionalProperties") not in {None, False}

    async def __call__(self, run: Run) -> ToolResponse:
        call = run.call
        now = self._calls.registry.lookup(self.name)
        if now is not None:
            # It may be another one than when the steps were compiled.
            _refuse_leak(run.tool, now)
        given = run.tool.arguments.dump(run.arguments)
        if not self._takes_all:
            given = {name: value for name, value in given.items() if name in self._known}
        origin = None if call.origin is None else CallOrigin(call.origin.owner, session=call.session)
        made = await self._calls.propose(
            self.name, given, caller=call.caller, bypass_cache=call.bypass_cache, origin=origin
        )
        response = await execute_within(call, made, self._calls)
        call.answered_by = made
        return response


class ByFunction:
    """Let a function beside the tool answer, as part of the same call."""

    is_part_of_tool = True

    def __init__(self, name: str, tool: Tool, timeout_s: float | None) -> None:
        self.name = name
        self._tool = tool
        self._start = compile_start(tool, timeout_s)
        parameters = inspect.signature(tool.function).parameters
        self._takes = frozenset(parameters)
        self._takes_all = any(item.kind is inspect.Parameter.VAR_KEYWORD for item in parameters.values())

    async def __call__(self, run: Run) -> ToolResponse:
        call, inner = run.call, copy.copy(run)
        inner.tool, inner.asking, inner.context = self._tool, None, None
        inner.arguments = {
            name: value for name, value in run.arguments.items() if self._takes_all or name in self._takes
        }
        came = ToolResponse()
        try:
            outcomes.accept_result(came, self._tool, await self._start(inner))
        finally:
            run.stop_run = inner.stop_run
            await inner.withdraw_questions()
        came.attachments = [*call.response.attachments, *came.attachments]
        came.turns_to_keep = call.response.turns_to_keep
        return came


FallbackAnswer = ByTool | ByFunction
"""What answers in a tool's place; what is part of the tool is guarded by what guards the tool."""


class FallbackStep:
    """Let something else answer when the tool did not succeed; the first failure stays in the call's log.

    It answers after the last attempt, and when the tool could not be started: its breaker was open, it was blocked, no
    place or permit was free, or its time was up. It never does after a refusal or a cancellation. What it answers is
    not put to the tool's postconditions and is not cached.

    Args:
        clear: Asks what the tool would have asked, had it been started; None when it asks nothing.
    """

    def __init__(self, answer: FallbackAnswer, clear: Judge | None) -> None:
        self._answer = answer
        self._name = answer.name
        self._clear = clear

    async def __call__(self, run: Run, call_next: CallNext, /) -> Any:
        await settled(run, call_next)
        response = run.call.response
        if not _has_reason(run):
            return
        failure = ToolResponse()
        copy_outcome(response, failure)
        if run.context is not None:
            run.context.give_up()
        response.status = CallStatus.EXECUTING
        response.error = None
        response.result = response.json_result = MISSING
        response.text = ""
        inside = self._answer.is_part_of_tool
        kind = StepKind.FALLBACK_FUNCTION if inside else StepKind.FALLBACK
        if inside and self._clear is not None:
            await self._clear(run)
        began = perf_counter()
        try:
            came = await self._answer(run)
        except asyncio.CancelledError:
            run.record(kind, began, StepOutcome.CANCELLED, answered_by=self._name)
            raise
        except Exception as error:
            run.record(kind, began, StepOutcome.FAILED, answered_by=self._name)
            if isinstance(error, outcomes.REACHES_CALLER):
                raise
            self._fail(run, failure, str(error) or type(error).__name__)
        else:
            run.record(kind, began, _OUTCOMES.get(came.status, StepOutcome.FAILED), answered_by=self._name)
            if came.succeeded:
                self._take_over(run, failure, came)
            else:
                self._fail(run, failure, came.error.message if came.error is not None else came.text)

    def _take_over(self, run: Run, failure: ToolResponse, came: ToolResponse) -> None:
        response = run.call.response
        copy_outcome(came, response)
        response.cache_use = CacheUse.MISS if response.cache_use is CacheUse.HIT else response.cache_use
        response.fallback, response.fallback_reason = self._name, failure.error
        if failure.error is not None and run.tool.sensitive:
            response.fallback_reason = failure.error._replace(message="", traceback="")
        run.warn(run.call.scrubbed(f"{_words(run, failure)}; {self._name} answered in its place"))

    def _fail(self, run: Run, failure: ToolResponse, why: str) -> None:
        copy_outcome(failure, run.call.response)
        hidden = run.tool.sensitive
        too = "" if hidden else f": {why}"
        run.warn(run.call.scrubbed(f"{_words(run, failure)}; its fallback {self._name} did not succeed either{too}"))


def _has_reason(run: Run) -> bool:
    response = run.call.response
    error = response.error
    if error is None or run.call.cancel_requested or run.call.is_probe or error.kind not in DID_NOT_SUCCEED:
        return False
    if response.status not in {CallStatus.FAILED, CallStatus.TIMED_OUT}:
        return False
    if not (run.error is None or isinstance(run.error, Exception | SystemExit)):
        return False
    # Before the first attempt a contract refuses the arguments; afterwards it is the tool that broke it.
    return error.kind is not ErrorKind.CONTRACT or bool(response.attempts)


def _words(run: Run, failure: ToolResponse) -> str:
    name = run.call.name
    if run.tool.sensitive or failure.error is None:
        return f"{name} did not succeed"
    return f"{name} did not succeed ({failure.error.message})"
