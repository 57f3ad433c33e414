"""One turn of a speaker in a conversation: who and when, and what can be done with what was said."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from PySide6.QtCore import QPoint, QRect, Qt, Signal, Slot
from PySide6.QtGui import (
    QAction,
    QContextMenuEvent,
    QFocusEvent,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from console.assets import paint_icon
from console.assistant.answer_view import AnswerView, CodeBlockView, is_for_message
from console.assistant.rows import has_words, said_time
from console.language import tr
from console.theme import painter_of, theme_of
from console.widgets import IconButton, Menu, TextLabel, format_full_time, hbox, paint_box, set_margins, vbox
from console.widgets.matches import match_spans

_AVATAR: Final = 24
_GAP: Final = 12
_MOST_SPOKEN: Final = 2_000
"""Letters of a message that a screen reader is given at once."""
_STEPS: Final = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}
_COPY, _MARKDOWN, _CODE, _EDIT, _BRANCH = "copy", "markdown", "code", "edit", "branch"


class _Avatar(QWidget):
    """A square with the sign of who speaks."""

    def __init__(self, icon: str, *, accent: bool) -> None:
        super().__init__()
        self._icon = icon
        self._accent = accent
        self.setFixedSize(_AVATAR, _AVATAR)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = theme_of(self)
        painter = painter_of(self)
        fill = theme.color.accent_soft if self._accent else theme.color.hover
        paint_box(painter, self.rect(), theme.radius.medium, fill=fill)
        ink = theme.color.accent_text if self._accent else theme.color.text2
        paint_icon(painter, QRect(5, 5, 14, 14), self._icon, ink, theme)


class SaidLabel(TextLabel):
    """What a person said, as high as it is.

    Its height is fixed: layouts ask labels whose height follows from their width for it again and again, those of all
    messages whenever one comes.
    """

    def __init__(self, text: str, width: int) -> None:
        super().__init__(text, wrap=True, selectable=True)
        self.setAccessibleName(text)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)
        self.setFixedHeight(self.heightForWidth(max(1, width)))

    def hasHeightForWidth(self) -> bool:
        return False

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.setFixedHeight(self.heightForWidth(self.width()))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if is_for_message(event, has_selection=self.hasSelectedText()):
            event.ignore()
        else:
            super().keyPressEvent(event)


class MessageView(QWidget):
    """One turn of a speaker: who, when, and below each other what they said and called.

    Args:
        speaker: The model; None for the person.
        number: Which of the things that the person said it is, or follows, from 0.
        at: When it began, in local time; None when nobody noted it.

    Signals:
        edit_requested(int): What the person said is to be said in other words.
        branch_requested(int): Another conversation is to go on from here.
        step_requested(int): The focus is to go so many messages further; negative is up.
        menu_requested(object, QPoint): What can be done with this message is to be offered at a place of the screen.
    """

    edit_requested = Signal(int)
    branch_requested = Signal(int)
    step_requested = Signal(int)
    menu_requested = Signal(object, QPoint)

    def __init__(
        self, speaker: str | None, number: int, at: datetime | None, now: datetime, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.speaker = speaker
        self._number = number
        row = hbox(self, spacing=_GAP)
        icon = "user" if speaker is None else "bot"
        row.addWidget(_Avatar(icon, accent=speaker is not None), 0, Qt.AlignmentFlag.AlignTop)
        self.column = vbox(spacing=6)
        head = hbox(spacing=4)
        who = tr("You") if speaker is None else speaker or tr("Assistant")
        when = "" if at is None else said_time(at, now)
        head.addWidget(TextLabel(who, "heading"))
        self.time = TextLabel(when, "small", "text3")
        set_margins(self.time, 4, 0, 0, 0)
        if at is not None:
            self.time.setToolTip(format_full_time(at))
        head.addWidget(self.time)
        self.setAccessibleName(f"{who}, {when}" if when else who)
        head.addStretch(1)
        self.edit = IconButton("pencil", tr("Edit and send again"), size=24)
        self.branch = IconButton("git-branch", tr("Branch from here"), size=24)
        head.addWidget(self.edit)
        head.addWidget(self.branch)
        self.column.addLayout(head)
        row.addLayout(self.column, 1)
        self.edit.clicked.connect(self.ask_for_edit)
        self.branch.clicked.connect(self.ask_for_branch)

    @property
    def is_person(self) -> bool:
        return self.speaker is None

    @property
    def is_changeable(self) -> bool:
        return self.branch.isVisibleTo(self)

    def set_changeable(self, *, changeable: bool) -> None:
        """Offer to edit the message and to branch from it, or do not."""
        self.edit.setVisible(changeable and self.is_person)
        self.branch.setVisible(changeable)

    @property
    def indent(self) -> int:
        """How far at the right its words begin."""
        return _AVATAR + _GAP

    @property
    def markdown(self) -> str:
        """What was said, as it was written."""
        words = (one.text() if isinstance(one, SaidLabel) else one.text for one in self._said())
        return "\n\n".join(text.strip("\n") for text in words)

    @property
    def plain(self) -> str:
        """What was said, as it is read."""
        return "\n\n".join(one.text() if isinstance(one, SaidLabel) else one.plain for one in self._said())

    def _said(self) -> list[SaidLabel | AnswerView]:
        items = (self.column.itemAt(at) for at in range(self.column.count()))
        widgets = (None if item is None else item.widget() for item in items)
        return [one for one in widgets if isinstance(one, SaidLabel | AnswerView)]

    def selected(self) -> str:
        """Return the part of it that is selected; empty for none."""
        for one in self._said():
            text = one.selectedText() if isinstance(one, SaidLabel) else one.selected()
            if text:
                return text
        return ""

    def select(self, words: Sequence[str]) -> QRect | None:
        """Select the first of some words, and return where it stands; None when they do not all stand in one text.

        Args:
            words: Case-folded.
        """
        for one in self._said():
            text = one.text() if isinstance(one, SaidLabel) else one.text
            if not has_words(text, words):
                continue
            if isinstance(one, SaidLabel):
                start, end = match_spans(text, words)[0]
                one.setSelection(start, end - start)
                place: QRect | None = one.rect()
            else:
                place = next((found for word in words if (found := one.select(word)) is not None), one.rect())
            return None if place is None else QRect(one.mapTo(self, place.topLeft()), place.size())
        return None

    def code_at(self, at: QPoint) -> CodeBlockView | None:
        """Return the block of code at a place of the screen, or the only one that there is."""
        widget = self.childAt(self.mapFromGlobal(at))
        while widget is not None and widget is not self:
            if isinstance(widget, CodeBlockView):
                return widget
            widget = widget.parentWidget()
        blocks = self.findChildren(CodeBlockView)
        return blocks[0] if len(blocks) == 1 else None

    def keyPressEvent(self, event: QKeyEvent) -> None:
        plain = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier == Qt.KeyboardModifier.NoModifier
        step = _STEPS.get(Qt.Key(event.key())) if plain else None
        if event.matches(QKeySequence.StandardKey.Copy):
            QGuiApplication.clipboard().setText(self.selected() or self.markdown)
        elif step is not None:
            self.step_requested.emit(step)
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        self.setAccessibleDescription(self.markdown[:_MOST_SPOKEN])
        super().focusInEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        self.menu_requested.emit(self, event.globalPos())

    @Slot()
    def ask_for_edit(self) -> None:
        """Have what the person said be said in other words."""
        self.edit_requested.emit(self._number)

    @Slot()
    def ask_for_branch(self) -> None:
        """Have another conversation go on from here."""
        # What the person said is left out of its branch; an answer stays in it.
        self.branch_requested.emit(self._number if self.is_person else self._number + 1)


class MessageMenu(Menu):
    """What can be done with a message."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(tr("Message"), parent)
        self._message: MessageView | None = None
        self._code: CodeBlockView | None = None
        self.triggered.connect(self._on_triggered)

    def offer(self, message: MessageView, at: QPoint) -> None:
        self._message, self._code = message, message.code_at(at)
        self.clear()
        self.add_entry(_COPY, tr("Copy the selection") if message.selected() else tr("Copy"))
        self.add_entry(_MARKDOWN, tr("Copy as Markdown"))
        if self._code is not None:
            self.add_entry(_CODE, tr("Copy the code block"))
        if message.is_changeable:
            self.addSeparator()
            if message.is_person:
                self.add_entry(_EDIT, tr("Edit and send again"))
            self.add_entry(_BRANCH, tr("Branch from here"))
        self.popup(at)

    @Slot(QAction)
    def _on_triggered(self, action: QAction) -> None:
        message, code, key = self._message, self._code, action.data()
        if message is None:
            return
        if key == _EDIT:
            message.ask_for_edit()
        elif key == _BRANCH:
            message.ask_for_branch()
        elif key == _CODE and code is not None:
            code.copy_code()
        else:
            copied = message.markdown if key == _MARKDOWN else message.selected() or message.plain
            QGuiApplication.clipboard().setText(copied)
