"""Definitions that are not what was approved: what changed, and whether it shall run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QSizePolicy, QStackedWidget, QVBoxLayout, QWidget

from console.comparison.lines import TextDifference
from console.comparison.text_view import DifferenceText
from console.servers.log_view import LogCard, LogModel
from console.servers.rows import DefinitionChangeRow
from console.theme import theme_of
from console.widgets import (
    Badge,
    BarFrame,
    Button,
    ElidedLabel,
    EmptyState,
    IconButton,
    IconLabel,
    SegmentedControl,
    TextLabel,
    ThinSplitter,
    paint_box,
)

_ALL_UP_TO: Final = 2


class _Warning(QFrame):
    """Say how many definitions changed, and offer to decide about all of them."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.fact = ElidedLabel("", "heading")
        self.consequence = ElidedLabel("", "small", "text2")
        self.keep = Button("Keep paused")
        self.approve = Button("Approve", kind="primary", icon="check")
        row = QHBoxLayout(self)
        row.setContentsMargins(14, 8, 12, 8)
        row.setSpacing(8)
        row.addWidget(IconLabel("file-diff", "", tone="warn", size=16))
        row.addSpacing(6)
        words = QVBoxLayout()
        words.setSpacing(0)
        words.addWidget(self.fact)
        words.addWidget(self.consequence)
        row.addLayout(words, 1)
        row.addWidget(self.keep)
        row.addWidget(self.approve)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = theme_of(self)
        tone = theme.status.warn
        paint_box(QPainter(self), self.rect(), theme.radius.medium, fill=tone.soft, border=tone.border)


