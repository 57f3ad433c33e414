"""One question for a whole plan: what it shows, what an answer to it covers, and what it does not."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.tools.running import Answers, Recorder, Silence, run
from tools import (
    CallFinished,
    CallProposed,
    Continue,
    Edit,
    Executor,
    ExitEarly,
    GuardChanged,
    ReviewDecided,
    ReviewDecision,
    ReviewRequest,
    ToolRegistry,
    resolve_tools,
    security,
    tool,
)
from tools.batch import Approve, BatchExecutor, BatchListener, BatchPlan, BatchResult, Rows, Step, StepState
from tools.calls import PlannedStep
from tools.errors import ToolConfigurationError
from tools.history import History
from tools.masking import MASK
from tools.policy import Autonomy, Effect, Policy, Rule, RuleLocation
from tools.review.plain_text import plan_lines


class Bench:
    """Tools of which some ask, and what they did."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.did: list[Any] = []

        @tool(idempotent=True)
        async def look(name: str) -> str:
            """Look at something, which nobody is asked about."""
            self.did.append(("look", name))
            return f"{name}.txt"

        @security(mask_fields=("token",))
        @tool(requires_confirmation=True)
        async def remove(name: str, token: str = "") -> str:
            """Remove something."""
            del token
            self.did.append(("remove", name))
            return name

        self.registry = ToolRegistry(resolve_tools([look, remove]))

    def run(self, plan: BatchPlan, handler: Any, **more: Any) -> tuple[BatchResult, Executor]:
        async def body() -> tuple[BatchResult, Executor]:
            executor = Executor(self.registry, review_handler=handler, **more)
            try:
                result = await BatchExecutor(executor=executor).run(plan, folder=self.folder)
                return result, executor
            finally:
                await executor.aclose()

        result: tuple[BatchResult, Executor] = run(body())
        return result


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


def plan_of(*steps: Step, approve: Approve = Approve.PLAN) -> BatchPlan:
    return BatchPlan(name="tidy up", approve=approve, steps=steps)


LOOK = Step(id="look", tool="look", arguments={"name": "a"})
REMOVE = Step(id="remove", tool="remove", arguments={"name": "b"})
LATER = Step(id="later", tool="remove", arguments={"name": "${steps.look.result}"})


def test_one_question_covers_all_that_is_known_and_the_rest_is_asked_in_its_turn(bench: Bench) -> None:
    answers = Answers()
    result, _ = bench.run(plan_of(LOOK, REMOVE, LATER), answers)
    assert result.success_rate == 1
    whole, later = answers.requests
    assert [(step.name, step.asks, step.is_open) for step in whole.plan] == [
        ("look", False, False),
        ("remove", True, False),
        ("later", True, True),
    ]
    assert whole.plan[1].arguments[0]["name"] == "b"
    assert whole.plan[2].arguments == ({"name": "${steps.look.result}"},)
    assert whole.description == "Runs 3 steps with 3 calls."
    assert whole.arguments is None
    assert later.call.tool.name == "remove"
    assert later.arguments is not None
    assert later.arguments["name"] == "a.txt"


def test_whoever_agrees_to_a_step_with_whatever_arguments_is_not_asked_again(bench: Bench) -> None:
    answers = Answers(Continue(whatever=("later",)))
    result, _ = bench.run(plan_of(LOOK, REMOVE, LATER), answers)
    assert result.success_rate == 1
    assert len(answers.requests) == 1
    assert ("remove", "a.txt") in bench.did


def test_each_call_says_who_agreed_to_it(bench: Bench) -> None:
    recorder = Recorder()
    bench.run(plan_of(LOOK, REMOVE, LATER), Answers(Continue(whatever=("later",))), listeners=[recorder])
    decided = [event for event in recorder.events if isinstance(event, ReviewDecided) and event.call.tool]
    assert [(event.call.name, event.by, event.decision) for event in decided] == [
        ("remove", "Answers", Continue("Agreed to with the whole plan.")),
        ("remove", "Answers", Continue("Agreed to with the whole plan, with whatever arguments.")),
    ]
    assert all(event.call.approval is not None for event in decided)


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (ExitEarly("not today"), "the plan was refused before it ran: not today"),
        (ExitEarly("", stop_run=True), "the plan was refused before it ran"),
        (Edit({"name": "x"}), "the plan was refused before it ran: the arguments of a plan are changed in the plan"),
        (Continue(whatever=("nothing",)), "the plan was refused before it ran: the answer names a step"),
    ],
)
def test_nothing_runs_unless_somebody_agrees(bench: Bench, answer: Any, reason: str) -> None:
    result, _ = bench.run(plan_of(LOOK, REMOVE), Answers(answer))
    assert bench.did == []
    assert {item.state for item in result.results.values()} == {StepState.DENIED}
    assert all((item.error or "").startswith(reason) for item in result.results.values())


