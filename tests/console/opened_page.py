"""The page of a tool over a real executor on the test's own loop, for tests to drive by click and key."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from console.call_result.recent import RecentCalls
from console.call_result.rows import heading_of
from console.tasks import TaskScope
from console.tool_page.ports import ExecutionPorts
from console.tool_page.presenter import ExecutionPresenter
from console.tool_page.view import ExecutionView
from tests.console.own_engine import OwnEvents, own_calls
from tests.console.own_guards import OwnGuards
from tests.tools.running import until
from tools import AutoApproveHandler, Executor, ToolRegistry, resolve_tools

__all__ = ["Drafts", "Page", "opened_page"]


class Drafts:
    def __init__(self) -> None:
        self.known: dict[str, str] = {}
        self.typed: dict[str, str] = {}

    def last_run(self, tool: str) -> str | None:
        return self.known.get(tool)

    def set_last_run(self, tool: str, text: str) -> None:
        self.known[tool] = text

    def draft(self, tool: str) -> str | None:
        return self.typed.get(tool)

    def set_draft(self, tool: str, text: str) -> None:
        self.typed[tool] = text


class Clock:
    now_s = 100.0

    def __call__(self) -> float:
        return self.now_s


async def _compute(function: Callable[..., Any], *args: Any) -> Any:
    return await asyncio.to_thread(function, *args)


class Page:
    """One open page over its own executor."""

    def __init__(  # noqa: PLR0917 -- made in one place
        self, qtbot: QtBot, executor: Executor, scope: TaskScope, name: str, drafts: Drafts, clock: Clock
    ) -> None:
        self.qtbot = qtbot
        self.executor = executor
        self.source = OwnEvents(executor)
        self.calls = own_calls(executor)
        self.drafts = drafts
        self.recent = RecentCalls()
        self.source.events.connect(self.recent.record)
        self.clock = clock
        found = executor.registry.get(name).card
        self.view = ExecutionView(heading_of(found))
        self.presenter = ExecutionPresenter(
            found,
            self.view,
            ExecutionPorts(
                self.calls,
                self.source.events,
                scope,
                _compute,
                drafts,
                self.recent.of,
                self.clock,
                Path.cwd,
                OwnGuards(self.executor),
            ),
        )
        qtbot.addWidget(self.view)
        self.view.resize(1112, 700)
        self.view.show()
        self.view.activateWindow()

    def named(self, name: str) -> Any:
        """Return the widget of an accessible name."""
        return next(widget for widget in self.view.findChildren(QWidget) if widget.accessibleName() == name)

    def button(self, text: str) -> QAbstractButton:
        return next(button for button in self.view.findChildren(QAbstractButton) if button.text() == text)

    def click(self, name: str) -> None:
        self.qtbot.mouseClick(self.named(name), Qt.MouseButton.LeftButton)

    def type_argument(self, name: str, words: str) -> None:
        field = self.named(f"argument {name}")
        assert isinstance(field, QLineEdit)
        field.selectAll()
        self.qtbot.keyClicks(field, words)

    @property
    def facts(self) -> str:
        return self.view.results.result_header.facts.accessibleName()

    @property
    def notice(self) -> str:
        return self.view.notice.text

    def deliver(self) -> None:
        """Bring the events so far, as the engine does now and then."""
        self.source.deliver()

    def has_logged(self) -> bool:
        """Tell whether a call that runs wrote a line."""
        return any(call.response.logs for call in self.executor.open_calls)

    until = staticmethod(until)

    async def ended(self) -> None:
        await self.until(lambda: not self.presenter.is_running)

    async def run(self) -> None:
        self.click("Run")
        await self.ended()


@asynccontextmanager
async def opened_page(
    qtbot: QtBot, tools: Iterable[Any], name: str, *, drafts: Drafts | None = None, reviewer: Any = None, **options: Any
) -> AsyncIterator[Page]:
    """Open the page of one of some tools, over an executor of its own unless one is given."""
    given: Executor | None = options.pop("executor", None)
    executor = given or Executor(
        ToolRegistry(resolve_tools(list(tools))), review_handler=reviewer or AutoApproveHandler(), **options
    )
    scope = TaskScope("test")
    opened = Page(qtbot, executor, scope, name, drafts or Drafts(), Clock())
    await opened.until(opened.view.isActiveWindow)
    try:
        yield opened
    finally:
        opened.presenter.close()
        opened.view.close()
        await scope.close()
        if given is None:
            await executor.aclose()
