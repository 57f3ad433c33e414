"""How many of our functions hand a run on to the tool's first line, and a log line on to the list of lines.

A hop is a frame of ours on the stack that causes the next one, through tasks, callbacks and threads; the loop of a
thread, which everything starts from, is none.
"""

from __future__ import annotations

import asyncio
import contextvars
import sys
import threading
from collections.abc import Callable, Coroutine
from pathlib import Path
from types import FrameType, SimpleNamespace
from typing import Any, Final

import pytest
from pytestqt.qtbot import QtBot

from console.call_result.log_view import LogLines
from console.engine import Engine, _Output
from console.tool_page.engine_ports import EngineCalls
from tests.console.opened_page import opened_page
from tools import Executor, ToolContext, ToolRegistry, resolve_tools, tool
from tools.execution.threads import ToolThreads

RunInQt = Callable[[Coroutine[Any, Any, None]], None]
ROOT: Final = Path(__file__).parents[2]
PATIENCE_S: Final = 10
MOST_TO_THE_TOOL: Final = 15
MOST_TO_THE_SCREEN: Final = 10

_LOOPS: Final = {"Engine._run_loop", "Engine._run_until_stopped", "ToolThreads._work"}
_before: Final[contextvars.ContextVar[tuple[str, ...]]] = contextvars.ContextVar("before", default=())


def _hops() -> tuple[str, ...]:
    """Return the functions of ours that led here, the first one first."""
    names: list[str] = []
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        path = Path(frame.f_code.co_filename)
        if path.is_relative_to(ROOT / "tools") or path.is_relative_to(ROOT / "console"):
            names.append(frame.f_code.co_qualname)
        frame = frame.f_back
    return (*_before.get(), *(name for name in reversed(names) if name not in _LOOPS))


def _follow(loop: asyncio.AbstractEventLoop) -> None:
    """Let the tasks and callbacks of a loop know who started them."""
    plain = loop.call_soon_threadsafe

    def make_task(loop: asyncio.AbstractEventLoop, work: Any, **options: Any) -> asyncio.Task[Any]:
        context = options.pop("context", None) or contextvars.copy_context()
        context.run(_before.set, _hops())
        return asyncio.Task(work, loop=loop, context=context, **options)

    def call_soon_threadsafe(callback: Callable[..., object], *args: Any, context: Any = None) -> Any:
        known = (context or contextvars.copy_context()).copy()
        known.run(_before.set, _hops())
        return plain(lambda: known.run(callback, *args))

    loop.set_task_factory(make_task)
    loop.call_soon_threadsafe = call_soon_threadsafe  # type: ignore[method-assign, assignment]


class _Way:
    """What led to the tool's first line, to the engine's inbox and to the list of lines."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.to_tool: tuple[str, ...] = ()
        self.to_inbox: tuple[str, ...] = ()
        self.to_screen: tuple[str, ...] = ()
        self.may_speak = threading.Event()
        self.is_shown = threading.Event()
        run, add, take = ToolThreads.run, LogLines.add, _Output.add

        def in_thread(threads: ToolThreads, function: Any, arguments: Any) -> Any:
            _before.set((*_hops(), "ToolThreads.run"))
            return run(threads, function, arguments)

        def added(lines: LogLines, entries: Any) -> None:
            self.to_screen = (*_hops(), "LogLines.add")
            add(lines, entries)
            self.is_shown.set()

        def taken(output: _Output, event: Any) -> None:
            self.to_inbox = (*_hops(), "_Output.add")
            take(output, event)

        monkeypatch.setattr(ToolThreads, "run", in_thread)
        monkeypatch.setattr(LogLines, "add", added)
        monkeypatch.setattr(_Output, "add", taken)

    def tool(self, *, is_async: bool) -> Any:
        """Return a tool that says something once its page knows its call, and waits until that is read."""

        async def speak(*, ctx: ToolContext) -> None:
            self.to_tool = _hops()
            await asyncio.to_thread(self.may_speak.wait, PATIENCE_S)
            ctx.log("info", "line")
            await asyncio.to_thread(self.is_shown.wait, PATIENCE_S)

        def speak_in_thread(*, ctx: ToolContext) -> None:
            self.to_tool = _hops()
            self.may_speak.wait(PATIENCE_S)
            ctx.log("info", "line")
            self.is_shown.wait(PATIENCE_S)

        return tool(name="speak", read_only=True)(speak if is_async else speak_in_thread)


@pytest.mark.parametrize("is_async", [True, False])
async def test_a_run_and_a_line_of_its_log_take_few_hops(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, is_async: bool
) -> None:
    way, engine = _Way(monkeypatch), Engine()
    engine.start()
    _follow(engine._loop)
    executor = Executor(ToolRegistry(resolve_tools([way.tool(is_async=is_async)])), listeners=[engine.receive])
    monkeypatch.setattr("tests.console.opened_page.own_calls", lambda executor: EngineCalls(engine, executor))
    monkeypatch.setattr("tests.console.opened_page.OwnEvents", lambda _: SimpleNamespace(events=engine.events))
    _follow(asyncio.get_running_loop())
    async with opened_page(qtbot, [], "speak", executor=executor) as page:
        page.click("Run")
        await page.until(lambda: page.presenter.call is not None)
        way.may_speak.set()
        await page.until(way.is_shown.is_set)
        shown = way.to_screen
        await page.ended()
        way.to_screen = shown
        await engine.call(executor.aclose)
    assert engine.stop()
    assert way.to_tool[0] == "ExecutionPresenter.run"
    assert len(way.to_tool) <= MOST_TO_THE_TOOL, way.to_tool
    to_line = (*way.to_inbox[way.to_inbox.index("ToolContext.log") :], *way.to_screen)
    assert way.to_screen[0].startswith("Engine._on_"), way.to_screen
    assert len(to_line) <= MOST_TO_THE_SCREEN, to_line
