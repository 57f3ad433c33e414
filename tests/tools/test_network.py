"""The network as a person set it up: proxy, allowed hosts and further certificates, from the next request on."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import httpx
import httpx2
import pytest

from tests.tools.catalog.services import Authority
from tools.errors import ToolFailure
from tools.http import HttpClients, new_blocking_client
from tools.models.providers import new_client
from tools.network import (
    ALLOWED_HOSTS,
    CERTIFICATES,
    NO_PROXY,
    PROXY,
    NetworkSettings,
    NetworkTransport,
    checked_certificates,
    checked_hosts,
    checked_proxy,
    network_now,
    use_network,
)
from tools.network_hosts import address_of
from tools.web.addresses import parse_url
from tools.web.requests import WebClient, WebRequest

CLIENTS = ("tools", "tools that block", "models", "MCP")


class Proxy:
    """A proxy that answers every request itself, and knows for whom it was."""

    def __init__(self) -> None:
        asked = self.asked = list[str]()

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                asked.append(self.path)
                self.send_response(200)
                self.end_headers()
                self.wfile.write(b"from the proxy")

            def log_message(self, *_: object) -> None:
                """Say nothing."""

        self._server = HTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self._server.server_port}"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,))
        self._thread.start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


@pytest.fixture(autouse=True)
def nothing_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (PROXY, ALLOWED_HOSTS, CERTIFICATES):
        # Set first, so that what a test sets is taken back.
        monkeypatch.setenv(name, "")
        monkeypatch.delenv(name)
    for name in ("http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY", "no_proxy"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def proxy() -> Iterator[Proxy]:
    running = Proxy()
    yield running
    running.close()


@asynccontextmanager
async def opened(kind: str) -> AsyncIterator[Callable[[str], Awaitable[str]]]:
    """Open a client, which stays open between two requests; give what asks it for a text."""
    client: Any
    if kind == "tools that block":
        with new_blocking_client() as client:

            async def ask_in_thread(url: str) -> str:
                return str((await asyncio.to_thread(client.get, url)).text)

            yield ask_in_thread
        return
    carrier: Any = NetworkTransport(httpx2)
    if kind == "MCP":
        client = httpx2.AsyncClient(transport=carrier)
    else:
        client = new_client() if kind == "models" else HttpClients().asynchronous
    async with client:

        async def ask(url: str) -> str:
            return str((await client.get(url)).text)

        yield ask


@pytest.mark.parametrize("kind", CLIENTS)
async def test_a_proxy_counts_from_the_next_request_on_for_clients_that_are_open(kind: str, proxy: Proxy) -> None:
    async with opened(kind) as ask:
        use_network(NetworkSettings(NO_PROXY))
        with pytest.raises((httpx.ConnectError, httpx2.ConnectError)):
            await ask("http://ships.invalid/list")
        use_network(NetworkSettings(proxy.address))
        assert await ask("http://ships.invalid/list") == "from the proxy"
    assert proxy.asked == ["http://ships.invalid/list"]


@pytest.mark.parametrize("kind", CLIENTS)
async def test_hosts_that_are_not_allowed_are_refused_before_anything_is_sent(kind: str, proxy: Proxy) -> None:
    use_network(NetworkSettings(proxy.address, ("good.invalid", "*.better.invalid")))
    async with opened(kind) as ask:
        for host in ("good.invalid", "the.better.invalid"):
            assert await ask(f"http://{host}/") == "from the proxy"
        proxy.asked.clear()
        for host in ("bad.invalid", "notbetter.invalid", "better.invalid"):
            with pytest.raises((httpx.ConnectError, httpx2.ConnectError), match=f"{host} is none of the allowed hosts"):
                await ask(f"http://{host}/")
    assert proxy.asked == []


async def test_the_web_tools_go_through_the_proxy_by_name_after_the_host_was_judged(proxy: Proxy) -> None:
    looked_up: list[str] = []

    async def look_up(host: str, _port: int) -> Any:
        looked_up.append(host)
        return (address_of("93.184.216.34"),)

    use_network(NetworkSettings(proxy.address, ("ships.example",)))
    client = WebClient(look_up)
    async with client.open(WebRequest(parse_url("http://ships.example/a")), 10) as reply:
        assert (await reply.read(100))[0] == b"from the proxy"
    assert (looked_up, proxy.asked) == (["ships.example"], ["http://ships.example/a"])
    with pytest.raises(ToolFailure, match=r"other\.example is none of the allowed hosts"):
        async with client.open(WebRequest(parse_url("http://other.example/")), 10):
            pass
    assert looked_up == ["ships.example"]


def test_the_systems_proxy_counts_unless_another_is_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("https_proxy", "proxy.example:3128")
    assert network_now().proxy_for("https", "example.org") == "http://proxy.example:3128"
    assert network_now().proxy_for("http", "example.org") is None
    assert NetworkSettings(NO_PROXY).proxy_for("https", "example.org") is None
    assert NetworkSettings("http://other:1").proxy_for("https", "example.org") == "http://other:1"


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "::1"])
def test_this_computer_is_reached_whatever_is_chosen(host: str) -> None:
    settings = NetworkSettings("http://proxy:1", ("example.org",))
    assert (settings.proxy_for("http", host), settings.refusal(host)) == (None, "")


@pytest.mark.parametrize(
    ("check", "text", "words"),
    [
        (checked_proxy, "proxy", "expected an address such as http://proxy.example.org:3128, got 'proxy'"),
        (checked_proxy, "socks5://proxy:1", "expected an address such as"),
        (checked_proxy, "http://proxy:seven", "expected an address such as"),
        (checked_proxy, "http://me:secret@proxy:1", "without a name and password"),
        (checked_hosts, "example.org, http://x", "got 'http://x'"),
        (checked_certificates, "/nowhere/at/all.pem", "cannot be read: No such file or directory"),
        (checked_certificates, "~nobody-has-this-name/all.pem", "cannot be read: No such file or directory"),
        (checked_certificates, __file__, "has none that can be read"),
    ],
)
def test_what_cannot_be_used_is_told(check: Any, text: str, words: str) -> None:
    with pytest.raises(ValueError, match="expected") as refused:
        check(text)
    assert words in str(refused.value)
    assert "secret@" not in str(refused.value)


def test_what_is_chosen_is_found_again_by_programs_that_are_started() -> None:
    chosen = NetworkSettings("http://proxy:1", ("example.org", "*.example.net"), "/etc/ssl/company.pem")
    use_network(chosen)
    assert network_now() == chosen
    use_network(NetworkSettings())
    assert network_now() == NetworkSettings()


async def test_a_file_of_certificates_that_is_gone_is_told_by_name() -> None:
    use_network(NetworkSettings(NO_PROXY, certificates="/nowhere/company.pem"))
    async with opened("models") as ask:
        with pytest.raises(httpx.ConnectError, match=r"certificates /nowhere/company\.pem cannot be read"):
            await ask("http://127.0.0.1:9/")


async def test_a_server_with_a_certificate_of_the_file_is_trusted(tmp_path: Path) -> None:
    authority = Authority(tmp_path)

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\nok")
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(answer, "localhost", 0, ssl=authority.serving("localhost"))
    url = f"https://localhost:{server.sockets[0].getsockname()[1]}/"
    async with server, opened("models") as ask:
        with pytest.raises(httpx.ConnectError, match="CERTIFICATE_VERIFY_FAILED"):
            await ask(url)
        use_network(NetworkSettings(certificates=checked_certificates(str(authority.file))))
        assert await ask(url) == "ok"
