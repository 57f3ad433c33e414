"""The tabs of the last start: brought back as their tools appear, and remembered for the next one."""

from __future__ import annotations

from PySide6.QtCore import QObject, Slot

from console.app.open_tools import OpenTools
from console.preferences import Preferences
from console.tool_list import ToolList
from console.window.documents import Documents


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
