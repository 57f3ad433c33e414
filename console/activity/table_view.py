"""The table of the Activity list."""

from types import MappingProxyType
from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QAbstractItemView, QWidget

from console.activity.model import ActivityModel
from console.call_table.model import CallColumn
from console.call_table.view import CallTableView, TableShape
from console.widgets import set_surface

_SHAPE: Final = TableShape(
    widths=MappingProxyType(
        {
            CallColumn.TIME: 80,
            CallColumn.TOOL: 164,
            CallColumn.CALLER: 124,
            CallColumn.ARGUMENTS: 460,
            CallColumn.STATUS: 180,
            CallColumn.DURATION: 104,
        }
    ),
    least_arguments=104,
    # How a call ended must stay in sight.
    yielding=(CallColumn.CALLER, CallColumn.TIME),
    dense=True,
)


class ActivityTableView(CallTableView):
    """Show calls, one 24 px row each.

    Signals:
        at_top_changed(bool): The newest call came into sight or went out of it.
    """

    at_top_changed = Signal(bool)

    def __init__(self, model: ActivityModel, parent: QWidget | None = None) -> None:
        super().__init__(model, _SHAPE, parent)
        self.setAccessibleName("Activity")
        self.setObjectName("activityTable")
        set_surface(self, "panel")
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.verticalScrollBar().valueChanged.connect(self._on_scroll_bar_value_changed)

    def _on_scroll_bar_value_changed(self, value: int) -> None:
        self.at_top_changed.emit(value == 0)
