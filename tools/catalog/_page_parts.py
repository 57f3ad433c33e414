"""What a page says of itself, and its tables."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final
from urllib.parse import urljoin

from pydantic import JsonValue
from pydantic_core import from_json
from selectolax.lexbor import LexborHTMLParser, LexborNode

_SPACE: Final = re.compile(r"\s+")
_LONGEST: Final = 2000
_MOST: Final = 100
_MOST_CELLS: Final = 200_000
_WIDEST: Final = 200
_LARGEST_JSON_LD: Final = 100_000


@dataclass(frozen=True)
class PageMetadata:
    """What a page says of itself.

    Attributes:
        url: Where it came from, after redirects.
        title: Its title.
        description: Its description for search engines.
        language: Its language, such as en.
        canonical: The address it wants to be known by.
        author: Who wrote it.
        published: When it came, as it says.
        robots: What it asks search engines for, such as noindex.
        headings: Its headings of the first level.
        open_graph: What it tells social networks, by names such as og:image.
        twitter: What it tells X, by names such as twitter:card.
        json_ld: Its structured data in JSON-LD.
        alternates: Its versions in other languages, by language.
    """

    url: str
    title: str
    description: str
    language: str
    canonical: str
    author: str
    published: str
    robots: str
    headings: tuple[str, ...]
    open_graph: dict[str, str]
    twitter: dict[str, str]
    json_ld: tuple[JsonValue, ...]
    alternates: dict[str, str]


@dataclass(frozen=True)
class PageTable:
    """One table.

    Attributes:
        caption: Its caption; empty when it has none.
        header: The words of its header row; empty when it has none.
        rows: Its rows, below the header.
        found: How many rows it has in all.
    """

    caption: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    found: int

    @property
    def words(self) -> str:
        return "\n".join((self.caption, *self.header, *(cell for row in self.rows for cell in row))).casefold()


def metadata_of(html: str, url: str) -> PageMetadata:
    """Return what a page says of itself.

    Args:
        html: The page.
        url: Where it came from, which relative addresses start from.
    """
    tree = LexborHTMLParser(html)
    said: dict[str, str] = {}
    for node in tree.css("meta[content]"):
        name = node.attributes.get("property") or node.attributes.get("name") or node.attributes.get("itemprop")
        if name:
            said.setdefault(name.strip().lower()[:_MOST], _one_line(node.attributes.get("content") or ""))
    title = tree.css_first("title")
    root = tree.css_first("html")
    canonical = tree.css_first("link[rel=canonical][href]")
    alternates = {
        node.attributes.get("hreflang") or "": urljoin(url, node.attributes.get("href") or "")
        for node in tree.css("link[rel=alternate][hreflang][href]")[:_MOST]
    }
    return PageMetadata(
        url=url,
        title=_one_line(title.text()) if title is not None else "",
        description=said.get("description", ""),
        language=(root.attributes.get("lang") or "").strip() if root is not None else "",
        canonical=urljoin(url, canonical.attributes.get("href") or "") if canonical is not None else "",
        author=said.get("author", ""),
        published=said.get("article:published_time", "") or said.get("datepublished", "") or said.get("date", ""),
        robots=said.get("robots", ""),
        headings=tuple(_one_line(node.text(separator=" ")) for node in tree.css("h1")[:20]),
        open_graph=_starting(said, ("og:", "article:")),
        twitter=_starting(said, ("twitter:",)),
        json_ld=tuple(_json_ld(tree)),
        alternates=alternates,
    )


def _starting(said: dict[str, str], starts: tuple[str, ...]) -> dict[str, str]:
    return dict([(name, value) for name, value in said.items() if name.startswith(starts)][:_MOST])


def _json_ld(tree: LexborHTMLParser) -> Iterator[JsonValue]:
    left = _LARGEST_JSON_LD
    for node in tree.css('script[type="application/ld+json"]')[:_MOST]:
        text = node.text().strip()
        left -= len(text)
        if left < 0:
            return
        try:
            yield from_json(text, allow_inf_nan=False)
        except ValueError:
            # A page with a fault in one block still says what the others hold.
            continue


def _one_line(text: str) -> str:
    return _SPACE.sub(" ", text).strip()[:_LONGEST]


def tables_of(html: str) -> list[PageTable]:
    """Return the tables of a page; those that hold another table are layout and left out."""
    tree = LexborHTMLParser(html)
    tables = []
    for node in tree.css("table"):
        if all(inner.mem_id == node.mem_id for inner in node.css("table")):
            table = _table(node)
            if table.header or table.rows:
                tables.append(table)
    return tables


def _table(node: LexborNode) -> PageTable:
    caption = node.css_first("caption")
    rows: list[tuple[str, ...]] = []
    header: tuple[str, ...] = ()
    # What cells of earlier rows reach down to, by column: how many more rows, and the words.
    reaching: dict[int, tuple[int, str]] = {}
    cells = 0
    for line in node.css("tr"):
        found = [cell for cell in line.iter() if cell.tag in {"td", "th"}]
        row = _row(found, reaching)
        cells += len(row)
        if cells > _MOST_CELLS:
            break
        is_header = bool(found) and all(cell.tag == "th" for cell in found)
        if is_header and not header and not rows:
            header = row
        elif any(row):
            rows.append(row)
    return PageTable(
        _one_line(caption.text(separator=" ")) if caption is not None else "", header, tuple(rows), len(rows)
    )


def _row(cells: list[LexborNode], reaching: dict[int, tuple[int, str]]) -> tuple[str, ...]:
    row: list[str] = []

    def fill_down() -> None:
        while len(row) in reaching and len(row) < _WIDEST:
            left, words = reaching.pop(len(row))
            if left > 1:
                reaching[len(row)] = (left - 1, words)
            row.append(words)

    for cell in cells:
        fill_down()
        words = _one_line(cell.text(separator=" "))
        for _ in range(_span(cell, "colspan")):
            if len(row) >= _WIDEST:
                break
            if (down := _span(cell, "rowspan")) > 1:
                reaching[len(row)] = (down - 1, words)
            row.append(words)
    fill_down()
    return tuple(row)


def _span(cell: LexborNode, name: str) -> int:
    text = (cell.attributes.get(name) or "").strip()
    return min(max(int(text), 1), 1000) if text.isdecimal() and len(text) < 6 else 1  # noqa: PLR2004 -- no table is wider
