"""Show the oldest question of the desk, one at a time, and bring the answer back."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any, Final, Protocol

from PySide6.QtCore import QObject, QTimer, Signal, SignalInstance, Slot

from console.approval.desk import ApprovalDesk
from console.approval.model import ApprovalModel, Countdown, Ending, approval_model, countdown, ending
from tools.calls import Continue, Edit, ExitEarly, ReviewDecision, ReviewRequest
from tools.errors import ArgumentsError

__all__ = ["ApprovalPresenter", "ApprovalViewPort"]

ARMING_S: Final = 0.6
"""How long nothing can be allowed after a question appears, so that a key meant for something else allows nothing."""

ENDING_S: Final = 3.0
"""How long the dialog says why a question needs no answer any more."""

_TICK_MS: Final = 100
_SLACK_S: Final = 1.0


class ApprovalViewPort(Protocol):
    """One open dialog."""

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
    def arguments_edited(self) -> SignalInstance:
        """(object): the arguments are these now."""

    @property
    def dismissed(self) -> SignalInstance:
        """(): the person has read the ending."""

    def set_armed(self, *, armed: bool) -> None:
        """Let the call be allowed, or not yet."""

    def show_countdown(self, countdown: Countdown, /) -> None:
        """Show how long the question stays open."""

    def show_position(self, number: int, total: int, /) -> None:
        """Show how many questions wait."""

    def show_objections(self, objections: Mapping[str, str], /) -> None:
        """Show what the tool finds wrong with the edit, by argument; "" stands for all of them."""

    def show_ending(self, ending: Ending, /) -> None:
        """Say that the question needs no answer any more."""

    def activate(self) -> None:
        """Come to the front."""

    def close_now(self) -> None:
        """Close without an answer."""


class _Open:
    """The question that is shown."""

    def __init__(self, request: ReviewRequest, view: ApprovalViewPort, left_s: float | None, began_s: float) -> None:
        self.request = request
        self.view = view
        self.left_s = left_s
        self.began_s = began_s
        self.armed = False
        self.closes_at_s: float | None = None


class ApprovalPresenter(QObject):
    """Ask the person what waits on the desk, oldest first.

    Args:
        desk: Where the questions wait.
        open_dialog: Shows a dialog for a question and returns it; it must not block.
        now: The aware time.
        clock: Seconds that only grow.
        parent: Its owner.

    Signals:
        waiting_changed(int): So many questions wait for an answer.
        opened(): A dialog stands over the window.
        closed(): None does any more.
    """

    waiting_changed = Signal(int)
    opened = Signal()
    closed = Signal()

    def __init__(
        self,
        desk: ApprovalDesk,
        open_dialog: Callable[[ApprovalModel], ApprovalViewPort],
        *,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
        clock: Callable[[], float] = time.monotonic,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._desk = desk
        self._open_dialog = open_dialog
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
        desk.withdrawn.connect(self._on_desk_withdrawn)

    @property
    def waiting(self) -> int:
        """How many questions wait for an answer."""
        return len(self._desk.open_requests)

    @Slot()
    def show_oldest(self) -> None:
        """Bring the open dialog to the front."""
        if self._open is not None:
            self._open.view.activate()
        else:
            self._show_next()

    def deny_all(self, reason: str, *, from_now_on: bool = False) -> None:
        """Refuse every open question.

        Args:
            reason: Why, for the callers.
            from_now_on: Whether every later question is refused too, as when the program ends.
        """
        if from_now_on:
            self._refusal = reason
        self._close_dialog()
        self._refuse_open(reason)
        self._rest()

    @Slot()
    def tick(self) -> None:
        """Look at the clock: arm the answers, count down, close what has been read."""
        shown = self._open
        if shown is None:
            return
        now_s = self._clock()
        if shown.closes_at_s is not None:
            if now_s >= shown.closes_at_s:
                self._close_dialog()
                self._show_next()
            return
        if not shown.armed and now_s - shown.began_s >= ARMING_S:
            shown.armed = True
            shown.view.set_armed(armed=True)
        self._count_down(shown)

    def _count_down(self, shown: _Open) -> None:
        left_s = None if shown.left_s is None else shown.left_s - (self._clock() - shown.began_s)
        shown.view.show_countdown(countdown(shown.request, left_s))

    def _show_next(self) -> None:
        requests = self._desk.open_requests
        if self._open is not None or not requests:
            self._rest()
            return
        if not self._is_over_window:
            self._is_over_window = True
            self.opened.emit()
        request, now = requests[0], self._now()
        left_s = None if request.expires_at is None else (request.expires_at - now).total_seconds()
        view = self._open_dialog(approval_model(request, now))
        shown = self._open = _Open(request, view, left_s, self._clock())
        view.denied.connect(self._on_view_denied)
        view.allowed.connect(self._on_view_allowed)
        view.edit_allowed.connect(self._on_view_edit_allowed)
        view.answered.connect(self._on_view_answered)
        view.arguments_edited.connect(self._on_view_arguments_edited)
        view.dismissed.connect(self._on_view_dismissed)
        view.show_position(1, len(requests))
        self._count_down(shown)
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
            shown.view.close_now()

    def _answer(self, decision: ReviewDecision) -> None:
        shown = self._open
        if shown is None or shown.closes_at_s is not None:
            return
        self._close_dialog()
        self._desk.answer(shown.request.id, decision)
        self._show_next()

    def _refuse_open(self, reason: str) -> None:
        for request in self._desk.open_requests:
            self._desk.answer(request.id, ExitEarly(reason))

    def _objections(self, values: Mapping[str, Any]) -> dict[str, str]:
        """Return what the tool finds wrong with arguments, by argument."""
        shown = self._open
        tool = shown.request.call.tool if shown is not None else None
        if shown is None or tool is None:
            return {}
        call = shown.request.call
        try:
            tool.arguments.validate(call.unmasked(values))
        except ArgumentsError as error:
            found: dict[str, str] = {}
            for problem in map(call.display_problem, error.problems):
                found.setdefault(problem.path.split(".", 1)[0].split("[", 1)[0], str(problem))
            return found
        return {}

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
        elif shown.closes_at_s is None:
            shown.view.show_position(1, waiting)

    def _on_desk_withdrawn(self, request_id: str) -> None:
        shown = self._open
        if shown is None or shown.request.id != request_id:
            return
        expires_at = shown.request.expires_at
        # The engine's clock decides when the time is up; the two clocks may differ a little.
        is_late = expires_at is not None and (expires_at - self._now()).total_seconds() <= _SLACK_S
        shown.closes_at_s = self._clock() + ENDING_S
        shown.view.show_ending(ending(shown.request, timed_out=is_late and not shown.request.call.cancel_requested))

    def _on_view_denied(self, reason: str, stop_run: bool) -> None:
        self._answer(ExitEarly(reason, stop_run=stop_run))

    def _on_view_allowed(self) -> None:
        if self._open is not None and self._open.armed:
            self._answer(Continue())

    def _on_view_edit_allowed(self, values: Mapping[str, Any]) -> None:
        shown = self._open
        if shown is None or not shown.armed:
            return
        objections = self._objections(values)
        if objections:
            shown.view.show_objections(objections)
        else:
            self._answer(Edit(values))

    def _on_view_answered(self, text: str) -> None:
        if self._open is not None and self._open.armed:
            self._answer(Edit(text))

    def _on_view_arguments_edited(self, values: Mapping[str, Any]) -> None:
        if self._open is not None:
            self._open.view.show_objections(self._objections(values))

    def _on_view_dismissed(self) -> None:
        self._close_dialog()
        self._show_next()
