"""The three plots of the Health page: latency, success rate and calls, beside each other."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QVBoxLayout, QWidget

from console.widgets import EmptyState, format_count

if TYPE_CHECKING:
    from tools.health import HealthLimits, Slot, Span

__all__ = ["PlotsView"]


class PlotsView(QWidget):
    """Show how one tool did over time, and all tools together beside it.

    The plots are made when the view is shown for the first time and its page has been painted; what came before waits
    for them. Hidden, it takes in what it is told and draws nothing.

    Args:
        parent: Its owner.

    Signals:
        moment_chosen(datetime): Show what ran about this moment.
        range_zoomed(datetime, datetime): From when to when the plots show now.
        range_reset: They show the whole range again.
    """

    moment_chosen = Signal(object)
    range_zoomed = Signal(object, object)
    range_reset = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("plots")
        self._state = EmptyState("activity", "Loading", "")
        QVBoxLayout(self).addWidget(self._state)

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
        calls = sum(sum(slot.calls.values()) for slot in slots)
        self._state.show_text(tool, f"{format_count(calls)} calls")

    def set_loading(self) -> None:
        """Say that slots are on their way; only until the first ones came for this tool and span."""
        self._state.show_text("Loading", "")

    def image(self) -> QImage:
        """Return a picture of the three cards as they are shown, at twice their size."""
        return self.grab().toImage()
