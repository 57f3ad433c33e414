"""The search engine and the command palette, joined to the rest of the program."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Signal, Slot

from console.app.open_tools import OpenTools
from console.app.past_call_actions import PastCallActions
from console.browser.presenter import BrowserPresenter
from console.browser.view import BrowserView
from console.call_storage import CallStorage
from console.engine import Engine
from console.preferences import Preferences
from console.tasks import TaskScope
from console.tool_finder import ToolFinder
from console.tool_list import SOURCE_WORDS, ToolList
from console.window import MainWindow

if TYPE_CHECKING:
    from console.palette.page import PalettePage
    from console.palette.presenter import PalettePorts
    from console.palette.rows import PaletteRow


class Searching(QObject):
    """Open the command palette and carry out what is chosen in it.

    Args:
        window: What it opens over.
        tools: The tools that exist.
        engine: Computes beside the window.
        browser: Knows how tools stand.
        browser_view: The tools tree, whose filter is answered as well.
        open_tools: Shows tools.
        recall: Shows and repeats calls of the past.
        records: Have these calls.
        servers: Gives the names of the MCP servers.
        preferences: Remember what was chosen last.
        scope: Owns the tasks.
        parent: Its owner.

    Attributes:
        finder: Finds tools by words.

    Signals:
        page_requested(str): This page is to come to the front.
        server_requested(str): This server is to be shown.
        prompt_requested(str): This prompt is to be shown.
    """

    page_requested = Signal(str)
    server_requested = Signal(str)
    prompt_requested = Signal(str)

    def __init__(
        self,
        window: MainWindow,
        *,
        tools: ToolList,
        engine: Engine,
        browser: BrowserPresenter,
        browser_view: BrowserView,
        open_tools: OpenTools,
        recall: PastCallActions,
        records: CallStorage,
        servers: Callable[[], Sequence[str]],
        preferences: Preferences,
        scope: TaskScope,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._window = window
        self._tools = tools
        self._browser = browser
        self._browser_view = browser_view
        self._wanted = ""
        self._relating: asyncio.Task[None] | None = None
        self._open_tools = open_tools
        self._recall = recall
        self._records = records
        self._servers = servers
        self._preferences = preferences
        self._scope = scope
        self._page: PalettePage | None = None
        self.finder: Final = ToolFinder(tools, engine.compute, engine.heartbeat.yield_to_ui)
        window.top_bar.search_requested.connect(self._on_search_requested)
        browser_view.related_wanted.connect(self._on_browser_view_related_wanted)

    def close(self) -> None:
        """Let go of the tools."""
        self.finder.close()

    def prepare(self) -> PalettePage:
        """Make the palette, unless it is there: its first opening need not wait for that."""
        if self._page is None:
            from console.palette.page import PalettePage  # noqa: PLC0415 -- see console.startup.loading

            self._page = PalettePage(self._window, self._ports, self._scope, self)
            self._page.chosen.connect(self._on_page_chosen)
            self._page.repeat_requested.connect(self._on_page_repeat_requested)
            self._page.picked.connect(self._preferences.add_recent_pick)
        return self._page

    @Slot()
    def _on_search_requested(self) -> None:
        self.prepare().toggle()

    @Slot(str)
    def _on_browser_view_related_wanted(self, text: str) -> None:
        self._wanted = text
        if self._relating is None or self._relating.done():
            self._relating = self._scope.start(self._relate(), "find tools for the filter")

    async def _relate(self) -> None:
        """Answer the newest text until no newer one came meanwhile."""
        answered = None
        while answered != self._wanted:
            answered = self._wanted
            found = await self.finder.related(answered)
            self._browser_view.set_related(answered, found.named, found.further)

    def _ports(self, commands: Callable[[], Sequence[PaletteRow]]) -> PalettePorts:
        from console.palette.presenter import PalettePorts  # noqa: PLC0415 -- as above

        return PalettePorts(
            self.finder,
            self._tool_row,
            commands,
            self._servers,
            self._prompts,
            self._records,
            lambda: self._preferences.recent_picks,
        )

    def _prompts(self) -> Sequence[PaletteRow]:
        from console.palette.rows import prompt_row  # noqa: PLC0415 -- as above

        return [prompt_row(card) for card in self._tools.prompts]

    def _tool_row(self, name: str) -> PaletteRow | None:
        from console.palette.rows import PaletteRow, RowKind  # noqa: PLC0415 -- as above

        row = self._browser.row_of(name)
        if row is None:
            return None
        return PaletteRow(
            RowKind.TOOL,
            row.name,
            row.name,
            detail=f"{SOURCE_WORDS[row.source.family].short} › {row.group}",
            status=row.health,
            latency=row.latency,
            asks_first=row.asks_first,
            can_repeat=self._preferences.last_arguments(name) is not None,
        )

    @Slot(object)
    def _on_page_chosen(self, row: PaletteRow) -> None:
        from console.palette.rows import RowKind  # noqa: PLC0415 -- as above

        match row.kind:
            case RowKind.TOOL:
                self.page_requested.emit("tools")
                self._open_tools.open(row.key)
                self._open_tools.focus_arguments(row.key)
            case RowKind.CALL:
                self._recall.open_call(row.key)
            case RowKind.PROMPT:
                self.prompt_requested.emit(row.key)
            case RowKind.SERVER:
                self.server_requested.emit(row.key)

    @Slot(object)
    def _on_page_repeat_requested(self, row: PaletteRow) -> None:
        from console.palette.rows import RowKind  # noqa: PLC0415 -- as above

        if row.kind is RowKind.CALL:
            self._recall.run_again(row.key)
        else:
            self.page_requested.emit("tools")
            self._open_tools.run(row.key)
