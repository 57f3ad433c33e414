"""`ApprovalDesk`: the console's `ReviewHandler`. A question waits here as a value; a dialog is only a view of it."""

from __future__ import annotations

import asyncio
import contextlib
from typing import NamedTuple

from PySide6.QtCore import QObject, Qt, Signal, Slot

from tools.calls import ReviewDecision, ReviewRequest


class Question(NamedTuple):
    """One open question.

    Attributes:
        request: What is asked.
        loop: The engine's loop, which waits.
        answer: Receives the decision.
    """

    request: ReviewRequest
    loop: asyncio.AbstractEventLoop
    answer: asyncio.Future[ReviewDecision]


class ApprovalDesk(QObject):
    """Keep the open questions in the order they were asked, and hand answers back to the engine.

    `review` runs on the engine's loop; everything else in the window's thread.

    Signals:
        changed(): Questions came or went.
        withdrawn(str): The question with this id needs no answer any more: its time is up, or its call was stopped.
        arrived(object): A question for the window's thread; internal.
        left(str): A question that left; internal.
    """

    changed = Signal()
    withdrawn = Signal(str)
    arrived = Signal(object)
    left = Signal(str)
    name = "you"

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._question_by_id: dict[str, Question] = {}
        self.arrived.connect(self._on_arrived, Qt.ConnectionType.QueuedConnection)
        self.left.connect(self._on_left, Qt.ConnectionType.QueuedConnection)

    async def review(self, request: ReviewRequest, /) -> ReviewDecision:
        """Put a question on the desk and wait for its answer; cancelling the wait withdraws it."""
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[ReviewDecision] = loop.create_future()
        self.arrived.emit(Question(request, loop, answer))
        try:
            return await answer
        finally:
            with contextlib.suppress(RuntimeError):  # the Qt side is gone: the program ends
                self.left.emit(request.id)

    @property
    def open_requests(self) -> tuple[ReviewRequest, ...]:
        """The open questions, oldest first."""
        return tuple(question.request for question in self._question_by_id.values())

    def answer(self, request_id: str, decision: ReviewDecision) -> bool:
        """Answer a question.

        Returns:
            Whether it was still open.
        """
        question = self._question_by_id.pop(request_id, None)
        if question is None:
            return False
        question.loop.call_soon_threadsafe(_settle, question.answer, decision)
        self.changed.emit()
        return True

    @Slot(object)
    def _on_arrived(self, question: Question) -> None:
        if not question.answer.done():
            self._question_by_id[question.request.id] = question
            self.changed.emit()

    @Slot(str)
    def _on_left(self, request_id: str) -> None:
        if self._question_by_id.pop(request_id, None) is not None:
            self.withdrawn.emit(request_id)
            self.changed.emit()


def _settle(answer: asyncio.Future[ReviewDecision], decision: ReviewDecision) -> None:
    if not answer.done():
        answer.set_result(decision)
