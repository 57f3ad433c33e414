"""How the file of a tool stands: saved since it was loaded, or broken, with the line and what can be done."""

from __future__ import annotations

from typing import Final, NamedTuple

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QSizePolicy, QWidget

from console.execution.banner_view import TintedBox
from console.widgets import Button, ElidedLabel, TextLabel

_MOST_CHARS: Final = 400


class SourceNotice(NamedTuple):
    """What is said of a tool's file.

    Attributes:
        name: The file.
        error: Why it could not be loaded, in one line; empty when it was only saved.
        place: Where, as `notes.py:12:5`; empty when no line is known.
        text: That line; empty when it is not known.
        column: Where in it, from 1; 0 when that is not known.
    """

    name: str
    error: str = ""
    place: str = ""
    text: str = ""
    column: int = 0

    @property
    def is_broken(self) -> bool:
        """Whether the file could not be loaded, so that the version before it runs."""
        return bool(self.error)

    @property
    def code(self) -> str:
        """The line with a caret below the place; empty when the line is not known."""
        text = self.text.expandtabs(4)
        if not text.strip():
            return ""
        before = self.text[: max(0, self.column - 1)].expandtabs(4)
        indent = len(text) - len(text.lstrip())
        line = text.strip()[:_MOST_CHARS]
        caret = len(before) - indent
        return f"{line}\n{' ' * caret}^" if self.column and 0 <= caret <= len(line) else line


class SourceBar(TintedBox):
    """Say that the file of a tool was saved, or why it cannot be loaded.

    Signals:
        reload_requested: Load the file.
        editor_requested: Open the file where it failed.
        copy_requested(str): Copy the place.
    """

    reload_requested = Signal()
    editor_requested = Signal()
    copy_requested = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.notice: SourceNotice | None = None
        self.setObjectName("source")
        self._fact = TextLabel("", "heading", wrap=True)
        self._place = ElidedLabel("", "small", "text3", elide=Qt.TextElideMode.ElideMiddle)
        self._code = TextLabel("", "code", selectable=True)
        self._code.setTextFormat(Qt.TextFormat.PlainText)
        self._code.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._consequence = TextLabel("", "small", "text2", wrap=True)
        self._consequence.setContentsMargins(0, 0, 0, 4)
        for label in (self._fact, self._place, self._code, self._consequence):
            self._words.addWidget(label)
        self.reload = Button("Reload", icon="refresh-cw", shortcut_hint="F5")
        self.reload.clicked.connect(self.reload_requested)
        self.copy = Button("Copy place", kind="ghost", icon="copy")
        self.copy.clicked.connect(self._on_copy_clicked)
        self.editor = Button("Open in editor", icon="external-link")
        self.editor.clicked.connect(self.editor_requested)
        self._add_buttons(self.copy, self.editor, self.reload)

    @property
    def code(self) -> str:
        """Give the line that is shown, with its caret."""
        return self._code.text()

    def show_notice(self, notice: SourceNotice | None) -> None:
        """Say something; None takes the bar away."""
        if notice == self.notice:
            return
        self.notice = notice
        self.setVisible(notice is not None)
        if notice is None:
            return
        broken = notice.is_broken
        fact = f"{notice.name} could not be loaded: {notice.error}" if broken else f"{notice.name} was saved"
        follows = (
            "Run uses the version before, which still works. Save the file again and the page follows."
            if broken
            else "This page shows the version that is loaded; F5 loads the new one and keeps what you typed."
        )
        self._fact.setText(fact)
        self._place.set_text(notice.place)
        self._place.setVisible(bool(notice.place))
        self._code.setText(notice.code)
        self._code.setVisible(bool(notice.code))
        self._consequence.setText(follows)
        self.copy.setVisible(bool(notice.place))
        self.reload.setVisible(not broken)
        words = " ".join(part for part in (f"{fact}.", notice.place, follows) if part)
        self._show_as("circle-x" if broken else "refresh-cw", "error" if broken else "run", words)

    def _on_copy_clicked(self) -> None:
        if self.notice is not None:
            self.copy_requested.emit(self.notice.place)
