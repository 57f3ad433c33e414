"""What a provider's format consists of: how a request is written, and how the events of a stream become an answer."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from tools.models.messages import AskedCall
from tools.wire import Result

if TYPE_CHECKING:
    from tools.models.messages import Answer, CallResults
    from tools.models.port import ModelRequest, TextDelta, ThinkingDelta
    from tools.wire import Provider

Document = dict[str, Any]


class WrittenRequest(NamedTuple):
    """A request as it goes over the wire.

    Attributes:
        path: Behind the provider's address.
    """

    path: str
    body: Document


class AnswerDecoder(Protocol):
    """Make an answer of the events of one stream."""

    @property
    def done(self) -> bool:
        """Whether the answer is whole; figures may still come."""
        ...

    def feed(self, event: Mapping[str, Any]) -> Iterable[TextDelta | ThinkingDelta]:
        """Take the next event, and yield what it adds.

        Raises:
            StreamedError: When the event is an error of the provider.
            AttributeError, KeyError, TypeError, ValueError: When the event is not what the format says.
        """
        ...

    def finish(self) -> Answer: ...


class WireFormat(Protocol):
    """How some providers are asked, and how they answer.

    Attributes:
        name: What `Answer.protocol` says.
        sends_lines: Whether a stream is lines of JSON rather than server-sent events.
        models_path: Where the list of models is.
        wire: Writes tools and results.
    """

    @property
    def name(self) -> str: ...

    @property
    def sends_lines(self) -> bool: ...

    @property
    def models_path(self) -> str: ...

    @property
    def wire(self) -> Provider: ...

    def headers(self, key: str) -> dict[str, str]: ...

    def write(self, request: ModelRequest) -> WrittenRequest: ...

    def decoder(self) -> AnswerDecoder: ...

    def models(self, listed: Any) -> list[str]:
        """Return the names of models in the answer to a request for their list."""
        ...


class StreamedError(Exception):
    """Report an error that a provider sent in the middle of a stream."""

    def __init__(self, body: Any) -> None:
        super().__init__("the provider sent an error")
        self.body = body


def unique_ids(ids: Sequence[str]) -> list[str]:
    """Return the ids of an answer's calls, those that came before with a number behind; empty ones stay empty."""
    seen: set[str] = set()
    made = []
    for number, given in enumerate(ids, 1):
        id_ = given
        while id_ and id_ in seen:
            id_ = f"{id_}-{number}"
        seen.add(id_)
        made.append(id_)
    return made


def wire_results(answer: Answer, told: CallResults) -> list[Result]:
    """Return the results of an answer's calls as `tools.wire` writes them."""
    return [
        Result(call.received, said.text, said.is_error, said.structured, said.images, said.attached)
        for call, said in zip(answer.calls, told.results, strict=True)
    ]


def object_of(call: AskedCall) -> dict[str, Any]:
    """Return a call's arguments as the JSON object that some formats want; what is none goes as one text."""
    arguments = call.received.arguments
    return arguments if isinstance(arguments, dict) else {"arguments": arguments.text}


def text_of(arguments: Any) -> str:
    """Return the arguments of a call as JSON text, whatever form they came in."""
    return arguments if isinstance(arguments, str) else json.dumps(arguments or {}, ensure_ascii=False)


def names_in(listed: Any, key: str, name: str) -> Iterator[str]:
    """Yield the names of the models in a list that stands under a key."""
    for each in listed.get(key) or ():
        if isinstance(each, Mapping) and isinstance(each.get(name), str):
            yield each[name]
