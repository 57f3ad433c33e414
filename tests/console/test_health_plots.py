"""The plots of the Health page as a person sees and uses them."""

from __future__ import annotations

import subprocess
import sys
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QContextMenuEvent, QGuiApplication, QImage, QMouseEvent
from PySide6.QtTest import QSignalSpy, QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from console.charts import load_plots
from console.charts.card import ChartCard
from console.charts.time_plot import TimePlot
from console.charts.tool_plots import CallsPlot, LatencyPlot, SuccessPlot
from console.health.model import PlotData
from console.health.plots_view import PlotsView
from console.theme import ThemeController, load_theme
from console.widgets import IconButton, Menu
from tools.health import SPANS, HealthLimits, Slot, TimeSpan

NOON = datetime(2026, 5, 12, 12, tzinfo=UTC)
HOUR = SPANS["1 h"]
LIMITS = HealthLimits(p95_ms=2500)
SIZE = (1080, 252)


@pytest.fixture
def view(qtbot: QtBot, theme: ThemeController) -> PlotsView:
    made = PlotsView()
    qtbot.addWidget(made)
    made.resize(*SIZE)
    made.show()
    assert len(list(made.make_plots())) == 3
    return made


def slot(minutes_ago: int, p95_ms: float | None = 1000.0, **changes: object) -> Slot:
    begins_at = NOON - timedelta(minutes=minutes_ago)
    times = (None, None, None) if p95_ms is None else (p95_ms / 2, p95_ms, p95_ms * 1.2)
    made = Slot(begins_at, 60, {"agent": 6, "you": 4}, 10 if p95_ms else 0, 0, {}, *times)
    return made._replace(**changes)  # type: ignore[arg-type]


SLOTS = [slot(ago, 1000.0 if ago > 15 else 3000.0) for ago in range(59, 0, -1) if ago not in {30, 31}]


def show(
    view: PlotsView,
    slots: list[Slot],
    *,
    tool: str = "download_file",
    span: TimeSpan = HOUR,
    now: datetime = NOON,
    everything: list[Slot] | None = None,
) -> None:
    everything = slots if everything is None else everything
    view.show_slots(PlotData(slots, everything, span, now, LIMITS, tool))
    view.draw_now()


def plots(view: PlotsView) -> tuple[LatencyPlot, SuccessPlot, CallsPlot]:
    (latency,), (success,), (calls,) = (view.findChildren(kind) for kind in (LatencyPlot, SuccessPlot, CallsPlot))
    return latency, success, calls


def heads(view: PlotsView) -> list[str]:
    """Return what the heads of the cards say."""
    return [f"{card.title}: {card.readout.words}" for card in view.findChildren(ChartCard)]


def button(view: QWidget, name: str) -> IconButton:
    return next(found for found in view.findChildren(IconButton) if found.accessibleName() == name)


def place(plot: TimePlot, minutes_ago: float) -> QPoint:
    """Return where a time stands in a plot."""
    at_s = (NOON - timedelta(minutes=minutes_ago)).timestamp()
    return QPoint(round(plot.x_of(at_s)), round(plot.area.center().y()))


def marked(plot: TimePlot) -> float | None:
    return plot.moment


def move(plot: TimePlot, to: QPoint, *, held: bool = False) -> None:
    buttons = Qt.MouseButton.LeftButton if held else Qt.MouseButton.NoButton
    spot = QPointF(to)
    QApplication.sendEvent(
        plot.viewport(),
        QMouseEvent(
            QEvent.Type.MouseMove,
            spot,
            QPointF(plot.viewport().mapToGlobal(to)),
            Qt.MouseButton.NoButton,
            buttons,
            Qt.KeyboardModifier.NoModifier,
        ),
    )


def click(plot: TimePlot, at: QPoint) -> None:
    QTest.mouseClick(plot.viewport(), Qt.MouseButton.LeftButton, pos=at)


def drag(plot: TimePlot, begin: QPoint, end: QPoint) -> None:
    QTest.mousePress(plot.viewport(), Qt.MouseButton.LeftButton, pos=begin)
    move(plot, (begin + end) / 2, held=True)
    move(plot, end, held=True)
    QTest.mouseRelease(plot.viewport(), Qt.MouseButton.LeftButton, pos=end)


def pixels(widget: QWidget, color: QColor, slack: int = 0) -> int:
    """Return how many pixels have a color, give or take in each channel, for lines between two rows of pixels."""
    image = widget.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)
    found = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.width(), 4)[:, :, :3]
    wanted = np.array([color.blue(), color.green(), color.red()], dtype=int)
    return int((np.abs(found.astype(int) - wanted) <= slack).all(axis=2).sum())


