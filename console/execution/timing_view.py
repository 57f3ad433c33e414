"""The Timing tab: four totals, the waterfall, the last calls, and what is known of the selected step."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QHelpEvent, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QScrollArea,
    QSizePolicy,
    QStackedLayout,
    QToolTip,
    QVBoxLayout,
    QWidget,
)

from console.assets import paint_icon
from console.execution.recent import RECENT_CALLS, Strip
from console.execution.step_details import StepDetailLine, StepDetails
from console.execution.waterfall import Timing, TimingTotal
from console.execution.waterfall_view import WaterfallView, details_color, kind_color, paint_hatch
from console.theme import theme_of
from console.widgets import Button, Divider, EmptyState, TextLabel, paint_box, paint_text, set_surface

_PANEL_WIDTH: Final = 271
_LEAST_WIDTH_WITH_PANEL: Final = 800
_TOTALS_HEIGHT: Final = 55
_STRIP_HEIGHT: Final = 72
_STRIP_BARS: Final = 42
_LABEL_WIDTH: Final = 88
_LINES: Final = 6


class _Totals(QWidget):
    """The four totals side by side."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._totals: tuple[TimingTotal, ...] = ()
        self.setFixedHeight(_TOTALS_HEIGHT)

    def show_totals(self, totals: tuple[TimingTotal, ...]) -> None:
        self._totals = totals
        self.setAccessibleName("Totals")
        words = (f"{total.label} {total.value} {total.note}".strip() for total in totals)
        self.setAccessibleDescription(", ".join(words))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = theme_of(self)
        color = theme.color
        painter = QPainter(self)
        painter.fillRect(self.rect(), color.panel)
        painter.fillRect(0, self.height() - 1, self.width(), 1, color.border)
        count = max(1, len(self._totals))
        for number, total in enumerate(self._totals):
            left = round(self.width() * number / count)
            right = round(self.width() * (number + 1) / count)
            if number:
                painter.fillRect(left - 1, 0, 1, self.height(), color.border)
            self._paint_total(painter, QRect(left, 0, right - left, self.height()), total)

    def _paint_total(self, painter: QPainter, rect: QRect, total: TimingTotal) -> None:
        theme = theme_of(self)
        left = rect.x() + 12
        if total.kind is not None:
            box = QRectF(left, 11, 10, 10)
            ink = kind_color(total.kind, theme)
            if total.kind.value == "waiting":
                paint_hatch(painter, box, ink, theme, radius=2)
            else:
                paint_box(painter, box.toRect(), 2, fill=ink)
            left += 16
        words = QRect(left, 8, rect.right() - left - 8, 16)
        paint_text(painter, words, total.label, theme.font("small"), theme.color.text2)
        font = theme.font("title")
        left = rect.x() + 12
        width = QFontMetrics(font).horizontalAdvance(total.value)
        paint_text(painter, QRect(left, 25, width + 1, 24), total.value, font, theme.color.text)
        note = QRect(left + width + 8, 25, rect.right() - left - width - 16, 24)
        paint_text(painter, note, total.note, theme.font("small"), theme.color.text3)


