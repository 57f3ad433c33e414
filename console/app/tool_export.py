"""Write everything that is known of the tools into a file, for programs or for people."""

from __future__ import annotations

import asyncio
from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QFileDialog

from console.language import tr, tr_count
from console.tasks import TaskScope
from console.tool_list import ToolList
from console.widgets import ask_save_path
from console.window import MainWindow
from tools.card import ToolCard

_FILTERS = (tr("Manifest for programs (*.json)"), tr("Page for people (*.md)"))


class ToolExport(QObject):
    """Ask for a file, and write the manifest of all tools into it.

    Args:
        window: Where it is asked for.
        tools: All tools.
        scope: Owns the tasks of the window.
        parent: Its owner.

    Signals:
        noticed(str): Where the file is, or why there is none.
    """

    noticed = Signal(str)

    def __init__(self, window: MainWindow, tools: ToolList, scope: TaskScope, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._window = window
        self._tools = tools
        self._scope = scope
        window.export_requested.connect(self._on_window_export_requested)

    @Slot()
    def _on_window_export_requested(self) -> None:
        dialog = ask_save_path(
            self._window, tr("Export all tools as"), "tools.json", self._on_dialog_file_selected, _FILTERS
        )
        dialog.filterSelected.connect(self._on_dialog_filter_selected)

    @Slot(str)
    def _on_dialog_filter_selected(self, name: str) -> None:
        """Let the name's ending follow the kind of file."""
        dialog = self.sender()
        if isinstance(dialog, QFileDialog) and (chosen := dialog.selectedFiles()):
            path = Path(chosen[0])
            if path.suffix in {"", ".json", ".md"}:
                dialog.selectFile(path.with_suffix(".md" if name == _FILTERS[1] else ".json").name)

    @Slot(str)
    def _on_dialog_file_selected(self, path: str) -> None:
        self._scope.start(self._write(Path(path)), "write the manifest of the tools")  # type: ignore[unused-awaitable]

    async def _write(self, path: Path) -> None:
        cards = tuple(self._tools)
        try:
            await asyncio.to_thread(_write, cards, path)
        except OSError as error:
            self.noticed.emit(
                tr(
                    "{name} could not be written: {error}. Choose another place.",
                    name=path.name,
                    error=error.strerror or error,
                )
            )
        else:
            self.noticed.emit(tr_count(len(cards), "1 tool is in {path}.", "{count:,} tools are in {path}.", path=path))


def _write(cards: tuple[ToolCard, ...], path: Path) -> None:
    from tools.manifest import Manifest  # noqa: PLC0415 -- a start writes none

    Manifest.of(cards).write_to(path)
