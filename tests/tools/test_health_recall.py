from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from tools import (
    AutoApproveHandler,
    Executor,
    ToolFailure,
    ToolMetrics,
    ToolRegistry,
    ToolResult,
    cached,
    contract,
    resilience,
    resolve_tools,
    retry,
    security,
    tool,
)
from tools.calls import ErrorKind
from tools.health import HealthChecks, HealthStatus, ToolHealthRegistry, recall
from tools.history import History
from tools.metrics import ToolStats

tried: list[str] = []


@tool
def fine(word: str) -> str:
    return word


@tool(probe={"word": "probe"})
def broken(word: str) -> str:
    raise RuntimeError(f"no {word}")


@tool
def says_no(word: str) -> ToolResult:
    return ToolResult.failure("not today")


@tool(timeout_s=0.01)
async def slow(word: str) -> str:
    await asyncio.sleep(5)
    return word


@tool
@contract(post="len(result) > 100")
def promises(word: str) -> str:
    return word


@tool
@resilience(fallback="fine")
def replaced(word: str) -> str:
    raise ToolFailure("out of order")


@tool
@security(sensitive=True)
@resilience(fallback="fine_too")
def private(word: str) -> str:
    raise ToolFailure("out of order")


@tool
@security(sensitive=True)
def fine_too(word: str) -> str:
    return word


@tool
@cached()
def remembered(word: str) -> str:
    return word


@tool
@retry(max_attempts=3, initial_delay_s=0.001, jitter=False, retry_on=(ToolFailure,))
def tried_again(word: str) -> str:
    tried.append(word)
    if len(tried) % 2:
        raise ToolFailure("once more")
    return word


@tool
@security(allowed_callers=("nobody",))
def forbidden(word: str) -> str:
    return word


TOOLS = [fine, broken, says_no, slow, promises, replaced, private, fine_too, remembered, tried_again, forbidden]


@pytest.fixture
def history(tmp_path: Path) -> Iterator[History]:
    history = History(tmp_path)
    history.open()
    yield history
    history.close()


def shape(stats: ToolStats) -> ToolStats:
    """Leave out what a restart can tell only to some microseconds, and hits, which are this program's own."""
    return replace(
        stats,
        min_ms=None,
        mean_ms=None,
        p50_ms=None,
        p95_ms=None,
        p99_ms=None,
        max_ms=None,
        queueing_ms=0.0,
        waiting_for_review_ms=0.0,
        cache_hits=0,
        last_error_at=None,
        last_run_at=None,
    )


@pytest.mark.reference("A72")
def test_after_a_restart_the_runs_are_what_they_were(history: History) -> None:
    executor = Executor(ToolRegistry(resolve_tools(TOOLS)), history=history, review_handler=AutoApproveHandler())
    names = [one.name for one in executor.registry if one.name != "private"]
    for name in (*names, "private"):
        for _ in range(2):
            executor.run(name, {"word": "word"})
    executor.run("fine", {"letter": "x"})
    checks = HealthChecks(executor, ToolHealthRegistry(executor.metrics))
    assert executor._runner is not None
    (check,) = executor._runner.run(checks.check_now())
    executor.close()
    history.flush()
    recalled = ToolMetrics()
    assert recall(history, recalled) == 23
    for name in names:
        before, after = executor.metrics.stats(name), recalled.stats(name)
        assert shape(after) == shape(before), name
        if before.max_ms is not None and after.max_ms is not None:
            assert after.max_ms == pytest.approx(before.max_ms, abs=1.0)
    kinds = {name: [*recalled.stats(name).failures_by_kind] for name in names}
    assert {name: kind for name, kind in kinds.items() if kind} == {
        "broken": [ErrorKind.TOOL],
        "says_no": [ErrorKind.TOOL],
        "slow": [ErrorKind.TIMEOUT],
        "promises": [ErrorKind.CONTRACT],
        "replaced": [ErrorKind.TOOL],
    }
    private = recalled.stats("private")
    assert (private.failures_by_kind, private.last_error) == ({ErrorKind.TOOL: 2}, "another tool answered in its place")
    assert check.message == "no probe"
    registry = ToolHealthRegistry(recalled)
    registry.register_all(names)
    # The same arguments twice: too little to say that it is down.
    assert registry.check("replaced").reason == "failed 2 of 2, too few runs to judge"
    assert registry.check("replaced").stats.last_error == "'fine' answered in its place"
    assert registry.check("forbidden").status is HealthStatus.UNKNOWN


def test_only_the_tools_and_the_time_that_count_are_recalled(history: History) -> None:
    executor = Executor(ToolRegistry(resolve_tools(TOOLS)), history=history)
    executor.run("fine", {"word": "x"})
    executor.run("fine_too", {"word": "x"})
    executor.close()
    history.flush()
    recalled = ToolMetrics()
    assert recall(history, recalled, tools=("fine",)) == 1
    assert recalled.names() == ("fine",)
    assert recalled.numbers("fine").total == 0
    late = ToolMetrics(wall=lambda: executor.metrics.wall() + timedelta(seconds=901))
    assert recall(history, late, 900) == 0
