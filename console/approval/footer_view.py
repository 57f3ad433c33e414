"""The end of a question: a reason for a refusal, what is remembered of the answer, and the answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, time, timedelta
from typing import Final, NamedTuple

from PySide6.QtCore import QDate, QRect, Qt, Signal
from PySide6.QtGui import QAction, QActionGroup, QKeyEvent, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QButtonGroup, QComboBox, QDateEdit, QLineEdit, QRadioButton, QStyle, QWidget

from console.approval.model import (
    ONLY_THIS_CALL,
    AnswerSpan,
    ApprovalModel,
    Ending,
    OfferRow,
    Remembering,
    TrialRow,
    span_words,
)
from console.approval.parts_view import ALLOW_KEYS, DENY_KEYS, LABEL_WIDTH, AnswerHints, small_heading
from console.approval.spans_view import FullText, LinkButton, LongText
from console.language import sentence_of, tr, tr_count
from console.schema_form.layouts import FlowLayout
from console.theme import painter_of, theme_of
from console.widgets import (
    Button,
    CompactingRow,
    IconButton,
    IconLabel,
    Menu,
    TextLabel,
    grow_with_width,
    hbox,
    paint_box,
    set_margins,
    vbox,
)
from tools.calls import Advice

_ONCE, _SESSION, _LONGER = range(3)
_SPANS: Final = (AnswerSpan.ALWAYS, AnswerSpan.HOUR, AnswerSpan.TODAY, AnswerSpan.DATE)


class _Radio(QRadioButton):
    """A choice that leaves Enter to the dialog."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            event.ignore()
            return
        super().keyPressEvent(event)


