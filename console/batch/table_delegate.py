"""How a cell of the plan's table is painted."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QColor, QFont, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from console.batch.model import RIGHT, ROW_ROLE, PlanModel
from console.batch.rows import Column, Group, StepRow, group_of, has_run, status_of, words_of
from console.theme import Theme, theme_of
from console.widgets import paint_box, paint_row, paint_status, paint_text, spinner_clock, status_color

__all__ = ["CELL_LEFT", "CELL_RIGHT", "PAGE_LEFT", "PlanDelegate"]

PAGE_LEFT: Final = 12
"""Space before the first column in logical pixels."""
CELL_LEFT: Final = 8
"""Space before the words of other cells in logical pixels."""
CELL_RIGHT: Final = 8
"""Space behind right-aligned words in logical pixels."""

_COLUMNS: Final = tuple(Column)
_GLYPH: Final = 14
_GLYPH_GAP: Final = 6
_BAR: Final = 6
_RIGHT: Final = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_LEFT: Final = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter


class PlanDelegate(QStyledItemDelegate):
    """Paint what the plan says in its faces, the state with its sign, the progress as a bar."""

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        """Return the height of a row."""
        return QSize(40, theme_of().size.row_table)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Paint one cell."""
        row: StepRow = index.data(ROW_ROLE)
        theme, column = theme_of(), _COLUMNS[index.column()]
        paint_row(painter, option, theme, divider=True)
        cell: QRect = option.rect.adjusted(0, 0, 0, -1)
        if column is Column.STATUS:
            _paint_status(painter, cell, row, theme)
        elif column is Column.PROGRESS:
            _paint_progress(painter, cell, row, theme)
        else:
            text = words_of(row, column, _now_s(index) if column is Column.DURATION else None)
            if text:
                is_right = column in RIGHT
                words = cell.adjusted(4 if is_right else CELL_LEFT, 0, -CELL_RIGHT if is_right else -4, 0)
                is_selected = bool(option.state & QStyle.StateFlag.State_Selected)
                ink = _ink(row, column, theme, is_selected=is_selected)
                paint_text(painter, words, text, _font(column, theme), ink, align=_RIGHT if is_right else _LEFT)


def _now_s(index: QModelIndex | QPersistentModelIndex) -> float | None:
    model = index.model()
    return model.now_s if isinstance(model, PlanModel) else None


def _font(column: Column, theme: Theme) -> QFont:
    if column is Column.ARGUMENTS:
        return theme.font("code")
    if column is Column.STEP:
        font = theme.font("small")
        font.setWeight(QFont.Weight.Medium)
        return font
    return theme.font("small", tabular=column in {Column.NUMBER, Column.DURATION, Column.AFTER})


def _ink(row: StepRow, column: Column, theme: Theme, *, is_selected: bool) -> QColor:
    color = theme.color
    if column is Column.RESULT and (group_of(row.facts) is Group.FAILED or (row.problem and not has_run(row.facts))):
        return theme.status.error.text
    if column is Column.STEP:
        return color.selected_text if is_selected else color.text
    if column is Column.NUMBER:
        return color.text2 if is_selected else color.text3
    return color.text2


def _paint_status(painter: QPainter, cell: QRect, row: StepRow, theme: Theme) -> None:
    status = "rejected" if row.problem and not has_run(row.facts) else status_of(row.facts)
    glyph = QRect(cell.x() + CELL_LEFT, cell.y() + (cell.height() - _GLYPH) // 2, _GLYPH, _GLYPH)
    paint_status(painter, glyph, status, theme, turn=spinner_clock().turn if status == "running" else 0.0)
    words = cell.adjusted(CELL_LEFT + _GLYPH + _GLYPH_GAP, 0, -4, 0)
    text = "Cannot run" if status == "rejected" else words_of(row, Column.STATUS)
    paint_text(painter, words, text, theme.font("small"), status_color(status, theme))


def _paint_progress(painter: QPainter, cell: QRect, row: StepRow, theme: Theme) -> None:
    facts = row.facts
    place = QRect(cell.x() + CELL_LEFT, cell.y() + (cell.height() - _BAR) // 2, cell.width() - 2 * CELL_LEFT, _BAR)
    group = group_of(facts)
    tone = theme.tone("ok")
    share = 1.0
    if group in {Group.FAILED, Group.UNSURE}:
        tone = theme.tone("error" if group is Group.FAILED else "warn")
    elif group in {Group.RUNNING, Group.WAITING}:
        tone, share = theme.tone("run" if group is Group.RUNNING else "warn"), facts.share or 0.0
    elif group is not Group.DONE:
        share = 0.0
    paint_box(painter, place, _BAR / 2, fill=theme.color.pressed)
    if share > 0:
        filled = QRect(place.x(), place.y(), max(_BAR, round(place.width() * share)), _BAR)
        paint_box(painter, filled, _BAR / 2, fill=tone.fill)
