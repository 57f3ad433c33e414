"""What a conversation tells while it goes on: frozen values, secrets of calls hidden."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from tools.errors import ModelError
from tools.models.messages import StopReason, Usage
from tools.models.port import TextDelta, ThinkingDelta


class AskedFor(NamedTuple):
    """A model asks for a call.

    Attributes:
        part: The id of its part in the session.
        arguments: As JSON text, secrets hidden.
        status: Where the call is: `pending`, or how it ended already, such as `not_found`.
    """

    part: int
    name: str
    arguments: str
    status: str
    call_id: str


class CallAnswered(NamedTuple):
    """A call that a model asked for ended.

    Attributes:
        part: The id of its part in the session.
        arguments: Those that ran, as JSON text, secrets hidden.
        text: The result or the error for people, secrets hidden.
        elapsed_s: Seconds it took, waiting included.
    """

    part: int
    name: str
    arguments: str
    status: str
    text: str
    elapsed_s: float
    call_id: str


class AnswerEnded(NamedTuple):
    """An answer is whole.

    Attributes:
        stop: Why the model wrote no further.
        total: Those of the whole conversation.
        cost: What the conversation cost so far; None when no price is known.
    """

    stop: StopReason
    usage: Usage
    total: Usage
    cost: float | None


class RequestRetried(NamedTuple):
    """The provider had no time; it is asked again.

    Attributes:
        wait_s: Seconds until then.
    """

    wait_s: float
    why: str


class TaskEnd(StrEnum):
    """How the work on what a person said ended."""

    ANSWERED = "answered"
    LENGTH = "length"
    """The answer reached its limit."""
    REFUSED = "refused"
    """The model or its provider refused to answer."""
    CALL_LIMIT = "call_limit"
    """The model went on calling when it had no calls left."""
    REQUEST_LIMIT = "request_limit"
    BUDGET = "budget"
    """A person did not agree to go past the budget."""
    STOPPED = "stopped"
    """A person stopped it."""
    FAILED = "failed"
    """The provider gave no answer."""


class TaskEnded(NamedTuple):
    """The work on what a person said is over.

    Attributes:
        text: The last words of the model.
        why: What kept it from an answer; empty for nothing.
        error: The provider's error, for those who have words of their own for what to do; None when there was none.
    """

    end: TaskEnd
    text: str = ""
    why: str = ""
    error: ModelError | None = None


class TurnsSummarised(NamedTuple):
    """Older turns are summed up, or sent as they were again.

    Attributes:
        turns: How many of the things that the person said the summary covers; 0 for none.
    """

    turns: int
    text: str


ConversationEvent = (
    TextDelta | ThinkingDelta | AskedFor | CallAnswered | AnswerEnded | RequestRetried | TurnsSummarised | TaskEnded
)
"""Everything that a conversation tells."""
