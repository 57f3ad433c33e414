"""Try a server before it is kept: start it, look at what it offers, and end it again."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, NamedTuple

from tools.errors import ToolError
from tools.mcp.servers import Servers
from tools.registry import ToolRegistry

if TYPE_CHECKING:
    from tools.mcp.config import ServerConfig
    from tools.mcp.definitions import Definition
    from tools.mcp.life import Resolve
    from tools.mcp.state import ServerState
    from tools.mcp.wire_log import LogLine


class Tried(NamedTuple):
    """What came of trying a server.

    Attributes:
        state: How it stood at the end: connected, or failed with a fault that says why.
        definitions: Its tools.
        lines: What went over the wire, and what it said.
    """

    state: ServerState
    definitions: tuple[Definition, ...]
    lines: tuple[LogLine, ...]


async def try_server(config: ServerConfig, resolve: Resolve) -> Tried:
    """Start a server once, list its tools, and end it; nothing of it is kept, and its questions are declined.

    Whoever calls this has the person's consent.

    Args:
        config: Its entry.
        resolve: Fills it in.
    """
    servers = Servers(ToolRegistry(), resolve=resolve, back_off_s=())
    try:
        await servers.apply([config])
        with contextlib.suppress(ToolError):  # its state says why
            await servers.start(config.name)
        definitions = tuple(judgement.definition for judgement in servers.judgements(config.name))
        return Tried(servers.state(config.name), definitions, servers.log(config.name).lines())
    finally:
        await servers.aclose()
