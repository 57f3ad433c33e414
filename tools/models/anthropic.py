"""Anthropic's Messages API."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from tools.models.format import Document, StreamedError, WrittenRequest, names_in, object_of, unique_ids, wire_results
from tools.models.messages import Answer, AskedCall, CallResults, StopReason, Usage, UserMessage
from tools.models.port import ModelRequest, TextDelta, ThinkingDelta
from tools.wire import read_arguments

if TYPE_CHECKING:
    from tools.wire import Provider

VERSION: Final = "2023-06-01"
MOST_TOKENS: Final = 8192
"""The limit of an answer where nobody said one; the API wants one."""

_STOPS: Final = {
    "end_turn": StopReason.ENDED,
    "stop_sequence": StopReason.ENDED,
    "tool_use": StopReason.CALLS,
    "max_tokens": StopReason.LENGTH,
    "model_context_window_exceeded": StopReason.LENGTH,
    "refusal": StopReason.REFUSED,
    "pause_turn": StopReason.PAUSED,
}


class AnthropicFormat(NamedTuple):
    """The Messages API.

    Attributes:
        wire: Writes tools and results.
    """

    wire: Provider
    name: str = "anthropic"
    sends_lines: bool = False
    models_path: str = "/v1/models"

    def headers(self, key: str) -> dict[str, str]:
        return {"x-api-key": key, "anthropic-version": VERSION}

    def write(self, request: ModelRequest) -> WrittenRequest:
        body: Document = {
            "model": request.model,
            "max_tokens": request.max_output_tokens or MOST_TOKENS,
            "messages": self._messages(request),
            "stream": True,
        }
        if request.instructions:
            body["system"] = request.instructions
        if request.tools:
            body["tools"] = request.tools
            body["tool_choice"] = {"type": "auto" if request.may_call else "none"}
        return WrittenRequest("/v1/messages", body)

    def decoder(self) -> AnthropicDecoder:
        return AnthropicDecoder(self.name)

    def models(self, listed: Any) -> list[str]:
        return list(names_in(listed, "data", "id"))

    def _messages(self, request: ModelRequest) -> list[Document]:
        written: list[Document] = []
        answer = Answer()
        for message in request.messages:
            if isinstance(message, UserMessage):
                _append(written, "user", _content(message))
            elif isinstance(message, CallResults):
                for told in self.wire.results(wire_results(answer, message)):
                    _append(written, "user", list(told["content"]))
            else:
                answer = message
                _append(written, "assistant", self._said(message))
        return written

    def _said(self, answer: Answer) -> list[Document]:
        if answer.protocol == self.name and answer.raw:
            return [dict(block) for block in answer.raw]
        blocks: list[Document] = [{"type": "text", "text": answer.text}] if answer.text.strip() else []
        return [
            *blocks,
            *(
                {"type": "tool_use", "id": call.id, "name": call.name, "input": object_of(call)}
                for call in answer.calls
            ),
        ]


def _append(written: list[Document], role: str, content: list[Document]) -> None:
    """Put content behind the rest; neighbours of one role are one message, and an empty one is refused."""
    if written and written[-1]["role"] == role:
        written[-1]["content"] += content
    elif content:
        written.append({"role": role, "content": content})


def _content(message: UserMessage) -> list[Document]:
    pictures = [
        {"type": "image", "source": {"type": "base64", "media_type": image.mime_type, "data": image.base64}}
        for image in message.images
    ]
    return [*pictures, {"type": "text", "text": message.text}]


class AnthropicDecoder:
    """Put the blocks of a stream together."""

    def __init__(self, protocol: str) -> None:
        self.done = False
        self._protocol = protocol
        self._blocks: dict[int, Document] = {}
        self._arguments: dict[int, list[str]] = {}
        self._usage: dict[str, Any] = {}
        self._stop = ""
        self._model = ""

    def feed(self, event: Mapping[str, Any]) -> Iterator[TextDelta | ThinkingDelta]:
        match event["type"]:
            case "message_start":
                self._model = event["message"].get("model") or ""
                self._count(event["message"].get("usage"))
            case "content_block_start":
                self._blocks[event["index"]] = dict(event["content_block"])
                if text := event["content_block"].get("text"):
                    yield TextDelta(text)
            case "content_block_delta":
                yield from self._add(self._blocks[event["index"]], event["index"], event["delta"])
            case "message_delta":
                self._stop = event["delta"].get("stop_reason") or self._stop
                self._count(event.get("usage"))
            case "message_stop":
                self.done = True
            case "error":
                raise StreamedError(event.get("error"))

    def _add(self, block: Document, index: int, delta: Mapping[str, Any]) -> Iterator[TextDelta | ThinkingDelta]:
        match delta["type"]:
            case "text_delta":
                block["text"] += delta["text"]
                yield TextDelta(delta["text"])
            case "thinking_delta":
                block["thinking"] += delta["thinking"]
                yield ThinkingDelta(delta["thinking"])
            case "signature_delta":
                block["signature"] = block.get("signature", "") + delta["signature"]
            case "input_json_delta":
                self._arguments.setdefault(index, []).append(delta["partial_json"])
            case "citations_delta":
                block["citations"] = [*(block.get("citations") or ()), delta["citation"]]

    def _count(self, said: Mapping[str, Any] | None) -> None:
        # Figures add up: a later one takes the place of an earlier.
        self._usage.update({name: value for name, value in (said or {}).items() if value is not None})

    def finish(self) -> Answer:
        """Return the answer; its thoughts go back as they came, with their signatures."""
        for index, block in self._blocks.items():
            if index in self._arguments:
                block["input"] = "".join(self._arguments[index])
        asked = [block for block in self._blocks.values() if block["type"] == "tool_use"]
        calls = []
        for id_, block in zip(unique_ids([block["id"] for block in asked]), asked, strict=True):
            block["id"] = id_
            written = block["input"] if isinstance(block["input"], str) else "{}"
            calls.append(AskedCall(id=id_, name=block["name"], arguments=written or "{}"))
        return Answer(
            text="".join(block["text"] for block in self._blocks.values() if block["type"] == "text"),
            thinking="".join(block["thinking"] for block in self._blocks.values() if block["type"] == "thinking"),
            calls=tuple(calls),
            stop=_STOPS.get(self._stop, StopReason.ENDED),
            usage=_usage(self._usage),
            model=self._model,
            protocol=self._protocol,
            raw=tuple(map(_sendable, filter(_is_kept, self._blocks.values()))),
        )


def _is_kept(block: Mapping[str, Any]) -> bool:
    """Return whether a block may be sent back: an empty text may not."""
    return block["type"] != "text" or bool(block["text"].strip())


def _sendable(block: Document) -> Document:
    if not isinstance(block.get("input"), str):
        return block
    read = read_arguments(block["input"])
    return {**block, "input": read if isinstance(read, dict) else {"arguments": read.text}}


def _usage(said: Mapping[str, Any]) -> Usage:
    if not said:
        return Usage(estimated=True)
    cached = said.get("cache_read_input_tokens", 0)
    return Usage(
        input_tokens=said.get("input_tokens", 0) + cached + said.get("cache_creation_input_tokens", 0),
        output_tokens=said.get("output_tokens", 0),
        cached_tokens=cached,
    )
