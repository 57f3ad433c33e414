"""The loop of tool authors: plugin files are followed, new tools begun, and pipelines made of past calls."""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol

from PySide6.QtCore import QFileSystemWatcher, QObject, Signal, Slot

from console.app.open_tools import OpenTools
from console.browser.editors import open_in_editor
from console.browser.new_tool_dialog import NewToolDialog
from console.browser.presenter import BrowserPresenter
from console.browser.view import BrowserView
from console.call_result.banner_view import SourceNotice
from console.file_poller import FilePoller
from console.language import tr, translated
from console.preferences import Preferences
from console.tasks import Compute, TaskScope
from console.tool_list import ToolList
from console.window import MainWindow
from tools.card import SourceKind, ToolCard
from tools.discovery import (
    TEMPLATE_WORDS,
    TEMPLATES,
    SourcePlace,
    draft_of,
    name_problem,
    write_pipeline_file,
    write_tool_file,
)
from tools.errors import DiscoveryError, ToolConfigurationError
from tools.watched_file import stamp_of

if TYPE_CHECKING:
    from console.browser.pipeline_dialog import PipelineDialog
    from tools.calls import CallRecord
    from tools.discovery import LoadReport
    from tools.discovery.pipeline_drafts import PipelineDraft


_log = logging.getLogger(__name__)
_LOOK_EVERY_S: Final = 0.3
_LOOKS: Final = 6
"""Looks in a row after the system told of a change; a file that is gone counts only after a while."""
_AT_ONCE: Final = "reload_plugins_at_once"
"""The preference by which plugin files are loaded as soon as they are saved."""


class SavedPort(Protocol):
    """Tells which plugin files were saved."""

    async def saved(self) -> tuple[Path, ...]:
        """Return the files that were saved since they were loaded, and new ones."""
        ...

    def watched(self) -> set[Path]:
        """Return the files and folders in which a change means that some may have been saved."""
        ...


