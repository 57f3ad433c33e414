"""Measure what our whole path to a server's tool costs beside a bare call of the SDK's client.

Our path checks the arguments, asks the policy, keeps metrics, writes the server's log, checks the structured result and
tells listeners; the SDK's does none of that but the check. Both talk to servers of their own that run the same program,
in turns; the best round of each counts. Processor time is that of this process alone.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from pathlib import Path
from time import perf_counter, process_time
from typing import Any, NamedTuple

from mcp import Client, StdioServerParameters

from tools import Executor, ToolRegistry
from tools.mcp.config import ProtocolChoice, ServerConfig, Target, Transport
from tools.mcp.servers import Servers
from tools.policy import Autonomy, Policy

ROOT = Path(__file__).parents[2]
PROGRAM = ROOT / "tests" / "mcp_servers" / "both_eras.py"
CALLS = 200
AT_ONCE = 50
ROUNDS = 5
Add = Callable[[int], Awaitable[Any]]


class Cost(NamedTuple):
    wall_s: float
    processor_s: float


@contextmanager
def listening() -> Iterator[str]:
    """Keep a server running over HTTP, and give its address."""
    words = [sys.executable, str(PROGRAM), "http"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True, cwd=ROOT) as program:
        try:
            assert program.stdout is not None
            yield f"http://127.0.0.1:{program.stdout.readline().strip()}/mcp"
        finally:
            program.kill()


@asynccontextmanager
async def bare(address: str, mode: str) -> AsyncIterator[Add]:
    words = [str(PROGRAM), "stdio"]
    server: Any = address or StdioServerParameters(command=sys.executable, args=words, cwd=ROOT)
    async with Client(server, mode=mode) as client:
        await client.list_tools()

        async def add(number: int) -> None:
            result = await client.call_tool("add", {"a": number, "b": 1})
            assert result.structured_content == {"result": number + 1}

        yield add


@asynccontextmanager
async def ours(address: str, mode: str) -> AsyncIterator[Add]:
    """Give a call through the executor, as the window makes it."""
    era = ProtocolChoice.OLDER if mode == "legacy" else ProtocolChoice.AUTO
    if address:
        config = ServerConfig(name="s", transport=Transport.HTTP, url=address, protocol=era)
    else:
        words = (str(PROGRAM), "stdio")
        config = ServerConfig(name="s", transport=Transport.STDIO, command=sys.executable, args=words, protocol=era)

    def resolve(config: ServerConfig) -> Target:
        argv = (config.command, *config.args) if config.command else ()
        return Target(transport=config.transport, argv=argv, url=config.url, cwd=ROOT)

    registry = ToolRegistry()
    servers = Servers(registry, resolve=resolve)
    executor = Executor(registry, policy=Policy(autonomy=Autonomy.FULL_AUTO), listeners=[lambda _: None])
    await servers.apply([config])
    await servers.start("s")

    async def add(number: int) -> None:
        response = await executor.execute(executor.create_call("s.add", {"a": number, "b": 1}))
        assert response.json_result == {"result": number + 1}, response

    try:
        yield add
    finally:
        await servers.aclose()
        await executor.aclose()


async def one_by_one(add: Add) -> None:
    for number in range(CALLS):
        await add(number)


async def at_once(add: Add) -> None:
    """Keep fifty calls under way."""
    for first in range(0, CALLS, AT_ONCE):
        await asyncio.gather(*(add(number) for number in range(first, first + AT_ONCE)))


async def cost(work: Callable[[Add], Awaitable[None]], add: Add) -> Cost:
    began, used = perf_counter(), process_time()
    await work(add)
    return Cost((perf_counter() - began) / CALLS, (process_time() - used) / CALLS)


def best(costs: list[Cost]) -> Cost:
    return Cost(min(item.wall_s for item in costs), min(item.processor_s for item in costs))


async def compare(address: str, mode: str) -> None:
    async with AsyncExitStack() as stack:
        theirs = await stack.enter_async_context(bare(address, mode))
        mine = await stack.enter_async_context(ours(address, mode))
        for name, work in (("one by one", one_by_one), ("50 at once", at_once)):
            await work(theirs)
            await work(mine)
            found: tuple[list[Cost], list[Cost]] = ([], [])
            for _ in range(ROUNDS):
                found[0].append(await cost(work, theirs))
                found[1].append(await cost(work, mine))
            sdk, own = best(found[0]), best(found[1])
            print(
                f"{'http' if address else 'stdio'} {mode:>6} {name}: SDK {sdk.wall_s * 1e3:6.2f} ms,"
                f" ours {own.wall_s * 1e3:6.2f} ms = {own.wall_s / sdk.wall_s:.2f} × (goal 1.15);"
                f" processor {sdk.processor_s * 1e3:.2f} and {own.processor_s * 1e3:.2f} ms"
                f" = {own.processor_s / sdk.processor_s:.2f} ×",
                flush=True,
            )


async def main() -> None:
    with listening() as address:
        for mode in ("auto", "legacy"):
            await compare("", mode)
            await compare(address, mode)


if __name__ == "__main__":
    asyncio.run(main())
