"""The list of the changes of the tools' health."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QRect, Qt, Signal
from PySide6.QtGui import QFont, QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStackedWidget,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from console.health.changes_model import CHANGE_ROLE, HealthChangeColumn, HealthChangeRow, HealthChangesModel
from console.theme import theme_of
from console.widgets import (
    BarFrame,
    EmptyState,
    IconButton,
    RowTable,
    TextLabel,
    format_count,
    paint_row,
    paint_status,
    paint_text,
    set_surface,
    status_color,
)

_SIDE: Final = 20
_LEFT: Final = 8
_GLYPH: Final = 10
_WIDTHS: Final = {HealthChangeColumn.TIME: 140, HealthChangeColumn.TOOL: 200, HealthChangeColumn.CHANGE: 216}


class _Delegate(QStyledItemDelegate):
    """Paint a change: when, which tool, from what to what, why."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        row: HealthChangeRow = index.data(CHANGE_ROLE)
        theme, column = theme_of(), HealthChangeColumn(index.column())
        painter.save()
        paint_row(painter, option, theme, divider=True)
        left = _SIDE if column is HealthChangeColumn.TIME else _LEFT
        cell: QRect = option.rect.adjusted(left, 0, -_LEFT, -1)
        font, ink = theme.font("small", tabular=column is HealthChangeColumn.TIME), theme.color.text2
        if column is HealthChangeColumn.TOOL:
            font.setWeight(QFont.Weight.Medium)
            ink = theme.color.text
        elif column is HealthChangeColumn.CHANGE:
            place = QRect(cell.x(), cell.y() + (cell.height() - _GLYPH) // 2, _GLYPH, _GLYPH)
            paint_status(painter, place, row.after, theme)
            cell.setLeft(place.right() + 7)
            ink = status_color(row.after, theme)
        paint_text(painter, cell, str(index.data()), font, ink)
        painter.restore()


class HealthChangesView(QWidget):
    """Show the changes of the tools' health, newest first.

    Args:
        model: The changes.
        parent: Its owner.

    Signals:
        tool_chosen(str): The tool of a change was chosen.
        closed: The list is to be closed.
    """

    tool_chosen = Signal(str)
    closed = Signal()

    def __init__(self, model: HealthChangesModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        set_surface(self, "surface")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        bar = BarFrame(36, surface="inset", edge="none", margins=(_SIDE, 12))
        self._title = TextLabel("Changes of health", "heading")
        self._count = TextLabel("", "small", "text3")
        close = IconButton("x", "Close the list of changes", shortcut_hint="Esc")
        close.clicked.connect(self.closed)
        for widget in (self._title, self._count):
            bar.row.addWidget(widget)
        bar.row.addStretch(1)
        bar.row.addWidget(close)
        column.addWidget(bar)
        self._pages = QStackedWidget()
        self.table = self._make_table(model)
        empty = EmptyState(
            "activity", "No change yet", "When a tool begins to fail, or works again, it is listed here."
        )
        self._pages.addWidget(self.table)
        self._pages.addWidget(empty)
        column.addWidget(self._pages, 1)
        self.setFocusProxy(self.table)
        for changed in (model.modelReset, model.rowsInserted):
            changed.connect(self._on_model_changed)
        self._on_model_changed()

    def _make_table(self, model: HealthChangesModel) -> RowTable:
        table = RowTable()
        table.setModel(model)
        table.setItemDelegate(_Delegate(table))
        table.setAccessibleName("Changes of health")
        table.setObjectName("healthChanges")
        set_surface(table, "surface")
        table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        head = table.horizontalHeader()
        head.hide()
        for place, width in _WIDTHS.items():
            table.setColumnWidth(place, width)
        head.setSectionResizeMode(HealthChangeColumn.REASON, QHeaderView.ResizeMode.Stretch)
        table.selectionModel().currentRowChanged.connect(self._on_table_current_row_changed)
        return table

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.closed.emit()
        else:
            super().keyPressEvent(event)

    def _on_model_changed(self) -> None:
        count = self._model.rowCount()
        self._count.setText(format_count(count) if count else "")
        self._pages.setCurrentIndex(0 if count else 1)

    def _on_table_current_row_changed(self, index: QModelIndex) -> None:
        if index.isValid():
            self.tool_chosen.emit(self._model.rows[index.row()].tool)
