"""Measure what the graph and the timeline of a large plan cost.

A plan of 1,000 steps is laid out, painted whole, moved and updated; beside it Qt's own graphics view paints the same
boxes, names and ways with its built-in items: without signs, dashes, states and shortened names, so it is a lower bound
where few steps are in sight. The goal: no frame above 50 ms, whatever the person does. Processor time of the painting
thread, the best of many rounds.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Final

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QRectF
from PySide6.QtGui import QBrush, QPainter, QPainterPath, QPen, QPixmap
from PySide6.QtWidgets import QGraphicsScene, QGraphicsView, QWidget

from console.app.start import make_application
from console.batch.graph_layout import NODE_HEIGHT, NODE_WIDTH, Layout, laid_out
from console.batch.graph_model import Graph, GraphEdge, GraphNode, NodeState, node_state
from console.batch.graph_painting import GraphPainting
from console.batch.graph_view import GraphCanvas
from console.batch.rows import StepFacts, StepRow, WrittenStep
from console.batch.run_estimate import Known, estimate_run
from console.batch.timeline_layout import Grouping, timeline_of
from console.batch.timeline_view import TimelineCanvas
from console.theme import ThemeController, theme_of
from tools.batch import StepState

STEPS: Final = 1000
MANY: Final = 10_000
FRAME_MS: Final = 50.0
ROUNDS: Final = 7
SIZE: Final = (1000, 800)
CHANGED: Final = 30
STATES: Final = (
    NodeState("success", "Success"),
    NodeState("running", "Running, 40%", 0.4),
    NodeState("queued", "Queued"),
    NodeState("failed", "Failed", is_blocking=True),
)


def pipelines(count: int) -> dict[str, list[str]]:
    """Return chains of five steps, all of which one report waits for."""
    needs: dict[str, list[str]] = {}
    for number in range(count // 5):
        for place in range(5):
            needs[f"load_{number}_{place}"] = [f"load_{number}_{place - 1}"] if place else []
    return needs | {"report": [f"load_{number}_4" for number in range(count // 5)]}


def layers(count: int, wide: int = 20) -> dict[str, list[str]]:
    """Return layers of which each step waits for up to three of the layer before."""
    chance = Random(2)
    needs: dict[str, list[str]] = {}
    for number in range(count):
        before = range(max(0, number // wide - 1) * wide, number // wide * wide)
        needs[f"step_{number}"] = [f"step_{other}" for other in sorted(chance.sample(before, min(3, len(before))))]
    return needs


def tangle(count: int) -> dict[str, list[str]]:
    """Return steps that wait for up to two of the forty before them."""
    chance = Random(3)
    needs: dict[str, list[str]] = {}
    for number in range(count):
        near = range(max(0, number - 40), number)
        found = chance.sample(near, min(len(near), chance.randint(0, 2)))
        needs[f"step_{number}"] = [f"step_{other}" for other in sorted(found)]
    return needs


PLANS: Final[Mapping[str, Callable[[int], dict[str, list[str]]]]] = {
    "pipelines and a report": pipelines,
    "layers": layers,
    "a tangle": tangle,
}


def graph_of(needs: Mapping[str, Sequence[str]]) -> Graph:
    nodes = tuple(GraphNode(name, "tool", number) for number, name in enumerate(needs, 1))
    return Graph(nodes, tuple(GraphEdge(needed, name) for name, names in needs.items() for needed in names))


def best_ms(work: Callable[[], object], rounds: int = ROUNDS) -> float:
    best = float("inf")
    for _ in range(rounds):
        began = time.thread_time()
        work()
        best = min(best, time.thread_time() - began)
    return best * 1000


def rendered(widget: QWidget) -> Callable[[], None]:
    """Return what paints a widget as it is."""
    picture = QPixmap(*SIZE)

    def render() -> None:
        widget.render(picture)

    return render


def peer_of(layout: Layout) -> QGraphicsView:
    """Return Qt's graphics view with the same boxes, names and ways."""
    scene = QGraphicsScene()
    theme = theme_of()
    for route in layout.routes:
        way = QPainterPath()
        way.moveTo(*route[0])
        for (x1, y1), (x2, y2) in zip(route[::2], route[1::2], strict=True):
            way.lineTo(x1, y1)
            way.cubicTo(x1, y1 + (y2 - y1) * 0.6, x2, y2 - (y2 - y1) * 0.6, x2, y2)
        scene.addPath(way, QPen(theme.color.border_field, 1))
    for name, (x, y) in layout.places.items():
        scene.addRect(QRectF(x, y, NODE_WIDTH, NODE_HEIGHT), QPen(theme.color.border), QBrush(theme.color.surface))
        text = scene.addSimpleText(name, theme.font("small"))
        text.setPos(x + 28, y + 8)
    view = QGraphicsView(scene)
    view.setRenderHint(QPainter.RenderHint.Antialiasing)
    scene.setParent(view)
    return view


