"""A question about a call that stands in the midst of a page, whoever shows it there."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QTimer, Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from console.widgets import vbox

_TICK_MS: Final = 100


class InlineQuestion(QWidget):
    """Show a question in the midst of a page; a subclass has it.

    Signals:
        ticked(): Time has passed, for what conducts the question.
        over(): The question needs no answer any more.
        left(): It is shown here no longer, answered or not.
    """

    ticked = Signal()
    over = Signal()
    left = Signal()

    def __init__(self, view: QWidget, parent: QWidget) -> None:
        super().__init__(parent)
        self._most = 0
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        vbox(self, margins=(1, 0, 1, 1)).addWidget(view)
        self._timer = QTimer(self, interval=_TICK_MS)
        self._timer.timeout.connect(self.ticked)
        self._timer.start()

    def wanted_height(self, width: int) -> int:
        """Return the height that shows everything at a width, in logical pixels."""
        raise NotImplementedError

    def set_most(self, height: int) -> None:
        """Be no higher than this, in logical pixels: what cannot be in sight at once is scrolled, and so is seen."""
        self._most = height
        self.fit()

    def leave(self) -> None:
        self._timer.stop()
        self.left.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.fit()

    @Slot()
    def fit(self) -> None:
        wanted = self.wanted_height(max(1, self.width() - 2)) + 1
        self.setFixedHeight(min(wanted, self._most) if self._most else wanted)
