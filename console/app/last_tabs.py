"""The tabs of the last start, brought back as their tools appear; they and the heights of forms are remembered."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QObject, Slot

from console.app.open_tools import OpenTools
from console.preferences import Preferences
from console.tool_list import ToolList
from console.window.documents import Documents

_FORM: Final = "form of {name}"
"""What the height of a tool's form is remembered as."""


class LastTabs(QObject):
    """Keep the open tabs in the preferences, also those whose tools have not appeared yet.

    Args:
        open_tools: Opens tabs, and tells of those that are.
        documents: Say which tab is in front.
        tools: The tools that are there.
        preferences: Remember the tabs.
        parent: Its owner.
    """

    def __init__(
        self,
        open_tools: OpenTools,
        documents: Documents,
        tools: ToolList,
        preferences: Preferences,
        *,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._open_tools = open_tools
        self._documents = documents
        self._tools = tools
        self._preferences = preferences
        self._to_come = preferences.open_tabs
        self._last_front = preferences.current_tab
        open_tools.changed.connect(self.remember)
        open_tools.opened.connect(self._on_open_tools_opened)

    @Slot()
    def bring_back(self) -> None:
        """Open the tabs whose tools are there; in front stays what is, else comes what was."""
        found = [name for name in self._to_come if name in self._tools]
        self._to_come = tuple(name for name in self._to_come if name not in found)
        front = self._documents.current_key if self._open_tools.names else self._last_front
        for name in found:
            self._open_tools.open(name)
        if found and front in self._open_tools.names:
            self._open_tools.open(front)

    def give_up(self) -> None:
        """Forget the tabs whose tools are still missing; all tools are there."""
        self.bring_back()
        self._to_come = ()
        self.remember()

    def close(self) -> None:
        """Remember nothing further: the tools of servers go before the program does."""
        self._open_tools.changed.disconnect(self.remember)

    @Slot()
    def remember(self) -> None:
        """Note which tabs are open or may still be."""
        self._preferences.open_tabs = tuple(dict.fromkeys((*self._open_tools.names, *self._to_come)))
        self._preferences.current_tab = self._documents.current_key

    @Slot(str)
    def _on_open_tools_opened(self, name: str) -> None:
        """Give a form the height that it had, and remember the height that a person gives it."""
        from console.tool_page.view import ExecutionView  # noqa: PLC0415 -- see console.startup.loading

        page = self._documents.page(name)
        if not isinstance(page, ExecutionView):
            return
        if heights := self._preferences.sizes(_FORM.format(name=name)):
            page.set_form_height(heights[0])
        page.form_resized.connect(self._on_page_form_resized)

    @Slot(int)
    def _on_page_form_resized(self, height: int) -> None:
        name = self._documents.current_key
        self._preferences.set_sizes(_FORM.format(name=name), (height,))