class RememberView(QWidget):
    """Choose for which calls the answer counts, and for how long.

    Signals:
        changed(): Another choice.
    """

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        grow_with_width(self)
        self._offers: tuple[OfferRow, ...] = ()
        self._radios = QButtonGroup(self)
        self._radios.setExclusive(True)
        self.offer_box = QComboBox()
        self.offer_box.setAccessibleName(tr("Remember for which calls"))
        self.span_box = QComboBox()
        self.span_box.setAccessibleName(tr("Remember for how long"))
        for span in _SPANS:
            self.span_box.addItem(span_words(span), span)
        self.date_edit = QDateEdit()
        self.date_edit.setAccessibleName(tr("Remember until"))
        self.date_edit.setCalendarPopup(True)
        self.date_edit.setDisplayFormat("yyyy-MM-dd")
        tomorrow = QDate.currentDate().addDays(1)
        self.date_edit.setMinimumDate(tomorrow)
        self.date_edit.setDate(tomorrow.addDays(6))
        self._rule = LongText(tr("the rule"), "small", "text2")
        self._tested = TextLabel("", "small", "text3")
        self._link = LinkButton(tr("Show them"), tr("Show the past calls that this rule would have allowed"))
        self._list = FullText(tr("past calls that this rule would have allowed"))
        self._lay_out()
        self.show_offers(())
        self._radios.idToggled.connect(self._on_radios_id_toggled)
        self.offer_box.currentIndexChanged.connect(self._on_choice_changed)
        self.span_box.currentIndexChanged.connect(self._on_choice_changed)
        self.date_edit.dateChanged.connect(self._on_choice_changed)
        self._link.clicked.connect(self._on_link_clicked)

    @property
    def choice(self) -> Remembering:
        shown = self._radios.checkedId()
        if shown == _ONCE or not self._offers:
            return ONLY_THIS_CALL
        offer = self._offers[max(0, self.offer_box.currentIndex())]
        span = self._span
        return Remembering(span, offer.key, self._until() if span is AnswerSpan.DATE else None)

    def show_offers(self, offers: Sequence[OfferRow]) -> None:
        """Show what can be remembered, narrowest first; nothing hides it all. The choice stays if it is still there."""
        if tuple(offers) == self._offers:
            self.setVisible(bool(offers))
            return
        before = self.choice.offer
        self._offers = tuple(offers)
        self.offer_box.blockSignals(True)
        self.offer_box.clear()
        for offer in self._offers:
            self.offer_box.addItem(sentence_of(offer.words), offer.key)
        self.offer_box.setCurrentIndex(max(0, self.offer_box.findData(before)))
        self.offer_box.blockSignals(False)
        self.setVisible(bool(offers))
        self._show_choice()

    def show_tested(self, tested: TrialRow | None) -> None:
        """Show what the rule would have done so far; None while nobody knows."""
        self._link.setVisible(tested is not None and bool(tested.matched))
        if tested is None:
            self._tested.setText("")
            self._list.hide()
        elif not tested.total:
            self._tested.setText(tr("There are no earlier calls to try it on."))
        else:
            self._tested.setText(
                tr_count(
                    tested.total,
                    "Would have allowed {matched:,} of its 1 earlier call.",
                    "Would have allowed {matched:,} of the last {count:,} calls.",
                    matched=tested.matched,
                )
            )
            self._list.show_text(tested.listed)
        if tested is None or not tested.matched:
            self._list.hide()
        self._name_link()

    @property
    def _span(self) -> AnswerSpan:
        shown = self._radios.checkedId()
        if shown == _LONGER:
            return AnswerSpan(self.span_box.currentData())
        return AnswerSpan.SESSION if shown == _SESSION else AnswerSpan.ONCE

    def _until(self) -> datetime:
        """Return the end of the chosen day."""
        chosen = self.date_edit.date()
        day = datetime(chosen.year(), chosen.month(), chosen.day()).astimezone() + timedelta(days=1)
        return datetime.combine(day.date(), time()).astimezone()

    def _lay_out(self) -> None:
        column = vbox(self, margins=(0, 0, 0, 12))
        row = hbox()
        label = small_heading(tr("Remember"))
        label.setFixedWidth(LABEL_WIDTH)
        row.addWidget(label)
        row.setAlignment(label, Qt.AlignmentFlag.AlignTop)
        choices = FlowLayout(24)
        for number, words in enumerate(
            (span_words(AnswerSpan.ONCE), span_words(AnswerSpan.SESSION), span_words(AnswerSpan.ALWAYS))
        ):
            radio = _Radio(words)
            radio.setChecked(number == _ONCE)
            self._radios.addButton(radio, number)
            choices.addWidget(radio)
        row.addLayout(choices, 1)
        column.addLayout(row)
        self._details = QWidget()
        grow_with_width(self._details)
        details = vbox(self._details, margins=(LABEL_WIDTH, 8, 0, 0), spacing=4)
        boxes = hbox(spacing=8)
        boxes.addWidget(self.offer_box, 1)
        boxes.addWidget(self.span_box)
        boxes.addWidget(self.date_edit)
        details.addLayout(boxes)
        details.addWidget(self._rule)
        line = hbox(spacing=8)
        line.addWidget(self._tested)
        line.addWidget(self._link)
        line.addStretch(1)
        details.addLayout(line)
        details.addWidget(self._list)
        column.addWidget(self._details)
        self._list.hide()
        self._link.hide()

    def _show_choice(self) -> None:
        shown = self._radios.checkedId()
        offer = self._offers[max(0, self.offer_box.currentIndex())] if self._offers else None
        self._details.setVisible(shown != _ONCE and offer is not None)
        self.span_box.setVisible(shown == _LONGER)
        self.date_edit.setVisible(shown == _LONGER and self._span is AnswerSpan.DATE)
        span = AnswerSpan(self.span_box.currentData())
        words = span_words(span) if span is not AnswerSpan.DATE else tr("Until {date}", date=self.date_edit.text())
        self._radios.button(_LONGER).setText(
            tr("{span}, for {calls}", span=words, calls=offer.words) if offer is not None else words
        )
        if offer is not None:
            self._rule.show_text(tr("Rule: {rule}. If you deny, it denies.", rule=offer.rule), plain=True)

    def _name_link(self) -> None:
        if self._list.isHidden():
            self._link.show_text(tr("Show them"), tr("Show them, the past calls that this rule would have allowed"))
        else:
            self._link.show_text(tr("Hide them"), tr("Hide them, the past calls that this rule would have allowed"))

    def _on_radios_id_toggled(self, _index: int, checked: bool) -> None:
        if checked:
            self._on_choice_changed()

    def _on_choice_changed(self) -> None:
        self.show_tested(None)
        self._show_choice()
        self.changed.emit()

    def _on_link_clicked(self) -> None:
        self._list.setVisible(self._list.isHidden())
        self._name_link()


_PRESETS: Final = (
    (tr("This is not needed."), Advice.STOP),
    (tr("I do this myself."), Advice.STOP),
    (tr("Tell me first what it is for."), Advice.ASK),
    (tr("This takes too much. Take less."), Advice.CHANGE),
    (tr("Stay in the project folder."), Advice.CHANGE),
)
"""Reasons ready to be sent, and the advice that goes with each."""

