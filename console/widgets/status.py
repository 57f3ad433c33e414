"""The status vocabulary: one shape, one word and one tone for each status."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from console.assets import paint_icon
from console.language import tr
from console.theme import Theme, Tone, painter_of, theme_of
from console.widgets.labels import BadgeTone
from console.widgets.motion import TurningWidget, spinner_clock

if TYPE_CHECKING:
    from tools.calls import CallStatus, ErrorKind
    from tools.spec import RiskDegree

StatusName = Literal[
    "up",
    "degraded",
    "down",
    "unknown",
    "running",
    "success",
    "warning",
    "failed",
    "denied",
    "rejected",
    "timed_out",
    "aborted",
    "waiting",
    "approved",
    "needs_approval",
    "cached",
    "queued",
    "skipped",
    "blocked",
    "cancelled",
    "expired",
    "paused",
]


@dataclass(frozen=True)
class Status:
    """How one status is shown.

    Attributes:
        name: What code calls it.
        word: What people read.
        shape: "circle", "triangle", "cross square", "hollow circle", "ring", or the name of an icon.
    """

    name: StatusName
    word: str
    tone: Tone
    shape: str


def _table(*rows: Status) -> Mapping[str, Status]:
    return MappingProxyType({row.name: row for row in rows})


STATUS: Final = _table(
    Status("up", tr("Up"), "ok", "circle"),
    Status("degraded", tr("Degraded"), "warn", "triangle"),
    Status("down", tr("Down"), "error", "cross square"),
    Status("unknown", tr("Unknown"), "idle", "hollow circle"),
    Status("running", tr("Running"), "run", "ring"),
    Status("success", tr("Success"), "ok", "circle-check"),
    Status("warning", tr("Warning"), "warn", "triangle-alert"),
    Status("failed", tr("Failed"), "error", "circle-x"),
    Status("denied", tr("Denied"), "error", "octagon-x"),
    Status("rejected", tr("Rejected"), "error", "circle-alert"),
    Status("timed_out", tr("Timed out"), "error", "timer-off"),
    Status("aborted", tr("Aborted"), "error", "unplug"),
    Status("waiting", tr("Waiting for approval"), "warn", "shield-question-mark"),
    Status("approved", tr("Approved, waiting for the caller"), "idle", "shield-check"),
    Status("needs_approval", tr("Asks before it runs"), "warn", "shield"),
    Status("cached", tr("From cache"), "ok", "zap"),
    Status("queued", tr("Queued"), "idle", "circle-dashed"),
    Status("skipped", tr("Skipped"), "idle", "circle-minus"),
    Status("blocked", tr("Blocked"), "idle", "ban"),
    Status("cancelled", tr("Cancelled"), "idle", "ban"),
    Status("expired", tr("Expired"), "idle", "timer-off"),
    Status("paused", tr("Paused"), "warn", "pause"),
)


def status_color(status: str, theme: Theme) -> QColor:
    """Give the colour of the word of a status."""
    return theme.tone(STATUS[status].tone).text


def _paint_circle(painter: QPainter, box: QRectF, color: QColor) -> None:
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(color)
    painter.drawEllipse(box.center(), box.width() * 0.4, box.width() * 0.4)


def _paint_hollow_circle(painter: QPainter, box: QRectF, color: QColor) -> None:
    width = max(1.5, box.width() * 0.14)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(color, width))
    radius = box.width() * 0.4 - width / 2
    painter.drawEllipse(box.center(), radius, radius)


def _paint_triangle(painter: QPainter, box: QRectF, color: QColor) -> None:
    unit = box.width() / 10
    rounding = QPen(color, unit, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin)
    painter.setPen(rounding)
    painter.setBrush(color)
    left, top = box.x(), box.y()
    corners = ((5, 1.2), (9.4, 8.8), (0.6, 8.8))
    painter.drawPolygon(QPolygonF([QPointF(left + x * unit, top + y * unit) for x, y in corners]))


def _paint_cross_square(painter: QPainter, box: QRectF, color: QColor) -> None:
    unit = box.width() / 10
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(color)
    painter.drawRoundedRect(box, unit * 1.5, unit * 1.5)
    painter.setPen(QPen(QColor("#FFFFFF"), unit * 1.4, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
    cross = box.adjusted(unit * 3.2, unit * 3.2, -unit * 3.2, -unit * 3.2)
    painter.drawLine(cross.topLeft(), cross.bottomRight())
    painter.drawLine(cross.topRight(), cross.bottomLeft())


def _paint_ring(painter: QPainter, box: QRectF, color: QColor, turn: float) -> None:
    width = box.width() * 0.08
    pen = QPen(color, max(1.25, width), Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap)
    painter.setPen(pen)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    inset = box.width() * 0.125
    start = 60 - math.fmod(turn, 1.0) * 360
    painter.drawArc(box.adjusted(inset, inset, -inset, -inset), round(start * 16), -285 * 16)


_SHAPES: Final[Mapping[str, Callable[[QPainter, QRectF, QColor], None]]] = MappingProxyType(
    {
        "circle": _paint_circle,
        "hollow circle": _paint_hollow_circle,
        "triangle": _paint_triangle,
        "cross square": _paint_cross_square,
    }
)


def paint_status(
    painter: QPainter, rect: QRect, status: str, theme: Theme, *, turn: float = 0.0, color: QColor | None = None
) -> None:
    """Paint the glyph of a status in the middle of a rectangle, as large as its shorter side.

    Args:
        rect: Logical pixels; 10 px a side for the shapes of a tool's state, 14 or 16 for the state of a call.
        status: A name of `STATUS`.
        theme: Where the colours come from.
        turn: How far the ring of "running" has turned, 1 for a whole turn: `spinner_clock(widget).turn`.
        color: Instead of the status's own.
    """
    known = STATUS[status]
    tint = color if color is not None else theme.tone(known.tone).fill
    size = min(rect.width(), rect.height())
    left, top = rect.x() + (rect.width() - size) // 2, rect.y() + (rect.height() - size) // 2
    draw = _SHAPES.get(known.shape)
    if draw is None and known.shape != "ring":
        paint_icon(painter, rect, known.shape, tint, theme)
        return
    box = QRectF(left, top, size, size)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    if draw is None:
        _paint_ring(painter, box, tint, turn)
    else:
        draw(painter, box, tint)
    painter.restore()


class StatusGlyph(TurningWidget):
    """Show the glyph of one status; its word is the tooltip and the accessible name.

    Args:
        status: A name of `STATUS`.
        size: Width and height in logical pixels.
    """

    def __init__(self, status: StatusName = "unknown", size: int = 10, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.status: StatusName = status
        self._size = size
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setFixedSize(size, size)
        self.set_status(status)

    def set_status(self, status: StatusName, detail: str = "") -> None:
        """Show another status.

        Args:
            status: A name of `STATUS`.
            detail: What the tooltip says behind the word.
        """
        self.status = status
        word = STATUS[status].word
        self.setAccessibleName(word)
        self.setToolTip(f"{word}: {detail}" if detail else word)
        self.follow_clock()
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(self._size, self._size)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = painter_of(self)
        paint_status(painter, self.rect(), self.status, theme_of(self), turn=spinner_clock().turn)

    def is_turning(self) -> bool:
        return self.status == "running"


# Both are kept by their words, so that a window can be painted before it knows what a call is.
_STATUS_BY_CALL: Final[Mapping[str, StatusName]] = MappingProxyType(
    {
        "pending": "queued",
        "waiting_for_review": "waiting",
        "waiting_for_caller": "approved",
        "executing": "running",
        "executed": "success",
        "failed": "failed",
        "denied": "denied",
        "cancelled": "cancelled",
        "timed_out": "timed_out",
        "not_found": "rejected",
        "rejected": "rejected",
        "aborted": "aborted",
    }
)

_EXPIRED: Final = "expired"

CALL_STATUSES: Final[tuple[StatusName, ...]] = (*_STATUS_BY_CALL.values(), "cached", "expired")
"""All that `status_of_call` gives."""


def status_of_call(status: CallStatus, *, from_cache: bool = False, error_kind: ErrorKind | None = None) -> StatusName:
    """Give the word of the status vocabulary for how a call stands.

    Args:
        from_cache: Whether nothing ran because the result was known.
        error_kind: Why it did not succeed; None when it did, or has not ended.
    """
    if error_kind == _EXPIRED:
        return "expired"
    return "cached" if from_cache and status == "executed" else _STATUS_BY_CALL[status]


class DegreeStyle(NamedTuple):
    """How a degree of risk is shown; never by colour alone.

    Attributes:
        title: In two words.
        icon: Name of a shipped icon, of a shape of its own.
    """

    title: str
    icon: str
    tone: BadgeTone


DEGREE_STYLES: Final[Mapping[RiskDegree | str, DegreeStyle]] = MappingProxyType(
    {
        "low": DegreeStyle(tr("Low risk"), "circle-check", "neutral"),
        "medium": DegreeStyle(tr("Medium risk"), "triangle-alert", "warn"),
        "high": DegreeStyle(tr("High risk"), "octagon-alert", "error"),
        "unknown": DegreeStyle(tr("Unknown risk"), "circle-question-mark", "warn"),
    }
)
