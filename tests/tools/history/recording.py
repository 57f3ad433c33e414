"""Record calls in tests: a few tools, and short words for running them and looking at what was kept."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from tests.tools.running import run
from tools import AutoApproveHandler, Executor, ToolContext, ToolFailure, ToolRegistry, resolve_tools, tool
from tools.history import History, HistoryQuery

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from tools import ReviewHandler, ToolCall
    from tools.calls import CallRecord

HistoryOf = Callable[..., History]
"""Opens a history; the fixture of that name closes it."""


@tool
async def echo(text: str, times: int = 1) -> str:
    """Say it again."""
    return text * times


@tool(read_only=True)
async def search_files(pattern: str, folder: str = ".") -> list[dict[str, Any]]:
    """Find a pattern."""
    return [{"path": f"{folder}/main_window.py", "line": 12, "text": pattern}]


@tool
async def fail(message: str) -> str:
    """Fail."""
    raise ToolFailure(message)


@tool(destructive=True)
async def erase(path: str) -> str:
    """Delete it."""
    return f"{path} is gone"


@tool
async def draw(ctx: ToolContext, size: int = 8) -> str:
    """Draw a picture."""
    ctx.log("info", f"drawing a turquoise square of {size}")
    ctx.attach(b"\x89PNG\r\n\x1a\n" + b"0" * size, name="square.png")
    ctx.keep_for(3)
    return "done"


TOOLS = (echo, search_files, fail, erase, draw)


def executor_for(
    history: History, *more: object, folder: Path | None = None, handler: ReviewHandler | None = None
) -> Executor:
    """Return an executor of the tools above and more, recorded by a history."""
    registry = ToolRegistry(resolve_tools((*TOOLS, *more)))
    return Executor(registry, history=history, project_dir=folder, review_handler=handler or AutoApproveHandler())


def record_calls(history: History, *calls: tuple[str, Mapping[str, Any]], caller: str = "you") -> list[ToolCall]:
    """Run calls one after the other and wait until they are on disk."""
    executor = executor_for(history)

    async def work() -> list[ToolCall]:
        made = []
        for name, arguments in calls:
            call = executor.create_call(name, arguments, caller=caller)
            await executor.execute(call)
            made.append(call)
        await executor.aclose()
        return made

    made: list[ToolCall] = run(work())
    history.flush()
    return made


def record_of(history: History, call: ToolCall) -> CallRecord:
    """Return a call's record."""
    record = history.get(f"{history.run}-{call.id}")
    assert record is not None
    return record


def found(history: History, text: str = "", **filters: Any) -> list[str]:
    """Return the ids of the calls, without the run, that a query finds."""
    page = history.search(HistoryQuery(text=text, **filters))
    return [row.id.partition("-")[2] for row in page.rows]
