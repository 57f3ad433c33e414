"""A server over HTTPS that has icons at addresses of its own, good ones and bad ones.

Started as `python over_tls.py FILE`, a PEM file with a key and its certificate; it prints the port that it listens on.
What was asked for, with the names of the headers, stands under `/seen`.
"""

from __future__ import annotations

import asyncio
import base64
import socket
import sys
from collections.abc import AsyncIterator
from typing import Final

import uvicorn
from mcp.server.mcpserver import MCPServer
from mcp_types import Icon
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Mount, Route

from tests.mcp_servers.misbehaving import DOT

BAD: Final = ("elsewhere", "redirect", "missing", "svg", "endless", "html")
_seen: list[list[str]] = []


async def icon(request: Request) -> Response:
    name = request.path_params["name"]
    _seen.append([name, *sorted(request.headers)])
    if name == "redirect":
        return RedirectResponse("/icons/good")
    if name == "missing":
        return Response(status_code=404)
    if name == "svg":
        return Response("<svg xmlns='http://www.w3.org/2000/svg'/>", media_type="image/svg+xml")
    if name == "html":
        return Response("<html>", media_type="image/png")
    if name == "endless":
        return StreamingResponse(endless(), media_type="image/png")
    return Response(base64.b64decode(DOT), headers={"Set-Cookie": "id=1", "Content-Type": "image/png"})


async def endless() -> AsyncIterator[bytes]:
    while True:
        yield b"\x89PNG\r\n\x1a\n" * 1_000
        await asyncio.sleep(0)


async def seen(_: Request) -> Response:
    return JSONResponse(_seen)


def application(port: int) -> Starlette:
    here = f"https://localhost:{port}/icons"
    server = MCPServer("over-tls", log_level="ERROR", icons=[Icon(src=f"{here}/good", mime_type="image/png")])
    for name in ("good", *BAD):
        src = f"https://127.0.0.1:{port}/icons/good" if name == "elsewhere" else f"{here}/{name}"
        server.tool(name=name, description=f"Have the icon {name}.", icons=[Icon(src=src)])(answer)
    inside = server.streamable_http_app()
    routes = [Route("/icons/{name}", icon), Route("/seen", seen), Mount("/", inside)]
    return Starlette(routes=routes, lifespan=inside.router.lifespan_context)


async def answer() -> str:
    """Answer."""
    return "here"


def main() -> None:
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen()
        port = listening.getsockname()[1]
        sys.stdout.write(f"{port}\n")
        sys.stdout.flush()
        pem = sys.argv[1]
        config = uvicorn.Config(application(port), log_level="error", ssl_certfile=pem, ssl_keyfile=pem,
                                timeout_graceful_shutdown=1)  # fmt: skip
        uvicorn.Server(config).run(sockets=[listening])


if __name__ == "__main__":
    main()
