"""The port to a model: what it is asked, what it streams back, and what goes wrong."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from tools.models.messages import Answer

if TYPE_CHECKING:
    from tools.models.messages import CallResults, UserMessage
    from tools.wire import Provider


class ModelRequest(NamedTuple):
    """What a model is asked.

    Attributes:
        model: As its provider names it.
        messages: The conversation, oldest first.
        tools: The value of `tools` in the provider's format.
        instructions: What holds for all of it; empty for nothing.
        may_call: Whether the model may call tools; else it has to answer.
        max_output_tokens: Most tokens of the answer; None leaves it to the provider.
    """

    model: str
    messages: tuple[UserMessage | Answer | CallResults, ...]
    tools: list[dict[str, Any]]
    instructions: str = ""
    may_call: bool = True
    max_output_tokens: int | None = None


class TextDelta(NamedTuple):
    """The next words of an answer."""

    text: str


class ThinkingDelta(NamedTuple):
    """The next words of what a model thinks."""

    text: str


AnswerDelta = TextDelta | ThinkingDelta | Answer
"""What an answer consists of while it comes; the whole answer is the last of them."""


class ModelProvider(Protocol):
    """Somebody who has models.

    A stream that ends without an `Answer` is one that was cut off. Whoever stops reading closes it.

    Attributes:
        name: What it is called on a command line.
        address: Where it is; empty where that does not matter.
        wire: How it is sent tools.
    """

    @property
    def name(self) -> str: ...

    @property
    def address(self) -> str: ...

    @property
    def wire(self) -> Provider: ...

    def stream(self, request: ModelRequest) -> AsyncGenerator[AnswerDelta, None]:
        """Ask a model, and yield its answer as it comes.

        Raises:
            ModelError: When there is no whole answer.
        """
        ...
