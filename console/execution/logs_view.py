"""The Logs tab: which levels are shown, the lines, and the way back to the end."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QStackedLayout, QVBoxLayout, QWidget

from console.execution.log_lines import LEVELS
from console.execution.log_view import LogList
from console.widgets import BarFrame, Button, EmptyState, SegmentedControl, TextLabel, format_count

_CHOICES: Final = ("All", "Info and above", "Warnings", "Errors")


class LogsView(QWidget):
    """Show what a tool writes while it runs."""

    count_changed = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._stack = QStackedLayout(self)
        self._empty = EmptyState("scroll-text", "No log lines", "What the tool writes while it runs is shown here.")
        self._stack.addWidget(self._empty)
        page = QWidget()
        self._stack.addWidget(page)
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        bar = BarFrame(36, surface="surface", margins=(12, 12))
        self.levels = SegmentedControl(_CHOICES, "Levels shown", height=24)
        self.levels.selected.connect(self._on_levels_selected)
        self._shown = TextLabel("", "small", "text3")
        self._follow = Button("Follow the end", kind="ghost", icon="arrow-down-to-line")
        self._follow.setToolTip("Go to the newest line and stay there")
        self._follow.hide()
        bar.row.addWidget(self.levels)
        bar.row.addWidget(self._shown)
        bar.row.addStretch(1)
        bar.row.addWidget(self._follow)
        column.addWidget(bar)
        self.list = LogList(page)
        column.addWidget(self.list, 1)
        self._follow.clicked.connect(self.list.follow)
        self.list.follow_changed.connect(self._on_list_follow_changed)
        self.list.count_changed.connect(self._on_list_count_changed)

    def clear(self) -> None:
        self.list.clear()

    def _describe(self) -> None:
        lines = self.list.lines
        if len(lines.levels) == len(LEVELS):
            self._shown.setText("")
            return
        shown = sum(lines.count(level) for level in lines.levels)
        self._shown.setText(f"{format_count(shown)} of {format_count(lines.entries)}")

    def _on_levels_selected(self, index: int) -> None:
        self.list.show_levels(LEVELS[index:])
        self._describe()

    def _on_list_follow_changed(self, following: bool) -> None:
        self._follow.setVisible(not following)

    def _on_list_count_changed(self, count: int) -> None:
        self._stack.setCurrentIndex(1 if count else 0)
        self._describe()
        self.count_changed.emit(count)
