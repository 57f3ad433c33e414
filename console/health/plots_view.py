"""The three plots of the Health page: latency, success rate and calls, beside each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final, NamedTuple

from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtCore import Slot as QtSlot
from PySide6.QtGui import QAction, QGuiApplication, QHideEvent, QImage, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from console.charts.card import ChartCard, Reading
from console.charts.lines import moment_of
from console.charts.marks import CALLERS, Caller
from console.charts.table import table_of
from console.charts.ticks import moment_text
from console.health.rows import share_words
from console.health.survey import span_words
from console.widgets import IconButton, Menu, format_count, format_duration_ms
from tools.health import SPANS, HealthLimits, Slot, Span

if TYPE_CHECKING:
    from console.charts.plots import Plots

__all__ = ["PlotsView"]

_HEIGHT: Final = 252
_WIDTH: Final = 640
_GAP: Final = 8
_SHARES: Final = (62, 38)
_PICTURE_SCALE: Final = 2


class _Shown(NamedTuple):
    """What the plots show.

    Attributes:
        slots: The tool's, oldest first.
        all_slots: Those of all tools together.
        span: How far back the plots reach.
        now: Where they end.
        limits: The tool's.
        tool: Its name; "" when there is none.
    """

    slots: tuple[Slot, ...]
    all_slots: tuple[Slot, ...]
    span: Span
    now: datetime
    limits: HealthLimits
    tool: str


class PlotsView(QWidget):
    """Show how one tool did over time, and all tools together beside it.

    It shows empty cards until `make_plots` is called. Hidden, it takes in what it is told and draws nothing.

    Args:
        parent: Its owner.

    Signals:
        plots_needed: It is shown for the first time: call `load_plots` of `console.charts` in another thread, because
            it takes longer than a frame, then `make_plots`.
        moment_chosen(datetime): Show what ran about this moment.
        range_zoomed(datetime, datetime): From when to when the plots show now.
        range_reset: They show the whole range again.
        save_requested: Write `image()` to a file of the person's choice.
    """

    plots_needed = Signal()
    moment_chosen = Signal(object)
    range_zoomed = Signal(object, object)
    range_reset = Signal()
    save_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("plots")
        self.setAccessibleName("Plots")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._shown: _Shown | None = None
        self._is_stale = False
        self._asked = False
        self._plots: Plots | None = None
        self._latency = ChartCard("Latency", head=32)
        self._success = ChartCard("Success rate")
        self._calls = ChartCard("Calls", subject_font="small")
        self._calls.set_subject("all tools")
        self._reset = IconButton("zoom-out", "Show the whole range", shortcut_hint="0", size=24)
        self._reset.setEnabled(False)
        self._pin = IconButton("pin", "Keep the moment marked", shortcut_hint="P", size=24)
        self._pin.setCheckable(True)
        self._pin.setEnabled(False)
        self._cards = (self._latency, self._success, self._calls)
        self._menu = Menu("Plot", self)
        self._menu_moment: float | None = None
        self._build()

    def _build(self) -> None:
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(_GAP)
        column = QVBoxLayout()
        column.setSpacing(_GAP)
        column.addWidget(self._success, 1)
        column.addWidget(self._calls, 1)
        row.addWidget(self._latency, _SHARES[0])
        row.addLayout(column, _SHARES[1])
        for button in (self._reset, self._pin):
            self._latency.add_button(button)
        self._menu.triggered.connect(self._on_menu_triggered)
        self.set_loading()

    # What is shown

    def show_slots(
        self,
        slots: Sequence[Slot],
        all_slots: Sequence[Slot],
        *,
        span: Span,
        now: datetime,
        limits: HealthLimits,
        tool: str,
    ) -> None:
        """Show what is known; a zoom and the pinned moment stay while tool and span stay.

        Args:
            slots: The tool's, oldest first; a slot that is missing is a gap.
            all_slots: Those of all tools together.
            span: How far back the plots reach, one of `SPANS`.
            now: Where they end.
            limits: The tool's.
            tool: Its name; "" when there is none to show.
        """
        self._shown = _Shown(tuple(slots), tuple(all_slots), span, now, limits, tool)
        self._latency.set_subject(tool)
        self._success.set_subject(tool)
        self._calls.set_title(f"Calls per {_slot_words(span)}")
        self._is_stale = True
        self._draw()

    def set_loading(self) -> None:
        """Say that slots are on their way, unless others are shown that stay until then."""
        if self._shown is None:
            for card in self._cards:
                card.show_notice("Loading")
            if self._plots is not None:
                self._plots.show_notices("Loading", "Loading", "Loading")

    def make_plots(self) -> None:
        """Put the plots into their cards."""
        from console.charts.plots import Plots  # noqa: PLC0415 -- it takes long to import, so it was in another thread

        if self._plots is not None:
            return
        self._plots = plots = Plots(self)
        for card, plot in zip(self._cards, plots.widgets, strict=True):
            card.set_plot(plot)
            plot.menu_requested.connect(self._on_plot_menu_requested)
        self._reset.clicked.connect(plots.linked.reset)
        self._pin.clicked.connect(plots.linked.toggle_pin)
        plots.linked.moment_changed.connect(self._on_linked_moment_changed)
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
        picture = QImage(self.size() * _PICTURE_SCALE, QImage.Format.Format_ARGB32_Premultiplied)
        picture.setDevicePixelRatio(_PICTURE_SCALE)
        picture.fill(Qt.GlobalColor.transparent)
        self.render(picture)
        return picture

    # Qt

    def sizeHint(self) -> QSize:
        """Return the size of the three cards."""
        return QSize(_WIDTH, _HEIGHT)

    def showEvent(self, event: QShowEvent) -> None:
        """Ask for the plots, and draw what came while they were hidden."""
        super().showEvent(event)
        if not self._asked:
            self._asked = True
            self.plots_needed.emit()
        self._draw()

    def hideEvent(self, event: QHideEvent) -> None:
        """Mark no moment that the cursor has left."""
        super().hideEvent(event)
        if self._plots is not None:
            self._plots.linked.leave()

    # Drawing

    def _draw(self) -> None:
        plots, shown = self._plots, self._shown
        if plots is None or shown is None or not self._is_stale or not self.isVisible():
            return
        self._is_stale = False
        now_s = shown.now.timestamp()
        plots.show_frame(now_s - shown.span.length_s, now_s, shown.span.slot_s, subject=shown.tool)
        limits = shown.limits
        plots.latency.show_slots(shown.slots, limits.p95_ms)
        plots.success.show_slots(shown.slots, up=limits.success_up, down=limits.success_down)
        plots.calls.show_slots(shown.all_slots)
        plots.show_notices(*_notices(shown))
        self._show_readings()

    def _show_readings(self) -> None:
        plots, shown = self._plots, self._shown
        if plots is None or shown is None:
            return
        moment = plots.linked.moment
        marked = "" if moment is None else f"at {moment_text(moment, shown.span.slot_s)}"
        newest = moment_of(shown.slots[-1]) if shown.slots else None
        at = newest if moment is None else moment
        when = marked or _when(newest, shown)
        latency = {} if at is None else plots.latency.readings_at(at)
        share = None if at is None else plots.success.reading_at(at)
        nothing = [Reading("", "", "no runs")] if at is not None else []
        self._latency.show_readings(
            when,
            [Reading(name, name.upper(), format_duration_ms(ms)) for name, ms in latency.items()] or nothing,
        )
        self._success.show_readings(when, nothing if share is None else [Reading("", "", share_words(share))])
        self._calls.show_readings(
            marked,
            _legend(plots.calls.callers) if moment is None else _counts(plots.calls.reading_at(moment)),
        )

        for card, plot in zip(self._cards, plots.widgets, strict=True):
            plot.setAccessibleName(card.title)
            plot.setAccessibleDescription(plot.notice or card.readout.words)

    # Slots

    @QtSlot()
    def _on_linked_moment_changed(self) -> None:
        self._show_readings()

    @QtSlot(float)
    def _on_linked_moment_chosen(self, moment: float) -> None:
        if self._shown is not None:
            self.moment_chosen.emit(_time(moment + self._shown.span.slot_s / 2))

    @QtSlot(float, float)
    def _on_linked_zoomed(self, begins_s: float, ends_s: float) -> None:
        self._reset.setEnabled(True)
        self.range_zoomed.emit(_time(begins_s), _time(ends_s))

    @QtSlot()
    def _on_linked_zoom_ended(self) -> None:
        self._reset.setEnabled(False)
        self.range_reset.emit()

    @QtSlot(bool)
    def _on_linked_pinned(self, on: bool) -> None:
        self._pin.setChecked(on)
        self._pin.set_name("Let go of the moment" if on else "Keep the moment marked", "P")

    # The menu

    @QtSlot(object)
    def _on_plot_menu_requested(self, place: QPoint) -> None:
        plots, shown = self._plots, self._shown
        if plots is None or shown is None or not (shown.slots or shown.all_slots):
            return
        self._menu.clear()
        # The cursor leaves the plot for the menu, and takes the mark with it.
        self._menu_moment = moment = plots.linked.moment
        if moment is not None:
            words = moment_text(moment, shown.span.slot_s)
            self._add_action("open", f"Show the calls at {words}")
            self._add_action("pin", f"Let go of {words}" if plots.linked.is_pinned else f"Keep {words} marked")
            self._add_action("copy", f"Copy the values at {words}")
        self._add_action("copy_all", "Copy all values")
        self._add_action("save", "Save picture…")
        if plots.linked.is_zoomed:
            self._menu.addSeparator()
            self._add_action("reset", "Show the whole range")
        self._menu.popup(place)

    def _add_action(self, key: str, text: str) -> None:
        action = QAction(text, self._menu)
        action.setData(key)
        self._menu.addAction(action)

    @QtSlot(QAction)
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
                QGuiApplication.clipboard().setText(table_of(slot for slot in shown.slots if moment_of(slot) == moment))
            case "copy_all":
                QGuiApplication.clipboard().setText(table_of(shown.slots))
            case "save":
                self.save_requested.emit()
            case "reset":
                plots.linked.reset()


def _time(at_s: float) -> datetime:
    return datetime.fromtimestamp(at_s, UTC)


def _slot_words(span: Span) -> str:
    return "minute" if span.slot_s == 60 else span_words(span.slot_s)


def _when(newest: float | None, shown: _Shown) -> str:
    """Say how old the newest slot is: the one that passes, or the one before, is now."""
    if newest is None:
        return ""
    age_s = shown.now.timestamp() - newest
    return "now" if age_s < 2 * shown.span.slot_s else f"at {moment_text(newest, shown.span.slot_s)}"


def _legend(callers: Sequence[Caller]) -> list[Reading]:
    return [Reading(caller, CALLERS[caller], "") for caller in callers]


def _counts(counts: Mapping[Caller, int]) -> list[Reading]:
    readings = [Reading(caller, CALLERS[caller], format_count(count)) for caller, count in counts.items() if count]
    return readings or [Reading("", "", "no calls")]


def _notices(shown: _Shown) -> tuple[str, str, str]:
    """Say of each plot why there is nothing to see; "" where there is something."""
    name = next(name for name, span in SPANS.items() if span == shown.span)
    ago = "in the last hour" if name == "1 h" else f"in the last {name}"
    if not shown.tool:
        mine = "No tool chosen"
    elif not shown.slots:
        mine = f"No calls {ago}"
    else:
        # Calls that were denied or answered from the cache ran nowhere.
        mine = "" if any(slot.runs for slot in shown.slots) else f"Nothing ran {ago}"
    return mine, mine, "" if shown.all_slots else f"No calls {ago}"
