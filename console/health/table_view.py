"""The table of all tools and its head, which sorts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from types import MappingProxyType
from typing import Final

from PySide6.QtCore import QPoint, QRect, Qt, Signal
from PySide6.QtGui import (
    QFontMetrics,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QResizeEvent,
)
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QWidget

from console.assets import paint_icon
from console.health.model import HealthModel
from console.health.rows import HealthColumn, HealthRow, Order
from console.health.table_painting import CELL_LEFT, CELL_RIGHT, NUMBERS, PAGE_LEFT, HealthPainter, action_rect
from console.theme import Theme, theme_of
from console.widgets import PaintedTable, SeenRow, Stripe, TableHead, paint_text, set_surface

_WIDTHS: Final = MappingProxyType(
    {
        HealthColumn.TOOL: 168,
        HealthColumn.SOURCE: 160,
        HealthColumn.STATUS: 112,
        HealthColumn.SUCCESS: 76,
        HealthColumn.P50: 76,
        HealthColumn.P95: 76,
        HealthColumn.P99: 76,
        HealthColumn.CALLS: 72,
    }
)
_LEAST_NOTE: Final = 240
_GIVING_WAY: Final = (HealthColumn.P99, HealthColumn.P50, HealthColumn.SOURCE, HealthColumn.CALLS)
"""What is left out where there is too little room, first to last."""
_LEAST: Final = 56
_ARROW: Final = 12
_RIGHT: Final = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_FIRST_DOWN: Final = frozenset(
    {HealthColumn.STATUS, HealthColumn.P50, HealthColumn.P95, HealthColumn.P99, HealthColumn.CALLS}
)
"""The columns that begin with the largest, or the worst."""


class _Head(TableHead):
    """Name the columns, and show which one sorts."""

    def __init__(self, model: HealthModel, parent: QWidget) -> None:
        super().__init__(parent)
        self._model = model
        self.setMinimumSectionSize(_LEAST)
        self.setSectionsClickable(True)
        self.setHighlightSections(False)

    def paint_name(self, painter: QPainter, rect: QRect, column: int) -> None:
        theme = theme_of(self)
        order, font = self._model.order, theme.font("caption")
        ink = theme.color.text if column == order.column else theme.color.text3
        text = str(self._model.headerData(column, Qt.Orientation.Horizontal))
        width = QFontMetrics(font).horizontalAdvance(text)
        if column in NUMBERS:
            words = rect.adjusted(4, 0, -CELL_RIGHT, -1)
            paint_text(painter, words, text, font, ink, align=_RIGHT)
            arrow = words.right() - width - _ARROW - 2
        else:
            words = rect.adjusted(PAGE_LEFT if column == HealthColumn.TOOL else CELL_LEFT, 0, -4, -1)
            paint_text(painter, words, text, font, ink)
            arrow = words.left() + width + 3
        if column == order.column:
            place = QRect(arrow, rect.y() + (rect.height() - _ARROW) // 2, _ARROW, _ARROW)
            paint_icon(painter, place, "arrow-down" if order.descending else "arrow-up", theme.color.text2, theme)


class HealthTableView(PaintedTable):
    """Show tools, one 28 px row each.

    Args:
        model: The tools.
        parent: Its owner.

    Signals:
        chosen(str): This tool is selected now.
        remedy_requested(str): Do what helps this tool.
        order_chosen(Order): Sort like this.
    """

    chosen = Signal(str)
    remedy_requested = Signal(str)
    order_chosen = Signal(object)

    def __init__(self, model: HealthModel, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self._tools = model
        self._is_showing = False
        self._chosen = ""
        self.setModel(model)
        self.setHorizontalHeader(_Head(model, self))
        self.setAccessibleName("Tools by health")
        self.setObjectName("healthTable")
        set_surface(self, "surface")
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self._size_sections()
        self.selectionModel().currentRowChanged.connect(self._on_current_row_changed)
        self.horizontalHeader().sectionClicked.connect(self._on_header_section_clicked)
        model.modelReset.connect(self._on_model_reset)

    def _size_sections(self) -> None:
        for column, width in _WIDTHS.items():
            self.setColumnWidth(column, width)
        self.horizontalHeader().setSectionResizeMode(HealthColumn.NOTE, QHeaderView.ResizeMode.Stretch)

    @property
    def current_row(self) -> HealthRow | None:
        """Give the tool that the keys are at; None for none."""
        index = self.currentIndex()
        return self._tools.rows[index.row()] if index.isValid() else None

    @property
    def widths(self) -> tuple[int, ...]:
        """Give the widths of the columns but the last in logical pixels; those that are left out keep theirs."""
        return tuple(max(_LEAST, self.columnWidth(column) or width) for column, width in _WIDTHS.items())

    def set_widths(self, widths: tuple[int, ...]) -> None:
        """Make the columns as wide as they were; a number of them that is not ours changes nothing."""
        if len(widths) == len(_WIDTHS):
            for column, width in zip(_WIDTHS, widths, strict=True):
                self.setColumnWidth(column, max(_LEAST, width))

    def choose(self, tool: str) -> None:
        """Select a tool, if it is listed; tells nobody."""
        self._chosen = tool
        place = self._tools.place_of(tool)
        current = self.current_row
        if current is not None and current.tool == tool and self.selectionModel().hasSelection():
            return
        self._is_showing = True
        if place >= 0:
            self.setCurrentIndex(self._tools.index(place, HealthColumn.TOOL))
        else:
            self.clearSelection()
        self._is_showing = False

    def copy(self) -> None:
        """Put the selected rows on the clipboard."""
        places = sorted(index.row() for index in self.selectionModel().selectedRows())
        if places:
            QGuiApplication.clipboard().setText(self._tools.text_of(places))

    def paint_rows(self, painter: QPainter, theme: Theme, stripes: Sequence[Stripe], rows: Iterable[SeenRow]) -> None:
        """Paint tools."""
        paint = HealthPainter(painter, theme, stripes).paint
        for row in rows:
            paint(row, self._tools.rows[row.place])

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leave out columns where there is too little room for all."""
        widths = dict(zip(_WIDTHS, self.widths, strict=True))
        self.leave_out(_GIVING_WAY, widths, _LEAST_NOTE)
        super().resizeEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Do what helps with Enter, copy with Ctrl+C."""
        row = self.current_row
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy()
        elif event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter} and row is not None:
            self.remedy_requested.emit(row.tool)
        else:
            super().keyPressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Show that an action can be clicked."""
        super().mouseMoveEvent(event)
        over = self._action_at(event.position().toPoint()) is not None
        self.viewport().setCursor(Qt.CursorShape.PointingHandCursor if over else Qt.CursorShape.ArrowCursor)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Do what helps when its words are clicked."""
        super().mouseReleaseEvent(event)
        row = self._action_at(event.position().toPoint())
        if event.button() is Qt.MouseButton.LeftButton and row is not None and self.current_row is row:
            self.remedy_requested.emit(row.tool)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Do what helps, wherever the row is clicked twice; its words did so on the first click."""
        super().mouseDoubleClickEvent(event)
        index = self.indexAt(event.position().toPoint())
        if index.isValid() and self._action_at(event.position().toPoint()) is None:
            self.remedy_requested.emit(self._tools.rows[index.row()].tool)

    def _action_at(self, place: QPoint) -> HealthRow | None:
        index = self.indexAt(place)
        if not index.isValid() or index.column() != HealthColumn.NOTE:
            return None
        row = self._tools.rows[index.row()]
        return row if action_rect(self.visualRect(index), row).contains(place) else None

    def _on_current_row_changed(self) -> None:
        row = self.current_row
        if row is not None and not self._is_showing:
            self._chosen = row.tool
            self.chosen.emit(row.tool)

    def _on_header_section_clicked(self, section: int) -> None:
        column, order = HealthColumn(section), self._tools.order
        descending = not order.descending if column is order.column else column in _FIRST_DOWN
        self.order_chosen.emit(Order(column, descending))

    def _on_model_reset(self) -> None:
        self.choose(self._chosen)
