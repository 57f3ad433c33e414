"""What somebody else proposes for the texts of a form, while a person writes them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from PySide6.QtCore import QObject, QStringListModel, Qt, QTimer, Signal
from PySide6.QtWidgets import QListView, QWidget
from shiboken6 import isValid

from console.language import tr
from console.schema_form.form import SchemaForm
from console.schema_form.text_editors import TextEditor
from console.widgets import Completer

_PAUSE_MS: Final = 250


class Completions(QObject):
    """Complete the texts of a form.

    Signals:
        wanted(str, str): Proposals for this argument are wanted, of which so much is written; `show_values` takes them.
    """

    wanted = Signal(str, str)

    def __init__(self, form: SchemaForm, parent: QWidget) -> None:
        super().__init__(parent)
        self._form = form
        self._is_on = False
        self._editors: dict[str, TextEditor] = {}
        self._typed = ""
        self._values = QStringListModel(self)
        self._completer = Completer(self._values, self)
        self._completer.setCompletionMode(Completer.CompletionMode.UnfilteredPopupCompletion)
        self._completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self._popup = QListView()
        self._popup.setAccessibleName(tr("Proposals of the server"))
        self._completer.setPopup(self._popup)
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(_PAUSE_MS)
        self._pause.timeout.connect(self._on_pause_timeout)
        self._completer.activated.connect(self._on_completer_activated)
        form.submit_requested.connect(self._on_form_submit_requested)

    def set_on(self, *, is_on: bool) -> None:
        """Say whether the server proposes anything at all."""
        self._is_on = is_on

    def follow(self, arguments: Collection[str]) -> None:
        """Complete these arguments of the form, as it is now."""
        self._pause.stop()
        self._editors = {}
        for name in arguments:
            editor = self._form.editor((name,))
            if isinstance(editor, TextEditor):
                self._editors[name] = editor
                editor.line.textEdited.connect(self._on_line_text_edited)

    def show_values(self, argument: str, written: str, values: Sequence[str]) -> None:
        """Propose values, if that is still what is written."""
        editor = self._editor(argument)
        if editor is None or argument != self._typed or editor.line.text() != written or not editor.line.hasFocus():
            return
        self._values.setStringList(list(values))
        self._completer.setWidget(editor.line)
        if values and list(values) != [written]:
            self._completer.complete()
        else:
            self._popup.hide()

    def _editor(self, argument: str) -> TextEditor | None:
        """Return the editor of an argument; None when the form has taken it away."""
        editor = self._editors.get(argument)
        return editor if editor is not None and isValid(editor.line) else None

    def _on_line_text_edited(self, _text: str) -> None:
        line = self.sender()
        self._typed = next((name for name, editor in self._editors.items() if editor.line is line), "")
        if self._is_on and self._typed:
            self._pause.start()

    def _on_pause_timeout(self) -> None:
        editor = self._editor(self._typed)
        if editor is not None:
            self.wanted.emit(self._typed, editor.line.text())

    def _on_form_submit_requested(self) -> None:
        # What the server proposes by now is for a field that nobody types into any more.
        self._typed = ""
        self._pause.stop()
        self._popup.hide()

    def _on_completer_activated(self, text: str) -> None:
        editor = self._editor(self._typed)
        if editor is not None:
            editor.write(text)
