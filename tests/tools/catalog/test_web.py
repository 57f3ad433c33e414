"""The web tools against a real server on this computer."""

from __future__ import annotations

import asyncio
import gzip
import hashlib
import logging
import ssl
import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import pytest

from tests.tools.catalog.calling import Reviewer, call, executor_for, failure_of, result_of
from tests.tools.catalog.web_server import LocalServer, Page, Seen, local_server
from tools import CallStatus, Event, ExitEarly, ToolConfigurationError, ToolFailure, TransientError
from tools.calls import MASK, Progressed
from tools.catalog.web import Web
from tools.network_hosts import Address
from tools.web.addresses import parse_url, resolve
from tools.web.requests import WebClient, WebRequest

ARTICLE = """<html><head><title> A  small
 page </title><script>var hidden = 1</script></head><body><nav><a href="/home">Home</a></nav>
<main><h1>Heading</h1><p>First <b>bold</b> words.<br>New line.</p><ul><li>one</li><li><p>two</p></li></ul>
<table><tr><th>A</th><th>B</th></tr><tr><td>1</td><td>2</td></tr></table><pre>  kept
    as is</pre><p hidden>secret</p></main>
<footer><a href="guide.html#part">The guide</a> <a href="https://other.example/guide">Elsewhere</a>
<a href="mailto:x@example.org">Mail</a> <a href="guide.html">Again</a></footer></body></html>"""


@pytest.fixture
def server() -> Iterator[LocalServer]:
    with local_server() as local:
        local.pages["/article"] = Page(ARTICLE.encode())
        yield local


def test_without_a_reviewer_a_private_address_is_not_reached(server: LocalServer, tmp_path: Path) -> None:
    with pytest.raises(ToolConfigurationError, match="private address"):
        call(Web(), "fetch_page", {"url": server.url("/article")}, tmp_path)

    assert server.seen == []


def test_a_person_who_refuses_keeps_the_host_closed(server: LocalServer, tmp_path: Path) -> None:
    reviewer = Reviewer(ExitEarly("not there"))

    response = call(Web(), "fetch_page", {"url": server.url("/article")}, tmp_path, reviewer)

    assert response.status is CallStatus.DENIED
    assert reviewer.kinds == ["private_host"]
    assert server.seen == []


@pytest.mark.reference("C49")
def test_a_page_is_read_as_text(server: LocalServer, tmp_path: Path) -> None:
    page = result_of(Web(), "fetch_page", {"url": server.url("/article"), "include_links": True}, tmp_path, Reviewer())

    assert page.title == "A small page"
    assert page.text == (
        "# Heading\n\nFirst bold words.\nNew line.\n\n- one\n- two\n\nA | B\n1 | 2\n\n  kept\n    as is"
    )
    assert [link.url for link in page.links] == [
        server.url("/home"),
        server.url("/guide.html"),
        "https://other.example/guide",
    ]
    assert not page.truncated


def test_a_long_page_is_read_in_pieces(server: LocalServer, tmp_path: Path) -> None:
    server.pages["/long"] = Page(b"<body><p>" + b"abcdefghij" * 10 + b"</p></body>")
    first = result_of(Web(), "fetch_page", {"url": server.url("/long"), "max_characters": 60}, tmp_path, Reviewer())
    rest = result_of(Web(), "fetch_page", {"url": server.url("/long"), "start": 60}, tmp_path, Reviewer())

    assert (len(first.text), first.characters, first.truncated) == (60, 100, True)
    assert first.text + rest.text == "abcdefghij" * 10
    assert not rest.truncated


@pytest.mark.parametrize(
    ("body", "content_type", "expected"),
    [
        (b'{"a": 1}', "application/json", '{"a": 1}'),
        (b"plain\ntext", "text/plain", "plain\ntext"),
        ("<p>Grüße</p>".encode("latin-1"), "text/html; charset=latin-1", "Grüße"),
        ('<meta charset="windows-1252"><p>5 €</p>'.encode("windows-1252"), "text/html", "5 €"),
        ("<p>mañana</p>".encode(), "text/html; charset=nonsense", "mañana"),
    ],
)
def test_text_of_every_kind_is_decoded(
    server: LocalServer, tmp_path: Path, body: bytes, content_type: str, expected: str
) -> None:
    server.pages["/x"] = Page(body, content_type)

    assert result_of(Web(), "fetch_page", {"url": server.url("/x")}, tmp_path, Reviewer()).text == expected


