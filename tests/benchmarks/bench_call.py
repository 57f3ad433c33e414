"""Measure what a call of a typed async tool costs through the whole chain, beside the bare floor and beside the peers.

The floor is pydantic alone: `validate_json`, the call itself, `to_json`. Ours is `create_call` from the same JSON,
`execute` with metrics and one listener that receives every event, and the response's text; no policy is declared. Every
side gets the same function and the same JSON and ends with text. The sides take turns in one run, in short rounds, and
each side's best round counts, so that whatever else the machine does falls on all of them alike.
"""

from __future__ import annotations

import asyncio
import gc
import importlib.metadata
import json
import time
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Annotated, Any, Literal, NamedTuple

from annotated_types import Ge, Le
from pydantic import BaseModel, Field
from pydantic_core import from_json, to_json

from tools import Executor, Param, ToolRegistry, cached, make_tool
from tools.calls import Event

ROUNDS = 100
ROUND_S = 0.004
GOAL = 8.0
FLOOR = "floor: validate_json + call + to_json"
OURS = "ours, one listener of every event"


class Hit(BaseModel):
    path: str
    line: int
    text: str


async def find(
    pattern: Annotated[str, Param("What to look for"), Field(min_length=1)],
    limit: Annotated[int, Param("Most hits"), Ge(1), Le(100)] = 20,
    kind: Annotated[Literal["text", "regex"], Param("How to read the pattern")] = "text",
    folders: Annotated[list[str] | None, Param("Where to look")] = None,
) -> list[Hit]:
    """Find a text."""  # LangChain takes no tool without a description.
    return [Hit(path=folder, line=limit, text=pattern + kind) for folder in folders or ["."]]


class FindArguments(BaseModel):
    """The arguments of `find`, as somebody would write them for pydantic alone."""

    pattern: str = Field(min_length=1)
    limit: int = Field(20, ge=1, le=100)
    kind: Literal["text", "regex"] = "text"
    folders: list[str] | None = None


async def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


class AddArguments(BaseModel):
    a: int
    b: int


class Job(NamedTuple):
    """What every side does.

    Attributes:
        title: What is printed.
        function: The typed tool.
        arguments: Its arguments as a model.
        given: One call's arguments as JSON.
    """

    title: str
    function: Callable[..., Awaitable[Any]]
    arguments: type[BaseModel]
    given: bytes

    @property
    def name(self) -> str:
        return self.function.__name__

    @property
    def text(self) -> str:
        return self.given.decode()

    def mapping(self) -> dict[str, Any]:
        """Return the JSON read anew, for those who want a mapping."""
        read: dict[str, Any] = from_json(self.given)
        return read


JOBS = (
    Job(
        "a tool with four arguments and a list of models",
        find,
        FindArguments,
        b'{"pattern": "needle", "limit": 5, "folders": ["src", "docs"]}',
    ),
    Job("the smallest tool: two numbers, their sum", add, AddArguments, b'{"a": 1, "b": 2}'),
)
OneCall = Callable[[], Awaitable[Any]]


class Side(NamedTuple):
    """One contestant.

    Attributes:
        name: What is printed.
        call: Makes one call, from JSON to text.
    """

    name: str
    call: OneCall


def floor(job: Job) -> Side:
    validator = job.arguments.__pydantic_validator__
    function, given = job.function, job.given

    async def call() -> str:
        arguments = validator.validate_json(given)
        return to_json(await function(**arguments.__dict__)).decode()

    return Side(FLOOR, call)


class Latest:
    """Receive every event and keep the newest, so that no more memory is in use than by a call alone."""

    def __init__(self) -> None:
        self.event: Event | None = None

    def __call__(self, event: Event) -> None:
        self.event = event


def ours(job: Job) -> list[Side]:
    """Return our chain: the plain tool, then one answered from the cache, then one in a thread."""

    @cached()
    async def from_cache(**given: Any) -> Any:
        return await job.function(**given)

    def in_thread(**given: Any) -> Any:
        running = job.function(**given)
        try:
            running.__await__().send(None)
        except StopIteration as done:
            return done.value

    plain = make_tool(job.name, "Work.", job.function)
    known = make_tool("known", "Work.", from_cache, plain.input_schema)
    threaded = make_tool("threaded", "Work.", in_thread, plain.input_schema)
    known, threaded = (replace(made, arguments=plain.arguments, output=plain.output) for made in (known, threaded))
    # Both only look. Of a tool that may write, each text is looked at for protected places, which no peer does.
    looks = {"read_only_hint": True}
    tools = tuple(replace(made, spec=made.spec.model_copy(update=looks)) for made in (plain, known, threaded))
    executor = Executor(ToolRegistry(tools), listeners=[Latest()])
    quiet = Executor(ToolRegistry(tools))

    def through(executor: Executor, name: str) -> OneCall:
        given = job.given

        async def call() -> str:
            response = await executor.execute(executor.create_call(name, given))
            return response.text

        return call

    return [
        Side(OURS, through(executor, job.name)),
        Side("ours, no listener", through(quiet, job.name)),
        Side("ours, cached hit", through(executor, "known")),
        Side("ours, in a thread", through(executor, "threaded")),
    ]


