"""What a server may ask a person, as values; and the port through which the answers come."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from pydantic import JsonValue


@dataclass(frozen=True, slots=True)
class FormElicitation:
    """A server wants to know something, in the shape of a form.

    Attributes:
        tool: During a call of which tool, by the server's own name; empty when that cannot be told.
        message: Why it asks, in its own words.
        schema: The JSON Schema of the answer, an object with one level.
        caller: Who calls the tool; empty when that cannot be told.
    """

    server: str
    tool: str
    message: str
    schema: Mapping[str, JsonValue]
    caller: str = ""


@dataclass(frozen=True, slots=True)
class UrlElicitation:
    """A server wants a person to do something at an address, which nobody opens without consent.

    Attributes:
        tool: During a call of which tool; empty when that cannot be told.
        message: Why it asks, in its own words.
        url: The whole address.
        caller: Who calls the tool; empty when that cannot be told.
    """

    server: str
    tool: str
    message: str
    url: str
    caller: str = ""


@dataclass(frozen=True, slots=True)
class Accepted:
    """The person agreed.

    Attributes:
        values: What they filled in; empty for an address.
    """

    values: Mapping[str, JsonValue] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Declined:
    """The person said no."""


@dataclass(frozen=True, slots=True)
class Cancelled:
    """The person closed the question without an answer."""


Answer = Accepted | Declined | Cancelled


@dataclass(frozen=True, slots=True)
class SamplingRequest:
    """A server wants a language model to write something, which this program does not do by itself.

    Attributes:
        tool: During a call of which tool; empty when that cannot be told.
        messages: The conversation as the server sent it: `role` and `content` of each.
        system_prompt: What the model is to be told first; empty when nothing.
        max_tokens: The longest answer.
        request: All that was asked, as it came.
        caller: Who calls the tool; empty when that cannot be told.
    """

    server: str
    tool: str
    messages: tuple[Mapping[str, JsonValue], ...]
    system_prompt: str
    max_tokens: int
    request: Mapping[str, JsonValue]
    caller: str = ""


@dataclass(frozen=True, slots=True)
class Sampled:
    """What is answered in the model's place.

    Attributes:
        stop_reason: Why it ends.
    """

    text: str
    model: str = "person"
    stop_reason: str = "endTurn"


@dataclass(frozen=True, slots=True)
class RootsRequest:
    """A server wants to know which folders it may work in."""

    server: str


@dataclass(frozen=True, slots=True)
class Root:
    """A folder that a server may work in.

    Attributes:
        uri: A `file://` address.
        name: What it is called; empty when it has no name.
    """

    uri: str
    name: str = ""


class Questions(Protocol):
    """Answers what servers ask. Cancelling the wait withdraws the question: nobody needs the answer any more."""

    async def fill_form(self, question: FormElicitation) -> Answer: ...

    async def visit(self, question: UrlElicitation) -> Answer: ...

    async def sample(self, question: SamplingRequest) -> Sampled | Declined:
        """Return what is answered in a model's place."""
        ...

    async def roots(self, question: RootsRequest) -> tuple[Root, ...]:
        """Return the folders that the server may know of; none without consent."""
        ...


class DeclineAll:
    """Decline everything: what is answered where no person is there to ask."""

    async def fill_form(self, question: FormElicitation) -> Answer:  # noqa: ARG002 -- nobody reads it
        return Declined()

    async def visit(self, question: UrlElicitation) -> Answer:  # noqa: ARG002 -- nobody reads it
        return Declined()

    async def sample(self, question: SamplingRequest) -> Sampled | Declined:  # noqa: ARG002 -- nobody reads it
        return Declined()

    async def roots(self, question: RootsRequest) -> tuple[Root, ...]:  # noqa: ARG002 -- nobody reads it
        return ()


class LeaveToClients(DeclineAll):
    """Decline what the client of a call does not answer itself; servers are told that they may ask."""
