"""What was said in a conversation, from top to bottom: the person, the model, its calls."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QRect, Qt, QTimer, QUrl, Signal, Slot
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QSizePolicy, QWidget

from console.assets import paint_icon
from console.assistant.answer_view import AnswerView
from console.assistant.call_card_view import CallCard
from console.assistant.rows import Answered, Called, Entry, Said
from console.theme import theme_of
from console.widgets import Banner, Button, IconButton, TextLabel, hbox, paint_box, set_surface, vbox

MOST_ENTRIES: Final = 100
"""So many entries are shown at once; earlier ones on demand."""

_PADDING: Final = 20
_AVATAR: Final = 24
_NEAR_END: Final = 48
_FIXED: Final = QSizePolicy.Policy.Fixed


class _Avatar(QWidget):
    """A square with the sign of who speaks."""

    def __init__(self, icon: str, *, accent: bool, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._icon = icon
        self._accent = accent
        self.setFixedSize(_AVATAR, _AVATAR)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = theme_of(self)
        painter = QPainter(self)
        fill = theme.color.accent_soft if self._accent else theme.color.hover
        paint_box(painter, self.rect(), theme.radius.medium, fill=fill)
        ink = theme.color.accent_text if self._accent else theme.color.text2
        paint_icon(painter, QRect(5, 5, 14, 14), self._icon, ink, theme)


class MessageView(QWidget):
    """One turn of a speaker: who, and below each other what they said and called.

    Signals:
        edit_requested(int): What the person said is to be said in other words.
        branch_requested(int): Another conversation is to go on from here.
    """

    edit_requested = Signal(int)
    branch_requested = Signal(int)

    def __init__(self, *, is_person: bool, number: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, _FIXED)
        self.is_person = is_person
        self._number = number
        row = hbox(self, spacing=12)
        row.addWidget(_Avatar("user" if is_person else "bot", accent=not is_person), 0, Qt.AlignmentFlag.AlignTop)
        self.column = vbox(spacing=6)
        head = hbox(spacing=4)
        head.addWidget(TextLabel("You" if is_person else "Assistant", "heading"))
        head.addStretch(1)
        self.edit = IconButton("pencil", "Edit and send again", size=24)
        self.branch = IconButton("git-branch", "Branch from here", size=24)
        head.addWidget(self.edit)
        head.addWidget(self.branch)
        self.column.addLayout(head)
        row.addLayout(self.column, 1)
        self.edit.clicked.connect(self._on_edit_clicked)
        self.branch.clicked.connect(self._on_branch_clicked)

    def set_changeable(self, *, changeable: bool) -> None:
        """Offer to edit the message and to branch from it, or do not."""
        self.edit.setVisible(changeable and self.is_person)
        self.branch.setVisible(changeable)

    @Slot()
    def _on_edit_clicked(self) -> None:
        self.edit_requested.emit(self._number)

    @Slot()
    def _on_branch_clicked(self) -> None:
        # What the person said is left out of its branch; an answer stays in it.
        self.branch_requested.emit(self._number if self.is_person else self._number + 1)


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
        link_opened(QUrl): A link was clicked.

    Args:
        can_change: Whether messages offer to be edited and branched from.
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

    def __init__(self, parent: QWidget | None = None, *, can_change: bool = True) -> None:
        super().__init__(parent)
        self._can_change = can_change
        self.setAccessibleName("Conversation")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setProperty("focusRing", "none")
        set_surface(self, "surface")
        self._entries: Sequence[Entry] = ()
        self._follows = True
        self._message: MessageView | None = None
        self._answer: AnswerView | None = None
        self._cards: dict[int, CallCard] = {}
        self._said = -1
        self._first = 0
        self._revealed: QWidget | None = None
        self._content = QWidget()
        set_surface(self._content, "surface")
        self._column = vbox(self._content, margins=(_PADDING, 12, _PADDING, 12), spacing=12)
        self.earlier = Button("Show earlier messages", kind="ghost", icon="chevron-up")
        self.earlier.hide()
        self._column.addWidget(self.earlier, 0, Qt.AlignmentFlag.AlignHCenter)
        self._messages = vbox(spacing=12)
        self._column.addLayout(self._messages)
        self.problem = Banner("error", "", "", actions={"model": "Choose a model…", "retry": "Retry"})
        self.problem.hide()
        self.budget = Banner("warn", "", "", actions={"stop": "Stop here", "more": "Go on"})
        self.budget.hide()
        self.working = TextLabel("", "small", "text3")
        self.working.hide()
        for part in (self.problem, self.budget, self.working):
            self._column.addWidget(part)
        self._column.addStretch(1)
        self.setWidget(self._content)
        self.earlier.clicked.connect(self._on_earlier_clicked)
        self.problem.action_requested.connect(self._on_problem_action_requested)
        self.budget.action_requested.connect(self._on_budget_action_requested)
        bar = self.verticalScrollBar()
        bar.valueChanged.connect(self._on_bar_value_changed)
        bar.rangeChanged.connect(self._on_bar_range_changed)

    def show_entries(self, entries: Sequence[Entry]) -> None:
        """Show another conversation, at its end."""
        self._entries = entries
        self._show_from(max(0, len(entries) - MOST_ENTRIES))
        self._follows = True
        QTimer.singleShot(0, self, self._to_end)

    def _show_from(self, first: int) -> None:
        while (item := self._messages.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        self._message = self._answer = None
        self._cards = {}
        self._said = -1
        self._first = first
        self.earlier.setVisible(first > 0)
        for entry in self._entries[:first]:
            if isinstance(entry, Said):
                self._said = entry.number
        for entry in self._entries[first:]:
            self.add_entry(entry)

    def add_entry(self, entry: Entry) -> None:
        """Show one thing more."""
        if isinstance(entry, Said):
            self._said = entry.number
            message = self._begin_message(is_person=True)
            label = TextLabel(entry.text, wrap=True, selectable=True)
            label.setAccessibleName(entry.text)
            message.column.addWidget(label)
            if entry.pictures:
                words = "1 picture" if entry.pictures == 1 else f"{entry.pictures} pictures"
                message.column.addWidget(TextLabel(words, "small", "text3"))
        elif isinstance(entry, Answered):
            self._answer = None
            self.add_text(entry.text)
            self._answer = None
            if entry.is_cut and self._message is not None:
                self._message.column.addWidget(TextLabel("Stopped before its end", "small", "text3"))
        else:
            self.show_call(entry)

    def add_text(self, text: str) -> None:
        """Show further words of the answer that comes."""
        message = self._model_message()
        if self._answer is None:
            self._answer = AnswerView(message)
            self._answer.link_opened.connect(self.link_opened)
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
        self._answer = None
        message = self._model_message()
        card = CallCard(call, message)
        card.opened.connect(self.card_opened)
        card.tool_requested.connect(self.tool_requested)
        card.call_requested.connect(self.call_requested)
        message.column.addWidget(card)
        if call.part:
            self._cards[call.part] = card

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
            fact: What happened.
            why: Why, and what to do.
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

    def _begin_message(self, *, is_person: bool) -> MessageView:
        self._answer = None
        message = self._message = MessageView(is_person=is_person, number=max(0, self._said), parent=self._content)
        message.set_changeable(changeable=self._can_change)
        message.edit_requested.connect(self.edit_requested)
        message.branch_requested.connect(self.branch_requested)
        self._messages.addWidget(message)
        return message

    def _model_message(self) -> MessageView:
        if self._message is None or self._message.is_person:
            return self._begin_message(is_person=False)
        return self._message

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
        if self._follows:
            self.verticalScrollBar().setValue(most)

    @Slot()
    def _on_earlier_clicked(self) -> None:
        self._show_from(max(0, self._first - MOST_ENTRIES))

    @Slot(str)
    def _on_problem_action_requested(self, action: str) -> None:
        if action == "model":
            self.model_wanted.emit()
        else:
            self.retry_requested.emit()

    @Slot(str)
    def _on_budget_action_requested(self, action: str) -> None:
        self.budget_answered.emit(action == "more")
