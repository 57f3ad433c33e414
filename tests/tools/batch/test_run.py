"""Batches as they run: order, failures, rows, limits, pauses, and what a killed run leaves."""

from __future__ import annotations

import asyncio
import functools
import json
from collections import Counter
from collections.abc import Callable, Coroutine, Iterator
from contextlib import aclosing, closing
from pathlib import Path
from threading import Lock
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.tools.batch.travelling import apart
from tests.tools.running import until
from tools import Executor, tool
from tools.batch import (
    BatchExecutor,
    BatchListener,
    BatchPlan,
    Limits,
    OnFailure,
    RowCounts,
    Rows,
    Step,
    StepResult,
    StepState,
    ToolDependencyGraph,
)
from tools.batch.journal import Journal
from tools.batch.result import ResultStore, RowStates
from tools.batch.rows import FanOut, RowSource
from tools.batch.runs import read_journal
from tools.declare import resolve_tools
from tools.errors import CallStateError, HistoryError, PlanError, ToolFailure
from tools.execution.workers import WorkerPool
from tools.registry import ToolRegistry


def in_loop(test: Callable[..., Coroutine[Any, Any, None]]) -> Callable[..., None]:
    """Run a test's coroutine in a loop of its own."""

    @functools.wraps(test)
    def run(*args: Any, **named: Any) -> None:
        asyncio.run(test(*args, **named))

    return run


class Bench:
    """Tools that tell what they did."""

    def __init__(self) -> None:
        self.ran: list[Any] = []
        self.at_a_time: Counter[str] = Counter()
        self.most: Counter[str] = Counter()
        self.failing: set[Any] = set()
        self.gate = asyncio.Event()
        self._lock = Lock()

        @tool()
        async def work(name: str, value: Any = None) -> Any:
            """Do a piece of work."""
            self.ran.append(name)
            await asyncio.sleep(0)
            if name in self.failing:
                message = f"{name} does not work"
                raise ToolFailure(message)
            return value

        @tool(idempotent=False)
        async def once(name: str) -> str:
            """Do what must not be done twice."""
            self.ran.append(name)
            return name

        @tool(parallelizable=False)
        async def alone(name: str) -> str:
            """Run by itself."""
            return await self._counted("alone", name)

        @tool()
        async def many(name: str) -> str:
            """Run beside others."""
            return await self._counted("many", name)

        @tool()
        async def wait(name: str) -> str:
            """Wait until somebody opens the gate."""
            self.ran.append(name)
            await self.gate.wait()
            return name

        self.registry = ToolRegistry(resolve_tools([work, once, alone, many, wait]))

    async def _counted(self, kind: str, name: str) -> str:
        self.at_a_time[kind] += 1
        self.most[kind] = max(self.most[kind], self.at_a_time[kind])
        for _ in range(3):
            await asyncio.sleep(0)
        self.at_a_time[kind] -= 1
        self.ran.append(name)
        return name


class Said(BatchListener):
    """Keep what a batch says."""

    def __init__(self) -> None:
        self.said: list[tuple[Any, ...]] = []

    def on_batch_start(self, total: int) -> None:
        """Keep it."""
        self.said.append(("batch", total))

    def on_tool_start(self, name: str) -> None:
        """Keep it."""
        self.said.append(("start", name))

    def on_tool_complete(self, name: str, success: bool, completed: int, total: int) -> None:
        """Keep it."""
        self.said.append(("end", name, success, completed, total))

    def on_batch_complete(self, successes: int, failures: int, duration: float) -> None:
        """Keep it."""
        assert duration >= 0
        self.said.append(("over", successes, failures))


def step(name: str, *needs: str, tool_name: str = "work", **more: Any) -> Step:
    """Return a step that tells its name."""
    return Step(id=name, tool=tool_name, arguments={"name": name}, depends_on=needs, **more)


async def ran(bench: Bench, plan: BatchPlan, **more: Any) -> Any:
    """Run a plan on the bench."""
    executor = Executor(bench.registry)
    try:
        return await BatchExecutor(executor=executor).run(plan, **more)
    finally:
        await executor.aclose()


@pytest.mark.reference("A74", "A75", "A77", "A79")
def test_tools_run_with_what_each_is_given_and_each_says_what_came() -> None:
    """A mapping of tools is the whole batch; texts and arguments will both do."""

    @tool()
    def search(query: str) -> str:
        """Search."""
        return f"found {query}"

    @tool(parallelizable=False)
    def divide(dividend: int, divisor: int) -> float:
        """Divide."""
        return dividend / divisor

    with BatchExecutor() as batch:
        result = batch.execute({search: "${cats}", divide: {"dividend": 1, "divisor": 0}})

    assert list(result.results) == ["search", "divide"]
    found = result.results["search"]
    assert (found.success, found.result, found.error) == (True, "found ${cats}", None)
    assert not result.results["divide"].success
    assert "ZeroDivisionError" in str(result.results["divide"].error) or "division" in str(
        result.results["divide"].error
    )
    assert result.success_rate == 0.5
    assert result.total_duration > 0


