"""The whole program in a test: started, loaded and ended."""

from __future__ import annotations

import asyncio
from typing import Self

from console.app.console import Console
from console.tool_page.presenter import ExecutionPresenter
from console.tool_page.view import ExecutionView
from tests.tools.running import until

PATIENCE_S = 30.0


class Program:
    """One start of the program; a block runs between its loading and its end."""

    until = staticmethod(until)

    def __init__(self, console: Console) -> None:
        self.console = console
        self.over = asyncio.Event()
        console.ended.connect(self.over.set)

    async def __aenter__(self) -> Self:
        await self.loaded()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.end()

    async def loaded(self) -> None:
        loaded = asyncio.Event()
        self.console.loaded.connect(loaded.set)
        self.console.start()
        await asyncio.wait_for(loaded.wait(), PATIENCE_S)

    async def end(self) -> None:
        """End the program if it has not ended, and take its widgets away."""
        self.console.end()
        await asyncio.wait_for(self.over.wait(), PATIENCE_S)
        self.console.window.deleteLater()
        self.console.deleteLater()

    def page(self, name: str) -> ExecutionView:
        page = self.console.documents.page(name)
        assert isinstance(page, ExecutionView)
        return page

    @property
    def presenter(self) -> ExecutionPresenter:
        presenter = self.console.open_tools.current
        assert presenter is not None
        return presenter

    async def call_ended(self) -> None:
        """Wait until the call on the current page has ended."""
        presenter = self.presenter
        await self.until(lambda: presenter.record is not None and not presenter.is_running)
