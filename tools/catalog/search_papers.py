"""Search papers on arXiv and publications at Crossref."""

from __future__ import annotations

import asyncio
import io
import re
from dataclasses import dataclass
from typing import Annotated, Any, Final, Literal
from urllib.parse import quote

from annotated_types import Ge, Le
from pydantic import StringConstraints

from tools.catalog._answers import objects_at, part, plain, text_at, whole_at
from tools.catalog._services import Service, WebServices
from tools.context import ToolContext
from tools.declare import tool
from tools.declare.decorators import rate_limit, retry
from tools.errors import ToolFailure, TransientError
from tools.spec import Param, ToolExample

_ARXIV: Final = Service("arXiv", "https://export.arxiv.org/api")
_CROSSREF: Final = Service("Crossref", "https://api.crossref.org")
_DOI: Final = re.compile(r"(?:https?://(?:dx\.)?doi\.org/|doi:\s*)?(10\.\d{4,9}/\S+)", re.IGNORECASE)
_MOST_AUTHORS: Final = 50
_LONGEST_ABSTRACT: Final = 4_000

Words = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=400)]


@dataclass(frozen=True)
class Paper:
    """One paper on arXiv.

    Attributes:
        id: Its number with its version, such as 1706.03762v7.
        title: Its title.
        authors: Who wrote it, the first fifty.
        abstract: Its abstract.
        published: When its first version came, as arXiv writes it.
        updated: When this version came.
        category: Its main category, such as cs.CL.
        url: Its page.
        pdf_url: Its PDF; empty when there is none.
        doi: Its DOI; empty when it has none.
    """

    id: str
    title: str
    authors: tuple[str, ...]
    abstract: str
    published: str
    updated: str
    category: str
    url: str
    pdf_url: str
    doi: str


@dataclass(frozen=True)
class FoundPapers:
    """The papers that a search found.

    Attributes:
        papers: The first of them.
        found: How many there are in all.
        truncated: Whether some are missing here.
    """

    papers: tuple[Paper, ...]
    found: int
    truncated: bool


@dataclass(frozen=True)
class Publication:
    """One publication at Crossref.

    Attributes:
        doi: Its DOI.
        title: Its title.
        authors: Who wrote it, the first fifty.
        container: The journal, book or proceedings it stands in; empty when there is none.
        publisher: Who published it.
        published: The year, month and day as far as they are known, such as 2021-03.
        type: Such as journal-article.
        url: Where it is found.
        abstract: Its abstract; empty when Crossref has none.
        cited_by: How many publications cite it, as far as Crossref knows.
    """

    doi: str
    title: str
    authors: tuple[str, ...]
    container: str
    publisher: str
    published: str
    type: str
    url: str
    abstract: str
    cited_by: int | None


@dataclass(frozen=True)
class Publications:
    """The publications that were found.

    Attributes:
        publications: The first of them, the best first.
        found: How many there are in all.
        truncated: Whether some are missing here.
    """

    publications: tuple[Publication, ...]
    found: int
    truncated: bool


