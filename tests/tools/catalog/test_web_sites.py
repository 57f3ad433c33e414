"""The tools that visit sites, against a real server on this computer."""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.tools.catalog.calling import Reviewer, failure_of, result_of
from tests.tools.catalog.web_server import LocalServer, Page, Seen, local_server
from tools.catalog._page_parts import tables_of
from tools.catalog._robots import parse_robots
from tools.catalog.web import Web


@pytest.fixture
def server() -> Iterator[LocalServer]:
    with local_server() as local:
        yield local


def _asked(server: LocalServer, tool: str, tmp_path: Path, path: str = "/", **more: Any) -> Any:
    return result_of(Web(), tool, {"url": server.url(path), **more}, tmp_path, Reviewer())


def _site(server: LocalServer, **pages: str) -> None:
    for name, links in pages.items():
        anchors = "".join(f'<a href="{link}">to {link}</a>' for link in links.split())
        path = "/" if name == "index" else f"/{name}"
        server.pages[path] = Page(f"<title>{name}</title><p>The page {name}.</p>{anchors}".encode())


def test_a_site_is_crawled_nearest_first_as_robots_allow(server: LocalServer, tmp_path: Path) -> None:
    _site(server, index="/a /hidden/x /a#part mailto:x@y https://elsewhere.invalid/", a="/b /missing", b="/c", c="/d")
    server.pages["/robots.txt"] = Page(b"User-agent: *\nDisallow: /hidden/\n", "text/plain")

    found = _asked(server, "crawl_site", tmp_path, max_depth=2, max_characters=5, delay_s=0)

    assert [(page.title, page.depth, page.text) for page in found.pages] == [
        ("index", 0, "The p"),
        ("a", 1, "The p"),
        ("b", 2, "The p"),
    ]
    assert (found.forbidden, found.waiting, found.truncated) == (1, 0, False)
    assert [(link.url, "404" in link.reason) for link in found.failed] == [(server.url("/missing"), True)]


def test_a_crawl_stays_below_its_folder_and_within_its_limits(server: LocalServer, tmp_path: Path) -> None:
    server.pages["/docs/"] = Page(b"<a href='a'>a</a><a href='b'>b</a><a href='/top'>t</a>")
    server.pages["/docs/a"] = server.pages["/docs/b"] = Page(b"<p>x</p>")

    found = _asked(server, "crawl_site", tmp_path, "/docs/", max_pages=2, delay_s=0)

    assert [page.url for page in found.pages] == [server.url("/docs/"), server.url("/docs/a")]
    assert (found.waiting, found.truncated) == (1, True)


@pytest.mark.parametrize(("status", "allowed"), [(404, True), (403, True), (500, False)])
def test_a_missing_robots_txt_allows_all_and_a_broken_one_nothing(
    server: LocalServer, tmp_path: Path, status: int, *, allowed: bool
) -> None:
    server.pages["/robots.txt"] = Page(status=status)

    found = _asked(server, "check_robots", tmp_path, "/page")

    assert (found.allowed, found.unavailable) == (allowed, not allowed)


def test_the_rule_that_decides_is_named(server: LocalServer, tmp_path: Path) -> None:
    server.pages["/robots.txt"] = Page(
        b"Sitemap: https://x.example/s.xml\nUser-agent: bot\nCrawl-delay: 2\nDisallow: /a", "text/plain"
    )

    found = _asked(server, "check_robots", tmp_path, "/a/b?c=d", agent="Bot")

    assert (found.allowed, found.rule, found.group, found.delay_s) == (False, "Disallow: /a", "bot", 2.0)
    assert found.sitemaps == ("https://x.example/s.xml",)


@pytest.mark.parametrize(
    ("rules", "path", "allowed"),
    [
        ("Disallow: /", "/robots.txt", True),
        ("Disallow: /a\nAllow: /a/b", "/a/b/c", True),
        ("Disallow: /a\nAllow: /a", "/a", True),
        ("Disallow:", "/a", True),
        ("Disallow: /*.pdf$", "/x/y.pdf", False),
        ("Disallow: /*.pdf$", "/x/y.pdf?z", True),
        ("Disallow: /a$", "/ab", True),
        ("Disallow: /*?x=", "/q?y=1&x=", True),
        ("Disallow: /*x=", "/q?y=1&x=", False),
        ("Disallow: /caf%C3%A9", "/café", False),
        ("Disallow: " + "/*a" * 600, "/" + "a" * 2000, True),
        ("Disallow: /%7Ejoe", "/~joe/x", False),
    ],
)
def test_rules_are_read_as_the_standard_says(rules: str, path: str, *, allowed: bool) -> None:
    assert parse_robots(f"User-agent: *\n{rules}").group_for("me").allows(path) is allowed


