"""The Timing tab: four totals, the waterfall, the last calls, and what is known of the selected step."""

from __future__ import annotations

from functools import cached_property
from typing import Final

from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetrics,
    QHelpEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QShowEvent,
)
from PySide6.QtWidgets import (
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
from console.call_result.model import StepColumn, StepModel
from console.call_result.recent import RECENT_CALLS, Strip
from console.call_result.waterfall import BarKind, StepDetailLine, StepDetails, Timing, TimingTotal, WaterfallRow
from console.charts.lines import Tick
from console.language import tr
from console.theme import Theme, painter_of, theme_of, upright
from console.widgets import (
    Button,
    Cell,
    Divider,
    EmptyState,
    SeenRow,
    TableHead,
    TableView,
    TextLabel,
    TextTone,
    ToneFrame,
    hbox,
    order_focus,
    paint_box,
    paint_text,
    set_surface,
    tone_color,
    vbox,
)

_PAD: Final = 12
_BAR_HEIGHT: Final = 14
_LEAST_BAR: Final = 2
_LABEL_INSIDE: Final = 90
_GAP: Final = 6
_LEFT: Final = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter


def kind_color(kind: BarKind, theme: Theme) -> QColor:
    """Give the colour of bars of a kind; waiting is hatched with it."""
    return {
        BarKind.IN_TOOL: theme.plot.s1,
        BarKind.WAITING: theme.plot.s6,
        BarKind.OVERHEAD: theme.plot.s5,
        BarKind.FAILED: theme.status.error.fill,
    }[kind]


def paint_hatch(painter: QPainter, rect: QRectF, color: QColor, theme: Theme, radius: float = 3.0) -> None:
    """Paint a hatched box: the mark of waiting.

    Args:
        rect: Outer edges in logical pixels.
        color: Of outline and lines.
        theme: Where the ground comes from.
        radius: Corner radius in logical pixels.
    """
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    inner = rect.adjusted(0.5, 0.5, -0.5, -0.5)
    path = QPainterPath()
    path.addRoundedRect(inner, radius, radius)
    painter.fillPath(path, theme.status.idle.soft)
    painter.save()
    painter.setClipPath(path)
    painter.setPen(QPen(color, 1.25))
    height = rect.height()
    across = -height
    while across < rect.width():
        left = rect.x() + across
        painter.drawLine(QRectF(left, rect.bottom(), 0, 0).topLeft(), QRectF(left + height, rect.top(), 0, 0).topLeft())
        across += 5
    painter.restore()
    painter.setPen(QPen(color, 1))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawPath(path)
    painter.restore()


class _Axis:
    """Turn seconds into pixels of the lane."""

    def __init__(self) -> None:
        self.ticks: tuple[Tick, ...] = ()
        self.end_s = 0.0

    def show(self, timing: Timing | None) -> None:
        self.ticks = timing.ticks if timing is not None else ()
        step_s = self.ticks[1].at if len(self.ticks) > 1 else 0.0
        # The axis ends at the first mark past the call, so that there is room for words behind the last bar.
        last_s = self.ticks[-1].at if self.ticks else 0.0
        self.end_s = max(last_s + step_s, timing.length_s if timing is not None else 0.0)

    def offset(self, at_s: float, width: int) -> float:
        return at_s / self.end_s * (width - 1) if self.end_s > 0 else 0.0


class _Header(TableHead):
    """The head: names of columns, and the marks of the axis over the lane."""

    def __init__(self, axis: _Axis) -> None:
        super().__init__(None, numbers=(StepColumn.DURATION, StepColumn.USUAL))
        self._axis = axis

    def paint_name(self, painter: QPainter, rect: QRect, column: int) -> None:
        theme = theme_of(self)
        if column == StepColumn.LANE:
            # Time goes from left to right for everybody.
            with upright(painter, rect.x(), rect.width()):
                self._paint_ticks(painter, rect, theme.font("caption"), theme.color.text3)
        else:
            super().paint_name(painter, rect, column)

    def _paint_ticks(self, painter: QPainter, rect: QRect, font: QFont, color: QColor) -> None:
        metrics = QFontMetrics(font)
        painter.setFont(font)
        painter.setPen(color)
        for number, tick in enumerate(self._axis.ticks):
            width = metrics.horizontalAdvance(tick.text)
            left = rect.x() + round(self._axis.offset(tick.at, rect.width()))
            left -= width // 2 if number else 0
            painter.drawText(QRect(left, rect.y(), width + 2, rect.height()), int(_LEFT), tick.text)


def paint_grid(painter: QPainter, rect: QRect, axis: _Axis, theme: Theme) -> None:
    """Paint the lines of the axis through a lane."""
    for tick in axis.ticks:
        left = rect.x() + round(axis.offset(tick.at, rect.width()))
        painter.fillRect(left, rect.y(), 1, rect.height(), theme.plot.grid)


class WaterfallView(TableView):
    """Show the steps of a call; the arrow keys move through them.

    Signals:
        step_selected(StepDetails): Another step was selected.
    """

    step_selected = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        self.steps: Final = StepModel()
        self._axis = _Axis()
        super().__init__(self.steps, tr("Timing"), parent, head=_Header(self._axis), dense=True)
        self.steps.setParent(self)
        self.setObjectName("timing")
        self.selectionModel().currentRowChanged.connect(self._on_selection_current_row_changed)

    def paint_cell(  # noqa: PLR0917 -- as its base
        self, painter: QPainter, theme: Theme, rect: QRect, cell: Cell, place: int, row: SeenRow
    ) -> None:
        """Paint the bars of a step, and its name behind the sign of how it ended."""
        step = self.steps.rows[row.place]
        if place == StepColumn.LANE:
            with upright(painter, rect.x(), rect.width()):
                self._paint_lane(painter, rect, step, theme)
            return
        if place == StepColumn.NAME:
            icon = QRect(rect.x() + _PAD, rect.y() + (rect.height() - 14) // 2, 14, 14)
            tone = theme.tone(step.tone)  # type: ignore[arg-type]
            paint_icon(painter, icon, step.glyph, theme.color.text2 if step.tone == "idle" else tone.fill, theme)
            rect = rect.adjusted(22, 0, 0, 0)
        super().paint_cell(painter, theme, rect, cell, place, row)

    def _paint_lane(self, painter: QPainter, rect: QRect, row: WaterfallRow, theme: Theme) -> None:
        paint_grid(painter, rect, self._axis, theme)
        bars: list[tuple[QRectF, BarKind]] = []
        for segment in row.segments:
            left = rect.x() + self._axis.offset(segment.started_s, rect.width())
            width = max(_LEAST_BAR, self._axis.offset(segment.elapsed_s, rect.width()))
            left = min(left, rect.right() + 1 - width)
            bar = QRectF(left, rect.y() + (rect.height() - _BAR_HEIGHT) / 2, width, _BAR_HEIGHT)
            self._paint_bar(painter, bar, segment.kind, theme)
            bars.append((bar, segment.kind))
        if row.label:
            self._paint_label(painter, rect, row.label, bars, theme)

    def _paint_bar(self, painter: QPainter, bar: QRectF, kind: BarKind, theme: Theme) -> None:
        color = kind_color(kind, theme)
        if bar.width() < 5:
            width = max(_LEAST_BAR, round(bar.width()))
            painter.fillRect(QRect(round(bar.x()), round(bar.y()), width, _BAR_HEIGHT), color)
        elif kind is BarKind.WAITING:
            paint_hatch(painter, bar, color, theme)
        else:
            paint_box(painter, bar.toAlignedRect(), 3, fill=color)

    def _paint_label(
        self, painter: QPainter, rect: QRect, label: str, bars: list[tuple[QRectF, BarKind]], theme: Theme
    ) -> None:
        font = theme.font("caption")
        width = QFontMetrics(font).horizontalAdvance(label)
        bar, kind = max(bars, key=lambda known: known[0].width())
        if bar.width() > max(_LABEL_INSIDE, width + 16) and kind is not BarKind.WAITING:
            inside = QRect(round(bar.x()) + 8, rect.y(), round(bar.width()) - 16, rect.height())
            # The surface's colour is white on the light theme's strong bars and dark on the dark theme's bright ones.
            paint_text(painter, inside, label, font, theme.color.surface)
            return
        right = max(round(known.right()) for known, _ in bars)
        beside = QRect(right + _GAP, rect.y(), width + 2, rect.height())
        if beside.right() > rect.right():
            left = round(bars[0][0].x()) - _GAP - width
            beside.moveLeft(left if left >= rect.x() else round(bar.center().x()) - width // 2)
            if left < rect.x():
                # Nowhere but on the bar, whose lines would cross the letters.
                ground = beside.adjusted(-4, 0, 2, 0)
                ground.setTop(round(bar.y()) + 1)
                ground.setHeight(_BAR_HEIGHT - 2)
                painter.fillRect(ground, theme.color.surface)
        paint_text(painter, beside, label, font, theme.color.text2)

    def show_timing(self, timing: Timing | None) -> None:
        """Show another call and select its first step that went wrong, else its longest.

        Args:
            timing: The call; None for none.
        """
        self._axis.show(timing)
        rows = timing.rows if timing is not None else ()
        self.steps.show_rows(rows)
        self.setColumnHidden(StepColumn.USUAL, not any(row.usual for row in rows))
        self.horizontalHeader().viewport().update()
        if not rows:
            return
        worst = next((number for number, row in enumerate(rows) if row.tone == "error"), None)
        longest = max(range(len(rows)), key=lambda number: rows[number].elapsed_s)
        # A step of the same name and time may be the current one already, and it is told anew.
        self.selectionModel().clearCurrentIndex()
        self.setCurrentIndex(self.steps.index(longest if worst is None else worst, 0))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the rows over the lines of the axis, which go on below the last row."""
        painter = QPainter(self.viewport())
        lane = QRect(
            self.columnViewportPosition(StepColumn.LANE),
            0,
            self.columnWidth(StepColumn.LANE),
            self.viewport().height(),
        )
        paint_grid(painter, lane, self._axis, theme_of(self))
        painter.end()
        super().paintEvent(event)

    def _on_selection_current_row_changed(self) -> None:
        row: WaterfallRow | None = self.chosen_row
        if row is not None:
            self.step_selected.emit(row.details)


def details_tone(details: StepDetails) -> TextTone:
    """Give the tone of a step's glyph as a text tone."""
    return "text2" if details.tone == "idle" else details.tone  # type: ignore[return-value]


def details_color(details: StepDetails, theme: Theme) -> QColor:
    """Give the colour of a step's glyph."""
    return tone_color(theme, details_tone(details))


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
        self.setAccessibleName(tr("Totals"))
        words = (f"{total.label} {total.value} {total.note}".strip() for total in totals)
        self.setAccessibleDescription(", ".join(words))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = theme_of(self)
        color = theme.color
        painter = painter_of(self)
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
            if total.kind is BarKind.WAITING:
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
        painter = painter_of(self)
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
            paint_icon(painter_of(self), self.rect(), self._details.glyph, details_color(self._details, theme), theme)


class _MessageBox(ToneFrame):
    """What went wrong in a step, in the error's own words."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__("error", parent)
        row = QHBoxLayout(self)
        row.setContentsMargins(9, 8, 9, 8)
        self.label = TextLabel("", "small", wrap=True, selectable=True)
        row.addWidget(self.label)


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
        self.setAccessibleName(tr("Step"))
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        scroll = QScrollArea(self)
        scroll.setAccessibleName(tr("What is known of the step"))
        scroll.setWidgetResizable(True)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.viewport().setAutoFillBackground(False)
        outer.addWidget(scroll)
        body = QWidget()
        set_surface(body, "panel")
        scroll.setWidget(body)
        column = vbox(body, margins=(13, 0, 12, 12))
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
        self._log = Button(tr("Show log"), icon="scroll-text")
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
        painter = painter_of(self)
        color = theme_of(self).color
        painter.fillRect(self.rect(), color.panel)

    def _make_head(self) -> QHBoxLayout:
        head = hbox(margins=(0, 8, 0, 12), spacing=8)
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
        self._timing: Timing | None = None
        self._is_stale = False
        self._stack = QStackedLayout(self)
        self._empty = EmptyState("timer", tr("No timing yet"), tr("Run the tool to see where its time goes."))
        self._stack.addWidget(self._empty)

    @cached_property
    def waterfall(self) -> WaterfallView:
        """Give the list of steps. Most pages are closed before anybody looks at it, so it is made late."""
        page = QWidget(self)
        self._stack.addWidget(page)
        row = hbox(page)
        column = vbox()
        self._totals = _Totals(page)
        waterfall = WaterfallView(page)
        self._strip = _StripView(page)
        column.addWidget(self._totals)
        column.addWidget(waterfall, 1)
        column.addWidget(self._strip)
        row.addLayout(column, 1)
        self._edge = Divider(Qt.Orientation.Vertical)
        row.addWidget(self._edge)
        self._panel = _StepPanel(page)
        row.addWidget(self._panel)
        self._panel.log_requested.connect(self.log_requested)
        waterfall.step_selected.connect(self._panel.show_details)
        order_focus(self, page)
        self._fit_panel()
        return waterfall

    def show_timing(self, timing: Timing | None) -> None:
        """Show another call.

        Args:
            timing: The call; None when nothing ran yet.
        """
        self._timing, self._is_stale = timing, True
        if self.isVisible():
            self._draw()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._draw()

    @property
    def steps(self) -> StepModel:
        self._draw()
        return self.waterfall.steps

    def _draw(self) -> None:
        if not self._is_stale:
            return
        self._is_stale = False
        timing = self._timing
        if timing is not None:
            self.waterfall.show_timing(timing)
            self._totals.show_totals(timing.totals)
            self._strip.show_strip(timing.strip)
            self._panel.show_note(timing.note)
        self._stack.setCurrentIndex(1 if timing is not None and timing.rows else 0)

    def show_running(self) -> None:
        """Say that the trace is being written, as long as there is no earlier one to show."""
        if self._timing is None or not self._timing.rows:
            self._empty.show_text(tr("The tool runs"), tr("Its steps are shown when it ends."))

    def sizeHint(self) -> QSize:
        return QSize(_LEAST_WIDTH_WITH_PANEL, 300)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Close the panel where there is no room for it."""
        super().resizeEvent(event)
        if self._stack.count() > 1:
            self._fit_panel()

    def _fit_panel(self) -> None:
        room = self.width() >= _LEAST_WIDTH_WITH_PANEL
        self._panel.setVisible(room)
        self._edge.setVisible(room)
