"""The tables of the page: the steps of a call, its attachments, and the saved requests of a tool."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QObject, Qt

from console.call_result.waterfall import WaterfallRow
from console.language import tr
from console.widgets import Cell, Column, TableModel
from console.widgets.formats import format_size
from tools.calls import Attachment

_MIDDLE: Final = Qt.TextElideMode.ElideMiddle
_STEP_COLUMNS: Final = (
    Column(tr("Step"), 180),
    Column(tr("Time line")),
    Column(tr("Duration"), 78, is_number=True),
    Column(tr("Usual P50"), 76, is_number=True),
)
_ATTACHMENT_COLUMNS: Final = (
    Column(tr("Name"), elide=_MIDDLE),
    Column(tr("Type"), 200, elide=_MIDDLE),
    Column(tr("Size"), 96, is_number=True),
)


class StepColumn:
    """The columns of the waterfall."""

    NAME: Final = 0
    LANE: Final = 1
    DURATION: Final = 2
    USUAL: Final = 3


class StepModel(TableModel[WaterfallRow]):
    """The steps of one call."""

    def __init__(self) -> None:
        super().__init__(_STEP_COLUMNS, _step_cells, _step_key)


class AttachmentModel(TableModel[Attachment]):
    """What came with a result."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(_ATTACHMENT_COLUMNS, _attachment_cells, _attachment_key, parent)


def _step_key(row: WaterfallRow) -> str:
    return f"{row.name} {row.segments[0].started_s if row.segments else ''}"


def _step_cells(row: WaterfallRow) -> tuple[Cell, ...]:
    spoken = ", ".join((row.name, *(line.value for line in row.details.lines[:1]), row.duration))
    return Cell(row.name, "text", spoken=spoken), Cell(row.label), Cell(row.duration, "text"), Cell(row.usual, "text3")


def _attachment_key(row: Attachment) -> str:
    return f"{row.name} {hash(row.data)}"


def _attachment_cells(row: Attachment) -> tuple[Cell, ...]:
    size = format_size(len(row.data))
    return (
        Cell(row.name, "text"),
        Cell(row.mime_type, "text"),
        Cell(size, "text", tip=tr("{size:,} bytes", size=len(row.data))),
    )
