"""Tools that a worker process finds by name; they must behave the same wherever they run."""

from __future__ import annotations

import asyncio
import enum
import json
import os
import sys
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, SecretStr

from tools import (
    AbstractTool,
    Configurator,
    DeniedError,
    Edit,
    ExitEarly,
    PathRole,
    RateLimitError,
    ToolContext,
    ToolFailure,
    ToolResult,
    TransientError,
    contract,
    tool,
    toolkit,
)


class Hit(BaseModel):
    path: str
    line: int


@dataclass
class Point:
    x: float
    y: float


class Colour(enum.Enum):
    RED = "red"


class OwnError(LookupError):
    """An exception that nobody else knows."""


class Picture:
    def _repr_png_(self) -> bytes:
        return b"\x89PNG\r\n\x1a\nrest"


@tool
def add(a: int, b: int = 2) -> int:
    """Add."""
    return a + b


@tool
async def add_slowly(a: int, b: int = 2) -> int:
    """Add."""
    await asyncio.sleep(0)
    return a + b


@tool
def add_later(a: int) -> Awaitable[int]:
    """Return something to be awaited."""

    async def later() -> int:
        await asyncio.sleep(0)
        return a

    return later()


@tool
def typed(hits: list[Hit], day: date, place: Path, secret: SecretStr, amount: Decimal) -> dict[str, Any]:
    """Say of what types the arguments are."""
    return {
        "types": [type(item).__name__ for item in (hits[0], day, place, secret, amount)],
        "values": [hits[0].line, day.isoformat(), str(place), secret.get_secret_value(), str(amount)],
    }


@tool
def located(path: Annotated[Path, PathRole()]) -> str:
    """Return the path as it came."""
    return str(path)


@tool
def hits() -> list[Hit]:
    """Return models."""
    return [Hit(path="a", line=1)]


@tool
def values() -> dict[str, Any]:
    """Return values of many kinds."""
    return {
        "date": datetime(2026, 11, 22, tzinfo=UTC),
        "span": timedelta(seconds=90),
        "point": Point(1.0, 2.5),
        "colour": Colour.RED,
        "set": {3, 1, 2},
        "nothing": None,
        "big": 2**80,
        "not a number": float("nan"),
        "odd": "\udcff",
        "bytes": b"ab",
    }


@tool
def nothing() -> None:
    """Return nothing."""


@tool
def plain_bytes() -> bytes:
    """Return bytes."""
    return b"%PDF-1.7"


@tool
def picture() -> Any:
    """Return a picture."""
    return Picture()


@tool
def lines() -> Iterator[str]:
    """Return a generator."""
    yield from ("one", "two")


@tool
def greeting(name: str) -> str:
    """Return a text that names an argument."""
    return "hello ${name}"


@tool
def result_ok() -> ToolResult:
    """Return a text and more."""
    return ToolResult.ok("two hits", structured=[Hit(path="b", line=2)])


@tool
def result_text() -> ToolResult:
    """Return a text that is given out as it is."""
    return ToolResult.ok("${name}")


@tool
def result_failure() -> ToolResult:
    """Return a failure."""
    return ToolResult.failure("nothing found")


@tool
def no_json_form() -> Any:
    """Return what nobody can write."""
    return {"lock": threading.Lock()}


@tool
def many(count: int) -> list[dict[str, Any]]:
    """Return many small objects."""
    return [{"number": number, "text": f"row {number}", "ratio": number / 3} for number in range(count)]


