from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tools.models.fakes import FakeProvider, calling
from tests.tools.models.test_protocols import Told, add, look_up
from tests.tools.running import Answers, Silence, until
from tools import Edit, Executor, ExitEarly, ToolRegistry, resolve_tools, security, tool
from tools.errors import CallStateError, ModelError, ModelFault
from tools.models import (
    Answer,
    Budget,
    BudgetQuestion,
    CallResults,
    Conversation,
    ConversationLimits,
    PartState,
    Prices,
    StandingRules,
    ToolOffer,
    Usage,
    UserMessage,
)
from tools.models.events import AskedFor, CallAnswered, TaskEnd, TurnsSummarised
from tools.models.journal import ContextRules, ConversationFile, kept_files, new_file
from tools.retention import RetentionMark
from tools.search import ToolSearch
from tools.session.context_window import ContextWindow

if TYPE_CHECKING:
    from pathlib import Path

    from tests.tools.running import ExecutorOf

ADD = ("add", '{"a": 1}')


@tool(requires_confirmation=True)
async def publish(text: str) -> str:
    """Publish a text."""
    return f"published {text}"


@tool
async def wait_long() -> None:
    """Wait."""
    await asyncio.Event().wait()


@security(mask_fields=("token",))
@tool
async def sign_in(token: str) -> dict[str, str]:
    """Sign in."""
    return {"token": token, "who": "Mira"}


def conversation_of(executor: Executor, provider: FakeProvider, **options: Any) -> tuple[Conversation, Told]:
    told = Told()
    offer = options.pop("offer", None) or ToolOffer(executor.registry, provider.wire)
    return Conversation(executor, provider, "m", offer, tell=told, **options), told


def turns_left(conversation: Conversation) -> dict[int, int | None]:
    return {part.part: part.turns_left for part in conversation.context() if part.kind == "result"}


def results_of(conversation: Conversation) -> list[Any]:
    return [one for message in conversation.messages if isinstance(message, CallResults) for one in message.results]


