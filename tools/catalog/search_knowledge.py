"""Search and read Wikipedia and the sites of Stack Exchange."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated, Any, Final, Literal
from urllib.parse import quote

from annotated_types import Ge, Le
from pydantic import StringConstraints

from tools.catalog._answers import objects_at, part, plain, text_at, texts_at, whole_at
from tools.catalog._bounds import cut_text
from tools.catalog._services import Service, ServiceKey, WebServices
from tools.catalog.web_pages import read_page
from tools.context import ToolContext
from tools.declare import tool
from tools.declare.decorators import retry
from tools.errors import ToolFailure, TransientError
from tools.spec import Param, ToolExample

_STACK: Final = Service(
    "Stack Exchange",
    "https://api.stackexchange.com/2.3",
    ServiceKey("STACK_EXCHANGE_KEY", query="key", required=False),
)
_LONGEST_POST: Final = 20_000

Words = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=300)]
WikiLanguage = Annotated[
    str,
    StringConstraints(pattern=r"^[a-z]{2,12}(-[a-z]{2,12})?$"),
    Param("The language of the Wikipedia, as its address has it"),
]
Site = Annotated[
    str,
    StringConstraints(pattern=r"^[a-z0-9.]{2,60}$"),
    Param("The site as the API calls it, such as stackoverflow, serverfault, superuser or unix"),
]


@dataclass(frozen=True)
class Article:
    """An article that was found.

    Attributes:
        title: Its title, which read_wikipedia takes.
        url: Its address.
        snippet: The words that fit.
        words: How many words it has.
    """

    title: str
    url: str
    snippet: str
    words: int | None


@dataclass(frozen=True)
class Articles:
    """The articles that a search found.

    Attributes:
        articles: The first of them, the best first.
        found: How many there are in all.
        truncated: Whether some are missing here.
    """

    articles: tuple[Article, ...]
    found: int
    truncated: bool


@dataclass(frozen=True)
class ArticleText:
    """An article, or a piece of it.

    Attributes:
        title: Its title, after redirects.
        url: Its address.
        text: Its text from `start` on, with headings between equals signs.
        start: The first character's place in the whole text.
        characters: How long the whole text is.
        truncated: Whether text follows that is not here.
    """

    title: str
    url: str
    text: str
    start: int
    characters: int
    truncated: bool


@dataclass(frozen=True)
class Question:
    """One question.

    Attributes:
        id: Its number, which read_stack_exchange takes.
        title: Its title.
        url: Its address.
        score: Votes for it less those against it.
        answers: How many answers it has.
        accepted: Whether who asked accepted one.
        tags: What it is about.
        asked_at: When it was asked; None when the site does not say.
    """

    id: int
    title: str
    url: str
    score: int
    answers: int
    accepted: bool
    tags: tuple[str, ...]
    asked_at: datetime | None


@dataclass(frozen=True)
class FoundQuestions:
    """The questions that a search found.

    Attributes:
        questions: The first of them.
        truncated: Whether there are more.
    """

    questions: tuple[Question, ...]
    truncated: bool


@dataclass(frozen=True)
class GivenAnswer:
    """One answer.

    Attributes:
        text: What it says, without markup.
        score: Votes for it less those against it.
        accepted: Whether who asked accepted it.
        url: Its address.
    """

    text: str
    score: int
    accepted: bool
    url: str


@dataclass(frozen=True)
class Thread:
    """A question with its answers.

    Attributes:
        question: The question.
        text: What is asked, without markup.
        answers: The answers, the accepted one first, then those with the most votes.
        truncated: Whether there are more answers, or a text was cut.
        licence: What others may do with the texts.
    """

    question: Question
    text: str
    answers: tuple[GivenAnswer, ...]
    truncated: bool
    licence: str = "CC BY-SA; name the authors and link the question"


class Knowledge:
    """Search and read what many people wrote together."""

    _services: WebServices

    @tool(
        keywords=("wikipedia", "encyclopedia", "search", "articles"),
        latency="medium",
        probe={"query": "SQLite", "limit": 1},
        probe_on_request=True,
        needs=("Wikipedia",),
        untried=True,
        read_only=True,
        open_world=True,
        timeout_s=60,
        examples=(
            ToolExample(input={"query": "merkle tree"}, description="Articles about a subject"),
            ToolExample(input={"query": "Merkle-Baum", "language": "de", "limit": 3}, description="In German"),
        ),
    )
    @retry(max_attempts=2, retry_on=(TransientError,))
    async def search_wikipedia(
        self,
        query: Annotated[Words, Param("The words to look for")],
        *,
        language: WikiLanguage = "en",
        limit: Annotated[int, Ge(1), Le(50), Param("The most articles to return")] = 10,
        ctx: ToolContext,
    ) -> Articles:
        """Search Wikipedia and return titles, addresses and snippets; read_wikipedia reads an article."""
        answer = await self._services.json(
            ctx,
            _wikipedia(language),
            "/w/api.php",
            query={
                "action": "query",
                "list": "search",
                "srsearch": query,
                "srlimit": limit,
                "format": "json",
                "formatversion": 2,
            },
        )
        _need_no_error(answer)
        articles = tuple(
            Article(
                title=text_at(item, "title"),
                url=f"https://{language}.wikipedia.org/wiki/{quote(text_at(item, 'title').replace(' ', '_'))}",
                snippet=plain(text_at(item, "snippet")),
                words=whole_at(item, "wordcount"),
            )
            for item in objects_at(answer, "query", "search")[:limit]
        )
        found = whole_at(answer, "query", "searchinfo", "totalhits") or len(articles)
        return Articles(articles, found, found > len(articles))

    @tool(
        keywords=("wikipedia", "encyclopedia", "article", "read"),
        latency="medium",
        probe={"title": "SQLite"},
        probe_on_request=True,
        needs=("Wikipedia",),
        untried=True,
        read_only=True,
        open_world=True,
        timeout_s=60,
        examples=(
            ToolExample(input={"title": "Merkle tree"}, description="Read an article"),
            ToolExample(
                input={"title": "Hash-Baum", "language": "de", "introduction_only": True},
                description="The introduction of a German one",
            ),
        ),
    )
    @retry(max_attempts=2, retry_on=(TransientError,))
    async def read_wikipedia(
        self,
        title: Annotated[Words, Param("The article's title; redirects are followed")],
        *,
        language: WikiLanguage = "en",
        introduction_only: Annotated[
            bool, Param("Whether only what stands before the first heading is wanted")
        ] = False,
        start: Annotated[int, Ge(0), Param("The first character wanted, to read on in a long article")] = 0,
        max_characters: Annotated[
            int, Ge(1), Le(200_000), Param("The most text to return", unit="characters")
        ] = 20_000,
        ctx: ToolContext,
    ) -> ArticleText:
        """Read an article of Wikipedia as plain text."""
        answer = await self._services.json(
            ctx,
            _wikipedia(language),
            "/w/api.php",
            query={
                "action": "query",
                "prop": "extracts|info",
                "explaintext": 1,
                "exintro": 1 if introduction_only else None,
                "inprop": "url",
                "redirects": 1,
                "titles": title,
                "format": "json",
                "formatversion": 2,
            },
        )
        _need_no_error(answer)
        page = part(answer, "query", "pages", 0)
        if page is None or part(page, "missing") or part(page, "invalid"):
            raise ToolFailure(f"the Wikipedia in {language!r} has no article {title!r}; search_wikipedia finds titles")
        text = text_at(page, "extract")
        piece = text[start : start + max_characters]
        return ArticleText(
            text_at(page, "title"),
            text_at(page, "fullurl"),
            piece,
            start,
            len(text),
            start + len(piece) < len(text),
        )

    @tool(
        keywords=("stack overflow", "stackoverflow", "questions", "programming", "error", "search"),
        latency="medium",
        probe={"query": "sqlite", "limit": 1},
        probe_on_request=True,
        needs=("Stack Exchange",),
        untried=True,
        read_only=True,
        open_world=True,
        timeout_s=60,
        examples=(
            ToolExample(
                input={"query": "asyncio event loop is closed", "tags": ["python"], "limit": 5},
                description="FoundQuestions about an error",
            ),
            ToolExample(
                input={"query": "systemd timer not firing", "site": "unix", "accepted_only": True},
                description="Answered ones of another site",
            ),
        ),
    )
    @retry(max_attempts=2, retry_on=(TransientError,))
    async def search_stack_exchange(
        self,
        query: Annotated[Words, Param("The words to look for")],
        *,
        site: Site = "stackoverflow",
        tags: Annotated[tuple[str, ...], Param("Tags that a question must have")] = (),
        accepted_only: Annotated[bool, Param("Whether only questions with an accepted answer are wanted")] = False,
        sort: Annotated[Literal["relevance", "votes", "activity", "creation"], Param("What comes first")] = "relevance",
        limit: Annotated[int, Ge(1), Le(50), Param("The most questions to return")] = 10,
        ctx: ToolContext,
    ) -> FoundQuestions:
        """Search the questions of Stack Overflow or another site of Stack Exchange; read_stack_exchange reads one.

        STACK_EXCHANGE_KEY, if it is set, allows more requests a day.
        """
        answer = await self._services.json(
            ctx,
            _STACK,
            "/search/advanced",
            query={
                "q": query,
                "site": site,
                "tagged": ";".join(tags),
                "accepted": "True" if accepted_only else None,
                "sort": sort,
                "order": "desc",
                "pagesize": limit,
            },
        )
        items = objects_at(answer, "items")
        return FoundQuestions(
            tuple(_question(item) for item in items[:limit]), bool(part(answer, "has_more")) or len(items) > limit
        )

    @tool(
        keywords=("stack overflow", "stackoverflow", "question", "answers", "read"),
        latency="medium",
        probe={"question": 231767},
        probe_on_request=True,
        needs=("Stack Exchange",),
        untried=True,
        read_only=True,
        open_world=True,
        timeout_s=60,
        examples=(
            ToolExample(input={"question": 231767}, description="A question with its best answers"),
            ToolExample(
                input={"question": 1, "site": "superuser", "limit": 1}, description="One answer from another site"
            ),
        ),
    )
    @retry(max_attempts=2, retry_on=(TransientError,))
    async def read_stack_exchange(
        self,
        question: Annotated[int, Ge(1), Param("The question's number")],
        *,
        site: Site = "stackoverflow",
        limit: Annotated[int, Ge(1), Le(30), Param("The most answers to return")] = 5,
        ctx: ToolContext,
    ) -> Thread:
        """Read a question of Stack Exchange with its best answers as plain text."""
        asked = await self._services.json(
            ctx, _STACK, f"/questions/{question}", query={"site": site, "filter": "withbody"}
        )
        found = part(asked, "items", 0)
        if found is None:
            raise ToolFailure(f"{site} has no question {question}; search_stack_exchange finds questions")
        given = await self._services.json(
            ctx,
            _STACK,
            f"/questions/{question}/answers",
            query={"site": site, "filter": "withbody", "sort": "votes", "order": "desc", "pagesize": limit},
        )
        text, cut = _prose(found, ctx)
        answers = []
        for item in objects_at(given, "items")[:limit]:
            words, shortened = _prose(item, ctx)
            cut = cut or shortened
            place = whole_at(item, "answer_id") or 0
            answers.append(
                GivenAnswer(
                    words,
                    whole_at(item, "score") or 0,
                    bool(part(item, "is_accepted")),
                    f"{text_at(found, 'link')}#{place}",
                )
            )
        answers.sort(key=lambda answer: not answer.accepted)
        return Thread(_question(found), text, tuple(answers), cut or bool(part(given, "has_more")))


def _wikipedia(language: str) -> Service:
    return Service("Wikipedia", f"https://{language}.wikipedia.org")


def _need_no_error(answer: Any) -> None:
    if code := text_at(answer, "error", "code"):
        raise ToolFailure(f"Wikipedia refused the request ({code}: {plain(text_at(answer, 'error', 'info'), 300)})")


def _question(item: dict[str, Any]) -> Question:
    created = whole_at(item, "creation_date")
    return Question(
        id=whole_at(item, "question_id") or 0,
        title=plain(text_at(item, "title"), 300),
        url=text_at(item, "link"),
        score=whole_at(item, "score") or 0,
        answers=whole_at(item, "answer_count") or 0,
        accepted=part(item, "accepted_answer_id") is not None,
        tags=texts_at(item, "tags"),
        asked_at=datetime.fromtimestamp(created, UTC) if created is not None and 0 < created < 1 << 33 else None,
    )


def _prose(item: dict[str, Any], ctx: ToolContext) -> tuple[str, bool]:
    return cut_text(read_page(text_at(item, "body"), "https://stackexchange.com/").text, _LONGEST_POST, ctx)
