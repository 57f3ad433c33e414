"""A provider that answers from a list, without any net."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tools.models import Answer, AskedCall, StopReason, TextDelta, Usage
from tools.wire import PROVIDERS

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from tools.errors import ModelError
    from tools.models import ModelRequest
    from tools.models.port import AnswerDelta


class FakeProvider:
    """Answer with these in turn, with errors as well; remembers the requests."""

    name = "fake"
    address = ""
    wire = PROVIDERS["groq"]

    def __init__(self, *answers: Answer | ModelError | str) -> None:
        self.answers = list(answers)
        self.requests: list[ModelRequest] = []

    async def stream(self, request: ModelRequest) -> AsyncGenerator[AnswerDelta, None]:
        self.requests.append(request)
        answer = self.answers.pop(0)
        if isinstance(answer, str):
            answer = Answer(text=answer, usage=Usage(input_tokens=10, output_tokens=5))
        if isinstance(answer, Exception):
            raise answer
        if answer.text:
            yield TextDelta(answer.text)
        yield answer


def calling(*asked: tuple[str, str], text: str = "", **more: Any) -> Answer:
    """Return an answer that calls tools: each with its name and its arguments."""
    calls = tuple(AskedCall(id=f"c{number}", name=name, arguments=given) for number, (name, given) in enumerate(asked))
    usage = Usage(input_tokens=10, output_tokens=5)
    return Answer(**{"text": text, "calls": calls, "stop": StopReason.CALLS, "usage": usage, **more})
