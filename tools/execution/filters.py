"""The call filter: what a program decides about every call, before anything of it happens."""

from __future__ import annotations

import inspect
import logging
from collections.abc import Awaitable
from contextvars import ContextVar
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol

from tools.calls import StepKind, StepNote, StepOutcome, ToolCall
from tools.errors import DeniedError, GuidedError, ToolConfigurationError
from tools.execution import outcomes
from tools.execution.cache import copy_outcome
from tools.execution.call_log import log_exception
from tools.execution.fallback import ByTool
from tools.spec import MISSING

if TYPE_CHECKING:
    from tools.execution.run import CallNext, Run
    from tools.execution.services import CallMaker

_log = logging.getLogger(__name__)


class Allow(NamedTuple):
    """Let the call go its way."""


class Block(NamedTuple):
    """Refuse the call.

    Attributes:
        reason: Why; the caller is told.
    """

    reason: str = ""


class Guide(NamedTuple):
    """Run nothing, and tell the caller what to do instead; for a model, the words are the result of its call.

    Attributes:
        text: The words, given out as they are.
    """

    text: str


class Fallback(NamedTuple):
    """Run nothing, and answer with something else.

    Attributes:
        result: The result to give out, as if the tool had returned it; `MISSING` when a tool answers.
        tool: The tool that answers, in a call of its own with the same arguments, as far as it takes them; empty when
            the result does.
    """

    result: Any = MISSING
    tool: str = ""


CallAction = Allow | Block | Guide | Fallback


class CallFilter(Protocol):
    """Decide about a call whose arguments fit; several concerns are one function that asks them in turn.

    A plain one is called on the event loop and answers at once. Source: seed 2, "See also" (`setToolCallFilter`).
    """

    def __call__(self, call: ToolCall, /) -> CallAction | Awaitable[CallAction]:
        """Return what becomes of the call."""


_redirected: ContextVar[tuple[str, ...]] = ContextVar("redirected", default=())
"""The tools in whose place the filter named another, on the way to this call."""
_BLOCKED: Final = "the program's call filter blocks it"


def check_filter(call_filter: object) -> None:
    """Refuse what can decide nothing, before the first call."""
    if call_filter is not None and not callable(call_filter):
        msg = (
            "call_filter needs to be a function of the call that returns Allow(), Block(reason), Guide(text) or"
            f" Fallback(result or tool); an object of type {type(call_filter).__qualname__!r} is none"
        )
        raise ToolConfigurationError(msg)


class Filtering:
    """Ask the program about each call first, and again after an edit. When the filter breaks, the call is refused."""

    def __init__(self, call_filter: CallFilter, calls: CallMaker) -> None:
        self._filter = call_filter
        self._calls = calls

    async def __call__(self, run: Run, call_next: CallNext, /) -> Any:
        """Do what the filter says.

        Raises:
            DeniedError: When the call is blocked, or the filter breaks.
            GuidedError: When the caller is told what to do instead.
        """
        began = perf_counter()
        action = await self._decide(run, began)
        if isinstance(action, Allow):
            run.record(StepKind.CALL_FILTER, began)
            return await call_next(run)
        if not isinstance(action, Fallback):
            raise _refusal(run, began, action)
        try:
            await self._answer(run, action)
        except BaseException:
            run.record(StepKind.CALL_FILTER, began, StepOutcome.FAILED, answered_by=action.tool)
            raise
        run.record(StepKind.CALL_FILTER, began, answered_by=action.tool)
        return None

    async def again(self, run: Run) -> None:
        """Ask once more: a reviewer wrote other arguments, and these are not what the filter let pass."""
        began = perf_counter()
        action = await self._decide(run, began)
        if isinstance(action, Fallback):
            run.record(StepKind.CALL_FILTER, began, StepOutcome.DENIED, StepNote.EDITED)
            msg = f"the call filter has something else answer for the edited arguments of {run.call.name!r}; call anew"
            raise DeniedError(msg)
        if not isinstance(action, Allow):
            raise _refusal(run, began, action)
        run.record(StepKind.CALL_FILTER, began, note=StepNote.EDITED)

    async def _decide(self, run: Run, began: float) -> CallAction:
        call = run.call
        try:
            answer: Any = self._filter(call)
            if inspect.isawaitable(answer):
                answer = await answer
            if not isinstance(answer, CallAction):
                msg = f"expected Allow(), Block(reason), Guide(text) or Fallback(result or tool), got {answer!r:.80}"
                raise TypeError(msg)
            if isinstance(answer, Fallback) and (answer.result is MISSING) is not bool(answer.tool):
                msg = f"expected Fallback to name either a result or a tool, got {answer!r:.80}"
                raise TypeError(msg)
        except Exception as error:
            run.record(StepKind.CALL_FILTER, began, StepOutcome.FAILED, error=type(error).__name__)
            log_exception(_log, call, "the call filter failed on %s; the call is refused", call.name)
            msg = f"the call filter failed ({type(error).__name__}), so the call of {call.name!r} was refused"
            raise DeniedError(msg) from error
        return answer

    async def _answer(self, run: Run, action: Fallback) -> None:
        call = run.call
        if not action.tool:
            outcomes.accept_result(call.response, run.tool, action.result)
            call.response.fallback = "call filter"
            return
        other = self._calls.registry.lookup(action.tool)
        trail = (*_redirected.get(), call.name)
        if other is None or action.tool in trail:
            why = "no tool has that name" if other is None else f"{' → '.join(trail)} → {action.tool} leads in a circle"
            msg = f"the call filter lets {action.tool!r} answer for {call.name!r}, but {why}"
            raise ToolConfigurationError(msg)
        token = _redirected.set(trail)
        try:
            came = await ByTool(action.tool, self._calls, other)(run)
        finally:
            _redirected.reset(token)
        copy_outcome(came, call.response)
        call.response.fallback = action.tool


def _refusal(run: Run, began: float, action: Block | Guide) -> DeniedError:
    """Record that nothing runs, and return what tells the caller."""
    if isinstance(action, Guide):
        run.record(StepKind.CALL_FILTER, began, StepOutcome.DENIED, StepNote.GUIDED)
        return GuidedError(action.text)
    run.record(StepKind.CALL_FILTER, began, StepOutcome.DENIED, StepNote.BLOCKED)
    return DeniedError(f"Blocked: {action.reason or _BLOCKED}")
