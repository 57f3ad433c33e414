"""Paint the rows of the plan's table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import Final

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPixmap

from console.assets import icon_pixmap
from console.batch.model import RIGHT
from console.batch.rows import Group, PlanColumn, StepRow, group_of, has_run, status_of, words_of
from console.theme import Theme, ThemeName, load_theme
from console.widgets import (
    STATUS,
    SeenRow,
    Stripe,
    TextFace,
    paint_box,
    paint_status,
    spinner_clock,
    status_color,
    text_face,
)

CELL_LEFT: Final = 8
"""Space before the words of a cell in logical pixels."""
CELL_RIGHT: Final = 8
"""Space behind right-aligned words in logical pixels."""
GLYPH: Final = 14
"""How wide the sign of a state is in logical pixels."""

_GLYPH_GAP: Final = 6
_TIGHT: Final = 4
_BAR: Final = 6
_COLUMNS: Final = tuple(PlanColumn)
_NO_PROBLEMS: Final[Mapping[int, str]] = MappingProxyType({})


class RowPainter:
    """Paint rows; what they have in common is looked up once for all of them.

    Args:
        painter: Where to paint.
        theme: Where the colours come from.
        stripes: The columns that are painted.
        now_s: Seconds since the start of the run; None when it does not go on.
    """

    def __init__(self, painter: QPainter, theme: Theme, stripes: Sequence[Stripe], now_s: float | None) -> None:
        self._painter = painter
        self._theme = theme
        self._stripes = stripes
        self._now_s = now_s
        self._signs: dict[str, QPixmap] = {}

    def paint(self, seen: SeenRow, row: StepRow, problems: Mapping[int, str] = _NO_PROBLEMS) -> None:
        """Paint one row.

        Args:
            seen: Where it stands.
            row: The step.
            problems: What is wrong with its cells, by column.
        """
        _, top, height, is_selected, _ = seen
        for number, left, width in self._stripes:
            column = _COLUMNS[number]
            if column is PlanColumn.STATUS:
                self._paint_status(row, left, top, width, height)
            elif column is PlanColumn.PROGRESS:
                self._paint_progress(row, left, top, width, height)
            elif text := words_of(row, column, self._now_s):
                ink, at_right = self._ink(row, column, is_selected), column in RIGHT
                begins, room = left + (_TIGHT if at_right else CELL_LEFT), width - CELL_LEFT - _TIGHT
                _face(self._theme.name, column).paint(
                    self._painter, ink, text, begins, top, room, height, at_right=at_right
                )
            if column in problems:
                outline = QRect(left + 2, top + 3, width - 5, height - 6)
                paint_box(self._painter, outline, 4, border=self._theme.status.error.fill)

    def _ink(self, row: StepRow, column: PlanColumn, is_selected: bool) -> QColor:
        color = self._theme.color
        if column is PlanColumn.RESULT and (
            group_of(row.facts) is Group.FAILED or (row.problem and not has_run(row.facts))
        ):
            return self._theme.status.error.text
        if column is PlanColumn.STEP:
            return color.selected_text if is_selected else color.text
        if column is PlanColumn.NUMBER:
            return color.text2 if is_selected else color.text3
        return color.text2

    def _paint_status(self, row: StepRow, left: int, top: int, width: int, height: int) -> None:
        theme = self._theme
        status = "rejected" if row.problem and not has_run(row.facts) else status_of(row.facts)
        x, y = left + CELL_LEFT, top + (height - GLYPH) // 2
        if status == "running":
            paint_status(self._painter, QRect(x, y, GLYPH, GLYPH), status, theme, turn=spinner_clock().turn)
        else:
            self._painter.drawPixmap(x, y, self._sign(status))
        text = "Cannot run" if status == "rejected" else words_of(row, PlanColumn.STATUS)
        before = CELL_LEFT + GLYPH + _GLYPH_GAP
        face, ink = _face(theme.name, PlanColumn.STATUS), status_color(status, theme)
        face.paint(self._painter, ink, text, left + before, top, width - before - _TIGHT, height)

    def _sign(self, status: str) -> QPixmap:
        sign = self._signs.get(status)
        if sign is None:
            shape, color = STATUS[status].shape, self._theme.tone(STATUS[status].tone).fill
            ratio = self._painter.device().devicePixelRatioF()
            sign = self._signs[status] = icon_pixmap(shape, GLYPH, color, ratio, self._theme.icon_stroke(GLYPH))
        return sign

    def _paint_progress(self, row: StepRow, left: int, top: int, width: int, height: int) -> None:
        facts, theme, painter = row.facts, self._theme, self._painter
        group = group_of(facts)
        tone = theme.tone("ok")
        share = 1.0
        if group in {Group.FAILED, Group.UNSURE}:
            tone = theme.tone("error" if group is Group.FAILED else "warn")
        elif group in {Group.RUNNING, Group.WAITING}:
            tone, share = theme.tone("run" if group is Group.RUNNING else "warn"), facts.share or 0.0
        elif group is not Group.DONE:
            share = 0.0
        wide = width - 2 * CELL_LEFT
        place = QRectF(left + CELL_LEFT, top + (height - _BAR) // 2, wide, _BAR)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=True)
        painter.setPen(Qt.PenStyle.NoPen)
        if share < 1:
            painter.setBrush(theme.color.pressed)
            painter.drawRoundedRect(place, _BAR / 2, _BAR / 2)
        if share > 0:
            painter.setBrush(tone.fill)
            place.setWidth(max(_BAR, round(wide * share)))
            painter.drawRoundedRect(place, _BAR / 2, _BAR / 2)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)


@lru_cache(maxsize=32)
def _face(theme: ThemeName, column: PlanColumn) -> TextFace:
    style = load_theme(theme)
    if column is PlanColumn.ARGUMENTS:
        return text_face(style.font("code"))
    font = style.font("small", tabular=column in {PlanColumn.NUMBER, PlanColumn.DURATION, PlanColumn.AFTER})
    if column is PlanColumn.STEP:
        font.setWeight(QFont.Weight.Medium)
    return text_face(font)
