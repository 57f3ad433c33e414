"""What can be remembered of an answer, for which calls and for how long: values that know nothing of rules."""

from __future__ import annotations

from datetime import datetime, time, timedelta
from enum import StrEnum
from typing import Final, NamedTuple


class AnswerSpan(StrEnum):
    """For how long an answer counts."""

    ONCE = "once"
    SESSION = "session"
    HOUR = "hour"
    TODAY = "today"
    DATE = "date"
    ALWAYS = "always"


class OfferRow(NamedTuple):
    """One way to remember an answer.

    Attributes:
        key: Tells it from the others of its question.
        words: Which calls it is about, to stand behind `for`: `this tool with these arguments`.
        rule: The rule that allows these calls, word for word.
    """

    key: str
    words: str
    rule: str


class Remembering(NamedTuple):
    """What the person wants remembered.

    Attributes:
        span: For how long.
        offer: The key of the chosen offer; empty for this call only.
        until: When it ends; None when no date was chosen.
    """

    span: AnswerSpan
    offer: str = ""
    until: datetime | None = None


ONLY_THIS_CALL: Final = Remembering(AnswerSpan.ONCE)


class TrialRow(NamedTuple):
    """What a rule would have done to calls of the past.

    Attributes:
        matched: How many of them it would have allowed.
        total: Of how many.
        listed: Those that it would have allowed, one a line.
    """

    matched: int
    total: int
    listed: str


def expiry_of(choice: Remembering, now: datetime) -> datetime | None:
    """Return when a remembered answer ends; None when it does not by itself.

    Args:
        choice: What the person wants.
        now: The aware time that counts as now.
    """
    if choice.span is AnswerSpan.HOUR:
        return now + timedelta(hours=1)
    if choice.span is AnswerSpan.TODAY:
        local = now.astimezone()
        return datetime.combine(local.date() + timedelta(days=1), time(), local.tzinfo)
    return choice.until if choice.span is AnswerSpan.DATE else None


def span_words(span: AnswerSpan) -> str:
    """Say for how long, as the beginning of a sentence."""
    return _WORDS[span]


_WORDS: Final = {
    AnswerSpan.ONCE: "Only this call",
    AnswerSpan.SESSION: "This session",
    AnswerSpan.HOUR: "For 1 hour",
    AnswerSpan.TODAY: "Until the end of today",
    AnswerSpan.DATE: "Until a date",
    AnswerSpan.ALWAYS: "Always",
}