@pytest.mark.reference("A78")
def test_a_batch_runs_four_at_a_time_for_a_minute_unless_told_otherwise() -> None:
    """Both are settable."""
    assert BatchExecutor()._limits == Limits(parallelism=4, timeout_s=60.0)
    assert BatchExecutor(8, 120.0)._limits == Limits(parallelism=8, timeout_s=120.0)


@pytest.mark.reference("A76")
@in_loop
async def test_a_graph_says_what_waits_for_what() -> None:
    """Steps of a mapping run in its order."""
    bench = Bench()
    graph = ToolDependencyGraph()
    graph.add_dependency("work", "many")
    executor = Executor(bench.registry)

    result = await BatchExecutor(executor=executor).run({"work": {"name": "second"}, "many": {"name": "first"}}, graph)
    await executor.aclose()

    assert bench.ran == ["first", "second"]
    assert list(result.results) == ["work", "many"]


@pytest.mark.reference("A80", "A81", "A82", "A83")
@in_loop
async def test_a_listener_is_told_of_the_start_of_each_step_and_of_the_end() -> None:
    """Counts go up to the total, one by one, also where a failure takes others with it."""
    bench, said = Bench(), Said()
    bench.failing = {"b"}

    await ran(bench, BatchPlan(steps=(step("a"), step("b", "a"), step("c", "b"))), listener=said)

    assert said.said == [
        ("batch", 3),
        ("start", "a"),
        ("end", "a", True, 1, 3),
        ("start", "b"),
        ("end", "b", False, 2, 3),
        ("end", "c", False, 3, 3),
        ("over", 1, 1),
    ]


@in_loop
async def test_a_listener_that_raises_harms_nobody(caplog: pytest.LogCaptureFixture) -> None:
    """It is written down, and the batch goes on."""

    class Broken(BatchListener):
        def on_tool_start(self, name: str) -> None:
            message = f"no {name}"
            raise RuntimeError(message)

    result = await ran(Bench(), BatchPlan(steps=(step("a"),)), listener=Broken())

    assert result.success_rate == 1
    assert "a batch listener failed in on_tool_start" in caplog.text
    caplog.clear()


class Behind(BatchListener):
    """Keep up, or not; and keep what began."""

    def __init__(self, *, behind: bool) -> None:
        self.behind = behind
        self.asked = 0
        self.began: list[str] = []

    def is_behind(self) -> bool:
        """Say so."""
        self.asked += 1
        return self.behind

    def on_tool_start(self, name: str) -> None:
        """Keep it."""
        self.began.append(name)


@in_loop
async def test_calls_begin_later_while_a_listener_is_behind_and_those_that_run_go_on() -> None:
    """A pause of the listener is none of the run."""
    bench, listener = Bench(), Behind(behind=False)
    plan = BatchPlan(steps=(step("a", tool_name="wait"), step("b", "a"), step("c", "b")))
    running = asyncio.create_task(ran(bench, plan, listener=listener))
    await until(lambda: bench.ran == ["a"])

    listener.behind = True
    bench.gate.set()
    asked = listener.asked
    await until(lambda: listener.asked > asked + 3)
    assert bench.ran == ["a"]
    assert listener.began == ["a"]

    listener.behind = False
    result = await running
    assert bench.ran == ["a", "b", "c"]
    assert result.success_rate == 1


@in_loop
async def test_a_listener_that_is_always_behind_ends_no_run_and_keeps_nobody_from_cancelling_it() -> None:
    """It only slows it down."""
    bench, listener = Bench(), Behind(behind=True)
    result = await ran(bench, BatchPlan(steps=(step("a"),)), listener=listener)
    assert result.success_rate == 1

    executor = Executor(bench.registry)
    listener = Behind(behind=True)
    many = BatchPlan(steps=tuple(step(f"s{number}") for number in range(50)), limits=Limits(parallelism=1))
    run = BatchExecutor(executor=executor).prepare(many, listener=listener)
    going = asyncio.create_task(run.go())
    await until(lambda: listener.asked > 0)
    run.cancel()
    async with asyncio.timeout(10):
        cancelled = await going
    run.close()
    await executor.aclose()
    assert {item.state for item in cancelled.results.values()} <= {StepState.CANCELLED, StepState.DONE}


