"""What the Assistant page is told from elsewhere: by conversations, and of questions that wait."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

from PySide6.QtCore import SignalInstance

if TYPE_CHECKING:
    from console.assistant.rows import BudgetAsk
    from tools.calls import ReviewRequest
    from tools.models.events import ConversationEvent


class WaitingQuestions(Protocol):
    """The questions that wait for the person."""

    @property
    def changed(self) -> SignalInstance:
        """(): questions came or went."""

    @property
    def open_requests(self) -> tuple[ReviewRequest, ...]:
        """The open questions, oldest first."""


class NamedConversationEvent(NamedTuple):
    """Something happened in a conversation."""

    name: str
    event: ConversationEvent | BudgetAsk
