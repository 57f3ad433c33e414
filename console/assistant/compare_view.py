"""Two answers to the same, side by side: each with its model, what it took, and how to go on with it."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QElapsedTimer, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QHideEvent
from PySide6.QtWidgets import QWidget

from console.assistant.rows import TokenCount
from console.assistant.thread_view import ThreadView
from console.language import number, tr
from console.widgets import (
    BarFrame,
    Button,
    ElidedLabel,
    ThinSplitter,
    format_count,
    format_duration_ms,
    hbox,
    set_surface,
    vbox,
)

_HEAD: Final = 64
_TICK_MS: Final = 100
_LEAST: Final = 280


class AnswerColumn(QWidget):
    """One of the two conversations.

    Signals:
        stop_requested(): Stop its answer.
        chosen(): Go on with it.
    """

    stop_requested = Signal()
    chosen = Signal()

    def __init__(self, which: str) -> None:
        super().__init__()
        set_surface(self, "surface")
        self.setMinimumWidth(_LEAST)
        self._which = which
        self.model = ElidedLabel("", "heading")
        self.facts = ElidedLabel("", "small", "text2")
        self.stop = Button(tr("Stop"), icon="square")
        self.choose = Button(tr("Continue with this"), icon="check")
        self.messages = ThreadView(can_change=False)
        self._used = TokenCount()
        self._took_s: float | None = None
        self._since_ms = 0
        self._clock = QElapsedTimer()
        self._timer = QTimer(self, interval=_TICK_MS)
        self._timer.timeout.connect(self._follow)
        head = BarFrame(_HEAD, surface="inset", margins=(20, 12))
        words = vbox(spacing=2)
        words.addStretch(1)
        words.addWidget(self.model)
        words.addWidget(self.facts)
        words.addStretch(1)
        head.row.addLayout(words, 1)
        head.row.addWidget(self.stop)
        head.row.addWidget(self.choose)
        column = vbox(self)
        column.addWidget(head)
        column.addWidget(self.messages, 1)
        self.stop.clicked.connect(self.stop_requested)
        self.choose.clicked.connect(self.chosen)

    def show_model(self, model: str) -> None:
        self.model.set_text(model)
        self.setAccessibleName(tr("{which} answer, {model}", which=self._which, model=model))
        self.messages.setAccessibleName(tr("Answer of {model}", model=model))
        self.stop.setAccessibleName(tr("Stop {model}", model=model))
        self.choose.setAccessibleName(tr("Continue with {model}", model=model))

    def show_used(self, used: TokenCount) -> None:
        self._used = used
        self._follow()

    def show_took(self, took_s: float | None) -> None:
        """Show how long the answer took; None when nobody knows."""
        self._took_s = took_s
        self._follow()

    def set_running(self, *, running: bool, since_s: float = 0.0) -> None:
        """Follow whether the model is at work, and count its time.

        Args:
            since_s: Seconds that it has been already.
        """
        if running and not self._timer.isActive():
            self._since_ms = round(since_s * 1000)
            self._clock.start()
            self._timer.start()
        elif not running:
            self._timer.stop()
        self.stop.setVisible(running)
        self.choose.setVisible(not running)
        self._follow()

    def hideEvent(self, event: QHideEvent) -> None:
        """Count no time where nobody sees it."""
        super().hideEvent(event)
        self._timer.stop()

    @Slot()
    def _follow(self) -> None:
        used = self._used
        about = "~" if used.estimated else ""
        facts = [
            tr("{tokens} in", tokens=f"{about}{format_count(used.read)}"),
            tr("{tokens} out", tokens=f"{about}{format_count(used.written)}"),
        ]
        facts += [] if used.cost is None else [f"${number(used.cost, '.4f')}"]
        took_ms = self._since_ms + self._clock.elapsed() if self._timer.isActive() else None
        if took_ms is None and self._took_s is not None:
            took_ms = round(self._took_s * 1000)
        facts += [] if took_ms is None else [format_duration_ms(took_ms)]
        self.facts.set_text(" · ".join(facts))


class CompareView(QWidget):
    """Show two conversations beside each other."""

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName(tr("Two answers side by side"))
        self.columns = (AnswerColumn(tr("First")), AnswerColumn(tr("Second")))
        splitter = ThinSplitter(Qt.Orientation.Horizontal)
        for column in self.columns:
            splitter.addWidget(column)
        splitter.setSizes([1000, 1000])
        hbox(self).addWidget(splitter)
