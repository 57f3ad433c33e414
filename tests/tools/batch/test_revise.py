"""A run whose failed step is mended goes on with what was changed, in this program and in the next."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from pathlib import Path

import pytest

from tools import Executor, ToolRegistry, resolve_tools, tool
from tools.batch import BatchExecutor, BatchPlan, Rows, Step, StepState
from tools.batch.rows import RowError, open_rows
from tools.batch.runs import is_over, is_under_way, journals_in, past_run, run_id
from tools.errors import CallStateError, HistoryError


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
async def test_a_failed_step_runs_as_the_changed_plan_says(tmp_path: Path) -> None:
    journal = tmp_path / f"{run_id(plan_of(3))}.jsonl"
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
    assert journals_in(tmp_path) == [journal]
    assert journal.name.endswith("-a-b-c.jsonl")
    assert is_over(journal)
    past = past_run(journal)
    assert past.plan.steps == plan_of(4).steps
    assert past.result.successes == 3


async def test_a_step_that_has_another_tool_now_keeps_to_the_limits_of_that_one(tmp_path: Path) -> None:
    running = most = 0

    @tool(read_only=True, idempotent=True, parallelizable=False)
    async def alone(number: int) -> int:
        """Run while nothing else of its kind does."""
        nonlocal running, most
        running += 1
        most = max(most, running)
        await asyncio.sleep(0)
        running -= 1
        return number

    def plan(name: str) -> BatchPlan:
        return BatchPlan(
            name="two", steps=tuple(Step(id=step, tool=name, arguments={"number": 3}) for step in ("a", "b"))
        )

    async with aclosing(make_executor()) as executor:
        executor.registry.register_all(resolve_tools([alone]))
        run = BatchExecutor(executor=executor).prepare(plan("half"), folder=tmp_path)
        assert (await run.go()).successes == 0
        assert run.revise(plan("alone")) == ["a", "b"]
        run.retry_failed()
        assert (await run.go()).successes == 2
        run.close()
    assert most == 1


async def test_what_succeeded_stays_as_it_ran(tmp_path: Path) -> None:
    async with aclosing(make_executor()) as executor:
        run = BatchExecutor(executor=executor).prepare(plan_of(4), folder=tmp_path)
        await run.go()
        assert run.revise(plan_of(6)) == []
        assert run.plan == plan_of(4)


async def test_a_run_of_which_nothing_is_left_is_over_when_its_last_failure_is_skipped(tmp_path: Path) -> None:
    journal = tmp_path / "run.jsonl"
    plan = BatchPlan(name="one", steps=(Step(id="only", tool="half", arguments={"number": 3}),))
    async with aclosing(make_executor()) as executor:
        run = BatchExecutor(executor=executor).prepare(plan, folder=tmp_path, journal=journal)
        await run.go()
        run.retry("only")
        assert not past_run(journal).is_over
        await run.go()
        run.skip("only")
        run.close()
    assert is_over(journal)
    assert past_run(journal).is_over


async def test_a_second_run_is_not_written_into_the_journal_of_another(tmp_path: Path) -> None:
    journal = tmp_path / "run.jsonl"

    async with aclosing(make_executor()) as executor:
        batches = BatchExecutor(executor=executor)
        await batches.run(plan_of(4), folder=tmp_path, journal=journal)
        written = journal.read_bytes()
        with pytest.raises(HistoryError, match="holds another run already"):
            batches.prepare(plan_of(6), folder=tmp_path, journal=journal)
        assert journal.read_bytes() == written


@pytest.mark.parametrize("line", ["[1]", "7", '"text"'])
def test_lines_of_something_else_are_no_journal(tmp_path: Path, line: str) -> None:
    journal = tmp_path / "run.jsonl"
    journal.write_text(f"{line}\n", encoding="utf-8")
    with pytest.raises(HistoryError, match="no journal of a batch"):
        past_run(journal)


def test_a_file_that_went_away_before_its_row_ends_the_step_and_not_the_run(tmp_path: Path) -> None:
    (tmp_path / "a.txt").touch()
    source = open_rows(Rows(files="*.txt"), tmp_path)
    (tmp_path / "a.txt").unlink()
    with pytest.raises(RowError, match=r"a\.txt was there when the step began"):
        list(source.read())


async def test_a_run_without_an_end_is_not_over(tmp_path: Path) -> None:
    journal = tmp_path / "run.jsonl"
    async with aclosing(make_executor()) as executor:
        run = BatchExecutor(executor=executor).prepare(plan_of(4), folder=tmp_path, journal=journal)
        assert is_under_way(journal)
        run.close()
    assert not is_over(journal)
    assert not is_under_way(journal)
