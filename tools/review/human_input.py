"""`HumanInputTool`: lets a model ask a person something and go on with the answer."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime
from time import perf_counter
from typing import Annotated, Any, Final

from annotated_types import Len

from tools.calls import (
    REVIEW_TIMEOUT_S,
    Continue,
    Edit,
    ExitEarly,
    OnTimeout,
    ReviewDecision,
    ReviewRequest,
    ReviewTiming,
    ToolCall,
    record_of,
)
from tools.declare import AbstractTool, tool
from tools.errors import ExitEarlyError, ReviewTimeoutError, ToolFailure
from tools.review.handlers import ReviewFunction, ReviewHandler, ask_handler, check_handler
from tools.spec import Latency, Param, ToolExample

NOBODY: Final = "No answer came: nobody was there to ask. Go on with your best judgement and say what you assumed."
NO_OBJECTION: Final = "Nobody objected. Go on with your best judgement."
PROMPT: Final = "Your answer, for whoever asked"
DESCRIPTION: Final = (
    "Ask the person in charge a question, and return the answer in the person's words. Silence for five minutes, or "
    "nobody to ask, means to go on without an answer; a refusal ends the work."
)


@tool(
    name="human_input",
    title="Ask a person",
    description=DESCRIPTION,
    category="review",
    keywords=("question", "user", "input", "clarify", "clarification", "decision", "human in the loop"),
    latency=Latency.SLOW,
    idempotent=False,
    parallelizable=False,
    read_only=True,
    open_world=False,
    examples=(
        ToolExample(
            input={"question": "The invoice has two dates, 2 and 12 March. Which one counts?"},
            description="Something that only a person knows",
        ),
        ToolExample(
            input={"question": "May the old index go?", "hint": "yes, or what to keep"},
            description="With a hint for the answer",
        ),
    ),
)
class HumanInputTool(AbstractTool):
    """Ask the person in charge a question, and wait for the answer.

    An `Executor` puts the question to its own reviewer, so that it comes to the same desk as every other one. A handler
    that is given here is asked where there is none, such as without an executor. With neither, the tool says so and
    goes on. A refusal stops everything that the call belongs to.

    Args:
        review_handler: Who is asked where the executor has no reviewer; None is nobody.
        timeout_s: Seconds until silence counts; 0 waits for ever.
        on_timeout: What silence means.

    Source: seed 3, "HumanInputTool"; its results are those of the reference.
    """

    def __init__(
        self,
        review_handler: ReviewHandler | ReviewFunction | None = None,
        *,
        timeout_s: float = REVIEW_TIMEOUT_S,
        on_timeout: OnTimeout = OnTimeout.CONTINUE,
    ) -> None:
        check_handler(review_handler)
        if timeout_s < 0:
            msg = f"timeout_s must not be negative; it is {timeout_s}"
            raise ValueError(msg)
        self._handler = review_handler
        self._timeout_s = timeout_s
        self._on_timeout = on_timeout

    def inject_review_handler(self, review_handler: ReviewHandler | ReviewFunction | None) -> None:
        check_handler(review_handler)
        self._handler = review_handler

    async def do_execute(
        self,
        question: Annotated[str, Param("What to ask, with all that is needed to answer it"), Len(1, 5000)],
        hint: Annotated[str, Param("What kind of answer is wanted"), Len(0, 500)] = "",
    ) -> str:
        """Ask, and return the answer.

        Raises:
            ToolFailure: When the question says nothing.
            ExitEarlyError: When the person ends the work instead of answering.
            ReviewTimeoutError: When nobody answered in time, and silence is an error.
        """
        if not question.strip():
            raise ToolFailure("expected a question, got only blanks")
        context, prompt = self.context, hint or PROMPT
        if context is not None and context.has_reviewer:
            asked = context.request_approval(
                question, prompt=prompt, timeout_s=self._timeout_s, on_timeout=self._on_timeout
            )
            return _answer(await asked)
        if self._handler is not None:
            return _answer(await self._ask_own(self._handler, question, prompt))
        if context is not None:
            context.log("warning", "nobody could be asked, because there is no reviewer")
        return NOBODY

    async def _ask_own(self, handler: ReviewHandler | ReviewFunction, question: str, prompt: str) -> ReviewDecision:
        context = self.context
        call = (
            context.call
            if context is not None
            else ToolCall("0", None, "human_input", {"question": question}, "program", perf_counter())
        )
        request = ReviewRequest(
            id=f"human-input-{call.id}",
            call=record_of(call),
            description=question,
            arguments=None,
            timing=ReviewTiming.DURING_EXECUTION,
            timeout_s=self._timeout_s,
            on_timeout=self._on_timeout,
            prompt=prompt,
            asked_at=datetime.now(UTC),
            tool=None if call.tool is None else call.tool.card,
        )
        limit = asyncio.timeout(self._timeout_s or None)
        try:
            async with limit:
                return await ask_handler(handler, request, _in_thread)
        except TimeoutError:
            if not limit.expired():
                raise
        late = f"nobody answered within {self._timeout_s:g} s"
        if self._on_timeout is OnTimeout.FAIL:
            raise ReviewTimeoutError(late)
        return Continue() if self._on_timeout is OnTimeout.CONTINUE else ExitEarly(late, timed_out=True)


async def _in_thread(function: Callable[..., Any], arguments: dict[str, Any]) -> Any:
    return await asyncio.to_thread(function, **arguments)


def _answer(decision: ReviewDecision) -> str:
    if isinstance(decision, ExitEarly):
        raise ExitEarlyError(decision.reason or "the person ended the work instead of answering")
    if isinstance(decision, Edit):
        return decision.revised if isinstance(decision.revised, str) else AbstractTool.to_json(dict(decision.revised))
    return decision.feedback or NO_OBJECTION
