"""Runs that are stopped: twice, by a reviewer, and gone on with while the last of them winds down."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Awaitable, Callable, Iterator
from contextlib import aclosing
from pathlib import Path
from typing import Any

import pytest

from tests.tools.running import Answers
from tools import Executor, ToolRegistry, resolve_tools, tool
from tools.batch import BatchExecutor, BatchPlan, Limits, OnFailure, Rows, Step, StepState
from tools.batch.journal import Journal
from tools.batch.rows import RowSource
from tools.calls import Continue, ExitEarly, ReviewDecision, ReviewRequest

PATIENCE_S = 60.0
RAN: list[str] = []


@tool(idempotent=False)
async def send(to: str) -> str:
    """Do something that shows."""
    RAN.append(to)
    return to


@tool(idempotent=False, destructive=True)
async def shred(name: str) -> str:
    """Do something that is asked about."""
    RAN.append(name)
    return name


@tool(idempotent=True, read_only=True)
async def fail() -> None:
    """Fail."""
    raise ValueError("on purpose")


@tool(idempotent=True, read_only=True)
async def wind_down(goes: str) -> None:
    """Run until it is stopped, and then until a file is there."""
    RAN.append("begun")
    try:
        await asyncio.Event().wait()
    except asyncio.CancelledError:
        while not Path(goes).exists():  # noqa: ASYNC110, ASYNC240 -- the test makes it
            await asyncio.sleep(0.001)
        raise


@pytest.fixture(autouse=True)
def forgotten() -> Iterator[None]:
    RAN.clear()
    yield
    RAN.clear()


def going(act: Callable[[BatchExecutor], Awaitable[Any]], **executor: Any) -> Any:
    async def body() -> Any:
        registry = ToolRegistry(resolve_tools([send, shred, fail, wind_down]))
        async with asyncio.timeout(PATIENCE_S), aclosing(Executor(registry, **executor)) as mine:
            return await act(BatchExecutor(executor=mine))

    return asyncio.run(body())


async def until(holds: Callable[[], object]) -> None:
    while not holds():  # noqa: ASYNC110 -- nobody tells
        await asyncio.sleep(0.001)


@pytest.mark.parametrize("first", ["the run", "the step"])
def test_a_run_that_is_stopped_twice_while_its_rows_are_read_begins_none_of_them(
    monkeypatch: pytest.MonkeyPatch, first: str
) -> None:
    reads, may_read = threading.Event(), threading.Event()

    def slowly() -> Iterator[str]:
        reads.set()
        assert may_read.wait(PATIENCE_S)
        yield from ("ann", "bob", "cleo")

    async def act(batches: BatchExecutor) -> None:
        monkeypatch.setattr("tools.batch.rows.open_rows", lambda *_: RowSource(slowly, None))
        step = Step(id="each", tool="send", rows=Rows(values=["ann", "bob", "cleo"]), arguments={"to": "${row}"})
        run = batches.prepare(BatchPlan(name="letters", steps=(step,)))
        under_way = asyncio.ensure_future(run.go())
        await asyncio.to_thread(reads.wait, PATIENCE_S)
        if first == "the run":
            run.cancel()
        else:
            run.cancel_step("each")
        run.cancel()
        may_read.set()
        result = await under_way
        assert result.results["each"].state is StepState.CANCELLED

    going(act)
    assert RAN == []


@pytest.mark.parametrize("has_rows", [False, True], ids=["one call", "rows"])
def test_a_reviewer_who_stops_the_run_leaves_nothing_running_and_the_refusal_written_down(
    tmp_path: Path, has_rows: bool
) -> None:
    journal = tmp_path / "run.jsonl"
    rows = Rows(values=["ann", "bob"]) if has_rows else None
    refused = Step(id="letter", tool="shred", rows=rows, arguments={"name": "${row}" if has_rows else "ann"})
    later = Step(id="later", tool="shred", arguments={"name": "x"})
    plan = BatchPlan(
        name="letters",
        limits=Limits(parallelism=1),
        steps=(refused, later),
    )

    async def act(batches: BatchExecutor) -> None:
        run = batches.prepare(plan, journal=journal)
        result = await run.go()
        letter, later = result.results["letter"], result.results["later"]
        assert letter.state is (StepState.CANCELLED if has_rows else StepState.DENIED)
        assert "enough" in (letter.error or "")
        assert later.state is StepState.CANCELLED
        assert (later.error or "").startswith("the reviewer stopped the run: ")
        assert run.schedule.is_over
        run.close()
        again = batches.resume(journal)
        assert again.unsure == []
        assert StepState.MAY_HAVE_RUN not in again.schedule.states.values()
        again.retry("letter")
        assert (await again.go()).results["letter"].state is StepState.DONE
        again.close()

    going(act, review_handler=Answers(ExitEarly("enough", stop_run=True)))
    assert "x" in RAN


def test_what_is_gone_on_with_while_the_last_call_winds_down_stops_at_a_failure_as_the_plan_says(
    tmp_path: Path,
) -> None:
    goes = tmp_path / "goes"
    steps = (
        Step(id="long", tool="wind_down", arguments={"goes": str(goes)}),
        Step(id="bad", tool="fail"),
        Step(id="after", tool="send", arguments={"to": "after"}),
    )
    plan = BatchPlan(name="stops", on_failure=OnFailure.STOP, limits=Limits(parallelism=1), steps=steps)

    async def act(batches: BatchExecutor) -> None:
        run = batches.prepare(plan)
        under_way = asyncio.ensure_future(run.go())
        await until(lambda: RAN == ["begun"])
        run.cancel()
        run.retry("bad")
        run.retry("after")
        goes.touch()
        results = (await under_way).results
        assert results["long"].error == "the batch was cancelled"
        assert results["bad"].state is StepState.FAILED
        assert results["after"].error == "step 'bad' failed, and the plan stops then"

    going(act)
    assert RAN == ["begun"]


ASKING = BatchPlan(
    name="asking",
    steps=(
        Step(id="one", tool="shred", arguments={"name": "one"}),
        Step(id="fan", tool="shred", rows=Rows(values=["x", "y"]), arguments={"name": "${row}"}),
    ),
)


class Silent:
    """A reviewer who never answers."""

    def __init__(self) -> None:
        self.asked = 0

    async def review(self, request: ReviewRequest, /) -> ReviewDecision:
        del request
        self.asked += 1
        await asyncio.Event().wait()
        raise AssertionError


@pytest.mark.parametrize("how", ["killed", "cancelled"])
def test_a_call_that_somebody_was_still_asked_about_is_asked_about_again_and_not_held(tmp_path: Path, how: str) -> None:
    journal, copy, silent = tmp_path / "run.jsonl", tmp_path / "copy.jsonl", Silent()

    async def act(batches: BatchExecutor) -> list[StepState]:
        run = batches.prepare(ASKING, journal=journal)
        going_on = asyncio.create_task(run.go())
        while silent.asked < 3:  # noqa: ASYNC110 -- a question sets no event
            await asyncio.sleep(0.001)
        copy.write_bytes(journal.read_bytes())
        run.cancel()
        await going_on
        run.close()
        again = batches.resume(copy if how == "killed" else journal)
        states = list(again.schedule.states.values())
        assert again.unsure == []
        again.close()
        return states

    assert going(act, review_handler=silent) == [StepState.QUEUED, StepState.QUEUED]
    assert RAN == []
    assert not [line for line in copy.read_text("utf-8").splitlines() if '"begin"' in line]


def test_a_call_that_was_allowed_is_on_record_before_its_tool_begins(tmp_path: Path) -> None:
    journal = tmp_path / "run.jsonl"
    seen: list[str] = []

    class Allowing:
        async def review(self, request: ReviewRequest, /) -> ReviewDecision:
            del request
            seen.append(journal.read_text("utf-8"))
            return Continue()

    settled_at: list[tuple[list[str], bool]] = []
    settle = Journal.settle

    async def settled(kept: Journal) -> None:
        await settle(kept)
        settled_at.append((list(RAN), '"begin"' in journal.read_text("utf-8")))

    async def act(batches: BatchExecutor) -> None:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Journal, "settle", settled)
            plan = ASKING.model_copy(update={"steps": ASKING.steps[:1]})
            assert (await batches.run(plan, journal=journal)).successes == 1

    going(act, review_handler=Allowing())
    assert ['"begin"' in text for text in seen] == [False]
    assert settled_at[0] == ([], True)
    kinds = [next(iter(json.loads(line))) for line in journal.read_text("utf-8").splitlines()]
    assert kinds == ["journal", "begin", "end", "over"]
    assert RAN == ["one"]