def test_a_program_with_rules_of_its_own_is_bound_by_them_only() -> None:
    robots = parse_robots(
        "User-agent: a\nUser-agent: b\nDisallow: /x\n\nUser-agent: *\nDisallow: /\nUser-agent: b\nDisallow: /y"
    )

    assert [robots.group_for("b").allows(path) for path in ("/x", "/y", "/z")] == [False, False, True]
    assert not robots.group_for("c").allows("/z")


INDEX = """<?xml version="1.0"?><sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
<sitemap><loc>{one}</loc></sitemap><sitemap><loc>{two}</loc></sitemap></sitemapindex>"""
URLSET = """<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>https://x.example/a</loc>
<lastmod>2026-01-01</lastmod></url><url><loc>https://x.example/Blog/b</loc></url></urlset>"""


def test_a_sitemap_is_found_and_followed_to_its_parts(server: LocalServer, tmp_path: Path) -> None:
    index = INDEX.format(one=server.url("/one.xml.gz"), two=server.url("/two.txt"))
    server.pages["/robots.txt"] = Page(f"Sitemap: {server.url('/map.xml')}".encode(), "text/plain")
    server.pages["/map.xml"] = Page(index.encode(), "application/xml")
    server.pages["/one.xml.gz"] = Page(gzip.compress(URLSET.encode()), "application/gzip")
    server.pages["/two.txt"] = Page(b"https://x.example/blog/c\nhttps://x.example/d\n", "text/plain")

    found = _asked(server, "read_sitemap", tmp_path)
    assert [(page.url, page.changed) for page in found.pages] == [
        ("https://x.example/a", "2026-01-01"),
        ("https://x.example/Blog/b", ""),
        ("https://x.example/blog/c", ""),
        ("https://x.example/d", ""),
    ]
    assert (found.found, found.sitemaps, found.truncated) == (4, 3, False)

    some = _asked(server, "read_sitemap", tmp_path, containing="blog", limit=1)
    assert (len(some.pages), some.found, some.truncated) == (1, 2, True)


BOMB = """<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa">]><urlset><url><loc>&a;</loc></url></urlset>"""


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (BOMB.encode(), "is no sitemap"),
        (b"<html></html>", "XML with <html> at its top"),
        (b"no address here", "expected XML, or an address on each line"),
        (gzip.compress(b" " * 21_000_000), "holds more than 20,000,000 bytes"),
        (b"\x1f\x8bxx", "cannot be unpacked"),
    ],
)
def test_what_is_no_sitemap_is_told(server: LocalServer, tmp_path: Path, body: bytes, message: str) -> None:
    server.pages["/sitemap.xml"] = Page(body, "application/xml")

    assert message in failure_of(Web(), "read_sitemap", {"url": server.url("/sitemap.xml")}, tmp_path, Reviewer())


def _no_head(seen: Seen) -> Page:
    return Page(status=405) if seen.method == "HEAD" else Page(b"ok")


def test_links_of_a_page_that_lead_nowhere_are_found(server: LocalServer, tmp_path: Path) -> None:
    server.pages["/"] = Page(
        b'<h1 id="top-1">T</h1><a href="#top-1">a</a><a href="#nowhere">b</a><a href="/good">c</a>'
        b'<a href="/gone">Gone</a><a href="/no-head">d</a><img src="/missing.png"><a href="mailto:x@y.z">e</a>'
        b'<a href="http://localhost:1/">private</a>'
    )
    server.pages["/good"] = Page()
    server.pages["/no-head"] = _no_head

    report = _asked(server, "check_links", tmp_path)

    assert [(link.url, link.text, link.reason) for link in report.broken] == [
        ("#nowhere", "b", "the text has no such anchor"),
        (server.url("/gone"), "Gone", "404 Not Found"),
        (server.url("/missing.png"), "", "404 Not Found"),
    ]
    assert (report.checked, report.left_out, report.truncated) == (7, 2, False)


