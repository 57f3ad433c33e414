from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest

from tests.tools.models.servers import CHAT, ModelServer, Reply, calls, says, sse
from tests.tools.models.test_protocols import Told, add, talk
from tools import ToolConfigurationError
from tools.errors import ModelError, ModelFault
from tools.models import Answer, Conversation, ModelRequest, StopReason, TextDelta, ToolOffer, UserMessage
from tools.models.events import RequestRetried, TaskEnd
from tools.models.http import HttpProvider
from tools.models.openai_chat import ChatFormat
from tools.models.providers import MODEL_PROVIDERS, new_client, reach
from tools.wire import PROVIDERS

if TYPE_CHECKING:
    from tests.tools.running import ExecutorOf

HELLO = CHAT.answer("Hello there", ())
CHUNK: dict[str, Any] = {"choices": [{"index": 0, "delta": {"content": "Hello"}}]}
REQUEST = ModelRequest("m", (UserMessage(text="Hi"),), [])


async def streamed(server: ModelServer, **options: Any) -> list[Any]:
    async with new_client() as client:
        provider = HttpProvider("fake", "Fake", ChatFormat(PROVIDERS["groq"]), server.address, client, **options)
        return [delta async for delta in provider.stream(REQUEST)]


def failed(status: int, body: str, **headers: str) -> Reply:
    return Reply([body.encode()], status, {name.replace("_", "-"): value for name, value in headers.items()})


@pytest.mark.parametrize(
    ("reply", "fault", "said"),
    [
        (failed(401, '{"error": {"message": "bad key sk-secret"}}'), ModelFault.KEY, "Fake answered 401: bad key •••"),
        (failed(404, '{"error": {"message": "no model m"}}'), ModelFault.NOT_FOUND, "check the model 'm'"),
        (failed(404, "<html>nothing</html>"), ModelFault.NOT_FOUND, "<html>nothing</html>"),
        (failed(429, '{"error": "slow down"}', retry_after="7"), ModelFault.RATE_LIMIT, "slow down"),
        (failed(429, '{"error": {"code": "insufficient_quota"}}'), ModelFault.QUOTA, "look after the account"),
        (failed(400, '{"error": {"code": "context_length_exceeded"}}'), ModelFault.TOO_LONG, "drop parts"),
        (failed(422, '{"detail": "extra field"}'), ModelFault.REQUEST, "extra field"),
        (failed(529, '{"error": {"type": "overloaded_error"}}'), ModelFault.SERVER, "wait a moment"),
        (failed(200, '{"error": {"message": "no"}}', content_type="application/json"), ModelFault.SERVER, "error: no"),
        (failed(200, '{"choices": []}', content_type="application/json"), ModelFault.MALFORMED, "got one document"),
        (failed(200, "<html>shop</html>", content_type="text/html; charset=utf-8"), ModelFault.MALFORMED, "<html>shop"),
        (failed(302, "", location="http://127.0.0.2/"), ModelFault.REQUEST, "302"),
        (Reply(sse(CHUNK), ends="cut"), ModelFault.CUT_OFF, "connection with Fake broke"),
        (Reply(sse(CHUNK)), ModelFault.CUT_OFF, "in the middle of the answer"),
        (Reply([sse(CHUNK)[0]]), ModelFault.CUT_OFF, "in the middle of the answer"),
        (Reply([]), ModelFault.CUT_OFF, "in the middle of the answer"),
        (Reply([b'data: {"choices": [{\n\n']), ModelFault.MALFORMED, "expected an event of openai-chat"),
        (Reply([b'data: {"choices": 7}\n\n']), ModelFault.MALFORMED, "check that http://127.0.0.1"),
        (Reply([b"data: [1]\n\n"]), ModelFault.MALFORMED, "got '[1]'"),
        (Reply(sse({"error": {"message": "out of memory"}})), ModelFault.SERVER, "with an error: out of memory"),
        (Reply(sse(CHUNK), ends="hangs"), ModelFault.IDLE, "nothing came from Fake for 0.2 s"),
        (Reply([*sse(CHUNK), *[b": keep\n\n"] * 9], ends="hangs"), ModelFault.IDLE, "nothing came from Fake"),
        (Reply([], ends="hangs"), ModelFault.IDLE, "nothing came from Fake"),
    ],
)
async def test_what_goes_wrong_is_told_in_one_line_with_what_to_do(reply: Reply, fault: ModelFault, said: str) -> None:
    with ModelServer(reply) as server, pytest.raises(ModelError) as caught:
        await streamed(server, key="sk-secret", idle_s=0.2, first_s=2.0 if reply.pieces else 0.2)
    assert caught.value.fault is fault
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)
    assert "sk-secret" not in str(caught.value)


