"""What stands behind the graph of a plan: lays it out away from the window's thread."""

from __future__ import annotations

import asyncio

from PySide6.QtCore import QObject

from console.batch.graph_layout import laid_out
from console.batch.graph_rows import Graph
from console.batch.graph_view import GraphView
from console.tasks import Compute, TaskScope

__all__ = ["GraphPresenter"]


class GraphPresenter(QObject):
    """Lay out what a view is to show. Only the newest graph counts.

    Args:
        view: The view.
        scope: Owns the tasks of the window.
        compute: Runs what takes more than a frame.
        parent: Its owner.
    """

    def __init__(self, view: GraphView, *, scope: TaskScope, compute: Compute, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._view = view
        self._scope = scope
        self._compute = compute
        self._task: asyncio.Task[None] | None = None
        view.layout_wanted.connect(self._on_view_layout_wanted)

    def close(self) -> None:
        """Let go of what is under way."""
        if self._task is not None:
            self._task.cancel()
            self._task = None

    def _on_view_layout_wanted(self, graph: Graph) -> None:
        # One at a time: whoever edits a plan asks faster than a large one is laid out.
        if self._task is None or self._task.done():
            self._task = self._scope.start(self._lay_out(graph), "lay out the graph")

    async def _lay_out(self, graph: Graph) -> None:
        while True:
            layout = await self._compute(laid_out, graph)
            if graph == self._view.graph:
                break
            graph = self._view.graph
        self._view.show_layout(layout)
