"""The Check tabs of open tools, made when somebody looks."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QObject, Signal

from console.language import tr
from console.lazy_page import LazyPage
from console.tasks import Compute, TaskScope

if TYPE_CHECKING:
    from console.check.ports import Ask, CheckPort
    from console.check.presenter import CheckPresenter
    from tools.card import ToolCard


class CheckTab(QObject):
    """The tab of one tool, with what stands behind it once it was looked at."""

    def __init__(self, tool: ToolCard, pane: CheckPane) -> None:
        super().__init__(pane)
        self._tool = tool
        self._pane = pane
        self._presenter: CheckPresenter | None = None
        self.page = LazyPage(tr("Check of {name}", name=tool.name))
        self.page.wanted.connect(self._on_page_wanted)

    def follow(self, tool: ToolCard) -> None:
        """Show the tool as it is now, if it changed."""
        if tool is not self._tool:
            self._tool = tool
            if self._presenter is not None:
                self._presenter.adopt(tool)

    def close(self) -> None:
        if self._presenter is not None:
            self._presenter.close()

    def _on_page_wanted(self) -> None:
        from console.check.presenter import CheckPresenter  # noqa: PLC0415 -- see console.startup.loading
        from console.check.view import CheckView  # noqa: PLC0415 -- as above

        pane = self._pane
        view = CheckView(self._tool.name)
        view.fill_requested.connect(self._on_view_fill_requested)
        self.page.fill(view)
        self._presenter = CheckPresenter(
            self._tool,
            view,
            checks=pane.checks,
            ask=pane.ask,
            project_dir=pane.project_dir,
            compute=pane.compute,
            scope=pane.scope,
            parent=self,
        )
        self._presenter.noticed.connect(pane.noticed)

    def _on_view_fill_requested(self, arguments: dict[str, Any]) -> None:
        self._pane.filled.emit(self._tool.name, arguments)


class CheckPane(QObject):
    """Make the tabs in which the open tools are checked.

    Args:
        ask: Asks before something is lost.
        project_dir: The project folder; None while none is open.
        compute: Runs what takes more than a frame.
        scope: Owns the tasks of the window.

    Signals:
        filled(str, dict): These arguments are to be put into the form of this tool.
        noticed(str): A sentence about what was done, or could not be.
    """

    filled = Signal(str, dict)
    noticed = Signal(str)

    def __init__(
        self,
        checks: CheckPort,
        *,
        ask: Ask,
        project_dir: Callable[[], Path | None],
        compute: Compute,
        scope: TaskScope,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self.checks: Final = checks
        self.ask: Final = ask
        self.project_dir: Final = project_dir
        self.compute: Final = compute
        self.scope: Final = scope

    def make_tab(self, tool: ToolCard) -> CheckTab:
        return CheckTab(tool, self)
