"""The tools that `bench_isolation` runs in worker processes, which find them here by name."""

from __future__ import annotations

import os
from typing import Any

from tools import ToolContext, tool


@tool(isolation="process")
def work(n: int) -> int:
    """Do nothing."""
    return n


@tool(isolation="process")
async def work_async(n: int) -> int:
    """Do nothing, on an event loop."""
    return n


@tool(isolation="process")
def work_in_context(n: int, ctx: ToolContext) -> int:
    """Do nothing, with a line to the program."""
    del ctx
    return n


@tool(isolation="thread")
def work_in_thread(n: int) -> int:
    """Do nothing, in a thread."""
    return n


@tool(isolation="process")
def crash() -> None:
    """End the process."""
    os._exit(1)


@tool(isolation="process")
def many_texts(size_mb: int) -> list[str]:
    """Return texts of a kilobyte each."""
    row = "x" * 1000
    return [f"{number} {row}" for number in range(size_mb * 1024)]


@tool(isolation="process")
def one_text(size_mb: int) -> str:
    """Return one text."""
    return "x" * (size_mb << 20)


@tool(isolation="process")
def one_text_of_many_letters(size_mb: int) -> str:
    """Return one text of letters that take two bytes each."""
    return "ä" * (size_mb << 19)


@tool(isolation="process")
def many_objects(size_mb: int) -> list[dict[str, Any]]:
    """Return small objects, about a hundred bytes of JSON each."""
    return [
        {"number": number, "path": f"src/module_{number}.py", "ratio": number / 7, "hit": True, "tags": ["a", "b"]}
        for number in range(size_mb * 10_000)
    ]


@tool(isolation="process")
def some_bytes(size_mb: int) -> bytes:
    """Return bytes."""
    return bytes(size_mb << 20)


@tool(isolation="process")
def take_text(text: str) -> int:
    """Count the letters of a text."""
    return len(text)


@tool(isolation="process")
def take_texts(texts: list[str]) -> int:
    """Count texts."""
    return len(texts)


def echo(n: int) -> int:
    """Return what came; what the peers run."""
    return n
