"""Where the person writes, and what goes with it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent, QPaintEvent, QResizeEvent, QTextCursor
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QSizePolicy, QWidget

from console.language import tr
from console.theme import painter_of, theme_of
from console.widgets import Button, IconButton, IconLabel, TextLabel, hbox, paint_box, vbox

_MOST_LINES: Final = 10
_RETURN_KEYS: Final = {Qt.Key.Key_Return, Qt.Key.Key_Enter}
_FIXED: Final = QSizePolicy.Policy.Fixed


class _Prompt(QPlainTextEdit):
    """Text that is as high as it is long; Ctrl+Enter sends it."""

    send_pressed = Signal()
    stop_pressed = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("prompt")
        self.setAccessibleName(tr("Message"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setProperty("flat", True)
        self.setProperty("focusRing", "none")
        self.setTabChangesFocus(True)
        self.setFont(theme_of(self).font("body"))
        self.document().setDocumentMargin(0)
        self.viewport().setAutoFillBackground(False)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, _FIXED)
        self.textChanged.connect(self._fit)
        self._fit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        modifiers = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if event.key() in _RETURN_KEYS and modifiers == Qt.KeyboardModifier.ControlModifier:
            self.send_pressed.emit()
        elif event.key() == Qt.Key.Key_Escape:
            self.stop_pressed.emit()
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._fit()

    def _fit(self) -> None:
        is_long = round(self.document().size().height()) > _MOST_LINES
        # Shown as needed, the bar came and went for ever: beside it words wrap into one line more, which makes the text
        # high enough to do without it, and without it letters of a taller font need it.
        bar = Qt.ScrollBarPolicy.ScrollBarAlwaysOn if is_long else Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        self.setVerticalScrollBarPolicy(bar)
        height = self.fontMetrics().lineSpacing()
        self.setFixedHeight((_MOST_LINES * height if is_long else max(height, self._height())) + 4)

    def _height(self) -> int:
        """Return how much room the text takes; a line is as high as the fonts of its letters make it."""
        height, block = 0.0, self.document().begin()
        while block.isValid():
            height += self.blockBoundingRect(block).height()
            block = block.next()
        return round(height)


class ComposerView(QWidget):
    """Write to the model, and stop it.

    Signals:
        sent(str): Say this.
        stop_requested(): Stop the answer and its calls.
        attach_requested(): A file is to be chosen.
        detach_requested(str): Leave this file out.
    """

    sent = Signal(str)
    stop_requested = Signal()
    attach_requested = Signal()
    detach_requested = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, _FIXED)
        self.prompt = _Prompt(self)
        self.prompt.setPlaceholderText(tr("Ask something that the tools can answer"))
        self.attach = IconButton("paperclip", tr("Attach a text file or a picture"))
        self.tools = IconLabel("wrench", "")
        self.tokens = TextLabel("", "small", "text3")
        self.stop = Button(tr("Stop"), icon="square")
        self.send = Button(tr("Send"), kind="primary", icon="arrow-up", shortcut_hint="Ctrl+Enter")
        self._attached = hbox(spacing=6)
        self._is_running = False
        self._has_model = False
        row = hbox(spacing=8)
        row.addWidget(self.attach)
        row.addWidget(self.tools)
        row.addStretch(1)
        row.addWidget(self.tokens)
        row.addWidget(self.stop)
        row.addWidget(self.send)
        column = vbox(self, margins=(12, 10, 8, 8), spacing=8)
        column.addWidget(self.prompt)
        column.addLayout(self._attached)
        column.addLayout(row)
        self.prompt.textChanged.connect(self._follow)
        self.prompt.send_pressed.connect(self._on_send_pressed)
        self.prompt.stop_pressed.connect(self._on_stop_pressed)
        self.send.clicked.connect(self._on_send_pressed)
        self.stop.clicked.connect(self.stop_requested)
        self.attach.clicked.connect(self.attach_requested)
        self.setFocusProxy(self.prompt)
        self._follow()

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = theme_of(self)
        has_focus = self.prompt.hasFocus()
        border = theme.color.focus if has_focus else theme.color.border_field
        width = 2.0 if has_focus else 1.0
        paint_box(painter_of(self), self.rect(), 8, fill=theme.color.field, border=border, width=width)

    def set_running(self, *, running: bool) -> None:
        """Follow whether the model is at work."""
        self._is_running = running
        self._follow()

    def set_model(self, *, chosen: bool) -> None:
        """Follow whether a model is chosen: nothing can be sent without one."""
        self._has_model = chosen
        self.prompt.setPlaceholderText(
            tr("Ask something that the tools can answer")
            if chosen
            else tr("Choose a model first; nothing is sent before")
        )
        self._follow()

    def write(self, text: str) -> None:
        """Put words behind those that stand there, as if they were typed: they can be undone."""
        before = "\n\n" if self.prompt.toPlainText().strip() else ""
        self.prompt.moveCursor(QTextCursor.MoveOperation.End)
        self.prompt.insertPlainText(before + text)
        self.setFocus()

    def show_facts(self, tools: str, tokens: int) -> None:
        """Say which tools are offered, and about how many tokens are sent next."""
        self.tools.show_state("wrench", tools)
        self.tokens.setText(tr("next turn about {tokens:,} tokens", tokens=tokens) if tokens else "")

    def show_attached(self, names: Sequence[str]) -> None:
        """List the files that go with the next message; a click leaves one out."""
        while (item := self._attached.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        for name in names:
            chip = Button(name, kind="soft", icon="x")
            chip.setAccessibleName(tr("Leave out {name}", name=name))
            chip.setProperty("file", name)
            chip.clicked.connect(self._on_chip_clicked)
            self._attached.addWidget(chip)
        if names:
            self._attached.addStretch(1)

    @Slot()
    def _on_chip_clicked(self) -> None:
        sender = self.sender()
        if sender is not None:
            self.detach_requested.emit(sender.property("file"))

    @Slot()
    def _follow(self) -> None:
        self.stop.setVisible(self._is_running)
        has_words = bool(self.prompt.toPlainText().strip())
        self.send.setEnabled(has_words and self._has_model and not self._is_running)
        why = (
            tr("Choose a model first")
            if not self._has_model
            else tr("The model is at work")
            if self._is_running
            else ""
        )
        self.send.setToolTip(why or ("" if has_words else tr("Write something first")))

    @Slot()
    def _on_send_pressed(self) -> None:
        if self.send.isEnabled():
            self.sent.emit(self.prompt.toPlainText().strip())

    @Slot()
    def _on_stop_pressed(self) -> None:
        if self._is_running:
            self.stop_requested.emit()
