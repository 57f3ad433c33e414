"""A call in a conversation: one line closed; open it shows arguments, result and what can be done with them."""

from __future__ import annotations

import json
from typing import Final

from PySide6.QtCore import QRect, QSize, Qt, Signal, Slot
from PySide6.QtGui import QFontMetrics, QGuiApplication, QKeyEvent, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from console.assets import paint_icon
from console.assistant.rows import Called, arguments_line
from console.call_result.question_view import InlineQuestion
from console.language import tr
from console.theme import painter_of, theme_of
from console.viewers import Content, ContentKind, ContentView
from console.widgets import (
    STATUS,
    Button,
    StatusGlyph,
    StatusName,
    TextLabel,
    format_duration_ms,
    hbox,
    paint_box,
    paint_focus_ring,
    paint_text,
    status_of_call,
    vbox,
)
from tools.calls import CallStatus

_HEAD: Final = 32
_CONTENT: Final = 180
_RIGHT: Final = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_TIME_WIDTH: Final = 56
_NEEDS_YOU: Final = tr("Needs you")
_INTERRUPTED: Final = tr("Interrupted")


class _CardHead(QAbstractButton):
    """The line of a call, which opens and closes its card."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(_HEAD)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self._call = Called(0, "", "{}", "pending")
        self._glyph = StatusGlyph("queued", 14, self)
        self.is_waiting = False

    def show_call(self, call: Called) -> None:
        self._call = call
        status, words = self._status()
        self._glyph.set_status(status)
        self.setAccessibleName(f"{call.name}, {words}")
        self.setAccessibleDescription(arguments_line(call.arguments))
        self.setToolTip(arguments_line(call.arguments)[:1_000])
        self._place()
        self.update()

    def _status(self) -> tuple[StatusName, str]:
        if self.is_waiting:
            return "waiting", _NEEDS_YOU
        return _status_words(self._call.status)

    def _words_left(self) -> int:
        words = QFontMetrics(theme_of(self).font("body")).horizontalAdvance(self._status()[1])
        return self.width() - 12 - _TIME_WIDTH - 8 - words

    def _place(self) -> None:
        self._glyph.move(self._words_left() - 20, (_HEAD - self._glyph.sizeHint().height()) // 2)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()

    def sizeHint(self) -> QSize:
        return QSize(320, _HEAD)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = event.key()
        if key in {Qt.Key.Key_Left, Qt.Key.Key_Right}:
            self.setChecked(key == Qt.Key.Key_Right)
        elif key in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self.click()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = theme_of(self)
        painter = painter_of(self)
        chevron = "chevron-down" if self.isChecked() else "chevron-right"
        paint_icon(painter, QRect(10, (_HEAD - 14) // 2, 14, 14), chevron, theme.color.text2, theme)
        paint_icon(painter, QRect(32, (_HEAD - 14) // 2, 14, 14), "wrench", theme.color.text2, theme)
        font = theme.font("heading")
        painter.setFont(font)
        width = painter.fontMetrics().horizontalAdvance(self._call.name)
        status, words = self._status()
        tone = theme.tone(STATUS[status].tone).text
        left = self._words_left()
        room = max(0, left - 28 - 54)
        paint_text(painter, QRect(54, 0, min(width + 1, room), _HEAD), self._call.name, font, theme.color.text)
        code = QRect(54 + width + 10, 0, room - width - 10, _HEAD)
        if code.width() > 0:
            paint_text(painter, code, arguments_line(self._call.arguments), theme.font("code"), theme.color.text2)
        paint_text(painter, QRect(left, 0, self.width() - left, _HEAD), words, theme.font("body"), tone)
        if self._call.elapsed_s is not None:
            took = format_duration_ms(self._call.elapsed_s * 1000)
            box = QRect(self.width() - 12 - _TIME_WIDTH, 0, _TIME_WIDTH, _HEAD)
            paint_text(painter, box, took, theme.font("small", tabular=True), theme.color.text3, align=_RIGHT)
        if self.hasFocus():
            paint_focus_ring(painter, self.rect(), theme.radius.medium, theme)


def _status_words(status: str) -> tuple[StatusName, str]:
    try:
        name = status_of_call(CallStatus(status))
    except ValueError:
        # A record says `interrupted` of a call that ran when the program ended.
        return "aborted", _INTERRUPTED
    return name, STATUS[name].word


class CallCard(QWidget):
    """Show a call of a conversation.

    Signals:
        opened(object): The card is open for the first time; its `ContentView`s are to be served.
        tool_requested(str): The tool's own page is to be shown.
        call_requested(str): The call is to be shown in the history.
    """

    opened = Signal(object)
    tool_requested = Signal(str)
    call_requested = Signal(str)

    def __init__(self, call: Called, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.call = call
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.head = _CardHead(self)
        self.content: ContentView | None = None
        self._body: QWidget | None = None
        self._question: InlineQuestion | None = None
        self._column = vbox(self, margins=(1, 1, 1, 1))
        self._column.addWidget(self.head)
        self.head.toggled.connect(self._on_head_toggled)
        self.show_call(call)

    def show_call(self, call: Called) -> None:
        self.call = call
        self.head.show_call(call)
        if self._body is not None:
            self._fill()

    @property
    def question(self) -> InlineQuestion | None:
        """The question about the call, while it waits."""
        return self._question

    def show_question(self, question: InlineQuestion | None) -> None:
        """Ask the person about the call, in the card; None asks no longer."""
        former, self._question = self._question, question
        if former is not None:
            self._column.removeWidget(former)
            former.hide()
            former.deleteLater()
        if question is not None:
            self.head.setChecked(False)
            self._column.addWidget(question)
            question.show()
        self.head.is_waiting = question is not None
        self.head.show_call(self.call)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = theme_of(self)
        border = theme.tone("warn").fill if self._question is not None else theme.color.border
        painter = painter_of(self)
        paint_box(painter, self.rect(), theme.radius.medium, fill=theme.color.surface, border=border)
        head = QRect(0, 0, self.width(), _HEAD + 1)
        paint_box(painter, head, theme.radius.medium, fill=theme.color.inset, border=border)

    @Slot(bool)
    def _on_head_toggled(self, is_open: bool) -> None:
        if is_open and self._body is None:
            self._make_body()
        if self._body is not None:
            self._body.setVisible(is_open)

    def _make_body(self) -> None:
        body = self._body = QWidget(self)
        column = vbox(body, margins=(12, 8, 12, 8), spacing=6)
        self._arguments = TextLabel("", "code", "text", wrap=True, selectable=True)
        self._arguments.setAccessibleName(tr("Arguments"))
        self.content = ContentView(tr("Result of the call"), body)
        self.content.setFixedHeight(_CONTENT)
        column.addWidget(TextLabel(tr("Arguments"), "small", "text3"))
        column.addWidget(self._arguments)
        column.addWidget(TextLabel(tr("Result"), "small", "text3"))
        column.addWidget(self.content)
        self.copy = Button(tr("Copy"), kind="ghost", icon="copy")
        self.copy.setAccessibleName(tr("Copy the result"))
        self.open_tool = Button(tr("Open in Tools"), kind="ghost", icon="external-link")
        self.open_call = Button(tr("Show in History"), kind="ghost", icon="history")
        row = hbox(spacing=8)
        for button in (self.copy, self.open_tool, self.open_call):
            row.addWidget(button)
        row.addStretch(1)
        column.addLayout(row)
        self._column.addWidget(body)
        self.copy.clicked.connect(self._on_copy_clicked)
        self.open_tool.clicked.connect(self._on_open_tool_clicked)
        self.open_call.clicked.connect(self._on_open_call_clicked)
        self.opened.emit(self)
        self._fill()

    def _fill(self) -> None:
        self._arguments.setText(_indented(self.call.arguments))
        self.open_call.setVisible(bool(self.call.call_id))
        if self.content is not None:
            self.content.show_content(_content(self.call.text))

    @Slot()
    def _on_copy_clicked(self) -> None:
        QGuiApplication.clipboard().setText(self.call.text)

    @Slot()
    def _on_open_tool_clicked(self) -> None:
        self.tool_requested.emit(self.call.name)

    @Slot()
    def _on_open_call_clicked(self) -> None:
        self.call_requested.emit(self.call.call_id)


def _indented(arguments: str) -> str:
    try:
        return json.dumps(json.loads(arguments), indent=2, ensure_ascii=False)
    except (ValueError, RecursionError):
        return arguments


def _content(text: str) -> Content:
    if not text:
        return Content(ContentKind.NOTHING)
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return Content(ContentKind.TEXT, text)
    return Content(ContentKind.JSON, value) if isinstance(value, dict | list) else Content(ContentKind.TEXT, text)
