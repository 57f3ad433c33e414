"""The foot of the dialog: the answers a person can give, or what became of the question meanwhile."""

from __future__ import annotations

from typing import Final, NamedTuple

from PySide6.QtCore import QRect, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from console.approval.model import ApprovalModel, Ending
from console.approval.parts_view import ALLOW_KEYS, DENY_KEYS, AnswerHints
from console.approval.spans_view import LinkButton
from console.theme import theme_of
from console.widgets import Button, CompactingRow, IconLabel, TextLabel, paint_box

_ROUND: Final = 16
_ROOMY: Final = 860
"""From this width on there is room for all that can be said of the keys."""
_LEAST: Final = 600
"""What the answers to an edited call need, with the shortest words."""
_NOT_YET: Final = "Available in a moment, so that a key meant for something else allows nothing"


class Answers(NamedTuple):
    """Which answers a person can give now.

    Attributes:
        edited: Whether there is an edit, or an answer, to send.
        armed: Whether the question has been on show long enough.
        valid: Whether the edit fits.
        hidden: How many parts of a risky call have not been on show yet.
        locked: Why this person may not allow it; empty when they may.
        remembers: Whether the answer counts for later calls too.
    """

    edited: bool = False
    armed: bool = False
    valid: bool = True
    hidden: int = 0
    locked: str = ""
    remembers: bool = False

    @property
    def why_not(self) -> str:
        """Why the call cannot be allowed as asked; empty when it can."""
        if self.locked:
            return self.locked
        if not self.armed:
            return _NOT_YET
        return "Look at everything first: the tool may destroy something, or nobody can tell" if self.hidden else ""

    @property
    def why_not_edited(self) -> str:
        """Why the edit cannot be allowed; empty when it can."""
        return self.why_not or ("" if self.valid else "Correct the arguments first")