def test_links_of_a_markdown_file_are_checked_without_asking_for_files(server: LocalServer, tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "guide.md").write_text("x")
    (tmp_path / "docs" / "index.md").write_text(
        "# The Start!\n\n## Same\n\n## Same\n\n[a](#the-start) [b](#same-1) [c](#same-2) [d](../guide.md#x)\n"
        f"[e](missing%20file.md) [f](../../../etc/passwd) ![pic](pic.png) [g]({server.url('/gone')})\n\n"
        "`[h](not-a-link)` <a id='own'></a>[i](#own)\n"
    )

    report = result_of(Web(), "check_links", {"path": "docs/index.md"}, tmp_path)

    assert [(link.url, link.reason) for link in report.broken] == [
        ("#same-2", "the text has no such anchor"),
        ("missing%20file.md", "there is no such file"),
        ("pic.png", "there is no such file"),
    ]
    # The file outside the project and the private address are nobody's to look at.
    assert (report.checked, report.left_out) == (8, 2)
    assert server.seen == []


@pytest.mark.parametrize("arguments", [{}, {"url": "https://x.example/", "path": "x.md"}])
def test_links_are_those_of_one_thing(tmp_path: Path, arguments: dict[str, Any]) -> None:
    assert "got both or neither" in failure_of(Web(), "check_links", arguments, tmp_path, Reviewer())


RSS = b"""<?xml version="1.0"?><rss version="2.0"><channel><title>Lamps</title><link>https://x.example/</link>
<item><title>Old</title><link>https://x.example/1</link><pubDate>Thu, 01 Jan 2026 10:00:00 +0100</pubDate>
<description>&lt;p&gt;An &lt;b&gt;old&lt;/b&gt; lamp&lt;/p&gt;</description>
<enclosure url="https://x.example/1.mp3" type="audio/mpeg" length="1"/></item>
<item><title>New</title><link>https://x.example/2</link><pubDate>Sun, 01 Feb 2026 10:00:00 GMT</pubDate></item>
<item><title>Undated</title></item></channel></rss>"""
ATOM = b"""<feed xmlns="http://www.w3.org/2005/Atom"><title>Lamps</title><entry><title>Old</title>
<link href="https://x.example/1"/><updated>2026-01-01T09:00:00Z</updated><author><name>Ada</name></author>
<content type="html">An old lamp</content></entry></feed>"""
JSON = b"""{"version": "https://jsonfeed.org/version/1.1", "title": "Lamps", "home_page_url": "https://x.example/",
"items": [{"id": "1", "title": "Old", "url": "https://x.example/1", "date_published": "2026-01-01T10:00:00+01:00",
"content_html": "<p>An old lamp</p>", "authors": [{"name": "Ada"}]}]}"""


@pytest.mark.parametrize(
    ("body", "kind", "form"),
    [
        (RSS, "application/rss+xml", "rss20"),
        (ATOM, "text/xml", "atom10"),
        (JSON, "application/feed+json", "json1.1"),
    ],
)
def test_feeds_of_every_kind_read_alike(server: LocalServer, tmp_path: Path, body: bytes, kind: str, form: str) -> None:
    server.pages["/feed"] = Page(body, kind)

    feed = _asked(server, "read_feed", tmp_path, "/feed", limit=1)

    assert (feed.title, feed.format) == ("Lamps", form)
    (entry,) = feed.entries
    assert (entry.title, entry.url, entry.summary) == ("Old", "https://x.example/1", "An old lamp")
    assert entry.published is not None
    assert entry.published.isoformat() == "2026-01-01T09:00:00+00:00"


def test_entries_are_filtered_by_words_and_time(server: LocalServer, tmp_path: Path) -> None:
    server.pages["/feed"] = Page(RSS, "application/rss+xml")

    some = _asked(server, "read_feed", tmp_path, "/feed", containing="NEW")
    assert [entry.title for entry in some.entries] == ["New"]
    late = _asked(server, "read_feed", tmp_path, "/feed", since="2026-01-15T00:00:00Z")
    assert [entry.title for entry in late.entries] == ["New"]
    assert _asked(server, "read_feed", tmp_path, "/feed").entries[0].enclosures == ("https://x.example/1.mp3",)


