"""Measure what the gateway adds to a call: an agent calls a server's tool through it, and straight.

The agent is the SDK's client, the server the same program each time. Over HTTP the gateway stands in front of a server
that it reaches over HTTP; over stdio the agent starts `tool-console bridge`, and the gateway starts the server.
FastMCP's proxy does the same beside it where it is installed, without a policy, a record or a question. All take turns;
the best round of each counts.

The floor is a relay of as many processes as the gateway and its bridge, which pass bytes on by blocking reads and look
at none. What the goal leaves above the floor is the room for all that the gateway does.

The time of a clock means little on a machine that others use as well. The processor time of each process a call, over
all rounds, says there what a hop costs. A hop that works makes client and server dearer, too: on two cores they find
caches that are cold.
"""

from __future__ import annotations

import asyncio
import os
import socket
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path
from threading import Thread
from time import perf_counter, process_time
from typing import IO, Any, Final
from urllib.parse import urlsplit

import httpx2
import psutil
import uvicorn
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

from tests.benchmarks.bench_mcp import PROGRAM, ROOT, Add, at_once, listening, one_by_one
from tools import Executor, ToolRegistry
from tools.gateway.agents import AGENTS_FILE, Agents
from tools.mcp.config import ServerConfig, Target, Transport
from tools.mcp.servers import Servers
from tools.policy import Autonomy, Policy

CALLS: Final = 200
ROUNDS: Final = 5
GOAL: Final = 1.6
PROXY: Final = "FastMCP's proxy"
FLOOR: Final = "floor: bytes"
_CHUNK: Final = 1 << 16
_MODULE: Final = ("-m", "tests.benchmarks.bench_gateway")


async def _gateway(data: Path, url: str) -> None:
    """Be a gateway in front of one server until the stream of words ends."""
    from tools.gateway.endpoint import GatewayEndpoint  # noqa: PLC0415 -- in the process of the gateway only

    def resolve(config: ServerConfig) -> Target:
        argv = (config.command, *config.args) if config.command else ()
        return Target(transport=config.transport, argv=argv, url=config.url, cwd=ROOT)

    registry = ToolRegistry()
    servers = Servers(registry, resolve=resolve)
    executor = Executor(registry, policy=Policy(autonomy=Autonomy.FULL_AUTO), listeners=[lambda _: None])
    command = {"command": sys.executable, "args": (str(PROGRAM), "stdio")}
    way: dict[str, Any] = (
        {"transport": Transport.HTTP, "url": url} if url else {"transport": Transport.STDIO, **command}
    )
    await servers.apply([ServerConfig(name="s", **way)])
    await servers.start("s")
    agents = Agents(data / AGENTS_FILE)
    token = agents.add("bench").token

    async def no_prompt(*_: object) -> Any:
        raise NotImplementedError

    endpoint = GatewayEndpoint(executor, agents, data, render_prompt=no_prompt, port=0, calls_a_minute=10**6)
    await endpoint.start()
    print(endpoint.address, token, flush=True)
    await asyncio.to_thread(sys.stdin.read)
    await endpoint.aclose()
    await servers.aclose()
    await executor.aclose()


def _proxy(url: str) -> None:
    """Be FastMCP's proxy in front of one server."""
    from fastmcp.client.transports import StdioTransport, StreamableHttpTransport  # noqa: PLC0415 -- may be absent
    from fastmcp.server import create_proxy  # noqa: PLC0415

    if url:
        listening = socket.socket(proto=socket.IPPROTO_TCP)
        listening.bind(("127.0.0.1", 0))
        listening.listen()
        print(listening.getsockname()[1], flush=True)
        app = create_proxy(StreamableHttpTransport(url)).http_app()
        asyncio.run(uvicorn.Server(uvicorn.Config(app, log_level="error")).serve([listening]))
    else:
        create_proxy(StdioTransport(sys.executable, [str(PROGRAM), "stdio"])).run(show_banner=False, log_level="ERROR")


