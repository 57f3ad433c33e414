"""What stands behind the graph of a plan: lays it out away from the window's thread, and writes it to files."""

from __future__ import annotations

import asyncio
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from console.batch.graph_layout import laid_out
from console.batch.graph_model import Graph, dot_of
from console.batch.graph_painting import GraphPainting
from console.batch.graph_view import GraphView
from console.tasks import Compute, TaskScope
from tools.whole_file import write_whole


class GraphPresenter(QObject):
    """Lay out what a view is to show. Only the newest graph counts.

    Signals:
        noticed(str): A sentence for the person.
    """

    noticed = Signal(str)

    def __init__(self, view: GraphView, *, scope: TaskScope, compute: Compute, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._view = view
        self._scope = scope
        self._compute = compute
        self._task: asyncio.Task[None] | None = None
        self._export: asyncio.Task[None] | None = None
        view.layout_wanted.connect(self._on_view_layout_wanted)
        view.export_chosen.connect(self._on_view_export_chosen)

    def close(self) -> None:
        for task in (self._task, self._export):
            if task is not None:
                task.cancel()

    def _on_view_layout_wanted(self, graph: Graph) -> None:
        # One at a time: whoever edits a plan asks faster than a large one is laid out.
        if self._task is None or self._task.done():
            self._task = self._scope.start(self._lay_out(graph), "lay out the graph")

    async def _lay_out(self, graph: Graph) -> None:
        painting = await self._compute(_painted, graph)
        while (wanted := self._view.wanted) != graph:
            if wanted is None:
                return
            graph = wanted
            painting = await self._compute(_painted, graph)
        self._view.show_painting(painting)

    def _on_view_export_chosen(self, kind: str, path: str) -> None:
        self._export = self._scope.start(self._write(kind, Path(path)), "save the graph")

    async def _write(self, kind: str, path: Path) -> None:
        try:
            if kind == "png":
                if not await self._compute(self._view.picture().save, str(path), "PNG"):
                    self.noticed.emit(f"The graph cannot be written to {path}. Choose another file.")
                    return
            else:
                text = self._view.drawing() if kind == "svg" else dot_of(self._view.graph, self._view.states)
                await self._compute(write_whole, path, text)
        except OSError as error:
            self.noticed.emit(f"The graph cannot be written: {error}. Choose another file.")
            return
        self.noticed.emit(f"Saved the graph as {path.name}.")


def _painted(graph: Graph) -> GraphPainting:
    """Return a graph laid out, with the ways of its edges as they are painted."""
    return GraphPainting(laid_out(graph))
