"""The bar below everything: how many tools there are, what runs, what waits."""

from __future__ import annotations

import platform
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QStatusBar, QWidget

from console.theme import theme_of
from console.widgets import Divider, IconLabel, StatusGlyph, StatusName, TextLabel, format_count

_HEALTHS: Final[Mapping[StatusName, str]] = MappingProxyType(
    {
        "up": "at least 95% of their runs succeed in time",
        "degraded": "they fail or take too long too often",
        "down": "less than 80% of their runs succeed",
    }
)


class _Link(IconLabel):
    """Says something, and leads to more about it."""

    clicked = Signal()

    def __init__(self, icon: str) -> None:
        super().__init__(icon, "", "caption")
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Lead to more."""
        self.clicked.emit()


class StatusBar(QStatusBar):
    """The bar below everything.

    Signals:
        waiting_clicked(): The person wants to see the oldest question.
        audit_clicked(): The person wants to know about the audit log.
    """

    waiting_clicked = Signal()
    audit_clicked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFixedHeight(theme_of(self).size.status_bar)
        self.setSizeGripEnabled(False)
        self._tools = TextLabel("", "caption", "text2")
        self._ring = StatusGlyph("running", size=12)
        self._running = TextLabel("", "caption", "text2")
        self._healths = {
            status: (StatusGlyph(status, size=10), TextLabel("", "caption", "text2")) for status in _HEALTHS
        }
        self._failed = IconLabel("puzzle", "")
        self._notice = TextLabel("", "caption", "text2")
        self._waiting = _Link("shield-question-mark")
        self._waiting.clicked.connect(self.waiting_clicked)
        self._audit = _Link("scroll-text")
        self._audit.clicked.connect(self.audit_clicked)
        self.addWidget(self._left(), 1)
        self.addPermanentWidget(self._right())
        self.show_health(0, 0, 0)
        self.show_counts(tools=0, broken=0, running=0, waiting=0)
        self.show_audit(is_on=False, problem="")

    def _left(self) -> QWidget:
        left = QWidget()
        row = QHBoxLayout(left)
        row.setContentsMargins(12, 0, 12, 0)
        row.setSpacing(6)
        row.addWidget(StatusGlyph("unknown", size=10))
        row.addWidget(self._tools)
        self._health_line = _line()
        row.addWidget(self._health_line)
        for glyph, words in self._healths.values():
            row.addWidget(glyph)
            row.addWidget(words)
        self._failed_line = _line()
        self._running_line = _line()
        for widget in (self._failed_line, self._failed, self._running_line, self._ring, self._running):
            row.addWidget(widget)
        row.addSpacing(12)
        # A long notice gives way to what stands at the right; its tooltip has all of it.
        self._notice.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        row.addWidget(self._notice, 1)
        return left

    def _right(self) -> QWidget:
        right = QWidget()
        row = QHBoxLayout(right)
        row.setContentsMargins(0, 0, 12, 0)
        row.setSpacing(8)
        row.addWidget(self._waiting)
        self._waiting_line = _line()
        row.addWidget(self._waiting_line)
        row.addWidget(self._audit)
        self._audit_line = _line()
        row.addWidget(self._audit_line)
        row.addWidget(TextLabel(f"Python {platform.python_version()}", "caption", "text2"))
        return right

    def show_counts(self, *, tools: int, broken: int, running: int, waiting: int) -> None:
        """Show how many tools there are, sources are broken, calls run, and questions are open."""
        self._tools.setText(f"{format_count(tools)} {'tool' if tools == 1 else 'tools'}")
        words = "1 plugin did not load" if broken == 1 else f"{broken} plugins did not load"
        self._failed.show_state("triangle-alert", words, icon_tone="error")
        for widget in (self._failed, self._failed_line):
            widget.setVisible(broken > 0)
        self._running.setText(f"Running {running}")
        for widget in (self._ring, self._running, self._running_line):
            widget.setVisible(running > 0)
        self._waiting.show_state("shield-question-mark", f"{waiting} waiting for approval", "text2", "warn")
        for widget in (self._waiting, self._waiting_line):
            widget.setVisible(waiting > 0)

    @Slot(int, int, int)
    def show_health(self, up: int, degraded: int, down: int) -> None:
        """Show how many tools are up, degraded and down; what is none is not shown."""
        for count, (status, (glyph, words)) in zip((up, degraded, down), self._healths.items(), strict=True):
            words.setText(f"{status.upper()} {format_count(count)}")
            words.setToolTip(f"{format_count(count)} of the tools that ran lately: {_HEALTHS[status]}")
            glyph.setVisible(count > 0)
            words.setVisible(count > 0)
        self._health_line.setVisible(up + degraded + down > 0)

    def show_audit(self, *, is_on: bool, problem: str) -> None:
        """Show whether calls are written into the audit log.

        Args:
            is_on: Whether there is a log.
            problem: Why it cannot be written; empty when all is well.
        """
        if problem:
            self._audit.show_state("scroll-text", "Audit log not written", "error")
        else:
            self._audit.show_state("scroll-text", "Audit log on")
        self._audit.setToolTip(problem or "Every call is written into a log that shows whether somebody changed it")
        for widget in (self._audit, self._audit_line):
            widget.setVisible(is_on)

    @Slot(str)
    def show_notice(self, text: str) -> None:
        """Show one sentence until the next."""
        self._notice.setText(text)
        self._notice.setToolTip(text)


def _line() -> QWidget:
    return Divider(Qt.Orientation.Vertical, length=12)
