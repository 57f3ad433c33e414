"""The index of tools that come and go."""

from __future__ import annotations

from collections.abc import Iterable
from threading import Lock
from typing import Generic, TypeVar

from tools.card import ToolFacts
from tools.search.documents import SearchDocument, document_of
from tools.search.index import SearchIndex

Found = TypeVar("Found", bound=ToolFacts)


class ToolIndex(Generic[Found]):
    """Index tools; one that was there before is not read again, for thousands take a second. Safe from any thread."""

    def __init__(self) -> None:
        self._documents: dict[str, tuple[Found, SearchDocument]] = {}
        self._index = SearchIndex(())
        self._lock = Lock()

    def update(self, tools: Iterable[Found]) -> tuple[tuple[Found, ...], SearchIndex]:
        """Return these tools and their index; each is read when the next one is asked for."""
        with self._lock:
            known, listed = self._documents, []
            self._documents = {}

            def documents() -> Iterable[SearchDocument]:
                for tool in tools:
                    former = known.get(tool.name)
                    document = former[1] if former is not None and former[0] is tool else document_of(tool)
                    self._documents[tool.name] = tool, document
                    listed.append(tool)
                    yield document

            self._index = SearchIndex(documents(), like=self._index)
            return tuple(listed), self._index
