"""The Result tab: nothing yet, running, what came of the call, nothing returned, or why it did not succeed."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QHideEvent, QPainter, QPaintEvent, QShowEvent
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from console.execution.banner_view import BannerView
from console.execution.failure_view import FailureView
from console.execution.guard_rows import GuardNotice
from console.execution.rows import CallFailure
from console.json_view import TextView
from console.theme import theme_of
from console.viewers import Content, ContentKind, ContentView
from console.widgets import (
    EmptyState,
    format_count,
    paint_box,
    paint_status,
    paint_text,
    spinner_clock,
)
from tools.calls import Progress

_MANY: Final = 1000
_EMPTY: Final = ("Run the tool to see its result", "Ctrl+Enter runs it with the arguments above.")


class _Progress(QWidget):
    """A ring, how long it runs, what it says it is doing, and how far it is."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._elapsed = ""
        self._progress: Progress | None = None
        self._rate: float | None = None
        self._letters = 0
        self.setFixedHeight(32)
        self.setAccessibleName("Progress")

    def show_elapsed(self, elapsed: str) -> None:
        self._elapsed = elapsed
        self.update()

    def show_progress(self, progress: Progress | None, rate: float | None) -> None:
        self._progress, self._rate = progress, rate
        self._say()

    def show_letters(self, letters: int) -> None:
        self._letters = letters
        self._say()

    def _say(self) -> None:
        self.setAccessibleDescription(self._words())
        self.update()

    def _words(self) -> str:
        progress, parts = self._progress, []
        if progress is not None:
            parts.append(progress.text)
            parts.append(f"{progress.done:g} of {progress.total:g}" if progress.total else f"{progress.done:g}")
        if self._rate is not None:
            parts.append(f"{self._rate:,.3g} a second" if self._rate < _MANY else f"{self._rate:,.0f} a second")
        if self._letters:
            parts.append(f"{format_count(self._letters)} letters so far")
        return " · ".join(part for part in parts if part) or "Running"

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        spinner_clock().set_turning(self, turning=True)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        spinner_clock().set_turning(self, turning=False)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = theme_of(self)
        color = theme.color
        painter = QPainter(self)
        painter.fillRect(self.rect(), color.panel)
        painter.fillRect(0, self.height() - 1, self.width(), 1, color.border)
        paint_status(painter, QRect(20, 9, 14, 14), "running", theme, turn=spinner_clock().turn)
        room = QRect(42, 0, max(0, self.width() - 42 - 20), self.height())
        align = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        paint_text(painter, room, self._elapsed, theme.font("small"), color.text3, align=align)
        words = room.adjusted(0, 0, -280, 0)
        paint_text(painter, words, self._words(), theme.font("small"), color.text2)
        progress = self._progress
        if progress is not None and progress.total:
            track = QRect(room.right() - 260, 14, 180, 4)
            share = min(1.0, max(0.0, progress.done / progress.total))
            paint_box(painter, track, 2, fill=color.pressed)
            paint_box(painter, QRect(track.x(), track.y(), round(track.width() * share), 4), 2, fill=color.accent)


class ResultView(QWidget):
    """Show what came of a call; the result before stays until the next one is there."""

    problem_pressed = Signal(str)
    log_requested = Signal()
    clipboard_requested = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._content: Content | None = None
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        self._running = _Progress(self)
        self._running.hide()
        column.addWidget(self._running)
        self._failure = FailureView(self)
        self._failure.hide()
        column.addWidget(self._failure, 2)
        self._remark = BannerView("Remark", self)
        column.addWidget(self._remark)
        self._stack = QStackedWidget(self)
        column.addWidget(self._stack, 3)
        self._fill_stack()
        self._failure.problem_pressed.connect(self.problem_pressed)
        self._failure.log_requested.connect(self.log_requested)
        self._failure.copy_requested.connect(self.clipboard_requested)

    def _fill_stack(self) -> None:
        self._empty = EmptyState(
            "play", "Run the tool to see its result", "Ctrl+Enter runs it with the arguments above."
        )
        self._nothing = EmptyState(
            "circle-check", "The tool returned nothing", "It ended well and has no value to show."
        )
        self._blank = QWidget()
        self.shown = ContentView("Result", self._stack)
        self.arriving = TextView(self._stack)
        self.arriving.setAccessibleName("Text so far")
        self.arriving.set_wrapped(wrapped=True)
        for widget in (self._empty, self._nothing, self._blank, self.shown, self.arriving):
            self._stack.addWidget(widget)

    @property
    def content(self) -> Content | None:
        """Give what is shown as the result, which may be picked out of it; None when there is none."""
        return self.shown.content if self._content is not None and self.shown.content is not None else self._content

    def show_running(self, *, running: bool) -> None:
        """Say that the tool runs, above what is shown."""
        if self._content is None and not self._failure.isVisibleTo(self):
            fact = ("The tool runs", "Its result is shown here when it ends.") if running else _EMPTY
            self._empty.show_text(*fact)
        if running:
            self._running.show_progress(None, None)
            self._running.show_letters(0)
            self._running.show_elapsed("")
        self._running.setVisible(running)

    def show_elapsed(self, elapsed: str) -> None:
        self._running.show_elapsed(elapsed)

    def show_progress(self, progress: Progress, rate: float | None = None) -> None:
        """Say how far it is.

        Args:
            progress: What the tool says.
            rate: How much it does in a second; None when that is not known.
        """
        self._running.show_progress(progress, rate)

    def begin_text(self) -> None:
        """Begin to show a text that arrives in parts, in place of what was shown."""
        self.arriving.clear()
        self._running.show_letters(0)

    def add_text(self, more: str) -> None:
        """Show a further part of the text, and the failure of the call before no more."""
        self.arriving.append(more)
        self._running.show_letters(len(self.arriving.text))
        self._failure.hide()
        self._stack.show()
        self._stack.setCurrentWidget(self.arriving)

    def show_remark(self, fact: str, reason: str) -> None:
        """Say above the result what must not be missed of it; "" for nothing."""
        self._remark.show_notice(GuardNotice("warn", "skip-forward", fact, reason) if fact else None)

    def show_content(self, content: Content | None, failure: CallFailure | None = None, kept: str = "") -> None:
        """Show what came of a call.

        Args:
            content: Its result; None when there is none.
            failure: Why it did not succeed; None when it did.
            kept: What else was kept of it.
        """
        self._content = content
        self.arriving.clear()
        self._failure.setVisible(failure is not None)
        if failure is not None:
            self._failure.show_failure(failure, kept)
        self.shown.show_content(content)
        self._choose_page(failed=failure is not None)

    def sizeHint(self) -> QSize:
        return QSize(600, 240)

    def _choose_page(self, *, failed: bool) -> None:
        content = self._content
        self._stack.setVisible(content is not None or not failed)
        if content is None:
            self._stack.setCurrentWidget(self._blank if failed else self._empty)
        else:
            self._stack.setCurrentWidget(self._nothing if content.kind is ContentKind.NOTHING else self.shown)
