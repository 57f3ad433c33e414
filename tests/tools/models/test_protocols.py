from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.tools.models.servers import SPEAKERS, ModelServer, Reply, Speaker, calls, says
from tools import Executor, ToolContext, ToolFailure, tool
from tools.errors import ModelError
from tools.models import Conversation, ConversationLimits, ToolOffer
from tools.models.events import AskedFor, CallAnswered, TaskEnd
from tools.models.journal import new_file
from tools.models.providers import MODEL_PROVIDERS, new_client, reach

if TYPE_CHECKING:
    from pathlib import Path

    from tests.tools.running import ExecutorOf


@tool
async def add(a: int, b: int = 1) -> int:
    """Add two numbers."""
    return a + b


@tool
async def look_up(name: str) -> dict[str, str]:
    """Look a name up."""
    return {"name": name, "place": "Prague"}


@tool
async def fail(why: str) -> None:
    """Fail."""
    raise ToolFailure(why)


@tool
async def draw(ctx: ToolContext) -> str:
    """Draw a picture."""
    ctx.attach(b"\x89PNG", "image/png", "drawing.png")
    return "drawn"


class Told:
    """Remember what a conversation tells."""

    def __init__(self) -> None:
        self.events: list[Any] = []

    def __call__(self, event: Any) -> None:
        self.events.append(event)

    def of(self, kind: type) -> list[Any]:
        return [event for event in self.events if isinstance(event, kind)]


async def talk(
    server: ModelServer, executor: Executor, provider: str, *said: str, **options: Any
) -> tuple[Conversation, Told, list[Any]]:
    """Say some things to a model of a server."""
    told = Told()
    async with new_client() as client:
        reached = reach(MODEL_PROVIDERS[provider], client, server.address)
        offer = ToolOffer(executor.registry, reached.wire)
        conversation = Conversation(executor, reached, "m", offer, tell=told, **options)
        ended = [await conversation.say(text) for text in said]
        conversation.close()
    return conversation, told, ended


@pytest.mark.parametrize("speaker", SPEAKERS, ids=lambda speaker: speaker.provider)
class TestEachProtocol:
    @pytest.mark.reference("C43", "D52", "E14")
    async def test_calls_run_side_by_side_and_their_results_go_back_until_the_model_answers(
        self, speaker: Speaker, executor_of: ExecutorOf
    ) -> None:
        asked = [("add", '{"a": 1}'), ("look_up", '{"name": "Mira"}'), ("fail", '{"why": "no"}'), ("draw", "{}")]
        with ModelServer(calls(*asked, text="Let me", speaker=speaker), says("It is done.", speaker)) as server:
            executor = executor_of(add, look_up, fail, draw)
            conversation, told, [ended] = await talk(
                server, executor, speaker.provider, "Do it.", instructions="Be short."
            )
        assert (ended.end, ended.text) == (TaskEnd.ANSWERED, "It is done.")
        for request in server.requests:
            speaker.check(request.body)
        results = speaker.results(server.requests[1].body)
        assert [str(text).splitlines()[0] for text in results[:1]] == ["2"]
        assert "Prague" in str(results[1])
        assert results[2].startswith("Error: no")
        assert [(event.name, event.status) for event in told.of(AskedFor)] == [
            (name, "pending") for name in ("add", "look_up", "fail", "draw")
        ]
        assert {event.name: event.status for event in told.of(CallAnswered)} == {
            "add": "executed", "look_up": "executed", "fail": "failed", "draw": "executed",
        }  # fmt: skip
        usage = conversation.usage
        assert (usage.input_tokens, usage.output_tokens, usage.estimated) == (20, 10, False)

    async def test_what_only_the_provider_can_read_goes_back_as_it_came(
        self, speaker: Speaker, executor_of: ExecutorOf
    ) -> None:
        marks = {"openai": "sealed", "anthropic": "signed", "gemini": "c2lnbmVk", "ollama": "Hm."}
        if speaker.provider not in marks:
            return
        with ModelServer(calls(("add", '{"a": 1}'), speaker=speaker), says("2", speaker)) as server:
            await talk(server, executor_of(add), speaker.provider, "1 + 1")
        assert marks[speaker.provider] not in str(server.requests[0].body)
        assert marks[speaker.provider] in str(server.requests[1].body)

    @pytest.mark.reference("D20")
    async def test_a_model_answers_without_any_tools(self, speaker: Speaker, executor_of: ExecutorOf) -> None:
        with ModelServer(says("Hello there", speaker)) as server:
            _, _, [ended] = await talk(server, executor_of(), speaker.provider, "Hi")
        speaker.check(server.requests[0].body)
        assert "tools" not in server.requests[0].body
        assert ended.text == "Hello there"

    async def test_a_model_without_calls_left_is_told_to_answer_in_the_providers_way(
        self, speaker: Speaker, executor_of: ExecutorOf
    ) -> None:
        asked = [("add", '{"a": 1}'), ("add", '{"a": 2}')]
        with ModelServer(calls(*asked, speaker=speaker), says("2", speaker)) as server:
            limits = ConversationLimits(calls=1, answer_tokens=100)
            await talk(server, executor_of(add), speaker.provider, "Add.", limits=limits)
        speaker.check(server.requests[1].body)
        assert "answer now" in str(speaker.results(server.requests[1].body)[1])
        forbidden: list[dict[str, Any]] = [{"tool_choice": "none"}, {"tool_choice": {"type": "none"}}]
        forbidden.append({"toolConfig": {"functionCallingConfig": {"mode": "NONE"}}})
        said = server.requests[1].body
        assert "tools" not in said or any(rule.items() <= said.items() for rule in forbidden)

    async def test_a_conversation_goes_on_with_another_provider(
        self, speaker: Speaker, executor_of: ExecutorOf, tmp_path: Path
    ) -> None:
        former = SPEAKERS[SPEAKERS.index(speaker) - 1]
        executor, file = executor_of(add), new_file(tmp_path)
        asked = [("add", '{"a": 1}'), ("add", '{"a": 2}')]
        with ModelServer(calls(*asked, text="So.", speaker=former), says("2, 3", former)) as server:
            await talk(server, executor, former.provider, "Add.", write=file.write)
        with ModelServer(says("Right.", speaker)) as server:
            _, _, [ended] = await talk(server, executor, speaker.provider, "Sure?", kept=file.read())
        assert ended.text == "Right."
        speaker.check(server.requests[0].body)
        assert [str(text) for text in speaker.results(server.requests[0].body)] == ["2", "3"]

    async def test_the_models_of_a_provider_are_listed(self, speaker: Speaker) -> None:
        listed = {"data": [{"id": "m"}], "models": [{"name": "models/m" if speaker.provider == "gemini" else "m"}]}
        with ModelServer(Reply([json.dumps(listed).encode()]), Reply([b"[]"])) as server:
            async with new_client() as client:
                provider = reach(MODEL_PROVIDERS[speaker.provider], client, server.address)
                assert await provider.models() == ["m"]
                with pytest.raises(ModelError, match="expected a list of models"):
                    await provider.models()