def _relay(url: str, bridges: int) -> None:
    """Pass bytes on between an agent and one server, and look at none; over pipes, through further such processes."""
    if url:
        where = urlsplit(url)
        with socket.create_server(("127.0.0.1", 0)) as listening_socket:
            print(listening_socket.getsockname()[1], flush=True)
            while True:
                here, _ = listening_socket.accept()
                there = socket.create_connection((where.hostname, where.port))
                for connection in (here, there):
                    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                Thread(target=_pump, args=(here.fileno(), there.fileno(), there), daemon=True).start()
                Thread(target=_pump, args=(there.fileno(), here.fileno(), here), daemon=True).start()
    words = [*_MODULE, "relay", "", str(bridges - 1)] if bridges else [str(PROGRAM), "stdio"]
    pipe = subprocess.PIPE
    with subprocess.Popen([sys.executable, *words], stdin=pipe, stdout=pipe, cwd=ROOT) as program:
        assert program.stdin is not None
        assert program.stdout is not None
        back = (program.stdout.fileno(), sys.stdout.fileno(), sys.stdout)
        Thread(target=_pump, args=back, daemon=True).start()
        _pump(sys.stdin.fileno(), program.stdin.fileno(), program.stdin)


def _pump(source: int, target: int, end: IO[Any] | socket.socket) -> None:
    """Write what comes until nothing more does, then close the other end: blocking reads wake no event loop."""
    with suppress(OSError), end:
        while chunk := os.read(source, _CHUNK):
            os.write(target, chunk)


@contextmanager
def _process(*words: str) -> Iterator[list[str]]:
    """Run this module with other words, and give the first line that it prints."""
    command = [sys.executable, *_MODULE, *words]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, cwd=ROOT) as program:
        assert program.stdout is not None
        try:
            yield program.stdout.readline().split()
        finally:
            program.kill()


@asynccontextmanager
async def _called(server: Any) -> AsyncIterator[Add]:
    async with Client(server) as client:
        # A gateway puts the server before the name.
        name = next(tool.name for tool in (await client.list_tools()).tools if tool.name.endswith("add"))

        async def add(number: int) -> None:
            result = await client.call_tool(name, {"a": number, "b": 1})
            assert result.structured_content == {"result": number + 1}, result

        yield add


@asynccontextmanager
async def _through_gateway(url: str) -> AsyncIterator[Add]:
    with tempfile.TemporaryDirectory() as data, _process("gateway", data, url) as (address, token):
        if url:
            headers = {"Authorization": f"Bearer {token}"}
            async with (
                httpx2.AsyncClient(headers=headers, timeout=60) as http,
                _called(streamable_http_client(address, http_client=http)) as add,
            ):
                yield add
        else:
            environment = {**os.environ, "TOOL_CONSOLE_TOKEN": token, "TOOL_CONSOLE_DATA": data}
            words = ["-m", "console", "bridge"]
            bridge = StdioServerParameters(command=sys.executable, args=words, cwd=ROOT, env=environment)
            async with _called(bridge) as add:
                yield add


@asynccontextmanager
async def _through(kind: str, url: str) -> AsyncIterator[Add]:
    """Call through another program of this module, `proxy` or `relay`."""
    if not url:
        words = [*_MODULE, kind, "", "1"]
        async with _called(StdioServerParameters(command=sys.executable, args=words, cwd=ROOT)) as add:
            yield add
        return
    with _process(kind, url) as (port,):
        async with _called(f"http://127.0.0.1:{port}/mcp") as add:
            yield add


def _direct(url: str) -> Any:
    return url or StdioServerParameters(command=sys.executable, args=[str(PROGRAM), "stdio"], cwd=ROOT)


