"""What Help offers when something is wrong, and what the window says of a start that was not as usual."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Slot
from shiboken6 import isValid

from console.call_storage import CallStorage
from console.keymap import keymap
from console.language import tr
from console.preferences import Preferences
from console.startup.first_window import StartUp
from console.tasks import TaskScope
from console.widgets import Banner
from console.window import MainWindow
from tools.workbench import Workbench

if TYPE_CHECKING:
    from console.support.installation_dialogs import InstallationDialog


SAFE_MODE: Final = (
    tr("Safe mode."),
    tr(
        "No plugins, no servers and no agents; the window's settings are the usual ones and are not kept. Your"
        " rules hold."
    ),
)


class Diagnostics(QObject):
    """Show how the installation is, which failures were reported, and what was wrong at this start.

    Args:
        window: Where it is asked for and shown.
        records: Have threads for what takes a while.
        workbench: The tools.
        preferences: Know the port of agents, and whether their own file could be read.
        start: How this start came about.
        project: Returns the project folder.
        scope: Has the tasks.
        parent: Its owner.
    """

    def __init__(
        self,
        window: MainWindow,
        records: CallStorage,
        workbench: Workbench,
        *,
        preferences: Preferences,
        start: StartUp,
        project: Callable[[], Path | None],
        scope: TaskScope,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._window = window
        self._records = records
        self._workbench = workbench
        self._preferences = preferences
        self._start = start
        self._project = project
        self._scope = scope
        window.installation_requested.connect(self.check_installation)
        window.crash_reports_requested.connect(self.show_reports)

    def tell_start(self) -> None:
        """Say above the pages what was not as usual at this start."""
        last_end = self._start.last_end
        problems = (*self._start.problems, *filter(None, [self._preferences.problem, keymap().problem]))
        banners = [Banner("warn", *SAFE_MODE)] if self._start.safe_mode else []
        banners += [
            Banner("error", "", problem, actions={"check": tr("Check the installation"), "hide": tr("Hide")})
            for problem in problems
        ]
        if last_end is not None:
            banners.append(
                Banner(
                    "warn",
                    tr("The last start ended unexpectedly."),
                    tr("The report stays on this computer."),
                    actions={"reports": tr("Show the report"), "hide": tr("Hide")},
                )
            )
        for banner in banners:
            banner.action_requested.connect(self._on_banner_action_requested)
            self._window.add_banner(banner)

    @Slot(str)
    def _on_banner_action_requested(self, key: str) -> None:
        banner = self.sender()
        if key == "check":
            self.check_installation()
            return
        if key == "reports":
            self.show_reports()
        if isinstance(banner, Banner):
            self._window.take_banner(banner)

    @Slot()
    def show_reports(self) -> None:
        """List the reports of failures."""
        from console.support.installation_dialogs import CrashReportsDialog  # noqa: PLC0415 -- few starts need it

        kept = self._start.reports
        reports = () if kept is None else kept.latest()
        dialog = CrashReportsDialog(reports, self._window)
        dialog.open()

    @Slot()
    def check_installation(self) -> None:
        """Show how the installation is."""
        from console.support.installation_dialogs import InstallationDialog  # noqa: PLC0415 -- few starts need it

        dialog = InstallationDialog(self._window)
        dialog.open()
        self._scope.start(self._examine(dialog), "check the installation")  # type: ignore[unused-awaitable]

    async def _examine(self, dialog: InstallationDialog) -> None:
        from tools.doctor import Installation, examine  # noqa: PLC0415 -- few starts need it

        bench = self._workbench
        failures = tuple(
            (report.source.name, report.error) for report in bench.reports if report.error and not report.is_untrusted
        )
        given = Installation(tuple(bench.registry), failures, self._project(), self._preferences.gateway_port)
        found = await self._records.compute(examine, given)
        if isValid(dialog):
            dialog.show_found(found)
