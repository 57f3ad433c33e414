"""What a check of the installation comes to."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import Final, NamedTuple


class Grade(StrEnum):
    """How bad it is."""

    OK = "ok"
    WARNING = "warning"
    PROBLEM = "problem"


_ORDER: Final = (Grade.OK, Grade.WARNING, Grade.PROBLEM)


class Diagnosis(NamedTuple):
    """One thing that was looked at.

    Attributes:
        subject: What was looked at, in a word or two.
        remedy: What to do, in one line; empty when there is nothing to do.
    """

    subject: str
    grade: Grade
    found: str
    remedy: str = ""


def worst(diagnoses: Iterable[Diagnosis]) -> Grade:
    """Return the worst grade; ok for nothing."""
    return max((one.grade for one in diagnoses), key=_ORDER.index, default=Grade.OK)


def as_text(diagnoses: Sequence[Diagnosis]) -> str:
    """Return one line for each, to be read or copied."""
    width = max((len(one.subject) for one in diagnoses), default=0)
    lines = (f"{one.grade:<8} {one.subject:<{width}}  {_line(one)}" for one in diagnoses)
    return "\n".join(lines)


def _line(one: Diagnosis) -> str:
    return f"{one.found}. {one.remedy}" if one.remedy else one.found


def one_line(text: str) -> str:
    """Return a text in one line, to be put before a remedy."""
    return " ".join(text.split()).rstrip(".")
