"""Dates are written with the names of days and months in the language of the window."""

from __future__ import annotations

from datetime import date, datetime

import pytest
from PySide6.QtCore import QLocale

from console.language import _LocalFormatter, dated

MOMENT = datetime(2026, 5, 12, 14, 32)  # noqa: DTZ001 -- as it is shown, in no zone


@pytest.mark.parametrize(
    ("form", "english", "german"),
    [
        ("%B %Y", "May 2026", "Mai 2026"),
        ("%a %d", "Tue 12", "Di. 12"),
        ("%d %b %H:%M", "12 May 14:32", "12 Mai 14:32"),
    ],
)
def test_a_date_has_the_names_of_the_language(form: str, english: str, german: str) -> None:
    assert dated(MOMENT, form) == english
    assert _LocalFormatter(QLocale("de")).format(f"{{at:{form}}}", at=MOMENT) == german


def test_a_day_without_a_time_is_a_date_too() -> None:
    assert _LocalFormatter(QLocale("de")).format("{day:%B}", day=date(2026, 12, 1)) == "Dezember"