class Authoring(QObject):
    """Follow plugin files, say on the pages of their tools how they stand, begin new ones, and make pipelines.

    Args:
        window: Where new tools and the mode are asked for.
        browser: Loads plugin files.
        browser_view: The tree of tools.
        open_tools: The pages.
        saved: Tells which files were saved.
        preferences: Remember the mode and the folder of new tools.
        folder: Gives the folder that new tools are put in at first.
        tools: The tools that exist.
        compute: Runs what takes more than a frame.
        scope: Owns the tasks.
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
        tools: ToolList,
        compute: Compute,
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
        self._tools = tools
        self._compute = compute
        self._scope = scope
        self._open_file = open_file
        self._at_once = preferences.flag(_AT_ONCE, default=True)
        self._places: dict[Path, SourcePlace] = {}
        self._broken: dict[Path, SourceNotice] = {}
        self._changed: tuple[Path, ...] = ()
        self._tried: tuple[Path, ...] = ()
        self._dialog: NewToolDialog | None = None
        self._pipeline: PipelineDialog | None = None
        self._troubles: Mapping[str, str] = {}
        self._stirred = asyncio.Event()
        self._stamps: dict[Path, object] = {}
        self._watcher = QFileSystemWatcher(self)
        self._watcher.fileChanged.connect(self._on_watcher_changed)
        self._watcher.directoryChanged.connect(self._on_watcher_changed)
        for asking in (window, browser_view):
            asking.new_tool_requested.connect(self.ask_for_tool)
        browser.reported.connect(self._on_browser_reported)
        browser.added.connect(self._on_browser_added)
        open_tools.editor_requested.connect(self._on_open_tools_editor_requested)

    def start(self, files: FilePoller) -> None:
        """Follow the plugin files from now on; from inside the running event loop.

        Args:
            files: Tells of changes that the system tells nobody of, as in folders on other computers.
        """
        files.watch("the plugin files", self._have_changed, self._stir)
        self._scope.start(self._follow(), "follow the plugin files")  # type: ignore[unused-awaitable]

    async def _follow(self) -> None:
        looks, told = _LOOKS, ""
        while True:
            if looks:
                # Also where the folder never rests: it is looked at so often, and not at each change.
                await asyncio.sleep(_LOOK_EVERY_S)
            else:
                await self._stirred.wait()
            looks = _LOOKS if self._stirred.is_set() else max(0, looks - 1)
            self._stirred.clear()
            try:
                await self._look()
                self._watch()
                told = ""
            except (ToolConfigurationError, OSError) as error:
                if told != f"{error}":
                    told = f"{error}"
                    _log.warning("the plugin files cannot be followed: %s", told)

    def _have_changed(self) -> bool:
        """Return whether the plugin files or their folders are others than at the last look."""
        before, self._stamps = self._stamps, {path: stamp_of(path) for path in self._saved.watched()}
        return self._stamps != before

    async def _stir(self) -> None:
        self._stirred.set()

    def _watch(self) -> None:
        """Let the system tell of changes; a file that another one took the place of is told of no more."""
        known = {*self._watcher.files(), *self._watcher.directories()}
        # Of what cannot be read, the system tells nothing but a warning.
        new = [str(path) for path in self._saved.watched() if str(path) not in known and os.access(path, os.R_OK)]
        if new:
            self._watcher.addPaths(new)

    @Slot()
    def _on_watcher_changed(self) -> None:
        self._stirred.set()

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
        templates = [(translated(title), translated(description)) for title, description in TEMPLATE_WORDS]
        self._dialog = NewToolDialog(templates, self._folder(), self._name_problem, self._window)
        self._dialog.create_requested.connect(self._on_dialog_create_requested)
        self._dialog.finished.connect(self._on_dialog_finished)
        self._dialog.open()

    def _name_problem(self, name: str) -> str:
        problem = name_problem(name)
        if not problem and name in self._tools:
            problem = tr("there is a tool {name!r} already; take another name", name=name)
        return problem

    @Slot(str, object, int, bool)
    def _on_dialog_create_requested(self, name: str, folder: Path, template: int, opens: bool) -> None:
        try:
            path = write_tool_file(folder, name, TEMPLATES[template])
        except DiscoveryError as error:
            if self._dialog is not None:
                self._dialog.show_problem(translated(error))
            return
        if self._dialog is not None:
            self._dialog.accept()
        self._begin(path, opens=opens)

    def _begin(self, path: Path, *, opens: bool) -> None:
        """Load a new file, which shows its first tool."""
        self._browser.add_plugin(path)
        if opens and not self._open_file(path, 1, 1):
            self.noticed.emit(tr("No editor was found. The file is {path}", path=path))

    @Slot()
    def _on_dialog_finished(self) -> None:
        self._dialog = None

    @Slot(dict)
    def take_troubles(self, troubles: Mapping[str, str]) -> None:
        """Take note which servers are not connected, and why."""
        self._troubles = troubles

    @Slot(list)
    def ask_for_pipeline(self, records: Sequence[CallRecord]) -> None:
        """Ask what a pipeline of some past calls is called, and where the arguments of its steps come from."""
        if self._pipeline is not None:
            self._pipeline.activateWindow()
            return
        self._scope.start(self._ask_for_pipeline(records), "draft a pipeline")  # type: ignore[unused-awaitable]

    async def _ask_for_pipeline(self, records: Sequence[CallRecord]) -> None:
        from console.browser.pipeline_dialog import PipelineDialog  # noqa: PLC0415 -- no window is shown later for it

        cards = {record.tool.name: self._tools.find(record.tool.name) for record in records}
        draft = await self._compute(draft_of, records, cards.get)
        if self._pipeline is not None:
            return
        self._pipeline = PipelineDialog(
            self._with_troubles(draft, cards), self._folder(), self._name_problem, self._window
        )
        self._pipeline.create_requested.connect(self._on_pipeline_create_requested)
        self._pipeline.finished.connect(self._on_pipeline_finished)
        self._pipeline.open()

    def _with_troubles(self, draft: PipelineDraft, cards: Mapping[str, ToolCard | None]) -> PipelineDraft:
        """Say of steps whose server is not connected that they cannot run now."""
        steps = []
        for step in draft.steps:
            card = cards.get(step.tool)
            server = card.source.name if card is not None and card.source.kind is SourceKind.SERVER else ""
            why = self._troubles.get(server, "")
            note = (
                tr("The server {server} is not connected: {why}", server=server, why=why.partition(chr(10))[0])
                if why
                else step.note
            )
            steps.append(replace(step, note=note))
        return replace(draft, steps=tuple(steps))

    @Slot(object, object, bool)
    def _on_pipeline_create_requested(self, draft: PipelineDraft, folder: Path, opens: bool) -> None:
        if self._pipeline is None:
            return
        try:
            path = write_pipeline_file(folder, draft)
        except DiscoveryError as error:
            self._pipeline.show_problem(translated(error))
            return
        self._pipeline.accept()
        self._begin(path, opens=opens)

    @Slot()
    def _on_pipeline_finished(self) -> None:
        self._pipeline = None

    @property
    def reloads_at_once(self) -> bool:
        """Say whether saved plugin files are loaded at once, and not only with F5."""
        return self._at_once

    def set_reloads_at_once(self, at_once: bool) -> None:
        """Load plugin files as soon as they are saved, or only with F5."""
        self._at_once = at_once
        self._tried = ()
        self._preferences.set_flag(_AT_ONCE, value=at_once)

    @Slot(list)
    def _on_browser_reported(self, reports: Sequence[LoadReport]) -> None:
        self._stirred.set()
        said: dict[Path, str] = {}
        for report in reports:
            path = report.source.path
            if path is None:
                continue
            self._changed = tuple(other for other in self._changed if other != path)
            self._broken.pop(path, None)
            self._places.pop(path, None)
            if report.is_untrusted:
                continue
            if not report.error:
                said[path] = tr("{name} was loaded again: this page shows what stands in it now.", name=path.name)
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
            self.noticed.emit(tr("No editor was found. The place is {path}:{line}", path=place.path, line=place.line))


def _broken_notice(path: Path, report: LoadReport) -> SourceNotice:
    place = report.place
    if place is None:
        return SourceNotice(path.name, report.error)
    words = f"{place.path}:{place.line}" + (f":{place.column}" if place.column else "")
    # Python names the place once more, which stands below.
    error = report.error.removesuffix(f" ({place.path.name}, line {place.line})")
    return SourceNotice(path.name, error, words, place.text, place.column)