@pytest.mark.parametrize(
    ("page", "message"),
    [
        (Page(status=404), "answered 404 Not Found; expected a page, check the address"),
        (Page(b"\x89PNG", "image/png"), "is image/png, not text; use download_file"),
        (Page(b"<div>" * 6000), "nests more than 5,000 tags"),
        (Page(status=302, headers=(("location", "file:///etc/passwd"),)), "starts with http:// or https://"),
    ],
)
def test_what_is_no_page_fails_with_the_reason(server: LocalServer, tmp_path: Path, page: Page, message: str) -> None:
    server.pages["/x"] = page

    assert message in failure_of(Web(), "fetch_page", {"url": server.url("/x")}, tmp_path, Reviewer())


def test_a_broken_server_is_asked_once_more(server: LocalServer, tmp_path: Path) -> None:
    answers = iter([Page(status=503), Page(b"<p>back</p>")])
    server.pages["/x"] = lambda _: next(answers)

    assert result_of(Web(), "fetch_page", {"url": server.url("/x")}, tmp_path, Reviewer()).text == "back"
    assert len(server.seen) == 2


def test_a_huge_page_is_cut_and_says_so(server: LocalServer, tmp_path: Path) -> None:
    server.pages["/x"] = Page(b"a" * 2_500_000, "text/plain")

    response = call(Web(), "fetch_page", {"url": server.url("/x")}, tmp_path, Reviewer())

    assert response.result.truncated
    assert "only the first 2,000,000 bytes" in response.logs[0].text


def test_links_are_filtered_and_counted(server: LocalServer, tmp_path: Path) -> None:
    def links(**more: Any) -> Any:
        return result_of(Web(), "page_links", {"url": server.url("/article"), **more}, tmp_path, Reviewer())

    assert [link.text for link in links(containing="GUIDE").links] == ["The guide", "Elsewhere"]
    assert [link.text for link in links(same_host=True).links] == ["Home", "The guide"]
    cut = links(limit=1)
    assert (len(cut.links), cut.found, cut.truncated) == (1, 3, True)


def test_links_need_an_html_page(server: LocalServer, tmp_path: Path) -> None:
    server.pages["/x"] = Page(b"{}", "application/json")

    assert "not an HTML page" in failure_of(Web(), "page_links", {"url": server.url("/x")}, tmp_path, Reviewer())


def test_a_redirect_on_the_same_host_is_followed(server: LocalServer, tmp_path: Path) -> None:
    server.redirect("/old", "/article")

    page = result_of(Web(), "fetch_page", {"url": server.url("/old")}, tmp_path, Reviewer())

    assert page.url == server.url("/article")


@pytest.mark.parametrize(
    "target", ["http://localhost:{port}/article", "http://[::1]:{port}/", "http://2130706433:{port}/article"]
)
def test_a_redirect_to_another_private_host_is_refused(server: LocalServer, tmp_path: Path, target: str) -> None:
    server.redirect("/old", target.format(port=server.port))

    message = failure_of(Web(), "fetch_page", {"url": server.url("/old")}, tmp_path, Reviewer())

    assert "private address, which needs a person's permission" in message
    assert [seen.path for seen in server.seen] == ["/old"]


def test_redirects_in_a_circle_end(server: LocalServer, tmp_path: Path) -> None:
    server.redirect("/a", "/b")
    server.redirect("/b", "/a")

    message = failure_of(Web(), "fetch_page", {"url": server.url("/a")}, tmp_path, Reviewer())

    assert "redirects more than 10 times" in message


def test_a_name_that_turns_private_is_refused(server: LocalServer, tmp_path: Path) -> None:
    async def rebound(host: str, port: int) -> tuple[Address, ...]:
        return (ip_address("127.0.0.1"),)

    url = server.url("/article", host="rebind.example")
    message = failure_of(Web(look_up=rebound), "fetch_page", {"url": url}, tmp_path, Reviewer())

    assert "'rebind.example' resolves to 127.0.0.1, a private address" in message
    assert server.seen == []


