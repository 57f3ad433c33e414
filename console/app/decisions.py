"""The list of decisions on the Approvals page: asked of the history, kept in step with it."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal, Slot

from console.app.records import Records
from console.approval.decision_model import DecisionModel
from console.approval.decisions_view import DecisionsView
from console.tasks import TaskScope

__all__ = ["Decisions"]


class Decisions(QObject):
    """Fill the list of decisions.

    Args:
        records: Have the decisions.
        scope: Owns the tasks of the window.
        parent: Its owner.

    Signals:
        opened(str): The call with this id is to be shown.
        noticed(str): A sentence for the person.
    """

    opened = Signal(str)
    noticed = Signal(str)

    def __init__(self, records: Records, scope: TaskScope, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._records = records
        self._scope = scope
        self.model = DecisionModel(parent=self)
        self.view = DecisionsView(self.model)
        self.view.opened.connect(self.opened)

    @Slot()
    def refresh(self) -> None:
        """List the newest decisions."""