class TestCalls:
    @pytest.mark.reference("C44", "E16", "E17", "E18")
    @pytest.mark.parametrize(
        ("name", "arguments", "status", "said"),
        [
            ("add", '{"a": ', "rejected", "expected JSON text"),
            ("add", "[1]", "rejected", "object"),
            ("add", "{}", "rejected", "a is required"),
            ("ad", "{}", "not_found", "Did you mean 'add'?"),
            ("look_up", '{"name": "x"}', "rejected", "is not offered in this session"),
        ],
    )
    async def test_a_call_that_cannot_run_is_answered_with_what_is_wrong(
        self, name: str, arguments: str, status: str, said: str, executor_of: ExecutorOf
    ) -> None:
        executor, provider = executor_of(add, look_up), FakeProvider(calling((name, arguments)), "Sorry.")
        offer = ToolOffer(executor.registry, provider.wire, names=["add"])
        conversation, told = conversation_of(executor, provider, offer=offer)
        ended = await conversation.say("Go")
        [result] = results_of(conversation)
        assert (result.status, result.is_error, ended.text) == (status, True, "Sorry.")
        assert said in result.text
        assert [event.status for event in told.of(AskedFor)] == [status]
        assert [event.status for event in told.of(CallAnswered)] == [status]

    @pytest.mark.reference("E28", "E29", "E30", "D34")
    async def test_what_people_changed_refused_and_said_reaches_the_model(self, executor_of: ExecutorOf) -> None:
        reviewer = Answers(Edit({"text": "y"}), ExitEarly("not today"))
        provider = FakeProvider(calling(("publish", '{"text": "x"}'), ("publish", '{"text": "z"}')), "Well.")
        conversation, _ = conversation_of(executor_of(publish, review_handler=reviewer), provider)
        await conversation.say("Go")
        edited, refused = results_of(conversation)
        assert edited.text.startswith("published y\nA person changed the arguments.")
        assert "not today" in refused.text
        assert [edited.status, refused.status] == ["executed", "denied"]

    async def test_a_reviewer_who_stops_everything_ends_the_work_and_every_call_has_a_result(
        self, executor_of: ExecutorOf
    ) -> None:
        reviewer = Answers(ExitEarly("enough", stop_run=True))
        provider = FakeProvider(calling(("publish", '{"text": "x"}'), ADD), "Well.")
        conversation, _ = conversation_of(executor_of(publish, add, review_handler=reviewer), provider)
        ended = await conversation.say("Go")
        assert ended.end is TaskEnd.STOPPED
        assert len(results_of(conversation)) == 2
        assert (await conversation.say("Go on")).end is TaskEnd.ANSWERED

    @pytest.mark.reference("D53")
    async def test_beyond_the_limit_calls_are_skipped_and_the_model_has_to_answer(
        self, executor_of: ExecutorOf
    ) -> None:
        provider = FakeProvider(calling(ADD, ADD), "2", calling(ADD), calling(ADD), calling(ADD))
        conversation, _ = conversation_of(executor_of(add), provider, limits=ConversationLimits(calls=1))
        assert (await conversation.say("Go")).end is TaskEnd.ANSWERED
        assert [result.status for result in results_of(conversation)] == ["executed", "rejected"]
        assert "answer now" in results_of(conversation)[1].text
        assert [request.may_call for request in provider.requests] == [True, False]
        assert (await conversation.say("Again")).end is TaskEnd.CALL_LIMIT
        assert len(provider.requests) == 5

    async def test_a_long_result_is_cut_and_says_so(self, executor_of: ExecutorOf) -> None:
        @tool
        async def write() -> str:
            return "x" * 1_000

        provider = FakeProvider(calling(("write", "{}")), "Long.")
        conversation, _ = conversation_of(executor_of(write), provider, limits=ConversationLimits(result_letters=100))
        await conversation.say("Go")
        assert results_of(conversation)[0].text == "x" * 100 + "\n(cut: 900 of 1,000 letters are left out)"


class TestStopping:
    @pytest.mark.reference("E31")
    async def test_calls_that_run_are_stopped_and_it_goes_on(self, executor_of: ExecutorOf) -> None:
        provider = FakeProvider(calling(("wait_long", "{}"), ADD), "Well.")
        conversation, told = conversation_of(executor_of(wait_long, add), provider)
        work = asyncio.ensure_future(conversation.say("Go"))
        await until(lambda: told.of(CallAnswered))
        with pytest.raises(CallStateError, match="the model is at work"):
            await conversation.say("More")
        assert conversation.stop()
        assert (await work).end is TaskEnd.STOPPED
        assert [result.status for result in results_of(conversation)] == ["cancelled", "executed"]
        assert (await conversation.go_on()).text == "Well."
        assert not conversation.stop()

    async def test_an_open_question_is_withdrawn(self, executor_of: ExecutorOf) -> None:
        silence, provider = Silence(), FakeProvider(calling(("publish", '{"text": "x"}')))
        conversation, _ = conversation_of(executor_of(publish, review_handler=silence), provider)
        work = asyncio.ensure_future(conversation.say("Go"))
        await silence.asked.wait()
        work.cancel()
        with pytest.raises(asyncio.CancelledError):
            await work
        assert silence.withdrawn
        assert [result.status for result in results_of(conversation)] == ["cancelled"]


