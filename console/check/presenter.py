"""What stands behind the Check tab of one tool."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

from PySide6.QtCore import QObject, QTimer, Signal

from console.check.ports import Ask, CheckPort
from console.check.rows import STOPPED_EARLY, CheckState, begun, ended, failed, going_on, plan_of
from console.check.view import CheckView
from console.language import tr, translated
from console.tasks import Compute, OwnTasks, TaskScope
from console.widgets.formats import home_short
from tools.card import ToolCard
from tools.check import CheckOptions, CheckProgress, CheckReport, pytest_file
from tools.errors import ToolError
from tools.paths import is_inside

_TICK_MS: Final = 100


class CheckPresenter(QObject):
    """Check one tool.

    Args:
        ask: Asks before something is lost.
        project_dir: The project folder; None while none is open.
        compute: Runs what takes more than a frame.
        scope: Owns the tasks of the window.

    Signals:
        noticed(str): A sentence about what was done, or could not be.
    """

    noticed = Signal(str)

    def __init__(
        self,
        tool: ToolCard,
        view: CheckView,
        *,
        checks: CheckPort,
        ask: Ask,
        project_dir: Callable[[], Path | None],
        compute: Compute,
        scope: TaskScope,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._tool = tool
        self._view = view
        self._checks = checks
        self._ask = ask
        self._project_dir = project_dir
        self._compute = compute
        self._tasks = OwnTasks(scope)
        self._looking = OwnTasks(scope)
        self._scratch: Path | None = None
        self._asked: Path | None = None
        self._is_running = self._is_stopping = False
        self._progress: CheckProgress | None = None
        self._ran: tuple[CheckReport, CheckOptions] | None = None
        self._ticker = QTimer(self)
        self._ticker.setInterval(_TICK_MS)
        self._ticker.timeout.connect(self._on_ticker_timeout)
        view.options_changed.connect(self._look)
        view.start_requested.connect(self.start)
        view.stop_requested.connect(self.stop)
        view.folder_chosen.connect(self._on_view_folder_chosen)
        view.save_chosen.connect(self._on_view_save_chosen)
        view.noticed.connect(self.noticed)
        self._look()

    def adopt(self, tool: ToolCard) -> None:
        """Go on with another version of the tool; what was found of the one before stays."""
        self._tool = tool
        self._look()

    def start(self) -> None:
        if self._is_running:
            return
        self._is_running, self._is_stopping, self._progress = True, False, None
        self._view.show_running(is_running=True)
        self._view.show_state(begun())
        self._ticker.start()
        self._tasks.start(self._check(self._options(), self._scratch), f"check {self._tool.name}")

    def stop(self) -> None:
        """End the check that runs; what it found so far stays."""
        if self._is_running:
            self._is_stopping = True
            self._view.show_stopping()
            self._checks.stop(self._tool.name)

    def close(self) -> None:
        """Let go of everything under way."""
        self._ticker.stop()
        self._looking.cancel()
        self._tasks.cancel()

    def _options(self) -> CheckOptions:
        view = self._view
        return CheckOptions(
            seed=view.seed.value(),
            calls=view.calls.value(),
            within_s=view.seconds.value(),
            reaches_out=view.outside.isChecked(),
        )

    def _look(self) -> None:
        self._looking.cancel()
        self._looking.start(self._show_plan(), f"see how {self._tool.name} can be checked")

    async def _show_plan(self) -> None:
        options = self._options()
        try:
            skip = await self._checks.skip(self._tool.name, options, self._scratch)
        except ToolError:
            return  # The tool is gone, and its page follows.
        self._view.show_plan(plan_of(options, skip, self._scratch))

    async def _check(self, options: CheckOptions, scratch: Path | None) -> None:
        try:
            state = await self._outcome(options, scratch)
        except Exception:
            self._end(failed(tr("It broke off; the log of the program has the reason.")))
            raise
        self._end(state)

    async def _outcome(self, options: CheckOptions, scratch: Path | None) -> CheckState:
        # The folder may have been filled, and another project opened, since a person confirmed it.
        problem = "" if scratch is None else await self._compute(_problem_of, scratch, self._project_dir())
        if problem:
            return failed(problem)
        if self._is_stopping:
            return STOPPED_EARLY
        try:
            report = await self._checks.check(self._tool.name, options, scratch, self._take_progress)
        except OSError as error:
            return failed(
                tr(
                    "{file}: {reason}. Choose another folder.",
                    file=error.filename or scratch,
                    reason=error.strerror or error,
                )
            )
        except ToolError as error:
            return failed(translated(error))
        self._ran = report, options
        return ended(report)

    def _end(self, state: CheckState) -> None:
        self._ticker.stop()
        self._is_running = False
        self._view.show_running(is_running=False)
        self._view.show_state(state)

    def _take_progress(self, progress: CheckProgress) -> None:
        """Keep the newest; on the engine's thread, as often as a call ends."""
        self._progress = progress

    def _on_ticker_timeout(self) -> None:
        progress = self._progress
        if progress is not None:
            self._view.show_state(going_on(progress, is_stopping=self._is_stopping))

    def _on_view_folder_chosen(self, text: str) -> None:
        self._tasks.start(self._judge_folder(Path(text)), f"look at a folder for the check of {self._tool.name}")

    async def _judge_folder(self, folder: Path) -> None:
        problem = await self._compute(_problem_of, folder, self._project_dir())
        if problem:
            self.noticed.emit(problem)
            return
        self._asked = folder
        self._ask(
            tr("Check {tool} in {folder}?", tool=self._tool.name, folder=folder.name),
            tr(
                "The tool is called with generated arguments, and may change or remove whatever it finds in {folder}."
                " Everything in that folder is removed. What the tool changes elsewhere is not undone.",
                folder=folder,
            ),
            tr("Use this folder"),
            self._use_folder,
        )

    def _use_folder(self) -> None:
        self._scratch = self._asked
        self._look()

    def _on_view_save_chosen(self, path: str) -> None:
        if self._ran is not None:
            self._tasks.start(self._save(Path(path), *self._ran), f"save the findings of {self._tool.name}")

    async def _save(self, path: Path, report: CheckReport, options: CheckOptions) -> None:
        text = pytest_file(
            report.findings,
            plugin=self._tool.source.path,
            in_scratch=report.in_scratch,
            call_s=options.call_s,
            reaches_out=options.reaches_out,
        )
        try:
            await self._compute(_write, path, text)
        except OSError as error:
            self.noticed.emit(
                tr(
                    "{name} could not be written: {reason}. Choose another place.",
                    name=path.name,
                    reason=error.strerror or error,
                )
            )
        else:
            self.noticed.emit(
                tr("Saved as {path}. pytest runs it; its tests pass once the faults are mended.", path=home_short(path))
            )


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")


def _problem_of(folder: Path, project: Path | None) -> str:
    """Say why a folder must not be used; empty when it may."""
    try:
        if any(folder.iterdir()):
            return tr(
                "{name} is not empty, and everything in it would be removed. Choose an empty folder.", name=folder.name
            )
    except OSError as error:
        return tr(
            "{folder} cannot be used: {reason}. Choose another folder.",
            folder=folder,
            reason=error.strerror or error,
        )
    if project is not None and is_inside(folder.resolve(), project.resolve()):
        return tr("{name} belongs to the project. Choose an empty folder outside of it.", name=folder.name)
    return ""
