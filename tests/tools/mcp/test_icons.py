"""Icons that servers name: which one fits, and what is not taken."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import AsyncIterator, Callable
from typing import Any

import httpx2
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.mcp import icons
from tools.mcp.icons import (
    MAX_ICON_BYTES,
    MAX_ICONS,
    IconBytes,
    IconRefusedError,
    IconSource,
    by_fitness,
    checked,
    fetched,
    icon_client,
    icons_in,
    written,
)

PNG = b"\x89PNG\r\n\x1a\n and more"
SERVER = "https://mcp.example.org/mcp"
HERE = "https://mcp.example.org/icon.png"


def data(content: bytes, kind: str = "image/png") -> str:
    return f"data:{kind};base64,{base64.b64encode(content).decode()}"


class Body(httpx2.AsyncByteStream):
    def __init__(self, content: bytes) -> None:
        self._content = content

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for at in range(0, len(self._content), 5):
            yield self._content[at : at + 5]


class Endless(httpx2.AsyncByteStream):
    def __init__(self) -> None:
        self.chunks = 0

    async def __aiter__(self) -> AsyncIterator[bytes]:
        while True:
            self.chunks += 1
            yield b"x" * 64 * 1024


class Slow(httpx2.AsyncByteStream):
    async def __aiter__(self) -> AsyncIterator[bytes]:
        await asyncio.Event().wait()
        yield b""


def fetch(answer: Callable[[httpx2.Request], httpx2.Response], src: str = HERE, server: str = SERVER) -> IconBytes:
    async def work() -> IconBytes:
        async with httpx2.AsyncClient(transport=httpx2.MockTransport(answer)) as client:
            return await fetched(IconSource(src), server, client)

    return asyncio.run(work())


def nobody(request: httpx2.Request) -> httpx2.Response:
    raise AssertionError(f"{request.url} was asked for")


def test_icons_are_read_as_they_are_written_and_nonsense_is_passed_over() -> None:
    raw = [
        {"src": HERE, "mimeType": "Image/PNG", "sizes": ["48x48", "96x96", "any", 7, "99999999x1"], "theme": "dark"},
        {"src": 7},
        "a text",
        {"src": HERE, "sizes": "16x16 32x32", "mimeType": None},
    ]
    assert icons_in(raw) == (
        IconSource(HERE, "image/png", (48, 96), "dark"),
        IconSource(HERE, "", (16, 32)),
    )
    assert icons_in({"src": HERE}) == icons_in(None) == ()
    assert len(icons_in([{"src": HERE}] * 1_000)) == MAX_ICONS


@pytest.mark.parametrize(
    ("theme", "edge", "order"),
    [
        # The least that is large enough, then larger ones, then the largest that is not.
        ("light", 20, ["l32", "l128", "l16", "any", "d32", "svg"]),
        ("light", 64, ["l128", "l32", "l16", "any", "d32", "svg"]),
        ("dark", 32, ["d32", "any", "l32", "l128", "l16", "svg"]),
    ],
)
def test_the_theme_counts_before_the_size(theme: icons.Theme, edge: int, order: list[str]) -> None:
    found = [
        IconSource("svg", "image/svg+xml", (), theme),
        IconSource("l16", sizes=(16,), theme="light"),
        IconSource("l128", sizes=(128,), theme="light"),
        IconSource("l32", sizes=(32,), theme="light"),
        IconSource("d32", sizes=(32,), theme="dark"),
        IconSource("any", theme="mauve"),
    ]
    assert [icon.src for icon in by_fitness(found, theme, edge)] == order


@pytest.mark.parametrize(
    ("start", "kind"),
    [
        (PNG, "png"),
        (b"\xff\xd8\xff\xe0", "jpeg"),
        (b"GIF87a", "gif"),
        (b"GIF89a", "gif"),
        (b"RIFF\x10\0\0\0WEBPVP8 ", "webp"),
    ],
)
def test_the_bytes_say_what_an_icon_is(start: bytes, kind: str) -> None:
    assert checked(IconSource("x"), start) == IconBytes(kind, start)
    assert written(IconSource(data(start, f"image/{kind}"), f"image/{kind}")) == IconBytes(kind, start)
    assert not IconSource(data(start)).is_remote


def test_another_spelling_of_a_kind_and_plain_data_are_taken() -> None:
    assert checked(IconSource("x", "image/jpg"), b"\xff\xd8\xff").kind == "jpeg"
    assert written(IconSource("DATA:,%89PNG%0D%0A%1A%0A")).data == b"\x89PNG\r\n\x1a\n"


@pytest.mark.parametrize(
    ("icon", "reason"),
    [
        (IconSource(data(b"<svg/>", "image/svg+xml")), "SVG"),
        (IconSource(data(b"\xef\xbb\xbf \n<?xml version='1.0'?>")), "SVG"),
        (IconSource(data(b"MZ\x90")), "none of PNG, JPEG, WebP and GIF"),
        (IconSource(data(b"RIFF\x10\0\0\0WAVE")), "none of PNG"),
        (IconSource(data(b"")), "empty"),
        (IconSource("data:image/png;base64"), "no comma"),
        (IconSource("data:image/png;base64,@@@"), "no Base64"),
        (IconSource(data(b"GIF89a")), r"says that it is image/png, but its bytes are image/gif"),
        (IconSource(data(PNG, ""), "image/webp"), "says that it is image/webp"),
        (IconSource(data(PNG + bytes(MAX_ICON_BYTES))), "longer than 256 kB"),
        (IconSource(f"data:,{'%41' * MAX_ICON_BYTES}x"), "longer than 256 kB"),
        (IconSource(f"data:,{'A' * (MAX_ICON_BYTES + 1)}"), "longer than 256 kB"),
    ],
)
def test_what_stands_in_an_address_and_is_refused(icon: IconSource, reason: str) -> None:
    with pytest.raises(IconRefusedError, match=reason):
        written(icon)


def test_the_largest_icon_is_taken() -> None:
    whole = PNG + bytes(MAX_ICON_BYTES - len(PNG))
    assert written(IconSource(data(whole))).data == whole


@pytest.mark.parametrize(
    ("src", "server", "reason"),
    [
        ("http://mcp.example.org/icon.png", SERVER, "must begin with https: or data:"),
        ("http://mcp.example.org/icon.png", "http://mcp.example.org/mcp", "must begin with https: or data:"),
        ("file:///etc/passwd", SERVER, "must begin with https: or data:"),
        ("javascript:alert(1)", SERVER, "must begin with https: or data:"),
        ("//mcp.example.org/icon.png", SERVER, "must begin with https: or data:"),
        ("https://[::1/icon.png", SERVER, "must begin with https: or data:"),
        ("x" * 10_000, SERVER, r"not 'x{120}…'"),
        ("https://example.org/icon.png", SERVER, "own origin, https://mcp.example.org, not"),
        ("https://mcp.example.org.evil.example/icon.png", SERVER, "own origin"),
        ("https://mcp.example.org:8443/icon.png", SERVER, "own origin"),
        (HERE, "http://mcp.example.org/mcp", "own origin, http://mcp.example.org, not"),
        (HERE, "https://ada:secret@example.org/mcp", "own origin, https://example.org, not"),
        ("https://mcp.example.org@evil.example/icon.png", SERVER, "carries a name or a password"),
        ("https://ada:word@mcp.example.org/icon.png", SERVER, "carries a name or a password"),
        (HERE, "", "a program on this computer and has no address"),
    ],
)
def test_nobody_else_is_asked(src: str, server: str, reason: str) -> None:
    with pytest.raises(IconRefusedError, match=reason):
        fetch(nobody, src, server)


@pytest.mark.parametrize(
    ("src", "server"),
    [
        (HERE, SERVER),
        ("HTTPS://MCP.example.org:443/icon.png?v=2", SERVER),
        ("https://mcp.example.org:8443/icon.png", "https://mcp.example.org:8443/mcp"),
    ],
)
def test_an_icon_of_the_servers_own_origin_is_fetched(src: str, server: str) -> None:
    asked: list[httpx2.Request] = []

    def answer(request: httpx2.Request) -> httpx2.Response:
        asked.append(request)
        return httpx2.Response(200, stream=Body(PNG))

    assert fetch(answer, src, server) == IconBytes("png", PNG)
    assert "authorization" not in asked[0].headers


def refusing(**answer: Any) -> Callable[[httpx2.Request], httpx2.Response]:
    return lambda _: httpx2.Response(**answer)


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (refusing(status_code=302, headers={"location": "https://mcp.example.org/2.png"}), "leads to another one"),
        (refusing(status_code=404), "answered with 404"),
        (refusing(status_code=204), "answered with 204"),
        (refusing(status_code=200, headers={"content-encoding": "gzip"}, stream=Endless()), "came packed"),
        (refusing(status_code=200, stream=Body(b"<html>")), "SVG or another text"),
        (refusing(status_code=200, stream=Body(b"")), "empty"),
    ],
)
def test_what_comes_and_is_refused(answer: Callable[[httpx2.Request], httpx2.Response], reason: str) -> None:
    with pytest.raises(IconRefusedError, match=reason):
        fetch(answer)


def test_an_endless_icon_is_left_when_it_is_too_long() -> None:
    body = Endless()
    with pytest.raises(IconRefusedError, match="longer than 256 kB"):
        fetch(refusing(status_code=200, stream=body))
    assert body.chunks == MAX_ICON_BYTES // 65_536 + 1


def test_an_icon_that_never_comes_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(icons, "FETCH_S", 0.01)
    with pytest.raises(IconRefusedError, match="did not come within"):
        fetch(refusing(status_code=200, stream=Slow()))


def test_a_server_that_is_not_there_is_no_harm() -> None:
    def gone(request: httpx2.Request) -> httpx2.Response:
        raise httpx2.ConnectError("", request=request)

    with pytest.raises(IconRefusedError, match="did not come: ConnectError"):
        fetch(gone)


def test_what_asks_keeps_no_cookies_and_follows_nothing() -> None:
    client = icon_client()
    request = httpx2.Request("GET", HERE)
    client.cookies.extract_cookies(httpx2.Response(200, headers={"set-cookie": "id=1"}, request=request))
    assert not client.cookies.jar
    assert not client.follow_redirects
    asyncio.run(client.aclose())


@given(
    st.lists(st.builds(IconSource, st.text(), st.text(), st.lists(st.integers(1, 4_096)).map(tuple), st.text())),
    st.sampled_from(["light", "dark"]),
)
def test_each_icon_stands_in_the_order_once(found: list[IconSource], theme: icons.Theme) -> None:
    assert sorted(by_fitness(found, theme, 64)) == sorted(found)


def taken(make: Callable[[], IconBytes]) -> bool:
    try:
        make()
    except IconRefusedError:
        return False
    return True


@given(st.binary(max_size=64), st.text(max_size=40))
def test_no_bytes_and_no_address_are_too_strange(content: bytes, address: str) -> None:
    signs = (b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"RIFF")
    assert taken(lambda: checked(IconSource("x"), content)) <= content.startswith(signs)
    assert not taken(lambda: written(IconSource(f"data:{address}")))
    assert not taken(lambda: fetch(nobody, address))