@in_loop
async def test_a_listener_that_cannot_say_whether_it_is_behind_harms_nobody(caplog: pytest.LogCaptureFixture) -> None:
    """It is written down, and the batch goes on."""

    class Broken(BatchListener):
        def is_behind(self) -> bool:
            raise ZeroDivisionError

    result = await ran(Bench(), BatchPlan(steps=(step("a"),)), listener=Broken())

    assert result.success_rate == 1
    assert "a batch listener failed in is_behind" in caplog.text
    caplog.clear()


@pytest.mark.reference("A84")
@in_loop
async def test_what_waits_for_a_failed_step_is_skipped_and_says_so() -> None:
    """What waits for nobody goes on."""
    bench = Bench()
    bench.failing = {"a"}

    result = await ran(bench, BatchPlan(steps=(step("a"), step("b", "a"), step("c", "b"), step("d"))))

    states = {name: item.state for name, item in result.results.items()}
    assert states == {
        "a": StepState.FAILED,
        "b": StepState.SKIPPED,
        "c": StepState.SKIPPED,
        "d": StepState.DONE,
    }
    assert result.results["b"].error == "it waits for 'a', which failed"
    assert result.results["c"].error == "it waits for 'b', which was skipped"


@in_loop
async def test_a_step_whose_failure_is_borne_holds_nobody_up() -> None:
    """Its result is null for those that take it."""
    bench = Bench()
    bench.failing = {"a"}
    after = Step(id="b", tool="work", arguments={"name": "b", "value": "${steps.a.result}"})

    result = await ran(bench, BatchPlan(steps=(step("a", continue_on_failure=True), after)))

    assert result.results["b"].success
    assert result.results["b"].result is None


@in_loop
async def test_a_plan_that_stops_at_a_failure_cancels_the_rest() -> None:
    """What had not begun says why."""
    bench = Bench()
    bench.failing = {"a"}
    plan = BatchPlan(
        steps=(step("a"), step("b"), step("c", "b")), limits=Limits(parallelism=1), on_failure=OnFailure.STOP
    )

    result = await ran(bench, plan)

    assert bench.ran == ["a"]
    assert result.results["c"].state is StepState.CANCELLED
    assert result.results["b"].error == "step 'a' failed, and the plan stops then"


@pytest.mark.reference("A85")
@in_loop
async def test_a_deadline_times_out_what_is_unfinished() -> None:
    """What runs is stopped, what waits does not begin, what is done stays."""
    bench = Bench()
    plan = BatchPlan(steps=(step("a"), step("b", "a", tool_name="wait"), step("c", "b")), limits=Limits(timeout_s=0.05))

    result = await ran(bench, plan)

    assert [item.state for item in result.results.values()] == [
        StepState.DONE,
        StepState.TIMED_OUT,
        StepState.TIMED_OUT,
    ]
    assert result.results["c"].error == "the batch's time of 0.05 s was up"


@pytest.mark.reference("A9")
@in_loop
async def test_tools_that_run_alone_run_one_at_a_time_beside_the_others() -> None:
    """The others fill the places."""
    bench = Bench()
    steps = [step(f"a{i}", tool_name="alone") for i in range(6)] + [step(f"m{i}", tool_name="many") for i in range(12)]

    result = await ran(bench, BatchPlan(steps=tuple(steps), limits=Limits(parallelism=4)))

    assert result.success_rate == 1
    assert bench.most["alone"] == 1
    assert bench.most["many"] >= 3


@in_loop
async def test_a_limit_for_a_tool_and_for_a_source_is_kept() -> None:
    """Nobody is forgotten in the queue."""
    bench = Bench()
    steps = tuple(step(f"m{i}", tool_name="many") for i in range(10))

    by_tool = await ran(bench, BatchPlan(steps=steps, limits=Limits(parallelism=8, tools={"many": 2})))
    assert (by_tool.success_rate, bench.most["many"]) == (1, 2)

    bench.most.clear()
    by_source = await ran(bench, BatchPlan(steps=steps, limits=Limits(parallelism=8, sources={"Program": 3})))
    assert (by_source.success_rate, bench.most["many"]) == (1, 3)


