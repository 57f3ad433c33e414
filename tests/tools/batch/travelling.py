"""Tools for the tests of clusters: found by their names in this module, wherever it can be imported."""

from __future__ import annotations

import asyncio
import os
import time
from pathlib import Path

from tools import ToolContext, ToolFailure, security, tool
from tools.spec import Isolation


@tool(read_only=True, open_world=False, idempotent=True)
def double(number: int, ctx: ToolContext) -> int:
    """Double a number, and say so."""
    ctx.log("info", f"doubling {number}")
    ctx.progress(number, 10, "on the way")
    return 2 * number


@tool(read_only=True, open_world=False, idempotent=True)
def where() -> int:
    """Tell which process this is."""
    return os.getppid()


@tool(idempotent=True)
def fail(words: str) -> str:
    """Fail as told."""
    raise ToolFailure(words)


@tool(idempotent=True)
def crash() -> None:
    """End the process."""
    os._exit(3)


@tool
async def ask(question: str, ctx: ToolContext) -> str:
    """Ask a person."""
    decision = await ctx.request_approval(question)
    return type(decision).__name__


@tool(idempotent=True)
async def wait(mark: str, ctx: ToolContext) -> str:
    """Wait until a file is there, and leave marks at the begin and the end."""
    path = Path(mark)
    with path.with_suffix(".begun").open("a") as file:
        file.write(f"{os.getppid()}\n")
    try:
        while not path.exists():  # noqa: ASYNC110, ASYNC240 -- another process makes it
            await asyncio.sleep(0.01)
    except asyncio.CancelledError:
        # To tidy up takes a while, and whoever has told it to end leaves meanwhile.
        await asyncio.sleep(0.05)
        path.with_suffix(".stopped").touch()
        raise
    return ctx.caller


@tool(idempotent=False)
def once(mark: str) -> str:
    """Do what must not be done twice: wait until a file is there, and leave a mark at the begin."""
    path = Path(mark)
    with path.with_suffix(".begun").open("a") as file:
        file.write(f"{os.getppid()}\n")
    while not path.exists():
        time.sleep(0.01)
    return "done"


@security(sensitive=True)
@tool
def whisper(word: str) -> int:
    """Tell which process this is, to whoever may hear it."""
    del word
    return os.getpid()


@tool(idempotent=True)
def attach(ctx: ToolContext) -> dict[str, list[int]]:
    """Attach a file, and return many numbers."""
    ctx.attach(b"bytes", "text/plain", "note.txt")
    return {"numbers": list(range(1000))}


@tool(idempotent=True)
def same(number: int) -> int:
    """Return a number."""
    return number


@tool(idempotent=False)
def counted(number: int) -> int:
    """Return a number, and never twice for one call."""
    return number


@tool(idempotent=True, isolation=Isolation.PROCESS)
def apart(number: int) -> int:
    """Return a number, from a process of its own."""
    time.sleep(0.01)
    return number
