"""The bridge passes lines on, and an agent does not hear that another program serves."""

from __future__ import annotations

import asyncio
import json
import os
import queue
import select
import socket
import stat
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from functools import partial
from pathlib import Path
from threading import Thread
from types import SimpleNamespace
from typing import Any

import pytest

from tests.tools.gateway.killed_program import ASKED, GO, RAN, lines_of
from tests.tools.gateway.programs import Stage, stage
from tests.tools.gateway.raw_agent import LEGACY, MODERN
from tests.tools.gateway.serving import no_prompt
from tests.tools.running import until
from tools.errors import GatewayError
from tools.gateway import bridge_server
from tools.gateway.bridge import Bridge, connected
from tools.gateway.bridge_socket import private_socket, remove_left
from tools.gateway.defaults import LARGEST_REQUEST_BYTES
from tools.gateway.endpoint import GatewayEndpoint
from tools.gateway.owner_note import OwnerNote, read_note, served_note

pytestmark = pytest.mark.skipif(os.name == "nt", reason="locks count once there")

INFO = {"name": "raw", "version": "1"}


class BridgedAgent:
    """An agent that writes lines and reads them."""

    def __init__(self, era: str) -> None:
        self.said: list[dict[str, Any]] = []
        self.is_modern = era == "modern"
        self._written: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self._last = 0

    def read(self) -> bytes:
        return self._written.get()

    def hear(self, lines: bytes) -> None:
        assert lines.endswith(b"\n")
        self.said += [json.loads(line) for line in lines.splitlines()]

    @property
    def last(self) -> int:
        return self._last

    def write(self, method: str, params: dict[str, Any] | None = None, **more: Any) -> None:
        self._written.put(self.line(method, params, **more))

    def line(self, method: str, params: dict[str, Any] | None = None, **more: Any) -> bytes:
        given = dict(params or {})
        if self.is_modern:
            meta = {"protocolVersion": MODERN, "clientInfo": INFO, "clientCapabilities": {}}
            given["_meta"] = {f"io.modelcontextprotocol/{name}": value for name, value in meta.items()}
        return json.dumps({"jsonrpc": "2.0", "method": method, "params": given, **more}).encode() + b"\n"

    def write_message(self, message: dict[str, Any]) -> None:
        self.write_line(json.dumps({"jsonrpc": "2.0", **message}).encode())

    def write_line(self, line: bytes) -> None:
        self._written.put(line + b"\n")

    def close(self) -> None:
        self._written.put(b"")

    async def answer(self, method: str, params: dict[str, Any] | None = None) -> dict[str, Any]:
        self._last += 1
        number = self._last
        self.write(method, params, id=number)
        await until(lambda: self.answers(number))
        (answer,) = self.answers(number)
        return answer

    def answers(self, number: int) -> list[dict[str, Any]]:
        return [one for one in self.said if one.get("id") == number and "method" not in one]

    async def call(self, name: str, /, **arguments: str) -> dict[str, Any]:
        """Call a tool, and come back with the state as clients of the newer era do."""
        params: dict[str, Any] = {"name": name, "arguments": arguments}
        while True:
            answer = await self.answer("tools/call", params)
            state = answer.get("result", {}).get("requestState")
            if state is None:
                return answer
            params["requestState"] = state


def look_of(on: Stage) -> Callable[[], OwnerNote | None]:
    return partial(served_note, on.folder)


def find_of(on: Stage) -> Callable[[], OwnerNote]:
    def find() -> OwnerNote:
        note = served_note(on.folder)
        if note is None:
            raise ConnectionRefusedError("nobody serves")
        return note

    return find


@asynccontextmanager
async def bridged(on: Stage, era: str, patience_s: float = 15) -> AsyncIterator[BridgedAgent]:
    agent = BridgedAgent(era)
    bridge = Bridge(look_of(on), find_of(on), on.token, read=agent.read, write=agent.hear, patience_s=patience_s)
    running = asyncio.create_task(asyncio.to_thread(bridge.run))
    try:
        async with asyncio.timeout(40):
            if era == "legacy":
                hello = {"protocolVersion": LEGACY, "capabilities": {"elicitation": {}}, "clientInfo": INFO}
                await agent.answer("initialize", hello)
                agent.write("notifications/initialized")
            yield agent
    finally:
        agent.close()
        await running