@in_loop
async def test_a_call_that_no_worker_process_is_free_for_is_queued_and_does_not_count_as_running() -> None:
    """Its time would pass, and it would be told as one that may have run."""
    running: set[str] = set()
    most: list[int] = []

    class Counting(BatchListener):
        def on_state_change(self, name: str, state: StepState, reason: str) -> None:
            del reason
            (running.add if state is StepState.RUNNING else running.discard)(name)
            most.append(len(running))

    steps = tuple(Step(id=f"s{number}", tool="apart", arguments={"number": number}) for number in range(6))
    with closing(WorkerPool(size=2)) as workers:
        async with aclosing(Executor(ToolRegistry(resolve_tools([apart])), workers=workers)) as executor:
            batches = BatchExecutor(executor=executor)
            result = await batches.run(BatchPlan(steps=steps, limits=Limits(parallelism=6)), listener=Counting())
    assert [item.result for item in result.results.values()] == list(range(6))
    assert max(most) == 2


@in_loop
async def test_rows_are_one_step_with_counts_and_a_list_of_results() -> None:
    """Later steps take the list; a row's place is its number."""
    bench = Bench()
    fan = Step(
        id="fan",
        tool="work",
        arguments={"name": "${row.id}", "value": "${index}"},
        rows=Rows(values=[{"id": f"r{i}"} for i in range(600)]),
    )
    total = Step(id="total", tool="work", arguments={"name": "total", "value": "${sum(steps.fan.result)}"})

    result = await ran(bench, BatchPlan(steps=(fan, total)))

    assert result.results["fan"].rows == RowCounts(600, 600)
    assert result.results["fan"].result[599] == 599
    assert result.results["total"].result == sum(range(600))
    assert sorted(bench.ran) == sorted([f"r{i}" for i in range(600)] + ["total"])


@in_loop
async def test_rows_are_read_as_they_are_needed() -> None:
    """However many there are, only a few are held at a time."""
    read: list[int] = []

    def rows() -> Iterator[int]:
        for number in range(3_000):
            read.append(number)
            yield number

    fan_out = FanOut(RowSource(rows), RowStates(ResultStore()))
    done = most = 0
    while (taken := await fan_out.next_row()) is not None:
        most = max(most, len(read) - done)
        fan_out.end(taken.number, StepResult(StepState.DONE), 0)
        done += 1

    assert (done, fan_out.counts) == (3_000, RowCounts(3_000, 3_000))
    assert most <= 256


@in_loop
async def test_failed_rows_are_counted_and_only_they_run_again() -> None:
    """The step fails, names the first of them, and holds back what waits for it."""
    bench = Bench()
    bench.failing = {"r2", "r4"}
    rows = Rows(values=[f"r{i}" for i in range(6)])
    fan = Step(id="fan", tool="work", arguments={"name": "${row}", "value": "${row}"}, rows=rows)
    executor = Executor(bench.registry)
    run = BatchExecutor(executor=executor).prepare(BatchPlan(steps=(fan, step("after", "fan"))))

    first = await run.go()
    assert first.results["fan"].error == "2 of 6 rows did not succeed; row 3: r2 does not work"
    assert first.results["after"].state is StepState.SKIPPED

    bench.failing, bench.ran = {"r4"}, []
    assert run.retry_failed() == ["fan", "after"]
    second = await run.go()
    assert sorted(bench.ran) == ["r2", "r4"]
    assert second.results["fan"].rows == RowCounts(6, 5, 1)

    bench.failing = set()
    run.retry("fan")
    third = await run.go()
    await executor.aclose()
    assert third.success_rate == 1
    assert list(third.results["fan"].result) == [f"r{i}" for i in range(6)]


@in_loop
async def test_rows_come_from_csv_json_and_file_names(tmp_path: Path) -> None:
    """Paths are relative to the plan's folder."""
    (tmp_path / "people.csv").write_text("name,city\nMira,Bonn\n\nJan,Graz\n", encoding="utf-8")
    (tmp_path / "lines.json").write_text('{"n": 1}\n{"n": 2}\n', encoding="utf-8")
    (tmp_path / "list.json").write_text("[1, 2, 3]", encoding="utf-8")
    bench = Bench()

    def fan(name: str, **rows: Any) -> Step:
        return Step(id=name, tool="work", arguments={"name": name, "value": "${row}"}, rows=Rows(**rows))

    plan = BatchPlan(
        steps=(
            fan("csv", csv="people.csv"),
            fan("lines", json="lines.json"),
            fan("list", json="list.json"),
            fan("files", files="*.json"),
        )
    )
    result = await ran(bench, plan, folder=tmp_path)

    assert list(result.results["csv"].result) == [{"name": "Mira", "city": "Bonn"}, {"name": "Jan", "city": "Graz"}]
    assert list(result.results["lines"].result) == [{"n": 1}, {"n": 2}]
    assert list(result.results["list"].result) == [1, 2, 3]
    assert [row["name"] for row in result.results["files"].result] == ["lines.json", "list.json"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("name,name\n", "a heading whose names differ"),
        ("a,b\n1\n", "line 2: expected 2 cells, got 1"),
        (None, "rows.csv is not there; expected a file with rows at"),
    ],
)
@in_loop
async def test_rows_that_cannot_be_read_fail_the_step_with_the_place(
    tmp_path: Path, text: str | None, message: str
) -> None:
    """No row runs; what stands there before anything runs is a problem of the plan, so this comes meanwhile."""
    if text is not None:
        (tmp_path / "rows.csv").write_text(text, encoding="utf-8")
    bench = Bench()

    fan = step("fan", "before", rows=Rows(csv="rows.csv"))
    result = await ran(bench, BatchPlan(steps=(step("before"), fan)), folder=tmp_path)

    assert result.results["fan"].state is StepState.FAILED
    assert message in str(result.results["fan"].error)


