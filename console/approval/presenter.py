"""Show the oldest question of the desk in a dialog, one at a time, as long as the person looks at the window."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Final, Protocol

from PySide6.QtCore import QObject, QTimer, Signal, SignalInstance, Slot

from console.approval.approval_queue import ApprovalQueue
from console.approval.model import ApprovalModel, approval_model
from console.approval.review_aids import AidedViewPort, ReviewAids
from console.approval.review_presenter import ReviewPresenter, ReviewViewPort
from tools.calls import ExitEarly, ReviewRequest

_TICK_MS: Final = 100


class ApprovalViewPort(ReviewViewPort, Protocol):
    """One open dialog."""

    @property
    def all_requested(self) -> SignalInstance:
        """(): show all open questions instead."""

    def show_position(self, number: int, total: int, /) -> None:
        """Show how many questions wait."""

    def activate(self) -> None:
        """Come to the front."""

    def close_now(self) -> None:
        """Close without an answer."""


class _Open:
    """The dialog that is shown, and what conducts its question."""

    def __init__(self, view: ApprovalViewPort, review: ReviewPresenter) -> None:
        self.view = view
        self.review = review


class ApprovalPresenter(QObject):
    """Ask the person what waits on the desk, oldest first.

    Args:
        desk: Where the questions wait.
        open_dialog: Shows a dialog for a question and returns it; it must not block.
        aid: Follows the view of a question with what is known beyond it; None lets nothing be remembered.
        may_open: Whether a dialog may come by itself for a question now; after a no, `look_again` asks once more.
        now: The aware time.
        clock: Seconds that only grow.
        parent: Its owner.

    Signals:
        waiting_changed(int): So many questions wait for an answer.
        opened(): A dialog stands over the window.
        closed(): None does any more.
        all_requested(): The person wants to see all open questions instead; the dialog has closed without an answer.
    """

    waiting_changed = Signal(int)
    opened = Signal()
    closed = Signal()
    all_requested = Signal()

    def __init__(
        self,
        desk: ApprovalQueue,
        open_dialog: Callable[[ApprovalModel], ApprovalViewPort],
        *,
        aid: Callable[[ReviewRequest, AidedViewPort], ReviewAids] | None = None,
        may_open: Callable[[ReviewRequest], bool] = lambda _request: True,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
        clock: Callable[[], float] = time.monotonic,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._desk = desk
        self._open_dialog = open_dialog
        self._aid = aid
        self._may_open = may_open
        self._now = now
        self._clock = clock
        self._open: _Open | None = None
        self._waiting = 0
        self._is_over_window = False
        self._refusal: str | None = None
        self._timer = QTimer(self)
        self._timer.setInterval(_TICK_MS)
        self._timer.timeout.connect(self.tick)
        desk.changed.connect(self._on_desk_changed)

    @property
    def waiting(self) -> int:
        """How many questions wait for an answer."""
        return len(self._desk.open_requests)

    @Slot()
    def show_oldest(self) -> None:
        """Bring the open dialog to the front, or open one for the oldest question: the person asks for it."""
        if self._open is not None:
            self._open.view.activate()
        else:
            self._show_next(asked_for=True)

    @Slot()
    def look_again(self) -> None:
        """Open a dialog if something waits and one may come now."""
        self._show_next()

    def deny_all(self, reason: str, *, from_now_on: bool = False) -> None:
        """Refuse every open question.

        Args:
            reason: Why, for the callers.
            from_now_on: Whether every later question is refused too, as when the program ends.
        """
        self._refusal = reason
        self._close_dialog()
        self._refuse_open(reason)
        if not from_now_on:
            self._refusal = None
        self._rest()

    @Slot()
    def tick(self) -> None:
        """Look at the clock."""
        if self._open is not None:
            self._open.review.tick()

    def _show_next(self, *, asked_for: bool = False) -> None:
        waiting = self._desk.open_requests
        if self._open is not None:
            return
        requests = waiting if asked_for else tuple(filter(self._may_open, waiting))
        if not requests:
            self._rest()
            return
        if not self._is_over_window:
            self._is_over_window = True
            self.opened.emit()
        request = requests[0]
        view = self._open_dialog(approval_model(request, self._now()))
        review = ReviewPresenter(
            self._desk, request, view, aid=self._aid, now=self._now, clock=self._clock, parent=self
        )
        self._open = _Open(view, review)
        review.settled.connect(self._on_review_closed)
        review.over.connect(self._on_review_closed)
        view.all_requested.connect(self._on_view_all_requested)
        view.show_position(1, len(waiting))
        self._timer.start()

    def _rest(self) -> None:
        """Leave the window alone once nothing is shown."""
        if self._open is None and self._is_over_window:
            self._is_over_window = False
            self._timer.stop()
            self.closed.emit()

    def _close_dialog(self) -> None:
        shown, self._open = self._open, None
        if shown is not None:
            shown.review.close()
            shown.review.deleteLater()
            shown.view.close_now()

    def _refuse_open(self, reason: str) -> None:
        for request in self._desk.open_requests:
            self._desk.answer(request.id, ExitEarly(reason))

    def _on_review_closed(self) -> None:
        self._close_dialog()
        self._show_next()

    def _on_view_all_requested(self) -> None:
        self._close_dialog()
        self.all_requested.emit()
        self._rest()

    def _on_desk_changed(self) -> None:
        if self._refusal is not None and self._desk.open_requests:
            self._refuse_open(self._refusal)
            return
        waiting = self.waiting
        if waiting != self._waiting:
            self._waiting = waiting
            self.waiting_changed.emit(waiting)
        shown = self._open
        if shown is None:
            self._show_next()
        elif waiting and not shown.review.is_ending:
            shown.view.show_position(1, waiting)
