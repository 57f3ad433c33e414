"""A tool that a worker process finds by name, with a probe that says where it is asked."""

from __future__ import annotations

import os

from tools import ToolResult, tool


def tell_pid() -> ToolResult:
    return ToolResult.failure(f"asked in {os.getpid()}")


@tool(isolation="process", probe=tell_pid)
def probed() -> None:
    "Be asked."
