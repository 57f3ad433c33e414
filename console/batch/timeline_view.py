"""The timeline of a run: its bars, painted in lanes over a time axis, and its head."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from typing import Final

from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, Qt, Signal
from PySide6.QtGui import (
    QBrush,
    QColor,
    QFocusEvent,
    QFontMetrics,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QStackedWidget, QToolTip, QWidget

from console.batch.timeline_layout import (
    THIN,
    Bar,
    Box,
    Boxes,
    Grouping,
    Lane,
    Lanes,
    RunTimeRange,
    Scale,
    Timeline,
    VisibleTime,
    elapsed_text,
    elapsed_ticks,
)
from console.language import in_sentence, tr
from console.theme import StatusColors, Theme, painter_of, theme_of
from console.widgets import (
    STATUS,
    EmptyState,
    IconButton,
    PanelHeader,
    SegmentedControl,
    TextLabel,
    format_duration_ms,
    lead_focus,
    paint_box,
    paint_text,
    set_surface,
    vbox,
)

_BAR_HEIGHT: Final = 20
_RADIUS: Final = 4.0
_WORDS_FROM: Final = 22.0
_INSET: Final = 8.0
_ROOM: Final = 14.0
_NARROWEST: Final = 2.0
"""No letter is narrower, in logical pixels; to measure words that cannot fit costs more than their bar."""


class BarPainter:
    """Paint bars; what they have in common is made once.

    Args:
        selected: The step whose bars are marked; empty for none.
    """

    def __init__(self, painter: QPainter, theme: Theme, scale: Scale, selected: str, mark: QColor) -> None:
        self._painter = painter
        self._theme = theme
        self._scale = scale
        self.selection = selected
        self._mark = mark
        self._font = theme.font("caption")
        self._metrics = QFontMetrics(self._font)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)

    def paint(self, boxes: Boxes, selected: Sequence[Box], top: float) -> None:
        """Paint the bars of a lane; what went wrong or is selected is painted last, so that it is never hidden."""
        over = [*(box for box in boxes.over if box.bar.step != self.selection), *selected]
        places = [_place_under(boxes.under, box) for box in over]
        free = _free_parts(boxes.under, over, places)
        for place, box in enumerate(boxes.under):
            if box.is_thin:
                is_filled = not box.bar.is_planned
                self._paint_bar(box.bar, self._rect(box, top), is_filled=is_filled)
            elif box.bar.step != self.selection:
                self._paint_bar(box.bar, self._rect(box, top))
                left, right = free.get(place, (box.left, box.right))
                self._paint_words(box.bar, left, right, top, self._scale.right)
        for box, under in zip(over, places, strict=True):
            self._paint_bar(box.bar, self._rect(box, top), is_marked=box.bar.step == self.selection)
            room = self._scale.right if box.next_s is None else self._scale.x(box.next_s)
            self._paint_words(box.bar, box.left, box.right, top, room if under is None else box.right)

    def _rect(self, box: Box, top: float) -> QRectF:
        return QRectF(box.left, top, box.right - box.left, _BAR_HEIGHT)

    def _paint_bar(self, bar: Bar, rect: QRectF, *, is_filled: bool = False, is_marked: bool = False) -> None:
        painter, tone = self._painter, self._tone(bar)
        width = 2.0 if bar.is_critical and not bar.is_planned else 1.0
        radius = min(_RADIUS, rect.width() / 2)
        if is_filled or (rect.width() <= THIN and not bar.is_planned):
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(tone.fill)
            width = 0.0
        elif bar.is_planned:
            pen = QPen(self._theme.color.accent if bar.is_critical else self._theme.color.text3, width)
            pen.setDashPattern([4, 3])
            painter.setPen(pen)
            painter.setBrush(Qt.BrushStyle.NoBrush)
        else:
            painter.setPen(QPen(tone.fill, width))
            painter.setBrush(tone.soft)
        half = width / 2
        if bar.review_s and not bar.is_planned:
            self._paint_waiting(bar, rect)
        painter.drawRoundedRect(rect.adjusted(half, half, -half, -half), radius, radius)
        if is_marked:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(self._mark, 2))
            painter.drawRoundedRect(rect.adjusted(-3, -3, 3, 3), radius + 3, radius + 3)

    def _paint_waiting(self, bar: Bar, rect: QRectF) -> None:
        """Hatch the part in which a person was waited for; how long is known, not when, so it is drawn first."""
        share = min(1.0, bar.review_s / (bar.ended_s - bar.began_s)) if bar.ended_s > bar.began_s else 0.0
        waiting = QRectF(rect.left(), rect.top(), rect.width() * share, rect.height())
        self._painter.save()
        self._painter.setPen(Qt.PenStyle.NoPen)
        self._painter.setBrush(QBrush(self._theme.status.warn.fill, Qt.BrushStyle.BDiagPattern))
        self._painter.drawRect(waiting)
        self._painter.restore()

    def _paint_words(self, bar: Bar, left: float, right: float, top: float, room: float) -> None:
        left = max(left, self._scale.left)
        went_wrong = STATUS[bar.status].tone == "error"
        if (bar.is_planned and bar.note) or (right - left < _WORDS_FROM and not went_wrong):
            return
        name = f"{bar.number} {bar.step}"
        long = f"{name}, {bar.note}" if bar.note else name
        if went_wrong:
            long = tr("{step} {status}", step=name, status=in_sentence(STATUS[bar.status].word))
        ink = self._theme.color.text3 if bar.is_planned else self._tone(bar).text
        for words in (long, name, str(bar.number)):
            if len(words) * _NARROWEST + _ROOM > right - left:
                continue
            if self._metrics.horizontalAdvance(words) + _ROOM <= right - left:
                self._write(words, left + _INSET, top, ink)
                return
        beside = right + 6
        if went_wrong and beside + self._metrics.horizontalAdvance(long) + 4 < min(room, self._scale.right):
            self._write(long, beside, top, ink)

    def _write(self, words: str, left: float, top: float, ink: QColor) -> None:
        self._painter.setFont(self._font)
        self._painter.setPen(ink)
        baseline = top + (_BAR_HEIGHT + self._metrics.ascent() - self._metrics.descent()) / 2
        self._painter.drawText(QPointF(round(left), round(baseline)), words)

    def _tone(self, bar: Bar) -> StatusColors:
        return self._theme.tone(STATUS[bar.status].tone)


def _place_under(under: Sequence[Box], over: Box) -> int | None:
    """Return the place of the bar on which the end of another is painted; None when there is none."""
    place = bisect_right(under, over.right, key=_left) - 1
    if place < 0 or under[place].is_thin or under[place].bar is over.bar:
        return None
    return place if over.right < under[place].right else None


def _free_parts(
    under: Sequence[Box], over: Sequence[Box], places: Sequence[int | None]
) -> dict[int, tuple[float, float]]:
    """Return between where the words of bars may stand on which something else is painted, by their place."""
    free: dict[int, tuple[float, float]] = {}
    for box, place in zip(over, places, strict=True):
        if place is not None:
            left, right = free.get(place, (under[place].left, under[place].right))
            # The wider of the two parts that are left of it.
            free[place] = (left, min(right, box.left)) if box.left - left > right - box.right else (box.right, right)
    return free


def _left(box: Box) -> float:
    return box.left


_AXIS: Final = 24
_LANE: Final = 32
_PAD: Final = 12
_NAMES: Final = {Grouping.WORKER: 92, Grouping.STEP: 156}
_RIGHT: Final = 10
_NOW_STEP_S: Final = 0.1
_TICK_WIDTH: Final = 110
_WHEEL_STEP: Final = 1.0016
_KEY_ZOOM: Final = 1.5
_CENTER: Final = Qt.AlignmentFlag.AlignCenter


class TimelineCanvas(QAbstractScrollArea):
    """Show bars in lanes over a time axis.

    The wheel goes through the lanes, with Ctrl it zooms on the pointer, with Shift it moves in time, as dragging the
    ground does; F shows everything. Arrow keys go from bar to bar.

    Attributes:
        selection: The selected step; empty when there is none.

    Signals:
        zoomed(bool): Whether less than everything is seen.
    """

    selected = Signal(str)
    opened = Signal(str)
    zoomed = Signal(bool)

    def __init__(self) -> None:
        super().__init__()
        # Time goes from left to right for everybody.
        self.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        self.setObjectName("timeline")
        self.setAccessibleName(tr("Timeline"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.viewport().setMouseTracking(True)
        self.verticalScrollBar().setSingleStep(_LANE)
        self.timeline = Timeline()
        self.grouping = Grouping.WORKER
        self._lanes = Lanes(self.timeline, self.grouping)
        self._stretch: RunTimeRange | None = None
        self.selection = ""
        self._moving_from: QPointF | None = None

    @property
    def stretch(self) -> RunTimeRange:
        return self._stretch or self._whole

    @property
    def room(self) -> VisibleTime:
        return self.room_in(self.width())

    def room_in(self, width: int) -> VisibleTime:
        """Return how much of the time is seen where, when this is so wide: always with room for the scroll bar.

        So nothing moves when that comes.

        Args:
            width: In logical pixels.
        """
        right = width - self.verticalScrollBar().sizeHint().width()
        return VisibleTime(float(self._left), float(right), max(1, right - self._left - _RIGHT), self._stretch)

    def show_bars(self, timeline: Timeline, lanes: Lanes | None = None) -> None:
        """Show other bars; what is seen of the time stays.

        Args:
            lanes: The lines that they stand in, when they are made already.
        """
        self.timeline = timeline
        is_fit = lanes is not None and lanes.grouping is self.grouping
        self._arrange(lanes if is_fit else None)

    def set_grouping(self, grouping: Grouping) -> None:
        if grouping is not self.grouping:
            self.grouping = grouping
            self._arrange()
            self._bring_into_sight()

    def select(self, step: str) -> None:
        """Select a step, and bring it into sight; empty selects none."""
        if step != self.selection:
            self.selection = step
            self._bring_into_sight()
            self._describe()
            self.viewport().update()

    @property
    def _whole(self) -> RunTimeRange:
        return self._lanes.whole

    def _arrange(self, lanes: Lanes | None = None) -> None:
        self._lanes = lanes if lanes is not None else Lanes(self.timeline, self.grouping)
        self._update_scrolling()
        self._describe()
        self.viewport().update()

    def _update_scrolling(self) -> None:
        room = self.viewport().height() - _AXIS
        self.verticalScrollBar().setPageStep(max(room, _LANE))
        self.verticalScrollBar().setRange(0, max(0, len(self._lanes) * _LANE - room))

    def _bring_into_sight(self) -> None:
        number = self._lanes.number_of(self.selection)
        if number is None:
            return
        scroll = self.verticalScrollBar()
        least = (number + 1) * _LANE - (self.viewport().height() - _AXIS)
        scroll.setValue(min(max(scroll.value(), least), number * _LANE))
        if self._stretch is not None:
            bar = next(bar for bar in self._lanes[number].bars if bar.step == self.selection)
            if bar.ended_s < self._stretch.begins_s or bar.began_s > self._stretch.ends_s:
                middle_s = (bar.began_s + bar.ended_s - self._stretch.begins_s - self._stretch.ends_s) / 2
                self._look_at(self._stretch.moved(middle_s, self._whole))

    def fit(self) -> None:
        self._look_at(None)

    def zoom_in(self) -> None:
        self.zoom(_KEY_ZOOM)

    def zoom_out(self) -> None:
        self.zoom(1 / _KEY_ZOOM)

    def zoom(self, factor: float, at_s: float | None = None) -> None:
        """Show a stretch so many times shorter, in which a moment stays where it is; None for now, or the middle."""
        stretch, now_s = self.stretch, self.timeline.now_s
        if at_s is None:
            is_seen = now_s is not None and stretch.begins_s <= now_s <= stretch.ends_s
            at_s = now_s if is_seen and now_s is not None else (stretch.begins_s + stretch.ends_s) / 2
        zoomed = stretch.zoomed(factor, at_s, self._whole)
        self._look_at(None if zoomed == self._whole else zoomed)

    def _look_at(self, stretch: RunTimeRange | None) -> None:
        was_zoomed = self._stretch is not None
        self._stretch = stretch
        if was_zoomed != (stretch is not None):
            self.zoomed.emit(stretch is not None)
        self.viewport().update()

    @property
    def _left(self) -> int:
        return _PAD + _NAMES[self.grouping]

    @property
    def _scale(self) -> Scale:
        return self.room.scale(self._whole)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = theme_of(self)
        painter = painter_of(self.viewport())
        wide, high = self.viewport().width(), self.viewport().height()
        painter.fillRect(0, 0, wide, high, theme.color.surface)
        ticks = elapsed_ticks(self.stretch, max(2, self.room.pixels // _TICK_WIDTH))
        scrolled = self.verticalScrollBar().value()
        bottom = min(high, _AXIS + len(self._lanes) * _LANE - scrolled)
        for tick in ticks:
            painter.fillRect(round(self._scale.x(tick.at)), _AXIS, 1, bottom - _AXIS, theme.plot.grid)
        first, last = scrolled // _LANE, (scrolled + high - _AXIS) // _LANE + 1
        painter.setClipRect(0, _AXIS, wide, high - _AXIS)
        for number in range(first, min(last, len(self._lanes))):
            top = _AXIS + number * _LANE - scrolled
            painter.fillRect(0, top, wide, 1, theme.color.divider)
            self._paint_lane(painter, theme, number, top)
        painter.setClipping(False)
        self._paint_axis(painter, theme, [(self._scale.x(tick.at), tick.text) for tick in ticks], bottom)

    def _paint_axis(self, painter: QPainter, theme: Theme, ticks: Iterable[tuple[float, str]], bottom: int) -> None:
        font = theme.font("caption", tabular=True)
        metrics = QFontMetrics(font)
        now = self._now_pill(metrics)
        for x, text in ticks:
            width = metrics.horizontalAdvance(text)
            place = QRect(round(x) - width // 2, 0, width + 2, _AXIS)
            if now is None or not now.adjusted(-6, 0, 6, 0).intersects(place):
                paint_text(painter, place, text, font, theme.color.text3)
        if now is not None and self.timeline.now_s is not None:
            x = round(self._scale.x(self.timeline.now_s))
            painter.fillRect(x - 1, now.bottom(), 2, bottom - now.bottom(), theme.color.accent)
            paint_box(painter, now, theme.radius.small, fill=theme.color.accent)
            paint_text(painter, now, self._now_text(), font, theme.color.on_accent, align=_CENTER)

    def _now_text(self) -> str:
        return tr("now {time}", time=elapsed_text(self.timeline.now_s or 0.0, self.stretch, _NOW_STEP_S))

    def _now_pill(self, metrics: QFontMetrics) -> QRect | None:
        now_s, stretch = self.timeline.now_s, self.stretch
        if now_s is None or not stretch.begins_s <= now_s <= stretch.ends_s:
            return None
        width = metrics.horizontalAdvance(self._now_text()) + 12
        return QRect(round(self._scale.x(now_s)) - width // 2, 3, width, 17)

    def _paint_lane(self, painter: QPainter, theme: Theme, number: int, top: int) -> None:
        lane = self._lanes[number]
        is_selected = self.grouping is Grouping.STEP and lane.name == self.selection
        ink = theme.color.text if is_selected else theme.color.text2
        paint_text(painter, QRect(_PAD, top, self._left - _PAD - 8, _LANE), lane.name, theme.font("small"), ink)
        painter.save()
        scale = self._scale
        # A mark is painted around bars, also around one that begins where the time does.
        lane_rect = QRectF(scale.left - 5, top, scale.right - scale.left + 5, _LANE)
        painter.setClipRect(lane_rect, Qt.ClipOperation.IntersectClip)
        mark = theme.color.focus if self.hasFocus() else theme.color.text3
        bars = BarPainter(painter, theme, scale, self.selection, mark)
        selected = self._lanes.boxes_of_step(self.selection, number, scale)
        bars.paint(self._lanes.boxes(number, scale, self.stretch), selected, top + (_LANE - _BAR_HEIGHT) / 2)
        painter.restore()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Select the bar under the pointer, or take hold of the ground."""
        bar = self._bar_at(event.position())
        if bar is not None and event.button() == Qt.MouseButton.LeftButton:
            self._choose(bar.step)
        elif self.grouping is Grouping.STEP and event.position().x() < self._left:
            lane = self._lane_at(event.position())
            if lane is not None:
                self._choose(lane.name)
        elif self._stretch is not None:
            self._moving_from = event.position()
            self.viewport().setCursor(Qt.CursorShape.ClosedHandCursor)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._moving_from is not None and self._stretch is not None:
            way = self._scale.moment(self._moving_from.x()) - self._scale.moment(event.position().x())
            self._moving_from = event.position()
            self._look_at(self._stretch.moved(way, self._whole))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._moving_from = None
        self.viewport().unsetCursor()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Open a step; on the ground, show the whole time."""
        bar = self._bar_at(event.position())
        if bar is not None:
            self.opened.emit(bar.step)
        else:
            self.fit()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Zoom with Ctrl, move in time with Shift or sideways, else go through the lanes."""
        turned = event.angleDelta()
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.zoom(_WHEEL_STEP ** turned.y(), self._scale.moment(event.position().x()))
            event.accept()
        elif turned.x() or event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            if self._stretch is not None:
                way = -(turned.x() or turned.y()) / self.room.pixels * self.stretch.length_s
                self._look_at(self._stretch.moved(way, self._whole))
            event.accept()
        else:
            super().wheelEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = event.key()
        if key in {Qt.Key.Key_Left, Qt.Key.Key_Right}:
            self._step_along(1 if key == Qt.Key.Key_Right else -1)
        elif key in {Qt.Key.Key_Up, Qt.Key.Key_Down}:
            self._step_across(1 if key == Qt.Key.Key_Down else -1)
        elif key in {Qt.Key.Key_Return, Qt.Key.Key_Enter} and self.selection:
            self.opened.emit(self.selection)
        elif key == Qt.Key.Key_F and not event.modifiers():
            self.fit()
        elif key in {Qt.Key.Key_Plus, Qt.Key.Key_Equal}:
            self.zoom_in()
        elif key == Qt.Key.Key_Minus:
            self.zoom_out()
        else:
            super().keyPressEvent(event)

    def _step_along(self, by: int) -> None:
        """Go to the next bar of the lane, or to the first of all."""
        number = self._lanes.number_of(self.selection)
        if number is None:
            if self.timeline.bars:
                self._choose(self.timeline.bars[0].step)
            return
        lane = self._lanes[number]
        steps = list(dict.fromkeys(bar.step for bar in lane.bars))
        place = steps.index(self.selection) + by
        if 0 <= place < len(steps):
            self._choose(steps[place])

    def _step_across(self, by: int) -> None:
        """Go to the bar of the next lane that begins nearest."""
        number = self._lanes.number_of(self.selection)
        if number is None:
            self._step_along(1)
            return
        here_s = next(bar.began_s for bar in self._lanes[number].bars if bar.step == self.selection)
        number += by
        while 0 <= number < len(self._lanes):
            if bars := self._lanes[number].bars:
                self._choose(min(bars, key=lambda bar: abs(bar.began_s - here_s)).step)
                return
            number += by

    def _choose(self, step: str) -> None:
        if step != self.selection:
            self.select(step)
            self.selected.emit(step)

    def _lane_at(self, point: QPointF) -> Lane | None:
        number = int(point.y() - _AXIS + self.verticalScrollBar().value()) // _LANE
        return self._lanes[number] if point.y() >= _AXIS and 0 <= number < len(self._lanes) else None

    def _bar_at(self, point: QPointF) -> Bar | None:
        lane = self._lane_at(point)
        if lane is None or point.x() < self._left:
            return None
        # The last one is painted over those before it.
        scale = self._scale
        for bar in reversed(lane.seen(self.stretch)):
            left, right = scale.span(bar)
            if left - 1 <= point.x() <= right + 1:
                return bar
        return None

    def viewportEvent(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            bar = self._bar_at(QPointF(event.pos()))
            QToolTip.showText(event.globalPos(), _words(bar) if bar is not None else "", self.viewport())
            return True
        return super().viewportEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Scroll as far as there are lanes."""
        super().resizeEvent(event)
        self._update_scrolling()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if not self.selection and event.reason() in {Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason}:
            self._step_along(1)
        self.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.viewport().update()

    def _describe(self) -> None:
        bar = self._lanes.bar_of(self.selection)
        self.setAccessibleDescription(_words(bar) if bar is not None else "")


def _words(bar: Bar) -> str:
    took = format_duration_ms(max(0.0, bar.ended_s - bar.began_s - bar.review_s) * 1000)
    word = tr("Planned") if bar.is_planned else STATUS[bar.status].word
    head = f"{bar.number} {bar.step}: {word}" + (f", {bar.note}" if bar.note and not bar.is_planned else "")
    began = format_duration_ms(bar.began_s * 1000)
    if bar.is_planned:
        return tr("{head}\nfrom about {began} on, about {took}", head=head, began=began, took=took)
    return tr("{head}\nfrom {began} on, {took}", head=head, began=began, took=took)


_GROUPINGS: Final = {Grouping.WORKER: tr("By worker"), Grouping.STEP: tr("By step")}


class TimelineView(QWidget):
    """Show what ran when, and what is planned.

    Attributes:
        canvas: The surface with the bars; it takes the focus.
    """

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("timelinePanel")
        set_surface(self, "surface")
        self.setMinimumHeight(96)
        self.canvas = TimelineCanvas()
        self._note = TextLabel("", "caption", "text3")
        self._grouping = SegmentedControl(tuple(_GROUPINGS.values()), tr("Lanes"), height=24)
        self._fit = IconButton("maximize", tr("Show the whole time"), shortcut_hint="F")
        self._zoom_in = IconButton("zoom-in", tr("Zoom in"), shortcut_hint="+")
        self._empty = EmptyState(
            "timer", tr("Nothing has run yet"), tr("Each step will show here as a bar while it runs.")
        )
        self._pages = QStackedWidget()
        self._build()
        lead_focus(self, self.canvas)

    def _build(self) -> None:
        head = PanelHeader(tr("Timeline"), surface="surface")
        head.add_label(self._note)
        for button in (self._grouping, self._fit, self._zoom_in):
            head.add_button(button)
        self._pages.addWidget(self._empty)
        self._pages.addWidget(self.canvas)
        column = vbox(self)
        column.addWidget(head)
        column.addWidget(self._pages, 1)
        self._fit.hide()
        self._fit.clicked.connect(self.canvas.fit)
        self._zoom_in.clicked.connect(self.canvas.zoom_in)
        self._grouping.selected.connect(self._on_grouping_selected)
        self.canvas.zoomed.connect(self._fit.setVisible)
        self.show_bars(Timeline())

    def set_grouping(self, grouping: Grouping) -> None:
        self._grouping.select(list(_GROUPINGS).index(grouping))

    @property
    def room(self) -> VisibleTime:
        """How much of the time is seen where, or will be as soon as there is something to show."""
        # A page that was not shown yet has no size of its own.
        return self.canvas.room_in(self._pages.width())

    def show_bars(self, timeline: Timeline, lanes: Lanes | None = None) -> None:
        """Show other bars; what is seen of the time stays."""
        self._note.setText(timeline.note)
        self.canvas.show_bars(timeline, lanes)
        has_bars = bool(timeline.bars)
        self._pages.setCurrentWidget(self.canvas if has_bars else self._empty)
        for button in (self._grouping, self._fit, self._zoom_in):
            button.setEnabled(has_bars)

    def _on_grouping_selected(self, index: int) -> None:
        self.canvas.set_grouping(list(_GROUPINGS)[index])
