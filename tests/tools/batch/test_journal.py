"""What a journal holds: when steps began, and what becomes of it where programs and disks go wrong."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from contextlib import aclosing
from pathlib import Path
from typing import Any

import pytest

from tools import Executor, ToolRegistry, resolve_tools, tool
from tools.batch import BatchExecutor, BatchPlan, BatchRun, Rows, Step, StepState
from tools.batch.runs import is_run_of, past_run, run_id, title_of

FAILING: set[str] = set()


@tool(read_only=True, idempotent=True)
async def work(name: str) -> str:
    """Do a piece of work that takes a while."""
    await asyncio.sleep(0.01)
    if name in FAILING:
        raise ValueError(name)
    return name


@tool(idempotent=False)
async def once(name: str) -> str:
    """Do what must not be done twice, and never end."""
    await asyncio.Event().wait()
    return name


PLAN = BatchPlan(
    name="times",
    steps=(
        Step(id="a", tool="work", arguments={"name": "a"}),
        Step(id="b", tool="work", arguments={"name": "b"}, depends_on=("a",)),
        Step(id="fan", tool="work", rows=Rows(values=["x", "y"]), arguments={"name": "${row}"}, depends_on=("b",)),
        Step(id="never", tool="work", condition="`false`", arguments={"name": "never"}, depends_on=("fan",)),
    ),
)


def going(act: Callable[[BatchExecutor], Awaitable[Any]]) -> Any:
    async def body() -> Any:
        registry = ToolRegistry(resolve_tools([work, once]))
        async with aclosing(Executor(registry)) as executor:
            return await act(BatchExecutor(executor=executor))

    return asyncio.run(body())


def without_times(journal: Path) -> None:
    """Write a journal as the versions did that did not write down when."""
    head, *lines = [json.loads(line) for line in journal.read_text("utf-8").splitlines()]
    for line in lines:
        line.pop("at", None)
    journal.write_text("".join(json.dumps(line, separators=(",", ":")) + "\n" for line in (head, *lines)), "utf-8")


def test_a_journal_tells_when_its_steps_began(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"

    async def act(batches: BatchExecutor) -> float:
        return (await batches.run(PLAN, journal=path)).total_duration

    took_s = going(act)
    past = past_run(path)
    assert list(past.began_s) == ["a", "b", "fan"]
    ends_s = {name: at_s + past.ended[name].elapsed_s for name, at_s in past.began_s.items()}
    assert 0 <= past.began_s["a"] < ends_s["a"] <= past.began_s["b"] < ends_s["b"] <= past.began_s["fan"]
    assert ends_s["fan"] <= past.elapsed_s <= took_s
    assert past.result.total_duration == past.elapsed_s


def test_a_plan_without_a_name_has_the_runs_of_its_file(tmp_path: Path) -> None:
    path, file = tmp_path / "run.jsonl", tmp_path / "sub" / ".." / "nightly tidy.yaml"
    (tmp_path / "sub").mkdir()

    async def act(batches: BatchExecutor) -> None:
        run = batches.prepare(BatchPlan(steps=PLAN.steps), journal=path, file=file)
        await run.go()
        run.close()

    going(act)
    past = past_run(path)
    assert past.file == (tmp_path / "nightly tidy.yaml").resolve()
    mine = past.plan.name, past.file
    assert title_of(*mine) == "nightly tidy"
    assert run_id(past.plan, past.file).endswith("-nightly-tidy")
    assert is_run_of(mine, mine)
    assert not is_run_of(mine, (past.plan.name, tmp_path / "other.yaml"))
    assert not is_run_of(mine, (past.plan.name, None))
    assert is_run_of(("named", tmp_path / "old.yaml"), ("named", tmp_path / "new.yaml"))
    assert run_id(PLAN, past.file).endswith("-times")


def test_a_journal_without_times_is_read_all_the_same(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"

    async def act(batches: BatchExecutor) -> None:
        await batches.run(PLAN, journal=path)

    going(act)
    without_times(path)
    past = past_run(path)
    assert past.began_s == {}
    assert past.elapsed_s == 0
    assert past.result.total_duration == pytest.approx(sum(ended.elapsed_s for ended in past.ended.values()))
    assert past.result.successes == 3


@pytest.mark.expects_log("tools.calls")
def test_the_time_in_which_nobody_goes_on_is_left_out(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    FAILING.add("b")

    async def first(batches: BatchExecutor) -> float:
        return (await batches.run(PLAN, journal=path)).total_duration

    async def second(batches: BatchExecutor) -> BatchRun:
        run = batches.resume(path)
        assert run.began_before_s == past_run(path).began_s
        run.retry_failed()
        await asyncio.sleep(0.05)
        at_s = run.clock()
        assert at_s == past_run(path).elapsed_s
        await run.go()
        run.close()
        return run

    took_s = going(first)
    FAILING.clear()
    before = past_run(path)
    run = going(second)
    past = past_run(path)
    assert past.began_s["a"] == before.began_s["a"]
    assert before.elapsed_s <= past.began_s["b"] < before.elapsed_s + run.clock() - before.elapsed_s
    assert run.clock() >= past.elapsed_s > before.elapsed_s
    assert before.elapsed_s <= took_s


@pytest.mark.expects_log("tools.calls")
def test_of_what_may_have_run_is_told_when_it_began_and_how_long_it_was_heard_of(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    begun = BatchPlan(
        name="held",
        steps=(
            Step(id="once", tool="once", arguments={"name": "once"}),
            Step(id="a", tool="work", arguments={"name": "a"}),
        ),
    )

    async def act(batches: BatchExecutor) -> None:
        run = batches.prepare(begun, journal=path)
        going_on = asyncio.create_task(run.go())
        while not run.schedule.states["a"].ended:  # noqa: ASYNC110 -- a step's end sets no event
            await asyncio.sleep(0)
        going_on.cancel()
        await asyncio.wait([going_on])
        run.close()

    going(act)
    lines = path.read_text("utf-8").splitlines(keepends=True)
    path.write_text("".join(line for line in lines if '"end":"once"' not in line), "utf-8")
    past = past_run(path)
    unsure = past.result.results["once"]
    assert unsure.state is StepState.MAY_HAVE_RUN
    assert unsure.elapsed_s == pytest.approx(past.elapsed_s - past.began_s["once"])
    assert unsure.elapsed_s > 0
