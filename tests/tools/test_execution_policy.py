"""What the policy says is carried out: refusals, questions, what an approval is good for, what a result may show."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import pytest

from tests.tools.running import Answers, Recorder, Silence, run, start, steps_of, until
from tools import (
    Advice,
    CallStatus,
    Concern,
    Continue,
    Edit,
    ExitEarly,
    ExitEarlyError,
    PathRole,
    ReviewAsked,
    ReviewDecided,
    ReviewDecision,
    ReviewRequest,
    ReviewTimeoutError,
    ReviewTiming,
    ShellCommand,
    StaticAccess,
    ToolCall,
    ToolConfigurationError,
    ToolContext,
    ToolFailure,
    ToolResponse,
    ToolResult,
    cached,
    resilience,
    resolve_tools,
    retry,
    security,
    tool,
)
from tools.errors import PolicyError, TransientError
from tools.policy import Autonomy, Effect, Policy, Predicate, Rule, RuleLocation, RuleMoment
from tools.spec import RiskClass
from tools.trace_words import step_title

if TYPE_CHECKING:
    from tests.tools.running import ExecutorOf

AGENT = "agent:coder"


@tool(destructive=True)
def wipe(what: str, count: int = 1) -> str:
    """Wipe something."""
    return f"wiped {what} {count}"


@tool(read_only=True)
def look(what: str) -> dict[str, Any]:
    """Look at something."""
    return {"what": what, "token": "hunter2", "rows": [{"name": "a", "secret": "s1"}]}


def hosts(arguments: Mapping[str, Any], project_dir: Path) -> Iterable[Concern]:
    if arguments["host"] != "example.org":
        yield Concern("private_host", "Private host", f"It calls {arguments['host']}.", f"host:{arguments['host']}")


@tool(read_only=True, concerns=hosts)
def fetch(host: str) -> str:
    """Fetch from a host."""
    return f"from {host}"


def policy_of(
    *rules: Rule, autonomy: Autonomy = Autonomy.SUPERVISED, place: RuleLocation = RuleLocation.SESSION
) -> Policy:
    policy = Policy(autonomy=autonomy)
    for rule in rules:
        policy.add(rule, place)
    return policy


def rule(name: str, effect: Effect, **more: Any) -> Rule:
    return Rule(id=name, effect=effect, **more)


def decisions(recorder: Recorder) -> list[ReviewDecided]:
    return [event for event in recorder.events if isinstance(event, ReviewDecided)]


class TestVerdicts:
    @pytest.mark.reference("E26")
    @pytest.mark.parametrize(
        ("effect", "status", "asked"),
        [
            (Effect.ALLOW, CallStatus.EXECUTED, 0),
            (Effect.ASK, CallStatus.EXECUTED, 1),
            (Effect.DENY, CallStatus.DENIED, 0),
        ],
    )
    def test_a_rule_decides(self, executor_of: ExecutorOf, effect: Effect, status: CallStatus, asked: int) -> None:
        reviewer = Answers()
        executor = executor_of(wipe, review_handler=reviewer, policy=policy_of(rule("mine", effect, tool="wipe")))
        response = executor.run("wipe", {"what": "a"}, caller=AGENT)
        assert (response.status, len(reviewer.requests)) == (status, asked)

    def test_without_a_policy_nothing_is_judged(self, executor_of: ExecutorOf) -> None:
        reviewer = Answers()
        executor = executor_of(wipe, look, review_handler=reviewer)
        executor.run("wipe", {"what": "a"})
        executor.run("look", {"what": "a"})
        (request,) = reviewer.requests
        assert (executor.policy, request.risk, request.why, request.attached) == (None, None, "", 1)

    def test_a_tool_of_which_nothing_is_said_has_no_step(self, executor_of: ExecutorOf) -> None:
        executor = executor_of(look, policy=policy_of(rule("other", Effect.DENY, tool="wipe")))
        assert steps_of(executor.run("look", {"what": "a"})) == ["Validate arguments", "Execute", "Metrics"]

    def test_the_question_says_why_and_how_bad(self, executor_of: ExecutorOf) -> None:
        asking = rule("ask-1", Effect.ASK, tool="wipe", required_role="", reason="be careful")
        reviewer = Answers()
        executor_of(wipe, review_handler=reviewer, policy=policy_of(asking)).run("wipe", {"what": "a"})
        (request,) = reviewer.requests
        assert request.risk is RiskClass.DESTRUCTIVE
        assert (request.rule, [concern.kind for concern in request.concerns]) == ("ask-1", ["destructive"])
        assert "wipe" in request.why
        assert len(request.digest) == 64

    @pytest.mark.parametrize("caller", ["you", AGENT])
    def test_a_denial_names_the_rule_in_words_and_is_on_record(self, executor_of: ExecutorOf, caller: str) -> None:
        recorder = Recorder()
        denying = rule("no-wiping", Effect.DENY, tool="wipe", reason="backups are running")
        executor = executor_of(wipe, policy=policy_of(denying), listeners=[recorder])
        response = executor.run("wipe", {"what": "a"}, caller=caller)
        assert response.text.startswith("Denied by rule: Deny wipe (backups are running). ")
        (decided,) = decisions(recorder)
        assert decided.by == "rule no-wiping"
        assert isinstance(decided.decision, ExitEarly)
        assert len(response.attempts) == 0

    def test_what_a_rule_settles_is_on_record(self, executor_of: ExecutorOf) -> None:
        recorder = Recorder()
        executor = executor_of(wipe, policy=policy_of(rule("fine", Effect.ALLOW)), listeners=[recorder])
        executor.run("wipe", {"what": "a"})
        (decided,) = decisions(recorder)
        assert (decided.by, decided.decision, decided.request.rule) == ("rule fine", Continue(), "fine")
        assert [concern.kind for concern in decided.request.concerns] == ["destructive"]

    def test_a_rule_settles_only_what_it_answers(self, executor_of: ExecutorOf) -> None:
        reviewer = Answers()
        some = rule("some", Effect.ALLOW, tool="fetch", answers=("something_else",))
        executor_of(fetch, review_handler=reviewer, policy=policy_of(some)).run("fetch", {"host": "10.0.0.1"})
        assert reviewer.kinds == [["private_host"]]

    def test_what_a_rule_allows_is_granted(self, executor_of: ExecutorOf) -> None:
        @tool(read_only=True, concerns=hosts)
        async def granted(host: str, ctx: Any = None) -> str:
            return host

        executor = executor_of(fetch, policy=policy_of(rule("fine", Effect.ALLOW, tool="fetch")))
        call = executor.create_call("fetch", {"host": "10.0.0.1"}, caller=AGENT)
        assert run(executor.execute(call)).text == "from 10.0.0.1"
        assert call.approved == ()

    def test_full_autonomy_keeps_asking_for_grants(self, executor_of: ExecutorOf) -> None:
        reviewer = Answers()
        executor = executor_of(wipe, fetch, review_handler=reviewer, policy=policy_of(autonomy=Autonomy.FULL_AUTO))
        executor.run("wipe", {"what": "a"}, caller=AGENT)
        executor.run("fetch", {"host": "10.0.0.1"}, caller=AGENT)
        assert reviewer.kinds == [["private_host"]]

    @pytest.mark.reference("A19")
    @pytest.mark.parametrize(
        ("autonomy", "asked"),
        [(Autonomy.FULL_AUTO, 0), (Autonomy.SUPERVISED, 1), (Autonomy.CAUTIOUS, 1), (Autonomy.MANUAL, 2)],
    )
    def test_the_level_can_change_while_the_program_runs(
        self, executor_of: ExecutorOf, autonomy: Autonomy, asked: int
    ) -> None:
        reviewer, policy = Answers(), policy_of()
        executor = executor_of(wipe, look, review_handler=reviewer, policy=policy)
        policy.autonomy = autonomy
        executor.run("wipe", {"what": "a"}, caller=AGENT)
        executor.run("look", {"what": "a"}, caller=AGENT)
        assert len(reviewer.requests) == asked

    def test_a_policy_file_that_cannot_be_read_makes_everything_a_question(
        self, executor_of: ExecutorOf, tmp_path: Path
    ) -> None:
        file = tmp_path / "policy.toml"
        file.write_text("[[rule]]\nid = 7\n")
        reviewer = Answers(Continue(), ExitEarly("mend it first"))
        executor = executor_of(look, review_handler=reviewer, policy=Policy(user_file=file))
        response = executor.run("look", {"what": "a"})
        # Once before the call, and once before its result.
        assert [request.timing for request in reviewer.requests] == [
            ReviewTiming.BEFORE_EXECUTION,
            ReviewTiming.AFTER_EXECUTION,
        ]
        assert str(file) in reviewer.requests[0].why
        assert response.status is CallStatus.DENIED

    def test_a_question_and_nobody_to_ask_is_an_error_of_the_program(self, executor_of: ExecutorOf) -> None:
        executor = executor_of(look, policy=policy_of(rule("asks", Effect.ASK)))
        with pytest.raises(ToolConfigurationError, match="no review handler"):
            executor.run("look", {"what": "a"})


class TestKnownResults:
    def executor(self, executor_of: ExecutorOf, policy: Policy, reviewer: Answers) -> Any:
        ran: list[str] = []

        @cached(ttl_s=60)
        @tool(read_only=True)
        def known(what: str) -> str:
            """Know something."""
            ran.append(what)
            return what

        return executor_of(known, policy=policy, review_handler=reviewer), ran

    def test_a_denial_holds_for_them_and_a_question_does_not(self, executor_of: ExecutorOf) -> None:
        policy, reviewer = policy_of(rule("asks", Effect.ASK, caller="agent:*")), Answers()
        executor, ran = self.executor(executor_of, policy, reviewer)
        executor.run("known", {"what": "a"})
        assert executor.run("known", {"what": "a"}, caller=AGENT).from_cache
        assert (ran, reviewer.requests) == (["a"], [])
        policy.add(rule("denies", Effect.DENY, caller="agent:*"), RuleLocation.SESSION)
        response = executor.run("known", {"what": "a"}, caller=AGENT)
        assert (response.status, response.from_cache) == (CallStatus.DENIED, False)
        assert executor.run("known", {"what": "a"}).from_cache

    def test_what_a_caller_may_not_see_of_them_is_hidden_from_that_caller_alone(self, executor_of: ExecutorOf) -> None:
        @cached(ttl_s=60)
        @tool(read_only=True)
        def known() -> dict[str, str]:
            """Know something."""
            return {"token": "hunter2"}

        hiding = rule("hide", Effect.ALLOW, moment=RuleMoment.RESULT, caller="agent:*", redact=("token",))
        executor = executor_of(known, policy=policy_of(hiding))
        first = executor.run("known", {}, caller=AGENT)
        second = executor.run("known", {})
        third = executor.run("known", {}, caller=AGENT)
        assert [response.from_cache for response in (first, second, third)] == [False, True, True]
        assert second.result == {"token": "hunter2"}
        assert first.result == third.result != second.result
        assert "hunter2" not in first.text + third.text

    def test_a_denial_holds_for_a_result_that_somebody_else_is_working_out(self, executor_of: ExecutorOf) -> None:
        gate = asyncio.Event()

        @cached(ttl_s=60)
        @tool(read_only=True)
        async def known() -> bytes:
            """Know something in the end."""
            await gate.wait()
            return b"hunter2"

        async def work() -> tuple[ToolResponse, ToolResponse]:
            policy = policy_of(rule("asks", Effect.ALLOW, tool="known"))
            executor = executor_of(known, policy=policy)
            calls = [executor.create_call("known", {}, caller=caller) for caller in ("you", AGENT)]
            tasks = [asyncio.ensure_future(executor.execute(call)) for call in calls]
            await until(lambda: len(calls[0].response.attempts) == 1)
            await until(lambda: step_title(calls[1].response.steps[-1]) == "Policy")
            policy.add(rule("denies", Effect.DENY, tool="known", caller="agent:*"), RuleLocation.SESSION)
            gate.set()
            first, second = await asyncio.gather(*tasks)
            return first, second

        first, second = run(work())
        assert first.succeeded
        assert (second.status, second.from_cache, second.attachments) == (CallStatus.DENIED, False, [])


class TestEdits:
    @pytest.mark.reference("E28")
    def test_an_edit_is_put_to_the_policy_again(self, executor_of: ExecutorOf) -> None:
        where = (Predicate(path="what", equals="everything"),)
        policy = policy_of(rule("never", Effect.DENY, tool="wipe", where=where))
        executor = executor_of(wipe, review_handler=Answers(Edit({"what": "everything"})), policy=policy)
        response = executor.run("wipe", {"what": "a"}, caller=AGENT)
        assert response.status is CallStatus.DENIED
        assert response.text.startswith("Denied by rule")
        assert response.modified_arguments == {"what": "everything", "count": 1}

    def test_an_edit_that_raises_nothing_new_is_agreed_to(self, executor_of: ExecutorOf) -> None:
        reviewer = Answers(Edit({"what": "b"}))
        executor = executor_of(wipe, review_handler=reviewer, policy=policy_of(rule("asks", Effect.ASK)))
        assert executor.run("wipe", {"what": "a"}, caller=AGENT).text == "wiped b 1"
        assert len(reviewer.requests) == 1

    def test_an_edit_that_another_rule_asks_about_is_asked_about(self, executor_of: ExecutorOf) -> None:
        where = (Predicate(path="count", above=10),)
        policy = policy_of(rule("many", Effect.ASK, tool="wipe", where=where))
        reviewer = Answers(Edit({"what": "a", "count": 11}))
        assert executor_of(wipe, review_handler=reviewer, policy=policy).run("wipe", {"what": "a"}).succeeded
        assert [request.rule for request in reviewer.requests] == ["", "many"]


class TestUses:
    def test_each_execution_takes_a_use_and_the_next_is_asked_about(self, executor_of: ExecutorOf) -> None:
        reviewer = Answers()
        policy = policy_of(rule("twice", Effect.ALLOW, tool="wipe", max_uses=2))
        executor = executor_of(wipe, review_handler=reviewer, policy=policy)
        for _ in range(3):
            assert executor.run("wipe", {"what": "a"}, caller=AGENT).succeeded
        assert len(reviewer.requests) == 1
        assert [placed.uses for placed in policy.rules] == [2]

    def test_a_call_that_is_refused_takes_none(self, executor_of: ExecutorOf) -> None:
        policy = policy_of(
            rule("once", Effect.ALLOW, tool="wipe", max_uses=1),
            rule("never", Effect.DENY, tool="wipe", where=(Predicate(path="what", equals="b"),)),
        )
        executor = executor_of(wipe, review_handler=Answers(), policy=policy)
        assert executor.run("wipe", {"what": "b"}).status is CallStatus.DENIED
        assert [placed.uses for placed in policy.rules if placed.rule.id == "once"] == [0]

    def test_a_use_that_cannot_be_written_down_lets_nothing_run(self, executor_of: ExecutorOf) -> None:
        class Full(Policy):
            def claim(self, verdict: Any) -> bool:
                raise PolicyError("no space left")

        policy = Full(autonomy=Autonomy.SUPERVISED)
        policy.add(rule("fine", Effect.ALLOW), RuleLocation.SESSION)
        response = executor_of(wipe, policy=policy).run("wipe", {"what": "a"})
        assert (response.status, len(response.attempts)) == (CallStatus.DENIED, 0)
        assert "no space left" in response.text


class TestIdenticalCalls:
    class Desk:
        """Hold questions until they are answered."""

        name = "you"

        def __init__(self) -> None:
            self.open: dict[str, asyncio.Future[ReviewDecision]] = {}
            self.requests: list[ReviewRequest] = []

        async def review(self, request: ReviewRequest, /) -> ReviewDecision:
            self.requests.append(request)
            self.open[request.id] = asyncio.get_running_loop().create_future()
            return await self.open[request.id]

        def answer(self, decision: ReviewDecision, number: int = 0) -> None:
            self.open[self.requests[number].id].set_result(decision)

    def gathered(
        self,
        executor_of: ExecutorOf,
        decision: ReviewDecision,
        *,
        meanwhile: Callable[[list[ToolCall]], None] | None = None,
    ) -> tuple[list[ToolResponse], Recorder, Desk]:
        recorder, desk = Recorder(), self.Desk()
        executor = executor_of(wipe, policy=policy_of(), review_handler=desk, listeners=[recorder])

        async def work() -> list[ToolResponse]:
            calls = [executor.create_call("wipe", {"what": "a"}, caller=AGENT) for _ in range(3)]
            tasks = [asyncio.ensure_future(executor.execute(call)) for call in calls]
            await until(lambda: sum(isinstance(event, ReviewAsked) for event in recorder.events) == 3)
            if meanwhile is not None:
                meanwhile(calls)
                await asyncio.sleep(0)
            desk.answer(decision)
            return list(await asyncio.gather(*tasks))

        return run(work()), recorder, desk

    def test_one_answer_is_enough_for_all_that_wait(self, executor_of: ExecutorOf) -> None:
        responses, recorder, desk = self.gathered(executor_of, Continue("go on"))
        assert [response.text for response in responses] == ["wiped a 1"] * 3
        assert len(desk.requests) == 1
        asked = [event.request for event in recorder.events if isinstance(event, ReviewAsked)]
        assert [request.attached for request in asked] == [1, 2, 3]
        assert [request.attached_to for request in asked] == ["", asked[0].id, asked[0].id]
        assert [(event.by, event.decision) for event in decisions(recorder)] == [("you", Continue("go on"))] * 3

    def test_whoever_shows_the_question_learns_how_many_wait(self, executor_of: ExecutorOf) -> None:
        async def work() -> list[tuple[str, int]]:
            desk = self.Desk()
            executor = executor_of(wipe, policy=policy_of(), review_handler=desk)
            told: list[tuple[str, int]] = []

            def take(request: ReviewRequest) -> None:
                told.append((request.id, request.attached))

            unwatch = executor.questions.watch(take)
            started = [start(executor, "wipe", {"what": "a"}) for _ in range(3)]
            await until(lambda: len(told) == 2)
            started[1][0].cancel()
            await started[1][1]
            unwatch()
            desk.answer(Continue())
            await asyncio.gather(*(task for _, task in started))
            assert {question for question, _ in told} == {desk.requests[0].id}
            return told

        assert [attached for _, attached in run(work())] == [2, 3, 2]

    def test_an_edit_counts_for_all_of_them(self, executor_of: ExecutorOf) -> None:
        responses, _, _ = self.gathered(executor_of, Edit({"what": "b"}))
        assert [response.text for response in responses] == ["wiped b 1"] * 3

    def test_a_refusal_counts_for_all_of_them(self, executor_of: ExecutorOf) -> None:
        responses, _, _ = self.gathered(executor_of, ExitEarly("no"))
        assert [response.status for response in responses] == [CallStatus.DENIED] * 3

    @pytest.mark.parametrize("who", [0, 1, 2])
    def test_whoever_is_stopped_leaves_the_question_to_the_others(self, executor_of: ExecutorOf, who: int) -> None:
        def stop(calls: list[ToolCall]) -> None:
            calls[who].cancel()

        responses, recorder, _ = self.gathered(executor_of, Continue(), meanwhile=stop)
        statuses = [response.status for response in responses]
        assert statuses.pop(who) is CallStatus.CANCELLED
        assert statuses == [CallStatus.EXECUTED] * 2
        assert len(decisions(recorder)) == 3

    async def test_when_all_are_stopped_the_question_is_withdrawn(self, executor_of: ExecutorOf) -> None:
        silence = Silence()
        executor = executor_of(wipe, policy=policy_of(), review_handler=silence)
        started = [start(executor, "wipe", {"what": "a"}) for _ in range(2)]
        await silence.asked.wait()
        for call, _ in started:
            call.cancel()
        await asyncio.gather(*(task for _, task in started))
        assert len(executor.questions) == 0
        assert silence.withdrawn is True

    async def test_other_arguments_are_another_question(self, executor_of: ExecutorOf) -> None:
        desk = self.Desk()
        executor = executor_of(wipe, policy=policy_of(), review_handler=desk)
        tasks = [start(executor, "wipe", {"what": what})[1] for what in "ab"]
        await until(lambda: len(desk.requests) == 2)
        desk.answer(Continue(), 0)
        desk.answer(Continue(), 1)
        await asyncio.gather(*tasks)
        assert len(desk.requests) == 2

    async def test_a_secret_that_differs_is_another_question_though_it_looks_alike(
        self, executor_of: ExecutorOf
    ) -> None:
        @tool(requires_confirmation=True)
        @security(mask_fields=("key",))
        def login(key: str) -> str:
            """Log in."""
            return "in"

        desk = self.Desk()
        executor = executor_of(login, policy=policy_of(), review_handler=desk)
        tasks = [start(executor, "login", {"key": key})[1] for key in ("secret-1", "secret-2")]
        await until(lambda: len(desk.requests) == 2)
        desk.answer(Continue(), 0)
        desk.answer(Continue(), 1)
        await asyncio.gather(*tasks)
        digests = [request.digest for request in desk.requests]
        # The hash of what is shown says nothing about the secret.
        assert digests[0] == digests[1]

    def test_an_identical_call_refused_a_moment_ago_is_refused_without_a_dialog(self, executor_of: ExecutorOf) -> None:
        class You(Answers):
            name = "you"

        reviewer, recorder, policy = You(ExitEarly("not now", advice=Advice.CHANGE)), Recorder(), policy_of()
        executor = executor_of(wipe, review_handler=reviewer, policy=policy, listeners=[recorder])
        first = executor.run("wipe", {"what": "a"}, caller=AGENT)
        second = executor.run("wipe", {"count": 1, "what": "a"}, caller=AGENT)
        assert (second.text, second.error) == (first.text, first.error)
        assert len(reviewer.requests) == 1
        asked, decided = decisions(recorder)
        assert (decided.request.attached_to, decided.by) == (asked.request.id, "you")
        # Others, other arguments and another policy are asked about.
        executor.run("wipe", {"what": "a"}, caller="agent:other")
        executor.run("wipe", {"what": "b"}, caller=AGENT)
        policy.add(rule("unrelated", Effect.DENY, tool="look"), RuleLocation.SESSION)
        executor.run("wipe", {"what": "a"}, caller=AGENT)
        assert len(reviewer.requests) == 4

    @pytest.mark.parametrize(("caller", "name"), [("you", "you"), ("you", "webhook"), ("ada", "ada")])
    def test_whoever_refused_their_own_call_may_change_their_mind(
        self, executor_of: ExecutorOf, caller: str, name: str
    ) -> None:
        reviewer = Answers(ExitEarly())
        reviewer.name = name  # type: ignore[attr-defined]
        executor = executor_of(wipe, review_handler=reviewer, policy=policy_of())
        assert executor.run("wipe", {"what": "a"}, caller=caller).status is CallStatus.DENIED
        assert executor.run("wipe", {"what": "a"}, caller=caller).succeeded

    def test_silence_is_no_persons_refusal(self, executor_of: ExecutorOf) -> None:
        @tool(requires_confirmation=True)
        @security(review_timeout_s=0.005)
        def guarded() -> str:
            """Do something guarded."""
            return "done"

        recorder = Recorder()
        executor = executor_of(guarded, review_handler=Silence(), policy=policy_of(), listeners=[recorder])
        for _ in range(2):
            assert executor.run("guarded", {}, caller=AGENT).status is CallStatus.DENIED
        assert [event.request.attached_to for event in decisions(recorder)] == ["", ""]


class TestChangesMeanwhile:
    """The question is open, or the answer waits for its turn, when the policy or the tool changes."""

    def asked_and(
        self, executor_of: ExecutorOf, change: Callable[[Any, Policy], None], answer: int | None = None
    ) -> tuple[ToolResponse, Recorder, TestIdenticalCalls.Desk]:
        recorder, desk, policy = Recorder(), TestIdenticalCalls.Desk(), policy_of(rule("asks", Effect.ASK, tool="wipe"))
        executor = executor_of(wipe, policy=policy, review_handler=desk, listeners=[recorder])

        async def work() -> ToolResponse:
            call = executor.create_call("wipe", {"what": "a"}, caller=AGENT)
            task = asyncio.ensure_future(executor.execute(call))
            await until(lambda: len(desk.requests) == 1)
            change(executor, policy)
            if answer is not None:
                await until(lambda: len(desk.requests) > answer)
                desk.answer(Continue(), answer)
            return await task

        return run(work()), recorder, desk

    def test_a_rule_that_allows_it_answers_the_open_question(self, executor_of: ExecutorOf) -> None:
        def allow(_: Any, policy: Policy) -> None:
            policy.replace(rule("asks", Effect.ALLOW, tool="wipe"))

        response, recorder, _ = self.asked_and(executor_of, allow)
        assert response.succeeded
        void, settled = decisions(recorder)
        assert (void.void, void.by) == ("the policy lets it run by now", "")
        assert settled.by == "rule asks"

    def test_a_rule_that_denies_it_ends_the_open_question(self, executor_of: ExecutorOf) -> None:
        def deny(_: Any, policy: Policy) -> None:
            policy.replace(rule("asks", Effect.DENY, tool="wipe"))

        response, recorder, _ = self.asked_and(executor_of, deny)
        assert (response.status, len(response.attempts)) == (CallStatus.DENIED, 0)
        assert [decided.void for decided in decisions(recorder)] == ["the policy refuses it by now", ""]

    def test_a_question_that_is_still_the_same_stays_open(self, executor_of: ExecutorOf) -> None:
        def unrelated(_: Any, policy: Policy) -> None:
            policy.add(rule("other", Effect.DENY, tool="look"), RuleLocation.SESSION)

        response, recorder, desk = self.asked_and(executor_of, unrelated, answer=0)
        assert response.succeeded
        assert len(desk.requests) == len(decisions(recorder)) == 1

    def test_another_question_is_asked_anew(self, executor_of: ExecutorOf) -> None:
        def otherwise(_: Any, policy: Policy) -> None:
            policy.replace(rule("asks", Effect.ASK, tool="wipe", caller="agent:*"))

        response, recorder, desk = self.asked_and(executor_of, otherwise, answer=1)
        assert response.succeeded
        assert [request.rule for request in desk.requests] == ["asks", "asks"]
        assert [bool(decided.void) for decided in decisions(recorder)] == [True, False]

    @pytest.mark.parametrize("again", [False, True])
    def test_another_definition_voids_the_question(self, executor_of: ExecutorOf, *, again: bool) -> None:
        @tool(name="wipe", destructive=True)
        def other(what: str, count: int = 1, *, deep: bool = True) -> str:
            """Wipe something, and all below it."""
            return f"wiped {what} deeply"

        def exchange(executor: Any, _: Policy) -> None:
            executor.registry.swap(tuple(executor.registry), ())
            if again:
                executor.registry.register(resolve_tools([other])[0])

        response, recorder, _ = self.asked_and(executor_of, exchange)
        assert (response.status, len(response.attempts)) == (CallStatus.DENIED, 0)
        (decided,) = decisions(recorder)
        assert ("has another definition" if again else "was removed or disabled") in decided.void
        assert decided.void in response.text

    def test_a_tool_that_is_disabled_meanwhile_does_not_run(self, executor_of: ExecutorOf) -> None:
        def disable(executor: Any, _: Policy) -> None:
            executor.registry.disable("wipe")

        response, _, _ = self.asked_and(executor_of, disable, answer=0)
        assert (response.status, len(response.attempts)) == (CallStatus.DENIED, 0)
        assert "removed or disabled" in response.text

    def waiting_for_a_place(
        self, executor_of: ExecutorOf, change: Callable[[Policy], None], reviewer: Answers
    ) -> ToolResponse:
        gate = asyncio.Event()

        @tool(destructive=True)
        @resilience(max_concurrent=1)
        async def slow(number: int) -> int:
            """Do something slow."""
            if number == 1:
                await gate.wait()
            return number

        async def work() -> ToolResponse:
            policy = policy_of(rule("asks", Effect.ASK, tool="slow"))
            executor = executor_of(slow, policy=policy, review_handler=reviewer)
            one, first = start(executor, "slow", {"number": 1})
            await until(lambda: len(one.response.attempts) == 1)
            call, second = start(executor, "slow", {"number": 2})
            await until(lambda: bool(call.approved))
            change(policy)
            gate.set()
            await first
            response: ToolResponse = await second
            return response

        response: ToolResponse = run(work())
        return response

    def test_what_was_agreed_to_holds_while_it_waits_for_its_turn(self, executor_of: ExecutorOf) -> None:
        reviewer = Answers()
        assert self.waiting_for_a_place(executor_of, lambda _: None, reviewer).result == 2
        assert len(reviewer.requests) == 2

    def test_another_policy_voids_what_was_agreed_to(self, executor_of: ExecutorOf) -> None:
        reviewer = Answers()

        def otherwise(policy: Policy) -> None:
            policy.add(rule("unrelated", Effect.DENY, tool="look"), RuleLocation.SESSION)

        assert self.waiting_for_a_place(executor_of, otherwise, reviewer).result == 2
        assert [dict(request.arguments or {})["number"] for request in reviewer.requests] == [1, 2, 2]

    def test_a_denial_after_the_agreement_keeps_it_from_running(self, executor_of: ExecutorOf) -> None:
        def deny(policy: Policy) -> None:
            policy.replace(rule("asks", Effect.DENY, tool="slow"))

        response = self.waiting_for_a_place(executor_of, deny, Answers())
        assert (response.status, len(response.attempts)) == (CallStatus.DENIED, 0)

    def test_a_denial_between_two_attempts_keeps_the_next_from_starting(self, executor_of: ExecutorOf) -> None:
        policy = policy_of()

        @tool(read_only=True)
        @retry(max_attempts=5, initial_delay_s=0.0, jitter=False)
        def flaky() -> None:
            """Fail, and change the policy on the way."""
            policy.add(rule("stop", Effect.DENY, tool="flaky"), RuleLocation.SESSION)
            raise TransientError("no")

        response = executor_of(flaky, policy=policy).run("flaky", {})
        assert (response.status, len(response.attempts)) == (CallStatus.DENIED, 1)

    def test_a_fallback_that_is_part_of_the_tool_is_denied_with_it(self, executor_of: ExecutorOf) -> None:
        policy = policy_of()

        class Parts:
            ran = False

            @tool(read_only=True)
            @resilience(fallback="other")
            def work(self) -> str:
                """Fail, and change the policy on the way."""
                policy.add(rule("stop", Effect.DENY, tool="work"), RuleLocation.SESSION)
                raise ToolFailure("no")

            def other(self) -> str:
                self.ran = True
                return "other"

        parts = Parts()
        response = executor_of(parts, policy=policy).run("work", {})
        assert (response.status, parts.ran) == (CallStatus.DENIED, False)

    def test_an_agreement_ahead_of_the_start_is_bound_to_the_policy(self, executor_of: ExecutorOf) -> None:
        async def work(*, change: bool) -> int:
            policy, reviewer = policy_of(), Answers()
            executor = executor_of(wipe, policy=policy, review_handler=reviewer)
            call = executor.create_call("wipe", {"what": "a"}, caller=AGENT)
            concerns = await executor.proposals.concerns(call)
            assert [concern.kind for concern in concerns] == ["destructive", "the policy:"]
            executor.proposals.approve(call, concerns, by="you")
            if change:
                policy.add(rule("unrelated", Effect.DENY, tool="look"), RuleLocation.SESSION)
            assert (await executor.execute(call)).succeeded
            return len(reviewer.requests)

        assert run(work(change=False)) == 0
        assert run(work(change=True)) == 1

    async def test_an_agreement_ahead_of_the_start_is_bound_to_the_project_folder(
        self, executor_of: ExecutorOf, tmp_path: Path
    ) -> None:
        @tool(destructive=True)
        def erase(path: Annotated[Path, PathRole(writes=True)]) -> str:
            """Erase a file."""
            return str(path)

        reviewer = Answers()
        executor = executor_of(erase, policy=policy_of(), review_handler=reviewer)
        call = executor.create_call("erase", {"path": "notes.txt"}, caller=AGENT)
        executor.proposals.approve(call, await executor.proposals.concerns(call), by="you")
        executor.project_dir = tmp_path / "other"
        assert (await executor.execute(call)).succeeded
        assert len(reviewer.requests) == 1

    async def test_a_proposal_that_is_denied_raises_no_question(self, executor_of: ExecutorOf) -> None:
        executor = executor_of(wipe, policy=policy_of(rule("no", Effect.DENY)))
        call = executor.create_call("wipe", {"what": "a"}, caller=AGENT)
        assert await executor.proposals.concerns(call) == ()
        foreseen = await executor.proposals.foresee(executor.registry.get("wipe"), {"what": "a"}, caller=AGENT)
        assert foreseen.refusal.startswith("Denied by rule: ")
        assert (await executor.execute(call)).status is CallStatus.DENIED


class TestWhoAnswers:
    @pytest.mark.reference("D40")
    @pytest.mark.parametrize("by_rule", [False, True])
    @pytest.mark.parametrize(
        ("roles", "status"), [({"Answers": ("admin",)}, CallStatus.EXECUTED), ({}, CallStatus.DENIED)]
    )
    def test_only_the_required_role_may_let_a_call_run(
        self, executor_of: ExecutorOf, roles: dict[str, tuple[str, ...]], status: CallStatus, *, by_rule: bool
    ) -> None:
        @tool(requires_confirmation=True)
        @security(review_role="" if by_rule else "admin")
        def guarded() -> str:
            """Do something guarded."""
            return "done"

        rules = [rule("asks", Effect.ASK, required_role="admin")] if by_rule else []
        reviewer, recorder = Answers(), Recorder()
        executor = executor_of(
            guarded,
            policy=policy_of(*rules),
            review_handler=reviewer,
            access=StaticAccess(roles=roles),
            listeners=[recorder],
        )
        response = executor.run("guarded", {}, caller=AGENT)
        assert response.status is status
        assert reviewer.requests[0].required_role == "admin"
        (decided,) = decisions(recorder)
        assert decided.by == ("Answers" if status is CallStatus.EXECUTED else "policy")

    def test_where_nobody_knows_roles_nobody_has_one(self, executor_of: ExecutorOf) -> None:
        policy = policy_of(rule("asks", Effect.ASK, required_role="admin"))
        response = executor_of(wipe, policy=policy, review_handler=Answers()).run("wipe", {"what": "a"})
        assert "takes the role 'admin'" in response.text

    @pytest.mark.parametrize(("by", "asked"), [("ada", 0), ("you", 1)])
    async def test_whoever_agrees_ahead_needs_the_role_as_well(
        self, executor_of: ExecutorOf, by: str, asked: int
    ) -> None:
        policy = policy_of(rule("asks", Effect.ASK, required_role="admin"))
        reviewer = Answers()
        access = StaticAccess(roles={"ada": ("admin",), "Answers": ("admin",)})
        executor = executor_of(wipe, policy=policy, review_handler=reviewer, access=access)
        call = executor.create_call("wipe", {"what": "a"}, caller=AGENT)
        executor.proposals.approve(call, await executor.proposals.concerns(call), by=by)
        response: ToolResponse = await executor.execute(call)
        assert response.succeeded
        assert len(reviewer.requests) == asked

    @pytest.mark.parametrize(
        ("advice", "word"), [(Advice.STOP, "stop here"), (Advice.ASK, "ask what"), (Advice.CHANGE, "change the call")]
    )
    @pytest.mark.reference("E29")
    def test_a_refusal_says_that_a_person_decided_and_what_to_do(
        self, executor_of: ExecutorOf, advice: Advice, word: str
    ) -> None:
        reviewer = Answers(ExitEarly("not this file", advice=advice))
        response = executor_of(wipe, review_handler=reviewer, policy=policy_of()).run("wipe", {"what": "a"})
        assert response.error is not None
        assert response.error.message == 'Rejected by reviewer: what="a" count=1. not this file'
        assert response.error.remedy.startswith("A person decided this: ")
        assert word in response.text

    @pytest.mark.reference("D37")
    def test_silence_lets_a_call_run_only_where_the_tool_alone_asks(self, executor_of: ExecutorOf) -> None:
        @tool(read_only=True, requires_confirmation=True)
        @security(review_timeout_s=0.005, on_review_timeout="continue")
        def patient() -> str:
            """Wait for nobody."""
            return "done"

        executor = executor_of(patient, review_handler=Silence(), policy=policy_of())
        assert executor.run("patient", {}, caller=AGENT).text == "done"
        executor = executor_of(patient, review_handler=Silence(), policy=policy_of(rule("asks", Effect.ASK)))
        assert executor.run("patient", {}, caller=AGENT).status is CallStatus.DENIED

    @pytest.mark.reference("D37")
    def test_silence_can_be_an_error(self, executor_of: ExecutorOf) -> None:
        @tool(requires_confirmation=True)
        @security(review_timeout_s=0.005, on_review_timeout="fail")
        def strict() -> str:
            """Insist on an answer."""
            return "done"

        recorder = Recorder()
        executor = executor_of(strict, review_handler=Silence(), policy=policy_of(), listeners=[recorder])
        with pytest.raises(ReviewTimeoutError):
            executor.run("strict", {})
        (decided,) = decisions(recorder)
        assert decided.by == "time limit"


class TestResults:
    def test_parts_of_it_are_hidden_from_everybody(self, executor_of: ExecutorOf) -> None:
        recorder = Recorder()
        hiding = rule("hide", Effect.ALLOW, moment=RuleMoment.RESULT, tool="look", redact=("token", "rows[].secret"))
        executor = executor_of(look, policy=policy_of(hiding), listeners=[recorder])
        call = executor.create_call("look", {"what": "a"}, caller=AGENT)
        response = run(executor.execute(call))
        for shown in (response.text, str(response.result), str(call.display_result()), call.display_text()):
            assert "hunter2" not in shown
            assert "s1" not in shown
        assert response.result["rows"][0]["name"] == "a"
        (decided,) = decisions(recorder)
        assert (decided.by, decided.request.timing) == ("rule hide", ReviewTiming.AFTER_EXECUTION)
        assert "Result check" in steps_of(response)

    def test_a_text_beside_the_values_is_not_what_gives_them_away(self, executor_of: ExecutorOf) -> None:
        @tool(read_only=True)
        def told() -> ToolResult:
            """Tell it twice."""
            return ToolResult.ok("the token is hunter2", {"token": "hunter2"})

        hiding = rule("hide", Effect.ALLOW, moment=RuleMoment.RESULT, redact=("token",))
        response = executor_of(told, policy=policy_of(hiding)).run("told", {})
        assert "hunter2" not in response.text + str(response.result)

    def test_secrets_in_it_are_hidden_from_agents_and_in_what_they_send_asked_about(
        self, executor_of: ExecutorOf
    ) -> None:
        secret = "ghp_" + "aB3dE5gH7jK9mN1pQ2sT4vW6yZ8bC0eF5hJ7"

        @tool(read_only=True)
        def note(text: str) -> str:
            """Note something."""
            return f"noted {text}, with {secret}"

        sends = rule("asks", Effect.ASK, caller="agent:*", where=(Predicate(path="", holds_secret=True),))
        hides = rule("hides", Effect.ALLOW, moment=RuleMoment.RESULT, caller="agent:*", redact_secrets=True)
        reviewer = Answers(ExitEarly("not outside"))
        executor = executor_of(note, policy=policy_of(sends, hides), review_handler=reviewer)
        assert executor.run("note", {"text": "a"}).text == f"noted a, with {secret}"
        assert executor.run("note", {"text": "a"}, caller=AGENT).text == "noted a, with ••••••"
        assert reviewer.requests == []
        assert executor.run("note", {"text": f"key {secret}"}, caller=AGENT).status is CallStatus.DENIED
        [asked] = reviewer.requests
        assert asked.why == "Ask about all tools called by agent:* when an argument holds a secret"

    def test_a_secret_beside_what_is_shown_of_a_server_s_result_is_not_handed_on(self, executor_of: ExecutorOf) -> None:
        secret = "ghp_" + "aB3dE5gH7jK9mN1pQ2sT4vW6yZ8bC0eF5hJ7"
        meta = {"content": [], "_meta": {"vendor.example/key": secret}}

        @tool(read_only=True)
        def told() -> ToolResult:
            """Tell."""
            return ToolResult(success=True, output="plain", written=meta)

        hides = rule("hides", Effect.ALLOW, moment=RuleMoment.RESULT, redact_secrets=True)
        assert executor_of(told, policy=policy_of(hides)).run("told", {}).result == "plain"

    def test_all_of_it_is_withheld(self, executor_of: ExecutorOf) -> None:
        @tool(read_only=True)
        def picture() -> bytes:
            """Draw."""
            return b"\x89PNG\r\n\x1a\nhunter2"

        withholding = rule("keep", Effect.DENY, moment=RuleMoment.RESULT, reason="not for agents")
        response = executor_of(picture, policy=policy_of(withholding)).run("picture", {})
        assert (response.status, len(response.attempts)) == (CallStatus.DENIED, 1)
        assert response.attachments == []
        assert response.text.startswith("Withheld by rule: ")
        assert "The tool ran" in response.text

    def test_what_is_written_on_the_way_is_seen_by_nobody_before(self, executor_of: ExecutorOf) -> None:
        @tool(read_only=True)
        def told(ctx: ToolContext, *, fails: bool = False) -> str:
            """Tell it bit by bit."""
            ctx.write("hunter2")
            if fails:
                message = "the line went dead"
                raise ToolFailure(message)
            return "done"

        recorder = Recorder()
        withholding = rule("keep", Effect.DENY, moment=RuleMoment.RESULT, caller="agent:*")
        executor = executor_of(told, policy=policy_of(withholding), listeners=[recorder])
        for fails in (False, True):
            call = executor.create_call("told", {"fails": fails}, caller=AGENT)
            response = run(executor.execute(call))
            assert not response.succeeded
            assert not response.parts
        assert "Wrote" not in recorder.names

    @pytest.mark.parametrize(
        ("decision", "status", "text"),
        [
            (Continue(), CallStatus.EXECUTED, "hunter2"),
            (Edit("nothing to see"), CallStatus.EXECUTED, "nothing to see"),
            (ExitEarly("too much", advice=Advice.STOP), CallStatus.DENIED, "the result of look is withheld: too much"),
        ],
    )
    def test_a_person_is_asked_before_it_is_handed_on(
        self, executor_of: ExecutorOf, decision: ReviewDecision, status: CallStatus, text: str
    ) -> None:
        reviewer = Answers(decision)
        policy = policy_of(rule("asks", Effect.ASK, moment=RuleMoment.RESULT, tool="look"))
        response = executor_of(look, policy=policy, review_handler=reviewer).run("look", {"what": "a"})
        (request,) = reviewer.requests
        assert (request.timing, request.rule, request.arguments) == (ReviewTiming.AFTER_EXECUTION, "asks", None)
        assert "hunter2" in str(request.result)
        assert response.status is status
        assert text in response.text
        assert ("hunter2" in response.text) is (decision == Continue())

    def test_nobody_has_it_while_it_waits(self, executor_of: ExecutorOf) -> None:
        seen: list[Any] = []

        class Curious(Answers):
            async def review(self, request: ReviewRequest, /) -> ReviewDecision:
                seen.extend([request.call.result, request.call.text])
                return await super().review(request)

        policy = policy_of(rule("asks", Effect.ASK, moment=RuleMoment.RESULT, tool="look"))
        executor_of(look, policy=policy, review_handler=Curious()).run("look", {"what": "a"})
        assert "hunter2" not in str(seen)

    def test_stopping_the_call_while_it_waits_withholds_it(self, executor_of: ExecutorOf) -> None:
        async def work() -> ToolResponse:
            silence = Silence()
            policy = policy_of(rule("asks", Effect.ASK, moment=RuleMoment.RESULT, tool="look"))
            call, task = start(executor_of(look, policy=policy, review_handler=silence), "look", {"what": "a"})
            await silence.asked.wait()
            call.cancel()
            response: ToolResponse = await task
            return response

        response = run(work())
        assert response.status is CallStatus.CANCELLED
        assert "hunter2" not in response.text + str(response.result)

    def test_the_run_can_be_stopped_over_it(self, executor_of: ExecutorOf) -> None:
        policy = policy_of(rule("asks", Effect.ASK, moment=RuleMoment.RESULT, tool="look"))
        executor = executor_of(look, policy=policy, review_handler=Answers(ExitEarly("enough", stop_run=True)))
        with pytest.raises(ExitEarlyError):
            executor.run("look", {"what": "a"})

    def test_a_rule_made_while_the_tool_ran_counts(self, executor_of: ExecutorOf) -> None:
        policy = policy_of()

        @tool(read_only=True)
        def slow() -> str:
            """Meanwhile somebody makes a rule."""
            policy.add(rule("keep", Effect.DENY, moment=RuleMoment.RESULT), RuleLocation.SESSION)
            return "hunter2"

        assert executor_of(slow, policy=policy).run("slow", {}).status is CallStatus.DENIED


def test_the_path_a_rule_sees_is_the_one_the_tool_gets(executor_of: ExecutorOf, tmp_path: Path) -> None:
    @tool(read_only=True)
    def read(path: Annotated[Path, PathRole()]) -> str:
        """Read a file."""
        return path.name

    (tmp_path / "private").mkdir()
    policy = policy_of(rule("private", Effect.DENY, where=(Predicate(path="path", inside="private"),)))
    executor = executor_of(read, policy=policy)
    for spelling in ("private/a", "./private/../private/a", str(tmp_path / "private" / "a")):
        assert executor.run("read", {"path": spelling}).status is CallStatus.DENIED
    assert executor.run("read", {"path": "public/a"}).succeeded


class TestEscalation:
    def executor(self, executor_of: ExecutorOf, reviewer: Answers) -> Any:
        @tool(requires_confirmation=True)
        def shell(command: Annotated[str, ShellCommand()]) -> str:
            """Say what a shell would run."""
            return command

        return executor_of(shell, policy=policy_of(rule("all", Effect.ALLOW)), review_handler=reviewer)

    @pytest.mark.parametrize("command", ["sudo rm -rf /", "echo a; su -c id", "env pkexec id"])
    def test_no_rule_lets_it_run(self, executor_of: ExecutorOf, command: str) -> None:
        response = self.executor(executor_of, Answers()).run("shell", {"command": command}, caller=AGENT)
        assert (response.status, len(response.attempts)) == (CallStatus.DENIED, 0)
        assert "more rights" in response.text

    def test_no_edit_brings_it_in(self, executor_of: ExecutorOf) -> None:
        @tool(destructive=True)
        def shell(command: Annotated[str, ShellCommand()]) -> str:
            """Say what a shell would run."""
            return command

        reviewer = Answers(Edit({"command": "sudo ls"}))
        executor = executor_of(shell, policy=policy_of(), review_handler=reviewer)
        response = executor.run("shell", {"command": "ls"}, caller=AGENT)
        assert (response.status, len(reviewer.requests)) == (CallStatus.DENIED, 1)
