"""Pictures of graph and timeline: a plan of a thousand steps that runs, near and far, and what is drawn and refused."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from console.batch.graph_view import GraphView, handle_of
from console.batch.timeline_layout import Grouping
from console.batch.timeline_view import TimelineView
from tests.shots_of_batches import PLAN, TOOLS, open_plan, page_of

if TYPE_CHECKING:
    from tests.shots import Stage

CHAINS: Final = 199
LINKS: Final = 5


def large_plan() -> str:
    """Return a plan of chains that one step sums up."""
    lines = ["name: thousand", "limits: {parallelism: 8}", "steps:"]
    for chain in range(CHAINS):
        for link in range(LINKS):
            given = f"${{steps.part_{chain}_{link - 1}.result.value}} + 1" if link else str(chain)
            fails = " / 0" if (chain, link) == (60, 2) else ""
            lines += [
                f"  - id: part_{chain}_{link}",
                "    tool: calculate",
                f'    arguments: {{expression: "{given}{fails}"}}',
            ]
    needs = ", ".join(f"part_{chain}_{LINKS - 1}" for chain in range(CHAINS))
    lines += ["  - id: sum", "    tool: calculate", f"    depends_on: [{needs}]", '    arguments: {expression: "1"}']
    return "\n".join([*lines, ""])


async def batch_graphs(stage: Stage) -> None:
    """A thousand steps, the graph near and far, and an edge that cannot be."""
    await stage.open(first_time=False, data=stage.home / f"graphs-{stage.theme.mode}", plugins=[TOOLS])
    page = await page_of(stage)
    plan = stage.project / "thousand.yaml"
    plan.write_text(large_plan(), "utf-8")
    await open_plan(stage, page, plan)
    (graph,) = page.findChildren(GraphView)
    (timeline,) = page.findChildren(TimelineView)
    await stage.until(lambda: graph.canvas.painting.layout.places)
    page.header.run.click()
    await stage.until(lambda: graph.canvas.painting.state("part_60_4").status == "blocked")
    await stage.until(lambda: page.header.badge.text == "Failed")
    page.beside.setSizes([420, 1000])
    await stage.take("batch-graph-far")
    graph.canvas.zoom(1 / graph.canvas.sight.scale)
    timeline.set_grouping(Grouping.STEP)
    page.table.chosen.emit("part_60_3")
    await stage.until(lambda: timeline.canvas.selection == "part_60_3")
    await stage.take("batch-graph-near")
    shown = stage.project / "nightly.yaml"
    shown.write_text(PLAN.read_text("utf-8"), "utf-8")
    await open_plan(stage, page, shown)
    await stage.until(lambda: "post_draft" in graph.canvas.painting.layout.places)
    graph.canvas.fit()
    canvas, none = graph.canvas, Qt.KeyboardModifier.NoModifier
    begin = handle_of(canvas.painting, canvas.sight, "post_draft").toPoint()
    end = canvas.sight.rect(canvas.painting.layout.places["lanes"]).center().toPoint()
    QTest.mousePress(canvas, Qt.MouseButton.LeftButton, none, begin)
    QTest.mouseMove(canvas, end)
    await stage.take("batch-graph-refused")
    QTest.mouseRelease(canvas, Qt.MouseButton.LeftButton, none, end)
    await stage.close()