async def _body(client: WebClient, request: WebRequest, timeout_s: float = 20) -> tuple[int, bytes]:
    async with client.open(request, timeout_s) as reply:
        body, _ = await reply.read(1_000_000)
        return reply.response.status_code, body


def test_the_connection_goes_to_the_address_that_was_checked(server: LocalServer) -> None:
    looked_up: list[str] = []

    async def once(host: str, port: int) -> tuple[Address, ...]:
        looked_up.append(host)
        return (ip_address("127.0.0.1"),)

    request = WebRequest(
        parse_url(server.url("/article", host="pinned.example")), grants=frozenset({"host:pinned.example"})
    )
    status, _ = asyncio.run(_body(WebClient(once), request))

    # The name means nothing to the system's resolver, so nobody asked it a second time.
    assert (status, looked_up) == (200, ["pinned.example"])
    assert server.seen[0].headers["host"] == f"pinned.example:{server.port}"


def test_the_next_address_is_tried_when_one_does_not_answer(server: LocalServer) -> None:
    async def two(host: str, port: int) -> tuple[Address, ...]:
        return ip_address("127.0.0.2"), ip_address("127.0.0.1")

    request = WebRequest(parse_url(server.url("/article", host="two.example")), grants=frozenset({"host:two.example"}))

    assert asyncio.run(_body(WebClient(two), request))[0] == 200


def test_another_origin_gets_neither_secrets_nor_data(server: LocalServer) -> None:
    server.redirect("/a", server.url("/article", host="localhost"))
    server.redirect("/keep", server.url("/article", host="localhost"), status=307)
    grants = frozenset({"host:127.0.0.1", "host:localhost"})
    headers = {"authorization": "Bearer secret", "x-api-key": "secret", "accept": "text/html"}
    client = WebClient(resolve)

    asyncio.run(_body(client, WebRequest(parse_url(server.url("/a")), "GET", headers, None, grants)))
    assert "secret" not in str(server.seen[-1].headers)
    assert server.seen[-1].headers["accept"] == "text/html"

    posted = WebRequest(parse_url(server.url("/keep")), "POST", headers, b"private", grants)
    with pytest.raises(ToolFailure, match="redirects the data to"):
        asyncio.run(_body(client, posted))
    assert [seen.path for seen in server.seen] == ["/a", "/article", "/keep"]


def _certificate(folder: Path, name: str) -> Path:
    """Write a key and a certificate it signed itself."""
    x509 = pytest.importorskip("cryptography.x509")
    hashes = pytest.importorskip("cryptography.hazmat.primitives.hashes")
    serialization = pytest.importorskip("cryptography.hazmat.primitives.serialization")
    ec = pytest.importorskip("cryptography.hazmat.primitives.asymmetric.ec")

    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
        .sign(key, hashes.SHA256())
    )
    pem = serialization.Encoding.PEM
    plain = serialization.NoEncryption()
    file = folder / "certificate.pem"
    file.write_bytes(key.private_bytes(pem, serialization.PrivateFormat.PKCS8, plain) + made.public_bytes(pem))
    return file


def test_a_certificate_is_checked_against_the_name_not_the_address(tmp_path: Path) -> None:
    async def look_up(host: str, port: int) -> tuple[Address, ...]:
        return (ip_address("127.0.0.1"),)

    certificate = _certificate(tmp_path, "secure.example")
    serving = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    serving.load_cert_chain(certificate)
    client = WebClient(look_up, ssl.create_default_context(cafile=str(certificate)))
    grants = frozenset({"host:secure.example", "host:other.example"})
    with local_server(serving) as secure:
        secure.pages["/"] = Page(b"safe")
        right = WebRequest(parse_url(f"https://secure.example:{secure.port}/"), grants=grants)
        wrong = WebRequest(parse_url(f"https://other.example:{secure.port}/"), grants=grants)

        assert asyncio.run(_body(client, right)) == (200, b"safe")
        with pytest.raises(ToolFailure, match=r"the certificate of other\.example is not trusted"):
            asyncio.run(_body(client, wrong))


