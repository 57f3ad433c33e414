"""The timeline of a run: its axis, its lanes, and what a person does with it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QFocusEvent, QHelpEvent, QImage, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolTip, QWidget
from pytestqt.qtbot import QtBot

from console.batch.timeline_layout import (
    Bar,
    Grouping,
    Lanes,
    RunTimeRange,
    Timeline,
    VisibleTime,
    elapsed_ticks,
    whole_of,
)
from console.batch.timeline_view import TimelineCanvas, TimelineView
from console.theme import load_theme
from console.widgets import IconButton, SegmentedControl, TextLabel

STEPS = ("load", "group", "summarise_p1", "summarise_p2", "chart", "draft")
BARS = (
    Bar("load", 1, 0, 0.0, 2.0, "success"),
    Bar("group", 2, 0, 2.0, 10.0, "success", is_critical=True),
    Bar("chart", 5, 1, 2.0, 2.2, "failed"),
    Bar("summarise_p1", 3, 1, 10.0, 65.0, "success"),
    Bar("summarise_p2", 4, 0, 10.0, 113.0, "running", "61%", is_critical=True),
    Bar("summarise_p2", 4, 0, 113.0, 174.0, "queued", "the rest", is_planned=True, is_critical=True),
    Bar("draft", 6, 0, 174.0, 206.0, "queued", is_planned=True, is_critical=True),
)
NOTE = "dashed: planned from each tool's usual P50"
RUN = Timeline(BARS, STEPS, ("Worker 1", "Worker 2"), 113.0, NOTE)


@pytest.fixture
def view(qtbot: QtBot) -> TimelineView:
    view = TimelineView()
    qtbot.addWidget(view)
    view.resize(1200, 220)
    view.show()
    view.show_bars(RUN)
    return view


@pytest.fixture
def canvas(view: TimelineView) -> TimelineCanvas:
    return view.canvas


def place(canvas: TimelineCanvas, lane: int, at_s: float) -> QPoint:
    return QPoint(round(canvas._scale.x(at_s)), 24 + lane * 32 + 16 - canvas.verticalScrollBar().value())


def picture(canvas: TimelineCanvas) -> QImage:
    return canvas.viewport().grab().toImage().convertToFormat(QImage.Format.Format_RGB32)


def wheel(canvas: TimelineCanvas, at: QPoint, turned: QPoint, keys: Qt.KeyboardModifier) -> None:
    where = QPointF(canvas.viewport().mapToGlobal(at))
    no_button, no_phase = Qt.MouseButton.NoButton, Qt.ScrollPhase.NoScrollPhase
    event = QWheelEvent(QPointF(at), where, QPoint(), turned, no_button, keys, no_phase, False)
    QApplication.sendEvent(canvas.viewport(), event)


@pytest.mark.parametrize(
    ("stretch", "most", "words"),
    [
        (RunTimeRange(0, 240), 8, ["0:00", "0:30", "1:00", "1:30", "2:00", "2:30", "3:00", "3:30", "4:00"]),
        (RunTimeRange(100, 130), 4, ["1:40", "1:50", "2:00", "2:10"]),
        (RunTimeRange(0, 9000), 3, ["0:00", "1:00:00", "2:00:00"]),
        (RunTimeRange(0, 3.3), 4, ["0", "1 s", "2 s", "3 s"]),
        (RunTimeRange(1.2, 1.5), 3, ["1.2 s", "1.3 s", "1.4 s", "1.5 s"]),
        (RunTimeRange(0, 0.08), 4, ["0", "20 ms", "40 ms", "60 ms", "80 ms"]),
        (RunTimeRange(0, 400_000), 2, ["0:00", "72:00:00"]),
    ],
)
def test_marks_are_round_times_since_the_start(stretch: RunTimeRange, most: int, words: list[str]) -> None:
    assert [tick.text for tick in elapsed_ticks(stretch, most)] == words


@given(st.floats(0, 1e5), st.floats(0.001, 1e5), st.integers(1, 12))
def test_marks_stand_in_sight_and_are_not_too_many(begins_s: float, length_s: float, most: int) -> None:
    stretch = RunTimeRange(begins_s, begins_s + length_s)
    ticks = elapsed_ticks(stretch, most)
    assert len(ticks) <= most + 2
    slack = length_s * 1e-6
    assert all(begins_s - slack <= tick.at <= stretch.ends_s + slack for tick in ticks)


@given(st.floats(0.01, 1e4), st.floats(0.1, 50), st.floats(0, 1))
def test_zooming_keeps_a_moment_and_never_leaves_the_whole(length_s: float, factor: float, share: float) -> None:
    whole = RunTimeRange(0.0, length_s)
    at_s = length_s * share
    zoomed = whole.zoomed(factor, at_s, whole)
    assert whole.begins_s <= zoomed.begins_s
    assert zoomed.ends_s <= whole.ends_s * (1 + 1e-9)
    if factor >= 1:
        assert zoomed.begins_s - 1e-6 <= at_s <= zoomed.ends_s + 1e-6
    moved = zoomed.moved(length_s * 5, whole)
    assert moved.ends_s == pytest.approx(whole.ends_s)
    assert moved.length_s == pytest.approx(zoomed.length_s)


def test_lanes_hold_bars_by_worker_or_by_step() -> None:
    workers = Lanes(RUN, Grouping.WORKER)
    assert [(workers[lane].name, len(workers[lane].bars)) for lane in range(len(workers))] == [
        ("Worker 1", 5),
        ("Worker 2", 2),
    ]
    steps = Lanes(RUN, Grouping.STEP)
    assert [steps[lane].name for lane in range(len(steps))] == list(STEPS)
    assert (steps.number_of("chart"), workers.number_of("chart"), steps.number_of("nobody")) == (4, 1, None)
    assert [bar.is_planned for bar in steps[3].bars] == [False, True]
    assert [bar.step for bar in workers[0].seen(RunTimeRange(0, 5))] == ["load", "group"]
    assert whole_of(RUN).ends_s > 206
    assert whole_of(Timeline()).length_s > 0


def long_lane(count: int) -> Timeline:
    """Give two lanes with many short bars that touch each other, a few long ones, and one that went wrong."""
    bars = []
    for number in range(count):
        began_s = number * 0.01
        length_s = 3.0 if number % 400 == 17 else 0.01
        status = "failed" if number == count // 2 else "success"
        bars.append(Bar(f"s{number}", number + 1, number % 2, began_s, began_s + length_s, status))  # type: ignore[arg-type]
    return Timeline(tuple(bars), tuple(bar.step for bar in bars), ("Worker 1", "Worker 2"), count * 0.01)


def test_short_bars_that_touch_each_other_are_one_box_and_what_went_wrong_stays_apart() -> None:
    timeline = long_lane(2000)
    lanes = Lanes(timeline, Grouping.WORKER)
    scale = VisibleTime(100.0, 900.0, 700).scale(lanes.whole)
    boxes = lanes.boxes(0, scale, lanes.whole)
    assert len(boxes.under) < 20
    assert [box.bar.step for box in boxes.over] == ["s1000"]
    right = max(bar.ended_s for bar in lanes[0].bars)
    assert boxes.under[0].left == scale.x(0.0)
    assert max(box.right for box in boxes.under) == pytest.approx(scale.x(right), abs=4)
    assert lanes.boxes(0, scale, lanes.whole) is boxes
    assert lanes.boxes(0, scale._replace(per_s=scale.per_s * 50), lanes.whole) is not boxes


def test_lanes_made_ahead_look_as_those_made_when_they_are_seen(qtbot: QtBot) -> None:
    view = TimelineView()
    qtbot.addWidget(view)
    view.resize(1200, 220)
    view.show()
    timeline = long_lane(600)
    view.show_bars(timeline)
    view.canvas.select("s17")
    looked = picture(view.canvas)
    view.show_bars(timeline, Lanes(timeline, view.canvas.grouping, view.room))
    assert picture(view.canvas) == looked
    view.show_bars(timeline, Lanes(timeline, Grouping.STEP, view.room))
    assert len(view.canvas._lanes) == 2, "lanes of another kind are not shown"
    assert picture(view.canvas) == looked


def test_nothing_has_run_yet(qtbot: QtBot) -> None:
    view = TimelineView()
    qtbot.addWidget(view)
    view.show()
    names = [child.accessibleName() for child in view.findChildren(QWidget) if child.isVisible()]
    assert any(name.startswith("Nothing has run yet") for name in names)
    assert not any(button.isEnabled() for button in view.findChildren(IconButton))
    view.show_bars(RUN)
    assert view.canvas.isVisible()
    assert NOTE in [label.text() for label in view.findChildren(TextLabel)]


def test_what_happened_is_filled_and_what_is_planned_is_not(canvas: TimelineCanvas) -> None:
    theme, image = load_theme("light"), picture(canvas)
    assert image.pixelColor(place(canvas, 1, 60)) == theme.status.ok.soft
    assert image.pixelColor(place(canvas, 0, 100)) == theme.status.run.soft
    assert image.pixelColor(place(canvas, 0, 160)) == theme.color.surface
    assert image.pixelColor(place(canvas, 0, 113)) == theme.color.accent


def test_a_failure_among_many_short_bars_is_seen(canvas: TimelineCanvas) -> None:
    bars = [Bar("load", 1, 0, number / 1000, number / 1000 + 0.001, "success") for number in range(1000)]
    bars[500] = bars[500]._replace(status="failed")
    canvas.show_bars(Timeline((*bars, Bar("load", 1, 0, 400, 500, "success")), STEPS, ("Worker 1",)))
    crimson = load_theme("light").status.error.fill
    image = picture(canvas)
    row = [image.pixelColor(x, place(canvas, 0, 0).y()) for x in range(90, 130)]
    assert crimson in row


def words_at_the_left(canvas: TimelineCanvas, bar: Bar) -> QImage:
    canvas.show_bars(Timeline((bar,), STEPS, ("Worker 1",)))
    return picture(canvas)


def test_words_of_a_bar_keep_clear_of_a_failure_upon_it(canvas: TimelineCanvas) -> None:
    """Calls that wait at the threads share a lane with what they wait for."""
    failed, long = Bar("group", 2, 0, 1, 2, "failed"), Bar("load", 1, 0, 0, 100, "success")
    canvas.show_bars(Timeline((long, failed), STEPS, ("Worker 1",)))
    theme, image = load_theme("light"), picture(canvas)
    right, line = place(canvas, 0, 2).x() + 4, place(canvas, 0, 0).y()
    shown = {image.pixelColor(x, y).name() for x in range(right, right + 90) for y in range(line - 8, line + 8)}
    assert theme.status.ok.text.name() in shown
    assert theme.status.error.text.name() not in shown
    canvas.show_bars(Timeline((long, failed._replace(began_s=80, ended_s=81)), STEPS, ("Worker 1",)))
    assert picture(canvas).copy(0, 0, 300, 60) == words_at_the_left(canvas, long).copy(0, 0, 300, 60)
    canvas.show_bars(Timeline((failed, long._replace(began_s=60)), STEPS, ("Worker 1",)))
    image = picture(canvas)
    shown = {image.pixelColor(x, y).name() for x in range(right, right + 90) for y in range(line - 8, line + 8)}
    assert theme.status.error.text.name() in shown


def test_a_click_selects_the_step_and_tells_once(view: TimelineView, canvas: TimelineCanvas) -> None:
    told: list[str] = []
    view.canvas.selected.connect(told.append)
    for at_s in (60, 60):
        QTest.mouseClick(canvas.viewport(), Qt.MouseButton.LeftButton, pos=place(canvas, 1, at_s))
    QTest.mouseClick(canvas.viewport(), Qt.MouseButton.LeftButton, pos=place(canvas, 1, 150))
    assert (told, canvas.selection) == (["summarise_p1"], "summarise_p1")
    assert canvas.accessibleDescription() == "3 summarise_p1: Success\nfrom 10.00 s on, 55.00 s"
    view.canvas.select("draft")
    assert canvas.accessibleDescription() == "6 draft: Planned\nfrom about 2:54 on, about 32.00 s"
    assert told == ["summarise_p1"]


def test_keys_go_from_bar_to_bar(view: TimelineView, canvas: TimelineCanvas) -> None:
    told: list[str] = []
    view.canvas.selected.connect(told.append)
    keys = (Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Down, Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Up)
    for key in keys:
        QTest.keyClick(canvas, key)
    assert told == ["load", "group", "chart", "summarise_p1", "summarise_p2"]
    opened: list[str] = []
    view.canvas.opened.connect(opened.append)
    QTest.keyClick(canvas, Qt.Key.Key_Return)
    QTest.mouseDClick(canvas.viewport(), Qt.MouseButton.LeftButton, pos=place(canvas, 1, 60))
    assert opened == ["summarise_p2", "summarise_p1"]


def test_whoever_comes_by_tab_begins_at_the_first_bar(canvas: TimelineCanvas) -> None:
    QApplication.sendEvent(canvas, QFocusEvent(QEvent.Type.FocusIn, Qt.FocusReason.MouseFocusReason))
    assert canvas.selection == ""
    QApplication.sendEvent(canvas, QFocusEvent(QEvent.Type.FocusIn, Qt.FocusReason.TabFocusReason))
    assert canvas.selection == "load"


def test_lanes_are_told_apart_by_step_too(view: TimelineView, canvas: TimelineCanvas) -> None:
    view.findChild(SegmentedControl).select(1)  # type: ignore[union-attr]
    assert view.canvas.grouping is Grouping.STEP
    QTest.mouseClick(canvas.viewport(), Qt.MouseButton.LeftButton, pos=place(canvas, 3, 100))
    assert canvas.selection == "summarise_p2"
    QTest.mouseClick(canvas.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(20, place(canvas, 0, 0).y()))
    assert canvas.selection == "load"
    view.set_grouping(Grouping.WORKER)
    assert canvas.grouping is Grouping.WORKER


def test_a_step_far_below_comes_into_sight(canvas: TimelineCanvas) -> None:
    steps = tuple(f"s{number}" for number in range(10_000))
    bars = tuple(Bar(name, number, number % 4, number, number + 1, "success") for number, name in enumerate(steps, 1))
    canvas.show_bars(Timeline(bars, steps, ("Worker 1", "Worker 2", "Worker 3", "Worker 4")))
    canvas.set_grouping(Grouping.STEP)
    canvas.zoom(50)
    canvas.select("s9000")
    assert 0 <= 24 + 9000 * 32 - canvas.verticalScrollBar().value() < canvas.viewport().height()
    assert canvas.stretch.begins_s <= 9001 <= canvas.stretch.ends_s
    canvas.select("no such step")
    assert canvas.accessibleDescription() == ""


def test_the_time_is_zoomed_moved_and_fitted(view: TimelineView, canvas: TimelineCanvas) -> None:
    buttons = {button.accessibleName(): button for button in view.findChildren(IconButton)}
    whole = canvas.stretch
    assert not buttons["Show the whole time"].isVisible()
    at = place(canvas, 0, 113)
    wheel(canvas, at, QPoint(0, 600), Qt.KeyboardModifier.ControlModifier)
    assert canvas.stretch.length_s < whole.length_s / 2
    assert place(canvas, 0, 113).x() == pytest.approx(at.x(), abs=1)
    before = canvas.stretch
    wheel(canvas, at, QPoint(-120, 0), Qt.KeyboardModifier.NoModifier)
    wheel(canvas, at, QPoint(0, -120), Qt.KeyboardModifier.ShiftModifier)
    assert canvas.stretch.begins_s > before.begins_s
    ground = QPoint(canvas.viewport().width() - 40, canvas.viewport().height() - 5)
    begins_s = canvas.stretch.begins_s
    QTest.mousePress(canvas.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, ground)
    QTest.mouseMove(canvas.viewport(), ground - QPoint(50, 0))
    QTest.mouseRelease(canvas.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, ground)
    assert canvas.stretch.begins_s != begins_s
    canvas.show_bars(RUN)
    assert canvas.stretch.length_s < whole.length_s
    buttons["Show the whole time"].click()
    assert canvas.stretch == whole
    buttons["Zoom in"].click()
    assert buttons["Show the whole time"].isVisible()
    QTest.keyClick(canvas, Qt.Key.Key_Minus)
    QTest.keyClick(canvas, Qt.Key.Key_Plus)
    QTest.keyClick(canvas, Qt.Key.Key_F)
    assert canvas.stretch == whole


def test_the_tool_tip_says_what_a_bar_means(canvas: TimelineCanvas, qtbot: QtBot) -> None:
    at = place(canvas, 0, 100)
    event = QHelpEvent(QEvent.Type.ToolTip, at, canvas.viewport().mapToGlobal(at))
    QApplication.sendEvent(canvas.viewport(), event)
    assert QToolTip.text() == "4 summarise_p2: Running, 61%\nfrom 10.00 s on, 1:43"
    QToolTip.hideText()
    qtbot.waitUntil(lambda: not QToolTip.isVisible())


def test_a_plan_is_seen_before_it_runs(canvas: TimelineCanvas) -> None:
    ahead = Timeline((Bar("load", 1, 0, 0, 9, "queued", is_planned=True),), STEPS, ("Worker 1",), None, NOTE)
    canvas.show_bars(ahead)
    surface = load_theme("light").color.surface
    assert picture(canvas).pixelColor(place(canvas, 0, 8.5)) == surface


def test_whoever_shows_another_run_lets_all_of_its_time_be_seen(view: TimelineView, canvas: TimelineCanvas) -> None:
    whole = canvas.stretch
    canvas.zoom(4)
    assert canvas.stretch != whole
    view.canvas.fit()
    assert canvas.stretch == whole
