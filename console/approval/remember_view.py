"""What becomes of the answer afterwards: nothing, or a rule, with its words and what it would have done so far."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, time, timedelta
from typing import Final

from PySide6.QtCore import QDate, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QButtonGroup, QComboBox, QDateEdit, QHBoxLayout, QRadioButton, QVBoxLayout, QWidget

from console.approval.parts_view import LABEL_WIDTH, grow_with_width, small_heading
from console.approval.remembering import ONLY_THIS_CALL, AnswerSpan, OfferRow, Remembering, TrialRow, span_words
from console.approval.spans_view import FullText, LinkButton, LongText
from console.schema_form.layouts import FlowLayout
from console.widgets import TextLabel, format_count

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

    Args:
        parent: Its owner.

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
        self.offer_box.setAccessibleName("Remember for which calls")
        self.span_box = QComboBox()
        self.span_box.setAccessibleName("Remember for how long")
        for span in _SPANS:
            self.span_box.addItem(span_words(span), span)
        self.date_edit = QDateEdit()
        self.date_edit.setAccessibleName("Remember until")
        self.date_edit.setCalendarPopup(True)
        self.date_edit.setDisplayFormat("yyyy-MM-dd")
        tomorrow = QDate.currentDate().addDays(1)
        self.date_edit.setMinimumDate(tomorrow)
        self.date_edit.setDate(tomorrow.addDays(6))
        self._rule = LongText("the rule", "small", "text2")
        self._tested = TextLabel("", "small", "text3")
        self._link = LinkButton("Show them", "Show the past calls that this rule would have allowed")
        self._list = FullText("past calls that this rule would have allowed")
        self._lay_out()
        self.show_offers(())
        self._radios.idToggled.connect(self._on_radios_id_toggled)
        self.offer_box.currentIndexChanged.connect(self._on_choice_changed)
        self.span_box.currentIndexChanged.connect(self._on_choice_changed)
        self.date_edit.dateChanged.connect(self._on_choice_changed)
        self._link.clicked.connect(self._on_link_clicked)

    @property
    def choice(self) -> Remembering:
        """What the person wants."""
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
            self.offer_box.addItem(_sentence(offer.words), offer.key)
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
            self._tested.setText("There are no earlier calls to try it on.")
        else:
            calls = "its 1 earlier call" if tested.total == 1 else f"the last {format_count(tested.total)} calls"
            self._tested.setText(f"Would have allowed {format_count(tested.matched)} of {calls}.")
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
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 12)
        column.setSpacing(0)
        row = QHBoxLayout()
        row.setSpacing(0)
        label = small_heading("Remember")
        label.setFixedWidth(LABEL_WIDTH)
        row.addWidget(label)
        row.setAlignment(label, Qt.AlignmentFlag.AlignTop)
        choices = FlowLayout(24, 4)
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
        details = QVBoxLayout(self._details)
        details.setContentsMargins(LABEL_WIDTH, 8, 0, 0)
        details.setSpacing(4)
        boxes = QHBoxLayout()
        boxes.setSpacing(8)
        boxes.addWidget(self.offer_box, 1)
        boxes.addWidget(self.span_box)
        boxes.addWidget(self.date_edit)
        details.addLayout(boxes)
        details.addWidget(self._rule)
        line = QHBoxLayout()
        line.setSpacing(8)
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
        words = span_words(span) if span is not AnswerSpan.DATE else f"Until {self.date_edit.text()}"
        self._radios.button(_LONGER).setText(f"{words}, for {offer.words}" if offer is not None else words)
        if offer is not None:
            self._rule.show_text(f"Rule: {offer.rule}. If you deny, it denies.", plain=True)

    def _name_link(self) -> None:
        verb = "Show them" if self._list.isHidden() else "Hide them"
        self._link.show_text(verb, f"{verb}, the past calls that this rule would have allowed")

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


def _sentence(words: str) -> str:
    return words[:1].upper() + words[1:]
