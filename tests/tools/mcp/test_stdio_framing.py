"""Lines of a server's output: taken as they come, held back while nobody reads, read to the end."""

from __future__ import annotations

import asyncio
import json
from datetime import UTC, datetime
from typing import Any

from mcp.shared.message import SessionMessage
from mcp_types import JSONRPCMessage, JSONRPCResponse

from tests.tools.running import until
from tools.mcp.message_log import MessageLog
from tools.mcp.message_recorder import MessageRecorder
from tools.mcp.stdio_framing import Lines


class Flow(asyncio.ReadTransport):
    is_stopped = False
    is_wanted = False

    def pause_reading(self) -> None:
        self.is_stopped = True

    def resume_reading(self) -> None:
        self.is_stopped, self.is_wanted = False, True


class Server:
    """Lines of a server that answers calls with the numbers of `taken`."""

    def __init__(self) -> None:
        self.ends: list[Exception | None] = []
        self.taken: list[Any] = []
        self.lines = Lines(MessageRecorder(MessageLog(lambda: datetime.now(UTC))), self.ends.append)
        self.lines.take = self.take
        self.lines.flow = self.flow = Flow()

    def take(self, message: JSONRPCMessage) -> bool:
        is_call = isinstance(message, JSONRPCResponse) and isinstance(message.id, int) and message.id >= 100
        if is_call and isinstance(message, JSONRPCResponse):
            self.taken.append(message.id)
        return is_call

    async def heard(self) -> list[Any]:
        """Read to the end."""
        found = [item async for item in self.lines]
        return [item.message.id for item in found if isinstance(item, SessionMessage)]  # type: ignore[union-attr]


def answers(*numbers: int) -> bytes:
    return b"".join(json.dumps({"jsonrpc": "2.0", "id": n, "result": {}}).encode() + b"\n" for n in numbers)


async def test_answers_to_calls_are_taken_as_they_come_while_somebody_waits() -> None:
    server = Server()
    reading = asyncio.create_task(server.heard())
    await until(lambda: server.flow.is_wanted)
    server.lines.feed(answers(100, 101) + answers(102)[:9])
    assert server.taken == [100, 101]
    server.lines.feed(answers(102)[9:] + answers(1, 103, 2))
    server.lines.feed_end()
    assert await reading == [1, 2]
    assert server.taken == [100, 101, 102, 103]
    assert server.ends == [None]


async def test_the_output_is_stopped_while_nobody_reads_and_flows_on() -> None:
    server = Server()
    many = answers(1, *range(100, 10_000))
    server.lines.feed(many)
    assert server.flow.is_stopped
    assert server.taken == []
    reading = asyncio.create_task(server.heard())
    await until(lambda: len(server.taken) == 9_900)
    await until(lambda: not server.flow.is_stopped)
    server.lines.feed_end()
    assert await reading == [1]


async def test_what_follows_the_end_of_the_reader_is_for_nobody() -> None:
    server = Server()
    await server.lines.aclose()
    server.lines.feed(answers(100))
    assert await server.heard() == []
    assert (server.taken, server.ends) == ([], [])
