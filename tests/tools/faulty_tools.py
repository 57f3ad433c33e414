"""Tools with one planted fault each, for the checks of tools; loaded as a plugin file."""

import os
import time
from pathlib import Path
from typing import Annotated

from pydantic import Field

from tools import Param, ToolFailure, tool


@tool(read_only=True)
def split_bill(
    amount: Annotated[float, Param("What was paid")], people: Annotated[int, Param("How many pay")]
) -> float:
    """Split a bill evenly among people."""
    return amount / people


@tool(read_only=True)
def crashing(
    depth: Annotated[int, Param("How deep to look")], title: Annotated[str, Param("What to call it")] = "a"
) -> str:
    """Look into something with a library that does not survive large numbers."""
    if depth > 100:
        os.abort()
    return title


@tool(read_only=True)
def leaving(name: Annotated[str, Param("Whom to greet")]) -> str:
    """Greet somebody, and end the program where nobody is named."""
    if not name:
        raise SystemExit(3)
    return f"Hello {name}"


@tool(read_only=True)
def wrong_result(words: Annotated[list[str], Param("The words to count")]) -> dict[str, int]:
    """Count the letters of words."""
    counts: dict[str, int] = {word: len(word) for word in words}
    if len(words) > 2:
        counts["average"] = "many"  # type: ignore[assignment]
    return counts


@tool(read_only=True)
def hanging(
    pattern: Annotated[str, Param("What to wait for")], *, again: Annotated[bool, Param("Wait again")] = False
) -> str:
    """Wait for a word, for ever where it is asked to."""
    while again:
        time.sleep(0.01)
    return pattern


@tool(read_only=True)
async def blocking(*, forever: Annotated[bool, Param("Block the loop")] = False) -> str:
    """Block the event loop, for ever where it is asked to."""
    while forever:
        pass
    return "done"


@tool(read_only=True)
def telling(api_key: Annotated[str, Param("The key of the service")], city: Annotated[str, Param("Where")]) -> str:
    """Ask a service for the weather."""
    raise ToolFailure(f"the service refused the key {api_key[:12]}… for {city}")


@tool(read_only=True)
def writing(
    query: Annotated[str, Param("What to look for")], limit: Annotated[int, Param("How many"), Field(ge=1)] = 10
) -> str:
    """Look something up, and keep it in a file beside it."""
    if limit > 1:
        Path("lookups.log").write_text(query, encoding="utf-8", errors="replace")
    return query


@tool
def removing(path: Annotated[str, Param("What to remove")]) -> str:
    """Remove a file of the current folder, and fail where it is a folder."""
    Path(path).unlink(missing_ok=True)
    return path


@tool(read_only=True)
def sound(
    text: Annotated[str, Param("The text"), Field(max_length=20)],
    times: Annotated[int, Param("How often"), Field(ge=0, le=9)] = 1,
) -> str:
    """Repeat a text so many times."""
    if "\0" in text:
        raise ToolFailure("expected a text without NUL, got one with it")
    return text * times
