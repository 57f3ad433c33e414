"""The loop of tool authors: plugin files are followed while they are written, and new tools begun."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol

from PySide6.QtCore import QObject, Signal, Slot

from console.app.open_tools import OpenTools
from console.browser.editors import open_in_editor
from console.browser.new_tool_dialog import NewToolDialog
from console.browser.presenter import BrowserPresenter
from console.browser.view import BrowserView
from console.call.banner_view import SourceNotice
from console.preferences import Preferences
from console.tasks import TaskScope
from console.window import MainWindow
from tools.discovery import TEMPLATES, SourcePlace, name_problem, write_tool_file
from tools.errors import DiscoveryError, ToolConfigurationError

if TYPE_CHECKING:
    from tools.discovery import LoadReport


_log = logging.getLogger(__name__)
_LOOK_EVERY_S: Final = 0.3
_AT_ONCE: Final = "reload_plugins_at_once"
"""The preference by which plugin files are loaded as soon as they are saved."""


class SavedPort(Protocol):
    """Tells which plugin files were saved."""

    async def saved(self) -> tuple[Path, ...]:
        """Return the files that were saved since they were loaded, and new ones."""
        ...


class Authoring(QObject):
    """Follow plugin files, say on the pages of their tools how they stand, and begin new ones.

    Args:
        window: Where new tools and the mode are asked for.
        browser: Loads plugin files.
        browser_view: The tree of tools.
        open_tools: The pages.
        saved: Tells which files were saved.
        preferences: Remember the mode and the folder of new tools.
        folder: Gives the folder that new tools are put in at first.
        is_taken: Says whether there is a tool of a name.
        scope: Owns the task.
        open_file: Opens a file at a line and column in the person's editor; says whether there is one.
        parent: Its owner.

    Signals:
        noticed(str): A sentence for the person.
        page_requested(str): This page is to come to the front.
    """

    noticed = Signal(str)
    page_requested = Signal(str)

    def __init__(
        self,
        window: MainWindow,
        browser: BrowserPresenter,
        browser_view: BrowserView,
        open_tools: OpenTools,
        *,
        saved: SavedPort,
        preferences: Preferences,
        folder: Callable[[], Path],
        is_taken: Callable[[str], bool],
        scope: TaskScope,
        open_file: Callable[[Path, int, int], bool] = open_in_editor,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._window = window
        self._browser = browser
        self._browser_view = browser_view
        self._open_tools = open_tools
        self._saved = saved
        self._preferences = preferences
        self._folder = folder
        self._is_taken = is_taken
        self._scope = scope
        self._open_file = open_file
        self._at_once = preferences.flag(_AT_ONCE, default=True)
        self._places: dict[Path, SourcePlace] = {}
        self._broken: dict[Path, SourceNotice] = {}
        self._changed: tuple[Path, ...] = ()
        self._tried: tuple[Path, ...] = ()
        self._dialog: NewToolDialog | None = None
        window.show_reload_mode(at_once=self._at_once)
        window.reload_mode_chosen.connect(self._on_window_reload_mode_chosen)
        for asking in (window, browser_view):
            asking.new_tool_requested.connect(self.ask_for_tool)
        browser.reported.connect(self._on_browser_reported)
        browser.added.connect(self._on_browser_added)
        open_tools.editor_requested.connect(self._on_open_tools_editor_requested)

    def start(self) -> None:
        """Follow the plugin files from now on; from inside the running event loop."""
        self._scope.start(self._follow(), "follow the plugin files")  # type: ignore[unused-awaitable]

    async def _follow(self) -> None:
        while True:
            await asyncio.sleep(_LOOK_EVERY_S)
            try:
                await self._look()
            except (ToolConfigurationError, OSError) as error:
                _log.warning("the plugin files cannot be followed: %s", error)

    async def _look(self) -> None:
        saved = await self._saved.saved()
        # What cannot be loaded for another reason than what stands in it is not tried again and again.
        if self._at_once and saved and saved != self._tried:
            await self._browser.load_saved(saved)
        self._tried = saved
        changed = () if self._at_once else saved
        if changed != self._changed:
            self._changed = changed
            self._show()

    def _show(self, said: dict[Path, str] | None = None) -> None:
        notices = {**self._broken, **{path: SourceNotice(path.name) for path in self._changed}}
        self._open_tools.show_sources(notices, said)

    @Slot()
    def ask_for_tool(self) -> None:
        """Ask for the name, the folder and the kind of a new tool."""
        if self._dialog is not None:
            self._dialog.activateWindow()
            return
        templates = [(template.title, template.description) for template in TEMPLATES]
        self._dialog = NewToolDialog(templates, self._folder(), self._name_problem, self._window)
        self._dialog.create_requested.connect(self._on_dialog_create_requested)
        self._dialog.finished.connect(self._on_dialog_finished)
        self._dialog.open()

    def _name_problem(self, name: str) -> str:
        problem = name_problem(name)
        if not problem and self._is_taken(name):
            problem = f"there is a tool {name!r} already; take another name"
        return problem

    @Slot(str, object, int, bool)
    def _on_dialog_create_requested(self, name: str, folder: Path, template: int, opens: bool) -> None:
        try:
            path = write_tool_file(folder, name, TEMPLATES[template])
        except DiscoveryError as error:
            if self._dialog is not None:
                self._dialog.show_problem(str(error))
            return
        if self._dialog is not None:
            self._dialog.accept()
        self._browser.add_plugin(path)
        if opens and not self._open_file(path, 1, 1):
            self.noticed.emit(f"No editor was found. The file is {path}")

    @Slot()
    def _on_dialog_finished(self) -> None:
        self._dialog = None

    @Slot(bool)
    def _on_window_reload_mode_chosen(self, at_once: bool) -> None:
        self._at_once = at_once
        self._tried = ()
        self._preferences.set_flag(_AT_ONCE, value=at_once)

    @Slot(list)
    def _on_browser_reported(self, reports: Sequence[LoadReport]) -> None:
        said: dict[Path, str] = {}
        for report in reports:
            path = report.source.path
            if path is None:
                continue
            self._changed = tuple(other for other in self._changed if other != path)
            self._broken.pop(path, None)
            self._places.pop(path, None)
            if not report.error:
                said[path] = f"{path.name} was loaded again: this page shows what stands in it now."
                continue
            self._broken[path] = _broken_notice(path, report)
            if report.place is not None:
                self._places[path] = report.place
        self._show(said)

    @Slot(str)
    def _on_browser_added(self, name: str) -> None:
        self.page_requested.emit("tools")
        self._open_tools.open(name)
        self._open_tools.focus_arguments(name)
        self._browser_view.reveal(name)

    @Slot(object)
    def _on_open_tools_editor_requested(self, path: Path) -> None:
        place = self._places.get(path, SourcePlace(path, 1))
        if not self._open_file(place.path, place.line, place.column):
            self.noticed.emit(f"No editor was found. The place is {place.path}:{place.line}")


def _broken_notice(path: Path, report: LoadReport) -> SourceNotice:
    place = report.place
    if place is None:
        return SourceNotice(path.name, report.error)
    words = f"{place.path}:{place.line}" + (f":{place.column}" if place.column else "")
    # Python names the place once more, which stands below.
    error = report.error.removesuffix(f" ({place.path.name}, line {place.line})")
    return SourceNotice(path.name, error, words, place.text, place.column)