@pytest.mark.parametrize(("status", "method", "body"), [(303, "GET", b""), (302, "GET", b""), (307, "POST", b"data")])
def test_a_redirected_post_becomes_what_the_status_says(
    server: LocalServer, status: int, method: str, body: bytes
) -> None:
    server.redirect("/form", "/article", status)
    request = WebRequest(
        parse_url(server.url("/form")),
        "POST",
        {"content-type": "text/plain"},
        b"data",
        frozenset({"host:127.0.0.1"}),
    )

    asyncio.run(_body(WebClient(resolve), request))

    assert (server.seen[-1].method, server.seen[-1].body) == (method, body)
    assert ("content-type" in server.seen[-1].headers) == (method == "POST")


def test_compressed_answers_are_unpacked(server: LocalServer, tmp_path: Path) -> None:
    server.pages["/x"] = Page(gzip.compress(b"<p>small</p>"), headers=(("content-encoding", "gzip"),))

    assert result_of(Web(), "fetch_page", {"url": server.url("/x")}, tmp_path, Reviewer()).text == "small"


def _echo(seen: Seen) -> Page:
    return Page(b'{"you": "' + seen.body.replace(b'"', b"'") + b'"}', "application/json")


def test_a_request_reports_status_headers_and_json(server: LocalServer, tmp_path: Path) -> None:
    server.pages["/api"] = _echo
    arguments = {"url": server.url("/api?a=1"), "query": {"b": "ä &"}, "headers": {"X-Token": "t"}}
    reviewer = Reviewer()

    answer = result_of(Web(), "http_request", arguments, tmp_path, reviewer)

    assert (answer.status, answer.reason, answer.json) == (200, "OK", {"you": ""})
    assert answer.headers["content-type"] == "application/json"
    assert server.seen[0].path == "/api?a=1&b=%C3%A4+%26"
    assert server.seen[0].headers["x-token"] == "t"
    assert reviewer.kinds == ["private_host"]


@pytest.mark.reference("A29")
def test_what_proves_who_asks_is_sent_and_shown_to_nobody(
    server: LocalServer, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG, "tools")
    server.pages["/api"] = Page(b"token sesame-1 is fine", headers=(("set-cookie", "session=sesame-6"),))
    arguments = {
        "url": server.url("/api?api_key=sesame-1&page=2"),
        "method": "POST",
        "query": {"access_token": "sesame-2", "lang": "de"},
        "headers": {
            "authorization": "Bearer sesame-3",
            "Cookie": "id=sesame-4",
            "X-API-Key": "sesame-5",
            "accept": "x",
        },
    }
    reviewer, events = Reviewer(), list[Event]()
    executor = executor_for(Web(), tmp_path, reviewer)
    executor.add_listener(events.append)
    response = executor.run("http_request", arguments)
    executor.close()

    assert response.result.body == "token sesame-1 is fine"
    assert response.result.headers["set-cookie"] == "session=sesame-6"
    assert server.seen[0].path == "/api?api_key=sesame-1&page=2&access_token=sesame-2&lang=de"
    assert server.seen[0].headers["authorization"] == "Bearer sesame-3"
    ended = events[-1].call  # type: ignore[union-attr]
    shown = [
        reviewer.requests[0].arguments,
        reviewer.requests[0].concerns,
        ended.display_result(),
        ended.display_text(),
    ]
    assert "sesame" not in str(shown) + caplog.text
    assert reviewer.requests[0].arguments == {
        **ended.display_arguments(),
        "url": server.url(f"/api?api_key={MASK}&page=2"),
        "query": {"access_token": MASK, "lang": "de"},
        "headers": {"authorization": MASK, "Cookie": MASK, "X-API-Key": MASK, "accept": "x"},
    }
    assert ended.display_result()["body"] == f"token {MASK} is fine"


