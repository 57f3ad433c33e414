"""Editors of text: lines, secrets, dates, times and durations."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime
from typing import Any, Final
from uuid import uuid4

from PySide6.QtCore import QDate, QEvent, QObject, QPoint, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QFontMetrics, QKeyEvent, QTextCursor
from PySide6.QtWidgets import QCalendarWidget, QFrame, QLineEdit, QPlainTextEdit, QSizePolicy, QWidget

from console.language import tr, tr_count
from console.schema_form.document import Document
from console.schema_form.editor import FieldEditor, is_run
from console.schema_form.fields import Field, FieldKind
from console.schema_form.flat_schema import Schema
from console.schema_form.formats import ISO_DURATION
from console.theme import theme_of
from console.widgets import IconButton, hbox, set_surface, vbox

_MOST_LINES: Final = 12
_FEWEST_LINES: Final = 3
_SHORT: Final = 200
_NEARLY: Final = 0.9
_EXAMPLES: Final[Mapping[str, str]] = {
    "email": "name@example.org",
    "hostname": "www.example.org",
    "ipv4": "192.0.2.1",
    "ipv6": "2001:db8::1",
    "regex": "^[a-z]+$",
    "uri": "https://example.org/page",
    "url": "https://example.org/page",
    "uuid": "123e4567-e89b-12d3-a456-426614174000",
}

_BRIEFLY: Final = {Qt.FocusReason.PopupFocusReason, Qt.FocusReason.ActiveWindowFocusReason}
"""How the focus leaves a field for a menu or another window, and comes back."""


class TextEditor(FieldEditor):
    """One line of text in the code face."""

    def __init__(self, field: Field, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(field, document, parent)
        self._is_away_briefly = False
        self.line = QLineEdit(self)
        self.line.setFont(theme_of(self).font("code"))
        self.row = hbox(self, spacing=8)
        self.row.addWidget(self.line, 1)
        self.adopt(self.line)
        if field.format == "uuid" and not field.read_only:
            self.add_button("refresh-cw", tr("New UUID for {name}", name=field.name)).clicked.connect(
                self._on_uuid_clicked
            )
        self.line.textEdited.connect(self.take_text)
        self.refresh()

    def show_value(self, value: Any) -> None:
        text = self.text_of(value)
        if self.line.text() != text:
            self.line.setText(text)
            if not self.line.hasFocus():
                self.line.home(False)
        self.line.setPlaceholderText(self.placeholder(value))
        self.show_hint(length_words(self.field.schema, text))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Begin to type behind the text, which is shown from its beginning until then."""
        if watched is self.line and isinstance(event, QFocusEvent):
            was_away_briefly = self._is_away_briefly and event.reason() in _BRIEFLY
            self._is_away_briefly = event.lostFocus() and event.reason() in _BRIEFLY
            # A click puts the caret, and who comes back finds it where it was.
            is_placed = was_away_briefly or event.reason() is Qt.FocusReason.MouseFocusReason
            if event.gotFocus() and not is_placed and not self.line.hasSelectedText():
                self.line.end(False)
        return super().eventFilter(watched, event)

    def placeholder(self, value: Any) -> str:
        return super().placeholder(value) or _EXAMPLES.get(self.field.format, "")

    def add_button(self, icon: str, name: str) -> IconButton:
        self.button = IconButton(icon, name, outlined=True, parent=self)
        self.row.addWidget(self.button)
        return self.button

    def _on_uuid_clicked(self) -> None:
        self.write(str(uuid4()))


