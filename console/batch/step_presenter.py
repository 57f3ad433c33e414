"""What stands behind the step beside the plan: asks what it is given and what came of it, and follows the run."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Signal, Slot

from console.batch.model import PlanModel
from console.batch.rows import RunUpdate
from console.batch.step_rows import StepDetail
from console.batch.step_view import StepView
from console.tasks import Compute, TaskScope
from console.viewers import ContentPresenter

if TYPE_CHECKING:
    from console.batch.document_presenter import OpenPlan
    from console.batch.ports import RunsPort


_MOST_ROWS: Final = 1_000
_PAUSE_S: Final = 0.5


class StepPresenter(QObject):
    """Keep the step beside the plan in step with the run; while it is not open, it asks nothing.

    Args:
        model: The steps.
        view: Shows one of them.
        opened: The plan.
        runs: Knows what came of it.
        scope: Owns the tasks.
        compute: Runs what takes more than a frame.
        parent: Its owner.

    Signals:
        noticed(str): A sentence for the person.
    """

    noticed = Signal(str)

    def __init__(
        self,
        model: PlanModel,
        view: StepView,
        opened: OpenPlan,
        *,
        runs: RunsPort,
        scope: TaskScope,
        compute: Compute,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._model = model
        self._view = view
        self._opened = opened
        self._runs = runs
        self._scope = scope
        self._step = ""
        self._task: asyncio.Task[None] | None = None
        self._again = False
        self._content = ContentPresenter(view.content, compute, scope, notify=self.noticed.emit, parent=self)

    @Slot(str)
    def show_step(self, step: str) -> None:
        if self._model.row_of(step) is not None:
            self._step = step
            self.look_again()

    def close_step(self) -> None:
        """Show no step any more."""
        self._step = ""

    @Slot(object)
    def take(self, update: RunUpdate) -> None:
        """Follow the run."""
        if self._step in update.steps:
            self.look_again()

    @Slot()
    def look_again(self) -> None:
        """Take in that the plan or the run changed."""
        row = self._model.row_of(self._step)
        if row is None:
            return
        self._view.show_row(row)
        self._again = True
        if self._task is None or self._task.done():
            self._task = self._scope.start(self._look(), "look at a step")

    def close(self) -> None:
        """Let go of what is under way."""
        self._step = ""
        self._content.close()
        if self._task is not None:
            self._task.cancel()

    async def _look(self) -> None:
        while self._again and self._step:
            self._again = False
            step = self._step
            told = await self._runs.told(self._opened.plan, step, _MOST_ROWS)
            row = self._model.row_of(step)
            if step != self._step or row is None:
                continue
            self._view.show_detail(StepDetail(row, *told))
            await asyncio.sleep(_PAUSE_S if self._again else 0)
