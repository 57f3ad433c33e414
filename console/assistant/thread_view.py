"""What was said in a conversation, from top to bottom: the person, the model, its calls."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Final, NamedTuple

import shiboken6
from PySide6.QtCore import QElapsedTimer, QPoint, Qt, QTimer, QUrl, Signal, Slot
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget

from console.assistant.answer_view import AnswerView
from console.assistant.call_card_view import CallCard
from console.assistant.message_view import MessageMenu, MessageView, SaidLabel
from console.assistant.rows import Answered, Called, Entry, Said, has_words
from console.language import tr, tr_count
from console.widgets import Banner, Button, TextLabel, set_surface, vbox

MOST_ENTRIES: Final = 100
"""So many entries are shown at once; earlier ones on demand."""

_PADDING: Final = 20
_NEAR_END: Final = 48
_SPACING: Final = 12
_GROUP: Final = 12
_STILL: Final = 4
_SLICE_MS: Final = 5
"""What is made in one turn of the event loop; to lay it out and paint it takes about as long again."""


class _Turn(NamedTuple):
    """What one speaker said and called without the other between.

    Attributes:
        start: Its first entry.
        speaker: The model; None for the person.
        number: Which of the things that the person said it is, or follows.
    """

    start: int
    speaker: str | None
    number: int
    at: datetime | None


class _MessageGroup(QWidget):
    """Some messages below each other: what comes above them moves the group, and not each of them."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._column = vbox(self, spacing=_SPACING)

    @property
    def messages(self) -> list[MessageView]:
        """Its messages, from top to bottom."""
        items = (self._column.itemAt(at) for at in range(self._column.count()))
        widgets = (None if item is None else item.widget() for item in items)
        return [one for one in widgets if isinstance(one, MessageView)]

    @property
    def is_full(self) -> bool:
        return self._column.count() >= _GROUP

    def add(self, message: MessageView, *, on_top: bool) -> None:
        """Show a message above the others, or below them."""
        self._column.insertWidget(0 if on_top else -1, message)