@in_loop
async def test_a_condition_skips_a_step_and_what_waits_for_it() -> None:
    """It sees results and status of the steps before."""
    bench = Bench()
    plan = BatchPlan(
        steps=(
            Step(id="a", tool="work", arguments={"name": "a", "value": [1, 2]}),
            step("few", condition="length(steps.a.result) < `2`"),
            step("some", condition="steps.a.status == 'done'"),
            step("behind", "few"),
        )
    )

    result = await ran(bench, plan)

    assert sorted(bench.ran) == ["a", "some"]
    assert result.results["few"].error == "its condition does not hold: length(steps.a.result) < `2`"
    assert result.results["behind"].state is StepState.SKIPPED


@in_loop
async def test_a_step_is_made_again_as_often_as_the_plan_says() -> None:
    """The attempts are counted."""
    bench = Bench()
    bench.failing = {"a"}

    result = await ran(bench, BatchPlan(steps=(step("a", retries=2),)))

    assert bench.ran == ["a", "a", "a"]
    assert result.results["a"].attempts == 3


@in_loop
async def test_a_step_has_the_time_that_the_plan_gives_it() -> None:
    """It timed out, whatever its tool allows itself."""
    result = await ran(Bench(), BatchPlan(steps=(step("a", tool_name="wait", timeout_s=0.02),)))

    assert result.results["a"].state is StepState.TIMED_OUT
    assert result.results["a"].error == "it took longer than the 0.02 s that the plan gives it"


@in_loop
async def test_a_paused_run_begins_nothing_and_goes_on_when_told() -> None:
    """What runs ends meanwhile."""
    bench = Bench()
    executor = Executor(bench.registry)
    run = BatchExecutor(executor=executor).prepare(BatchPlan(steps=(step("a", tool_name="wait"), step("b", "a"))))
    task = asyncio.create_task(run.go())
    await until(lambda: bool(bench.ran))

    run.pause()
    bench.gate.set()
    await until(lambda: run.schedule.states["a"] is StepState.DONE)
    for _ in range(5):
        await asyncio.sleep(0)
    assert run.schedule.states["b"] is StepState.QUEUED

    run.resume()
    result = await task
    await executor.aclose()
    assert result.success_rate == 1


@in_loop
async def test_a_cancelled_run_stops_what_runs_and_begins_nothing() -> None:
    """Also while it is paused."""
    bench = Bench()
    executor = Executor(bench.registry)
    run = BatchExecutor(executor=executor).prepare(BatchPlan(steps=(step("a", tool_name="wait"), step("b", "a"))))
    task = asyncio.create_task(run.go())
    await until(lambda: bool(bench.ran))

    run.pause()
    run.cancel()
    result = await task
    await executor.aclose()

    assert [item.state for item in result.results.values()] == [StepState.CANCELLED, StepState.CANCELLED]
    assert result.results["a"].error == "the batch was cancelled"


@in_loop
async def test_one_step_is_cancelled_and_the_others_go_on() -> None:
    """What waits for it is skipped."""
    bench = Bench()
    executor = Executor(bench.registry)
    plan = BatchPlan(steps=(step("a", tool_name="wait"), step("b", "a"), step("c")))
    run = BatchExecutor(executor=executor).prepare(plan)
    task = asyncio.create_task(run.go())
    await until(lambda: "c" in bench.ran)

    run.cancel_step("a")
    result = await task
    await executor.aclose()

    assert [item.state for item in result.results.values()] == [
        StepState.CANCELLED,
        StepState.SKIPPED,
        StepState.DONE,
    ]


