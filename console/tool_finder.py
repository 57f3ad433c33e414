"""The search engine beside the window: it reads the tools' cards, ranks and answers in another thread."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from console.responsiveness.heartbeat import yielding
from console.tasks import Compute
from console.tool_list import ToolList
from tools.card import ToolCard

if TYPE_CHECKING:
    from tools.registry import CardsChange
    from tools.search import SearchIndex, ToolIndex

_MOST_FURTHER: Final = 50
_LONGEST: Final = 200
"""How many letters of a query count: nobody types more, and what is pasted may be a book."""


class NamedThing(NamedTuple):
    """Anything but a tool that is found by the same engine."""

    name: str
    words: tuple[str, ...] = ()


class RelatedTools(NamedTuple):
    """Names of tools that mean about what was typed, best first.

    Attributes:
        named: Those whose names or keywords have each word, a synonym of it, or what it is misspelt for.
        further: The best of those that have the words anywhere.
    """

    named: tuple[str, ...] = ()
    further: tuple[str, ...] = ()


class _Index(NamedTuple):
    tools: tuple[ToolCard, ...]
    documents: SearchIndex


class ToolFinder:
    """Find tools by words, and other things with a name.

    The index is made when somebody first asks, and follows the tools when somebody asks again.

    Args:
        compute: Runs something in another thread.
        yield_to_ui: Lets the window go first, in that thread.
    """

    def __init__(self, tools: ToolList, compute: Compute, yield_to_ui: Callable[[], object]) -> None:
        self._tools = tools
        self._compute = compute
        self._yield_to_ui = yield_to_ui
        self._made: ToolIndex[ToolCard] | None = None
        self._index: _Index | None = None
        self._is_stale = True
        self._making = asyncio.Lock()
        self._things: tuple[tuple[NamedThing, ...], SearchIndex] | None = None
        self._unwatch = tools.watch(self._receive)

    def close(self) -> None:
        self._unwatch()

    def _receive(self, _: CardsChange) -> None:
        self._is_stale = True

    async def prepare(self) -> None:
        """Read what is new, so that the next answer comes at once."""
        await self._current()

    async def find(self, text: str, limit: int) -> list[str]:
        """Return the names of the tools that fit best, best first; the last word may be half typed."""
        index = await self._current()
        found: list[str] = await self._compute(_found, index, text[:_LONGEST], limit)
        return found

    async def related(self, text: str) -> RelatedTools:
        """Return the tools that mean about what was typed."""
        index = await self._current()
        found: RelatedTools = await self._compute(_related, index, text[:_LONGEST])
        return found

    async def nearest(self, text: str) -> str:
        """Return the name of the tool that is spelt most alike; empty when none is."""
        index = await self._current()
        found: str = await self._compute(_nearest, index, text[:_LONGEST])
        return found

    async def rank(self, things: Sequence[NamedThing], text: str, limit: int) -> list[int]:
        """Return where the things stand that fit best, best first."""
        found: list[int] = await self._compute(self._rank, tuple(things), text[:_LONGEST], limit)
        return found

    async def _current(self) -> _Index:
        async with self._making:
            if self._index is None or self._is_stale:
                self._is_stale = False
                self._index = await self._compute(self._make, tuple(self._tools))
            return self._index

    def _make(self, cards: tuple[ToolCard, ...]) -> _Index:
        from tools.search import ToolIndex  # noqa: PLC0415 -- the window is shown without it

        self._made = self._made or ToolIndex()
        return _Index(*self._made.update(yielding(cards, self._yield_to_ui)))

    def _rank(self, things: tuple[NamedThing, ...], text: str, limit: int) -> list[int]:
        from tools.search import SearchDocument, SearchIndex  # noqa: PLC0415 -- as above

        if self._things is None or self._things[0] != things:
            self._things = things, SearchIndex(SearchDocument(thing.name, thing.words) for thing in things)
        return _positions(self._things[1], text, limit)


def _positions(index: SearchIndex, text: str, limit: int) -> list[int]:
    from tools.search import CompositeStrategy, find  # noqa: PLC0415 -- as above

    return [hit.position for hit in find(index, text, limit=limit, strategy=CompositeStrategy.as_typed())]


def _found(index: _Index, text: str, limit: int) -> list[str]:
    return [index.tools[position].name for position in _positions(index.documents, text, limit)]


def _related(index: _Index, text: str) -> RelatedTools:
    from tools.search import NameWords, find  # noqa: PLC0415 -- as above

    tools, documents = index
    named = find(documents, text, limit=len(tools), strategy=NameWords()) if tools else []
    further = find(documents, text, limit=_MOST_FURTHER)
    return RelatedTools(*(tuple(tools[hit.position].name for hit in hits) for hits in (named, further)))


def _nearest(index: _Index, text: str) -> str:
    from rapidfuzz import fuzz, process  # noqa: PLC0415 -- as above

    found = process.extractOne(text, [tool.name for tool in index.tools], scorer=fuzz.ratio, score_cutoff=_ALIKE)
    return found[0] if found else ""


_ALIKE: Final = 40.0
