"""The conversations that are open: what was said in each, and which of them are in sight."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from console.assistant.rows import Answered, BudgetAsk, Called, OpenedConversation, Said
from tools.models.events import TaskEnd, TaskEnded

if TYPE_CHECKING:
    from datetime import datetime


class OpenConversation:
    """A conversation while the program runs."""

    def __init__(self, opened: OpenedConversation, title: str = "") -> None:
        self.name = opened.name
        self.title = title or opened.title
        self.entries = list(opened.entries)
        self.used = opened.used
        self.model = opened.model
        self.other = opened.other
        self.is_second = opened.is_second
        self.began: datetime | None = None
        self.took_s = opened.took_s
        self.words: list[str] = []
        self.words_at: datetime | None = None
        self.is_running = False
        self.ended = TaskEnded(TaskEnd.STOPPED) if opened.is_unanswered else None
        self.budget: BudgetAsk | None = None
        self.place_by_part = {one.part: at for at, one in enumerate(self.entries) if isinstance(one, Called)}

    @property
    def said(self) -> int:
        return sum(isinstance(entry, Said) for entry in self.entries)

    def take_words(self, *, is_cut: bool = False) -> None:
        if self.words:
            self.entries.append(Answered("".join(self.words), is_cut, self.model.model, self.words_at))
            self.words = []

    def put(self, call: Called) -> None:
        """Keep a call, or how it stands now."""
        place = self.place_by_part.get(call.part)
        if place is None:
            self.place_by_part[call.part] = len(self.entries)
            self.entries.append(call)
        else:
            self.entries[place] = call

    def call(self, call_id: str) -> Called | None:
        found = (self.entries[place] for place in self.place_by_part.values())
        return next((one for one in found if isinstance(one, Called) and one.call_id == call_id), None)


class OpenConversations:
    """Hold the open conversations.

    Attributes:
        current: The conversation that is shown, the first of a pair; None for a new one.
        pair: Both conversations that stand side by side; empty while one stands alone.
    """

    def __init__(self) -> None:
        self._by_name: dict[str, OpenConversation] = {}
        self.current: OpenConversation | None = None
        self.pair: tuple[OpenConversation, ...] = ()

    def __iter__(self) -> Iterator[OpenConversation]:
        return iter(self._by_name.values())

    def get(self, name: str) -> OpenConversation | None:
        return self._by_name.get(name)

    def put(self, talk: OpenConversation) -> None:
        """Keep a conversation; one of the same name is let go."""
        self._by_name[talk.name] = talk

    def keep_first(self, talk: OpenConversation) -> OpenConversation:
        """Keep a conversation, unless it is open already; return the one that is kept."""
        return self._by_name.setdefault(talk.name, talk)

    def drop(self, name: str) -> None:
        self._by_name.pop(name, None)

    @property
    def shown(self) -> tuple[OpenConversation, ...]:
        """The conversations in sight: one, or two side by side."""
        return self.pair or (() if self.current is None else (self.current,))

    def show(self, talk: OpenConversation | None) -> None:
        """Have a conversation in sight, with the one that answers beside it; None for a new one."""
        beside = None if talk is None else self.get(talk.other)
        self.pair = () if talk is None or beside is None else tuple(sorted((talk, beside), key=_is_second))
        self.current = self.pair[0] if self.pair else talk

    def part(self, talk: OpenConversation) -> None:
        """End the pair that a conversation belongs to."""
        for one in (talk, self.get(talk.other)):
            if one is not None:
                one.other = ""


def _is_second(talk: OpenConversation) -> bool:
    return talk.is_second