class _StripView(QWidget):
    """The last calls of the tool as bars, with the median as a line."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._strip: Strip | None = None
        self._left = 180
        self.setFixedHeight(_STRIP_HEIGHT)

    def show_strip(self, strip: Strip | None) -> None:
        self._strip = strip
        self.setVisible(strip is not None)
        if strip is not None:
            self.setAccessibleName(strip.title)
            self.setAccessibleDescription(", ".join(word for word in (strip.note, strip.median_text) if word))
        self.update()

    def _slot(self) -> float:
        return max(4.0, (self.width() - self._left - 32) / RECENT_CALLS)

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() is QEvent.Type.ToolTip:
            number = int((event.pos().x() - self._left) // self._slot())
            bars = self._strip.bars if self._strip is not None else ()
            if 0 <= number < len(bars):
                QToolTip.showText(event.globalPos(), bars[number].tip, self)
            else:
                QToolTip.hideText()
            return True
        return super().event(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        strip = self._strip
        if strip is None:
            return
        theme = theme_of(self)
        color = theme.color
        painter = QPainter(self)
        painter.fillRect(self.rect(), color.surface)
        painter.fillRect(0, 0, self.width(), 1, color.border)
        names = QRect(12, 16, self._left - 16, 20)
        paint_text(painter, names, strip.title, theme.font("heading"), color.text)
        paint_text(painter, names.translated(0, 19), strip.note, theme.font("caption"), color.text3)
        bottom, slot = 57, self._slot()
        for number, bar in enumerate(strip.bars):
            height = max(2, round(bar.share * _STRIP_BARS))
            ink = theme.status.error.fill if bar.failed else color.border_strong
            if bar.this:
                ink = theme.plot.s1
            left = self._left + round(number * slot)
            paint_box(painter, QRect(left, bottom - height, max(2, round(slot) - 3), height), 1, fill=ink)
        if strip.median_share is not None:
            self._paint_median(painter, strip, bottom - strip.median_share * _STRIP_BARS)

    def _paint_median(self, painter: QPainter, strip: Strip, top: float) -> None:
        theme = theme_of(self)
        right = self._left + RECENT_CALLS * self._slot()
        pen = QPen(theme.plot.s2, 1, Qt.PenStyle.CustomDashLine)
        pen.setDashPattern([6, 3])
        painter.setPen(pen)
        level = round(top) + 0.5
        painter.drawLine(QPointF(self._left, level), QPointF(right, level))
        words = QRect(self._left + 2, max(2, round(top) - 18), 160, 16)
        width = QFontMetrics(theme.font("caption")).horizontalAdvance(strip.median_text)
        painter.fillRect(QRect(words.x() - 2, words.y(), width + 4, 16), theme.color.surface)
        paint_text(painter, words, strip.median_text, theme.font("caption"), theme.color.text3)


class _StepGlyph(QWidget):
    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._details: StepDetails | None = None
        self.setFixedSize(16, 16)

    def show_details(self, details: StepDetails) -> None:
        self._details = details
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._details is not None:
            theme = theme_of(self)
            paint_icon(QPainter(self), self.rect(), self._details.glyph, details_color(self._details, theme), theme)


class _MessageBox(QFrame):
    """What went wrong in a step, in the error's own words."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        row = QHBoxLayout(self)
        row.setContentsMargins(9, 8, 9, 8)
        self.label = TextLabel("", "small", wrap=True, selectable=True)
        row.addWidget(self.label)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = theme_of(self)
        tone = theme.status.error
        paint_box(QPainter(self), self.rect(), theme.radius.medium, fill=tone.soft, border=tone.border)


