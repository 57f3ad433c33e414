"""What a conversation with a model consists of, before any provider's format; each can be written and read back."""

from __future__ import annotations

from enum import StrEnum
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, JsonValue

from tools.wire import Image, ReceivedCall, read_arguments


class StopReason(StrEnum):
    """Why a model wrote no further."""

    ENDED = "ended"
    CALLS = "calls"
    LENGTH = "length"
    """The limit of the answer or of the context window is reached."""
    REFUSED = "refused"
    PAUSED = "paused"
    """The provider's own tools took long; the same messages go on."""
    CUT_OFF = "cut_off"
    """The answer was stopped, or the connection ended, before the model was done."""


class _Value(BaseModel):
    model_config = ConfigDict(frozen=True, ser_json_bytes="base64", val_json_bytes="base64")


class Usage(_Value):
    """The tokens of one answer, as its provider counted them.

    Attributes:
        input_tokens: What was read, the cached part included.
        output_tokens: What was written, thinking included.
        cached_tokens: The part of the input that the provider still knew.
        thinking_tokens: The part of the output that was thinking, where the provider says so.
        cost: What the provider itself charged, in its currency; None when it does not say.
        estimated: Whether the provider gave no figures, so that these are estimates.
    """

    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    thinking_tokens: int = 0
    cost: float | None = None
    estimated: bool = False

    @property
    def tokens(self) -> int:
        return self.input_tokens + self.output_tokens

    def __add__(self, other: Usage) -> Usage:
        """Return both together; a cost is known as far as one of them has one."""
        costs = [cost for cost in (self.cost, other.cost) if cost is not None]
        return Usage(
            input_tokens=self.input_tokens + other.input_tokens,
            output_tokens=self.output_tokens + other.output_tokens,
            cached_tokens=self.cached_tokens + other.cached_tokens,
            thinking_tokens=self.thinking_tokens + other.thinking_tokens,
            cost=sum(costs) if costs else None,
            estimated=self.estimated or other.estimated,
        )


class UserMessage(_Value):
    """What a person says.

    Attributes:
        images: The pictures that come with them.
        at_s: When it was kept, in seconds since the epoch; 0 when nobody noted that.
    """

    kind: Literal["user"] = "user"
    text: str
    images: tuple[Image, ...] = ()
    at_s: float = 0.0


class AskedCall(_Value):
    """A call that a model asks for.

    Attributes:
        id: What its result has to name; empty where the provider gives none. No two of an answer are the same.
        name: The tool's name on the wire.
        arguments: As JSON text, as the model wrote it.
        server: The MCP server whose tool it is, which the provider calls itself once a person allows it; empty for
            ours.
    """

    id: str
    name: str
    arguments: str
    server: str = ""

    @property
    def received(self) -> ReceivedCall:
        """The same as `tools.wire` has it."""
        return ReceivedCall(self.id, self.name, read_arguments(self.arguments))


class Answer(_Value):
    """What a model wrote at once.

    Attributes:
        thinking: What it thought, as far as the provider shows it.
        stop: Why it wrote no further.
        model: The model, as its provider names it.
        protocol: The format that `raw` has.
        raw: The message as the provider sent it, so that it gets back what only itself can read, such as the signature
            of a thought; empty when it is not known any more.
        at_s: When it was kept, in seconds since the epoch; 0 when nobody noted that.
    """

    kind: Literal["answer"] = "answer"
    text: str = ""
    thinking: str = ""
    calls: tuple[AskedCall, ...] = ()
    stop: StopReason = StopReason.ENDED
    usage: Usage = Usage()
    model: str = ""
    protocol: str = ""
    raw: tuple[dict[str, JsonValue], ...] = ()
    at_s: float = 0.0


class CallResult(_Value):
    """What a model is told of a call that it asked for.

    Attributes:
        part: The id of its part in the session; 0 when it never came to one.
        arguments: Those that ran, as JSON text, secrets hidden.
        status: How the call ended, such as `executed`.
        text: The result, or what went wrong.
        is_error: Whether the call did not succeed.
        error_kind: The kind of the error, such as `max_iterations` of a call that was skipped; empty for none.
        structured: The result as a JSON object; None when it is none.
        images: The pictures among the attachments.
        attached: The other attachments, a few words each.
        turns_to_keep: For how many turns it is sent, as its tool says; negative is for ever, None leaves it to the
            conversation.
        elapsed_s: Seconds that the call took, waiting included; for people.
    """

    part: int
    name: str
    arguments: str
    status: str
    text: str
    is_error: bool = False
    error_kind: str = ""
    structured: dict[str, Any] | None = None
    images: tuple[Image, ...] = ()
    attached: tuple[str, ...] = ()
    turns_to_keep: int | None = None
    elapsed_s: float = 0.0


class CallResults(_Value):
    """The results of all calls of the answer before, in its order."""

    kind: Literal["results"] = "results"
    results: tuple[CallResult, ...]


class TurnsSummary(_Value):
    """What is sent in the place of the oldest turns, which are kept all the same.

    Attributes:
        turns: How many of the things that a person said it covers, with all that followed each; 0 for none.
        usage: The tokens that it took to write.
    """

    kind: Literal["summary"] = "summary"
    turns: int
    text: str = ""
    usage: Usage = Usage()