def test_pyqtgraph_is_imported_when_plots_are_made_and_not_before() -> None:
    program = (
        "import sys\n"
        "import console.health.plots_view, console.health.view, console.app.console\n"
        "assert not {'pyqtgraph', 'numpy'} & set(sys.modules), 'imported too early'\n"
        "from console.charts import load_plots\n"
        "load_plots()\n"
        "assert {'pyqtgraph', 'numpy'} <= set(sys.modules)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_the_view_asks_for_its_plots_once_and_shows_what_came_before(qtbot: QtBot, theme: ThemeController) -> None:
    view = PlotsView()
    qtbot.addWidget(view)
    view.resize(*SIZE)
    asked = QSignalSpy(view.plots_needed)
    show(view, SLOTS)
    assert asked.count() == 0
    for _ in range(2):
        view.show()
        view.hide()
    assert asked.count() == 1
    view.show()
    assert heads(view) == ["Latency: ", "Success rate: ", "Calls per minute: "]
    load_plots()
    assert [len(list(view.make_plots())) for _ in range(2)] == [3, 0]
    assert heads(view) == [
        "Latency: now, P50 1.50 s, P95 3.00 s, P99 3.60 s",
        "Success rate: now, 100%",
        "Calls per minute: agents, you",
    ]


def test_a_hidden_view_takes_in_and_draws_nothing(view: PlotsView) -> None:
    show(view, SLOTS)
    latency, _, _ = plots(view)
    ends_s = latency.frame.ends_s
    view.hide()
    show(view, [slot(1, 7.0)], now=NOON + timedelta(minutes=5))
    assert latency.frame.ends_s == ends_s
    view.show()
    assert latency.frame.ends_s == ends_s + 300
    assert heads(view)[0] == "Latency: at 12:00, P50 3.5 ms, P95 7.0 ms, P99 8.4 ms".replace(
        "12:00", (NOON - timedelta(minutes=1)).astimezone().strftime("%H:%M")
    )


def test_curves_limits_and_the_band_are_painted_in_the_colors_of_the_theme(
    view: PlotsView, theme: ThemeController
) -> None:
    show(view, SLOTS, everything=[slot(ago, failures=3, failed={"agent": 3}) for ago in range(59, 0, -1)])
    latency, success, calls = plots(view)
    for name in ("light", "dark"):
        theme.set_mode(name)
        tokens = load_theme(name)
        for series in (tokens.plot.s1, tokens.plot.s2, tokens.plot.s3, tokens.plot_line["threshold"].color):
            assert pixels(latency, series) > 20, (name, series.name())
        assert pixels(success, tokens.plot.s1, 64) > 100
        assert pixels(success, tokens.plot_line["threshold"].color) > 20
        for part in (tokens.plot.s1, tokens.plot.s5, tokens.plot.threshold):
            assert pixels(calls, part) > 100, (name, part.name())
        assert pixels(latency, tokens.color.surface) > 1000


def test_the_band_begins_where_the_curve_crosses_its_limit(view: PlotsView) -> None:
    show(view, SLOTS)
    latency, _, _ = plots(view)
    image = latency.grab().toImage()
    row = round(latency.area.top()) + 3
    surface = load_theme("light").color.surface.rgb()
    tinted = [
        x for x in range(round(latency.area.left()), round(latency.area.right())) if image.pixel(x, row) != surface
    ]
    crossed = latency.x_of((NOON - timedelta(minutes=15)).timestamp() - 30 + 60 * 0.75)
    assert min(tinted) == pytest.approx(crossed, abs=2)
    assert max(tinted) >= latency.area.right() - 2


def test_the_upright_axes_reach_from_nothing_to_above_what_is_in_sight(view: PlotsView) -> None:
    show(view, SLOTS)
    texts = [[tick.text for tick in plot.ticks] for plot in plots(view)]
    assert texts == [["0", "1 s", "2 s", "3 s", "4 s"], ["80%", "90%", "100%"], ["0", "5", "10"]]
    show(view, [slot(ago, 40.0, failures=4, failed={"agent": 4}) for ago in range(9, 0, -1)], tool="other")
    latency, success, _ = plots(view)
    # A limit of 2.5 s would press 48 ms flat to the ground.
    assert [tick.text for tick in latency.ticks] == ["0", "10 ms", "20 ms", "30 ms", "40 ms", "50 ms"]
    assert [tick.text for tick in success.ticks] == ["50%", "75%", "100%"]


def test_three_calls_are_three_dots(view: PlotsView) -> None:
    show(view, [slot(50), slot(30), slot(10)])
    latency, _, _ = plots(view)
    assert pixels(latency, load_theme("light").plot.s1) >= 3 * 6


@pytest.mark.parametrize(
    ("slots", "everything", "tool", "words"),
    [
        ([], [], "", ["No tool chosen", "No tool chosen", "No calls in the last hour"]),
        ([], SLOTS, "download_file", ["No calls in the last hour", "No calls in the last hour", ""]),
        ([slot(3, None)], SLOTS, "download_file", ["Nothing ran in the last hour", "Nothing ran in the last hour", ""]),
        (SLOTS, SLOTS, "download_file", ["", "", ""]),
    ],
)
def test_a_plot_says_why_it_is_empty(
    view: PlotsView, slots: list[Slot], everything: list[Slot], tool: str, words: list[str]
) -> None:
    show(view, slots, everything=everything, tool=tool)
    assert [plot.notice for plot in plots(view)] == words
    assert pixels(view, load_theme("light").color.surface) > 1000


def test_loading_is_said_only_while_there_is_nothing_else_to_show(view: PlotsView) -> None:
    view.set_loading()
    assert [plot.notice for plot in plots(view)] == ["Loading"] * 3
    show(view, SLOTS)
    view.set_loading()
    assert [plot.notice for plot in plots(view)] == [""] * 3


@pytest.mark.parametrize("span", SPANS.values())
@pytest.mark.parametrize("width", [460, 780, 1900])
def test_every_range_and_width_can_be_painted(view: PlotsView, span: TimeSpan, width: int) -> None:
    view.resize(width, 300)
    begin = NOON.timestamp() // span.slot_s
    slots = [
        slot(
            0,
            10.0 * (ago + 1),
            begins_at=datetime.fromtimestamp((begin - ago) * span.slot_s, UTC),
            length_s=span.slot_s,
        )
        for ago in range(span.length_s // span.slot_s - 1, -1, -1)
    ]
    show(view, slots, span=span)
    title = {5: "Calls per 5 s", 60: "Calls per minute", 900: "Calls per 15 min", 7200: "Calls per 2 h"}[span.slot_s]
    assert heads(view)[2] == f"{title}: agents, you"
    view.grab()


def test_the_moment_under_the_cursor_is_marked_in_all_plots_and_told_in_the_heads(view: PlotsView) -> None:
    show(view, SLOTS)
    latency, success, calls = plots(view)
    moment = (NOON - timedelta(minutes=20)).timestamp()
    at = (NOON - timedelta(minutes=20)).astimezone().strftime("%H:%M")
    move(success, place(success, 19.5))
    assert [marked(plot) for plot in (latency, success, calls)] == [moment] * 3
    assert heads(view) == [
        f"Latency: at {at}, P50 500 ms, P95 1.00 s, P99 1.20 s",
        f"Success rate: at {at}, 100%",
        f"Calls per minute: at {at}, agents 6, you 4",
    ]
    move(latency, place(latency, 29.5))
    assert heads(view)[0].endswith("no runs")
    assert heads(view)[2].endswith("no calls")
    QApplication.sendEvent(latency, QEvent(QEvent.Type.Leave))
    assert [marked(plot) for plot in (latency, success, calls)] == [None] * 3
    assert heads(view)[0].startswith("Latency: now")


def test_a_pinned_moment_stays_until_it_is_let_go_of(view: PlotsView) -> None:
    show(view, SLOTS)
    latency, _, _ = plots(view)
    move(latency, place(latency, 19.5))
    QTest.keyClick(latency, Qt.Key.Key_P)
    pinned = marked(latency)
    move(latency, place(latency, 9.5))
    QApplication.sendEvent(latency, QEvent(QEvent.Type.Leave))
    show(view, SLOTS, now=NOON + timedelta(minutes=1))
    assert marked(latency) == pinned
    pin = button(view, "Let go of the moment")
    assert pin.isChecked()
    QTest.mouseClick(pin, Qt.MouseButton.LeftButton)
    assert marked(latency) is None
    assert not pin.isChecked()
    QTest.mouseClick(button(view, "Keep the moment marked"), Qt.MouseButton.LeftButton)
    assert marked(latency) == (NOON + timedelta(minutes=0)).timestamp()
    show(view, SLOTS, tool="another")
    assert marked(latency) is None


def test_the_keys_move_choose_and_let_go(view: PlotsView) -> None:
    chosen: list[datetime] = []
    view.moment_chosen.connect(chosen.append)
    show(view, SLOTS)
    latency, _, _ = plots(view)
    for key in (Qt.Key.Key_Return, Qt.Key.Key_P, Qt.Key.Key_Escape):
        QTest.keyClick(latency, key)
    assert (marked(latency), chosen) == (None, [])
    for key in (Qt.Key.Key_Left, Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Right):
        QTest.keyClick(latency, key)
    assert marked(latency) == (NOON - timedelta(minutes=1)).timestamp()
    QTest.keyClick(latency, Qt.Key.Key_Return)
    assert chosen == [NOON]
    QTest.keyClick(latency, Qt.Key.Key_Escape)
    assert marked(latency) is None


def test_the_wheel_is_left_to_the_page(view: PlotsView, qtbot: QtBot) -> None:
    show(view, SLOTS)
    latency, _, _ = plots(view)
    frame = latency.frame
    QTest.wheelEvent(view.windowHandle(), latency.mapTo(view, place(latency, 20)), QPoint(0, 240))
    assert latency.frame == frame


def test_dragging_shows_a_part_in_all_plots_and_a_double_click_the_whole(view: PlotsView) -> None:
    zoomed, reset = QSignalSpy(view.range_zoomed), QSignalSpy(view.range_reset)
    show(view, SLOTS)
    latency, success, calls = plots(view)
    drag(latency, place(latency, 40), place(latency, 20))
    assert zoomed.count() == 1
    begins_at, ends_at = zoomed.at(0)
    assert abs(begins_at - (NOON - timedelta(minutes=40))) < timedelta(seconds=10)
    assert abs(ends_at - (NOON - timedelta(minutes=20))) < timedelta(seconds=10)
    assert {plot.frame for plot in (latency, success, calls)} == {latency.frame}
    assert latency.frame.ends_s == pytest.approx(ends_at.timestamp(), abs=1e-3)
    # The limit is out of sight, and the axis follows what is in sight.
    assert latency.ticks[-1].at >= 1200
    show(view, SLOTS, now=NOON + timedelta(minutes=1))
    assert latency.frame.ends_s == pytest.approx(ends_at.timestamp(), abs=1e-3)
    QTest.mouseDClick(success.viewport(), Qt.MouseButton.LeftButton, pos=place(success, 30))
    assert reset.count() == 1
    assert latency.frame.ends_s == (NOON + timedelta(minutes=1)).timestamp()


def test_a_zoom_is_at_least_two_slots_and_ends_by_its_button_and_with_the_tool(view: PlotsView) -> None:
    show(view, SLOTS)
    latency, _, _ = plots(view)
    reset = button(view, "Show the whole range")
    assert not reset.isEnabled()
    middle = place(latency, 30)
    drag(latency, middle, middle + QPoint(8, 0))
    assert latency.frame.ends_s - latency.frame.begins_s == pytest.approx(120)
    QTest.mouseClick(reset, Qt.MouseButton.LeftButton)
    assert latency.frame.ends_s - latency.frame.begins_s == 3600
    assert not reset.isEnabled()
    drag(latency, place(latency, 40), place(latency, 20))
    show(view, SLOTS, tool="another")
    assert latency.frame.ends_s - latency.frame.begins_s == 3600
    drag(latency, place(latency, 40), place(latency, 20))
    QTest.keyClick(latency, Qt.Key.Key_0)
    assert latency.frame.ends_s - latency.frame.begins_s == 3600


def test_a_click_opens_its_moment_and_one_between_the_axes_and_the_edge_opens_none(view: PlotsView) -> None:
    chosen: list[datetime] = []
    view.moment_chosen.connect(chosen.append)
    show(view, SLOTS)
    latency, _, calls = plots(view)
    click(latency, place(latency, 19.5))
    click(calls, place(calls, 39.5))
    assert chosen == [NOON - timedelta(minutes=19), NOON - timedelta(minutes=39)]
    click(latency, QPoint(10, 40))
    QTest.mouseClick(latency.viewport(), Qt.MouseButton.RightButton, pos=place(latency, 10))
    assert len(chosen) == 2


def test_while_zoomed_a_click_waits_for_a_second_one(view: PlotsView, qtbot: QtBot) -> None:
    chosen: list[datetime] = []
    view.moment_chosen.connect(chosen.append)
    show(view, SLOTS)
    latency, _, _ = plots(view)
    drag(latency, place(latency, 40), place(latency, 20))
    at = place(latency, 29.5)
    click(latency, at)
    QTest.mouseDClick(latency.viewport(), Qt.MouseButton.LeftButton, pos=at)
    assert latency.frame.ends_s - latency.frame.begins_s == 3600
    drag(latency, place(latency, 40), place(latency, 20))
    with qtbot.waitSignal(view.moment_chosen):
        click(latency, at)
    assert chosen == [NOON - timedelta(minutes=29)]


def menu(view: PlotsView, plot: TimePlot) -> dict[str, object]:
    """Open the menu of a plot and return its actions by their words."""
    spot = place(plot, 19.5)
    QApplication.sendEvent(
        plot.viewport(),
        QContextMenuEvent(QContextMenuEvent.Reason.Mouse, spot, plot.viewport().mapToGlobal(spot)),
    )
    (found,) = view.findChildren(Menu)
    actions = {action.text(): action for action in found.actions() if action.text()}
    QApplication.sendEvent(plot, QEvent(QEvent.Type.Leave))
    found.hide()
    return dict(actions)


def test_the_menu_offers_what_can_be_done_at_the_moment_and_does_it(view: PlotsView, qtbot: QtBot) -> None:
    chosen: list[datetime] = []
    view.moment_chosen.connect(chosen.append)
    show(view, SLOTS)
    latency, _, _ = plots(view)
    at = (NOON - timedelta(minutes=20)).astimezone().strftime("%H:%M")

    def act(words: str) -> None:
        move(latency, place(latency, 19.5))
        menu(view, latency)[words].trigger()  # type: ignore[attr-defined]

    move(latency, place(latency, 19.5))
    assert list(menu(view, latency)) == [
        f"Show the calls at {at}",
        f"Keep {at} marked",
        f"Copy the values at {at}",
        "Copy all values",
        "Save picture…",
    ]
    act(f"Show the calls at {at}")
    assert chosen == [NOON - timedelta(minutes=19)]
    act(f"Copy the values at {at}")
    assert len(QGuiApplication.clipboard().text().splitlines()) == 2
    act("Copy all values")
    assert len(QGuiApplication.clipboard().text().splitlines()) == len(SLOTS) + 1
    with qtbot.waitSignal(view.save_requested):
        act("Save picture…")
    act(f"Keep {at} marked")
    assert marked(latency) == (NOON - timedelta(minutes=20)).timestamp()
    act(f"Let go of {at}")
    assert marked(latency) is None
    drag(latency, place(latency, 40), place(latency, 10))
    act("Show the whole range")
    assert latency.frame.ends_s - latency.frame.begins_s == 3600


def test_an_empty_plot_has_no_menu(view: PlotsView) -> None:
    show(view, [])
    latency, _, _ = plots(view)
    assert menu(view, latency) == {}


def test_the_picture_shows_the_cards_at_twice_their_size(view: PlotsView) -> None:
    show(view, SLOTS)
    image = view.image()
    assert (image.width(), image.height()) == (2 * view.width(), 2 * view.height())
    series = load_theme("light").plot.s1.rgb()
    found = sum(image.pixel(x, y) == series for x in range(1200) for y in range(image.height()))
    assert found > 500


@pytest.mark.parametrize("height", [360, 480, 760])
@pytest.mark.parametrize("worst", [0.0, 0.4, 0.82])
def test_names_of_limits_never_overlap(view: PlotsView, height: int, worst: float) -> None:
    failed = round(10 - worst * 10)
    show(view, [slot(ago, 1000.0, runs=10, failures=failed) for ago in range(20, 0, -1)])
    view.resize(640, height)
    view.draw_now()
    _, success, _ = plots(view)
    names = success.limit_names()
    assert [text for text, _ in names] == ["limit 95%", "down below 80%"][: len(names)]
    assert names
    assert not any(one.intersects(other) for _, one in names for _, other in names if one is not other)


@pytest.mark.parametrize("height", [150, 180, 210])
def test_names_of_limits_and_marks_of_a_low_plot_are_left_out_rather_than_cut(view: PlotsView, height: int) -> None:
    show(view, [slot(ago, 1000.0, runs=10, failures=10) for ago in range(20, 0, -1)])
    view.resize(640, height)
    view.draw_now()
    _, success, _ = plots(view)
    assert all(success.rect().contains(box) for _, box in success.limit_names())
