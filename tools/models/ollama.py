"""Ollama's own chat API: lines of JSON, arguments as objects."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from tools.models.format import Document, StreamedError, WrittenRequest, names_in, object_of, text_of, wire_results
from tools.models.messages import Answer, AskedCall, CallResults, StopReason, Usage, UserMessage
from tools.models.port import ModelRequest, TextDelta, ThinkingDelta

if TYPE_CHECKING:
    from tools.wire import Provider

_STOPS: Final = {"length": StopReason.LENGTH}


class OllamaFormat(NamedTuple):
    """Ollama's chat API.

    Attributes:
        wire: Writes tools and results.
    """

    wire: Provider
    name: str = "ollama"
    sends_lines: bool = True
    models_path: str = "/api/tags"

    def headers(self, key: str) -> dict[str, str]:
        """Return the header of the key, which Ollama's cloud wants."""
        return {"authorization": f"Bearer {key}"}

    def write(self, request: ModelRequest) -> WrittenRequest:
        """Return a request that streams; a model that has to answer gets no tools, since there is no other way."""
        body: Document = {"model": request.model, "messages": self._messages(request), "stream": True}
        if request.tools and request.may_call:
            body["tools"] = request.tools
        if request.max_output_tokens is not None:
            body["options"] = {"num_predict": request.max_output_tokens}
        return WrittenRequest("/api/chat", body)

    def decoder(self) -> OllamaDecoder:
        return OllamaDecoder(self.name)

    def models(self, listed: Any) -> list[str]:
        return list(names_in(listed, "models", "name"))

    def _messages(self, request: ModelRequest) -> list[Document]:
        written: list[Document] = []
        if request.instructions:
            written.append({"role": "system", "content": request.instructions})
        answer = Answer()
        for message in request.messages:
            if isinstance(message, UserMessage):
                pictures = {"images": [image.base64 for image in message.images]} if message.images else {}
                written.append({"role": "user", "content": message.text, **pictures})
            elif isinstance(message, CallResults):
                written += self.wire.results(wire_results(answer, message))
            else:
                answer = message
                written.append(self._said(message))
        return written

    def _said(self, answer: Answer) -> Document:
        if answer.protocol == self.name and answer.raw:
            return dict(answer.raw[0])
        return _message(answer.text, "", answer.calls)


def _message(text: str, thinking: str, calls: tuple[AskedCall, ...]) -> Document:
    message: Document = {"role": "assistant", "content": text}
    if calls:
        message["tool_calls"] = [{"function": {"name": call.name, "arguments": object_of(call)}} for call in calls]
        if thinking:
            message["thinking"] = thinking
    return message


class OllamaDecoder:
    """Put the lines of a stream together."""

    def __init__(self, protocol: str) -> None:
        self._protocol = protocol
        self._text: list[str] = []
        self._thinking: list[str] = []
        self._calls: list[AskedCall] = []
        self._last: Mapping[str, Any] | None = None

    @property
    def done(self) -> bool:
        """Whether the last line came."""
        return self._last is not None

    def feed(self, event: Mapping[str, Any]) -> Iterator[TextDelta | ThinkingDelta]:
        if event.get("error"):
            raise StreamedError(event["error"])
        message = event.get("message") or {}
        if thought := message.get("thinking"):
            self._thinking.append(thought)
            yield ThinkingDelta(thought)
        if text := message.get("content"):
            self._text.append(text)
            yield TextDelta(text)
        for call in message.get("tool_calls") or ():
            said = call["function"]
            # Results name the tool alone, so a call needs no id.
            self._calls.append(AskedCall(id="", name=said["name"], arguments=text_of(said.get("arguments"))))
        if event.get("done"):
            self._last = event

    def finish(self) -> Answer:
        last = self._last or {}
        text, thinking, calls = "".join(self._text), "".join(self._thinking), tuple(self._calls)
        stop = _STOPS.get(last.get("done_reason") or "", StopReason.CALLS if calls else StopReason.ENDED)
        counted = "eval_count" in last or "prompt_eval_count" in last
        return Answer(
            text=text,
            thinking=thinking,
            calls=calls,
            stop=stop,
            usage=Usage(
                input_tokens=last.get("prompt_eval_count") or 0,
                output_tokens=last.get("eval_count") or 0,
                estimated=not counted,
            ),
            model=last.get("model") or "",
            protocol=self._protocol,
            raw=(_message(text, thinking, calls),),
        )
