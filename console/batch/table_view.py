"""The table of a plan's steps, which paints its rows itself."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import Final

from PySide6.QtCore import QEvent, QModelIndex, QPersistentModelIndex, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFont,
    QGuiApplication,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPixmap,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QToolTip,
    QWidget,
)

from console.assets import icon_pixmap
from console.batch.model import RIGHT, ROW_ROLE, PlanModel
from console.batch.rows import CellProblems, Group, PlanColumn, StepRow, group_of, has_run, status_of, words_of
from console.interpreter.ui_throttle import ui_throttle
from console.theme import Theme, ThemeName, load_theme, theme_of
from console.widgets import (
    STATUS,
    PaintedTable,
    SeenRow,
    Stripe,
    TableHead,
    TextFace,
    paint_box,
    paint_status,
    set_surface,
    spinner_clock,
    status_color,
    text_face,
)

_NONE: Final[CellProblems] = {}


class PlanDelegate(QStyledItemDelegate):
    """Say how high rows are, and under the pointer what is wrong with a cell.

    Attributes:
        problems: What is wrong with cells.
    """

    problems: CellProblems = _NONE

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(40, theme_of().size.row_table)

    def helpEvent(
        self,
        event: QHelpEvent,
        view: QAbstractItemView,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> bool:
        """Say what is wrong with the cell under the pointer, before anything else."""
        words = self._problem_at(index) if index.isValid() and event.type() is QEvent.Type.ToolTip else ""
        if words:
            QToolTip.showText(event.globalPos(), words, view)
            return True
        return super().helpEvent(event, view, option, index)

    def _problem_at(self, index: QModelIndex | QPersistentModelIndex) -> str:
        if not self.problems:
            return ""
        place = index.data(ROW_ROLE).planned.number - 1
        return self.problems.get(place, {}).get(index.column(), "")


CELL_LEFT: Final = 8
"""Space before the words of a cell in logical pixels."""
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


_WIDTHS: Final = MappingProxyType(
    {
        PlanColumn.NUMBER: 40,
        PlanColumn.STEP: 120,
        PlanColumn.TOOL: 136,
        PlanColumn.ARGUMENTS: 108,
        PlanColumn.AFTER: 64,
        PlanColumn.STATUS: 118,
        PlanColumn.PROGRESS: 64,
        PlanColumn.DURATION: 68,
    }
)
_LEAST_RESULT: Final = 96
_LEAST: Final = 32
_GIVING_WAY: Final = (PlanColumn.ARGUMENTS, PlanColumn.TOOL, PlanColumn.AFTER, PlanColumn.DURATION)
"""What is left out where there is too little room, first to last."""
_OPENING: Final = frozenset(
    {PlanColumn.NUMBER, PlanColumn.STATUS, PlanColumn.PROGRESS, PlanColumn.DURATION, PlanColumn.RESULT}
)
"""The columns that nobody writes in: a double click on them tells more."""


class PlanTableView(PaintedTable):
    """Show the steps of a plan, one 28 px row each.

    Signals:
        chosen(str): This step is selected now.
        opened(str): More about this step is wanted.
    """

    chosen = Signal(str)
    opened = Signal(str)

    def __init__(self, model: PlanModel, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self._steps = model
        self._chosen = ""
        self._is_showing = False
        self._cells = PlanDelegate(self)
        self._throttle = ui_throttle()
        self.setModel(model)
        self.setItemDelegate(self._cells)
        self.setHorizontalHeader(TableHead(self, numbers=RIGHT, first=CELL_LEFT, cell=CELL_LEFT))
        self.horizontalHeader().setMinimumSectionSize(_LEAST)
        self.horizontalHeader().setHighlightSections(False)
        self.setObjectName("planTable")
        self.setAccessibleName("Steps of the plan")
        set_surface(self, "surface")
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self._size_sections()
        self.selectionModel().currentRowChanged.connect(self._on_current_row_changed)
        model.modelReset.connect(self._on_model_reset)

    def _size_sections(self) -> None:
        for column, width in _WIDTHS.items():
            self.setColumnWidth(column, width)
        self.horizontalHeader().setSectionResizeMode(PlanColumn.RESULT, QHeaderView.ResizeMode.Stretch)

    @property
    def current_step(self) -> str:
        """Give the step that the keys are at; empty for none."""
        index = self.currentIndex()
        return self._steps.row_at(index).planned.step if index.isValid() else ""

    @property
    def widths(self) -> tuple[int, ...]:
        """Give the widths of the columns but the last in logical pixels; those that are left out keep theirs."""
        return tuple(max(_LEAST, self.columnWidth(column) or width) for column, width in _WIDTHS.items())

    def set_widths(self, widths: tuple[int, ...]) -> None:
        """Make the columns as wide as they were; a number of them that is not ours changes nothing."""
        if len(widths) == len(_WIDTHS):
            for column, width in zip(_WIDTHS, widths, strict=True):
                self.setColumnWidth(column, max(_LEAST, width))

    def choose(self, step: str) -> None:
        """Select a step, if it is listed; tells nobody."""
        self._chosen = step
        if self.current_step == step and self.selectionModel().hasSelection():
            return
        place = self._steps.place_of(step)
        self._is_showing = True
        if place >= 0:
            self.setCurrentIndex(self._steps.index(place, PlanColumn.STEP))
        else:
            self.clearSelection()
        self._is_showing = False

    def follow_running(self) -> None:
        """Turn the rings of what runs, as long as something does."""
        turning = self.isVisible() and bool(self._steps.counts.get(Group.RUNNING))
        spinner_clock().set_turning(self.viewport(), turning=turning, repaint=self._repaint_rings)

    @property
    def problems(self) -> CellProblems:
        return self._cells.problems

    def show_problems(self, problems: CellProblems) -> None:
        if problems != self._cells.problems:
            self._cells.problems = problems
            self.viewport().update()

    def copy(self) -> None:
        places = sorted(index.row() for index in self.selectionModel().selectedRows())
        if places:
            QGuiApplication.clipboard().setText(self._steps.text_of(places))

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        self._throttle.note()

    def paint_rows(self, painter: QPainter, theme: Theme, stripes: Sequence[Stripe], rows: Iterable[SeenRow]) -> None:
        paint, problems = RowPainter(painter, theme, stripes, self._steps.now_s).paint, self._cells.problems
        for seen in rows:
            row = self._steps.row_at(self._steps.index(seen.place, PlanColumn.STEP))
            paint(seen, row, problems.get(row.planned.number - 1, {}) if problems else {})

    def _repaint_rings(self) -> None:
        """Have the rings in sight painted anew, and nothing else."""
        self.repaint_cells(self._steps.running, PlanColumn.STATUS, CELL_LEFT, GLYPH)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leave out columns where there is too little room for all."""
        widths = dict(zip(_WIDTHS, self.widths, strict=True))
        self.leave_out(_GIVING_WAY, widths, _LEAST_RESULT)
        super().resizeEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter} and self.current_step:
            self.opened.emit(self.current_step)
        else:
            super().keyPressEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Open a step, unless its cell can be written in."""
        super().mouseDoubleClickEvent(event)
        index = self.indexAt(event.position().toPoint())
        if index.isValid() and index.column() in _OPENING:
            self.opened.emit(self.current_step)

    def _on_current_row_changed(self) -> None:
        step = self.current_step
        if step and not self._is_showing:
            self._chosen = step
            self.chosen.emit(step)

    def _on_model_reset(self) -> None:
        self.choose(self._chosen)
