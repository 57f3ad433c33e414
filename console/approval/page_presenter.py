"""What stands behind the Approvals page: the list of open questions, the current one, and decisions about several."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Final

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from console.approval.approval_queue import ApprovalQueue
from console.approval.model import approval_model
from console.approval.page_view import ApprovalsView
from console.approval.presenter import ARMING_S, ReviewPresenter
from console.approval.queue_rows import QueueShape, batch_of
from console.approval.queue_table_model import QueueModel
from console.approval.review_aids import AidedViewPort, ReviewAids
from console.language import tr, tr_count
from tools.calls import Continue, ExitEarly, ReviewDecision, ReviewRequest

_TICK_MS: Final = 100
_TICKS_A_SECOND: Final = 10
_ONE_TOOL: Final = tr("Only calls of one tool are decided together: {tool} is picked already")


class ApprovalsPresenter(QObject):
    """Keep the page in step with the desk while somebody looks at it.

    Args:
        aid: Follows the view of a question with what is known beyond it; None lets nothing be remembered.
        clock: Seconds that only grow.

    Signals:
        denial_asked(int): So many open questions are to be denied at once; whoever asks first answers them.
    """

    noticed = Signal(str)
    denial_asked = Signal(int)

    def __init__(
        self,
        desk: ApprovalQueue,
        model: QueueModel,
        view: ApprovalsView,
        *,
        aid: Callable[[ReviewRequest, AidedViewPort], ReviewAids] | None = None,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
        clock: Callable[[], float] = time.monotonic,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._desk = desk
        self._model = model
        self._view = view
        self._aid = aid
        self._now = now
        self._clock = clock
        self._review: ReviewPresenter | None = None
        self._batch: tuple[str, ...] = ()
        self._batch_began_s = 0.0
        self._is_shown = False
        self._ticks = 0
        self._timer = QTimer(self, interval=_TICK_MS)
        self._timer.timeout.connect(self.tick)
        desk.changed.connect(self._on_desk_changed)
        view.shown.connect(self._on_view_shown)
        view.hidden.connect(self._on_view_hidden)
        view.queue.chosen.connect(self._on_view_chosen)
        view.stepped.connect(self._on_view_stepped)
        view.pick_requested.connect(self._on_view_pick_requested)
        view.unpick_requested.connect(self._on_view_unpick_requested)
        view.more_time_requested.connect(self._on_view_more_time_requested)
        view.deny_all.clicked.connect(self._on_view_deny_all_requested)
        view.queue.shape_changed.connect(self._on_queue_shape_changed)
        self._on_desk_changed()

    @property
    def current(self) -> ReviewRequest | None:
        """The question that is shown whole; None for none."""
        return None if self._review is None else self._review.request

    def close(self) -> None:
        """Let go of the question that is shown."""
        self._timer.stop()
        self._drop_review()

    @Slot()
    def tick(self) -> None:
        """Look at the clock: arm the answers, count down."""
        self._ticks = (self._ticks + 1) % _TICKS_A_SECOND
        if not self._ticks:
            self._model.tick()
        if self._review is not None:
            self._review.tick()
        if self._view.batch is not None and self._clock() - self._batch_began_s >= ARMING_S:
            self._view.batch.set_armed(armed=True)

    def _show_current(self) -> None:
        """Show what is picked, else the question that is current in the list."""
        if not self._is_shown:
            return
        picked = tuple(row.id for row in self._model.picked)
        if len(picked) > 1:
            if picked != self._batch:
                self._show_batch(picked)
            return
        self._batch = ()
        request = self._desk.request(self._view.queue.current_id)
        if request is None:
            self._drop_review()
            self._view.show_nothing()
        elif self._review is None or self._review.request.id != request.id:
            self._show_review(request)

    def _show_review(self, request: ReviewRequest) -> None:
        self._drop_review()
        view = self._view.show_review(approval_model(request, self._now(), self._desk.roles.names))
        review = ReviewPresenter(
            self._desk, request, view, aid=self._aid, now=self._now, clock=self._clock, parent=self
        )
        review.settled.connect(self._on_review_done)
        review.over.connect(self._on_review_done)
        self._review = review

    def _show_batch(self, picked: tuple[str, ...]) -> None:
        self._drop_review()
        self._batch = picked
        self._batch_began_s = self._clock()
        view = self._view.show_batch(batch_of(self._model.picked))
        view.denied.connect(self._on_batch_denied)
        view.allow.clicked.connect(self._on_batch_allowed)
        view.dropped.connect(self._on_view_unpick_requested)

    def _drop_review(self) -> None:
        review, self._review = self._review, None
        if review is not None:
            review.close()
            review.deleteLater()

    def _decide_batch(self, decision: ReviewDecision) -> None:
        count = sum(self._desk.answer(request_id, decision) for request_id in self._batch)
        self._model.drop_picked()
        self.noticed.emit(
            tr_count(count, "1 call denied", "{count} calls denied")
            if isinstance(decision, ExitEarly)
            else tr_count(count, "1 call allowed", "{count} calls allowed")
        )
        self._view.queue.focus_list()
        self._show_current()

    @Slot()
    def _on_desk_changed(self) -> None:
        requests = self._desk.open_requests
        self._model.set_requests(requests)
        self._view.show_waiting(len(requests))
        if self._is_shown:
            self._view.queue.choose_first()
            if self._review is None or not self._review.is_ending:
                self._show_current()

    @Slot()
    def _on_review_done(self) -> None:
        self._drop_review()
        self._show_current()

    @Slot()
    def _on_view_shown(self) -> None:
        self._is_shown = True
        self._timer.start()
        self._on_desk_changed()

    @Slot()
    def _on_view_hidden(self) -> None:
        self._is_shown = False
        self._timer.stop()
        self._batch = ()
        self._model.drop_picked()
        self._drop_review()
        self._view.show_nothing()

    @Slot(str)
    def _on_view_chosen(self, _request_id: str) -> None:
        # The row of a question that ended leaves the list at once; what became of it is still to be read.
        if self._review is None or not self._review.is_ending:
            self._show_current()

    @Slot()
    def _on_view_stepped(self) -> None:
        if self._review is not None and self._review.is_ending:
            self._drop_review()

    @Slot(str)
    def _on_view_pick_requested(self, request_id: str) -> None:
        if self._model.toggle_picked(request_id):
            self._show_current()
        else:
            self.noticed.emit(_ONE_TOOL.format(tool=self._model.picked[0].tool))

    @Slot()
    def _on_view_unpick_requested(self) -> None:
        self._model.drop_picked()
        self._view.queue.focus_list()
        self._show_current()

    @Slot()
    def _on_view_more_time_requested(self) -> None:
        if self._review is not None:
            self._review.prolong()

    @Slot()
    def _on_view_deny_all_requested(self) -> None:
        self.denial_asked.emit(len(self._desk.open_requests))

    @Slot(object)
    def _on_queue_shape_changed(self, shape: QueueShape) -> None:
        self._model.set_shape(shape)
        self._view.queue.show_shape(shape)
        self._view.queue.choose_first()
        self._show_current()

    @Slot(str, bool)
    def _on_batch_denied(self, reason: str, stop_run: bool) -> None:
        self._decide_batch(ExitEarly(reason, stop_run=stop_run))

    @Slot()
    def _on_batch_allowed(self) -> None:
        self._decide_batch(Continue())