def test_sending_data_asks_first_and_says_what(server: LocalServer, tmp_path: Path) -> None:
    server.pages["/api"] = _echo
    reviewer = Reviewer()
    arguments = {"url": server.url("/api"), "method": "POST", "json": {"name": "Lämp"}}

    answer = result_of(Web(), "http_request", arguments, tmp_path, reviewer)

    assert answer.json == {"you": "{'name': 'Lämp'}"}
    assert server.seen[0].headers["content-type"] == "application/json"
    concern = reviewer.requests[0].concerns[-1]
    assert (concern.kind, concern.detail) == (
        "sends_data",
        f"POST to {server.url('/api')} with 21 characters of JSON",
    )


@pytest.mark.parametrize(
    "arguments", [{"method": "DELETE"}, {"method": "PUT", "text": "x"}, {"text": "x"}, {"json": False}]
)
def test_whatever_may_change_something_asks(server: LocalServer, tmp_path: Path, arguments: dict[str, Any]) -> None:
    reviewer = Reviewer(ExitEarly())

    response = call(Web(), "http_request", {"url": server.url("/api"), **arguments}, tmp_path, reviewer)

    assert response.status is CallStatus.DENIED
    assert reviewer.kinds == ["private_host", "sends_data"]
    assert server.seen == []


def test_an_error_status_is_a_result(server: LocalServer, tmp_path: Path) -> None:
    server.pages["/x"] = Page(b"gone", "text/plain", 410)

    answer = result_of(Web(), "http_request", {"url": server.url("/x")}, tmp_path, Reviewer())

    assert (answer.status, answer.body, answer.json) == (410, "gone", None)


def test_a_redirect_can_be_the_answer(server: LocalServer, tmp_path: Path) -> None:
    server.redirect("/x", "http://10.0.0.1/")

    arguments = {"url": server.url("/x"), "follow_redirects": False}
    answer = result_of(Web(), "http_request", arguments, tmp_path, Reviewer())

    assert (answer.status, answer.headers["location"]) == (302, "http://10.0.0.1/")


def test_a_body_that_is_no_text_is_attached(server: LocalServer, tmp_path: Path) -> None:
    server.pages["/logo.png"] = Page(b"\x89PNG\0\1", "image/png")

    response = call(Web(), "http_request", {"url": server.url("/logo.png")}, tmp_path, Reviewer())

    assert response.result.attached
    assert response.result.body == ""
    (attachment,) = response.attachments
    assert (attachment.name, attachment.mime_type, attachment.data) == ("logo.png", "image/png", b"\x89PNG\0\1")


def test_a_body_without_a_type_is_looked_at(server: LocalServer, tmp_path: Path) -> None:
    server.pages["/x"] = Page("Grüße\n".encode(), "")

    assert result_of(Web(), "http_request", {"url": server.url("/x")}, tmp_path, Reviewer()).body == "Grüße\n"


def test_a_long_body_is_cut_and_says_so(server: LocalServer, tmp_path: Path) -> None:
    server.pages["/x"] = Page(b"[1, 2, 3]", "application/json")

    answer = result_of(Web(), "http_request", {"url": server.url("/x"), "max_bytes": 4}, tmp_path, Reviewer())

    assert (answer.body, answer.json, answer.size_bytes, answer.truncated) == ("[1, ", None, 4, True)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"json": 1, "text": "x"}, "leave one of them out"),
        ({"json": "\ud800"}, "the body has half a character"),
        ({"headers": {"Host": "evil"}}, "set by the connection itself"),
        ({"headers": {"Content-Length": "0"}}, "set by the connection itself"),
        ({"headers": {"X-A": "a\r\nX-B: b"}}, "malformed"),
        ({"headers": {"X A": "a"}}, "malformed"),
    ],
)
def test_requests_that_make_no_sense_are_not_sent(
    server: LocalServer, tmp_path: Path, arguments: dict[str, Any], message: str
) -> None:
    assert message in failure_of(Web(), "http_request", {"url": server.url(), **arguments}, tmp_path, Reviewer())
    assert server.seen == []


def test_a_server_that_keeps_silent_is_given_up(server: LocalServer) -> None:
    enough = threading.Event()

    def silent(_: Seen) -> Page:
        enough.wait(20)
        return Page()

    server.pages["/x"] = silent
    request = WebRequest(parse_url(server.url("/x")), grants=frozenset({"host:127.0.0.1"}))
    try:
        with pytest.raises(TransientError, match=r"within 0\.2 s|in time"):
            asyncio.run(_body(WebClient(resolve), request, timeout_s=0.2))
    finally:
        enough.set()


