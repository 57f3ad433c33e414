"""The settings as rows of a table."""

from __future__ import annotations

from typing import Final, NamedTuple

from PySide6.QtCore import QObject

from console.language import tr
from console.widgets import Cell, Column, TableModel

ENVIRONMENT, YOUR_FILE, PROJECT = tr("Environment"), tr("Your file"), tr("The project")
_COLUMNS: Final = (
    Column(tr("Name"), 220),
    Column(tr("Value"), least=160),
    Column(tr("Set in"), 150, samples=(Cell(ENVIRONMENT), Cell(YOUR_FILE), Cell(PROJECT))),
)


class SettingRow(NamedTuple):
    """One setting as it stands in one place.

    Attributes:
        key: Tells it apart from all others.
        value: Its value; empty for a secret.
        place: Where it stands, in a word or two.
        where: The same, with the file and its line.
        is_secret: Whether nobody is shown its value.
        counts: Whether no other place outweighs it.
        is_project: Whether it stands in the project's file.
        is_fixed: Whether it cannot be changed here.
    """

    key: str
    name: str
    value: str
    place: str
    where: str
    is_secret: bool = False
    counts: bool = True
    is_project: bool = False
    is_fixed: bool = False


class SettingsModel(TableModel[SettingRow]):
    """List settings by name; what is outweighed stands below what counts."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(_COLUMNS, _cells, _key, parent)


def _key(row: SettingRow) -> str:
    return row.key


def _cells(row: SettingRow) -> tuple[Cell, ...]:
    value = "••••••" if row.is_secret else row.value
    if not row.counts:
        tip = tr("{where}. Another place outweighs it.", where=row.where)
        return Cell(row.name, "text3", is_code=True), Cell(value, "text3"), Cell(row.place, "text3", tip=tip)
    return (
        Cell(row.name, "text", is_code=True),
        Cell(value, "text", spoken=tr("a secret") if row.is_secret else ""),
        Cell(row.place, tip=row.where),
    )
