"""What stands behind the Wire tab of one tool."""

from __future__ import annotations

from PySide6.QtCore import QObject

from console.definition.wire_rows import PROVIDER, WireChoice, WireRows, can_be_strict, wire_rows
from console.definition.wire_view import WireView
from console.preferences import Preferences
from console.tasks import Compute, OwnTasks, TaskScope
from tools.card import ToolCard


class WirePresenter(QObject):
    """Work out what a provider is sent, beside the window's thread.

    Args:
        preferences: Remember the provider.
        compute: Runs what takes more than a frame.
        scope: Owns the tasks of the window.
    """

    def __init__(
        self,
        tool: ToolCard,
        view: WireView,
        *,
        preferences: Preferences,
        compute: Compute,
        scope: TaskScope,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._tool = tool
        self._view = view
        self._preferences = preferences
        self._compute = compute
        self._tasks = OwnTasks(scope)
        self._choice = view.choice
        view.chosen.connect(self._on_view_chosen)
        self._show()

    def adopt(self, tool: ToolCard) -> None:
        """Go on with another version of the tool."""
        self._tool = tool
        self._show()

    def close(self) -> None:
        self._tasks.cancel()

    def _on_view_chosen(self, choice: WireChoice) -> None:
        self._choice = choice
        self._preferences.set_choice(PROVIDER, choice.provider)
        self._show()

    def _show(self) -> None:
        # Whatever was asked for before is out of date.
        self._tasks.cancel()
        self._tasks.start(self._work_out(), "work out what a provider is sent")

    async def _work_out(self) -> None:
        rows: WireRows = await self._compute(wire_rows, self._tool, self._choice)
        self._view.show_rows(rows, can_be_strict=can_be_strict(rows.choice.provider))
