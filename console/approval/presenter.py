"""Conduct questions with the views that show them, and show the oldest one in a dialog."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any, Final, Protocol

from PySide6.QtCore import QObject, QTimer, Signal, SignalInstance, Slot

from console.approval.approval_queue import MORE_TIME_S, ApprovalQueue
from console.approval.model import (
    ApprovalModel,
    Countdown,
    Ending,
    approval_model,
    caller_gone,
    countdown,
    ending,
    voided,
)
from console.approval.review_aids import AidedViewPort, ReviewAids
from console.responsiveness.ui_throttle import RETRY_MS, ui_throttle
from tools.calls import Advice, Continue, Edit, ExitEarly, ReviewDecision, ReviewRequest

ARMING_S: Final = 0.6
"""How long nothing can be allowed after a question appears, so that a key meant for something else allows nothing."""

ENDING_S: Final = 3.0
"""How long a view says why a question needs no answer any more."""

VOID_S: Final = 10.0
"""How long a view says that a question is void, which nobody expects."""

_SLACK_S: Final = 1.0


class ReviewViewPort(AidedViewPort, Protocol):
    """What shows one question, in a dialog or on the page."""

    @property
    def denied(self) -> SignalInstance:
        """(str, bool): refuse, with a reason; whether to stop the run as well."""

    @property
    def allowed(self) -> SignalInstance:
        """(): go on as asked."""

    @property
    def edit_allowed(self) -> SignalInstance:
        """(object): go on with these arguments."""

    @property
    def answered(self) -> SignalInstance:
        """(str): the answer to a tool's own question."""

    @property
    def advice(self) -> Advice:
        """What the caller is told to do if the call is denied."""

    @property
    def whatever(self) -> tuple[str, ...]:
        """The steps of a plan that are agreed to with whatever arguments."""

    @property
    def dismissed(self) -> SignalInstance:
        """(): the person has read the ending."""

    @property
    def more_time_requested(self) -> SignalInstance:
        """(): leave the question open for longer."""

    @property
    def all_requested(self) -> SignalInstance:
        """(): show all open questions instead."""

    def set_armed(self, *, armed: bool) -> None:
        """Let the call be allowed, or not yet."""

    def show_countdown(self, countdown: Countdown, /) -> None:
        """Show how long the question stays open."""

    def show_position(self, number: int, total: int, /) -> None:
        """Show how many questions wait."""

    def show_objections(self, objections: Mapping[str, str], /) -> None:
        """Show what the tool finds wrong with the edit, by argument; "" stands for all of them."""

    def show_caller_gone(self, fact: str, consequence: str, /) -> None:
        """Say that the caller has given up waiting; empty texts when it waits."""

    def show_ending(self, ending: Ending, /) -> None:
        """Say that the question needs no answer any more."""