@pytest.mark.parametrize("era", ["legacy", "modern"])
async def test_a_question_that_another_program_takes_over_is_answered_in_the_same_request(
    tmp_path: Path, era: str
) -> None:
    async with stage(tmp_path) as on:
        first, _ = await on.program("tool-console serve")
        async with bridged(on, era) as agent:
            calling = asyncio.create_task(agent.call("erase", name="x"))
            await first.reviewer.asked.wait()
            second, _ = await on.program("the window", takes_over=True)
            await second.reviewer.asked.wait()
            second.reviewer.answer()
            answer = await calling
            assert answer["result"]["content"] == [{"type": "text", "text": "erased x"}]
            listed = await agent.answer("tools/list")
            assert "erase" in {one["name"] for one in listed["result"]["tools"]}
        assert (first.ran, second.ran) == ([], ["x"])


@pytest.mark.parametrize("era", ["legacy", "modern"])
async def test_a_call_that_runs_while_another_program_takes_over_runs_once_and_is_answered(
    tmp_path: Path, era: str
) -> None:
    async with stage(tmp_path) as on:
        first, _ = await on.program("tool-console serve")
        async with bridged(on, era) as agent:
            calling = asyncio.create_task(agent.call("build"))
            await first.runs.wait()
            second, _ = await on.program("the window", takes_over=True)
            first.leave_running.set()
            answer = await calling
            assert answer["result"]["content"] == [{"type": "text", "text": "built"}]
        assert (first.ran, second.ran) == (["build"], [])


async def test_an_agent_with_a_session_hears_that_the_lists_of_another_program_may_differ(tmp_path: Path) -> None:
    async with stage(tmp_path) as on:
        await on.program("tool-console serve")
        async with bridged(on, "legacy") as agent:
            await agent.answer("tools/list")
            await on.program("the window", takes_over=True)
            heard = {f"notifications/{listed}/list_changed" for listed in ("tools", "prompts", "resources")}
            await until(lambda: heard <= {one.get("method") for one in agent.said})


async def killed(on: Stage, folder: Path) -> asyncio.subprocess.Process:
    words = ["-m", "tests.tools.gateway.killed_program", str(folder), "YES"]
    program = await asyncio.create_subprocess_exec(sys.executable, *words, stdout=asyncio.subprocess.PIPE)
    assert program.stdout is not None
    on.address = (await program.stdout.readline()).decode().strip()
    return program


@pytest.mark.parametrize("era", ["legacy", "modern"])
async def test_a_crash_is_told_as_an_error_and_the_same_call_does_not_run_twice(tmp_path: Path, era: str) -> None:
    async with stage(tmp_path) as on:
        program = await killed(on, tmp_path)
        left = read_note(tmp_path)
        assert left is not None
        async with bridged(on, era) as agent:
            calling = asyncio.create_task(agent.call("erase", item="x"))
            await until(lambda: lines_of(tmp_path / RAN) == ["x"])
            program.kill()
            await program.wait()
            told = await calling
            assert "call again with the same arguments" in told["error"]["message"]
            folder = os.path.dirname(str(left.bridge))  # noqa: PTH120 -- nothing else runs here
            assert os.listdir(folder) == ["bridge"]  # noqa: PTH208
            await on.next_program()
            with pytest.raises(FileNotFoundError):
                os.stat(folder)  # noqa: PTH116
            (tmp_path / GO).touch()
            again = await agent.call("erase", item="x")
            assert "erased" not in json.dumps(again)
            assert lines_of(tmp_path / RAN) == ["x"]
            other = await agent.call("erase", item="y")
            assert other["result"]["content"] == [{"type": "text", "text": "erased y"}]
        assert lines_of(tmp_path / ASKED) == ["asked", "asked"]