class Person:
    """What somebody does with a graph, each time with what the window paints after it."""

    def __init__(self, canvas: GraphCanvas) -> None:
        self.canvas = canvas
        self.render = rendered(canvas)
        self._turn = 0

    def change(self) -> None:
        """Let some steps get on."""
        self._turn += 1
        names = [node.name for node in self.canvas.painting.layout.graph.nodes[:CHANGED]]
        self.canvas.show_states(dict.fromkeys(names, NodeState("running", "Running", self._turn % 10 / 10)))
        self.render()

    def move(self) -> None:
        """Drag the ground."""
        self.canvas.move_by(7, 5)
        self.render()

    def zoom(self) -> None:
        """Turn the wheel by one notch, there and back."""
        self.canvas.zoom(1.1)
        self.render()
        self.canvas.zoom(1 / 1.1)
        self.render()

    def look_at(self, scale: float) -> int:
        """Look at the middle of the graph, so large; return how many steps are in sight."""
        canvas, layout = self.canvas, self.canvas.painting.layout
        canvas.zoom(scale / canvas.sight.scale)
        middle = canvas.rect().center()
        canvas.move_by(
            round(middle.x() - canvas.sight.left - layout.width * scale / 2),
            round(middle.y() - canvas.sight.top - layout.height * scale / 2),
        )
        self.render()
        return len(list(canvas.painting._names_in(canvas.sight.back(QRectF(canvas.rect())))))


def graphs(title: str, needs: Mapping[str, Sequence[str]]) -> bool:
    """Print what a graph costs, and return whether the goals are reached."""
    graph = graph_of(needs)
    laying_ms = best_ms(lambda: GraphPainting(laid_out(graph)), 3)
    layout = laid_out(graph)
    canvas, peer = GraphCanvas(), peer_of(layout)
    for widget in (canvas, peer):
        widget.resize(*SIZE)
        widget.show()
    painting = GraphPainting(layout)
    worst_ms = best_ms(lambda: canvas.show_painting(painting), 3)
    canvas.show_states({node.name: STATES[place % len(STATES)] for place, node in enumerate(graph.nodes)})
    print(f"  {title}: {len(graph.nodes):,} steps, {len(graph.edges):,} edges")
    print(f"    laid out in {laying_ms:6.0f} ms, taken over by the window in {worst_ms:.0f} ms")
    person, render_peer = Person(canvas), rendered(peer.viewport())
    for scale in (canvas.sight.scale, 0.46, 1.0):
        seen = person.look_at(scale)
        peer.resetTransform()
        peer.scale(scale, scale)
        peer.centerOn(layout.width / 2, layout.height / 2)
        zoom_ms, move_ms, change_ms = best_ms(person.zoom) / 2, best_ms(person.move), best_ms(person.change)
        again_ms, peer_ms = best_ms(person.render), best_ms(render_peer)
        worst_ms = max(worst_ms, zoom_ms, move_ms, change_ms)
        print(
            f"    at {scale:.2f}, {seen:5,} in sight: zoomed {zoom_ms:5.1f} ms, moved {move_ms:5.1f}, "
            f"{CHANGED} steps changed {change_ms:4.1f}, rings turned {again_ms:4.1f}; "
            f"graphics view {peer_ms:5.1f}, {zoom_ms / peer_ms:.2f} × of it"
        )
    canvas.hide()
    peer.hide()
    return worst_ms <= FRAME_MS


def lines(needs: Mapping[str, Sequence[str]]) -> list[StepRow]:
    """Return the lines of a run that is half way."""
    rows = []
    for place, (name, names) in enumerate(needs.items()):
        planned = WrittenStep(place + 1, name, f"tool{place % 7}", needs=tuple(names))
        facts = StepFacts(name)
        if place < len(needs) // 2:
            facts = StepFacts(name, StepState.DONE, began_s=place / 4, elapsed_s=1.0, worker=place % 4)
        rows.append(StepRow(planned, facts))
    return rows


def timelines(title: str, needs: Mapping[str, Sequence[str]]) -> bool:
    """Print what a timeline costs, and return whether the goals are reached."""
    rows = lines(needs)
    known = Known({row.planned.tool: 1.0 for row in rows})
    ahead = estimate_run(rows, known, workers=4, now_s=len(rows) / 8)
    looking_ms = best_ms(lambda: estimate_run(rows, known, workers=4, now_s=len(rows) / 8), 3)
    timeline = timeline_of(rows, ahead, workers=4, now_s=len(rows) / 8)
    making_ms = best_ms(lambda: timeline_of(rows, ahead, workers=4, now_s=len(rows) / 8), 3)
    states_ms = best_ms(lambda: [node_state(row) for row in rows[:CHANGED]], 3)
    canvas = TimelineCanvas()
    canvas.resize(1394, 200)
    canvas.show()
    print(f"  {title}: {len(rows):,} steps, {len(timeline.bars):,} bars")
    print(f"    looked ahead in {looking_ms:.0f} ms, bars made in {making_ms:.0f}, {CHANGED} nodes in {states_ms:.2f}")
    worst_ms = 0.0
    for grouping in Grouping:
        canvas.set_grouping(grouping)
        showing_ms = best_ms(lambda: canvas.show_bars(timeline))
        painting_ms = best_ms(rendered(canvas))
        canvas.zoom(50)
        zoomed_ms = best_ms(rendered(canvas))
        canvas.fit()
        worst_ms = max(worst_ms, showing_ms + painting_ms)
        print(f"    by {grouping}: taken {showing_ms:5.1f} ms, painted {painting_ms:5.1f}, zoomed in {zoomed_ms:5.1f}")
    canvas.hide()
    return worst_ms <= FRAME_MS


def main() -> int:
    """Print everything, and return 1 when a goal is missed."""
    application = make_application()
    theme = ThemeController(application, "light")
    reached = True
    for title, make in PLANS.items():
        reached &= graphs(title, make(STEPS))
    for steps in (STEPS, MANY):
        reached &= timelines("pipelines and a report", pipelines(steps))
    print(f"  no frame above {FRAME_MS:g} ms: {'reached' if reached else 'MISSED'}")
    theme.deleteLater()
    return 0 if reached else 1


if __name__ == "__main__":
    sys.exit(main())
