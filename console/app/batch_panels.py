"""What stands around the plan on the Batch page: graph, timeline and the step beside it, wired to the run."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QObject, QPoint, Signal, Slot

from console.batch.document_presenter import OpenPlan
from console.batch.graph_presenter import GraphPresenter
from console.batch.graph_view import GraphView
from console.batch.model import PlanModel
from console.batch.panels_presenter import PanelsPresenter, StepPresenter
from console.batch.ports import RunsPort
from console.batch.presenter import BatchPresenter
from console.batch.step_view import FailedRowsModel, StepView
from console.batch.timeline_layout import Grouping
from console.batch.timeline_view import TimelineView
from console.batch.view import BatchView
from console.preferences import Preferences
from console.tasks import Compute, TaskScope

_LANES: Final = "batch/lanes"


class BatchPanels(QObject):
    """Own what stands around the plan.

    Args:
        model: The steps.
        view: The page.
        opened: The plan.
        presenter: Conducts the page.
        runs: Knows what came of the steps.
        scope: Owns the tasks.
        compute: Runs what takes more than a frame.
        yield_to_ui: Called by it between pieces of its work; waits for the window.
        parent: Its owner.

    Signals:
        noticed(str): A sentence for the person.
    """

    noticed = Signal(str)

    def __init__(
        self,
        model: PlanModel,
        view: BatchView,
        opened: OpenPlan,
        presenter: BatchPresenter,
        *,
        runs: RunsPort,
        scope: TaskScope,
        compute: Compute,
        yield_to_ui: Callable[[], object],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._view = view
        self._presenter = presenter
        failed = FailedRowsModel(self)
        self.step_view = StepView(failed)
        self.step = StepPresenter(model, self.step_view, opened, runs=runs, scope=scope, compute=compute, parent=self)
        self.graph_view = GraphView()
        self._graph = GraphPresenter(self.graph_view, scope=scope, compute=compute, parent=self)
        self.timeline_view = TimelineView()
        self._panels = PanelsPresenter(
            model,
            presenter,
            runs=runs,
            graph=self.graph_view,
            timeline=self.timeline_view,
            strip=view.strip,
            scope=scope,
            compute=compute,
            yield_to_ui=yield_to_ui,
            parent=self,
        )
        view.place_graph(self.graph_view)
        view.place_timeline(self.timeline_view)
        view.add_sheet(self.step_view)
        view.step_opened.connect(self._on_step_opened)
        for panel in (self.graph_view, self.timeline_view):
            panel.opened.connect(self._on_step_opened)
            panel.selected.connect(presenter.choose)
        self.graph_view.menu_requested.connect(self._on_graph_view_menu_requested)
        self._graph.noticed.connect(self.noticed)
        self.step_view.closed.connect(self._on_step_view_closed)
        self.step.noticed.connect(self.noticed)
        presenter.chosen.connect(self._on_presenter_chosen)
        presenter.updated.connect(self.step.take)
        presenter.plan_shown.connect(self.step.look_again)

    def recall(self, memory: Preferences) -> None:
        """Show what a person chose to see the last time."""
        self.timeline_view.set_grouping(Grouping(memory.choice(_LANES, tuple(Grouping), Grouping.WORKER)))

    def remember(self, memory: Preferences) -> None:
        """Keep what a person chose for the next start."""
        memory.set_choice(_LANES, self.timeline_view.grouping)

    def close(self) -> None:
        """Let go of what is under way."""
        self.step.close()
        self._graph.close()
        self._panels.close()

    @Slot(str)
    def _on_step_opened(self, step: str) -> None:
        self.step.show_step(step)
        self.step_view.show()
        self.step_view.setFocus()

    @Slot(str, QPoint)
    def _on_graph_view_menu_requested(self, step: str, place: QPoint) -> None:
        self._presenter.choose(step)
        self._view.show_step_menu(place)

    @Slot(str)
    def _on_presenter_chosen(self, step: str) -> None:
        self.graph_view.select(step)
        self.timeline_view.select(step)
        if not self.step_view.isHidden():
            self.step.show_step(step)

    @Slot()
    def _on_step_view_closed(self) -> None:
        self.step.close_step()
        self.step_view.hide()
        self._view.table.setFocus()
