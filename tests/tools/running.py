"""Run calls in tests: who answers, who listens, and short words for what came of it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from tools import Continue, Event, Executor, ReviewDecision, ReviewRequest, ToolCall, ToolResponse
from tools.trace_words import step_title

if TYPE_CHECKING:
    from collections.abc import Coroutine

ExecutorOf = Callable[..., Executor]
"""Makes an executor of anything `resolve_tools` takes; the fixture of that name closes it."""


class Answers:
    """Answer with the decisions given, then with Continue, and remember the questions."""

    def __init__(self, *decisions: ReviewDecision) -> None:
        self._decisions = list(decisions)
        self.requests: list[ReviewRequest] = []

    async def review(self, request: ReviewRequest, /) -> ReviewDecision:
        self.requests.append(request)
        return self._decisions.pop(0) if self._decisions else Continue()

    @property
    def kinds(self) -> list[list[str]]:
        return [[concern.kind for concern in request.concerns] for request in self.requests]


class Silence:
    """Never answer; tell when somebody was asked and whether the question was withdrawn."""

    def __init__(self) -> None:
        self.asked = asyncio.Event()
        self.withdrawn = False

    async def review(self, request: ReviewRequest, /) -> ReviewDecision:
        self.asked.set()
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            self.withdrawn = True
            raise
        return Continue()


class Clock:
    """A time in seconds that a test moves on."""

    def __init__(self, now_s: float = 1_000_000.0) -> None:
        self.now_s = now_s

    def __call__(self) -> float:
        return self.now_s


class Recorder:
    def __init__(self) -> None:
        self.events: list[Event] = []

    def __call__(self, event: Event) -> None:
        self.events.append(event)

    @property
    def names(self) -> list[str]:
        return [type(event).__name__ for event in self.events]


def steps_of(response: ToolResponse) -> list[str]:
    return [step_title(step) for step in response.steps]


def run(work: Coroutine[Any, Any, Any]) -> Any:
    return asyncio.run(work)


async def execute(
    executor: Executor,
    name: str,
    arguments: Mapping[str, Any] | str | None = None,
    *,
    caller: str = "you",
    bypass_cache: bool = False,
) -> ToolResponse:
    call = executor.create_call(name, arguments or {}, caller=caller, bypass_cache=bypass_cache)
    return await executor.execute(call)


async def until(holds: Callable[[], object]) -> None:
    """Let the loop and other threads work until something holds; a test that waits in vain fails after seconds."""
    async with asyncio.timeout(30):
        while not holds():  # noqa: ASYNC110 -- neither widgets nor other threads set an event
            await asyncio.sleep(0.001)


def start(executor: Executor, name: str, arguments: Mapping[str, Any] | None = None) -> tuple[ToolCall, Any]:
    call = executor.create_call(name, arguments or {})
    return call, asyncio.ensure_future(executor.execute(call))
