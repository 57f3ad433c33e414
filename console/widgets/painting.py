"""Paint parts that custom widgets and item delegates share."""

from functools import lru_cache
from typing import Final, Literal

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPen
from PySide6.QtWidgets import QStyle, QStyleOptionViewItem

from console.theme import Theme
from console.widgets.text_face import text_face

LatencyClass = Literal["fast", "medium", "slow"]

LATENCY_BARS: Final = {"fast": 1, "medium": 2, "slow": 3}
_BAR_HEIGHTS: Final = (4.0, 7.5, 11.0)
_LEFT: Final = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter


def paint_box(
    painter: QPainter,
    rect: QRect,
    radius: float,
    *,
    fill: QColor | None = None,
    border: QColor | None = None,
    width: float = 1.0,
) -> None:
    """Paint a rounded rectangle whose border lies inside `rect` and falls on whole pixels.

    Args:
        painter: Where to paint.
        rect: Outer edges in logical pixels.
        radius: Outer corner radius in logical pixels.
        fill: Inside colour; None for none.
        border: Border colour; None for none.
        width: Border width in logical pixels.
    """
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setBrush(fill if fill is not None else Qt.BrushStyle.NoBrush)
    if border is None:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.drawRoundedRect(QRectF(rect), radius, radius)
    else:
        painter.setPen(QPen(border, width))
        half = width / 2
        inner = QRectF(rect).adjusted(half, half, -half, -half)
        painter.drawRoundedRect(inner, max(0.0, radius - half), max(0.0, radius - half))
    painter.restore()


def paint_text(
    painter: QPainter,
    rect: QRect,
    text: str,
    font: QFont,
    color: QColor,
    *,
    align: Qt.AlignmentFlag = _LEFT,
    elide: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
) -> None:
    """Paint one line of text, shortened to the rectangle.

    Args:
        painter: Where to paint.
        rect: Logical pixels.
        text: One line; line breaks are not obeyed.
        font: Its font.
        color: Its colour.
        align: Where it stands in the rectangle.
        elide: Where it is shortened.
    """
    painter.setFont(font)
    painter.setPen(color)
    face = text_face(font)
    shown, taken = face.shortened(text, rect.width(), elide)
    across, down = _placement(align)
    left, top = rect.x(), rect.y()
    if across:
        left += (rect.width() - taken) * across // 2
    if down is None:
        baseline = top + face.baseline(rect.height())
    else:
        baseline = top + (rect.height() - face.metrics.descent() if down else face.metrics.ascent())
    # At a point, text is painted three times as fast as in a rectangle.
    painter.drawText(left, baseline, shown)


@lru_cache(maxsize=32)
def _placement(align: Qt.AlignmentFlag) -> tuple[int, int | None]:
    """Give how many halves of the spare width stand at the left, and 0 for the top, 1 for the bottom, None for between.

    Taking flags apart costs more than painting a word.
    """
    across = 2 if align & Qt.AlignmentFlag.AlignRight else 1 if align & Qt.AlignmentFlag.AlignHCenter else 0
    if align & Qt.AlignmentFlag.AlignVCenter:
        return across, None
    return across, 1 if align & Qt.AlignmentFlag.AlignBottom else 0


def paint_focus_ring(painter: QPainter, rect: QRect, radius: float, theme: Theme) -> None:
    """Paint the 2 px focus line just inside a rectangle."""
    paint_box(painter, rect, radius, border=theme.color.focus, width=theme.size.focus_ring)


def paint_row(painter: QPainter, option: QStyleOptionViewItem, theme: Theme, *, divider: bool = False) -> None:
    """Paint the background of a row in its state: selected, under the pointer or neither.

    Args:
        painter: Where to paint.
        option: The delegate's option, for its rectangle and state.
        theme: Where the colours come from.
        divider: Whether a 1 px line closes the row.
    """
    rect: QRect = option.rect
    state: QStyle.StateFlag = option.state
    if state & QStyle.StateFlag.State_Selected:
        active = bool(state & QStyle.StateFlag.State_Active)
        painter.fillRect(rect, theme.color.selected if active else theme.color.selected_inactive)
    elif state & QStyle.StateFlag.State_MouseOver:
        painter.fillRect(rect, theme.color.hover)
    if divider:
        painter.fillRect(rect.x(), rect.bottom(), rect.width(), 1, theme.color.divider)


def paint_match(painter: QPainter, rect: QRect, text: str, spans: list[tuple[int, int]], theme: Theme) -> None:
    """Paint the mark behind matched letters; the text itself is painted by the caller, over it.

    Args:
        painter: Where to paint; its font is the text's.
        rect: Where the text stands, left aligned.
        text: The whole text.
        spans: First letter and the one past the last of each match.
        theme: Where the colours come from.
    """
    metrics = painter.fontMetrics()
    top = rect.y() + (rect.height() - 16) // 2
    for start, end in spans:
        left = metrics.horizontalAdvance(text[:start])
        right = metrics.horizontalAdvance(text[:end])
        paint_box(painter, QRect(rect.x() + left, top, right - left, 16), 2, fill=theme.color.match_bg)


def paint_latency_bars(painter: QPainter, rect: QRect, latency: LatencyClass | None, theme: Theme) -> None:
    """Paint one, two or three rising bars, 13 by 11 px, at the right of a rectangle.

    Args:
        painter: Where to paint.
        rect: Logical pixels.
        latency: The class; None paints nothing.
        theme: Where the colours come from; the bars are grey, as latency is no status.
    """
    if latency is None:
        return
    filled = LATENCY_BARS[latency]
    bottom = rect.y() + (rect.height() + 12) // 2
    left = rect.x() + rect.width() - 13
    for index, height in enumerate(_BAR_HEIGHTS):
        color = theme.color.text3 if index < filled else theme.color.border_strong
        painter.fillRect(QRectF(left + index * 5, bottom - height, 3, height), color)


def pill_size(text: str, theme: Theme) -> tuple[int, int]:
    """Give width and height of a count pill in logical pixels."""
    advance = QFontMetrics(theme.font("caption", tabular=True)).horizontalAdvance(text)
    return max(16, advance + 10), 16


def paint_pill(painter: QPainter, rect: QRect, text: str, theme: Theme, *, accent: bool = False) -> None:
    """Paint a count pill.

    Args:
        painter: Where to paint.
        rect: Outer edges.
        text: The count.
        theme: Where the colours come from.
        accent: Whether the count waits for the user.
    """
    fill = theme.color.accent if accent else theme.status.idle.soft
    color = theme.color.on_accent if accent else theme.color.text2
    paint_box(painter, rect, theme.radius.small, fill=fill)
    paint_text(painter, rect, text, theme.font("caption", tabular=True), color, align=Qt.AlignmentFlag.AlignCenter)