async def test_a_request_is_told_when_no_program_serves_and_the_next_one_finds_the_program(tmp_path: Path) -> None:
    async with stage(tmp_path) as on:
        first, _ = await on.program("tool-console serve")
        async with bridged(on, "modern", patience_s=0.1) as agent:
            await agent.answer("tools/list")
            await first.endpoint.aclose()
            answer = await agent.answer("tools/list")
            assert "no program serves the tools now" in answer["error"]["message"]
            await on.program("the window")
            assert "result" in await agent.answer("tools/list")


async def test_a_line_that_is_no_message_does_not_end_the_bridge(tmp_path: Path) -> None:
    async with stage(tmp_path) as on:
        await on.program("tool-console serve")
        async with bridged(on, "modern") as agent:
            for line in (b"no JSON", b"[]", b"3", b'{"id": null}', b"{}", b'{"id": [1], "method": "tools/list"}'):
                agent.write_line(line)
            assert "result" in await agent.answer("tools/list")


async def legacy_question(agent: BridgedAgent) -> dict[str, Any]:
    """Wait for a question to the agent that was not answered."""

    def questions() -> list[dict[str, Any]]:
        return [one for one in agent.said if one.get("method") == "elicitation/create"]

    await until(questions)
    return questions()[-1]


async def test_a_question_of_a_server_reaches_an_agent_of_the_older_era_and_its_answer_the_tool(tmp_path: Path) -> None:
    async with stage(tmp_path) as on:
        await on.program("tool-console serve")
        async with bridged(on, "legacy") as agent:
            calling = asyncio.create_task(agent.call("greet"))
            asked = await legacy_question(agent)
            agent.write_message({"id": asked["id"], "result": {"action": "accept", "content": {"name": "Ann"}}})
            assert "hello {'name': 'Ann'}" in json.dumps(await calling)


async def test_an_answer_to_a_question_of_a_program_that_is_gone_answers_no_other_one(tmp_path: Path) -> None:
    async with stage(tmp_path) as on:
        await on.program("tool-console serve")
        async with bridged(on, "legacy") as agent:
            calling = asyncio.create_task(agent.call("greet"))
            former = await legacy_question(agent)
            await on.program("the window", takes_over=True)
            await until(lambda: sum(one.get("method") == "elicitation/create" for one in agent.said) == 2)
            again = await legacy_question(agent)
            assert former["id"] != again["id"]
            for number, name in ((former["id"], "old"), (again["id"], "new")):
                agent.write_message({"id": number, "result": {"action": "accept", "content": {"name": name}}})
            assert "hello {'name': 'new'}" in json.dumps(await calling)


@pytest.mark.parametrize("era", ["legacy", "modern"])
async def test_a_call_that_the_agent_gives_up_is_stopped_and_not_answered(tmp_path: Path, era: str) -> None:
    async with stage(tmp_path) as on:
        first, _ = await on.program("tool-console serve")
        async with bridged(on, era) as agent:
            calling = asyncio.create_task(agent.call("build"))
            await first.runs.wait()
            agent.write("notifications/cancelled", {"requestId": agent.last})
            await until(lambda: first.endpoint.running == 0)
            assert "result" in await agent.answer("tools/list")
            assert not agent.answers(agent.last - 1)
            calling.cancel()


@pytest.mark.parametrize("era", ["legacy", "modern"])
async def test_an_agent_that_is_blocked_is_refused_at_its_next_request(tmp_path: Path, era: str) -> None:
    async with stage(tmp_path) as on:
        first, _ = await on.program("tool-console serve")
        async with bridged(on, era) as agent:
            assert "result" in await agent.answer("tools/list")
            await asyncio.to_thread(first.agents.block, "claude")
            for method, params in (("tools/list", {}), ("tools/call", {"name": "build", "arguments": {}})):
                answer = await agent.answer(method, params)
                assert "does not know the token" in answer["error"]["message"]
        assert first.ran == []


async def test_a_token_that_nobody_has_is_refused_in_words(tmp_path: Path) -> None:
    async with stage(tmp_path) as on:
        await on.program("tool-console serve")
        on.token = "tc_guess"
        bridge = Bridge(look_of(on), find_of(on), on.token, read=bytes, write=lambda _: None)
        with pytest.raises(GatewayError, match="does not know the token; tool-console agent renew gives another"):
            await asyncio.to_thread(bridge.run)


