"""Paint for people who read from right to left: widgets are mirrored, words, icons and code are not.

What is painted by hand is laid out from left to right. In a window that is laid out from right to left its painter is
mirrored, and what must not be mirrored with it turns itself back.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QColor, QPainter, QPalette
from PySide6.QtWidgets import QProxyStyle, QWidget

_RIGHT_TO_LEFT: Final = Qt.LayoutDirection.RightToLeft
_BY_WORDS: Final = Qt.LayoutDirection.LayoutDirectionAuto
_LEFT_TO_RIGHT_MARK: Final = "\u200e"
_STRONG: Final = frozenset({"L", "R", "AL"})
_DIRECTED: Final = frozenset(
    {
        "arrow-left",
        "arrow-right",
        "chevron-left",
        "chevron-right",
        "external-link",
        "list",
        "list-collapse",
        "list-plus",
        "list-start",
        "panel-left",
        "panel-right",
        "undo-2",
    }
)
"""The icons that point where reading goes, or show a text that begins at one side."""


def painter_of(widget: QWidget) -> QPainter:
    """Return a painter of a widget whose left edge is where reading begins."""
    painter, direction = QPainter(widget), widget.layoutDirection()
    if direction is not painter.layoutDirection():
        # Qt takes the application's.
        painter.setLayoutDirection(direction)
    if direction is _RIGHT_TO_LEFT:
        _flip(painter, 0, widget.width())
    return painter


def is_mirrored(painter: QPainter) -> bool:
    """Say whether what is painted is mirrored."""
    return painter.layoutDirection() is _RIGHT_TO_LEFT and painter.worldTransform().m11() < 0


def mirror(painter: QPainter, rect: QRect) -> None:
    """Have a part of a widget, such as a cell, painted from where reading begins, until the painter is restored."""
    if painter.layoutDirection() is _RIGHT_TO_LEFT:
        _flip(painter, rect.x(), rect.width())


@contextmanager
def mirrored(painter: QPainter, rect: QRect) -> Iterator[None]:
    """Paint a part of a widget from where reading begins; mirrored twice, it is painted from left to right."""
    painter.save()
    mirror(painter, rect)
    yield
    painter.restore()


@contextmanager
def upright(painter: QPainter, left: int, width: int) -> Iterator[None]:
    """Paint words in a place, by the direction of their letters and never mirrored."""
    if painter.layoutDirection() is not _RIGHT_TO_LEFT:
        yield
        return
    painter.save()
    if is_mirrored(painter):
        _flip(painter, left, width)
    painter.setLayoutDirection(_BY_WORDS)
    yield
    painter.restore()


def draw_words(painter: QPainter, left: int, baseline: int, words: str, width: int) -> None:
    """Paint a line of words in the painter's font and colour, by the direction of their letters and never mirrored.

    Args:
        left: Their left edge in logical pixels.
    """
    # Asked here and not only in `upright`: it is done for each cell of a table.
    if painter.layoutDirection() is not _RIGHT_TO_LEFT:
        painter.drawText(left, baseline, words)
        return
    with upright(painter, left, width):
        painter.drawText(left, baseline, words)


@contextmanager
def as_icon(painter: QPainter, rect: QRect, name: str) -> Iterator[None]:
    """Paint an icon as it is, or mirrored if it points where reading goes."""
    if painter.layoutDirection() is not _RIGHT_TO_LEFT or is_mirrored(painter) == (name in _DIRECTED):
        yield
        return
    painter.save()
    _flip(painter, rect.x(), rect.width())
    yield
    painter.restore()


def text_direction(words: str) -> Qt.LayoutDirection:
    """Return where the first letter that has a direction says that a text is read from; left if none does."""
    kinds = (unicodedata.bidirectional(letter) for letter in words)
    first = next((kind for kind in kinds if kind in _STRONG), "L")
    return Qt.LayoutDirection.LeftToRight if first == "L" else _RIGHT_TO_LEFT


def directed(words: str) -> str:
    """Return words marked so that signs at their ends stay there in a window laid out from right to left.

    Without the marks "Open…" is painted as "…Open", and "Ctrl+," as ",+Ctrl". Other words come back as they are.
    """
    ends_in_letters = words[:1].isalnum() and words[-1:].isalnum()
    if not words or ends_in_letters or text_direction(words) is _RIGHT_TO_LEFT:
        return words
    return f"{_LEFT_TO_RIGHT_MARK}{words}{_LEFT_TO_RIGHT_MARK}"


class MirroredStyle(QProxyStyle):
    """Fusion for a window laid out from right to left: words in boxes, lists and tabs keep their signs where they are.

    For no other window: Qt would ask Python for each measure of the style.
    """

    def __init__(self) -> None:
        super().__init__("Fusion")

    def drawItemText(  # noqa: PLR0917 -- Qt's
        self,
        painter: QPainter,
        rect: QRect,
        flags: int,
        pal: QPalette | Qt.GlobalColor | QColor,
        enabled: bool,
        text: str,
        textRole: QPalette.ColorRole = QPalette.ColorRole.NoRole,  # noqa: N803 -- as above
    ) -> None:
        super().drawItemText(painter, rect, flags, pal, enabled, directed(text), textRole)


def place_in(widget: QWidget, place: QPoint, part: QRect | None = None) -> QPoint:
    """Return where a place of a widget stands in what is painted mirrored.

    Args:
        place: In its coordinates, as of a click.
        part: What `mirrored` was given; None for the whole widget, as `painter_of` mirrors it.
    """
    if widget.layoutDirection() is not _RIGHT_TO_LEFT:
        return place
    inside = widget.rect() if part is None else part
    return QPoint(inside.left() + inside.right() - place.x(), place.y())


def _flip(painter: QPainter, left: int, width: int) -> None:
    painter.translate(2 * left + width, 0)
    painter.scale(-1, 1)