class TestBudget:
    async def test_a_person_is_asked_before_it_is_passed(self, executor_of: ExecutorOf) -> None:
        asked: list[BudgetQuestion] = []

        async def ask(question: BudgetQuestion) -> Budget | None:
            asked.append(question)
            return Budget(tokens=5_000) if len(asked) == 1 else None

        expensive = calling(ADD, usage=Usage(input_tokens=900, output_tokens=4_000))
        provider = FakeProvider(expensive, "2")
        conversation, _ = conversation_of(executor_of(add), provider, budget=Budget(tokens=500), ask_budget=ask)
        assert (await conversation.say("Go")).end is TaskEnd.BUDGET
        assert [question.used for question in asked] == [0, 4_900]
        assert len(provider.requests) == 1
        assert (provider.requests[0].max_output_tokens or 0) < 5_000

    async def test_money_is_counted_by_prices_or_as_the_provider_says(self, executor_of: ExecutorOf) -> None:
        own = Answer(text="a", usage=Usage(input_tokens=1_000_000, output_tokens=0, cost=0.5))
        priced = Answer(text="b", usage=Usage(input_tokens=1_000_000, cached_tokens=500_000, output_tokens=100_000))
        prices = Prices(3, 15, 1)
        conversation, _ = conversation_of(executor_of(), FakeProvider(own, priced), prices=prices)
        await conversation.say("Go")
        assert conversation.cost == 0.5
        await conversation.say("Go")
        assert conversation.cost == 0.5 + 1.5 + 0.5 + 1.5


class TestContext:
    @pytest.mark.reference("E34", "E36", "E38")
    async def test_results_leave_by_age_unless_they_are_pinned_and_summaries_stand_in_their_place(
        self, executor_of: ExecutorOf
    ) -> None:
        @tool(turns_to_keep=0)
        async def peek(what: str) -> str:
            return f"seen {what}"

        asked = [("peek", f'{{"what": "{letter}"}}') for letter in "abc"]
        provider = FakeProvider(calling(*asked), calling(ADD), "Done.", "More.")
        conversation, _ = conversation_of(executor_of(peek, add), provider)
        await conversation.say("Go")
        conversation.change_part(1, mark=RetentionMark.PINNED)
        conversation.change_part(4, summary="it was two")
        states = {part.part: part.state for part in conversation.context() if part.kind == "result"}
        out, sent = PartState.LEFT_OUT, PartState.SENT
        assert states == {1: PartState.PINNED, 2: out, 3: out, 4: PartState.SUMMARISED}
        await conversation.say("And?")
        told = [m for m in provider.requests[-1].messages if isinstance(m, CallResults)]
        assert [one.text.split(":")[0] for one in told[0].results] == ["seen a", "(left out", "(left out"]
        assert told[1].results[0].text == "(summary of the result) it was two"
        assert sent not in states.values()
        with pytest.raises(CallStateError, match="no result of this conversation has the id 9"):
            conversation.change_part(9)

    @pytest.mark.reference("E35")
    async def test_the_model_says_how_long_it_needs_a_result(self, executor_of: ExecutorOf) -> None:
        forget = ("set_turns_to_keep", '{"part_id": 1, "turns": 0}')
        provider = FakeProvider(calling(ADD, text="Adding."), calling(forget), "Done.")
        executor = executor_of(add)
        offer = ToolOffer(executor.registry, provider.wire, beside=resolve_tools([ContextWindow()]))
        conversation, _ = conversation_of(executor, provider, offer=offer)
        await conversation.say("Go")
        assert executor.registry.find("set_turns_to_keep") is None
        assert [part.state for part in conversation.context() if part.part == 1] == [PartState.LEFT_OUT]
        # Of an answer whose calls are all gone, the words stay.
        assert [m.text for m in provider.requests[-1].messages if isinstance(m, Answer) and not m.calls] == ["Adding."]

    @pytest.mark.reference("E35", "E37")
    async def test_turns_to_keep_come_from_the_part_then_its_tool_then_the_conversation_also_after_a_restart(
        self, executor_of: ExecutorOf, tmp_path: Path
    ) -> None:
        @tool(turns_to_keep=2)
        async def peek() -> str:
            return "seen"

        file, executor = new_file(tmp_path), executor_of(add, peek)
        provider = FakeProvider(calling(ADD, ("peek", "{}")), "Done.")
        conversation, _ = conversation_of(executor, provider, write=file.write)
        await conversation.say("Go")
        assert turns_left(conversation) == {1: 4, 2: 1}
        conversation.change_context(ContextRules(turns_to_keep=9))
        assert turns_left(conversation) == {1: 8, 2: 1}
        conversation.set_turns_to_keep(2, -1)
        assert turns_left(conversation) == {1: 8, 2: None}

        asked = ("set_turns_to_keep", '{"part_id": 1, "turns": 3}')
        provider = FakeProvider(calling(("list_context_parts", "{}"), asked), "Done.")
        offer = ToolOffer(executor.registry, provider.wire, beside=resolve_tools([ContextWindow()]))
        resumed, _ = conversation_of(executor, provider, kept=file.read(), offer=offer, write=file.write)
        assert turns_left(resumed) == {1: 8, 2: None}
        await resumed.say("Shape it")
        assert results_of(resumed)[-1].text == "Part 1 stays 3 turns."
        # Two answers came since.
        assert turns_left(resumed)[1] == 0
        resumed.set_turns_to_keep(1, None)
        assert turns_left(conversation_of(executor, provider, kept=file.read())[0])[1] == 6

    @pytest.mark.reference("B21")
    async def test_rules_reach_the_model_with_each_request_and_can_be_changed(
        self, executor_of: ExecutorOf, tmp_path: Path
    ) -> None:
        file, provider = new_file(tmp_path), FakeProvider("Yes.", "Yes.")
        rules = StandingRules(always=("answer in French",), never=("delete files",))
        conversation, _ = conversation_of(executor_of(add), provider, rules=rules, write=file.write)
        await conversation.say("Go")
        conversation.change_instructions("Be short.", StandingRules(never=("guess",)))
        await conversation.say("Go on")
        first, second = [request.instructions for request in provider.requests]
        assert first == "You must always:\n- answer in French\n\nYou must never:\n- delete files"
        assert second == "Be short.\n\nYou must never:\n- guess"
        assert file.read().begun.never == ("guess",)


