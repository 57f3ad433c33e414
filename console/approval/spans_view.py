"""Sentences in which some words are code or bold, wrapped to the width there is."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import Final

from PySide6.QtCore import QEvent, QPointF, QSize, Qt, Signal
from PySide6.QtGui import (
    QFont,
    QFontMetrics,
    QFontMetricsF,
    QKeyEvent,
    QPaintEvent,
    QTextCharFormat,
    QTextLayout,
    QTextLine,
    QTextOption,
)
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from console.approval.model import SentencePart, pieces, plain
from console.json_view.text_view import TextView
from console.language import tr
from console.theme import FontRole, painter_of, theme_of, upright
from console.widgets import TextTone, grow_with_width, paint_text, tone_color, vbox

_MOST_LETTERS: Final = 600
_MOST_LINES: Final = 8
_FULL_ROWS: Final = 10


class SpanLabel(QWidget):
    """A sentence of pieces in the faces of the design. It breaks into lines and shows plain text only.

    Args:
        font: Role in the type scale of the words.
        tone: Level or status tone of the words; muted ones are hints.
        line_height: Of each line, in logical pixels; None for the role's own.
    """

    def __init__(
        self,
        parts: Iterable[SentencePart] = (),
        font: FontRole = "body",
        tone: TextTone = "text",
        *,
        line_height: int | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._role: FontRole = font
        self._tone: TextTone = tone
        self._line_height = line_height or theme_of(self).line_height(font)
        self._parts: tuple[SentencePart, ...] = ()
        self._layout = QTextLayout()
        self._layout.setCacheEnabled(True)
        self._laid_out = -1
        self._height_by_width: dict[int, int] = {}
        self._hint: QSize | None = None
        grow_with_width(self)
        self.show_parts(parts)

    @property
    def text(self) -> str:
        return plain(self._parts)

    def show_parts(self, parts: Iterable[SentencePart]) -> None:
        self._parts = tuple(parts)
        self._forget_lines()
        text = self.text
        self.setAccessibleName(text)
        self._layout.setText(text.replace("\n", "\N{LINE SEPARATOR}"))
        self._layout.setFont(theme_of(self).font(self._role))
        option = QTextOption()
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self._layout.setTextOption(option)
        self.updateGeometry()
        self.update()

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        # Layouts ask for the same few widths dozens of times while a dialog opens.
        height = self._height_by_width.get(width)
        if height is None:
            height = self._height_by_width[width] = max(1, self._break_lines(width)) * self._line_height
        return height

    def sizeHint(self) -> QSize:
        """Return the size of the sentence on one line, or on lines of a usual length."""
        if self._hint is None:
            self._break_lines(100_000)
            width = math.ceil(max((line.naturalTextWidth() for line in self._lines()), default=0.0)) + 1
            self._hint = QSize(width, max(1, self._layout.lineCount()) * self._line_height)
        return self._hint

    def minimumSizeHint(self) -> QSize:
        return QSize(40, self._line_height)

    def changeEvent(self, event: QEvent) -> None:
        """Take the colours of another theme or state into the lines."""
        super().changeEvent(event)
        if event.type() in {QEvent.Type.PaletteChange, QEvent.Type.EnabledChange}:
            self._forget_lines()

    def _forget_lines(self) -> None:
        self._laid_out = -1
        self._height_by_width.clear()
        self._hint = None

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = theme_of(self)
        self._break_lines(self.width())
        painter = painter_of(self)
        painter.setPen(tone_color(theme, self._tone))
        exact = QFontMetricsF(theme.font(self._role))
        height = self._line_height
        base = math.floor((height - exact.ascent() - exact.descent()) / 2 + exact.ascent())
        width = 0.0
        for index, line in enumerate(self._lines()):
            width = max(width, line.naturalTextWidth())
            line.setPosition(QPointF(0, index * height + base - line.ascent()))
        with upright(painter, 0, math.ceil(width)):
            self._layout.draw(painter, QPointF(0, 0), self._formats())

    def end_of_text(self) -> tuple[float, float]:
        """Return where the last line ends and its base line, in logical pixels; only right after painting."""
        last = self._layout.lineAt(self._layout.lineCount() - 1)
        return last.naturalTextWidth(), last.y() + last.ascent()

    def _lines(self) -> Iterator[QTextLine]:
        return (self._layout.lineAt(index) for index in range(self._layout.lineCount()))

    def _break_lines(self, width: int) -> int:
        if width != self._laid_out:
            self._laid_out = width
            self._layout.setFormats(self._formats())
            self._layout.beginLayout()
            while (line := self._layout.createLine()).isValid():
                line.setLineWidth(max(1, width))
            self._layout.endLayout()
        return self._layout.lineCount()

    def _formats(self) -> list[QTextLayout.FormatRange]:
        theme = theme_of(self)
        formats, start = [], 0
        for part in self._parts:
            span = QTextLayout.FormatRange()
            span.start, span.length = start, len(part.text.encode("utf-16-le")) // 2
            start += span.length
            form = QTextCharFormat()
            form.setFont(self._font(part))
            ink = tone_color(theme, "text3" if part.muted else self._tone)
            form.setForeground(ink if self.isEnabled() else theme.color.text_disabled)
            span.format = form
            formats.append(span)
        return formats

    def _font(self, part: SentencePart) -> QFont:
        theme = theme_of(self)
        font = theme.font("code" if part.code else self._role)
        own = theme.font(self._role)
        if part.code:
            # The code face looks larger than the UI face of the same size.
            font.setPixelSize(own.pixelSize() - (1 if own.pixelSize() > font.pixelSize() else 0))
            font.setWeight(min(own.weight(), QFont.Weight.Medium))
        if part.strong:
            font.setWeight(QFont.Weight.DemiBold)
        return font


class LinkButton(QAbstractButton):
    """Words in the accent colour that open something in place.

    Args:
        name: The accessible name, which also says of what.
    """

    def __init__(self, text: str, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.show_text(text, name)

    def show_text(self, text: str, name: str) -> None:
        self.setText(text)
        self.setAccessibleName(name)
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        theme = theme_of(self)
        return QSize(
            QFontMetrics(theme.font("small")).horizontalAdvance(self.text()) + 1, theme.line_height("small") + 4
        )

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter} and not event.modifiers():
            self.click()
            return
        super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the words, underlined under the pointer."""
        theme = theme_of(self)
        font = theme.font("small")
        font.setUnderline(self.underMouse())
        paint_text(painter_of(self), self.rect(), self.text(), font, theme.color.accent_text)


