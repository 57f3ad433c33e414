"""A server on the loopback address that answers as it is told, and speakers of each protocol, made of SDK types."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from typing import Any, NamedTuple, Self

from pydantic import TypeAdapter

from tests.tools.wire.test_sdk_types import strictly


@dataclass
class Reply:
    """What the server answers once."""

    pieces: Sequence[bytes] = ()
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    ends: str = "whole"  # or `cut`, or `hangs`


class Request(NamedTuple):
    path: str
    headers: dict[str, str]
    body: Any


class ModelServer:
    """Answer requests in turn, in a thread of its own; remembers them."""

    def __init__(self, *replies: Reply) -> None:
        self.replies = list(replies)
        self.requests: list[Request] = []
        self.hung_up = threading.Event()
        self._loop = asyncio.new_event_loop()
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._serve, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        self._ready.wait()
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def _serve(self) -> None:
        with asyncio.Runner(loop_factory=lambda: self._loop) as runner:
            runner.run(self._run())

    async def _run(self) -> None:
        self._stop = asyncio.Event()
        server = await asyncio.start_server(self._answer, "127.0.0.1", 0)
        self.port = server.sockets[0].getsockname()[1]
        self._ready.set()
        await self._stop.wait()
        server.close()

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        # A client may leave at any time: before it asks, or with bytes on their way, which resets the connection.
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
            headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in head[1:])}
            body = await reader.readexactly(int(headers.get("content-length", 0)))
            self.requests.append(Request(head[0].split()[1], headers, json.loads(body) if body else None))
            await self._reply(self.replies.pop(0), reader, writer)
        except (ConnectionError, asyncio.IncompleteReadError):
            self.hung_up.set()
        finally:
            writer.close()

    async def _reply(self, reply: Reply, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        lines = [f"HTTP/1.1 {reply.status} X", "connection: close", "transfer-encoding: chunked"]
        lines += [f"{name}: {value}" for name, value in reply.headers.items()]
        writer.write(("\r\n".join(lines) + "\r\n\r\n").encode())
        for piece in reply.pieces:
            writer.write(f"{len(piece):x}\r\n".encode() + piece + b"\r\n")
            await writer.drain()
        if reply.ends == "hangs":
            await asyncio.wait_for(reader.read(), 20)
            self.hung_up.set()
        elif reply.ends == "whole":
            writer.write(b"0\r\n\r\n")


def sse(*events: Any, named: bool = False) -> list[bytes]:
    """Return server-sent events, cut where no event ends, as networks do."""
    text = "".join(
        (f"event: {event['type']}\n" if named else "") + f"data: {_json(event)}\n\n" for event in events
    ).encode()
    return [text[at : at + 37] for at in range(0, len(text), 37)]


def _json(event: Any) -> str:
    return event if isinstance(event, str) else json.dumps(event)


class Asked(NamedTuple):
    id: str
    name: str
    arguments: str


class Speaker(NamedTuple):
    """How a provider reads requests and writes answers, by its own SDK's types."""

    provider: str
    check: Callable[[Any], object]
    answer: Callable[[str, Sequence[Asked]], list[bytes]]
    results: Callable[[Any], list[str]]
    """The texts of the results in a request."""


@cache
def _reader(module: str, name: str) -> Callable[[Any], object]:
    """Return what reads a value as a type of an SDK, and takes nothing that the type lacks."""
    return strictly(getattr(import_module(module), name))


@cache
def _events(module: str, name: str) -> Any:
    return TypeAdapter(getattr(import_module(module), name))


def _chat_check(body: Any) -> None:
    _reader("openai.types.chat.completion_create_params", "CompletionCreateParamsStreaming")(body)


def _chat_answer(text: str, calls: Sequence[Asked]) -> list[bytes]:
    chunk = import_module("openai.types.chat").ChatCompletionChunk

    def made(delta: dict[str, Any], stop: str | None = None, **more: Any) -> Any:
        choices = [] if "usage" in more else [{"index": 0, "delta": delta, "finish_reason": stop}]
        said = {"id": "c", "created": 1, "model": "m-1", "object": "chat.completion.chunk", "choices": choices, **more}
        return chunk.model_validate(said).model_dump(mode="json", exclude_unset=True)

    events = [made({"role": "assistant", "content": part}) for part in text.partition(" ") if part]
    for index, call in enumerate(calls):
        half = len(call.arguments) // 2
        first = {"index": index, "id": call.id, "type": "function", "function": {"name": call.name, "arguments": ""}}
        events.append(made({"tool_calls": [first]}))
        halves = (call.arguments[:half], call.arguments[half:])
        parts = [{"index": index, "function": {"arguments": part}} for part in halves]
        events += [made({"tool_calls": [part]}) for part in parts]
    events.append(made({}, "tool_calls" if calls else "stop"))
    usage = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}
    return sse(*events, made({}, usage=usage), "[DONE]")