_ADVICE: Final[Mapping[Advice, str]] = {
    Advice.NONE: tr("Nothing more"),
    Advice.STOP: tr("Not to try this again"),
    Advice.ASK: tr("To ask before it goes on"),
    Advice.CHANGE: tr("To change the call and try again"),
}
_TOLD: Final[Mapping[Advice, str]] = {
    Advice.NONE: "",
    Advice.STOP: tr("If you deny, the caller is also told not to try this again."),
    Advice.ASK: tr("If you deny, the caller is also told to ask before it goes on."),
    Advice.CHANGE: tr("If you deny, the caller is also told to change the call and try again."),
}
_BUTTON: Final = 22


class _ReasonLine(QLineEdit):
    """The field, with the button of the ready-made reasons inside."""

    def __init__(self) -> None:
        super().__init__()
        self.button = IconButton("chevron-down", tr("Ready-made reasons"), size=_BUTTON, parent=self)
        self.setTextMargins(*((_BUTTON, 0, 0, 0) if self.isRightToLeft() else (0, 0, _BUTTON, 0)))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the button at the end."""
        super().resizeEvent(event)
        place = QRect(self.width() - _BUTTON - 3, (self.height() - _BUTTON) // 2, _BUTTON, _BUTTON)
        self.button.setGeometry(QStyle.visualRect(self.layoutDirection(), self.rect(), place))


class RefusalView(QWidget):
    """Take a reason, and what the caller is told to do.

    Args:
        hint: What the empty field says.
    """

    def __init__(self, hint: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.field = _ReasonLine()
        self.field.setAccessibleName(tr("Reason"))
        self.field.setPlaceholderText(hint)
        self._menu = Menu(tr("Ready-made reasons"), self)
        for text, advice in _PRESETS:
            action = self._menu.add_entry((text, advice), text)
            action.triggered.connect(self._on_preset_triggered)
        self._menu.addSeparator()
        told = Menu(tr("Tell the caller"), self._menu)
        group = QActionGroup(told)
        self._action_by_advice: dict[Advice, QAction] = {}
        for advice, words in _ADVICE.items():
            action = QAction(words, group)
            action.setCheckable(True)
            action.setData(advice)
            told.addAction(action)
            self._action_by_advice[advice] = action
        group.triggered.connect(self._on_group_triggered)
        self._menu.addMenu(told)
        self.field.button.setMenu(self._menu)
        self._told = TextLabel("", "small", "text3")
        row = hbox()
        label = small_heading(tr("Reason"))
        label.setFixedWidth(LABEL_WIDTH)
        row.addWidget(label)
        row.addWidget(self.field, 1)
        set_margins(self._told, LABEL_WIDTH, 4, 0, 0)
        column = vbox(self)
        column.addLayout(row)
        column.addWidget(self._told)
        self._advice = Advice.NONE
        self.advise(Advice.NONE)

    @property
    def reason(self) -> str:
        """The person's words; empty for none."""
        return self.field.text().strip()

    @property
    def advice(self) -> Advice:
        """What the caller is told to do if the call is denied."""
        return self._advice

    def advise(self, advice: Advice) -> None:
        """Choose what the caller is told to do."""
        self._advice = advice
        self._action_by_advice[advice].setChecked(True)
        self._told.setText(_TOLD[advice])
        self._told.setVisible(advice is not Advice.NONE)

    def _on_preset_triggered(self) -> None:
        action = self.sender()
        if isinstance(action, QAction):
            text, advice = action.data()
            self.field.setText(text)
            self.advise(Advice(advice))

    def _on_group_triggered(self, action: QAction) -> None:
        self.advise(Advice(action.data()))


_ROUND: Final = 16
_ROOMY: Final = 860
"""From this width on there is room for all that can be said of the keys."""
_LEAST: Final = 600
"""What the answers to an edited call need, with the shortest words."""
_NOT_YET: Final = tr("Available in a moment, so that a key meant for something else allows nothing")


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
        return tr("Look at everything first: the tool may destroy something, or nobody can tell") if self.hidden else ""

    @property
    def why_not_edited(self) -> str:
        """Why the edit cannot be allowed; empty when it can."""
        return self.why_not or ("" if self.valid else tr("Correct the arguments first"))


