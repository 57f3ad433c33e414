"""Tools that behave badly, each in its own way."""

from __future__ import annotations

import asyncio
import ctypes
import os
import threading
from pathlib import Path

from tools import ToolContext, tool

LINES = 10_000
LARGE_BYTES = 50 * 1024 * 1024


@tool
def raise_error(word: str) -> str:
    """Raise an exception.

    Args:
        word: Stands in the exception's message.
    """
    raise RuntimeError(f"the word was {word}")


@tool(isolation="thread")
async def raise_exit() -> None:
    """Raise what ends programs, on the event loop itself."""
    raise SystemExit(3)


@tool(isolation="thread")
async def raise_interrupt() -> None:
    """Raise what Ctrl+C raises, on the event loop itself."""
    raise KeyboardInterrupt


@tool(isolation="thread")
def block_thread() -> str:
    """Wait for something that never comes, in a thread that nobody can end."""
    threading.Event().wait()
    return "never"


@tool(isolation="thread")
async def block_loop() -> str:
    """Wait for something that never comes, on the event loop itself."""
    threading.Event().wait()
    return "never"


@tool
def touch_bad_memory() -> str:
    """Read memory that is nobody's, which ends the process it runs in."""
    return ctypes.string_at(0).decode()


@tool
def exit_process(code: int) -> None:
    """End the process it runs in.

    Args:
        code: The exit code.
    """
    os._exit(code)


@tool
def hold_interpreter() -> None:
    """Hang in C code without letting Python do anything else."""
    ctypes.PyDLL(None).sleep(600)


@tool
async def wait_politely(seconds: float, ctx: ToolContext) -> str:
    """Wait, and let itself be stopped.

    Args:
        seconds: How long.
    """
    ctx.log("info", "the wait begins")
    await asyncio.sleep(seconds)
    return "waited to the end"


@tool
def flood_log(ctx: ToolContext) -> int:
    """Write ten thousand lines to the log."""
    for number in range(LINES):
        ctx.log("info", f"line {number}")
    return LINES


@tool
def return_much() -> list[str]:
    """Return 50 MB."""
    row = "x" * 1000
    return [f"{number} {row}" for number in range(LARGE_BYTES // len(row))]


@tool
def return_nothing() -> None:
    """Return nothing at all."""


@tool(isolation="thread")
async def burn_core(until: str, project_dir: Path) -> int:
    """Count, and let nothing else on the event loop run.

    Args:
        until: A file of the project; its appearance ends the work.
    """
    count = 0
    while not (project_dir / until).exists():
        count += 1
    return count
