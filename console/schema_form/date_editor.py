"""The fields of dates and times: typed as ISO 8601, or picked from a calendar."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any, Final

from PySide6.QtCore import QDate, QPoint, Qt
from PySide6.QtWidgets import QCalendarWidget, QFrame, QVBoxLayout, QWidget

from console.schema_form.document import Document
from console.schema_form.fields import Field
from console.schema_form.kinds import FieldKind
from console.schema_form.text_editors import TextEditor
from console.widgets import IconButton, set_surface

_EXAMPLES: Final = {
    FieldKind.DATE: "2026-03-31",
    FieldKind.TIME: "09:30:00",
    FieldKind.DATE_TIME: "2026-03-31T09:30:00",
}
_DATE_LETTERS: Final = len("2026-03-31")


class DateEditor(TextEditor):
    """A date, a time or both, as text that is checked while it is typed; dates also from a calendar.

    Args:
        field: What is edited.
        document: Where it stands.
        parent: Its owner.
    """

    def __init__(self, field: Field, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(field, document, parent)
        if field.kind is FieldKind.TIME:
            return
        self.button = IconButton("calendar", f"Pick {field.name}", outlined=True, parent=self)
        self.button.clicked.connect(self._on_button_clicked)
        self.row.addWidget(self.button)

    def placeholder(self, value: Any) -> str:
        """Return an example of the form where nothing else is to be said."""
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
        rest = old[_DATE_LETTERS:] if _date_of(old) is not None and len(old) > _DATE_LETTERS else "T00:00:00"
        self.write(f"{day}{rest}")


def _date_of(text: str) -> date | None:
    try:
        return datetime.fromisoformat(text).date()
    except ValueError:
        return None