async def test_nobody_else_reaches_the_socket_of_bridges(tmp_path: Path) -> None:
    async with stage(tmp_path) as on:
        first, _ = await on.program("tool-console serve")
        note = served_note(tmp_path)
        assert note is not None
        at = Path(str(note.bridge))
        kept = [os.stat(one).st_mode for one in (at, at.parent)]  # noqa: PTH116 -- nothing else runs here
        assert stat.S_ISSOCK(kept[0])
        assert [stat.S_IMODE(mode) for mode in kept] == [0o600, 0o700]
        await first.endpoint.aclose()
        assert not at.parent.exists()


def test_only_the_socket_of_a_program_that_is_gone_is_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    with private_socket() as bound:
        bound.listen()
        at = Path(bound.getsockname())
        remove_left(str(at))
        assert at.exists()
        bound.close()
        (at.parent / "other").touch()
        (at.parent / "elsewhere").touch()
        remove_left(str(at.parent / "elsewhere"))
        assert (at.parent / "elsewhere").exists()
        remove_left(str(at))
        assert sorted(os.listdir(at.parent)) == ["elsewhere", "other"]  # noqa: PTH208 -- names are enough


async def test_a_bridge_that_neither_reads_nor_can_send_is_sent_to_the_next_program_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bridge_server, "GRACE_S", 60.0)
    async with stage(tmp_path) as on:
        await on.program("tool-console serve")
        connection = await asyncio.to_thread(connected, find_of(on)(), on.token)
        with connection:
            agent = BridgedAgent("modern")
            asked = b"".join(agent.line("tools/list", id=number) for number in range(20_000))
            sending = asyncio.create_task(asyncio.to_thread(connection.sendall, asked))
            # It is full both ways now: the program reads nothing until the bridge does.
            await until(lambda: len(select.select([], [connection], [], 0)[1]) == 0)
            assert not sending.done()
            serving = asyncio.create_task(on.program("the window", takes_over=True))
            await sending
            connection.shutdown(socket.SHUT_WR)
            said = await asyncio.to_thread(_all_of, connection)
            await serving
        assert b"\n\t\n" in said
        assert b"\n19999\t\n" in said


def _all_of(connection: socket.socket) -> bytes:
    return b"".join(iter(partial(connection.recv, 1 << 20), b""))


def test_a_program_that_only_listens_in_the_place_of_one_that_was_killed_is_sent_no_token(tmp_path: Path) -> None:
    heard: list[bytes] = []

    def answer() -> None:
        there, _ = listening.accept()
        with there:
            heard.append(there.recv(1 << 16))
            there.sendall(b"0" * 64 + b"\n")
            heard.append(there.recv(1 << 16))

    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = Thread(target=answer)
        thread.start()
        note = OwnerNote(1, 1, 1, listening.getsockname()[1], "the secret of the one that was killed")
        with pytest.raises(OSError, match="another program listens"):
            connected(note, "tc_token")
        thread.join()
    assert heard[1] == b""
    assert b"tc_token" not in heard[0]


@pytest.mark.parametrize("era", ["legacy", "modern"])
async def test_bridges_use_a_port_where_there_are_no_private_sockets(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, era: str
) -> None:
    monkeypatch.setattr(bridge_server, "sys", SimpleNamespace(platform="win32"))
    async with stage(tmp_path) as on:
        first, _ = await on.program("tool-console serve")
        note = served_note(tmp_path)
        assert note is not None
        assert isinstance(note.bridge, int)
        async with bridged(on, era) as agent:
            calling = asyncio.create_task(agent.call("erase", name="x"))
            await first.reviewer.asked.wait()
            first.reviewer.answer()
            assert (await calling)["result"]["content"][0]["text"] == "erased x"