def _chat_results(body: Any) -> list[str]:
    return [message["content"] for message in body["messages"] if message["role"] == "tool"]


def _anthropic_check(body: Any) -> None:
    _reader("anthropic.types.message_create_params", "MessageCreateParamsStreaming")(body)


def _anthropic_answer(text: str, calls: Sequence[Asked]) -> list[bytes]:
    usage = {"input_tokens": 7, "cache_read_input_tokens": 3, "output_tokens": 1}
    message = {"id": "m", "content": [], "model": "m-1", "role": "assistant", "type": "message", "usage": usage}
    thought = {"type": "thinking", "thinking": "", "signature": ""}
    events: list[Any] = [
        {"type": "message_start", "message": {**message, "stop_reason": None, "stop_sequence": None}},
        {"type": "content_block_start", "index": 0, "content_block": thought},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "thinking_delta", "thinking": "Hm."}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "signature_delta", "signature": "signed"}},
        {"type": "content_block_stop", "index": 0},
    ]
    if text:
        events.append({"type": "content_block_start", "index": 1, "content_block": {"type": "text", "text": ""}})
        events.append({"type": "content_block_delta", "index": 1, "delta": {"type": "text_delta", "text": text}})
        events.append({"type": "content_block_stop", "index": 1})
    for index, call in enumerate(calls, 2):
        block = {"type": "tool_use", "id": call.id, "name": call.name, "input": {}}
        events.append({"type": "content_block_start", "index": index, "content_block": block})
        for part in (call.arguments[:3], call.arguments[3:]):
            delta = {"type": "input_json_delta", "partial_json": part}
            events.append({"type": "content_block_delta", "index": index, "delta": delta})
        events.append({"type": "content_block_stop", "index": index})
    stop = {"stop_reason": "tool_use" if calls else "end_turn", "stop_sequence": None}
    events += [{"type": "message_delta", "delta": stop, "usage": {"output_tokens": 5}}, {"type": "message_stop"}]
    adapter = _events("anthropic.types", "RawMessageStreamEvent")
    for event in events:
        adapter.validate_python(event)
    return sse({"type": "ping"}, *events, named=True)


def _anthropic_results(body: Any) -> list[str]:
    blocks = [block for message in body["messages"] for block in message["content"]]
    return [block["content"] for block in blocks if block["type"] == "tool_result"]


def _responses_check(body: Any) -> None:
    _reader("openai.types.responses.response_create_params", "ResponseCreateParamsStreaming")(body)


def _responses_answer(text: str, calls: Sequence[Asked]) -> list[bytes]:
    items: list[Any] = [{"type": "reasoning", "id": "rs", "summary": [], "encrypted_content": "sealed"}]
    if text:
        part = {"type": "output_text", "text": text, "annotations": []}
        items.append({"type": "message", "id": "ms", "role": "assistant", "status": "completed", "content": [part]})
    items += [
        {"type": "function_call", "id": f"fc{number}", "call_id": call.id, "name": call.name, "status": "completed",
         "arguments": call.arguments}
        for number, call in enumerate(calls)
    ]  # fmt: skip
    events: list[Any] = []
    if text:
        delta = {"type": "response.output_text.delta", "delta": text, "item_id": "ms", "logprobs": []}
        events.append({**delta, "output_index": 1, "content_index": 0, "sequence_number": 1})
    for index, item in enumerate(items):
        done = {"type": "response.output_item.done", "item": item, "output_index": index, "sequence_number": 2}
        events.append(done)
    details = {
        "input_tokens_details": {"cached_tokens": 3, "cache_write_tokens": 0},
        "output_tokens_details": {"reasoning_tokens": 2},
    }
    usage = {"input_tokens": 10, "output_tokens": 5, "total_tokens": 15, **details}
    response = {"id": "r", "created_at": 1, "model": "m-1", "object": "response", "output": items, "tools": []}
    response |= {"parallel_tool_calls": True, "tool_choice": "auto", "status": "completed", "usage": usage}
    events.append({"type": "response.completed", "response": response, "sequence_number": 9})
    adapter = _events("openai.types.responses", "ResponseStreamEvent")
    for event in events:
        adapter.validate_python(event)
    return sse(*events, named=True)