@in_loop
async def test_a_skipped_step_lets_those_go_on_that_wait_for_it() -> None:
    """Somebody looked at the failure and said so."""
    bench = Bench()
    bench.failing = {"a"}
    executor = Executor(bench.registry)
    run = BatchExecutor(executor=executor).prepare(BatchPlan(steps=(step("a"), step("b", "a"))))
    await run.go()

    run.skip("a")
    result = await run.go()
    await executor.aclose()

    assert result.results["b"].success
    with pytest.raises(CallStateError, match="only one that has not begun"):
        run.skip("b")


@in_loop
async def test_a_step_and_all_behind_it_run_again() -> None:
    """What was before it does not."""
    bench = Bench()
    executor = Executor(bench.registry)
    run = BatchExecutor(executor=executor).prepare(BatchPlan(steps=(step("a"), step("b", "a"), step("c", "b"))))
    await run.go()

    assert run.rerun_from("b") == ["b", "c"]
    await run.go()
    await executor.aclose()

    assert bench.ran == ["a", "b", "c", "b", "c"]


def _problems(plan: BatchPlan) -> list[str]:
    with pytest.raises(PlanError) as caught:
        BatchExecutor(executor=Executor(Bench().registry)).prepare(plan)
    return [str(problem) for problem in caught.value.problems]


@pytest.mark.parametrize(
    ("steps", "said"),
    [
        ((), "steps: expected at least one step"),
        ((step("a"), step("a")), "2 steps are called 'a'"),
        ((step("a", "b"),), "steps[0].depends_on: no step is called 'b'; there are a"),
        ((step("a", "b"), step("b", "a")), "each waits for the next one, in a circle"),
        ((step("a", tool_name="wrok"),), "no tool is called 'wrok'; did you mean 'work'?"),
        ((step("a", tool_name="once", retries=1),), "is not idempotent"),
        ((Step(id="a", tool="work", arguments={"nmae": "x"}),), "steps[0].arguments"),
        ((Step(id="a", tool="work", arguments={"name": "${steps.b.result}"}),), "no step is called 'b'"),
        ((Step(id="a", tool="work", arguments={"name": "${row.x}"}),), "only in the arguments of a step with rows"),
        ((Step(id="a", tool="work", arguments={"name": "${parameters.x}"}),), "the plan has no parameter 'x'"),
        ((Step(id="a", tool="work", arguments={"name": "${steps."}),), "expected a closing brace"),
        ((Step(id="a", tool="work", arguments={"name": "${foo.bar}"}),), "begins with 'foo'"),
        ((step("a", condition="length("),), "steps[0].condition: expected a JMESPath expression"),
    ],
)
def test_a_plan_that_does_not_fit_says_everything_before_anything_runs(steps: tuple[Step, ...], said: str) -> None:
    """The place, what was expected, what came."""
    assert any(said in problem for problem in _problems(BatchPlan(steps=steps)))


@st.composite
def graphs(draw: st.DrawFn) -> tuple[dict[str, list[str]], set[str], set[str]]:
    """Return what each step waits for, which fail, and which must not run twice."""
    count = draw(st.integers(1, 8))
    names = [f"s{i}" for i in range(count)]
    needs = {
        name: sorted(draw(st.sets(st.sampled_from(names[:index]), max_size=3))) if index else []
        for index, name in enumerate(names)
    }
    failing = draw(st.sets(st.sampled_from(names), max_size=2))
    single = draw(st.sets(st.sampled_from(names), max_size=3)) - failing
    return needs, failing, single


def _naive(needs: dict[str, list[str]], failing: set[str]) -> dict[str, StepState]:
    states: dict[str, StepState] = {}
    for name, before in needs.items():
        if any(states[other] is not StepState.DONE for other in before):
            states[name] = StepState.SKIPPED
        else:
            states[name] = StepState.FAILED if name in failing else StepState.DONE
    return states


def _plan(needs: dict[str, list[str]], single: set[str], parallelism: int) -> BatchPlan:
    steps = [step(name, *before, tool_name="once" if name in single else "work") for name, before in needs.items()]
    return BatchPlan(steps=tuple(steps), limits=Limits(parallelism=parallelism))


@given(graphs(), st.integers(1, 4))
@settings(suppress_health_check=[HealthCheck.too_slow], max_examples=60)
def test_random_graphs_with_random_failures_go_as_a_naive_model_says(
    drawn: tuple[dict[str, list[str]], set[str], set[str]], parallelism: int
) -> None:
    """Each runs once and after all it waits for, and the counts add up."""
    needs, failing, single = drawn
    bench = Bench()
    bench.failing = failing

    result = asyncio.run(ran(bench, _plan(needs, single, parallelism)))

    expected = _naive(needs, failing)
    assert {name: item.state for name, item in result.results.items()} == expected
    assert sorted(bench.ran) == sorted(name for name, state in expected.items() if state is not StepState.SKIPPED)
    assert all(bench.ran.index(other) < bench.ran.index(name) for name in bench.ran for other in needs[name])
    assert result.successes + result.failures + sum(s is StepState.SKIPPED for s in expected.values()) == len(needs)


