"""A second attempt beside a slow one: which result counts, what becomes of the other, and who may have it."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.tools.virtual_time import VirtualLoop, run_virtually
from tools import (
    CallStatus,
    DeclarationError,
    Executor,
    Hedge,
    ToolFailure,
    ToolRegistry,
    ToolResponse,
    hedge,
    resilience,
    resolve_tools,
    tool,
)
from tools.calls import StepOutcome

if TYPE_CHECKING:
    from tests.tools.running import ExecutorOf

ROOT = Path(__file__).parents[2]


class Work:
    """Sleep as long as the list says, attempt by attempt, and fail where it says so."""

    def __init__(self, *plans: Any) -> None:
        self.plans = list(plans)
        self.stopped: list[int] = []

    def declared(self, *decorators: Any) -> Any:
        started = 0

        async def work() -> int:
            nonlocal started
            number = started
            started += 1
            seconds, error = self.plans[number]
            try:
                await asyncio.sleep(seconds)
            except asyncio.CancelledError:
                self.stopped.append(number + 1)
                raise
            if error is not None:
                raise error
            return number + 1

        for decorator in decorators or (hedge(delay_s=1),):
            decorator(work)
        return tool(read_only=True)(work)

    def call(self, *decorators: Any) -> ToolResponse:
        responses = []

        async def main(loop: VirtualLoop) -> None:
            executor = Executor(ToolRegistry(resolve_tools([self.declared(*decorators)])))
            responses.append(await executor.execute(executor.create_call("work", {})))
            assert len(asyncio.all_tasks()) == 1
            await executor.aclose()

        run_virtually(main)
        return responses[0]


def outcomes(response: ToolResponse) -> list[StepOutcome | None]:
    return [attempt.outcome for attempt in response.attempts]


def test_a_quick_answer_starts_nothing_else() -> None:
    response = Work((0.5, None)).call()
    assert (response.result, len(response.attempts)) == (1, 1)


def test_the_first_result_wins_and_the_other_attempt_is_stopped() -> None:
    work = Work((10, None), (0.5, None))
    response = work.call()
    assert (response.result, work.stopped) == (2, [1])
    assert outcomes(response) == [StepOutcome.CANCELLED, StepOutcome.OK]
    assert [entry.text for entry in response.logs] == ["attempt 1 took longer than 1 s; attempt 2 begins beside it"]

    work = Work((2, None), (10, None))
    assert (work.call().result, work.stopped) == (1, [2])


def test_a_failure_counts_only_when_the_other_attempt_fails_too() -> None:
    assert Work((2, ToolFailure("first")), (5, None)).call().result == 2
    assert Work((5, None), (1, ToolFailure("second"))).call().result == 1
    response = Work((5, ToolFailure("first")), (1, ToolFailure("second"))).call()
    assert (response.status, response.text) == (CallStatus.FAILED, "Error: first")
    # Before the delay a failure is nothing to wait for.
    assert len(Work((0.5, ToolFailure("early"))).call().attempts) == 1


def test_a_time_limit_stops_both() -> None:
    work = Work((10, None), (10, None))
    response = work.call(resilience(hedge=Hedge(delay_s=1), total_timeout_s=3))
    assert (response.status, sorted(work.stopped)) == (CallStatus.TIMED_OUT, [1, 2])
    assert outcomes(response) == [StepOutcome.TIMED_OUT, StepOutcome.TIMED_OUT]


async def test_stopping_the_call_stops_both(executor_of: ExecutorOf) -> None:
    work = Work((60, None), (60, None))
    executor = executor_of(work.declared(hedge(delay_s=0.001)))
    call = executor.create_call("work", {})
    task = asyncio.ensure_future(executor.execute(call))
    while len(call.response.attempts) < 2:  # noqa: ASYNC110 -- the tool sets no event
        await asyncio.sleep(0.001)
    call.cancel()
    assert (await task).status is CallStatus.CANCELLED
    assert sorted(work.stopped) == [1, 2]


def test_what_changes_something_or_cannot_be_stopped_is_refused_when_it_is_declared() -> None:
    async def change() -> None: ...

    def block() -> None: ...

    hedge(delay_s=1)(change)
    with pytest.raises(DeclarationError, match="say read_only=True if it changes nothing"):
        resolve_tools([tool(change)])
    hedge(delay_s=1)(block)
    with pytest.raises(DeclarationError, match="make it async, or say isolation='process'"):
        resolve_tools([tool(read_only=True)(block)])
    (isolated,) = resolve_tools([tool(read_only=True, isolation="process")(block)])
    assert isolated.policies.hedge == Hedge(delay_s=1)


def test_a_policy_stands_in_four_files_beside_its_public_name_and_the_words_of_its_badge() -> None:
    names = re.compile(r"\b_?hedge\w*\b", re.IGNORECASE)
    found = {
        path.relative_to(ROOT).as_posix()
        for room in ("tools", "console")
        for path in (ROOT / room).rglob("*.py")
        if names.search(path.read_text(encoding="utf-8"))
    }

    four = {"tools/spec.py", "tools/declare/decorators.py", "tools/execution/hedge.py", "tools/execution/chain.py"}
    assert found == {*four, "tools/__init__.py", "console/call_result/badges.py"}
