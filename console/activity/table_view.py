"""The table of calls and its head."""

from typing import Final

from PySide6.QtCore import QModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QKeyEvent, QPainter, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView, QWidget

from console.activity.delegate import CELL_LEFT, CELL_RIGHT, ActivityDelegate
from console.activity.model import ActivityModel, Column
from console.theme import theme_of
from console.widgets import paint_text, set_surface

__all__ = ["ActivityTableView"]

_WIDTHS: Final = {
    Column.TIME: 80,
    Column.TOOL: 164,
    Column.CALLER: 124,
    Column.ARGUMENTS: 460,
    Column.STATUS: 180,
    Column.DURATION: 104,
}
_LEAST_ARGUMENTS: Final = 104
_GIVING_WAY: Final = (Column.CALLER, Column.TIME)
"""What is left out where there is little room: how a call ended must stay in sight."""

_ALIGN_RIGHT: Final = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class _Head(QHeaderView):
    """Name the columns, aligned with their cells."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.setSectionsMovable(False)
        self.setMinimumSectionSize(56)

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), theme_of(self).size.table_header)

    def paintSection(self, painter: QPainter, rect: QRect, logicalIndex: int) -> None:  # noqa: N803 -- Qt's name
        theme = theme_of(self)
        painter.fillRect(rect, theme.color.inset)
        painter.fillRect(rect.x(), rect.bottom(), rect.width(), 1, theme.color.border)
        font = theme.font("caption")
        text = str(self.model().headerData(logicalIndex, Qt.Orientation.Horizontal))
        if logicalIndex == Column.DURATION:
            words = rect.adjusted(4, 0, -CELL_RIGHT, -1)
            paint_text(painter, words, text, font, theme.color.text3, align=_ALIGN_RIGHT)
        else:
            paint_text(painter, rect.adjusted(CELL_LEFT, 0, -4, -1), text, font, theme.color.text3)


class ActivityTableView(QTableView):
    """Show calls, one 24 px row each.

    Signals:
        opened(str): Enter or a double click on the call with this id.
        menu_requested(QModelIndex, QPoint): The context menu of a row is wanted, at a place on the screen.
        at_top_changed(bool): The newest call came into sight or went out of it.
    """

    opened = Signal(str)
    menu_requested = Signal(object, object)
    at_top_changed = Signal(bool)

    def __init__(self, model: ActivityModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._activity_model = model
        self.setAccessibleName("Activity")
        self.setObjectName("activityTable")
        set_surface(self, "panel")
        self.setModel(model)
        self.setItemDelegate(ActivityDelegate(self))
        self.setHorizontalHeader(_Head(self))
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.setCornerButtonEnabled(False)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._size_sections()
        self.doubleClicked.connect(self._on_self_double_clicked)
        self.verticalScrollBar().valueChanged.connect(self._on_scroll_bar_value_changed)

    def _size_sections(self) -> None:
        rows = self.verticalHeader()
        rows.hide()
        rows.setMinimumSectionSize(theme_of(self).size.row_table_dense)
        rows.setDefaultSectionSize(theme_of(self).size.row_table_dense)
        rows.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        head = self.horizontalHeader()
        for column, width in _WIDTHS.items():
            self.setColumnWidth(column, width)
        head.setSectionResizeMode(Column.ARGUMENTS, QHeaderView.ResizeMode.Stretch)
        head.setHighlightSections(False)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leave out columns where there is too little room for all."""
        needed = sum(width for column, width in _WIDTHS.items() if column is not Column.ARGUMENTS) + _LEAST_ARGUMENTS
        for column in _GIVING_WAY:
            is_too_much = needed > self.viewport().width()
            self.setColumnHidden(column, is_too_much)
            needed -= _WIDTHS[column] if is_too_much else 0
        super().resizeEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Open with Enter."""
        index = self.currentIndex()
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter} and index.isValid():
            self._open(index)
        else:
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Ask for the menu of the row under the pointer, or of the current one."""
        by_mouse = event.reason() is QContextMenuEvent.Reason.Mouse
        index = self.indexAt(event.pos()) if by_mouse else self.currentIndex()
        if index.isValid():
            self.setCurrentIndex(index)
            place = event.globalPos() if by_mouse else self.viewport().mapToGlobal(self.visualRect(index).center())
            self.menu_requested.emit(index, place)

    def _open(self, index: QModelIndex) -> None:
        self.opened.emit(self._activity_model.row_at(index).call_id)

    def _on_self_double_clicked(self, index: QModelIndex) -> None:
        self._open(index)

    def _on_scroll_bar_value_changed(self, value: int) -> None:
        self.at_top_changed.emit(value == 0)