@pytest.mark.parametrize(
    "delta",
    [{"content": "more "}, {"tool_calls": [{"index": 0, "function": {"arguments": "1, "}}]}],
    ids=["words", "arguments"],
)
async def test_a_stream_that_never_ends_is_ended(delta: dict[str, Any]) -> None:
    pieces = sse(*[{"choices": [{"index": 0, "delta": delta}]}] * 300)
    with ModelServer(Reply(pieces, ends="hangs")) as server:
        with pytest.raises(ModelError, match=r"the answer of Fake does not end: [0-9,]+ letters came") as caught:
            await streamed(server, longest=1_000)
        assert await asyncio.to_thread(server.hung_up.wait, 10)
    assert caught.value.fault is ModelFault.IDLE


async def test_where_nothing_answers_it_says_so() -> None:
    with ModelServer() as server:
        address = server.address
    async with new_client() as client:
        provider = reach(MODEL_PROVIDERS["compatible"], client, address)
        with pytest.raises(ModelError, match=f"nothing answers at {address}; start the server") as caught:
            await provider.models()
    assert caught.value.fault is ModelFault.UNREACHABLE


@pytest.mark.parametrize(
    "pieces",
    [
        [b"".join(HELLO).replace(b"\n", b"\r\n")],
        [bytes([byte]) for byte in b"".join(HELLO)],
        [b"".join(HELLO).replace(b"data: [DONE]\n\n", b"")],
        [b": comment\n\nid: 1\n", b"".join(HELLO)],
        [b"".join(HELLO).replace(b"there", "there\u2028\u0085".encode())],
    ],
    ids=["carriage returns", "byte by byte", "no end mark", "comments", "other line ends"],
)
async def test_streams_are_read_however_they_are_cut(pieces: list[bytes]) -> None:
    with ModelServer(Reply(pieces)) as server:
        *deltas, answer = await streamed(server)
    assert answer.text.startswith("Hello there")
    assert "".join(delta.text for delta in deltas) == answer.text
    assert (answer.stop, answer.usage.tokens) == (StopReason.ENDED, 15)


async def test_a_whole_answer_counts_though_its_stream_stays_open() -> None:
    pieces = [b"".join(HELLO).replace(b"data: [DONE]\n\n", b"")]
    with ModelServer(Reply(pieces, ends="hangs")) as server:
        *_, answer = await streamed(server, after_s=0.05)
        assert isinstance(answer, Answer)
        assert await asyncio.to_thread(server.hung_up.wait, 10)


async def test_a_reader_who_stops_hangs_up() -> None:
    with ModelServer(Reply(sse(CHUNK), ends="hangs")) as server:
        async with new_client() as client:
            provider = HttpProvider("fake", "Fake", ChatFormat(PROVIDERS["groq"]), server.address, client)
            stream = provider.stream(REQUEST)
            assert await anext(stream) == TextDelta("Hello")
            await stream.aclose()
            assert await asyncio.to_thread(server.hung_up.wait, 10)


