"""What the Assistant page shows: frozen values about models, conversations and what was said in them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import date, datetime
from typing import Any, Final, NamedTuple

from pydantic import TypeAdapter, ValidationError

from console.language import dated, tr, tr_count
from tools.retention import DEFAULT_TURNS_TO_KEEP

CONTEXT_TOKENS: Final = 64_000
"""What a model is taken to read at once until a person says otherwise: no provider tells it in all formats."""

_TITLE_LETTERS: Final = 60
_WEEK_DAYS: Final = 7


class ModelRef(NamedTuple):
    """A model that a conversation can be held with.

    Attributes:
        model: The model, as its provider names it.
        address: Where the provider is; empty for its usual address.
        key_name: The variable or entry of the keyring with the key for another address; empty for the provider's own.
    """

    provider: str
    model: str
    address: str = ""
    key_name: str = ""

    @property
    def written(self) -> str:
        """The same on one line, as it is kept."""
        return json.dumps(tuple(self))


def model_ref(written: str) -> ModelRef | None:
    """Return what `written` kept; None when it kept nothing that can be read."""
    try:
        parts = json.loads(written)
    except (ValueError, RecursionError):
        return None
    whole = isinstance(parts, list) and len(parts) == len(ModelRef._fields)
    return ModelRef(*parts) if whole and all(isinstance(part, str) for part in parts) else None


class ProviderRow(NamedTuple):
    """A provider that can be used.

    Attributes:
        models: Those that it named by itself: of servers on this computer alone.
        has_key: Whether its key is there, or it needs none.
        key_name: The environment variable or entry of the keyring with its key; empty when it needs none.
    """

    name: str
    title: str
    models: tuple[str, ...] = ()
    needs_address: bool = False
    has_key: bool = True
    key_name: str = ""


class ConversationRow(NamedTuple):
    """A conversation in the list.

    Attributes:
        name: What its file is called.
        at: When something was last said, in local time.
        turns: How often a person said something.
        calls: How many calls the model made.
        problem: Why it cannot be read; empty when it can.
        is_running: Whether the model is at work.
        found: What stands around the words that a message was found by; empty when it was not found by any.
    """

    name: str
    title: str
    at: datetime
    turns: int = 0
    calls: int = 0
    problem: str = ""
    is_running: bool = False
    is_waiting: bool = False
    found: str = ""

    def words(self, now: datetime) -> str:
        """Return the second line: what was found, or the time of today, turns, and calls or what goes on."""
        if self.found:
            return self.found
        if self.problem:
            return tr("Cannot be read")
        turns = tr_count(self.turns, "1 turn", "{count} turns")
        calls = tr_count(self.calls, "1 tool call", "{count} tool calls") if self.calls else tr("no tool calls")
        state = tr("waiting for you") if self.is_waiting else tr("answering") if self.is_running else calls
        time = f"{self.at:%H:%M} · " if self.at.date() == now.date() else ""
        return f"{time}{turns} · {state}"


class FoundWords(NamedTuple):
    """A conversation with a message that has all words that were searched for.

    Attributes:
        name: What its file is called.
        excerpt: What stands around the first of the words.
    """

    name: str
    excerpt: str


def has_words(text: str, words: Sequence[str]) -> bool:
    """Say whether a text has all these words, which are case-folded."""
    folded = text.casefold()
    return all(word in folded for word in words)


def day_words(day: date, today: date) -> str:
    """Return the heading that the conversations of a day stand under."""
    days = (today - day).days
    if days <= 0:
        return tr("Today")
    if days == 1:
        return tr("Yesterday")
    if days < _WEEK_DAYS:
        return tr("This week")
    return tr("Last week") if days < 2 * _WEEK_DAYS else dated(day, "%B %Y")


def said_time(at: datetime, now: datetime) -> str:
    """Return when something was said: the time of today, with the date before that."""
    if at.date() == now.date():
        return f"{at:%H:%M}"
    return f"{at.day} {dated(at, '%b, %H:%M' if at.year == now.year else '%b %Y, %H:%M')}"


class Said(NamedTuple):
    """What a person said.

    Attributes:
        number: Which of the things that the person said, from 0.
        pictures: How many pictures came with them.
        at: When, in local time; None when nobody noted it.
    """

    number: int
    text: str
    pictures: int = 0
    at: datetime | None = None


class Answered(NamedTuple):
    """What the model wrote.

    Attributes:
        is_cut: Whether it was stopped or broke off.
        model: The model, as its provider names it; empty when nobody noted it.
        at: When, in local time; None when nobody noted it.
    """

    text: str
    is_cut: bool = False
    model: str = ""
    at: datetime | None = None


class Called(NamedTuple):
    """A call that the model made.

    Attributes:
        part: The id of its result in the conversation; 0 when it never ran.
        arguments: As JSON text, secrets hidden.
        status: How it stands, such as `executed`.
        text: The result or what went wrong; empty until then.
        elapsed_s: Seconds it took; None until then.
        call_id: Its id in the history; empty when that is not known any more.
        model: The model, as its provider names it; empty when nobody noted it.
        at: When the model asked for it, in local time; None when nobody noted it.
    """

    part: int
    name: str
    arguments: str
    status: str
    text: str = ""
    elapsed_s: float | None = None
    call_id: str = ""
    model: str = ""
    at: datetime | None = None


Entry = Said | Answered | Called
"""One thing in a conversation."""


class TokenCount(NamedTuple):
    """What a conversation, or one turn of it, took.

    Attributes:
        cached: The part of those it read that the provider still knew.
        cost: In the currency of the provider; None when it does not say.
    """

    read: int = 0
    written: int = 0
    cached: int = 0
    cost: float | None = None
    estimated: bool = False


class OpenedConversation(NamedTuple):
    """A conversation as it was kept.

    Attributes:
        name: What its file is called.
        entries: What was said and done, oldest first.
        other: The conversation that answers the same beside it; empty when none does.
        is_second: Whether it is the second of both.
        took_s: Seconds from what the person said last to the end of the answer; None when nobody noted it.
        is_unanswered: Whether the model owes an answer to what was said last, or the end of it.
    """

    name: str
    title: str
    entries: tuple[Entry, ...]
    model: ModelRef
    used: TokenCount
    other: str = ""
    is_second: bool = False
    took_s: float | None = None
    is_unanswered: bool = False


class ContextRow(NamedTuple):
    """A part of what is sent next.

    Attributes:
        kind: `instructions`, `tools`, `summary`, `user`, `answer` or `result`.
        tokens: About how many it takes.
        part: The id of a result, by which it is pinned or dropped; 0 for the others.
        state: `sent`, `pinned`, `summarised` or `left_out`.
        turns_left: For how many further turns a result is sent; None is for ever.
    """

    kind: str
    label: str
    tokens: int
    part: int = 0
    state: str = "sent"
    turns_left: int | None = None


class ContextSettings(NamedTuple):
    """What a person set about what is sent.

    Attributes:
        instructions: What holds for all answers.
        always: What the model must always do.
        never: What it must never do.
        turns_to_keep: For how many turns a result is sent whose tool does not say; negative is for ever.
        tokens: About how many tokens the model reads at once; 0 when nobody knows.
        summarises: Whether older turns are summed up when what is sent comes near to that.
        without: The tools that the model is not offered.
        on_demand: Whether many tools are searched for; else all are sent.
    """

    instructions: str = ""
    always: tuple[str, ...] = ()
    never: tuple[str, ...] = ()
    turns_to_keep: int = DEFAULT_TURNS_TO_KEEP
    tokens: int = CONTEXT_TOKENS
    summarises: bool = True
    without: tuple[str, ...] = ()
    on_demand: bool = True

    @property
    def written(self) -> str:
        """The same on one line, as it is kept."""
        return json.dumps(self._asdict())


_SETTINGS: Final = TypeAdapter(ContextSettings)


def settings_of(written: str) -> ContextSettings | None:
    """Return what `ContextSettings.written` kept; None when it kept nothing that can be read."""
    try:
        return _SETTINGS.validate_json(written)
    except ValidationError:
        return None


class ContextShown(NamedTuple):
    """What is sent next of a conversation.

    Attributes:
        summary: What is sent in the place of the oldest turns; empty when all are sent.
    """

    rows: tuple[ContextRow, ...]
    settings: ContextSettings = ContextSettings()
    summary: str = ""


class ConversationTool(NamedTuple):
    """A tool that a conversation can be offered.

    Attributes:
        tokens: About how many tokens its definition takes.
    """

    name: str
    toolkit: str
    description: str
    tokens: int


class CallChoice(NamedTuple):
    """A call of a conversation that can be made again.

    Attributes:
        number: Which of them it is, from 0.
        arguments: As JSON text, secrets hidden.
    """

    number: int
    name: str
    arguments: str


class BudgetAsk(NamedTuple):
    """The next request would pass the budget of a conversation; the person is asked.

    Attributes:
        used: Tokens until now.
        expected: Tokens that the request is expected to take.
        budget: Tokens that it may take in all.
        larger: The budget that a yes gives.
    """

    used: int
    expected: int
    budget: int
    larger: int


def title_of(text: str) -> str:
    """Return the title of a conversation that begins with these words."""
    line = " ".join(text.split())
    return (line if len(line) <= _TITLE_LETTERS else f"{line[: _TITLE_LETTERS - 1]}…") or tr("New conversation")


def arguments_line(arguments: str) -> str:
    """Return arguments as a card shows them on one line."""
    try:
        values: Any = json.loads(arguments)
    except (ValueError, RecursionError):
        return " ".join(arguments.split())
    if not isinstance(values, dict):
        return " ".join(arguments.split())
    return "  ".join(f"{name}={json.dumps(value, ensure_ascii=False)}" for name, value in values.items())