class FullText(TextView):
    """A whole text of any length, to be scrolled, marked and copied, as high as its lines up to a limit.

    Signals:
        read(): Its end came into sight for the first time.
    """

    read = Signal()

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.was_read = False
        self.setAccessibleName(name)
        self.setProperty("surface", "inset")
        self.set_wrapped(wrapped=True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.verticalScrollBar().valueChanged.connect(self._note)

    def read_on(self) -> None:
        bar = self.verticalScrollBar()
        bar.setValue(bar.value() + bar.pageStep())
        self._note()

    def show_text(self, text: str) -> None:
        self.was_read = False
        self.set_text(text)
        rows = min(_FULL_ROWS, max(3, text.count("\n", 0, 2_000) + 1 + len(text) // 80))
        self.setFixedHeight(rows * theme_of(self).line_height("code") + 8)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Leave Escape and Enter to the dialog."""
        if event.key() in {Qt.Key.Key_Escape, Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            event.ignore()
            return
        super().keyPressEvent(event)

    def _note(self) -> None:
        bar = self.verticalScrollBar()
        if not self.was_read and self.isVisible() and bar.value() >= bar.maximum():
            self.was_read = True
            self.read.emit()


class LongText(QWidget):
    """A sentence that shows its head if it is very long, with a link that opens all of it in place.

    Args:
        font: Role in the type scale.
        tone: Level or status tone of the words.

    Signals:
        opened_changed(bool): All of it is shown, or its head again.
    """

    opened_changed = Signal(bool)

    def __init__(
        self, name: str, font: FontRole = "body", tone: TextTone = "text", parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._name = name
        self._text = ""
        self._column = vbox(self)
        self.label = SpanLabel((), font, tone)
        self.link = LinkButton(tr("Show all"), tr("Show all of {name}", name=name))
        self._full: FullText | None = None
        self._was_opened = False
        self._column.addWidget(self.label)
        self._column.addWidget(self.link)
        self.link.hide()
        self.link.clicked.connect(self._on_link_clicked)

    @property
    def text(self) -> str:
        return self._text

    @property
    def hides(self) -> bool:
        """Return whether a part of it has not been on show yet."""
        return not self.link.isHidden() and not self._was_opened

    def open(self) -> None:
        if self.hides:
            self.link.click()

    def show_text(self, text: str, values: Iterable[str] = (), *, plain: bool = False) -> None:
        """Show a text.

        Args:
            text: The text; what looks like code is shown as code.
            values: Values of arguments, which are code too.
            plain: Whether nothing is shown as code.
        """
        if text != self._text:
            self._was_opened = False
            if self._full is not None:
                self._full.show_text(text)
        self._text = text
        lines = text.splitlines()
        head = "\n".join(lines[:_MOST_LINES]) if len(lines) > _MOST_LINES else text
        head = head if len(head) <= _MOST_LETTERS else head[:_MOST_LETTERS].rstrip()
        self.link.setVisible(head != text)
        shown = head if head == text else f"{head}…"
        self.label.show_parts((SentencePart(shown),) if plain else pieces(shown, values))

    def _on_link_clicked(self) -> None:
        if self._full is None:
            self._full = FullText(self._name, self)
            self._full.show_text(self._text)
            self._column.insertWidget(1, self._full)
            QWidget.setTabOrder(self.link, self._full)
            self._full.hide()
        opened = self._full.isHidden()
        self._was_opened = True
        self._full.setVisible(opened)
        self.label.setVisible(not opened)
        if opened:
            self.link.show_text(tr("Show less"), tr("Show less of {name}", name=self._name))
        else:
            self.link.show_text(tr("Show all"), tr("Show all of {name}", name=self._name))
        self.opened_changed.emit(opened)
