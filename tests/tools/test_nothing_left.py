from __future__ import annotations

import asyncio
import sys
import threading
import time
from typing import TYPE_CHECKING, Any

import psutil
import pytest

from tests.tools.running import Recorder, Silence, run, until
from tools import (
    CallStatus,
    Executor,
    Session,
    ToolContext,
    ToolRegistry,
    process_tool,
    resilience,
    resolve_tools,
    tool,
)
from tools.audit import AuditLog
from tools.calls import CallFinished
from tools.discovery import load_plugin
from tools.history import History, HistoryQuery

if TYPE_CHECKING:
    from pathlib import Path

WORKING = """
import time

from tools import tool


@tool(isolation="process")
def in_process(forever: bool) -> str:
    '''Work in a process.'''
    while forever:
        time.sleep(0.01)
    return "done"
"""
PROGRAM = "import time; time.sleep(600)"


class Kept:
    def __init__(self) -> None:
        self.begun: set[str] = set()
        self.ended: set[str] = set()


def tools_of(kept: Kept) -> list[object]:
    @tool
    async def inline(ctx: ToolContext) -> None:
        assert not ctx.http.is_closed
        kept.begun.add("inline")
        try:
            await asyncio.Event().wait()
        finally:
            kept.ended.add("inline")

    @tool
    def in_thread(ctx: ToolContext) -> None:
        kept.begun.add("in_thread")
        assert not ctx.blocking_http.is_closed
        while not ctx.cancelled:
            time.sleep(0.002)
        kept.ended.add("in_thread")

    @tool
    async def asks(ctx: ToolContext) -> None:
        kept.begun.add("asks")
        await ctx.request_approval("May I?", timeout_s=0)

    @resilience(max_concurrent=1)
    @tool
    async def waits_for_place() -> None:
        kept.begun.add("waits_for_place")
        await asyncio.Event().wait()

    return [inline, in_thread, asks, waits_for_place]


def descriptors() -> int:
    return psutil.Process().num_fds() if psutil.POSIX else 0


def processes() -> set[int]:
    return {child.pid for child in psutil.Process().children(recursive=True) if child.status() != psutil.STATUS_ZOMBIE}


@pytest.mark.parametrize("rounds", [1, 3])
def test_closing_with_everything_under_way_leaves_nothing_behind(tmp_path: Path, rounds: int) -> None:
    plugin = tmp_path / "working.py"
    plugin.write_text(WORKING)
    before = (descriptors(), processes(), threading.active_count())
    for number in range(rounds):
        folder = tmp_path / str(number)
        folder.mkdir()
        run(close_in_the_middle(folder, load_plugin(plugin).tools))
    deadline = time.monotonic() + 5
    while (descriptors(), processes(), threading.active_count()) != before and time.monotonic() < deadline:
        time.sleep(0.01)
    assert (descriptors(), processes(), threading.active_count()) == before


async def close_in_the_middle(folder: Path, isolated: Any) -> None:
    kept, recorder, silence = Kept(), Recorder(), Silence()
    history, audit = History(folder / "history"), AuditLog(folder / "audit")
    history.open()
    audit.open()
    program = process_tool("program", [sys.executable, "-S", "-c", PROGRAM], "Sleep.")
    executor = Executor(
        ToolRegistry(resolve_tools([*tools_of(kept), program, *isolated])),
        project_dir=folder,
        review_handler=silence,
        listeners=[recorder],
        history=history,
        audit=audit,
    )
    session = Session(executor, caller="agent:leaver")
    assert (await session.run_turn([("in_process", {"forever": False})])).texts == ("done",)
    calls: list[Any] = [
        ("program", {"input": ""}),
        *((name, {}) for name in ("inline", "in_thread", "asks", "waits_for_place")),
    ]
    turn = asyncio.ensure_future(session.run_turn([*calls, ("waits_for_place", {}), ("in_process", {"forever": True})]))
    await silence.asked.wait()
    await until(lambda: kept.begun == {"inline", "in_thread", "asks", "waits_for_place"})
    await until(lambda: len(processes()) >= 2)
    assert len(set(executor.open_calls)) == 7
    await executor.aclose()
    result = await turn
    assert {response.status for response in result.responses} == {CallStatus.ABORTED}
    assert silence.withdrawn
    assert not executor.open_calls
    assert asyncio.all_tasks() == {asyncio.current_task()}
    await until(lambda: kept.ended == {"inline", "in_thread"})
    finished = [event.call for event in recorder.events if isinstance(event, CallFinished)]
    assert len(finished) == len(set(finished)) == 8
    history.flush(30)
    assert audit.flush(30)
    page = history.search(HistoryQuery(limit=100))
    assert sorted(row.status.value for row in page.rows) == ["aborted"] * 7 + ["executed"]
    assert {row.caller for row in page.rows} == {"agent:leaver"}
    history.close()
    audit.close()