class Side:
    """One way to the server.

    Args:
        name: What it is called.
        add: Makes a call.
        processes: The processes that take part beside this one.

    Attributes:
        best_s: How long a call took in its best round.
        calls: How many calls were made.
        used_s: The processor time of each part in all of them.
    """

    def __init__(self, name: str, add: Add, processes: list[psutil.Process]) -> None:
        self.name = name
        self._add = add
        self._parts = [(_part(process), process) for process in processes]
        self.begin()

    def begin(self) -> None:
        """Count from here."""
        self.best_s = float("inf")
        self.calls = 0
        self.used_s: defaultdict[str, float] = defaultdict(float)

    async def work(self, work: Callable[[Add], Awaitable[None]]) -> None:
        """Make a round of calls."""
        began, used = perf_counter(), self._processor_s()
        await work(self._add)
        self.best_s = min(self.best_s, (perf_counter() - began) / CALLS)
        self.calls += CALLS
        for part, used_s in self._processor_s().items():
            self.used_s[part] += used_s - used[part]

    def _processor_s(self) -> dict[str, float]:
        spent = defaultdict(float, client=process_time())
        for part, process in self._parts:
            times = process.cpu_times()
            spent[part] += times.user + times.system
        return spent

    @property
    def processor_s(self) -> float:
        """The processor time of a call, in all processes."""
        return sum(self.used_s.values()) / self.calls


def _part(process: psutil.Process) -> str:
    words = process.cmdline()
    if str(PROGRAM) in words:
        return "server"
    return "bridge" if "bridge" in words else "hop"


def _children() -> set[psutil.Process]:
    return set(psutil.Process().children(recursive=True))


async def compare(url: str) -> None:
    shared = _children()
    ways = {"SDK": _called(_direct(url)), "ours": _through_gateway(url), FLOOR: _through("relay", url)}
    if find_spec("fastmcp"):
        ways[PROXY] = _through("proxy", url)
    async with AsyncExitStack() as stack:
        sides = []
        for name, way in ways.items():
            before = _children()
            add = await stack.enter_async_context(way)
            await one_by_one(add)
            sides.append(Side(name, add, [*shared, *(_children() - before)]))
        for title, work in (("one by one", one_by_one), ("50 at once", at_once)):
            for round_ in range(ROUNDS):
                for side in sides:
                    if not round_ or side.name != PROXY:  # It takes minutes over HTTP.
                        await side.work(work)
            print(f"{'http' if url else 'stdio'}, {title}:")
            for side in sides:
                _print(side, sides[0])
            _print_room(*sides[:3])
            for side in sides:
                side.begin()


def _print(side: Side, straight: Side) -> None:
    ratio, work = side.best_s / straight.best_s, side.processor_s / straight.processor_s
    goal = "" if side.name != "ours" else f"; goal {GOAL} ×: {'reached' if ratio <= GOAL else 'missed'}"
    parts = ", ".join(f"{part} {used_s / side.calls * 1e3:.2f}" for part, used_s in side.used_s.items())
    print(
        f"  {side.name:<15} {side.best_s * 1e3:6.2f} ms = {ratio:5.2f} ×{goal}; processor"
        f" {side.processor_s * 1e3:6.2f} ms = {work:5.2f} × ({parts})",
        flush=True,
    )


def _print_room(straight: Side, ours: Side, floor: Side) -> None:
    room_s, taken_s = GOAL * straight.processor_s - floor.processor_s, ours.processor_s - floor.processor_s
    print(
        f"  above the floor {GOAL} × leaves {room_s * 1e3:.2f} ms of processor time; ours takes {taken_s * 1e3:.2f} ms",
        flush=True,
    )


async def main(*transports: str) -> None:
    if "stdio" in transports:
        await compare("")
    if "http" in transports:
        with listening() as address:
            await compare(address)


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["gateway", data, url]:
            asyncio.run(_gateway(Path(data), url))
        case ["proxy", url, *_]:
            _proxy(url)
        case ["relay", url, *bridges]:
            _relay(url, sum(map(int, bridges)))
        case transports:
            asyncio.run(main(*(transports or ("stdio", "http"))))
