"""The lists of the Servers page: servers, tools, resources, and what other programs know."""

from __future__ import annotations

from collections.abc import Mapping
from operator import attrgetter
from types import MappingProxyType
from typing import Final

from PySide6.QtCore import QObject, Qt

from console.language import tr
from console.servers.rows import OfferedTool, ResourceRow, ServerRemedyKey, ServerRow, remedy_words
from console.widgets import Cell, Column, TableModel, TextTone
from console.widgets.formats import format_count

ADDRESS: Final = 4
"""The column of the list of servers that has the command or the address."""

_MIDDLE: Final = Qt.TextElideMode.ElideMiddle
_SERVER_COLUMNS: Final = (
    Column(tr("Server"), 160),
    Column(tr("Status"), 196),
    Column(tr("Transport"), 76, priority=2),
    Column(tr("Protocol"), 96, priority=4),
    Column(tr("Command or address"), elide=_MIDDLE),
    Column(tr("Tools"), 60, is_number=True),
    Column(tr("Latency"), 80, is_number=True, priority=3),
    Column(tr("Last call"), 96, is_number=True, priority=1),
    Column("", 124, is_number=True, samples=tuple(Cell("", action=remedy_words(key)) for key in ServerRemedyKey)),
)
_LOOK_CLOSER: Final[Mapping[str, str]] = MappingProxyType(
    {
        "approved": tr("Approved, look closer"),
        "new": tr("New, look closer"),
        "changed": tr("Changed, look closer"),
        "blocked": tr("Blocked, look closer"),
        "off": tr("Off, look closer"),
    }
)
_STATE_SAMPLES: Final = tuple(Cell(words, icon="shield-alert") for words in _LOOK_CLOSER.values())
_TOOL_COLUMNS: Final = (
    Column(tr("Tool"), 180),
    Column(tr("State"), 168, samples=_STATE_SAMPLES),
    Column(tr("What it does")),
    Column(tr("The server on its risk"), 220, priority=1),
)
_RESOURCE_COLUMNS: Final = (
    Column(tr("Resource"), 180),
    Column(tr("Address"), elide=_MIDDLE),
    Column(tr("Type"), 140, priority=1),
    Column(tr("Size"), 76, is_number=True, priority=2),
)
_VERDICTS: Final[Mapping[str, tuple[TextTone, str]]] = MappingProxyType(
    {
        "approved": ("text2", "circle-check"),
        "new": ("accent", "sparkles"),
        "changed": ("warn", "file-diff"),
        "blocked": ("error", "ban"),
        "off": ("text3", "circle-pause"),
    }
)


class ServerModel(TableModel[ServerRow]):
    """List servers."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(_SERVER_COLUMNS, _server_cells, attrgetter("name"), parent)


class ToolModel(TableModel[OfferedTool]):
    """List what a server offers."""

    def __init__(self) -> None:
        super().__init__(_TOOL_COLUMNS, _tool_cells, attrgetter("name"))


class ResourceModel(TableModel[ResourceRow]):
    """List what a server lets one read."""

    def __init__(self) -> None:
        super().__init__(_RESOURCE_COLUMNS, _resource_cells, attrgetter("uri"))


def _server_cells(row: ServerRow) -> tuple[Cell, ...]:
    quiet: TextTone = "text3" if row.status == "unknown" else "text2"
    return (
        Cell(row.name, "text", icon=row.icon, picture=row.picture, is_strong=True),
        Cell(row.words, row.tone, status=row.status),
        Cell(row.transport),
        Cell(row.protocol),
        Cell(row.address, is_code=True),
        Cell(format_count(row.tools), quiet),
        Cell(row.latency, quiet),
        Cell(row.last_call, quiet),
        Cell("", action=remedy_words(row.remedy)),
    )


def _tool_cells(row: OfferedTool) -> tuple[Cell, ...]:
    tone, icon = _VERDICTS[row.verdict]
    words = row.verdict_words
    if row.findings:
        tone, icon, words = "warn", "shield-alert", _LOOK_CLOSER[row.verdict]
    said = " ".join(row.description.split())
    return (
        Cell(
            row.name,
            "text" if row.is_on else "text3",
            icon=row.icon,
            picture=row.picture,
            is_strong=True,
            tip=row.title or row.name,
        ),
        Cell(words, tone, icon=icon, tip="\n".join(finding.words for finding in row.findings)),
        Cell(said, tip=row.description),
        Cell(row.said_of_risk, "text3", tip=tr("The server {risk_words}", risk_words=row.risk_words)),
    )


def _resource_cells(row: ResourceRow) -> tuple[Cell, ...]:
    icon = "braces" if row.parameters else "file-text"
    return (
        Cell(row.name, "text", icon=icon, picture=row.picture, is_strong=True, tip=row.description or row.name),
        Cell(row.uri, is_code=True),
        Cell(row.mime_type),
        Cell(row.size),
    )
