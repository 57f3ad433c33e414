"""The timeline of a run that was written down is the one that was seen while it ran."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping
from contextlib import aclosing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from console.batch.engine_run import EngineRun, RunWatch
from console.batch.rows import Phase, StepFacts, StepRow, planned_steps
from console.batch.run_estimate import RunEstimate
from console.batch.runs import known
from console.batch.timeline_layout import timeline_of
from tests.console.test_app_batches import until
from tools import Executor, ToolRegistry, resolve_tools, tool
from tools.batch import BatchExecutor, BatchPlan, BatchRun, Limits, Rows, Step
from tools.spec import Isolation

FAILING: set[str] = set()
_MOMENT_S = 0.005
"""Shorter than any step here."""


@tool(read_only=True, idempotent=True)
async def work(name: str) -> str:
    """Do a piece of work that takes a while."""
    await asyncio.sleep(0.01)
    if name in FAILING:
        raise ValueError(name)
    return name


PLAN = BatchPlan(
    name="times",
    steps=(
        Step(id="a", tool="work", arguments={"name": "a"}),
        Step(id="beside", tool="work", arguments={"name": "beside"}),
        Step(id="b", tool="work", arguments={"name": "b"}, depends_on=("a",)),
        Step(id="fan", tool="work", rows=Rows(values=["x", "y"]), arguments={"name": "${row}"}, depends_on=("b",)),
        Step(id="never", tool="work", condition="`false`", arguments={"name": "never"}, depends_on=("fan",)),
    ),
)


@tool(read_only=True, idempotent=True, parallelizable=False)
async def alone(name: str) -> str:
    """Do a piece of work beside which nothing of its kind runs."""
    return name


@tool(read_only=True, idempotent=True, isolation=Isolation.PROCESS)
def apart(name: str) -> str:
    """Do a piece of work in a process of its own."""
    return name


def unheard_watch() -> RunWatch:
    """Watch a run for nobody."""
    return RunWatch(lambda _: None, lambda: False)


class Held:
    """A run as the window holds it."""

    def __init__(self, run: BatchRun, watch: RunWatch) -> None:
        self.run = run
        self.held = EngineRun(run, watch, "run", datetime.now(UTC))

    @property
    def facts(self) -> Mapping[str, StepFacts]:
        return self.held.update(self.run.schedule.states).steps

    def bars(self) -> dict[str, tuple[float, float, int]]:
        facts = self.facts
        rows = [StepRow(planned, facts[planned.step]) for planned in planned_steps(self.run.plan)]
        timeline = timeline_of(rows, RunEstimate(), workers=4, now_s=None)
        return {bar.step: (bar.began_s, bar.ended_s, bar.worker) for bar in timeline.bars}

    async def go(self) -> None:
        self.held.go()
        await until(lambda: not self.held.goes_on)


def registry() -> ToolRegistry:
    return ToolRegistry(resolve_tools([work]))


async def test_what_runs_alone_and_in_worker_processes_is_known_before_it_runs() -> None:
    async with aclosing(Executor(ToolRegistry(resolve_tools([work, alone, apart])))) as executor:
        await executor.execute(executor.create_call("work", {"name": "x"}))
        plan = BatchPlan(
            steps=tuple(Step(id=name, tool=name) for name in ("work", "alone", "apart", "gone")),
            limits=Limits(tools={"work": 3}),
        )
        here, elsewhere = known(plan, executor, 2), known(plan, executor, 0)
        assert set(here.usual_s) == {"work"}
        assert here.usual_s["work"] >= 0.01
        assert here.lanes == {
            "work": {("tool", "work"): 3},
            "alone": {("alone", ""): 1},
            "apart": {("workers", ""): 2},
        }
        assert elsewhere.lanes == {"work": {("tool", "work"): 3}, "alone": {("alone", ""): 1}}


async def test_the_timeline_of_a_reopened_run_is_the_one_that_was_seen(tmp_path: Path) -> None:
    async with aclosing(Executor(registry())) as executor:
        batches = BatchExecutor(executor=executor)
        journal = tmp_path / "run.jsonl"
        watch = unheard_watch()
        seen = Held(batches.prepare(PLAN, listener=watch, journal=journal), watch)
        await seen.go()
        bars = seen.bars()
        assert list(bars) in [["a", "beside", "b", "fan"], ["beside", "a", "b", "fan"]]
        await seen.held.close()

        watch = unheard_watch()
        again = Held(batches.resume(journal, watch), watch)
        shown = again.bars()
        assert shown.keys() == bars.keys()
        for step, (began_s, ended_s, _) in shown.items():
            # What it looks at is gathered before its begin is told, and it is written down a moment after that.
            assert began_s >= bars[step][0] - _MOMENT_S
            assert ended_s - began_s == pytest.approx(bars[step][1] - bars[step][0], abs=_MOMENT_S)
        assert shown["a"][1] <= shown["b"][0] + _MOMENT_S
        assert {shown["a"][2], shown["beside"][2]} == {0, 1}
        assert {shown["b"][2], shown["fan"][2]} <= {0, 1}
        facts = again.held.update(()).facts
        assert facts.phase is Phase.OVER
        assert facts.zero_s is None
        assert facts.elapsed_s >= max(ended_s for _, ended_s, _ in again.bars().values())
        await again.held.close()


@pytest.mark.expects_log("tools.calls")
async def test_bars_stay_where_they_are_when_a_run_goes_on_later(tmp_path: Path) -> None:
    async with aclosing(Executor(registry())) as executor:
        watch = unheard_watch()
        run = BatchExecutor(executor=executor).prepare(PLAN, listener=watch, folder=tmp_path)
        held = Held(run, watch)
        FAILING.add("b")
        await held.go()
        before, stood_at_s = held.bars(), run.clock()
        FAILING.clear()
        await asyncio.sleep(0.05)
        run.retry_failed()
        await held.go()
        after = held.bars()
        assert after["a"] == before["a"]
        assert after["beside"] == before["beside"]
        assert after["b"][0] >= stood_at_s > before["b"][0]
        await held.held.close()


def test_the_calls_of_a_run_take_as_many_lanes_as_it_has_places(tmp_path: Path) -> None:
    """They do so too in a run that is looked at again."""

    @tool(isolation="thread", idempotent=True)
    def quick(number: int) -> int:
        """Do a moment's work."""
        time.sleep(0.001)
        return number

    steps = tuple(Step(id=f"s{number}", tool="quick", arguments={"number": number}) for number in range(40))

    async def act() -> None:
        async with aclosing(Executor(ToolRegistry(resolve_tools([quick])))) as executor:
            watch = unheard_watch()
            batches = BatchExecutor(executor=executor)
            journal = tmp_path / "run.jsonl"
            plan = BatchPlan(limits=Limits(parallelism=2), steps=steps)
            seen = Held(batches.prepare(plan, listener=watch, journal=journal), watch)
            await seen.go()
            await seen.held.close()
            assert set(watch.worker.values()) == {0, 1}

            watch = unheard_watch()
            again = Held(batches.resume(journal, watch), watch)
            assert set(watch.worker.values()) == {0, 1}
            await again.held.close()

    asyncio.run(act())
