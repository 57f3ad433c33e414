"""A mixture of tools and calls that goes on for ever, and what may not grow meanwhile; for the test and the bench."""

from __future__ import annotations

import asyncio
import random
from collections import deque
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from tools import (
    CircuitBreaker,
    ToolContext,
    ToolFailure,
    ToolResponse,
    ToolResult,
    cached,
    contract,
    rate_limit,
    resilience,
    retry,
    security,
    tool,
)

PERMITS = 500
FAILURES = 20


@tool(read_only=True)
async def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


@tool(isolation="inline")
def join(words: list[str], ctx: ToolContext) -> str:
    """Join words, with a log line, a counter and an attachment."""
    ctx.log("info", f"{len(words)} words")
    ctx.count("words", len(words))
    ctx.observe("length", sum(map(len, words)))
    ctx.attach(b"x" * 100, name="words.bin")
    ctx.keep_for(1)
    return " ".join(words)


@tool
def in_thread(text: str) -> str:
    """Work in a thread."""
    return text.upper()


@cached(ttl_s=3600, max_size=50, cache_errors=True)
@tool
async def known(key: int) -> dict[str, int]:
    """Know some answers, and fail for some keys."""
    if key % 10 == 0:
        raise ToolFailure(f"no answer for {key}")
    return {"key": key}


@rate_limit(requests=PERMITS, per_s=0.02)
@tool
async def limited(n: int) -> int:
    """Take a permit."""
    return n


@retry(max_attempts=3, initial_delay_s=0)
@tool
async def flaky(n: int, tried: list[int]) -> str:
    """Fail the first attempts of some calls."""
    tried.append(n)
    if len(tried) <= n % 4:
        raise ToolFailure("not yet")
    return "at last"


@resilience(
    circuit_breaker=CircuitBreaker(failure_threshold=FAILURES, cooldown_s=0.01),
    fallback="add",
    max_concurrent=5,
    timeout_s=60,
)
@tool
async def guarded(a: int, b: int) -> int:
    """Fail now and then, and let another tool answer."""
    if a % 3 == 0:
        raise RuntimeError("broken")
    await asyncio.sleep(0)
    return a - b


@contract(pre=("n >= 0",), post=("result != 7",))
@security(mask_fields=("secret",))
@tool
async def agreed(n: int, secret: str = "s3cret") -> int:
    """Keep a contract, or break it."""
    return n


@tool
async def says_no(why: str) -> ToolResult:
    """Return a failure."""
    return ToolResult.failure(why)


TOOLS = (add, join, in_thread, known, limited, flaky, guarded, agreed, says_no)


class Asked(NamedTuple):
    name: str
    arguments: Mapping[str, Any] | str
    caller: str
    bypass_cache: bool = False


def calls(seed: int = 0) -> Iterator[Asked]:
    """Yield calls for ever: good ones, some whose arguments do not fit, some for tools that do not exist."""
    chance = random.Random(seed)
    for n in range(10**9):
        kind = n % 12
        caller = f"agent:{n % 5}"
        match kind:
            case 0 | 1:
                yield Asked("add", {"a": n, "b": 1}, caller)
            case 2:
                yield Asked("join", {"words": ["word"] * (n % 7)}, caller)
            case 3:
                yield Asked("in_thread", {"text": f"text {n}"}, caller)
            case 4:
                yield Asked("known", {"key": chance.randrange(200)}, caller, bypass_cache=n % 60 == 4)
            case 5:
                yield Asked("limited", f'{{"n": {n}}}', caller)
            case 6:
                yield Asked("flaky", {"n": n // 12, "tried": []}, caller)
            case 7:
                yield Asked("guarded", {"a": n // 12, "b": 2}, caller)
            case 8:
                yield Asked("agreed", {"n": n // 12 % 10 - 1}, caller)
            case 9:
                yield Asked("says_no", {"why": "because"}, caller)
            case 10:
                yield Asked("add", {"a": "no number"}, caller)
            case _:
                # A model can invent any number of names and callers.
                yield Asked(f"invented_{n}", {}, f"agent:{n}")


def sizes(root: object) -> dict[str, int]:
    """Return the length of every container that can be reached from an object of ours, by the way that leads there.

    Below a container only the first few values are looked into: what they are alike in, all of them are. Responses
    that are kept are counted, and not looked into: each has as much as its call said.
    """
    found: dict[str, int] = {}
    seen: set[int] = set()
    todo: deque[tuple[str, object]] = deque([(type(root).__name__, root)])
    while todo:
        path, thing = todo.popleft()
        if id(thing) in seen or isinstance(thing, ToolResponse):
            continue
        seen.add(id(thing))
        if isinstance(thing, Mapping | list | tuple | set | frozenset | deque):
            found[path] = len(thing)
            values = list(thing.values() if isinstance(thing, Mapping) else thing)
            todo.extend((f"{path}[{place}]", value) for place, value in enumerate(values[:20]))
        elif type(thing).__module__.startswith("tools"):
            names = [*getattr(thing, "__dict__", ()), *_slots(type(thing))]
            todo.extend((f"{path}.{name}", getattr(thing, name)) for name in names if hasattr(thing, name))
    return found


def _slots(kind: type) -> Iterator[str]:
    for base in kind.__mro__:
        slots = base.__dict__.get("__slots__", ())
        yield from (slots,) if isinstance(slots, str) else slots