class _Lines(QWidget):
    """Labels and what they stand for, one pair a line."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(0)
        grid.setVerticalSpacing(4)
        grid.setColumnMinimumWidth(0, _LABEL_WIDTH)
        grid.setColumnStretch(1, 1)
        self._pairs: list[tuple[TextLabel, TextLabel]] = []
        for number in range(_LINES):
            label = TextLabel("", "small", "text3")
            value = TextLabel("", "small", "text", wrap=True, selectable=True)
            for widget in (label, value):
                widget.setMinimumHeight(20)
            grid.addWidget(label, number, 0, Qt.AlignmentFlag.AlignTop)
            grid.addWidget(value, number, 1)
            self._pairs.append((label, value))

    def show_lines(self, lines: tuple[StepDetailLine, ...]) -> None:
        self.setVisible(bool(lines))
        for number, (label, value) in enumerate(self._pairs):
            line = lines[number] if number < len(lines) else None
            label.setVisible(line is not None)
            value.setVisible(line is not None)
            if line is not None:
                label.setText(line.label)
                value.set_font_role("code" if line.tone == "mono" else "small")
                value.set_tone("error" if line.tone == "error" else "text")
                value.setText(line.value)


class _StepPanel(QWidget):
    """What is known of the selected step."""

    log_requested = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        set_surface(self, "panel")
        self.setFixedWidth(_PANEL_WIDTH)
        self.setAccessibleName("Step")
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        scroll = QScrollArea(self)
        scroll.setWidgetResizable(True)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.viewport().setAutoFillBackground(False)
        outer.addWidget(scroll)
        body = QWidget()
        set_surface(body, "panel")
        scroll.setWidget(body)
        column = QVBoxLayout(body)
        column.setContentsMargins(13, 0, 12, 12)
        column.setSpacing(0)
        column.addLayout(self._make_head())
        self._lines = _Lines(body)
        column.addWidget(self._lines)
        self._message = _MessageBox(body)
        column.addSpacing(6)
        column.addWidget(self._message)
        column.addSpacing(8)
        self._further = _Lines(body)
        column.addWidget(self._further)
        column.addSpacing(8)
        self._log = Button("Show log", icon="scroll-text")
        self._log.clicked.connect(self.log_requested)
        column.addWidget(self._log, 0, Qt.AlignmentFlag.AlignLeft)
        column.addSpacing(10)
        self._note = TextLabel("", "small", "text3", wrap=True)
        column.addWidget(self._note)
        column.addStretch(1)

    def show_details(self, details: StepDetails) -> None:
        self._glyph.show_details(details)
        self._title.setText(details.title)
        self._position.setText(details.position)
        self._lines.show_lines(details.lines)
        self._further.show_lines(details.further)
        self._message.setVisible(bool(details.message))
        self._message.label.setText(details.message)

    def show_note(self, note: str) -> None:
        self._note.setText(note)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        color = theme_of(self).color
        painter.fillRect(self.rect(), color.panel)

    def _make_head(self) -> QHBoxLayout:
        head = QHBoxLayout()
        head.setContentsMargins(0, 8, 0, 12)
        head.setSpacing(8)
        self._glyph = _StepGlyph(self)
        self._title = TextLabel("", "heading")
        self._title.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._position = TextLabel("", "small", "text3")
        head.addWidget(self._glyph)
        head.addWidget(self._title, 1)
        head.addWidget(self._position)
        return head


class TimingView(QWidget):
    """Show where the time of a call went."""

    log_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._has_timing = False
        self._stack = QStackedLayout(self)
        self._empty = EmptyState("timer", "No timing yet", "Run the tool to see where its time goes.")
        self._stack.addWidget(self._empty)
        page = QWidget()
        self._stack.addWidget(page)
        row = QHBoxLayout(page)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        column = QVBoxLayout()
        column.setSpacing(0)
        self._totals = _Totals(page)
        self.waterfall = WaterfallView(page)
        self._strip = _StripView(page)
        column.addWidget(self._totals)
        column.addWidget(self.waterfall, 1)
        column.addWidget(self._strip)
        row.addLayout(column, 1)
        self._edge = Divider(Qt.Orientation.Vertical)
        row.addWidget(self._edge)
        self._panel = _StepPanel(page)
        row.addWidget(self._panel)
        self._panel.log_requested.connect(self.log_requested)
        self.waterfall.step_selected.connect(self._panel.show_details)

    def show_timing(self, timing: Timing | None) -> None:
        """Show another call.

        Args:
            timing: The call; None when nothing ran yet.
        """
        self._has_timing = timing is not None and bool(timing.rows)
        self._stack.setCurrentIndex(1 if self._has_timing else 0)
        if timing is None:
            self.waterfall.show_timing(None)
            return
        self._totals.show_totals(timing.totals)
        self._strip.show_strip(timing.strip)
        self._panel.show_note(timing.note)
        self.waterfall.show_timing(timing)

    def show_running(self) -> None:
        """Say that the trace is being written, as long as there is no earlier one to show."""
        if not self._has_timing:
            self._empty.show_text("The tool runs", "Its steps are shown when it ends.")

    def sizeHint(self) -> QSize:
        return QSize(_LEAST_WIDTH_WITH_PANEL, 300)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Close the panel where there is no room for it."""
        super().resizeEvent(event)
        room = self.width() >= _LEAST_WIDTH_WITH_PANEL
        self._panel.setVisible(room)
        self._edge.setVisible(room)
