"""What the Assistant page needs of the engine."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol

from PySide6.QtCore import SignalInstance

if TYPE_CHECKING:
    from console.assistant.rows import (
        BudgetAsk,
        CallChoice,
        ContextSettings,
        ContextShown,
        ConversationRow,
        ConversationTool,
        FoundWords,
        ModelRef,
        OpenedConversation,
        ProviderRow,
        TokenCount,
    )
    from tools.batch.past_calls import PlanOfCalls
    from tools.calls import ReviewRequest
    from tools.models.events import ConversationEvent, TaskEnded
    from tools.wire import Image


class WaitingQuestions(Protocol):
    """The questions that wait for the person."""

    @property
    def changed(self) -> SignalInstance:
        """(): questions came or went."""

    @property
    def open_requests(self) -> tuple[ReviewRequest, ...]:
        """The open questions, oldest first."""


class TalkEvent(NamedTuple):
    """Something happened in a conversation.

    Attributes:
        name: Which conversation.
        event: What.
    """

    name: str
    event: ConversationEvent | BudgetAsk


class AssistantPort(Protocol):
    """Hold conversations with models; whatever goes wrong is raised as a `ToolError` with a sentence."""

    @property
    def told(self) -> SignalInstance:
        """(list): what happened, as `TalkEvent`s, oldest first, at most 30 times a second."""

    async def conversations(self) -> Sequence[ConversationRow]:
        """Return the conversations that are kept, the newest first."""
        ...

    async def search(self, words: Sequence[str], /) -> Sequence[FoundWords]:
        """Return the conversations with a message that has all these words, which are case-folded."""
        ...

    async def open(self, name: str, /) -> OpenedConversation:
        """Return a conversation as it was kept."""
        ...

    async def rename(self, name: str, title: str, /) -> None:
        """Call a conversation otherwise."""
        ...

    async def put_aside(self, name: str, /) -> None:
        """Take a conversation off the list."""
        ...

    async def bring_back(self, name: str, /) -> None:
        """Put it on the list again."""
        ...

    async def providers(self) -> Sequence[ProviderRow]:
        """Return the providers; those on other computers are not asked anything."""
        ...

    async def keep_key(self, name: str, key: str, /) -> None:
        """Keep the key of a provider in the system's keyring.

        Raises:
            VaultError: There is no keyring, or it keeps nothing.
        """

    async def models_of(self, model: ModelRef, /) -> Sequence[str]:
        """Ask a provider for the names of its models."""
        ...

    async def prepare(self, name: str, model: ModelRef, tokens: int | None, /) -> str:
        """Make ready to talk with a model, and return what the conversation is called: a new one is begun for ""."""
        ...

    async def say(self, name: str, text: str, images: Sequence[Image], /) -> TaskEnded:
        """Say something, and return how the work on it ended."""
        ...

    async def go_on(self, name: str, /) -> TaskEnded:
        """Have what was said last answered."""
        ...

    def stop(self, name: str, /) -> None:
        """Stop the answer and the calls of a conversation."""

    async def branch(self, name: str, said: int, /) -> str:
        """Begin another conversation with what came before something that a person said, and return its name."""
        ...

    async def compare(self, name: str, title: str, model: ModelRef, /) -> str:
        """Begin a conversation with another model beside one that is prepared, and return its name.

        It begins with all that was said until now, and is prepared. Both are kept as a pair until one is chosen.
        """
        ...

    async def choose(self, name: str, /) -> None:
        """End the pair that a conversation belongs to; both are conversations like any other from now on."""
        ...

    async def offered(self, model: ModelRef | None, /) -> Sequence[ConversationTool]:
        """Return the tools that a conversation with a model can be offered."""
        ...

    async def usage(self, name: str, /) -> Sequence[TokenCount]:
        """Return what each turn of a conversation took, the oldest first."""
        ...

    async def context(self, name: str, model: ModelRef | None, /) -> ContextShown:
        """Return what would be sent next; of a new conversation for ""."""
        ...

    async def change_part(self, name: str, model: ModelRef, part: int, state: str, /) -> None:
        """Have a result `pinned`, `left_out`, or `sent` as its age says."""
        ...

    async def keep_part(self, name: str, model: ModelRef, part: int, turns: int | None, /) -> None:
        """Have a result sent for so many turns; negative is for ever, None leaves it to its tool."""
        ...

    def begin_with(self, settings: ContextSettings, /) -> None:
        """Have new conversations begin with these settings."""

    async def change_settings(self, name: str, model: ModelRef, settings: ContextSettings, /) -> None:
        """Have more or less of a conversation sent, and other instructions and rules."""
        ...

    async def summarise(self, name: str, model: ModelRef, /) -> None:
        """Have the model sum up the older turns."""
        ...

    async def change_summary(self, name: str, model: ModelRef, text: str, /) -> None:
        """Send other words in the place of the older turns; "" sends the turns again."""
        ...

    def answer_budget(self, name: str, larger: int | None, /) -> None:
        """Answer the question about the budget; None stops."""

    async def calls_of(self, name: str, /) -> Sequence[CallChoice]:
        """Return the calls of a conversation that ran, oldest first."""
        ...

    async def plan_of(self, name: str, chosen: Sequence[int], /) -> PlanOfCalls:
        """Return a plan that makes some of these calls again, by their numbers."""
        ...

    async def export(self, name: str, path: str, /) -> str:
        """Write a conversation as Markdown, JSON or a test, as the path ends; return what was done in a sentence."""
        ...
