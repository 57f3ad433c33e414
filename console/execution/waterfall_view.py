"""The waterfall: one row for each step of a call, its bar on a common time axis."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPainterPath, QPaintEvent, QPen
from PySide6.QtWidgets import QHeaderView, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QTreeView, QWidget

from console.assets import paint_icon
from console.charts.ticks import Tick
from console.execution.model import StepColumn, StepModel, row_role
from console.execution.step_details import StepDetails
from console.execution.waterfall import BarKind, Timing, WaterfallRow
from console.theme import Theme, theme_of
from console.widgets import TableHead, TextTone, paint_box, paint_text, tone_color

_NAME_WIDTH: Final = 180
_DURATION_WIDTH: Final = 78
_USUAL_WIDTH: Final = 76
_PAD: Final = 12
_BAR_HEIGHT: Final = 14
_LEAST_BAR: Final = 2
_LABEL_INSIDE: Final = 90
_GAP: Final = 6
_RIGHT: Final = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_LEFT: Final = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_Index = QModelIndex | QPersistentModelIndex


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
        painter: Where to paint.
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

    def __init__(self, axis: _Axis, parent: QWidget) -> None:
        super().__init__(parent)
        self._axis = axis
        self.setMinimumSectionSize(24)

    def paint_name(self, painter: QPainter, rect: QRect, column: int) -> None:
        theme = theme_of(self)
        color, font = theme.color, theme.font("caption")
        if column == StepColumn.LANE:
            self._paint_ticks(painter, rect, font, color.text3)
            return
        align = _LEFT if column == StepColumn.NAME else _RIGHT
        words = rect.adjusted(_PAD if column == StepColumn.NAME else 0, 0, -_PAD, 0)
        text = str(self.model().headerData(column, Qt.Orientation.Horizontal))
        paint_text(painter, words, text, font, color.text3, align=align)

    def _paint_ticks(self, painter: QPainter, rect: QRect, font: QFont, color: QColor) -> None:
        metrics = QFontMetrics(font)
        painter.setFont(font)
        painter.setPen(color)
        for number, tick in enumerate(self._axis.ticks):
            width = metrics.horizontalAdvance(tick.text)
            left = rect.x() + round(self._axis.offset(tick.at, rect.width()))
            left -= width // 2 if number else 0
            painter.drawText(QRect(left, rect.y(), width + 2, rect.height()), int(_LEFT), tick.text)


class _StepDelegate(QStyledItemDelegate):
    """Paint the cells of a step."""

    def __init__(self, axis: _Axis, parent: QWidget) -> None:
        super().__init__(parent)
        self._axis = axis

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:
        return QSize(0, theme_of().size.row_table_dense)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        row = index.data(row_role)
        if not isinstance(row, WaterfallRow):
            return
        theme = theme_of()
        rect: QRect = option.rect
        state: QStyle.StateFlag = option.state
        selected = bool(state & QStyle.StateFlag.State_Selected)
        if selected:
            painter.fillRect(rect, theme.color.selected)
        elif state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(rect, theme.color.hover)
        column = index.column()
        if column == StepColumn.NAME:
            icon = QRect(rect.x() + _PAD, rect.y() + (rect.height() - 14) // 2, 14, 14)
            tone = theme.tone(row.tone)  # type: ignore[arg-type]
            paint_icon(painter, icon, row.glyph, theme.color.text2 if row.tone == "idle" else tone.fill, theme)
            words = rect.adjusted(_PAD + 22, 0, -4, 0)
            paint_text(painter, words, row.name, theme.font("small"), theme.color.text)
        elif column == StepColumn.LANE:
            self._paint_lane(painter, rect, row, theme)
        else:
            is_duration = column == StepColumn.DURATION
            quiet = theme.color.text2 if selected else theme.color.text3
            text = row.duration if is_duration else row.usual
            ink = theme.color.text if is_duration else quiet
            paint_text(painter, rect.adjusted(0, 0, -_PAD, 0), text, theme.font("small"), ink, align=_RIGHT)

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


def paint_grid(painter: QPainter, rect: QRect, axis: _Axis, theme: Theme) -> None:
    """Paint the lines of the axis through a lane."""
    for tick in axis.ticks:
        left = rect.x() + round(axis.offset(tick.at, rect.width()))
        painter.fillRect(left, rect.y(), 1, rect.height(), theme.plot.grid)


class WaterfallView(QTreeView):
    """Show the steps of a call; the arrow keys move through them."""

    step_selected = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("timing")
        self.setAccessibleName("Timing")
        self._axis = _Axis()
        self.steps = StepModel()
        self.setModel(self.steps)
        self.setItemDelegate(_StepDelegate(self._axis, self))
        header = _Header(self._axis, self)
        self.setHeader(header)
        header.setStretchLastSection(False)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        header.setSectionResizeMode(StepColumn.LANE, QHeaderView.ResizeMode.Stretch)
        for column, width in (
            (StepColumn.NAME, _NAME_WIDTH),
            (StepColumn.DURATION, _DURATION_WIDTH),
            (StepColumn.USUAL, _USUAL_WIDTH),
        ):
            header.resizeSection(column, width)
        self.setRootIsDecorated(False)
        self.setUniformRowHeights(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSelectionBehavior(QTreeView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QTreeView.SelectionMode.SingleSelection)
        self.setEditTriggers(QTreeView.EditTrigger.NoEditTriggers)
        self.setMouseTracking(True)
        self.selectionModel().currentRowChanged.connect(self._on_selection_current_row_changed)

    def show_timing(self, timing: Timing | None) -> None:
        """Show another call and select its first step that went wrong, else its longest.

        Args:
            timing: The call; None for none.
        """
        self._axis.show(timing)
        rows = timing.rows if timing is not None else ()
        self.steps.show(rows)
        self.setColumnHidden(StepColumn.USUAL, not any(row.usual for row in rows))
        self.header().viewport().update()
        if not rows:
            return
        worst = next((number for number, row in enumerate(rows) if row.tone == "error"), None)
        longest = max(range(len(rows)), key=lambda number: rows[number].elapsed_s)
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

    def _on_selection_current_row_changed(self, current: QModelIndex) -> None:
        row = current.data(row_role)
        if isinstance(row, WaterfallRow):
            self.step_selected.emit(row.details)


def details_tone(details: StepDetails) -> TextTone:
    """Give the tone of a step's glyph as a text tone."""
    return "text2" if details.tone == "idle" else details.tone  # type: ignore[return-value]


def details_color(details: StepDetails, theme: Theme) -> QColor:
    """Give the colour of a step's glyph."""
    return tone_color(theme, details_tone(details))
