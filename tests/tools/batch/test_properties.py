"""Random graphs, failures, requests and ends of the program, against models that are slow and plain."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Mapping
from itertools import cycle
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tools import Executor, tool
from tools.batch import (
    BatchExecutor,
    BatchListener,
    BatchPlan,
    BatchRun,
    Limits,
    Rows,
    Step,
    StepState,
    ToolDependencyGraph,
)
from tools.batch.journal import Journal
from tools.batch.runs import read_journal
from tools.batch.schedule import Schedule
from tools.declare import resolve_tools
from tools.errors import CallStateError, ToolFailure
from tools.registry import ToolRegistry

Needs = Mapping[str, tuple[str, ...]]
QUEUED, RUNNING, SKIPPED = StepState.QUEUED, StepState.RUNNING, StepState.SKIPPED
ENDS = (StepState.DONE, StepState.DONE, StepState.FAILED, StepState.CANCELLED, SKIPPED, StepState.TIMED_OUT)


@st.composite
def graphs(draw: st.DrawFn, most: int = 7) -> Needs:
    """Return what each step waits for."""
    names = [f"s{number}" for number in range(draw(st.integers(1, most)))]
    return {
        name: tuple(sorted(draw(st.sets(st.sampled_from(names[:index]), max_size=3)))) if index else ()
        for index, name in enumerate(names)
    }


class Plainly:
    """Say what a schedule has to say, by looking at everything each time."""

    def __init__(self, needs: Needs, borne: set[str]) -> None:
        self.needs = needs
        self.borne = borne
        self.states = dict.fromkeys(needs, QUEUED)
        self.passed: set[str] = set()
        self.held_back: set[str] = set()

    def is_past(self, name: str) -> bool:
        state = self.states[name]
        return state.succeeded or name in self.passed or (state.ended and name in self.borne)

    def due(self) -> set[str]:
        return {name for name in self.needs if self.states[name] is QUEUED and all(map(self.is_past, self.needs[name]))}

    def behind(self, name: str) -> list[str]:
        found = [name]
        for other, needs in self.needs.items():
            if set(needs) & set(found):
                found.append(other)
        return found[1:]

    def end(self, name: str, state: StepState) -> None:
        self.states[name] = state
        self.held_back.discard(name)
        # In this order, everything that a step waits for has been looked at before it.
        for other, needs in self.needs.items():
            lost = [need for need in needs if self.states[need].ended and not self.is_past(need)]
            if self.states[other] is QUEUED and lost:
                self.states[other] = SKIPPED
                self.held_back.add(other)

    def queue(self, names: list[str]) -> list[str]:
        queued = []
        for name in self.needs:
            if name in names and all(self.is_past(o) or not self.states[o].ended for o in self.needs[name]):
                self.states[name] = QUEUED
                self.passed.discard(name)
                self.held_back.discard(name)
                queued.append(name)
        return queued

    def pass_over(self, name: str) -> list[str]:
        self.states[name] = SKIPPED
        self.passed.add(name)
        self.held_back.discard(name)
        return self.queue([other for other in self.behind(name) if other in self.held_back])

    def again(self, name: str) -> list[str]:
        return self.queue([name, *self.behind(name)])


@given(graphs(), st.data())
@settings(max_examples=150, deadline=None)
def test_a_schedule_says_at_each_moment_what_a_plain_look_at_everything_says(needs: Needs, data: st.DataObject) -> None:
    """Whatever is asked of it, in whatever order; a step is handed out exactly when it may start."""
    names = list(needs)
    borne = data.draw(st.sets(st.sampled_from(names), max_size=2), "borne")
    costs = data.draw(st.lists(st.sampled_from([0.0, 1.0, 2.0]), min_size=len(names), max_size=len(names)), "costs")
    kinds = st.sampled_from(["take", "take", "take", "end", "end", "end", "skip", "again"])
    asked = data.draw(st.lists(st.tuples(st.sampled_from(names), kinds, st.sampled_from(ENDS)), max_size=25), "asked")
    graph = ToolDependencyGraph()
    graph.add_all(needs)
    schedule, plainly = Schedule(graph, dict(zip(names, costs, strict=True)), borne), Plainly(needs, borne)
    for name, request, end in asked:
        state = plainly.states[name]
        if request == "take":
            due, taken = plainly.due(), schedule.take()
            assert (taken in due) if due else taken is None
            if taken is not None:
                assert schedule.way_s[taken] == max(schedule.way_s[other] for other in due)
                plainly.states[taken] = RUNNING
        elif request == "end" and not state.ended:
            how = end if state is RUNNING else StepState.CANCELLED
            before = dict(plainly.states)
            plainly.end(name, how)
            skipped = schedule.end(name, how)
            assert skipped == [o for o in skipped if before[o] is QUEUED and plainly.states[o] is SKIPPED]
        elif request == "skip" and state is not RUNNING and not state.succeeded:
            assert schedule.pass_over(name, "so") == plainly.pass_over(name)
        elif request == "again" and not schedule.running_behind(name):
            assert schedule.again([name]) == plainly.again(name)
        assert schedule.states == plainly.states
        assert schedule.ended == sum(state.ended for state in plainly.states.values())
        assert {
            other for other in names if schedule.is_due(other) and schedule.states[other] is QUEUED
        } == plainly.due()


class Shop(BatchListener):
    """Tools that do what they are told, and take note of every call."""

    def __init__(self) -> None:
        self.failing: set[str] = set()
        self.ran: list[str] = []
        self.begun: list[str] = []
        self.wrong: list[str] = []
        self.run: BatchRun | None = None

        async def act(name: str) -> str:
            self.ran.append(name)
            await asyncio.sleep(0)
            if name in self.failing:
                message = f"{name} does not work"
                raise ToolFailure(message)
            return name

        @tool()
        async def work(name: str) -> str:
            """Do a piece of work."""
            return await act(name)

        @tool(idempotent=False, parallelizable=False)
        async def once(name: str) -> str:
            """Do what must not be done twice."""
            return await act(name)

        self.registry = ToolRegistry(resolve_tools([work, once]))

    def on_tool_start(self, name: str) -> None:
        """See that everything before it has ended."""
        assert self.run is not None
        schedule = self.run.schedule
        self.begun.append(name)
        if not all(schedule._is_past(other) for other in self.run.graph.get_dependencies(name)):
            self.wrong.append(f"{name} began too early")


@st.composite
def plans(draw: st.DrawFn) -> BatchPlan:
    """Return a plan with steps of both kinds, some of them with rows."""
    needs = draw(graphs(6))
    steps = []
    for name, before in needs.items():
        rows = Rows(values=list(range(draw(st.integers(0, 4))))) if draw(st.booleans()) else None
        steps.append(
            Step(
                id=name,
                tool=draw(st.sampled_from(["work", "once"])),
                arguments={"name": name if rows is None else f"{name}.${{row}}"},
                depends_on=before,
                rows=rows,
                continue_on_failure=draw(st.sampled_from([False, False, True])),
            )
        )
    limits = Limits(parallelism=draw(st.integers(1, 4)), tools=draw(st.sampled_from([{}, {"work": 1}, {"once": 2}])))
    return BatchPlan(steps=tuple(steps), limits=limits)


def calls_of(plan: BatchPlan) -> list[str]:
    """Return the names of all calls that a plan may make."""
    found = []
    for step in plan.steps:
        values = None if step.rows is None else step.rows.values
        found += [f"{step.id}.{row}" for row in values] if isinstance(values, list) else [step.id]
    return found


REQUESTS = ("pause", "resume", "cancel", "cancel_step", "skip", "skip_rows", "retry", "retry_failed", "rerun_from")


def ask(run: BatchRun, request: str, name: str) -> list[str]:
    """Ask something of a run; return the steps that it puts back."""
    try:
        if request in {"pause", "resume", "cancel", "retry_failed"}:
            return getattr(run, request)() or []
        return getattr(run, request)(name) or []
    except CallStateError:
        return []


@given(plans(), st.data())
@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
def test_whatever_people_ask_of_a_run_meanwhile_it_comes_to_a_right_end_that_the_journal_tells_as_well(
    tmp_path_factory: pytest.TempPathFactory, plan: BatchPlan, data: st.DataObject
) -> None:
    """Order is kept, nothing runs twice unasked, nothing is left lying, and counts add up."""
    shop = Shop()
    shop.failing = set(data.draw(st.sets(st.sampled_from(calls_of(plan) or [""]), max_size=3), "failing"))
    path = tmp_path_factory.mktemp("run") / "journal.jsonl"
    names = [step.id for step in plan.steps]
    asked = st.tuples(st.integers(0, 12), st.sampled_from(REQUESTS), st.sampled_from(names))
    requests = data.draw(st.lists(asked, max_size=5), "requests")
    between = data.draw(st.lists(st.tuples(st.sampled_from(REQUESTS[2:]), st.sampled_from(names)), max_size=3), "then")
    allowed: Counter[str] = Counter(names)

    async def whole() -> BatchRun:
        executor = Executor(shop.registry)
        run = shop.run = BatchExecutor(executor=executor).prepare(plan, listener=shop, journal=path)
        going = asyncio.create_task(run.go())
        for turns, request, name in requests:
            for _ in range(turns):
                await asyncio.sleep(0)
            if not going.done():
                allowed.update(ask(run, request, name))
        run.resume()
        await going
        for request, name in between:
            allowed.update(ask(run, request, name))
        run.resume()
        await run.go()
        run.close()
        await executor.aclose()
        return run

    run = asyncio.run(whole())

    assert shop.wrong == []
    assert not Counter(shop.begun) - allowed
    assert not [call for call, times in Counter(shop.ran).items() if times > allowed[call.partition(".")[0]]]
    result = run.result()
    assert all(item.state.ended for item in result.results.values())
    assert run.schedule.ended == len(plan.steps)
    assert_consistent(run)
    assert_told_alike(run, path)


def assert_consistent(run: BatchRun) -> None:
    """Look whether each step ended as those say that it waits for."""
    plainly = {name: item.state for name, item in run.result().results.items()}
    for name, state in plainly.items():
        item = run.result().results[name]
        assert item.success is state.succeeded
        lost = [other for other in run.graph.get_dependencies(name) if not run.schedule._is_past(other)]
        if state.succeeded or state is StepState.FAILED:
            assert not lost
        if lost:
            assert state in {SKIPPED, StepState.CANCELLED}
        if item.rows is not None and state.succeeded:
            assert item.rows.total == item.rows.done + item.rows.skipped == len(item.result)


def assert_told_alike(run: BatchRun, path: Path) -> None:
    """Look whether the journal says what the run itself says; what was cancelled is to do there."""
    with Journal(path) as journal:
        told = read_journal(journal).result.results
        for name, item in run.result().results.items():
            if item.state is StepState.CANCELLED or (item.state is SKIPPED and told[name].state is not SKIPPED):
                assert not told[name].state.succeeded
                continue
            assert told[name].state is item.state, name
            if item.success:
                assert told[name].result == item.result or list(told[name].result) == list(item.result)


@given(plans(), st.data())
@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
def test_a_run_cut_off_again_and_again_runs_no_finished_call_twice(
    tmp_path_factory: pytest.TempPathFactory, plan: BatchPlan, data: st.DataObject
) -> None:
    """What may have run and must not run twice is held until somebody says what becomes of it."""
    path = tmp_path_factory.mktemp("run") / "journal.jsonl"
    shop = Shop()
    shop.failing = set(data.draw(st.sets(st.sampled_from(calls_of(plan) or [""]), max_size=2), "failing"))
    tools = {step.id: step.tool for step in plan.steps}

    async def go(answers: list[str] | None = None, *, first: bool = False) -> BatchRun:
        executor = Executor(shop.registry)
        batches = BatchExecutor(executor=executor)
        run = batches.prepare(plan, listener=shop, journal=path) if first else batches.resume(path, shop)
        shop.run = run
        shop.ran = []
        try:
            await run.go()
            if answers and run.unsure:
                for name, answer in zip(run.unsure, cycle(answers), strict=False):
                    ask(run, answer, name)
                await run.go()
        finally:
            run.close()
            await executor.aclose()
        return run

    # All is drawn beforehand: how long a journal is, and so what is cut off of it, depends on how long calls took.
    settled = st.lists(st.sampled_from(["retry", "skip", "skip_rows"]), max_size=3)
    cuts = data.draw(st.lists(st.tuples(st.floats(0, 1), settled), min_size=1, max_size=3), "cuts")
    run = asyncio.run(go(first=True))
    for share, answers in cuts:
        whole = path.read_bytes()
        head = whole.index(b"\n") + 1
        kept = whole[: head + int(share * (len(whole) - head))]
        path.write_bytes(kept)
        ended, begun = calls_in(kept)
        run = asyncio.run(go(answers))
        added = path.read_bytes()[kept.rindex(b"\n") + 1 :].splitlines()
        again = {line.get("again") for line in map(json.loads, added)}
        assert not {call for call in shop.ran if call in ended and call.partition(".")[0] not in again}
        unsure = {call for call in begun - ended if tools[call.partition(".")[0]] == "once"}
        assert not {call for call in unsure & set(shop.ran) if call.partition(".")[0] not in again}
    assert shop.wrong == []
    assert all(item.state.ended for item in run.result().results.values())
    assert_consistent(run)


def calls_in(journal: bytes) -> tuple[set[str], set[str]]:
    """Return the calls that ended by a journal, and those that began."""
    ended: set[str] = set()
    begun: set[str] = set()
    for line in map(json.loads, journal.split(b"\n")[1:-1]):
        for kind, calls in (("end", ended), ("begin", begun)):
            if kind in line:
                calls.add(line[kind] if line.get("row") is None else f"{line[kind]}.{line['row']}")
        if "again" in line:
            # Of a step with rows all of them run again, unless some are named.
            step = line["again"]
            rows = {f"{step}.{row}" for row in line["rows"]} if "rows" in line else None
            ended -= {call for call in ended if call.partition(".")[0] == step and (rows is None or call in rows)}
    return ended, begun