class TestSummary:
    async def talk(self, executor: Executor, provider: FakeProvider, **options: Any) -> tuple[Conversation, Told]:
        conversation, told = conversation_of(executor, provider, **options)
        for words in ("First", "Second", "Third"):
            await conversation.say(words)
        return conversation, told

    async def test_older_turns_are_summed_up_on_request_and_the_originals_come_back(
        self, executor_of: ExecutorOf, tmp_path: Path
    ) -> None:
        file, executor = new_file(tmp_path), executor_of(add)
        provider = FakeProvider("One.", calling(ADD), "Two.", "Three.", "It was counted.", "Four.")
        conversation, told = await self.talk(executor, provider, write=file.write)
        conversation.change_context(ContextRules(turns_to_keep=1))
        await conversation.summarise()
        [about] = provider.requests[-1].messages
        assert isinstance(about, UserMessage)
        asked = about.text
        assert [words in asked for words in ("Person: First", "Tool add", "Person: Third")] == [True, True, False]
        assert told.of(TurnsSummarised) == [TurnsSummarised(2, "It was counted.")]
        assert [part.kind for part in conversation.context()] == ["tools", "summary", "user", "answer"]

        conversation.change_summary("It was counted to two.")
        await conversation.say("Fourth")
        sent = [message.text for message in provider.requests[-1].messages if isinstance(message, UserMessage | Answer)]
        words = "(summary of the conversation until here)\nIt was counted to two.\n\nThird"
        assert sent == [words, "Three.", "Fourth"]
        kept = file.read()
        assert len(kept.messages) == 10
        assert kept.summary is not None
        assert (kept.before(1).summary, kept.before(3).summary) == (None, kept.summary)

        resumed, _ = conversation_of(executor, FakeProvider(), kept=kept, write=file.write)
        assert resumed.usage == conversation.usage
        resumed.change_summary("")
        assert "summary" not in [part.kind for part in resumed.context()]
        assert file.read().summary is None

    async def test_a_pinned_result_outlives_the_summary_of_its_turn(self, executor_of: ExecutorOf) -> None:
        provider = FakeProvider(calling(ADD), "One.", "Two.", "Three.", "All of it.", "Four.")
        conversation, _ = await self.talk(executor_of(add), provider)
        conversation.change_part(1, mark=RetentionMark.PINNED)
        conversation.change_context(ContextRules(turns_to_keep=2))
        await conversation.summarise()
        await conversation.say("Fourth")
        kinds = [message.kind for message in provider.requests[-1].messages]
        assert kinds == ["user", "answer", "results", "user", "answer", "user", "answer", "user"]

    async def test_near_the_limit_older_turns_are_summed_up_by_themselves(self, executor_of: ExecutorOf) -> None:
        provider = FakeProvider("One. " * 400, "Two.", "Three.", "In short.", "Four.")
        conversation, told = await self.talk(executor_of(), provider)
        conversation.change_context(ContextRules(turns_to_keep=2, tokens=500))
        assert (await conversation.say("Fourth")).text == "Four."
        assert told.of(TurnsSummarised) == [TurnsSummarised(2, "In short.")]
        assert len(provider.requests[-1].messages) == 3

    async def test_what_keeps_a_summary_from_being_made_changes_nothing(self, executor_of: ExecutorOf) -> None:
        provider = FakeProvider("One.", "Two.", "Three.", ModelError(ModelFault.KEY, "no key"), "")
        conversation, _ = await self.talk(executor_of(), provider)
        with pytest.raises(CallStateError, match="of 3, the newest 5 are kept"):
            await conversation.summarise()
        conversation.change_context(ContextRules(turns_to_keep=1))
        before = conversation.context()
        for _ in range(2):
            with pytest.raises(ModelError):
                await conversation.summarise()
        assert conversation.context() == before
        with pytest.raises(CallStateError, match="no turns of this conversation are summed up"):
            conversation.change_summary("x")