class ReviewPresenter(QObject):
    """Stand between one question of the desk and the view that shows it, from `tick` to `tick`.

    Args:
        aid: Follows the view with what is known beyond the question; None lets nothing be remembered.
        clock: Seconds that only grow.

    Signals:
        settled(): The desk has the answer.
        over(): What became of the question without an answer has been read.
    """

    settled = Signal()
    over = Signal()

    def __init__(
        self,
        desk: ApprovalQueue,
        request: ReviewRequest,
        view: ReviewViewPort,
        *,
        aid: Callable[[ReviewRequest, AidedViewPort], ReviewAids] | None = None,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
        clock: Callable[[], float] = time.monotonic,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self.request = request
        self._desk = desk
        self._view = view
        self._now = now
        self._clock = clock
        self._began_s = clock()
        self._armed = False
        self._allowed: Mapping[str, Any] | None = None
        self._closes_at_s: float | None = None
        self._is_done = self._is_closed = False
        self._count_from(request)
        desk.withdrawn.connect(self._on_desk_withdrawn)
        desk.voided.connect(self._on_desk_voided)
        desk.rescheduled.connect(self._on_desk_rescheduled)
        desk.checked.connect(self._on_desk_checked)
        view.denied.connect(self._on_view_denied)
        view.allowed.connect(self._on_view_allowed)
        view.edit_allowed.connect(self._on_view_edit_allowed)
        view.answered.connect(self._on_view_answered)
        view.arguments_edited.connect(self._on_view_arguments_edited)
        view.dismissed.connect(self._on_view_dismissed)
        view.more_time_requested.connect(self.prolong)
        self._aids = aid(request, view) if aid is not None else None
        self._count_down()

    def close(self) -> None:
        """Look at nothing any more: the view goes, answered or not."""
        self._is_closed = True
        if self._aids is not None:
            self._aids.close()

    def prolong(self) -> None:
        """Ask for more time."""
        self._desk.prolong(self.request.id, MORE_TIME_S)

    @property
    def is_ending(self) -> bool:
        """Whether the view only says any more what became of the question."""
        return self._closes_at_s is not None

    def tick(self) -> None:
        """Look at the clock: arm the answers, count down, close what has been read."""
        now_s = self._clock()
        if self._closes_at_s is not None:
            if now_s >= self._closes_at_s:
                self._on_view_dismissed()
            return
        if not self._armed and now_s - self._began_s >= ARMING_S:
            self._armed = True
            self._view.set_armed(armed=True)
        self._count_down()

    def _count_from(self, request: ReviewRequest) -> None:
        """Measure what is left by the clock that only grows, whatever is done to the time of the day."""
        self._left_s = None if request.expires_at is None else (request.expires_at - self._now()).total_seconds()
        self._counted_from_s = self._clock()

    def _count_down(self) -> None:
        left_s = None if self._left_s is None else self._left_s - (self._clock() - self._counted_from_s)
        self._view.show_countdown(countdown(self.request, left_s))

    def _answer(self, decision: ReviewDecision) -> None:
        if self._is_done or self.is_ending:
            return
        self._is_done = True
        if self._aids is None:
            self._settle(decision)
        else:
            self._aids.answer(decision, self._settle)

    def _settle(self, decision: ReviewDecision) -> None:
        self._desk.answer(self.request.id, decision)
        # The view may have gone while the answer was being remembered.
        if not self._is_closed:
            self.close()
            self.settled.emit()

    def _on_desk_withdrawn(self, request_id: str) -> None:
        if self._is_done or self.is_ending or self.request.id != request_id:
            return
        if not self._armed:
            # Nobody has read it yet, as when a person stopped the run of the question before.
            self._on_view_dismissed()
            return
        request = self.request
        # The engine's clock decides when the time is up; the two clocks may differ a little.
        is_late = request.expires_at is not None and (request.expires_at - self._now()).total_seconds() <= _SLACK_S
        self.close()
        self._closes_at_s = self._clock() + ENDING_S
        self._view.show_ending(ending(request, timed_out=is_late))

    def _on_desk_voided(self, request_id: str, why: str) -> None:
        if not self._is_done and self.request.id == request_id:
            self.close()
            self._closes_at_s = self._clock() + VOID_S
            self._view.show_ending(voided(why))

    def _on_desk_rescheduled(self, request_id: str) -> None:
        request = self._desk.request(request_id)
        if request is not None and request_id == self.request.id:
            self.request = request
            self._count_from(request)
            self._count_down()
            self._view.show_caller_gone(*caller_gone(request))

    def _on_view_denied(self, reason: str, stop_run: bool) -> None:
        self._answer(ExitEarly(reason, stop_run=stop_run, advice=self._view.advice))

    def _on_view_allowed(self) -> None:
        if self._armed:
            self._answer(Continue(whatever=self._view.whatever))

    def _on_view_edit_allowed(self, values: Mapping[str, Any]) -> None:
        if self._armed:
            self._allowed = values
            self._desk.check(self.request.id, values)

    def _on_view_answered(self, text: str) -> None:
        if self._armed:
            self._answer(Edit(text))

    def _on_view_arguments_edited(self, values: Mapping[str, Any]) -> None:
        self._allowed = None
        self._desk.check(self.request.id, values)

    def _on_desk_checked(self, request_id: str, values: Mapping[str, Any], objections: Mapping[str, str]) -> None:
        if request_id != self.request.id or self._is_done or self.is_ending:
            return
        is_allowed = self._allowed is not None and self._allowed == values
        if is_allowed:
            self._allowed = None
        if is_allowed and not objections:
            self._answer(Edit(values))
        else:
            self._view.show_objections(objections)

    def _on_view_dismissed(self) -> None:
        if not self._is_done:
            self._is_done = True
            self.over.emit()


_TICK_MS: Final = 100


class ApprovalViewPort(Protocol):
    """One open dialog."""

    @property
    def review(self) -> ReviewViewPort:
        """The question in it."""

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
        open_dialog: Shows a dialog for a question and returns it; it must not block.
        aid: Follows the view of a question with what is known beyond it; None lets nothing be remembered.
        may_open: Whether a dialog may come by itself for a question now; after a no, `look_again` asks once more.
        clock: Seconds that only grow.

    Signals:
        waiting_changed(int): So many questions wait for an answer.
        dimmed(bool): A dialog stands over the window, or none does any more.
        all_requested(): The person wants to see all open questions instead; the dialog has closed without an answer.
    """

    waiting_changed = Signal(int)
    dimmed = Signal(bool)
    all_requested = Signal()

    def __init__(
        self,
        desk: ApprovalQueue,
        open_dialog: Callable[[ApprovalModel], ApprovalViewPort],
        *,
        aid: Callable[[ReviewRequest, AidedViewPort], ReviewAids] | None = None,
        may_open: Callable[[ReviewRequest], bool] = lambda _request: True,
        load_next: Callable[[], bool] = lambda: False,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
        clock: Callable[[], float] = time.monotonic,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._desk = desk
        self._open_dialog = open_dialog
        self._aid = aid
        self._may_open = may_open
        self._load_next = load_next
        self._now = now
        self._clock = clock
        self._open: _Open | None = None
        self._waiting = 0
        self._is_over_window = False
        self._refusal: str | None = None
        self._timer = QTimer(self, interval=_TICK_MS)
        self._timer.timeout.connect(self.tick)
        self._throttle = ui_throttle()
        self._next_timer = QTimer(self, singleShot=True)
        self._next_timer.timeout.connect(self._on_next_timer_timeout)
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
        self._desk.answer_all(ExitEarly(reason))
        if not from_now_on:
            self._refusal = None
        self._rest()

    @Slot()
    def tick(self) -> None:
        if self._open is not None:
            self._open.review.tick()

    def _show_soon(self) -> None:
        """Open the next dialog in a turn of its own: many questions at once keep the window busy with other things."""
        if not self._next_timer.isActive() and any(map(self._may_open, self._desk.open_requests)):
            self._cover()
            # The window paints itself covered before the dialog is made.
            self._throttle.note()
            self._next_timer.start(RETRY_MS)

    @Slot()
    def _on_next_timer_timeout(self) -> None:
        # A question may come before what shows it is loaded: all of it at once would hold the window up.
        if self._throttle.has_to_wait("approval") or self._load_next():
            self._next_timer.start(RETRY_MS)
        else:
            self._show_next()
            self._throttle.note()

    def _cover(self) -> None:
        if not self._is_over_window:
            self._is_over_window = True
            self.dimmed.emit(True)

    def _show_next(self, *, asked_for: bool = False) -> None:
        waiting = self._desk.open_requests
        if self._open is not None:
            return
        request = next(iter(waiting) if asked_for else filter(self._may_open, waiting), None)
        if request is None:
            self._rest()
            return
        self._cover()
        view = self._open_dialog(approval_model(request, self._now(), self._desk.roles.names))
        review = ReviewPresenter(
            self._desk, request, view.review, aid=self._aid, now=self._now, clock=self._clock, parent=self
        )
        self._open = _Open(view, review)
        review.settled.connect(self._on_review_closed)
        review.over.connect(self._on_review_closed)
        view.review.all_requested.connect(self._on_view_all_requested)
        view.review.show_position(1, len(waiting))
        self._timer.start()

    def _rest(self) -> None:
        """Leave the window alone once nothing is shown."""
        if self._open is None and self._is_over_window:
            self._is_over_window = False
            self._timer.stop()
            self.dimmed.emit(False)

    def _close_dialog(self) -> None:
        shown, self._open = self._open, None
        if shown is not None:
            shown.review.close()
            shown.review.deleteLater()
            shown.view.close_now()

    def _on_review_closed(self) -> None:
        self._close_dialog()
        self._show_next()

    def _on_view_all_requested(self) -> None:
        self._close_dialog()
        self.all_requested.emit()
        self._rest()

    def _on_desk_changed(self) -> None:
        if self._refusal is not None and self._desk.open_requests:
            self._desk.answer_all(ExitEarly(self._refusal))
            return
        waiting = self.waiting
        if waiting != self._waiting:
            self._waiting = waiting
            self.waiting_changed.emit(waiting)
        shown = self._open
        if shown is None:
            self._show_soon()
        elif waiting and not shown.review.is_ending:
            shown.view.review.show_position(1, waiting)
