"""A real web server on this computer, whose pages are functions."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import ssl


class Seen(NamedTuple):
    method: str
    path: str
    headers: dict[str, str]
    body: bytes


class Page(NamedTuple):
    body: bytes = b""
    content_type: str = "text/html; charset=utf-8"
    status: int = 200
    headers: tuple[tuple[str, str], ...] = ()


class LocalServer:
    """Serve pages by path and remember the requests.

    Attributes:
        port: The port on 127.0.0.1.
        seen: The requests, in order.
        pages: What answers by path; a function receives the request.
    """

    def __init__(self, port: int) -> None:
        self.port = port
        self.seen: list[Seen] = []
        self.pages: dict[str, Page | Callable[[Seen], Page]] = {}

    def url(self, path: str = "/", host: str = "127.0.0.1") -> str:
        return f"http://{host}:{self.port}{path}"

    def redirect(self, path: str, target: str, status: int = 302) -> None:
        self.pages[path] = Page(status=status, headers=(("location", target),))

    def answer(self, seen: Seen) -> Page:
        self.seen.append(seen)
        page = self.pages.get(seen.path.partition("?")[0], Page(b"nothing here", status=404))
        return page if isinstance(page, Page) else page(seen)


@contextmanager
def local_server(trust: ssl.SSLContext | None = None) -> Iterator[LocalServer]:
    """Serve on a free port until the block ends."""

    class Handler(BaseHTTPRequestHandler):
        def answer(self) -> None:
            length = int(self.headers.get("content-length", 0))
            headers = {name.lower(): value for name, value in self.headers.items()}
            page = local.answer(Seen(self.command, self.path, headers, self.rfile.read(length)))
            self.send_response(page.status)
            if page.content_type:
                self.send_header("content-type", page.content_type)
            for name, value in page.headers:
                self.send_header(name, value)
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(page.body)

        def log_message(self, *_: object) -> None:
            """Keep the test's output clean."""

    for method in ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"):
        setattr(Handler, f"do_{method}", Handler.answer)

    class Server(ThreadingHTTPServer):
        def handle_error(self, *_: object) -> None:
            """Let clients hang up when they have enough."""

    server = Server(("127.0.0.1", 0), Handler)
    if trust is not None:
        server.socket = trust.wrap_socket(server.socket, server_side=True)
    local = LocalServer(server.server_port)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), name="local web server")
    thread.start()
    try:
        yield local
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