class FooterView(QWidget):
    """Offer the answers.

    Args:
        in_page: Whether it stands in a page, where A and D are its keys.

    Signals:
        deny_requested(bool): Deny the call, and with True stop the run it belongs to.
    """

    deny_requested = Signal(bool)

    def __init__(self, model: ApprovalModel, *, in_page: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self._in_page = in_page
        self._allow_keys = ALLOW_KEYS if in_page else "Ctrl+Enter"
        self.deny = Button(tr("Deny"), icon="x", shortcut_hint=DENY_KEYS if in_page else "Esc", large=True)
        self.deny.setAccessibleName(tr("Deny"))
        self.stop = Button(tr("Deny && stop the run"), kind="danger", icon="circle-x", large=True)
        self.stop.setAccessibleName(tr("Deny and stop the run"))
        self.reveal = LinkButton("", "")
        self.allow = Button(tr("Allow once"), large=True)
        edited = tr("Send answer") if model.is_question else tr("Allow edited")
        self.edited = Button(edited, kind="primary", icon="check", shortcut_hint=self._allow_keys, large=True)
        self.edited.setAccessibleName(edited)
        self._notice = QWidget(self)
        self._title = IconLabel("timer-off", "", "heading", "error")
        self._detail = TextLabel("", "small", "text2", wrap=True)
        self.close_button = Button(tr("Close"), shortcut_hint="" if in_page else "Esc", large=True)
        self.close_button.setAccessibleName(tr("Close"))
        self.hints = AnswerHints(self, self.deny, self.allow, self.edited)
        self._lay_out()
        self.show_state(Answers())
        self.deny.clicked.connect(self._on_deny_clicked)
        self.stop.clicked.connect(self._on_stop_clicked)

    def show_state(self, answers: Answers) -> None:
        self.edited.setVisible(answers.edited)
        self.edited.setEnabled(not answers.why_not_edited)
        self.edited.setToolTip(answers.why_not_edited)
        self.allow.setEnabled(not answers.why_not)
        self.allow.setToolTip(answers.why_not)
        words, name = self._allow_words(answers)
        self.allow.setText(words)
        self.allow.setAccessibleName(name)
        self.allow.set_kind("normal" if answers.edited else "primary")
        self.allow.set_icon("" if answers.edited else "check")
        self.hints.set_keys(self.allow, "" if answers.edited else self._allow_keys)
        self.deny.setToolTip(tr("Such calls are denied from now on, as chosen above") if answers.remembers else "")
        self.reveal.show_text(
            tr("Show what is hidden"),
            tr_count(
                answers.hidden,
                "Show what is hidden: 1 part is still to be seen",
                "Show what is hidden: {count} parts are still to be seen",
            ),
        )
        self.reveal.setToolTip(
            tr_count(
                answers.hidden,
                "1 part is still to be seen before the call can be allowed",
                "{count} parts are still to be seen before the call can be allowed",
            )
        )
        self.reveal.setVisible(bool(answers.hidden) and not answers.locked)

    def _allow_words(self, answers: Answers) -> tuple[str, str]:
        """Return the words of the button that allows, and its name, which stays whether or not the call is edited."""
        if self._model.is_question:
            name = tr("Continue")
        elif self._model.result is not None:
            name = tr("Hand on")
        elif self._model.plan:
            name = tr("Allow the plan")
        elif answers.remembers:
            name = tr("Allow")
            return tr("Allow as asked") if answers.edited else name, name
        else:
            name = tr("Allow once")
            return tr("Allow once as asked") if answers.edited else name, name
        return name, name

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
        return self.heightForWidth(width) if self.hasHeightForWidth() else self.sizeHint().height()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the surface, round at the bottom, and the line above."""
        if self._in_page:
            return
        theme = theme_of(self)
        painter = painter_of(self)
        rect = self.rect()
        painter.setClipRect(rect)
        paint_box(painter, rect.adjusted(0, -_ROUND, 0, 0), theme.radius.large - 1, fill=theme.color.inset)
        painter.fillRect(QRect(0, 0, rect.width(), 1), theme.color.border)

    def _lay_out(self) -> None:
        row = hbox(self, margins=(20, 8 if self._in_page else 13, 20, 12), spacing=8)
        row.addWidget(self.deny)
        row.addWidget(self.stop)
        words = vbox(self._notice)
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