class Papers:
    """Search what researchers published."""

    _services: WebServices

    @tool(
        keywords=("arxiv", "papers", "preprints", "research", "science", "search"),
        latency="medium",
        probe={"query": "all:sqlite", "limit": 1},
        probe_on_request=True,
        needs=("arXiv",),
        untried=True,
        read_only=True,
        open_world=True,
        timeout_s=90,
        examples=(
            ToolExample(
                input={"query": "all:retrieval AND cat:cs.IR", "sort": "submitted", "limit": 5},
                description="The newest of a category",
            ),
            ToolExample(input={"ids": ["1706.03762"]}, description="One paper by its number"),
        ),
    )
    @rate_limit(requests=1, per_s=3.0)
    @retry(max_attempts=2, retry_on=(TransientError,))
    async def search_arxiv(
        self,
        query: Annotated[
            str, Param("Words, or arXiv's own fields such as ti:, au:, abs: and cat: joined by AND, OR, ANDNOT")
        ] = "",
        *,
        ids: Annotated[tuple[str, ...], Param("Numbers of papers wanted, such as 1706.03762")] = (),
        sort: Annotated[Literal["relevance", "submitted", "updated"], Param("What comes first")] = "relevance",
        start: Annotated[int, Ge(0), Le(10_000), Param("How many hits are passed over, to read on")] = 0,
        limit: Annotated[int, Ge(1), Le(100), Param("The most papers to return")] = 10,
        ctx: ToolContext,
    ) -> FoundPapers:
        """Search arXiv for papers and return titles, authors and abstracts; download_file gets a PDF.

        One request every three seconds, as arXiv asks.
        """
        if not query.strip() and not ids:
            raise ToolFailure("expected words or numbers of papers, got neither; give query or ids")
        order = {"relevance": "relevance", "submitted": "submittedDate", "updated": "lastUpdatedDate"}[sort]
        answer = await self._services.ask(
            ctx,
            _ARXIV,
            "/query",
            query={
                "search_query": query,
                "id_list": ",".join(ids),
                "start": start,
                "max_results": limit,
                "sortBy": order,
                "sortOrder": "descending",
            },
        )
        papers, found = await asyncio.to_thread(_papers, answer.body)
        return FoundPapers(tuple(papers[:limit]), found, start + min(len(papers), limit) < found)

    @tool(
        keywords=("doi", "crossref", "citation", "journal", "publications", "bibliography"),
        latency="medium",
        probe={"query": "10.1145/359545.359563"},
        probe_on_request=True,
        needs=("Crossref",),
        untried=True,
        read_only=True,
        open_world=True,
        timeout_s=60,
        examples=(
            ToolExample(input={"query": "10.1145/359545.359563"}, description="What a DOI stands for"),
            ToolExample(
                input={"query": "distributed snapshots Chandy Lamport", "limit": 3}, description="A work by its words"
            ),
        ),
    )
    @retry(max_attempts=2, retry_on=(TransientError,))
    async def find_publications(
        self,
        query: Annotated[Words, Param("A DOI, with or without doi.org before it, or words such as title and author")],
        *,
        since_year: Annotated[int | None, Ge(1000), Le(9999), Param("Only what was published in or after it")] = None,
        limit: Annotated[int, Ge(1), Le(50), Param("The most publications to return")] = 10,
        ctx: ToolContext,
    ) -> Publications:
        """Look up a DOI, or find publications by words, with authors, journal, date and citations, at Crossref."""
        if doi := _DOI.fullmatch(query):
            answer = await self._services.json(ctx, _CROSSREF, f"/works/{quote(doi[1], safe='')}")
            return Publications((_publication(part(answer, "message")),), 1, truncated=False)
        answer = await self._services.json(
            ctx,
            _CROSSREF,
            "/works",
            query={
                "query.bibliographic": query,
                "rows": limit,
                "filter": f"from-pub-date:{since_year}" if since_year else None,
            },
        )
        works = objects_at(answer, "message", "items")[:limit]
        found = whole_at(answer, "message", "total-results") or len(works)
        return Publications(tuple(_publication(work) for work in works), found, found > len(works))


def _papers(body: bytes) -> tuple[list[Paper], int]:
    """Return the papers of an Atom feed and how many arXiv found."""
    import feedparser  # noqa: PLC0415 -- takes a tenth of a second, and few calls need it

    feed = feedparser.parse(io.BytesIO(body))
    entries = feed.entries
    if entries and "api/errors" in entries[0].get("id", ""):
        raise ToolFailure(f"arXiv refused the query ({plain(entries[0].get('summary', ''), 300)}); change it")
    if not feed.version:
        raise TransientError("arXiv did not answer with a feed; try again later")
    total = str(feed.feed.get("opensearch_totalresults", ""))
    return [_paper(entry) for entry in entries], int(total) if total.isdecimal() else len(entries)


def _paper(entry: Any) -> Paper:
    page = entry.get("id", "")
    pdf = next((link.get("href", "") for link in entry.get("links", ()) if link.get("title") == "pdf"), "")
    return Paper(
        id=page.rpartition("/abs/")[2],
        title=plain(entry.get("title", ""), 500),
        authors=tuple(author.get("name", "") for author in entry.get("authors", ())[:_MOST_AUTHORS]),
        abstract=plain(entry.get("summary", ""), _LONGEST_ABSTRACT),
        published=entry.get("published", ""),
        updated=entry.get("updated", ""),
        category=(entry.get("arxiv_primary_category") or {}).get("term", ""),
        url=page,
        pdf_url=pdf,
        doi=entry.get("arxiv_doi", ""),
    )


def _publication(work: Any) -> Publication:
    authors = (
        " ".join(filter(None, (text_at(author, "given"), text_at(author, "family")))) or text_at(author, "name")
        for author in objects_at(work, "author")[:_MOST_AUTHORS]
    )
    dates = part(work, "published", "date-parts", 0) or part(work, "issued", "date-parts", 0) or []
    return Publication(
        doi=text_at(work, "DOI"),
        title=plain(text_at(work, "title", 0), 500),
        authors=tuple(filter(None, authors)),
        container=plain(text_at(work, "container-title", 0), 300),
        publisher=plain(text_at(work, "publisher"), 300),
        published="-".join(f"{number:02d}" for number in dates if isinstance(number, int)),
        type=text_at(work, "type"),
        url=text_at(work, "URL"),
        abstract=plain(text_at(work, "abstract"), _LONGEST_ABSTRACT),
        cited_by=whole_at(work, "is-referenced-by-count"),
    )