@pytest.mark.parametrize(
    ("body", "kind", "message"),
    [
        (b"<html></html>", "text/html", "is no feed; find_feeds tells"),
        (b"{}", "application/json", "is JSON, but no feed"),
        (b"{", "application/json", "and no JSON either"),
    ],
)
def test_what_is_no_feed_is_told(server: LocalServer, tmp_path: Path, body: bytes, kind: str, message: str) -> None:
    server.pages["/x"] = Page(body, kind)

    assert message in failure_of(Web(), "read_feed", {"url": server.url("/x")}, tmp_path, Reviewer())


def test_feeds_are_found_where_the_page_names_them_or_at_the_usual_places(server: LocalServer, tmp_path: Path) -> None:
    server.pages["/named"] = Page(b'<link rel="alternate" type="application/rss+xml" href="/f" title="News">')
    server.pages["/bare"] = Page(b"<p>none</p>")
    server.pages["/atom.xml"] = Page(ATOM, "application/xml")

    named = _asked(server, "find_feeds", tmp_path, "/named")
    assert [(feed.url, feed.title, feed.type) for feed in named.feeds] == [
        (server.url("/f"), "News", "application/rss+xml")
    ]
    usual = _asked(server, "find_feeds", tmp_path, "/bare")
    assert ([feed.url for feed in usual.feeds], usual.guessed) == ([server.url("/atom.xml")], True)
    assert _asked(server, "find_feeds", tmp_path, "/bare", guess=False).feeds == ()
    assert [feed.type for feed in _asked(server, "find_feeds", tmp_path, "/atom.xml").feeds] == ["application/atom+xml"]


def test_what_a_page_says_of_itself_is_read(server: LocalServer, tmp_path: Path) -> None:
    server.pages["/"] = Page(
        b'<html lang="de"><title>Lampen</title><meta name="description" content="Alle  Lampen">'
        b'<meta property="og:image" content="https://x.example/i.png"><meta name="twitter:card" content="summary">'
        b'<link rel="canonical" href="/lampen"><link rel="alternate" hreflang="en" href="/en"><h1>Die Lampen</h1>'
        b'<script type="application/ld+json">{"@type": "Product"}</script>'
        b'<script type="application/ld+json">{broken</script>'
    )

    found = _asked(server, "page_metadata", tmp_path)

    assert (found.title, found.description, found.language) == ("Lampen", "Alle Lampen", "de")
    assert (found.open_graph, found.twitter) == ({"og:image": "https://x.example/i.png"}, {"twitter:card": "summary"})
    assert (found.canonical, found.alternates) == (server.url("/lampen"), {"en": server.url("/en")})
    assert (found.headings, found.json_ld) == (("Die Lampen",), ({"@type": "Product"},))


TABLE = """<table><caption>Prices</caption><tr><th>Lamp</th><th colspan="2">Price</th></tr>
<tr><td rowspan="2">A</td><td>1</td><td>2</td></tr><tr><td>3</td><td>4</td></tr></table>"""


def test_tables_are_read_with_cells_that_span_several(server: LocalServer, tmp_path: Path) -> None:
    server.pages["/"] = Page(f"<table><tr><td>{TABLE}</td></tr></table><table></table>".encode())

    found = _asked(server, "page_tables", tmp_path, max_rows=1)

    (table,) = found.tables
    assert (table.caption, table.header) == ("Prices", ("Lamp", "Price", "Price"))
    assert (table.rows, table.found, found.truncated) == ((("A", "1", "2"),), 2, True)
    assert tables_of(TABLE)[0].rows == (("A", "1", "2"), ("A", "3", "4"))
    assert _asked(server, "page_tables", tmp_path, containing="nothing").tables == ()


def test_a_table_that_claims_to_be_huge_stays_small() -> None:
    (table,) = tables_of("<table>" + "<tr><td colspan=999 rowspan=999>x</td></tr>" * 3000 + "</table>")

    assert sum(map(len, table.rows)) <= 200_000


