"""Both eras of the protocol over every transport, with a server that speaks them all."""

from __future__ import annotations

import asyncio
import contextlib
import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.tools.mcp.serving import MISBEHAVING, Person, Served, serving
from tools import CallStatus
from tools.calls import ErrorKind, Progressed
from tools.errors import ServerRefusedError
from tools.mcp.config import ProtocolChoice, ServerConfig, Transport
from tools.mcp.elicitation import Cancelled, Declined
from tools.mcp.message_log import Channel
from tools.mcp.state import FaultKind, ProtocolEra, ResourceUpdated, ServerStatus, ToolsChanged

BOTH_ERAS = MISBEHAVING.parent / "both_eras.py"
ROOT = Path(__file__).parents[3]


@contextmanager
def listening(way: str, port: str = "0") -> Iterator[str]:
    """Keep the server running over HTTP, and give its address."""
    words = [sys.executable, str(BOTH_ERAS), way, port]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, cwd=ROOT) as program:
        try:
            assert program.stdout is not None
            port = program.stdout.readline().strip()
            yield f"http://127.0.0.1:{port}/{'sse' if way == 'sse' else 'mcp'}"
        finally:
            program.kill()


def over(way: str, address: str, era: ProtocolChoice, **rest: Any) -> ServerConfig:
    given: dict[str, Any] = {"name": "s", "protocol": era, "timeout_s": 20.0, **rest}
    if way == "stdio":
        words = (str(BOTH_ERAS), "stdio")
        return ServerConfig(transport=Transport.STDIO, command=sys.executable, args=words, cwd=str(ROOT), **given)
    return ServerConfig(transport=Transport.SSE if way == "sse" else Transport.HTTP, url=address, **given)


WAYS = [
    ("stdio", ProtocolChoice.AUTO, ProtocolEra.NEWER),
    ("stdio", ProtocolChoice.NEWER, ProtocolEra.NEWER),
    ("stdio", ProtocolChoice.OLDER, ProtocolEra.OLDER),
    ("http", ProtocolChoice.AUTO, ProtocolEra.NEWER),
    ("http", ProtocolChoice.OLDER, ProtocolEra.OLDER),
    ("sse", ProtocolChoice.OLDER, ProtocolEra.OLDER),
]


@pytest.mark.parametrize(("way", "pin", "era"), WAYS)
def test_all_that_a_server_can_do(way: str, pin: ProtocolChoice, era: ProtocolEra) -> None:
    async def work(address: str) -> None:
        person = Person()
        async with serving(over(way, address, pin), questions=person) as served:
            assert (served.state.status, served.state.protocol) == (ServerStatus.CONNECTED, era)
            await questions_are_answered(served, person)
            await progress_is_told(served)
            await resources_are_read_and_watched(served)
            await lists_change(served)
            await cancelled_calls_end(served)
            assert await served.servers.ping("s") > 0
            channels = {line.channel for line in served.servers.log("s").lines()}
            assert {Channel.SENT, Channel.RECEIVED} <= channels
            assert (Channel.HTTP in channels) is (way != "stdio")

    if way == "stdio":
        asyncio.run(work(""))
    else:
        with listening(way) as address:
            asyncio.run(work(address))


async def questions_are_answered(served: Served, person: Person) -> None:
    greeted = await served.call("greet", server="s")
    assert json.loads(greeted.text) == {"action": "accept", "data": {"name": "Ada", "age": 30}}
    assert "written by hand" in (await served.call("poem", server="s")).text
    assert (await served.call("folders", server="s")).text == "file:///project"
    form, sampling, roots = person.asked
    assert (form.server, form.tool, form.message) == ("s", "greet", "Who are you?")
    assert form.schema["properties"]["age"]["default"] == 30
    assert (sampling.tool, sampling.system_prompt, sampling.max_tokens) == ("poem", "You are a poet.", 100)
    assert sampling.messages[0]["content"] == {"type": "text", "text": "A poem, please."}
    assert roots.server == "s"


async def progress_is_told(served: Served) -> None:
    seen = len(served.events)
    counted = await served.call("count", {"to": 3}, server="s")
    assert counted.json_result == {"result": 3}
    told = [event.progress for event in served.events[seen:] if isinstance(event, Progressed)]
    assert [(progress.done, progress.total, progress.text) for progress in told] == [
        (1, 3, "at 1"),
        (2, 3, "at 2"),
        (3, 3, "at 3"),
    ]
    await served.logged("counted", "s")


async def resources_are_read_and_watched(served: Served) -> None:
    servers = served.servers
    (resource,) = await servers.resources("s")
    assert (resource.uri, resource.mime_type) == ("note://today", "text/plain")
    (template,) = await servers.resource_templates("s")
    assert template.variables == ("year", "month")
    address = template.filled({"year": "2026", "month": "May"})
    assert [content.text for content in await servers.read_resource("s", address)] == ["written in May of 2026"]
    with pytest.raises(ServerRefusedError):
        await servers.read_resource("s", "note://nowhere")
    await servers.settled()
    prompt = servers.registry.prompt("s.review")
    assert prompt.arguments.input_schema["required"] == ["code"]
    said = await prompt.function(code="x = 1")
    assert said.parts == (("user", "Look at this: x = 1"),)
    if servers.state("s").offers.subscriptions:
        await servers.subscribe("s", "note://today")
        await served.logged("subscri", "s")
        await served.call("rewrite", {"text": "second"}, server="s")
        assert (await served.told_of(ResourceUpdated)).uri == "note://today"
        await servers.unsubscribe("s", "note://today")


