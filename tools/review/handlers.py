"""`ReviewHandler`: the port, and the simplest answerer."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any, Protocol, runtime_checkable

from tools.calls import Continue, ExitEarly, ReviewDecision, ReviewRequest
from tools.errors import ToolConfigurationError, ToolError
from tools.protected import PROTECTED

ReviewFunction = Callable[[ReviewRequest], ReviewDecision]
RunInThread = Callable[[Callable[..., Any], dict[str, Any]], Awaitable[Any]]
"""Runs `function(**arguments)` in a thread that never keeps the program alive."""


@runtime_checkable
class ReviewHandler(Protocol):
    """Answer questions about calls.

    The executor enforces the request's timeout: when it passes, the handler's task is cancelled, and what silence means
    is done. Several questions may be open at a time; a handler that can show only one keeps its own queue.
    An attribute `name`, if it has one, says who answers; without it the record names the class.

    Source: seed 3, "Tool-Level Approval Gates".
    """

    async def review(self, request: ReviewRequest, /) -> ReviewDecision:
        """Return the answer."""


def handler_name(handler: ReviewHandler | ReviewFunction) -> str:
    """Return who answers, as the record of a decision names it: what `name` says, else the class or the function."""
    name = getattr(handler, "name", None)
    if isinstance(name, str) and name:
        return name
    return getattr(handler, "__name__", None) or type(handler).__name__


def check_handler(handler: object) -> None:
    """Refuse what can answer no question, before the first one is asked.

    Raises:
        ToolConfigurationError: When it is neither a `ReviewHandler` nor a function.
    """
    if handler is not None and not isinstance(handler, ReviewHandler) and not callable(handler):
        msg = (
            f"review_handler needs an asynchronous review(request), or to be a function of the request;"
            f" an object of type {type(handler).__qualname__!r} is neither"
        )
        raise ToolConfigurationError(msg)


async def ask_handler(
    handler: ReviewHandler | ReviewFunction, request: ReviewRequest, run_in_thread: RunInThread
) -> ReviewDecision:
    """Put a question to a handler, or to a plain function, which may block and so runs in a thread.

    Raises:
        ToolConfigurationError: When the handler breaks, or answers with something that is no decision.
    """
    try:
        answer: Any
        if isinstance(handler, ReviewHandler):
            answer = handler.review(request)
        elif inspect.iscoroutinefunction(handler):
            answer = handler(request)
        else:
            answer = await run_in_thread(partial(handler, request), {})
        if inspect.isawaitable(answer):
            answer = await answer
    except (ToolError, TimeoutError):
        raise
    except Exception as error:
        msg = f"the review handler failed: {type(error).__name__}: {error}"
        raise ToolConfigurationError(msg) from error
    if not isinstance(answer, ReviewDecision):
        msg = f"the review handler must answer with Continue, Edit or ExitEarly; it answered {answer!r:.80}"
        raise ToolConfigurationError(msg)
    return answer


class AutoApproveHandler:
    """Let every call go on, but none that changes what decides what may run: that takes a person.

    Args:
        delay_s: Seconds to wait before each answer.
        by_person: Whether a person said yes beforehand to the one call that is made, whatever it changes.

    Raises:
        ValueError: When the delay is negative.
    """

    def __init__(self, delay_s: float = 0.0, *, by_person: bool = False) -> None:
        if delay_s < 0:
            msg = f"delay_s must not be negative; it is {delay_s}"
            raise ValueError(msg)
        self._delay_s = delay_s
        self._by_person = by_person

    async def review(self, request: ReviewRequest, /) -> ReviewDecision:
        """Continue, after the delay."""
        if self._delay_s:
            await asyncio.sleep(self._delay_s)
        protected = next((concern for concern in request.concerns if concern.kind == PROTECTED), None)
        if protected is not None and not self._by_person:
            return ExitEarly(f"{protected.detail}; only a person can allow that, asked about exactly this call")
        return Continue()
