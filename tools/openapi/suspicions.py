"""What the words of operations may try to do to whoever reads them, for the person who decides about an API."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

from tools.mcp.definitions import Definition
from tools.mcp.poisoning import suspicions
from tools.openapi.operations import ApiContents, Operation

_MOST: Final = 20
_LOOKING_S: Final = 5.0


def suspicions_of(contents: ApiContents, clock: Callable[[], float] = time.monotonic) -> tuple[str, ...]:
    """Return what a person should look at, one sentence each, as it is found in the tools of MCP servers.

    Args:
        contents: What the document offers.
        clock: Tells the time, in seconds.
    """
    found: list[str] = []
    end = clock() + _LOOKING_S
    for number, operation in enumerate(contents.operations):
        if clock() > end:
            found.append(
                f"only the words of the first {number:,} operations were looked at; look at the others yourself"
            )
            break
        for one in suspicions(_definition(operation)):
            found.append(f"{operation.key}: {one.words}: {one.excerpt!r}")
            if len(found) == _MOST:
                return tuple(found)
    return tuple(found)


def _definition(operation: Operation) -> Definition:
    words = f"{operation.summary}\n{operation.description}"
    return Definition({"name": operation.name, "description": words, "inputSchema": dict(operation.input_schema)})
