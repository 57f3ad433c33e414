"""The project folder: what relative paths mean, the folders used before, and the sample project to try tools on."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import platformdirs
from PySide6.QtCore import QObject, Signal, Slot

from console.language import tr
from console.preferences import Preferences, RecentProject
from console.theme.files import resource_path
from tools.paths import NO_PROJECT, is_folder

if TYPE_CHECKING:
    from console.welcome.view import WelcomeView
    from console.window import MainWindow
    from tools.execution.executor import Executor


class ProjectChooser(QObject):
    """Let the person say which folder relative paths mean, and keep executor, window and preferences in step.

    Without a folder chosen by anybody no project is open, and tools that need one are refused.

    Args:
        window: Where it is shown and asked for.
        welcome: Offers the folders used last and the sample project.
        executor: Runs tools in it.
        preferences: Remembers the folders used last.
        folder: The folder to start with; None takes the one used last.
        now: Tells the time.
        parent: Its owner.

    Signals:
        chosen(Path): Relative paths mean this folder from now on.
        refused(str): A sentence about why a folder cannot be taken.
    """

    chosen = Signal(object)
    refused = Signal(str)

    def __init__(
        self,
        window: MainWindow,
        welcome: WelcomeView,
        executor: Executor,
        preferences: Preferences,
        folder: Path | None = None,
        *,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._window = window
        self._welcome = welcome
        self._executor = executor
        self._preferences = preferences
        self._now = now
        self._folder = folder or last_project(preferences)
        executor.project_dir = self._folder or NO_PROJECT
        if self._folder is not None:
            preferences.add_recent_project(self._folder, now())
        for source in (window.top_bar, welcome):
            source.folder_requested.connect(self.ask_folder)
            source.sample_requested.connect(self.choose_sample)
            source.project_chosen.connect(self.choose)
            source.project_removed.connect(self._on_project_removed)
        self._show()

    @property
    def folder(self) -> Path | None:
        """The project folder; None when nobody chose one."""
        return self._folder

    @Slot(object)
    def choose(self, folder: Path) -> None:
        """Make another folder the one that relative paths mean."""
        if not is_folder(folder):
            self.refused.emit(tr("The folder {folder} is gone", folder=folder))
            self._show()  # its entry among the recent ones says so as well
            return
        self._folder = folder
        self._executor.project_dir = folder
        self.chosen.emit(folder)
        self._preferences.add_recent_project(folder, self._now())
        self._show()

    @Slot()
    def choose_sample(self) -> None:
        """Open the sample project, which is made when it is not there yet."""
        try:
            folder = sample_project()
        except OSError as error:
            self.refused.emit(tr("The sample project cannot be made: {error}", error=error.strerror or error))
            return
        self.choose(folder)

    def _show(self) -> None:
        recent = recent_projects(self._preferences)
        self._window.top_bar.show_project(self._folder, branch_of(self._folder), recent)
        self._welcome.show_projects(self._folder, recent, self._now())

    @Slot(object)
    def _on_project_removed(self, folder: Path) -> None:
        self._preferences.remove_recent_project(folder)
        self._show()

    @Slot()
    def ask_folder(self) -> None:
        """Let the person choose a folder."""
        from console.widgets import ask_folder  # noqa: PLC0415 -- the first picture has no dialog

        at = str(folder_of(self._executor))
        ask_folder(self._window, tr("Choose the project folder"), at, self._on_dialog_file_selected)

    @Slot(str)
    def _on_dialog_file_selected(self, folder: str) -> None:
        self.choose(Path(folder))


def last_project(preferences: Preferences) -> Path | None:
    """Return the project folder used last that is still there; None when there is none."""
    known = (item.folder for item in preferences.recent_projects)
    return next((folder for folder in known if is_folder(folder)), None)


def recent_projects(preferences: Preferences) -> list[RecentProject]:
    """Return the projects that were open before, and which of them are missing now."""
    return [
        RecentProject(item.folder, item.opened, is_missing=not is_folder(item.folder))
        for item in preferences.recent_projects
    ]


def folder_of(executor: Executor) -> Path:
    """Return the folder in which dialogs, programs and plans without a file begin: the project's, else the home."""
    folder = executor.project_dir
    return Path.home() if folder == NO_PROJECT else folder


def branch_of(folder: Path | None) -> str:
    """Return the git branch a folder is on, from its files; empty when there is none."""
    for candidate in () if folder is None else (folder, *folder.parents):
        marker = candidate / ".git"
        try:
            if marker.is_file():
                marker = (candidate / marker.read_text("utf-8").removeprefix("gitdir:").strip()).resolve()
            head = (marker / "HEAD").read_text("utf-8").strip()
        except (OSError, ValueError):  # gone, or not text
            continue
        return head.removeprefix("ref: refs/heads/") if head.startswith("ref:") else head[:9]
    return ""


def sample_project(data_dir: Path | None = None) -> Path:
    """Return a small project to try tools on, made when it is not there yet.

    Args:
        data_dir: Where it is put; None is the user's data folder.
    """
    target = (data_dir or platformdirs.user_data_path("tool-console")) / "support-agent"
    if not target.exists():
        # Copied beside its place and moved there, so that an interrupted copy is never taken for the project.
        scratch = target.with_name(f".{target.name}.new")
        shutil.rmtree(scratch, ignore_errors=True)
        shutil.copytree(
            resource_path("samples", "support-agent"), scratch, ignore=shutil.ignore_patterns("__pycache__")
        )
        scratch.replace(target)
    return target