def openai_agents(job: Job) -> OneCall:
    from agents import function_tool  # noqa: PLC0415 -- a peer may be absent
    from agents.tool_context import ToolContext  # noqa: PLC0415

    made, given = function_tool(job.function), job.text

    async def call() -> str:
        context = ToolContext(context=None, tool_name=job.name, tool_call_id="1", tool_arguments=given)
        return to_json(await made.on_invoke_tool(context, given)).decode()

    return call


async def pydantic_ai(job: Job) -> OneCall:
    from pydantic_ai import FunctionToolset, RunContext  # noqa: PLC0415 -- a peer may be absent
    from pydantic_ai.messages import ToolCallPart  # noqa: PLC0415
    from pydantic_ai.models.test import TestModel  # noqa: PLC0415
    from pydantic_ai.tool_manager import ToolManager  # noqa: PLC0415
    from pydantic_ai.usage import RunUsage  # noqa: PLC0415

    context = RunContext(deps=None, model=TestModel(), usage=RunUsage())
    manager = await ToolManager(FunctionToolset([job.function])).for_run_step(context)
    name, given = job.name, job.text

    async def call() -> str:
        return to_json(await manager.handle_call(ToolCallPart(name, given, "1"))).decode()

    return call


def mcp(job: Job) -> OneCall:
    from mcp.server.mcpserver import MCPServer  # noqa: PLC0415 -- a peer may be absent

    # Left alone it makes the root logger write every INFO line, ours and those of the other peers.
    server = MCPServer("bench", log_level="ERROR")
    server.tool()(job.function)

    async def call() -> Any:
        return await server.call_tool(job.name, job.mapping())

    return call


def fastmcp(job: Job) -> OneCall:
    from fastmcp.tools import Tool  # noqa: PLC0415 -- a peer may be absent

    made = Tool.from_function(job.function)

    async def call() -> Any:
        return await made.run(job.mapping())

    return call


def llama_index(job: Job) -> OneCall:
    from llama_index.core.tools import FunctionTool  # noqa: PLC0415 -- a peer may be absent

    made = FunctionTool.from_defaults(async_fn=job.function)

    async def call() -> Any:
        return (await made.acall(**job.mapping())).content

    return call


def langchain(job: Job) -> OneCall:
    from langchain_core.tools import StructuredTool  # noqa: PLC0415 -- a peer may be absent

    made = StructuredTool.from_function(coroutine=job.function)

    async def call() -> str:
        return to_json(await made.ainvoke(job.mapping())).decode()

    return call


PEERS: dict[str, Callable[[Job], OneCall | Awaitable[OneCall]]] = {
    "openai-agents": openai_agents,
    "pydantic-ai-slim": pydantic_ai,
    "mcp": mcp,
    "fastmcp": fastmcp,
    "llama-index-core": llama_index,
    "langchain-core": langchain,
}


async def peers(job: Job) -> list[Side]:
    """Return the peers that are installed, each with its version, and say which are not."""
    sides: list[Side] = []
    for package, make in PEERS.items():
        try:
            made = make(job)
            call = await made if isinstance(made, Awaitable) else made
            await call()
        except ImportError as error:
            print(f"{package}: not measured, {error}")
            continue
        sides.append(Side(f"{package} {importlib.metadata.version(package)}", call))
    return sides


async def round_s(call: OneCall, calls: int) -> float:
    began = time.perf_counter()
    for _ in range(calls):
        await call()
    return (time.perf_counter() - began) / calls


async def measure(sides: list[Side]) -> dict[str, float]:
    """Return each side's best time for one call in seconds."""
    best: dict[str, float] = {}
    for side in sides:
        best[side.name] = min([await round_s(side.call, 50) for _ in range(5)])
    calls = {name: max(1, int(ROUND_S / seconds)) for name, seconds in best.items()}
    gc.collect()
    gc.disable()
    try:
        for _ in range(ROUNDS):
            for side in sides:
                best[side.name] = min(best[side.name], await round_s(side.call, calls[side.name]))
            gc.collect(0)
    finally:
        gc.enable()
    return best


async def contest(job: Job) -> dict[str, float]:
    """Measure all sides, after checking that ours gives the same answer as the floor."""
    base, own = floor(job), ours(job)
    expected = json.loads(await base.call())
    for side in own:
        assert json.loads(await side.call()) == expected, side.name
    return await measure([base, *own, *await peers(job)])


def main() -> None:
    for job in JOBS:
        best = asyncio.run(contest(job))
        bottom = best[FLOOR]
        print(f"{job.title}")
        for name, seconds in best.items():
            print(f"  {name:43} {seconds * 1e6:8.1f} µs {seconds / bottom:8.1f} x the floor")
        ratio = best[OURS] / bottom
        print(f"  {'goal':43} {'':8}    {ratio:8.1f} of at most {GOAL:g}: {'reached' if ratio <= GOAL else 'missed'}")


if __name__ == "__main__":
    main()
