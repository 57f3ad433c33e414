"""Which built-in tools the dock shows: those chosen for the project folder, until the person wants to see all."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QObject, SignalInstance, Slot

from tools.chosen_tools import choose_tools

if TYPE_CHECKING:
    import asyncio

    from console.preferences import Preferences
    from console.tasks import Compute, TaskScope


class ChosenToolsPort(Protocol):
    """What is needed of `BrowserView`."""

    all_requested: SignalInstance
    star_requested: SignalInstance

    def set_chosen(self, names: Collection[str] | None) -> None:
        """Show only these built-in tools."""

    def set_starred(self, names: Iterable[str]) -> None:
        """Mark starred tools."""

    def set_shows_all(self, *, shows_all: bool) -> None:
        """Show all built-in tools, or the chosen ones."""


def show_first_choice(view: ChosenToolsPort, preferences: Preferences, project: Path | None) -> None:
    """Show the tools of the last time, or those for any project, until somebody looked into the folder."""
    view.set_chosen(preferences.chosen_tools(project) or choose_tools(None))
    view.set_starred(preferences.starred_tools)
    view.set_shows_all(shows_all=preferences.shows_all_tools(project))


class ChosenTools(QObject):
    """Choose built-in tools by what the project folder holds, and keep what the person wants to see instead.

    Args:
        project: Gives the project folder; None is none.
        preferences: Remember stars, and the projects in which all tools are shown.
        compute: Looks at the folder in another thread.
    """

    def __init__(
        self,
        view: ChosenToolsPort,
        project: Callable[[], Path | None],
        *,
        preferences: Preferences,
        compute: Compute,
        scope: TaskScope,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._view = view
        self._project = project
        self._preferences = preferences
        self._compute = compute
        self._scope = scope
        self._looking: asyncio.Task[None] | None = None
        view.all_requested.connect(self._on_view_all_requested)
        view.star_requested.connect(self._on_view_star_requested)
        show_first_choice(view, preferences, project())

    @Slot()
    def look_again(self) -> None:
        """Choose anew, by the project folder that is open now."""
        self._view.set_shows_all(shows_all=self._preferences.shows_all_tools(self._project()))
        if self._looking is not None:
            self._looking.cancel()
        self._looking = self._scope.start(self._look(), "choose the built-in tools to show")

    async def _look(self) -> None:
        folder = self._project()
        chosen = await self._compute(choose_tools, folder)
        self._view.set_chosen(chosen)
        if folder is not None and chosen != self._preferences.chosen_tools(folder):
            self._preferences.set_chosen_tools(folder, chosen)

    @Slot(bool)
    def _on_view_all_requested(self, shows_all: bool) -> None:
        self._preferences.set_shows_all_tools(self._project(), shows_all=shows_all)
        self._view.set_shows_all(shows_all=shows_all)

    @Slot(str, bool)
    def _on_view_star_requested(self, name: str, starred: bool) -> None:
        self._preferences.star_tool(name, starred=starred)
        self._view.set_starred(self._preferences.starred_tools)