def test_a_closed_port_is_a_passing_failure(tmp_path: Path) -> None:
    with local_server() as gone:
        url = gone.url()

    response = call(Web(), "http_request", {"url": url}, tmp_path, Reviewer())

    assert response.error is not None
    assert response.error.type_name == "TransientError"
    assert "no answer from 127.0.0.1" in response.error.message


def test_a_download_appears_whole(server: LocalServer, tmp_path: Path) -> None:
    content = bytes(range(256)) * 10_000
    server.pages["/data.bin"] = Page(content, "application/octet-stream")
    reviewer = Reviewer()

    saved = result_of(
        Web(), "download_file", {"url": server.url("/data.bin"), "target": "data.bin"}, tmp_path, reviewer
    )

    assert (tmp_path / "data.bin").read_bytes() == content
    assert (saved.size_bytes, saved.sha256) == (len(content), hashlib.sha256(content).hexdigest())
    assert [path.name for path in tmp_path.iterdir()] == ["data.bin"]
    assert reviewer.kinds == ["confirmation", "private_host"]


def test_a_download_replaces_only_what_it_may(server: LocalServer, tmp_path: Path) -> None:
    target = tmp_path / "data.bin"
    target.write_text("old")
    server.pages["/data.bin"] = Page(b"new")
    arguments = {"url": server.url("/data.bin"), "target": "data.bin"}

    assert "exists; choose another name" in failure_of(Web(), "download_file", arguments, tmp_path, Reviewer())
    assert target.read_text() == "old"
    assert server.seen == []

    reviewer = Reviewer()
    result_of(Web(), "download_file", {**arguments, "overwrite": True}, tmp_path, reviewer)
    assert target.read_text() == "new"
    assert reviewer.kinds == ["confirmation", "private_host", "destructive"]


@pytest.mark.parametrize("headers", [(), (("content-length", "2000"),)])
def test_a_download_that_is_too_large_leaves_nothing(
    server: LocalServer, tmp_path: Path, headers: tuple[tuple[str, str], ...]
) -> None:
    server.pages["/x"] = Page(b"x" * 2000, headers=headers)
    arguments = {"url": server.url("/x"), "target": "x", "max_size_bytes": 1000}

    message = failure_of(Web(), "download_file", arguments, tmp_path, Reviewer())

    assert "larger than 1,000 bytes" in message
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("target", "message"), [("sub/x", "does not exist; make it first"), (".", "is a folder; add the file's name")]
)
def test_a_download_needs_a_place(server: LocalServer, tmp_path: Path, target: str, message: str) -> None:
    arguments = {"url": server.url("/article"), "target": target}

    assert message in failure_of(Web(), "download_file", arguments, tmp_path, Reviewer())


def test_a_download_that_breaks_off_leaves_nothing(server: LocalServer, tmp_path: Path) -> None:
    server.pages["/x"] = Page(b"half", headers=(("content-length", "1000"),))

    message = failure_of(Web(), "download_file", {"url": server.url("/x"), "target": "x"}, tmp_path, Reviewer())

    assert "no answer from 127.0.0.1" in message
    assert list(tmp_path.iterdir()) == []


def test_a_cancelled_download_leaves_nothing(tmp_path: Path) -> None:
    async def scenario(server: LocalServer) -> None:
        executor = executor_for(Web(), tmp_path, Reviewer())
        begun = asyncio.Event()
        executor.add_listener(lambda event: begun.set() if isinstance(event, Progressed) else None)
        running = executor.create_call("download_file", {"url": server.url("/x"), "target": "x"})
        task = asyncio.create_task(executor.execute(running))
        await begun.wait()
        running.cancel()
        response = await task
        await executor.aclose()
        assert response.status is CallStatus.CANCELLED

    with local_server() as server:
        # Announces more than it sends, and keeps the connection open until the client hangs up.
        server.pages["/x"] = Page(b"x" * 20_000_000, headers=(("content-length", "30000000"),))
        asyncio.run(scenario(server))

    assert list(tmp_path.iterdir()) == []
