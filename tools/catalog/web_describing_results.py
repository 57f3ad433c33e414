"""What the tools that describe pages return."""

from __future__ import annotations

from dataclasses import dataclass

from tools.catalog._page_parts import PageTable


@dataclass(frozen=True)
class PageTables:
    """The tables of a page.

    Attributes:
        url: Where the page came from, after redirects.
        tables: The first that match, in the page's order.
        found: How many match in all.
        truncated: Whether tables or rows are missing here.
    """

    url: str
    tables: tuple[PageTable, ...]
    found: int
    truncated: bool


@dataclass(frozen=True)
class PageComparison:
    """How two pages differ.

    Attributes:
        same: Whether their text is the same.
        added: How many lines came.
        removed: How many lines went.
        diff: The difference as a unified diff; empty when there is none.
        truncated: Whether some of it is missing here.
    """

    same: bool
    added: int
    removed: int
    diff: str
    truncated: bool
