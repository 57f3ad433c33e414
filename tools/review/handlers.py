"""`ReviewHandler`: the port, and the simplest answerer."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable
from typing import Protocol, cast, runtime_checkable

from tools.calls import Continue, ReviewDecision, ReviewRequest

ReviewFunction = Callable[[ReviewRequest], ReviewDecision]


@runtime_checkable
class ReviewHandler(Protocol):
    """Answer questions about calls.

    The executor enforces the request's timeout: when it passes, the handler's task is cancelled, and what silence means
    is done. Several questions may be open at a time; a handler that can show only one keeps its own queue.

    Source: seed 3, "Tool-Level Approval Gates".
    """

    async def review(self, request: ReviewRequest, /) -> ReviewDecision:
        """Return the answer."""


async def ask_handler(handler: ReviewHandler | ReviewFunction, request: ReviewRequest) -> ReviewDecision:
    """Put a question to a handler, or to a plain function, which may block and so runs in a thread."""
    if isinstance(handler, ReviewHandler):
        return await handler.review(request)
    if inspect.iscoroutinefunction(handler):
        return cast("ReviewDecision", await handler(request))
    return await asyncio.to_thread(handler, request)


class AutoApproveHandler:
    """Let every call go on.

    Args:
        delay_s: Seconds to wait before each answer.

    Raises:
        ValueError: When the delay is negative.
    """

    def __init__(self, delay_s: float = 0.0) -> None:
        if delay_s < 0:
            msg = f"delay_s must not be negative; it is {delay_s}"
            raise ValueError(msg)
        self._delay_s = delay_s

    async def review(self, request: ReviewRequest, /) -> ReviewDecision:
        """Continue, after the delay."""
        del request
        if self._delay_s:
            await asyncio.sleep(self._delay_s)
        return Continue()
