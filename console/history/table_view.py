"""The table of past calls and its head."""

from typing import Final

from PySide6.QtCore import QItemSelection, QItemSelectionModel, QModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QKeyEvent, QPainter, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView, QWidget

from console.history.delegate import CELL_LEFT, CELL_RIGHT, HistoryDelegate
from console.history.model import Column, HistoryModel
from console.theme import theme_of
from console.widgets import paint_text, set_surface

__all__ = ["HistoryTableView"]

_WIDTHS: Final = {
    Column.TIME: 120,
    Column.TOOL: 136,
    Column.CALLER: 112,
    Column.ARGUMENTS: 260,
    Column.STATUS: 148,
    Column.DURATION: 80,
}
_LEAST_ARGUMENTS: Final = 120
_GIVING_WAY: Final = (Column.CALLER, Column.DURATION, Column.ARGUMENTS)
"""What is left out where there is little room: when, what and how it ended must stay in sight."""

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


class HistoryTableView(QTableView):
    """Show past calls, one 28 px row each.

    Args:
        model: The calls.
        one_tool: Whether all calls are of one tool, which need not be named then.
        parent: Its owner.

    Signals:
        opened(str): Enter or a double click on the call with this id.
        chosen(list): The calls with these ids are selected now, in the order of the list.
        menu_requested(QPoint): The context menu of the selection is wanted, at a place on the screen.
        delete_requested: Delete was pressed.
    """

    opened = Signal(str)
    chosen = Signal(list)
    menu_requested = Signal(object)
    delete_requested = Signal()

    def __init__(self, model: HistoryModel, *, one_tool: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._history_model = model
        self._one_tool = one_tool
        self._chosen_before: list[str] = []
        self.setAccessibleName("Calls")
        self.setObjectName("historyTable")
        set_surface(self, "surface")
        self.setModel(model)
        self.setItemDelegate(HistoryDelegate(self))
        self.setHorizontalHeader(_Head(self))
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.setCornerButtonEnabled(False)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._size_sections()
        self.doubleClicked.connect(self._on_self_double_clicked)
        self.selectionModel().selectionChanged.connect(self._on_selection_changed)
        model.modelAboutToBeReset.connect(self._on_model_about_to_be_reset)
        model.modelReset.connect(self._on_model_reset)

    def _size_sections(self) -> None:
        rows = self.verticalHeader()
        rows.hide()
        rows.setMinimumSectionSize(theme_of(self).size.row_table)
        rows.setDefaultSectionSize(theme_of(self).size.row_table)
        rows.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        head = self.horizontalHeader()
        for column, width in _WIDTHS.items():
            self.setColumnWidth(column, width)
        head.setSectionResizeMode(Column.ARGUMENTS, QHeaderView.ResizeMode.Stretch)
        head.setHighlightSections(False)
        self.setColumnHidden(Column.TOOL, self._one_tool)

    @property
    def chosen_ids(self) -> list[str]:
        """Give the ids of the selected calls, in the order of the list."""
        places = sorted(index.row() for index in self.selectionModel().selectedRows())
        return [self._history_model.rows[place].id for place in places]

    def choose(self, record_id: str) -> bool:
        """Select one call and say whether it is listed."""
        place = self._history_model.place_of(record_id)
        if place < 0:
            return False
        self.setCurrentIndex(self._history_model.index(place, Column.TIME))
        return True

    def choose_first(self) -> None:
        """Select the newest call, unless one is selected."""
        # A table that gets the focus has a current row, which is not yet selected.
        if self._history_model.rowCount() and not self.selectionModel().hasSelection():
            self.setCurrentIndex(self._history_model.index(0, Column.TIME))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leave out columns where there is too little room for all."""
        widths = {column: width for column, width in _WIDTHS.items() if not (self._one_tool and column is Column.TOOL)}
        widths[Column.ARGUMENTS] = _LEAST_ARGUMENTS
        needed = sum(widths.values())
        for column in _GIVING_WAY:
            is_too_much = needed > self.viewport().width()
            self.setColumnHidden(column, is_too_much)
            needed -= widths[column] if is_too_much else 0
        stretched = Column.STATUS if self.isColumnHidden(Column.ARGUMENTS) else Column.ARGUMENTS
        head = self.horizontalHeader()
        for column in (Column.STATUS, Column.ARGUMENTS):
            mode = QHeaderView.ResizeMode.Stretch if column is stretched else QHeaderView.ResizeMode.Interactive
            if head.sectionResizeMode(column) is not mode:
                head.setSectionResizeMode(column, mode)
                self.setColumnWidth(column, _WIDTHS[column])
        super().resizeEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Open with Enter, ask to delete with Delete."""
        index = self.currentIndex()
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter} and index.isValid():
            self._open(index)
        elif event.key() == Qt.Key.Key_Delete and index.isValid():
            self.delete_requested.emit()
        else:
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Ask for the menu of the selection, which takes the row under the pointer in."""
        by_mouse = event.reason() is QContextMenuEvent.Reason.Mouse
        index = self.indexAt(event.pos()) if by_mouse else self.currentIndex()
        if not index.isValid():
            return
        if not self.selectionModel().isRowSelected(index.row()):
            self.setCurrentIndex(index)
        place = event.globalPos() if by_mouse else self.viewport().mapToGlobal(self.visualRect(index).center())
        self.menu_requested.emit(place)

    def _open(self, index: QModelIndex) -> None:
        self.opened.emit(self._history_model.row_at(index).id)

    def _on_self_double_clicked(self, index: QModelIndex) -> None:
        self._open(index)

    def _on_model_about_to_be_reset(self) -> None:
        self._chosen_before = self.chosen_ids

    def _on_model_reset(self) -> None:
        """Choose again what was chosen, as far as it is still listed."""
        places = [self._history_model.place_of(record_id) for record_id in self._chosen_before]
        selection = QItemSelection()
        for place in sorted(place for place in places if place >= 0):
            index = self._history_model.index(place, Column.TIME)
            selection.select(index, self._history_model.index(place, Column.DURATION))
        if not selection.isEmpty():
            first = selection.indexes()[0]
            self.selectionModel().setCurrentIndex(first, QItemSelectionModel.SelectionFlag.NoUpdate)
            self.selectionModel().select(selection, QItemSelectionModel.SelectionFlag.ClearAndSelect)

    def _on_selection_changed(self) -> None:
        self.chosen.emit(self.chosen_ids)
