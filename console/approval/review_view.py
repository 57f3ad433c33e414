"""`ReviewView`: one question with its answers, the same in the dialog and on the Approvals page."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QFrame,
    QHBoxLayout,
    QLineEdit,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from console.approval.arguments_view import ArgumentsView
from console.approval.footer_view import FooterView
from console.approval.header_view import HeaderView
from console.approval.model import ApprovalModel, Countdown, Ending
from console.approval.question_view import QuestionView
from console.approval.reasons_view import ReasonsView, small_heading
from console.widgets import set_surface

__all__ = ["ReviewView"]

_RETURN_KEYS: Final = {Qt.Key.Key_Return, Qt.Key.Key_Enter}
_LABEL_WIDTH: Final = 153
_PADDING: Final = 20


class _Body(QScrollArea):
    """Scroll what has no room, and wish to be as high as everything in it."""

    def __init__(self, parent: QWidget, *, in_page: bool) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.content = QWidget()
        set_surface(self.content, "surface" if in_page else "raised")
        self.column = QVBoxLayout(self.content)
        self.column.setContentsMargins(_PADDING, 4 if in_page else 16, _PADDING, 4 if in_page else 16)
        self.column.setSpacing(0)
        self.setWidget(self.content)

    def wanted_height(self, width: int) -> int:
        """Return the height that shows everything at a width."""
        layout = self.column
        return layout.totalHeightForWidth(width) if layout.hasHeightForWidth() else layout.totalSizeHint().height()


class ReviewView(QWidget):
    """Ask a person one question; nothing is allowed before `set_armed`.

    Args:
        model: The question.
        base: The folder that relative paths start from; None for the home folder.
        in_page: Whether it stands in a page, where A and D are its keys, rather than in a dialog of its own.
        parent: Its owner.

    Signals:
        denied(str, bool): The call shall not run, in the person's words; whether everything it belongs to shall stop.
        allowed(): The call shall run as asked.
        edit_allowed(object): The call shall run with these arguments instead.
        answered(str): The tool's question has this answer.
        arguments_edited(object): The arguments fit their schema and are these now; for whoever knows more about them.
        dismissed(): The person has read that the question needs no answer any more.
        height_changed(): It needs more or less room than before.
    """

    denied = Signal(str, bool)
    allowed = Signal()
    edit_allowed = Signal(object)
    answered = Signal(str)
    arguments_edited = Signal(object)
    dismissed = Signal()
    height_changed = Signal()

    def __init__(
        self, model: ApprovalModel, base: Path | None = None, *, in_page: bool = False, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._in_page = in_page
        self._armed = False
        self._goes_to_allow = False
        self._ended = False
        self.setAccessibleName(f"{model.tool_name} {model.title}")
        self.header = HeaderView(model, in_page=in_page, parent=self)
        self._body = _Body(self, in_page=in_page)
        self.reasons: ReasonsView | None = None
        self.arguments: ArgumentsView | None = None
        self.question: QuestionView | None = None
        self._fill(model, base)
        # Made last: Tab goes from one to the next in the order they were made.
        self.footer = FooterView(is_question=model.is_question, in_page=in_page, parent=self)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.header)
        column.addWidget(self._body, 1)
        column.addWidget(self.footer)
        if in_page:
            column.addStretch(0)
        self._connect()
        self._body.content.installEventFilter(self)
        self._show_state()

    def set_armed(self, *, armed: bool) -> None:
        """Let the call be allowed, or not yet."""
        self._armed = armed
        self._show_state()
        if armed and self._goes_to_allow:
            self._goes_to_allow = False
            self.footer.allow.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def show_countdown(self, countdown: Countdown) -> None:
        """Show how long the question stays open."""
        self.header.show_countdown(countdown)

    def show_position(self, number: int, total: int) -> None:
        """Show how many questions wait."""
        self.header.show_position(number, total)

    def show_objections(self, objections: Mapping[str, str]) -> None:
        """Show what the tool itself finds wrong with the edit.

        Args:
            objections: Sentences by argument; "" stands for all of them together.
        """
        if self.arguments is not None:
            self.arguments.show_objections(objections)
            self._show_state()

    def show_ending(self, ending: Ending) -> None:
        """Say that the question needs no answer any more, and why."""
        self._ended = True
        self.footer.show_ending(ending)
        for part in (self.arguments, self.question, self.reason):
            if part is not None:
                part.setEnabled(False)
        self.header.show_countdown(Countdown(ending.title.rstrip("."), None, 0.0))
        self.footer.close_button.setFocus(Qt.FocusReason.OtherFocusReason)
        self.height_changed.emit()

    def deny(self) -> None:
        """Deny in the words that stand there; once the question needs no answer any more, only close."""
        if self._ended:
            self.dismissed.emit()
        else:
            self._deny(stop_run=False)

    def focus_deny(self) -> None:
        """Move to the answer that allows nothing; Enter then presses it."""
        if self.footer.deny.isVisibleTo(self):
            self._goes_to_allow = False
            self.footer.deny.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def focus_allow(self) -> None:
        """Move to the answer that allows what stands there; Enter then presses it."""
        button = self.footer.edited if self._in_page and self._is_edited() else self.footer.allow
        if button.isVisibleTo(self):
            # A button that is not armed takes no focus yet; an Enter that follows must not press Deny instead.
            self._goes_to_allow = not self._armed
            button.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def focus_edit(self) -> None:
        """Move to the first argument, or to the answer's text."""
        if self.question is not None:
            self.question.area.setFocus(Qt.FocusReason.ShortcutFocusReason)
        elif self.arguments is not None:
            self.arguments.focus_first()

    def height_for(self, width: int) -> int:
        """Return the height that shows everything at a width, in logical pixels."""
        return self.header.heightForWidth(width) + self._body.wanted_height(width) + self.footer.height_for(width)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Allow with Ctrl+Enter; A and D move to the answers, Enter presses them."""
        key, modifiers = event.key(), event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if event.isAutoRepeat():
            return
        if key in _RETURN_KEYS and modifiers == Qt.KeyboardModifier.ControlModifier:
            self._allow_what_stands()
        elif key in _RETURN_KEYS and not modifiers:
            self._press_focused()
        elif key == Qt.Key.Key_A and not modifiers:
            self.focus_allow()
        elif key == Qt.Key.Key_D and not modifiers:
            self.focus_deny()
        elif (
            key == Qt.Key.Key_J
            and modifiers == Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
            and self.arguments is not None
        ):
            self.arguments.toggle_mode()
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the answers right below what they answer."""
        super().resizeEvent(event)
        self._fit_body()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the height of the content."""
        if watched is self._body.content and event.type() is QEvent.Type.LayoutRequest:
            self._fit_body()
            self.height_changed.emit()
        return super().eventFilter(watched, event)

    def _fit_body(self) -> None:
        if self._in_page:
            self._body.setMaximumHeight(self._body.wanted_height(self.width()))

    def _fill(self, model: ApprovalModel, base: Path | None) -> None:
        column = self._body.column
        if model.is_question:
            self.question = QuestionView(model)
            column.addWidget(self.question)
        else:
            self.reasons = ReasonsView(model)
            self.arguments = ArgumentsView(model, base)
            column.addWidget(self.reasons)
            column.addSpacing(16)
            column.addWidget(self.arguments)
        column.addSpacing(16)
        self.reason = QLineEdit()
        row = QHBoxLayout()
        row.setSpacing(0)
        label = small_heading("Reason")
        label.setFixedWidth(_LABEL_WIDTH)
        self.reason.setAccessibleName("Reason")
        self.reason.setPlaceholderText(model.reason_hint)
        row.addWidget(label)
        row.addWidget(self.reason, 1)
        column.addLayout(row)
        column.addStretch(1)

    def _connect(self) -> None:
        self.footer.deny_requested.connect(self._on_footer_deny_requested)
        self.footer.allow_requested.connect(self._on_footer_allow_requested)
        self.footer.edited_requested.connect(self._on_footer_edited_requested)
        self.footer.close_requested.connect(self.deny)
        if self.arguments is not None:
            self.arguments.changed.connect(self._on_arguments_changed)
        if self.question is not None:
            self.question.changed.connect(self._show_state)

    def _show_state(self) -> None:
        if self._ended:
            return
        is_edited = self._is_edited()
        valid = self.arguments is None or self.arguments.is_valid
        why_not = "" if valid else "Correct the arguments first"
        self.footer.show_state(
            edited=is_edited, allowed=self._armed, edit_allowed=self._armed and valid, why_not=why_not
        )
        if self.reasons is not None:
            self.reasons.show_edited(edited=is_edited)

    def _is_edited(self) -> bool:
        if self.question is not None:
            return bool(self.question.answer)
        return self.arguments is not None and self.arguments.is_edited

    def _deny(self, *, stop_run: bool) -> None:
        self.denied.emit(self.reason.text().strip(), stop_run)

    def _allow_what_stands(self) -> None:
        button = self.footer.edited if self._is_edited() else self.footer.allow
        if button.isVisible() and button.isEnabled():
            button.click()

    def _press_focused(self) -> None:
        if self._goes_to_allow:
            return
        focused = QApplication.focusWidget()
        if focused is self.reason:
            self.footer.deny.setFocus(Qt.FocusReason.ShortcutFocusReason)
        elif isinstance(focused, QAbstractButton) and self.isAncestorOf(focused) and focused.isEnabled():
            focused.click()

    def _on_arguments_changed(self) -> None:
        if self.arguments is not None and self.arguments.is_edited and self.arguments.is_valid:
            self.arguments_edited.emit(self.arguments.values())
        self._show_state()

    def _on_footer_deny_requested(self, stop_run: bool) -> None:
        self._deny(stop_run=stop_run)

    def _on_footer_allow_requested(self) -> None:
        if self._armed and not self._ended:
            self.allowed.emit()

    def _on_footer_edited_requested(self) -> None:
        if not self._armed or self._ended:
            return
        if self.question is not None:
            self.answered.emit(self.question.answer)
        elif self.arguments is not None and self.arguments.is_valid:
            self.edit_allowed.emit(self.arguments.values())
