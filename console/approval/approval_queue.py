"""`ApprovalQueue`: the `ReviewHandler` of the window. A question waits here as a value; a dialog is a view of it."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple, Protocol

from PySide6.QtCore import QObject, Qt, QTimer, Signal, Slot

from console.approval.own_roles import OwnRoles
from console.call_events import QuestionDecided, WindowEvent
from console.language import tr, translated
from tools.calls import REVIEW_TIMEOUT_S, OnTimeout, ReviewDecision, ReviewRequest
from tools.errors import ArgumentProblem

MORE_TIME_S: Final = 300.0
"""How much longer a question stays open when a person asks for more time."""

GATHER_MS: Final = 50
"""How long questions gather before they are laid out together, once many are open: nobody reads them as they come, and
whoever looks at all of them is told less often."""

_MANY: Final = 10

_VERBS: Final = {OnTimeout.EXIT_EARLY: tr("Deny"), OnTimeout.FAIL: tr("Fail"), OnTimeout.CONTINUE: tr("Continue")}


class TimeoutPolicy(NamedTuple):
    """What silence means.

    Attributes:
        timeout_s: Seconds until it counts; 0 waits for ever.
        on_timeout: What becomes of the call then.
    """

    timeout_s: float = REVIEW_TIMEOUT_S
    on_timeout: OnTimeout = OnTimeout.EXIT_EARLY

    @property
    def words(self) -> str:
        """The same as a button says it: `Deny after 5 min`."""
        if not self.timeout_s:
            return tr("Wait for an answer")
        minutes = round(self.timeout_s / 60)
        time = tr("{minutes} min", minutes=minutes) if minutes < 60 else tr("{hours} h", hours=minutes // 60)
        return tr("{action} after {time}", action=_VERBS[self.on_timeout], time=time)

    @property
    def key(self) -> str:
        return f"{self.on_timeout}:{self.timeout_s:g}"

    def concerns(self, request: ReviewRequest) -> bool:
        """Say whether it is for a question: one whose tool or rule says nothing else of silence."""
        return request.timeout_s == REVIEW_TIMEOUT_S and request.on_timeout is OnTimeout.EXIT_EARLY


SILENCES: Final = (
    TimeoutPolicy(60.0),
    TimeoutPolicy(),
    TimeoutPolicy(900.0),
    TimeoutPolicy(3_600.0),
    TimeoutPolicy(0.0),
    TimeoutPolicy(REVIEW_TIMEOUT_S, OnTimeout.FAIL),
)
"""What a person can choose. That silence allows anything is for a tool to say, never for everything at once."""


class Reschedule(Protocol):
    """Give an open question another time; on the engine's loop."""

    def __call__(self, request_id: str, left_s: float, on_timeout: OnTimeout | None = None) -> ReviewRequest | None:
        """Return the question as it is then; None when it is not open any more.

        Args:
            left_s: Seconds from now until silence counts; 0 lets it wait for ever.
            on_timeout: What silence means; None leaves it.
        """


class Objections(Protocol):
    """Look whether edited arguments fit; on the engine's loop."""

    def __call__(self, request: ReviewRequest, values: Mapping[str, Any]) -> Sequence[ArgumentProblem]:
        """Return what does not fit, as people may see it."""


class QueuedQuestion(NamedTuple):
    """One open question.

    Attributes:
        loop: The engine's loop, which waits.
    """

    request: ReviewRequest
    loop: asyncio.AbstractEventLoop
    answer: asyncio.Future[ReviewDecision]