class TestFile:
    async def conversed(self, executor: Executor, file: ConversationFile, *answers: Answer | str) -> FakeProvider:
        kept = file.read() if file.path.exists() else None
        provider = FakeProvider(*answers)
        conversation, _ = conversation_of(executor, provider, write=file.write, kept=kept)
        await conversation.say("Go")
        conversation.close()
        return provider

    @pytest.mark.reference("E40")
    async def test_a_program_that_ended_in_the_middle_goes_on_and_says_what_was_interrupted(
        self, executor_of: ExecutorOf, tmp_path: Path
    ) -> None:
        file, executor = new_file(tmp_path, 0), executor_of(add, look_up)
        await self.conversed(executor, file, calling(ADD, ("look_up", '{"name": "x"}'), text="Wait."), "Done.")
        assert file.path.name == "19700101-000000.jsonl"
        lines = file.path.read_bytes().splitlines(keepends=True)
        ended = [number for number, line in enumerate(lines) if b'"kind":"call"' in line]
        file.path.write_bytes(b"".join(lines[: ended[0] + 1]) + lines[ended[1]][:20])
        provider = await self.conversed(executor, file, "I see.")
        results = [m for m in provider.requests[0].messages if isinstance(m, CallResults)]
        statuses = sorted(one.status for one in results[0].results)
        assert statuses == ["executed", "interrupted"]

    async def test_secrets_stay_out_of_it(self, executor_of: ExecutorOf, tmp_path: Path) -> None:
        file, executor = new_file(tmp_path), executor_of(sign_in)
        asked = calling(("sign_in", '{"token": "hunter2"}'), protocol="openai-chat", raw=({"secret": "hunter2"},))
        provider = await self.conversed(executor, file, asked, "Done.")
        assert "hunter2" in str(provider.requests[1].messages)
        assert "hunter2" not in file.path.read_text("utf-8")
        assert file.path.stat().st_mode & 0o077 == 0
        again = await self.conversed(executor, file, "Hello again.")
        assert "Mira" in str(again.requests[0].messages)


