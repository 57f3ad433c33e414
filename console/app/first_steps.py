"""The first steps: leads to each of them, watches whether it really happened, and remembers it."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QWidget

from console.app.open_tools import OpenTools
from console.batch.page import BatchPage
from console.call_events import CallEnded, WindowEvent
from console.health.controller import HealthController
from console.language import tr
from console.preferences import Preferences
from console.startup.early_window import FIRST_STEPS_ON
from console.tasks import Compute, TaskScope
from console.theme.files import resource_path
from console.tool_list import ToolList
from console.welcome.first_steps_view import FIRST_STEPS, FirstStepsBar, done_steps, flag_of
from console.welcome.view import FIRST_TOOL
from console.window.project import ProjectChooser
from tools.calls import CallRecord
from tools.card import SourceKind
from tools.paths import is_folder

_DANGEROUS: Final = "delete_file"
_PLAN: Final = "first-batch.yaml"
_OWN_KINDS: Final = frozenset({SourceKind.SERVER, SourceKind.PLUGIN})


class FirstSteps(QObject):
    """Lead somebody new through five things that happen in the program itself.

    Args:
        bar: Shows the steps.
        open_tools: The pages of tools.
        tools: The tools.
        batches: The Batch page.
        healths: Know how tools do.
        health_page: The widget of the Health page.
        project: Has the project folder, and the sample project where none is open.
        preferences: Remember what is done.
        folder: Where the sample batch is kept.
        compute: Runs what touches the disk.
        scope: Owns the tasks.
        parent: Its owner.

    Signals:
        noticed(str): A sentence for the person.
        page_requested(str): This page is to come to the front.
    """

    noticed = Signal(str)
    page_requested = Signal(str)

    def __init__(
        self,
        bar: FirstStepsBar,
        open_tools: OpenTools,
        *,
        tools: ToolList,
        batches: BatchPage,
        healths: HealthController,
        health_page: QWidget,
        project: ProjectChooser,
        preferences: Preferences,
        folder: Path,
        compute: Compute,
        scope: TaskScope,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._bar = bar
        self._open_tools = open_tools
        self._tools = tools
        self._batches = batches
        self._healths = healths
        self._health_page = health_page
        self._project = project
        self._preferences = preferences
        self._plan = folder / _PLAN
        self._compute = compute
        self._scope = scope
        self._is_on = preferences.flag(FIRST_STEPS_ON, default=False)
        self._done = done_steps(preferences)
        self._scratch: Path | None = None
        self._runs_before: int | None = None
        self._ran = FIRST_TOOL
        bar.skipped.connect(self._on_bar_skipped)
        healths.looked.connect(self._on_healths_looked)
        batches.updated.connect(self._on_batches_updated)

    @property
    def done(self) -> frozenset[str]:
        """The keys of the steps that happened."""
        return frozenset(self._done)

    def show(self) -> None:
        """Show the bar if the steps were begun, and neither skipped nor closed."""
        self._bar.show_done(self._done)
        self._bar.setVisible(self._is_on)

    @Slot()
    def begin(self) -> None:
        """Show the steps while any is left, with a project that the first tool can run in."""
        self._choose_project()
        if len(self._done) < len(FIRST_STEPS):
            self._switch(is_on=True)

    @Slot()
    def take_up(self) -> None:
        """Show the steps where they were left, or anew when all are done, with the keyboard on the next one."""
        if len(self._done) == len(FIRST_STEPS):
            for key in tuple(self._done):
                self._preferences.set_flag(flag_of(key), value=False)
            self._done.clear()
        self._switch(is_on=True)
        self._bar.focus_next(self._done)

    def _switch(self, *, is_on: bool) -> None:
        self._is_on = is_on
        self._preferences.set_flag(FIRST_STEPS_ON, value=is_on)
        self.show()

    @Slot(str)
    def lead_to(self, key: str) -> None:
        """Go where a step can be done, with everything prepared for it."""
        match key:
            case "run":
                self._choose_project()
                self.page_requested.emit("tools")
                self._open_tools.open(FIRST_TOOL)
                self._open_tools.fill_example(FIRST_TOOL)
                self._open_tools.focus_arguments(FIRST_TOOL)
            case "approve":
                self._scope.start(self._lead_to_question(), "make a scratch folder")  # type: ignore[unused-awaitable]
            case "health":
                self._lead_to_health()
            case "batch":
                self._scope.start(self._lead_to_batch(), "copy the sample batch")  # type: ignore[unused-awaitable]

    async def _lead_to_question(self) -> None:
        try:
            scratch = self._scratch = await self._compute(_made_scratch, self._scratch)
        except OSError as error:
            self.noticed.emit(tr("The scratch folder cannot be made: {error}", error=error.strerror or error))
            return
        # The scratch folder lies outside of every project.
        self._choose_project()
        self.page_requested.emit("tools")
        self._open_tools.open(_DANGEROUS)
        presenter = self._open_tools.current
        if presenter is not None and presenter.tool.name == _DANGEROUS:
            presenter.fill_exactly(
                {"path": str(scratch), "recursive": True}, tr("This folder was made just now, for you to delete.")
            )

    def _choose_project(self) -> None:
        """Open the sample project if none is open: tools that work on files do not run without one."""
        if self._project.folder is None:
            self._project.choose_sample()

    def _lead_to_health(self) -> None:
        if "run" not in self._done:
            self.noticed.emit(tr("Health has nothing to show before a tool ran: run one first"))
            self.lead_to("run")
            return
        self._runs_before = self._count_runs()
        self.page_requested.emit("tools")
        self._open_tools.run(self._ran)
        self.page_requested.emit("health")

    async def _lead_to_batch(self) -> None:
        try:
            await self._compute(_keep_plan, self._plan)
        except OSError as error:
            self.noticed.emit(tr("The sample batch cannot be kept: {error}", error=error.strerror or error))
            return
        self.page_requested.emit("batch")
        self._batches.open(self._plan)

    def take(self, events: Sequence[WindowEvent]) -> None:
        """Tick what calls show."""
        if not self._is_on:
            return
        for event in events:
            if isinstance(event, CallEnded) and event.record.tool.known and not event.record.is_probe:
                self._take_ended(event.record)

    def _take_ended(self, record: CallRecord) -> None:
        if record.caller.startswith("agent:"):
            self.tick("own")
        if record.caller != "you" or not record.succeeded:
            return
        card = self._tools.lookup(record.tool.name)
        if card is not None and card.spec.read_only_hint:
            # What changes nothing may be run again to show its health.
            self._ran = card.name
            self.tick("run")
        if record.tool.name == _DANGEROUS and self._is_approved_scratch(record):
            self._scratch = None
            self.tick("approve")

    def _is_approved_scratch(self, record: CallRecord) -> bool:
        path = (record.final_arguments or {}).get("path")
        was_asked = any(decision.answer in {"continue", "edit"} for decision in record.decisions)
        return was_asked and isinstance(path, str) and Path(path) == self._scratch

    @Slot()
    def look_at_tools(self) -> None:
        """Tick that a server or a file brought tools."""
        if self._is_on and any(tool.source.kind in _OWN_KINDS for tool in self._tools):
            self.tick("own")

    @Slot()
    def take_agent(self) -> None:
        """Tick that an agent was connected."""
        if self._is_on:
            self.tick("own")

    def tick(self, key: str) -> None:
        """Keep that a step happened."""
        if key in self._done:
            return
        self._done.add(key)
        self._preferences.set_flag(flag_of(key), value=True)
        self._bar.show_done(self._done)

    def _count_runs(self) -> int:
        latest = self._healths.latest
        return 0 if latest is None else sum(health.stats.count for health in latest.healths.values())

    @Slot()
    def _on_healths_looked(self) -> None:
        if not self._is_on or "health" in self._done:
            return
        runs, before = self._count_runs(), self._runs_before
        if self._health_page.isVisible() and before is not None and runs > before:
            self.tick("health")
        # Old runs count no more after a while; what came out of sight did not move before anybody's eyes.
        self._runs_before = runs

    @Slot(object)
    def _on_batches_updated(self, _facts: object) -> None:
        if not self._is_on or "batch" in self._done or self._batches.goes_on:
            return
        opened, progress = self._batches.opened, self._batches.progress
        if opened is not None and opened.path == self._plan and 0 < progress.steps == progress.done:
            self.tick("batch")

    @Slot()
    def _on_bar_skipped(self) -> None:
        self._switch(is_on=False)
        if len(self._done) < len(FIRST_STEPS):
            self.noticed.emit(tr("The first steps are in the menu, under Help, whenever you want them"))
        self._scope.start(self.clean_up(), "remove the scratch folder")  # type: ignore[unused-awaitable]

    async def clean_up(self) -> None:
        """Remove the scratch folder if it was not deleted."""
        scratch, self._scratch = self._scratch, None
        if scratch is not None:
            await self._compute(_remove, scratch)


def _made_scratch(scratch: Path | None) -> Path:
    """Return a folder with two files that nobody misses; the one made before, if it is still there."""
    if scratch is None or not is_folder(scratch):
        # With its links resolved, as the path of the call will be.
        scratch = Path(tempfile.mkdtemp(prefix="tool-console-scratch-")).resolve()
    for name in ("old-report.txt", "old-notes.txt"):
        (scratch / name).write_text("Made for the first steps of Tool Console. Nobody misses it.\n", "utf-8")
    return scratch


def _remove(scratch: Path) -> None:
    shutil.rmtree(scratch, ignore_errors=True)


def _keep_plan(file: Path) -> None:
    """Copy the sample batch beside the program's data, unless it is there."""
    if not file.exists():
        file.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(resource_path("samples", _PLAN), file)