class ApprovalQueue(QObject):
    """Keep the open questions in the order they were asked, and hand answers back to the engine.

    `review` runs on the engine's loop; everything else in the window's thread.

    Args:
        roles: The roles of the person who answers; None for none.

    Signals:
        changed(): Questions came or went.
        withdrawn(str): The question with this id needs no answer any more: its time is up, or its call was stopped.
        voided(str, str): The question with this id is void, and why; a new one may follow.
        rescheduled(str): The question with this id stays open for longer than it said at first.
        checked(str, object, object): The question with this id, arguments that it would be answered with, and what does
            not fit of them: words by argument.
        arrived(object): A question for the window's thread; internal.
        left(str): A question that left; internal.
        moved(object): A question with another time, or another number of calls that wait for it; internal.
    """

    changed = Signal()
    withdrawn = Signal(str)
    voided = Signal(str, str)
    rescheduled = Signal(str)
    checked = Signal(str, object, object)
    arrived = Signal(object)
    left = Signal(str)
    moved = Signal(object)
    name = "you"

    def __init__(self, parent: QObject | None = None, *, roles: OwnRoles | None = None) -> None:
        super().__init__(parent)
        self.roles = roles or OwnRoles()
        self._question_by_id: dict[str, QueuedQuestion] = {}
        self._reschedule: Reschedule | None = None
        self._objections: Objections | None = None
        self._silence = TimeoutPolicy()
        # Questions that come at once are laid out together.
        self._arriving: list[QueuedQuestion] = []
        self._layout_timer = QTimer(self, singleShot=True)
        self._layout_timer.timeout.connect(self._lay_out)
        self.arrived.connect(self._on_arrived, Qt.ConnectionType.QueuedConnection)
        self.left.connect(self._on_left, Qt.ConnectionType.QueuedConnection)
        self.moved.connect(self._on_moved, Qt.ConnectionType.QueuedConnection)

    def set_reschedule(self, reschedule: Reschedule) -> None:
        """Set what gives questions another time."""
        self._reschedule = reschedule

    def set_objections(self, objections: Objections) -> None:
        """Set what looks whether edited arguments fit."""
        self._objections = objections

    def follow(self, request: ReviewRequest) -> None:
        """Show an open question as it is by now: more calls wait for its answer, or fewer; on the engine's loop."""
        with contextlib.suppress(RuntimeError):  # the Qt side is gone: the program ends
            self.moved.emit(request)

    def set_silence(self, silence: TimeoutPolicy) -> None:
        """Set what silence means for questions to come whose tool says nothing of it."""
        self._silence = silence

    async def review(self, request: ReviewRequest, /) -> ReviewDecision:
        """Put a question on the desk and wait for its answer; cancelling the wait withdraws it."""
        loop = asyncio.get_running_loop()
        silence = self._silence
        if self._reschedule is not None and silence != TimeoutPolicy() and silence.concerns(request):
            request = self._reschedule(request.id, silence.timeout_s, silence.on_timeout) or request
        answer: asyncio.Future[ReviewDecision] = loop.create_future()
        self.arrived.emit(QueuedQuestion(request, loop, answer))
        try:
            return await answer
        finally:
            with contextlib.suppress(RuntimeError):  # the Qt side is gone: the program ends
                self.left.emit(request.id)

    @property
    def open_requests(self) -> tuple[ReviewRequest, ...]:
        """The open questions, oldest first."""
        return tuple(question.request for question in self._question_by_id.values())

    def request(self, request_id: str) -> ReviewRequest | None:
        """Return an open question; None when it is not open any more."""
        question = self._question_by_id.get(request_id)
        return None if question is None else question.request

    def prolong(self, request_id: str, by_s: float) -> None:
        """Leave a question open for longer; one that waits for ever does so already.

        Args:
            by_s: Seconds more.
        """
        question = self._question_by_id.get(request_id)
        if question is not None and question.request.timeout_s and self._reschedule is not None:
            question.loop.call_soon_threadsafe(self._prolong_on_loop, question.request, by_s)

    def check(self, request_id: str, values: Mapping[str, Any]) -> None:
        """Have the engine look whether arguments fit, for a validator is a tool's own code; `checked` tells of it."""
        question = self._question_by_id.get(request_id)
        if question is not None:
            question.loop.call_soon_threadsafe(self._check_on_loop, question.request, values)

    def _check_on_loop(self, request: ReviewRequest, values: Mapping[str, Any]) -> None:
        found: dict[str, str] = {}
        for problem in () if self._objections is None else self._objections(request, values):
            found.setdefault(problem.path.split(".", 1)[0].split("[", 1)[0], translated(str(problem)))
        with contextlib.suppress(RuntimeError):  # the Qt side is gone: the program ends
            self.checked.emit(request.id, values, found)

    def _prolong_on_loop(self, request: ReviewRequest, by_s: float) -> None:
        if self._reschedule is None or request.expires_at is None:
            return
        left_s = (request.expires_at - datetime.now(UTC)).total_seconds()
        moved = self._reschedule(request.id, max(0.0, left_s) + by_s)
        if moved is not None:
            self.moved.emit(moved)

    def answer(self, request_id: str, decision: ReviewDecision) -> bool:
        """Answer a question.

        Returns:
            Whether it was still open.
        """
        if not self._hand_back(request_id, decision):
            return False
        self.changed.emit()
        return True

    def answer_all(self, decision: ReviewDecision) -> int:
        """Answer every open question alike; return how many that were."""
        count = sum(self._hand_back(request_id, decision) for request_id in tuple(self._question_by_id))
        if count:
            self.changed.emit()
        return count

    def _hand_back(self, request_id: str, decision: ReviewDecision) -> bool:
        question = self._question_by_id.pop(request_id, None)
        if question is not None:
            question.loop.call_soon_threadsafe(_settle, question.answer, decision)
        return question is not None

    def take(self, events: Iterable[WindowEvent]) -> None:
        """Follow what became of questions that were withdrawn."""
        for event in events:
            if isinstance(event, QuestionDecided) and event.void:
                self.voided.emit(event.request_id, event.void)

    @Slot(object)
    def _on_arrived(self, question: QueuedQuestion) -> None:
        self._arriving.append(question)
        if not self._layout_timer.isActive():
            self._layout_timer.start(GATHER_MS if len(self._question_by_id) >= _MANY else 0)

    @Slot()
    def _lay_out(self) -> None:
        arrived, self._arriving = self._arriving, []
        still_open = {question.request.id: question for question in arrived if not question.answer.done()}
        if still_open:
            self._question_by_id.update(still_open)
            self.changed.emit()

    @Slot(object)
    def _on_moved(self, request: ReviewRequest) -> None:
        self._lay_out()
        question = self._question_by_id.get(request.id)
        if question is not None:
            self._question_by_id[request.id] = question._replace(request=request)
            self.rescheduled.emit(request.id)
            self.changed.emit()

    @Slot(str)
    def _on_left(self, request_id: str) -> None:
        self._lay_out()
        if self._question_by_id.pop(request_id, None) is not None:
            self.withdrawn.emit(request_id)
            self.changed.emit()


def _settle(answer: asyncio.Future[ReviewDecision], decision: ReviewDecision) -> None:
    if not answer.done():
        answer.set_result(decision)
