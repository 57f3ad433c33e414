"""What a model writes: Markdown that grows, with blocks of code that can be copied."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QElapsedTimer, QEvent, QRect, QSize, Qt, QTimer, QUrl, Signal, Slot
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence, QPaintEvent, QResizeEvent, QTextCursor, QWheelEvent
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QSizePolicy, QWidget

from console.assistant.markdown_stream import MarkdownPiece, MarkdownStream
from console.language import tr
from console.theme import painter_of, theme_of
from console.viewers.rendered_view import RenderedView
from console.widgets import Button, TextLabel, hbox, paint_box, vbox

_MOST_LINES: Final = 24
_CODE_PADDING: Final = 8
_SLICE_MS: Final = 10
"""No further piece is shown in a turn of the event loop after so long."""
_REST: Final = 2
"""After an answer was shown, it is left alone for so many times as long, while more words come."""
_GROUP: Final = 16
_FIXED: Final = QSizePolicy.Policy.Fixed
_OFF: Final = Qt.ScrollBarPolicy.ScrollBarAlwaysOff
_NO_MODIFIER: Final = Qt.KeyboardModifier.NoModifier
_STEPS: Final = {Qt.Key.Key_Up, Qt.Key.Key_Down}


def is_for_message(event: QKeyEvent, *, has_selection: bool) -> bool:
    """Say whether a key is for the whole message: it copies while no words are selected, or goes to another message."""
    if event.matches(QKeySequence.StandardKey.Copy):
        return not has_selection
    return event.key() in _STEPS and event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier == _NO_MODIFIER


class ProseView(RenderedView):
    """Markdown as high as it is, in a page that scrolls."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, margin=0)
        self.setAccessibleName(tr("Answer"))
        self.setVerticalScrollBarPolicy(_OFF)
        self.setHorizontalScrollBarPolicy(_OFF)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, _FIXED)
        self.setProperty("focusRing", "none")
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)
        self.viewport().setAutoFillBackground(False)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if is_for_message(event, has_selection=self.textCursor().hasSelection()):
            event.ignore()
        else:
            super().keyPressEvent(event)

    def show_markdown(self, text: str) -> None:
        super().show_markdown(text)
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._fit()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Leave scrolling to the page."""
        event.ignore()

    def _fit(self) -> None:
        width = self.viewport().width()
        # It lays the text out again, also when the width is as it was.
        if self.document().textWidth() != width:
            self.document().setTextWidth(width)
        height = max(theme_of(self).line_height("body"), round(self.document().size().height()))
        if height != self.minimumHeight():
            self.setFixedHeight(height)


class _CodeText(QPlainTextEdit):
    """Lines of code that are added to; what is there stays laid out."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        theme = theme_of(self)
        self.setReadOnly(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setProperty("flat", True)
        self.setProperty("focusRing", "none")
        self.setFont(theme.font("code"))
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.setVerticalScrollBarPolicy(_OFF)
        self.setTabChangesFocus(True)
        self.document().setDocumentMargin(0)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)
        self.viewport().setAutoFillBackground(False)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, _FIXED)
        self._text = ""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        scrolls = event.key() in _STEPS and self.verticalScrollBar().maximum() > 0
        if is_for_message(event, has_selection=self.textCursor().hasSelection()) and not scrolls:
            event.ignore()
        else:
            super().keyPressEvent(event)

    def show_code(self, text: str) -> None:
        """Show code; what only grew is added to what is there."""
        if text.startswith(self._text):
            cursor = QTextCursor(self.document())
            cursor.movePosition(QTextCursor.MoveOperation.End)
            cursor.insertText(text[len(self._text) :])
        else:
            self.setPlainText(text)
        self._text = text
        lines = self.blockCount()
        if lines > _MOST_LINES:
            self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        bar = self.horizontalScrollBar().sizeHint().height()
        height = min(lines, _MOST_LINES) * self.fontMetrics().lineSpacing() + bar
        if height != self.minimumHeight():
            self.setFixedHeight(height)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Leave scrolling to the page, where there is nothing to scroll here."""
        if self.verticalScrollBar().maximum():
            super().wheelEvent(event)
        else:
            event.ignore()

    @property
    def text(self) -> str:
        return self._text


class CodeBlockView(QWidget):
    """A block of code with its language, and a button that copies it."""

    def __init__(self, language: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, _FIXED)
        self.code = _CodeText(self)
        self.code.setAccessibleName(tr("Code in {language}", language=language) if language else tr("Code"))
        self.copy = Button(tr("Copy"), kind="ghost", icon="copy")
        self.copy.setAccessibleName(tr("Copy the code"))
        head = hbox(margins=(12, 2, 4, 0))
        head.addWidget(TextLabel(language or tr("code"), "caption", "text3"))
        head.addStretch(1)
        head.addWidget(self.copy)
        column = vbox(self)
        column.addLayout(head)
        body = vbox(margins=(12, 0, 12, _CODE_PADDING))
        body.addWidget(self.code)
        column.addLayout(body)
        self.copy.clicked.connect(self.copy_code)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = theme_of(self)
        paint_box(painter_of(self), self.rect(), theme.radius.medium, fill=theme.color.inset, border=theme.color.border)

    @Slot()
    def copy_code(self) -> None:
        QGuiApplication.clipboard().setText(self.code.text)


class _PieceGroup(QWidget):
    """Some pieces below each other.

    Its height is fixed, or it would be squeezed for a moment each time that something new comes below it, and all that
    is in it would be moved twice.
    """

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, _FIXED)
        self.column = vbox(self, spacing=6)

    def event(self, event: QEvent) -> bool:
        done = super().event(event)
        if event.type() == QEvent.Type.LayoutRequest:
            self.setFixedHeight(self.column.totalSizeHint().height())
        return done


class AnswerView(QWidget):
    """Show what a model writes while it writes: only the piece that grows is laid out anew.

    Of many pieces that come at once, few are shown in one turn of the event loop, and the longer that takes, the less
    often it is done. They stand in groups, so that the layout of what is there already is left alone.
    """

    link_opened = Signal(QUrl)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._stream = MarkdownStream()
        self._words: list[str] = []
        self._shown: list[MarkdownPiece] = []
        self._views: list[ProseView | CodeBlockView] = []
        self._column = vbox(self, spacing=6)
        self._group = vbox(spacing=6)
        self._groups: list[_PieceGroup] = []
        self._rest = QTimer(self, singleShot=True)
        self._rest.timeout.connect(self._show_pieces)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, _FIXED)

    def add_text(self, text: str) -> None:
        self._words.append(text)
        self._stream.feed(text)
        if not self._rest.isActive():
            self._show_pieces()

    @property
    def text(self) -> str:
        """What the model wrote until now, as it wrote it."""
        self._words = ["".join(self._words)]
        return self._words[0]

    @property
    def plain(self) -> str:
        """What it wrote, as it is read."""
        return "\n\n".join(
            view.code.text if isinstance(view, CodeBlockView) else view.toPlainText() for view in self._views
        )

    @property
    def is_whole(self) -> bool:
        return len(self._shown) == len(self._stream.pieces) and self._shown[-1:] == self._stream.pieces[-1:]

    def selected(self) -> str:
        """Return the words that are selected; empty for none."""
        cursors = (_text_of(view).textCursor() for view in self._views)
        cursor = next((one for one in cursors if one.hasSelection()), None)
        # Qt separates paragraphs by a character of its own.
        return "" if cursor is None else cursor.selectedText().replace("\u2029", "\n")

    def select(self, words: str) -> QRect | None:
        """Select some words where they stand first, and return where; None when they do not stand there in one."""
        for view in self._views:
            text = _text_of(view)
            found = text.document().find(words)
            if not found.isNull():
                text.setTextCursor(found)
                place = text.cursorRect(found)
                return QRect(text.viewport().mapTo(self, place.topLeft()), place.size())
        return None

    @Slot()
    def _show_pieces(self) -> None:
        """Show some of the pieces that are not shown yet, or were shown before they were whole."""
        if self.is_whole:
            return
        clock = QElapsedTimer()
        clock.start()
        first = max(0, len(self._shown) - 1)
        for at in range(first, len(self._stream.pieces)):
            piece = self._stream.pieces[at]
            if at == len(self._views):
                self._views.append(self._made(piece))
                self._shown.append(MarkdownPiece(""))
            if self._shown[at] != piece:
                self._show(self._views[at], piece)
                self._shown[at] = piece
            if clock.elapsed() >= _SLICE_MS:
                break
        self._rest.start(0 if len(self._shown) < len(self._stream.pieces) else _REST * clock.elapsed())

    def _made(self, piece: MarkdownPiece) -> ProseView | CodeBlockView:
        view: ProseView | CodeBlockView
        if piece.is_code:
            view = CodeBlockView(piece.language, self)
        else:
            view = ProseView(self)
            view.link_opened.connect(self.link_opened)
        # Its text is laid out once, as wide as it will be.
        view.resize(self.width(), view.height())
        if len(self._views) % _GROUP == 0:
            self._groups.append(_PieceGroup(self))
            self._column.addWidget(self._groups[-1])
        self._groups[-1].column.addWidget(view)
        return view

    @staticmethod
    def _show(view: ProseView | CodeBlockView, piece: MarkdownPiece) -> None:
        if isinstance(view, CodeBlockView):
            view.code.show_code(piece.text)
        else:
            view.show_markdown(piece.text)

    def sizeHint(self) -> QSize:
        return self._column.totalSizeHint()


def _text_of(view: ProseView | CodeBlockView) -> ProseView | _CodeText:
    return view.code if isinstance(view, CodeBlockView) else view
