"""What stands behind the messages in sight: how far their conversations are, and what happens in them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QUrl, Signal, Slot
from PySide6.QtGui import QDesktopServices

from console.assistant.questions_presenter import CardQuestionsPresenter
from console.assistant.rows import BudgetAsk, Called, TokenCount
from console.call_events import CallAdded, CallBegun, CallEnded, QuestionAsked, QuestionDecided, WindowEvent
from console.language import tr
from console.viewers import ContentPresenter
from tools.errors import ModelFault
from tools.models.events import AnswerEnded, AskedFor, CallAnswered, RequestRetried, TaskEnd, TaskEnded, TurnsSummarised
from tools.models.messages import StopReason
from tools.models.port import TextDelta, ThinkingDelta

if TYPE_CHECKING:
    from console.assistant.call_card_view import CallCard
    from console.assistant.engine_assistant import EngineAssistant
    from console.assistant.models_presenter import ModelsPresenter
    from console.assistant.open_conversations import OpenConversation, OpenConversations
    from console.assistant.ports import NamedConversationEvent, WaitingQuestions
    from console.assistant.thread_view import ThreadView
    from console.assistant.view import AssistantView
    from console.call_result.question_view import InlineQuestion
    from console.tasks import Compute, TaskScope

_FACTS: Final = {
    TaskEnd.LENGTH: tr("The answer reached its limit."),
    TaskEnd.REFUSED: tr("The model refused to answer."),
    TaskEnd.CALL_LIMIT: tr("The limit of calls is reached."),
    TaskEnd.REQUEST_LIMIT: tr("The limit of requests is reached."),
    TaskEnd.BUDGET: tr("The budget is reached."),
    TaskEnd.STOPPED: tr("Stopped."),
    TaskEnd.FAILED: tr("No answer."),
}
_KEY_WORDS: Final = tr(
    "Put a key that may use it into the environment or the keyring, then Retry; for an address of your own, choose the"
    " model again and name the key in “Key from”."
)


class ThreadPresenter(QObject):
    """Show the messages of the conversations in sight, and follow what happens in all that are open.

    Args:
        inline: Returns the view of a question by its id, to stand in a card; None when it is not open any more.
        caller: Whose calls those of conversations are.

    Attributes:
        questions: Asks in cards.

    Signals:
        tool_requested(str): The page of a tool is to be shown.
        call_requested(str): A call is to be shown in the history.
    """

    noticed = Signal(str)
    tool_requested = Signal(str)
    call_requested = Signal(str)

    def __init__(
        self,
        view: AssistantView,
        talks: OpenConversations,
        models: ModelsPresenter,
        port: EngineAssistant,
        *,
        questions: WaitingQuestions,
        inline: Callable[[str, CallCard], InlineQuestion | None],
        caller: str,
        compute: Compute,
        scope: TaskScope,
        now: Callable[[], datetime],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._view = view
        self._talks = talks
        self._models = models
        self._port = port
        self._caller = caller
        self._compute = compute
        self._scope = scope
        self._now = now
        self._state_by_call: dict[str, str] = {}
        self._contents: list[ContentPresenter] = []
        self.questions = CardQuestionsPresenter(
            view, talks, self.thread_of, questions=questions, inline=inline, caller=caller, parent=self
        )
        port.told.connect(self._on_port_told)
        view.shown.connect(self._on_view_shown)
        for thread in (view.messages, *(column.messages for column in view.compare.columns)):
            thread.budget_answered.connect(self._on_messages_budget_answered)
            thread.card_opened.connect(self._on_messages_card_opened)
            thread.tool_requested.connect(self.tool_requested)
            thread.call_requested.connect(self.call_requested)
            thread.link_opened.connect(self._on_messages_link_opened)
            thread.cards_added.connect(self.questions.show_in_cards)

    def thread_of(self, talk: OpenConversation | None) -> ThreadView | None:
        """Return where a conversation is shown; None when it is not in sight."""
        if talk in self._talks.pair:
            return self._view.compare.columns[self._talks.pair.index(talk)].messages
        return self._view.messages if talk is self._talks.current and talk is not None else None

    def talk_at(self, sender: QObject | None) -> OpenConversation | None:
        """Return the conversation that a column, or a view of messages, shows."""
        for column, talk in zip(self._view.compare.columns, self._talks.pair, strict=False):
            if sender in {column, column.messages}:
                return talk
        return self._talks.current

    def leave(self) -> None:
        """Take questions and contents from the cards, before other conversations are shown."""
        self.questions.drop()
        for content in self._contents:
            content.close()
        self._contents = []

    def show(self) -> None:
        """Show the conversations in sight from their beginning to their end."""
        view, current = self._view, self._talks.current
        view.show_empty(is_empty=current is None)
        if self._talks.pair:
            view.show_compared()
        view.show_title("" if current is None else current.title)
        view.show_used(TokenCount() if current is None else current.used)
        for column, talk in zip(view.compare.columns, self._talks.pair, strict=False):
            column.show_model(talk.model.model)
            column.show_used(talk.used)
        for thread in (view.messages, *(column.messages for column in view.compare.columns)):
            thread.show_entries([])
        for talk in self._talks.shown:
            self._fill(talk)
        if current is None:
            self.follow(None)

    def _fill(self, talk: OpenConversation) -> None:
        thread = self.thread_of(talk)
        if thread is not None:
            thread.show_entries(talk.entries)
            if talk.words:
                thread.add_text("".join(talk.words), talk.model.model, talk.words_at)
        self.follow(talk)

    def follow(self, talk: OpenConversation | None) -> None:
        """Show whether the model of a conversation is at work, and what kept it from an answer."""
        thread = self._view.messages if talk is None else self.thread_of(talk)
        if thread is None:
            return
        running = talk is not None and talk.is_running
        if talk is not None and running and thread.is_apart:
            thread.show_entries(talk.entries)
        self._view.composer.set_running(running=any(one.is_running for one in self._talks.shown))
        if talk is not None and talk in self._talks.pair:
            column = self._view.compare.columns[self._talks.pair.index(talk)]
            since_s = 0.0 if talk.began is None else (self._now() - talk.began).total_seconds()
            column.show_took(talk.took_s)
            column.set_running(running=running, since_s=since_s)
        else:
            self._models.show()
        thread.show_working(tr("Waiting for the model") if running and talk is not None and not talk.words else "")
        asked = None if talk is None else talk.budget
        thread.show_budget(
            "" if asked is None else tr("The budget would be passed."),
            ""
            if asked is None
            else tr(
                "{used:,} of {budget:,} tokens are used, the next request takes about"
                " {expected:,}. Go on up to {larger:,}?",
                used=asked.used,
                budget=asked.budget,
                expected=asked.expected,
                larger=asked.larger,
            ),
        )
        ended = None if talk is None or running else talk.ended
        is_problem = ended is not None and ended.end is not TaskEnd.ANSWERED
        thread.show_problem(
            _FACTS[ended.end] if ended is not None and is_problem else "",
            _why(ended) if ended is not None and is_problem and ended.end is not TaskEnd.STOPPED else "",
            names_model=ended is not None and _lacks_key(ended),
        )

    @Slot(list)
    def _on_port_told(self, told: list[NamedConversationEvent]) -> None:
        for name, event in told:
            talk = self._talks.get(name)
            if talk is not None:
                self._take(talk, event)

    def _take(self, talk: OpenConversation, event: object) -> None:
        match event:
            case TextDelta(text):
                talk.words_at = talk.words_at if talk.words else self._now()
                talk.words.append(text)
                self._show_working(talk, "")
                thread = self.thread_of(talk)
                if thread is not None:
                    thread.add_text(text, talk.model.model, talk.words_at)
            case ThinkingDelta():
                self._show_working(talk, tr("Thinking"))
            case AskedFor() | CallAnswered():
                talk.take_words()
                self._take_call(talk, event)
            case AnswerEnded():
                self._take_answer(talk, event)
            case RequestRetried():
                self._show_working(talk, tr("Asked again in {wait_s:g} s: {why}", wait_s=event.wait_s, why=event.why))
            case BudgetAsk() | TaskEnded():
                self._take_state(talk, event)
            case TurnsSummarised(turns=turns) if turns:
                self.noticed.emit(tr("Older turns are summed up; the Context panel shows the summary and undoes it"))

    def _take_state(self, talk: OpenConversation, event: BudgetAsk | TaskEnded) -> None:
        if isinstance(event, BudgetAsk):
            talk.budget = event
        else:
            talk.take_words()
            talk.ended = event
        self.follow(talk)

    def _show_working(self, talk: OpenConversation, words: str) -> None:
        thread = self.thread_of(talk)
        if thread is not None:
            thread.show_working(words)

    def _take_answer(self, talk: OpenConversation, event: AnswerEnded) -> None:
        talk.take_words(is_cut=event.stop is StopReason.CUT_OFF)
        total = event.total
        talk.used = TokenCount(
            total.input_tokens, total.output_tokens, total.cached_tokens, event.cost, total.estimated
        )
        thread = self.thread_of(talk)
        if thread is not None:
            thread.end_answer()
        if talk is self._talks.current:
            self._view.show_used(talk.used)
        if talk in self._talks.pair:
            self._view.compare.columns[self._talks.pair.index(talk)].show_used(talk.used)

    def _take_call(self, talk: OpenConversation, event: AskedFor | CallAnswered) -> None:
        if isinstance(event, CallAnswered):
            self._state_by_call.pop(event.call_id, None)
            call = Called(
                event.part, event.name, event.arguments, event.status, event.text, event.elapsed_s, event.call_id
            )
        else:
            status = self._state_by_call.get(event.call_id, event.status)
            call = Called(event.part, event.name, event.arguments, status, call_id=event.call_id)
        self._show_call(talk, call._replace(model=talk.model.model, at=self._now()))

    def _show_call(self, talk: OpenConversation, call: Called) -> None:
        talk.put(call)
        thread = self.thread_of(talk)
        if thread is not None:
            thread.show_working("")
            thread.show_call(call)
            self.questions.show()

    @Slot(list)
    def take(self, events: Iterable[WindowEvent]) -> None:
        """Follow the calls of conversations while they run."""
        for event in events:
            match event:
                case CallAdded(record) if record.caller == self._caller:
                    self._state_by_call[record.id] = record.status.value
                case CallBegun():
                    self._note(event.call_id, "executing")
                case QuestionAsked():
                    self._note(event.call_id, "waiting_for_review")
                case QuestionDecided():
                    self._note(event.call_id, "executing")
                case CallEnded(record):
                    self._state_by_call.pop(record.id, None)

    def _note(self, call_id: str, status: str) -> None:
        if call_id not in self._state_by_call:
            return
        self._state_by_call[call_id] = status
        for talk in self._talks:
            call = talk.call(call_id)
            if call is not None and call.elapsed_s is None:
                self._show_call(talk, call._replace(status=status))

    @Slot(bool)
    def _on_messages_budget_answered(self, goes_on: bool) -> None:
        talk = self.talk_at(self.sender())
        if talk is not None and talk.budget is not None:
            larger = talk.budget.larger if goes_on else None
            talk.budget = None
            if larger is not None:
                self._view.context.budget.setValue(larger)
            self._port.answer_budget(talk.name, larger)
            self.follow(talk)

    @Slot()
    def _on_view_shown(self) -> None:
        for talk in self._talks.pair:
            self.follow(talk)

    @Slot(object)
    def _on_messages_card_opened(self, card: CallCard) -> None:
        if card.content is not None:
            self._contents.append(
                ContentPresenter(
                    card.content, self._compute, self._scope, notify=self.noticed.emit, parent=card.content
                )
            )

    @Slot(QUrl)
    def _on_messages_link_opened(self, url: QUrl) -> None:
        if not QDesktopServices.openUrl(url):
            self.noticed.emit(tr("There is no program for {url}.", url=url.toString()))


def _lacks_key(ended: TaskEnded) -> bool:
    return ended.error is not None and ended.error.fault is ModelFault.KEY


def _why(ended: TaskEnded) -> str:
    """Return why there is no answer, with what to do in this window."""
    if ended.error is None or not _lacks_key(ended):
        return ended.why
    return f"{ended.error.fact}. {_KEY_WORDS}"
