"""The graph of a plan on the screen: seen, walked, zoomed, connected, and painted no more than needed."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QContextMenuEvent, QHelpEvent, QImage, QWheelEvent
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtTest import QSignalSpy, QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QToolTip, QWidget
from pytestqt.qtbot import QtBot

from console.batch.graph_layout import laid_out
from console.batch.graph_model import Graph, NodeState
from console.batch.graph_painting import GraphPainting, Viewport
from console.batch.graph_view import Direction, GraphCanvas, GraphView, handle_of, step_beside, why_not
from console.batch.panels_presenter import GraphPresenter
from console.tasks import TaskScope
from console.theme import ThemeController, load_theme
from console.widgets import IconButton, Menu, TextLabel, spinner_clock
from tests.console.test_batch_graph_layout import DIGEST, graph, large

RunInQt = Callable[[Coroutine[Any, Any, Any]], Any]

DIRECTIONS: tuple[Direction, ...] = ("up", "down", "left", "right")
DONE = NodeState("success", "Success")
RUNNING = NodeState("running", "Running, 61%", 0.61, "88/144")
FAILED = NodeState("failed", "Failed", is_blocking=True)
BLOCKED = NodeState("blocked", "Blocked by 10")


@pytest.fixture
def view(qtbot: QtBot) -> GraphView:
    view = GraphView()
    qtbot.addWidget(view)
    view.resize(760, 520)
    view.show()
    view.show_graph(graph(DIGEST))
    view.show_painting(GraphPainting(laid_out(view.graph)))
    return view


@pytest.fixture
def canvas(view: GraphView) -> GraphCanvas:
    return view.canvas


def middle(canvas: GraphCanvas, name: str) -> QPoint:
    return canvas.sight.rect(canvas.painting.layout.places[name]).center().toPoint()


def dot(canvas: GraphCanvas, name: str) -> QPoint:
    return handle_of(canvas.painting, canvas.sight, name).toPoint()


def picture(canvas: GraphCanvas) -> QImage:
    return canvas.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)


def painted_anew(canvas: GraphCanvas) -> QImage:
    canvas.resize(canvas.width() + 1, canvas.height())
    canvas.grab()
    canvas.resize(canvas.width() - 1, canvas.height())
    return picture(canvas)


def furthest(one: QImage, other: QImage) -> int:
    """Return by how much two pictures differ where they do most, in levels of a colour."""
    levels = [np.frombuffer(image.constBits(), np.uint8).astype(int) for image in (one, other)]
    return int(np.abs(levels[0] - levels[1]).max())


def drag(canvas: GraphCanvas, begin: QPoint, *way: QPoint, button: Qt.MouseButton = Qt.MouseButton.LeftButton) -> None:
    QTest.mousePress(canvas, button, Qt.KeyboardModifier.NoModifier, begin)
    for point in way:
        QTest.mouseMove(canvas, point)
    QTest.mouseRelease(canvas, button, Qt.KeyboardModifier.NoModifier, way[-1])


def wheel(canvas: GraphCanvas, at: QPoint, turned: int) -> None:
    event = QWheelEvent(
        QPointF(at),
        QPointF(canvas.mapToGlobal(at)),
        QPoint(),
        QPoint(0, turned),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(canvas, event)


def test_everything_is_seen_and_nothing_larger_than_it_is(canvas: GraphCanvas) -> None:
    seen = canvas.rect()
    assert all(seen.contains(middle(canvas, name)) for name in DIGEST)
    assert canvas.sight.scale == 1.0
    canvas.resize(300, 200)
    assert canvas.sight.scale < 0.5
    assert all(canvas.rect().contains(middle(canvas, name)) for name in DIGEST)


def test_what_is_not_laid_out_yet_says_so_and_no_steps_say_so_too(qtbot: QtBot) -> None:
    view = GraphView()
    qtbot.addWidget(view)
    view.show()
    wanted = QSignalSpy(view.layout_wanted)
    shown = [child.accessibleName() for child in view.findChildren(QWidget) if child.isVisible()]
    assert "No steps yet. Steps and what they wait for will show here." in shown
    assert not any(button.isEnabled() for button in view.findChildren(IconButton))
    many = large(1001)
    view.show_graph(many)
    view.show_graph(many)
    assert (wanted.count(), view.wanted) == (1, many)
    shown = [child.accessibleName() for child in view.findChildren(QWidget) if child.isVisible()]
    assert "Laying out 1,001 steps. The plan can be used meanwhile." in shown
    view.show_painting(GraphPainting(laid_out(many)))
    assert view.canvas.isVisible()
    assert all(button.isEnabled() for button in view.findChildren(IconButton))


def test_what_is_seen_of_a_plan_stays_while_it_is_written(canvas: GraphCanvas) -> None:
    canvas.show_states({"load_tickets": DONE})
    canvas.select("load_tickets")
    canvas.zoom(1.5)
    before = canvas.sight
    canvas.show_painting(GraphPainting(laid_out(graph({**DIGEST, "further": ["archive"]}))))
    assert (canvas.sight, canvas.selection) == (before, "load_tickets")
    assert canvas.painting.state("load_tickets") == DONE
    canvas.show_painting(GraphPainting(laid_out(graph({"another": []}))))
    assert (canvas.sight.scale, canvas.selection) == (1.0, "")
    assert canvas.painting.states == {}


def test_the_head_tells_what_the_thick_line_is(view: GraphView) -> None:
    words = [label.text() for label in view.findChildren(TextLabel) if label.isVisible()]
    assert "critical path" not in " ".join(words)
    view.show_critical(["load_tickets", "group_topics"], 230.0)
    words = [label.text() for label in view.findChildren(TextLabel) if label.isVisible()]
    assert "critical path, 3:50" in words
    view.show_critical(["load_tickets", "group_topics"], None)
    assert "critical path" in [label.text() for label in view.findChildren(TextLabel) if label.isVisible()]


def test_each_state_looks_different_also_without_colour(canvas: GraphCanvas) -> None:
    states = ["queued", "running", "success", "cached", "failed", "denied", "timed_out", "skipped", "waiting", "paused"]
    at = middle(canvas, "archive")
    looks = set()
    for status in states:
        canvas.show_states({"archive": NodeState(status, status)})  # type: ignore[arg-type]
        grey = picture(canvas).convertToFormat(QImage.Format.Format_Grayscale8)
        looks.add(bytes(grey.copy(at.x() - 70, at.y() - 20, 140, 40).constBits()))
    assert len(looks) == len(states)


def test_the_way_that_takes_longest_and_what_blocks_are_painted_in_their_colours(canvas: GraphCanvas) -> None:
    theme = load_theme("light")
    rgb = {"accent": theme.color.accent.rgb(), "crimson": theme.status.error.fill.rgb()}

    def found(color: str) -> int:
        image = picture(canvas)
        pixels = memoryview(image.constBits()).cast("I")
        return sum(pixel == rgb[color] for pixel in pixels)

    assert found("accent") == found("crimson") == 0
    canvas.show_critical(["load_tickets", "group_topics", "summarise_p2"])
    assert found("accent") > 300
    canvas.show_states({"chart_refunds": FAILED._replace(is_blocking=False)})
    assert found("crimson") < 60
    canvas.show_states({"chart_refunds": FAILED})
    edge_to_come = found("crimson")
    canvas.show_states({"post_draft": BLOCKED})
    assert found("crimson") > edge_to_come


def test_states_painted_one_by_one_look_as_painted_at_once(canvas: GraphCanvas) -> None:
    canvas.show_critical(["load_tickets", "group_topics", "summarise_p2", "draft_digest"])
    picture(canvas)
    for states in (
        {"load_tickets": DONE, "load_orders": DONE},
        {"summarise_p2": RUNNING, "summarise_p3": RUNNING._replace(share=0.2)},
        {"summarise_p2": RUNNING._replace(share=0.7, rows="111/144")},
        {"summarise_p2": RUNNING._replace(share=0.9, rows="140/144")},
        {"summarise_p3": DONE, "chart_refunds": FAILED, "post_draft": BLOCKED},
    ):
        canvas.show_states(states)
        picture(canvas)
    canvas.show_states({"summarise_p2": DONE})
    assert picture(canvas) == painted_anew(canvas)


@pytest.mark.parametrize("way", [(30, 0), (0, -25), (-41, 13), (900, 900)])
def test_a_moved_graph_looks_as_painted_anew(canvas: GraphCanvas, way: tuple[int, int]) -> None:
    # Qt begins dashes where lines come into sight.
    canvas.show_states(dict.fromkeys(DIGEST, DONE))
    canvas.zoom(1.3)
    picture(canvas)
    canvas.move_by(*way)
    moved, sight = picture(canvas), canvas.sight
    canvas.zoom(1.1)
    canvas.zoom(1 / 1.1)
    canvas._show(sight)
    assert furthest(moved, picture(canvas)) <= 3


def test_a_graph_that_is_held_at_an_edge_can_be_moved_along_it(canvas: GraphCanvas) -> None:
    canvas.move_by(100_000, 100_000)
    canvas.grab()
    canvas.move_by(-5, -3)
    assert furthest(picture(canvas), painted_anew(canvas)) <= 1


def test_the_theme_changes_all_of_it(canvas: GraphCanvas, theme: ThemeController) -> None:
    light = picture(canvas)
    theme.set_mode("dark")
    dark = picture(canvas)
    theme.set_mode("light")
    assert light != dark
    assert picture(canvas) == light


def test_rings_turn_only_while_somebody_sees_them(canvas: GraphCanvas, view: GraphView) -> None:
    clock = spinner_clock()
    turning = [clock.is_active]
    canvas.show_states({"summarise_p2": RUNNING})
    turning.append(clock.is_active)
    view.hide()
    turning.append(clock.is_active)
    view.show()
    turning.append(clock.is_active)
    canvas.show_states({"summarise_p2": DONE})
    turning.append(clock.is_active)
    assert turning == [False, True, False, True, False]


def test_a_click_selects_and_tells_once(view: GraphView, canvas: GraphCanvas) -> None:
    told: list[str] = []
    view.canvas.selected.connect(told.append)
    for _ in range(2):
        QTest.mouseClick(canvas, Qt.MouseButton.LeftButton, pos=middle(canvas, "draft_digest"))
    assert (told, canvas.selection) == (["draft_digest"], "draft_digest")
    assert canvas.accessibleDescription().startswith("11 draft_digest: Queued")
    view.canvas.select("archive")
    assert (told, canvas.selection) == (["draft_digest"], "archive")
    view.canvas.select("no such step")
    assert canvas.selection == ""


def test_a_step_that_is_not_laid_out_yet_is_selected_as_soon_as_it_is(view: GraphView, canvas: GraphCanvas) -> None:
    view.canvas.select("archive")
    view.canvas.select("a")
    assert canvas.selection == ""
    view.show_painting(GraphPainting(laid_out(graph({"a": [], "b": ["a"]}))))
    assert canvas.selection == "a"
    assert canvas.accessibleDescription().startswith("1 a: Queued")
    view.canvas.select("")
    view.show_painting(GraphPainting(laid_out(graph({"a": []}))))
    assert canvas.selection == ""


def test_the_ring_around_a_selected_step_does_not_cut_how_many_rows_are_done(canvas: GraphCanvas) -> None:
    canvas.show_states({"summarise_p2": RUNNING})
    scale, node = canvas.sight.scale, canvas.sight.rect(canvas.painting.layout.places["summarise_p2"])
    inside = QRectF(node.right() - 30 * scale, node.top() - 5 * scale, 20 * scale, 8 * scale).toAlignedRect()
    plain = picture(canvas).copy(inside)
    canvas.select("summarise_p2")
    assert furthest(plain, picture(canvas).copy(inside)) < 60


def test_what_is_selected_elsewhere_comes_into_sight(canvas: GraphCanvas) -> None:
    canvas.zoom(2.0)
    canvas.move_by(-2000, -2000)
    canvas.select("load_tickets")
    assert canvas.rect().contains(middle(canvas, "load_tickets"))


def test_keys_walk_along_the_edges(canvas: GraphCanvas) -> None:
    canvas.setFocus()
    walked = []
    keys = (Qt.Key.Key_Home, Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Right, Qt.Key.Key_Down, Qt.Key.Key_End)
    for key in (*keys, Qt.Key.Key_Down, Qt.Key.Key_Up):
        QTest.keyClick(canvas, key)
        walked.append(canvas.selection)
    assert walked == [
        *("load_tickets", "group_topics", "summarise_p2", "summarise_p3", "draft_digest"),
        *("archive", "archive", "post_draft"),
    ]


def test_walking_reaches_every_step_from_any_other() -> None:
    layout = laid_out(graph(DIGEST))
    for start in DIGEST:
        reached, queue = {start}, [start]
        for name in queue:
            for direction in DIRECTIONS:
                other = step_beside(layout, name, direction)
                if other not in reached:
                    reached.add(other)
                    queue.append(other)
        assert reached == set(DIGEST)


def test_enter_and_a_double_click_open_a_step(view: GraphView, canvas: GraphCanvas) -> None:
    opened: list[str] = []
    view.canvas.opened.connect(opened.append)
    canvas.select("archive")
    QTest.keyClick(canvas, Qt.Key.Key_Return)
    QTest.mouseDClick(canvas, Qt.MouseButton.LeftButton, pos=middle(canvas, "check_links"))
    assert opened == ["archive", "check_links"]


def test_the_menu_is_asked_for_with_the_step(view: GraphView, canvas: GraphCanvas) -> None:
    asked: list[str] = []
    collect = _Collect(asked)
    view.menu_requested.connect(collect)
    at = middle(canvas, "archive")
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, at, canvas.mapToGlobal(at))
    QApplication.sendEvent(canvas, event)
    canvas.select("load_orders")
    QApplication.sendEvent(canvas, QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, QPoint(2, 2), QPoint(2, 2)))
    assert asked == ["archive", "load_orders"]
    assert collect.places[1] == canvas.mapToGlobal(middle(canvas, "load_orders"))


class _Collect:
    def __init__(self, names: list[str]) -> None:
        self._names = names
        self.places: list[QPoint] = []

    def __call__(self, name: str, place: QPoint) -> None:
        self._names.append(name)
        self.places.append(place)


def test_the_tool_tip_says_what_a_step_is_and_what_it_waits_for(canvas: GraphCanvas, qtbot: QtBot) -> None:
    canvas.show_states({"draft_digest": RUNNING})
    at = middle(canvas, "draft_digest")
    QApplication.sendEvent(canvas, QHelpEvent(QEvent.Type.ToolTip, at, canvas.mapToGlobal(at)))
    assert QToolTip.text() == (
        "11 draft_digest: Running, 61%, 88/144 rows\ntool\nafter fetch_status, summarise_p1, summarise_p2, summarise_p3"
    )
    QToolTip.hideText()
    qtbot.waitUntil(lambda: not QToolTip.isVisible())


def test_the_wheel_zooms_on_the_pointer(canvas: GraphCanvas) -> None:
    at = middle(canvas, "post_draft")
    wheel(canvas, at, 240)
    assert canvas.sight.scale > 1.3
    assert (middle(canvas, "post_draft") - at).manhattanLength() <= 2
    for _ in range(40):
        wheel(canvas, at, -240)
    assert canvas.sight.scale == pytest.approx(0.02)
    QTest.keyClick(canvas, Qt.Key.Key_F)
    assert canvas.sight.scale == 1.0


def test_buttons_and_keys_zoom(view: GraphView, canvas: GraphCanvas) -> None:
    buttons = {button.accessibleName(): button for button in view.findChildren(IconButton)}
    buttons["Zoom in"].click()
    assert canvas.sight.scale == pytest.approx(1.25)
    QTest.keyClick(canvas, Qt.Key.Key_Plus)
    QTest.keyClick(canvas, Qt.Key.Key_Minus)
    buttons["Zoom out"].click()
    assert canvas.sight.scale == pytest.approx(1.0)
    canvas.move_by(77, 0)
    buttons["Fit the graph"].click()
    assert canvas.sight == Viewport(1.0, (canvas.width() - canvas.painting.layout.width) // 2, 20.0)


def test_the_ground_is_dragged_and_some_of_the_graph_stays_in_sight(canvas: GraphCanvas) -> None:
    before = canvas.sight
    drag(canvas, QPoint(5, 5), QPoint(15, 25))
    assert (canvas.sight.left - before.left, canvas.sight.top - before.top) == (10, 20)
    drag(canvas, middle(canvas, "archive"), QPoint(0, 0), button=Qt.MouseButton.MiddleButton)
    canvas.move_by(9000, 9000)
    assert (canvas.sight.left, canvas.sight.top) == (canvas.width() - 60, canvas.height() - 60)
    canvas.move_by(-9000, -9000)
    assert canvas.sight.left + canvas.painting.layout.width == pytest.approx(60, abs=1)


def test_space_moves_instead_of_selecting(canvas: GraphCanvas) -> None:
    before = canvas.sight
    QTest.keyPress(canvas, Qt.Key.Key_Space)
    begin = middle(canvas, "group_topics")
    drag(canvas, begin, begin + QPoint(12, 0))
    QTest.keyRelease(canvas, Qt.Key.Key_Space)
    assert (canvas.sight.left - before.left, canvas.selection) == (12, "")
    QTest.mouseClick(canvas, Qt.MouseButton.LeftButton, pos=middle(canvas, "group_topics"))
    assert canvas.selection == "group_topics"


def test_dragging_from_a_steps_dot_asks_for_an_edge(view: GraphView, canvas: GraphCanvas) -> None:
    asked: list[tuple[str, str]] = []
    view.canvas.connect_requested.connect(_Pairs(asked))
    begin, end = dot(canvas, "load_orders"), middle(canvas, "archive")
    drag(canvas, begin, end)
    assert asked == []
    view.canvas.set_editable(editable=True)
    drag(canvas, begin, QPoint(5, 5), end)
    assert asked == [("load_orders", "archive")]
    drag(canvas, begin, QPoint(5, 300))
    drag(canvas, begin, begin - QPoint(0, 12))
    assert len(asked) == 1


class _Pairs:
    def __init__(self, pairs: list[tuple[str, str]]) -> None:
        self.pairs = pairs

    def __call__(self, needed: str, waiting: str) -> None:
        self.pairs.append((needed, waiting))


@pytest.mark.reference("A89")
def test_an_edge_that_would_close_a_circle_is_refused_in_place(view: GraphView, canvas: GraphCanvas) -> None:
    asked: list[tuple[str, str]] = []
    view.canvas.connect_requested.connect(_Pairs(asked))
    view.canvas.set_editable(editable=True)
    before = picture(canvas)
    drag(canvas, dot(canvas, "post_draft"), middle(canvas, "refund_stats"))
    assert asked == []
    assert (
        canvas.connecting.refusal
        == "post_draft waits for refund_stats already: refund_stats → chart_refunds → post_draft"
    )
    assert picture(canvas) != before
    QTest.keyClick(canvas, Qt.Key.Key_Escape)
    assert canvas.connecting.refusal == ""
    drag(canvas, dot(canvas, "load_orders"), middle(canvas, "join_orders"))
    assert (asked, canvas.connecting.refusal) == ([], "join_orders waits for load_orders already")


def test_why_two_steps_cannot_be_connected_is_said_in_words() -> None:
    drawn = graph({"a": [], "b": ["a"], "c": ["b"]})
    assert why_not(drawn, "a", "c") == ""
    assert why_not(drawn, "a", "b") == "b waits for a already"
    assert why_not(drawn, "c", "a") == "c waits for a already: a → b → c"


def test_what_the_plan_does_not_allow_is_said_at_the_pointer(view: GraphView, canvas: GraphCanvas) -> None:
    before = picture(canvas)
    view.canvas.show_refusal("A run is under way")
    assert (canvas.connecting.refusal, picture(canvas) != before) == ("A run is under way", True)
    QTest.mouseClick(canvas, Qt.MouseButton.LeftButton, pos=QPoint(3, 3))
    assert canvas.connecting.refusal == ""


def menu_of(view: GraphView) -> Menu:
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, QPoint(2, 2), QPoint(2, 2))
    QApplication.sendEvent(view.canvas, event)
    (menu,) = view.findChildren(Menu)
    return menu


def test_the_ground_has_a_menu_to_look_and_to_save(view: GraphView, canvas: GraphCanvas, tmp_path: Path) -> None:
    asked: list[tuple[str, str]] = []
    view.export_chosen.connect(_Pairs(asked))
    menu = menu_of(view)
    words = [action.text() for action in menu.actions()]
    assert words == ["Fit the graph", "Zoom in", "Zoom out", "", "Save as PNG…", "Save as SVG…", "Save as DOT…"]
    menu.actions()[1].trigger()
    assert canvas.sight.scale > 1
    menu.actions()[0].trigger()
    assert canvas.sight.scale == 1
    menu.actions()[5].trigger()
    (dialog,) = view.findChildren(QFileDialog)
    assert dialog.windowTitle() == "Save the graph as SVG"
    dialog.fileSelected.emit(str(tmp_path / "graph.svg"))
    dialog.close()
    menu.close()
    assert asked == [("svg", str(tmp_path / "graph.svg"))]


@pytest.mark.reference("A94")
def test_the_graph_is_saved_as_picture_drawing_and_text(view: GraphView, tmp_path: Path, run_in_qt: RunInQt) -> None:
    view.canvas.show_states({"load_tickets": DONE, "summarise_p2": RUNNING})
    said: list[str] = []
    all_said = asyncio.Event()

    def hear(words: str) -> None:
        said.append(words)
        if len(said) == 6:
            all_said.set()

    async def compute(function: Callable[..., Any], *given: Any) -> Any:
        return function(*given)

    async def scenario() -> None:
        scope = TaskScope("test")
        presenter = GraphPresenter(view, scope=scope, compute=compute)
        presenter.noticed.connect(hear)
        for kind in ("png", "svg", "dot"):
            view.export_chosen.emit(kind, str(tmp_path / f"graph.{kind}"))
            view.export_chosen.emit(kind, str(tmp_path / "graph.png" / f"graph.{kind}"))
        await asyncio.wait_for(all_said.wait(), 10)
        presenter.close()
        await scope.close()

    run_in_qt(scenario())
    assert QImage(str(tmp_path / "graph.png")).width() > 1000
    assert "load_tickets" in (tmp_path / "graph.svg").read_text(encoding="utf-8")
    assert QSvgRenderer(str(tmp_path / "graph.svg")).isValid()
    assert '"group_topics" -> "summarise_p2"' in (tmp_path / "graph.dot").read_text(encoding="utf-8")
    saved = [words for words in said if words.startswith("Saved")]
    assert sorted(saved) == [f"Saved the graph as graph.{kind}." for kind in ("dot", "png", "svg")]
    refused = [words for words in said if words not in saved]
    assert all("cannot be written" in words and words.endswith("Choose another file.") for words in refused)


def test_the_whole_graph_comes_as_a_picture(view: GraphView) -> None:
    view.canvas.zoom(1.7)
    image = view.picture()
    layout = view.canvas.painting.layout
    assert (image.width(), image.height()) == (2 * (layout.width + 40), 2 * (layout.height + 40))
    assert image.pixelColor(1, 1) == load_theme("light").color.panel


def test_nodes_are_found_where_they_are_at_any_scale() -> None:
    painting = GraphPainting(laid_out(large()))
    for scale in (0.05, 0.6, 2.0):
        sight = Viewport(scale, -31.0, 12.0)
        for name in list(painting.layout.places)[::97]:
            assert painting.node_at(sight.rect(painting.layout.places[name]).center(), sight) == name
    assert painting.node_at(QPointF(-500, -500), Viewport()) == ""


def test_only_the_newest_graph_counts(qtbot: QtBot, run_in_qt: RunInQt) -> None:
    view = GraphView()
    qtbot.addWidget(view)
    laid: list[Graph] = []
    gate = asyncio.Event()

    async def compute(function: Callable[..., Any], *given: Any) -> Any:
        laid.append(given[0])
        await gate.wait()
        return function(*given)

    laid_out_last = asyncio.Event()
    view.laid_out.connect(laid_out_last.set)
    first, second, third = (graph({name: []}) for name in ("a", "b", "c"))

    async def scenario() -> None:
        scope = TaskScope("test")
        presenter = GraphPresenter(view, scope=scope, compute=compute)
        for drawn in (first, second, third):
            view.show_graph(drawn)
        await asyncio.sleep(0)
        gate.set()
        await laid_out_last.wait()
        presenter.close()
        await scope.close()

    run_in_qt(scenario())
    assert laid in ([first, third], [third])
    assert list(view.canvas.painting.layout.places) == ["c"]


def test_a_graph_that_nobody_could_read_is_not_laid_out(qtbot: QtBot, run_in_qt: RunInQt) -> None:
    view = GraphView()
    qtbot.addWidget(view)
    laid: list[int] = []
    gate = asyncio.Event()

    async def compute(function: Callable[..., Any], *given: Any) -> Any:
        laid.append(len(given[0].nodes))
        await gate.wait()
        return function(*given)

    async def scenario() -> None:
        scope = TaskScope("test")
        presenter = GraphPresenter(view, scope=scope, compute=compute)
        view.show_graph(graph({"a": []}))
        await asyncio.sleep(0)
        # It comes while the one before is under way.
        view.show_graph(graph({f"s{number}": [] for number in range(3001)}))
        gate.set()
        for _ in range(20):
            await asyncio.sleep(0)
        assert not scope.busy
        presenter.close()
        await scope.close()

    run_in_qt(scenario())
    assert laid == [1]
    assert not view.canvas.painting.layout.places
