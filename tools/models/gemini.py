"""Google's Gemini API."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from urllib.parse import quote

from tools.models.format import Document, StreamedError, WrittenRequest, names_in, object_of, unique_ids, wire_results
from tools.models.messages import Answer, AskedCall, CallResults, StopReason, Usage, UserMessage
from tools.models.port import ModelRequest, TextDelta, ThinkingDelta

if TYPE_CHECKING:
    from tools.wire import Provider

UNSIGNED: Final = "skip_thought_signature_validator"
"""The signature of a call that this model never asked for. Source: Gemini API, "Thought signatures"."""

_STOPS: Final = {"STOP": StopReason.ENDED, "MAX_TOKENS": StopReason.LENGTH}


class GeminiFormat(NamedTuple):
    """The Gemini API.

    Attributes:
        wire: Writes tools and results.
    """

    wire: Provider
    name: str = "gemini"
    sends_lines: bool = False
    models_path: str = "/models?pageSize=1000"

    def headers(self, key: str) -> dict[str, str]:
        return {"x-goog-api-key": key}

    def write(self, request: ModelRequest) -> WrittenRequest:
        body: Document = {"contents": self._contents(request)}
        if request.instructions:
            body["systemInstruction"] = {"parts": [{"text": request.instructions}]}
        if request.tools:
            body["tools"] = request.tools
            body["toolConfig"] = {"functionCallingConfig": {"mode": "AUTO" if request.may_call else "NONE"}}
        if request.max_output_tokens is not None:
            body["generationConfig"] = {"maxOutputTokens": request.max_output_tokens}
        model = quote(request.model.removeprefix("models/"), safe="")
        return WrittenRequest(f"/models/{model}:streamGenerateContent?alt=sse", body)

    def decoder(self) -> GeminiDecoder:
        return GeminiDecoder(self.name)

    def models(self, listed: Any) -> list[str]:
        return [name.removeprefix("models/") for name in names_in(listed, "models", "name")]

    def _contents(self, request: ModelRequest) -> list[Document]:
        written: list[Document] = []
        answer = Answer()
        for message in request.messages:
            if isinstance(message, UserMessage):
                pictures = [
                    {"inlineData": {"mimeType": image.mime_type, "data": image.base64}} for image in message.images
                ]
                written.append({"role": "user", "parts": [{"text": message.text}, *pictures]})
            elif isinstance(message, CallResults):
                written += self.wire.results(wire_results(answer, message))
            else:
                answer = message
                if parts := self._said(message):
                    written.append({"role": "model", "parts": parts})
        return written

    def _said(self, answer: Answer) -> list[Document]:
        if answer.protocol == self.name and answer.raw:
            return [dict(part) for part in answer.raw]
        parts: list[Document] = [{"text": answer.text}] if answer.text else []
        calls: list[Document] = [
            {"functionCall": {"name": call.name, "args": object_of(call), **({"id": call.id} if call.id else {})}}
            for call in answer.calls
        ]
        if calls:
            calls[0]["thoughtSignature"] = UNSIGNED
        return [*parts, *calls]


class GeminiDecoder:
    """Put the parts of a stream together."""

    def __init__(self, protocol: str) -> None:
        self._protocol = protocol
        self._parts: list[Document] = []
        self._stop: str | None = None
        self._usage: Mapping[str, Any] = {}
        self._model = ""

    @property
    def done(self) -> bool:
        """Whether the model said why it wrote no further."""
        return self._stop is not None

    def feed(self, event: Mapping[str, Any]) -> Iterator[TextDelta | ThinkingDelta]:
        if event.get("error"):
            raise StreamedError(event["error"])
        self._usage = event.get("usageMetadata") or self._usage
        self._model = event.get("modelVersion") or self._model
        self._stop = (event.get("promptFeedback") or {}).get("blockReason") or self._stop
        for candidate in event.get("candidates") or ():
            for part in (candidate.get("content") or {}).get("parts") or ():
                self._take(dict(part))
                if text := part.get("text"):
                    yield ThinkingDelta(text) if part.get("thought") else TextDelta(text)
            self._stop = candidate.get("finishReason") or self._stop

    def _take(self, part: Document) -> None:
        """Keep a part; the text of neighbours is one, unless one of them is signed."""
        last = self._parts[-1] if self._parts else {}
        joins = set(part) <= {"text", "thought"} and set(last) <= {"text", "thought"} and last
        if joins and part.get("thought") == last.get("thought"):
            last["text"] += part["text"]
        else:
            self._parts.append(part)

    def finish(self) -> Answer:
        """Return the answer; its parts go back as they came, with their signatures."""
        asked = [part["functionCall"] for part in self._parts if "functionCall" in part]
        ids = unique_ids([call.get("id") or "" for call in asked])
        for id_, call in zip(ids, asked, strict=True):
            if id_:
                call["id"] = id_
        calls = tuple(
            AskedCall(
                id=call.get("id") or "",
                name=call["name"],
                arguments=json.dumps(call.get("args") or {}, ensure_ascii=False),
            )
            for call in asked
        )
        stop = _STOPS.get(self._stop or "", StopReason.REFUSED)
        return Answer(
            text="".join(self._texts(thought=False)),
            thinking="".join(self._texts(thought=True)),
            calls=calls,
            stop=StopReason.CALLS if calls and stop is StopReason.ENDED else stop,
            usage=_usage(self._usage),
            model=self._model,
            protocol=self._protocol,
            raw=tuple(self._parts),
        )

    def _texts(self, *, thought: bool) -> Iterator[str]:
        for part in self._parts:
            if "text" in part and bool(part.get("thought")) is thought:
                yield part["text"]


def _usage(said: Mapping[str, Any]) -> Usage:
    if not said:
        return Usage(estimated=True)
    thinking = said.get("thoughtsTokenCount") or 0
    return Usage(
        input_tokens=(said.get("promptTokenCount") or 0) + (said.get("toolUsePromptTokenCount") or 0),
        output_tokens=(said.get("candidatesTokenCount") or 0) + thinking,
        cached_tokens=said.get("cachedContentTokenCount") or 0,
        thinking_tokens=thinking,
    )
