"""Presenters of graph, timeline, remaining time and the step beside the plan; they look at the run in a thread."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from datetime import UTC, datetime, timedelta
from itertools import islice
from pathlib import Path
from time import monotonic, thread_time
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Signal, Slot

from console.batch.graph_layout import Layout, laid_out
from console.batch.graph_model import Graph, dot_of, graph_of, node_state
from console.batch.graph_painting import GraphPainting
from console.batch.graph_view import GraphView
from console.batch.model import PlanModel
from console.batch.progress_view import ProgressStrip
from console.batch.rows import Phase, PlanRows, RunFacts, RunUpdate
from console.batch.run_estimate import Known, RunEstimate, estimate_run
from console.batch.step_view import StepView
from console.batch.timeline_layout import Grouping, Lanes, Timeline, VisibleTime, timeline_of
from console.batch.timeline_view import TimelineView
from console.language import tr
from console.responsiveness.heartbeat import yielding
from console.tasks import Compute, Repeated, TaskScope
from console.viewers import ContentPresenter
from console.widgets.formats import format_countdown
from tools.atomic_write import write_whole

if TYPE_CHECKING:
    from console.batch.document_presenter import OpenPlan
    from console.batch.presenter import BatchPresenter
    from console.batch.runs import BatchRuns
    from tools.batch import BatchPlan

_MOST_ROWS: Final = 1_000
_PAUSE_S: Final = 0.5


class StepPresenter(QObject):
    """Keep the step beside the plan in step with the run; while it is not open, it asks nothing."""

    noticed = Signal(str)

    def __init__(
        self,
        model: PlanModel,
        view: StepView,
        opened: OpenPlan,
        *,
        runs: BatchRuns,
        scope: TaskScope,
        compute: Compute,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._model = model
        self._view = view
        self._opened = opened
        self._runs = runs
        self._step = ""
        self._looking = Repeated(scope, self._look, "look at a step")
        self._content = ContentPresenter(view.content, compute, scope, notify=self.noticed.emit, parent=self)

    @Slot(str)
    def show_step(self, step: str) -> None:
        if self._model.row_of(step) is not None:
            self._step = step
            self.look_again()

    def close_step(self) -> None:
        self._step = ""

    @Slot(object)
    def take(self, update: RunUpdate) -> None:
        if self._step in update.steps:
            self.look_again()

    @Slot()
    def look_again(self) -> None:
        """Take in that the plan or the run changed."""
        row = self._model.row_of(self._step)
        if row is None:
            return
        self._view.show_row(row)
        self._looking.ask()

    def close(self) -> None:
        self._step = ""
        self._content.close()
        self._looking.cancel()

    async def _look(self) -> None:
        if not (step := self._step):
            return
        told = await self._runs.told(self._opened.plan, step, _MOST_ROWS)
        row = self._model.row_of(step)
        if step == self._step and row is not None:
            self._view.show_detail(row, told)
            await asyncio.sleep(_PAUSE_S if self._looking.is_wanted else 0)


LEAST_PAUSE_S: Final = 0.25
_PAUSE_SHARE: Final = 8.0
"""How much longer than a look took nothing is looked at afterwards."""
_AT_A_TIME: Final = 400
"""Steps whose nodes change at a time."""
_KNOWN_S: Final = 3.0
"""How long what is known of tools counts as known."""
_SOON_S: Final = 5.0
"""What ends sooner than that needs no time of day."""


def now_local() -> datetime:
    """Give the time of day here."""
    return datetime.now(UTC).astimezone()


class PanelsPresenter(QObject):
    """Keep graph, timeline and the time that is left in step with the plan and its run."""

    def __init__(
        self,
        model: PlanModel,
        presenter: BatchPresenter,
        *,
        runs: BatchRuns,
        graph: GraphView,
        timeline: TimelineView,
        strip: ProgressStrip,
        scope: TaskScope,
        compute: Compute,
        yield_to_ui: Callable[[], object],
        clock: Callable[[], datetime] = now_local,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._model = model
        self._presenter = presenter
        self._runs = runs
        self._graph = graph
        self._timeline = timeline
        self._strip = strip
        self._scope = scope
        self._compute = compute
        self._yield_to_ui = yield_to_ui
        self._clock = clock
        self._known = Known()
        self._known_of: BatchPlan | None = None
        self._known_at_s = 0.0
        self._looking = Repeated(scope, self._look, "look at what is still to come of a run")
        self._drawing = Repeated(scope, self._draw, "draw a plan")
        self._showing: asyncio.Task[None] | None = None
        self._run = ""
        graph.laid_out.connect(self._show_all_states)
        presenter.replaced.connect(self._on_presenter_replaced)
        presenter.plan_shown.connect(self._on_presenter_plan_shown)
        presenter.forgotten.connect(self._on_presenter_forgotten)
        presenter.updated.connect(self._on_presenter_updated)
        presenter.ticked.connect(self.look_again)

    def close(self) -> None:
        self._looking.cancel()
        self._drawing.cancel()
        if self._showing is not None:
            self._showing.cancel()

    @Slot()
    def look_again(self) -> None:
        """Take in that something changed, or that time passed; what nobody sees waits."""
        if self._strip.isVisible():
            self._looking.ask()
        else:
            self._looking.is_wanted = True

    @Slot()
    def _on_presenter_replaced(self) -> None:
        # What is found of the plan before counts no more, and nothing of it stays where the next look fails.
        self._looking.cancel()
        self._graph.show_graph(Graph())
        self._graph.show_painting(GraphPainting(Layout()))
        self._graph.show_critical((), None)
        self._timeline.show_bars(Timeline())
        self._timeline.canvas.fit()
        self._strip.show_left("")

    @Slot()
    def _on_presenter_plan_shown(self) -> None:
        self._drawing.ask()
        self.look_again()

    async def _draw(self) -> None:
        planned = self._presenter.planned
        graph = await self._compute(graph_of, planned, self._yield_to_ui)
        if planned is self._presenter.planned:
            self._graph.show_graph(graph)

    @Slot()
    def _show_all_states(self) -> None:
        if self._showing is not None:
            self._showing.cancel()
        self._showing = self._scope.start(self._show_states(), "show how far all steps are")

    async def _show_states(self) -> None:
        """Show how far all steps are, some at a time, so that the window is not held up."""
        names = iter([step.step for step in self._model.steps.planned])
        while some := list(islice(names, _AT_A_TIME)):
            self._show_states_of(some)
            await asyncio.sleep(0)

    def _show_states_of(self, steps: Iterable[str]) -> None:
        places = self._graph.canvas.painting.layout.places
        rows = (self._model.row_of(step) for step in steps if step in places)
        self._graph.canvas.show_states({row.planned.step: node_state(row) for row in rows if row is not None})

    @Slot()
    def _on_presenter_forgotten(self) -> None:
        self._known_of = None
        self._run = ""
        self._show_all_states()

    @Slot(object)
    def _on_presenter_updated(self, update: RunUpdate) -> None:
        if update.facts.run != self._run:
            self._run = update.facts.run
            self._timeline.canvas.fit()
        self._show_states_of(update.steps)
        self.look_again()

    async def _look(self) -> None:
        took_s = await self._look_once()
        await asyncio.sleep(max(LEAST_PAUSE_S, _PAUSE_SHARE * took_s))

    async def _look_once(self) -> float:
        """Look at the run, and return how long a processor was busy with it, in seconds."""
        plan = self._presenter.plan
        if plan is not None and (plan is not self._known_of or monotonic() - self._known_at_s > _KNOWN_S):
            self._known = await self._runs.known(plan)
            self._known_of, self._known_at_s = plan, monotonic()
        # All of one moment: what was asked for may have taken a while.
        facts, now_s, rows = self._presenter.facts, self._model.now_s, self._model.steps.copy()
        workers = facts.workers or (1 if plan is None else plan.limits.parallelism)
        estimate, timeline, lanes, took_s = await self._compute(
            _look,
            rows,
            self._known,
            workers,
            facts,
            now_s,
            self._timeline.canvas.grouping,
            self._timeline.room,
            self._yield_to_ui,
        )
        self._graph.show_critical(estimate.critical, estimate.critical_s)
        self._timeline.show_bars(timeline, lanes)
        self._show_left(facts, estimate, now_s)
        return float(took_s)

    def _show_left(self, facts: RunFacts, looked: RunEstimate, now_s: float | None) -> None:
        left_s = None if looked.ends_s is None or now_s is None else looked.ends_s - now_s
        if facts.phase is not Phase.RUNNING or left_s is None or left_s <= 0:
            self._strip.show_left("")
            return
        words = format_countdown(left_s)
        end = self._clock() + timedelta(seconds=left_s)
        self._strip.show_left(words, f"{end:%H:%M}" if left_s > _SOON_S else "")


def _look(  # noqa: PLR0917 -- all that another thread has to know, of one moment
    steps: PlanRows,
    known: Known,
    workers: int,
    facts: RunFacts,
    now_s: float | None,
    grouping: Grouping,
    room: VisibleTime,
    yield_to_ui: Callable[[], object],
) -> tuple[RunEstimate, Timeline, Lanes, float]:
    """Look at what is still to come and at what stands where in the timeline; tell how many seconds that took."""
    began_s = thread_time()
    rows = list(yielding(steps, yield_to_ui))
    at_s = now_s if now_s is not None else facts.elapsed_s
    ahead = estimate_run(rows, known, workers=workers, now_s=at_s, yield_to_ui=yield_to_ui)
    timeline = timeline_of(rows, ahead, workers=workers, now_s=now_s, yield_to_ui=yield_to_ui)
    return ahead, timeline, Lanes(timeline, grouping, room, yield_to_ui), thread_time() - began_s


class GraphPresenter(QObject):
    """Lay out what a view is to show. Only the newest graph counts."""

    noticed = Signal(str)

    def __init__(self, view: GraphView, *, scope: TaskScope, compute: Compute, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._view = view
        self._scope = scope
        self._compute = compute
        self._laying = Repeated(scope, self._lay_out, "lay out the graph")
        self._export: asyncio.Task[None] | None = None
        view.layout_wanted.connect(self._on_view_layout_wanted)
        view.export_chosen.connect(self._on_view_export_chosen)

    def close(self) -> None:
        self._laying.cancel()
        if self._export is not None:
            self._export.cancel()

    def _on_view_layout_wanted(self) -> None:
        # One at a time: whoever edits a plan asks faster than a large one is laid out.
        self._laying.ask()

    async def _lay_out(self) -> None:
        graph = self._view.wanted
        if graph is not None:
            painting = await self._compute(_painted, graph)
            if self._view.wanted == graph:
                self._view.show_painting(painting)

    def _on_view_export_chosen(self, kind: str, path: str) -> None:
        self._export = self._scope.start(self._write(kind, Path(path)), "save the graph")

    async def _write(self, kind: str, path: Path) -> None:
        try:
            if kind == "png":
                if not await self._compute(self._view.picture().save, str(path), "PNG"):
                    self.noticed.emit(tr("The graph cannot be written to {path}. Choose another file.", path=path))
                    return
            else:
                text = (
                    self._view.drawing()
                    if kind == "svg"
                    else dot_of(self._view.graph, self._view.canvas.painting.states)
                )
                await self._compute(write_whole, path, text)
        except OSError as error:
            self.noticed.emit(tr("The graph cannot be written: {error}. Choose another file.", error=error))
            return
        self.noticed.emit(tr("Saved the graph as {name}.", name=path.name))


def _painted(graph: Graph) -> GraphPainting:
    """Return a graph laid out, with the ways of its edges as they are painted."""
    return GraphPainting(laid_out(graph))