class FooterView(QWidget):
    """Offer the answers.

    Args:
        model: The question.
        in_page: Whether it stands in a page, where A and D are its keys.
        parent: Its owner.

    Signals:
        deny_requested(bool): Deny the call, and with True stop the run it belongs to.
        allow_requested(): Let it go on as asked.
        edited_requested(): Let it go on with the edit, or send the answer.
        reveal_requested(): Show what is still hidden.
        close_requested(): The person has read what became of the question.
    """

    deny_requested = Signal(bool)
    allow_requested = Signal()
    edited_requested = Signal()
    reveal_requested = Signal()
    close_requested = Signal()

    def __init__(self, model: ApprovalModel, *, in_page: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self._in_page = in_page
        self._allow_keys = ALLOW_KEYS if in_page else "Ctrl+Enter"
        self.deny = Button("Deny", icon="x", shortcut_hint=DENY_KEYS if in_page else "Esc", large=True)
        self.deny.setAccessibleName("Deny")
        self.stop = Button("Deny && stop the run", kind="danger", icon="circle-x", large=True)
        self.stop.setAccessibleName("Deny and stop the run")
        self.reveal = LinkButton("", "")
        self.allow = Button("Allow once", large=True)
        edited = "Send answer" if model.is_question else "Allow edited"
        self.edited = Button(edited, kind="primary", icon="check", shortcut_hint=self._allow_keys, large=True)
        self.edited.setAccessibleName(edited)
        self._notice = QWidget(self)
        self._title = IconLabel("timer-off", "", "heading", "error")
        self._detail = TextLabel("", "small", "text2", wrap=True)
        self.close_button = Button("Close", shortcut_hint="" if in_page else "Esc", large=True)
        self.close_button.setAccessibleName("Close")
        self.hints = AnswerHints(self, self.deny, self.allow, self.edited)
        self._lay_out()
        self.show_state(Answers())
        self.deny.clicked.connect(self._on_deny_clicked)
        self.stop.clicked.connect(self._on_stop_clicked)
        self.reveal.clicked.connect(self.reveal_requested)
        self.allow.clicked.connect(self.allow_requested)
        self.edited.clicked.connect(self.edited_requested)
        self.close_button.clicked.connect(self.close_requested)

    def show_state(self, answers: Answers) -> None:
        """Show which answers there are."""
        self.edited.setVisible(answers.edited)
        self.edited.setEnabled(not answers.why_not_edited)
        self.edited.setToolTip(answers.why_not_edited)
        self.allow.setEnabled(not answers.why_not)
        self.allow.setToolTip(answers.why_not)
        words = self._allow_words(answers)
        self.allow.setText(words)
        # Whatever is remembered and edited, the button is found under one name.
        self.allow.setAccessibleName(words.removesuffix(" as asked"))
        self.allow.set_kind("normal" if answers.edited else "primary")
        self.allow.set_icon("" if answers.edited else "check")
        self.hints.set_keys(self.allow, "" if answers.edited else self._allow_keys)
        self.deny.setToolTip("Such calls are denied from now on, as chosen above" if answers.remembers else "")
        parts = "1 part is" if answers.hidden == 1 else f"{answers.hidden} parts are"
        self.reveal.show_text("Show what is hidden", f"Show what is hidden: {parts} still to be seen")
        self.reveal.setToolTip(f"{parts} still to be seen before the call can be allowed")
        self.reveal.setVisible(bool(answers.hidden) and not answers.locked)

    def _allow_words(self, answers: Answers) -> str:
        if self._model.is_question:
            return "Continue"
        if self._model.result is not None:
            return "Hand on"
        if self._model.plan:
            return "Allow the plan"
        words = "Allow" if answers.remembers else "Allow once"
        return f"{words} as asked" if answers.edited else words

    def show_ending(self, ending: Ending) -> None:
        """Say what became of the question, in the place of the answers."""
        for button in (self.deny, self.stop, self.reveal, self.allow, self.edited):
            button.hide()
        self._title.show_state(ending.icon, ending.title, "error")
        self._detail.setText(ending.detail)
        self._notice.setAccessibleName(f"{ending.title} {ending.detail}")
        self._notice.show()
        self.close_button.show()

    def height_for(self, width: int) -> int:
        """Return the height that shows everything at a width."""
        return self.heightForWidth(width) if self.hasHeightForWidth() else self.sizeHint().height()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the surface, round at the bottom, and the line above."""
        if self._in_page:
            return
        theme = theme_of(self)
        painter = QPainter(self)
        rect = self.rect()
        painter.setClipRect(rect)
        paint_box(painter, rect.adjusted(0, -_ROUND, 0, 0), theme.radius.large - 1, fill=theme.color.inset)
        painter.fillRect(QRect(0, 0, rect.width(), 1), theme.color.border)

    def _lay_out(self) -> None:
        row = QHBoxLayout(self)
        row.setContentsMargins(20, 8 if self._in_page else 13, 20, 12)
        row.setSpacing(8)
        row.addWidget(self.deny)
        row.addWidget(self.stop)
        words = QVBoxLayout(self._notice)
        words.setContentsMargins(0, 0, 0, 0)
        words.setSpacing(0)
        words.addWidget(self._title)
        words.addWidget(self._detail)
        row.addWidget(self._notice, 1)
        row.addStretch(1)
        row.addWidget(self.reveal)
        row.addSpacing(8)
        row.addWidget(self.allow)
        row.addWidget(self.edited)
        row.addWidget(self.close_button)
        self._notice.hide()
        self.close_button.hide()
        if self._in_page:
            self.setMinimumWidth(_LEAST)
        CompactingRow(self, (self.stop,))
        # Nothing of a plan runs that is denied: there is nothing else to stop.
        self.stop.setVisible(not self._model.plan)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Say less of the keys where the answers have little room."""
        super().resizeEvent(event)
        self.hints.shorten(short=self.width() < _ROOMY)

    def _on_deny_clicked(self) -> None:
        self.deny_requested.emit(False)

    def _on_stop_clicked(self) -> None:
        self.deny_requested.emit(True)