class ThreadView(QScrollArea):
    """Show a conversation; while somebody reads its end, it follows what comes.

    Signals:
        card_opened(object): A `CallCard` is open for the first time.
        tool_requested(str): A tool's own page is to be shown.
        call_requested(str): A call is to be shown in the history.
        edit_requested(int): What the person said is to be said in other words.
        branch_requested(int): Another conversation is to begin with what came before this thing that was said.
        retry_requested(): What was said last is to be answered.
        model_wanted(): A model is to be named, with what lets it in.
        budget_answered(bool): Go on past the budget, or stop.
        cards_added(): Calls that were made before have their cards now.

    Args:
        can_change: Whether messages offer to be edited and branched from.

    Attributes:
        is_apart: Whether messages are shown that stand far before the newest, which are not shown.
    """

    card_opened = Signal(object)
    tool_requested = Signal(str)
    call_requested = Signal(str)
    edit_requested = Signal(int)
    branch_requested = Signal(int)
    retry_requested = Signal()
    model_wanted = Signal()
    budget_answered = Signal(bool)
    link_opened = Signal(QUrl)
    cards_added = Signal()

    def __init__(
        self, *, can_change: bool = True, now: Callable[[], datetime] = lambda: datetime.now().astimezone()
    ) -> None:
        super().__init__()
        self._can_change = can_change
        self._now = now
        self.setAccessibleName(tr("Conversation"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setProperty("focusRing", "none")
        set_surface(self, "surface")
        self._entries: Sequence[Entry] = ()
        self._turns: list[_Turn] = []
        self._follows = True
        self._most = self._still = 0
        self._groups: list[_MessageGroup] = []
        self._message: MessageView | None = None
        self._answer: AnswerView | None = None
        self._cards: dict[int, CallCard] = {}
        self._said = -1
        self._top = self._goal = self._end = 0
        self.is_apart = False
        self._top_message: MessageView | None = None
        self._top_answer: AnswerView | None = None
        self._sought: list[str] = []
        self._gone: list[QWidget] = []
        self._rising = QTimer(self, interval=0)
        self._rising.timeout.connect(self._rise)
        self._clearing = QTimer(self, interval=0)
        self._clearing.timeout.connect(self._clear_some)
        self._menu = MessageMenu(self)
        self._revealed: QWidget | None = None
        self._lay_out()

    def _lay_out(self) -> None:
        self._content = QWidget()
        set_surface(self._content, "surface")
        self._column = vbox(self._content, margins=(_PADDING, 12, _PADDING, 12), spacing=12)
        self.earlier = Button(tr("Show earlier messages"), kind="ghost", icon="chevron-up")
        self.earlier.hide()
        self._column.addWidget(self.earlier, 0, Qt.AlignmentFlag.AlignHCenter)
        self._messages = vbox(spacing=_SPACING)
        self._column.addLayout(self._messages)
        self.later = Button(tr("Show the newest messages"), kind="ghost", icon="chevron-down")
        self.later.hide()
        self._column.addWidget(self.later, 0, Qt.AlignmentFlag.AlignHCenter)
        self.problem = Banner("error", "", "", actions={"model": tr("Choose a model…"), "retry": tr("Retry")})
        self.problem.hide()
        self.budget = Banner("warn", "", "", actions={"stop": tr("Stop here"), "more": tr("Go on")})
        self.budget.hide()
        self.working = TextLabel("", "small", "text3")
        self.working.hide()
        for part in (self.problem, self.budget, self.working):
            self._column.addWidget(part)
        self._column.addStretch(1)
        self.setWidget(self._content)
        self.earlier.clicked.connect(self._on_earlier_clicked)
        self.later.clicked.connect(self._on_later_clicked)
        self.problem.action_requested.connect(self._on_problem_action_requested)
        self.budget.action_requested.connect(self._on_budget_action_requested)
        bar = self.verticalScrollBar()
        bar.valueChanged.connect(self._on_bar_value_changed)
        bar.rangeChanged.connect(self._on_bar_range_changed)

    def show_entries(self, entries: Sequence[Entry]) -> None:
        """Show another conversation, at its end: what was said last at once, what came before it bit by bit."""
        self._entries = entries
        self._show_up_to(len(entries))
        self._follows = True
        QTimer.singleShot(0, self, self._to_end)

    def _show_up_to(self, end: int) -> None:
        self._clear()
        self._turns = _turns(self._entries[:end])
        self._said = self._turns[-1].number if self._turns else -1
        self._top = self._end = end
        self._goal = max(0, end - MOST_ENTRIES)
        self.is_apart = end < len(self._entries)
        self.later.setVisible(self.is_apart)
        self._rising.start()
        self._rise()

    def _clear(self) -> None:
        for group in self._groups:
            self._messages.removeWidget(group)
            group.hide()
            # The group itself goes last.
            self._gone += [group, *group.messages]
        self._groups = []
        self._menu.hide()
        self._message = self._answer = self._top_message = self._top_answer = None
        self._cards = {}
        self._turns = []
        self._sought = []
        self._clearing.start()

    @Slot()
    def _clear_some(self) -> None:
        """Let go of messages that are not shown any more: all at once would hold the window up."""
        clock = QElapsedTimer()
        clock.start()
        while self._gone and clock.elapsed() < _SLICE_MS:
            shiboken6.delete(self._gone.pop())
        if not self._gone:
            self._clearing.stop()

    @Slot()
    def _rise(self) -> None:
        """Show some more of what was said before that which is shown."""
        clock = QElapsedTimer()
        clock.start()
        has_cards, has_more = False, self._top > self._goal
        while self._top > self._goal and clock.elapsed() < _SLICE_MS:
            if self._top_answer is not None and not self._top_answer.is_whole:
                return
            self._top -= 1
            entry = self._entries[self._top]
            self._put_on_top(entry)
            has_cards |= isinstance(entry, Called)
        self.earlier.setVisible(self._goal > 0)
        if has_cards:
            self.cards_added.emit()
        if self._top > self._goal or (self._top_answer is not None and not self._top_answer.is_whole):
            return
        # What came has its place only some turns of the event loop later: layouts ask one another for it.
        self._still = 0 if has_more else self._still + 1
        if self._still < _STILL:
            return
        self._rising.stop()
        self._show_sought()

    def _put_on_top(self, entry: Entry) -> None:
        turn = self._turns[-1]
        if self._top < turn.start:
            self._turns.pop()
            turn = self._turns[-1]
            self._top_message = None
        if self._top_message is None:
            self._top_message = self._made_message(turn.speaker, turn.number, turn.at)
            self._place(self._top_message, on_top=True)
            if self._message is None:
                self._message = self._top_message
        for widget in reversed(self._made(entry, self._top_message)):
            # Its head stands above all.
            self._top_message.column.insertWidget(1, widget)

    def _place(self, message: MessageView, *, on_top: bool) -> None:
        at = 0 if on_top else -1
        if not self._groups or self._groups[at].is_full:
            group = _MessageGroup(self._content)
            self._groups.insert(0 if on_top else len(self._groups), group)
            self._messages.insertWidget(at, group)
        self._groups[at].add(message, on_top=on_top)

    def _made(self, entry: Entry, message: MessageView) -> list[QWidget]:
        """Return what shows one thing that was said or done before."""
        if isinstance(entry, Said):
            return self._made_said(entry, message)
        if isinstance(entry, Answered):
            answer = self._top_answer = self._made_answer(message)
            answer.add_text(entry.text)
            return [answer, TextLabel(tr("Stopped before its end"), "small", "text3")] if entry.is_cut else [answer]
        return [self._made_card(entry, message)]

    def _made_said(self, said: Said, message: MessageView) -> list[QWidget]:
        label = SaidLabel(said.text, self._words_width(message))
        if not said.pictures:
            return [label]
        words = tr_count(said.pictures, "1 picture", "{count} pictures")
        return [label, TextLabel(words, "small", "text3")]

    def _words_width(self, message: MessageView) -> int:
        return self.viewport().width() - 2 * _PADDING - message.indent

    def _made_answer(self, message: MessageView) -> AnswerView:
        answer = AnswerView(message)
        # Its text is laid out once, as wide as it will be.
        answer.resize(self._words_width(message), answer.height())
        answer.link_opened.connect(self.link_opened)
        return answer

    def _made_card(self, call: Called, message: MessageView) -> CallCard:
        card = CallCard(call, message)
        card.opened.connect(self.card_opened)
        card.tool_requested.connect(self.tool_requested)
        card.call_requested.connect(self.call_requested)
        if call.part:
            self._cards[call.part] = card
        return card

    def _made_message(self, speaker: str | None, number: int, at: datetime | None) -> MessageView:
        message = MessageView(speaker, max(0, number), at, self._now(), self._content)
        message.set_changeable(changeable=self._can_change)
        message.edit_requested.connect(self.edit_requested)
        message.branch_requested.connect(self.branch_requested)
        message.step_requested.connect(self._on_message_step_requested)
        message.menu_requested.connect(self._menu.offer)
        return message

    def add_said(self, said: Said) -> None:
        if self.is_apart:
            self.show_entries(self._entries)
            return
        self._said = said.number
        message = self._begin_message(None, said.at)
        for widget in self._made_said(said, message):
            message.column.addWidget(widget)

    def add_text(self, text: str, model: str = "", at: datetime | None = None) -> None:
        """Show further words of the answer that comes.

        Args:
            at: When the answer began.
        """
        if self._answer is None:
            message = self._model_message(model, at)
            self._answer = self._made_answer(message)
            message.column.addWidget(self._answer)
        self._answer.add_text(text)

    def end_answer(self) -> None:
        """Begin another answer with what comes next."""
        self._answer = None

    def show_call(self, call: Called) -> None:
        """Show a call, or how it stands now."""
        card = self._cards.get(call.part) if call.part else None
        if card is not None:
            card.show_call(call)
            return
        if call.part and any(isinstance(one, Called) and one.part == call.part for one in self._entries[: self._top]):
            return  # it gets its card when it is its turn, as it stands then
        self._answer = None
        message = self._model_message(call.model, call.at)
        message.column.addWidget(self._made_card(call, message))

    def card(self, part: int) -> CallCard | None:
        """Return the card of a call; None when it is not shown."""
        return self._cards.get(part)

    def reveal(self, widget: QWidget) -> None:
        """Scroll to something in the conversation, once it has its place."""
        self._revealed = widget
        QTimer.singleShot(0, self, self._reveal)

    def _reveal(self) -> None:
        if self._revealed is not None and self._content.isAncestorOf(self._revealed):
            self.ensureWidgetVisible(self._revealed, 0, 12)

    def show_problem(self, fact: str, why: str, *, names_model: bool = False) -> None:
        """Say in one line why there is no answer; "" takes that away.

        Args:
            names_model: Whether a model is to be named otherwise, such as with its key.
        """
        self.problem.show_text(fact, why)
        self.problem.buttons["model"].setVisible(names_model)
        self.problem.setVisible(bool(fact))

    def show_budget(self, fact: str, question: str) -> None:
        """Ask whether to go on past the budget; "" asks no longer."""
        self.budget.show_text(fact, question)
        self.budget.setVisible(bool(fact))

    def show_working(self, words: str) -> None:
        """Say what is waited for; "" says nothing."""
        self.working.setText(words)
        self.working.setVisible(bool(words))

    def _begin_message(self, speaker: str | None, at: datetime | None) -> MessageView:
        self._answer = None
        message = self._message = self._made_message(speaker, self._said, at)
        self._place(message, on_top=False)
        return message

    def _model_message(self, model: str, at: datetime | None) -> MessageView:
        if self._message is None or self._message.speaker != model:
            return self._begin_message(model, at)
        return self._message

    def seek(self, words: Sequence[str], *, can_leave: bool) -> None:
        """Go to what was said first with all these words, and select the first of them.

        Args:
            words: Case-folded.
            can_leave: Whether the newest messages may go out of sight for it; not while something is added to them.
        """
        place = next((at for at, one in enumerate(self._entries) if _is_sought(one, words)), None)
        if place is None:
            return
        is_far = place < self._top - MOST_ENTRIES or (self.is_apart and place >= self._end)
        if can_leave and is_far:
            self._show_up_to(min(len(self._entries), place + MOST_ENTRIES // 2))
        self._sought = list(words)
        self._goal = min(self._goal, place)
        self._follows = False
        self._rising.start()

    def _show_sought(self) -> None:
        words, self._sought = self._sought, []
        if not words:
            return
        for message in self._shown_messages():
            place = message.select(words)
            if place is not None:
                message.setFocus()
                top = message.mapTo(self._content, place.topLeft()).y()
                self.verticalScrollBar().setValue(top - self.viewport().height() // 3)
                self._follows = False
                return

    def _shown_messages(self) -> list[MessageView]:
        return [message for group in self._groups for message in group.messages]

    def keyPressEvent(self, event: QKeyEvent) -> None:
        messages = self._shown_messages()
        if event.key() == Qt.Key.Key_Up and self.hasFocus() and messages:
            self._go_to(messages[-1])
        else:
            super().keyPressEvent(event)

    @Slot(int)
    def _on_message_step_requested(self, step: int) -> None:
        messages = self._shown_messages()
        sender = self.sender()
        place = next((at for at, one in enumerate(messages) if one is sender), None)
        if place is not None:
            self._go_to(messages[max(0, min(len(messages) - 1, place + step))])

    def _go_to(self, message: MessageView) -> None:
        message.setFocus(Qt.FocusReason.TabFocusReason)
        self.ensureWidgetVisible(message, 0, 12)
        if message.height() > self.viewport().height():
            self.verticalScrollBar().setValue(message.mapTo(self._content, QPoint()).y() - _SPACING)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._follows:
            self._to_end()

    def _to_end(self) -> None:
        self.verticalScrollBar().setValue(self.verticalScrollBar().maximum())

    @Slot(int)
    def _on_bar_value_changed(self, value: int) -> None:
        self._follows = value >= self.verticalScrollBar().maximum() - _NEAR_END

    @Slot(int, int)
    def _on_bar_range_changed(self, _least: int, most: int) -> None:
        bar, former = self.verticalScrollBar(), self._most
        self._still = 0
        self._most = most
        if self._follows:
            bar.setValue(most)
        elif self._rising.isActive():
            # What is read stays where it is while more comes above it.
            bar.setValue(bar.value() + most - former)

    @Slot()
    def _on_earlier_clicked(self) -> None:
        self._goal = max(0, self._top - MOST_ENTRIES)
        self._follows = False
        # The button may go: then Qt would give the focus to what comes first, and scroll there.
        self._shown_messages()[0].setFocus()
        self._rising.start()

    @Slot()
    def _on_later_clicked(self) -> None:
        self.setFocus()
        self.show_entries(self._entries)

    @Slot(str)
    def _on_problem_action_requested(self, action: str) -> None:
        if action == "model":
            self.model_wanted.emit()
        else:
            self.retry_requested.emit()

    @Slot(str)
    def _on_budget_action_requested(self, action: str) -> None:
        self.budget_answered.emit(action == "more")


def _is_sought(entry: Entry, words: Sequence[str]) -> bool:
    return not isinstance(entry, Called) and has_words(entry.text, words)


def _turns(entries: Sequence[Entry]) -> list[_Turn]:
    turns: list[_Turn] = []
    said = -1
    for at, entry in enumerate(entries):
        if isinstance(entry, Said):
            said = entry.number
            turns.append(_Turn(at, None, said, entry.at))
        elif not turns or turns[-1].speaker != entry.model:
            turns.append(_Turn(at, entry.model, said, entry.at))
    return turns
