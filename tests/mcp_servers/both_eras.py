"""A well-behaved server of the SDK, which speaks both eras.

Started as `python both_eras.py stdio`, or with `http`, `locked` or `sse` and perhaps a port: then it prints the port
that it listens on.
"""

from __future__ import annotations

import socket
import sys
from typing import Annotated

import anyio
import uvicorn
from mcp.server.mcpserver import Context, Elicit, ElicitationResult, MCPServer, Resolve
from mcp.server.mcpserver.resolve import ListRoots, Sample
from mcp_types import CreateMessageResult, ListRootsResult, SamplingMessage, TextContent, ToolAnnotations
from mcp_types.version import LATEST_HANDSHAKE_VERSION
from pydantic import BaseModel
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

TOKEN = "Bearer let-me-in"
server = MCPServer("both-eras", title="Both eras", version="7", instructions="Be kind.", log_level="ERROR")
_content = ["first"]


class Person(BaseModel):
    """What is asked for."""

    name: str
    age: int = 30


def ask_person() -> Elicit[Person]:
    """Ask who it is."""
    return Elicit("Who are you?", Person)


def ask_model() -> Sample:
    """Ask for a poem."""
    said = SamplingMessage(role="user", content=TextContent(type="text", text="A poem, please."))
    return Sample([said], max_tokens=100, system_prompt="You are a poet.")


def ask_roots() -> ListRoots:
    """Ask where to work."""
    return ListRoots()


@server.tool()
async def greet(person: Annotated[ElicitationResult[Person], Resolve(ask_person)]) -> str:
    """Greet whoever says who they are."""
    return person.model_dump_json()


@server.tool()
async def poem(written: Annotated[CreateMessageResult, Resolve(ask_model)]) -> str:
    """Have a poem written."""
    return written.model_dump_json(include={"content", "model"})


@server.tool()
async def folders(found: Annotated[ListRootsResult, Resolve(ask_roots)]) -> str:
    """Tell which folders it may work in."""
    return ", ".join(str(root.uri) for root in found.roots)


@server.tool()
async def sign_up(ctx: Context) -> str:
    """Send somebody to an address, and say when it is done there."""
    visited = await ctx.elicit_url("Sign up", "https://example.org/sign-up", "visit-1")
    await ctx.session.send_elicit_complete("visit-1", ctx.request_id)
    return visited.action


@server.tool()
async def count(to: int, ctx: Context) -> int:
    """Count, and tell how far it is."""
    for at in range(1, to + 1):
        await ctx.report_progress(at, to, f"at {at}")
    await ctx.info("counted")
    return to


@server.tool(annotations=ToolAnnotations(read_only_hint=True))
async def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


@server.tool()
async def wait(seconds: float) -> str:
    """Wait."""
    await anyio.sleep(seconds)
    return "waited"


@server.tool()
async def grow(ctx: Context) -> str:
    """Have one more tool from now on."""

    async def shrink() -> str:
        """Be the new one."""
        return "small"

    server.add_tool(shrink, name="shrink")
    await ctx.notify_tools_changed()
    if ctx.protocol_version == LATEST_HANDSHAKE_VERSION:
        # The older era has a notification of its own.
        await ctx.session.send_tool_list_changed()
    return "grown"


@server.tool()
async def rewrite(text: str, ctx: Context) -> str:
    """Give the note another text."""
    _content.append(text)
    await ctx.notify_resource_updated("note://today")
    return "rewritten"


@server.resource("note://today", mime_type="text/plain")
def note() -> str:
    """Be the note of today."""
    return _content[-1]


@server.resource("note://{year}/{month}", mime_type="text/plain")
def old_note(year: str, month: str) -> str:
    """Be an older note."""
    return f"written in {month} of {year}"


@server.prompt()
def review(code: str) -> str:
    """Have code looked at."""
    return f"Look at this: {code}"


class Locked:
    """Let nobody in who does not know the word."""

    def __init__(self, inside: ASGIApp) -> None:
        self._inside = inside

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and Request(scope).headers.get("authorization") != TOKEN:
            refusal: Response = JSONResponse({"error": "who are you?"}, status_code=401)
            await refusal(scope, receive, send)
            return
        await self._inside(scope, receive, send)


def serve(app: ASGIApp) -> None:
    """Serve an application on a port, which is told."""
    with socket.socket(proto=socket.IPPROTO_TCP) as listening:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(("127.0.0.1", int(sys.argv[2]) if len(sys.argv) > 2 else 0))
        listening.listen()
        sys.stdout.write(f"{listening.getsockname()[1]}\n")
        sys.stdout.flush()
        config = uvicorn.Config(app, log_level="error", timeout_graceful_shutdown=1)
        uvicorn.Server(config).run(sockets=[listening])


def main() -> None:
    """Run as the command line says."""
    way = sys.argv[1]
    if way == "stdio":
        server.run()
    elif way == "sse":
        serve(server.sse_app())
    else:
        serve(Locked(server.streamable_http_app()) if way == "locked" else server.streamable_http_app())


if __name__ == "__main__":
    main()
