"""OpenAI's Responses API, with nothing kept at OpenAI: the conversation goes along each time, thoughts encrypted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from tools.models.format import Document, StreamedError, WrittenRequest, names_in, unique_ids, wire_results
from tools.models.messages import Answer, AskedCall, CallResults, StopReason, Usage, UserMessage
from tools.models.port import ModelRequest, TextDelta, ThinkingDelta

if TYPE_CHECKING:
    from tools.wire import Provider, Result

_APPROVAL: Final = "mcp_approval_request"
_ENDS: Final = frozenset({"response.completed", "response.incomplete"})
_TEXTS: Final = frozenset({"response.output_text.delta", "response.refusal.delta"})
_THOUGHTS: Final = frozenset({"response.reasoning_summary_text.delta", "response.reasoning_text.delta"})


class ResponsesFormat(NamedTuple):
    """The Responses API.

    Attributes:
        wire: Writes tools and results.
    """

    wire: Provider
    name: str = "openai"
    sends_lines: bool = False
    models_path: str = "/models"

    def headers(self, key: str) -> dict[str, str]:
        return {"authorization": f"Bearer {key}"}

    def write(self, request: ModelRequest) -> WrittenRequest:
        body: Document = {
            "model": request.model,
            "input": self._items(request),
            "stream": True,
            "store": False,
            "include": ["reasoning.encrypted_content"],
        }
        if request.instructions:
            body["instructions"] = request.instructions
        if request.tools:
            body["tools"] = request.tools
            body["tool_choice"] = "auto" if request.may_call else "none"
        if request.max_output_tokens is not None:
            body["max_output_tokens"] = request.max_output_tokens
        return WrittenRequest("/responses", body)

    def decoder(self) -> ResponsesDecoder:
        return ResponsesDecoder(self.name)

    def models(self, listed: Any) -> list[str]:
        return list(names_in(listed, "data", "id"))

    def _items(self, request: ModelRequest) -> list[Document]:
        written: list[Document] = []
        answer = Answer()
        for message in request.messages:
            if isinstance(message, UserMessage):
                written.append({"role": "user", "content": _content(message)})
            elif isinstance(message, CallResults):
                written += self._results(answer, message)
            else:
                answer = message
                written += self._said(message)
        return written

    def _results(self, answer: Answer, told: CallResults) -> list[Document]:
        results = wire_results(answer, told)
        if not self._goes_back(answer):
            return self.wire.results(results)
        ended = list(zip(answer.calls, results, strict=True))
        approvals = [_approval(call, result) for call, result in ended if call.server]
        return approvals + self.wire.results([result for call, result in ended if not call.server])

    def _goes_back(self, answer: Answer) -> bool:
        return answer.protocol == self.name and bool(answer.raw)

    def _said(self, answer: Answer) -> list[Document]:
        if self._goes_back(answer):
            return [dict(item) for item in answer.raw]
        said: list[Document] = [{"role": "assistant", "content": answer.text}] if answer.text else []
        return [
            *said,
            *(
                {"type": "function_call", "call_id": call.id, "name": call.name, "arguments": call.arguments}
                for call in answer.calls
            ),
        ]


def _content(message: UserMessage) -> Any:
    if not message.images:
        return message.text
    pictures = [{"type": "input_image", "detail": "auto", "image_url": image.url} for image in message.images]
    return [{"type": "input_text", "text": message.text}, *pictures]


def _approval(call: AskedCall, result: Result) -> Document:
    """Return whether the provider may call a server."""
    said: Document = {"type": "mcp_approval_response", "approval_request_id": call.id, "approve": not result.is_error}
    return {**said, "reason": result.text} if result.is_error else said


class ResponsesDecoder:
    """Put the items of a stream together."""

    def __init__(self, protocol: str) -> None:
        self._protocol = protocol
        self._items: dict[int, Document] = {}
        self._ended: Mapping[str, Any] | None = None

    @property
    def done(self) -> bool:
        return self._ended is not None

    def feed(self, event: Mapping[str, Any]) -> Iterator[TextDelta | ThinkingDelta]:
        """Take an event; items count when they are done."""
        kind = event["type"]
        if kind in _TEXTS:
            yield TextDelta(event["delta"])
        elif kind in _THOUGHTS:
            yield ThinkingDelta(event["delta"])
        elif kind == "response.output_item.done":
            self._items[event["output_index"]] = dict(event["item"])
        elif kind in _ENDS:
            self._ended = event["response"]
        elif kind == "response.failed":
            raise StreamedError(event["response"].get("error"))
        elif kind == "error":
            raise StreamedError(event)

    def finish(self) -> Answer:
        """Return the answer; all its items go back as they came."""
        ended = self._ended or {}
        items = [self._items[index] for index in sorted(self._items)] or [dict(item) for item in ended["output"]]
        functions = [item for item in items if item["type"] == "function_call"]
        for id_, item in zip(unique_ids([item["call_id"] for item in functions]), functions, strict=True):
            item["call_id"] = id_
        calls = tuple(_asked(item) for item in items if item["type"] in {"function_call", _APPROVAL})
        return Answer(
            text="".join(_texts(items, "message", "content")),
            thinking="\n\n".join(_texts(items, "reasoning", "summary")),
            calls=calls,
            stop=_stop(ended, calls),
            usage=_usage(ended.get("usage") or {}),
            model=ended.get("model") or "",
            protocol=self._protocol,
            raw=tuple(items),
        )


def _asked(item: Mapping[str, Any]) -> AskedCall:
    is_ours = item["type"] != _APPROVAL
    return AskedCall(
        id=item["call_id" if is_ours else "id"],
        name=item["name"],
        arguments=item["arguments"] or "{}",
        server="" if is_ours else item["server_label"],
    )


def _stop(ended: Mapping[str, Any], calls: tuple[AskedCall, ...]) -> StopReason:
    if ended.get("status") == "incomplete":
        why = (ended.get("incomplete_details") or {}).get("reason")
        return StopReason.REFUSED if why == "content_filter" else StopReason.LENGTH
    return StopReason.CALLS if calls else StopReason.ENDED


def _texts(items: list[Document], kind: str, where: str) -> Iterator[str]:
    for item in items:
        if item["type"] == kind:
            yield from (part.get("text") or part.get("refusal") or "" for part in item.get(where) or ())


def _usage(said: Mapping[str, Any]) -> Usage:
    if not said:
        return Usage(estimated=True)
    return Usage(
        input_tokens=said.get("input_tokens") or 0,
        output_tokens=said.get("output_tokens") or 0,
        cached_tokens=(said.get("input_tokens_details") or {}).get("cached_tokens") or 0,
        thinking_tokens=(said.get("output_tokens_details") or {}).get("reasoning_tokens") or 0,
    )