async def test_a_request_that_is_too_large_is_refused_and_the_others_go_on(tmp_path: Path) -> None:
    async with stage(tmp_path) as on:
        await on.program("tool-console serve")
        async with bridged(on, "modern") as agent:
            answer = await agent.answer(
                "tools/call", {"name": "erase", "arguments": {"name": "x" * LARGEST_REQUEST_BYTES}}
            )
            assert "expected a request of at most 4 MiB" in answer["error"]["message"]
            assert "result" in await agent.answer("tools/list")


async def until_closed(connection: socket.socket) -> bytes:
    """Return what comes until a connection is closed."""
    loop = asyncio.get_running_loop()
    connection.setblocking(False)
    said = b""
    async with asyncio.timeout(20):
        try:
            while chunk := await loop.sock_recv(connection, 1 << 16):
                said += chunk
        except ConnectionResetError:
            pass
    return said


@pytest.mark.parametrize("sent", [b"", b"half a line", b"x" * (LARGEST_REQUEST_BYTES + 1)])
async def test_a_connection_that_sends_drop_by_drop_or_no_line_at_all_is_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sent: bytes
) -> None:
    async with stage(tmp_path) as on:
        await on.program("tool-console serve")
        note = served_note(tmp_path)
        assert note is not None
        connection = await asyncio.to_thread(connected, note, on.token) if sent else socket.socket(socket.AF_UNIX)
        # A slow machine may take longer until it is let in.
        monkeypatch.setattr(bridge_server, "REQUEST_S", 0.2)
        if not sent:
            connection.connect(str(note.bridge))
        with connection:
            sending = asyncio.create_task(asyncio.to_thread(send_all, connection, sent))
            assert await until_closed(connection) == b""
            await sending


def send_all(connection: socket.socket, sent: bytes) -> None:
    with suppress(OSError):
        connection.sendall(sent)


async def test_a_connection_that_reads_nothing_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bridge_server, "READING_S", 0.2)
    async with stage(tmp_path) as on:
        first, _ = await on.program("tool-console serve")
        note = served_note(tmp_path)
        assert note is not None
        with await asyncio.to_thread(connected, note, on.token) as connection:
            asked = BridgedAgent("modern")
            ask = b"".join(asked.line("tools/list", id=number) for number in range(2_000))
            sending = asyncio.create_task(asyncio.to_thread(send_all, connection, ask))
            await until(lambda: first.endpoint.idle_s > 0)
            await sending
            said = await until_closed(connection)
            assert said.count(b"\n") < 2_000


async def test_more_requests_than_may_be_open_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bridge_server, "MOST_REQUESTS", 1)
    async with stage(tmp_path) as on:
        first, _ = await on.program("tool-console serve")
        async with bridged(on, "modern") as agent:
            calling = asyncio.create_task(agent.call("build"))
            await first.runs.wait()
            answer = await agent.answer("tools/list")
            assert "1 requests are open already" in answer["error"]["message"]
            first.leave_running.set()
            await calling
            assert "result" in await agent.answer("tools/list")


async def test_messages_wait_while_the_window_is_behind_and_come_in_their_order(tmp_path: Path) -> None:
    async with stage(tmp_path) as on:
        program, _ = await on.program("tool-console serve")
        async with bridged(on, "modern") as agent:
            await agent.answer("tools/list")
            await program.endpoint.aclose()
        behind = [True]
        endpoint = GatewayEndpoint(
            program.executor, program.agents, tmp_path, render_prompt=no_prompt, port=0, is_behind=lambda: behind[0]
        )
        await endpoint.start()
        try:
            async with bridged(on, "modern") as agent:
                listing = [asyncio.create_task(agent.answer("tools/list")) for _ in range(5)]
                await until(lambda: endpoint.idle_s == 0)
                assert agent.said == []
                behind[0] = False
                assert all("result" in answer for answer in await asyncio.gather(*listing))
        finally:
            await endpoint.aclose()


async def test_a_program_in_the_background_counts_a_connected_bridge_as_an_agent_that_is_there(tmp_path: Path) -> None:
    async with stage(tmp_path) as on:
        first, _ = await on.program("tool-console serve")
        async with bridged(on, "modern") as agent:
            await agent.answer("tools/list")
            assert first.endpoint.idle_s == 0
        await until(lambda: first.endpoint.idle_s > 0)
