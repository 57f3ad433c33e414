"""Long arguments: written in pieces, sent as fast as a worker reads, and the same on the other side."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Iterator
from dataclasses import replace
from datetime import date, timedelta
from typing import Any

import pytest

from tests.tools import isolated
from tests.tools.running import execute
from tools import Executor, Isolation, Policies, ToolRegistry, WorkerPool, resolve_tools
from tools.calls import CallStatus
from tools.execution.workers.chunks import SMALL, ValueBuilder, is_long, send_parts
from tools.execution.workers.declaration_client import DeclarationMessageHandler
from tools.execution.workers.failures import WorkerToolError
from tools.execution.workers.process import FrameWriter
from tools.execution.workers.protocol import FrameKind, frame
from tools.execution.workers.references import ToolReference

DAYS = [str(date(1990, 1, 1) + timedelta(days=number)) for number in range(5_000)]
ROWS: list[dict[str, Any]] = [{"number": number, "deep": {"list": [number, None, "ä\n"]}} for number in range(5_000)]
SHORT = {"rows": [{"a": 1}], "days": ["2024-02-29"], "note": "short", "secret": "s"}


def digested(arguments: dict[str, Any], place: Isolation) -> Any:
    """Return what a tool says of its arguments in one place."""
    policies = Policies(isolation=place)
    tools = [replace(tool, policies=tool.policies.merged(policies)) for tool in resolve_tools([isolated.digest])]

    async def work() -> Any:
        pool = WorkerPool(1)
        executor = Executor(ToolRegistry(tools), workers=pool)
        try:
            response = await execute(executor, "digest", arguments)
            assert response.status is CallStatus.EXECUTED, response.error
            return response.result
        finally:
            await executor.aclose()
            pool.close()

    return asyncio.run(work())


@pytest.mark.parametrize(
    "changed",
    [
        {"rows": ROWS},
        {"days": DAYS},
        {"note": "ä" * (SMALL + 1)},
        {"secret": "s" * (SMALL + 1), "rows": ROWS},
        {"rows": [{"inner": ROWS, "text": "x" * (SMALL * 2)}, *ROWS]},
    ],
)
def test_long_arguments_are_the_same_on_the_other_side(changed: dict[str, Any]) -> None:
    arguments = {**SHORT, **changed}

    assert digested(arguments, Isolation.PROCESS) == digested(arguments, Isolation.INLINE)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (5, False),
        ("x" * SMALL, False),
        ("x" * (SMALL + 1), True),
        (b"x" * (SMALL + 1), True),
        ([0] * 2_000, False),
        ([0] * 2_001, True),
        ({"a": [0] * 2_001}, True),
    ],
)
def test_arguments_are_long_by_their_letters_or_parts(value: Any, *, expected: bool) -> None:
    assert is_long({"short": 1, "value": value}) is expected


def test_a_long_part_is_never_written_whole() -> None:
    sizes, builder = [], ValueBuilder()

    def send(kind: FrameKind, body: bytes) -> None:
        sizes.append(len(body))
        builder.take(kind, body)

    value = {"a": 1, "text": "x" * 3_000_000, "rows": [[*range(100_000)], "y" * 2_000_000]}
    send_parts(value, send)
    assert max(sizes) <= 1 << 20
    assert builder.value == value


def test_long_arguments_of_a_call_that_cannot_begin_do_not_stay() -> None:
    gone, known = (ToolReference(name, isolated.__name__, name) for name in ("gone", "echo"))
    pieces: list[bytes] = []
    send_parts({"text": "x" * (SMALL + 1)}, lambda kind, body: pieces.append(frame(kind, body)))

    async def work() -> Any:
        pool = WorkerPool(1)
        worker = await pool.wait_for_worker(gone)
        try:
            for _ in range(2):
                with pytest.raises(WorkerToolError, match="finds no tool 'gone'"):
                    await worker.call(gone, pieces, DeclarationMessageHandler())
            return await worker.call(known, pieces, DeclarationMessageHandler())
        finally:
            pool.close()

    assert asyncio.run(work()).value == SMALL + 1


@pytest.fixture(name="pair")
def _pair() -> Iterator[tuple[socket.socket, socket.socket]]:
    here, there = socket.socketpair()
    here.setblocking(False)
    there.setblocking(False)
    yield here, there
    here.close()
    there.close()


async def received(there: socket.socket, size: int) -> bytes:
    """Return so many bytes."""
    data = bytearray()
    async with asyncio.timeout(60):
        while len(data) < size:
            data += await asyncio.get_running_loop().sock_recv(there, 100_000)
    return bytes(data)


@pytest.mark.parametrize("watched", [True, False])
async def test_what_does_not_fit_follows_in_its_order(
    pair: tuple[socket.socket, socket.socket], monkeypatch: pytest.MonkeyPatch, *, watched: bool
) -> None:
    monkeypatch.setattr("tools.execution.workers.process.CAN_WATCH", watched)
    parts = [bytes([number]) * (number * 40_000 + 1) for number in range(20)]
    outgoing = FrameWriter(asyncio.get_running_loop(), pair[0])
    outgoing.send(b"first")
    outgoing.send_all(parts)
    outgoing.send(b"last")
    assert (await received(pair[1], 9 + sum(map(len, parts)))) == b"first" + b"".join(parts) + b"last"


async def test_what_nobody_will_read_is_dropped(pair: tuple[socket.socket, socket.socket]) -> None:
    outgoing = FrameWriter(asyncio.get_running_loop(), pair[0])
    outgoing.send_all([b"x" * 1_000_000] * 3)
    await asyncio.sleep(0)
    pair[1].close()
    await asyncio.sleep(0.01)
    outgoing.send(b"more")
    outgoing.send_all([])
    outgoing.close()