@given(graphs(), st.integers(1, 4), st.floats(0, 1))
@settings(suppress_health_check=[HealthCheck.too_slow], max_examples=60, deadline=None)
def test_a_run_that_was_cut_off_anywhere_goes_on_to_the_same_end(
    tmp_path_factory: pytest.TempPathFactory,
    drawn: tuple[dict[str, list[str]], set[str], set[str]],
    parallelism: int,
    cut: float,
) -> None:
    """What ended is never run again, and what must not run twice and may have run waits for somebody."""
    needs, failing, single = drawn
    path = tmp_path_factory.mktemp("run") / "journal.jsonl"
    bench = Bench()
    bench.failing = failing
    plan = _plan(needs, single, parallelism)
    asyncio.run(ran(bench, plan, journal=path))
    whole = path.read_bytes()
    head = whole.index(b"\n") + 1
    kept = whole[: head + int(cut * (len(whole) - head))]
    path.write_bytes(kept)
    lines = [json.loads(line) for line in kept.split(b"\n")[1:-1]]
    ended = {line["end"] for line in lines if "end" in line}
    unsure = {line["begin"] for line in lines if "begin" in line} - ended
    bench.ran = []

    async def resumed() -> Any:
        executor = Executor(bench.registry)
        run = BatchExecutor(executor=executor).resume(path)
        try:
            await run.go()
            held = {name for name, state in run.schedule.states.items() if state is StepState.MAY_HAVE_RUN}
            assert held == unsure & single
            assert not set(bench.ran) & (ended | held)
            for name in held:
                run.retry(name)
            return await run.go()
        finally:
            run.close()
            await executor.aclose()

    result = asyncio.run(resumed())

    assert {name: item.state for name, item in result.results.items()} == _naive(needs, failing)
    assert len(bench.ran) == len(set(bench.ran))
    assert not set(bench.ran) & ended


@in_loop
async def test_a_result_with_half_a_letter_is_written_down_and_read_again(tmp_path: Path) -> None:
    """Names of files on Linux may hold such."""
    bench = Bench()
    odd = Step(id="a", tool="work", arguments={"name": "a", "value": "x\udcff"})
    path = tmp_path / "journal.jsonl"

    await ran(bench, BatchPlan(steps=(odd,)), journal=path)

    with Journal(path) as journal:
        assert read_journal(journal).result.results["a"].result == "x\udcff"


@in_loop
async def test_a_cut_off_run_over_rows_runs_only_the_rows_that_are_left(tmp_path: Path) -> None:
    """The results of before are read from the journal."""
    bench = Bench()
    rows = Rows(values=[f"r{i}" for i in range(300)])
    fan = Step(id="fan", tool="work", arguments={"name": "${row}", "value": "${row}"}, rows=rows)
    last = Step(id="last", tool="work", arguments={"name": "last", "value": "${length(steps.fan.result)}"})
    path = tmp_path / "journal.jsonl"
    await ran(bench, BatchPlan(steps=(fan, last)), journal=path)
    lines = path.read_bytes().split(b"\n")
    path.write_bytes(b"\n".join(lines[:301]) + b'\n{"end":"fan","ro')
    ended = sum(b'"end"' in line for line in lines[:301])
    bench.ran = []

    executor = Executor(bench.registry)
    run = BatchExecutor(executor=executor).resume(path)
    result = await run.go()
    run.close()
    await executor.aclose()

    assert len(bench.ran) == 300 - ended + 1
    assert result.results["last"].result == 300
    assert list(result.results["fan"].result) == [f"r{i}" for i in range(300)]


@in_loop
async def test_a_run_goes_on_in_one_program_at_a_time(tmp_path: Path) -> None:
    """Whoever looks at it meanwhile changes nothing."""
    bench = Bench()
    path = tmp_path / "journal.jsonl"
    executor = Executor(bench.registry)
    batches = BatchExecutor(executor=executor)
    run = batches.prepare(BatchPlan(steps=(step("a"),)), journal=path)

    with pytest.raises(HistoryError, match="is under way in another program"):
        batches.resume(path)
    whole = path.read_bytes()
    path.write_bytes(whole + b'{"begin":"a"')
    with Journal(path) as journal:
        assert not read_journal(journal).begun
    assert path.read_bytes() == whole + b'{"begin":"a"'

    run.close()
    resumed = batches.resume(path)
    assert path.read_bytes() == whole
    resumed.close()
    await executor.aclose()


