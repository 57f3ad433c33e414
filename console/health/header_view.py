"""The head of the Health page: the range, the statuses, and what can be done with all tools."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction, QResizeEvent

from console.health.rows import STATUSES, Status, StatusCounts, status_word
from console.language import tr
from console.widgets import BarFrame, Button, CompactingRow, Menu, SegmentedControl, TextLabel, format_count

_HEIGHT: Final = 52
_ROOMY: Final = 1060
"""From this width on there is room for the words of all statuses."""

_WIDE: Final = 1240
"""From this width on there is room for the words of those of which nothing is known."""

_LEAST: Final = 760
"""What there must be room for in any case: with words it would keep the window too wide to leave them out."""

EXPORTS: Final = (
    ("png", tr("Picture of the plots…"), tr("PNG picture (*.png)"), "health.png"),
    ("csv", tr("Table…"), tr("Table (*.csv)"), "health.csv"),
    ("json", "JSON…", tr("JSON (*.json)"), "health.json"),
    ("prometheus", tr("Prometheus text…"), tr("Prometheus text (*.prom)"), "health.prom"),
)
"""What can be written to a file: its key, its words, the kind of file, and a name for it."""


class HealthHeader(BarFrame):
    """Let a person choose what the page is about.

    Signals:
        statuses_chosen(tuple): Show tools with these statuses only; empty admits all.
        export_requested(str): Write this to a file, one of the keys of `EXPORTS`.
    """

    span_chosen = Signal(str)
    statuses_chosen = Signal(tuple)
    export_requested = Signal(str)

    def __init__(self, spans: tuple[str, ...]) -> None:
        super().__init__(_HEIGHT, surface="surface", edge="bottom", margins=(20, 20), spacing=8)
        self.setMinimumWidth(_LEAST)
        self._spans = spans
        self._counts = StatusCounts()
        self.span = SegmentedControl(spans, tr("Range"))
        self.status = SegmentedControl(
            (tr("All", "tools"), *(status_word(status) for status in STATUSES)), tr("Status")
        )
        for number, status in enumerate(STATUSES, 1):
            self.status.set_status(number, status)
        self.check = Button(tr("Check now"), icon="refresh-cw")
        self.export = Button(tr("Export"), icon="download")
        self.limits = Button(tr("Thresholds"), icon="sliders-horizontal")
        self.export.setMenu(self._make_menu())
        self._build()
        self.span.selected.connect(self._on_span_selected)
        self.status.selected.connect(self._on_status_selected)
        self.show_counts(StatusCounts())

    def _build(self) -> None:
        self.row.addWidget(TextLabel(tr("Health"), "title"))
        self.row.addSpacing(8)
        self.row.addWidget(self.span)
        self.row.addSpacing(16)
        self.row.addWidget(self.status)
        self.row.addStretch(1)
        actions = (self.check, self.export, self.limits)
        for button in actions:
            self.row.addWidget(button)
        CompactingRow(self, actions)

    def _make_menu(self) -> Menu:
        menu = Menu(tr("Export"), self.export)
        for key, words, _, _ in EXPORTS:
            menu.add_entry(key, words)
        menu.triggered.connect(self._on_menu_triggered)
        return menu

    def set_span(self, span: str) -> None:
        """Show which range is chosen; tells nobody."""
        self.span.blockSignals(True)
        self.span.select(self._spans.index(span))
        self.span.blockSignals(False)

    def set_statuses(self, statuses: tuple[Status, ...]) -> None:
        """Show to which status the tools are narrowed; tells nobody."""
        self.status.blockSignals(True)
        if len(statuses) > 1:
            # Down and degraded together, as the banner asks for, have no choice of their own.
            self.status.select_none()
        else:
            self.status.select(STATUSES.index(statuses[0]) + 1 if statuses else 0)
        self.status.blockSignals(False)

    def show_counts(self, counts: StatusCounts) -> None:
        self._counts = counts
        width = self.width()
        self.status.set_text(0, tr("All {count:,}", count=counts.total))
        for number, (status, count) in enumerate(zip(STATUSES, counts, strict=True), 1):
            word, written = status_word(status), format_count(count)
            has_room = width >= (_WIDE if status == "unknown" else _ROOMY)
            self.status.set_text(number, f"{word} {written}" if has_room else written, f"{word} {written}")

    def show_limits_open(self, *, is_open: bool) -> None:
        self.limits.set_kind("soft" if is_open else "normal")
        self.limits.setAccessibleDescription(tr("open", "state") if is_open else tr("closed", "state"))

    def show_checking(self, *, checking: bool) -> None:
        """Show that tools are being looked at."""
        self.check.setEnabled(not checking)
        self.check.setText(tr("Checking") if checking else tr("Check now"))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leave out words where there is no room for them."""
        super().resizeEvent(event)
        self.show_counts(self._counts)

    def _on_span_selected(self, index: int) -> None:
        self.span_chosen.emit(self._spans[index])

    def _on_status_selected(self, index: int) -> None:
        self.statuses_chosen.emit((STATUSES[index - 1],) if index else ())

    def _on_menu_triggered(self, action: QAction) -> None:
        self.export_requested.emit(action.data())
