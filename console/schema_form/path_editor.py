"""The field of a path: completion while typing, and the system's dialog."""

from __future__ import annotations

import os
from pathlib import Path as FilePath
from typing import Final

from PySide6.QtCore import QDir, QEvent, QModelIndex, QObject, QPersistentModelIndex, Qt, QTimer
from PySide6.QtGui import QAction, QFocusEvent, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QApplication, QFileDialog, QFileSystemModel, QWidget

from console.schema_form.document import Document
from console.schema_form.fields import Field
from console.schema_form.text_editors import TextEditor
from console.widgets import Completer, IconButton, Menu

_FOLDER_WORDS: Final = ("folder", "dir", "root")


class _PathCompleter(Completer):
    """Complete paths; what is typed without a root means one inside the base folder."""

    def __init__(self, base: FilePath, parent: QObject) -> None:
        super().__init__(parent)
        self._base = base
        self._files = QFileSystemModel(self)
        self._files.setOption(QFileSystemModel.Option.DontWatchForChanges, True)
        self._files.setFilter(QDir.Filter.AllEntries | QDir.Filter.NoDotAndDotDot | QDir.Filter.Hidden)
        self._files.setRootPath("")
        self.setModel(self._files)
        self.setCompletionMode(Completer.CompletionMode.PopupCompletion)
        self.setMaxVisibleItems(10)
        self._meant: QMouseEvent
        popup = self.popup()
        if popup is not None:
            popup.setProperty("popup", True)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Let a click beside the list close it and do what it was meant for; Qt's own filter would swallow it."""
        popup = self.popup()
        if not isinstance(event, QMouseEvent) or event.type() is not QEvent.Type.MouseButtonPress:
            return super().eventFilter(watched, event)
        if watched is not popup or popup.underMouse():
            return super().eventFilter(watched, event)
        popup.hide()
        self._meant = event.clone()
        # Not from in here: what Qt does after a click closed a list would take the button from under the pointer again.
        QTimer.singleShot(0, self._click_again)
        return True

    def _click_again(self) -> None:
        """Click what is below the list; sent to the window, for Qt gives a release only to whose press it saw.

        The person's own release goes to the list, which is gone by then.
        """
        meant = self._meant
        window = QApplication.topLevelAt(meant.globalPosition().toPoint())
        handle = window.windowHandle() if window is not None else None
        if handle is None:
            return
        place, button, held = meant.globalPosition(), meant.button(), meant.buttons()
        here = handle.mapFromGlobal(place)
        for kind, buttons in ((meant.type(), held), (QEvent.Type.MouseButtonRelease, held ^ button)):
            QApplication.sendEvent(handle, QMouseEvent(kind, here, place, button, buttons, meant.modifiers()))

    def splitPath(self, path: str) -> list[str]:
        trailing = path.endswith(("/", os.sep)) or not path
        full = self._base / FilePath(path).expanduser()
        # The completer itself looks only at folders that were read already.
        folder = self._files.index(str(full if trailing else full.parent))
        if self._files.canFetchMore(folder):
            self._files.fetchMore(folder)
        return super().splitPath(f"{full}{os.sep if trailing else ''}")

    def pathFromIndex(self, index: QModelIndex | QPersistentModelIndex) -> str:
        full = super().pathFromIndex(index)
        typed = self.widget().text() if isinstance(self.widget(), QWidget) else ""  # type: ignore[attr-defined]
        if FilePath(typed).is_absolute() or typed.startswith("~"):
            return full
        try:
            return FilePath(full).relative_to(self._base).as_posix()
        except ValueError:
            return full


class PathEditor(TextEditor):
    """A path in the code face with a folder button.

    Args:
        field: What is edited.
        document: Where it stands.
        base: The folder that relative paths start from; None for the home folder.
        parent: Its owner.
    """

    def __init__(
        self, field: Field, document: Document, *, base: FilePath | None = None, parent: QWidget | None = None
    ) -> None:
        super().__init__(field, document, parent)
        self._base = FilePath.home() if base is None else base
        self._dialog: QFileDialog | None = None
        self._completer: _PathCompleter | None = None
        self.button = IconButton("folder-open", f"Choose {field.name}", outlined=True, parent=self)
        self.row.addWidget(self.button)
        form, name = field.schema.get("format"), field.name.lower()
        if form == "directory-path" or any(word in name for word in _FOLDER_WORDS):
            self.button.clicked.connect(self._on_folder_triggered)
        elif form in {"file-path", "new-path"}:
            self.button.clicked.connect(self._on_file_triggered)
        else:
            menu = Menu(f"Choose {field.name}", self.button)
            for text, slot in (("File…", self._on_file_triggered), ("Folder…", self._on_folder_triggered)):
                action = QAction(text, menu)
                action.triggered.connect(slot)
                menu.addAction(action)
            self.button.setMenu(menu)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Complete while the field is used: a list that comes late must not stand over what the person does next.

        It is also made no earlier, for looking at the disk starts a thread of Qt's own.
        """
        if watched is self.line and isinstance(event, QKeyEvent) and _runs(event):
            self.line.setCompleter(None)  # type: ignore[arg-type] # as below
        elif watched is self.line and event.type() is QEvent.Type.KeyPress and self.line.completer() is None:
            if self._completer is None:
                self._completer = _PathCompleter(self._base, self)
                self._completer.activated.connect(self.write)
            self.line.setCompleter(self._completer)
        elif watched is self.line and isinstance(event, QFocusEvent) and _leaves(event):
            self.line.setCompleter(None)  # type: ignore[arg-type] # the stubs do not know that Qt takes none
        return super().eventFilter(watched, event)

    def _on_file_triggered(self) -> None:
        writes = bool(self.field.schema.get("x-writes"))
        self._open(QFileDialog.FileMode.AnyFile if writes else QFileDialog.FileMode.ExistingFile)

    def _on_folder_triggered(self) -> None:
        self._open(QFileDialog.FileMode.Directory)

    def _open(self, mode: QFileDialog.FileMode) -> None:
        typed = FilePath(self.line.text()).expanduser()
        start = self._base / typed
        dialog = QFileDialog(self.window(), f"Choose {self.field.name}", str(start if start.is_dir() else start.parent))
        dialog.setFileMode(mode)
        dialog.setOption(QFileDialog.Option.ShowDirsOnly, mode is QFileDialog.FileMode.Directory)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.fileSelected.connect(self._on_dialog_file_selected)
        dialog.open()

    def _on_dialog_file_selected(self, path: str) -> None:
        try:
            chosen = FilePath(path).relative_to(self._base).as_posix()
        except ValueError:
            chosen = path
        self.write(chosen)


def _runs(event: QKeyEvent) -> bool:
    """Say whether a key ends what is typed: folders that are read by then must not be listed over the run."""
    is_return = event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}
    return is_return and bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)


def _leaves(event: QFocusEvent) -> bool:
    return event.lostFocus() and event.reason() is not Qt.FocusReason.PopupFocusReason
