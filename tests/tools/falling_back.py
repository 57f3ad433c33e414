"""A tool in a worker process whose fallback stands beside it."""

from __future__ import annotations

import os

from tools import CircuitBreaker, ToolContext, ToolFailure, resilience, tool


@tool
@resilience(isolation="process", fallback="here", circuit_breaker=CircuitBreaker(failure_threshold=2))
def fragile(how: str) -> int:
    if how == "die":
        os._exit(7)
    raise ToolFailure("boom")


def here(how: str, ctx: ToolContext) -> int:
    ctx.log("info", f"from the fallback of {how}")
    return os.getpid()