class DefinitionChangesView(QWidget):
    """Show each change beside what was approved, and take the decision.

    Args:
        log: The lines of the server's log, shown below.
        parent: Its owner.

    Signals:
        change_shown(str): The change of this tool came into sight; `show_difference` takes how both definitions differ.
        approve_requested(tuple): These tools may run as they are defined now.
        block_requested(str): This tool shall not run, whatever it becomes.
        kept: All of them stay paused.
        log_save_requested: The log shall be written to a file.
    """

    change_shown = Signal(str)
    approve_requested = Signal(tuple)
    block_requested = Signal(str)
    kept = Signal()
    log_save_requested = Signal()

    def __init__(self, log: LogModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rows: tuple[DefinitionChangeRow, ...] = ()
        self._place = 0
        self.warning = _Warning(self)
        self._pages = QStackedWidget(self)
        self._shown = QWidget(self._pages)
        self._split = ThinSplitter(Qt.Orientation.Vertical, self._shown)
        self._places = [QWidget(self._split) for _ in range(2)]
        self._card = QFrame(self._places[0])
        self.text = DifferenceText(self._card)
        self.text.setAccessibleName("Changes of the definition")
        self.shape = SegmentedControl(("Unified", "Side by side"), "How the definitions are compared", height=24)
        self.block = Button("Block this tool", kind="danger", icon="ban")
        self.approve = Button("Approve", icon="check")
        self.log = LogCard(log, brief=True, parent=self._places[1])
        self._build()
        self.warning.keep.clicked.connect(self.kept)
        self.warning.approve.clicked.connect(self._on_warning_approve_clicked)
        self.shape.selected.connect(self._on_shape_selected)
        self.approve.clicked.connect(self._on_approve_clicked)
        self.block.clicked.connect(self._on_block_clicked)
        self.log.save_requested.connect(self.log_save_requested)
        self.show_changes(())

    def _build(self) -> None:
        column = QVBoxLayout(self._shown)
        column.setContentsMargins(20, 12, 20, 16)
        column.setSpacing(12)
        column.addWidget(self.warning)
        split = self._split
        parts = ((self._make_card(), (0, 0, 0, 6)), (self.log, (0, 6, 0, 0)))
        for place, (part, margins) in zip(self._places, parts, strict=True):
            around = QVBoxLayout(place)
            around.setContentsMargins(*margins)
            around.addWidget(part)
            split.addWidget(place)
        split.setStretchFactor(0, 3)
        split.setStretchFactor(1, 2)
        self.log.setMinimumHeight(100)
        column.addWidget(split, 1)
        none = EmptyState(
            "shield-check",
            "No definition changed",
            "What each tool says of itself is compared with what you approved, whenever the server lists its tools.",
        )
        self._pages.addWidget(self._shown)
        self._pages.addWidget(none)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(self._pages)

    def _make_card(self) -> QFrame:
        foot = BarFrame(44, surface="surface", edge="top", margins=(12, 8))
        self._consequence = ElidedLabel("", "small", "text2")
        foot.row.addWidget(self._consequence, 1)
        foot.row.addWidget(self.block)
        foot.row.addWidget(self.approve)
        card = self._card
        card.setProperty("card", "true")
        card.setMinimumHeight(160)
        inside = QVBoxLayout(card)
        inside.setContentsMargins(1, 1, 1, 1)
        inside.setSpacing(0)
        inside.addWidget(self._make_head())
        inside.addWidget(self.text, 1)
        inside.addWidget(foot)
        return card

    def _make_head(self) -> BarFrame:
        self._picture = IconLabel("wrench", "")
        self._tool = TextLabel("", "heading")
        self._parts = TextLabel("", "small", "text2")
        self._danger = Badge("", icon="triangle-alert", tone="warn")
        self._position = TextLabel("", "small", "text2")
        self._before = IconButton("chevron-left", "Previous change")
        self._after = IconButton("chevron-right", "Next change")
        self._before.clicked.connect(self._on_before_clicked)
        self._after.clicked.connect(self._on_after_clicked)
        head = BarFrame(36, surface="inset", margins=(12, 8))
        for part in (self._picture, self._tool, self._parts, self._danger):
            head.row.addWidget(part)
        head.row.addStretch(1)
        for control in (self._position, self._before, self._after, self.shape):
            head.row.addWidget(control)
        return head

    @property
    def rows(self) -> tuple[DefinitionChangeRow, ...]:
        """Give the changes in sight."""
        return self._rows

    @property
    def current(self) -> DefinitionChangeRow | None:
        """Give the change in sight; None for none."""
        return self._rows[self._place] if self._rows else None

    def show_changes(self, rows: Sequence[DefinitionChangeRow]) -> None:
        """Show what changed; the tool in sight stays if it is still there."""
        before = self.current
        if tuple(rows) == self._rows and before is not None:
            return
        self._rows = tuple(rows)
        places = {row.tool: place for place, row in enumerate(self._rows)}
        self._place = places.get(before.tool, 0) if before is not None else 0
        self._pages.setCurrentIndex(0 if self._rows else 1)
        if self._rows:
            self._show_warning()
            self._show_current()

    def show_difference(self, tool: str, difference: TextDifference) -> None:
        """Show how both definitions of a tool differ, if it is still in sight."""
        if self.current is not None and self.current.tool == tool:
            self.text.show_difference(difference)

    def _show_warning(self) -> None:
        rows = self._rows
        count = len(rows)
        what = "1 definition" if count == 1 else f"{count:,} definitions"
        since = {row.approved_on for row in rows}
        when = f" on {since.pop()}" if len(since) == 1 and rows[0].approved_on else ""
        self.warning.fact.set_text(f"{what} changed since you approved {'it' if count == 1 else 'them'}{when}.")
        names = (
            " and ".join(row.tool for row in rows) if count <= _ALL_UP_TO else f"{rows[0].tool} and {count - 1} others"
        )
        verb = "is" if count == 1 else "are"
        self.warning.consequence.set_text(f"{names} {verb} paused until you review {'it' if count == 1 else 'them'}.")
        self.warning.keep.setVisible(any(not row.is_blocked for row in rows))
        every = "both" if count == _ALL_UP_TO else "all"
        self.warning.approve.setText("Approve" if count == 1 else f"Approve {every}")
        self.warning.approve.updateGeometry()

    def _show_current(self) -> None:
        row = self._rows[self._place]
        self._picture.show_picture(row.picture)
        self._tool.setText(row.tool)
        self._parts.setText(row.parts)
        self._danger.set_text(row.danger)
        self._danger.setVisible(bool(row.danger))
        several = len(self._rows) > 1
        self._position.setText(f"{self._place + 1} of {len(self._rows)}")
        for part in (self._position, self._before, self._after):
            part.setVisible(several)
        self._before.setEnabled(self._place > 0)
        self._after.setEnabled(self._place < len(self._rows) - 1)
        self._consequence.set_text(row.consequence)
        self.block.setVisible(not row.is_blocked)
        self.approve.setText(f"Approve {row.tool}" if len(row.tool) <= 32 else "Approve this tool")
        self.approve.updateGeometry()
        self.text.show_difference(None)
        self.change_shown.emit(row.tool)

    def _step(self, step: int) -> None:
        self._place = min(max(0, self._place + step), len(self._rows) - 1)
        self._show_current()

    def _on_before_clicked(self) -> None:
        self._step(-1)

    def _on_after_clicked(self) -> None:
        self._step(1)

    def _on_shape_selected(self, index: int) -> None:
        self.text.set_side_by_side(side_by_side=index == 1)

    def _on_warning_approve_clicked(self) -> None:
        self.approve_requested.emit(tuple(row.tool for row in self._rows))

    def _on_approve_clicked(self) -> None:
        if self.current is not None:
            self.approve_requested.emit((self.current.tool,))

    def _on_block_clicked(self) -> None:
        if self.current is not None:
            self.block_requested.emit(self.current.tool)
