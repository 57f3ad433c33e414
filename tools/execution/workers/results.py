"""What comes back from a worker process: JSON, bytes or a `ToolResult`, never an object of the worker's."""

from __future__ import annotations

from typing import Any, NamedTuple

from tools.tool import ToolResult


class WorkerResult(NamedTuple):
    """The JSON that a tool's return value was written as, where it ran.

    Attributes:
        value: The JSON value.
        tool_result: The `ToolResult` it came in; None when the tool returned a plain value.
        problem: Why the return value has no JSON form; empty when it has one.
    """

    value: Any = None
    tool_result: ToolResult | None = None
    problem: str = ""
