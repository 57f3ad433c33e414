"""The bridge passes each line on byte for byte, whatever its letters, and knows a call by its beginning."""

from __future__ import annotations

import asyncio
import json
import os
import queue
import socket
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest
from mcp_types import CallToolRequest, CallToolRequestParams, JSONRPCRequest

from tests.tools.gateway.programs import stage
from tests.tools.gateway.raw_agent import MODERN
from tools.gateway.bridge import _PLAIN_CALL, Bridge
from tools.gateway.defaults import CANCELLED, LARGEST_REQUEST_BYTES
from tools.gateway.owner_note import OwnerNote, proof, served_note

SECRET = "the secret of the note"
LETTERS = "Grüße aus 東京 🗼 \N{LINE SEPARATOR}\N{NEXT LINE}end"
"""Letters of two, three and four bytes, and two that end a line in other places than here."""

PLAIN = '{"jsonrpc":"2.0","id":%s,"method":"tools/call","params":{"name":"erase"}}'
TIMEOUT_S = 20.0


class Program:
    """A program that serves one bridge at a time: what it heard, and what it says."""

    def __init__(self) -> None:
        self._listening = socket.create_server(("127.0.0.1", 0))
        self._listening.settimeout(TIMEOUT_S)
        self.note = OwnerNote(1, 1, 1, self._listening.getsockname()[1], SECRET)

    def serve(self) -> None:
        """Let the next bridge in."""
        self._connection, _ = self._listening.accept()
        self._connection.settimeout(TIMEOUT_S)
        self._said = self._connection.makefile("rb")
        self._connection.sendall(proof(SECRET, self._said.readline().strip()) + b"\n")
        assert self._said.readline() == b"tc_token\n"
        self._connection.sendall(b"\n")

    def heard(self) -> bytes:
        """Return the next line that the bridge sends."""
        return self._said.readline()

    def say(self, data: bytes) -> None:
        self._connection.sendall(data)

    def end(self) -> None:
        """End the connection, as a program does that is killed."""
        self._said.close()
        self._connection.close()

    def close(self) -> None:
        self.end()
        self._listening.close()


class Agent:
    """Writes chunks and reads lines."""

    def __init__(self) -> None:
        self._chunks: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self._lines: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self.read = self._chunks.get

    def write(self, *chunks: bytes) -> None:
        for chunk in chunks:
            self._chunks.put(chunk)

    def hear(self, data: bytes) -> None:
        *lines, rest = data.split(b"\n")
        assert rest == b""
        for line in lines:
            self._lines.put(line)

    def line(self) -> bytes:
        """Return the next line that the bridge writes."""
        return self._lines.get(timeout=TIMEOUT_S)

    def heard_nothing(self) -> bool:
        return self._lines.empty()


@contextmanager
def bridged() -> Iterator[tuple[Agent, Program]]:
    agent, program = Agent(), Program()
    is_gone = Event()

    def look() -> OwnerNote:
        if is_gone.is_set():
            raise ConnectionRefusedError("nobody serves")
        return program.note

    bridge = Bridge(look, look, "tc_token", read=agent.read, write=agent.hear, patience_s=TIMEOUT_S)
    running = Thread(target=bridge.run)
    running.start()
    try:
        program.serve()
        yield agent, program
    finally:
        is_gone.set()
        agent.write(b"")
        running.join(TIMEOUT_S)
        program.close()
    assert not running.is_alive()


NEXT = b'{"jsonrpc":"2.0","id":8,"method":"ping"}'
"""A request that any program may answer, the former one or the next."""


def spelled(number: object) -> bytes:
    """Return a call with its method before its number, as clients write it that are not Python's SDK."""
    said = {"method": "tools/call", "params": {"name": "erase"}, "jsonrpc": "2.0", "id": number}
    return json.dumps(said).encode()


def test_the_python_sdk_begins_its_calls_as_the_bridge_knows_them() -> None:
    call = CallToolRequest(params=CallToolRequestParams(name="erase", arguments={"name": LETTERS}))
    said = JSONRPCRequest(jsonrpc="2.0", id=7, **call.model_dump(by_alias=True, mode="json", exclude_none=True))
    begun = _PLAIN_CALL.match(said.model_dump_json(by_alias=True, exclude_none=True).encode())
    assert begun is not None
    assert begun[1] == b"7"


