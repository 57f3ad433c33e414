"""What is kept of conversations, as the Assistant page lists, opens and searches it."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from console.assistant.rows import Answered, Called, ConversationRow, Entry, FoundWords, Said, has_words, title_of
from console.language import translated
from console.widgets.matches import match_spans
from tools.errors import ConversationError
from tools.models import Answer, CallResults, StopReason, UserMessage
from tools.models.journal import ConversationFile, kept_files

if TYPE_CHECKING:
    from tools.models.journal import KeptConversation

_BEFORE: Final = 24
_AROUND: Final = 160
"""Letters that are shown of a message in which words were found, so many of them before the first word."""


class _Indexed(NamedTuple):
    """What is known of a file.

    Attributes:
        stamp: When it was written last, and how long it is.
        row: How it is listed; None when nothing was said in it.
    """

    stamp: tuple[int, int]
    row: ConversationRow | None
    texts: tuple[str, ...]


class ConversationIndex:
    """List and search the conversations of a folder; only files that changed since are read again."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._by_name: dict[str, _Indexed] = {}
        self._lock = threading.Lock()

    def rows(self) -> list[ConversationRow]:
        """Return the conversations in which something was said, the newest first."""
        rows = (one.row for one in self._looked().values() if one.row is not None)
        return sorted(rows, key=_at, reverse=True)

    def search(self, words: Sequence[str]) -> list[FoundWords]:
        """Return the conversations with a message that has all these words, with what stands around the first of them.

        Args:
            words: Case-folded.
        """
        found = []
        for name, one in self._looked().items():
            text = next((text for text in one.texts if has_words(text, words)), None)
            if text is not None:
                found.append(FoundWords(name, _excerpt(text, words)))
        return found

    def _looked(self) -> dict[str, _Indexed]:
        with self._lock:
            former, self._by_name = self._by_name, {}
            for file in kept_files(self._folder):
                try:
                    status = file.path.stat()
                except FileNotFoundError:
                    continue  # put aside just now
                stamp = status.st_mtime_ns, status.st_size
                known = former.get(file.name)
                if known is None or known.stamp != stamp:
                    known = _indexed(file, stamp)
                self._by_name[file.name] = known
            return self._by_name


def _indexed(file: ConversationFile, stamp: tuple[int, int]) -> _Indexed:
    at = datetime.fromtimestamp(stamp[0] / 1e9).astimezone()
    try:
        kept = file.read()
    except ConversationError as error:
        return _Indexed(stamp, ConversationRow(file.name, file.name, at, problem=translated(error)), ())
    said = sum(isinstance(message, UserMessage) for message in kept.messages)
    calls = sum(len(message.calls) for message in kept.messages if isinstance(message, Answer))
    texts = tuple(message.text for message in kept.messages if not isinstance(message, CallResults))
    return _Indexed(stamp, ConversationRow(file.name, title_kept(kept), at, said, calls) if said else None, texts)


def _at(row: ConversationRow) -> datetime:
    return row.at


def _excerpt(text: str, words: Sequence[str]) -> str:
    """Return on one line what stands around the first of some words."""
    first = match_spans(text, words)[:1]
    start = max(0, first[0][0] - _BEFORE) if first else 0
    if start:
        # A word is not cut in two, unless it is a very long one.
        space = text.find(" ", start, first[0][0])
        start = start if space < 0 else space + 1
    shown = " ".join(text[start : start + _AROUND].split())
    return f"{'…' if start else ''}{shown}{'…' if start + _AROUND < len(text) else ''}"


def title_kept(kept: KeptConversation) -> str:
    """Return what a conversation is called."""
    first = next((message.text for message in kept.messages if isinstance(message, UserMessage)), "")
    return kept.title or title_of(first)


def entries_of(kept: KeptConversation) -> Iterator[Entry]:
    """Return what was said and done in a conversation, oldest first."""
    said, model, at = 0, kept.begun.model, None
    for message in kept.messages:
        if isinstance(message, UserMessage):
            yield Said(said, message.text, len(message.images), _moment(message.at_s))
            said += 1
        elif isinstance(message, CallResults):
            for one in message.results:
                yield Called(one.part, one.name, one.arguments, one.status, one.text, one.elapsed_s, model=model, at=at)
        else:
            model, at = message.model or kept.begun.model, _moment(message.at_s)
            if message.text.strip():
                yield Answered(message.text, message.stop is StopReason.CUT_OFF, model, at)


def _moment(at_s: float) -> datetime | None:
    """Return a time of a file in local time; None when nobody noted it."""
    return datetime.fromtimestamp(at_s).astimezone() if at_s else None