async def test_two_calls_with_one_id_are_told_apart(executor_of: ExecutorOf) -> None:
    asked = [("add", '{"a": 1}'), ("add", '{"a": 2}')]
    reply = calls(*asked)
    reply.pieces = [b"".join(reply.pieces).replace(b"call_1", b"call_0")]
    with ModelServer(reply, says("Well.")) as server:
        await talk(server, executor_of(add), "compatible", "Add.")
    _, answer, *results = server.requests[1].body["messages"]
    ids = [call["id"] for call in answer["tool_calls"]]
    assert ids == ["call_0", "call_0-2"] == [result["tool_call_id"] for result in results]
    assert [result["content"] for result in results] == ["2", "3"]


async def test_a_busy_provider_is_asked_again_when_it_wants(executor_of: ExecutorOf) -> None:
    waits: list[float] = []

    async def sleep(seconds: float) -> None:
        waits.append(seconds)

    busy = [failed(429, "{}", retry_after="7"), failed(503, "{}")]
    with ModelServer(*busy, says("Hello")) as server:
        _, told, [ended] = await talk(server, executor_of(), "compatible", "Hi", sleep=sleep)
    assert (ended.end, waits) == (TaskEnd.ANSWERED, [7.0, 2.0])
    assert [event.wait_s for event in told.of(RequestRetried)] == [7.0, 2.0]


@pytest.mark.parametrize("reply", [failed(429, "{}", retry_after="3600"), failed(401, "{}")])
async def test_it_is_not_asked_again_when_that_helps_nobody(reply: Reply, executor_of: ExecutorOf) -> None:
    with ModelServer(reply) as server:
        _, _, [ended] = await talk(server, executor_of(), "compatible", "Hi")
    assert ended.end is TaskEnd.FAILED
    assert len(server.requests) == 1


async def test_what_came_of_an_answer_that_broke_is_kept_and_it_goes_on(executor_of: ExecutorOf) -> None:
    executor, told = executor_of(), Told()
    with ModelServer(Reply(sse(CHUNK), ends="cut"), says("Hello there"), says("Yes")) as server:
        async with new_client() as client:
            provider = reach(MODEL_PROVIDERS["compatible"], client, server.address)
            conversation = Conversation(executor, provider, "m", ToolOffer(executor.registry, provider.wire), tell=told)
            ended = await conversation.say("Hi")
            assert (ended.end, conversation.messages[-1]) == (TaskEnd.FAILED, conversation.messages[1])
            assert isinstance(conversation.messages[1], Answer)
            assert (conversation.messages[1].text, conversation.messages[1].stop) == ("Hello", StopReason.CUT_OFF)
            again = await conversation.go_on()
            await conversation.say("More")
            conversation.close()
    assert (again.end, again.text) == (TaskEnd.ANSWERED, "Hello there")
    # The model writes it anew; half an answer is none of its words.
    assert server.requests[1].body["messages"] == [{"role": "user", "content": "Hi"}]
    assert [message["content"] for message in server.requests[2].body["messages"]] == ["Hi", "Hello there", "More"]


@pytest.mark.parametrize(
    ("provider", "address", "key", "said"),
    [
        ("compatible", "", "", "has no address of its own"),
        ("openai", "ftp://host", "", "expected an address such as"),
        ("openai", "https://me:word@host/v1", "", "expected an address such as"),
        ("openai", "", "", "the API key 'OPENAI_API_KEY' is missing"),
        ("openai", "http://example.org/v1", "MY_KEY", "is not sent to http://example.org/v1"),
    ],
)
async def test_an_address_or_a_key_that_cannot_be_used_is_told(
    provider: str, address: str, key: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.setenv("MY_KEY", "sk-1")
    async with new_client() as client:
        with pytest.raises(ToolConfigurationError, match=said):
            reach(MODEL_PROVIDERS[provider], client, address, key)


async def test_a_providers_key_goes_to_its_own_address_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-1")
    with ModelServer(Reply([b'{"data": []}']), Reply([b'{"data": []}'])) as server:
        async with new_client() as client:
            await reach(MODEL_PROVIDERS["openai"], client, server.address).models()
            await reach(MODEL_PROVIDERS["openai"], client, server.address, "OPENAI_API_KEY").models()
    assert [request.headers.get("authorization") for request in server.requests] == [None, "Bearer sk-1"]
