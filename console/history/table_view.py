"""The table of past calls."""

from types import MappingProxyType
from typing import Final

from PySide6.QtCore import QItemSelection, QItemSelectionModel, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QWidget

from console.call_table.model import CallColumn
from console.call_table.view import CallTableView, TableShape
from console.history.model import HistoryModel
from console.widgets import set_surface

_SHAPE: Final = TableShape(
    widths=MappingProxyType(
        {
            CallColumn.TIME: 120,
            CallColumn.TOOL: 136,
            CallColumn.CALLER: 112,
            CallColumn.ARGUMENTS: 260,
            CallColumn.STATUS: 148,
            CallColumn.DURATION: 80,
        }
    ),
    least_arguments=120,
    # When, what and how it ended must stay in sight.
    yielding=(CallColumn.CALLER, CallColumn.DURATION, CallColumn.ARGUMENTS),
    dense=False,
)
_SHAPE_OF_ONE_TOOL: Final = _SHAPE._replace(
    widths=MappingProxyType({column: width for column, width in _SHAPE.widths.items() if column is not CallColumn.TOOL})
)


class HistoryTableView(CallTableView):
    """Show past calls, one 28 px row each.

    Args:
        model: The calls.
        one_tool: Whether all calls are of one tool, which need not be named then.
        parent: Its owner.

    Signals:
        chosen(list): The calls with these ids are selected now, in the order of the list.
        delete_requested: Delete was pressed.
    """

    chosen = Signal(list)
    delete_requested = Signal()

    def __init__(self, model: HistoryModel, *, one_tool: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(model, _SHAPE_OF_ONE_TOOL if one_tool else _SHAPE, parent)
        self._history_model = model
        self._chosen_before: list[str] = []
        self.setAccessibleName("Calls")
        self.setObjectName("historyTable")
        set_surface(self, "surface")
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.selectionModel().selectionChanged.connect(self._on_selection_changed)
        model.modelAboutToBeReset.connect(self._on_model_about_to_be_reset)
        model.modelReset.connect(self._on_model_reset)

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
        self.setCurrentIndex(self._history_model.index(place, CallColumn.TIME))
        return True

    def choose_first(self) -> None:
        """Select the newest call, unless one is selected."""
        # A table that gets the focus has a current row, which is not yet selected.
        if self._history_model.rowCount() and not self.selectionModel().hasSelection():
            self.setCurrentIndex(self._history_model.index(0, CallColumn.TIME))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Delete and self.currentIndex().isValid():
            self.delete_requested.emit()
        else:
            super().keyPressEvent(event)

    def _on_model_about_to_be_reset(self) -> None:
        self._chosen_before = self.chosen_ids

    def _on_model_reset(self) -> None:
        """Choose again what was chosen, as far as it is still listed."""
        places = [self._history_model.place_of(record_id) for record_id in self._chosen_before]
        selection = QItemSelection()
        for place in sorted(place for place in places if place >= 0):
            index = self._history_model.index(place, CallColumn.TIME)
            selection.select(index, self._history_model.index(place, CallColumn.DURATION))
        if not selection.isEmpty():
            first = selection.indexes()[0]
            self.selectionModel().setCurrentIndex(first, QItemSelectionModel.SelectionFlag.NoUpdate)
            self.selectionModel().select(selection, QItemSelectionModel.SelectionFlag.ClearAndSelect)

    def _on_selection_changed(self) -> None:
        self.chosen.emit(self.chosen_ids)
