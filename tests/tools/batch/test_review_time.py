"""Waiting for a person is no part of how long a step takes."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.tools.running import Answers, run
from tools import Executor, ToolRegistry, resolve_tools, tool
from tools.batch import Approve, BatchExecutor, BatchPlan, BatchResult, Rows, Step
from tools.batch.clock import ReviewClock
from tools.batch.exporting import WRITERS

if TYPE_CHECKING:
    from pathlib import Path


class Clock:
    now_s = 0.0

    def __call__(self) -> float:
        return self.now_s


def test_only_the_time_in_which_nothing_runs_counts_as_waiting() -> None:
    clock = Clock()
    review = ReviewClock(clock)
    review.begin()  # the first row
    review.begin()  # the second one
    clock.now_s = 1.0
    review.on_review(True)
    clock.now_s = 5.0  # one waits, one runs
    review.on_review(True)
    clock.now_s = 12.0  # both wait
    assert review.total_s == 7.0
    review.on_review(False)
    clock.now_s = 20.0
    review.end()
    clock.now_s = 24.0  # the other one waits alone
    review.on_review(False)
    clock.now_s = 30.0
    review.end()
    assert review.total_s == 11.0


@tool(idempotent=True)
def look(name: str) -> str:
    """Look at something, which nobody is asked about."""
    return name


@tool(requires_confirmation=True)
def remove(name: str) -> str:
    """Remove something."""
    return name


PLAN = BatchPlan(
    name="tidy up",
    approve=Approve.STEP,
    steps=(
        Step(id="look", tool="look", arguments={"name": "a"}),
        Step(id="one", tool="remove", arguments={"name": "a"}),
        Step(id="many", tool="remove", rows=Rows(values=["a", "b"]), arguments={"name": "${row}"}),
    ),
)


def result_of(folder: Path, **options: Any) -> BatchResult:
    async def body() -> BatchResult:
        executor = Executor(ToolRegistry(resolve_tools([look, remove])), review_handler=Answers())
        try:
            return await BatchExecutor(executor=executor, **options).run(PLAN, folder=folder)
        finally:
            await executor.aclose()

    result: BatchResult = run(body())
    return result


def test_a_step_says_how_long_it_only_waited_for_a_person(tmp_path: Path) -> None:
    result = result_of(tmp_path)
    assert result.results["look"].review_s == 0.0
    for name in ("one", "many"):
        step = result.results[name]
        assert 0 < step.review_s <= step.elapsed_s
        assert step.own_s == pytest.approx(step.elapsed_s - step.review_s)


def test_exports_tell_the_wait_apart(tmp_path: Path) -> None:
    result = result_of(tmp_path)
    document = json.loads("".join(WRITERS["json"](PLAN, result)))
    step = document["results"]["one"]
    assert 0 < step["review_s"] <= step["elapsed_s"]
    assert "review_s" not in document["results"]["look"]
