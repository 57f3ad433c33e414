"""Servers that really run, and calls of their tools through an executor."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, TypeVar

from tests.tools.running import Answers
from tools import Event, Executor, ToolCall, ToolRegistry, ToolResponse
from tools.mcp.config import ProtocolChoice, ServerConfig, Target, Transport
from tools.mcp.consent import Consents
from tools.mcp.elicitation import (
    Accepted,
    Answer,
    Declined,
    FormElicitation,
    Questions,
    Root,
    RootsRequest,
    Sampled,
    SamplingRequest,
    UrlElicitation,
)
from tools.mcp.listed_cache import ListedCache
from tools.mcp.pins import Pins
from tools.mcp.servers import Servers
from tools.mcp.state import ServerEvent, ServerState, ServerStatus

MISBEHAVING = Path(__file__).parents[2] / "mcp_servers" / "misbehaving.py"
NAME = "bad"

_Event = TypeVar("_Event", bound=ServerEvent)


def misbehaving(fault: str = "good", name: str = NAME, **rest: Any) -> ServerConfig:
    given: dict[str, Any] = {"protocol": ProtocolChoice.OLDER, "timeout_s": 20.0, **rest}
    words = ("-S", "-E", str(MISBEHAVING), fault)
    return ServerConfig(name=name, transport=Transport.STDIO, command=sys.executable, args=words, **given)


def as_written(config: ServerConfig) -> Target:
    """Return what an entry without variables reaches."""
    argv = (config.command, *config.args) if config.transport is Transport.STDIO else ()
    secrets = frozenset(config.env.values()) | frozenset(config.headers.values())
    return Target(
        transport=config.transport,
        argv=argv,
        env=config.env,
        cwd=Path(config.cwd) if config.cwd else None,
        url=config.url,
        headers=config.headers,
        secrets=secrets,
    )


class Person:
    def __init__(self, form: Answer | None = None, visit: Answer | None = None) -> None:
        self._form = form or Accepted({"name": "Ada"})
        self._visit = visit or Accepted()
        self.asked: list[Any] = []
        self.was_asked = asyncio.Event()
        self.withdrawn = 0
        self.hold: asyncio.Event | None = None

    async def fill_form(self, question: FormElicitation) -> Answer:
        return await self._after(question, self._form)

    async def visit(self, question: UrlElicitation) -> Answer:
        return await self._after(question, self._visit)

    async def _after(self, question: FormElicitation | UrlElicitation, answer: Answer) -> Answer:
        self.asked.append(question)
        self.was_asked.set()
        if self.hold is not None:
            try:
                await self.hold.wait()
            except asyncio.CancelledError:
                self.withdrawn += 1
                raise
        return answer

    async def sample(self, question: SamplingRequest) -> Sampled | Declined:
        self.asked.append(question)
        return Sampled("written by hand")

    async def roots(self, question: RootsRequest) -> tuple[Root, ...]:
        self.asked.append(question)
        return (Root("file:///project", "project"),)


class Served:
    """Hold servers, what they told, and an executor of their tools."""

    def __init__(self, servers: Servers, executor: Executor, reviewer: Answers) -> None:
        self.servers = servers
        self.executor = executor
        self.reviewer = reviewer
        self.told: list[ServerEvent] = []
        self.events: list[Event] = []
        self._moved = asyncio.Event()
        servers.watch(self._on_told)
        executor.add_listener(self.events.append)

    def _on_told(self, event: ServerEvent) -> None:
        self.told.append(event)
        self._moved.set()

    @property
    def state(self) -> ServerState:
        return self.servers.states[0]

    def all(self, kind: type[_Event]) -> list[_Event]:
        return [event for event in self.told if isinstance(event, kind)]

    async def until(self, *statuses: ServerStatus) -> ServerState:
        while self.state.status not in statuses:
            self._moved.clear()
            await self._moved.wait()
        return self.state

    async def told_of(self, kind: type[_Event]) -> _Event:
        while not self.all(kind):
            self._moved.clear()
            await self._moved.wait()
        return self.all(kind)[-1]

    async def grown(self) -> None:
        self._moved.clear()
        await self._moved.wait()

    async def logged(self, words: str, server: str = NAME) -> str:
        """Wait until a server's log has these words, and return all of it."""
        while True:
            self._moved.clear()
            if words in (log := self.log(server)):
                return log
            await self._moved.wait()

    def start(self, tool: str, arguments: Mapping[str, Any] | None = None, server: str = NAME) -> ToolCall:
        """Return a call that was made and not started."""
        return self.executor.create_call(f"{server}.{tool}", arguments or {})

    async def call(self, tool: str, arguments: Mapping[str, Any] | None = None, server: str = NAME) -> ToolResponse:
        return await self.executor.execute(self.start(tool, arguments, server))

    def log(self, server: str = NAME) -> str:
        return "\n".join(line.text for line in self.servers.log(server).lines())


@asynccontextmanager
async def serving(
    *configs: ServerConfig,
    questions: Questions | None = None,
    pins: Pins | None = None,
    consents: Consents | None = None,
    remembered: ListedCache | None = None,
    back_off_s: Sequence[float] = (),
    start: bool = True,
) -> AsyncIterator[Served]:
    """Keep servers, started or not, as long as the block is open."""
    registry = ToolRegistry()
    reviewer = Answers()
    servers = Servers(
        registry,
        resolve=as_written,
        questions=questions,
        pins=pins,
        consents=consents,
        remembered=remembered,
        back_off_s=back_off_s,
    )
    executor = Executor(registry, review_handler=reviewer)
    served = Served(servers, executor, reviewer)
    try:
        await servers.apply(configs)
        if start:
            await servers.start_enabled()
        yield served
    finally:
        await servers.aclose()
        await executor.aclose()
