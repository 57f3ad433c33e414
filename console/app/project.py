"""The project folder: what relative paths mean, and the sample that stands in for it on a first start."""

from __future__ import annotations

import shutil
from pathlib import Path

import platformdirs
from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtWidgets import QFileDialog

from console.assets import resource_path
from console.preferences import Preferences
from console.window import MainWindow
from tools.execution import Executor


class ProjectChooser(QObject):
    """Let the person say which folder relative paths mean, and keep executor, top bar and preferences in step.

    Without a folder chosen by anybody, the sample project stands in.

    Args:
        window: Where it is shown and asked for.
        executor: Runs tools in it.
        preferences: Remembers the folders used last.
        folder: The folder to start with; None takes the one used last.
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
        executor: Executor,
        preferences: Preferences,
        folder: Path | None = None,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._window = window
        self._executor = executor
        self._preferences = preferences
        self._folder = folder or next((item for item in preferences.recent_projects if _is_folder(item)), None)
        executor.project_dir = self._folder or sample_project()
        window.top_bar.folder_requested.connect(self._on_top_bar_folder_requested)
        window.top_bar.project_chosen.connect(self.choose)
        self._show()

    @property
    def folder(self) -> Path | None:
        """The project folder; None when nobody chose one."""
        return self._folder

    @Slot(object)
    def choose(self, folder: Path) -> None:
        """Make another folder the one that relative paths mean."""
        if not _is_folder(folder):
            self.refused.emit(f"The folder {folder} is gone")
            return
        self._folder = folder
        self._executor.project_dir = folder
        self.chosen.emit(folder)
        self._preferences.add_recent_project(folder)
        self._show()

    def _show(self) -> None:
        branch = branch_of(self._folder) if self._folder is not None else ""
        self._window.top_bar.show_project(self._folder, branch, self._preferences.recent_projects)

    @Slot()
    def _on_top_bar_folder_requested(self) -> None:
        dialog = QFileDialog(self._window, "Choose the project folder", str(self._executor.project_dir))
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setOption(QFileDialog.Option.ShowDirsOnly)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.fileSelected.connect(self._on_dialog_file_selected)
        dialog.open()

    @Slot(str)
    def _on_dialog_file_selected(self, folder: str) -> None:
        self.choose(Path(folder))


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except OSError:
        return False  # it lies under a folder that may not be read


def branch_of(folder: Path) -> str:
    """Return the git branch a folder is on, from its files; empty when there is none."""
    for candidate in (folder, *folder.parents):
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