@pytest.mark.parametrize(
    ("line", "is_plain"),
    [
        (PLAIN % 7, True),
        (PLAIN % 0, True),
        (PLAIN % ("9" * 15), True),
        (json.dumps(json.loads(PLAIN % 7)), True),
        (PLAIN % ("9" * 16), False),
        (PLAIN % '"7"', False),
        (PLAIN % -7, False),
        ("  " + PLAIN % 7, True),
        (spelled(7).decode(), False),
        (spelled("sieben Grüße").decode(), False),
    ],
)
def test_a_call_is_passed_on_as_it_is_and_refused_by_its_own_number_when_its_program_is_killed(
    line: str, is_plain: bool
) -> None:
    sent = line.strip().encode()
    assert (_PLAIN_CALL.match(sent) is not None) is is_plain
    with bridged() as (agent, program):
        agent.write(line.encode() + b"\n")
        assert program.heard() == sent + b"\n"
        program.end()
        refused = json.loads(agent.line())
        assert refused["id"] == json.loads(line)["id"]
        assert "ended before it answered" in refused["error"]["message"]
        program.serve()
        # Nothing runs twice: the next program hears of another request first.
        agent.write(NEXT + b"\n")
        assert program.heard() == NEXT + b"\n"


@pytest.mark.parametrize("line", [(PLAIN % 7).encode(), spelled(7)])
def test_a_call_that_no_program_read_is_sent_to_the_next_one(line: bytes) -> None:
    with bridged() as (agent, program):
        agent.write(line + b"\n")
        assert program.heard() == line + b"\n"
        # The request is to come again, then all that follow.
        program.say(b"7\n\t\n")
        assert program.heard() == b""
        program.end()
        program.serve()
        assert program.heard() == line + b"\n"
        program.say(b'7\t{"jsonrpc":"2.0","id":7,"result":{}}\n')
        assert json.loads(agent.line()) == {"jsonrpc": "2.0", "id": 7, "result": {}}


@pytest.mark.parametrize("line", [(PLAIN % 7).encode(), spelled(7)])
def test_a_call_that_was_answered_is_not_refused_later(line: bytes) -> None:
    with bridged() as (agent, program):
        agent.write(line + b"\n")
        program.heard()
        program.say(b'7\t{"jsonrpc":"2.0","id":7,"result":{}}\n')
        assert json.loads(agent.line())["result"] == {}
        program.end()
        agent.write(NEXT + b"\n")
        program.serve()
        assert program.heard() == NEXT + b"\n"
        assert agent.heard_nothing()


@pytest.mark.parametrize("line", [(PLAIN % 7).encode(), spelled(7)])
def test_a_call_that_was_given_up_is_neither_refused_nor_sent_again(line: bytes) -> None:
    gives_up = json.dumps({"jsonrpc": "2.0", "method": CANCELLED, "params": {"requestId": 7}}).encode()
    with bridged() as (agent, program):
        agent.write(line + b"\n" + gives_up + b"\n")
        assert program.heard() == line + b"\n"
        assert program.heard() == gives_up + b"\n"
        program.end()
        agent.write(NEXT + b"\n")
        program.serve()
        assert program.heard() == NEXT + b"\n"
        assert agent.heard_nothing()


def test_a_call_that_begins_as_one_of_the_sdk_and_is_too_large_is_refused_by_its_number() -> None:
    line = PLAIN.replace("erase", "x" * LARGEST_REQUEST_BYTES) % 7
    with bridged() as (agent, program):
        agent.write(line.encode() + b"\n" + NEXT + b"\n")
        refused = json.loads(agent.line())
        assert refused["id"] == 7
        assert "expected a request of at most 4 MiB" in refused["error"]["message"]
        assert program.heard() == NEXT + b"\n"


