"""What stands behind the tabs Tools and Usage: fetched while their tab is in front."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QObject, Slot

from console.charts import load_numbers, load_plots
from console.tasks import Compute

if TYPE_CHECKING:
    from console.assistant.context_presenter import ContextPresenter
    from console.assistant.engine_assistant import EngineAssistant
    from console.assistant.view import AssistantView
    from console.preferences import Preferences

_TAB, _SIZES = "assistantTab", "assistantParts"
_TABS: Final = ("Context", "Tools", "Usage")
"""What each tab is called where the chosen one is kept."""


class PanelPresenter(QObject):
    """Fill the panel at the right, and remember its tab and the widths of the page's parts.

    Args:
        context: Knows which conversation is shown.
        start: Starts some work under a name; what keeps it from being done is told.
    """

    def __init__(
        self,
        view: AssistantView,
        context: ContextPresenter,
        port: EngineAssistant,
        *,
        preferences: Preferences,
        compute: Compute,
        start: Callable[[Coroutine[Any, Any, None], str], None],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._view = view
        self._context = context
        self._port = port
        self._preferences = preferences
        self._compute = compute
        self._start = start
        view.panel_tabs.setCurrentIndex(_TABS.index(preferences.choice(_TAB, _TABS, _TABS[0])))
        view.set_sizes(preferences.sizes(_SIZES))
        view.panel_tabs.currentChanged.connect(self._on_tabs_current_changed)
        view.parts_moved.connect(self._on_view_parts_moved)
        view.usage.plot_needed.connect(self._on_usage_plot_needed)
        view.context.budget.valueChanged.connect(self._refresh)
        context.refreshed.connect(self._refresh)

    @Slot(int)
    def _on_tabs_current_changed(self, index: int) -> None:
        self._preferences.set_choice(_TAB, _TABS[index])
        self._refresh()

    @Slot()
    def _on_view_parts_moved(self) -> None:
        self._preferences.set_sizes(_SIZES, self._view.sizes)

    @Slot()
    def _refresh(self) -> None:
        tab = _TABS[self._view.panel_tabs.currentIndex()]
        if tab == "Tools":
            self._start(self._show_tools(), "list the tools of a conversation")
        elif tab == "Usage":
            self._start(self._show_usage(), "look what a conversation took")

    async def _show_tools(self) -> None:
        self._view.tools.show_tools(await self._port.offered(self._context.ref))

    async def _show_usage(self) -> None:
        name = self._context.name
        turns = await self._port.usage(name) if name else ()
        if name == self._context.name:
            self._view.usage.show_turns(turns, self._view.context.budget.value())

    @Slot()
    def _on_usage_plot_needed(self) -> None:
        self._start(self._make_plot(), "load what plots need")

    async def _make_plot(self) -> None:
        await self._compute(load_numbers)
        load_plots()
        self._view.usage.make_plot()