@tool
def long_text(letters: int) -> str:
    """Return a long text."""
    return "añ😀" * (letters // 3)


@tool
def nested_long() -> dict[str, Any]:
    """Return long things inside of others."""
    return {
        "short": 1,
        "rows": [["x" * 300_000, {"deep": ["y" * 300_000, [], {}]}], list(range(50_000))],
        "by name": {f"key {number}": number for number in range(20_000)},
    }


def _raise(kind: str) -> None:
    raise {
        "failure": ToolFailure("the server said no"),
        "transient": TransientError("try again"),
        "key": KeyError("carrot"),
        "own": OwnError("own words"),
        "rate": RateLimitError("too many", 2.5),
        "denied": DeniedError("not for you"),
        "exit": SystemExit(3),
        "exit text": SystemExit("bye"),
        "stop": StopIteration(),
        "os": FileNotFoundError(2, "No such file or directory", "a.txt"),
        "unicode": UnicodeDecodeError("utf-8", b"\xff", 0, 1, "invalid start byte"),
        "cancelled": asyncio.CancelledError(),
        "group": ExceptionGroup("several", [ValueError("one")]),
        "empty": ValueError(),
    }[kind]


@tool
def fail(kind: str) -> None:
    """Raise something."""
    _raise(kind)


@tool
async def fail_async(kind: str) -> None:
    """Raise something."""
    _raise(kind)


@tool
def interrupt() -> None:
    """Raise what Ctrl+C raises."""
    raise KeyboardInterrupt


@tool
def chained() -> None:
    """Raise because of something else."""
    try:
        _raise("key")
    except KeyError as error:
        raise ValueError("no carrot") from error


@tool
def talk(ctx: ToolContext) -> dict[str, Any]:
    """Say all there is to say."""
    ctx.log("info", "begun")
    ctx.progress(1, 2, "half")
    ctx.progress(2)
    ctx.attach(b"a,b", name="rows.csv")
    ctx.attach(b"?")
    ctx.keep_for(3)
    ctx.log("warning", "done")
    return {
        "caller": ctx.caller,
        "folder": str(ctx.project_dir),
        "grants": sorted(ctx.grants),
        "config": dict(ctx.config),
        "reviewer": ctx.has_reviewer,
        "cancelled": ctx.cancelled,
        "key": ctx.require_api_key("TOY_KEY"),
        "http": [type(ctx.blocking_http).__name__, type(ctx.http).__name__],
    }


@tool
def given(config: Configurator, project_dir: str) -> list[Any]:
    """Return what the program gives."""
    return [dict(config), project_dir]


@tool
async def ask(ctx: ToolContext) -> Any:
    """Ask, and say what came."""
    decision = await ctx.request_approval("Go on?", prompt="yes or no")
    match decision:
        case Edit(revised, feedback):
            return ["edit", revised, feedback]
        case ExitEarly(reason):
            return ["no", reason]
    return ["yes", decision.feedback]


@tool
def ask_blocking(ctx: ToolContext) -> Any:
    """Ask from a thread, twice."""
    first = ctx.request_approval("First?").wait()
    second = ctx.request_approval("Second?").wait()
    return [list(first), list(second)]


@tool
@contract(post="result.line == 1", pre="line > 0")
def checked(line: int) -> Hit:
    """Return a model whose line must be 1."""
    return Hit(path="a", line=line)


@tool
class Counter(AbstractTool):
    """Count words."""

    def do_execute(self, text: str) -> int:
        if self.context is not None:
            self.context.log("debug", f"{len(text)} letters")
        return len(text.split())


@toolkit("Weather")
class Weather:
    """What the sky does."""

    @tool
    def forecast(self, city: str) -> str:
        """Say what comes."""
        return f"rain in {city}"


# What follows is for worker processes alone.


@tool
def modules() -> list[str]:
    """Name the loaded modules."""
    return sorted(sys.modules)


@tool
def process() -> int:
    """Return the process's id."""
    return os.getpid()


@tool
def crash() -> None:
    """End the process."""
    os._exit(9)


@tool
def fall(how: str) -> str:
    """End the process, or its connection, in some way."""
    if how == "exit":
        os._exit(9)
    if how == "close":
        # A program with many files open hands its connection on with a high number.
        os.closerange(3, 1 << 16)
        time.sleep(600)
    return how


@tool
async def hold(ctx: ToolContext) -> None:
    """Wait until stopped, and say so."""
    ctx.log("info", "held")
    await asyncio.Event().wait()


@tool
def digest(rows: list[dict[str, Any]], days: set[date], note: str, secret: SecretStr) -> dict[str, Any]:
    """Tell what arrived."""
    return {
        "rows": sha256(json.dumps(rows, sort_keys=True).encode()).hexdigest(),
        "days": [len(days), str(min(days)), str(max(days))],
        "note": sha256(note.encode("utf-8", "surrogatepass")).hexdigest(),
        "secret": sha256(secret.get_secret_value().encode()).hexdigest(),
    }


@tool
def linger(seconds: float) -> None:
    """Sleep, and hear nothing meanwhile."""
    time.sleep(seconds)


@tool
def echo(text: str) -> int:
    """Return the length of a text."""
    return len(text)


@tool
def printed(text: str) -> str:
    """Write to standard output and standard error, each in two ways."""
    print(text)  # noqa: T201 -- that is the point
    print(f"{text} on stderr", file=sys.stderr)  # noqa: T201 -- that is the point
    os.write(1, b"\xff raw")
    sys.stdout.write("unfinished")
    return text


@tool(isolation="process")
async def spell_async(word: str) -> AsyncIterator[str]:
    for letter in word:
        yield letter


@tool(isolation="process")
def spell_sync(word: str) -> Iterator[str]:
    yield from word


TOOLS = [
    value
    for value in list(globals().values())
    if getattr(value, "__module__", None) == __name__ and hasattr(value, "__tool_declaration__")
]
