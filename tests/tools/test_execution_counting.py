from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from tests.tools.running import Answers
from tools import CallStatus, Continue, ExitEarly, ReviewRequest, ToolFailure, rate_limit, resilience, retry, tool
from tools.calls import ErrorKind
from tools.health import HealthStatus, ToolHealthRegistry

if TYPE_CHECKING:
    from tests.tools.running import ExecutorOf

PAUSE_S = 0.05


class Slow:
    """Agree, after thinking about it."""

    async def review(self, _: ReviewRequest, /) -> Continue:
        await asyncio.sleep(PAUSE_S)
        return Continue()


@tool(requires_confirmation=True)
def delete(name: str) -> str:
    return name


@pytest.mark.reference("A72")
def test_the_time_a_person_takes_is_not_the_tools(executor_of: ExecutorOf) -> None:
    executor = executor_of(delete, review_handler=Slow())
    response = executor.run("delete", {"name": "x"})
    stats = executor.metrics.stats("delete")
    assert stats.waiting_for_review_ms >= PAUSE_S * 900
    assert stats.max_ms is not None
    assert stats.max_ms + stats.waiting_for_review_ms == pytest.approx(response.elapsed_s * 1000)
    assert (stats.queueing_ms, stats.retries) == (0, 0)


@pytest.mark.reference("A70")
def test_what_a_person_refuses_says_nothing_about_the_tool(executor_of: ExecutorOf) -> None:
    executor = executor_of(delete, review_handler=Answers(ExitEarly("no")))
    assert executor.run("delete", {"name": "x"}).status is CallStatus.DENIED
    registry = ToolHealthRegistry(executor.metrics)
    registry.register("delete")
    assert registry.check("delete").status is HealthStatus.UNKNOWN


@pytest.mark.reference("A72")
def test_attempts_and_the_waits_between_them_are_told_apart(executor_of: ExecutorOf) -> None:
    tries: list[int] = []

    @tool(idempotent=True, isolation="inline")
    @retry(initial_delay_s=PAUSE_S, multiplier=1.0, jitter=False)
    def fetch() -> str:
        tries.append(1)
        if len(tries) < 3:
            raise ConnectionError("away")
        return "here"

    executor = executor_of(fetch)
    response = executor.run("fetch")
    assert response.text == "here"
    stats = executor.metrics.stats("fetch")
    assert (stats.count, stats.successes, stats.retries) == (1, 1, 2)
    assert stats.queueing_ms >= 2 * PAUSE_S * 900
    assert stats.max_ms is not None
    assert stats.max_ms + stats.queueing_ms == pytest.approx(response.elapsed_s * 1000)


@pytest.mark.reference("A72")
def test_a_permit_that_was_not_given_is_no_failure_of_the_tool(executor_of: ExecutorOf) -> None:
    @tool(isolation="inline")
    @rate_limit(requests=1, per_s=60, throw_on_limit=True)
    def ping() -> str:
        return "pong"

    executor = executor_of(ping)
    statuses = [executor.run("ping").status for _ in range(3)]
    assert statuses == [CallStatus.EXECUTED, CallStatus.FAILED, CallStatus.FAILED]
    stats = executor.metrics.stats("ping")
    assert (stats.count, stats.failures) == (1, 0)


@pytest.mark.reference("A72")
def test_a_tool_that_another_one_stood_in_for_has_failed(executor_of: ExecutorOf) -> None:
    @tool(isolation="inline")
    def backup() -> str:
        return "from the backup"

    @tool(isolation="inline")
    @resilience(fallback="backup")
    def fetch() -> str:
        raise ToolFailure("away")

    executor = executor_of(fetch, backup)
    assert executor.run("fetch").text == "from the backup"
    stats = executor.metrics.stats("fetch")
    assert (stats.count, stats.failures_by_kind) == (1, {ErrorKind.TOOL: 1})
    assert stats.last_error == "'backup' answered in its place"


@pytest.mark.reference("A72")
def test_a_stand_in_for_a_tool_that_was_not_started_says_nothing_about_the_tool(executor_of: ExecutorOf) -> None:
    @tool(isolation="inline")
    def backup() -> str:
        return "from the backup"

    @tool(isolation="inline")
    @rate_limit(requests=1, per_s=60, throw_on_limit=True)
    @resilience(fallback="backup")
    def fetch() -> str:
        return "fetched"

    executor = executor_of(fetch, backup)
    assert [executor.run("fetch").text for _ in range(3)] == ["fetched", "from the backup", "from the backup"]
    stats = executor.metrics.stats("fetch")
    assert (stats.count, stats.failures) == (1, 0)
    assert executor.metrics.numbers("fetch").total == 3


@pytest.mark.reference("A72")
def test_a_time_limit_is_told_as_such(executor_of: ExecutorOf) -> None:
    @tool(timeout_s=0.01)
    async def hang() -> None:
        await asyncio.Event().wait()

    executor = executor_of(hang)
    assert executor.run("hang").status is CallStatus.TIMED_OUT
    stats = executor.metrics.stats("hang")
    assert stats.failures_by_kind == {ErrorKind.TIMEOUT: 1}
    assert stats.last_error == "it took longer than 0.01 s"
