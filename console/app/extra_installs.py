"""Install the optional libraries of tools while the window goes on."""

from __future__ import annotations

import asyncio

from PySide6.QtCore import QObject, Qt, Signal, Slot

from console.app.open_tools import OpenTools
from console.browser.presenter import BrowserPresenter
from console.engine import Engine
from console.language import tr, translated
from console.tasks import TaskScope
from console.tool_list import ToolList
from console.tool_page.library_rows import ExtraInstall
from tools.errors import ToolConfigurationError
from tools.pip_install import install_extra


class ExtraInstalls(QObject):
    """Install one extra at a time, and tell the pages and the tree how it goes.

    Args:
        open_tools: Asks for it, and shows it.
        browser: Shows which tools lack libraries.
        tools: The tools.
        engine: Runs pip.
        scope: Has the tasks.
        parent: Its owner.

    Signals:
        noticed(str): A sentence about what was done.
        said(str): A line of pip; internal, crosses the threads.
    """

    noticed = Signal(str)
    said = Signal(str)

    def __init__(
        self,
        open_tools: OpenTools,
        browser: BrowserPresenter,
        *,
        tools: ToolList,
        engine: Engine,
        scope: TaskScope,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._open_tools = open_tools
        self._browser = browser
        self._tools = tools
        self._engine = engine
        self._scope = scope
        self._install: ExtraInstall | None = None
        self._task: asyncio.Task[None] | None = None
        self.said.connect(self._on_said, Qt.ConnectionType.QueuedConnection)
        open_tools.install_requested.connect(self._on_open_tools_install_requested)

    @Slot(str)
    def _on_open_tools_install_requested(self, extra: str) -> None:
        if self._task is None:
            self._show(ExtraInstall(extra, is_running=True))
            self._task = self._scope.start(self._run(extra), f"install the extra {extra}")
            # Not in the coroutine: a task that is cancelled at once never enters it.
            self._task.add_done_callback(self._on_task_done)
        elif self._install is not None and self._install.extra == extra:
            self._task.cancel()

    async def _run(self, extra: str) -> None:
        try:
            await self._engine.call(install_extra, extra, self.said.emit)
        except ToolConfigurationError as error:
            lines = self._install.lines if self._install is not None else ()
            self._install = ExtraInstall(extra, lines, error=translated(error))
            self.noticed.emit(tr("The extra “{extra}” could not be installed: {error}", extra=extra, error=error))
        else:
            self.noticed.emit(tr("The extra “{extra}” is installed", extra=extra))

    def _on_task_done(self, _: asyncio.Task[None]) -> None:
        self._task = None
        install = self._install
        if install is not None:
            self._show(install if install.error else ExtraInstall(install.extra))
            self._browser.show_again([tool.name for tool in self._tools if tool.spec.extra == install.extra])

    @Slot(str)
    def _on_said(self, line: str) -> None:
        if self._install is not None and self._install.is_running:
            self._show(self._install._replace(lines=(*self._install.lines, line)))

    def _show(self, install: ExtraInstall) -> None:
        self._install = install
        self._open_tools.show_install(install)