async def lists_change(served: Served) -> None:
    before = len(served.all(ToolsChanged))
    assert served.executor.registry.lookup("s.shrink") is None
    await served.call("grow", server="s")
    while len(served.all(ToolsChanged)) == before:
        await served.grown()
    assert served.all(ToolsChanged)[-1].added == ("shrink",)
    assert (await served.call("shrink", server="s")).text == "small"
    assert served.state.tool_count == 10


async def cancelled_calls_end(served: Served) -> None:
    call = served.start("wait", {"seconds": 60}, server="s")
    running = asyncio.create_task(served.executor.execute(call))
    await served.logged('"seconds":60', "s")
    call.cancel()
    assert (await running).status is CallStatus.CANCELLED
    assert (await served.call("wait", {"seconds": 0}, server="s")).text == "waited"


@pytest.mark.parametrize(("answer", "action"), [(Declined(), "decline"), (Cancelled(), "cancel")])
@pytest.mark.parametrize("pin", [ProtocolChoice.NEWER, ProtocolChoice.OLDER])
async def test_no_and_no_answer_are_two_things(answer: Declined | Cancelled, action: str, pin: ProtocolChoice) -> None:
    async with serving(over("stdio", "", pin), questions=Person(form=answer)) as served:
        assert json.loads((await served.call("greet", server="s")).text)["action"] == action


def test_a_locked_server_asks_to_sign_in_and_its_key_is_never_shown() -> None:
    async def work(address: str) -> None:
        locked = over("http", address, ProtocolChoice.AUTO)
        key = {"Authorization": "Bearer let-me-in"}
        async with serving(locked, over("http", address, ProtocolChoice.AUTO, name="key", headers=key)) as served:
            out, inside = served.servers.states
            assert out.fault is not None
            assert (out.status, out.fault.kind) == (ServerStatus.FAILED, FaultKind.SIGN_IN)
            assert "HTTP 401" in out.fault.message
            assert inside.status is ServerStatus.CONNECTED
            log = served.log("key")
            assert "let-me-in" not in log
            assert "authorization: ••••" in log

    with listening("locked") as address:
        asyncio.run(work(address))


def test_what_is_no_server_is_unreachable() -> None:
    async def work(address: str) -> None:
        elsewhere = over("http", address.replace("/mcp", "/nothing"), ProtocolChoice.AUTO)
        nobody = over("http", "http://127.0.0.1:9/mcp", ProtocolChoice.AUTO, name="nobody")
        async with serving(elsewhere, nobody) as served:
            lost, gone = served.servers.states
            assert lost.fault is not None
            assert gone.fault is not None
            assert (lost.fault.kind, gone.fault.kind) == (FaultKind.UNREACHABLE, FaultKind.UNREACHABLE)
            assert lost.fault.message == (
                f"There is no MCP server at that address (HTTP 404); many answer at {address}."
            )

    with listening("http") as address:
        asyncio.run(work(address))


@pytest.mark.expects_log("mcp")
@pytest.mark.parametrize("way", ["http", "sse"])
async def test_a_server_that_was_started_again_is_connected_again(way: str) -> None:
    with contextlib.ExitStack() as stack:
        first = stack.enter_context(contextlib.ExitStack())
        address = first.enter_context(listening(way))
        port = urlsplit(address).port
        async with serving(over(way, address, ProtocolChoice.OLDER), back_off_s=[0.2] * 50) as served:
            assert (await served.call("add", {"a": 1, "b": 2}, "s")).json_result == {"result": 3}
            first.close()
            # Between the two servers there is none; then there is one that knows nothing of us.
            stack.enter_context(listening(way, str(port)))
            lost = await served.call("add", {"a": 1, "b": 2}, "s")
            if lost.status is not CallStatus.EXECUTED:
                assert lost.error is not None
                assert lost.error.kind is ErrorKind.UNAVAILABLE
            await served.until(ServerStatus.CONNECTED)
            assert (await served.call("add", {"a": 3, "b": 4}, "s")).json_result == {"result": 7}


@pytest.mark.expects_log("mcp")
async def test_calls_of_a_server_that_is_away_fail_and_say_so() -> None:
    with contextlib.ExitStack() as stack:
        address = stack.enter_context(listening("http"))
        async with serving(over("http", address, ProtocolChoice.AUTO), back_off_s=()) as served:
            stack.close()
            gone = await served.call("add", {"a": 1, "b": 2}, "s")
            assert gone.error is not None
            assert gone.error.kind is ErrorKind.UNAVAILABLE
            state = await served.until(ServerStatus.FAILED)
            assert state.fault is not None
            assert state.fault.kind is FaultKind.UNREACHABLE
            assert state.fault.remedy
