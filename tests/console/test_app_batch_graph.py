"""Graph and timeline of the Batch page in the real program: they show the run, and select and connect its steps."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu

from console.batch.graph_view import GraphView, handle_of
from console.batch.rows import PlanColumn
from console.batch.run_estimate import Known
from console.batch.runs import BatchRuns
from console.batch.timeline_layout import Grouping
from console.batch.timeline_view import TimelineView
from console.theme import ThemeController
from tests.console.test_app_batches import HOLDING, SUMS, Page, batch_page, write

pytestmark = pytest.mark.expects_log("tools.calls")

AHEAD = """name: ahead
steps:
  - id: one
    tool: calculate
    arguments: {expression: "1 + 1"}
  - id: two
    tool: calculate
    arguments: {expression: "${steps.one.result.result} + 1"}
"""


CIRCLE = """name: circle
steps:
  - id: zero
    tool: calculate
    arguments: {expression: "1 + 1"}
  - id: first
    tool: calculate
    depends_on: [zero]
    arguments: {expression: "${steps.last.result.result}"}
  - id: last
    tool: calculate
    depends_on: [first]
    arguments: {expression: "2 + 2"}
"""


async def pictures_of(page: Page) -> tuple[GraphView, TimelineView]:
    (graph,) = page.view.findChildren(GraphView)
    (timeline,) = page.view.findChildren(TimelineView)
    await page.start.until(lambda: graph.canvas.painting.layout.places)
    return graph, timeline


def middle(graph: GraphView, step: str) -> QPoint:
    canvas = graph.canvas
    return canvas.sight.rect(canvas.painting.layout.places[step]).center().toPoint()


def connect(graph: GraphView, needed: str, waiting: str) -> None:
    canvas = graph.canvas
    none = Qt.KeyboardModifier.NoModifier
    begin, end = handle_of(canvas.painting, canvas.sight, needed).toPoint(), middle(graph, waiting)
    QTest.mousePress(canvas, Qt.MouseButton.LeftButton, none, begin)
    QTest.mouseMove(canvas, end)
    QTest.mouseRelease(canvas, Qt.MouseButton.LeftButton, none, end)


async def test_graph_and_timeline_show_the_run(theme: ThemeController, tmp_path: Path) -> None:
    async with batch_page(theme, tmp_path) as (start, page):
        await page.open(tmp_path / "sums.yaml", SUMS, 4)
        graph, timeline = await pictures_of(page)
        assert [tuple(edge) for edge in graph.graph.edges] == [("broken", "after")]
        await page.press_until("Run", "Failed")
        await start.until(lambda: graph.canvas.painting.states["after"].status == "blocked")
        assert {name: state.status for name, state in graph.canvas.painting.states.items()} == {
            "first": "success",
            "broken": "failed",
            "after": "blocked",
            "each": "failed",
        }
        assert graph.canvas.painting.states["each"].rows == "2/3"
        await start.until(lambda: {bar.step for bar in timeline.canvas.timeline.bars} >= {"first", "broken", "each"})
        # One selection, wherever it is made.
        QTest.mouseClick(graph.canvas, Qt.MouseButton.LeftButton, pos=middle(graph, "broken"))
        assert (timeline.canvas.selection, page.view.table.currentIndex().row()) == ("broken", 1)
        page.view.table.setCurrentIndex(page.model.index(3, 0))
        assert (graph.canvas.selection, timeline.canvas.selection) == ("each", "each")
        # A further run begins with a clean graph.
        page.press("Run")
        await start.until(lambda: graph.canvas.painting.states["broken"].status != "failed")
        await page.until_phase("Failed")


@pytest.mark.reference("A86")
@pytest.mark.reference("A89")
async def test_steps_are_connected_in_the_graph(theme: ThemeController, tmp_path: Path) -> None:
    async with batch_page(theme, tmp_path) as (start, page):
        await page.open(tmp_path / "sums.yaml", SUMS, 4)
        graph, _ = await pictures_of(page)
        connect(graph, "first", "broken")
        await start.until(lambda: len(graph.canvas.painting.layout.routes) == 2)
        opened = start.console.batches.opened
        assert opened is not None
        assert opened.plan.steps[1].depends_on == ("first",)
        connect(graph, "after", "first")
        assert graph.canvas.connecting.refusal == "after waits for first already: first → broken → after"
        assert opened.plan.steps[0].depends_on == ()


async def test_a_step_stays_selected_everywhere_when_it_comes_is_renamed_or_is_taken_back(
    theme: ThemeController, tmp_path: Path
) -> None:
    async with batch_page(theme, tmp_path) as (start, page):
        await page.open(tmp_path / "sums.yaml", SUMS, 4)
        graph, timeline = await pictures_of(page)
        editing = start.console.batches.parts
        assert editing is not None
        table, control = page.view.table, Qt.KeyboardModifier.ControlModifier

        async def until_selected(step: str) -> None:
            await start.until(lambda: graph.canvas.selection == step)
            assert (table.chosen_key, timeline.canvas.selection) == (step, step)
            assert [index.row() for index in table.selectionModel().selectedRows()] == [page.model.place_of(step)]

        table.setFocus()
        table.choose("broken")
        editing.table.edit_requested.emit(1, PlanColumn.STEP)
        field = editing.table.editor
        assert field is not None
        QTest.keyClicks(field, "half")
        QTest.keyClick(field, Qt.Key.Key_Return)
        await until_selected("half")
        QTest.keyClick(table, Qt.Key.Key_D, control)
        await until_selected("half_2")
        QTest.keyClick(table, Qt.Key.Key_Z, control)
        await until_selected("after")
        QTest.keyClick(table, Qt.Key.Key_Delete)
        await until_selected("each")
        QTest.keyClick(table, Qt.Key.Key_Z, control)
        await until_selected("after")
        QTest.keyClick(table, Qt.Key.Key_Z, control)
        await until_selected("broken")


async def test_changes_are_taken_back_from_graph_and_timeline(theme: ThemeController, tmp_path: Path) -> None:
    async with batch_page(theme, tmp_path) as (start, page):
        await page.open(tmp_path / "sums.yaml", SUMS, 4)
        graph, timeline = await pictures_of(page)
        opened = start.console.batches.opened
        assert opened is not None
        connect(graph, "first", "broken")

        def needs() -> list[str]:
            return list(opened.plan.steps[1].depends_on)

        await start.until(needs)
        assert graph.canvas.hasFocus()
        control, shift = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
        QTest.keyClick(graph.canvas, Qt.Key.Key_Z, control)
        assert needs() == []
        QTest.keyClick(graph.canvas, Qt.Key.Key_Z, control | shift)
        assert needs() == ["first"]
        await page.press_until("Run", "Failed")
        await start.until(timeline.canvas.isVisible)
        timeline.canvas.setFocus()
        QTest.keyClick(timeline.canvas, Qt.Key.Key_Z, control)
        assert needs() == []


async def test_nothing_is_connected_while_a_run_goes_on(theme: ThemeController, tmp_path: Path) -> None:
    async with batch_page(theme, tmp_path) as (start, page):
        await page.open(tmp_path / "holding.yaml", HOLDING, 3)
        graph, timeline = await pictures_of(page)
        page.press("Run")
        await start.until(lambda: graph.canvas.painting.state("wait").status == "running")
        await start.until(lambda: timeline.canvas.timeline.now_s is not None)
        connect(graph, "begin", "end")
        opened = start.console.batches.opened
        assert opened is not None
        assert opened.plan.steps[2].depends_on == ("wait",)
        await page.press_until("Cancel", "Cancelled")
        connect(graph, "begin", "end")
        assert set(opened.plan.steps[2].depends_on) == {"wait", "begin"}


async def test_a_step_has_the_same_menu_in_the_graph(theme: ThemeController, tmp_path: Path) -> None:
    async with batch_page(theme, tmp_path) as (start, page):
        await page.open(tmp_path / "sums.yaml", SUMS, 4)
        graph, _ = await pictures_of(page)
        at = middle(graph, "after")
        event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, at, graph.canvas.mapToGlobal(at))
        QApplication.sendEvent(graph.canvas, event)
        await start.until(lambda: [menu for menu in page.view.findChildren(QMenu) if menu.isVisible()])
        (menu,) = [menu for menu in page.view.findChildren(QMenu) if menu.isVisible()]
        assert menu.accessibleName() == "Step"
        assert page.view.table.currentIndex().row() == 2
        menu.close()


async def test_a_plan_is_foreseen_once_its_tools_are_known(theme: ThemeController, tmp_path: Path) -> None:
    async with batch_page(theme, tmp_path) as (start, page):
        await page.open(tmp_path / "sums.yaml", SUMS, 4)
        graph, timeline = await pictures_of(page)
        assert not timeline.canvas.timeline.bars
        await page.press_until("Run", "Failed")
        await page.open(tmp_path / "ahead.yaml", AHEAD, 2)
        await start.until(lambda: [bar.is_planned for bar in timeline.canvas.timeline.bars] == [True, True])
        first, second = timeline.canvas.timeline.bars
        assert (first.began_s, second.began_s) == (0, first.ended_s)
        assert timeline.canvas.timeline.note == "dashed: planned from each tool's usual P50"
        assert graph.canvas.painting.critical_way == ("one", "two")


async def test_a_plan_with_a_circle_takes_the_place_of_the_one_before_everywhere(
    theme: ThemeController, tmp_path: Path
) -> None:
    async with batch_page(theme, tmp_path) as (start, page):
        await page.open(tmp_path / "sums.yaml", SUMS, 4)
        graph, timeline = await pictures_of(page)
        await page.press_until("Run", "Failed")
        await start.until(lambda: timeline.canvas.timeline.bars)
        write(tmp_path / "circle.yaml", CIRCLE)
        page.view.file_chosen.emit("open", str(tmp_path / "circle.yaml"))
        await start.until(lambda: graph.canvas.painting.layout.places.keys() == {"zero", "first", "last"})
        # Only what stands before the circle can be foreseen.
        await start.until(lambda: [bar.step for bar in timeline.canvas.timeline.bars] == ["zero"])
        assert graph.canvas.painting.critical_way == ("zero",)


async def test_nothing_of_the_plan_before_stays_while_nobody_knows_of_the_next_one(
    theme: ThemeController, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def never(*_: object) -> Known:
        await asyncio.Event().wait()
        return Known()

    async with batch_page(theme, tmp_path) as (start, page):
        await page.open(tmp_path / "ahead.yaml", AHEAD, 2)
        graph, timeline = await pictures_of(page)
        await page.press_until("Run", "Done")
        await start.until(lambda: len(timeline.canvas.timeline.bars) == 2)
        await start.until(lambda: graph.canvas.painting.critical_way)
        monkeypatch.setattr(BatchRuns, "known", never)
        await page.open(tmp_path / "sums.yaml", SUMS, 4)
        assert not timeline.canvas.timeline.bars
        assert not graph.canvas.painting.critical_way
        await start.until(lambda: "broken" in graph.canvas.painting.layout.places)


async def test_all_of_the_time_is_seen_of_another_run_and_of_another_plan(
    theme: ThemeController, tmp_path: Path
) -> None:
    async with batch_page(theme, tmp_path) as (start, page):
        await page.open(tmp_path / "ahead.yaml", AHEAD, 2)
        _, timeline = await pictures_of(page)
        canvas = timeline.canvas
        await page.press_until("Run", "Done")
        await start.until(lambda: len(canvas.timeline.bars) == 2)
        canvas.zoom(4)
        opened = start.console.batches.opened
        assert opened is not None
        opened.document.change_plan(description="The same plan")
        await start.until(lambda: opened.is_checked and page.view.header.run.isEnabled())
        assert canvas.room.stretch is not None
        page.press("Run")
        await start.until(lambda: canvas.room.stretch is None)
        await page.until_phase("Done")
        canvas.zoom(4)
        opened.save()
        await start.until(lambda: not opened.document.is_dirty)
        await page.open(tmp_path / "sums.yaml", SUMS, 4)
        assert canvas.room.stretch is None


async def test_how_lanes_are_told_apart_is_remembered(theme: ThemeController, tmp_path: Path) -> None:
    for expected in (Grouping.WORKER, Grouping.STEP):
        async with batch_page(theme, tmp_path) as (_, page):
            (timeline,) = page.view.findChildren(TimelineView)
            assert timeline.canvas.grouping is expected
            timeline.set_grouping(Grouping.STEP)