class TestSearch:
    async def test_of_many_tools_the_model_gets_a_search_and_what_it_found(self) -> None:
        registry = ToolRegistry(resolve_tools([add, look_up, publish]))
        registry.register_all(resolve_tools([ToolSearch(registry)]))
        provider = FakeProvider(calling(("tool_search", '{"query": "add numbers"}')), calling(ADD), "2")
        executor = Executor(registry)
        offer = ToolOffer(registry, provider.wire, most=2)
        conversation, _ = conversation_of(executor, provider, offer=offer)
        assert (await conversation.say("1 + 1?")).text == "2"
        sent = [{document["function"]["name"] for document in request.tools} for request in provider.requests]
        assert sent[0] == {"tool_search"}
        assert {"tool_search", "add"} <= sent[1]
        assert "There are 4 tools" in provider.requests[0].instructions
        await executor.aclose()


STEPS = st.lists(
    st.one_of(
        st.just("answer"),
        st.just("cut"),
        st.lists(st.sampled_from(["add", "ad", "publish", "malformed"]), min_size=1, max_size=4),
    ),
    max_size=6,
)


@settings(max_examples=40, deadline=None)
@given(steps=STEPS, decisions=st.lists(st.sampled_from(["yes", "no", "stop"]), max_size=8), most=st.integers(0, 6))
def test_whatever_happens_every_call_has_one_result_directly_behind_it(
    steps: list[str | list[str]], decisions: list[str], most: int
) -> None:
    asyncio.run(_whatever_happens(steps, decisions, most))


async def _whatever_happens(steps: list[str | list[str]], decisions: list[str], most: int) -> None:
    answers: list[Answer | ModelError | str] = []
    for step in steps:
        if step == "cut":
            answers.append(ModelError(ModelFault.CUT_OFF, "cut"))
        elif isinstance(step, str):
            answers.append("Well.")
        else:
            answers.append(calling(*((name, '{"a": 1, "text": "x"}' if name != "malformed" else "{") for name in step)))
    made = {"yes": None, "no": ExitEarly("no"), "stop": ExitEarly("stop", stop_run=True)}
    reviewer = Answers(*(decision for name in decisions if (decision := made[name]) is not None))
    provider = FakeProvider(*answers, *["End."] * 10)
    executor = Executor(ToolRegistry(resolve_tools([add, publish])), review_handler=reviewer)
    conversation, told = conversation_of(executor, provider, limits=ConversationLimits(calls=most))
    try:
        for _ in range(3):
            ended = await conversation.say("Go")
            assert told.events[-1] == ended
    finally:
        await executor.aclose()
    for request in provider.requests:
        messages = request.messages
        assert isinstance(messages[0], UserMessage)
        for before, message in zip(messages, (*messages[1:], UserMessage(text="")), strict=True):
            if isinstance(before, Answer) and before.calls:
                assert isinstance(message, CallResults)
                assert len(before.calls) == len(message.results)
            else:
                assert not isinstance(message, CallResults)
    ran = [result for result in results_of(conversation) if result.status == "executed"]
    assert len(ran) <= 3 * most
    assert len(told.of(AskedFor)) == len(told.of(CallAnswered)) == len(results_of(conversation))
    assert [event.part for event in told.of(AskedFor)] == list(range(1, len(told.of(AskedFor)) + 1))


def test_of_conversations_that_begin_in_one_second_the_newest_is_first(tmp_path: Path) -> None:
    names = []
    for _ in range(3):
        file = new_file(tmp_path, 0)
        file.path.touch()
        names.append(file.name)

    assert [file.name for file in kept_files(tmp_path)] == names[::-1]
