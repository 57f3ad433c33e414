"""OpenAI's Chat Completions, which most providers and local servers speak."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from tools.models.format import Document, StreamedError, WrittenRequest, names_in, text_of, unique_ids, wire_results
from tools.models.messages import Answer, AskedCall, CallResults, StopReason, Usage, UserMessage
from tools.models.port import ModelRequest, TextDelta, ThinkingDelta
from tools.wire.openai_chat import image_part

if TYPE_CHECKING:
    from tools.wire import Provider

_STOPS: Final = {
    "stop": StopReason.ENDED,
    "tool_calls": StopReason.CALLS,
    "function_call": StopReason.CALLS,
    "length": StopReason.LENGTH,
    "model_length": StopReason.LENGTH,
    "content_filter": StopReason.REFUSED,
    "error": StopReason.CUT_OFF,
}
_THOUGHTS: Final = ("reasoning_content", "reasoning")
"""What providers call the text of a thought: DeepSeek, vLLM and llama.cpp the first, OpenRouter and Groq the second."""


class ChatFormat(NamedTuple):
    """Chat Completions, as one provider takes them.

    Attributes:
        wire: Writes tools and results.
        counts_on_demand: Whether figures have to be asked for (`stream_options`), which not everybody knows.
        limit: What the limit of an answer is called.
        key_header: The header that the key stands in; `authorization` takes it as a bearer's.
    """

    wire: Provider
    counts_on_demand: bool = True
    limit: str = "max_tokens"
    key_header: str = "authorization"
    name: str = "openai-chat"
    sends_lines: bool = False
    models_path: str = "/models"

    def headers(self, key: str) -> dict[str, str]:
        return {self.key_header: f"Bearer {key}" if self.key_header == "authorization" else key}

    def write(self, request: ModelRequest) -> WrittenRequest:
        body: Document = {"model": request.model, "messages": self._messages(request), "stream": True}
        if self.counts_on_demand:
            body["stream_options"] = {"include_usage": True}
        if request.tools:
            body["tools"] = request.tools
            body["tool_choice"] = "auto" if request.may_call else "none"
        if request.max_output_tokens is not None:
            body[self.limit] = request.max_output_tokens
        return WrittenRequest("/chat/completions", body)

    def decoder(self) -> ChatDecoder:
        return ChatDecoder(self.name)

    def models(self, listed: Any) -> list[str]:
        return list(names_in(listed, "data", "id"))

    def _messages(self, request: ModelRequest) -> list[Document]:
        written: list[Document] = []
        if request.instructions:
            written.append({"role": "system", "content": request.instructions})
        answer = Answer()
        for message in request.messages:
            if isinstance(message, UserMessage):
                written.append({"role": "user", "content": _content(message)})
            elif isinstance(message, CallResults):
                written += self.wire.results(wire_results(answer, message))
            else:
                answer = message
                written.append(self._said(message))
        return written

    def _said(self, answer: Answer) -> Document:
        if answer.protocol == self.name and answer.raw:
            return dict(answer.raw[0])
        return chat_message(answer.text, answer.calls)


def _content(message: UserMessage) -> Any:
    if not message.images:
        return message.text
    return [{"type": "text", "text": message.text}, *map(image_part, message.images)]


def chat_message(text: str, calls: Sequence[AskedCall]) -> Document:
    """Return an assistant's message."""
    message: Document = {"role": "assistant", "content": text or None if calls else text}
    if calls:
        message["tool_calls"] = [
            {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
            for call in calls
        ]
    return message


class ChatDecoder:
    """Put the chunks of a stream together."""

    def __init__(self, protocol: str) -> None:
        self._protocol = protocol
        self._text: list[str] = []
        self._thoughts: dict[str, list[str]] = {}
        self._details: list[Any] = []
        self._calls: dict[int, Document] = {}
        self._stop: str | None = None
        self._usage: Mapping[str, Any] = {}
        self._model = ""

    def feed(self, event: Mapping[str, Any]) -> Iterator[TextDelta | ThinkingDelta]:
        """Take a chunk; the figures come in one of their own behind the reason to stop."""
        if event.get("error"):
            raise StreamedError(event["error"])
        self._model = event.get("model") or self._model
        self._usage = event.get("usage") or (event.get("x_groq") or {}).get("usage") or self._usage
        for choice in event.get("choices") or ():
            if choice.get("index", 0):
                continue
            yield from self._take(choice.get("delta") or {})
            self._stop = choice.get("finish_reason") or self._stop

    def _take(self, delta: Mapping[str, Any]) -> Iterator[TextDelta | ThinkingDelta]:
        for name in _THOUGHTS:
            if thought := delta.get(name):
                self._thoughts.setdefault(name, []).append(thought)
                if next(iter(self._thoughts)) == name:
                    yield ThinkingDelta(thought)
        self._details += delta.get("reasoning_details") or ()
        if text := _text(delta.get("content")) or delta.get("refusal"):
            self._text.append(text)
            yield TextDelta(text)
        for position, call in enumerate(delta.get("tool_calls") or ()):
            self._take_call(call, position)

    def _take_call(self, call: Mapping[str, Any], position: int) -> None:
        index = call.get("index")
        if index is None:
            # Who sends calls whole numbers none: each is a call of its own.
            index = len(self._calls) + position if call.get("id") or not self._calls else max(self._calls)
        known = self._calls.get(index)
        if known is not None and call.get("id") and known["id"] and call["id"] != known["id"]:
            # Some servers give all calls of an answer the same number.
            index = max(self._calls) + 1
            known = None
        if known is None:
            known = self._calls[index] = {"id": "", "name": "", "arguments": [], "more": {}}
        said = call.get("function") or {}
        known["id"] = known["id"] or call.get("id") or ""
        known["name"] = known["name"] or said.get("name") or ""
        if said.get("arguments"):
            known["arguments"].append(text_of(said["arguments"]))
        # Gemini's signature of a thought stands here.
        known["more"].update({key: call[key] for key in ("extra_content",) if key in call})

    @property
    def done(self) -> bool:
        """Whether the model said why it wrote no further."""
        return self._stop is not None

    def finish(self) -> Answer:
        """Return the answer; what it thought goes back with its calls, as DeepSeek and OpenRouter ask for."""
        found = list(self._calls.values())
        ids = unique_ids([call["id"] or f"call_{number}" for number, call in enumerate(found, 1)])
        calls = tuple(
            AskedCall(id=id_, name=call["name"], arguments="".join(call["arguments"]) or "{}")
            for id_, call in zip(ids, found, strict=True)
        )
        text = "".join(self._text)
        raw = chat_message(text, calls)
        for written, call in zip(raw.get("tool_calls", ()), found, strict=True):
            written.update(call["more"])
        if calls and not self._details:
            raw.update({name: "".join(parts) for name, parts in self._thoughts.items()})
        elif calls:
            raw["reasoning_details"] = self._details
        stop = StopReason.CALLS if calls else _STOPS.get(self._stop or "", StopReason.ENDED)
        if self._stop in {"length", "model_length"}:
            stop = StopReason.LENGTH
        return Answer(
            text=text,
            thinking="".join(next(iter(self._thoughts.values()), ())),
            calls=calls,
            stop=stop,
            usage=chat_usage(self._usage),
            model=self._model,
            protocol=self._protocol,
            raw=(raw,),
        )


def _text(content: Any) -> str:
    """Return the words of a content, which Mistral sends in parts when it thinks."""
    if isinstance(content, list):
        return "".join(part.get("text", "") for part in content if part.get("type") == "text")
    return content or ""


def chat_usage(said: Mapping[str, Any]) -> Usage:
    """Return the figures of an answer."""
    if not said:
        return Usage(estimated=True)
    cost = said.get("cost")
    return Usage(
        input_tokens=said.get("prompt_tokens") or 0,
        output_tokens=said.get("completion_tokens") or 0,
        cached_tokens=(said.get("prompt_tokens_details") or {}).get("cached_tokens") or 0,
        thinking_tokens=(said.get("completion_tokens_details") or {}).get("reasoning_tokens") or 0,
        cost=cost if isinstance(cost, int | float) else None,
    )
