"""When two things happen to a question at once, exactly one of them counts, and the record is whole."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Sequence
from itertools import permutations
from typing import TYPE_CHECKING, Any

import pytest

from tests.tools.audit.logs import bodies_in
from tests.tools.running import Recorder, run, until
from tools import (
    CallFinished,
    CallStatus,
    Continue,
    Edit,
    Executor,
    ExitEarly,
    OnTimeout,
    ReviewAsked,
    ReviewDecided,
    ReviewDecision,
    ReviewRequest,
    ToolCall,
    ToolConfigurationError,
    resolve_tools,
    security,
    tool,
)
from tools.audit import AuditLog, verify
from tools.calls import record_of
from tools.execution.open_questions import REFUSAL_HOLDS_S, OpenQuestions, QuestionKey, QuestionOutcome
from tools.policy import Autonomy, Effect, Policy, Rule, RuleLocation
from tools.registry import ToolRegistry

if TYPE_CHECKING:
    from pathlib import Path

AGENT = "agent:coder"
Deed = Callable[["Scene"], None]


@tool(name="wipe", destructive=True)
@security(review_timeout_s=60.0)
def wipe(what: str) -> str:
    """Wipe something."""
    return f"wiped {what}"


@tool(name="wipe", destructive=True)
def other_wipe(what: str, *, deep: bool = False) -> str:
    """Wipe something, and what lies below."""
    return f"wiped {what} deeply"


A, B = QuestionKey("a", (), ""), QuestionKey("b", (), "")


class Desk:
    """Let a test answer, any number of times; only what comes first is an answer."""

    name = "you"

    def __init__(self) -> None:
        self.requests: list[ReviewRequest] = []
        self.futures: list[asyncio.Future[ReviewDecision]] = []

    async def review(self, request: ReviewRequest, /) -> ReviewDecision:
        self.requests.append(request)
        self.futures.append(asyncio.get_running_loop().create_future())
        return await self.futures[-1]

    def answer(self, decision: ReviewDecision) -> None:
        if self.futures and not self.futures[-1].done():
            self.futures[-1].set_result(decision)

    def break_down(self) -> None:
        if self.futures and not self.futures[-1].done():
            self.futures[-1].set_exception(RuntimeError("the window is gone"))


class Scene:
    """One call about which somebody is asked, and what may happen to it."""

    def __init__(self, folder: Path) -> None:
        self.desk = Desk()
        self.recorder = Recorder()
        self.policy = Policy(autonomy=Autonomy.SUPERVISED)
        self.audit = AuditLog(folder / "audit")
        self.registry = ToolRegistry()
        self.unregister = self.registry.register(resolve_tools([wipe])[0])
        self.executor = Executor(
            self.registry,
            review_handler=self.desk,
            policy=self.policy,
            listeners=[self.recorder],
            audit=self.audit,
            project_dir=folder,
        )
        self.call: ToolCall | None = None
        self.reached_caller: BaseException | None = None

    async def play(self, deeds: Sequence[Deed]) -> ToolCall:
        """Ask, do everything in one step of the loop, then answer whatever is still open with a refusal."""
        call = self.call = self.executor.create_call("wipe", {"what": "a"}, caller=AGENT)
        task = asyncio.ensure_future(self.executor.execute(call))
        await until(lambda: bool(self.desk.requests))
        for deed in deeds:
            deed(self)
        async with asyncio.timeout(10):
            while not task.done():
                await asyncio.sleep(0.01)
                self.desk.answer(ExitEarly("the scene is over"))
        if not task.cancelled():
            self.reached_caller = task.exception()
        return call


def allow(scene: Scene) -> None:
    scene.desk.answer(Continue())


def edit(scene: Scene) -> None:
    scene.desk.answer(Edit({"what": "b"}))


def refuse(scene: Scene) -> None:
    scene.desk.answer(ExitEarly("no"))


def crash(scene: Scene) -> None:
    scene.desk.break_down()


def stop(scene: Scene) -> None:
    assert scene.call is not None
    scene.call.cancel()


def run_out(scene: Scene) -> None:
    scene.executor.questions.reschedule(scene.desk.requests[-1].id, 1e-9)


def run_out_quietly(scene: Scene) -> None:
    scene.executor.questions.reschedule(scene.desk.requests[-1].id, 1e-9, OnTimeout.CONTINUE)


def deny_by_rule(scene: Scene) -> None:
    scene.policy.add(Rule(id="never", effect=Effect.DENY, tool="wipe"), RuleLocation.SESSION)


def allow_by_rule(scene: Scene) -> None:
    scene.policy.add(Rule(id="always", effect=Effect.ALLOW, tool="wipe"), RuleLocation.SESSION)


def exchange(scene: Scene) -> None:
    scene.unregister()
    scene.registry.register(resolve_tools([other_wipe])[0])


DEEDS: tuple[Deed, ...] = (
    allow,
    edit,
    refuse,
    crash,
    stop,
    run_out,
    run_out_quietly,
    deny_by_rule,
    allow_by_rule,
    exchange,
)
FORBID: frozenset[Deed] = frozenset({deny_by_rule, exchange, stop})
"""After any of these nothing may run, whatever else is said at the same moment."""


def consequences(folder: Path, deeds: Sequence[Deed]) -> tuple[Scene, ToolCall]:
    scene = Scene(folder)
    scene.audit.open()

    async def work() -> ToolCall:
        try:
            return await scene.play(deeds)
        finally:
            await scene.executor.aclose()

    call: ToolCall = run(work())
    scene.audit.close()
    return scene, call


def check(scene: Scene, call: ToolCall, folder: Path, deeds: Sequence[Deed]) -> None:
    """Look that there was one end, that each question has one outcome, and that all of it is on record."""
    events = scene.recorder.events
    assert call.response.status.final
    assert [type(event) for event in events].count(CallFinished) == 1
    asked = [event.request.id for event in events if isinstance(event, ReviewAsked)]
    decided = [event.request.id for event in events if isinstance(event, ReviewDecided)]
    assert sorted(asked) == sorted(decided)
    assert len(set(asked)) == len(asked)
    assert len(scene.executor.questions) == 0
    ran = len(call.response.attempts) > 0
    assert ran is (call.response.status is CallStatus.EXECUTED)
    if FORBID.intersection(deeds):
        assert not ran
    if ran:
        yes = [
            event
            for event in events
            if isinstance(event, ReviewDecided) and isinstance(event.decision, Continue | Edit) and event.by
        ]
        assert yes, "something ran that nobody and nothing allowed"
    report = verify(folder / "audit")
    assert report.intact
    kinds = [(body["kind"], body.get("review")) for body in bodies_in(folder / "audit")]
    assert [review for kind, review in kinds if kind == "shown"] == asked
    assert [review for kind, review in kinds if kind == "decided"] == decided
    assert kinds[0][0] == "proposed"
    assert kinds[-1][0] == "returned"


@pytest.mark.parametrize(
    "deeds", [pytest.param(pair, id=" and ".join(deed.__name__ for deed in pair)) for pair in permutations(DEEDS, 2)]
)
def test_two_things_in_one_instant(tmp_path: Path, deeds: tuple[Deed, Deed]) -> None:
    scene, call = consequences(tmp_path, deeds)
    check(scene, call, tmp_path, deeds)


@pytest.mark.parametrize("seed", range(40))
def test_many_things_in_any_order(tmp_path: Path, seed: int) -> None:
    deeds = random.Random(seed).sample(DEEDS, 5)
    scene, call = consequences(tmp_path, deeds)
    check(scene, call, tmp_path, deeds)


def test_a_crash_is_an_error_of_the_program(tmp_path: Path) -> None:
    scene, call = consequences(tmp_path, [crash])
    assert isinstance(scene.reached_caller, ToolConfigurationError)
    assert (call.response.status, len(call.response.attempts)) == (CallStatus.FAILED, 0)


def test_whoever_answers_and_makes_a_rule_of_it_decided_themselves(tmp_path: Path) -> None:
    def remember_and_allow(scene: Scene) -> None:
        allow_by_rule(scene)
        scene.desk.answer(Continue("fine", remembered="always"))

    scene, call = consequences(tmp_path, [remember_and_allow])
    (decided,) = [event for event in scene.recorder.events if isinstance(event, ReviewDecided)]
    assert (decided.by, decided.decision) == ("you", Continue("fine", remembered="always"))
    assert call.response.feedback == "fine"


def test_whoever_refuses_and_makes_a_rule_of_it_is_quoted(tmp_path: Path) -> None:
    def remember_and_refuse(scene: Scene) -> None:
        deny_by_rule(scene)
        scene.desk.answer(ExitEarly("never again", remembered="never"))

    scene, call = consequences(tmp_path, [remember_and_refuse])
    (decided,) = [event for event in scene.recorder.events if isinstance(event, ReviewDecided)]
    assert decided.by == "you"
    assert "never again" in call.response.text


@pytest.mark.parametrize("by_loop", [False, True])
def test_when_the_engine_ends_nothing_runs(tmp_path: Path, *, by_loop: bool) -> None:
    scene = Scene(tmp_path)
    calls: list[ToolCall] = []

    async def work() -> None:
        calls.append(scene.executor.create_call("wipe", {"what": "a"}, caller=AGENT))
        task = asyncio.ensure_future(scene.executor.execute(calls[0]))
        await until(lambda: bool(scene.desk.requests))
        if not by_loop:
            await scene.executor.aclose()
            await task

    run(work())
    (call,) = calls
    assert (call.response.status, len(call.response.attempts)) == (CallStatus.ABORTED, 0)
    (decided,) = [event for event in scene.recorder.events if isinstance(event, ReviewDecided)]
    assert (decided.by, isinstance(decided.decision, ExitEarly)) == ("", True)
    assert len(scene.executor.questions) == 0
    if by_loop:
        scene.executor.close()


class TestClocks:
    """The questions by themselves, with a clock that a test moves."""

    def request(self, timeout_s: float, on_timeout: OnTimeout = OnTimeout.CONTINUE) -> ReviewRequest:
        from datetime import UTC, datetime  # noqa: PLC0415

        call = ToolCall("1", resolve_tools([wipe])[0], "wipe", {}, AGENT, 0.0)
        return ReviewRequest(
            "review-1",
            record_of(call),
            "Wipe something.",
            {},
            datetime.now(UTC),
            timeout_s=timeout_s,
            on_timeout=on_timeout,
        )

    async def asked(
        self, questions: OpenQuestions, desk: Desk, request: ReviewRequest, **options: Any
    ) -> asyncio.Task[QuestionOutcome]:
        async def in_thread(function: Any, arguments: Any) -> Any:
            raise AssertionError

        before = len(desk.requests)
        task = asyncio.ensure_future(questions.ask(request, desk, in_thread, **options))
        await until(lambda: len(desk.requests) > before)
        return task

    async def test_an_answer_after_a_sleep_comes_too_late(self) -> None:
        now = [1_000.0]
        questions, desk = OpenQuestions(lambda: now[0]), Desk()
        task = await self.asked(questions, desk, self.request(300.0))
        now[0] += 8 * 3600
        desk.answer(Continue())
        outcome = await task
        # Although silence would have let it run: nobody could have said anything.
        assert isinstance(outcome.decision, ExitEarly)
        assert outcome.decision.timed_out
        assert "slept" in outcome.decision.reason

    def test_a_clock_that_is_put_right_changes_nothing(self) -> None:
        async def work(step_s: float) -> QuestionOutcome:
            now = [1_000.0]
            questions, desk = OpenQuestions(lambda: now[0]), Desk()
            task = await self.asked(questions, desk, self.request(300.0))
            now[0] += step_s
            desk.answer(Continue("yes"))
            return await task

        assert run(work(-3600.0)).decision == run(work(60.0)).decision == Continue("yes")

    async def test_what_waits_for_ever_waits_through_a_sleep(self) -> None:
        now = [1_000.0]
        questions, desk = OpenQuestions(lambda: now[0]), Desk()
        task = await self.asked(questions, desk, self.request(0.0))
        now[0] += 8 * 3600
        desk.answer(Continue())
        assert (await task).decision == Continue()

    @pytest.mark.parametrize(("means", "decision"), [(OnTimeout.CONTINUE, Continue), (OnTimeout.EXIT_EARLY, ExitEarly)])
    async def test_more_time_and_another_meaning_of_silence(self, means: OnTimeout, decision: type) -> None:
        questions, desk = OpenQuestions(), Desk()
        task = await self.asked(questions, desk, self.request(300.0, OnTimeout.FAIL))
        later = questions.reschedule("review-1", 600.0)
        assert later is not None
        assert 600.0 <= later.timeout_s < 700.0
        for_ever = questions.reschedule("review-1", 0.0)
        assert for_ever is not None
        assert for_ever.expires_at is None
        assert questions.reschedule("review-1", 1e-9, means) is not None
        outcome = await task
        assert questions.reschedule("review-1", 1.0) is None
        assert isinstance(outcome.decision, decision)
        assert outcome.by == "time limit"

    async def test_silence_never_means_yes_to_what_the_policy_asks(self) -> None:
        questions, desk = OpenQuestions(), Desk()
        asked = self.request(300.0, OnTimeout.EXIT_EARLY)._replace(why="Ask before anything")
        task = await self.asked(questions, desk, asked)
        moved = questions.reschedule("review-1", 1e-9, OnTimeout.CONTINUE)
        assert moved is not None
        assert moved.on_timeout is OnTimeout.EXIT_EARLY
        assert isinstance((await task).decision, ExitEarly)

    async def test_a_refusal_is_remembered_for_a_minute_and_for_its_policy(self) -> None:
        now = [1_000.0]
        questions, desk = OpenQuestions(lambda: now[0]), Desk()
        task = await self.asked(questions, desk, self.request(300.0), key=A, version="1")
        desk.answer(ExitEarly("no"))
        await task
        found = questions.refusal(A, "1")
        assert found is not None
        assert (found.decision, found.by) == (ExitEarly("no"), "you")
        assert questions.refusal(B, "1") is questions.refusal(A, "2") is questions.refusal(None, "1") is None
        now[0] += REFUSAL_HOLDS_S
        assert questions.refusal(A, "1") is None
        now[0] -= 2 * REFUSAL_HOLDS_S
        assert questions.refusal(A, "1") is None