def _responses_results(body: Any) -> list[str]:
    return [item["output"] for item in body["input"] if item.get("type") == "function_call_output"]


def _gemini_check(body: Any) -> None:
    types = import_module("google.genai.types")
    known = {"contents", "tools", "toolConfig", "systemInstruction", "generationConfig"}
    assert set(body) <= known
    for content in body["contents"]:
        types.Content.model_validate(content)
    for tool in body.get("tools", ()):
        types.Tool.model_validate(tool)
    types.ToolConfig.model_validate(body.get("toolConfig", {}))


def _gemini_answer(text: str, calls: Sequence[Asked]) -> list[bytes]:
    model = import_module("google.genai.types").GenerateContentResponse
    parts: list[Any] = [{"text": "Hm.", "thought": True}, *({"text": part} for part in text.partition(" ") if part)]
    parts += [{"functionCall": {"name": call.name, "args": json.loads(call.arguments)}} for call in calls]
    if calls:
        parts[-len(calls)]["thoughtSignature"] = "c2lnbmVk"
    usage = {"promptTokenCount": 10, "candidatesTokenCount": 3, "thoughtsTokenCount": 2}
    events: list[Any] = [{"candidates": [{"content": {"role": "model", "parts": [part]}}]} for part in parts]
    events.append({"candidates": [{"finishReason": "STOP"}], "usageMetadata": usage, "modelVersion": "m-1"})
    for event in events:
        model.model_validate(event)
    return sse(*events)


def _gemini_results(body: Any) -> list[str]:
    parts = [part for content in body["contents"] for part in content["parts"]]
    said = [part["functionResponse"]["response"] for part in parts if "functionResponse" in part]
    return [each.get("output") or each["error"] for each in said]


def _ollama_check(body: Any) -> None:
    model = import_module("ollama._types").ChatRequest
    model.model_validate(body)
    assert set(body) <= set(model.model_fields)


def _ollama_answer(text: str, calls: Sequence[Asked]) -> list[bytes]:
    model = import_module("ollama").ChatResponse
    lines: list[Any] = [{"message": {"role": "assistant", "content": part}} for part in text.partition(" ") if part]
    asked = [{"function": {"name": call.name, "arguments": json.loads(call.arguments)}} for call in calls]
    if asked:
        lines.append({"message": {"role": "assistant", "content": "", "thinking": "Hm.", "tool_calls": asked}})
    figures = {"prompt_eval_count": 10, "eval_count": 5, "done_reason": "stop", "model": "m-1"}
    lines.append({"message": {"role": "assistant", "content": ""}, "done": True, **figures})
    for line in lines:
        model.model_validate(line)
    text = "".join(json.dumps(line) + "\n" for line in lines)
    return [text[at : at + 41].encode() for at in range(0, len(text), 41)]


def _ollama_results(body: Any) -> list[str]:
    return [message["content"] for message in body["messages"] if message["role"] == "tool"]


SPEAKERS = (
    Speaker("compatible", _chat_check, _chat_answer, _chat_results),
    Speaker("openai", _responses_check, _responses_answer, _responses_results),
    Speaker("anthropic", _anthropic_check, _anthropic_answer, _anthropic_results),
    Speaker("gemini", _gemini_check, _gemini_answer, _gemini_results),
    Speaker("ollama", _ollama_check, _ollama_answer, _ollama_results),
)
CHAT = SPEAKERS[0]


def says(text: str, speaker: Speaker = CHAT) -> Reply:
    """Return an answer that calls nothing."""
    return Reply(speaker.answer(text, ()))


def calls(*asked: Iterable[str], text: str = "", speaker: Speaker = CHAT) -> Reply:
    """Return an answer that calls tools: each with its name and its arguments."""
    made = [Asked(f"call_{number}", *map(str, one)) for number, one in enumerate(asked)]
    return Reply(speaker.answer(text, made))
