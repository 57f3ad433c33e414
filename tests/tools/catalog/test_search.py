"""The tools that search, on the shapes of answers that the providers document, with values of our own."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.tools.catalog.calling import call, failure_of, result_of
from tests.tools.catalog.services import FakeServices
from tests.tools.catalog.web_server import Page
from tools.catalog.search import Search

KEY = "sesame-0123456789"
BRAVE = "https://api.search.brave.com/res/v1/web/search"
HITS = {
    "brave": (
        "BRAVE_API_KEY",
        BRAVE,
        {
            "type": "search",
            "web": {
                "type": "search",
                "results": [
                    {
                        "title": "A lamp",
                        "url": "https://lamps.example/a",
                        "description": "A <strong>lamp</strong> &amp; more",
                        "age": "2 days ago",
                    }
                ],
            },
        },
    ),
    "tavily": (
        "TAVILY_API_KEY",
        "https://api.tavily.com/search",
        {
            "query": "lamp",
            "answer": None,
            "images": [],
            "results": [
                {
                    "title": "A lamp",
                    "url": "https://lamps.example/a",
                    "content": "A lamp & more",
                    "score": 0.9,
                    "raw_content": None,
                    "published_date": "2 days ago",
                }
            ],
            "response_time": 1.2,
        },
    ),
    "serpapi": (
        "SERPAPI_API_KEY",
        "https://serpapi.com/search.json",
        {
            "search_metadata": {"status": "Success"},
            "organic_results": [
                {
                    "position": 1,
                    "title": "A lamp",
                    "link": "https://lamps.example/a",
                    "snippet": "A lamp & more",
                    "date": "2 days ago",
                }
            ],
        },
    ),
    "searxng": (
        "SEARXNG_URL",
        "https://search.example/search",
        {
            "query": "lamp",
            "number_of_results": 1,
            "results": [
                {
                    "title": "A lamp",
                    "url": "https://lamps.example/a",
                    "content": "A lamp & more",
                    "engine": "x",
                    "publishedDate": "2 days ago",
                }
            ],
        },
    ),
}
SENT: dict[str, dict[str, Any]] = {
    "brave": {"q": "lamp site:lamps.example", "count": "5", "freshness": "pm", "search_lang": "de"},
    "tavily": {"query": "lamp", "max_results": 5, "include_domains": ["lamps.example"], "time_range": "month"},
    "serpapi": {
        "engine": "google",
        "q": "lamp site:lamps.example",
        "num": "5",
        "hl": "de",
        "tbs": "qdr:m",
        "api_key": KEY,
    },
    "searxng": {"q": "lamp site:lamps.example", "format": "json", "language": "de", "time_range": "month"},
}


@pytest.mark.reference("C49")
@pytest.mark.parametrize("provider", list(HITS))
def test_every_provider_is_asked_in_its_way_and_answers_in_ours(
    others: FakeServices, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, provider: str
) -> None:
    variable, address, answer = HITS[provider]
    monkeypatch.setenv(variable, "https://search.example" if provider == "searxng" else KEY)
    others.answers(address, answer)

    found = result_of(
        Search(others.services),
        "web_search",
        {"query": "lamp", "limit": 5, "site": "lamps.example", "recency": "month", "language": "de"},
        tmp_path,
    )

    assert found.provider == provider
    (hit,) = found.hits
    assert (hit.title, hit.url, hit.snippet, hit.published) == (
        "A lamp",
        "https://lamps.example/a",
        "A lamp & more",
        "2 days ago",
    )
    sent = json.loads(others.last.body) if others.last.body else others.query
    assert sent == SENT[provider]
    shown = {"brave": "x-subscription-token", "tavily": "authorization"}.get(provider)
    assert shown is None or others.last.headers[shown].endswith(KEY)


def test_without_any_key_the_search_says_which_would_do(others: FakeServices, tmp_path: Path) -> None:
    message = failure_of(Search(others.services), "web_search", {"query": "x"}, tmp_path)

    assert "BRAVE_API_KEY, TAVILY_API_KEY, SERPAPI_API_KEY or SEARXNG_URL" in message
    message = failure_of(Search(others.services), "web_search", {"query": "x", "provider": "brave"}, tmp_path)
    assert "set the environment variable BRAVE_API_KEY" in message
    assert others.server.seen == []


def _said(status: int, body: Any = "", **headers: str) -> Page:
    content = body if isinstance(body, str) else json.dumps(body)
    return Page(content.encode(), "application/json", status, tuple(headers.items()))


@pytest.mark.parametrize(
    ("page", "message"),
    [
        (_said(401, {"error": {"detail": "bad token"}}), "not accept the key in BRAVE_API_KEY (401: bad token); renew"),
        (_said(403, {"message": "plan too small"}), "may not do that at Brave Search (403: plan too small); give it"),
        (Page(status=429, headers=(("retry-after", "7"),)), "allows no more requests for now (429); try again in 7 s"),
        (_said(422, {"error": {"detail": "bad country"}}), "the request (422: bad country); change what it names"),
        (_said(404, "<html>gone</html>"), "has nothing at /api.search.brave.com/res/v1/web/search (404)"),
        (_said(503, "<html>down</html>"), "Brave Search is out of order (503); try again later"),
        (_said(200, "<html>hello</html>"), "not answer with JSON, but with '<html>hello</html>'; try again later"),
        (_said(302, location="http://127.0.0.1/"), "a private address, which needs a person's permission"),
        (_said(302, location=f"https://elsewhere.invalid/?k={KEY}"), "cannot be found"),
        (_said(400, {"message": f"no such key: {KEY}"}), "refused the request (400: no such key: ••••"),
        (Page(b" " * 9_000_000, "application/json"), "answered with more than 8.0 MB; ask for less at a time"),
    ],
)
def test_a_refusal_says_what_to_do_and_never_the_key(
    others: FakeServices, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, page: Page, message: str
) -> None:
    monkeypatch.setenv("BRAVE_API_KEY", KEY)
    others.answers(BRAVE, page)

    response = call(Search(others.services), "web_search", {"query": "lamp"}, tmp_path)

    assert response.error is not None
    assert message in response.error.message
    assert KEY not in response.error.message + str(response.logs)


@pytest.mark.parametrize(("status", "times"), [(503, 2), (429, 1), (401, 1)])
def test_only_what_may_pass_by_itself_is_asked_again(
    others: FakeServices, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, status: int, times: int
) -> None:
    monkeypatch.setenv("BRAVE_API_KEY", KEY)
    others.answers(BRAVE, "", status=status)

    failure_of(Search(others.services), "web_search", {"query": "lamp"}, tmp_path)

    assert len(others.server.seen) == times


@pytest.mark.parametrize("answer", [None, 7, [], {}, {"web": None}, {"web": {"results": [None, 1, {"title": 5}]}}])
def test_an_answer_of_another_shape_is_no_crash(
    others: FakeServices, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, answer: Any
) -> None:
    monkeypatch.setenv("BRAVE_API_KEY", KEY)
    others.answers(BRAVE, answer)

    assert len(result_of(Search(others.services), "web_search", {"query": "lamp"}, tmp_path).hits) <= 1


def test_wikipedia_is_searched_and_read(others: FakeServices, tmp_path: Path) -> None:
    search = Search(others.services)
    others.answers(
        "https://de.wikipedia.org/w/api.php",
        {
            "batchcomplete": True,
            "query": {
                "searchinfo": {"totalhits": 12},
                "search": [
                    {
                        "ns": 0,
                        "title": "Grüne Lampe",
                        "pageid": 3,
                        "size": 700,
                        "wordcount": 90,
                        "snippet": 'Eine <span class="searchmatch">Lampe</span>',
                        "timestamp": "2026-01-02T03:04:05Z",
                    }
                ],
            },
        },
    )
    found = result_of(search, "search_wikipedia", {"query": "Lampe", "language": "de"}, tmp_path)
    assert (found.articles[0].title, found.articles[0].snippet, found.found, found.truncated) == (
        "Grüne Lampe",
        "Eine Lampe",
        12,
        True,
    )
    assert found.articles[0].url == "https://de.wikipedia.org/wiki/Gr%C3%BCne_Lampe"

    others.answers(
        "https://de.wikipedia.org/w/api.php",
        {
            "query": {
                "pages": [{"pageid": 3, "title": "Grüne Lampe", "extract": "0123456789", "fullurl": "https://de.x/y"}]
            }
        },
    )
    page = result_of(
        search,
        "read_wikipedia",
        {"title": "Grüne Lampe", "language": "de", "start": 2, "max_characters": 3, "introduction_only": True},
        tmp_path,
    )
    assert (page.text, page.characters, page.truncated, others.query["exintro"]) == ("234", 10, True, "1")

    others.answers("https://de.wikipedia.org/w/api.php", {"query": {"pages": [{"title": "Nix", "missing": True}]}})
    assert "has no article 'Nix'" in failure_of(search, "read_wikipedia", {"title": "Nix", "language": "de"}, tmp_path)
    others.answers("https://en.wikipedia.org/w/api.php", {"error": {"code": "ratelimited", "info": "slow down"}})
    assert "(ratelimited: slow down)" in failure_of(search, "search_wikipedia", {"query": "x"}, tmp_path)


def test_the_language_of_a_wikipedia_is_no_way_to_another_host(others: FakeServices, tmp_path: Path) -> None:
    response = call(Search(others.services), "search_wikipedia", {"query": "x", "language": "evil.example/"}, tmp_path)

    assert response.status.value == "rejected"
    assert others.server.seen == []


QUESTION = {
    "tags": ["python", "lamps"],
    "owner": {"display_name": "x"},
    "is_answered": True,
    "accepted_answer_id": 12,
    "answer_count": 2,
    "score": 5,
    "creation_date": 1700000000,
    "question_id": 11,
    "link": "https://stackoverflow.com/questions/11/how",
    "title": "How &quot;bright&quot;?",
    "body": "<p>Why <code>lamp()</code>?</p>",
}


def test_questions_are_searched_and_read_with_their_answers(others: FakeServices, tmp_path: Path) -> None:
    search = Search(others.services)
    start = "https://api.stackexchange.com/2.3"
    others.answers(f"{start}/search/advanced", {"items": [QUESTION], "has_more": True, "quota_remaining": 9})
    found = result_of(
        search,
        "search_stack_exchange",
        {"query": "lamp", "tags": ["a", "b"], "accepted_only": True},
        tmp_path,
    )
    assert (found.questions[0].title, found.questions[0].accepted, found.truncated) == ('How "bright"?', True, True)
    assert (others.query["tagged"], others.query["accepted"], others.query["site"]) == ("a;b", "True", "stackoverflow")

    others.answers(f"{start}/questions/11", {"items": [QUESTION]})
    others.answers(
        f"{start}/questions/11/answers",
        {
            "items": [
                {"answer_id": 13, "score": 9, "is_accepted": False, "body": "<p>No.</p>"},
                {"answer_id": 12, "score": 3, "is_accepted": True, "body": "<p>Yes.</p>"},
            ],
            "has_more": False,
        },
    )
    thread = result_of(search, "read_stack_exchange", {"question": 11}, tmp_path)
    assert thread.text == "Why lamp()?"
    assert [(answer.text, answer.accepted) for answer in thread.answers] == [("Yes.", True), ("No.", False)]
    assert not thread.truncated

    others.answers(f"{start}/questions/11", {"items": []})
    assert "has no question 11" in failure_of(search, "read_stack_exchange", {"question": 11}, tmp_path)
    others.answers(
        f"{start}/questions/11", {"error_id": 502, "error_message": "too many requests", "error_name": "x"}, status=400
    )
    assert "(400: too many requests)" in failure_of(search, "read_stack_exchange", {"question": 11}, tmp_path)


ATOM = """<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xmlns:arxiv="http://arxiv.org/schemas/atom"
 xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/">
 <title>ArXiv Query</title><opensearch:totalResults>40</opensearch:totalResults>
 <entry><id>http://arxiv.org/abs/2601.00001v2</id><updated>2026-01-03T00:00:00Z</updated>
 <published>2026-01-01T00:00:00Z</published><title>Lamps and
  light</title><summary>  We light lamps.</summary>
 <author><name>A. Uthor</name></author><author><name>B. Uthor</name></author>
 <arxiv:doi>10.1000/x</arxiv:doi><link href="http://arxiv.org/abs/2601.00001v2" rel="alternate" type="text/html"/>
 <link title="pdf" href="http://arxiv.org/pdf/2601.00001v2" rel="related" type="application/pdf"/>
 <arxiv:primary_category term="cs.LG"/><category term="cs.LG"/></entry></feed>"""
REFUSED = """<feed xmlns="http://www.w3.org/2005/Atom"><title>x</title><entry>
<id>http://arxiv.org/api/errors#incorrect_id_format_for_x</id><title>Error</title>
<summary>incorrect id format for x</summary></entry></feed>"""


def test_arxiv_is_searched(others: FakeServices, tmp_path: Path) -> None:
    search = Search(others.services)
    others.answers("https://export.arxiv.org/api/query", ATOM, kind="application/atom+xml")

    found = result_of(search, "search_arxiv", {"query": "all:lamps", "sort": "submitted"}, tmp_path)

    (paper,) = found.papers
    assert (paper.id, paper.title, paper.authors) == ("2601.00001v2", "Lamps and light", ("A. Uthor", "B. Uthor"))
    assert (paper.category, paper.pdf_url, paper.doi) == ("cs.LG", "http://arxiv.org/pdf/2601.00001v2", "10.1000/x")
    assert (paper.abstract, found.found, found.truncated) == ("We light lamps.", 40, True)
    assert others.query["sortBy"] == "submittedDate"


@pytest.mark.parametrize(
    ("arguments", "answer", "message"),
    [
        ({"ids": ["x"]}, REFUSED, "arXiv refused the query (incorrect id format for x)"),
        ({"query": "x"}, "<html></html>", "did not answer with a feed"),
        ({}, "", "give query or ids"),
    ],
)
def test_what_arxiv_refuses_is_told(
    others: FakeServices, tmp_path: Path, arguments: dict[str, Any], answer: str, message: str
) -> None:
    others.answers("https://export.arxiv.org/api/query", answer, kind="application/atom+xml")

    assert message in failure_of(Search(others.services), "search_arxiv", arguments, tmp_path)


WORK = {
    "DOI": "10.1000/lamp",
    "title": ["On <i>lamps</i>"],
    "author": [{"given": "Ada", "family": "Light", "sequence": "first"}, {"name": "The Lamp Group"}],
    "container-title": ["Journal of Lamps"],
    "publisher": "Lamp Press",
    "published": {"date-parts": [[2021, 3]]},
    "type": "journal-article",
    "URL": "https://doi.org/10.1000/lamp",
    "abstract": "<jats:p>We light.</jats:p>",
    "is-referenced-by-count": 7,
}


@pytest.mark.parametrize("query", ["10.1000/lamp", "https://doi.org/10.1000/lamp", "doi: 10.1000/lamp"])
def test_a_doi_is_looked_up(others: FakeServices, tmp_path: Path, query: str) -> None:
    others.answers("https://api.crossref.org/works/10.1000%2Flamp", {"status": "ok", "message": WORK})

    found = result_of(Search(others.services), "find_publications", {"query": query}, tmp_path)

    (work,) = found.publications
    assert (work.title, work.authors, work.container) == (
        "On lamps",
        ("Ada Light", "The Lamp Group"),
        "Journal of Lamps",
    )
    assert (work.published, work.abstract, work.cited_by) == ("2021-03", "We light.", 7)


def test_publications_are_found_by_words(others: FakeServices, tmp_path: Path) -> None:
    others.answers("https://api.crossref.org/works", {"message": {"total-results": 90, "items": [WORK, {}]}})

    found = result_of(Search(others.services), "find_publications", {"query": "lamps", "since_year": 2020}, tmp_path)

    assert (len(found.publications), found.found, found.truncated) == (2, 90, True)
    assert (others.query["query.bibliographic"], others.query["filter"]) == ("lamps", "from-pub-date:2020")