def test_a_plan_that_asks_nothing_asks_nothing(bench: Bench) -> None:
    answers = Answers()
    bench.run(plan_of(LOOK), answers)
    assert answers.requests == []


def test_without_the_setting_each_call_asks_for_itself(bench: Bench) -> None:
    answers = Answers()
    bench.run(plan_of(LOOK, REMOVE, LATER, approve=Approve.STEP), answers)
    assert [request.plan for request in answers.requests] == [(), ()]


def test_rows_are_shown_first_and_counted_whole(bench: Bench) -> None:
    (bench.folder / "names.csv").write_text("name\n" + "".join(f"n{number}\n" for number in range(30)))
    answers = Answers()
    many = Step(id="many", tool="remove", rows=Rows(csv="names.csv"), arguments={"name": "${row.name}"})
    result, _ = bench.run(plan_of(many), answers)
    assert result.success_rate == 1
    (request,) = answers.requests
    (step,) = request.plan
    assert (step.calls, step.looked_at, step.asking, len(step.arguments)) == (30, 30, 30, 20)
    assert [concern.title for concern in step.concerns] == ["Always asks"]
    assert len(bench.did) == 30


def test_rows_behind_those_that_were_looked_at_ask_for_themselves(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tools.batch.plan_approval.MOST_LOOKED_AT", 3)
    answers = Answers()
    many = Step(
        id="many", tool="remove", rows=Rows(values=[1, 2, 3, 4, 5]), arguments={"name": "${join('', [to_string(row)])}"}
    )
    bench.run(plan_of(many), answers)
    whole, *others = answers.requests
    assert whole.plan == (whole.plan[0]._replace(calls=None, looked_at=3, is_open=True),)
    assert [request.arguments["name"] for request in others if request.arguments] == ["4", "5"]


def test_rows_that_come_from_a_step_are_open(bench: Bench) -> None:
    answers = Answers()
    many = Step(id="many", tool="remove", rows=Rows(values="${[steps.look.result]}"), arguments={"name": "${row}"})
    bench.run(plan_of(LOOK, many), answers)
    whole, row = answers.requests
    assert whole.plan[1] == PlannedStep(
        "many", "remove", None, 0, 0, ({"name": "${row}"},), whole.plan[1].concerns, is_open=True
    )
    assert row.call.tool.name == "remove"


@pytest.mark.parametrize("text", [None, "name,name\n", ""])
def test_rows_that_cannot_be_read_yet_may_ask_when_they_are_there(bench: Bench, text: str | None) -> None:
    """A step before writes them: nobody may be told that nothing is asked about what removes."""
    rows = bench.folder / "names.csv"
    if text is not None:
        rows.write_text(text, encoding="utf-8")

    @tool
    async def write() -> str:
        """Write the rows."""
        rows.write_text("name\nb\n", encoding="utf-8")
        return "written"

    bench.registry.register_all(resolve_tools([write]))
    answers = Answers()
    first = Step(id="write", tool="write")
    many = Step(
        id="many",
        tool="remove",
        depends_on=("write",),
        rows=Rows(csv="names.csv"),
        arguments={"name": "${row.name}", "token": "hush-hush"},
    )
    result, _ = bench.run(plan_of(first, many), answers)
    assert result.success_rate == 1
    whole, row = answers.requests
    (concern,) = whole.plan[1].concerns
    shown = {"name": "${row.name}", "token": MASK}
    assert whole.plan[1] == PlannedStep("many", "remove", None, 0, 0, (shown,), (concern,), is_open=True)
    assert whole.description == "Runs 2 steps with at least 1 call."
    lines = list(plan_lines(whole.plan))
    assert lines[0] == (
        "many: remove, as many calls as there will be rows; may ask (always asks) when its arguments are known"
    )
    assert lines[-1] == "Nothing is asked about: write"
    assert row.call.tool.name == "remove"


def test_secret_arguments_are_shown_as_bullets(bench: Bench) -> None:
    answers = Answers()
    secret = Step(id="remove", tool="remove", arguments={"name": "b", "token": "hush-hush"})
    bench.run(plan_of(secret), answers)
    assert "hush-hush" not in repr(answers.requests[0])


def test_secrets_of_what_is_not_known_yet_and_of_what_does_not_fit_are_bullets_as_well(bench: Bench) -> None:
    answers = Answers()
    secret = {"token": "hunter2"}
    later = Step(id="later", tool="remove", arguments={"name": "${steps.look.result}", **secret})
    rows = Rows(values=[1, "x"])
    wrong = Step(id="wrong", tool="remove", rows=rows, arguments={"name": "${row}", **secret})
    bench.run(plan_of(LOOK, REMOVE, later, wrong), answers)
    _, _, *shown = answers.requests[0].plan
    assert "hunter2" not in repr(shown)
    assert [step.arguments[0]["name"] for step in shown] == ["${steps.look.result}", "${row}"]


async def test_the_question_is_withdrawn_when_the_batch_is_cancelled(bench: Bench) -> None:
    silence, recorder = Silence(), Recorder()
    executor = Executor(bench.registry, review_handler=silence, listeners=[recorder])
    batch = BatchExecutor(executor=executor).prepare(plan_of(REMOVE), folder=bench.folder)
    going = asyncio.create_task(batch.go())
    await silence.asked.wait()
    batch.cancel("enough")
    result = await going
    assert silence.withdrawn
    assert result.results["remove"].state is StepState.CANCELLED
    assert result.results["remove"].error == "enough"
    assert executor.open_calls == ()
    await executor.aclose()


class Agreeing(BatchListener):
    """Keep how far the question about the plan was."""

    def __init__(self, then: Callable[[int], None] | None = None) -> None:
        self.told: list[tuple[int, int, bool] | None] = []
        self._then = then

    def on_approval_progress(self, looked: int, total: int, waits: bool) -> None:
        self.told.append((looked, total, waits))
        if self._then is not None:
            self._then(looked)

    def on_approval_end(self) -> None:
        self.told.append(None)


def _many(count: int) -> Step:
    rows = Rows(values=[f"n{number}" for number in range(count)])
    return Step(id="many", tool="remove", rows=rows, arguments={"name": "${row}"})


async def test_it_is_told_how_far_the_look_ahead_is_and_when_somebody_is_asked(bench: Bench) -> None:
    (bench.folder / "names.csv").write_text("name\n" + "".join(f"n{number}\n" for number in range(25)))
    many = Step(id="csv", tool="remove", rows=Rows(csv="names.csv"), arguments={"name": "${row.name}"})
    lost = Step(id="lost", tool="remove", rows=Rows(csv="lost.csv"), arguments={"name": "${row.name}"})
    listener = Agreeing()
    executor = Executor(bench.registry, review_handler=Answers(ExitEarly("no")))
    plan = plan_of(LOOK, many, LATER, lost, _many(17))
    await BatchExecutor(executor=executor).run(plan, listener=listener, folder=bench.folder)
    await executor.aclose()
    assert listener.told == [(0, 0, False), (20, 43, False), (40, 43, False), (43, 43, True), None]


def test_the_look_ahead_is_cancelled_as_soon_as_somebody_wants_it(bench: Bench) -> None:
    answers = Answers()

    async def body() -> BatchResult:
        executor = Executor(bench.registry, review_handler=answers)

        def cancel(looked: int) -> None:
            if looked:
                batch.cancel("enough")

        listener = Agreeing(cancel)
        batch = BatchExecutor(executor=executor).prepare(plan_of(_many(500)), listener=listener, folder=bench.folder)
        result = await batch.go()
        assert listener.told == [(0, 0, False), (20, 500, False), None]
        await executor.aclose()
        return result

    result = run(body())
    assert result.results["many"].state is StepState.CANCELLED
    assert answers.requests == []
    assert bench.did == []


async def test_the_program_ends_with_its_open_question(bench: Bench) -> None:
    silence, recorder = Silence(), Recorder()
    executor = Executor(bench.registry, review_handler=silence, listeners=[recorder])
    batch = BatchExecutor(executor=executor).prepare(plan_of(REMOVE), folder=bench.folder)
    going = asyncio.create_task(batch.go())
    await silence.asked.wait()
    await executor.aclose()
    with pytest.raises(asyncio.CancelledError):
        await going
    ended = [event.call for event in recorder.events if isinstance(event, CallFinished)]
    assert [call.response.status.value for call in ended] == ["aborted"]


@pytest.mark.reference("D31")
def test_nobody_to_ask_is_said_before_anything_runs(bench: Bench) -> None:
    with pytest.raises(ToolConfigurationError, match="nobody is there to ask"):
        bench.run(plan_of(LOOK, REMOVE), None)
    assert bench.did == []


async def test_a_second_go_asks_about_what_is_left(bench: Bench) -> None:
    answers = Answers()
    executor = Executor(bench.registry, review_handler=answers)
    batch = BatchExecutor(executor=executor).prepare(plan_of(LOOK, REMOVE), folder=bench.folder)
    await batch.go()
    batch.rerun_from("remove")
    await batch.go()
    assert [[step.name for step in request.plan] for request in answers.requests] == [
        ["look", "remove"],
        ["remove"],
    ]
    await executor.aclose()


async def test_a_tool_that_changed_meanwhile_is_asked_about_again(tmp_path: Path) -> None:
    did: list[Any] = []

    def remove_as(words: str) -> Any:
        @tool(name="remove", description=words, requires_confirmation=True)
        async def remove(name: str) -> str:
            did.append(words)
            return name

        return resolve_tools([remove])

    @tool
    async def look(name: str) -> str:
        """Put another tool into the place of the one that was agreed to."""
        undo()
        registry.register_all(remove_as("Remove something, and more."))
        return name

    registry = ToolRegistry(resolve_tools([look]))
    undo = registry.register_all(remove_as("Remove something."))
    answers = Answers(Continue(whatever=("later",)))
    executor = Executor(registry, review_handler=answers)
    await BatchExecutor(executor=executor).run(plan_of(LOOK, LATER), folder=tmp_path)
    assert [bool(request.plan) for request in answers.requests] == [True, False]
    assert did == ["Remove something, and more."]
    await executor.aclose()


def test_other_rules_ask_anew(bench: Bench) -> None:
    policy = Policy(autonomy=Autonomy.FULL_AUTO)
    policy.add(Rule(id="ask", effect=Effect.ASK, tool="remove"), RuleLocation.SESSION)
    requests: list[ReviewRequest] = []

    def answer(request: ReviewRequest) -> ReviewDecision:
        requests.append(request)
        if request.plan:
            policy.replace(Rule(id="ask", effect=Effect.ASK, tool="remove", reason="think twice"))
        return Continue()

    result, _ = bench.run(plan_of(REMOVE), answer, policy=policy)
    assert result.success_rate == 1
    assert [(bool(request.plan), request.rule) for request in requests] == [(True, ""), (False, "ask")]


def test_what_the_rules_refuse_is_shown_and_refused(bench: Bench) -> None:
    policy = Policy(autonomy=Autonomy.SUPERVISED)
    policy.add(Rule(id="no", effect=Effect.DENY, tool="look", reason="not here"), RuleLocation.SESSION)
    answers = Answers()
    result, _ = bench.run(plan_of(LOOK, REMOVE), answers, policy=policy)
    assert "not here" in answers.requests[0].plan[0].refusal
    assert (result.results["look"].state, result.results["remove"].state) == (StepState.DENIED, StepState.DONE)


@pytest.fixture
def history(tmp_path: Path) -> Iterator[History]:
    kept = History(tmp_path / "history")
    kept.open()
    yield kept
    kept.close()


def test_question_and_answer_stand_in_the_history_without_arguments(bench: Bench, history: History) -> None:
    secret = Step(id="remove", tool="remove", arguments={"name": "b", "token": "hush-hush"})
    _, executor = bench.run(plan_of(secret), Answers(), history=history)
    history.flush()
    records = {row.tool: history.get(row.id) for row in history.search().rows}
    whole, removed = records["tidy up"], records["remove"]
    assert whole is not None
    assert removed is not None
    assert whole.arguments is not None
    assert whole.status.value == "executed"
    assert whole.arguments == {"steps": [{"step": "remove", "tool": "remove", "calls": 1}]}
    assert [decision.by for decision in whole.decisions] == ["Answers"]
    assert [decision.reason for decision in removed.decisions] == ["Agreed to with the whole plan."]
    assert executor.metrics.stats("tidy up").count == 0


def test_the_question_is_a_call_of_its_own(bench: Bench) -> None:
    recorder = Recorder()
    bench.run(plan_of(REMOVE), Answers(), listeners=[recorder])
    mine = [event for event in recorder.events if not isinstance(event, GuardChanged) and event.call.tool is None]
    assert [type(event).__name__ for event in mine] == ["CallProposed", "ReviewAsked", "ReviewDecided", "CallFinished"]
    proposed = next(event for event in recorder.events if isinstance(event, CallProposed))
    assert (proposed.call.name, proposed.call.caller) == ("tidy up", "batch: tidy up")
