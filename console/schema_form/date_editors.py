"""Editors of dates, times and durations."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date, datetime
from typing import Any, Final

from PySide6.QtCore import QDate, QPoint, Qt
from PySide6.QtWidgets import QCalendarWidget, QFrame, QVBoxLayout, QWidget

from console.schema_form.document import Document
from console.schema_form.fields import Field
from console.schema_form.kinds import FieldKind
from console.schema_form.text_editors import TextEditor
from console.widgets import IconButton, set_surface

_ISO: Final = re.compile(
    r"P(?=.)(?:(\d+)W|(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)D)?(?:T(?=.)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:[.,]\d+)?)S)?)?)",
    re.ASCII,
)
_NAMES: Final = ("week", "year", "month", "day", "hour", "minute", "second")
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
    found = _ISO.fullmatch(text)
    if found is None:
        return ""
    parts = [
        f"{amount} {name}{'' if amount == '1' else 's'}"
        for amount, name in zip(found.groups(), _NAMES, strict=True)
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


_EXAMPLES: Final = {
    FieldKind.DATE: "2026-03-31",
    FieldKind.TIME: "09:30:00",
    FieldKind.DATE_TIME: "2026-03-31T09:30:00",
}
_DATE_LENGTH: Final = len("2026-03-31")


class DateEditor(TextEditor):
    """A date, a time or both, as text that is checked while it is typed; dates also from a calendar."""

    def __init__(self, field: Field, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(field, document, parent)
        if field.kind is FieldKind.TIME:
            return
        self.button = IconButton("calendar", f"Pick {field.name}", outlined=True, parent=self)
        self.button.clicked.connect(self._on_button_clicked)
        self.row.addWidget(self.button)

    def placeholder(self, value: Any) -> str:
        return super().placeholder(value) or _EXAMPLES[self.field.kind]

    def _on_button_clicked(self) -> None:
        popup = QFrame(self, Qt.WindowType.Popup)
        popup.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        set_surface(popup, "raised")
        calendar = QCalendarWidget(popup)
        calendar.setAccessibleName(f"Calendar for {self.field.name}")
        calendar.setVerticalHeaderFormat(QCalendarWidget.VerticalHeaderFormat.NoVerticalHeader)
        calendar.setFirstDayOfWeek(Qt.DayOfWeek.Monday)
        current = _date_of(self.line.text())
        if current is not None:
            calendar.setSelectedDate(QDate(current.year, current.month, current.day))
        calendar.activated.connect(self._on_calendar_picked)
        calendar.clicked.connect(self._on_calendar_picked)
        calendar.activated.connect(popup.close)
        calendar.clicked.connect(popup.close)
        column = QVBoxLayout(popup)
        column.setContentsMargins(4, 4, 4, 4)
        column.addWidget(calendar)
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
        self.show_hint(duration_words(text) if meant is None else f"becomes {meant} when the field is left")

    def placeholder(self, value: Any) -> str:
        return super().placeholder(value) or "PT1H30M, or 1h 30m"

    def _on_line_editing_finished(self) -> None:
        meant = iso_duration(self.line.text())
        if meant is not None:
            self.write(meant)
