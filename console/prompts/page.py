"""The Prompts page: all prompts that there are, made when somebody looks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from console.language import tr
from console.lazy_page import LazyPage
from console.prompts.ports import PromptPort
from console.tasks import Compute, TaskScope
from console.tool_list import ToolList

if TYPE_CHECKING:
    from console.prompts.model import PromptModel
    from console.prompts.presenter import PromptsPresenter
    from console.prompts.view import AllPromptsView


class PromptsPage(QObject):
    """Own the page of all prompts.

    Args:
        scope: Owns the tasks of the window.
        compute: Runs what takes more than a frame.

    Attributes:
        widget: The page.

    Signals:
        ask_requested(str): This text is to be said to a model.
    """

    ask_requested = Signal(str)

    def __init__(
        self,
        tools: ToolList,
        port: PromptPort,
        *,
        scope: TaskScope,
        compute: Compute,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._tools = tools
        self._port = port
        self._scope = scope
        self._compute = compute
        self._model: PromptModel | None = None
        self._presenter: PromptsPresenter | None = None
        self.view: AllPromptsView | None = None
        self.widget = LazyPage(tr("Prompts"))
        self.widget.wanted.connect(self._on_widget_wanted)
        tools.changed.connect(self._show_rows)

    def show_prompt(self, name: str) -> None:
        """Choose a prompt, ready to be filled in; the page is in front already."""
        if self.view is not None:
            self.view.filter.clear()
            self.view.prompts.show_prompt(name)

    def close(self) -> None:
        """Let go of what is under way."""
        if self._presenter is not None:
            self._presenter.close()

    @Slot()
    def _show_rows(self) -> None:
        if self._model is None or self.view is None:
            return
        from console.prompts.rows import prompt_row  # noqa: PLC0415 -- see `_on_widget_wanted`

        rows = tuple(map(prompt_row, self._tools.prompts))
        words = self.view.filter.text().casefold().split()
        found = tuple(row for row in rows if all(word in row.searched for word in words))
        self.view.show_counts(len(found), len(rows), sum(row.is_of_server for row in rows))
        self._model.show_rows(found)

    @Slot()
    def _on_widget_wanted(self) -> None:
        from console.prompts.model import PromptModel  # noqa: PLC0415 -- see console.startup.loading
        from console.prompts.presenter import PromptsPresenter  # noqa: PLC0415 -- as above
        from console.prompts.view import AllPromptsView  # noqa: PLC0415 -- as above

        self._model = PromptModel(with_source=True, parent=self)
        view = self.view = AllPromptsView(self._model)
        self._presenter = PromptsPresenter(
            view.prompts, self._port, scope=self._scope, compute=self._compute, parent=self
        )
        view.filter.textChanged.connect(self._show_rows)
        view.prompts.ask_requested.connect(self.ask_requested)
        self._show_rows()
        self.widget.fill(view)
