"""What the person asks of the window as a whole: its look, plugin files, blocks, help, the audit log."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from PySide6.QtCore import QObject, Signal, Slot

from console.call_storage import CallStorage
from console.engine import Engine
from console.language import tr
from console.preferences import Preferences
from console.theme import ThemeController, ThemeMode
from console.widgets import ask_open_path, set_reduced_motion
from console.window import MainWindow
from console.window.project import folder_of
from tools.execution.executor import Executor
from tools.spec import FailureBlock

_BLOCKS_FAILING: Final = "block_failing_tools"
"""The preference by which tools that fail three times in a row are blocked for five minutes."""

REDUCED_MOTION: Final = "reduced_motion"
"""The preference by which nothing moves that need not."""


def failure_block_of(preferences: Preferences) -> FailureBlock | None:
    """Return how failing tools are blocked; None when they are not."""
    return FailureBlock() if preferences.flag(_BLOCKS_FAILING, default=False) else None


class Commands(QObject):
    """Carry out what the menus, the top bar and the status bar of the window offer.

    Args:
        window: Where it is asked for and shown.
        theme: The look of the application.
        preferences: Remembers what was chosen.
        engine: Where the executor lives.
        executor: Runs the tools.
        records: Have the audit log.
        parent: Its owner.

    Signals:
        plugin_chosen(Path): The tools of this file shall be loaded.
    """

    plugin_chosen = Signal(object)

    def __init__(
        self,
        window: MainWindow,
        *,
        theme: ThemeController,
        preferences: Preferences,
        engine: Engine,
        executor: Executor,
        records: CallStorage,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._window = window
        self._theme = theme
        self._preferences = preferences
        self._engine = engine
        self._executor = executor
        self._records = records
        window.show_theme_mode(theme.mode)
        set_reduced_motion(reduced=self.has_reduced_motion)
        window.theme_chosen.connect(self.set_theme_mode)
        window.plugin_requested.connect(self.choose_plugin)
        window.about_requested.connect(self._on_window_about_requested)
        window.top_bar.help_requested.connect(self._on_top_bar_help_requested)
        window.status_bar.audit_clicked.connect(self._on_status_bar_audit_clicked)

    @Slot()
    def choose_plugin(self) -> None:
        """Ask for a plugin file."""
        at, kind = str(folder_of(self._executor)), tr("Python files (*.py)")
        ask_open_path(self._window, tr("Choose a plugin file"), at, kind, self._on_dialog_file_selected)

    @Slot(str)
    def _on_dialog_file_selected(self, path: str) -> None:
        self.plugin_chosen.emit(Path(path))

    @property
    def theme_mode(self) -> ThemeMode:
        """Give the chosen theme."""
        return self._theme.mode

    @Slot(str)
    def set_theme_mode(self, mode: ThemeMode) -> None:
        """Choose a theme from now on."""
        self._theme.set_mode(mode)
        self._preferences.theme_mode = mode
        self._window.show_theme_mode(mode)

    @property
    def has_reduced_motion(self) -> bool:
        """Say whether the person wants less motion; the desktop may want it as well."""
        return self._preferences.flag(REDUCED_MOTION, default=False)

    def set_reduced_motion(self, reduced: bool) -> None:
        """Stop what moves and need not, or leave that to the desktop."""
        self._preferences.set_flag(REDUCED_MOTION, value=reduced)
        set_reduced_motion(reduced=reduced)

    @property
    def blocks_failing_tools(self) -> bool:
        """Say whether tools that fail several times in a row are blocked for a while."""
        return self._preferences.flag(_BLOCKS_FAILING, default=False)

    def set_failure_block(self, is_on: bool) -> None:
        """Block tools that fail several times in a row for a while, or no longer."""
        self._preferences.set_flag(_BLOCKS_FAILING, value=is_on)
        self._engine.post(self._block_failing_tools, is_on)

    def _block_failing_tools(self, is_on: bool) -> None:
        """Do it; on the engine's thread."""
        self._executor.failure_block = FailureBlock() if is_on else None

    @Slot()
    def _on_top_bar_help_requested(self) -> None:
        self._show_help("shortcuts.md", tr("Shortcuts and help"))

    @Slot()
    def _on_window_about_requested(self) -> None:
        self._show_help("about.md", tr("About Tool Console"))

    def _show_help(self, page: str, title: str) -> None:
        from console.support.help_dialogs import HelpDialog  # noqa: PLC0415 -- few starts need it

        dialog = HelpDialog(title, page, self._window)
        dialog.open()

    @Slot()
    def _on_status_bar_audit_clicked(self) -> None:
        folder = self._records.audit_folder
        if folder is not None:
            from console.support.help_dialogs import AuditBox  # noqa: PLC0415 -- few starts need it

            box = AuditBox(folder, self._records.audit_problem, self._window)
            box.open()
