"""One question whole: what is asked and why, in a part that scrolls and knows how much of it was on show."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QApplication, QFrame, QScrollArea, QWidget

from console.approval.arguments_view import ArgumentsView
from console.approval.effects_view import EffectsView, IconRow
from console.approval.footer_view import Answers, FooterView, RefusalView, RememberView
from console.approval.header_view import QuestionHeaderView
from console.approval.model import (
    ONLY_THIS_CALL,
    ApprovalModel,
    Countdown,
    Ending,
    Estimate,
    OfferRow,
    Remembering,
    SentencePart,
    TrialRow,
)
from console.approval.parts_view import small_heading
from console.approval.plan_view import PlanView
from console.approval.reasons import Reason
from console.approval.spans_view import FullText, LongText, SpanLabel
from console.language import tr
from console.schema_form.text_editors import TextArea
from console.theme import theme_of
from console.widgets import Badge, IconLabel, TextLabel, grow_with_width, hbox, set_margins, set_surface, vbox
from tools.calls import Advice


class ReasonsView(QWidget):
    """Say why a person is asked."""

    def __init__(self, model: ApprovalModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        grow_with_width(self)
        self.texts: list[LongText] = []
        column = vbox(self)
        column.setAlignment(Qt.AlignmentFlag.AlignTop)
        head = hbox(spacing=8)
        head.addWidget(small_heading(tr("Why you are asked")))
        if model.risk is not None:
            badge = Badge(model.risk.title, icon=model.risk.icon, tone=model.risk.tone)
            badge.setToolTip(model.risk.detail)
            badge.setAccessibleName(f"{model.risk.title}. {model.risk.detail}")
            head.addWidget(badge)
        head.addStretch(1)
        column.addLayout(head)
        column.addSpacing(5)
        if model.risk is not None and not _is_told(model.risk.detail, model.reasons):
            why = LongText(tr("the risk"), "small", "text2")
            why.show_text(model.risk.detail, model.words)
            column.addWidget(why)
            column.addSpacing(8)
            self.texts.append(why)
        for index, reason in enumerate(model.reasons):
            if index:
                column.addSpacing(8)
            column.addWidget(self._line(reason, model))
        column.addStretch(1)

    def _line(self, reason: Reason, model: ApprovalModel) -> IconRow:
        line = IconRow(reason.icon, 16, 8, "warn" if reason.is_warning else "text3")
        line.column.addWidget(SpanLabel((SentencePart(reason.title),), "heading"))
        if reason.details and not reason.is_effect:
            text = LongText(reason.tag, "small", "text2")
            text.show_text("\n".join(reason.details), model.words)
            line.column.addWidget(text)
            self.texts.append(text)
        return line


def _is_told(detail: str, reasons: tuple[Reason, ...]) -> bool:
    told = [said for reason in reasons for said in reason.details]
    return not detail or any(said in detail for said in told)


class QuestionView(QWidget):
    """Show the question and take an answer."""

    changed = Signal()

    def __init__(self, model: ApprovalModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        grow_with_width(self)
        column = vbox(self)
        column.addWidget(small_heading(tr("Question")))
        column.addSpacing(4)
        question = LongText(tr("the question"))
        question.show_text(model.description)
        column.addWidget(question)
        column.addSpacing(16)
        column.addWidget(small_heading(tr("Answer")))
        if model.prompt:
            column.addSpacing(4)
            column.addWidget(TextLabel(model.prompt, "small", "text2", wrap=True))
        column.addSpacing(8)
        self.area = TextArea(parent=self)
        self.area.setFont(theme_of(self).font("body"))
        self.area.setAccessibleName(tr("Answer"))
        self.area.setAccessibleDescription(model.prompt)
        self.area.setPlaceholderText(tr("Sent to the tool. Ctrl+Enter sends it"))
        column.addWidget(self.area)
        self.area.text_edited.connect(self.changed)

    @property
    def answer(self) -> str:
        """Return the answer; "" for none."""
        return self.area.toPlainText().strip()


class CallerGoneView(IconRow):
    """Say that the caller has given up waiting, and what that means for an answer."""

    def __init__(self) -> None:
        super().__init__("hourglass", 16, 8, "warn")
        self.setObjectName("callerGone")
        set_margins(self.column, 24, 0, 0, 12)
        self._fact = SpanLabel((), "heading")
        self._consequence = TextLabel("", "small", "text2", wrap=True)
        self.column.addWidget(self._fact)
        self.column.addWidget(self._consequence)

    def show_text(self, fact: str, consequence: str) -> None:
        self._fact.show_parts((SentencePart(fact),))
        self._consequence.setText(consequence)
        self.setAccessibleName(f"{fact} {consequence}".strip())
        self.setVisible(bool(fact))


_PADDING: Final = 20


class BodyView(QScrollArea):
    """Scroll what has no room, and wish to be as high as everything in it.

    Args:
        in_page: Whether it stands in a page, which has less room for the same than a dialog of its own.

    Signals:
        resized(): What is in it needs more or less room than before.
        seen(): More of it has been on show, or other parts of it are.
    """

    resized = Signal()
    seen = Signal()

    def __init__(self, *, in_page: bool, parent: QWidget) -> None:
        super().__init__(parent)
        self._seen_to = 0
        # Not while it is painted: what is shown below it may change its size.
        self._seen_timer = QTimer(self, singleShot=True, interval=0)
        self._seen_timer.timeout.connect(self.seen)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._content = QWidget()
        set_surface(self._content, "surface" if in_page else "raised")
        self.gap = 12 if in_page else 16
        self.column = vbox(self._content, margins=(_PADDING, 4 if in_page else 16, _PADDING, 4 if in_page else 16))
        self.setWidget(self._content)
        self._content.installEventFilter(self)
        self.verticalScrollBar().valueChanged.connect(self._on_scrolled)
        self.verticalScrollBar().rangeChanged.connect(self._on_scrolled)

    def wanted_height(self, width: int) -> int:
        layout = self.column
        return layout.totalHeightForWidth(width) if layout.hasHeightForWidth() else layout.totalSizeHint().height()

    def has_shown(self, widget: QWidget) -> bool:
        """Return whether a widget in it has been on show down to its end, at one time or another."""
        end = widget.mapTo(self._content, QPoint(0, widget.height())).y()
        return self._seen_to >= min(end, self._content.height())

    def show_more(self) -> None:
        bar = self.verticalScrollBar()
        bar.setValue(bar.value() + bar.pageStep())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Take note of what is in sight now."""
        super().resizeEvent(event)
        self._on_scrolled()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the height of the content, and what of it is painted, wherever the scroll bar was moved to."""
        if watched is self._content and event.type() is QEvent.Type.LayoutRequest:
            self.resized.emit()
        elif watched is self._content and event.type() is QEvent.Type.Paint and self._note_seen():
            self._seen_timer.start()
        return super().eventFilter(watched, event)

    def _note_seen(self) -> bool:
        """Return whether more has been on show than before."""
        seen_to = self.verticalScrollBar().value() + self.viewport().height()
        is_more = seen_to > self._seen_to
        self._seen_to = max(seen_to, self._seen_to)
        return is_more

    def _on_scrolled(self) -> None:
        self._note_seen()
        self.seen.emit()


_RETURN_KEYS: Final = {Qt.Key.Key_Return, Qt.Key.Key_Enter}


class ReviewView(QWidget):
    """Ask a person one question; nothing is allowed before `set_armed`.

    Args:
        base: The folder that relative paths start from; None for the home folder.
        in_page: Whether it stands in a page, where A and D are its keys, rather than in a dialog of its own.

    Signals:
        denied(str, bool): The call shall not run, in the person's words; whether everything it belongs to shall stop.
        allowed(): The call shall run as asked.
        edit_allowed(object): The call shall run with these arguments instead.
        answered(str): The tool's question has this answer.
        arguments_edited(object): The arguments fit their schema and are these now, as edited or as asked again; for
            whoever knows more about them.
        dismissed(): The person has read that the question needs no answer any more.
        remember_changed(object): The answer shall be remembered so, a `Remembering`.
        more_time_requested(): The question shall stay open for longer.
        all_requested(): All open questions shall be shown, rather than this one alone.
        height_changed(): It needs more or less room than before.
    """

    denied = Signal(str, bool)
    allowed = Signal()
    edit_allowed = Signal(object)
    answered = Signal(str)
    arguments_edited = Signal(object)
    dismissed = Signal()
    remember_changed = Signal(object)
    more_time_requested = Signal()
    all_requested = Signal()
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
        self.header = QuestionHeaderView(model, in_page=in_page, parent=self)
        self._body = BodyView(in_page=in_page, parent=self)
        self._must_see_all = model.needs_care
        self._locked = model.locked
        self._was_edited = False
        self.effects: EffectsView | None = None
        self.reasons: ReasonsView | None = None
        self.result: FullText | None = None
        self.arguments: ArgumentsView | None = None
        self.question: QuestionView | None = None
        self.plan: PlanView | None = None
        self._fill(model, base)
        # Made last: Tab goes from one to the next in the order they were made.
        self.footer = FooterView(model, in_page=in_page, parent=self)
        column = vbox(self)
        column.addWidget(self.header)
        column.addWidget(self._body, 1)
        column.addWidget(self.footer)
        if in_page:
            column.addStretch(0)
        self._connect()
        self._show_state()

    def set_armed(self, *, armed: bool) -> None:
        self._armed = armed
        self._show_state()
        if armed and self._goes_to_allow:
            self.focus_allow()

    def show_countdown(self, countdown: Countdown) -> None:
        self.header.show_countdown(countdown)

    def show_position(self, number: int, total: int) -> None:
        self.header.show_position(number, total)

    def show_objections(self, objections: Mapping[str, str]) -> None:
        if self.arguments is not None:
            self.arguments.show_objections(objections)
            self._show_state()

    @property
    def advice(self) -> Advice:
        return self.refusal.advice

    @property
    def whatever(self) -> tuple[str, ...]:
        return () if self.plan is None else self.plan.whatever

    @property
    def remembering(self) -> Remembering:
        return self.remember.choice

    def show_offers(self, offers: Sequence[OfferRow]) -> None:
        self.remember.show_offers(() if self._locked else offers)
        self._show_state()

    def show_tested(self, tested: TrialRow | None) -> None:
        self.remember.show_tested(tested)

    def show_estimate(self, estimate: Estimate | None) -> None:
        """Show what the edited call would do; None when a dry run found out nothing."""
        if self.effects is not None:
            values = self.arguments.values().values() if self.arguments is not None else ()
            self.effects.show_estimate(estimate, tuple(value for value in values if isinstance(value, str)))

    def show_caller_gone(self, fact: str, consequence: str) -> None:
        self.caller_gone.show_text(fact, consequence)

    def show_ending(self, ending: Ending) -> None:
        self._ended = True
        self.footer.show_ending(ending)
        for part in (self.arguments, self.question, self.plan, self.remember, self.refusal):
            if part is not None:
                part.setEnabled(False)
        self.header.position.hide()
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

    def choose_deny(self) -> None:
        """Move to the answer that allows nothing, and say there that Enter presses it."""
        if self.footer.deny.isVisibleTo(self):
            self.focus_deny()
            self.footer.hints.choose(self.footer.deny)

    def focus_allow(self) -> None:
        """Move to the answer that allows what stands there, or first to what shows the rest; Enter then presses it."""
        if self.footer.reveal.isVisibleTo(self):
            self._goes_to_allow = False
            self.footer.reveal.setFocus(Qt.FocusReason.ShortcutFocusReason)
            return
        button = self.footer.edited if self._in_page and self._is_edited() else self.footer.allow
        if button.isVisibleTo(self):
            # A button that is not armed takes no focus yet; an Enter that follows must not press Deny instead.
            self._goes_to_allow = not self._armed
            button.setFocus(Qt.FocusReason.ShortcutFocusReason)
            if self._armed:
                self.footer.hints.choose(button)

    def focus_edit(self) -> None:
        """Move to the first argument, or to the answer's text."""
        if self.question is not None:
            self.question.area.setFocus(Qt.FocusReason.ShortcutFocusReason)
        elif self.arguments is not None:
            self.arguments.focus_first()

    def unfold(self) -> None:
        """Show the arguments at their defaults as well."""
        if self.arguments is not None:
            self.arguments.unfold()

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
            self.choose_deny()
        elif key == Qt.Key.Key_M and not modifiers:
            self.unfold()
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

    def _fit_body(self) -> None:
        if self._in_page:
            self._body.setMaximumHeight(self._body.wanted_height(self.width()))

    def _on_body_resized(self) -> None:
        self._fit_body()
        self.height_changed.emit()

    def _fill(self, model: ApprovalModel, base: Path | None) -> None:
        column = self._body.column
        self.caller_gone = CallerGoneView()
        column.addWidget(self.caller_gone)
        # Shown before it has a place, it would be a window of its own for a moment, and take the focus.
        self.caller_gone.show_text(*model.caller_gone)
        if model.locked:
            column.addWidget(IconLabel("lock", model.locked, "body", "text", icon_tone="warn"))
            column.addSpacing(12)
        if model.is_question:
            self.question = QuestionView(model)
            column.addWidget(self.question)
        else:
            self._fill_call(model, base)
        column.addSpacing(self._body.gap)
        self.remember = RememberView()
        self.refusal = RefusalView(model.reason_hint)
        column.addWidget(self.remember)
        column.addWidget(self.refusal)
        column.addStretch(1)
        if model.locked:
            for part in (self.question, self.arguments, self.remember):
                if part is not None:
                    part.setEnabled(False)

    def _fill_call(self, model: ApprovalModel, base: Path | None) -> None:
        column = self._body.column
        self.effects = EffectsView(model)
        self.reasons = ReasonsView(model)
        row = hbox(spacing=24)
        row.addWidget(self.effects, 1)
        row.addWidget(self.reasons, 1)
        column.addLayout(row)
        # As above.
        self.reasons.setVisible(bool(model.reasons) or model.risk is not None)
        column.addSpacing(self._body.gap)
        if model.result is not None:
            self.result = FullText(tr("the result"))
            self.result.show_text(model.result)
            column.addWidget(small_heading(tr("Result, as it would be handed on")))
            column.addSpacing(8)
            column.addWidget(self.result)
            return
        if model.plan:
            self.plan = PlanView(model.plan)
            column.addWidget(self.plan)
            return
        self.arguments = ArgumentsView(model, base, in_page=self._in_page)
        column.addWidget(self.arguments)

    def _connect(self) -> None:
        self.header.more_time.clicked.connect(self.more_time_requested)
        self.header.position.clicked.connect(self.all_requested)
        self.footer.deny_requested.connect(self._on_footer_deny_requested)
        self.footer.allow.clicked.connect(self._on_footer_allow_requested)
        self.footer.edited.clicked.connect(self._on_footer_edited_requested)
        self.footer.close_button.clicked.connect(self.deny)
        self.footer.reveal.clicked.connect(self.reveal)
        self.remember.changed.connect(self._on_remember_changed)
        self._body.resized.connect(self._on_body_resized)
        self._body.seen.connect(self._show_state)
        if self.arguments is not None:
            self.arguments.changed.connect(self._on_arguments_changed)
            self.arguments.opened.connect(self._show_state)
        for text in self._texts():
            text.opened_changed.connect(self._show_state)
        if self.question is not None:
            self.question.changed.connect(self._show_state)
        if self.plan is not None:
            self.plan.seen_changed.connect(self._show_state)

    def reveal(self) -> None:
        """Show the next part that has not been on show yet."""
        for text in self._texts():
            if text.hides:
                text.open()
                self._body.ensureWidgetVisible(text)
                return
        if self.plan is not None and self.plan.hides:
            self.plan.open()
            self._body.ensureWidgetVisible(self.plan.table)
            return
        for row in self.arguments.rows if self.arguments is not None else ():
            if row.hides:
                row.open()
                self._body.ensureWidgetVisible(row)
                return
        self._body.show_more()

    def _texts(self) -> Iterator[LongText]:
        for column in (self.effects, self.reasons):
            if column is not None:
                yield from column.texts

    def _hidden_parts(self) -> int:
        """Count what has not been on show yet; what has to be scrolled to is one part."""
        parts = sum(text.hides for text in self._texts())
        if self.arguments is not None:
            parts += sum(row.hides for row in self.arguments.rows)
            parts += self.isVisible() and not self._body.has_shown(self.arguments)
        if self.plan is not None:
            parts += self.plan.hides
            parts += self.isVisible() and not self._body.has_shown(self.plan)
        return parts

    def _show_state(self) -> None:
        if self._ended:
            return
        is_edited = self._is_edited()
        valid = self.arguments is None or self.arguments.is_valid
        hidden = self._hidden_parts() if self._must_see_all else 0
        if not hidden and self.footer.reveal.hasFocus():
            # Qt would hand the focus on to the next button, which an Enter too many would press.
            self.setFocus(Qt.FocusReason.OtherFocusReason)
        self.footer.show_state(
            Answers(
                edited=is_edited,
                armed=self._armed,
                valid=valid,
                hidden=hidden,
                locked=self._locked,
                remembers=self.remembering != ONLY_THIS_CALL,
            )
        )
        if self.effects is not None:
            self.effects.show_edited(edited=is_edited)

    def _is_edited(self) -> bool:
        if self.question is not None:
            return bool(self.question.answer)
        return self.arguments is not None and self.arguments.is_edited

    def _deny(self, *, stop_run: bool) -> None:
        self.denied.emit(self.refusal.reason, stop_run)

    def _allow_what_stands(self) -> None:
        button = self.footer.edited if self._is_edited() else self.footer.allow
        if button.isVisible() and button.isEnabled():
            button.click()

    def _press_focused(self) -> None:
        if self._goes_to_allow:
            return
        focused = QApplication.focusWidget()
        if focused is self.refusal.field:
            self.footer.deny.setFocus(Qt.FocusReason.ShortcutFocusReason)
        elif isinstance(focused, QAbstractButton) and self.isAncestorOf(focused) and focused.isEnabled():
            focused.click()

    def _on_arguments_changed(self) -> None:
        self._show_state()
        if self.arguments is None:
            return
        is_edited = self.arguments.is_edited
        if (is_edited or self._was_edited) and self.arguments.is_valid:
            self._was_edited = is_edited
            self.arguments_edited.emit(self.arguments.values())

    def _on_remember_changed(self) -> None:
        self._show_state()
        self.remember_changed.emit(self.remembering)

    def _on_footer_deny_requested(self, stop_run: bool) -> None:
        self._deny(stop_run=stop_run)

    @property
    def _may_allow(self) -> bool:
        may = self._armed and not self._ended and not self._locked
        return may and not (self._must_see_all and self._hidden_parts())

    def _on_footer_allow_requested(self) -> None:
        if self._may_allow:
            self.allowed.emit()

    def _on_footer_edited_requested(self) -> None:
        if not self._may_allow:
            return
        if self.question is not None:
            self.answered.emit(self.question.answer)
        elif self.arguments is not None and self.arguments.is_valid:
            self.edit_allowed.emit(self.arguments.values())