def test_a_run_that_was_deleted_is_named_and_not_made_anew(tmp_path: Path) -> None:
    """A journal without a plan would be found by everybody afterwards."""
    with pytest.raises(HistoryError, match="there is no run in"), BatchExecutor() as batches:
        batches.resume(tmp_path / "gone.jsonl")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("stop", [True, False])
@in_loop
async def test_a_step_that_is_stopped_while_it_gathers_long_results_does_not_begin(stop: bool) -> None:
    """Reading them takes turns with everything else."""
    bench = Bench()
    rows = Rows(values=list(range(1_000)))
    fan = Step(id="fan", tool="work", arguments={"name": "fan", "value": "${row}"}, rows=rows)
    take = Step(id="take", tool="work", arguments={"name": "take", "value": "${length(steps.fan.result)}"})
    executor = Executor(bench.registry)
    run = BatchExecutor(executor=executor).prepare(BatchPlan(steps=(fan, take)))
    going = asyncio.create_task(run.go())
    async with asyncio.timeout(10):
        while run.schedule.states["take"] is not StepState.RUNNING:  # noqa: ASYNC110 -- a step that gathers tells nobody
            await asyncio.sleep(0)
    assert "take" not in bench.ran

    if stop:
        run.cancel_step("take")
    result = (await going).results["take"]
    await executor.aclose()

    assert ("take" in bench.ran) is not stop
    assert (result.state, result.result) == ((StepState.CANCELLED, None) if stop else (StepState.DONE, 1_000))


@in_loop
async def test_a_cancelled_step_that_waits_for_its_turn_does_not_run_when_that_comes() -> None:
    """Those behind it in the same lane do."""
    bench = Bench()
    steps = (step("first", tool_name="wait"), *(step(name, tool_name="wait") for name in ("second", "third")))
    executor = Executor(bench.registry)
    plan = BatchPlan(steps=steps, limits=Limits(tools={"wait": 1}))
    run = BatchExecutor(executor=executor).prepare(plan)
    going = asyncio.create_task(run.go())
    await until(lambda: bench.ran == ["first"])
    for _ in range(5):
        await asyncio.sleep(0)

    run.cancel_step("second")
    bench.gate.set()
    result = await going
    await executor.aclose()

    assert bench.ran == ["first", "third"]
    assert [item.state for item in result.results.values()] == [
        StepState.DONE,
        StepState.CANCELLED,
        StepState.DONE,
    ]


@in_loop
async def test_a_step_that_runs_is_not_put_back() -> None:
    """It would run twice at a time."""
    bench = Bench()
    executor = Executor(bench.registry)
    run = BatchExecutor(executor=executor).prepare(BatchPlan(steps=(step("a"), step("b", "a", tool_name="wait"))))
    going = asyncio.create_task(run.go())
    await until(lambda: "b" in bench.ran)

    with pytest.raises(CallStateError, match="step 'a' cannot begin again while step 'b', which waits for it, runs"):
        run.rerun_from("a")
    with pytest.raises(CallStateError, match="step 'b' cannot begin again while it runs"):
        run.retry("b")
    bench.gate.set()
    await going
    await executor.aclose()


@in_loop
async def test_a_skipped_row_lets_the_step_count_as_done() -> None:
    """Its result is null, and what waits for the step goes on."""
    bench = Bench()
    bench.failing = {"r1"}
    fan = Step(
        id="fan", tool="work", arguments={"name": "${row}", "value": "${row}"}, rows=Rows(values=["r0", "r1", "r2"])
    )
    executor = Executor(bench.registry)
    run = BatchExecutor(executor=executor).prepare(BatchPlan(steps=(fan, step("after", "fan"))))
    await run.go()
    bench.ran = []

    took_s = run.results["fan"].elapsed_s
    assert run.skip_rows("fan") == ["after"]
    assert run.results["fan"].state is StepState.DONE
    result = await run.go()
    await executor.aclose()

    assert bench.ran == ["after"]
    assert result.results["fan"].rows == RowCounts(3, 2, 0, 0, 1)
    assert list(result.results["fan"].result) == ["r0", None, "r2"]
    # Nothing of it ran again, so it took as long as it did.
    assert result.results["fan"].elapsed_s == took_s
    assert result.results["fan"].failed_rows == {1: (StepState.SKIPPED, "somebody skipped it")}
    with pytest.raises(CallStateError, match="has no rows that did not succeed"):
        run.skip_rows("after")
