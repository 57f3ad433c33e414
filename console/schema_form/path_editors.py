"""Editors of paths, and of files whose content is the value."""

from __future__ import annotations

import base64
import os
from pathlib import Path as FilePath
from typing import Any, Final

from PySide6.QtCore import (
    QDir,
    QEvent,
    QMimeData,
    QMimeDatabase,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    QTimer,
)
from PySide6.QtGui import (
    QAction,
    QDragEnterEvent,
    QDropEvent,
    QFocusEvent,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
)
from PySide6.QtWidgets import QApplication, QFileDialog, QFileSystemModel, QLineEdit, QWidget

from console.language import tr
from console.schema_form.document import Document
from console.schema_form.editor import FieldEditor, is_run
from console.schema_form.fields import Field
from console.schema_form.formats import is_base64
from console.schema_form.paths import label
from console.schema_form.text_editors import TextEditor
from console.theme import theme_of
from console.widgets import Completer, IconButton, Menu, format_size, hbox
from tools.paths import at_home, is_file, is_folder

_LARGEST_BYTES: Final = 10 * 1024 * 1024
_CLEARING: Final = {Qt.Key.Key_Delete, Qt.Key.Key_Backspace}
_INVITATION: Final = tr("Choose a file, drop it here, or paste base64")


class FileEditor(FieldEditor):
    """Content in base64, taken from a file of at most 10 MB. Delete leaves it out."""

    def __init__(
        self, field: Field, document: Document, *, base: FilePath | None = None, parent: QWidget | None = None
    ) -> None:
        super().__init__(field, document, parent)
        self._base = FilePath.home() if base is None else base
        self._file = ("", "")
        self.line = QLineEdit(self)
        self.line.setReadOnly(True)
        # Nothing is typed here, and yet it can be changed.
        self.line.setProperty("picked", "false" if field.read_only else "true")
        self.line.setFont(theme_of(self).font("code"))
        self.button = IconButton(
            "folder-open", tr("Choose a file for {name}", name=field.name), outlined=True, parent=self
        )
        self.button.clicked.connect(self._on_button_clicked)
        self.save = IconButton(
            "download", tr("Save the content of {name}", name=field.name), outlined=True, parent=self
        )
        self.save.clicked.connect(self._on_save_clicked)
        row = hbox(self, spacing=8)
        row.addWidget(self.line, 1)
        row.addWidget(self.button)
        row.addWidget(self.save)
        self.adopt(self.line)
        self.button.setEnabled(not field.read_only)
        self.setAcceptDrops(not field.read_only)
        self.refresh()

    def show_value(self, value: Any) -> None:
        content = self._content(value)
        self.save.setEnabled(bool(content))
        text = self.text_of(value)
        if text and text == value:
            words = tr("no base64") if content is None else f"{_kind_of(content)}, {format_size(len(content))}"
            name = self._file[0] if self._file[1] == value else ""
            text = f"{name}, {words}" if name else words
        self.line.setText(text)
        self.line.home(False)
        self.line.setPlaceholderText(self.placeholder(value) or _INVITATION)

    def take_file(self, path: FilePath) -> None:
        """Put the content of a file into the document, or say why not."""
        name = label(self.field.path)
        try:
            size_bytes = path.stat().st_size
            if size_bytes > _LARGEST_BYTES:
                most = format_size(_LARGEST_BYTES)
                self.reject(
                    path.name,
                    tr(
                        "{name} takes at most {most}; {file} has {size}",
                        name=name,
                        most=most,
                        file=path.name,
                        size=format_size(size_bytes),
                    ),
                )
                return
            content = path.read_bytes()
        except OSError as error:
            self.reject(
                path.name,
                tr("{name}: {file} cannot be read: {error}", name=name, file=path.name, error=error.strerror),
            )
            return
        text = self._encoded(content)
        self._file = (path.name, text)
        self.write(text)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Take files and base64 from the clipboard; leave the content out with Delete."""
        if watched is self.line and event.type() is QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            if event.matches(QKeySequence.StandardKey.Paste) and self._take(QGuiApplication.clipboard().mimeData()):
                return True
            if event.key() in _CLEARING and not event.modifiers() and not self.field.read_only:
                self.clear()
                return True
        return super().eventFilter(watched, event)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if _file_in(event.mimeData()) is not None:
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        if self._take(event.mimeData()):
            event.acceptProposedAction()

    @property
    def _is_url_safe(self) -> bool:
        return self.field.schema.get("contentEncoding") == "base64url"

    def _encoded(self, content: bytes) -> str:
        encode = base64.urlsafe_b64encode if self._is_url_safe else base64.b64encode
        return encode(content).decode("ascii")

    def _content(self, value: Any) -> bytes | None:
        """Return the bytes that a value stands for; None when it is no base64."""
        if not isinstance(value, str) or not is_base64(value, "base64url" if self._is_url_safe else "base64"):
            return None
        packed = "".join(value.split())
        decode = base64.urlsafe_b64decode if self._is_url_safe else base64.b64decode
        return decode(packed + "=" * (-len(packed) % 4))

    def _take(self, data: QMimeData) -> bool:
        """Take a file or base64 text; tell whether there was either."""
        if self.field.read_only:
            return False
        path = _file_in(data)
        if path is not None:
            self.take_file(path)
            return True
        text = data.text().strip()
        if text and self._content(text) is not None:
            self.write(text)
            return True
        return False

    def _on_button_clicked(self) -> None:
        dialog = _file_dialog(self, tr("Choose a file for {name}", name=self.field.name), self._base)
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.fileSelected.connect(self._on_dialog_file_selected)
        dialog.open()

    def _on_dialog_file_selected(self, path: str) -> None:
        self.take_file(FilePath(path))

    def _on_save_clicked(self) -> None:
        dialog = _file_dialog(self, tr("Save the content of {name}", name=self.field.name), self._base)
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.selectFile(self._file[0] or self.field.name)
        dialog.fileSelected.connect(self._on_dialog_save_selected)
        dialog.open()

    def _on_dialog_save_selected(self, path: str) -> None:
        content = self._content(self.document.get(self.field.path))
        if content is None:
            return
        try:
            FilePath(path).write_bytes(content)
        except OSError as error:
            self.show_hint(tr("not saved: {error}", error=error.strerror))
        else:
            self.show_hint(tr("saved as {name}", name=FilePath(path).name))


def _file_dialog(owner: QWidget, title: str, folder: FilePath) -> QFileDialog:
    dialog = QFileDialog(owner.window(), title, str(folder))
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    return dialog


def _known_to_files(path: str) -> str:
    """Return a typed path up to a null character, of which Qt warns."""
    return path.partition("\0")[0]


def _file_in(data: QMimeData) -> FilePath | None:
    """Return the one local file that is dropped or pasted; None when it is something else."""
    urls = data.urls()
    if len(urls) != 1 or not urls[0].isLocalFile():
        return None
    path = FilePath(urls[0].toLocalFile())
    return path if is_file(path) else None


def _kind_of(content: bytes) -> str:
    """Return the kind of some content in Qt's words: `PNG image`."""
    return QMimeDatabase().mimeTypeForData(content).comment() or tr("content")


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
        path = _known_to_files(path)
        trailing = path.endswith(("/", os.sep)) or not path
        full = self._base / at_home(path)
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
    """A path in the code face with a folder button."""

    def __init__(
        self, field: Field, document: Document, *, base: FilePath | None = None, parent: QWidget | None = None
    ) -> None:
        super().__init__(field, document, parent)
        self._base = FilePath.home() if base is None else base
        self._completer: _PathCompleter | None = None
        self.add_button("folder-open", tr("Choose {name}", name=field.name))
        form, name = field.schema.get("format"), field.name.lower()
        if form == "directory-path" or any(word in name for word in _FOLDER_WORDS):
            self.button.clicked.connect(self._on_folder_triggered)
        elif form in {"file-path", "new-path"}:
            self.button.clicked.connect(self._on_file_triggered)
        else:
            menu = Menu(tr("Choose {name}", name=field.name), self.button)
            for text, slot in ((tr("File…"), self._on_file_triggered), (tr("Folder…"), self._on_folder_triggered)):
                action = QAction(text, menu)
                action.triggered.connect(slot)
                menu.addAction(action)
            self.button.setMenu(menu)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Complete while the field is used: a list that comes late must not stand over what the person does next.

        It is also made no earlier, for looking at the disk starts a thread of Qt's own.
        """
        if watched is self.line and isinstance(event, QKeyEvent) and is_run(event):
            # Folders that are read by then must not be listed over the run.
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
        start = self._base / at_home(_known_to_files(self.line.text()))
        title = tr("Choose {name}", name=self.field.name)
        dialog = _file_dialog(self, title, start if is_folder(start) else start.parent)
        dialog.setFileMode(mode)
        dialog.setOption(QFileDialog.Option.ShowDirsOnly, mode is QFileDialog.FileMode.Directory)
        dialog.fileSelected.connect(self._on_dialog_file_selected)
        dialog.open()

    def _on_dialog_file_selected(self, path: str) -> None:
        try:
            chosen = FilePath(path).relative_to(self._base).as_posix()
        except ValueError:
            chosen = path
        self.write(chosen)


def _leaves(event: QFocusEvent) -> bool:
    return event.lostFocus() and event.reason() is not Qt.FocusReason.PopupFocusReason
