"""The timeline of a run with its head: how to read it, by what lanes are told apart, zoom."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from console.batch.timeline_axis import Lanes, VisibleTime
from console.batch.timeline_canvas_view import TimelineCanvas
from console.batch.timeline_rows import Grouping, Timeline
from console.widgets import EmptyState, IconButton, PanelHeader, SegmentedControl, TextLabel, set_surface

_GROUPINGS: Final = {Grouping.WORKER: "By worker", Grouping.STEP: "By step"}


class TimelineView(QWidget):
    """Show what ran when, and what is planned.

    Args:
        parent: Its owner.

    Attributes:
        canvas: The surface with the bars; it takes the focus.

    Signals:
        selected(str): Another step was selected here.
        opened(str): More about this step is wanted.
        grouping_chosen(str): Lanes are told apart by this now, a value of `Grouping`.
    """

    selected = Signal(str)
    opened = Signal(str)
    grouping_chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("timelinePanel")
        set_surface(self, "surface")
        self.setMinimumHeight(96)
        self.canvas = TimelineCanvas()
        self._note = TextLabel("", "caption", "text3")
        self._grouping = SegmentedControl(tuple(_GROUPINGS.values()), "Lanes", height=24)
        self._fit = IconButton("maximize", "Show the whole time", shortcut_hint="F")
        self._zoom_in = IconButton("zoom-in", "Zoom in", shortcut_hint="+")
        self._empty = EmptyState("timer", "Nothing has run yet", "Each step will show here as a bar while it runs.")
        self._pages = QStackedWidget()
        self._build()
        self.setFocusProxy(self.canvas)

    def _build(self) -> None:
        head = PanelHeader("Timeline", surface="surface")
        head.add_label(self._note)
        for button in (self._grouping, self._fit, self._zoom_in):
            head.add_button(button)
        self._pages.addWidget(self._empty)
        self._pages.addWidget(self.canvas)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(head)
        column.addWidget(self._pages, 1)
        self._fit.hide()
        self._fit.clicked.connect(self.canvas.fit)
        self._zoom_in.clicked.connect(self.canvas.zoom_in)
        self._grouping.selected.connect(self._on_grouping_selected)
        self.canvas.selected.connect(self.selected)
        self.canvas.opened.connect(self.opened)
        self.canvas.zoomed.connect(self._fit.setVisible)
        self.show_bars(Timeline())

    @property
    def grouping(self) -> Grouping:
        """By what lanes are told apart."""
        return self.canvas.grouping

    def set_grouping(self, grouping: Grouping) -> None:
        """Tell lanes apart by something else."""
        self._grouping.select(list(_GROUPINGS).index(grouping))

    @property
    def room(self) -> VisibleTime:
        """How much of the time is seen where, or will be as soon as there is something to show."""
        # A page that was not shown yet has no size of its own.
        return self.canvas.room_in(self._pages.width())

    def show_bars(self, timeline: Timeline, lanes: Lanes | None = None) -> None:
        """Show other bars; what is seen of the time stays.

        Args:
            timeline: The bars.
            lanes: The lines that they stand in, when they are made already.
        """
        self._note.setText(timeline.note)
        self.canvas.show_bars(timeline, lanes)
        has_bars = bool(timeline.bars)
        self._pages.setCurrentWidget(self.canvas if has_bars else self._empty)
        for button in (self._grouping, self._fit, self._zoom_in):
            button.setEnabled(has_bars)

    def fit(self) -> None:
        """Show the whole time."""
        self.canvas.fit()

    def select(self, step: str) -> None:
        """Select a step, and bring it into sight; empty selects none."""
        self.canvas.select(step)

    def _on_grouping_selected(self, index: int) -> None:
        grouping = list(_GROUPINGS)[index]
        self.canvas.set_grouping(grouping)
        self.grouping_chosen.emit(grouping.value)
