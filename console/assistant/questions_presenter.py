"""What stands behind questions about calls that are asked in the cards of a conversation."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Signal, Slot

from console.assistant.rows import Called

if TYPE_CHECKING:
    from console.assistant.call_card_view import CallCard
    from console.assistant.open_conversations import OpenConversation, OpenConversations
    from console.assistant.ports import WaitingQuestions
    from console.assistant.thread_view import ThreadView
    from console.assistant.view import AssistantView
    from console.call_result.question_view import InlineQuestion
    from tools.calls import ReviewRequest

_LEAST_QUESTION: Final = 260
_LEAST_WIDTH: Final = 640
"""A narrower conversation would cut a question off; its dialog asks then."""


class CardQuestionsPresenter(QObject):
    """Ask in the cards of the conversations in sight what waits for the person.

    Args:
        thread_of: Returns where a conversation is shown; None when it is not in sight.
        inline: Returns the view of a question by its id, to stand in a card; None when it is not open any more.
        caller: Whose calls those of conversations are.

    Signals:
        looked(): What waits, and in which conversation, may be otherwise than before.
    """

    looked = Signal()

    def __init__(
        self,
        view: AssistantView,
        talks: OpenConversations,
        thread_of: Callable[[OpenConversation | None], ThreadView | None],
        *,
        questions: WaitingQuestions,
        inline: Callable[[str, CallCard], InlineQuestion | None],
        caller: str,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._talks = talks
        self._thread_of = thread_of
        self._questions = questions
        self._inline = inline
        self._caller = caller
        self._is_shown = False
        self._asked: dict[tuple[str, int], str] = {}
        questions.changed.connect(self.show)
        view.shown.connect(self._on_view_shown)
        view.hidden.connect(self._on_view_hidden)

    def asks_here(self, request: ReviewRequest) -> bool:
        """Say whether a question is asked in the conversation that is shown, so that no dialog comes for it."""
        shown = self._talks.shown
        is_asked = any(talk.is_running and self._has_room(talk) for talk in shown)
        if not self._is_shown or request.call.caller != self._caller or not is_asked:
            return False
        others = (other for other in self._talks if other not in shown)
        return not any(other.call(request.call.id) is not None for other in others)

    @Slot()
    def show(self) -> None:
        """Ask in the cards of the conversations what waits, as long as the page is in sight."""
        self.looked.emit()
        self.show_in_cards()

    def show_in_cards(self) -> None:
        """Ask in the cards that came into sight."""
        if not self._is_shown:
            return
        open_ids = {request.call.id: request.id for request in self._questions.open_requests}
        for talk in self._talks.shown:
            for entry in talk.entries:
                if isinstance(entry, Called) and entry.call_id in open_ids:
                    self._show_question(talk, entry.part, open_ids[entry.call_id])

    def _has_room(self, talk: OpenConversation) -> bool:
        thread = self._thread_of(talk)
        return thread is not None and thread.viewport().width() >= _LEAST_WIDTH

    def _show_question(self, talk: OpenConversation, part: int, question_id: str) -> None:
        thread = self._thread_of(talk)
        card = None if thread is None or not self._has_room(talk) else thread.card(part)
        is_asked = (talk.name, part) in self._asked
        question = None if card is None or is_asked else self._inline(question_id, card)
        if thread is None or card is None or question is None:
            return
        self._asked[talk.name, part] = question_id
        question.set_most(max(_LEAST_QUESTION, thread.viewport().height() - 80))
        question.setProperty("talk", talk.name)
        question.setProperty("part", part)
        question.over.connect(self._on_question_over)
        card.show_question(question)
        thread.reveal(card)

    @Slot()
    def _on_question_over(self) -> None:
        sender = self.sender()
        if sender is not None:
            self._drop_question(sender.property("talk"), sender.property("part"))
            self.show()

    def _drop_question(self, name: str, part: int) -> None:
        self._asked.pop((name, part), None)
        thread = self._thread_of(self._talks.get(name))
        card = None if thread is None else thread.card(part)
        if card is not None and card.question is not None:
            card.question.leave()
            card.show_question(None)

    def drop(self) -> None:
        """Ask nothing in cards; the questions stay open."""
        for name, part in tuple(self._asked):
            self._drop_question(name, part)

    @Slot()
    def _on_view_shown(self) -> None:
        self._is_shown = True
        self.show()

    @Slot()
    def _on_view_hidden(self) -> None:
        self._is_shown = False
        self.drop()
