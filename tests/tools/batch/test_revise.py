"""A run whose failed step is mended goes on with what was changed, in this program and in the next."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from pathlib import Path

import pytest

from tools import Executor, ToolRegistry, resolve_tools, tool
from tools.batch import BatchExecutor, BatchPlan, Step, StepState
from tools.batch.runs import is_over, is_under_way, journals_in, past_run, run_id
from tools.errors import CallStateError


@tool(read_only=True, idempotent=True)
def half(number: int) -> float:
    """Divide by two, if it is even."""
    if number % 2:
        raise ValueError(f"{number} is odd")
    return number / 2


def plan_of(number: int, *, further: bool = False) -> BatchPlan:
    steps = [
        Step(id="first", tool="half", arguments={"number": 8}),
        Step(id="second", tool="half", arguments={"number": number}, depends_on=("first",)),
        Step(id="third", tool="half", arguments={"number": 2}, depends_on=("second",)),
    ]
    return BatchPlan(name="a b/c", steps=(*steps, Step(id="more", tool="half")) if further else tuple(steps))


def make_executor() -> Executor:
    registry = ToolRegistry()
    registry.register_all(resolve_tools([half]))
    return Executor(registry)


@pytest.mark.reference("A84")
@pytest.mark.expects_log("tools.calls")
def test_a_failed_step_runs_as_the_changed_plan_says(tmp_path: Path) -> None:
    journal = tmp_path / f"{run_id(plan_of(3))}.jsonl"

    async def work() -> None:
        async with aclosing(make_executor()) as executor:
            batches = BatchExecutor(executor=executor)
            run = batches.prepare(plan_of(3), folder=tmp_path, journal=journal)
            result = await run.go()
            assert result.results["second"].state is StepState.FAILED
            assert run.schedule.held_by == {"third": "second"}
            with pytest.raises(CallStateError, match="other steps"):
                run.revise(plan_of(4, further=True))
            assert run.revise(plan_of(3)) == []
            assert run.revise(plan_of(4)) == ["second"]
            run.retry_failed()
            result = await run.go()
            assert [item.result for item in result.results.values()] == [4.0, 2.0, 1.0]
            assert run.schedule.held_by == {}
            run.close()

    asyncio.run(work())
    assert journals_in(tmp_path) == [journal]
    assert journal.name.endswith("-a-b-c.jsonl")
    assert is_over(journal)
    past = past_run(journal)
    assert past.plan.steps == plan_of(4).steps
    assert past.result.successes == 3


def test_what_succeeded_stays_as_it_ran(tmp_path: Path) -> None:
    async def work() -> None:
        async with aclosing(make_executor()) as executor:
            run = BatchExecutor(executor=executor).prepare(plan_of(4), folder=tmp_path)
            await run.go()
            assert run.revise(plan_of(6)) == []
            assert run.plan == plan_of(4)

    asyncio.run(work())


def test_a_run_without_an_end_is_not_over(tmp_path: Path) -> None:
    journal = tmp_path / "run.jsonl"

    async def work() -> None:
        async with aclosing(make_executor()) as executor:
            run = BatchExecutor(executor=executor).prepare(plan_of(4), folder=tmp_path, journal=journal)
            assert is_under_way(journal)
            run.close()

    asyncio.run(work())
    assert not is_over(journal)
    assert not is_under_way(journal)