def test_two_versions_of_a_page_are_compared(server: LocalServer, tmp_path: Path) -> None:
    server.pages["/old"] = Page(b"<p>one</p><p>two</p>")
    server.pages["/new"] = Page(b"<div><p>one</p><p>three</p></div>")
    arguments = {"old": server.url("/old"), "new": server.url("/new")}

    found = result_of(Web(), "compare_pages", {**arguments, "context": 0}, tmp_path, Reviewer())
    assert (found.same, found.added, found.removed) == (False, 1, 1)
    assert found.diff.splitlines()[-2:] == ["-two", "+three"]

    same = result_of(Web(), "compare_pages", {**arguments, "new": server.url("/old")}, tmp_path, Reviewer())
    assert (same.same, same.diff) == (True, "")


def test_how_a_server_answers_is_told_with_what_to_mend(server: LocalServer, tmp_path: Path) -> None:
    server.redirect("/old", "/", 301)
    headers = (
        ("content-security-policy", "script-src 'unsafe-inline'"),
        ("set-cookie", "id=sesame; Path=/; SameSite=Lax"),
        ("x-powered-by", "Lamp/1.2"),
    )
    server.pages["/"] = Page(b"hello", headers=headers)

    report = _asked(server, "inspect_http", tmp_path, "/old")

    assert (report.status, report.size_bytes, report.http_version) == (200, 5, "HTTP/1.0")
    assert [(hop.url, hop.status) for hop in report.redirects] == [(server.url("/old"), 301)]
    assert report.headers["set-cookie"] == "id=…; Path=/; SameSite=Lax"
    assert report.timing.total_ms >= report.timing.connect_ms > 0
    assert report.timing.tls_ms is None
    assert "sesame" not in str(report)
    found = {(finding.severity, finding.header) for finding in report.findings}
    assert found >= {
        ("high", ""),
        ("medium", "content-security-policy"),
        ("medium", "x-frame-options"),
        ("low", "x-content-type-options"),
        ("low", "set-cookie"),
        ("info", "x-powered-by"),
    }
    assert report.findings[0].severity == "high"


def test_a_download_goes_on_where_it_broke_off(server: LocalServer, tmp_path: Path) -> None:
    content = bytes(range(256)) * 8192
    half = 1 << 20

    def answer(seen: Seen) -> Page:
        place = seen.headers.get("range", "")
        if not place:
            headers = (("content-length", str(len(content))), ("etag", '"v1"'))
            return Page(content[:half], "application/octet-stream", headers=headers)
        assert seen.headers["if-range"] == '"v1"'
        start = int(place.removeprefix("bytes=").rstrip("-"))
        headers = (("content-range", f"bytes {start}-{len(content) - 1}/{len(content)}"), ("etag", '"v1"'))
        return Page(content[start:], "application/octet-stream", 206, headers)

    server.pages["/big"] = answer
    arguments = {
        "url": server.url("/big"),
        "target": "big",
        "resume": True,
        "sha256": hashlib.sha256(content).hexdigest().upper(),
    }
    failure_of(Web(), "download_file", arguments, tmp_path, Reviewer())
    assert (tmp_path / ".big.part").stat().st_size == half

    saved = result_of(Web(), "download_file", arguments, tmp_path, Reviewer())

    assert (tmp_path / "big").read_bytes() == content
    assert (saved.size_bytes, saved.resumed_at) == (len(content), half)
    assert [path.name for path in tmp_path.iterdir()] == ["big"]


def test_a_file_that_changed_meanwhile_is_fetched_anew(server: LocalServer, tmp_path: Path) -> None:
    (tmp_path / ".x.part").write_bytes(b"old")
    (tmp_path / ".x.part.json").write_text('{"validator": "\\"v1\\""}')
    server.pages["/x"] = Page(b"newer", headers=(("etag", '"v2"'),))

    saved = _asked(server, "download_file", tmp_path, "/x", target="x", resume=True)

    assert ((tmp_path / "x").read_bytes(), saved.resumed_at) == (b"newer", 0)
    assert [path.name for path in tmp_path.iterdir()] == ["x"]


def test_a_download_with_another_hash_leaves_nothing(server: LocalServer, tmp_path: Path) -> None:
    server.pages["/x"] = Page(b"x", headers=(("etag", '"v1"'),))
    arguments = {"url": server.url("/x"), "target": "x", "resume": True, "sha256": "0" * 64}

    assert "nothing was kept, check both" in failure_of(Web(), "download_file", arguments, tmp_path, Reviewer())
    assert list(tmp_path.iterdir()) == []
