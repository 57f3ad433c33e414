"""The foot of the dialog: the answers a person can give, or what became of the question meanwhile."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QRect, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from console.approval.model import Ending
from console.theme import theme_of
from console.widgets import Button, IconLabel, TextLabel, paint_box

__all__ = ["FooterView"]

_ROUND: Final = 16
_NOT_YET: Final = "Available in a moment, so that a key meant for something else allows nothing"


class FooterView(QWidget):
    """Offer the answers.

    Args:
        is_question: Whether a running tool asks something, rather than a call asking to run.
        in_page: Whether it stands in a page, where A and D are its keys.
        parent: Its owner.

    Signals:
        deny_requested(bool): Deny the call, and with True stop the run it belongs to.
        allow_requested(): Let it go on as asked.
        edited_requested(): Let it go on with the edit, or send the answer.
        close_requested(): The person has read what became of the question.
    """

    deny_requested = Signal(bool)
    allow_requested = Signal()
    edited_requested = Signal()
    close_requested = Signal()

    def __init__(self, *, is_question: bool, in_page: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._is_question = is_question
        self._in_page = in_page
        self._allow_keys = "A" if in_page else "Ctrl+Enter"
        self.deny = Button("Deny", icon="x", shortcut_hint="D" if in_page else "Esc", large=True)
        self.deny.setAccessibleName("Deny")
        self.stop = Button("Deny && stop the run", kind="danger", icon="circle-x", large=True)
        self.stop.setAccessibleName("Deny and stop the run")
        self.allow = Button("Continue" if is_question else "Allow once", large=True)
        self.allow.setAccessibleName("Continue" if is_question else "Allow once")
        edited = "Send answer" if is_question else "Allow edited"
        self.edited = Button(edited, kind="primary", icon="check", shortcut_hint=self._allow_keys, large=True)
        self.edited.setAccessibleName(edited)
        self._notice = QWidget(self)
        self._title = IconLabel("timer-off", "", "heading", "error")
        self._detail = TextLabel("", "small", "text2", wrap=True)
        self.close_button = Button("Close", shortcut_hint="" if in_page else "Esc", large=True)
        self.close_button.setAccessibleName("Close")
        self._lay_out()
        self.show_state(edited=False, allowed=False, edit_allowed=False, why_not="")
        self.deny.clicked.connect(self._on_deny_clicked)
        self.stop.clicked.connect(self._on_stop_clicked)
        self.allow.clicked.connect(self.allow_requested)
        self.edited.clicked.connect(self.edited_requested)
        self.close_button.clicked.connect(self.close_requested)

    def show_state(self, *, edited: bool, allowed: bool, edit_allowed: bool, why_not: str) -> None:
        """Show which answers there are.

        Args:
            edited: Whether there is an edit, or an answer, to send.
            allowed: Whether the call may be allowed now.
            edit_allowed: Whether the edit may be sent now.
            why_not: Why the edit may not; the button's tooltip.
        """
        self.edited.setVisible(edited)
        self.edited.setEnabled(edit_allowed)
        self.edited.setToolTip("" if edit_allowed else why_not or _NOT_YET)
        self.allow.setEnabled(allowed)
        self.allow.setToolTip("" if allowed else _NOT_YET)
        if not self._is_question:
            self.allow.setText("Allow once as asked" if edited else "Allow once")
        self.allow.set_kind("normal" if edited else "primary")
        self.allow.set_icon("" if edited else "check")
        self.allow.set_shortcut_hint("" if edited else self._allow_keys)

    def show_ending(self, ending: Ending) -> None:
        """Say what became of the question, in the place of the answers."""
        for button in (self.deny, self.stop, self.allow, self.edited):
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
        row.setContentsMargins(20, 13, 20, 12)
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
        row.addWidget(self.allow)
        row.addWidget(self.edited)
        row.addWidget(self.close_button)
        self._notice.hide()
        self.close_button.hide()

    def _on_deny_clicked(self) -> None:
        self.deny_requested.emit(False)

    def _on_stop_clicked(self) -> None:
        self.deny_requested.emit(True)
