"""The three plots of the Health page: latency, success rate and calls, beside each other."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QPoint, QSize, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QAction, QGuiApplication, QHideEvent, QImage, QShowEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from console.charts.card import CardValue, ChartCard
from console.health.model import PlotData, counts, legend
from console.health.rows import share_words
from console.language import tr
from console.widgets import IconButton, Menu, format_duration_ms, hbox, vbox

if TYPE_CHECKING:
    from console.charts.tool_plots import Plots


_HEIGHT: Final = 252
_WIDTH: Final = 640
_GAP: Final = 8
_SHARES: Final = (62, 38)
_PICTURE_SCALE: Final = 2
_TURN_MS: Final = 15


class PlotsView(QWidget):
    """Show how one tool did over time, and all tools together beside it.

    It shows empty cards until `make_plots` is gone through. Hidden, it takes in what it is told and draws nothing. What
    is new about the same tool is drawn one plot after the other, with room for keys and clicks between; another tool,
    or another span, at once.

    Signals:
        plots_needed: It is shown for the first time: call `load_numbers` of `console.charts` in another thread, because
            it takes longer than a frame, then `load_plots` and `make_plots`.
        moment_chosen(datetime): Show what ran in the slot that ends at this moment.
        range_zoomed(datetime, datetime): From when to when the plots show now.
        range_reset: They show the whole range again.
        save_requested: Write `image()` to a file of the person's choice.
    """

    plots_needed = Signal()
    moment_chosen = Signal(object)
    range_zoomed = Signal(object, object)
    range_reset = Signal()
    save_requested = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("plots")
        self.setAccessibleName(tr("Plots"))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._shown: PlotData | None = None
        self._is_stale = False
        self._asked = False
        self._plots: Plots | None = None
        self._drawn: PlotData | None = None
        self._to_draw: deque[Callable[[Plots, PlotData], None]] = deque()
        self._turn = QTimer(self, interval=_TURN_MS)
        self._turn.timeout.connect(self._on_turn_timeout)
        self._latency = ChartCard(tr("Latency"), head=32)
        self._success = ChartCard(tr("Success rate"))
        self._calls = ChartCard(tr("Calls"), subject_font="small")
        self._calls.set_subject(tr("all tools"))
        self._reset = IconButton("zoom-out", tr("Show the whole range"), shortcut_hint="0", size=24)
        self._reset.setEnabled(False)
        self._pin = IconButton("pin", tr("Keep the moment marked"), shortcut_hint="P", size=24)
        self._pin.setCheckable(True)
        self._pin.setEnabled(False)
        self._cards = (self._latency, self._success, self._calls)
        self._menu = Menu(tr("Plot"), self)
        self._menu_moment: float | None = None
        self._build()

    def _build(self) -> None:
        row = hbox(self, spacing=_GAP)
        column = vbox(spacing=_GAP)
        column.addWidget(self._success, 1)
        column.addWidget(self._calls, 1)
        row.addWidget(self._latency, _SHARES[0])
        row.addLayout(column, _SHARES[1])
        for button in (self._reset, self._pin):
            self._latency.add_button(button)
        self._menu.triggered.connect(self._on_menu_triggered)
        self.set_loading()

    def show_slots(self, shown: PlotData) -> None:
        """Show what is known; a zoom and the pinned moment stay while tool and span stay."""
        self._shown = shown
        self._latency.set_subject(shown.tool)
        self._success.set_subject(shown.tool)
        self._calls.set_title(shown.calls_title, tr("Calls"))
        self._is_stale = True
        self._draw()

    def set_loading(self) -> None:
        """Say that slots are on their way, unless others are shown that stay until then."""
        if self._shown is None:
            for card in self._cards:
                card.show_notice(tr("Loading"))
            if self._plots is not None:
                self._plots.show_notices(tr("Loading"), tr("Loading"), tr("Loading"))

    def make_plots(self) -> Iterator[None]:
        """Put the plots into their cards, piece by piece: all at once they take longer than a frame."""
        from console.charts.tool_plots import Plots  # noqa: PLC0415 -- it takes long to import, so it was in another thread

        if self._plots is not None:
            return
        plots = Plots(self)
        yield from plots.pieces
        self._plots = plots
        for card, plot in zip(self._cards, plots.widgets, strict=True):
            card.set_plot(plot)
            plot.menu_requested.connect(self._on_plot_menu_requested)
        self._reset.clicked.connect(plots.linked.reset)
        self._pin.clicked.connect(plots.linked.toggle_pin)
        plots.linked.moment_changed.connect(self._show_readings)
        plots.linked.moment_chosen.connect(self._on_linked_moment_chosen)
        plots.linked.zoomed.connect(self._on_linked_zoomed)
        plots.linked.zoom_ended.connect(self._on_linked_zoom_ended)
        plots.linked.pinned.connect(self._on_linked_pinned)
        self._pin.setEnabled(True)
        self._is_stale = self._shown is not None
        self.set_loading()
        self._draw()

    def image(self) -> QImage:
        """Return a picture of the three cards as they are shown, at twice their size."""
        self.draw_now()
        picture = QImage(self.size() * _PICTURE_SCALE, QImage.Format.Format_ARGB32_Premultiplied)
        picture.setDevicePixelRatio(_PICTURE_SCALE)
        picture.fill(Qt.GlobalColor.transparent)
        self.render(picture)
        return picture

    def sizeHint(self) -> QSize:
        return QSize(_WIDTH, _HEIGHT)

    def showEvent(self, event: QShowEvent) -> None:
        """Ask for the plots, and draw what came while they were hidden."""
        super().showEvent(event)
        if not self._asked:
            self._asked = True
            self.plots_needed.emit()
        self._draw()

    def hideEvent(self, event: QHideEvent) -> None:
        """Mark no moment that the cursor has left; shown again, draw at once."""
        super().hideEvent(event)
        self._drawn = None
        if self._plots is not None:
            self._plots.linked.leave()

    def _draw(self) -> None:
        plots, shown = self._plots, self._shown
        if plots is None or shown is None or not self._is_stale or not self.isVisible():
            return
        self._is_stale = False
        self._to_draw = deque((_draw_latency, _draw_success, _draw_calls))
        drawn, self._drawn = self._drawn, shown
        if drawn is not None and (drawn.tool, drawn.span) == (shown.tool, shown.span):
            self._turn.start()
        else:
            self.draw_now()

    def draw_now(self) -> None:
        while self._to_draw:
            self._on_turn_timeout()

    @Slot()
    def _on_turn_timeout(self) -> None:
        plots, shown = self._plots, self._shown
        if plots is None or shown is None or not self._to_draw:
            self._turn.stop()
            return
        now_s = shown.now.timestamp()
        plots.set_frame(now_s - shown.span.length_s, now_s, shown.span.slot_s, subject=shown.tool)
        self._to_draw.popleft()(plots, shown)
        if not self._to_draw:
            self._turn.stop()
            plots.show_notices(*shown.notices)
            self._show_readings()

    def _show_readings(self) -> None:
        plots, shown = self._plots, self._shown
        if plots is None or shown is None:
            return
        moment = plots.linked.moment
        when = shown.when(moment)
        at = shown.newest if moment is None else moment
        latency = {} if at is None else plots.latency.readings_at(at)
        share = None if at is None else plots.success.reading_at(at)
        nothing = [CardValue("", "", tr("no runs"))] if at is not None else []
        self._latency.show_readings(
            when,
            [CardValue(name, name.upper(), format_duration_ms(ms)) for name, ms in latency.items()] or nothing,
        )
        self._success.show_readings(when, nothing if share is None else [CardValue("", "", share_words(share))])
        if moment is None:
            self._calls.show_readings("", legend(plots.calls.callers))
        else:
            self._calls.show_readings(when, counts(plots.calls.reading_at(moment)))
        for card, plot in zip(self._cards, plots.widgets, strict=True):
            plot.setAccessibleName(tr("{title} over time", title=card.title))
            plot.setAccessibleDescription(plot.notice or card.readout.words)

    @Slot(float)
    def _on_linked_moment_chosen(self, moment: float) -> None:
        if self._shown is not None:
            self.moment_chosen.emit(_time(moment + self._shown.span.slot_s))

    @Slot(float, float)
    def _on_linked_zoomed(self, begins_s: float, ends_s: float) -> None:
        self._reset.setEnabled(True)
        self.range_zoomed.emit(_time(begins_s), _time(ends_s))

    @Slot()
    def _on_linked_zoom_ended(self) -> None:
        self._reset.setEnabled(False)
        self.range_reset.emit()

    @Slot(bool)
    def _on_linked_pinned(self, on: bool) -> None:
        self._pin.setChecked(on)
        self._pin.set_name(tr("Let go of the moment") if on else tr("Keep the moment marked"), "P")

    @Slot(object)
    def _on_plot_menu_requested(self, place: QPoint) -> None:
        plots, shown = self._plots, self._shown
        if plots is None or shown is None or shown.is_empty:
            return
        self._menu.clear()
        # The cursor leaves the plot for the menu, and takes the mark with it.
        self._menu_moment = moment = plots.linked.moment
        if moment is not None:
            words = shown.time_of(moment)
            self._menu.add_entry("open", tr("Show the calls at {time}", time=words))
            self._menu.add_entry(
                "pin",
                tr("Let go of {time}", time=words) if plots.linked.is_pinned else tr("Keep {time} marked", time=words),
            )
            self._menu.add_entry("copy", tr("Copy the values at {time}", time=words))
        self._menu.add_entry("copy_all", tr("Copy all values"))
        self._menu.add_entry("save", tr("Save picture…"))
        if plots.linked.is_zoomed:
            self._menu.addSeparator()
            self._menu.add_entry("reset", tr("Show the whole range"))
        self._menu.popup(place)

    @Slot(QAction)
    def _on_menu_triggered(self, action: QAction) -> None:
        plots, shown, moment = self._plots, self._shown, self._menu_moment
        if plots is None or shown is None:
            return
        match action.data():
            case "open" if moment is not None:
                self._on_linked_moment_chosen(moment)
            case "pin":
                plots.linked.pin(None if plots.linked.is_pinned else moment)
            case "copy":
                QGuiApplication.clipboard().setText(shown.table(moment))
            case "copy_all":
                QGuiApplication.clipboard().setText(shown.table())
            case "save":
                self.save_requested.emit()
            case "reset":
                plots.linked.reset()


def _draw_latency(plots: Plots, shown: PlotData) -> None:
    plots.latency.show_slots(plots.linked.frame, shown.slots, shown.limits.p95_ms)


def _draw_success(plots: Plots, shown: PlotData) -> None:
    up, down = shown.limits.success_up, shown.limits.success_down
    plots.success.show_slots(plots.linked.frame, shown.slots, up=up, down=down)


def _draw_calls(plots: Plots, shown: PlotData) -> None:
    plots.calls.show_slots(plots.linked.frame, shown.all_slots)


def _time(at_s: float) -> datetime:
    return datetime.fromtimestamp(at_s, UTC)