class CodeEdit(QPlainTextEdit):
    """Lines of text in the code face; Tab leaves the field.

    Signals:
        text_edited(str): A person changed the text.
    """

    text_edited = Signal(str)

    def __init__(self, margin: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        # Code is read from left to right by everybody.
        self.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        self.is_showing = False
        self.setFont(theme_of(self).font("code"))
        self.setTabChangesFocus(True)
        # Not flat: its focus line has round corners.
        self.setProperty("flat", "false")
        self.document().setDocumentMargin(margin)
        self.textChanged.connect(self._on_text_changed)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Pass Ctrl+Enter on: it runs the tool."""
        if is_run(event):
            event.ignore()
        else:
            super().keyPressEvent(event)

    def _on_text_changed(self) -> None:
        if not self.is_showing:
            self.text_edited.emit(self.toPlainText())


class TextArea(CodeEdit):
    """Lines of text that grow with what is in them."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(2, parent)
        self._shown_lines = 0
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.blockCountChanged.connect(self._follow_lines)
        self._follow_lines()

    def show_text(self, text: str) -> None:
        """Show a text without telling that it was edited; the caret stays if the text is the same."""
        if self.toPlainText() != text:
            self.is_showing = True
            self.setPlainText(text)
            self.is_showing = False

    def sizeHint(self) -> QSize:
        line = QFontMetrics(self.font()).lineSpacing()
        return QSize(200, self._shown_lines * line + 14)

    def minimumSizeHint(self) -> QSize:
        return QSize(80, self.sizeHint().height())

    def _follow_lines(self) -> None:
        lines = min(_MOST_LINES, max(_FEWEST_LINES, self.document().blockCount()))
        if lines != self._shown_lines:
            self._shown_lines = lines
            self.updateGeometry()


class LinesEditor(FieldEditor):
    """Several lines of text in the code face."""

    def __init__(self, field: Field, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(field, document, parent)
        self.area = TextArea(parent=self)
        vbox(self).addWidget(self.area)
        self.adopt(self.area)
        self.area.text_edited.connect(self.take_text)
        self.refresh()

    def show_value(self, value: Any) -> None:
        text = self.text_of(value)
        self.area.show_text(text)
        self.area.setPlaceholderText(self.placeholder(value))
        self.show_hint(length_words(self.field.schema, text))

    def move_to_end(self) -> None:
        self.area.moveCursor(QTextCursor.MoveOperation.End)


def length_words(schema: Schema, text: str) -> str:
    """Say how long a text is while that matters: `12 of 120 characters`, `3 of at least 8 characters`; "" otherwise."""
    length, least, most = len(text), schema.get("minLength", 0), schema.get("maxLength")
    if not text:
        return ""
    if length < least:
        return tr("{length:,} of at least {least:,} characters", length=length, least=least)
    matters = most is not None and (most <= _SHORT or length >= most * _NEARLY)
    return tr("{length:,} of {most:,} characters", length=length, most=most) if matters else ""


class SecretEditor(TextEditor):
    """One line whose letters are dots; a button shows them, until the focus goes elsewhere."""

    def __init__(self, field: Field, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(field, document, parent)
        self.line.setEchoMode(QLineEdit.EchoMode.Password)
        self.reveal = self.add_button("eye", tr("Show {name}", name=field.name))
        self.reveal.setCheckable(True)
        self.reveal.toggled.connect(self._on_reveal_toggled)
        self.reveal.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.FocusOut and not self._is_mine_now():
            self.reveal.setChecked(False)
        return super().eventFilter(watched, event)

    def _is_mine_now(self) -> bool:
        return self.line.hasFocus() or self.reveal.hasFocus() or self.reveal.underMouse()

    def _on_reveal_toggled(self, is_shown: bool) -> None:
        self.line.setEchoMode(QLineEdit.EchoMode.Normal if is_shown else QLineEdit.EchoMode.Password)
        name = self.field.name
        self.reveal.set_name(tr("Hide {name}", name=name) if is_shown else tr("Show {name}", name=name))


_AMOUNTS: Final[Sequence[Callable[[int, str], str]]] = (
    lambda count, amount: tr_count(count, "{amount} week", "{amount} weeks", amount=amount),
    lambda count, amount: tr_count(count, "{amount} year", "{amount} years", amount=amount),
    lambda count, amount: tr_count(count, "{amount} month", "{amount} months", amount=amount),
    lambda count, amount: tr_count(count, "{amount} day", "{amount} days", amount=amount),
    lambda count, amount: tr_count(count, "{amount} hour", "{amount} hours", amount=amount),
    lambda count, amount: tr_count(count, "{amount} minute", "{amount} minutes", amount=amount),
    lambda count, amount: tr_count(count, "{amount} second", "{amount} seconds", amount=amount),
)
"""The words of an amount, which may be a fraction, of each part of a duration; the count is 1 of one alone."""
_PART: Final = re.compile(r"(\d+(?:[.,]\d+)?)\s*([a-z]+)", re.ASCII | re.IGNORECASE)
_LEADING: Final = re.compile(r"^0+(?=\d)")
_CLOCK: Final = re.compile(r"(\d+):(\d\d)(?::(\d\d(?:\.\d+)?))?", re.ASCII)
# In the order in which ISO 8601 writes them; a month has no letter of its own.
_LETTERS: Final[Mapping[str, str]] = {
    **dict.fromkeys(("y", "yr", "year", "years"), "Y"),
    **dict.fromkeys(("mo", "month", "months"), "MO"),
    **dict.fromkeys(("w", "week", "weeks"), "W"),
    **dict.fromkeys(("d", "day", "days"), "D"),
    **dict.fromkeys(("h", "hr", "hour", "hours"), "H"),
    **dict.fromkeys(("m", "min", "minute", "minutes"), "M"),
    **dict.fromkeys(("s", "sec", "second", "seconds"), "S"),
}
_DATE_LETTERS: Final = ("Y", "MO", "D")
_TIME_LETTERS: Final = ("H", "M", "S")


def duration_words(text: str) -> str:
    """Read a duration aloud: `PT1H30M` is `1 hour 30 minutes`; "" for what is none."""
    found = ISO_DURATION.fullmatch(text)
    if found is None:
        return ""
    parts = [
        words(1 if amount == "1" else 2, amount)
        for amount, words in zip(found.groups(), _AMOUNTS, strict=True)
        if amount
    ]
    return " ".join(parts)


def iso_duration(text: str) -> str | None:
    """Write a duration that a person typed as ISO 8601 does; None when it is none, or is written so already.

    Args:
        text: `90 min`, `1h 30m`, `2 days` or `1:30:00`.
    """
    stripped = text.strip()
    clock = _CLOCK.fullmatch(stripped)
    if clock is not None:
        amounts = [("H", clock[1]), ("M", clock[2]), *([("S", clock[3])] if clock[3] else [])]
    else:
        parts = list(_PART.finditer(stripped))
        if not parts or _PART.sub("", stripped).strip(" ,"):
            return None
        amounts = [(_LETTERS.get(part[2].lower(), ""), part[1].replace(",", ".")) for part in parts]
    return _written({letter: _LEADING.sub("", amount) for letter, amount in amounts}, len(amounts))


def _written(amounts: Mapping[str, str], count: int) -> str | None:
    """Put amounts into ISO 8601's order; None where it has no way to write them."""
    is_whole = all(amount.isdigit() for letter, amount in amounts.items() if letter != "S")
    if "" in amounts or len(amounts) != count or not is_whole or ("W" in amounts and count > 1):
        return None
    if "W" in amounts:
        return f"P{amounts['W']}W"
    days = "".join(f"{amounts[letter]}{letter[0]}" for letter in _DATE_LETTERS if letter in amounts)
    time = "".join(f"{amounts[letter]}{letter}" for letter in _TIME_LETTERS if letter in amounts)
    return f"P{days}{'T' if time else ''}{time}"


_DATE_EXAMPLES: Final = {
    FieldKind.DATE: "2026-03-31",
    FieldKind.TIME: "09:30:00",
    FieldKind.DATE_TIME: "2026-03-31T09:30:00",
}
_DATE_LENGTH: Final = len("2026-03-31")


class DateEditor(TextEditor):
    """A date, a time or both, as text that is checked while it is typed; dates also from a calendar."""

    def __init__(self, field: Field, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(field, document, parent)
        if field.kind is not FieldKind.TIME:
            self.add_button("calendar", tr("Pick {name}", name=field.name)).clicked.connect(self._on_button_clicked)

    def placeholder(self, value: Any) -> str:
        return super().placeholder(value) or _DATE_EXAMPLES[self.field.kind]

    def _on_button_clicked(self) -> None:
        popup = QFrame(self, Qt.WindowType.Popup)
        popup.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        set_surface(popup, "raised")
        calendar = QCalendarWidget(popup)
        calendar.setAccessibleName(tr("Calendar for {name}", name=self.field.name))
        calendar.setVerticalHeaderFormat(QCalendarWidget.VerticalHeaderFormat.NoVerticalHeader)
        calendar.setFirstDayOfWeek(Qt.DayOfWeek.Monday)
        current = _date_of(self.line.text())
        if current is not None:
            calendar.setSelectedDate(QDate(current.year, current.month, current.day))
        calendar.activated.connect(self._on_calendar_picked)
        calendar.clicked.connect(self._on_calendar_picked)
        calendar.activated.connect(popup.close)
        calendar.clicked.connect(popup.close)
        vbox(popup, margins=(4, 4, 4, 4)).addWidget(calendar)
        popup.move(self.line.mapToGlobal(QPoint(0, self.line.height() + 2)))
        popup.show()
        calendar.setFocus(Qt.FocusReason.PopupFocusReason)

    def _on_calendar_picked(self, picked: QDate) -> None:
        day = date(picked.year(), picked.month(), picked.day()).isoformat()
        if self.field.kind is FieldKind.DATE:
            self.write(day)
            return
        old = self.line.text()
        rest = old[_DATE_LENGTH:] if _date_of(old) is not None and len(old) > _DATE_LENGTH else "T00:00:00"
        self.write(f"{day}{rest}")


def _date_of(text: str) -> date | None:
    try:
        return datetime.fromisoformat(text).date()
    except ValueError:
        return None


class DurationEditor(TextEditor):
    """A duration as text. What a person writes, such as `90 min`, becomes `PT90M` when the field is left."""

    def __init__(self, field: Field, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(field, document, parent)
        self.line.editingFinished.connect(self._on_line_editing_finished)

    def show_value(self, value: Any) -> None:
        super().show_value(value)
        text = self.line.text()
        meant = iso_duration(text)
        self.show_hint(
            duration_words(text) if meant is None else tr("becomes {meant} when the field is left", meant=meant)
        )

    def placeholder(self, value: Any) -> str:
        return super().placeholder(value) or tr("PT1H30M, or 1h 30m")

    def _on_line_editing_finished(self) -> None:
        meant = iso_duration(self.line.text())
        if meant is not None:
            self.write(meant)
