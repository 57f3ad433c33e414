"""The frame around a plot, with its head: what is shown, of which tool, and the values at a moment."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from console.charts.lines import CALLERS, Caller, LineName, caller_color, line_pen
from console.theme import FontRole, Theme, painter_of, theme_of
from console.widgets import ElidedLabel, TextLabel, hbox, paint_box, paint_text, set_margins, vbox

_GAP: Final = 16
_NARROW: Final = 12
_INNER: Final = 5
_LINE_WIDTH: Final = 15
_SQUARE: Final = 8
_SUBJECT: Final = 72
_CENTER: Final = Qt.AlignmentFlag.AlignCenter


class CardValue(NamedTuple):
    """A value in the head of a card.

    Attributes:
        mark: The curve or the bars it belongs to; "" for none.
        name: What it is the value of; "" for nothing but the value.
        value: In words; "" for the name alone, as in a legend.
    """

    mark: LineName | Caller | str
    name: str
    value: str


class _Piece(NamedTuple):
    """Something painted in the head.

    Attributes:
        width: Logical pixels.
        gap: Logical pixels in front of it.
    """

    width: int
    gap: int
    paint: Callable[[QPainter, QRect], None]


class Readout(QWidget):
    """Names and values at the right of a card's head; what there is no room for is left out, the last value last."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._when = ""
        self._readings: tuple[CardValue, ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    @property
    def words(self) -> str:
        """Everything it says, as in `at 14:19, P50 661 ms, P95 2.61 s`."""
        readings = (f"{reading.name} {reading.value}".strip() for reading in self._readings)
        return ", ".join(part for part in (self._when, *readings) if part)

    def show_readings(self, when: str, readings: Sequence[CardValue]) -> None:
        """Show other values.

        Args:
            when: The moment they belong to, in words; "" for none.
            readings: From the left to the right.
        """
        self._when, self._readings = when, tuple(readings)
        self.setAccessibleName(self.words)
        self._follow_width()
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(_width(self._pieces(0)), 20)

    def minimumSizeHint(self) -> QSize:
        """Return a width that no value changes, so that nothing moves with the cursor."""
        return QSize(40, 20)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Offer everything as a tooltip while something is left out."""
        super().resizeEvent(event)
        self._follow_width()

    def _follow_width(self) -> None:
        self.setToolTip(self.words if self.width() < self.sizeHint().width() else "")

    @property
    def least_width(self) -> int:
        """How many logical pixels it takes to show all values."""
        return _width(self._pieces(2))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint as much as there is room for, at the right."""
        ways = [(0, 0), (1, 0), *((2, left_out) for left_out in range(len(self._readings)))]
        pieces = next((pieces for way in ways if _width(pieces := self._pieces(*way)) <= self.width()), [])
        painter = painter_of(self)
        left = self.width() - _width(pieces)
        for place, piece in enumerate(pieces):
            left += piece.gap if place else 0
            piece.paint(painter, QRect(left, 0, piece.width, self.height()))
            left += piece.width

    def _pieces(self, level: int, left_out: int = 0) -> list[_Piece]:
        """Return what is painted: at level 0 everything, at 1 without the moment, at 2 without the samples of lines."""
        theme, wide = theme_of(self), _NARROW if level else _GAP
        pieces = []
        if self._when and not level:
            pieces.append(_text_piece(self._when, theme.font("small", tabular=True), theme, "text3", _GAP))
        bold = theme.font("small", tabular=True)
        bold.setWeight(QFont.Weight.DemiBold)
        for reading in self._readings[left_out:]:
            gap = wide
            if reading.mark and (level < 2 or reading.mark in CALLERS):
                pieces.append(_mark_piece(reading.mark, theme, wide))
                gap = _INNER
            if reading.name:
                pieces.append(_text_piece(reading.name, theme.font("small"), theme, "text2", gap))
                gap = _INNER
            if reading.value:
                pieces.append(_text_piece(reading.value, bold, theme, "text", gap))
        return pieces


class ChartCard(QWidget):
    """A card with a head and room for a plot, which may come later.

    Args:
        head: Height of the head in logical pixels.
        subject_font: Of whose numbers these are: the code face for names of tools.
    """

    def __init__(self, title: str, *, head: int = 28, subject_font: FontRole = "code") -> None:
        super().__init__()
        self._notice = ""
        self._plot: QWidget | None = None
        self.title = self._short = title
        self._title = TextLabel(title, "heading")
        self._title.setContentsMargins(0, 0, 0, 2)
        self._subject = ElidedLabel("", subject_font, "text2", elide=Qt.TextElideMode.ElideMiddle)
        self.readout = Readout(self)
        self._column = vbox(self, margins=(1, 1, 1, 5))
        self._head = QWidget(self)
        self._head.setFixedHeight(head)
        self._row = hbox(self._head, margins=(12, 2, 12, 0), spacing=8)
        self._row.addWidget(self._title)
        self._row.addWidget(self._subject)
        self._row.addWidget(self.readout, 1)
        self._buttons: list[QWidget] = []
        self._column.addWidget(self._head)
        self._column.addStretch(1)

    def set_title(self, title: str, short: str) -> None:
        """Show something else.

        Args:
            short: What stands there where the title and the values have no room beside each other.
        """
        self.title, self._short = title, short
        self._find_room()

    def set_subject(self, text: str) -> None:
        self._subject.set_text(text)
        self._find_room()

    def show_readings(self, when: str, readings: Sequence[CardValue]) -> None:
        """Show other values; see `Readout`."""
        self.readout.show_readings(when, readings)
        self._find_room()

    def add_button(self, button: QWidget) -> None:
        """Put a button at the end of the head."""
        set_margins(self._row, 12, 2, 4, 0)
        self._row.addWidget(button)
        self._buttons.append(button)

    def show_notice(self, words: str) -> None:
        """Say in the middle why there is no plot yet."""
        self._notice = words
        self.update()

    def set_plot(self, plot: QWidget) -> None:
        self._plot = plot
        self._column.takeAt(self._column.count() - 1)
        self._column.addWidget(plot)
        self._notice = ""

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leave out whose numbers these are where there is no room for it."""
        super().resizeEvent(event)
        self._find_room()

    def _find_room(self) -> None:
        """Share the head: first come the values, then the title, then the subject, which may be shortened."""
        gap, margins = self._row.spacing(), self._row.contentsMargins()
        buttons = sum(button.sizeHint().width() + gap for button in self._buttons)
        title = QFontMetrics(theme_of(self).font("heading")).horizontalAdvance(self.title)
        room = self.width() - margins.left() - margins.right() - buttons - title - gap
        fits = room >= self.readout.least_width
        self._title.setText(self.title if fits else self._short)
        self._title.setToolTip("" if fits else self.title)
        enough = min(self._subject.sizeHint().width(), _SUBJECT)
        self._subject.setVisible(room - gap - self.readout.least_width >= enough)
        self._subject.setMaximumWidth(max(enough, room - gap - self.readout.sizeHint().width()))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the frame, and the notice as long as there is no plot."""
        theme = theme_of(self)
        painter = painter_of(self)
        paint_box(painter, self.rect(), theme.radius.medium, fill=theme.color.surface, border=theme.color.border)
        if self._plot is None and self._notice:
            body = self.rect().adjusted(0, self._head.height(), 0, 0)
            paint_text(painter, body, self._notice, theme.font("small"), theme.color.text3, align=_CENTER)


def _width(pieces: Sequence[_Piece]) -> int:
    return sum(piece.width for piece in pieces) + sum(piece.gap for piece in pieces[1:])


def _text_piece(text: str, font: QFont, theme: Theme, tone: str, gap: int) -> _Piece:
    def paint(painter: QPainter, rect: QRect) -> None:
        paint_text(painter, rect, text, font, getattr(theme.color, tone), elide=Qt.TextElideMode.ElideNone)

    return _Piece(QFontMetrics(font).horizontalAdvance(text) + 1, gap, paint)


def _mark_piece(mark: str, theme: Theme, gap: int) -> _Piece:
    def paint_square(painter: QPainter, rect: QRect) -> None:
        box = QRect(rect.x(), rect.center().y() - _SQUARE // 2 + 1, _SQUARE, _SQUARE)
        paint_box(painter, box, 1, fill=caller_color(theme, mark))  # type: ignore[arg-type]

    def paint_line(painter: QPainter, rect: QRect) -> None:
        painter.setPen(line_pen(theme, mark))  # type: ignore[arg-type]
        middle = rect.center().y() + 1
        painter.drawLine(rect.left(), middle, rect.right(), middle)

    if mark in CALLERS:
        return _Piece(_SQUARE, gap, paint_square)
    return _Piece(_LINE_WIDTH, gap, paint_line)