def split_everywhere(data: bytes) -> Iterable[tuple[bytes, bytes]]:
    """Return the two parts of some bytes for each place where they can be split."""
    return ((data[:at], data[at:]) for at in range(1, len(data)))


@pytest.mark.parametrize("method", ["tools/call", "prompts/get"])
def test_letters_of_several_bytes_pass_whole_wherever_the_agents_pipe_splits_them(method: str) -> None:
    said = {"jsonrpc": "2.0", "id": 7, "method": method, "params": {"name": LETTERS}}
    line = json.dumps(said, ensure_ascii=False).encode() + b"\n"
    with bridged() as (agent, program):
        for parts in split_everywhere(line):
            agent.write(*parts)
            assert program.heard() == line
        agent.write(*(bytes([byte]) for byte in line))
        assert program.heard() == line


def test_letters_of_several_bytes_reach_the_agent_whole_wherever_the_programs_answer_is_split() -> None:
    said = {"jsonrpc": "2.0", "id": 7, "result": {"content": [{"type": "text", "text": LETTERS}]}}
    answer = json.dumps(said, ensure_ascii=False).encode()
    with bridged() as (agent, program):
        for first, rest in split_everywhere(b"7\t" + answer + b"\n"):
            agent.write((PLAIN % 7).encode() + b"\n")
            program.heard()
            program.say(first)
            program.say(rest)
            assert agent.line() == answer


def test_letters_pass_whole_through_pipes_that_are_read_a_few_bytes_at_a_time() -> None:
    said = {
        "jsonrpc": "2.0",
        "id": 7,
        "method": "tools/call",
        "params": {"name": "erase", "arguments": {"name": LETTERS}},
    }
    line = json.dumps(said, ensure_ascii=False).encode() + b"\n"
    reads, writes = os.pipe()
    with bridged() as (agent, program), os.fdopen(writes, "wb", buffering=0) as pipe:
        pipe.write(line)
        for chunk in iter(partial(os.read, reads, 3), line[-(len(line) % 3 or 3) :]):
            agent.write(chunk)
        agent.write(line[-(len(line) % 3 or 3) :])
        os.close(reads)
        assert program.heard() == line


@pytest.mark.skipif(os.name == "nt", reason="locks count once there")
@pytest.mark.parametrize("is_plain", [True, False])
async def test_a_tool_gets_and_gives_back_letters_of_several_bytes(tmp_path: Path, is_plain: bool) -> None:
    meta = {"protocolVersion": MODERN, "clientInfo": {"name": "raw", "version": "1"}, "clientCapabilities": {}}
    params = {
        "name": "erase",
        "arguments": {"name": LETTERS},
        "_meta": {f"io.modelcontextprotocol/{name}": value for name, value in meta.items()},
    }
    said = {"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": params}
    line = json.dumps(said if is_plain else dict(reversed(said.items())), ensure_ascii=False).encode() + b"\n"
    assert (_PLAIN_CALL.match(line) is not None) is is_plain
    async with stage(tmp_path) as on:
        program, _ = await on.program("tool-console serve")
        agent = Agent()
        bridge = Bridge(look := partial(_note_of, tmp_path), look, on.token, read=agent.read, write=agent.hear)
        running = asyncio.create_task(asyncio.to_thread(bridge.run))
        try:
            agent.write(*(bytes([byte]) for byte in line))
            await program.reviewer.asked.wait()
            assert program.reviewer.requests[0].arguments == {"name": LETTERS}
            program.reviewer.answer()
            answer = await asyncio.to_thread(_answer_in, agent.line)
            assert answer["result"]["content"][0]["text"] == f"erased {LETTERS}"
            assert program.ran == [LETTERS]
        finally:
            agent.write(b"")
            await running


def _note_of(folder: Path) -> OwnerNote:
    note = served_note(folder)
    if note is None:
        raise ConnectionRefusedError("nobody serves")
    return note


def _answer_in(line: Callable[[], bytes]) -> dict[str, Any]:
    """Return the next answer among the lines, which may be notifications as well."""
    while True:
        said: dict[str, Any] = json.loads(line())
        if "id" in said:
            return said
